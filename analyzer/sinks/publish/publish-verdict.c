/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verdict: the slowest call of a process and why, the resource with the most waiting, the
 * longest wait and its holders, proved deadlocks, and the lost events. One sentence each, made from
 * the tables of blame. If no model says which modes exclude each other, the sums of rows say who
 * waited, and nobody knows why.
 */
#include "sinks/sentences.h"
#include "base/units.h"
#include "tables/ranked.h"

#include <string.h>

enum { MAX_NAMED = 3 };

struct verdict {
	const struct iot_publishing *from;
	struct iot_result_table *table;
};

static void say(const struct verdict *verdict, char *sentence)
{
	iot_result_row(verdict->table);
	iot_result_text(verdict->table, sentence);
	g_free(sentence);
}

static void say_longest(const struct verdict *verdict, enum iot_waits_by by)
{
	g_autoptr(GPtrArray) longest = iot_describe_waits(verdict->from, by, 1);

	if (longest->len)
		say(verdict, g_strdup_printf("Longest wait%s: %s",
					     by == IOT_WAITS_BY_PROCESSOR ? " for a processor" : "",
					     (const char *)longest->pdata[0]));
}

/* A cause of the waits for a resource. */
struct cause {
	const char *name;
	guint64 ns;
};

static int compare_causes(gconstpointer pa, gconstpointer pb)
{
	const struct cause *a = pa, *b = pb;

	return a->ns != b->ns ? (b->ns > a->ns) - (b->ns < a->ns) : strcmp(a->name, b->name);
}

/* "messages 62 %; held by node 1 6 %, node 3 4 % (proved)", the greatest first */
static char *list_causes(const struct verdict *verdict, const struct iot_result_table *resources)
{
	gboolean lost = iot_timeline_first_unobserved(verdict->from->tl) <
			iot_shown_to(verdict->from->summary);
	const char *not_proved = lost ? "undecided" : "possible";
	struct cause causes[] = { { "held" },	      { "hand_over" }, { "queue" },
				  { "not_observed" }, { "messages" },  { "callbacks" },
				  { "unexplained" } };
	guint64 waited = iot_cell_of(resources, 0, "waited")->number;
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < G_N_ELEMENTS(causes); i++)
		causes[i].ns = iot_cell_of(resources, 0, causes[i].name)->number;
	qsort(causes, G_N_ELEMENTS(causes), sizeof(*causes), compare_causes);
	for (guint i = 0; i < G_N_ELEMENTS(causes); i++) {
		const struct cause *cause = &causes[i];
		int at = iot_result_find_column(resources, cause->name);
		const struct iot_result_cell *held_by = iot_cell_of(resources, 0, "held_by");
		const struct iot_result_cell *proved = iot_cell_of(resources, 0, "proved");

		/* a cause below 1 % is not worth a word */
		if (cause->ns * 100 < waited || !cause->ns)
			continue;
		g_string_append(text, text->len ? "; " : "");
		if (strcmp(cause->name, "held"))
			g_string_append_printf(text, "%s %.0f %%",
					       iot_result_column_at(resources, (guint)at)->title,
					       100 * (double)cause->ns / (double)waited);
		else if (proved->share >= 0.995 || proved->share < 0.005)
			g_string_append_printf(text, "held by %s (%s)", held_by->text,
					       proved->share < 0.5 ? not_proved : "proved");
		else /* each has its own */
			g_string_append_printf(text, "held by %s",
					       iot_cell_of(resources, 0, "held_surely")->text);
	}
	return g_string_free(text, FALSE);
}

static void say_most(const struct verdict *verdict, const struct iot_result_table *resources)
{
	const struct iot_timeline *tl = verdict->from->tl;
	g_autofree char *waited = iot_format_duration(iot_cell_of(resources, 0, "waited")->number);
	g_autofree char *causes = list_causes(verdict, resources);
	g_autofree char *path = iot_timeline_path(
		tl, (iot_row_id)iot_cell_of(resources, 0, "resource")->number, "/");

	say(verdict, g_strdup_printf("Most waited for: %s, %s: by %s; causes: %s", path, waited,
				     iot_cell_of(resources, 0, "waited_by")->text, causes));
}

/* ---- without holders: a processor */

