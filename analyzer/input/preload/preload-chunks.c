/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fault.h"
#include "input/preload/preload-chunks.h"

enum { CHUNK = IOTRACE_PRELOAD_CHUNK, SLOTS = IOTRACE_PRELOAD_SLOTS };

/* A chunk whose first record has begun. */
struct chunk {
	union {
		guint8 bytes[CHUNK];
		struct iotrace_preload_record slot[SLOTS];
	} u;
	guint16 order[SLOTS]; /* slots of records by their begin */
	guint n, next;
};

gboolean iot_preload_is(const guint8 *head, gsize len)
{
	return len >= sizeof(IOTRACE_PRELOAD_MAGIC) &&
	       !memcmp(head, IOTRACE_PRELOAD_MAGIC, sizeof(IOTRACE_PRELOAD_MAGIC));
}

static gboolean refuse(const struct iot_preload_file *file, const char *what, GError **error)
{
	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT, "%s %s", file->path, what);
	return FALSE;
}

/* FALSE: unreadable. Bytes after the end of the file are 0. */
static gboolean read_at(struct iot_preload_file *file, void *to, gsize n, guint64 from,
			GError **error)
{
	gsize done = 0;

	while (done < n) {
		gssize part = -1;

		errno = EIO;
		if (!iot_fault_hit(IOT_FAULT_READ))
			part = pread(file->fd, (guint8 *)to + done, n - done,
				     (goffset)(from + done));
		if (part < 0) {
			g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT, "%s: cannot be read: %s",
				    file->path, g_strerror(errno));
			return FALSE;
		}
		if (!part)
			break;
		done += (gsize)part;
	}
	memset((guint8 *)to + done, 0, n - done);
	return TRUE;
}

/* ---- one chunk */

static guint kind_of(const struct iotrace_preload_record *slot)
{
	return slot->state & 0xff;
}

static guint n_texts(const struct iotrace_preload_record *slot)
{
	return slot->state >> 8 & 0xff;
}

static gboolean is_record(guint kind)
{
	return kind >= IOTRACE_PRELOAD_CALL && kind <= IOTRACE_PRELOAD_CHILD;
}

static int by_begin(const void *a, const void *b, void *data)
{
	const struct chunk *chunk = data;
	guint16 i = *(const guint16 *)a, k = *(const guint16 *)b;
	guint64 x = chunk->u.slot[i].begin_ns, y = chunk->u.slot[k].begin_ns;

	return x < y ? -1 : x > y ? 1 : i < k ? -1 : 1;
}

/* Slots of a chunk that are no records. */
struct rest {
	guint unfinished, bad;
};

/* Find its records. Slots that nobody wrote to the end are those of threads that were killed, or
 * that are writing now. */
static void scan(struct chunk *chunk, struct rest *rest)
{
	const struct iotrace_preload_chunk *head = (const void *)chunk->u.slot;
	guint end = MIN(head->taken, SLOTS - 1) + 1;
	gboolean unfinished = FALSE;

	chunk->n = chunk->next = 0;
	for (guint i = 1; i < end; i++) {
		const struct iotrace_preload_record *slot = &chunk->u.slot[i];
		guint kind = kind_of(slot);

		if (kind == IOTRACE_PRELOAD_PAD)
			break;
		if (kind == IOTRACE_PRELOAD_TEXT_BEGIN || kind == IOTRACE_PRELOAD_TEXT_MORE)
			continue; /* of a record that is not finished */
		if (kind == IOTRACE_PRELOAD_NONE) {
			rest->unfinished += !unfinished;
			unfinished = TRUE;
			continue;
		}
		unfinished = FALSE;
		if (!is_record(kind) || i + n_texts(slot) >= SLOTS ||
		    slot->begin_ns > slot->end_ns || slot->end_ns > G_MAXINT64) {
			rest->bad++;
			continue;
		}
		chunk->order[chunk->n++] = (guint16)i;
		i += n_texts(slot);
	}
	qsort_r(chunk->order, chunk->n, sizeof(*chunk->order), by_begin, chunk);
}

