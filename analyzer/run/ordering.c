/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/ordering.h"

#include <string.h>

/* Causes that no effect asks for are remembered, too. */
enum { MAX_KEYS = 1 << 16 };

/* The number in "3"; G_MININT64: the node has a name that is no number. */
static gint64 node_number(const char *node)
{
	char *end;
	gint64 number = g_ascii_strtoll(node, &end, 10);

	return *node && !*end ? number : G_MININT64;
}

void iot_ordering_attribute(struct iot_timeline *tl, const struct iot_options *options)
{
	gboolean rounds = options->causality.policy == IOT_CAUSALITY_ROUNDS;

	if (!rounds && options->causality.policy != IOT_CAUSALITY_ADJUST)
		return;
	tl->moved = (struct iot_attr_def){
		.name = iot_intern_str(tl->strings, rounds ? "round" : "shift"),
		.format = rounds ? IOT_ATTR_UINT : IOT_ATTR_DURATION,
		.late = TRUE,
	};
}

struct iot_causal *iot_ordering_new(const struct iot_pass_state *pass,
				    const struct iot_options *options, iot_causal_func func,
				    gpointer user_data)
{
	const struct iot_model_input *known = iot_inputs_for_models(pass->inputs);
	guint n = iot_inputs_count(pass->inputs);
	struct iot_causal_input *inputs = g_new0(struct iot_causal_input, MAX(n, 1));
	/* an eighth of the memory: the rest is for records read ahead, items and outputs */
	struct iot_causal_config config = { .choice = options->causality,
					    .rules = iot_models_order(pass->models),
					    .inputs = inputs,
					    .n_inputs = n,
					    .memory = MAX(options->memory / 8, 1 << 20),
					    .max_keys = MIN(options->max_open, MAX_KEYS),
					    .tl = pass->tl,
					    .schema = iot_models_schema(pass->models),
					    .func = func,
					    .user_data = user_data };
	struct iot_causal *causal;

	for (guint i = 0; i < n; i++) {
		inputs[i].node = known[i].node;
		inputs[i].node_name = known[i].node_name;
		inputs[i].commands = known[i].commands;
		inputs[i].used = known[i].used;
		inputs[i].number = node_number(iot_tl_str(pass->tl, known[i].node));
	}
	causal = iot_causal_new(&config);
	g_free(inputs);
	return causal;
}

/* ---- tables */

static void add_column(struct iot_result_table *table, const char *name, const char *title,
		       enum iot_column_kind kind, guint flags, const char *help)
{
	struct iot_column *column = iot_result_column(table, name, title, kind);

	column->flags = flags;
	column->help = g_strdup(help);
	/* on a narrow terminal counts matter more than places */
	if (flags & IOT_COLUMN_OPTIONAL)
		column->drop = table->columns->len;
}

static struct iot_result_table *make_rules(struct iot_results *to)
{
	struct iot_result_table *table = iot_results_add(to, "order_rules", "Rules of order");
	const guint dash = IOT_COLUMN_DASH, optional = IOT_COLUMN_DASH | IOT_COLUMN_OPTIONAL;

	table->help = g_strdup("events that come before their cause");
	add_column(table, "rule", "rule", IOT_COLUMN_TEXT, IOT_COLUMN_SHRINK, "model and [order]");
	add_column(table, "effects", "events", IOT_COLUMN_COUNT, dash,
		   "events to which the rule applies");
	add_column(table, "early", "early", IOT_COLUMN_COUNT, dash,
		   "came before their cause on another machine");
	add_column(table, "inside", "inside", IOT_COLUMN_COUNT, optional,
		   "came before their cause on another CPU of the machine");
	add_column(table, "no_cause", "no cause", IOT_COLUMN_COUNT, dash,
		   "the cause is not in the recordings, or comes after the hold time");
	add_column(table, "elsewhere", "elsewhere", IOT_COLUMN_COUNT, optional,
		   "the machine of the cause is not recorded");
	add_column(table, "stuck", "stuck", IOT_COLUMN_COUNT, optional | IOT_COLUMN_ALARM,
		   "contradict the rules in every order");
	add_column(table, "overflow", "given up", IOT_COLUMN_COUNT, optional | IOT_COLUMN_ALARM,
		   "waited when the memory was full");
	add_column(table, "at_end", "at the end", IOT_COLUMN_COUNT, optional,
		   "waited when the recording ended");
	add_column(table, "worst", "largest", IOT_COLUMN_NS, IOT_COLUMN_OPTIONAL,
		   "the longest time by which an event came early");
	add_column(table, "at", "at", IOT_COLUMN_INSTANT, IOT_COLUMN_OPTIONAL,
		   "when that event was");
	add_column(table, "node", "on", IOT_COLUMN_TEXT, IOT_COLUMN_OPTIONAL, "where it was");
	add_column(table, "cause_node", "cause on", IOT_COLUMN_TEXT, IOT_COLUMN_OPTIONAL,
		   "where its cause was");
	return table;
}

