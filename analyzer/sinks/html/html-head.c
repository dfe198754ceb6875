/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/html/html-head.h"
#include "sinks/json.h"
#include "sinks/publish.h"
#include "base/colour.h"
#include "timeline/subjects.h"
#include "timeline/twins.h"

static const char *kind_name(enum iot_type_kind kind)
{
	static const char *const names[] = {
		[IOT_TYPE_ROW] = "row",	    [IOT_TYPE_SPAN] = "span",
		[IOT_TYPE_POINT] = "point", [IOT_TYPE_COUNTER] = "counter",
		[IOT_TYPE_LINK] = "link",
	};

	return names[kind];
}

static const char *format_name(enum iot_attr_format format)
{
	static const char *const names[] = {
		[IOT_ATTR_INT] = "int", [IOT_ATTR_UINT] = "uint",	  [IOT_ATTR_HEX] = "hex",
		[IOT_ATTR_STR] = "str", [IOT_ATTR_DURATION] = "duration", [IOT_ATTR_REAL] = "real",
	};

	return names[format];
}

/* Element 0 of types and categories is unused; it is an empty object here. */
static void add_types(GString *json, const struct iot_timeline *tl)
{
	iot_json_open(json, "types", '[');
	iot_json_open(json, NULL, '{');
	iot_json_close(json, '}');
	for (iot_type_id id = 1; id < tl->types.n; id++) {
		const struct iot_type *type = iot_type_at(tl, id);

		iot_json_open(json, NULL, '{');
		iot_json_text(json, "kind", kind_name(type->kind));
		iot_json_text(json, "name", iot_tl_str(tl, type->name));
		iot_json_text(json, "title", iot_tl_str(tl, type->title));
		iot_json_uint(json, "on", type->on);
		iot_json_text(json, "role", type->role ? iot_role_name(type->role) : "");
		iot_json_uint(json, "repeats", type->repeats ? 1 : 0);
		if (type->lane_reserved)
			iot_json_uint(json, "stage", 1);
		if (type->above_nodes)
			iot_json_uint(json, "above", 1);
		if (type->through)
			iot_json_uint(json, "through", 1);
		iot_json_open(json, "attrs", '[');
		for (guint i = 0; i < type->n_attrs; i++) {
			iot_json_open(json, NULL, '{');
			iot_json_text(json, "name", iot_tl_str(tl, type->attr[i].name));
			iot_json_text(json, "format", format_name(type->attr[i].format));
			iot_json_close(json, '}');
		}
		iot_json_close(json, ']');
		iot_json_close(json, '}');
	}
	iot_json_close(json, ']');
}

static void add_cats(GString *json, const struct iot_timeline *tl)
{
	guint32 faint = 0;

	iot_colour_parse("mode-nl", &faint, NULL);
	iot_json_open(json, "cats", '[');
	iot_json_open(json, NULL, '{');
	iot_json_close(json, '}');
	for (iot_cat_id id = 1; id < tl->cats.n; id++) {
		const struct iot_category *cat = iot_cat_at(tl, id);

		iot_json_open(json, NULL, '{');
		iot_json_uint(json, "type", cat->type);
		iot_json_text(json, "name", iot_tl_str(tl, cat->name));
		iot_json_uint(json, "rgb", cat->rgb);
		iot_json_uint(json, "dark", iot_colour_on_dark(cat->rgb));
		iot_json_text(json, "role", cat->role ? iot_role_name(cat->role) : "");
		if (cat->rgb == faint)
			iot_json_uint(json, "faint", 1);
		iot_json_close(json, '}');
	}
	iot_json_close(json, ']');
}

static void add_views(GString *json, const struct iot_timeline *tl)
{
	iot_json_open(json, "views", '[');
	for (guint i = 0; i < tl->n_views; i++) {
		const struct iot_view *view = &tl->view[i];

		iot_json_open(json, NULL, '{');
		iot_json_text(json, "title", iot_tl_str(tl, view->title));
		iot_json_open(json, "columns", '[');
		for (guint k = 0; k < view->n_columns; k++)
			iot_json_uint(json, NULL, view->column[k]);
		iot_json_close(json, ']');
		iot_json_close(json, '}');
	}
	iot_json_close(json, ']');
}