/* The texts of a record, each as one. */
static void read_texts(const struct chunk *chunk, guint slot, struct iot_preload_item *out)
{
	g_autoptr(GString) text = g_string_new(NULL);
	guint n = 0;

	for (guint i = 1; i <= n_texts(&chunk->u.slot[slot]); i++) {
		const struct iotrace_preload_text *part = (const void *)&chunk->u.slot[slot + i];

		if ((part->state & 0xff) == IOTRACE_PRELOAD_TEXT_BEGIN && i > 1 && n < 1) {
			out->text[n++] = g_strdup(text->str);
			g_string_truncate(text, 0);
		}
		g_string_append_len(text, part->bytes, MIN(part->state >> 8, IOTRACE_PRELOAD_TEXT));
	}
	out->text[n] = g_strdup(text->str);
}

/* ---- the file */

static guint64 place_of(guint64 number)
{
	return number * CHUNK;
}

static void note_process(struct iot_preload_file *file, const struct iotrace_preload_record *r)
{
	guint64 *last = g_hash_table_lookup(file->last_of, GINT_TO_POINTER(r->tgid));

	if (!last) {
		last = g_new0(guint64, 1);
		g_hash_table_insert(file->last_of, GINT_TO_POINTER(r->tgid), last);
	}
	*last = MAX(*last, r->end_ns);
}

static void note_chunk(struct iot_preload_file *file, const struct chunk *chunk, guint64 number)
{
	struct iot_heap_entry entry = { .tie = number };

	for (guint i = 0; i < chunk->n; i++) {
		const struct iotrace_preload_record *r = &chunk->u.slot[chunk->order[i]];

		note_process(file, r);
		file->last_ns = MAX(file->last_ns, r->end_ns);
	}
	file->n_records += chunk->n;
	if (!chunk->n)
		return;
	entry.key = chunk->u.slot[chunk->order[0]].begin_ns;
	file->first_ns = MIN(file->first_ns, entry.key);
	g_array_append_val(file->begins, entry);
}

static int by_key(const void *a, const void *b)
{
	return iot_heap_less(a, b) ? -1 : 1;
}

static gboolean read_chunks(struct iot_preload_file *file, guint64 n, GError **error)
{
	g_autofree struct chunk *chunk = g_new(struct chunk, 1);

	for (guint64 number = 1; number < n; number++) {
		struct rest rest = { 0, 0 };

		if (!read_at(file, chunk->u.bytes, CHUNK, place_of(number), error))
			return FALSE;
		scan(chunk, &rest);
		file->n_unfinished += rest.unfinished;
		file->n_bad += rest.bad;
		note_chunk(file, chunk, number);
	}
	g_array_sort(file->begins, by_key);
	return TRUE;
}

static gboolean read_head(struct iot_preload_file *file, GError **error)
{
	struct iotrace_preload_head *head = &file->head;
	struct stat st;
	guint64 n;

	if (fstat(file->fd, &st))
		return refuse(file, "cannot be examined", error);
	if (!read_at(file, head, sizeof(*head), 0, error))
		return FALSE;
	if (head->byte_order != 0x01020304)
		return refuse(file,
			      "was recorded on a machine with another order of bytes; analyze it "
			      "on such a machine",
			      error);
	if (head->version != IOTRACE_PRELOAD_VERSION)
		return refuse(file,
			      "has another version than this program; use the program of "
			      "the version that recorded it",
			      error);
	head->boot_id[sizeof(head->boot_id) - 1] = head->host[sizeof(head->host) - 1] =
		head->kernel[sizeof(head->kernel) - 1] = '\0';
	/* chunks that are taken are in the file, unless that was cut; a wild number is cut, too */
	n = ((guint64)st.st_size + CHUNK - 1) / CHUNK;
	if (head->chunks > n)
		file->n_missing_bytes = (head->chunks - n) * CHUNK;
	else if (head->chunks == n && st.st_size % CHUNK)
		file->n_missing_bytes = CHUNK - (guint64)st.st_size % CHUNK;
	n = MIN(n, head->chunks);
	file->size = n > 1 ? (n - 1) * CHUNK : 0;
	return read_chunks(file, n, error);
}

