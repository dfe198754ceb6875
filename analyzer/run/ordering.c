/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/ordering.h"
#include "base/units.h"
#include "timeline/findings.h"

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

/* The check of the rule's model; -1: there is none. */
static int find_check(const struct iot_timeline *tl, const char *rule)
{
	const GArray *checks = iot_findings_checks(tl->findings);

	for (guint i = 0; i < checks->len; i++) {
		const struct iot_check *check = &g_array_index(checks, struct iot_check, i);
		gsize len = strlen(check->model);

		if (check->kind == IOT_CHECK_DISORDER && !strncmp(rule, check->model, len) &&
		    rule[len] == ' ')
			return (int)i;
	}
	return -1;
}

/* The events contradict the rule if the effect was before its cause, whatever the clocks say. */
static void add_finding(gpointer data, const struct iot_causal_early *early)
{
	const struct iot_pass_state *pass = data;
	const struct iot_model_input *inputs = iot_inputs_for_models(pass->inputs);
	int check = find_check(pass->tl, early->rule);
	struct iot_finding finding = {
		.check = (guint)check,
		.at = early->effect_ns,
		.t0 = early->effect_ns,
		.t1 = early->cause_ns,
		.node = { inputs[early->effect].node_name, inputs[early->cause].node_name },
		.n_orders = 1,
		.order = { { { inputs[early->effect].node_name, early->effect_ns },
			     { inputs[early->cause].node_name, early->cause_ns } } },
	};
	g_autofree char *by = NULL;

	if (check < 0 || !iot_findings_wanted(pass->tl->findings))
		return;
	by = iot_format_duration(early->cause_ns - early->effect_ns);
	finding.text = g_strdup_printf("%s: the event on %s is %s before its cause on %s",
				       early->rule, iot_tl_str(pass->tl, finding.node[0]), by,
				       iot_tl_str(pass->tl, finding.node[1]));
	iot_findings_add(pass->tl, &finding);
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
					    .user_data = user_data,
					    .early = add_finding,
					    .early_data = (gpointer)pass };
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

enum { DASH = IOT_COLUMN_DASH, OPTIONAL = IOT_COLUMN_OPTIONAL, ALARM = IOT_COLUMN_ALARM };

struct column {
	const char *name, *title;
	enum iot_column_kind kind;
	guint flags;
	const char *help;
};

static void add_columns(struct iot_result_table *table, const struct column *columns, guint n)
{
	for (guint i = 0; i < n; i++) {
		struct iot_column *column = iot_result_column(table, columns[i].name,
							      columns[i].title, columns[i].kind);

		column->flags = columns[i].flags;
		column->help = g_strdup(columns[i].help);
		/* on a narrow terminal counts matter more than places */
		if (columns[i].flags & OPTIONAL)
			column->drop = i + 1;
	}
}

static struct iot_result_table *make_rules(struct iot_results *to)
{
	static const struct column columns[] = {
		{ "rule", "rule", IOT_COLUMN_TEXT, IOT_COLUMN_SHRINK, "model and [order]" },
		{ "effects", "events", IOT_COLUMN_COUNT, DASH, "events to which the rule applies" },
		{ "early", "early", IOT_COLUMN_COUNT, DASH,
		  "came before their cause on another machine" },
		{ "inside", "inside", IOT_COLUMN_COUNT, DASH | OPTIONAL,
		  "came before their cause on another CPU of the machine" },
		{ "no_cause", "no cause", IOT_COLUMN_COUNT, DASH,
		  "the cause is not in the recordings, or comes after the hold time" },
		{ "elsewhere", "elsewhere", IOT_COLUMN_COUNT, DASH | OPTIONAL,
		  "the machine of the cause is not recorded" },
		{ "stuck", "stuck", IOT_COLUMN_COUNT, DASH | OPTIONAL | ALARM,
		  "contradict the rules in every order" },
		{ "overflow", "given up", IOT_COLUMN_COUNT, DASH | OPTIONAL | ALARM,
		  "waited when the memory was full" },
		{ "at_end", "at the end", IOT_COLUMN_COUNT, DASH | OPTIONAL,
		  "waited when the recording ended" },
		{ "worst", "largest", IOT_COLUMN_NS, OPTIONAL,
		  "the longest time by which an event came early" },
		{ "at", "at", IOT_COLUMN_INSTANT, OPTIONAL, "when that event was" },
		{ "node", "on", IOT_COLUMN_TEXT, OPTIONAL, "where it was" },
		{ "cause_node", "cause on", IOT_COLUMN_TEXT, OPTIONAL, "where its cause was" },
	};
	struct iot_result_table *table = iot_results_add(to, "order_rules", "Rules of order");

