/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/ordering.h"
#include "base/units.h"
#include "tables/ranked.h"
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
	if (options->causality.policy == IOT_CAUSALITY_ADJUST)
		tl->moved[IOT_MOVED_SHIFT] =
			(struct iot_attr_def){ .name = iot_intern_str(tl->strings, "shift"),
					       .format = IOT_ATTR_DURATION,
					       .late = TRUE };
	if (options->causality.rounds)
		tl->moved[IOT_MOVED_ROUND] =
			(struct iot_attr_def){ .name = iot_intern_str(tl->strings, "round"),
					       .format = IOT_ATTR_UINT,
					       .late = TRUE };
	tl->moves = tl->moved[IOT_MOVED_SHIFT].name || tl->moved[IOT_MOVED_ROUND].name;
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

/* The events contradict the rule if the effect was before its cause, or the end before the effect,
 * whatever the clocks say. */
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
	if (early->doubt) {
		finding.grade = IOT_GRADE_UNDECIDED;
		finding.why = early->late ? "a new begin may not be recorded"
					  : "its own cause may not be recorded";
	}
	if (early->late) {
		finding.t0 = early->cause_ns;
		finding.t1 = early->effect_ns;
		finding.order[0][0] = (struct iot_instant){ finding.node[1], early->cause_ns };
		finding.order[0][1] = (struct iot_instant){ finding.node[0], early->effect_ns };
	}
	by = iot_format_duration(finding.t1 - finding.t0);
	finding.text = g_strdup_printf("%s: the event on %s is %s %s on %s", early->rule,
				       iot_tl_str(pass->tl, finding.node[0]), by,
				       early->late ? "after the end" : "before its cause",
				       iot_tl_str(pass->tl, finding.node[1]));
	iot_findings_add(pass->tl, &finding);
}

static gboolean is_certain(gpointer data, const struct iot_causal_early *early)
{
	const struct iot_pass_state *pass = data;
	const struct iot_model_input *inputs = iot_inputs_for_models(pass->inputs);
	iot_str effect = inputs[early->effect].node_name, cause = inputs[early->cause].node_name;

	/* threads of one machine are not told apart by its clock ("queue = thread") */
	return effect != cause && iot_order(pass->tl->clocks, effect, early->effect_ns, cause,
					    early->cause_ns) == IOT_PROVED;
}

struct iot_causal *iot_ordering_new(const struct iot_pass_state *pass,
				    const struct iot_options *options, iot_causal_func func,
				    gpointer user_data)
{
	const struct iot_model_input *known = iot_inputs_for_models(pass->inputs);
	guint n = iot_inputs_count(pass->inputs);
	struct iot_causal_input *inputs = g_new0(struct iot_causal_input, MAX(n, 1));
	/* an eighth of the memory: the rest is for records read ahead, items and outputs */
	struct iot_causal_config config = {
		.choice = options->causality,
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
		/* a shift says that the samples of the clocks are wrong */
		.certain = options->shifts->len ? NULL : is_certain,
		.early_data = (gpointer)pass
	};
	struct iot_causal *causal;

	for (guint i = 0; i < n; i++) {
		inputs[i].node = known[i].node;
		inputs[i].node_name = known[i].node_name;
		inputs[i].recording = known[i].recording;
		inputs[i].commands = known[i].commands;
		inputs[i].used = known[i].used;
		inputs[i].first_ns = known[i].first_ns;
		inputs[i].from_ns = known[i].from_ns;
		inputs[i].to_ns = known[i].to_ns;
		inputs[i].number = node_number(iot_tl_str(pass->tl, known[i].node));
	}
	causal = iot_causal_new(&config);
	g_free(inputs);
	return causal;
}

/* ---- tables */

enum { DASH = IOT_COLUMN_DASH, OPTIONAL = IOT_COLUMN_OPTIONAL, ALARM = IOT_COLUMN_ALARM };

