/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How a wrapper finds the function that it replaces. As a preloaded library the wrapper has its
 * name, and asks the dynamic linker for the next one. In the archive for static programs (macro
 * IOTRACE_WRAP) it has the name __wrap_NAME, and the linker's --wrap=NAME calls the other
 * __real_NAME.
 */
#ifndef IOTRACE_PRELOAD_WRAP_H
#define IOTRACE_PRELOAD_WRAP_H

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

/* Of functions whose result -1 is a failure. */
#define REQUIRE(type, name)              \
	do {                             \
		if (!HAVE(name)) {       \
			errno = ENOSYS;  \
			return (type)-1; \
		}                        \
	} while (0)

#endif
