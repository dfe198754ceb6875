/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fault.h"
#include "input/strace/strace-lines.h"
#include "input/strace/strace-parts.h"

/* Bytes: of a read, also of one of many files; of the lines in which the second part of a call is
 * looked for; of the longest line, whose texts strace -s limits. Files that are kept open. */
enum { READ = 1 << 20, READ_OF_MANY = 1 << 14, AHEAD = 1 << 16, MAX_LINE = 1 << 26, MAX_OPEN = 64 };

struct iot_strace_file {
	char *path;
	guint index; /* of all files */
	gint32 pid;
	int fd;		      /* -1: closed */
	guint64 size, offset; /* bytes of the file; those that are read */
	char *data;	      /* from @at to @used: not yet taken */
	gsize at, used, room;
	gboolean skipping;	     /* a line without end */
	struct iot_strace_text line; /* of several files: the next one */
	guint64 ns;
};

static void free_file(gpointer data)
{
	struct iot_strace_file *file = data;

	if (file->fd >= 0)
		close(file->fd);
	g_free(file->data);
	g_free(file->path);
	g_free(file);
}

static gboolean fail(const struct iot_strace_file *file, GError **error)
{
	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT, "%s: cannot be read: %s", file->path,
		    g_strerror(errno));
	return FALSE;
}

static gboolean open_file(struct iot_strace_file *file, GError **error)
{
	if (file->fd < 0)
		file->fd = open(file->path, O_RDONLY | O_CLOEXEC);
	return file->fd >= 0 || fail(file, error);
}

/* One more read, at the end of what is not yet taken. */
static gboolean fill(struct iot_strace_lines *lines, struct iot_strace_file *file, GError **error)
{
	gsize bytes = lines->files->len > 1 ? READ_OF_MANY : READ;
	gssize n = -1;

	if (file->at) {
		memmove(file->data, file->data + file->at, file->used - file->at);
		file->used -= file->at;
		file->at = 0;
	}
	if (file->room < file->used + bytes) {
		file->room = file->used + bytes;
		file->data = g_realloc(file->data, file->room);
	}
	if (!open_file(file, error))
		return FALSE;
	errno = EIO;
	if (!iot_fault_hit(IOT_FAULT_READ))
		n = pread(file->fd, file->data + file->used, bytes, (off_t)file->offset);
	if (n < 0)
		return fail(file, error);
	if (lines->files->len > MAX_OPEN) {
		close(file->fd);
		file->fd = -1;
	}
	if (!n) { /* it is cut while it is read */
		lines->size -= file->size - file->offset;
		file->size = file->offset;
	}
	file->offset += (guint64)n;
	file->used += (gsize)n;
	lines->offset += (guint64)n;
	return TRUE;
}

static gboolean next_of_file(struct iot_strace_lines *lines, struct iot_strace_file *file,
			     struct iot_strace_text *out, GError **error)
{
	gsize ahead = lines->files->len > 1 ? 0 : AHEAD, from = 0;
	const char *newline = NULL;

	while (file->offset < file->size && file->used - file->at <= ahead)
		if (!fill(lines, file, error))
			return FALSE;
	while (file->used > file->at &&
	       !(newline = memchr(file->data + file->at + from, '\n',
				  file->used - file->at - from)) &&
	       file->offset < file->size) {
		from = file->used - file->at;
		if (from > MAX_LINE) {
			file->skipping = TRUE;
			file->at = file->used;
			from = 0;
		}
		if (!fill(lines, file, error))
			return FALSE;
	}
	if (file->at == file->used)
		return FALSE;
	out->text = file->data + file->at;
	out->len = newline ? (gsize)(newline - out->text) : file->used - file->at;
	file->at += out->len + (newline != NULL);
	if (file->skipping)
		out->len = 0;
	file->skipping = FALSE;
	return TRUE;
}

/* Of several files: look at the next line. One without a time stays behind the line before it. */
static gboolean look_at(struct iot_strace_lines *lines, struct iot_strace_file *file,
			GError **error)
{
	g_autoptr(GError) failed = NULL;
	struct iot_strace_line head;

	if (next_of_file(lines, file, &file->line, &failed)) {
		if (iot_strace_line_head(file->line.text, file->line.len, &head))
			file->ns = MAX(file->ns, head.ns);
		iot_heap_push(&lines->next, file->ns, file->index, file->index);
		return TRUE;
	}
	if (failed)
		g_propagate_error(error, g_steal_pointer(&failed));
	return !failed;
}

static gboolean next_of_many(struct iot_strace_lines *lines, struct iot_strace_text *out,
			     GError **error)
{
	for (guint i = 0; !lines->now && i < lines->files->len; i++)
		if (!look_at(lines, lines->files->pdata[i], error))
			return FALSE;
	if (lines->now && !look_at(lines, lines->now, error))
		return FALSE;
	if (!iot_heap_top(&lines->next))
		return FALSE;
	lines->now = lines->files->pdata[iot_heap_pop(&lines->next).value];
	*out = lines->now->line;
	return TRUE;
}

gboolean iot_strace_lines_next(struct iot_strace_lines *lines, struct iot_strace_text *out,
			       gint32 *out_pid, GError **error)
{
	if (lines->files->len > 1) {
		if (!next_of_many(lines, out, error))
			return FALSE;
	} else {
		lines->now = lines->files->pdata[0];
		if (!next_of_file(lines, lines->now, out, error))
			return FALSE;
	}
	*out_pid = lines->now->pid;
	return TRUE;
}

struct iot_strace_text iot_strace_lines_ahead(const struct iot_strace_lines *lines)
{
	const struct iot_strace_file *file = lines->now;

	if (!file || lines->files->len > 1)
		return (struct iot_strace_text){ "", 0 };
	return (struct iot_strace_text){ file->data + file->at, MIN(file->used - file->at, AHEAD) };
}

void iot_strace_lines_rewind(struct iot_strace_lines *lines)
{
	for (guint i = 0; i < lines->files->len; i++) {
		struct iot_strace_file *file = lines->files->pdata[i];

		file->at = file->used = 0;
		file->offset = file->ns = 0;
		file->skipping = FALSE;
	}
	iot_heap_clear(&lines->next);
	lines->now = NULL;
	lines->offset = 0;
}

struct iot_strace_lines *iot_strace_lines_open(const char *path, GError **error)
{
	g_autoptr(GPtrArray) paths = iot_strace_parts(path);
	struct iot_strace_lines *lines = g_new0(struct iot_strace_lines, 1);
	struct stat st;

	lines->files = g_ptr_array_new_with_free_func(free_file);
	for (guint i = 0; i < paths->len; i++) {
		struct iot_strace_file *file = g_new0(struct iot_strace_file, 1);

		file->index = i;
		file->path = g_strdup(paths->pdata[i]);
		file->pid = iot_strace_part_pid(file->path);
		file->fd = -1;
		g_ptr_array_add(lines->files, file);
		if (!open_file(file, error) || (fstat(file->fd, &st) && !fail(file, error))) {
			iot_strace_lines_free(lines);
			return NULL;
		}
		file->size = (guint64)st.st_size;
		lines->size += file->size;
		if (paths->len > MAX_OPEN) {
			close(file->fd);
			file->fd = -1;
		}
	}
	return lines;
}

void iot_strace_lines_free(struct iot_strace_lines *lines)
{
	if (!lines)
		return;
	iot_heap_clear(&lines->next);
	g_ptr_array_unref(lines->files);
	g_free(lines);
}
