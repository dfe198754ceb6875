/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clocks of the inputs, and how certain the order of two nodes' instants is. */
#include "sinks/publish.h"
#include "base/units.h"
#include "timeline/certainty.h"

#define MAX_PAIRS 100

/* Something is known about the order of several machines' instants. */
static gboolean knows_clocks(const struct iot_summary *summary)
{
	gboolean known = FALSE;

	for (guint i = 0; i < summary->n_inputs; i++) {
		const struct iot_clock_facts *facts = &summary->inputs[i].clock_facts;

		known |= facts->n_samples > 0 ||
			 (facts->knots && iot_clock_facts_bound(facts, summary->end_ns) > 1);
	}
	return summary->n_inputs > 1 && known;
}

static const char *grade(guint64 bound, guint64 resolution)
{
	enum iot_clock_grade found = bound == IOT_CLOCK_UNBOUNDED ? IOT_CLOCK_NONE
				     : bound <= resolution	  ? IOT_CLOCK_EXACT
								  : IOT_CLOCK_BOUNDED;

	return iot_clock_grade_name(found);
}

static const char *method(const struct iot_summary_input *input)
{
	if (!g_strcmp0(input->sync, "host"))
		return "host";
	if (!g_strcmp0(input->protocol, "protocol"))
		return input->clock_facts.recovered ? "protocol" : "reference";
	if (g_strcmp0(input->protocol, "file") && !g_strcmp0(input->format, "iotrace-text 1"))
		return "stated";
	return input->protocol;
}

/* The sum of the bounds of @n inputs at begin, middle and end. */
static void add_bounds(struct iot_result_table *table, const struct iot_summary *summary,
		       const struct iot_summary_input *const *inputs, guint n)
{
	const guint64 at[] = { summary->begin_ns,
			       summary->begin_ns + (summary->end_ns - summary->begin_ns) / 2,
			       summary->end_ns };

	for (guint i = 0; i < G_N_ELEMENTS(at); i++) {
		guint64 sum = 0;

		for (guint k = 0; k < n; k++) {
			guint64 bound = iot_clock_facts_bound(&inputs[k]->clock_facts, at[i]);

			sum = bound == IOT_CLOCK_UNBOUNDED || sum == IOT_CLOCK_UNBOUNDED
				      ? IOT_CLOCK_UNBOUNDED
				      : sum + bound;
		}
		if (sum == IOT_CLOCK_UNBOUNDED)
			iot_result_none(table, IOT_CELL_UNKNOWN);
		else
			iot_result_number(table, sum);
	}
}

static void bound_columns(struct iot_result_table *table)
{
	iot_result_column(table, "bound_begin", "bound at begin", IOT_COLUMN_NS);
	iot_result_column(table, "bound_middle", "middle", IOT_COLUMN_NS)->drop = 9;
	iot_result_column(table, "bound_end", "end", IOT_COLUMN_NS);
}

static void clock_columns(struct iot_result_table *table)
{
	static const struct {
		const char *name, *title, *help;
		enum iot_column_kind kind;
		guint drop;
	} columns[] = {
		{ "method", "method", "how the times came to the common clock", IOT_COLUMN_TEXT,
		  0 },
		{ "samples", "samples", NULL, IOT_COLUMN_COUNT, 0 },
		{ "before_first", "before first",
		  "from the beginning of the recording to the first sample", IOT_COLUMN_NS, 7 },
		{ "after_last", "after last", "from the last sample to the end of the recording",
		  IOT_COLUMN_NS, 6 },
		{ "drift_ppb", "drift ppb",
		  "how much faster the host's clock runs, in parts of 10^9, overall",
		  IOT_COLUMN_COUNT, 3 },
		{ "change_ppb", "change ppb",
		  "greatest difference of the drift between two samples and other two",
		  IOT_COLUMN_COUNT, 4 },
		{ "residual", "residual",
		  "greatest distance of a sample from the correction that is used", IOT_COLUMN_NS,
		  2 },
		{ "spread", "spread", "greatest difference of two CPUs' corrections", IOT_COLUMN_NS,
		  5 },
		{ "resolution", "resolution", "of the trace clock", IOT_COLUMN_NS, 8 },
	};

	iot_result_column(table, "file", "file", IOT_COLUMN_TEXT)->flags = IOT_COLUMN_DATA;
	iot_result_column(table, "node", "node", IOT_COLUMN_TEXT)->flags = IOT_COLUMN_SHRINK;
	for (guint i = 0; i < G_N_ELEMENTS(columns); i++) {
		struct iot_column *column = iot_result_column(table, columns[i].name,
							      columns[i].title, columns[i].kind);

		column->help = g_strdup(columns[i].help);
		column->drop = columns[i].drop;
		column->flags = IOT_COLUMN_OPTIONAL;
	}
	bound_columns(table);
	iot_result_column(table, "grade", "grade", IOT_COLUMN_TEXT);
}

