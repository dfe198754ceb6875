/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls and completions by result, the longest waits, and the times without events. */
#include "sinks/publish.h"
#include "base/units.h"
#include "timeline/subjects.h"

#include <string.h>

enum { MAX_RESULTS = 8, MAX_PATH = 64, MAX_ATTRS_WIDTH = 72 };

/* "EAGAIN 10", "EINVAL 2" */
static char *list_failures(const struct iot_publishing *from, iot_cat_id cat)
{
	g_autoptr(GArray) failures = iot_aggregate_failures(from->sums, cat);
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < MIN(failures->len, MAX_RESULTS); i++) {
		const struct iot_failure *failure = &g_array_index(failures, struct iot_failure, i);
		g_autofree char *count = iot_format_count(failure->n);
		char digits[IOT_DIGITS_ROOM];
		const char *result = iot_tl_text(from->tl, failure->result, digits, NULL);

		if (*result)
			g_string_append_printf(text, "%s%s %s", text->len ? "\n" : "", result,
					       count);
	}
	if (failures->len > MAX_RESULTS)
		g_string_append_printf(text, "\nand %u others", failures->len - MAX_RESULTS);
	return g_string_free(text, FALSE);
}

static const struct iot_point_sum *point_sum(const struct iot_publishing *from, iot_cat_id cat)
{
	return &g_array_index(from->sums->points, struct iot_point_sum, cat);
}

/* Whether another row of the table has this name: DLM locks and file locks, for example. */
static gboolean is_ambiguous(const struct iot_publishing *from, iot_cat_id cat)
{
	const struct iot_category *category = iot_cat_at(from->tl, cat);

	for (iot_cat_id other = 1; other < from->sums->points->len; other++)
		if (other != cat && point_sum(from, other)->n &&
		    iot_cat_at(from->tl, other)->name == category->name &&
		    iot_cat_at(from->tl, other)->role == category->role)
			return TRUE;
	return FALSE;
}

/* "lock", or "lock (file I/O)" */
static char *row_name(const struct iot_publishing *from, iot_cat_id cat)
{
	const struct iot_category *category = iot_cat_at(from->tl, cat);
	const char *name = iot_tl_str(from->tl, category->name);
	const struct iot_type *type = iot_type_at(from->tl, category->type);

	return is_ambiguous(from, cat)
		       ? g_strdup_printf("%s (%s)", name, iot_tl_str(from->tl, type->title))
		       : g_strdup(name);
}

static void add_took(struct iot_result_table *table, const struct iot_point_sum *sum)
{
	if (!sum->took_n) {
		iot_result_none(table, IOT_CELL_EMPTY);
		iot_result_none(table, IOT_CELL_EMPTY);
		return;
	}
	iot_result_number(table, sum->took_ns / sum->took_n);
	iot_result_number(table, sum->took_max_ns);
}

static void add_category(const struct iot_publishing *from, struct iot_result_table *table,
			 iot_cat_id cat)
{
	const struct iot_point_sum *sum = point_sum(from, cat);
	const struct iot_category *category = iot_cat_at(from->tl, cat);
	g_autofree char *name = row_name(from, cat);
	g_autofree char *failures = list_failures(from, cat);

	iot_result_row(table);
	iot_result_text(table, name);
	iot_result_text(table, category->role == IOT_ROLE_CALL	   ? "call"
			       : category->role == IOT_ROLE_RESULT ? "completion"
								   : "");
	iot_result_number(table, sum->n);
	iot_result_number(table, sum->failed);
	if (sum->not_ended)
		iot_result_number(table, sum->not_ended);
	else
		iot_result_none(table, IOT_CELL_EMPTY);
	add_took(table, sum);
	iot_result_text(table, failures);
	iot_result_number(table, cat);
	iot_result_text(table, iot_tl_str(from->tl, iot_type_at(from->tl, category->type)->name));
}

/* Calls first, then completions, then all others. */
static guint role_place(enum iot_role role)
{
	return role == IOT_ROLE_CALL ? 0 : role == IOT_ROLE_RESULT ? 1 : 2;
}

static struct iot_result_table *results_table(struct iot_results *to)
{
	struct iot_result_table *table = iot_results_add(to, "results", "Results");
	struct iot_column *mean;

