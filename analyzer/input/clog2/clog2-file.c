/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fault.h"
#include "input/clog2/clog2-file.h"

/* Bytes: of the preamble, the head of a record, the longest record, a read. */
enum { PREAMBLE = 1024, HEAD = 24, LONGEST = HEAD + 112, READ = 1 << 18 };

/* Seconds: no program runs for thirty years, so other times are no times. */
static const double most_seconds = 1e9;

static const guint8 body_size[IOT_CLOG2_TYPES] = {
	[IOT_CLOG2_DEF_STATE] = 112, [IOT_CLOG2_DEF_EVENT] = 104,   [IOT_CLOG2_CONSTANT] = 40,
	[IOT_CLOG2_BARE] = 8,	     [IOT_CLOG2_CARGO] = 40,	    [IOT_CLOG2_MESSAGE] = 24,
	[IOT_CLOG2_COLLECTIVE] = 16, [IOT_CLOG2_COMMUNICATOR] = 48, [IOT_CLOG2_SOURCE] = 48,
	[IOT_CLOG2_TIME_SHIFT] = 8,
};

static gboolean unreadable(const struct iot_clog2_file *file, GError **error)
{
	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT, "%s: cannot be read: %s", file->path,
		    g_strerror(errno));
	return FALSE;
}

static gboolean refuse(const struct iot_clog2_file *file, const char *what, GError **error)
{
	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT, "%s is a log of MPE (CLOG2) %s", file->path,
		    what);
	return FALSE;
}

/* @n bytes at @offset; NULL: the file ends before, or with @error. */
static const guint8 *look(struct iot_clog2_file *file, guint64 offset, gsize n, GError **error)
{
	gsize have = 0;

	if (offset >= file->window_at && offset - file->window_at <= file->window_len)
		have = file->window_len - (gsize)(offset - file->window_at);
	if (have >= n)
		return file->window + (offset - file->window_at);
	file->window_at = offset;
	file->window_len = 0;
	while (file->window_len < n) {
		gssize got = -1;

		errno = EIO;
		if (!iot_fault_hit(IOT_FAULT_READ))
			got = pread(file->fd, file->window + file->window_len,
				    READ - file->window_len, (off_t)(offset + file->window_len));
		if (got < 0)
			unreadable(file, error);
		if (got <= 0)
			return NULL;
		file->window_len += (gsize)got;
	}
	return file->window;
}

/* ---- preamble */

/* The value of a title: the text behind it; NULL: the preamble has none. */
static const char *value_of(const guint8 *preamble, const char *title)
{
	struct iot_bytes texts;

	iot_bytes_init(&texts, preamble, PREAMBLE, FALSE);
	while (!texts.bad)
		if (!strcmp(iot_bytes_str(&texts), title)) {
			const char *value = iot_bytes_str(&texts);

			return texts.bad ? NULL : value;
		}
	return NULL;
}

static gint64 number_of(const guint8 *preamble, const char *title, gint64 most)
{
	const char *value = value_of(preamble, title);
	gint64 number = value ? g_ascii_strtoll(value, NULL, 10) : 0;

	return CLAMP(number, -most, most);
}

static gboolean is_true(const guint8 *preamble, const char *title)
{
	const char *value = value_of(preamble, title);

	return value && g_ascii_strncasecmp(value, "TRUE", 4) == 0;
}

static gboolean take_preamble(struct iot_clog2_file *file, GError **error)
{
	struct iot_clog2_preamble *out = &file->preamble;
	g_autoptr(GError) failed = NULL;
	const guint8 *head = look(file, 0, PREAMBLE, &failed);
	gint64 block_size;

	if (failed) {
		g_propagate_error(error, g_steal_pointer(&failed));
		return FALSE;
	}
	if (!head)
		return refuse(file, "that is cut: it has less than its first 1024 bytes", error);
	if (strncmp((const char *)head, "CLOG-02.44", 11) != 0)
		return refuse(file, "of another version than CLOG-02.44, which alone is read",
			      error);
	block_size = number_of(head, "block_size=", G_MAXINT32);
	if (block_size < LONGEST || !value_of(head, "is_big_endian="))
		return refuse(file, "whose first 1024 bytes are damaged", error);
	out->block_size = (guint32)block_size;
	out->big_endian = is_true(head, "is_big_endian=");
	out->merged = is_true(head, "is_finalzed=");
	out->n_ranks = (guint32)MAX(number_of(head, "max_comm_world_size=", G_MAXINT32), 0);
	out->first_event = (gint32)number_of(head, "known_eventID_start=", G_MAXINT32);
	out->first_user_event = (gint32)number_of(head, "user_eventID_start=", G_MAXINT32);
	out->n_states = (guint32)MAX(number_of(head, "known_stateID_count=", G_MAXINT32), 0);
	out->n_user_states = (guint32)MAX(number_of(head, "user_stateID_count=", G_MAXINT32), 0);
	return TRUE;
}

