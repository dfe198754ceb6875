/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time in each state: one row for each unit (for locks: resource), followed by one for each of its
 * nodes. The times of several objects on one node add up, so a sum may exceed 100% of the range.
 */
#include "sinks/sentences.h"
#include "base/units.h"
#include "tables/ranked.h"

enum { N_TOP = 10, MAX_STATES = 8, MAX_NAME = 64 };
/* If a line is too long, the column with the greatest number is left out first. */
enum { DROP_LONGEST = 1, DROP_COUNTER = 2, DROP_STATE = 3 };

/* A section: units of one type. */
struct section {
	const struct iot_publishing *from;
	GArray *units;	    /* iot_row_id, most time pending first */
	GArray *states;	    /* struct iot_cat_sum: categories that occur, by number */
	GArray *counters;   /* iot_cat_id, by number */
	const char *waits;  /* title of the time waited; NULL: no category is a wait */
	gboolean of_calls;  /* waits are calls that are drawn as spans */
	gboolean has_calls; /* there are categories of calls */
	gboolean has_other; /* there are more than MAX_STATES */
	struct iot_result_table *table;
};

static gboolean is_idle(const struct iot_row_sum *sum)
{
	return !sum->wait_ns && !sum->n_cats && !sum->calls && !sum->n_items;
}

static GArray *units_of_type(const struct iot_aggregate *sums, iot_type_id type)
{
	GArray *units = g_array_new(FALSE, FALSE, sizeof(iot_row_id));

	for (guint i = 0; i < sums->units->len; i++) {
		iot_row_id unit = g_array_index(sums->units, iot_row_id, i);

		if (iot_row_at(sums->tl, unit)->type == type &&
		    !is_idle(iot_aggregate_row(sums, unit)))
			g_array_append_val(units, unit);
	}
	return units;
}

static int compare_time(gconstpointer pa, gconstpointer pb)
{
	const struct iot_cat_sum *a = pa, *b = pb;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	return a->cat < b->cat ? -1 : a->cat > b->cat;
}

static int compare_number(gconstpointer pa, gconstpointer pb)
{
	const struct iot_cat_sum *a = pa, *b = pb;

	return a->cat < b->cat ? -1 : a->cat > b->cat;
}

/* With too many categories the ones with the least time share a column. */
static void find_states(struct section *section)
{
	struct iot_row_sum all = { 0 };

	for (guint i = 0; i < section->units->len; i++) {
		const struct iot_row_sum *sum = iot_aggregate_row(
			section->from->sums, g_array_index(section->units, iot_row_id, i));

		for (guint32 k = 0; k < sum->n_cats; k++)
			iot_row_sum_add(&all, sum->cats[k].cat, sum->cats[k].ns);
	}
	section->states = g_array_new(FALSE, FALSE, sizeof(struct iot_cat_sum));
	if (all.n_cats)
		g_array_append_vals(section->states, all.cats, all.n_cats);
	g_free(all.cats);
	g_array_sort(section->states, compare_time);
	section->has_other = section->states->len > MAX_STATES;
	if (section->has_other)
		g_array_set_size(section->states, MAX_STATES);
	g_array_sort(section->states, compare_number);
}

static int compare_ids(gconstpointer pa, gconstpointer pb)
{
	iot_cat_id a = *(const iot_cat_id *)pa, b = *(const iot_cat_id *)pb;

	return a < b ? -1 : a > b;
}

static void find_counters(struct section *section)
{
	g_autofree gboolean *seen = g_new0(gboolean, section->from->tl->cats.n);

	section->counters = g_array_new(FALSE, FALSE, sizeof(iot_cat_id));
	for (guint i = 0; i < section->units->len; i++) {
		const struct iot_row_sum *sum = iot_aggregate_row(
			section->from->sums, g_array_index(section->units, iot_row_id, i));

		for (guint32 k = 0; k < sum->n_counters; k++) {
			if (!seen[sum->counters[k].cat])
				g_array_append_val(section->counters, sum->counters[k].cat);
			seen[sum->counters[k].cat] = TRUE;
		}
	}
	g_array_sort(section->counters, compare_ids);
}