enum row_number {
	ROW_TYPE,
	ROW_PARENT,
	ROW_RANK,
	ROW_UNIT,
	ROW_HIDDEN,
	ROW_WAIT,
	ROW_WORST,
	ROW_LEAST,
	ROW_CALLS,
	ROW_ITEMS
};

static guint64 row_number(const struct iot_html_head *head, iot_row_id id, enum row_number which)
{
	const struct iot_row *row = iot_row_at(head->tl, id);
	const struct iot_row_sum *sum = iot_aggregate_row(head->sums, id);

	switch (which) {
	case ROW_TYPE:
		return row->type;
	case ROW_PARENT:
		return row->parent;
	case ROW_RANK:
		return row->rank;
	case ROW_UNIT:
		return sum->unit == id;
	case ROW_HIDDEN:
		return sum->hidden;
	case ROW_WAIT:
		return sum->bounded_ns;
	case ROW_WORST:
		return sum->bounded_worst_ns;
	case ROW_LEAST:
		return sum->bounded_worst_cut || sum->perhaps_ns > sum->bounded_worst_ns ||
		       iot_aggregate_hides(head->sums, id, iot_shown_to(head->summary));
	case ROW_CALLS:
		return sum->calls;
	case ROW_ITEMS:
		return sum->n_items;
	}
	return 0;
}

/* Column by column, so that the names of the members are not repeated for each row. */
static void add_rows(GString *json, const struct iot_html_head *head)
{
	static const char *const names[] = { "type", "parent", "rank",	"unit",	 "hidden",
					     "wait", "worst",  "least", "calls", "items" };
	const struct iot_timeline *tl = head->tl;

	iot_json_open(json, "rows", '{');
	iot_json_open(json, "name", '[');
	iot_json_text(json, NULL, "");
	for (iot_row_id id = 1; id < tl->rows.n; id++)
		iot_json_text(json, NULL, iot_tl_str(tl, iot_row_at(tl, id)->name));
	iot_json_close(json, ']');
	for (enum row_number which = ROW_TYPE; which <= ROW_ITEMS; which++) {
		iot_json_open(json, names[which], '[');
		iot_json_uint(json, NULL, 0);
		for (iot_row_id id = 1; id < tl->rows.n; id++)
			iot_json_uint(json, NULL, row_number(head, id, which));
		iot_json_close(json, ']');
	}
	iot_json_close(json, '}');
}

/* The rows of locks by way of which machines wait, by number of the row; nothing if there are none.
 */
static void add_twins(GString *json, const struct iot_timeline *tl)
{
	struct iot_twins *twins = iot_twins_new(tl);
	gboolean any = FALSE;

	for (iot_row_id id = 1; id < tl->rows.n; id++) {
		iot_row_id twin = iot_twins_find(twins, id, tl->rows.n);
		char number[IOT_DIGITS_ROOM];

		if (!twin)
			continue;
		if (!any)
			iot_json_open(json, "twins", '{');
		any = TRUE;
		g_snprintf(number, sizeof(number), "%u", id);
		iot_json_uint(json, number, twin);
	}
	if (any)
		iot_json_close(json, '}');
	iot_twins_free(twins);
}

/* What resources are about, by number of the row; nothing if it is known of none. */
static void add_abouts(GString *json, const struct iot_timeline *tl)
{
	g_autoptr(iot_subjects) subjects = iot_subjects_new(tl);

	if (!subjects)
		return;
	iot_json_open(json, "about", '{');
	for (iot_row_id id = 1; id < tl->rows.n; id++) {
		const char *name = iot_subjects_name(subjects, id);
		char number[IOT_DIGITS_ROOM];

		/* rows of machines have it from the resource above */
		if (!name || iot_type_at(tl, iot_row_at(tl, id)->type)->role == IOT_ROLE_NODE)
			continue;
		g_snprintf(number, sizeof(number), "%u", id);
		iot_json_text(json, number, name);
	}
	iot_json_close(json, '}');
}

