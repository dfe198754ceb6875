/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clocks of the inputs, and how certain the order of two nodes' instants is. */
#include "sinks/publish.h"
#include "base/units.h"
#include "tables/ranked.h"
#include "timeline/certainty.h"

#define MAX_PAIRS 100
/* No two clocks that work drift as much (ppb): such processors count at other frequencies. */
#define MOST_DRIFT 1000000

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
		iot_ranked_cell(table,
				iot_cell_known(sum != IOT_CLOCK_UNBOUNDED, iot_cell_number(sum)));
	}
}

/* clang-format off */
#define BOUND_COLUMNS \
	{ "bound_begin", "bound at begin", IOT_COLUMN_NS }, \
	{ "bound_middle", "middle", IOT_COLUMN_NS, .drop = 9 }, \
	{ "bound_end", "end", IOT_COLUMN_NS }
/* clang-format on */

enum { OPTIONAL = IOT_COLUMN_OPTIONAL, ALARM = IOT_COLUMN_ALARM };

static const struct iot_ranked_column clock_columns[] = {
	{ "file", "file", IOT_COLUMN_TEXT, IOT_COLUMN_DATA },
	{ "node", "node", IOT_COLUMN_TEXT, IOT_COLUMN_SHRINK },
	{ "method", "method", IOT_COLUMN_TEXT, OPTIONAL, 0,
	  "how the times came to the common clock" },
	{ "samples", "samples", IOT_COLUMN_COUNT, OPTIONAL },
	{ "before_first", "before first", IOT_COLUMN_NS, OPTIONAL, 7,
	  "from the beginning of the recording to the first sample" },
	{ "after_last", "after last", IOT_COLUMN_NS, OPTIONAL, 6,
	  "from the last sample to the end of the recording" },
	{ "drift_ppb", "drift ppb", IOT_COLUMN_COUNT, OPTIONAL, 3,
	  "how much faster the host's clock runs, in parts of 10^9, overall" },
	{ "rate", "rate", IOT_COLUMN_TEXT, OPTIONAL, 3,
	  "cycles of the common clock for one cycle of this clock, whose processor has another "
	  "frequency" },
	{ "change_ppb", "change ppb", IOT_COLUMN_COUNT, OPTIONAL, 4,
	  "greatest difference of the drift between two samples and other two" },
	{ "residual", "residual", IOT_COLUMN_NS, OPTIONAL, 2,
	  "greatest distance of a sample from the correction that is used" },
	{ "spread", "spread", IOT_COLUMN_NS, OPTIONAL, 5,
	  "greatest difference of two CPUs' corrections" },
	{ "resolution", "resolution", IOT_COLUMN_NS, OPTIONAL, 8, "of the trace clock" },
	BOUND_COLUMNS,
	{ "grade", "grade", IOT_COLUMN_TEXT },
	{ "inside", "inside", IOT_COLUMN_SHARE, OPTIONAL, 1,
	  "share of the guest's events in the times in which its virtual CPUs ran: between "
	  "kvm_entry and kvm_exit of the host" },
	{ "n_inside", "events inside", IOT_COLUMN_COUNT, IOT_COLUMN_DATA },
	{ "n_outside", "events outside", IOT_COLUMN_COUNT, IOT_COLUMN_DATA },
};

static const struct iot_ranked clocks_ranked = {
	IOT_RANKED("clocks", "Clocks", clock_columns),
	.help = "how far the times of each recording may be from the common clock",
	.loss = IOT_LOSS_NOTHING,
};

static gboolean is_drift(const struct iot_clock_facts *facts, gint64 ppb)
{
	return !facts->cycles || (ppb >= -MOST_DRIFT && ppb <= MOST_DRIFT);
}

