/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the fuzz targets share: a source reads the bytes as a file, and must keep its promises. */
#ifndef IOT_FUZZ_SOURCE_H
#define IOT_FUZZ_SOURCE_H

#include "input/source.h"

/**
 * fuzz_source - let @ops read a file of these bytes from open to close
 *
 * Aborts if what input/source.h and input/record.h promise does not hold. That a file is refused is fine.
 */
void fuzz_source(const struct iot_source_ops *ops, const guint8 *data, gsize len);

/* Called by the fuzzer, or for each file by fuzz-replay.c. */
int LLVMFuzzerTestOneInput(const guint8 *data, gsize len);

#endif
