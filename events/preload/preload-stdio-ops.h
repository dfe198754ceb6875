/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The functions of stdio that the library replaces. Without a guard: a user defines
 *
 *   NAMED(name)	its wrapper is in preload-stdio.c: it opens, or has any number of arguments
 *   STREAM(type, name, parameters, arguments, op, stream, bytes or things that it moved, failed)
 */

STREAM(int, fclose, (FILE * stream), (stream), FCLOSE, stream, 0, ret)
STREAM(int, fflush, (FILE * stream), (stream), FFLUSH, stream, 0, ret)
STREAM(size_t, fread, (void *to, size_t size, size_t n, FILE *stream), (to, size, n, stream), FREAD,
       stream, ret *size, ret < n && ferror(stream))
STREAM(size_t, fread_unlocked, (void *to, size_t size, size_t n, FILE *stream),
       (to, size, n, stream), FREAD, stream, ret *size, ret < n && ferror(stream))
STREAM(size_t, __fread_chk, (void *to, size_t room, size_t size, size_t n, FILE *stream),
       (to, room, size, n, stream), FREAD, stream, ret *size, ret < n && ferror(stream))
STREAM(size_t, __fread_unlocked_chk, (void *to, size_t room, size_t size, size_t n, FILE *stream),
       (to, room, size, n, stream), FREAD, stream, ret *size, ret < n && ferror(stream))
STREAM(size_t, fwrite, (const void *from, size_t size, size_t n, FILE *stream),
       (from, size, n, stream), FWRITE, stream, ret *size, ret < n)
STREAM(size_t, fwrite_unlocked, (const void *from, size_t size, size_t n, FILE *stream),
       (from, size, n, stream), FWRITE, stream, ret *size, ret < n)
STREAM(char *, fgets, (char *to, int n, FILE *stream), (to, n, stream), FGETS, stream, 0,
       !ret && ferror(stream))
STREAM(char *, fgets_unlocked, (char *to, int n, FILE *stream), (to, n, stream), FGETS, stream, 0,
       !ret && ferror(stream))
STREAM(char *, __fgets_chk, (char *to, size_t room, int n, FILE *stream), (to, room, n, stream),
       FGETS, stream, 0, !ret && ferror(stream))
STREAM(int, fputs, (const char *text, FILE *stream), (text, stream), FPUTS, stream, 0, ret < 0)
STREAM(int, fputs_unlocked, (const char *text, FILE *stream), (text, stream), FPUTS, stream, 0,
       ret < 0)
STREAM(int, puts, (const char *text), (text), PUTS, stdout, 0, ret < 0)
STREAM(ssize_t, getline, (char **to, size_t *n, FILE *stream), (to, n, stream), GETLINE, stream,
       ret, ret < 0 && ferror(stream))
STREAM(ssize_t, getdelim, (char **to, size_t *n, int end, FILE *stream), (to, n, end, stream),
       GETLINE, stream, ret, ret < 0 && ferror(stream))
STREAM(ssize_t, __getdelim, (char **to, size_t *n, int end, FILE *stream), (to, n, end, stream),
       GETLINE, stream, ret, ret < 0 && ferror(stream))
STREAM(int, vprintf, (const char *format, va_list list), (format, list), PRINTF, stdout, ret,
       ret < 0)
STREAM(int, __vprintf_chk, (int flag, const char *format, va_list list), (flag, format, list),
       PRINTF, stdout, ret, ret < 0)
STREAM(int, vfprintf, (FILE * stream, const char *format, va_list list), (stream, format, list),
       FPRINTF, stream, ret, ret < 0)
STREAM(int, __vfprintf_chk, (FILE * stream, int flag, const char *format, va_list list),
       (stream, flag, format, list), FPRINTF, stream, ret, ret < 0)
STREAM(int, fseek, (FILE * stream, long by, int whence), (stream, by, whence), FSEEK, stream, 0,
       ret)
STREAM(int, fseeko, (FILE * stream, off_t by, int whence), (stream, by, whence), FSEEK, stream, 0,
       ret)
STREAM(int, fseeko64, (FILE * stream, off_t by, int whence), (stream, by, whence), FSEEK, stream, 0,
       ret)
NAMED(fopen)
NAMED(fopen64) NAMED(freopen) NAMED(freopen64) NAMED(fdopen) NAMED(printf) NAMED(__printf_chk)
	NAMED(fprintf) NAMED(__fprintf_chk)
