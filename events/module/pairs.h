/* SPDX-License-Identifier: GPL-2.0-only */
/* The events of system calls by the number of their pair. */
#ifndef IOTRACE_PAIRS_H
#define IOTRACE_PAIRS_H

#include "iotrace.h"
#include "syscalls.h"

#define IOTRACE_FILE_PAIRS(X)                                                                      \
	X(READ, read) X(WRITE, write) X(SYNC, sync) X(TRUNCATE, truncate) X(MMAP, mmap) X(CLOSE, close) \
	X(SUBMIT, submit)

static inline bool iotrace_pair_enabled(u8 pair)
{
#define IOTRACE_CASE(PAIR, name)                                                                   \
	case IOTRACE_##PAIR: return trace_##name##_start_enabled() || trace_##name##_end_enabled();
	switch (pair) {
	IOTRACE_FILE_PAIRS(IOTRACE_CASE)
	IOTRACE_CASE(OPEN, open)
	IOTRACE_CASE(META, meta)
	IOTRACE_CASE(LOCK, lock)
	}
#undef IOTRACE_CASE
	return false;
}

static inline void iotrace_file_start(u8 pair, const struct iotrace_file_args *a)
{
#define IOTRACE_CASE(PAIR, name) case IOTRACE_##PAIR: trace_##name##_start(a); break;
	switch (pair) {
	IOTRACE_FILE_PAIRS(IOTRACE_CASE)
	}
#undef IOTRACE_CASE
}

static inline void iotrace_file_end(u8 pair, u64 id, s64 ret, s64 pos)
{
#define IOTRACE_CASE(PAIR, name) case IOTRACE_##PAIR: trace_##name##_end(id, ret, pos); break;
	switch (pair) {
	IOTRACE_FILE_PAIRS(IOTRACE_CASE)
	IOTRACE_CASE(LOCK, lock)
	}
#undef IOTRACE_CASE
}

#endif /* IOTRACE_PAIRS_H */
