/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls and completions by result, the longest waits, and the times without events. */
#include "sinks/report/report-events.h"
#include "base/units.h"

#include <string.h>

enum { MAX_RESULTS = 8, MAX_PATH = 64, MAX_ATTRS_WIDTH = 72 };

/* "EAGAIN 10, EINVAL 2" */
static char *list_failures(const struct iot_report *report, iot_cat_id cat)
{
	g_autoptr(GArray) failures = iot_aggregate_failures(report->sums, cat);
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < MIN(failures->len, MAX_RESULTS); i++) {
		const struct iot_failure *failure = &g_array_index(failures, struct iot_failure, i);
		g_autofree char *count = iot_format_count(failure->n);
		char digits[IOT_DIGITS_ROOM];
		const char *result = iot_tl_text(report->tl, failure->result, digits, NULL);

		if (*result)
			g_string_append_printf(text, "%s%s %s", text->len ? ", " : "", result,
					       count);
	}
	if (failures->len > MAX_RESULTS)
		g_string_append_printf(text, ", and %u others", failures->len - MAX_RESULTS);
	return g_string_free(text, FALSE);
}

static const struct iot_point_sum *point_sum(const struct iot_report *report, iot_cat_id cat)
{
	return &g_array_index(report->sums->points, struct iot_point_sum, cat);
}

/* Whether another row of the table has this name: DLM locks and file locks, for example. */
static gboolean is_ambiguous(const struct iot_report *report, iot_cat_id cat)
{
	const struct iot_category *category = iot_cat_at(report->tl, cat);

	for (iot_cat_id other = 1; other < report->sums->points->len; other++)
		if (other != cat && point_sum(report, other)->n &&
		    iot_cat_at(report->tl, other)->name == category->name &&
		    iot_cat_at(report->tl, other)->role == category->role)
			return TRUE;
	return FALSE;
}

/* "lock", or "lock (file I/O)" */
static char *row_name(const struct iot_report *report, iot_cat_id cat)
{
	const struct iot_category *category = iot_cat_at(report->tl, cat);
	const char *name = iot_tl_str(report->tl, category->name);
	const struct iot_type *type = iot_type_at(report->tl, category->type);

	return is_ambiguous(report, cat)
		       ? g_strdup_printf("%s (%s)", name, iot_tl_str(report->tl, type->title))
		       : g_strdup(name);
}

static void add_category(const struct iot_report *report, struct iot_table *table, iot_cat_id cat)
{
	const struct iot_point_sum *sum = point_sum(report, cat);
	const struct iot_category *category = iot_cat_at(report->tl, cat);
	const char *kind = category->role == IOT_ROLE_CALL     ? "call"
			   : category->role == IOT_ROLE_RESULT ? "completion"
							       : "";

	iot_table_row(table);
	iot_table_take(table, IOT_PLAIN, row_name(report, cat));
	iot_table_cell(table, IOT_PLAIN, kind);
	iot_table_take(table, IOT_PLAIN, iot_format_count(sum->n));
	iot_table_take(table, IOT_PLAIN, iot_report_count(sum->failed));
	iot_table_take(table, IOT_PLAIN, sum->not_ended ? iot_format_count(sum->not_ended) : NULL);
	iot_table_take(table, IOT_PLAIN,
		       sum->took_n ? iot_format_duration(sum->took_ns / sum->took_n) : NULL);
	iot_table_take(table, IOT_PLAIN,
		       sum->took_n ? iot_format_duration(sum->took_max_ns) : NULL);
	iot_table_take(table, IOT_PLAIN, list_failures(report, cat));
}

/* Calls first, then completions, then all others. */
static guint role_place(enum iot_role role)
{
	return role == IOT_ROLE_CALL ? 0 : role == IOT_ROLE_RESULT ? 1 : 2;
}

