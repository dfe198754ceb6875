/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The wrappers of stdio. The C library calls read and write for a stream inside, where they are not
 * seen, so these calls stand for themselves. Calls for single characters are not recorded: they
 * cost less than a record.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>

#include "preload-wrap.h"

#define BEGIN(op, fd_) \
	.r.state = STATE(IOTRACE_PRELOAD_STDIO, IOTRACE_STDIO_##op), .r.fd = (fd_), .r.pos = -1

/* fileno looks at memory only */
static int number_of(FILE *stream)
{
	int err = errno, fd = stream ? fileno(stream) : -1;

	errno = err;
	return fd;
}

static void end_stream(struct preload_call *call, int64_t moved, bool failed)
{
	call->r.len = moved;
	preload_end(call, failed ? -1 : 0);
}

/* A call on a stream; what @n counts, and when it has failed. */
#define STREAM(type, name, params, args, op, stream, n, failed)                                   \
	WRAPPER(type, (type)0, name, params, args, true, end_stream(&call, (int64_t)(n), failed), \
		BEGIN(op, number_of(stream)))
#define NAMED(name)
#include "preload-stdio-ops.h"

/* ---- open */

#define OPENS(name, op, params, args, path_)                                             \
	WRAPPER(FILE *, NULL, name, params, args, true,                                  \
		preload_end_open(&call, ret ? number_of(ret) : -1), BEGIN(op, AT_FDCWD), \
		.path = (path_))
OPENS(fopen, FOPEN, (const char *path, const char *mode), (path, mode), path)
OPENS(fopen64, FOPEN, (const char *path, const char *mode), (path, mode), path)
OPENS(freopen, FREOPEN, (const char *path, const char *mode, FILE *stream), (path, mode, stream),
      path)
OPENS(freopen64, FREOPEN, (const char *path, const char *mode, FILE *stream), (path, mode, stream),
      path)
OPENS(fdopen, FDOPEN, (int fd, const char *mode), (fd, mode), NULL)

/* ---- formats */

/* A function with any number of arguments calls the one with a list. */
#define FORMATS(name, op, params, stream, last, real, ...)                   \
	DEFINE(int, name, params)                                            \
	{                                                                    \
		struct preload_call call = { BEGIN(op, number_of(stream)) }; \
		va_list list;                                                \
		int ret;                                                     \
                                                                             \
		if (!HAVE(real))                                             \
			return -1;                                           \
		call.r.begin_ns = preload.on ? preload_now() : 0;            \
		va_start(list, last);                                        \
		ret = REAL(real)(__VA_ARGS__);                               \
		va_end(list);                                                \
		if (preload.on)                                              \
			end_stream(&call, ret, ret < 0);                     \
		return ret;                                                  \
	}
/* clang-format off */
FORMATS(printf, PRINTF, (const char *format, ...), stdout, format, vfprintf, stdout, format, list)
FORMATS(__printf_chk, PRINTF, (int flag, const char *format, ...), stdout, format, __vfprintf_chk, stdout, flag, format, list)
FORMATS(fprintf, FPRINTF, (FILE *stream, const char *format, ...), stream, format, vfprintf, stream, format, list)
FORMATS(__fprintf_chk, FPRINTF, (FILE *stream, int flag, const char *format, ...), stream, format, __vfprintf_chk, stream, flag, format, list)
/* clang-format on */
