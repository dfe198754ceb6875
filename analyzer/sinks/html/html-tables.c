/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables that the page shows as they are; those of rows it makes itself from the rows' sums. */
#include "sinks/html/html-head.h"
#include "sinks/html/html-json.h"

struct column {
	const char *name, *title, *kind;
};

static void begin_table(GString *json, const char *name, const char *title,
			const struct column *columns)
{
	iot_json_open(json, NULL, '{');
	iot_json_text(json, "name", name);
	iot_json_text(json, "title", title);
	iot_json_open(json, "columns", '[');
	for (; columns->name; columns++) {
		iot_json_open(json, NULL, '{');
		iot_json_text(json, "name", columns->name);
		iot_json_text(json, "title", columns->title);
		iot_json_text(json, "kind", columns->kind);
		iot_json_close(json, '}');
	}
	iot_json_close(json, ']');
	iot_json_open(json, "rows", '[');
}

static void end_table(GString *json)
{
	iot_json_close(json, ']');
	iot_json_close(json, '}');
}

static void append_attr(GString *text, const struct iot_timeline *tl,
			const struct iot_attr_def *def, union iot_attr value)
{
	char digits[IOT_DIGITS_ROOM];

	g_string_append_printf(text, "%s%s=", text->len ? " " : "", iot_tl_str(tl, def->name));
	switch (def->format) {
	case IOT_ATTR_INT:
		g_string_append_printf(text, "%" G_GINT64_FORMAT, value.i);
		break;
	case IOT_ATTR_UINT:
	case IOT_ATTR_DURATION:
		g_string_append_printf(text, "%" G_GUINT64_FORMAT, value.u);
		break;
	case IOT_ATTR_HEX:
		g_string_append_printf(text, "0x%" G_GINT64_MODIFIER "x", value.u);
		break;
	case IOT_ATTR_STR:
		g_string_append(text, iot_tl_text(tl, value.str, digits, NULL));
		break;
	}
}

static char *all_attrs(const struct iot_timeline *tl, const struct iot_item *item)
{
	const struct iot_type *type = iot_type_at(tl, item->type);
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < item->n_attrs; i++)
		if (item->attr[i].u)
			append_attr(text, tl, &type->attr[i], item->attr[i]);
	return g_string_free(text, FALSE);
}

static void add_longest(GString *json, const struct iot_html_head *head)
{
	static const struct column columns[] = {
		{ "begin", "longest waits, at", "instant" },
		{ "waited", "waited", "ns" },
		{ "where", "where", "row" },
		{ "state", "state", "text" },
		{ "asked", "asked", "text" },
		{ NULL },
	};
	const struct iot_timeline *tl = head->tl;

	begin_table(json, "longest_waits", "Longest waits", columns);
	for (guint i = 0; i < head->sums->n_longest; i++) {
		const struct iot_item *item = &head->sums->longest[i];
		g_autofree char *asked = all_attrs(tl, item);

		iot_json_open(json, NULL, '[');
		iot_json_uint(json, NULL, iot_tl_rel(tl, item->t0));
		iot_json_uint(json, NULL, item->t1 - item->t0);
		iot_json_uint(json, NULL, item->row);
		iot_json_text(json, NULL, iot_tl_str(tl, iot_cat_at(tl, item->cat)->name));
		iot_json_text(json, NULL, asked);
		iot_json_close(json, ']');
	}
	end_table(json);
}

static void add_results(GString *json, const struct iot_html_head *head)
{
	static const struct column columns[] = {
		{ "event", "event", "text" },	    { "of", "of", "text" },
		{ "count", "count", "count" },	    { "failed", "failed", "count" },
		{ "mean", "mean time", "ns" },	    { "longest", "longest", "ns" },
		{ "failures", "failures", "text" }, { NULL },
	};
	const struct iot_timeline *tl = head->tl;

	begin_table(json, "results", "Results", columns);
	for (iot_cat_id cat = 1; cat < head->sums->points->len; cat++) {
		const struct iot_point_sum *sum =
			&g_array_index(head->sums->points, struct iot_point_sum, cat);
		g_autoptr(GArray) failures = iot_aggregate_failures(head->sums, cat);
		g_autoptr(GString) text = g_string_new(NULL);
		const struct iot_category *category = iot_cat_at(tl, cat);

		if (!sum->n)
			continue;
		for (guint i = 0; i < MIN(failures->len, 8); i++) {
			const struct iot_failure *failure =
				&g_array_index(failures, struct iot_failure, i);
			char digits[IOT_DIGITS_ROOM];

			g_string_append_printf(text, "%s%s %" G_GUINT64_FORMAT, i ? ", " : "",
					       iot_tl_text(tl, failure->result, digits, NULL),
					       failure->n);
		}
		iot_json_open(json, NULL, '[');
		iot_json_text(json, NULL, iot_tl_str(tl, category->name));
		iot_json_text(json, NULL, iot_tl_str(tl, iot_type_at(tl, category->type)->title));
		iot_json_uint(json, NULL, sum->n);
		iot_json_uint(json, NULL, sum->failed);
		iot_json_uint(json, NULL, sum->took_n ? sum->took_ns / sum->took_n : 0);
		iot_json_uint(json, NULL, sum->took_max_ns);
		iot_json_text(json, NULL, text->str);
		iot_json_close(json, ']');
	}
	end_table(json);
}