/* Cells that only samples fill. */
static void add_samples(struct iot_result_table *table, const struct iot_summary_input *input)
{
	const struct iot_clock_facts *facts = &input->clock_facts;

	if (facts->recovered) {
		for (guint i = 0; i < 3; i++)
			iot_result_none(table, IOT_CELL_EMPTY);
		iot_result_signed(table, facts->drift_ppb);
		iot_result_number(table, facts->change_ppb);
		for (guint i = 0; i < 2; i++)
			iot_result_none(table, IOT_CELL_EMPTY);
		return;
	}
	if (!facts->n_samples) {
		for (guint i = 0; i < 7; i++)
			iot_result_none(table, IOT_CELL_EMPTY);
		return;
	}
	iot_result_number(table, facts->n_samples);
	iot_result_number(table, MAX(facts->first_ns, input->first_ns) - input->first_ns);
	iot_result_number(table, MAX(facts->last_ns, input->last_ns) - facts->last_ns);
	iot_result_signed(table, facts->drift_ppb);
	iot_result_number(table, facts->change_ppb);
	iot_result_number(table, facts->residual_ns);
	iot_result_number(table, facts->spread_ns);
}

static void publish_inputs(const struct iot_summary *summary, struct iot_results *to)
{
	struct iot_result_table *table = iot_results_add(to, "clocks", "Clocks");
	g_autofree char *ptp = iot_format_duration(summary->clock_assumed.ptp_ns);
	gboolean assumes = FALSE, recovered = FALSE;

	table->help = g_strdup("how far the times of each recording may be from the common clock");
	clock_columns(table);
	for (guint i = 0; i < summary->n_inputs; i++) {
		const struct iot_summary_input *input = &summary->inputs[i];

		iot_result_row(table);
		iot_result_text(table, input->path);
		iot_result_text(table, input->node);
		iot_result_text(table, method(input));
		add_samples(table, input);
		iot_result_number(table, input->clock_facts.resolution_ns);
		add_bounds(table, summary, &input, 1);
		iot_result_text(table, grade(iot_clock_facts_greatest(&input->clock_facts),
					     MAX(input->clock_facts.resolution_ns, 1)));
		assumes |= !g_strcmp0(input->protocol, "ptp") && input->clock_facts.n_samples;
		recovered |= input->clock_facts.recovered;
	}
	if (assumes)
		iot_result_note(
			table,
			"assumed (--clock-assume): PTP samples are off by at most %s, clocks "
			"drift by at most %g ppm, and the drift changes by at most %g ppm",
			ptp, (double)summary->clock_assumed.drift_ppb / 1000,
			(double)summary->clock_assumed.rate_ppb / 1000);
	if (recovered)
		iot_result_note(
			table,
			"recovered from messages: none arrives before it was sent, clocks drift by "
			"at most %g ppm, and the drift changes by at most %g ppm (--clock-assume)",
			(double)summary->clock_assumed.drift_ppb / 1000,
			(double)summary->clock_assumed.rate_ppb / 1000);
}

static gboolean is_pair(const struct iot_timeline *tl, const struct iot_summary_input *const *pair,
			guint32 node_a, guint32 node_b)
{
	const char *a = iot_intern_get(tl->strings, node_a, NULL);
	const char *b = iot_intern_get(tl->strings, node_b, NULL);

	return (!g_strcmp0(a, pair[0]->node) && !g_strcmp0(b, pair[1]->node)) ||
	       (!g_strcmp0(b, pair[0]->node) && !g_strcmp0(a, pair[1]->node));
}

