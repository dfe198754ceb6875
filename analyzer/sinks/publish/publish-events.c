/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls and completions by result, the longest waits, and the times without events. */
#include "sinks/publish.h"
#include "base/units.h"
#include "tables/ranked.h"
#include "timeline/subjects.h"

#include <string.h>

enum { MAX_RESULTS = 8 };

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

static void add_category(struct iot_result_table *table, gconstpointer element, gconstpointer data)
{
	const struct iot_publishing *from = data;
	const struct iot_point_sum *sum = element;
	iot_cat_id cat = (iot_cat_id)(sum - point_sum(from, 0));
	const struct iot_category *category = iot_cat_at(from->tl, cat);
	const char *role = category->role == IOT_ROLE_CALL	? "call"
			   : category->role == IOT_ROLE_KEEPING ? "pending call"
			   : category->role == IOT_ROLE_RESULT	? "completion"
								: NULL;
	g_autofree char *name = row_name(from, cat);
	g_autofree char *failures = list_failures(from, cat);
	gboolean took = sum->took_n != 0;

	iot_ranked_row(
		table, iot_cell_text(name), iot_cell_text(role), iot_cell_number(sum->n),
		iot_cell_number(sum->failed), iot_cell_positive(sum->not_ended),
		iot_cell_if(took, iot_cell_number(sum->took_ns / MAX(sum->took_n, 1))),
		iot_cell_if(took, iot_cell_number(sum->took_max_ns)), iot_cell_text(failures),
		iot_cell_number(cat),
		iot_cell_text(iot_tl_str(from->tl, iot_type_at(from->tl, category->type)->name)));
}

/* In this order, then all others. */
static guint role_place(enum iot_role role)
{
	static const enum iot_role order[] = { IOT_ROLE_CALL, IOT_ROLE_KEEPING, IOT_ROLE_RESULT };
	guint place = 0;

	while (place < G_N_ELEMENTS(order) && order[place] != role)
		place++;
	return place;
}

static const struct iot_ranked_column result_columns[] = {
	{ "event", "event", IOT_COLUMN_TEXT, IOT_COLUMN_SHRINK },
	{ "role", "role", IOT_COLUMN_TEXT, IOT_COLUMN_UNTITLED | IOT_COLUMN_OPTIONAL },
	{ "count", "count", IOT_COLUMN_COUNT },
	{ "failed", "failed", IOT_COLUMN_COUNT, IOT_COLUMN_DASH },
	{ "not_ended", "not ended", IOT_COLUMN_COUNT, IOT_COLUMN_OPTIONAL },
	{ "mean", "mean time", IOT_COLUMN_NS, IOT_COLUMN_OPTIONAL, 1,
	  "from the start of a call to its return, of a pending call to its completion, without "
	  "calls that did not end" },
	{ "longest", "longest", IOT_COLUMN_NS, IOT_COLUMN_OPTIONAL },
	{ "failures", "failures", IOT_COLUMN_TEXT,
	  IOT_COLUMN_OPTIONAL | IOT_COLUMN_WRAP | IOT_COLUMN_LIST },
	{ "category", "category", IOT_COLUMN_CATEGORY, IOT_COLUMN_DATA },
	{ "type", "type", IOT_COLUMN_TEXT, IOT_COLUMN_DATA },
};

static const struct iot_ranked results_ranked = {
	IOT_RANKED("results", "Results", result_columns),
	.help = "calls, completions and other points, and how calls ended",
	.loss = IOT_LOSS_IN_CELLS,
	.add = add_category,
};

void iot_publish_results(const struct iot_publishing *from, struct iot_results *to)
{
	g_autoptr(GPtrArray) list = g_ptr_array_new();

	for (guint place = 0; place < 4; place++)
		for (iot_cat_id cat = 1; cat < from->sums->points->len; cat++)
			if (point_sum(from, cat)->n &&
			    role_place(iot_cat_at(from->tl, cat)->role) == place)
				g_ptr_array_add(list, (gpointer)point_sum(from, cat));
	iot_ranked_publish(to, from->tl, &results_ranked, list, from);
}

static void append_attr(const struct iot_timeline *tl, GString *text,
			const struct iot_attr_def *def, union iot_attr value)
{
	g_autofree char *duration = NULL;
	char digits[IOT_DIGITS_ROOM], real[IOT_REAL_ROOM];

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
	case IOT_ATTR_REAL:
		g_string_append(text, iot_real_text(real, iot_real_of(value.u)));
		break;
	}
}

/* How long of the wait its processor was stolen, if a host was recorded. */
static struct iot_cell stolen_cell(const struct iot_timeline *tl, const struct iot_item *item)
{
	const struct iot_type *type = iot_type_at(tl, item->type);
	guint64 waited = item->t1 - item->t0, unknown;