	table->help = g_strdup("events that come before their cause");
	add_columns(table, columns, G_N_ELEMENTS(columns));
	return table;
}

static void add_count(struct iot_result_table *table, guint64 count)
{
	if (count)
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
	add_count(table, report->inside);
	iot_result_number(table, report->missing);
	add_count(table, report->elsewhere);
	add_count(table, report->stuck);
	add_count(table, report->overflow);
	add_count(table, report->at_end);
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

static struct iot_result_table *make_moves(struct iot_results *to, gboolean spread)
{
	static const struct column columns[] = {
		{ "node", "node", IOT_COLUMN_TEXT, IOT_COLUMN_SHRINK, NULL },
		{ "held", "delivered later", IOT_COLUMN_COUNT, DASH,
		  "events that were delivered after events that came after them" },
		{ "shifted", "later time", IOT_COLUMN_COUNT, DASH,
		  "events whose time is later than recorded" },
		{ "mean", "mean shift", IOT_COLUMN_NS, OPTIONAL, NULL },
		{ "largest", "largest", IOT_COLUMN_NS, OPTIONAL, NULL },
		{ "at", "at", IOT_COLUMN_INSTANT, OPTIONAL,
		  "recorded time of the event with the largest shift" },
	};
	static const struct column of_spread[] = {
		{ "grown_effect", "grown: effect", IOT_COLUMN_COUNT, DASH | OPTIONAL,
		  "intervals that grew by more than the share, because their first event would "
		  "pass its effect on another machine" },
		{ "grown_window", "grown: back", IOT_COLUMN_COUNT, DASH | OPTIONAL,
		  "intervals that grew by more than the share, because older events are not "
		  "moved" },
		{ "grown", "in excess", IOT_COLUMN_NS, OPTIONAL,
		  "the most by which one of these grew in excess of the share" },
	};
	struct iot_result_table *table = iot_results_add(to, "order_moves", "Moved events");

	table->help = g_strdup("what --causality did to the events of each machine");
	add_columns(table, columns, G_N_ELEMENTS(columns));
	if (spread)
		add_columns(table, of_spread, G_N_ELEMENTS(of_spread));
	return table;
}

static void publish_moves(const struct iot_pass_state *pass, gboolean spread,
			  struct iot_results *to)
{
	struct iot_result_table *table = make_moves(to, spread);

	for (guint i = 0; i < iot_inputs_count(pass->inputs); i++) {
		const struct iot_causal_moves *moves = iot_causal_moves(pass->causal, i);

		if (!iot_inputs_at(pass->inputs, i)->used)
			continue;
		iot_result_row(table);
		iot_result_text(table, node_name(pass, i));
		iot_result_number(table, moves->held);
		iot_result_number(table, moves->shifted);
		add_count(table, moves->shifted ? moves->sum_ns / moves->shifted : 0);
		add_count(table, moves->largest_ns);
		add_count(table, moves->largest_at);
		if (!spread)
			continue;
		add_count(table, moves->grown_effect);
		add_count(table, moves->grown_window);
		add_count(table, moves->grown_ns);
	}
}

void iot_ordering_publish(const struct iot_pass_state *pass, const struct iot_options *options,
			  struct iot_results *to)
{
	publish_rules(pass, to);
	if (options->causality.policy >= IOT_CAUSALITY_HOLD)
		publish_moves(pass, options->causality.keep_ppm != 0, to);
}

char *iot_ordering_unknown(const struct iot_pass_state *pass, struct iot_diag *diag)
{
	const struct iot_order_rules *rules = iot_models_order(pass->models);
	const struct iot_order_use *first = NULL;

	for (guint event = 0; event < rules->by_event->len; event++) {
		const struct iot_order_use *use;

		if (!iot_causal_unseen(pass->causal, event))
			continue;
		use = iot_order_uses(rules, event)->pdata[0];
		if (!use->place)
			continue;
		iot_diag_add(diag, IOT_DIAG_order_event_unknown, 1);
		if (!first)
			first = use;
	}
	if (!first)
		return NULL;
	return g_strdup_printf("%s: the rule \"%s\" names the event \"%s\", which no recording has",
			       first->place, first->rule->name, first->event->name);
}