/* Whether the category is drawn on rows of a type or below it. */
static gboolean is_drawn_below(const struct iot_timeline *tl, iot_cat_id cat, iot_type_id type)
{
	iot_type_id on = iot_type_at(tl, iot_cat_at(tl, cat)->type)->on;

	while (on && on != type)
		on = iot_type_at(tl, on)->on;
	return on == type;
}

/* Whether units have calls and waits. The title of waits is the name of the category if it is the
 * only one; calls that are drawn as spans are waits. */
static void find_titles(struct section *section, iot_type_id type)
{
	const struct iot_timeline *tl = section->from->tl;

	for (iot_cat_id id = 1; id < tl->cats.n; id++) {
		const struct iot_category *cat = iot_cat_at(tl, id);
		gboolean span = iot_type_at(tl, cat->type)->kind == IOT_TYPE_SPAN;

		if (!is_drawn_below(tl, id, type))
			continue;
		section->has_calls |= cat->role == IOT_ROLE_CALL;
		section->of_calls |= cat->role == IOT_ROLE_CALL && span;
		if (cat->role == IOT_ROLE_WAIT)
			section->waits = section->waits ? "waiting" : iot_tl_str(tl, cat->name);
	}
	if (section->of_calls)
		section->waits = "in calls";
}

static struct iot_column *add_time_column(struct iot_result_table *table, const char *name,
					  const char *title)
{
	struct iot_column *column = iot_result_column(table, name, title, IOT_COLUMN_NS);

	column->flags = IOT_COLUMN_DASH | IOT_COLUMN_OF_RANGE;
	column->help = g_strdup("added up over the nodes and lanes of the row");
	return column;
}

/* How many states have more time. The state with the least time is left out first. */
static guint place_of(const struct section *section, guint state)
{
	const struct iot_cat_sum *at = &g_array_index(section->states, struct iot_cat_sum, state);
	guint place = 0;

	for (guint i = 0; i < section->states->len; i++)
		place += compare_time(&g_array_index(section->states, struct iot_cat_sum, i), at) <
			 0;
	return place;
}

static gboolean is_real(const struct iot_timeline *tl, iot_cat_id counter)
{
	return iot_type_is_real(iot_type_at(tl, iot_cat_at(tl, counter)->type));
}

static void add_columns(struct section *section)
{
	const struct iot_timeline *tl = section->from->tl;
	struct iot_result_table *table = section->table;
	struct iot_column *column;

	if (section->waits) {
		add_time_column(table, "waited", section->waits);
		column = iot_result_column(table, "longest", "longest", IOT_COLUMN_NS);
		column->flags = IOT_COLUMN_DASH;
		column->drop = DROP_LONGEST;
	}
	if (section->has_calls)
		iot_result_column(table, "calls", "calls", IOT_COLUMN_COUNT)->flags =
			IOT_COLUMN_DASH;
	for (guint i = 0; i < section->counters->len; i++) {
		iot_cat_id cat = g_array_index(section->counters, iot_cat_id, i);
		const char *name = iot_tl_str(tl, iot_cat_at(tl, cat)->name);

		column = iot_result_column(table, name, name,
					   is_real(tl, cat) ? IOT_COLUMN_REAL : IOT_COLUMN_COUNT);
		column->flags = IOT_COLUMN_DASH;
		column->drop = DROP_COUNTER;
	}
	for (guint i = 0; i < section->states->len; i++) {
		iot_cat_id cat = g_array_index(section->states, struct iot_cat_sum, i).cat;
		const char *name = iot_tl_str(tl, iot_cat_at(tl, cat)->name);

		add_time_column(table, name, name)->drop = DROP_STATE + place_of(section, i);
	}
	if (section->has_other)
		add_time_column(table, "other", "other")->drop = DROP_STATE + MAX_STATES;
	iot_result_column(table, "type", "type", IOT_COLUMN_TEXT)->flags = IOT_COLUMN_DATA;
}

