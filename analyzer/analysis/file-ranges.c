/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/file-ranges.h"

/* One access; of joined segments the ends of the first and the last one. */
struct touch {
	guint64 first_end, last_end;
};

enum { WRITER, READER, READER_BEFORE, TOUCHES };

struct segment {
	guint64 from, to;
	guint32 who[TOUCHES]; /* 0: nobody */
	struct touch touch[TOUCHES];
};

static struct segment *segment_at(const struct iot_file_ranges *ranges, guint i)
{
	return &g_array_index(ranges->segments, struct segment, i);
}

void iot_range_budget_init(struct iot_range_budget *budget)
{
	*budget = (struct iot_range_budget){ .max_of_file = IOT_FILE_SEGMENTS,
					     .max_of_all = IOT_ALL_SEGMENTS };
}

void iot_file_ranges_clear(struct iot_file_ranges *ranges, struct iot_range_budget *budget)
{
	if (!ranges->segments)
		return;
	budget->n -= ranges->segments->len;
	g_clear_pointer(&ranges->segments, g_array_unref);
}

static void insert(struct iot_file_ranges *ranges, struct iot_range_budget *budget, guint at,
		   const struct segment *segment)
{
	g_array_insert_vals(ranges->segments, at, segment, 1);
	budget->n++;
}

static void drop(struct iot_file_ranges *ranges, struct iot_range_budget *budget, guint at, guint n)
{
	g_array_remove_range(ranges->segments, at, n);
	budget->n -= n;
}