/* The result of --sync by messages; NULL: there is none. */
static const struct iot_clock_pair_grade *grade_between(const struct iot_timeline *tl,
							const struct iot_summary_input *const *pair)
{
	guint n = 0;
	const struct iot_clock_pair_grade *grades =
		tl->clocks ? iot_clocks_grades(tl->clocks, &n) : NULL;

	for (guint i = 0; i < n; i++)
		if (is_pair(tl, pair, grades[i].a, grades[i].b))
			return &grades[i];
	return NULL;
}

/* The links between two nodes, in both directions. */
static struct iot_link_sum links_between(const struct iot_timeline *tl,
					 const struct iot_summary_input *const *pair)
{
	struct iot_link_sum both = { 0 };
	const struct iot_link_sum *sums;
	guint n = 0;

	sums = tl->clocks ? iot_clocks_links(tl->clocks, &n) : NULL;
	for (guint i = 0; i < n; i++) {
		if (!is_pair(tl, pair, sums[i].from, sums[i].to))
			continue;
		both.n += sums[i].n;
		both.n_proved += sums[i].n_proved;
		both.n_backwards += sums[i].n_backwards;
		both.n_contradicted += sums[i].n_contradicted;
		if (sums[i].worst_ns <= both.worst_ns)
			continue;
		both.worst_ns = sums[i].worst_ns;
		both.worst_at_ns = sums[i].worst_at_ns;
	}
	return both;
}

static void add_links(struct iot_result_table *table, const struct iot_link_sum *links)
{
	/* clocks that one link contradicts prove nothing between these machines */
	guint64 proved = links->n_contradicted ? 0 : links->n_proved;

	if (!links->n) {
		for (guint i = 0; i < 7; i++)
			iot_result_none(table, IOT_CELL_EMPTY);
		return;
	}
	iot_result_number(table, links->n);
	iot_result_number(table, proved);
	iot_result_number(table, links->n - proved - links->n_contradicted);
	iot_result_number(table, links->n_contradicted);
	iot_result_number(table, links->n_backwards);
	if (links->n_backwards) {
		iot_result_number(table, links->worst_ns);
		iot_result_number(table, links->worst_at_ns);
	} else {
		iot_result_none(table, IOT_CELL_EMPTY);
		iot_result_none(table, IOT_CELL_EMPTY);
	}
}

/* The common clock is one of the two, or a third one. */
static void add_pair_method(struct iot_result_table *table,
			    const struct iot_summary_input *const *pair)
{
	const char *a = method(pair[0]), *b = method(pair[1]);
	gboolean a_is_common = !g_strcmp0(a, "host") || !g_strcmp0(a, "reference");
	gboolean b_is_common = !g_strcmp0(b, "host") || !g_strcmp0(b, "reference");
	g_autofree char *both = g_strdup_printf("%s, %s", a, b);

	if (a_is_common || !g_strcmp0(a, b))
		iot_result_text(table, b);
	else
		iot_result_text(table, b_is_common ? a : both);
}

static gboolean has_drift(const struct iot_summary_input *input)
{
	return input->clock_facts.n_samples || input->clock_facts.recovered;
}

static void add_pair_drift(struct iot_result_table *table,
			   const struct iot_summary_input *const *pair)
{
	if (has_drift(pair[0]) || has_drift(pair[1]))
		iot_result_signed(table,
				  pair[0]->clock_facts.drift_ppb - pair[1]->clock_facts.drift_ppb);
	else
		iot_result_none(table, IOT_CELL_EMPTY);
}

static void add_pair(struct iot_result_table *table, const struct iot_publishing *from,
		     const struct iot_summary_input *const *pair)
{
	struct iot_link_sum links = links_between(from->tl, pair);
	const struct iot_clock_pair_grade *recovered = grade_between(from->tl, pair);
	guint64 bound = MAX(iot_clock_facts_greatest(&pair[0]->clock_facts),
			    iot_clock_facts_greatest(&pair[1]->clock_facts));
	guint64 resolution =
		MAX(pair[0]->clock_facts.resolution_ns, pair[1]->clock_facts.resolution_ns);

	iot_result_row(table);
	iot_result_text(table, pair[0]->node);
	iot_result_text(table, pair[1]->node);
	add_pair_method(table, pair);
	add_pair_drift(table, pair);
	add_bounds(table, from->summary, pair, 2);
	add_links(table, &links);
	if (recovered)
		iot_result_number(table, recovered->n_wrong);
	else
		iot_result_none(table, IOT_CELL_EMPTY);
	if (links.n_contradicted)
		iot_result_text(table, iot_clock_grade_name(IOT_CLOCK_CONTRADICTED));
	else if (recovered && recovered->grade <= IOT_CLOCK_CONTRADICTED)
		iot_result_text(table, iot_clock_grade_name(recovered->grade));
	else
		iot_result_text(table, grade(bound, resolution));
}

