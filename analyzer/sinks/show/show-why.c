/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Below the picture: why the slowest calls and the longest waits of its rows lasted. */
#include "sinks/sentences.h"
#include "sinks/short-lines.h"
#include "sinks/show/show.h"

/* Sentences of a kind, lines of one, elements of a list in one. */
enum { MOST = 3, SENTENCE = 3, ELEMENTS = 4 };

static void add(struct iot_short_lines *lines, const char *heading, guint n, const char *text)
{
	g_autofree char *sentence = iot_short_sentence(lines, text, 2, ELEMENTS, SENTENCE);

	if (!n) {
		iot_short_add(lines, IOT_PLAIN, "", 0, 0);
		iot_short_add(lines, IOT_BOLD, heading, 0, 0);
	}
	iot_short_add(lines, IOT_PLAIN, sentence, 2, SENTENCE);
}

void iot_show_why(const struct show_sink *show, const struct iot_summary *summary)
{
	const struct iot_publishing from = { .tl = show->tl, .summary = summary };
	const struct iot_result_table *why = iot_given_table(&from, "why");
	g_autoptr(iot_short_lines) lines = iot_short_lines_new(iot_show_width(show, summary));
	g_autoptr(GPtrArray) waits = NULL;

	for (guint i = 0; why && i < MIN(why->rows->len, MOST); i++)
		add(lines, "Slowest calls", i, iot_cell_of(why, i, "why")->text);
	if (iot_given_table(&from, "holders"))
		waits = iot_describe_waits(&from, IOT_WAITS_BY_HOLDERS, MOST);
	for (guint i = 0; waits && i < waits->len; i++)
		add(lines, "Longest waits", i, waits->pdata[i]);
	iot_short_write(lines, show->out, show->on_stdout && summary->colour);
}
