/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summary: the distribution of the durations of each kind of state, by mode, node and place, for
 * iotrace-analyze compare; and the distributions of the parts and causes of waits, which an
 * analysis makes. docs/formats/summary.md describes the file.
 *
 * A place is the path above the node's row, "gfs/inode 334c"; for rows below a node it is the row
 * directly below the node without a number at its end, "fileload" for "fileload 199", because
 * numbers of processes differ in each run.
 */
#include "sinks/json.h"
#include "sinks/sink.h"
#include "base/error.h"
#include "base/histogram-store.h"
#include "base/out.h"
#include "base/units.h"
#include "timeline/result-table.h"

#include <string.h>

enum { MAX_GROUPS = 100000 };

/* The states of one kind, mode that is asked for, node and place. */
struct group {
	iot_cat_id cat, asks;
	iot_str node, place;
	struct iot_stored_histogram durations;
	guint64 n_partial; /* the true duration is unknown */
};

struct place {
	gboolean known;
	iot_str node, place;
};

struct summary_sink {
	struct iot_sink sink;
	const struct iot_timeline *tl;
	struct iot_out *out;
	GHashTable *by_key;			       /* of struct group, which is its own key */
	GPtrArray *groups;			       /* struct group */
	GArray *places;				       /* struct place, by row */
	GHashTable *texts;			       /* places as text -> number + 1 */
	GPtrArray *names;			       /* the texts by number */
	guint64 n_left_out;			       /* states of further groups */
	struct iot_histogram_store *store;	       /* of the groups */
	const struct iot_histogram_store *waits_store; /* of the parts and causes of waits */
	GError *error;				       /* of a store */
};

static guint group_hash(gconstpointer key)
{
	const struct group *group = key;

	return ((group->cat * 31 + group->asks) * 31 + group->node) * 31 + group->place;
}

static gboolean group_equal(gconstpointer a, gconstpointer b)
{
	const struct group *x = a, *y = b;

	return x->cat == y->cat && x->asks == y->asks && x->node == y->node && x->place == y->place;
}

static void group_free(gpointer data)
{
	iot_histogram_clear(&((struct group *)data)->durations.top);
	g_free(data);
}

static void summary_free(struct iot_sink *sink)
{
	struct summary_sink *summary = (struct summary_sink *)sink;

	if (!summary)
		return;
	iot_out_free(summary->out);
	iot_histogram_store_free(summary->store);
	g_hash_table_unref(summary->by_key);
	g_ptr_array_unref(summary->groups);
	g_array_unref(summary->places);
	g_hash_table_unref(summary->texts);
	g_ptr_array_unref(summary->names);
	g_clear_error(&summary->error);
	g_free(summary);
}

static struct iot_sink *summary_open(const struct iot_sink_args *args, GError **error)
{
	struct summary_sink *summary = g_new0(struct summary_sink, 1);

	summary->sink.ops = &iot_sink_summary;
	summary->tl = args->tl;
	summary->by_key = g_hash_table_new(group_hash, group_equal);
	summary->groups = g_ptr_array_new_with_free_func(group_free);
	summary->places = g_array_new(FALSE, TRUE, sizeof(struct place));
	summary->texts = g_hash_table_new(g_str_hash, g_str_equal);
	summary->names = g_ptr_array_new_with_free_func(g_free);
	summary->store = iot_histogram_store_new(args->path, 0);
	summary->out = iot_out_open(args->path, error);
	if (summary->out)
		return &summary->sink;
	summary_free(&summary->sink);
	return NULL;
}

/* ---- places */

/* The number of the text, which is taken, plus 1. */
static iot_str number_of(struct summary_sink *summary, char *text)
{
	gpointer number = g_hash_table_lookup(summary->texts, text);

	if (number) {
		g_free(text);
		return GPOINTER_TO_UINT(number);
	}
	g_ptr_array_add(summary->names, text);
	g_hash_table_insert(summary->texts, text, GUINT_TO_POINTER(summary->names->len));
	return summary->names->len;
}

static char *without_number(const char *name)
{
	gsize len = strlen(name), end = len;

	while (end && g_ascii_isdigit(name[end - 1]))
		end--;
	return g_strndup(name, end > 1 && end < len && name[end - 1] == ' ' ? end - 1 : len);
}

