/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For each row of a machine and each state: the time in which at least one object is in the state.
 * With gaps this time has bounds. It was at least the time that was seen, and at most this time and
 * all time in which states may be unseen (iot_timeline_unobserved). Seen time after that instant
 * counts once. A sum over several objects has no upper bound, as nobody knows how many objects
 * there are.
 *
 * An object that is older than the recording may show its state for the first time by a lost event.
 * The upper bound does not count the time of such objects before the gap.
 */
#include "analysis/stage.h"
#include "base/intern.h"
#include "tables/ranked.h"

#include <string.h>

/* One state on one row; category 0: spans whose state is unknown. */
struct sum {
	guint64 key; /* row << 32 | category; the key of the table */
	guint open;  /* spans */
	guint64 since, last_end;
	guint64 seen, before; /* at least one is open: overall, and while all was seen */
	/* while all was seen: at least one may be open */
	guint64 doubtful;
};

struct bounds {
	struct iot_stage stage;
	struct iot_timeline *tl;
	GHashTable *sums; /* set of struct sum */
};

static iot_row_id row_of(const struct sum *sum)
{
	return (iot_row_id)(sum->key >> 32);
}

/* From when on states on the row may be unseen; G_MAXUINT64: never. */
static guint64 unobserved(const struct bounds *b, iot_row_id row)
{
	iot_row_id node = iot_row_node(b->tl, row);

	return node ? iot_timeline_unobserved(b->tl, iot_row_at(b->tl, node)->name) : G_MAXUINT64;
}

static struct iot_stage *bounds_open(struct iot_timeline *tl)
{
	struct bounds *b = g_new0(struct bounds, 1);

	b->tl = tl;
	b->sums = g_hash_table_new_full(iot_pair_hash, g_int64_equal, g_free, NULL);
	return &b->stage;
}

static void bounds_free(struct iot_stage *stage)
{
	struct bounds *b = (struct bounds *)stage;

	g_hash_table_unref(b->sums);
	g_free(b);
}

static struct sum *sum_of(struct bounds *b, iot_row_id row, iot_cat_id cat)
{
	guint64 key = (guint64)row << 32 | cat;
	struct sum *sum = g_hash_table_lookup(b->sums, &key);

	if (!sum) {
		sum = g_new0(struct sum, 1);
		sum->key = key;
		g_hash_table_add(b->sums, sum);
	}
	return sum;
}

/* All was seen: begins and ends come in order. */
static void begin(struct sum *sum, guint64 t0)
{
	if (!sum->open++)
		sum->since = MAX(t0, sum->last_end);
}

static void end(struct sum *sum, guint64 t1, guint64 from)
{
	if (--sum->open)
		return;
	sum->seen += t1 - sum->since;
	sum->before += MIN(t1, from) - MIN(sum->since, from);
	sum->last_end = MAX(sum->last_end, t1);
}

/* Only its end says whether the span is known. Time that others may have covered, too, is doubtful.
 */
static void add_whole(struct sum *sum, const struct iot_item *item, guint64 from)
{
	guint64 known = CLAMP(sum->last_end, item->t0, item->t1);

	if (item->flags & IOT_UNKNOWN || sum->open) {
		known = item->t1;
	} else {
		sum->seen += item->t1 - known;
		sum->before += MIN(item->t1, from) - MIN(known, from);
		sum->last_end = MAX(sum->last_end, item->t1);
	}
	sum->doubtful += MIN(known, from) - MIN(item->t0, from);
}

static gboolean bounds_wants(struct iot_stage *stage, enum iot_item_kind kind, iot_cat_id cat)
{
	(void)stage;
	(void)cat;
	return kind == IOT_ITEM_SPAN || kind == IOT_ITEM_SPAN_BEGIN;
}

static gboolean bounds_item(struct iot_stage *stage, const struct iot_item *item, GError **error)
{
	struct bounds *b = (struct bounds *)stage;
	guint64 from;

	(void)error;
	if (!iot_row_node(b->tl, item->row))
		return TRUE;
	from = unobserved(b, item->row);
	if (item->t0 < from && !(item->flags & (IOT_BEFORE | IOT_UNKNOWN))) {
		if (item->kind == IOT_ITEM_SPAN_BEGIN)
			begin(sum_of(b, item->row, item->cat), item->t0);
		else
			end(sum_of(b, item->row, item->cat), item->t1, from);
	} else if (item->kind == IOT_ITEM_SPAN) {
		add_whole(sum_of(b, item->row, item->flags & IOT_UNKNOWN ? 0 : item->cat), item,
			  from);
	}
	return TRUE;
}

/* ---- the table */

static int most_time(gconstpointer pa, gconstpointer pb, gconstpointer bounds)
{
	const struct sum *a = pa, *b = pb;

	(void)bounds;
	return a->seen != b->seen ? iot_compare_number(b->seen, a->seen)
				  : iot_compare_number(a->key, b->key);
}

struct publishing {
	struct bounds *bounds;
	const struct iot_results *results;
};

static void add_row(struct iot_result_table *table, gconstpointer element, gconstpointer data)
{
	const struct sum *sum = element;
	const struct publishing *to = data;
	const struct iot_results *results = to->results;
	iot_row_id row = row_of(sum);
	guint64 from = unobserved(to->bounds, row);
	guint64 unseen = results->to_ns - CLAMP(from, results->from_ns, results->to_ns);
	guint64 most = sum->before + sum->doubtful + unseen + sum_of(to->bounds, row, 0)->doubtful;

	most = MIN(most, results->to_ns - results->from_ns);
	iot_ranked_row(table, iot_cell_number(row), iot_cell_number((guint32)sum->key),
		       iot_cell_number(sum->seen), iot_cell_number(MAX(most, sum->seen)));
}

static GPtrArray *shown_sums(const struct bounds *b)
{
	GPtrArray *list = g_ptr_array_new();
	GHashTableIter iter;
	gpointer sum;

	g_hash_table_iter_init(&iter, b->sums);
	while (g_hash_table_iter_next(&iter, &sum, NULL))
		if (((struct sum *)sum)->seen && !iot_row_at(b->tl, row_of(sum))->hidden)
			g_ptr_array_add(list, sum);
	return list;
}

static const struct iot_ranked_column columns[] = {
	{ "place", "where", IOT_COLUMN_ROW },
	{ "state", "state", IOT_COLUMN_CATEGORY },
	{ "at_least_ns", "at least", IOT_COLUMN_NS },
	{ "at_most_ns", "at most", IOT_COLUMN_NS },
};

static const struct iot_ranked ranked = {
	IOT_RANKED("bounds", "Bounds", columns),
	.help = "Time in which at least one object of the row is in the state: what was seen, and "
		"the same with all that gaps may hide.",
	.limit = 1000,
	.loss = IOT_LOSS_IN_CELLS,
	.compare = most_time,
	.add = add_row,
};

static void bounds_publish(struct iot_stage *stage, struct iot_results *results)
{
	struct bounds *b = (struct bounds *)stage;
	const struct publishing to = { b, results };
	g_autoptr(GPtrArray) list = shown_sums(b);

	iot_ranked_publish(results, b->tl, &ranked, list, &to);
}

const struct iot_stage_ops iot_stage_bounds = {
	.name = "bounds",
	.summary = "how long states lasted at least and at most, despite lost events",
	.open = bounds_open,
	.wants = bounds_wants,
	.item = bounds_item,
	.publish = bounds_publish,
	.free = bounds_free,
};