	if (!type->stolen)
		return iot_cell_none(IOT_CELL_EMPTY);
	unknown = item->attr[type->stolen].u;
	if (unknown == waited)
		return iot_cell_none(IOT_CELL_UNKNOWN);
	return iot_cell_least(item->attr[type->stolen - 1].u, unknown && unknown < waited);
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

struct longest {
	const struct iot_publishing *from;
	const struct iot_subjects *subjects;
};

static void add_wait(struct iot_result_table *table, gconstpointer element, gconstpointer data)
{
	const struct iot_item *item = element;
	const struct longest *longest = data;
	const struct iot_timeline *tl = longest->from->tl;
	g_autofree char *asked = format_asked(tl, item);
	char digits[IOT_DIGITS_ROOM];

	iot_ranked_row(table, iot_cell_number(item->t0),
		       iot_cell_least(item->t1 - item->t0, iot_flags_cut(item->flags)),
		       stolen_cell(tl, item), iot_cell_text(result_of(tl, item, digits)),
		       iot_cell_text(cut_words(item->flags)), iot_cell_number(item->row));
	iot_subjects_add_cell(longest->subjects, table, item->row);
	iot_result_text(table, held_by(longest->from, item));
	iot_result_text(table, asked);
	iot_result_number(table, item->cat);
}

static const struct iot_ranked_column longest_columns[] = {
	{ "begin", "begin", IOT_COLUMN_INSTANT },
	{ "waited", "waited", IOT_COLUMN_NS, IOT_COLUMN_STRONG },
	{ "stolen", "stolen", IOT_COLUMN_NS, IOT_COLUMN_OPTIONAL, 0,
	  "in which the host let the processor wait on which the wait ended" },
	{ "result", "result", IOT_COLUMN_TEXT, IOT_COLUMN_OPTIONAL },
	{ "cut", "cut", IOT_COLUMN_TEXT, IOT_COLUMN_REMARK | IOT_COLUMN_OPTIONAL },
	{ "place", "where", IOT_COLUMN_ROW, IOT_COLUMN_SHRINK, .max_width = 64 },
};

/* after the column of the subject */
static const struct iot_ranked_column asked_columns[] = {
	{ "held_by", "held by", IOT_COLUMN_TEXT, IOT_COLUMN_OPTIONAL, 1 },
	{ "asked", "asked", IOT_COLUMN_TEXT, IOT_COLUMN_WRAP, .max_width = 72 },
	{ "state", "state", IOT_COLUMN_CATEGORY, IOT_COLUMN_DATA },
};

static void more_columns(struct iot_result_table *table, gconstpointer longest)
{
	iot_subjects_add_column(((const struct longest *)longest)->subjects, table);
	iot_ranked_columns(table, asked_columns, G_N_ELEMENTS(asked_columns));
}

static const struct iot_ranked longest_ranked = {
	IOT_RANKED("longest_waits", "Longest waits", longest_columns),
	.help = "waits that are not shown whole are at least as long",
	.more_columns = more_columns,
	.loss = IOT_LOSS_LONGER,
	.add = add_wait,
};

void iot_publish_longest(const struct iot_publishing *from, struct iot_results *to)
{
	g_autoptr(iot_subjects) subjects = iot_subjects_new(from->tl);
	g_autoptr(GPtrArray) list = g_ptr_array_new();
	const struct longest longest = { from, subjects };

	for (guint i = 0; i < from->sums->n_longest; i++)
		g_ptr_array_add(list, (gpointer)&from->sums->longest[i]);
	iot_ranked_publish(to, from->tl, &longest_ranked, list, &longest);
}

static void add_gap(struct iot_result_table *table, gconstpointer element, gconstpointer tl)
{
	const struct iot_gap_sum *sum = element;

	iot_ranked_row(table, iot_cell_text(iot_tl_str(tl, sum->node)), iot_cell_number(sum->n),
		       iot_cell_known(sum->n_unknown != sum->n,
				      iot_cell_least(sum->lost, sum->n_unknown != 0)),
		       iot_cell_number(sum->ns), iot_cell_number(sum->longest_ns),
		       iot_cell_number(sum->longest_t0));
}

static const struct iot_ranked_column gap_columns[] = {
	{ "node", "node", IOT_COLUMN_TEXT },
	{ "gaps", "gaps", IOT_COLUMN_COUNT },
	{ "lost", "lost", IOT_COLUMN_COUNT, IOT_COLUMN_ALARM },
	{ "total", "time", IOT_COLUMN_NS },
	{ "longest", "longest", IOT_COLUMN_NS },
	{ "longest_begin", "at", IOT_COLUMN_INSTANT },
};

static const struct iot_ranked gaps_ranked = {
	IOT_RANKED("gaps", "Gaps", gap_columns),
	.help = "times in which a node was not observed",
	.loss = IOT_LOSS_NOTHING,
	.add = add_gap,
};

void iot_publish_gaps(const struct iot_publishing *from, struct iot_results *to)
{
	struct iot_result_table *table =
		iot_ranked_publish_array(to, from->tl, &gaps_ranked, from->sums->gaps, from->tl);

	if (table)
		table->remark = g_strdup("not observed; states across a gap are shown as unknown");
}
