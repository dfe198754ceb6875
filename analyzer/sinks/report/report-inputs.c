/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inputs, time range, and the counters of lost, guessed and uncertain data. */
#include "sinks/report/report-inputs.h"
#include "base/units.h"

#include <string.h>

/* The node is shorter than the path, and the name in the other sections. */
static const char *input_name(const struct iot_summary_input *input)
{
	return input->node && *input->node ? input->node : input->path;
}

static char *describe_sync(const struct iot_summary_input *input)
{
	const char *sync = input->sync ? input->sync : "unknown";
	GString *text = g_string_new(sync);

	/* measured, but not against the clock of the first input */
	if (input->other_session)
		return g_string_free(g_string_assign(text, "no, another session"), FALSE);
	if (input->protocol && *input->protocol && g_strcmp0(input->protocol, "none"))
		g_string_append_printf(text, ", %s", input->protocol);
	if (input->n_samples)
		g_string_append_printf(text, ", %u %s", input->n_samples,
				       input->n_samples == 1 ? "sample" : "samples");
	return g_string_free(text, FALSE);
}

static void add_input(struct iot_table *table, const struct iot_summary_input *input, guint verbose)
{
	iot_table_row(table);
	iot_table_cell(table, IOT_PLAIN, input->path);
	iot_table_cell(table, IOT_PLAIN, input->node);
	iot_table_cell(table, IOT_PLAIN,
		       g_strcmp0(input->hostname, input->node) ? input->hostname : "");
	iot_table_cell(table, IOT_PLAIN, input->kernel);
	iot_table_take(table, IOT_PLAIN, input->n_cpus ? iot_format_count(input->n_cpus) : NULL);
	iot_table_take(table, IOT_PLAIN, iot_report_count(input->n_events));
	iot_table_take(table, input->n_lost ? IOT_RED : IOT_PLAIN, iot_report_count(input->n_lost));
	iot_table_cell(table, IOT_PLAIN, input->clock);
	iot_table_take(table, IOT_PLAIN, describe_sync(input));
	iot_table_cell(table, IOT_PLAIN, verbose ? input->format : "");
	iot_table_cell(table, IOT_RED, input->damaged ? "damaged" : "");
}

static void note_contradiction(struct iot_report *report, const struct iot_summary_input *input)
{
	if (input->messages_name)
		iot_report_note(report, "%s is mapped to %s, but its messages say node %s",
				input->path, input->node, input->messages_name);
}

void iot_report_inputs(struct iot_report *report)
{
	static const struct {
		const char *title;
		enum iot_align align;
		guint drop;
		gboolean shrink;
	} columns[] = {
		{ "FILE", IOT_LEFT, 0, TRUE },	 { "NODE", IOT_LEFT, 0, TRUE },
		{ "HOST", IOT_LEFT, 1, TRUE },	 { "KERNEL", IOT_LEFT, 4, TRUE },
		{ "CPUS", IOT_RIGHT, 2, FALSE }, { "EVENTS", IOT_RIGHT, 0, FALSE },
		{ "LOST", IOT_RIGHT, 0, FALSE }, { "CLOCK", IOT_LEFT, 3, FALSE },
		{ "SYNC", IOT_LEFT, 0, FALSE },	 { "FORMAT", IOT_LEFT, 5, FALSE },
		{ "", IOT_LEFT, 0, FALSE },
	};
	g_autoptr(iot_table) table = iot_report_table(report);

	if (!report->summary->n_inputs)
		return;
	for (guint i = 0; i < G_N_ELEMENTS(columns); i++) {
		struct iot_table_column *column =
			iot_table_column(table, columns[i].title, columns[i].align);

		column->optional = TRUE;
		column->drop = columns[i].drop;
		column->shrink = columns[i].shrink;
	}
	for (guint i = 0; i < report->summary->n_inputs; i++)
		add_input(table, &report->summary->inputs[i], report->summary->verbose);
	iot_report_heading(report, "Inputs");
	iot_table_write(table, report->out, report->colour);
	for (guint i = 0; i < report->summary->n_inputs; i++)
		note_contradiction(report, &report->summary->inputs[i]);
	if (report->summary->unknown_systems)
		iot_report_note(report, "recorded, but no model describes them: events of %s",
				report->summary->unknown_systems);
}

/* @goes_on: reading stopped before its end, which is unknown */
static void add_range(struct iot_report *report, struct iot_table *table, enum iot_style style,
		      const char *name, guint64 from, guint64 to, gboolean goes_on)
{
	guint64 length = to > from ? to - from : 0;

	iot_table_row(table);
	iot_table_cell(table, style, name);
	iot_table_take(table, style, iot_report_rel(report, from));
	iot_table_take(table, style, goes_on ? g_strdup("?") : iot_report_rel(report, to));
	iot_table_take(table, style, iot_report_clock(from));
	iot_table_take(table, style, goes_on ? g_strdup("?") : iot_report_clock(to));
	iot_table_take(table, style, goes_on ? g_strdup("?") : iot_format_duration(length));
}

