/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report that fits on a screen. It says nothing that the tables do not say; its sentences are
 * cut at two lines. The verdict has the slowest call and the longest wait, so the lists below it
 * begin with the next ones.
 */
#include "sinks/report-short.h"
#include "base/units.h"
#include "sinks/sentences.h"
#include "sinks/short-lines.h"

#include <string.h>

enum {
	MAX_LINES = 40, /* fewer rows of lists if there are more */
	ROWS = 5,
	LOCKS = 2,    /* of a call */
	SENTENCE = 2, /* lines of one */
	PIPE_WIDTH = 100,
	LEAST_WIDTH = 20,
};

struct brief {
	const struct iot_publishing *from;
	const struct iot_results *results;
	struct iot_short_lines *lines;
	guint rows; /* of a list, with the one in the verdict */
};

static const struct iot_result_table *find(const struct brief *brief, const char *name)
{
	const struct iot_result_table *table = iot_results_find(brief->results, name);

	return table && table->rows->len ? table : NULL;
}

static void add_heading(const struct brief *brief, const char *text)
{
	iot_short_add(brief->lines, IOT_PLAIN, "", 0, 0);
	iot_short_add(brief->lines, IOT_BOLD, text, 0, 1);
}

static void add_sentence(const struct brief *brief, enum iot_style style, const char *text,
			 guint indent)
{
	g_autofree char *brief_text =
		iot_short_sentence(brief->lines, text, indent, LOCKS, SENTENCE);

	iot_short_add(brief->lines, style, brief_text, indent, SENTENCE);
}

static void add_verdict(const struct brief *brief)
{
	const struct iot_result_table *verdict = find(brief, "verdict");

	for (guint i = 0; verdict && i < verdict->rows->len; i++) {
		const char *text = iot_cell_of(verdict, i, "sentence")->text;

		/* the others have no lists, and one of them says what was lost */
		if (g_str_has_prefix(text, "Slowest call"))
			add_sentence(brief, IOT_BOLD, text, 0);
		else
			iot_short_add(brief->lines, IOT_BOLD, text, 0, SENTENCE + 1);
	}
}

/* The verdict has the first one. */
static void add_calls(const struct brief *brief)
{
	const struct iot_result_table *why = find(brief, "why");

	if (!why || why->rows->len < 2)
		return;
	add_heading(brief, "The next slowest calls");
	for (guint i = 1; i < MIN(why->rows->len, brief->rows); i++)
		add_sentence(brief, IOT_PLAIN, iot_cell_of(why, i, "why")->text, 2);
}

static void add_waits(const struct brief *brief)
{
	enum iot_waits_by by = iot_waits_explained(brief->from);
	g_autoptr(GPtrArray) waits = iot_describe_waits(brief->from, by, brief->rows);

	if (waits->len < 2)
		return;
	add_heading(brief, by == IOT_WAITS_BY_PROCESSOR ? "The next longest waits for a processor"
							: "The next longest waits");
	for (guint i = 1; i < waits->len; i++)
		add_sentence(brief, IOT_PLAIN, waits->pdata[i], 2);
}

/* ---- who blocked whom */

/* "node 1 fileload 179" */
static char *who(const struct iot_result_table *table, guint row, const char *node,
		 const char *process)
{
	const struct iot_result_cell *name = iot_cell_of(table, row, process);
	gboolean named = !(name->flags & (IOT_CELL_EMPTY | IOT_CELL_UNKNOWN)) && *name->text;

	return g_strdup_printf("%s%s%s", iot_cell_of(table, row, node)->text, named ? " " : "",
			       named ? name->text : "");
}

static char *proved_part(const struct iot_result_cell *share)
{
	if (share->flags & (IOT_CELL_EMPTY | IOT_CELL_UNKNOWN))
		return g_strdup("");
	return share->share >= 0.995  ? g_strdup(" (proved)")
	       : share->share < 0.005 ? g_strdup(" (possible)")
				      : g_strdup_printf(" (proved: %.0f %%)", 100 * share->share);
}