struct iot_preload_file *iot_preload_open(const char *path, GError **error)
{
	struct iot_preload_file *file = g_new0(struct iot_preload_file, 1);

	file->path = g_strdup(path);
	file->first_ns = G_MAXUINT64;
	file->begins = g_array_new(FALSE, FALSE, sizeof(struct iot_heap_entry));
	file->last_of = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	file->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (file->fd >= 0 ? read_head(file, error)
			  : refuse(file, "cannot be opened; check its permissions", error)) {
		if (!file->n_records)
			file->first_ns = file->last_ns = file->head.mono_ns;
		return file;
	}
	iot_preload_free(file);
	return NULL;
}

void iot_preload_free(struct iot_preload_file *file)
{
	if (!file)
		return;
	for (guint i = 0; i < file->open.n; i++)
		g_free((gpointer)(guintptr)file->open.entries[i].value);
	iot_heap_clear(&file->open);
	g_array_unref(file->begins);
	g_hash_table_unref(file->last_of);
	if (file->fd >= 0)
		close(file->fd);
	g_free(file->path);
	g_free(file);
}

/* Chunks whose first record is not after the next one. */
static gboolean open_chunks(struct iot_preload_file *file, GError **error)
{
	while (file->next < file->begins->len) {
		const struct iot_heap_entry *entry =
			&g_array_index(file->begins, struct iot_heap_entry, file->next);
		const struct iot_heap_entry *top = iot_heap_top(&file->open);
		struct rest rest = { 0, 0 };
		struct chunk *chunk;

		if (top && top->key < entry->key)
			return TRUE;
		chunk = g_new(struct chunk, 1);
		if (!read_at(file, chunk->u.bytes, CHUNK, place_of(entry->tie), error)) {
			g_free(chunk);
			return FALSE;
		}
		scan(chunk, &rest);
		file->next++;
		file->offset += CHUNK;
		if (chunk->n) /* a program may still write, but takes nothing back */
			iot_heap_push(&file->open, chunk->u.slot[chunk->order[0]].begin_ns,
				      entry->tie, (guintptr)chunk);
		else
			g_free(chunk);
	}
	return TRUE;
}

guint64 iot_preload_peek(struct iot_preload_file *file, GError **error)
{
	const struct iot_heap_entry *top;

	if (!open_chunks(file, error))
		return G_MAXUINT64;
	top = iot_heap_top(&file->open);
	return top ? top->key : G_MAXUINT64;
}

void iot_preload_next(struct iot_preload_file *file, struct iot_preload_item *out)
{
	struct iot_heap_entry top = *iot_heap_top(&file->open);
	struct chunk *chunk = (struct chunk *)(guintptr)top.value;
	guint slot = chunk->order[chunk->next++];
	const struct iotrace_preload_record *r = &chunk->u.slot[slot];

	*out = (struct iot_preload_item){ .record = *r, .kind = kind_of(r), .op = r->state >> 16 };
	if (n_texts(r))
		read_texts(chunk, slot, out);
	if (chunk->next < chunk->n) {
		iot_heap_replace_top(&file->open, chunk->u.slot[chunk->order[chunk->next]].begin_ns,
				     top.tie, top.value);
	} else {
		iot_heap_pop(&file->open);
		g_free(chunk);
	}
}

void iot_preload_item_clear(struct iot_preload_item *item)
{
	g_free(item->text[0]);
	g_free(item->text[1]);
}
