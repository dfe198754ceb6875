/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/paje/paje-sort.h"
#include "base/try-alloc.h"

enum { MIN_LIMIT = 64 << 10, MIN_BUFFER = 8 << 10, MAX_BUFFER = 256 << 10 };

/* Before the text of each line, in memory and in the file. */
struct line {
	guint64 t;
	guint64 len;
};

struct entry {
	guint64 t;
	gsize at; /* in the text; also the order in which lines came */
};

/* Lines in order: a part of the file, or those in memory, which are the last ones that came. */
struct run {
	guint number;
	guint64 at, end; /* in the file: the part not yet read */
	guint8 *buffer;	 /* NULL: in memory */
	gsize used, len; /* of the buffer */
	gsize next;	 /* in memory: the entry after the line */
	struct line line;
	const char *text;
};

struct paje_sort {
	char *path;
	gsize limit, buffer;
	struct entry *entries;
	gsize n_entries, entries_room;
	guint8 *text;
	gsize text_used, text_room;
	struct iot_out *file; /* NULL until memory was full */
	GArray *ends;	      /* guint64: where each run in the file ends */
	GPtrArray *heap;      /* struct run: the one with the next line first */
};

static void free_run(gpointer data)
{
	struct run *run = data;

	g_free(run->buffer);
	g_free(run);
}

struct paje_sort *paje_sort_new(const char *path, gsize limit)
{
	struct paje_sort *sort = g_new0(struct paje_sort, 1);

	sort->path = g_strdup(path);
	sort->limit = MAX(limit, MIN_LIMIT);
	sort->ends = g_array_new(FALSE, FALSE, sizeof(guint64));
	sort->heap = g_ptr_array_new_with_free_func(free_run);
	return sort;
}

void paje_sort_free(struct paje_sort *sort)
{
	if (!sort)
		return;
	g_ptr_array_unref(sort->heap);
	g_array_unref(sort->ends);
	iot_out_free(sort->file);
	g_free(sort->entries);
	g_free(sort->text);
	g_free(sort->path);
	g_free(sort);
}

/* --- writing --- */