static void add_counter(struct iot_result_table *table, const struct iot_timeline *tl,
			const struct iot_row_sum *sum, iot_cat_id cat)
{
	const struct iot_counter_sum none = { .is_real = is_real(tl, cat) }, *counter = &none;

	for (guint32 i = 0; i < sum->n_counters; i++)
		if (sum->counters[i].cat == cat)
			counter = &sum->counters[i];
	if (counter->is_real)
		iot_result_share(table, counter->real);
	else
		iot_result_signed(table, counter->value);
}

/* @row: 0 for the sum of the others */
static struct iot_result_row *add_row(struct section *section, iot_row_id row,
				      const struct iot_row_sum *sum)
{
	struct iot_result_table *table = section->table;
	const struct iot_timeline *tl = section->from->tl;
	struct iot_result_row *added = iot_result_row(table);
	guint64 other = 0;

	iot_ranked_cell(table, iot_cell_positive(row));
	if (section->waits) {
		iot_result_number(table, sum->wait_ns);
		iot_ranked_cell(table,
				iot_cell_least(sum->worst_ns,
					       iot_longest_is_least(section->from, row, sum)));
	}
	if (section->has_calls)
		iot_result_number(table, sum->calls);
	for (guint i = 0; i < section->counters->len; i++)
		add_counter(table, tl, sum, g_array_index(section->counters, iot_cat_id, i));
	for (guint32 i = 0; i < sum->n_cats; i++)
		other += sum->cats[i].ns;
	for (guint i = 0; i < section->states->len; i++) {
		guint64 ns = iot_aggregate_cat_ns(
			sum, g_array_index(section->states, struct iot_cat_sum, i).cat);

		iot_result_number(table, ns);
		other -= ns;
	}
	if (section->has_other)
		iot_result_number(table, other);
	if (row)
		iot_result_text(table,
				iot_tl_str(tl, iot_type_at(tl, iot_row_at(tl, row)->type)->name));
	return added;
}

static void add_unit(struct section *section, iot_row_id unit)
{
	const struct iot_aggregate *sums = section->from->sums;
	const struct iot_row_sum *sum = iot_aggregate_row(sums, unit);

	add_row(section, unit, sum)->strong = TRUE;
	for (guint i = 0; i < sum->n_nodes; i++) {
		iot_row_id node = g_array_index(sums->nodes, iot_row_id, sum->first_node + i);

		if (node != unit && !is_idle(iot_aggregate_row(sums, node)))
			add_row(section, node, iot_aggregate_row(sums, node))->level = 1;
	}
}

/* One row for the units after the first @shown. */
static void add_others(struct section *section, guint shown)
{
	struct iot_row_sum all = { 0 };

	for (guint i = shown; i < section->units->len; i++) {
		const struct iot_row_sum *sum = iot_aggregate_row(
			section->from->sums, g_array_index(section->units, iot_row_id, i));

		all.wait_ns += sum->wait_ns;
		iot_row_sum_longest(&all, sum);
		all.calls += sum->calls;
		for (guint32 k = 0; k < sum->n_cats; k++)
			iot_row_sum_add(&all, sum->cats[k].cat, sum->cats[k].ns);
		for (guint32 k = 0; k < sum->n_counters; k++)
			iot_row_sum_count(&all, &sum->counters[k]);
	}
	add_row(section, 0, &all)->others = section->units->len - shown;
	g_free(all.cats);
	g_free(all.counters);
}

/* "Resources": the title of the row type as a heading */
static char *plural_title(const struct iot_timeline *tl, iot_type_id type)
{
	g_autofree char *plural = iot_plural(iot_tl_str(tl, iot_type_at(tl, type)->title), 2);
	g_autofree char *first = g_utf8_substring(plural, 0, 1);
	g_autofree char *upper = g_utf8_strup(first, -1);

	return g_strconcat(upper, g_utf8_next_char(plural), NULL);
}

