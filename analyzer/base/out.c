/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/out.h"
#include "base/digits.h"
#include "base/error.h"
#include "base/fault.h"
#include "base/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SMALL_BUFFER = 64 << 10 };

/* The first CACHED bytes of a result stay in the page cache, for its next reader. Later bytes are
 * written to disk in steps of STEP, and leave the cache LAG bytes later. */
enum { CACHED = 256 << 20, STEP = 8 << 20, LAG = 128 << 20 };

static void set_errno_error(struct iot_out *out, const char *what, int saved_errno)
{
	if (!out->error)
		g_set_error(&out->error, IOT_ERROR, IOT_ERROR_OUTPUT, "cannot %s %s: %s", what,
			    out->label ? out->label : out->path, g_strerror(saved_errno));
}

static struct iot_out *out_new(const char *path, gsize buffer)
{
	struct iot_out *out = g_new0(struct iot_out, 1);

	out->path = g_strdup(path);
	out->size = buffer;
	out->buffer = g_malloc(out->size);
	out->fd = -1;
	return out;
}

/*
 * "-", or a name of the file that standard output was redirected to: /dev/stdout is a link that
 * leads there, and must not be replaced by the result.
 */
static gboolean is_stdout(const char *path)
{
	struct stat st, out;

	if (!strcmp(path, "-"))
		return TRUE;
	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && fstat(STDOUT_FILENO, &out) == 0 &&
	       st.st_dev == out.st_dev && st.st_ino == out.st_ino;
}

/* A name that exists and is not a regular file (device, pipe) is written as it is. */
static gboolean writes_directly(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

static mode_t default_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

static int open_beside(struct iot_out *out)
{
	struct stat st;
	int fd;

	if (stat(out->path, &st) == 0 && S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return -1;
	}
	if (access(out->path, F_OK) == 0 && access(out->path, W_OK) < 0)
		return -1;
	out->temp_path = g_strdup_printf("%s.XXXXXX", out->path);
	fd = g_mkstemp_full(out->temp_path, O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0) {
		g_clear_pointer(&out->temp_path, g_free);
		return fd;
	}
	out->temp_name = iot_temp_name_new(out->temp_path, FALSE);
	(void)fchmod(fd, default_mode());
	return fd;
}

/* A link stays a link: its target is replaced. */
static void follow_links(struct iot_out *out)
{
	char *target = realpath(out->path, NULL);

	if (!target)
		return;
	g_free(out->path);
	out->path = g_strdup(target);
	free(target);
}

static struct iot_out *open_with(const char *path, gsize buffer, GError **error)
{
	g_autoptr(iot_out) out = out_new(path, buffer);

	if (is_stdout(path)) {
		g_free(out->path);
		out->path = g_strdup("standard output");
		out->fd = STDOUT_FILENO;
		return g_steal_pointer(&out);
	}
	if (writes_directly(path)) {
		out->fd = open(path, O_WRONLY | O_CLOEXEC);
	} else {
		if (g_file_test(path, G_FILE_TEST_IS_SYMLINK))
			follow_links(out);
		out->fd = open_beside(out);
	}
	if (out->fd >= 0)
		return g_steal_pointer(&out);
	set_errno_error(out, "write", errno);
	g_propagate_error(error, g_steal_pointer(&out->error));
	return NULL;
}

struct iot_out *iot_out_open(const char *path, GError **error)
{
	return open_with(path, IOT_OUT_BUFFER, error);
}

struct iot_out *iot_out_open_small(const char *path, GError **error)
{
	return open_with(path, SMALL_BUFFER, error);
}

struct iot_out *iot_out_open_scratch(const char *near_path, gsize buffer, GError **error)
{
	g_autofree char *dir = NULL;
	g_autofree char *name = NULL;
	g_autoptr(iot_out) out = NULL;

	if (is_stdout(near_path) || writes_directly(near_path))
		dir = g_strdup(g_get_tmp_dir());
	else
		dir = g_path_get_dirname(near_path);
	name = g_build_filename(dir, "iotrace-XXXXXX", NULL);
	out = out_new(name, buffer);
	out->fd = g_mkstemp_full(name, O_RDWR | O_CLOEXEC, 0600);
	if (out->fd < 0) {
		set_errno_error(out, "make a temporary file", errno);
		g_propagate_error(error, g_steal_pointer(&out->error));
		return NULL;
	}
	unlink(name);
	g_free(out->path);
	out->path = g_strdup_printf("a temporary file in %s", dir);
	return g_steal_pointer(&out);
}

/* Rename is the moment at which the result appears. */
static void out_publish(struct iot_out *out)
{
	if (out->error || !out->temp_path || !iot_interrupt_check(&out->error))
		return;
	if (rename(out->temp_path, out->path) < 0)
		set_errno_error(out, "rename the finished file to", errno);
	else
		g_clear_pointer(&out->temp_path, g_free);
}

static void out_close(struct iot_out *out)
{
	if (out->fd >= 0 && out->fd != STDOUT_FILENO && close(out->fd) < 0)
		set_errno_error(out, "close", errno);
	out->fd = -1;
}

gboolean iot_out_finish(struct iot_out *out, GError **error)
{
	iot_out_flush(out);
	out_close(out);
	out_publish(out);
	return iot_out_check(out, error);
}

gboolean iot_out_check(const struct iot_out *out, GError **error)
{
	if (!out->error)
		return TRUE;
	if (error)
		*error = g_error_copy(out->error);
	return FALSE;
}

void iot_out_free(struct iot_out *out)
{
	if (!out)
		return;
	out_close(out);
	if (out->temp_path)
		unlink(out->temp_path);
	iot_temp_name_done(out->temp_name);
	g_clear_error(&out->error);
	g_free(out->temp_path);
	g_free(out->path);
	g_free(out->label);
	g_free(out->buffer);
	g_free(out);
}

gboolean iot_out_is_seekable(const struct iot_out *out)
{
	return out->fd >= 0 && lseek(out->fd, 0, SEEK_CUR) >= 0 && out->fd != STDOUT_FILENO;
}

static void write_fully(struct iot_out *out, const guint8 *data, gsize len)
{
	while (len && !out->error) {
		ssize_t n;

		if (iot_fault_hit(IOT_FAULT_WRITE)) {
			errno = ENOSPC;
			n = -1;
		} else {
			n = write(out->fd, data, len);
		}
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			set_errno_error(out, "write", errno);
			return;
		}
		data += n;
		len -= (gsize)n;
	}
}

