/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzz target: recordings of libiotrace-preload. */
#include "fuzz-source.h"

int LLVMFuzzerTestOneInput(const guint8 *data, gsize len)
{
	fuzz_source(&iot_source_preload, data, len);
	return 0;
}
