/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/index.h"
#include "run/index-file.h"
#include "base/error.h"
#include "base/intern.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * At most one checkpoint for each of this many parts of the input, at most one for this many bytes,
 * and the input must be at least this many times larger than the checkpoints together.
 */
enum { MAX_PARTS = 256, MIN_BYTES = 256 << 10, SHARE = 24 };

/* Smaller inputs are read too quickly to be worth an index. */
enum { MIN_INPUT = 32 << 20 };

struct iot_index {
	char *path;  /* of the index that was found or will be written */
	char *cache; /* where else it may be; NULL: nowhere */
	char *key;
	guint64 bytes; /* of event data in the inputs */
	int fd;	       /* of the index that was found; -1: none */
	struct iot_index_directory directory;
	guint n_old; /* entries of the index that was found */
	guint used;  /* number of the entry that was resumed + 1; 0: none */
	gboolean dense, distrusted, given_up, written;
	iot_out *out;
	guint64 last_size; /* bytes of the last checkpoint */
	GString *note;
};

static void note(struct iot_index *index, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void note(struct iot_index *index, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (index->note->len)
		g_string_append(index->note, "; ");
	g_string_append_vprintf(index->note, format, args);
	va_end(args);
}

static struct iot_index_entry *entry_at(const struct iot_index *index, guint n)
{
	return &g_array_index(index->directory.entries, struct iot_index_entry, n);
}

static void forget(struct iot_index *index)
{
	g_array_set_size(index->directory.entries, 0);
	index->n_old = index->used = 0;
	index->directory.complete = FALSE;
	index->directory.last_bytes = index->last_size = 0;
}

static gboolean load(struct iot_index *index, const char *path)
{
	const char *reason;

	index->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (index->fd < 0)
		return FALSE;
	reason = iot_index_file_read(index->fd, index->key, &index->directory);
	if (!reason) {
		index->n_old = index->directory.entries->len;
		return TRUE;
	}
	note(index, "%s %s", path, reason);
	forget(index);
	close(index->fd);
	index->fd = -1;
	return FALSE;
}

/* A file in the user's cache folder, named by a hash of the recording's real path. */
static char *cache_path(const char *first_input)
{
	char *real = realpath(first_input, NULL);
	g_autofree char *name = NULL;
	guint64 hash;

	if (!real)
		return NULL;
	hash = iot_hash_bytes(real, strlen(real));
	free(real);
	name = g_strdup_printf("%016" G_GINT64_MODIFIER "x.index", hash);
	return g_build_filename(g_get_user_cache_dir(), "iotrace", name, NULL);
}

struct iot_index *iot_index_new(const char *mode, const char *first_input, const char *key,
				guint64 bytes, GError **error)
{
	gboolean is_auto = !strcmp(mode, "auto");
	struct iot_index *index;

	if (!is_auto && iot_index_file_is_other(mode)) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_USAGE,
			    "--index %s: this file exists and is not an index; choose another path",
			    mode);
		return NULL;
	}
	index = g_new0(struct iot_index, 1);
	index->path = is_auto ? g_strconcat(first_input, ".iotrace-index", NULL) : g_strdup(mode);
	index->cache = is_auto ? cache_path(first_input) : NULL;
	index->key = g_strdup(key);
	index->bytes = bytes;
	index->fd = -1;
	index->directory.entries = g_array_new(FALSE, TRUE, sizeof(struct iot_index_entry));
	index->note = g_string_new(NULL);
	index->dense = g_getenv("IOTRACE_INDEX_DENSE") != NULL;
	index->given_up = is_auto && !index->dense && bytes < MIN_INPUT;
	if (!load(index, index->path) && index->cache && load(index, index->cache)) {
		g_free(index->path);
		index->path = g_steal_pointer(&index->cache);
	}
	return index;
}

void iot_index_free(struct iot_index *index)
{
	if (!index)
		return;
	if (index->fd >= 0)
		close(index->fd);
	iot_out_free(index->out);
	g_array_unref(index->directory.entries);
	g_string_free(index->note, TRUE);
	g_free(index->path);
	g_free(index->cache);
	g_free(index->key);
	g_free(index);
}

void iot_index_point_clear(struct iot_index_point *point)
{
	g_clear_pointer(&point->tables, g_ptr_array_unref);
	g_clear_pointer(&point->state, g_bytes_unref);
}

static gboolean read_point(struct iot_index *index, guint n, struct iot_index_point *out)
{
	const struct iot_index_entry *last = entry_at(index, n);

	out->ts = last->ts;
	out->tables = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
	for (guint i = 0; i <= n; i++) {
		const struct iot_index_entry *entry = entry_at(index, i);
		GBytes *tables = iot_index_file_part(index->fd, entry->offset, entry->tables_len,
						     entry->tables_sum);

		if (!tables)
			return FALSE;
		g_ptr_array_add(out->tables, tables);
	}
	out->state = iot_index_file_part(index->fd, last->offset + last->tables_len,
					 last->state_len, last->state_sum);
	return out->state != NULL;
}