static char *shown_of(const struct section *section, guint shown)
{
	if (shown == section->units->len)
		return NULL;
	if (!section->waits)
		return g_strdup_printf("%u of %u", shown, section->units->len);
	return g_strdup_printf("the %u with the most time %s, of %u", shown,
			       section->of_calls ? "in calls" : "pending", section->units->len);
}

static gboolean has_times(const struct section *section)
{
	for (guint i = 0; i < section->units->len; i++) {
		const struct iot_row_sum *sum = iot_aggregate_row(
			section->from->sums, g_array_index(section->units, iot_row_id, i));

		if (sum->wait_ns || sum->n_cats)
			return TRUE;
	}
	return FALSE;
}

/* Without it, sums longer than the recording look like a mistake. */
static void explain_shares(struct iot_result_table *table)
{
	g_autofree char *length = iot_format_duration(table->range_ns);

	iot_result_note(table,
			"times add up over nodes and lanes (node-seconds); %% is of the %s shown, "
			"and may exceed 100",
			length);
}

/* @explained: whether a table has the note on shares */
static void add_table(struct section *section, iot_type_id type, struct iot_results *to,
		      gboolean *explained)
{
	const struct iot_publishing *from = section->from;
	guint n = section->units->len, shown = from->all ? n : MIN(n, N_TOP);
	g_autofree char *title = plural_title(from->tl, type);
	g_autofree char *name = g_strconcat(
		"states_", iot_tl_str(from->tl, iot_type_at(from->tl, type)->name), NULL);
	g_autofree char *chain = iot_type_chain(from->tl, type);
	const struct iot_ranked_column place[] = {
		{ "place", chain, IOT_COLUMN_ROW, IOT_COLUMN_SHRINK, .max_width = MAX_NAME },
	};
	const struct iot_ranked ranked = {
		IOT_RANKED(name, title, place),
		.help = "time in each state; rows of level 1 are parts of the row before",
		.loss = IOT_LOSS_IN_CELLS,
	};

	iot_aggregate_sort(from->sums, section->units, IOT_BY_PENDING, FALSE);
	section->table = iot_ranked_table(to, from->tl, &ranked, n);
	section->table->of_rows = type;
	section->table->range_ns = iot_shown_to(from->summary) - iot_shown_from(from->summary);
	section->table->counts_others = TRUE;
	find_states(section);
	find_counters(section);
	find_titles(section, type);
	section->table->remark = shown_of(section, shown);
	add_columns(section);
	for (guint i = 0; i < shown; i++)
		add_unit(section, g_array_index(section->units, iot_row_id, i));
	if (shown < n)
		add_others(section, shown);
	if (section->table->range_ns && !*explained && has_times(section)) {
		explain_shares(section->table);
		*explained = TRUE;
	}
	g_array_unref(section->states);
	g_array_unref(section->counters);
}

static gboolean is_in_lockspace(const struct iot_timeline *tl, iot_type_id type)
{
	iot_type_id above = iot_type_at(tl, type)->on;

	return above && !strcmp(iot_tl_str(tl, iot_type_at(tl, above)->name), "lockspace");
}

/* What the names of the rows do not say. */
static void add_names(struct section *section, iot_type_id type)
{
	const struct iot_timeline *tl = section->from->tl;
	g_autofree char *unnamed = iot_unnamed_lockspaces(tl, section->units);

	if (unnamed)
		iot_result_note(section->table, "%s", unnamed);
	if (!is_in_lockspace(tl, type))
		iot_note_twins(tl, type, section->table);
}

void iot_publish_units(const struct iot_publishing *from, struct iot_results *to)
{
	gboolean explained = FALSE;

	for (iot_type_id type = 1; type < from->tl->types.n; type++) {
		g_autoptr(GArray) units = units_of_type(from->sums, type);
		struct section section = { .from = from, .units = units };

		if (!units->len)
			continue;
		add_table(&section, type, to, &explained);
		add_names(&section, type);
	}
}