static void add_blockers(const struct brief *brief)
{
	const struct iot_result_table *pairs = find(brief, "blame_processes");

	if (!pairs)
		return;
	add_heading(brief, "Who blocked whom");
	for (guint i = 0; i < MIN(pairs->rows->len, ROWS); i++) {
		guint64 n = iot_cell_of(pairs, i, "waits")->number;
		g_autofree char *time =
			iot_format_duration(iot_cell_of(pairs, i, "blamed")->number);
		g_autofree char *waiter = who(pairs, i, "waiter", "waiting_process");
		g_autofree char *holder = who(pairs, i, "holder", "holding_process");
		g_autofree char *proved = proved_part(iot_cell_of(pairs, i, "proved"));
		g_autofree char *count = iot_format_count(n);
		g_autofree char *noun = iot_plural("wait", n);
		g_autofree char *text = g_strdup_printf("%s: %s waited for %s%s, %s %s", time,
							waiter, holder, proved, count, noun);

		iot_short_add(brief->lines, IOT_PLAIN, text, 2, 1);
	}
}

static void add_runners(const struct brief *brief)
{
	const struct iot_result_table *ran = find(brief, "ran_meanwhile");

	if (!ran || find(brief, "blame_processes"))
		return;
	add_heading(brief, "Who ran while threads waited for a processor");
	for (guint i = 0, n = 0; i < ran->rows->len && n < ROWS; i++) {
		double share = iot_cell_of(ran, i, "share")->share;
		g_autofree char *time = iot_format_duration(iot_cell_of(ran, i, "time")->number);
		g_autofree char *waiter = iot_timeline_path(
			brief->from->tl, (iot_row_id)iot_cell_of(ran, i, "waiter")->number, "/");
		g_autofree char *text = g_strdup_printf(
			"%s: %s waited while %s ran, %.0f %% of "
			"its waiting",
			time, waiter, iot_cell_of(ran, i, "ran")->text, 100 * share);

		/* less than 1 % is not worth a line */
		if (share < 0.01)
			continue;
		n++;
		iot_short_add(brief->lines, IOT_PLAIN, text, 2, 1);
	}
}

/* ---- words */

/* Words that only those know who read the manual, in the order in which they are explained. */
static const struct {
	const char *word, *meaning;
} words[] = {
	{ "(proved", "proved: whatever the errors of the clocks" },
	{ "(possible)", "possible: errors of the clocks may explain it" },
	{ "undecided", "undecided: events are missing" },
	{ "messages", "messages: under way, nobody in the way" },
	{ "queue", "queue: others had asked before" },
	{ "hand-over", "hand-over: the holder was giving it up" },
	{ "callbacks", "callbacks: granted, not yet told" },
	{ "not explained", "not explained: nothing recorded tells" },
	{ " EX", "EX: exclusive" },
	{ " PR", "PR: for readers" },
};

static void add_words(const struct brief *brief)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
		gboolean used = FALSE;

		for (guint k = 0; k < brief->lines->lines->len; k++) {
			const struct iot_short_line *line = brief->lines->lines->pdata[k];

			used |= strstr(line->text, words[i].word) != NULL;
		}
		if (used)
			g_string_append_printf(text, "%s%s",
					       text->len ? "; " : "Words: ", words[i].meaning);
	}
	if (!text->len)
		return;
	iot_short_add(brief->lines, IOT_PLAIN, text->str, 0, 0);
}

/* ---- the recording */