void iot_report_results(struct iot_report *report)
{
	g_autoptr(iot_table) table = iot_report_table(report);
	struct iot_table_column *mean, *failures;

	iot_table_column(table, "EVENT", IOT_LEFT)->shrink = TRUE;
	iot_table_column(table, "", IOT_LEFT)->optional = TRUE;
	iot_table_column(table, "COUNT", IOT_RIGHT);
	iot_table_column(table, "FAILED", IOT_RIGHT);
	iot_table_column(table, "NOT ENDED", IOT_RIGHT)->optional = TRUE;
	mean = iot_table_column(table, "MEAN TIME", IOT_RIGHT);
	mean->optional = TRUE;
	mean->drop = 1;
	iot_table_column(table, "LONGEST", IOT_RIGHT)->optional = TRUE;
	failures = iot_table_column(table, "FAILURES", IOT_LEFT);
	failures->optional = TRUE;
	failures->wrap = TRUE;
	for (guint place = 0; place < 3; place++)
		for (iot_cat_id cat = 1; cat < report->sums->points->len; cat++)
			if (point_sum(report, cat)->n &&
			    role_place(iot_cat_at(report->tl, cat)->role) == place)
				add_category(report, table, cat);
	if (!table->rows->len)
		return;
	iot_report_heading(report, "Results");
	iot_table_write(table, report->out, report->colour);
}

static void append_attr(const struct iot_timeline *tl, GString *text,
			const struct iot_attr_def *def, union iot_attr value)
{
	g_autofree char *duration = NULL;
	char digits[IOT_DIGITS_ROOM];

	g_string_append_printf(text, "%s%s=", text->len ? " " : "", iot_tl_str(tl, def->name));
	switch (def->format) {
	case IOT_ATTR_INT:
		g_string_append_printf(text, "%" G_GINT64_FORMAT, value.i);
		break;
	case IOT_ATTR_UINT:
		g_string_append_printf(text, "%" G_GUINT64_FORMAT, value.u);
		break;
	case IOT_ATTR_HEX:
		g_string_append_printf(text, "0x%" G_GINT64_MODIFIER "x", value.u);
		break;
	case IOT_ATTR_STR:
		g_string_append(text, iot_tl_text(tl, value.str, digits, NULL));
		break;
	case IOT_ATTR_DURATION:
		duration = iot_format_duration(value.u);
		g_string_append(text, duration);
		break;
	}
}

/* All attributes except the result: the waiting call and its object. */
static char *format_asked(const struct iot_timeline *tl, const struct iot_item *item)
{
	const struct iot_type *type = iot_type_at(tl, item->type);
	int result = iot_type_attr(tl, type, "result");
	GString *text = g_string_new(NULL);

	for (int i = 0; i < item->n_attrs; i++)
		if (i != result && item->attr[i].u)
			append_attr(tl, text, &type->attr[i], item->attr[i]);
	return g_string_free(text, FALSE);
}

/* The missing part of a wait that is not shown whole; its duration is a lower bound. */
static const char *cut_words(guint flags)
{
	if (flags & IOT_SUSPECT)
		return "end lost";
	if (flags & IOT_CUT_RIGHT)
		return flags & (IOT_BEFORE | IOT_CUT_LEFT) ? "longer on both sides" : "ended later";
	if (flags & IOT_UNFINISHED)
		return flags & (IOT_BEFORE | IOT_CUT_LEFT) ? "began earlier, not ended"
							   : "not ended";
	if (flags & (IOT_BEFORE | IOT_CUT_LEFT))
		return "began earlier";
	return NULL;
}

/* "EAGAIN", "(not ended)", "0 (began earlier)" */
static char *format_result(const struct iot_timeline *tl, const struct iot_item *item)
{
	const struct iot_type *type = iot_type_at(tl, item->type);
	int attr = iot_type_attr(tl, type, "result");
	const char *cut = cut_words(item->flags);
	GString *text = g_string_new(NULL);
	char digits[IOT_DIGITS_ROOM];

	if (attr >= 0 && attr < item->n_attrs && item->attr[attr].u &&
	    type->attr[attr].format == IOT_ATTR_STR)
		g_string_append(text, iot_tl_text(tl, item->attr[attr].str, digits, NULL));
	if (cut)
		g_string_append_printf(text, "%s(%s)", text->len ? " " : "", cut);
	return g_string_free(text, FALSE);
}