/* The row directly below the node's row @node on the path to @row; 0: they are one. */
static iot_row_id below_node(const struct iot_timeline *tl, iot_row_id node, iot_row_id row)
{
	iot_row_id below = 0;

	for (; row != node; row = iot_row_at(tl, row)->parent)
		below = row;
	return below;
}

static void find_place(struct summary_sink *summary, iot_row_id row, struct place *out)
{
	const struct iot_timeline *tl = summary->tl;
	iot_row_id node = iot_row_node(tl, row);
	iot_row_id above = node ? iot_row_thing(tl, node) : row;
	iot_row_id below = node ? below_node(tl, node, row) : 0;

	out->known = TRUE;
	out->node = node ? iot_row_at(tl, node)->name : 0;
	if (above)
		out->place = number_of(summary, iot_timeline_path(tl, above, "/"));
	else if (below)
		out->place = number_of(summary,
				       without_number(iot_tl_str(tl, iot_row_at(tl, below)->name)));
}

static const struct place *place_of(struct summary_sink *summary, iot_row_id row)
{
	struct place *place;

	if (row >= summary->places->len)
		g_array_set_size(summary->places, row + 1);
	place = &g_array_index(summary->places, struct place, row);
	if (!place->known)
		find_place(summary, row, place);
	return place;
}

/* ---- items */

static gboolean summary_item(struct iot_sink *sink, const struct iot_item *item, GError **error)
{
	struct summary_sink *summary = (struct summary_sink *)sink;
	const struct place *place;
	struct group key, *group;

	(void)error;
	if (item->kind != IOT_ITEM_SPAN || iot_type_at(summary->tl, item->type)->repeats)
		return TRUE;
	place = place_of(summary, item->row);
	key = (struct group){
		.cat = item->cat,
		.asks = item->asks,
		.node = place->node,
		.place = place->place,
	};
	group = g_hash_table_lookup(summary->by_key, &key);
	if (!group && summary->groups->len == MAX_GROUPS) {
		summary->n_left_out++;
		return TRUE;
	}
	if (!group) {
		group = g_memdup2(&key, sizeof(key));
		g_hash_table_add(summary->by_key, group);
		g_ptr_array_add(summary->groups, group);
	}
	if (item->flags & IOT_PARTIAL)
		group->n_partial++;
	else
		iot_histogram_store_add(summary->store, &group->durations, item->t1 - item->t0);
	return TRUE;
}

/* ---- the file */

static const char *place_text(const struct summary_sink *summary, const struct group *group)
{
	return group->place ? summary->names->pdata[group->place - 1] : "";
}

static void add_cells(struct summary_sink *summary, const struct iot_histogram_store *store,
		      const struct iot_stored_histogram *stored, GString *json)
{
	struct iot_histogram histogram = { 0 };

	if (!summary->error)
		iot_histogram_store_load(store, stored, &histogram, &summary->error);
	iot_json_open(json, "cells", '[');
	for (guint i = 0; histogram.cells && i < histogram.cells->len; i++) {
		const struct iot_histogram_cell *cell =
			&g_array_index(histogram.cells, struct iot_histogram_cell, i);

		iot_json_uint(json, NULL, cell->number);
		iot_json_uint(json, NULL, cell->n);
	}
	iot_json_close(json, ']');
	iot_histogram_clear(&histogram);
}

static void add_durations(struct summary_sink *summary, const struct iot_histogram_store *store,
			  const struct iot_stored_histogram *durations, GString *json)
{
	iot_json_uint(json, "sum_ns", durations->top.sum_ns);
	iot_json_uint(json, "min_ns", durations->top.min_ns);
	iot_json_uint(json, "max_ns", durations->top.max_ns);
	add_cells(summary, store, durations, json);
}

static void add_place(const struct summary_sink *summary, iot_str node, iot_str place,
		      GString *json)
{
	if (node)
		iot_json_text(json, "node", iot_tl_str(summary->tl, node));
	if (place)
		iot_json_text(json, "place", summary->names->pdata[place - 1]);
}