/* "intruder 26328 66 %, pong 26329 34 %": the rows of the thread that waited most are the first. */
static char *list_runners(const struct iot_result_table *ran)
{
	GString *text = g_string_new(NULL);
	guint64 waiter = iot_cell_of(ran, 0, "waiter")->number;

	for (guint i = 0; i < MIN(ran->rows->len, MAX_NAMED); i++)
		if (iot_cell_of(ran, i, "waiter")->number == waiter &&
		    iot_cell_of(ran, i, "share")->share >= 0.01)
			g_string_append_printf(text, "%s%s %.0f %%%s", text->len ? ", " : "",
					       iot_cell_of(ran, i, "ran")->text,
					       100 * iot_cell_of(ran, i, "share")->share,
					       iot_cell_of(ran, i, "possible")->flags &
							       IOT_CELL_EMPTY
						       ? ""
						       : " (possible)");
	return g_string_free(text, FALSE);
}

static void say_processor(const struct verdict *verdict, const struct iot_result_table *ran)
{
	g_autofree char *waited = iot_format_duration(iot_cell_of(ran, 0, "waited")->number);
	g_autofree char *runners = list_runners(ran);
	g_autofree char *path = iot_timeline_path(
		verdict->from->tl, (iot_row_id)iot_cell_of(ran, 0, "waiter")->number, "/");

	say(verdict,
	    g_strdup_printf("Most waiting for a processor: %s, %s; on it ran meanwhile: %s", path,
			    waited, runners));
	say_longest(verdict, IOT_WAITS_BY_PROCESSOR);
}

/* ---- without causes */

/* The unit with the most waiting; 0: nobody waited. A unit on several nodes is waited for; another
 * one waits itself, and is named only if there is none of the first kind. Waits that never ended
 * may be those of bystanders, and count only if no other unit has any that did. */
static iot_row_id find_most(const struct iot_aggregate *sums, gboolean has_nodes)
{
	iot_row_id most = 0;
	const struct iot_row_sum none = { 0 }, *greatest = &none;

	for (guint i = 0; i < sums->units->len; i++) {
		iot_row_id unit = g_array_index(sums->units, iot_row_id, i);
		const struct iot_row_sum *sum = iot_aggregate_row(sums, unit);

		if ((sum->n_nodes > 0) == has_nodes &&
		    (sum->ended_ns != greatest->ended_ns
			     ? sum->ended_ns > greatest->ended_ns
			     : sum->bounded_ns > greatest->bounded_ns)) {
			most = unit;
			greatest = sum;
		}
	}
	return most;
}

/* "node 1 62 %, node 2 38 %" */
static char *list_waiters(const struct iot_aggregate *sums, iot_row_id unit)
{
	const struct iot_row_sum *sum = iot_aggregate_row(sums, unit);
	GString *text = g_string_new(NULL);
	guint64 last = G_MAXUINT64;

	for (guint n = 0; n < MAX_NAMED; n++) {
		iot_row_id next = 0;

		for (guint i = 0; i < sum->n_nodes; i++) {
			iot_row_id node =
				g_array_index(sums->nodes, iot_row_id, sum->first_node + i);
			guint64 ns = iot_aggregate_row(sums, node)->bounded_ns;

			if (ns < last && ns &&
			    (!next || ns > iot_aggregate_row(sums, next)->bounded_ns))
				next = node;
		}
		if (!next)
			break;
		last = iot_aggregate_row(sums, next)->bounded_ns;
		g_string_append_printf(text, "%s%s %.0f %%", text->len ? ", " : ": by ",
				       iot_tl_str(sums->tl, iot_row_at(sums->tl, next)->name),
				       100 * (double)last / (double)sum->bounded_ns);
	}
	return g_string_free(text, FALSE);
}