	table->help = g_strdup("calls, completions and other points, and how calls ended");
	iot_result_column(table, "event", "event", IOT_COLUMN_TEXT)->flags = IOT_COLUMN_SHRINK;
	iot_result_column(table, "role", "role", IOT_COLUMN_TEXT)->flags =
		IOT_COLUMN_UNTITLED | IOT_COLUMN_OPTIONAL;
	iot_result_column(table, "count", "count", IOT_COLUMN_COUNT);
	iot_result_column(table, "failed", "failed", IOT_COLUMN_COUNT)->flags = IOT_COLUMN_DASH;
	iot_result_column(table, "not_ended", "not ended", IOT_COLUMN_COUNT)->flags =
		IOT_COLUMN_OPTIONAL;
	mean = iot_result_column(table, "mean", "mean time", IOT_COLUMN_NS);
	mean->flags = IOT_COLUMN_OPTIONAL;
	mean->help =
		g_strdup("from the start of a call to its return, without calls that did not end");
	mean->drop = 1;
	iot_result_column(table, "longest", "longest", IOT_COLUMN_NS)->flags = IOT_COLUMN_OPTIONAL;
	iot_result_column(table, "failures", "failures", IOT_COLUMN_TEXT)->flags =
		IOT_COLUMN_OPTIONAL | IOT_COLUMN_WRAP | IOT_COLUMN_LIST;
	iot_result_column(table, "category", "category", IOT_COLUMN_CATEGORY)->flags =
		IOT_COLUMN_DATA;
	iot_result_column(table, "type", "type", IOT_COLUMN_TEXT)->flags = IOT_COLUMN_DATA;
	return table;
}

void iot_publish_results(const struct iot_publishing *from, struct iot_results *to)
{
	struct iot_result_table *table = NULL;

	for (guint place = 0; place < 3; place++)
		for (iot_cat_id cat = 1; cat < from->sums->points->len; cat++) {
			if (!point_sum(from, cat)->n ||
			    role_place(iot_cat_at(from->tl, cat)->role) != place)
				continue;
			if (!table)
				table = results_table(to);
			add_category(from, table, cat);
		}
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

/* How long of the wait its processor was stolen, if a host was recorded. */
static void add_stolen(const struct iot_timeline *tl, struct iot_result_table *table,
		       const struct iot_item *item)
{
	const struct iot_type *type = iot_type_at(tl, item->type);
	const union iot_attr *stolen = &item->attr[type->stolen - 1], *unknown = stolen + 1;

	if (!type->stolen)
		iot_result_none(table, IOT_CELL_EMPTY);
	else if (unknown->u == item->t1 - item->t0)
		iot_result_none(table, IOT_CELL_UNKNOWN);
	else
		iot_result_number(table, stolen->u);
	if (type->stolen && unknown->u && unknown->u < item->t1 - item->t0)
		iot_result_at_least(table);
}

/* All attributes that have no column: the waiting call and its object. */
static char *format_asked(const struct iot_timeline *tl, const struct iot_item *item)
{
	const struct iot_type *type = iot_type_at(tl, item->type);
	int result = iot_type_attr(tl, type, "result");
	GString *text = g_string_new(NULL);

	for (int i = 0; i < item->n_attrs; i++)
		if (i != result && item->attr[i].u &&
		    !(type->stolen && (guint)i + 1 >= type->stolen))
			append_attr(tl, text, &type->attr[i], item->attr[i]);
	return g_string_free(text, FALSE);
}

/* The missing part of a wait that is not shown whole; its duration is a lower bound. Of a wait that
 * is perhaps none, the mode is not known. */
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
		return flags & IOT_UNKNOWN ? "began earlier, perhaps none" : "began earlier";
	return flags & IOT_UNKNOWN ? "perhaps none" : NULL;
}

/* "EAGAIN", or "" */
static const char *result_of(const struct iot_timeline *tl, const struct iot_item *item,
			     char digits[IOT_DIGITS_ROOM])
{
	const struct iot_type *type = iot_type_at(tl, item->type);
	int attr = iot_type_attr(tl, type, "result");

	if (attr < 0 || attr >= item->n_attrs || !item->attr[attr].u ||
	    type->attr[attr].format != IOT_ATTR_STR)
		return "";
	return iot_tl_text(tl, item->attr[attr].str, digits, NULL);
}

static guint64 number_at(const struct iot_result_table *table, guint row, const char *column)
{
	int at = iot_result_find_column(table, column);

	return at < 0 ? 0 : iot_result_row_at(table, row)->cells[at].number;
}

/* The holders of a wait in the table of blame, or NULL. */
static const char *held_by(const struct iot_publishing *from, const struct iot_item *item)
{
	const struct iot_result_table *holders =
		from->summary->results ? iot_results_find(from->summary->results, "holders") : NULL;

	for (guint i = 0; holders && i < holders->rows->len; i++) {
		const struct iot_result_row *row = iot_result_row_at(holders, i);
		int text = iot_result_find_column(holders, "held_by");

		if (!(row->cells[text].flags & IOT_CELL_EMPTY) &&
		    number_at(holders, i, "waiter") == item->row &&
		    number_at(holders, i, "lane") == item->lane &&
		    number_at(holders, i, "begin") == item->t0 &&
		    number_at(holders, i, "waited") == item->t1 - item->t0)
			return row->cells[text].text;
	}
	return NULL;
}

