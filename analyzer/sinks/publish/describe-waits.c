/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The longest waits as sentences, for the verdict and the short report: with the causes that the
 * tables of blame name; of a processor, with the threads that ran meanwhile; else with the row and
 * the state only.
 */
#include "sinks/sentences.h"
#include "base/units.h"

#include <string.h>

enum { MAX_NAMED = 3 };

/* The position of the longest wait that is one: events that are missing can make a call look like a
 * wait. The table of rows leaves such waits out, too. n_longest: there is none. */
static guint longest_wait(const struct iot_aggregate *sums)
{
	guint i = 0;

	while (i < sums->n_longest && sums->longest[i].flags & IOT_UNKNOWN)
		i++;
	return i;
}

/* ---- with holders */

/* A cause of a wait; certainty: of holds only, the least of their rows. */
struct cause {
	const char *name, *certainty;
	guint64 ns;
};

static int compare_causes(gconstpointer pa, gconstpointer pb)
{
	const struct cause *a = pa, *b = pb;

	return a->ns != b->ns ? (b->ns > a->ns) - (b->ns < a->ns) : strcmp(a->name, b->name);
}

static void add_cause(GArray *causes, const struct iot_result_table *holders, guint row)
{
	gboolean hold = !(iot_cell_of(holders, row, "place")->flags & IOT_CELL_EMPTY);
	struct cause new = { .name = iot_cell_of(holders, row, "because")->text,
			     .certainty =
				     hold ? iot_cell_of(holders, row, "certainty")->text : NULL,
			     .ns = iot_cell_of(holders, row, "part")->number };

	for (guint i = 0; i < causes->len; i++) {
		struct cause *known = &g_array_index(causes, struct cause, i);

		if (strcmp(known->name, new.name))
			continue;
		known->ns += new.ns;
		if (!g_strcmp0(known->certainty, "proved"))
			known->certainty = new.certainty;
		return;
	}
	g_array_append_val(causes, new);
}

/* "node 2 EX 86 % (proved), messages 4 %": the causes of the wait with its first row in @holders,
 * the greatest first. Each hold has its own certainty; other causes are never proved. */
static char *list_parts(const struct iot_result_table *holders, guint first)
{
	g_autoptr(GArray) causes = g_array_new(FALSE, FALSE, sizeof(struct cause));
	guint64 number = iot_cell_of(holders, first, "wait")->number;
	guint64 waited = iot_cell_of(holders, first, "waited")->number;
	GString *text = g_string_new(NULL);

	for (guint i = first;
	     i < holders->rows->len && iot_cell_of(holders, i, "wait")->number == number; i++)
		add_cause(causes, holders, i);
	g_array_sort(causes, compare_causes);
	for (guint i = 0; i < MIN(causes->len, MAX_NAMED); i++) {
		const struct cause *cause = &g_array_index(causes, struct cause, i);

		/* a cause below 1 % is not worth a word */
		if (i && cause->ns * 100 < waited)
			break;
		g_string_append_printf(text, "%s%s %.0f %%", i ? ", " : "", cause->name,
				       100 * (double)cause->ns / (double)MAX(waited, 1));
		if (cause->certainty)
			g_string_append_printf(text, " (%s)", cause->certainty);
	}
	return g_string_free(text, FALSE);
}

/* The wait whose first row in @holders is @first. */
static char *of_holders(const struct iot_timeline *tl, const struct iot_result_table *holders,
			guint first, gboolean surely)
{
	iot_row_id waiter = (iot_row_id)iot_cell_of(holders, first, "waiter")->number;
	iot_row_id node = iot_row_node(tl, waiter);
	const struct iot_result_cell *asks = iot_cell_of(holders, first, "asks");
	g_autofree char *waited =
		iot_format_duration(iot_cell_of(holders, first, "waited")->number);
	g_autofree char *path = iot_timeline_path(tl, iot_row_at(tl, node)->parent, "/");
	const char *process = iot_cell_of(holders, first, "waiting_process")->text;
	g_autofree char *parts = list_parts(holders, first);

	return g_strdup_printf(
		"%s%s for %s: %s%s%s%s wants %s; causes: %s", waited,
		surely ? "" : " (perhaps none)", path, iot_tl_str(tl, iot_row_at(tl, node)->name),
		*process ? " (" : "", process, *process ? ")" : "",
		asks->flags ? "it" : iot_tl_str(tl, iot_cat_at(tl, (iot_cat_id)asks->number)->name),
		parts);
}

