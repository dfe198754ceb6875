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

/* Changes bytes at random, in place; of the fuzzer, or of fuzz-replay.c. The result is the new length. */
size_t LLVMFuzzerMutate(guint8 *data, size_t len, size_t max_len);
/* Of targets that know what their bytes mean: mutate-dat.c. */
size_t LLVMFuzzerCustomMutator(guint8 *data, size_t len, size_t max_len, unsigned int seed)
	__attribute__((weak));

#endif
