/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time in each state: one row for each unit (for locks: resource), followed by one for each of its
 * nodes. The times of several objects on one node add up, so a sum may exceed 100% of the range.
 */
#include "sinks/report/report-units.h"
#include "base/units.h"

enum { N_TOP = 10, MAX_STATES = 8, MAX_NAME = 64 };
/* If a line is too long, the column with the greatest number is left out first. */
enum { DROP_LONGEST = 1, DROP_COUNTER = 2, DROP_STATE = 3, DROP_SHARE = 100 };

/* A section: units of one type. */
struct section {
	struct iot_report *report;
	GArray *units;	    /* iot_row_id, most time pending first */
	GArray *states;	    /* struct iot_cat_sum: categories that occur, by number */
	GArray *counters;   /* iot_cat_id, by number */
	const char *waits;  /* title of the time waited; NULL: no category is a wait */
	gboolean of_calls;  /* waits are calls that are drawn as spans */
	gboolean has_calls; /* there are categories of calls */
	gboolean has_other; /* there are more than MAX_STATES */
	struct iot_table *table;
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
			section->report->sums, g_array_index(section->units, iot_row_id, i));

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
	g_autofree gboolean *seen = g_new0(gboolean, section->report->tl->cats.n);

	section->counters = g_array_new(FALSE, FALSE, sizeof(iot_cat_id));
	for (guint i = 0; i < section->units->len; i++) {
		const struct iot_row_sum *sum = iot_aggregate_row(
			section->report->sums, g_array_index(section->units, iot_row_id, i));

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
	const struct iot_timeline *tl = section->report->tl;

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

/* @drop: of the time; the share is left out earlier. 0: both stay */
static void add_share_columns(struct iot_table *table, const char *title, guint drop)
{
	struct iot_table_column *percent;
	g_autofree char *upper = g_utf8_strup(title, -1);

	iot_table_column(table, upper, IOT_RIGHT)->drop = drop;
	percent = iot_table_column(table, "", IOT_RIGHT);
	percent->gap = 1;
	percent->optional = TRUE;
	percent->drop = drop ? DROP_SHARE + drop : 0;
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

static void add_columns(struct section *section, iot_type_id type)
{
	const struct iot_timeline *tl = section->report->tl;
	g_autofree char *chain = iot_type_chain(tl, type);
	g_autofree char *upper = g_utf8_strup(chain, -1);
	struct iot_table_column *name;

	name = iot_table_column(section->table, upper, IOT_LEFT);
	name->max_width = MAX_NAME;
	name->shrink = TRUE;
	if (section->waits) {
		add_share_columns(section->table, section->waits, 0);
		iot_table_column(section->table, "LONGEST", IOT_RIGHT)->drop = DROP_LONGEST;
	}
	if (section->has_calls)
		iot_table_column(section->table, "CALLS", IOT_RIGHT);
	for (guint i = 0; i < section->counters->len; i++) {
		iot_cat_id cat = g_array_index(section->counters, iot_cat_id, i);
		g_autofree char *title =
			g_utf8_strup(iot_tl_str(tl, iot_cat_at(tl, cat)->name), -1);

		iot_table_column(section->table, title, IOT_RIGHT)->drop = DROP_COUNTER;
	}
	for (guint i = 0; i < section->states->len; i++) {
		iot_cat_id cat = g_array_index(section->states, struct iot_cat_sum, i).cat;

		add_share_columns(section->table, iot_tl_str(tl, iot_cat_at(tl, cat)->name),
				  DROP_STATE + place_of(section, i));
	}
	if (section->has_other)
		add_share_columns(section->table, "other", DROP_STATE + MAX_STATES);
}

static char *format_percent(guint64 ns, guint64 range)
{
	double percent;

	if (!ns || !range)
		return NULL;
	percent = 100.0 * (double)ns / (double)range;
	return percent < 1 ? g_strdup("<1%") : g_strdup_printf("%.0f%%", percent);
}

static void add_share(struct section *section, enum iot_style style, guint64 ns)
{
	guint64 range = section->report->to_ns - section->report->from_ns;

	iot_table_take(section->table, style, iot_report_duration(ns));
	iot_table_take(section->table, style, format_percent(ns, range));
}

static char *format_counter(const struct iot_row_sum *sum, iot_cat_id cat)
{
	gint64 value = 0;

	for (guint32 i = 0; i < sum->n_counters; i++)
		if (sum->counters[i].cat == cat)
			value = sum->counters[i].value;
	return value < 0 ? g_strdup_printf("%" G_GINT64_FORMAT, value)
			 : iot_report_count((guint64)value);
}

static void add_row(struct section *section, enum iot_style style, char *name,
		    const struct iot_row_sum *sum)
{
	guint64 other = 0;

	iot_table_row(section->table);
	iot_table_take(section->table, style, name);
	if (section->waits) {
		add_share(section, style, sum->wait_ns);
		iot_table_take(section->table, style, iot_report_duration(sum->worst_ns));
	}
	if (section->has_calls)
		iot_table_take(section->table, style, iot_report_count(sum->calls));
	for (guint i = 0; i < section->counters->len; i++)
		iot_table_take(
			section->table, style,
			format_counter(sum, g_array_index(section->counters, iot_cat_id, i)));
	for (guint32 i = 0; i < sum->n_cats; i++)
		other += sum->cats[i].ns;
	for (guint i = 0; i < section->states->len; i++) {
		guint64 ns = iot_aggregate_cat_ns(
			sum, g_array_index(section->states, struct iot_cat_sum, i).cat);

		add_share(section, style, ns);
		other -= ns;
	}
	if (section->has_other)
		add_share(section, style, other);
}

static void add_unit(struct section *section, iot_row_id unit)
{
	const struct iot_report *report = section->report;
	const struct iot_row_sum *sum = iot_aggregate_row(report->sums, unit);

	add_row(section, IOT_BOLD, iot_timeline_path(report->tl, unit, "/"), sum);
	for (guint i = 0; i < sum->n_nodes; i++) {
		iot_row_id node =
			g_array_index(report->sums->nodes, iot_row_id, sum->first_node + i);
		const char *name = iot_tl_str(report->tl, iot_row_at(report->tl, node)->name);

		if (node != unit && !is_idle(iot_aggregate_row(report->sums, node)))
			add_row(section, IOT_PLAIN, g_strdup_printf("  %s", name),
				iot_aggregate_row(report->sums, node));
	}
}

static void write_heading(const struct section *section, iot_type_id type, guint shown)
{
	struct iot_report *report = section->report;
	const char *title = iot_tl_str(report->tl, iot_type_at(report->tl, type)->title);
	g_autofree char *plural = iot_plural(title, 2);
	g_autofree char *first = g_utf8_substring(plural, 0, 1);
	g_autofree char *upper = g_utf8_strup(first, -1);

	if (shown < section->units->len && !section->waits)
		iot_report_heading(report, "%s%s (%u of %u)", upper, g_utf8_next_char(plural),
				   shown, section->units->len);
	else if (shown < section->units->len)
		iot_report_heading(report, "%s%s (the %u with the most time %s, of %u)", upper,
				   g_utf8_next_char(plural), shown,
				   section->of_calls ? "in calls" : "pending", section->units->len);
	else
		iot_report_heading(report, "%s%s", upper, g_utf8_next_char(plural));
}

static gboolean has_times(const struct section *section)
{
	for (guint i = 0; i < section->units->len; i++) {
		const struct iot_row_sum *sum = iot_aggregate_row(
			section->report->sums, g_array_index(section->units, iot_row_id, i));

		if (sum->wait_ns || sum->n_cats)
			return TRUE;
	}
	return FALSE;
}

/* Printed once: without it, sums longer than the recording look like a mistake. */
static void explain_shares(struct iot_report *report)
{
	g_autofree char *length = iot_format_duration(report->to_ns - report->from_ns);

	if (!report->shares_explained)
		iot_report_note(report,
				"times add up over nodes and lanes (node-seconds); %% is of the "
				"%s shown, and may exceed 100",
				length);
	report->shares_explained = TRUE;
}

static void write_section(struct iot_report *report, iot_type_id type, GArray *units)
{
	struct section section = { .report = report, .units = units };
	guint shown = report->all ? units->len : MIN(units->len, N_TOP);

	iot_aggregate_sort(report->sums, units, IOT_BY_PENDING, FALSE);
	section.table = iot_report_table(report);
	find_states(&section);
	find_counters(&section);
	find_titles(&section, type);
	add_columns(&section, type);
	for (guint i = 0; i < shown; i++)
		add_unit(&section, g_array_index(units, iot_row_id, i));
	write_heading(&section, type, shown);
	iot_table_write(section.table, report->out, report->colour);
	if (report->to_ns > report->from_ns && has_times(&section))
		explain_shares(report);
	iot_table_free(section.table);
	g_array_unref(section.states);
	g_array_unref(section.counters);
}

void iot_report_units(struct iot_report *report)
{
	for (iot_type_id type = 1; type < report->tl->types.n; type++) {
		g_autoptr(GArray) units = units_of_type(report->sums, type);

		if (units->len)
			write_section(report, type, units);
	}
}