/* Numbers of waits count from 1, in the order of the sums. */
static void add_held(GPtrArray *sentences, const struct iot_publishing *from,
		     const struct iot_result_table *holders, guint most)
{
	const struct iot_aggregate *sums = from->sums;
	guint sure = longest_wait(sums);
	guint64 leading = sure < sums->n_longest ? sure + 1 : 0;
	guint first = 0;

	while (first < holders->rows->len && iot_cell_of(holders, first, "wait")->number != leading)
		first++;
	if (first == holders->rows->len) {
		first = 0;
		leading = iot_cell_of(holders, 0, "wait")->number;
	}
	g_ptr_array_add(sentences, of_holders(from->tl, holders, first, sure < sums->n_longest));
	for (guint i = 0; i < holders->rows->len && sentences->len < most; i++) {
		guint64 number = iot_cell_of(holders, i, "wait")->number;

		if (number == leading ||
		    (i && number == iot_cell_of(holders, i - 1, "wait")->number))
			continue;
		g_ptr_array_add(sentences, of_holders(from->tl, holders, i,
						      number > sums->n_longest ||
							      !(sums->longest[number - 1].flags &
								IOT_UNKNOWN)));
	}
}

/* ---- for a processor */

/* Of waits that ended: a thread that was left waiting at the end says little. */
static void add_for_processor(GPtrArray *sentences, const struct iot_timeline *tl,
			      const struct iot_result_table *longest, guint most)
{
	for (guint i = 0; i < MIN(longest->rows->len, most); i++) {
		g_autofree char *row = iot_timeline_path(
			tl, (iot_row_id)iot_cell_of(longest, i, "waiter")->number, "/");
		g_autofree char *length =
			iot_format_duration(iot_cell_of(longest, i, "waited")->number);
		const char *during = iot_cell_of(longest, i, "ran")->text;
		const char *certain = iot_cell_of(longest, i, "certainty")->text;

		g_ptr_array_add(sentences, g_strdup_printf("%s: %s; on it ran meanwhile: %s%s%s%s",
							   length, row, *during ? during : "nobody",
							   *certain ? " (" : "", certain,
							   *certain ? ")" : ""));
	}
}

/* ---- without causes */

/* The longest wait that ended; n_longest: none of the longest did. A wait that did not end may be
 * that of a bystander. */
static guint longest_ended(const struct iot_aggregate *sums)
{
	guint i = 0;

	while (i < sums->n_longest &&
	       sums->longest[i].flags & (IOT_UNKNOWN | IOT_UNFINISHED | IOT_CUT_RIGHT))
		i++;
	return i;
}

static char *of_item(const struct iot_timeline *tl, const struct iot_item *item)
{
	g_autofree char *row = iot_timeline_path(tl, item->row, "/");
	g_autofree char *length = iot_format_duration(item->t1 - item->t0);

	return g_strdup_printf("%s%s%s: %s in %s", iot_item_is_unbounded(item) ? "more than " : "",
			       length, item->flags & IOT_UNKNOWN ? " (perhaps none)" : "", row,
			       iot_tl_str(tl, iot_cat_at(tl, item->cat)->name));
}

static void add_plain(GPtrArray *sentences, const struct iot_publishing *from, guint most)
{
	const struct iot_aggregate *sums = from->sums;
	guint ended = longest_ended(sums), sure = longest_wait(sums), leading = 0;

	if (ended < sums->n_longest)
		leading = ended;
	else if (sure < sums->n_longest)
		leading = sure;
	if (sums->n_longest)
		g_ptr_array_add(sentences, of_item(from->tl, &sums->longest[leading]));
	for (guint i = 0; i < sums->n_longest && sentences->len < most; i++)
		if (i != leading)
			g_ptr_array_add(sentences, of_item(from->tl, &sums->longest[i]));
}

GPtrArray *iot_describe_waits(const struct iot_publishing *from, enum iot_waits_by by, guint most)
{
	GPtrArray *sentences = g_ptr_array_new_with_free_func(g_free);

	if (by == IOT_WAITS_BY_HOLDERS)
		add_held(sentences, from, iot_given_table(from, "holders"), most);
	else if (by == IOT_WAITS_BY_PROCESSOR)
		add_for_processor(sentences, from->tl,
				  iot_given_table(from, "longest_for_processor"), most);
	else
		add_plain(sentences, from, most);
	return sentences;
}

enum iot_waits_by iot_waits_explained(const struct iot_publishing *from)
{
	const struct iot_aggregate *sums = from->sums;

	if (iot_given_table(from, "holders") && iot_given_table(from, "blame_resources"))
		return IOT_WAITS_BY_HOLDERS;
	/* what several nodes wait for is more than a thread that waits for its processor */
	for (guint i = 0; i < sums->units->len; i++) {
		const struct iot_row_sum *sum =
			iot_aggregate_row(sums, g_array_index(sums->units, iot_row_id, i));

		if (sum->n_nodes && sum->bounded_ns)
			return IOT_WAITS_BY_NOTHING;
	}
	return iot_given_table(from, "ran_meanwhile") &&
			       iot_given_table(from, "longest_for_processor")
		       ? IOT_WAITS_BY_PROCESSOR
		       : IOT_WAITS_BY_NOTHING;
}
