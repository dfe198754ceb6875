/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/index.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/out.h"
#include "base/pack.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC	"iotrace-index 1\n"
#define TRAILER "iotrace-index.\n"

enum { MAGIC_LEN = 16, TRAILER_LEN = 16 + 3 * 8, MAX_KEY = 16 << 20 };

/*
 * A checkpoint for so many parts of the input at most, not more often than so many bytes, and the
 * checkpoints together shall be this small beside the input.
 */
enum { MAX_PARTS = 256, MIN_BYTES = 256 << 10, SHARE = 24 };

/* Smaller inputs are read faster than it is worth. */
enum { MIN_INPUT = 32 << 20 };

struct entry {
	guint64 ts, offset, tables_sum, state_sum;
	guint64 tables_len, state_len;
};

struct iot_index {
	char *path;  /* that was found, or will be written */
	char *cache; /* where else it may be; NULL: nowhere */
	char *key;
	guint64 bytes;	 /* of event data in the inputs */
	int fd;		 /* of the one that was found; -1 */
	GArray *entries; /* of struct entry */
	guint n_old;	 /* of them are in the file that was found */
	guint used; /* number of the one that reading went on from, + 1; 0: from the beginning */
	gboolean complete, dense, distrusted, given_up, written;
	iot_out *out;
	guint64 last_bytes, last_size;
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

static guint64 checksum(const void *data, gsize len)
{
	return iot_hash_bytes(data, len) ^ MAGIC_LEN;
}

static void put_u64(iot_out *out, guint64 v)
{
	v = GUINT64_TO_LE(v);
	iot_out_write(out, &v, sizeof(v));
}

static guint64 get_u64(const guint8 *p)
{
	guint64 v;

	memcpy(&v, p, sizeof(v));
	return GUINT64_FROM_LE(v);
}

/* ---- reading */

static GBytes *read_at(int fd, guint64 offset, guint64 len)
{
	g_autofree guint8 *data = NULL;
	struct stat st;

	if (fstat(fd, &st) < 0 || offset > (guint64)st.st_size ||
	    len > (guint64)st.st_size - offset)
		return NULL;
	data = g_try_malloc(MAX(len, 1));
	for (gsize done = 0; done < len;) {
		gssize n = data ? pread(fd, data + done, len - done, (off_t)(offset + done)) : -1;

		if (n <= 0)
			return NULL;
		done += (gsize)n;
	}
	return data ? g_bytes_new_take(g_steal_pointer(&data), len) : NULL;
}

/* Tests look at what happens behind the checksums, too. */
static gboolean checks_are_off(void)
{
#ifdef IOT_FAULTS
	return g_getenv("IOTRACE_INDEX_UNCHECKED") != NULL;
#else
	return FALSE;
#endif
}

static GBytes *read_checked(int fd, guint64 offset, guint64 len, guint64 sum)
{
	GBytes *bytes = read_at(fd, offset, len);

	if (!bytes || checks_are_off() || checksum(g_bytes_get_data(bytes, NULL), len) == sum)
		return bytes;
	g_bytes_unref(bytes);
	return NULL;
}

static gboolean has_magic(int fd)
{
	g_autoptr(GBytes) head = read_at(fd, 0, MAGIC_LEN);

	return head && !memcmp(g_bytes_get_data(head, NULL), MAGIC, MAGIC_LEN);
}

/* Behind the magic: length and checksum of the key, and the key. */
static gboolean key_fits(const struct iot_index *index)
{
	gsize len = strlen(index->key);
	g_autoptr(GBytes) head = read_at(index->fd, MAGIC_LEN, 16);
	g_autoptr(GBytes) key = NULL;
	const guint8 *numbers;

	if (!head)
		return FALSE;
	numbers = g_bytes_get_data(head, NULL);
	if (get_u64(numbers) != len)
		return FALSE;
	key = read_checked(index->fd, MAGIC_LEN + 16, len, get_u64(numbers + 8));
	return key && !memcmp(g_bytes_get_data(key, NULL), index->key, len);
}

static gboolean parse_directory(struct iot_index *index, struct iot_unpack *in)
{
	guint64 offset = MAGIC_LEN + 16 + strlen(index->key), ts = 0;

	index->complete = (gboolean)iot_unpack_uint(in, 1);
	index->last_bytes = iot_unpack_uint(in, G_MAXUINT64);
	for (guint32 n = iot_unpack_count(in); n && !in->bad; n--) {
		struct entry entry = { .offset = offset };

		entry.ts = iot_unpack_uint(in, G_MAXUINT64);
		entry.tables_len = iot_unpack_uint(in, G_MAXUINT32);
		entry.state_len = iot_unpack_uint(in, G_MAXUINT32);
		entry.tables_sum = iot_unpack_uint(in, G_MAXUINT64);
		entry.state_sum = iot_unpack_uint(in, G_MAXUINT64);
		if (entry.ts < ts)
			return FALSE;
		ts = entry.ts;
		offset += entry.tables_len + entry.state_len;
		g_array_append_val(index->entries, entry);
	}
	return iot_unpack_end(in);
}

static gboolean read_directory(struct iot_index *index)
{
	g_autoptr(GBytes) trailer = NULL;
	g_autoptr(GBytes) directory = NULL;
	const guint8 *p;
	struct stat st;
	struct iot_unpack in;

	if (fstat(index->fd, &st) < 0 || st.st_size < TRAILER_LEN)
		return FALSE;
	trailer = read_at(index->fd, (guint64)st.st_size - TRAILER_LEN, TRAILER_LEN);
	if (!trailer)
		return FALSE;
	p = g_bytes_get_data(trailer, NULL);
	if (memcmp(p + 24, TRAILER, 16))
		return FALSE;
	directory = read_checked(index->fd, get_u64(p), get_u64(p + 8), get_u64(p + 16));
	if (!directory)
		return FALSE;
	in = iot_unpack_init(g_bytes_get_data(directory, NULL), g_bytes_get_size(directory));
	return parse_directory(index, &in);
}

static void forget(struct iot_index *index)
{
	g_array_set_size(index->entries, 0);
	index->n_old = index->used = 0;
	index->complete = FALSE;
	index->last_bytes = index->last_size = 0;
}

static gboolean load(struct iot_index *index, const char *path)
{
	index->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (index->fd < 0)
		return FALSE;
	if (!has_magic(index->fd))
		note(index, "%s is no index", path);
	else if (!key_fits(index))
		note(index, "%s was made for other recordings, models, options, or another program",
		     path);
	else if (!read_directory(index))
		note(index, "%s is damaged", path);
	else {
		index->n_old = index->entries->len;
		return TRUE;
	}
	forget(index);
	close(index->fd);
	index->fd = -1;
	return FALSE;
}

/* Below XDG_CACHE_HOME, by a hash of the recording's real path. */
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

static gboolean is_other_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	gboolean other = fd >= 0 && fstat(fd, &st) == 0 &&
			 (!S_ISREG(st.st_mode) || (st.st_size && !has_magic(fd)));

