/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzz target: logs of strace. */
#include "fuzz-source.h"

int LLVMFuzzerTestOneInput(const guint8 *data, gsize len)
{
	fuzz_source(&iot_source_strace, data, len);
	return 0;
}