/* The first segment that ends after @position; the number of segments if none does. */
static guint find(const struct iot_file_ranges *ranges, guint64 position)
{
	guint low = 0, high = ranges->segments->len;

	while (low < high) {
		guint middle = (low + high) / 2;

		if (segment_at(ranges, middle)->to > position)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Divide segment @at so that the next one begins at @position, which is within it. */
static void split(struct iot_file_ranges *ranges, struct iot_range_budget *budget, guint at,
		  guint64 position)
{
	struct segment tail = *segment_at(ranges, at);

	tail.from = position;
	segment_at(ranges, at)->to = position;
	insert(ranges, budget, at + 1, &tail);
}

/* ---- one access */

static void report(const struct segment *segment, enum iot_range_kind kind, guint touch,
		   iot_range_func func, gpointer data)
{
	const struct iot_range_piece piece = {
		.kind = kind,
		.who = segment->who[touch],
		.from = segment->from,
		.to = segment->to,
		.first_end = segment->touch[touch].first_end,
		.last_end = segment->touch[touch].last_end,
	};

	if (piece.who)
		func(data, &piece);
}

static void touch(struct segment *segment, const struct iot_range_access *access,
		  iot_range_func func, gpointer data)
{
	guint at = access->is_write ? WRITER : READER;
	/* somebody else */
	guint reader = segment->who[READER] == access->who ? READER_BEFORE : READER;

	report(segment, access->is_write ? IOT_RANGE_WRITE_WRITE : IOT_RANGE_WRITE_READ, WRITER,
	       func, data);
	if (access->is_write)
		report(segment, IOT_RANGE_READ_WRITE, reader, func, data);
	else
		report(segment, IOT_RANGE_READ_READ, READER, func, data);
	if (access->is_write) {
		segment->who[READER] = segment->who[READER_BEFORE] = 0;
	} else if (reader == READER) {
		segment->who[READER_BEFORE] = segment->who[READER];
		segment->touch[READER_BEFORE] = segment->touch[READER];
	}
	segment->who[at] = access->who;
	segment->touch[at] = (struct touch){ access->end_ns, access->end_ns };
}

/* ---- fewer segments */

static gboolean same_who(const struct segment *a, const struct segment *b)
{
	for (guint i = 0; i < TOUCHES; i++)
		if (a->who[i] != b->who[i])
			return FALSE;
	return a->to == b->from;
}

static gboolean same_times(const struct segment *a, const struct segment *b)
{
	for (guint i = 0; i < TOUCHES; i++)
		if (a->who[i] && (a->touch[i].first_end != b->touch[i].first_end ||
				  a->touch[i].last_end != b->touch[i].last_end))
			return FALSE;
	return TRUE;
}

/* Join neighbours that say the same: nothing is lost. */
static void join_equal(struct iot_file_ranges *ranges, struct iot_range_budget *budget, guint first,
		       guint last)
{
	for (guint i = MIN(last, ranges->segments->len - 1); i > first; i--) {
		struct segment *a = segment_at(ranges, i - 1), *b = segment_at(ranges, i);

		if (!same_who(a, b) || !same_times(a, b))
			continue;
		a->to = b->to;
		drop(ranges, budget, i, 1);
	}
}

/* Join neighbours with the same writer and readers. */
static void join_alike(struct iot_file_ranges *ranges, struct iot_range_budget *budget)
{
	guint n = 1, all = ranges->segments->len;

	for (guint i = 1; i < all; i++) {
		struct segment *a = segment_at(ranges, n - 1), *b = segment_at(ranges, i);

		if (!same_who(a, b)) {
			*segment_at(ranges, n++) = *b;
			continue;
		}
		ranges->joined |= !same_times(a, b);
		a->to = b->to;
		for (guint k = 0; k < TOUCHES; k++) {
			a->touch[k].first_end = MIN(a->touch[k].first_end, b->touch[k].first_end);
			a->touch[k].last_end = MAX(a->touch[k].last_end, b->touch[k].last_end);
		}
	}
	budget->n_joined += all - n;
	drop(ranges, budget, n, all - n);
}

static guint64 last_touch(const struct segment *segment)
{
	guint64 last = 0;

	for (guint i = 0; i < TOUCHES; i++)
		if (segment->who[i])
			last = MAX(last, segment->touch[i].last_end);
	return last;
}

static int by_number(gconstpointer pa, gconstpointer pb)
{
	guint64 a = *(const guint64 *)pa, b = *(const guint64 *)pb;

	return a < b ? -1 : a > b;
}

/* Evict the half that was touched longest ago. */
static void evict(struct iot_file_ranges *ranges, struct iot_range_budget *budget)
{
	guint all = ranges->segments->len, n = 0;
	g_autofree guint64 *times = g_new(guint64, all);
	guint64 limit;

	for (guint i = 0; i < all; i++)
		times[i] = last_touch(segment_at(ranges, i));
	qsort(times, all, sizeof(*times), by_number);
	limit = times[all / 2];
	for (guint i = 0; i < all; i++)
		if (last_touch(segment_at(ranges, i)) > limit)
			*segment_at(ranges, n++) = *segment_at(ranges, i);
	ranges->evicted = TRUE;
	budget->n_evicted += all - n;
	drop(ranges, budget, n, all - n);
}

static void keep_within(struct iot_file_ranges *ranges, struct iot_range_budget *budget)
{
	guint of_file = ranges->segments->len, of_others = budget->n - of_file;

	if (of_file <= budget->max_of_file && budget->n <= budget->max_of_all)
		return;
	join_alike(ranges, budget);
	/* well below the limit, so that the next access does not join again */
	if (ranges->segments->len > budget->max_of_file / 2 ||
	    of_others + ranges->segments->len > budget->max_of_all)
		evict(ranges, budget);
}

void iot_file_ranges_access(struct iot_file_ranges *ranges, struct iot_range_budget *budget,
			    const struct iot_range_access *access, iot_range_func func,
			    gpointer data)
{
	guint64 from = access->from;
	guint first, at;

	if (!ranges->segments)
		ranges->segments = g_array_new(FALSE, FALSE, sizeof(struct segment));
	first = at = find(ranges, from);
	if (at < ranges->segments->len && segment_at(ranges, at)->from < from) {
		split(ranges, budget, at, from);
		at++;
	}
	for (; from < access->to; at++) {
		guint64 next =
			at < ranges->segments->len ? segment_at(ranges, at)->from : G_MAXUINT64;

		if (next > from) {
			const struct segment hole = { .from = from, .to = MIN(next, access->to) };

			insert(ranges, budget, at, &hole);
		} else if (segment_at(ranges, at)->to > access->to) {
			split(ranges, budget, at, access->to);
		}
		touch(segment_at(ranges, at), access, func, data);
		from = segment_at(ranges, at)->to;
	}
	join_equal(ranges, budget, first ? first - 1 : 0, at);
	keep_within(ranges, budget);
}

void iot_file_ranges_cut(struct iot_file_ranges *ranges, struct iot_range_budget *budget,
			 guint64 length)
{
	guint at;

	if (!ranges->segments)
		return;
	at = find(ranges, length);
	if (at < ranges->segments->len && segment_at(ranges, at)->from < length)
		segment_at(ranges, at++)->to = length;
	drop(ranges, budget, at, ranges->segments->len - at);
}
