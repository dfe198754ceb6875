/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The only writer of files. Output is buffered. The first error is kept and later writes are
 * ignored, so callers check once, at finish. A regular file is written under a temporary name in
 * the directory of its target, and finish renames it; freeing an unfinished writer removes it. So a
 * failed run leaves no half file, and an older result stays. "-" is standard output; devices and
 * pipes are written directly. One thread at a time.
 */
#ifndef IOT_BASE_OUT_H
#define IOT_BASE_OUT_H

#include <glib.h>
#include <string.h>

enum { IOT_OUT_BUFFER = 1 << 20 };

struct iot_out {
	guint8 *buffer;
	gsize used, size; /* bytes in the buffer, its size */
	guint64 flushed;  /* bytes handed to the system */
	guint64 started;  /* bytes whose writing to disk was started */
	int fd;
	char *path;			 /* of the result */
	char *label;			 /* for messages; NULL: path */
	char *temp_path;		 /* NULL if written directly */
	struct iot_temp_name *temp_name; /* of temp_path, for interrupt.h */
	GError *error;			 /* the first error */
};

/** iot_out_open - start writing @path; NULL and an error that names the path if that is not
 * possible */
struct iot_out *iot_out_open(const char *path, GError **error);
/** iot_out_open_small - the same with the smallest buffer, for rare writes */
struct iot_out *iot_out_open_small(const char *path, GError **error);
/**
 * iot_out_open_scratch - a nameless temporary file
 * @near_path: the file is created in the directory of this path, or in TMPDIR for "-" and devices
 * @buffer: size of the buffer in bytes; 0: none, and iot_out_reserve must not be used
 */
struct iot_out *iot_out_open_scratch(const char *near_path, gsize buffer, GError **error);
/** iot_out_finish - flush, close, rename; FALSE and the first error otherwise. Once. */
gboolean iot_out_finish(struct iot_out *out, GError **error);
/** iot_out_free - also after failure; removes an unfinished file; accepts NULL */
void iot_out_free(struct iot_out *out);
typedef struct iot_out iot_out;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_out, iot_out_free)

/** iot_out_is_seekable - whether iot_out_patch can work on this file */
gboolean iot_out_is_seekable(const struct iot_out *out);
/** iot_out_failed - TRUE after an error: the caller may stop early */
static inline gboolean iot_out_failed(const struct iot_out *out)
{
	return out->error != NULL;
}
/** iot_out_check - FALSE and a copy of the first error, if there was one */
gboolean iot_out_check(const struct iot_out *out, GError **error);
/** iot_out_tell - bytes written so far */
static inline guint64 iot_out_tell(const struct iot_out *out)
{
	return out->flushed + out->used;
}

/** iot_out_flush - hand the buffer to the system */
void iot_out_flush(struct iot_out *out);
/** iot_out_patch - overwrite @len bytes at @offset that were written before, such as a header */
void iot_out_patch(struct iot_out *out, guint64 offset, const void *data, gsize len);
/** iot_out_write_first - insert @len bytes at the start; nothing may have been flushed */
void iot_out_write_first(struct iot_out *out, const void *data, gsize len);
/** iot_out_append - append the contents of @from, from offset @at on */
void iot_out_append(struct iot_out *out, struct iot_out *from, guint64 at);
/** iot_out_read_at - read back from a file, not a device; FALSE and an error on less than @len
 * bytes
 */
gboolean iot_out_read_at(struct iot_out *out, guint64 offset, void *data, gsize len,
			 GError **error);

/** iot_out_reserve - room for @len bytes (at most 64 KiB) in the buffer; then iot_out_commit */
static inline guint8 *iot_out_reserve(struct iot_out *out, gsize len)
{
	if (G_UNLIKELY(out->size - out->used < len))
		iot_out_flush(out);
	return out->buffer + out->used;
}
static inline void iot_out_commit(struct iot_out *out, gsize len)
{
	out->used += len;
}

/** iot_out_write - append bytes of any length */
void iot_out_write(struct iot_out *out, const void *data, gsize len);
static inline void iot_out_puts(struct iot_out *out, const char *text)
{
	iot_out_write(out, text, strlen(text));
}
static inline void iot_out_putc(struct iot_out *out, char c)
{
	*iot_out_reserve(out, 1) = (guint8)c;
	iot_out_commit(out, 1);
}
/** iot_out_uint - append a decimal number */
void iot_out_uint(struct iot_out *out, guint64 value);
void iot_out_int(struct iot_out *out, gint64 value);
/** iot_out_seconds - append ns as seconds with nine decimals, from integers */
void iot_out_seconds(struct iot_out *out, guint64 ns);
/** iot_out_printf - append formatted text; not for hot loops */
void iot_out_printf(struct iot_out *out, const char *format, ...) G_GNUC_PRINTF(2, 3);

#endif