static void add_count(struct iot_result_table *table, guint64 count, gboolean always)
{
	if (count || always)
		iot_result_number(table, count);
	else
		iot_result_none(table, IOT_CELL_EMPTY);
}

static const char *node_name(const struct iot_pass_state *pass, guint input)
{
	return iot_inputs_at(pass->inputs, input)->name;
}

static void add_rule(const struct iot_pass_state *pass, const struct iot_causal_report *report,
		     struct iot_result_table *table)
{
	iot_result_row(table);
	iot_result_text(table, report->name);
	iot_result_number(table, report->n);
	iot_result_number(table, report->early);
	add_count(table, report->inside, FALSE);
	iot_result_number(table, report->missing);
	add_count(table, report->elsewhere, FALSE);
	add_count(table, report->stuck, FALSE);
	add_count(table, report->overflow, FALSE);
	add_count(table, report->at_end, FALSE);
	if (!report->worst_at) {
		for (guint i = 0; i < 4; i++)
			iot_result_none(table, IOT_CELL_EMPTY);
		return;
	}
	iot_result_number(table, report->worst_ns);
	iot_result_number(table, report->worst_at);
	iot_result_text(table, node_name(pass, report->worst_effect));
	iot_result_text(table, node_name(pass, report->worst_cause));
}

static void publish_rules(const struct iot_pass_state *pass, struct iot_results *to)
{
	struct iot_result_table *table = NULL;
	struct iot_causal_report report;

	for (guint i = 0; iot_causal_report(pass->causal, i, &report); i++) {
		if (!report.n)
			continue;
		if (!table)
			table = make_rules(to);
		add_rule(pass, &report, table);
	}
}

static struct iot_result_table *make_moves(struct iot_results *to)
{
	struct iot_result_table *table = iot_results_add(to, "order_moves", "Moved events");

	table->help = g_strdup("what --causality did to the events of each machine");
	add_column(table, "node", "node", IOT_COLUMN_TEXT, IOT_COLUMN_SHRINK, NULL);
	add_column(table, "held", "delivered later", IOT_COLUMN_COUNT, IOT_COLUMN_DASH,
		   "events that were delivered after events that came after them");
	add_column(table, "shifted", "later time", IOT_COLUMN_COUNT, IOT_COLUMN_DASH,
		   "events whose time is later than recorded");
	add_column(table, "mean", "mean shift", IOT_COLUMN_NS, IOT_COLUMN_OPTIONAL, NULL);
	add_column(table, "largest", "largest", IOT_COLUMN_NS, IOT_COLUMN_OPTIONAL, NULL);
	add_column(table, "at", "at", IOT_COLUMN_INSTANT, IOT_COLUMN_OPTIONAL,
		   "recorded time of the event with the largest shift");
	return table;
}

static void publish_moves(const struct iot_pass_state *pass, struct iot_results *to)
{
	struct iot_result_table *table = make_moves(to);

	for (guint i = 0; i < iot_inputs_count(pass->inputs); i++) {
		const struct iot_causal_moves *moves = iot_causal_moves(pass->causal, i);

		if (!iot_inputs_at(pass->inputs, i)->used)
			continue;
		iot_result_row(table);
		iot_result_text(table, node_name(pass, i));
		iot_result_number(table, moves->held);
		iot_result_number(table, moves->shifted);
		add_count(table, moves->shifted ? moves->sum_ns / moves->shifted : 0, FALSE);
		add_count(table, moves->largest_ns, FALSE);
		add_count(table, moves->largest_at, FALSE);
	}
}

void iot_ordering_publish(const struct iot_pass_state *pass, const struct iot_options *options,
			  struct iot_results *to)
{
	publish_rules(pass, to);
	if (options->causality.policy >= IOT_CAUSALITY_HOLD)
		publish_moves(pass, to);
}
