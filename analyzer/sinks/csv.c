/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * csv: comma-separated values (RFC 4180) with a line of column names; the columns are those of JSON
 * Lines, docs/formats/json.md. A record is one line: control characters are \xNN. An apostrophe stands
 * before a text that a spreadsheet would take for a formula.
 */
#include "sinks/lines.h"
#include "base/units.h"

#include <string.h>

/* "-5", "+0.25" */
static gboolean is_number(const char *text)
{
	gsize whole, part;

	text += *text == '-' || *text == '+';
	whole = strspn(text, "0123456789");
	text += whole;
	part = *text == '.' ? strspn(text + 1, "0123456789") : 0;
	text += part ? part + 1 : 0;
	return whole && !*text;
}

/* Spreadsheets take a cell that begins like this for a formula, even in quotes. */
static gboolean is_formula(const char *text)
{
	return *text && strchr("=+-@", *text) && !is_number(text);
}

static void append_quoted(GString *to, const char *text)
{
	g_autofree char *printable = iot_printable(text);

	g_string_append(to, is_formula(printable) ? "\"'" : "\"");
	for (const char *p = printable; *p; p++) {
		if (*p == '"')
			g_string_append_c(to, '"');
		g_string_append_c(to, *p);
	}
	g_string_append_c(to, '"');
}

static void append_row(GString *to, const char *path)
{
	g_string_append_c(to, ',');
	append_quoted(to, path);
}

static void append_category(GString *to, const char *type, const char *name)
{
	g_string_append_c(to, ',');
	append_quoted(to, type);
	g_string_append_c(to, ',');
	append_quoted(to, name);
}

static void append_marks(GString *to, const char *names)
{
	g_string_append_printf(to, ",\"%s\"", names);
}

static const struct iot_line_dialect dialect = {
	.head = "kind,start_ns,end_ns,row,lane,type,category,marks,attributes,row_to,lane_to\n",
	.kind = "",
	.start = ",",
	.end = ",",
	.lane = ",",
	.attributes = ",\"{",
	.attributes_end = "}\"",
	.line_end = ",,\n",
	.row_label = ",",
	.row_to = ",",
	.lane_to = ",",
	.link_end = "\n",
	.double_quotes = TRUE,
	.row = append_row,
	.category = append_category,
	.marks = append_marks,
};

static struct iot_sink *csv_open(const struct iot_sink_args *args, GError **error)
{
	return iot_lines_open(&iot_sink_csv, &dialect, args, error);
}

const struct iot_sink_ops iot_sink_csv = {
	.name = "csv",
	.summary = "comma-separated values with the columns of jsonl, for tables and scripts",
	.suffix = ".csv",
	.word_path = "-",
	.shows_diagnostics = TRUE,
	.feed = IOT_FEED_WHOLE_SPANS,
	.open = csv_open,
	.item = iot_lines_item,
	.finish = iot_lines_finish,
	.free = iot_lines_free,
};