struct iot_clog2_file *iot_clog2_open(const char *path, GError **error)
{
	struct iot_clog2_file *file = g_new0(struct iot_clog2_file, 1);
	struct stat st;

	file->path = g_strdup(path);
	file->window = g_malloc(READ);
	file->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (file->fd < 0 || fstat(file->fd, &st)) {
		unreadable(file, error);
	} else if (take_preamble(file, error)) {
		file->size = (guint64)st.st_size;
		iot_clog2_rewind(file);
		return file;
	}
	iot_clog2_free(file);
	return NULL;
}

void iot_clog2_free(struct iot_clog2_file *file)
{
	if (!file)
		return;
	if (file->fd >= 0)
		close(file->fd);
	g_free(file->window);
	g_free(file->path);
	g_free(file);
}

void iot_clog2_rewind(struct iot_clog2_file *file)
{
	file->offset = PREAMBLE;
	file->block_end = file->offset + file->preamble.block_size;
	file->gap = file->ended = file->cut = FALSE;
	file->n_skipped = 0;
}

/* ---- records */

static void next_block(struct iot_clog2_file *file)
{
	file->offset = file->block_end;
	file->block_end += file->preamble.block_size;
}

static double load_double(struct iot_bytes *bytes)
{
	guint64 bits = iot_bytes_u64(bytes);
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* FALSE: it is no record, or not whole within its block. */
static gboolean take_head(const struct iot_clog2_file *file, const guint8 *data,
			  struct iot_clog2_record *out)
{
	static const guint8 hole[HEAD];
	struct iot_bytes head;
	double seconds;
	guint32 type;

	/* as a record it would end the log at its start */
	if (!memcmp(data, hole, HEAD))
		return FALSE;
	iot_bytes_init(&head, data, HEAD, file->preamble.big_endian);
	seconds = load_double(&head);
	out->comm = (gint32)iot_bytes_u32(&head);
	out->rank = (gint32)iot_bytes_u32(&head);
	out->thread = (gint32)iot_bytes_u32(&head);
	type = iot_bytes_u32(&head);
	if (type >= IOT_CLOG2_TYPES || !(fabs(seconds) < most_seconds) ||
	    file->block_end - file->offset < HEAD + (guint64)body_size[type])
		return FALSE;
	out->type = type;
	out->ns = (gint64)floor(seconds * 1e9 + 0.5);
	return TRUE;
}

/* What follows in the block cannot be understood. */
static void skip_block(struct iot_clog2_file *file)
{
	file->gap = TRUE;
	file->n_skipped++;
	next_block(file);
}

static void take(struct iot_clog2_file *file, const guint8 *data, struct iot_clog2_record *out)
{
	iot_bytes_init(&out->body, data + HEAD, body_size[out->type], file->preamble.big_endian);
	out->after_gap = file->gap;
	file->gap = FALSE;
	file->offset += HEAD + body_size[out->type];
}

gboolean iot_clog2_next(struct iot_clog2_file *file, struct iot_clog2_record *out, GError **error)
{
	while (!file->ended && !file->cut) {
		g_autoptr(GError) failed = NULL;
		const guint8 *data;
		gboolean good;

		if (file->block_end - file->offset < HEAD) {
			skip_block(file);
			continue;
		}
		data = look(file, file->offset, HEAD, &failed);
		good = data && take_head(file, data, out);
		if (good)
			data = look(file, file->offset, HEAD + body_size[out->type], &failed);
		if (failed) {
			g_propagate_error(error, g_steal_pointer(&failed));
			return FALSE;
		}
		if (!data) {
			file->cut = TRUE;
		} else if (!good) {
			skip_block(file);
		} else if (out->type == IOT_CLOG2_END_OF_LOG) {
			file->ended = TRUE;
		} else if (out->type == IOT_CLOG2_END_OF_BLOCK) {
			next_block(file);
		} else {
			take(file, data, out);
			return TRUE;
		}
	}
	return FALSE;
}