/* There is a window, and it overlaps the recording. */
static gboolean has_window(const struct iot_summary *summary)
{
	return (summary->from_ns != summary->begin_ns || summary->to_ns != summary->end_ns) &&
	       summary->from_ns <= summary->end_ns && summary->to_ns >= summary->begin_ns;
}

void iot_report_times(struct iot_report *report)
{
	static const char *const titles[] = { "BEGIN", "END", "BEGIN (HOST)", "END (HOST)",
					      "LENGTH" };
	const struct iot_summary *summary = report->summary;
	g_autoptr(iot_table) table = iot_report_table(report);
	gboolean goes_on = FALSE;
	guint n_timed = 0;

	for (guint i = 0; i < summary->n_inputs; i++) {
		n_timed += summary->inputs[i].has_times;
		goes_on |= summary->inputs[i].goes_on;
	}
	if (!n_timed)
		return;
	iot_table_column(table, "", IOT_LEFT);
	for (guint i = 0; i < G_N_ELEMENTS(titles); i++)
		iot_table_column(table, titles[i], IOT_RIGHT)->drop =
			strstr(titles[i], "HOST") ? 1 : 0;
	add_range(report, table, IOT_PLAIN, "recording", summary->begin_ns, summary->end_ns,
		  goes_on);
	if (has_window(summary))
		add_range(report, table, IOT_BOLD, "window", report->from_ns, report->to_ns, FALSE);
	for (guint i = 0; n_timed > 1 && i < summary->n_inputs; i++)
		if (summary->inputs[i].has_times)
			add_range(report, table, IOT_PLAIN, input_name(&summary->inputs[i]),
				  summary->inputs[i].first_ns, summary->inputs[i].last_ns,
				  summary->inputs[i].goes_on);
	iot_report_heading(report, "Time range (seconds; HOST: as trace-cmd report prints it)");
	iot_table_write(table, report->out, report->colour);
	if (goes_on)
		iot_report_note(report, "?: not read to its end, as the window ends before");
	if (summary->from_ns != summary->begin_ns)
		iot_report_note(report, "timelines count from the beginning of the window");
	if (summary->verbose && summary->index && *summary->index)
		iot_report_note(report, "index: %s", summary->index);
}

/* "node 1: 1 200, node 2: 34", if the counter is known for some input and there are several */
static char *share_by_input(const struct iot_summary *summary, enum iot_diag_id id)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; summary->n_inputs > 1 && i < summary->n_inputs; i++) {
		const struct iot_summary_input *input = &summary->inputs[i];
		g_autofree char *count = iot_format_count(input->diag.count[id]);

		if (input->diag.count[id])
			g_string_append_printf(text, "%s%s: %s", text->len ? ", " : "",
					       input_name(input), count);
	}
	return g_string_free(text, FALSE);
}

static void add_diagnostic(struct iot_report *report, struct iot_table *table, enum iot_diag_id id)
{
	static const enum iot_style styles[] = {
		[IOT_NOTICE] = IOT_PLAIN,
		[IOT_WARN] = IOT_YELLOW,
		[IOT_LOSS] = IOT_RED,
	};
	const struct iot_diag_info *info = iot_diag_info(id);
	g_autofree char *count = iot_format_count(report->summary->diag.count[id]);
	g_autofree char *inputs = share_by_input(report->summary, id);
	g_autofree char *sentence = g_strdup_printf("%s: %s", count, info->text);

	iot_table_row(table);
	iot_table_cell(table, styles[info->severity], iot_diag_severity_name(info->severity));
	iot_table_cell(table, IOT_PLAIN, sentence);
	if (!*inputs)
		return;
	iot_table_row(table);
	iot_table_cell(table, IOT_PLAIN, "");
	iot_table_take(table, IOT_PLAIN, g_strdup_printf("  %s", inputs));
}

void iot_report_diagnostics(struct iot_report *report)
{
	const struct iot_diag *diag = &report->summary->diag;
	g_autoptr(iot_table) table = iot_report_table(report);

	if (iot_diag_worst(diag) < 0)
		return;
	iot_table_column(table, "", IOT_LEFT);
	iot_table_column(table, "", IOT_LEFT)->wrap = TRUE;
	for (int severity = IOT_LOSS; severity >= IOT_NOTICE; severity--)
		for (guint id = 0; id < IOT_DIAG_COUNT; id++)
			if (diag->count[id] && (int)iot_diag_info(id)->severity == severity)
				add_diagnostic(report, table, id);
	iot_report_heading(report, "Diagnostics");
	iot_table_write(table, report->out, report->colour);
}
