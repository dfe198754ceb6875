/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzz target: CLOG2 files. */
#include "fuzz-source.h"

int LLVMFuzzerTestOneInput(const guint8 *data, gsize len)
{
	fuzz_source(&iot_source_clog2, data, len);
	return 0;
}