gboolean iot_index_find(struct iot_index *index, guint64 from_ns, struct iot_index_point *out)
{
	guint n = 0;

	memset(out, 0, sizeof(*out));
	while (n < index->n_old && entry_at(index, n)->ts < from_ns)
		n++;
	if (!n || index->distrusted)
		return FALSE;
	if (!read_point(index, n - 1, out)) {
		iot_index_point_clear(out);
		iot_index_distrust(index, "it is damaged");
		return FALSE;
	}
	index->used = n;
	note(index, "%s: checkpoint %u of %u used", index->path, n, index->n_old);
	return TRUE;
}

void iot_index_distrust(struct iot_index *index, const char *why)
{
	note(index, "%s: not used, %s", index->path, why);
	forget(index);
	index->distrusted = TRUE;
}

/* ---- writing */

gboolean iot_index_makes(struct iot_index *index, guint64 to_ns)
{
	const struct iot_index_entry *last;

	if (index->given_up || index->directory.complete)
		return FALSE;
	if (!index->n_old)
		return TRUE;
	last = entry_at(index, index->n_old - 1);
	if (to_ns <= last->ts)
		return FALSE;
	if (index->used && index->used < index->n_old)
		return FALSE;
	if (!index->used)
		forget(index); /* an index made from the beginning reaches further */
	return TRUE;
}

gboolean iot_index_is_dense(const struct iot_index *index)
{
	return index->dense;
}

gboolean iot_index_due(const struct iot_index *index, guint64 bytes)
{
	guint64 step = MAX(index->bytes / MAX_PARTS, MIN_BYTES);

	if (index->given_up)
		return FALSE;
	return index->dense ||
	       bytes >= index->directory.last_bytes + MAX(step, SHARE * index->last_size);
}

static void open_out(struct iot_index *index)
{
	g_autoptr(GError) error = NULL;

	if (!iot_index_file_is_other(index->path))
		index->out = iot_out_open_small(index->path, &error);
	if (!index->out && index->cache) {
		g_autofree char *dir = g_path_get_dirname(index->cache);

		g_clear_error(&error);
		g_free(index->path);
		index->path = g_steal_pointer(&index->cache);
		if (g_mkdir_with_parents(dir, 0700) == 0 && !iot_index_file_is_other(index->path))
			index->out = iot_out_open_small(index->path, &error);
	}
	if (!index->out)
		iot_index_give_up(index, error ? error->message : "there is no place for it");
	else if (!index->n_old)
		iot_index_file_put_header(index->out, index->key);
	else if (!iot_index_file_copy(index->out, index->fd,
				      iot_index_entry_end(entry_at(index, index->n_old - 1))))
		iot_index_give_up(index, "the old one cannot be read");
}

void iot_index_add(struct iot_index *index, guint64 bytes, guint64 ts, const GByteArray *tables,
		   const GByteArray *state)
{
	struct iot_index_entry entry = {
		.ts = ts,
		.tables_len = tables->len,
		.state_len = state->len,
		.tables_sum = iot_index_file_checksum(tables->data, tables->len),
		.state_sum = iot_index_file_checksum(state->data, state->len),
	};

	if (!index->out && !index->given_up)
		open_out(index);
	if (index->given_up)
		return;
	entry.offset = iot_out_tell(index->out);
	iot_out_write(index->out, tables->data, tables->len);
	iot_out_write(index->out, state->data, state->len);
	g_array_append_val(index->directory.entries, entry);
	index->directory.last_bytes = bytes;
	index->last_size = tables->len + state->len;
	if (iot_out_failed(index->out))
		iot_index_give_up(index, index->out->error->message);
}

void iot_index_give_up(struct iot_index *index, const char *why)
{
	if (!index->given_up)
		note(index, "%s: not written, %s", index->path, why);
	g_clear_pointer(&index->out, iot_out_free);
	index->given_up = TRUE;
}

void iot_index_finish(struct iot_index *index, gboolean complete)
{
	g_autoptr(GError) error = NULL;
	guint64 size;

	/* without a checkpoint there is nothing to write */
	if (!index->out)
		return;
	index->directory.complete = complete;
	iot_index_file_put_directory(index->out, &index->directory);
	size = iot_out_tell(index->out);
	if (!iot_out_finish(index->out, &error)) {
		iot_index_give_up(index, error->message);
		return;
	}
	g_clear_pointer(&index->out, iot_out_free);
	index->written = TRUE;
	note(index, "%s: %u checkpoints, %" G_GUINT64_FORMAT " bytes", index->path,
	     index->directory.entries->len, size);
}

const char *iot_index_written(const struct iot_index *index)
{
	return index->written ? index->path : NULL;
}

const char *iot_index_note(const struct iot_index *index)
{
	return index->note->str;
}
