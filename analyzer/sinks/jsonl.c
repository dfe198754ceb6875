/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jsonl: one JSON object per line, for jq, pandas and DuckDB; docs/formats/json.md has its members.
 */
#include "sinks/json.h"
#include "sinks/lines.h"

#include <string.h>

static void append_member(GString *to, const char *name, const char *text)
{
	if (!*text)
		return;
	g_string_append_printf(to, ",\"%s\":", name);
	iot_json_append(to, text, strlen(text));
}

static void append_row(GString *to, const char *path)
{
	append_member(to, "row", path);
}

static void append_category(GString *to, const char *type, const char *name)
{
	append_member(to, "type", type);
	append_member(to, "category", name);
}

static void append_marks(GString *to, const char *names)
{
	g_auto(GStrv) words = g_strsplit(names, ",", -1);
	g_autofree char *list = g_strjoinv("\",\"", words);

	if (*names)
		g_string_append_printf(to, ",\"marks\":[\"%s\"]", list);
}

static const struct iot_line_dialect dialect = {
	.kind = "{\"kind\":\"",
	.start = "\",\"start_ns\":",
	.end = ",\"end_ns\":",
	.lane = ",\"lane\":",
	.attributes = ",\"attributes\":{",
	.attributes_end = "}",
	.line_end = "}\n",
	.row_label = ",\"row\":",
	.row_to = ",\"row_to\":",
	.lane_to = ",\"lane_to\":",
	.link_end = "}\n",
	.sparse = TRUE,
	.row = append_row,
	.category = append_category,
	.marks = append_marks,
};

static struct iot_sink *jsonl_open(const struct iot_sink_args *args, GError **error)
{
	return iot_lines_open(&iot_sink_jsonl, &dialect, args, error);
}

const struct iot_sink_ops iot_sink_jsonl = {
	.name = "jsonl",
	.summary = "JSON Lines, one object per state, event and gap, for jq and scripts",
	.suffix = ".jsonl",
	.word_path = "-",
	.shows_diagnostics = TRUE,
	.feed = IOT_FEED_WHOLE_SPANS,
	.open = jsonl_open,
	.item = iot_lines_item,
	.finish = iot_lines_finish,
	.free = iot_lines_free,
};
