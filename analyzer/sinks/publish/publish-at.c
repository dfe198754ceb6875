/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of the output at: locks and calls at an instant. */
#include "sinks/publish.h"
#include "base/units.h"
#include "tables/ranked.h"

/* All spans on a row, or below a resource. */
struct place {
	iot_row_id row;
	guint64 waited; /* the longest wait for it so far */
};

struct entry {
	const struct iot_item *item;
	const struct place *place;
};

static iot_row_id place_of(const struct iot_timeline *tl, iot_row_id row)
{
	iot_row_id node = iot_row_node(tl, row);

	/* the rows of a resource are its nodes; those of a thread are below its machine */
	return node == row ? iot_row_thing(tl, row) : row;
}

static gboolean waits(const struct iot_timeline *tl, const struct iot_item *item)
{
	return iot_cat_waits(iot_cat_at(tl, item->cat));
}

static int by_place(gconstpointer pa, gconstpointer pb, gconstpointer data)
{
	const struct entry *a = pa, *b = pb;
	const struct iot_timeline *tl = ((const struct iot_at *)data)->tl;
	gboolean waits_a = waits(tl, a->item), waits_b = waits(tl, b->item);

	if (a->place->waited != b->place->waited)
		return a->place->waited > b->place->waited ? -1 : 1;
	if (a->place != b->place)
		return a->place->row < b->place->row ? -1 : 1;
	if (waits_a != waits_b)
		return waits_a ? 1 : -1;
	if (a->item->t0 != b->item->t0)
		return a->item->t0 < b->item->t0 ? -1 : 1;
	if (a->item->row != b->item->row)
		return a->item->row < b->item->row ? -1 : 1;
	return (a->item->lane > b->item->lane) - (a->item->lane < b->item->lane);
}

static char *process_of(const struct iot_timeline *tl, const struct iot_item *item)
{
	const struct iot_type *type = iot_type_at(tl, item->type);
	int pid = iot_type_attr(tl, type, "pid"), command = iot_type_attr(tl, type, "command");
	guint64 number = iot_item_number(item, (guint)(1 + pid));

	return number ? iot_process_name(tl, number, iot_item_number(item, (guint)(1 + command)))
		      : NULL;
}

static const char *sure(const struct iot_at *at, const struct iot_item *item)
{
	iot_str node = iot_row_at(at->tl, iot_row_node(at->tl, item->row))->name;

	for (guint i = 0; i < at->unseen->len; i++)
		if (g_array_index(at->unseen, struct iot_at_unseen, i).node == node)
			return "not observed then";
	if (item->flags & IOT_UNKNOWN)
		return "unknown";
	if (item->flags & (IOT_BEFORE | IOT_CUT_LEFT))
		return "began earlier";
	return item->flags & IOT_SUSPECT ? "perhaps over" : NULL;
}

static void add_row(struct iot_result_table *table, gconstpointer element, gconstpointer data)
{
	const struct entry *entry = element;
	const struct iot_at *to = data;
	const struct iot_timeline *tl = to->tl;
	const struct iot_item *item = entry->item;
	const struct iot_category *cat = iot_cat_at(tl, item->cat);
	iot_row_id node = iot_row_node(tl, item->row);
	g_autofree char *process = process_of(tl, item);

	iot_ranked_row(table, iot_cell_number(entry->place->row),
		       iot_cell_text(node ? iot_tl_str(tl, iot_row_at(tl, node)->name) : NULL),
		       iot_cell_text(process), iot_cell_number(item->cat),
		       iot_cell_text(waits(tl, item) && item->asks
					     ? iot_tl_str(tl, iot_cat_at(tl, item->asks)->name)
					     : NULL),
		       iot_cell_number(item->t0),
		       iot_cell_least(to->t - item->t0,
				      iot_flags_cut(item->flags & (IOT_BEFORE | IOT_CUT_LEFT))),
		       iot_cell_text(cat->role == IOT_ROLE_HOLD	     ? "holds"
				     : cat->role == IOT_ROLE_WAIT    ? "waits"
				     : cat->role == IOT_ROLE_LEAVING ? "gives up"
				     : cat->role == IOT_ROLE_KEEPING ? "asks again"
								     : "calls"),
		       iot_cell_text(sure(to, item)));
}

static const struct iot_ranked_column columns[] = {
	{ "place", "resource", IOT_COLUMN_ROW, IOT_COLUMN_SHRINK },
	{ "node", "node", IOT_COLUMN_TEXT },
	{ "process", "process", IOT_COLUMN_TEXT, .drop = 1 },
	{ "state", "state", IOT_COLUMN_CATEGORY },
	{ "asks", "wants", IOT_COLUMN_TEXT, IOT_COLUMN_OPTIONAL },
	{ "since", "since", IOT_COLUMN_INSTANT, .drop = 2 },
	{ "lasted", "for", IOT_COLUMN_NS, .help = "how long it had lasted at the instant" },
	{ "does", "", IOT_COLUMN_TEXT, IOT_COLUMN_UNTITLED },
	{ "sure", "", IOT_COLUMN_TEXT, IOT_COLUMN_UNTITLED | IOT_COLUMN_OPTIONAL,
	  .help = "why it is not certain" },
};

static const struct iot_ranked ranked = {
	IOT_RANKED("at", "Held and waited for", columns),
	.compare = by_place,
	.add = add_row,
	.loss = IOT_LOSS_IN_CELLS,
};

static struct place *find_place(GHashTable *places, iot_row_id row)
{
	struct place *place = g_hash_table_lookup(places, GUINT_TO_POINTER(row));

	if (!place) {
		place = g_new0(struct place, 1);
		place->row = row;
		g_hash_table_insert(places, GUINT_TO_POINTER(row), place);
	}
	return place;
}

static void add_notes(const struct iot_at *at, struct iot_result_table *table)
{
	g_autoptr(GString) unseen = g_string_new(NULL);
	guint n_before = 0;

	for (guint i = 0; i < at->unseen->len; i++)
		g_string_append_printf(
			unseen, "%s%s", i ? ", " : "",
			iot_tl_str(at->tl,
				   g_array_index(at->unseen, struct iot_at_unseen, i).node));
	for (guint i = 0; i < at->open->len; i++)
		n_before += g_array_index(at->open, struct iot_item, i).flags &
					    (IOT_BEFORE | IOT_CUT_LEFT)
				    ? 1
				    : 0;
	if (unseen->len)
		iot_result_note(table, "not observed at that instant: %s", unseen->str);
	if (n_before)
		iot_result_note(table, "%u began before the recording", n_before);
	if (at->n_free)
		iot_result_note(table,
				"left out: %" G_GUINT64_FORMAT
				" holds in modes that are in nobody's way; at,all shows them",
				at->n_free);
	iot_result_note(table, "a lock without an event in the recording is in no row");
}

struct iot_results *iot_publish_at(const struct iot_at *at)
{
	g_autoptr(GHashTable) places = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	g_autoptr(GArray) entries = g_array_new(FALSE, FALSE, sizeof(struct entry));
	struct iot_results *results = iot_results_new();
	struct iot_result_table *table;

	for (guint i = 0; i < at->open->len; i++) {
		const struct iot_item *item = &g_array_index(at->open, struct iot_item, i);
		struct place *place = find_place(places, place_of(at->tl, item->row));
		const struct entry entry = { item, place };

		if (waits(at->tl, item))
			place->waited = MAX(place->waited, at->t - item->t0);
		g_array_append_val(entries, entry);
	}
	table = iot_ranked_publish_array(results, at->tl, &ranked, entries, at);
	if (table)
		add_notes(at, table);
	return results;
}