/* on a narrow terminal counts matter more than places */
static const struct iot_ranked_column rule_columns[] = {
	{ "rule", "rule", IOT_COLUMN_TEXT, IOT_COLUMN_SHRINK, 0, "model and [order]" },
	{ "effects", "events", IOT_COLUMN_COUNT, DASH, 0, "events to which the rule applies" },
	{ "early", "early", IOT_COLUMN_COUNT, DASH, 0,
	  "came before their cause on another machine" },
	{ "inside", "inside", IOT_COLUMN_COUNT, DASH | OPTIONAL, 4,
	  "came before their cause on another CPU of the machine, or before one of several" },
	{ "late", "late", IOT_COLUMN_COUNT, DASH | OPTIONAL | ALARM, 5,
	  "came after the end of what they belong to" },
	{ "no_cause", "no cause", IOT_COLUMN_COUNT, DASH, 0,
	  "the cause is not in the recordings, or comes after the hold time" },
	{ "elsewhere", "elsewhere", IOT_COLUMN_COUNT, DASH | OPTIONAL, 7,
	  "the machine of the cause is not recorded" },
	{ "uncounted", "uncounted", IOT_COLUMN_COUNT, DASH | OPTIONAL, 8,
	  "nobody knows how many causes they have; not among the events" },
	{ "undecided", "undecided", IOT_COLUMN_COUNT, DASH | OPTIONAL, 9,
	  "came before what may be their cause; but that may not be recorded" },
	{ "beyond", "beyond", IOT_COLUMN_COUNT, DASH | OPTIONAL | ALARM, 10,
	  "of the early ones: by more than the errors of the clocks" },
	{ "stuck", "stuck", IOT_COLUMN_COUNT, DASH | OPTIONAL | ALARM, 11,
	  "contradict the rules in every order" },
	{ "overflow", "given up", IOT_COLUMN_COUNT, DASH | OPTIONAL | ALARM, 12,
	  "waited when the memory was full" },
	{ "at_end", "at the end", IOT_COLUMN_COUNT, DASH | OPTIONAL, 13,
	  "waited when the recording ended" },
	{ "worst", "largest", IOT_COLUMN_NS, OPTIONAL, 14,
	  "the longest time by which an event came early" },
	{ "at", "at", IOT_COLUMN_INSTANT, OPTIONAL, 15, "when that event was" },
	{ "node", "on", IOT_COLUMN_TEXT, OPTIONAL, 16, "where it was" },
	{ "cause_node", "cause on", IOT_COLUMN_TEXT, OPTIONAL, 17, "where its cause was" },
};

static const char *node_name(const struct iot_pass_state *pass, guint input)
{
	return iot_inputs_at(pass->inputs, input)->name;
}

static void add_rule(struct iot_result_table *table, gconstpointer element, gconstpointer pass)
{
	const struct iot_causal_report *report = element;

	iot_ranked_row(table, iot_cell_text(report->name), iot_cell_number(report->n),
		       iot_cell_number(report->early), iot_cell_positive(report->inside),
		       iot_cell_positive(report->late), iot_cell_number(report->missing),
		       iot_cell_positive(report->elsewhere), iot_cell_positive(report->uncounted),
		       iot_cell_positive(report->undecided), iot_cell_positive(report->beyond),
		       iot_cell_positive(report->stuck), iot_cell_positive(report->overflow),
		       iot_cell_positive(report->at_end));
	if (!report->worst_at)
		return;
	iot_result_number(table, report->worst_ns);
	iot_result_number(table, report->worst_at);
	iot_result_text(table, node_name(pass, report->worst_effect));
	iot_result_text(table, node_name(pass, report->worst_cause));
}

static const struct iot_ranked rules_ranked = {
	IOT_RANKED("order_rules", "Rules of order", rule_columns),
	.help = "events that come before their cause",
	.loss = IOT_LOSS_IN_CELLS,
	.add = add_rule,
};

/* The clocks of some machines may differ by any time. */
static gboolean are_unbounded(const struct iot_pass_state *pass)
{
	for (guint i = 0; i < iot_inputs_count(pass->inputs); i++)
		if (iot_inputs_at(pass->inputs, i)->used &&
		    !iot_clocks_facts(pass->tl->clocks, i)->knots)
			return iot_inputs_count(pass->inputs) > 1;
	return FALSE;
}

