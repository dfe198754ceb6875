/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by fuzz targets: a source reads the bytes as a file, and must keep its contract. */
#ifndef IOT_FUZZ_SOURCE_H
#define IOT_FUZZ_SOURCE_H

#include <stdio.h>
#include <stdlib.h>

#include "input/source.h"

/* CHECK - what must hold whatever the bytes are */
#define CHECK(condition)                                                                        \
	do {                                                                                    \
		if (!(condition)) {                                                             \
			fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #condition); \
			abort();                                                                \
		}                                                                               \
	} while (0)

/**
 * fuzz_source - let @ops read a file of these bytes from open to close
 *
 * Aborts if the source breaks the contract of input/source.h or input/record.h. It may refuse the file.
 */
void fuzz_source(const struct iot_source_ops *ops, const guint8 *data, gsize len);

/* Called by the fuzzer, or for each file by fuzz-replay.c. */
int LLVMFuzzerTestOneInput(const guint8 *data, gsize len);

/* Changes bytes at random, in place; from the fuzzer, or from fuzz-replay.c. Returns the new length. */
size_t LLVMFuzzerMutate(guint8 *data, size_t len, size_t max_len);
/* For targets that know the meaning of their bytes: mutate-dat.c. */
size_t LLVMFuzzerCustomMutator(guint8 *data, size_t len, size_t max_len, unsigned int seed)
	__attribute__((weak));

#endif
