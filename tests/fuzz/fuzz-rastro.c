/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzz target: files of libRastro. */
#include "fuzz-source.h"

int LLVMFuzzerTestOneInput(const guint8 *data, gsize len)
{
	fuzz_source(&iot_source_rastro, data, len);
	return 0;
}