static void publish_rules(const struct iot_pass_state *pass, struct iot_results *to)
{
	g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(struct iot_causal_report));
	struct iot_result_table *table;
	struct iot_causal_report report;
	guint64 n_missing = 0;

	for (guint i = 0; iot_causal_report(pass->causal, i, &report); i++) {
		if (!report.n && !report.uncounted)
			continue;
		g_array_append_val(list, report);
		n_missing += report.missing;
	}
	table = iot_ranked_publish_array(to, pass->tl, &rules_ranked, list, pass);
	if (n_missing && are_unbounded(pass))
		iot_result_note(table,
				"the clocks may differ by more than the hold time, so that causes "
				"come too late: try --sync auto, or a longer hold "
				"(--causality POLICY,hold=60s)");
}

static const struct iot_ranked_column move_columns[] = {
	{ "node", "node", IOT_COLUMN_TEXT, IOT_COLUMN_SHRINK },
	{ "held", "delivered later", IOT_COLUMN_COUNT, DASH, 0,
	  "events that were delivered after events that came after them" },
	{ "shifted", "later time", IOT_COLUMN_COUNT, DASH, 0,
	  "events whose time is later than recorded" },
	{ "mean", "mean shift", IOT_COLUMN_NS, OPTIONAL, 4 },
	{ "largest", "largest", IOT_COLUMN_NS, OPTIONAL, 5 },
	{ "at", "at", IOT_COLUMN_INSTANT, OPTIONAL, 6,
	  "recorded time of the event with the largest shift" },
};

static const struct iot_ranked_column round_columns[] = {
	{ "round", "last round", IOT_COLUMN_COUNT, DASH, 0,
	  "the greatest number of a round of its events" },
};

static const struct iot_ranked_column spread_columns[] = {
	{ "grown_effect", "grown: effect", IOT_COLUMN_COUNT, DASH | OPTIONAL, 1,
	  "intervals that grew by more than the share, because their first event would pass its "
	  "effect on another machine" },
	{ "grown_window", "grown: back", IOT_COLUMN_COUNT, DASH | OPTIONAL, 2,
	  "intervals that grew by more than the share, because older events are not moved" },
	{ "grown", "in excess", IOT_COLUMN_NS, OPTIONAL, 3,
	  "the most by which one of these grew in excess of the share" },
};

static const struct iot_ranked moves_ranked = {
	IOT_RANKED("order_moves", "Moved events", move_columns),
	.help = "what --causality did to the events of each machine",
	.loss = IOT_LOSS_IN_CELLS,
};

static void publish_moves(const struct iot_pass_state *pass,
			  const struct iot_causality_choice *choice, struct iot_results *to)
{
	guint n = iot_inputs_count(pass->inputs);
	struct iot_result_table *table = iot_ranked_table(to, pass->tl, &moves_ranked, n);

	if (choice->rounds)
		iot_ranked_columns(table, round_columns, G_N_ELEMENTS(round_columns));
	if (choice->keep_ppm)
		iot_ranked_columns(table, spread_columns, G_N_ELEMENTS(spread_columns));
	for (guint i = 0; i < n; i++) {
		const struct iot_causal_moves *moves = iot_causal_moves(pass->causal, i);

		if (!iot_inputs_at(pass->inputs, i)->used)
			continue;
		iot_ranked_row(table, iot_cell_text(node_name(pass, i)),
			       iot_cell_number(moves->held), iot_cell_number(moves->shifted),
			       iot_cell_positive(moves->sum_ns / MAX(moves->shifted, 1)),
			       iot_cell_positive(moves->largest_ns),
			       iot_cell_positive(moves->largest_at));
		if (choice->rounds)
			iot_result_number(table, moves->last_round);
		if (!choice->keep_ppm)
			continue;
		iot_ranked_cell(table, iot_cell_positive(moves->grown_effect));
		iot_ranked_cell(table, iot_cell_positive(moves->grown_window));
		iot_ranked_cell(table, iot_cell_positive(moves->grown_ns));
	}
}

void iot_ordering_publish(const struct iot_pass_state *pass, const struct iot_options *options,
			  struct iot_results *to)
{
	publish_rules(pass, to);
	if (options->causality.policy >= IOT_CAUSALITY_HOLD)
		publish_moves(pass, &options->causality, to);
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
