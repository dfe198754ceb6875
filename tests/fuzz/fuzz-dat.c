/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzz target: trace-cmd files, from the container to the fields of events. */
#include "fuzz-source.h"

int LLVMFuzzerTestOneInput(const guint8 *data, gsize len)
{
	fuzz_source(&iot_source_dat, data, len);
	return 0;
}