static void add_group(struct summary_sink *summary, gconstpointer data, GString *json)
{
	const struct iot_timeline *tl = summary->tl;
	const struct group *group = data;

	iot_json_text(json, "state", iot_tl_str(tl, iot_cat_at(tl, group->cat)->name));
	iot_json_text(json, "type",
		      iot_tl_str(tl, iot_type_at(tl, iot_cat_at(tl, group->cat)->type)->name));
	if (group->asks)
		iot_json_text(json, "mode", iot_tl_str(tl, iot_cat_at(tl, group->asks)->name));
	add_place(summary, group->node, group->place, json);
	if (iot_cat_waits(iot_cat_at(tl, group->cat)))
		iot_json_uint(json, "waited", 1);
	iot_json_uint(json, "partial", group->n_partial);
	add_durations(summary, summary->store, &group->durations, json);
}

static int compare_texts(const struct iot_timeline *tl, iot_str a, iot_str b)
{
	return a == b ? 0
		      : iot_natural_compare(a ? iot_tl_str(tl, a) : "", b ? iot_tl_str(tl, b) : "");
}

/* By state, place, node and mode. */
static int compare_groups(gconstpointer a, gconstpointer b, gpointer user_data)
{
	const struct summary_sink *summary = user_data;
	const struct group *x = *(const struct group *const *)a,
			   *y = *(const struct group *const *)b;
	int order = (x->cat > y->cat) - (x->cat < y->cat);

	if (!order)
		order = iot_natural_compare(place_text(summary, x), place_text(summary, y));
	if (!order)
		order = compare_texts(summary->tl, x->node, y->node);
	return order ? order : (x->asks > y->asks) - (x->asks < y->asks);
}

/* ---- parts and causes of waits */

/* By place and node. */
static int compare_rows(struct summary_sink *summary, iot_row_id a, iot_row_id b)
{
	/* the table of places may move */
	const struct place x = *place_of(summary, a), y = *place_of(summary, b);
	int order = x.place == y.place	 ? 0
		    : x.place && y.place ? iot_natural_compare(summary->names->pdata[x.place - 1],
							       summary->names->pdata[y.place - 1])
					 : (x.place > y.place) - (x.place < y.place);

	return order ? order : compare_texts(summary->tl, x.node, y.node);
}

static int compare_parts(gconstpointer a, gconstpointer b, gpointer summary)
{
	const struct iot_part_distribution *x = *(const struct iot_part_distribution *const *)a;
	const struct iot_part_distribution *y = *(const struct iot_part_distribution *const *)b;
	int order = (x->state > y->state) - (x->state < y->state);

	order = order ? order : compare_rows(summary, x->row, y->row);
	order = order ? order : (x->mode > y->mode) - (x->mode < y->mode);
	order = order ? order : strcmp(x->part, y->part);
	return order ? order : strcmp(x->master, y->master);
}

static void add_part(struct summary_sink *summary, gconstpointer data, GString *json)
{
	const struct iot_part_distribution *part = data;
	const struct place *place = place_of(summary, part->row);
	const struct iot_timeline *tl = summary->tl;

	iot_json_text(json, "part", part->part);
	iot_json_text(json, "master", part->master);
	iot_json_text(json, "state", iot_tl_str(tl, iot_cat_at(tl, part->state)->name));
	if (part->mode)
		iot_json_text(json, "mode", iot_tl_str(tl, iot_cat_at(tl, part->mode)->name));
	add_place(summary, place->node, place->place, json);
	add_durations(summary, summary->waits_store, &part->durations, json);
}

static int compare_waits(gconstpointer a, gconstpointer b, gpointer summary)
{
	return compare_rows(summary, (*(const struct iot_waits_sum *const *)a)->row,
			    (*(const struct iot_waits_sum *const *)b)->row);
}

/* Holders first. */
static int compare_causes(gconstpointer a, gconstpointer b, gpointer summary)
{
	const struct iot_cause_shares *x = *(const struct iot_cause_shares *const *)a;
	const struct iot_cause_shares *y = *(const struct iot_cause_shares *const *)b;

	if (x->cause && y->cause)
		return strcmp(x->cause, y->cause);
	if (x->cause || y->cause)
		return x->cause ? 1 : -1;
	return compare_texts(((struct summary_sink *)summary)->tl, x->holder, y->holder);
}