static void add_lost(GString *json, const struct iot_html_head *head)
{
	static const struct column columns[] = {
		{ "node", "not observed", "text" },
		{ "gaps", "times", "count" },
		{ "ns", "together", "ns" },
		{ "lost", "lost events", "count" },
		{ "at", "longest, at", "instant" },
		{ "longest", "longest", "ns" },
		{ NULL },
	};

	if (!head->sums->gaps->len)
		return;
	begin_table(json, "lost", "Lost events", columns);
	for (guint i = 0; i < head->sums->gaps->len; i++) {
		const struct iot_gap_sum *gap =
			&g_array_index(head->sums->gaps, struct iot_gap_sum, i);

		iot_json_open(json, NULL, '[');
		iot_json_text(json, NULL, iot_tl_str(head->tl, gap->node));
		iot_json_uint(json, NULL, gap->n);
		iot_json_uint(json, NULL, gap->ns);
		iot_json_uint(json, NULL, gap->lost);
		iot_json_uint(json, NULL, iot_tl_rel(head->tl, gap->longest_t0));
		iot_json_uint(json, NULL, gap->longest_ns);
		iot_json_close(json, ']');
	}
	end_table(json);
}

static void add_clocks(GString *json, const struct iot_html_head *head)
{
	static const struct column columns[] = {
		{ "file", "file", "text" },
		{ "node", "node", "text" },
		{ "host", "host", "text" },
		{ "kernel", "kernel", "text" },
		{ "cpus", "CPUs", "count" },
		{ "events", "events", "count" },
		{ "lost", "lost", "count" },
		{ "clock", "clock", "text" },
		{ "sync", "synchronised", "text" },
		{ "samples", "samples", "count" },
		{ NULL },
	};

	begin_table(json, "inputs", "Recordings", columns);
	for (guint i = 0; i < head->summary->n_inputs; i++) {
		const struct iot_summary_input *input = &head->summary->inputs[i];

		iot_json_open(json, NULL, '[');
		iot_json_text(json, NULL, input->path);
		iot_json_text(json, NULL, input->node);
		iot_json_text(json, NULL, input->hostname);
		iot_json_text(json, NULL, input->kernel);
		iot_json_uint(json, NULL, input->n_cpus);
		iot_json_uint(json, NULL, input->n_events);
		iot_json_uint(json, NULL, input->n_lost);
		iot_json_text(json, NULL, input->clock);
		iot_json_text(json, NULL, input->sync);
		iot_json_uint(json, NULL, input->n_samples);
		iot_json_close(json, ']');
	}
	end_table(json);
}

static void add_diagnostics(GString *json, const struct iot_html_head *head)
{
	static const struct column columns[] = {
		{ "severity", "severity", "severity" },
		{ "count", "count", "count" },
		{ "name", "counter", "text" },
		{ "text", "what it means", "text" },
		{ NULL },
	};

	begin_table(json, "diagnostics", "Diagnostics", columns);
	for (guint i = 0; i < IOT_DIAG_COUNT; i++) {
		const struct iot_diag_info *info = iot_diag_info(i);

		if (!head->summary->diag.count[i])
			continue;
		iot_json_open(json, NULL, '[');
		iot_json_text(json, NULL, iot_diag_severity_name(info->severity));
		iot_json_uint(json, NULL, head->summary->diag.count[i]);
		iot_json_text(json, NULL, info->name);
		iot_json_text(json, NULL, info->text);
		iot_json_close(json, ']');
	}
	end_table(json);
}

void iot_html_tables(GString *json, const struct iot_html_head *head)
{
	iot_json_open(json, "tables", '[');
	add_longest(json, head);
	add_results(json, head);
	add_lost(json, head);
	add_clocks(json, head);
	add_diagnostics(json, head);
	iot_json_close(json, ']');
}