static int compare_entries(gconstpointer pa, gconstpointer pb, gpointer user_data)
{
	const struct entry *a = pa, *b = pb;

	(void)user_data;
	if (a->t != b->t)
		return a->t < b->t ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

static void sort_entries(struct paje_sort *sort)
{
	g_qsort_with_data(sort->entries, (int)sort->n_entries, sizeof(struct entry),
			  compare_entries, NULL);
}

/* Writes the lines in memory as a run. */
static gboolean spill(struct paje_sort *sort, GError **error)
{
	guint64 end;

	if (!sort->file && !(sort->file = iot_out_open_scratch(sort->path, MAX_BUFFER, error)))
		return FALSE;
	sort_entries(sort);
	for (gsize i = 0; i < sort->n_entries; i++) {
		const guint8 *at = sort->text + sort->entries[i].at;
		struct line line;

		memcpy(&line, at, sizeof(line));
		iot_out_write(sort->file, at, sizeof(line) + line.len);
	}
	sort->n_entries = sort->text_used = 0;
	end = iot_out_tell(sort->file);
	g_array_append_val(sort->ends, end);
	return iot_out_check(sort->file, error);
}

static gboolean grow(gpointer *array, gsize *room, gsize n, gsize size, GError **error)
{
	gpointer grown;

	if (n <= *room)
		return TRUE;
	n = MAX(n, *room * 2);
	grown = iot_try_realloc(*array, n * size, "lines to be sorted in", error);
	if (!grown)
		return FALSE;
	*array = grown;
	*room = n;
	return TRUE;
}

gboolean paje_sort_add(struct paje_sort *sort, guint64 t, const char *text, gsize len,
		       GError **error)
{
	struct line line = { t, len };

	if (sort->text_used + sort->n_entries * sizeof(struct entry) + len > sort->limit &&
	    sort->n_entries && !spill(sort, error))
		return FALSE;
	if (!grow((gpointer *)&sort->entries, &sort->entries_room, sort->n_entries + 1,
		  sizeof(struct entry), error) ||
	    !grow((gpointer *)&sort->text, &sort->text_room, sort->text_used + sizeof(line) + len,
		  1, error))
		return FALSE;
	sort->entries[sort->n_entries++] = (struct entry){ t, sort->text_used };
	memcpy(sort->text + sort->text_used, &line, sizeof(line));
	memcpy(sort->text + sort->text_used + sizeof(line), text, len);
	sort->text_used += sizeof(line) + len;
	return TRUE;
}

/* --- reading --- */

/* The buffer begins with the next line, as much of the file as there is room for. */
static gboolean fill(struct paje_sort *sort, struct run *run, GError **error)
{
	gsize rest = run->len - run->used, more;

	memmove(run->buffer, run->buffer + run->used, rest);
	more = (gsize)MIN(run->end - run->at, sort->buffer - rest);
	if (!iot_out_read_at(sort->file, run->at, run->buffer + rest, more, error))
		return FALSE;
	run->at += more;
	run->used = 0;
	run->len = rest + more;
	return TRUE;
}

/* Whether the buffer has a whole line. */
static gboolean has_line(const struct run *run)
{
	struct line line;

	if (run->len - run->used < sizeof(line))
		return FALSE;
	memcpy(&line, run->buffer + run->used, sizeof(line));
	return run->len - run->used - sizeof(line) >= line.len;
}

/* The next line of a run; *@out_end: there is none. */
static gboolean next_line(struct paje_sort *sort, struct run *run, gboolean *out_end,
			  GError **error)
{
	const guint8 *at;

	if (run->buffer) {
		if (!has_line(run) && run->at < run->end && !fill(sort, run, error))
			return FALSE;
		*out_end = run->used == run->len;
		at = run->buffer + run->used;
	} else {
		*out_end = run->next == sort->n_entries;
		at = *out_end ? NULL : sort->text + sort->entries[run->next++].at;
	}
	if (*out_end)
		return TRUE;
	memcpy(&run->line, at, sizeof(run->line));
	run->text = (const char *)at + sizeof(run->line);
	run->used += run->buffer ? sizeof(run->line) + run->line.len : 0;
	return TRUE;
}

static gboolean is_before(const struct run *a, const struct run *b)
{
	return a->line.t != b->line.t ? a->line.t < b->line.t : a->number < b->number;
}

static void sift_down(GPtrArray *heap)
{
	gpointer *runs = heap->pdata;

	for (guint at = 0, child; (child = 2 * at + 1) < heap->len; at = child) {
		gpointer run = runs[at];

		if (child + 1 < heap->len && is_before(runs[child + 1], runs[child]))
			child++;
		if (!is_before(runs[child], run))
			break;
		runs[at] = runs[child];
		runs[child] = run;
	}
}

static void push(GPtrArray *heap, struct run *run)
{
	guint at = heap->len;

	g_ptr_array_add(heap, run);
	for (; at && is_before(run, heap->pdata[(at - 1) / 2]); at = (at - 1) / 2) {
		heap->pdata[at] = heap->pdata[(at - 1) / 2];
		heap->pdata[(at - 1) / 2] = run;
	}
}

static gboolean add_run(struct paje_sort *sort, guint number, GError **error)
{
	struct run *run = g_new0(struct run, 1);
	const guint64 *ends = (const guint64 *)(gconstpointer)sort->ends->data;
	gboolean ended = TRUE, ok = TRUE;

	run->number = number;
	if (number < sort->ends->len) {
		run->at = number ? ends[number - 1] : 0;
		run->end = ends[number];
		run->buffer = iot_try_malloc(sort->buffer, "lines to be sorted in", error);
		ok = run->buffer != NULL;
	}
	ok = ok && next_line(sort, run, &ended, error);
	if (ended)
		free_run(run);
	else
		push(sort->heap, run);
	return ok;
}

gboolean paje_sort_finish(struct paje_sort *sort, GError **error)
{
	sort_entries(sort);
	sort->buffer = CLAMP(sort->limit / (sort->ends->len + 1), MIN_BUFFER, MAX_BUFFER);
	for (guint i = 0; i <= sort->ends->len; i++)
		if (!add_run(sort, i, error))
			return FALSE;
	return TRUE;
}

const char *paje_sort_top(const struct paje_sort *sort, guint64 *out_t, gsize *out_len)
{
	const struct run *run = sort->heap->len ? sort->heap->pdata[0] : NULL;

	if (!run)
		return NULL;
	*out_t = run->line.t;
	*out_len = run->line.len;
	return run->text;
}

gboolean paje_sort_pop(struct paje_sort *sort, GError **error)
{
	gboolean ended;

	if (!next_line(sort, sort->heap->pdata[0], &ended, error))
		return FALSE;
	if (ended)
		g_ptr_array_remove_index_fast(sort->heap, 0);
	sift_down(sort->heap);
	return TRUE;
}

gsize paje_sort_memory(const struct paje_sort *sort)
{
	return sort->entries_room * sizeof(struct entry) + sort->text_room +
	       (sort->file ? MAX_BUFFER : 0) + sort->heap->len * sort->buffer;
}