/* @list in another order; other outputs read it at the same time. */
static GPtrArray *sorted(struct summary_sink *summary, GPtrArray *list, GCompareDataFunc compare)
{
	GPtrArray *copy = g_ptr_array_copy(list, NULL, NULL);

	g_ptr_array_set_free_func(copy, NULL);
	g_ptr_array_sort_with_data(copy, compare, summary);
	return copy;
}

static void add_waits(struct summary_sink *summary, gconstpointer data, GString *json)
{
	const struct iot_waits_sum *waits = data;
	const struct place *place = place_of(summary, waits->row);
	g_autoptr(GPtrArray) causes = sorted(summary, waits->causes, compare_causes);

	add_place(summary, place->node, place->place, json);
	iot_json_uint(json, "n", waits->n);
	iot_json_uint(json, "sum_ns", waits->ns);
	iot_json_open(json, "causes", '[');
	for (guint i = 0; i < causes->len; i++) {
		const struct iot_cause_shares *cause = causes->pdata[i];

		iot_json_open(json, NULL, '{');
		if (cause->cause)
			iot_json_text(json, "cause", cause->cause);
		else
			iot_json_text(json, "holder", iot_tl_str(summary->tl, cause->holder));
		iot_json_uint(json, "ns", cause->ns);
		iot_json_uint(json, "sum_ppm", cause->shares.top.sum_ns);
		add_cells(summary, summary->waits_store, &cause->shares, json);
		iot_json_close(json, '}');
	}
	iot_json_close(json, ']');
}

/* ---- lists */

typedef void (*add_func)(struct summary_sink *summary, gconstpointer element, GString *json);

/* A list of objects, one a line, in order; @json begins with the file, and is written. */
static void write_list(struct summary_sink *summary, GString *json, const char *name,
		       const GPtrArray *list, add_func add)
{
	iot_json_open(json, name, '[');
	for (guint i = 0; i < list->len; i++) {
		iot_out_write(summary->out, json->str, json->len);
		g_string_assign(json, i ? ",\n" : "\n");
		iot_json_open(json, NULL, '{');
		add(summary, list->pdata[i], json);
		iot_json_close(json, '}');
	}
	g_string_append_c(json, '\n');
	iot_json_close(json, ']');
}

static void write_distributions(struct summary_sink *summary, GString *json,
				const struct iot_distributions *of)
{
	g_autoptr(GPtrArray) parts = sorted(summary, of->parts, compare_parts);
	g_autoptr(GPtrArray) waits = sorted(summary, of->waits, compare_waits);

	summary->waits_store = of->store;
	write_list(summary, json, "parts", parts, add_part);
	write_list(summary, json, "waits", waits, add_waits);
}

static gboolean summary_finish(struct iot_sink *sink, const struct iot_summary *run, GError **error)
{
	struct summary_sink *summary = (struct summary_sink *)sink;
	const struct iot_distributions *of = run->results ? run->results->distributions : NULL;
	GPtrArray *groups = summary->groups;
	g_autoptr(GString) json = g_string_new(NULL);

	g_ptr_array_sort_with_data(groups, compare_groups, summary);
	iot_json_open(json, NULL, '{');
	iot_json_text(json, "format", "iotrace-summary");
	iot_json_uint(json, "version", 2);
	/* the window can be outside of the recording */
	iot_json_uint(json, "length_ns", MAX(run->to_ns, run->from_ns) - run->from_ns);
	iot_json_text(json, "models", run->models);
	iot_json_uint(json, "left_out", summary->n_left_out + (of ? of->n_left_out : 0));
	write_list(summary, json, "groups", groups, add_group);
	if (of)
		write_distributions(summary, json, of);
	g_string_append(json, "}\n");
	iot_out_write(summary->out, json->str, json->len);
	if (summary->error) {
		g_propagate_error(error, g_steal_pointer(&summary->error));
		return FALSE;
	}
	return iot_out_finish(summary->out, error);
}

const struct iot_sink_ops iot_sink_summary = {
	.name = "summary",
	.summary = "distribution of the durations of each kind of state, for compare",
	.suffix = ".summary.json",
	.analysis = "distributions",
	.feed = IOT_FEED_WHOLE_SPANS,
	.open = summary_open,
	.item = summary_item,
	.finish = summary_finish,
	.free = summary_free,
};