static void add_wait(const struct iot_report *report, struct iot_table *table,
		     const struct iot_item *item)
{
	g_autofree char *waited = iot_format_duration(item->t1 - item->t0);

	iot_table_row(table);
	iot_table_take(table, IOT_PLAIN, iot_report_rel(report, item->t0));
	iot_table_take(table, IOT_PLAIN, iot_report_clock(item->t0));
	iot_table_take(table, IOT_BOLD,
		       g_strconcat(cut_words(item->flags) ? ">" : "", waited, NULL));
	iot_table_take(table, IOT_PLAIN, format_result(report->tl, item));
	iot_table_take(table, IOT_PLAIN, iot_timeline_path(report->tl, item->row, "/"));
	iot_table_take(table, IOT_PLAIN, format_asked(report->tl, item));
}

void iot_report_longest(struct iot_report *report)
{
	g_autoptr(iot_table) table = iot_report_table(report);
	struct iot_table_column *where, *asked;

	if (!report->sums->n_longest)
		return;
	iot_table_column(table, "BEGIN", IOT_RIGHT);
	iot_table_column(table, "BEGIN (HOST)", IOT_RIGHT)->drop = 1;
	iot_table_column(table, "WAITED", IOT_RIGHT);
	iot_table_column(table, "RESULT", IOT_LEFT)->optional = TRUE;
	where = iot_table_column(table, "WHERE", IOT_LEFT);
	where->max_width = MAX_PATH;
	where->shrink = TRUE;
	asked = iot_table_column(table, "ASKED", IOT_LEFT);
	asked->max_width = MAX_ATTRS_WIDTH;
	asked->wrap = TRUE;
	for (guint i = 0; i < report->sums->n_longest; i++)
		add_wait(report, table, &report->sums->longest[i]);
	iot_report_heading(report, "Longest waits");
	iot_table_write(table, report->out, report->colour);
}

/* "34"; "34 + ?" if some gaps have no number; "?" if none has one */
static char *format_lost(const struct iot_gap_sum *sum)
{
	g_autofree char *known = iot_format_count(sum->lost);

	if (!sum->n_unknown)
		return g_steal_pointer(&known);
	if (sum->n_unknown == sum->n)
		return g_strdup("?");
	return g_strdup_printf("%s + ?", known);
}

static void add_gap(const struct iot_report *report, struct iot_table *table,
		    const struct iot_gap_sum *sum)
{
	iot_table_row(table);
	iot_table_cell(table, IOT_PLAIN, iot_tl_str(report->tl, sum->node));
	iot_table_take(table, IOT_PLAIN, iot_format_count(sum->n));
	iot_table_take(table, IOT_RED, format_lost(sum));
	iot_table_take(table, IOT_PLAIN, iot_format_duration(sum->ns));
	iot_table_take(table, IOT_PLAIN, iot_format_duration(sum->longest_ns));
	iot_table_take(table, IOT_PLAIN, iot_report_rel(report, sum->longest_t0));
	iot_table_take(table, IOT_PLAIN, iot_report_clock(sum->longest_t0));
}

void iot_report_gaps(struct iot_report *report)
{
	g_autoptr(iot_table) table = iot_report_table(report);

	if (!report->sums->gaps->len)
		return;
	iot_table_column(table, "NODE", IOT_LEFT);
	iot_table_column(table, "GAPS", IOT_RIGHT);
	iot_table_column(table, "LOST", IOT_RIGHT);
	iot_table_column(table, "TIME", IOT_RIGHT);
	iot_table_column(table, "LONGEST", IOT_RIGHT);
	iot_table_column(table, "AT", IOT_RIGHT);
	iot_table_column(table, "AT (HOST)", IOT_RIGHT);
	for (guint i = 0; i < report->sums->gaps->len; i++)
		add_gap(report, table, &g_array_index(report->sums->gaps, struct iot_gap_sum, i));
	iot_report_heading(report,
			   "Gaps (events were lost; states across a gap are shown as unknown)");
	iot_table_write(table, report->out, report->colour);
}