/* "WRITE, 217 s in 410 calls: client's queue 73 %, network 12 %, client 7 %" */
static void say_operations(const struct verdict *verdict, const struct iot_result_table *operations)
{
	const struct iot_result_row *row = iot_result_row_at(operations, 0);
	guint64 time = iot_cell_of(operations, 0, "time")->number, last = G_MAXUINT64;
	iot_cat_id cat = (iot_cat_id)iot_cell_of(operations, 0, "operation")->number;
	g_autofree char *length = iot_format_duration(time);
	g_autofree char *calls = iot_format_count(iot_cell_of(operations, 0, "calls")->number);
	g_autofree char *noun = iot_plural("call", iot_cell_of(operations, 0, "calls")->number);
	GString *text = g_string_new(NULL);

	for (guint n = 0; n < MAX_NAMED; n++) {
		int first = iot_result_find_column(operations, "client"), most = -1;

		for (int at = first; at < (int)operations->columns->len; at++)
			if (!(row->cells[at].flags & IOT_CELL_UNKNOWN) &&
			    row->cells[at].number < last && row->cells[at].number * 100 >= time &&
			    row->cells[at].number &&
			    (most < 0 || row->cells[at].number > row->cells[most].number))
				most = at;
		if (most < 0)
			break;
		last = row->cells[most].number;
		g_string_append_printf(text, "%s%s %.0f %%", text->len ? ", " : ": ",
				       iot_result_column_at(operations, (guint)most)->title,
				       100 * (double)last / (double)time);
	}
	say(verdict,
	    g_strdup_printf("Most time in operations: %s, %s in %s %s%s",
			    iot_tl_str(verdict->from->tl, iot_cat_at(verdict->from->tl, cat)->name),
			    length, calls, noun, text->str));
	g_string_free(text, TRUE);
}

static void say_waits(const struct verdict *verdict)
{
	const struct iot_result_table *operations = iot_given_table(verdict->from, "operations");
	const struct iot_aggregate *sums = verdict->from->sums;
	iot_row_id most = find_most(sums, TRUE);
	gboolean waited_for = most != 0;
	g_autofree char *path = NULL, *waited = NULL, *waiters = NULL;

	if (!waited_for)
		most = find_most(sums, FALSE);
	if (!most || !sums->n_longest) {
		say(verdict, g_strdup("Nobody waited"));
		return;
	}
	path = iot_timeline_path(sums->tl, most, "/");
	waited = iot_format_duration(iot_aggregate_row(sums, most)->bounded_ns);
	waiters = list_waiters(sums, most);
	say(verdict,
	    g_strdup_printf("Most %s: %s, %s%s%s", waited_for ? "waited for" : "waiting", path,
			    waited, waiters,
			    operations ? "" : "; nothing recorded says who was in the way"));
	if (operations)
		say_operations(verdict, operations);
	say_longest(verdict, IOT_WAITS_BY_NOTHING);
}

/* ---- calls and deadlocks */

static void say_slowest(const struct verdict *verdict)
{
	const struct iot_result_table *why = iot_given_table(verdict->from, "why");

	if (why)
		say(verdict, g_strdup_printf("Slowest call: %s", iot_cell_of(why, 0, "why")->text));
}

/* The table of members has the members of one circle together, proved circles first. Its remark
 * says that it leaves circles out: some of them are proved, too, only if all in the table are. */
static void say_deadlocks(const struct verdict *verdict)
{
	const struct iot_result_table *members = iot_given_table(verdict->from, "cycle_members");
	const struct iot_result_row *first = NULL;
	guint n = 0, n_cycles = 0;

	for (guint i = 0; members && i < members->rows->len; i++) {
		gboolean again = i && iot_cell_of(members, i, "cycle")->number ==
					      iot_cell_of(members, i - 1, "cycle")->number;

		n_cycles += !again;
		if (again || strcmp(iot_cell_of(members, i, "deadlock")->text, "proved"))
			continue;
		n++;
		if (!first)
			first = iot_result_row_at(members, i);
	}
	if (first)
		say(verdict,
		    g_strdup_printf(
			    "Deadlocks proved: %s%u, the first for %s",
			    members->remark && n == n_cycles ? "at least " : "", n,
			    first->cells[iot_result_find_column(members, "resource")].text));
}

/* ---- losses */

/* Messages with one end only, as a share of all; they may be those of a node that is not recorded.
 */
static double one_ended(const struct iot_publishing *from)
{
	const struct iot_result_table *links = iot_given_table(from, "link_ends");
	guint64 linked = 0, alone = 0;

	for (guint i = 0; links && i < links->rows->len; i++) {
		guint64 n = iot_cell_of(links, i, "not_received")->number +
			    iot_cell_of(links, i, "not_sent")->number +
			    iot_cell_of(links, i, "outside")->number;

		/* links within a node need no other one */
		if (!n)
			continue;
		alone += n;
		linked += iot_cell_of(links, i, "linked")->number;
	}
	return alone ? (double)alone / (double)(alone + linked) : 0;
}