	if (fd >= 0)
		close(fd);
	return other;
}

struct iot_index *iot_index_new(const char *mode, const char *first_input, const char *key,
				guint64 bytes, GError **error)
{
	gboolean is_auto = !strcmp(mode, "auto");
	struct iot_index *index;

	if (!is_auto && is_other_file(mode)) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_USAGE,
			    "--index %s: this file exists and is no index; it would be overwritten",
			    mode);
		return NULL;
	}
	index = g_new0(struct iot_index, 1);
	index->path = is_auto ? g_strconcat(first_input, ".iotrace-index", NULL) : g_strdup(mode);
	index->cache = is_auto ? cache_path(first_input) : NULL;
	index->key = g_strdup(key);
	index->bytes = bytes;
	index->fd = -1;
	index->entries = g_array_new(FALSE, TRUE, sizeof(struct entry));
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
	g_array_unref(index->entries);
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
	const struct entry *last = &g_array_index(index->entries, struct entry, n);

	out->ts = last->ts;
	out->tables = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
	for (guint i = 0; i <= n; i++) {
		const struct entry *entry = &g_array_index(index->entries, struct entry, i);
		GBytes *tables = read_checked(index->fd, entry->offset, entry->tables_len,
					      entry->tables_sum);

		if (!tables)
			return FALSE;
		g_ptr_array_add(out->tables, tables);
	}
	out->state = read_checked(index->fd, last->offset + last->tables_len, last->state_len,
				  last->state_sum);
	return out->state != NULL;
}

