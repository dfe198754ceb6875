/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/call-sums.h"
#include "base/intern.h"
#include "tables/ranked.h"

#include <string.h>

enum {
	/* reasons of the thread, the time without one, then: */
	REQUEST = IOT_N_REASONS + 1, /* work that was done for the call */
	ASLEEP,			     /* its thread slept until a known waker woke it */
	WHOLE,			     /* the call itself, if some part of it is explained */
	BARE,			     /* a call of which nothing is explained */
	N_KINDS,
	/* Sums of requests; what is beyond is "other parts". */
	MAX_REQUESTS = 4096
};

/* A part of the calls of a category. */
struct sum {
	iot_cat_id call;
	guint kind;
	/* REQUEST: the others are 0 for other parts */
	struct iot_slow_part part;
	iot_str node;
	struct iot_counts counts; /* of the calls that have it */
	guint64 present_ns;	  /* in the call that is added */
};

struct iot_call_sums {
	const struct iot_timeline *tl;
	GPtrArray *all;	      /* struct sum */
	struct sum **plain;   /* by category and kind; NULL: no such call */
	GHashTable *requests; /* set of struct sum */
	GPtrArray *present;   /* struct sum, of the call that is added */
	guint n_cats;
	guint64 n_cut;
};

static guint request_hash(gconstpointer data)
{
	const struct sum *sum = data;

	return (guint)iot_hash_mix(
		iot_hash_mix(sum->call, sum->node),
		iot_hash_mix((guint64)sum->part.asked << 32 | sum->part.cat, sum->part.phase));
}

static gboolean request_equal(gconstpointer pa, gconstpointer pb)
{
	const struct sum *a = pa, *b = pb;

	return a->call == b->call && a->node == b->node && a->part.asked == b->part.asked &&
	       a->part.cat == b->part.cat && a->part.phase == b->part.phase;
}

static void sum_free(gpointer data)
{
	iot_counts_clear(&((struct sum *)data)->counts);
	g_free(data);
}

struct iot_call_sums *iot_call_sums_new(const struct iot_timeline *tl)
{
	struct iot_call_sums *sums = g_new0(struct iot_call_sums, 1);

	sums->tl = tl;
	sums->all = g_ptr_array_new_with_free_func(sum_free);
	sums->requests = g_hash_table_new(request_hash, request_equal);
	sums->present = g_ptr_array_new();
	return sums;
}

void iot_call_sums_free(struct iot_call_sums *sums)
{
	if (!sums)
		return;
	g_hash_table_unref(sums->requests);
	g_ptr_array_unref(sums->present);
	g_ptr_array_unref(sums->all);
	g_free(sums->plain);
	g_free(sums);
}

static struct sum *sum_new(struct iot_call_sums *sums, const struct sum *key)
{
	struct sum *sum = g_memdup2(key, sizeof(*key));

	g_ptr_array_add(sums->all, sum);
	return sum;
}

/* Categories may be added until the last item. */
static struct sum *find_plain(struct iot_call_sums *sums, iot_cat_id call, guint kind)
{
	struct sum **sum;

	if (call >= sums->n_cats) {
		guint n = MAX(sums->tl->cats.n, call + 1);

		sums->plain = g_renew(struct sum *, sums->plain, n * N_KINDS);
		memset(sums->plain + sums->n_cats * N_KINDS, 0,
		       (n - sums->n_cats) * N_KINDS * sizeof(*sums->plain));
		sums->n_cats = n;
	}
	sum = &sums->plain[call * N_KINDS + kind];
	if (!*sum)
		*sum = sum_new(sums, &(struct sum){ .call = call, .kind = kind });
	return *sum;
}

static struct sum *find_request(struct iot_call_sums *sums, iot_cat_id call,
				const struct iot_slow_part *part)
{
	iot_row_id node = iot_row_node(sums->tl, part->row);
	struct sum key = { .call = call,
			   .kind = REQUEST,
			   .part = *part,
			   .node = node ? iot_row_at(sums->tl, node)->name : 0 };
	struct sum *sum = g_hash_table_lookup(sums->requests, &key);

	if (sum || g_hash_table_size(sums->requests) == MAX_REQUESTS)
		return sum ? sum : find_plain(sums, call, REQUEST);
	sum = sum_new(sums, &key);
	g_hash_table_add(sums->requests, sum);
	return sum;
}