static void list_losses(const struct iot_summary *summary, GString *text)
{
	for (guint i = 0; i < summary->n_inputs; i++) {
		const struct iot_summary_input *input = &summary->inputs[i];
		g_autofree char *lost = iot_format_count(input->n_lost);

		if (input->n_lost)
			g_string_append_printf(text, "%s%s events of %s",
					       text->len ? ", " : "Lost: ", lost, input->node);
		if (input->damaged)
			g_string_append_printf(text, "%spart of %s",
					       text->len ? ", " : "Lost: ", input->path);
	}
}

/* Whether a machine that is not recorded may hold a lock: one of those whose resources are no
 * machine's own. */
static gboolean are_shared(const struct iot_timeline *tl)
{
	for (iot_cat_id cat = 1; cat < tl->cats.n; cat++) {
		iot_type_id on = iot_type_at(tl, iot_cat_at(tl, cat)->type)->on;

		if (iot_cat_at(tl, cat)->mode && on &&
		    !iot_type_at(tl, iot_type_at(tl, on)->on)->of_machine)
			return TRUE;
	}
	return FALSE;
}

/* Lost events, and times without a recording, may hide a holder, and so may a node that is not
 * recorded. */
static void say_lost(const struct verdict *verdict, gboolean has_holders)
{
	const struct iot_summary *summary = verdict->from->summary;
	const GArray *gaps = verdict->from->sums->gaps;
	double alone = one_ended(verdict->from);
	GString *text = g_string_new(NULL);
	gboolean complete;
	guint n_nodes = 0;

	for (guint i = 0; i < summary->n_inputs; i++)
		n_nodes += summary->inputs[i].n_events ? 1 : 0;
	list_losses(summary, text);
	complete = !text->len;
	if (complete)
		g_string_append(text, "No event was lost");
	for (guint i = 0; i < gaps->len; i++) {
		const struct iot_gap_sum *gap = &g_array_index(gaps, struct iot_gap_sum, i);

		gboolean hides = iot_timeline_unobserved(verdict->from->tl, gap->node) <
				 G_MAXUINT64;

		/* its recording began late or ended early */
		if (gap->lost || gap->n_unknown)
			continue;
		g_string_append_printf(text, "; %s was not recorded all the time%s",
				       iot_tl_str(verdict->from->tl, gap->node),
				       hides ? "" : ", so more time may have been stolen");
		complete &= !hides;
	}
	if (summary->other_calls)
		g_string_append_printf(text, "; %s", summary->other_calls);
	if (!complete)
		g_string_append(text, has_holders
					      ? "; locks may be unknown there, and waits longer "
						"than shown"
					      : "; waits may be missing there");
	if (has_holders && n_nodes == 1 && are_shared(verdict->from->tl))
		g_string_append(text, "; one node was recorded, holders on others are not known");
	else if (has_holders && alone > 0.1)
		g_string_append_printf(text,
				       "; %.0f %% of the messages have one end only: a node "
				       "may not be recorded, and its holders are not known",
				       alone * 100);
	say(verdict, g_string_free(text, FALSE));
}

void iot_publish_verdict(const struct iot_publishing *from, struct iot_results *to)
{
	static const struct iot_ranked_column columns[] = {
		{ "sentence", "sentence", IOT_COLUMN_TEXT },
	};
	static const struct iot_ranked ranked = { IOT_RANKED("verdict", "Verdict", columns) };
	struct verdict verdict = { .from = from };
	enum iot_waits_by by = iot_waits_explained(from);
	gboolean has_holders = by == IOT_WAITS_BY_HOLDERS;

	/* nothing is drawn */
	if (!has_holders && !iot_aggregate_row(from->sums, 0)->n_items)
		return;
	verdict.table = iot_ranked_table(to, NULL, &ranked, 0);
	say_slowest(&verdict);
	if (has_holders) {
		say_most(&verdict, iot_given_table(from, "blame_resources"));
		say_longest(&verdict, by);
	} else if (by == IOT_WAITS_BY_PROCESSOR) {
		say_processor(&verdict, iot_given_table(from, "ran_meanwhile"));
	} else {
		say_waits(&verdict);
	}
	say_deadlocks(&verdict);
	say_lost(&verdict, has_holders);
}