gboolean iot_index_find(struct iot_index *index, guint64 from_ns, struct iot_index_point *out)
{
	guint n = 0;

	memset(out, 0, sizeof(*out));
	while (n < index->n_old && g_array_index(index->entries, struct entry, n).ts < from_ns)
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

/* ---- making */

gboolean iot_index_makes(struct iot_index *index, guint64 to_ns)
{
	const struct entry *last;

	if (index->given_up || index->complete)
		return FALSE;
	if (!index->n_old)
		return TRUE;
	last = &g_array_index(index->entries, struct entry, index->n_old - 1);
	if (to_ns <= last->ts)
		return FALSE;
	if (index->used && index->used < index->n_old)
		return FALSE;
	if (!index->used)
		forget(index); /* what is made from the beginning reaches further */
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
	return index->dense || bytes >= index->last_bytes + MAX(step, SHARE * index->last_size);
}

/* The file that was found up to the end of its last checkpoint. */
static gboolean copy_old(struct iot_index *index)
{
	const struct entry *last = &g_array_index(index->entries, struct entry, index->n_old - 1);
	guint64 end = last->offset + last->tables_len + last->state_len;

	for (guint64 at = 0; at < end;) {
		guint64 n = MIN(end - at, 1 << 20);
		g_autoptr(GBytes) part = read_at(index->fd, at, n);

		if (!part)
			return FALSE;
		iot_out_write(index->out, g_bytes_get_data(part, NULL), n);
		at += n;
	}
	return TRUE;
}

static void put_header(struct iot_index *index)
{
	gsize len = strlen(index->key);

	iot_out_write(index->out, MAGIC, MAGIC_LEN);
	put_u64(index->out, len);
	put_u64(index->out, checksum(index->key, len));
	iot_out_write(index->out, index->key, len);
}

static void open_out(struct iot_index *index)
{
	g_autoptr(GError) error = NULL;

	if (!is_other_file(index->path))
		index->out = iot_out_open_small(index->path, &error);
	if (!index->out && index->cache) {
		g_autofree char *dir = g_path_get_dirname(index->cache);

		g_clear_error(&error);
		g_free(index->path);
		index->path = g_steal_pointer(&index->cache);
		if (g_mkdir_with_parents(dir, 0700) == 0 && !is_other_file(index->path))
			index->out = iot_out_open_small(index->path, &error);
	}
	if (!index->out)
		iot_index_give_up(index, error ? error->message : "there is no place for it");
	else if (!index->n_old)
		put_header(index);
	else if (!copy_old(index))
		iot_index_give_up(index, "the old one cannot be read");
}

void iot_index_add(struct iot_index *index, guint64 bytes, guint64 ts, const GByteArray *tables,
		   const GByteArray *state)
{
	struct entry entry = {
		.ts = ts,
		.tables_len = tables->len,
		.state_len = state->len,
		.tables_sum = checksum(tables->data, tables->len),
		.state_sum = checksum(state->data, state->len),
	};

	if (!index->out && !index->given_up)
		open_out(index);
	if (index->given_up)
		return;
	entry.offset = iot_out_tell(index->out);
	iot_out_write(index->out, tables->data, tables->len);
	iot_out_write(index->out, state->data, state->len);
	g_array_append_val(index->entries, entry);
	index->last_bytes = bytes;
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

static void put_directory(struct iot_index *index, gboolean complete)
{
	g_autoptr(GByteArray) directory = g_byte_array_new();
	guint64 offset = iot_out_tell(index->out);

	iot_pack_uint(directory, complete);
	iot_pack_uint(directory, index->last_bytes);
	iot_pack_uint(directory, index->entries->len);
	for (guint i = 0; i < index->entries->len; i++) {
		const struct entry *entry = &g_array_index(index->entries, struct entry, i);

		iot_pack_uint(directory, entry->ts);
		iot_pack_uint(directory, entry->tables_len);
		iot_pack_uint(directory, entry->state_len);
		iot_pack_uint(directory, entry->tables_sum);
		iot_pack_uint(directory, entry->state_sum);
	}
	iot_out_write(index->out, directory->data, directory->len);
	put_u64(index->out, offset);
	put_u64(index->out, directory->len);
	put_u64(index->out, checksum(directory->data, directory->len));
	iot_out_write(index->out, TRAILER, 16);
}

void iot_index_finish(struct iot_index *index, gboolean complete)
{
	g_autoptr(GError) error = NULL;
	guint64 size;

	/* without a checkpoint there is nothing to keep */
	if (!index->out)
		return;
	put_directory(index, complete);
	size = iot_out_tell(index->out);
	if (!iot_out_finish(index->out, &error)) {
		iot_index_give_up(index, error->message);
		return;
	}
	g_clear_pointer(&index->out, iot_out_free);
	index->written = TRUE;
	note(index, "%s: %u checkpoints, %" G_GUINT64_FORMAT " bytes", index->path,
	     index->entries->len, size);
}

const char *iot_index_written(const struct iot_index *index)
{
	return index->written ? index->path : NULL;
}

const char *iot_index_note(const struct iot_index *index)
{
	return index->note->str;
}