/* Cells that only samples, or messages, fill. */
static void add_samples(struct iot_result_table *table, const struct iot_summary_input *input)
{
	const struct iot_clock_facts *facts = &input->clock_facts;
	g_autofree char *rate = g_strdup_printf("%.9f", 1 + (double)facts->drift_ppb / 1e9);
	gboolean sampled = !facts->recovered && facts->n_samples;
	gboolean rated = facts->recovered || facts->n_samples;
	gboolean drifts = is_drift(facts, facts->drift_ppb);
	guint64 first = MAX(facts->first_ns, input->first_ns) - input->first_ns;
	guint64 last = MAX(facts->last_ns, input->last_ns) - facts->last_ns;
	const struct iot_cell cells[] = {
		iot_cell_if(sampled, iot_cell_number(facts->n_samples)),
		iot_cell_if(sampled, iot_cell_number(first)),
		iot_cell_if(sampled, iot_cell_number(last)),
		/* the rate of a clock of another frequency */
		iot_cell_if(rated && drifts, iot_cell_signed(facts->drift_ppb)),
		iot_cell_if(rated && !drifts, iot_cell_text(rate)),
		iot_cell_if(rated, iot_cell_number(facts->change_ppb)),
		iot_cell_if(sampled, iot_cell_number(facts->residual_ns)),
		iot_cell_if(sampled, iot_cell_number(facts->spread_ns)),
	};

	for (guint i = 0; i < G_N_ELEMENTS(cells); i++)
		iot_ranked_cell(table, cells[i]);
}

/* Cells that only guests have of whose virtual CPUs the host tells. A virtual CPU records events
 * only while it runs, so this is a proof of the clocks that does not use their samples. */
static void add_inside(struct iot_result_table *table, const struct iot_summary_input *input)
{
	guint64 n = input->n_in_guest + input->n_not_in_guest;

	iot_ranked_cell(table, iot_cell_if(n > 0, iot_cell_share((double)input->n_in_guest /
								 (double)MAX(n, 1))));
	iot_ranked_cell(table, iot_cell_if(n > 0, iot_cell_number(input->n_in_guest)));
	iot_ranked_cell(table, iot_cell_if(n > 0, iot_cell_number(input->n_not_in_guest)));
}

/* The share may be rounded to all of them. */
static void note_outside(struct iot_result_table *table, const struct iot_summary_input *input)
{
	guint64 n = input->n_in_guest + input->n_not_in_guest;

	if (input->n_not_in_guest)
		iot_result_note(table,
				"%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " events of %s lie "
				"outside of the times in which its virtual CPUs ran, by the host's "
				"kvm_entry and kvm_exit: its times are not as certain as the bound "
				"says, or the host's are not",
				input->n_not_in_guest, n, input->node);
}