static void link_columns(struct iot_result_table *table)
{
	static const struct {
		const char *name, *title, *help;
		enum iot_column_kind kind;
		guint flags, drop;
	} columns[] = {
		{ "links", "links", "between the two, in both directions", IOT_COLUMN_COUNT, 0, 4 },
		{ "proved", "proved", "links whose arrival is later by more than the bound",
		  IOT_COLUMN_COUNT, 0, 6 },
		{ "within_error", "within error", "links whose order the errors decide",
		  IOT_COLUMN_COUNT, 0, 5 },
		{ "contradicted", "contradicted",
		  "links that arrive earlier by more than the bound", IOT_COLUMN_COUNT,
		  IOT_COLUMN_ALARM, 1 },
		{ "backwards", "backwards", "links that arrive, by the clocks, before they leave",
		  IOT_COLUMN_COUNT, IOT_COLUMN_ALARM, 1 },
		{ "worst", "worst", "by how much at most", IOT_COLUMN_NS, 0, 2 },
		{ "worst_at", "at", "when", IOT_COLUMN_INSTANT, 0, 3 },
		{ "fewest", "fewest",
		  "links that run backwards with any constant rates of the two clocks",
		  IOT_COLUMN_COUNT, 0, 5 },
	};

	for (guint i = 0; i < G_N_ELEMENTS(columns); i++) {
		struct iot_column *column = iot_result_column(table, columns[i].name,
							      columns[i].title, columns[i].kind);

		column->help = g_strdup(columns[i].help);
		column->flags = columns[i].flags | IOT_COLUMN_OPTIONAL;
		column->drop = columns[i].drop;
	}
}

static void publish_pairs(const struct iot_publishing *from, struct iot_results *to)
{
	const struct iot_summary *summary = from->summary;
	struct iot_result_table *table =
		iot_results_add(to, "clock_pairs", "Order between machines");
	struct iot_column *drift;
	guint n = 0;

	table->help =
		g_strdup("instants of two machines have a proved order if they differ by more "
			 "than the bound");
	iot_result_column(table, "node_a", "node", IOT_COLUMN_TEXT);
	iot_result_column(table, "node_b", "and node", IOT_COLUMN_TEXT);
	iot_result_column(table, "method", "method", IOT_COLUMN_TEXT)->drop = 8;
	drift = iot_result_column(table, "drift_ppb", "drift ppb", IOT_COLUMN_COUNT);
	drift->help = g_strdup("how much faster the second clock runs, in parts of 10^9, overall");
	drift->flags = IOT_COLUMN_OPTIONAL;
	drift->drop = 7;
	bound_columns(table);
	link_columns(table);
	iot_result_column(table, "grade", "grade", IOT_COLUMN_TEXT);
	for (guint a = 0; a < summary->n_inputs; a++)
		for (guint b = a + 1; b < summary->n_inputs; b++) {
			const struct iot_summary_input *pair[] = { &summary->inputs[a],
								   &summary->inputs[b] };

			if (n++ < MAX_PAIRS)
				add_pair(table, from, pair);
		}
	if (n > MAX_PAIRS)
		iot_result_note(table, "%u more pairs are not listed", n - MAX_PAIRS);
}

void iot_publish_all_clocks(const struct iot_publishing *from, struct iot_results *to)
{
	publish_inputs(from->summary, to);
	if (from->summary->n_inputs > 1)
		publish_pairs(from, to);
}

void iot_publish_clocks(const struct iot_publishing *from, struct iot_results *to)
{
	if (knows_clocks(from->summary))
		iot_publish_all_clocks(from, to);
}
