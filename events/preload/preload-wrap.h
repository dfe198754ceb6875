/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How a wrapper finds the function that it replaces. As a preloaded library the wrapper has its
 * name, and asks the dynamic linker for the next one. In the archive for static programs (macro
 * IOTRACE_WRAP) it has the name __wrap_NAME, and the linker's --wrap=NAME calls the other
 * __real_NAME.
 */
#ifndef IOTRACE_PRELOAD_WRAP_H
#define IOTRACE_PRELOAD_WRAP_H

#include <errno.h>

#include "preload-local.h"

#ifdef IOTRACE_WRAP
#define DECLARE(type, name, params) extern type preload_real_##name params __asm__("__real_" #name);
#define REAL(name)		    preload_real_##name
#define HAVE(name)		    true
#define SYMBOL(name)		    "__wrap_" #name
#else
#define DECLARE(type, name, params) static type(*preload_real_##name) params;
#define REAL(name)		    preload_real_##name
/* before the constructor has run, another library's may already call */
#define HAVE(name)                                           \
	(__builtin_expect(preload_real_##name != NULL, 1) || \
	 (preload_real_##name = preload_find(#name)) != NULL)
#define SYMBOL(name) #name
#endif

/* The function with the C library's name, but a C name of its own: headers declare theirs. */
#define FUNCTION(type, name, params) \
	DECLARE(type, name, params)  \
	DEFINE(type, name, params)
/* The same of one that calls another one. */
#define DEFINE(type, name, params)                            \
	type preload_wrap_##name params __asm__(SYMBOL(name)) \
		__attribute__((visibility("default"), used)); \
	type preload_wrap_##name params

/* The first word of a record. */
#define STATE(kind, op) ((uint32_t)(kind) | (uint32_t)(op) << 16)

/*
 * A wrapper that records the call.
 * @missing: its result if the C library has no such function
 * @records: whether this call is recorded; it may change call
 * @end: a statement that writes the record; it knows call and ret
 * ...: initializers of call
 */
#define WRAPPER(type, missing, name, params, args, records, end, ...) \
	FUNCTION(type, name, params)                                  \
	{                                                             \
		struct preload_call call = { __VA_ARGS__ };           \
		type ret;                                             \
                                                                      \
		if (!HAVE(name)) {                                    \
			errno = ENOSYS;                               \
			return missing;                               \
		}                                                     \
		if (!preload.on || !(records))                        \
			return REAL(name) args;                       \
		call.r.begin_ns = preload_now();                      \
		ret = REAL(name) args;                                \
		end;                                                  \
		return ret;                                           \
	}

#endif