/*
 * A result of many gigabytes would push everything else out of the page cache, and the kernel would
 * spend more time on finding pages than the program on filling them: three quarters of all system
 * time. Nothing waits here: pages that are still dirty stay. Only advice, so errors do not matter.
 */
static void write_behind(struct iot_out *out)
{
	for (; out->flushed - out->started >= STEP; out->started += STEP) {
		if (!out->temp_path || out->started < CACHED)
			continue;
		(void)sync_file_range(out->fd, (off_t)out->started, STEP, SYNC_FILE_RANGE_WRITE);
		(void)posix_fadvise(out->fd, (off_t)(out->started - LAG), STEP,
				    POSIX_FADV_DONTNEED);
	}
}

static void write_on(struct iot_out *out, const void *data, gsize len)
{
	if (!out->error)
		iot_interrupt_check(&out->error);
	write_fully(out, data, len);
	out->flushed += len;
	write_behind(out);
}

void iot_out_flush(struct iot_out *out)
{
	write_on(out, out->buffer, out->used);
	out->used = 0;
}

void iot_out_write(struct iot_out *out, const void *data, gsize len)
{
	if (len > out->size - out->used)
		iot_out_flush(out);
	if (len > out->size) {
		write_on(out, data, len);
		return;
	}
	if (len)
		memcpy(out->buffer + out->used, data, len);
	out->used += len;
}

void iot_out_patch(struct iot_out *out, guint64 offset, const void *data, gsize len)
{
	const guint8 *p = data;

	g_assert(offset + len <= iot_out_tell(out));
	iot_out_flush(out);
	while (len && !out->error) {
		ssize_t n = iot_fault_hit(IOT_FAULT_WRITE) ? (errno = ENOSPC, -1)
							   : pwrite(out->fd, p, len, (off_t)offset);

		if (n < 0 && errno != EINTR)
			set_errno_error(out, "write", errno);
		if (n <= 0)
			continue;
		p += n;
		len -= (gsize)n;
		offset += (guint64)n;
	}
}

gboolean iot_out_read_at(struct iot_out *out, guint64 offset, void *data, gsize len, GError **error)
{
	guint8 *p = data;

	iot_out_flush(out);
	if (!iot_out_check(out, error))
		return FALSE;
	while (len) {
		ssize_t n = iot_fault_hit(IOT_FAULT_READ) ? (errno = EIO, -1)
							  : pread(out->fd, p, len, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			g_set_error(error, IOT_ERROR, IOT_ERROR_OUTPUT, "cannot read back %s: %s",
				    out->path, n ? g_strerror(errno) : "it is shorter than it was");
			return FALSE;
		}
		p += n;
		len -= (gsize)n;
		offset += (guint64)n;
	}
	return TRUE;
}

void iot_out_write_first(struct iot_out *out, const void *data, gsize len)
{
	g_assert(!out->flushed);
	write_on(out, data, len);
}

void iot_out_append(struct iot_out *out, struct iot_out *from, guint64 at)
{
	guint64 left = iot_out_tell(from) - at;

	iot_out_flush(from);
	if (from->error && !out->error)
		out->error = g_error_copy(from->error);
	while (left && !out->error) {
		gsize n;

		iot_out_flush(out);
		if (out->error)
			return;
		n = MIN(left, out->size);
		if (!iot_out_read_at(from, at, out->buffer, n, &out->error))
			return;
		out->used = n;
		at += n;
		left -= n;
	}
}

void iot_out_uint(struct iot_out *out, guint64 value)
{
	char *p = (char *)iot_out_reserve(out, IOT_DIGITS_ROOM);

	iot_out_commit(out, (gsize)(iot_digits(p, value) - p));
}

void iot_out_int(struct iot_out *out, gint64 value)
{
	if (value < 0)
		iot_out_putc(out, '-');
	iot_out_uint(out, value < 0 ? 0 - (guint64)value : (guint64)value);
}

void iot_out_seconds(struct iot_out *out, guint64 ns)
{
	char *p = (char *)iot_out_reserve(out, IOT_DIGITS_ROOM);

	iot_out_commit(out, (gsize)(iot_digits_seconds(p, ns) - p));
}

void iot_out_printf(struct iot_out *out, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	iot_out_puts(out, text);
}