static void publish_inputs(const struct iot_summary *summary, struct iot_results *to)
{
	struct iot_result_table *table =
		iot_ranked_table(to, NULL, &clocks_ranked, summary->n_inputs);
	g_autofree char *ptp = iot_format_duration(summary->clock_assumed.ptp_ns);
	gboolean assumes = FALSE, recovered = FALSE;

	for (guint i = 0; i < summary->n_inputs; i++) {
		const struct iot_summary_input *input = &summary->inputs[i];

		iot_ranked_row(table, iot_cell_text(input->path), iot_cell_text(input->node),
			       iot_cell_text(method(input)));
		add_samples(table, input);
		iot_result_number(table, input->clock_facts.resolution_ns);
		add_bounds(table, summary, &input, 1);
		iot_result_text(table, grade(iot_clock_facts_greatest(&input->clock_facts),
					     MAX(input->clock_facts.resolution_ns, 1)));
		add_inside(table, input);
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
	for (guint i = 0; i < summary->n_inputs; i++)
		note_outside(table, &summary->inputs[i]);
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
	guint64 within = links->n - proved - links->n_contradicted;
	gboolean any = links->n != 0, backwards = links->n_backwards != 0;
	const struct iot_cell cells[] = {
		iot_cell_if(any, iot_cell_number(links->n)),
		iot_cell_if(any, iot_cell_number(proved)),
		iot_cell_if(any, iot_cell_number(within)),
		iot_cell_if(any, iot_cell_number(links->n_contradicted)),
		iot_cell_if(any, iot_cell_number(links->n_backwards)),
		iot_cell_if(any && backwards, iot_cell_number(links->worst_ns)),
		iot_cell_if(any && backwards, iot_cell_number(links->worst_at_ns)),
	};

	for (guint i = 0; i < G_N_ELEMENTS(cells); i++)
		iot_ranked_cell(table, cells[i]);
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
	const struct iot_clock_facts *a = &pair[0]->clock_facts, *b = &pair[1]->clock_facts;
	/* rates are those of the common clock by each of the two */
	__int128 rate_a = (__int128)1000000000 + a->drift_ppb, ppb = 0;
	__int128 rate_b = (__int128)1000000000 + b->drift_ppb;

	if (rate_b > 0)
		ppb = CLAMP((rate_a - rate_b) * 1000000000 / rate_b, (__int128)G_MININT64,
			    (__int128)G_MAXINT64);
	iot_ranked_cell(table, iot_cell_if((has_drift(pair[0]) || has_drift(pair[1])) &&
						   is_drift(a->cycles ? a : b, (gint64)ppb),
					   iot_cell_signed((gint64)ppb)));
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

	iot_ranked_row(table, iot_cell_text(pair[0]->node), iot_cell_text(pair[1]->node));
	add_pair_method(table, pair);
	add_pair_drift(table, pair);
	add_bounds(table, from->summary, pair, 2);
	add_links(table, &links);
	iot_ranked_cell(table, recovered ? iot_cell_number(recovered->n_wrong)
					 : iot_cell_none(IOT_CELL_EMPTY));
	if (links.n_contradicted)
		iot_result_text(table, iot_clock_grade_name(IOT_CLOCK_CONTRADICTED));
	else if (recovered && recovered->grade <= IOT_CLOCK_CONTRADICTED)
		iot_result_text(table, iot_clock_grade_name(recovered->grade));
	else
		iot_result_text(table, grade(bound, resolution));
}

static const struct iot_ranked_column pair_columns[] = {
	{ "node_a", "node", IOT_COLUMN_TEXT },
	{ "node_b", "and node", IOT_COLUMN_TEXT },
	{ "method", "method", IOT_COLUMN_TEXT, .drop = 8 },
	{ "drift_ppb", "drift ppb", IOT_COLUMN_COUNT, OPTIONAL, 7,
	  "how much faster the second clock runs, in parts of 10^9, overall" },
	BOUND_COLUMNS,
	{ "links", "links", IOT_COLUMN_COUNT, OPTIONAL, 4, "between the two, in both directions" },
	{ "proved", "proved", IOT_COLUMN_COUNT, OPTIONAL, 6,
	  "links whose arrival is later by more than the bound" },
	{ "within_error", "within error", IOT_COLUMN_COUNT, OPTIONAL, 5,
	  "links whose order the errors decide" },
	{ "contradicted", "contradicted", IOT_COLUMN_COUNT, OPTIONAL | ALARM, 1,
	  "links that arrive earlier by more than the bound" },
	{ "backwards", "backwards", IOT_COLUMN_COUNT, OPTIONAL | ALARM, 1,
	  "links that arrive, by the clocks, before they leave" },
	{ "worst", "worst", IOT_COLUMN_NS, OPTIONAL, 2, "by how much at most" },
	{ "worst_at", "at", IOT_COLUMN_INSTANT, OPTIONAL, 3, "when" },
	{ "fewest", "fewest", IOT_COLUMN_COUNT, OPTIONAL, 5,
	  "links that run backwards with any constant rates of the two clocks" },
	{ "grade", "grade", IOT_COLUMN_TEXT },
};

static const struct iot_ranked pairs_ranked = {
	IOT_RANKED("clock_pairs", "Order between machines", pair_columns),
	.help = "instants of two machines have a proved order if they differ by more than the "
		"bound",
	.loss = IOT_LOSS_NOTHING,
};

static void publish_pairs(const struct iot_publishing *from, struct iot_results *to)
{
	const struct iot_summary *summary = from->summary;
	struct iot_result_table *table = iot_ranked_table(to, from->tl, &pairs_ranked, 0);
	guint n = 0;

	for (guint a = 0; a < summary->n_inputs; a++)
		for (guint b = a + 1; b < summary->n_inputs; b++) {
			const struct iot_summary_input *pair[] = { &summary->inputs[a],
								   &summary->inputs[b] };

			/* a machine has no order with itself */
			if (strcmp(pair[0]->node, pair[1]->node) && n++ < MAX_PAIRS)
				add_pair(table, from, pair);
		}
	if (n > MAX_PAIRS)
		iot_result_note(table, "%u more pairs are not listed", n - MAX_PAIRS);
}

void iot_publish_all_clocks(const struct iot_publishing *from, struct iot_results *to)
{
	publish_inputs(from->summary, to);
	if (iot_summary_has_machines(from->summary))
		publish_pairs(from, to);
}

void iot_publish_clocks(const struct iot_publishing *from, struct iot_results *to)
{
	if (knows_clocks(from->summary))
		iot_publish_all_clocks(from, to);
}