static void add_times(GString *json, const struct iot_html_head *head)
{
	const struct iot_timeline *tl = head->tl;
	const struct iot_summary *summary = head->summary;
	guint64 from = MAX(summary->begin_ns, summary->from_ns);
	guint64 to = MAX(MIN(summary->end_ns, summary->to_ns), from);

	iot_json_big(json, "zero", tl->zero_ns);
	iot_json_big(json, "origin", tl->origin_ns);
	iot_json_uint(json, "from", iot_tl_rel(tl, from));
	iot_json_uint(json, "to", iot_tl_rel(tl, to));
}

/* Which rows keep only sums, in steps of how many ns. */
static void add_thin(GString *json, const struct iot_html_head *head)
{
	if (!head->thin->step_ns)
		return;
	iot_json_open(json, "thinned", '{');
	iot_json_uint(json, "step", head->thin->step_ns);
	iot_json_uint(json, "rows", head->thin->n_coarse);
	iot_json_uint(json, "items", head->thin->n_thinned);
	iot_json_open(json, "coarse", '[');
	for (iot_row_id id = 1; id < head->tl->rows.n; id++)
		if (head->thin->coarse[id])
			iot_json_uint(json, NULL, id);
	iot_json_close(json, ']');
	iot_json_close(json, '}');
}

/* How far the times of an input may be from the common clock: pairs of a time and a bound. */
static void add_bound(GString *json, const struct iot_clock_facts *facts, guint64 zero_ns)
{
	if (!facts->knots || !facts->knots->len ||
	    iot_clock_facts_greatest(facts) == IOT_CLOCK_UNBOUNDED) {
		iot_json_text(json, "bound", NULL);
		return;
	}
	iot_json_open(json, "bound", '[');
	for (guint i = 0; i < facts->knots->len; i++) {
		const struct iot_clock_knot *knot =
			&g_array_index(facts->knots, struct iot_clock_knot, i);

		iot_json_int(json, NULL, (gint64)(knot->ns - zero_ns));
		iot_json_uint(json, NULL, knot->bound_ns);
	}
	iot_json_close(json, ']');
}

static void add_inputs(GString *json, const struct iot_html_head *head)
{
	const struct iot_summary *summary = head->summary;

	iot_json_open(json, "inputs", '[');
	for (guint i = 0; i < summary->n_inputs; i++) {
		const struct iot_summary_input *input = &summary->inputs[i];

		iot_json_open(json, NULL, '{');
		iot_json_text(json, "path", input->path);
		iot_json_text(json, "node", input->node);
		iot_json_text(json, "protocol", input->protocol);
		add_bound(json, &input->clock_facts, head->tl->zero_ns);
		iot_json_close(json, '}');
	}
	iot_json_close(json, ']');
}

/* The options of a command for another window of the same recordings. */
static void add_repeated(GString *json, const struct iot_summary *summary)
{
	iot_json_open(json, "repeated", '[');
	for (guint i = 0; summary->repeated && i < summary->repeated->len; i++)
		iot_json_text(json, NULL, g_ptr_array_index(summary->repeated, i));
	iot_json_close(json, ']');
}

GString *iot_html_head(const struct iot_html_head *head)
{
	const struct iot_publishing from = {
		.tl = head->tl,
		.sums = head->sums,
		.summary = head->summary,
	};
	g_autoptr(iot_results) results = iot_publish(&from);
	GString *json = g_string_new(NULL);

	iot_json_open(json, NULL, '{');
	iot_json_uint(json, "version", 1);
	iot_json_text(json, "program", "iotrace-analyze " IOT_VERSION);
	iot_json_uint(json, "n", head->n_items);
	iot_json_text(json, "unknown", head->summary->unknown_systems);
	add_times(json, head);
	add_thin(json, head);
	add_types(json, head->tl);
	add_cats(json, head->tl);
	add_views(json, head->tl);
	iot_json_open(json, "nodes", '[');
	for (guint i = 0; i < head->gap_nodes->len; i++)
		iot_json_text(json, NULL,
			      iot_tl_str(head->tl, g_array_index(head->gap_nodes, iot_str, i)));
	iot_json_close(json, ']');
	add_inputs(json, head);
	add_repeated(json, head->summary);
	iot_html_tables(json, results, head->tl);
	add_rows(json, head);
	add_twins(json, head->tl);
	add_abouts(json, head->tl);
	iot_json_close(json, '}');
	return json;
}