static void add(struct iot_call_sums *sums, struct sum *sum, guint64 ns)
{
	if (!ns)
		return;
	if (!sum->present_ns)
		g_ptr_array_add(sums->present, sum);
	sum->present_ns += ns;
}

void iot_call_sums_add(struct iot_call_sums *sums, const struct iot_slow_call *call)
{
	iot_cat_id cat = call->item.cat;
	guint64 requests = call->linked_ns;

	if (iot_flags_cut(call->item.flags)) {
		sums->n_cut++;
		return;
	}
	/* most calls */
	if (call->ns[IOT_REASON_NONE] == call->item.t1 - call->item.t0) {
		iot_counts_add(&find_plain(sums, cat, BARE)->counts, call->ns[IOT_REASON_NONE]);
		return;
	}
	for (guint reason = 0; reason <= IOT_N_REASONS; reason++)
		if (call->ns[reason])
			add(sums, find_plain(sums, cat, reason), call->ns[reason]);
	if (call->asleep_ns)
		add(sums, find_plain(sums, cat, ASLEEP), call->asleep_ns);
	for (guint i = 0; i < call->n_parts; i++) {
		if (call->part[i].wakers)
			continue;
		add(sums, find_request(sums, cat, &call->part[i]), call->part[i].ns);
		requests -= call->part[i].ns;
	}
	if (requests)
		add(sums, find_plain(sums, cat, REQUEST), requests);
	iot_counts_add(&find_plain(sums, cat, WHOLE)->counts, call->item.t1 - call->item.t0);
	for (guint i = 0; i < sums->present->len; i++) {
		struct sum *sum = sums->present->pdata[i];

		iot_counts_add(&sum->counts, sum->present_ns);
		sum->present_ns = 0;
	}
	g_ptr_array_set_size(sums->present, 0);
}

/* ---- the table */

/* A row: a sum with the calls of which nothing is explained. */
struct row {
	const struct sum *sum;
	guint64 all_ns, n_all; /* of all calls of the kind */
	struct iot_histogram times;
	guint64 n;
};

static void row_clear(gpointer data)
{
	iot_histogram_clear(&((struct row *)data)->times);
}

static const struct sum *known_plain(const struct iot_call_sums *sums, iot_cat_id call, guint kind)
{
	return sums->plain[call * N_KINDS + kind];
}

static struct row row_of(const struct iot_call_sums *sums, const struct sum *sum)
{
	const struct sum *whole = known_plain(sums, sum->call, WHOLE);
	const struct sum *bare = known_plain(sums, sum->call, BARE);
	struct row row = { .sum = sum,
			   .all_ns = whole->counts.sum_ns + (bare ? bare->counts.sum_ns : 0),
			   .n_all = whole->counts.n + (bare ? bare->counts.n : 0) };

	iot_histogram_merge_counts(&row.times, &sum->counts);
	if (bare && (sum->kind == WHOLE || sum->kind == IOT_N_REASONS))
		iot_histogram_merge_counts(&row.times, &bare->counts);
	row.n = row.times.n;
	/* a call without the part spent nothing there */
	if (row.n < row.n_all) {
		iot_histogram_count(&row.times, iot_histogram_cell_of(0), row.n_all - row.n);
		row.times.min_ns = 0;
	}
	return row;
}

/* The calls with the most time first, and of each the most time first. */
static int most_time(gconstpointer pa, gconstpointer pb, gconstpointer data)
{
	const struct row *row_a = pa, *row_b = pb;
	const struct sum *a = row_a->sum, *b = row_b->sum;

	(void)data;
	if (row_a->all_ns != row_b->all_ns)
		return iot_compare_number(row_b->all_ns, row_a->all_ns);
	if (a->call != b->call)
		return a->call < b->call ? -1 : 1;
	if ((a->kind == WHOLE) != (b->kind == WHOLE))
		return a->kind == WHOLE ? -1 : 1;
	if (row_a->times.sum_ns != row_b->times.sum_ns)
		return iot_compare_number(row_b->times.sum_ns, row_a->times.sum_ns);
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->part.asked != b->part.asked)
		return a->part.asked < b->part.asked ? -1 : 1;
	if (a->part.cat != b->part.cat)
		return a->part.cat < b->part.cat ? -1 : 1;
	return a->part.phase != b->part.phase ? (int)a->part.phase - (int)b->part.phase
					      : (int)a->node - (int)b->node;
}