static void add_wait(const struct iot_publishing *from, const struct iot_subjects *subjects,
		     struct iot_result_table *table, const struct iot_item *item)
{
	g_autofree char *asked = format_asked(from->tl, item);
	const char *cut = cut_words(item->flags);
	char digits[IOT_DIGITS_ROOM];

	iot_result_row(table);
	iot_result_number(table, item->t0);
	iot_result_number(table, item->t1 - item->t0);
	if (iot_flags_cut(item->flags))
		iot_result_at_least(table);
	add_stolen(from->tl, table, item);
	iot_result_text(table, result_of(from->tl, item, digits));
	iot_result_text(table, cut);
	iot_result_number(table, item->row);
	iot_subjects_add_cell(subjects, table, item->row);
	iot_result_text(table, held_by(from, item));
	iot_result_text(table, asked);
	iot_result_number(table, item->cat);
}

void iot_publish_longest(const struct iot_publishing *from, struct iot_results *to)
{
	g_autoptr(iot_subjects) subjects = iot_subjects_new(from->tl);
	struct iot_result_table *table;
	struct iot_column *column;

	if (!from->sums->n_longest)
		return;
	table = iot_results_add(to, "longest_waits", "Longest waits");
	table->help = g_strdup("waits that are not shown whole are at least as long");
	iot_result_column(table, "begin", "begin", IOT_COLUMN_INSTANT);
	iot_result_column(table, "waited", "waited", IOT_COLUMN_NS)->flags = IOT_COLUMN_STRONG;
	column = iot_result_column(table, "stolen", "stolen", IOT_COLUMN_NS);
	column->flags = IOT_COLUMN_OPTIONAL;
	column->help = g_strdup("in which the host let the processor wait on which the wait ended");
	iot_result_column(table, "result", "result", IOT_COLUMN_TEXT)->flags = IOT_COLUMN_OPTIONAL;
	iot_result_column(table, "cut", "cut", IOT_COLUMN_TEXT)->flags =
		IOT_COLUMN_REMARK | IOT_COLUMN_OPTIONAL;
	column = iot_result_column(table, "place", "where", IOT_COLUMN_ROW);
	column->flags = IOT_COLUMN_SHRINK;
	column->max_width = MAX_PATH;
	iot_subjects_add_column(subjects, table);
	column = iot_result_column(table, "held_by", "held by", IOT_COLUMN_TEXT);
	column->flags = IOT_COLUMN_OPTIONAL;
	column->drop = 1;
	column = iot_result_column(table, "asked", "asked", IOT_COLUMN_TEXT);
	column->flags = IOT_COLUMN_WRAP;
	column->max_width = MAX_ATTRS_WIDTH;
	iot_result_column(table, "state", "state", IOT_COLUMN_CATEGORY)->flags = IOT_COLUMN_DATA;
	for (guint i = 0; i < from->sums->n_longest; i++)
		add_wait(from, subjects, table, &from->sums->longest[i]);
	if (iot_timeline_first_unobserved(from->tl) < iot_shown_to(from->summary))
		table->remark = g_strdup("events are missing that may have shown longer ones");
}

static void add_gap(const struct iot_publishing *from, struct iot_result_table *table,
		    const struct iot_gap_sum *sum)
{
	iot_result_row(table);
	iot_result_text(table, iot_tl_str(from->tl, sum->node));
	iot_result_number(table, sum->n);
	if (sum->n_unknown == sum->n) {
		iot_result_none(table, IOT_CELL_UNKNOWN);
	} else {
		iot_result_number(table, sum->lost);
		if (sum->n_unknown)
			iot_result_at_least(table);
	}
	iot_result_number(table, sum->ns);
	iot_result_number(table, sum->longest_ns);
	iot_result_number(table, sum->longest_t0);
}

void iot_publish_gaps(const struct iot_publishing *from, struct iot_results *to)
{
	struct iot_result_table *table;

	if (!from->sums->gaps->len)
		return;
	table = iot_results_add(to, "gaps", "Gaps");
	table->help = g_strdup("times in which a node was not observed");
	table->remark = g_strdup("not observed; states across a gap are shown as unknown");
	iot_result_column(table, "node", "node", IOT_COLUMN_TEXT);
	iot_result_column(table, "gaps", "gaps", IOT_COLUMN_COUNT);
	iot_result_column(table, "lost", "lost", IOT_COLUMN_COUNT)->flags = IOT_COLUMN_ALARM;
	iot_result_column(table, "total", "time", IOT_COLUMN_NS);
	iot_result_column(table, "longest", "longest", IOT_COLUMN_NS);
	iot_result_column(table, "longest_begin", "at", IOT_COLUMN_INSTANT);
	for (guint i = 0; i < from->sums->gaps->len; i++)
		add_gap(from, table, &g_array_index(from->sums->gaps, struct iot_gap_sum, i));
}
