/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzz target: dumps of Ganglia. */
#include "fuzz-source.h"

int LLVMFuzzerTestOneInput(const guint8 *data, gsize len)
{
	fuzz_source(&iot_source_ganglia, data, len);
	return 0;
}