static char *name_of(const struct iot_timeline *tl, const struct sum *sum)
{
	GString *name;

	if (sum->kind == WHOLE)
		return NULL;
	if (sum->kind == ASLEEP)
		return g_strdup("asleep, waker known");
	if (sum->kind < REQUEST)
		return g_strdup(iot_slow_spent((enum iot_reason)sum->kind));
	if (!sum->part.row)
		return g_strdup("other parts of its requests");
	name = g_string_new(NULL);
	iot_slow_part_name(tl, &sum->part, 0, name);
	return g_string_free(name, FALSE);
}

static void add_row(struct iot_result_table *table, gconstpointer element, gconstpointer data)
{
	const struct row *row = element;
	const struct sum *sum = row->sum;
	g_autofree char *name = name_of(((const struct iot_call_sums *)data)->tl, sum);

	iot_ranked_row(table, iot_cell_if(sum->kind == WHOLE, iot_cell_number(sum->call)),
		       iot_cell_text(name), iot_cell_number(row->n),
		       iot_cell_number(row->times.sum_ns),
		       iot_cell_share((double)row->times.sum_ns / (double)MAX(row->all_ns, 1)));
	iot_ranked_percentiles(table, &row->times);
	iot_ranked_cell(table, iot_cell_number(row->times.max_ns));
	iot_ranked_cell(table, iot_cell_number(sum->call));
}

static const struct iot_ranked_column columns[] = {
	{ "call", "call", IOT_COLUMN_CATEGORY, IOT_COLUMN_OPTIONAL },
	{ "part", "part", IOT_COLUMN_TEXT, IOT_COLUMN_SHRINK },
	{ "calls", "calls", IOT_COLUMN_COUNT, .help = "that have this part" },
	{ "time", "time", IOT_COLUMN_NS, IOT_COLUMN_STRONG },
	{ "share", "share", IOT_COLUMN_SHARE },
	{ "p50", "p50", IOT_COLUMN_NS, .drop = 2,
	  .help = "half of all these calls spent at most this" },
	{ "p90", "p90", IOT_COLUMN_NS, .drop = 3 },
	{ "p99", "p99", IOT_COLUMN_NS },
	{ "longest", "longest", IOT_COLUMN_NS, .drop = 1 },
	{ "of", "of", IOT_COLUMN_CATEGORY, IOT_COLUMN_DATA },
};

static const struct iot_ranked ranked = {
	IOT_RANKED("call_parts", "Where the time of calls went", columns),
	.help = "the parts of a kind of calls add up to its time; a call without the part counts "
		"as 0",
	.compare = most_time,
	.add = add_row,
};

void iot_call_sums_publish(struct iot_call_sums *sums, struct iot_results *results)
{
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(struct row));
	struct iot_result_table *table;

	g_array_set_clear_func(rows, row_clear);
	/* all calls of which something is explained may have an unexplained part */
	for (guint i = 0; i < sums->all->len; i++)
		if (known_plain(sums, ((struct sum *)sums->all->pdata[i])->call, WHOLE))
			find_plain(sums, ((struct sum *)sums->all->pdata[i])->call, IOT_N_REASONS);
	for (guint i = 0; i < sums->all->len; i++) {
		const struct sum *sum = sums->all->pdata[i];
		struct row row;

		if (sum->kind == BARE || !known_plain(sums, sum->call, WHOLE))
			continue;
		row = row_of(sums, sum);
		if (row.n)
			g_array_append_val(rows, row);
		else
			row_clear(&row);
	}
	table = iot_ranked_publish_array(results, sums->tl, &ranked, rows, sums);
	if (table && sums->n_cut)
		iot_result_note(table,
				"left out: %" G_GUINT64_FORMAT
				" calls whose begin or end was not seen",
				sums->n_cut);
}