/* The worst of all pairs: the greatest bound, or those without one. */
static void add_clocks(const struct brief *brief)
{
	static const char *const bounds[] = { "bound_begin", "bound_middle", "bound_end" };
	const struct iot_result_table *pairs = find(brief, "clock_pairs");
	g_autoptr(GString) text = g_string_new("Clocks: ");
	guint64 greatest = 0;
	guint n_bad = 0;

	if (!pairs) {
		if (iot_summary_has_machines(brief->from->summary))
			iot_short_add(brief->lines, IOT_PLAIN,
				      "Clocks: their errors are not known; two machines are "
				      "compared by the times as recorded",
				      0, SENTENCE);
		return;
	}
	for (guint i = 0; i < pairs->rows->len; i++) {
		const char *grade = iot_cell_of(pairs, i, "grade")->text;
		gboolean bad = strcmp(grade, "exact") && strcmp(grade, "bounded");

		if (bad && !n_bad++)
			g_string_append_printf(text,
					       "%s and %s: %s, so no order between them is "
					       "proved",
					       iot_cell_of(pairs, i, "node_a")->text,
					       iot_cell_of(pairs, i, "node_b")->text, grade);
		for (guint b = 0; b < G_N_ELEMENTS(bounds); b++) {
			const struct iot_result_cell *cell = iot_cell_of(pairs, i, bounds[b]);

			if (!(cell->flags & (IOT_CELL_EMPTY | IOT_CELL_UNKNOWN)))
				greatest = MAX(greatest, cell->number);
		}
	}
	if (n_bad > 1)
		g_string_append_printf(text, "; and %u other pairs of machines", n_bad - 1);
	if (!n_bad) {
		g_autofree char *bound = iot_format_duration(greatest);

		g_string_append_printf(text,
				       "the order of two instants of two machines is proved if "
				       "they are %s apart",
				       bound);
	}
	iot_short_add(brief->lines, n_bad ? IOT_YELLOW : IOT_PLAIN, text->str, 0, SENTENCE);
}

/* Warnings and losses; the verdict has the number of lost events. */
static void add_diagnostics(const struct brief *brief)
{
	const struct iot_result_table *list = find(brief, "diagnostics");
	g_autoptr(GString) text = g_string_new(NULL);
	guint n = 0;

	for (guint i = 0; list && i < list->rows->len; i++) {
		g_autofree char *count = NULL;

		if (iot_cell_of(list, i, "severity")->number == IOT_NOTICE || n++)
			continue;
		count = iot_format_count(iot_cell_of(list, i, "count")->number);
		g_string_append_printf(text, "Warning: %s: %s", count,
				       iot_cell_of(list, i, "meaning")->text);
	}
	if (n > 1)
		g_string_append_printf(text,
				       "; and %u other kinds, below \"Diagnostics\" of "
				       "report,tables",
				       n - 1);
	if (n)
		iot_short_add(brief->lines, IOT_YELLOW, text->str, 0, SENTENCE);
}

static void add_more(const struct brief *brief)
{
	iot_short_add(brief->lines, IOT_PLAIN,
		      "More: list (resources), show ROW, view (page), report,tables (all tables), "
		      "report,all (all rows)",
		      0, 0);
}

static void add_names(const struct brief *brief)
{
	g_autofree char *unnamed =
		iot_unnamed_lockspaces(brief->from->tl, brief->from->sums->units);
	g_autofree char *text = unnamed ? g_strdup_printf("Names: %s", unnamed) : NULL;

	if (text)
		iot_short_add(brief->lines, IOT_PLAIN, text, 0, SENTENCE);
}

static void build(const struct brief *brief)
{
	add_verdict(brief);
	add_calls(brief);
	add_waits(brief);
	add_blockers(brief);
	add_runners(brief);
	iot_short_add(brief->lines, IOT_PLAIN, "", 0, 0);
	add_words(brief);
	add_names(brief);
	add_clocks(brief);
	add_diagnostics(brief);
	add_more(brief);
}

void iot_report_short(const struct iot_publishing *from, const struct iot_results *results,
		      const struct iot_result_style *style)
{
	struct brief brief = { .from = from, .results = results };
	guint width = style->width ? MAX(style->width, (guint)LEAST_WIDTH) : PIPE_WIDTH;

	for (brief.rows = ROWS; brief.rows; brief.rows--) {
		iot_short_lines_free(brief.lines);
		brief.lines = iot_short_lines_new(width);
		build(&brief);
		if (brief.lines->lines->len <= MAX_LINES)
			break;
	}
	iot_short_write(brief.lines, style->out, style->colour);
	iot_short_lines_free(brief.lines);
}
