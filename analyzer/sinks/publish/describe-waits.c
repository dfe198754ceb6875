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
			guint first)
{
	iot_row_id waiter = (iot_row_id)iot_cell_of(holders, first, "waiter")->number;
	iot_row_id node = iot_row_node(tl, waiter);
	const struct iot_result_cell *asks = iot_cell_of(holders, first, "asks");
	const struct iot_result_cell *length = iot_cell_of(holders, first, "waited");
	g_autofree char *waited = iot_format_duration(length->number);
	g_autofree char *path = iot_timeline_path(tl, iot_row_thing(tl, node), "/");
	const char *process = iot_cell_of(holders, first, "waiting_process")->text;
	const char *doubt = iot_cell_of(holders, first, "doubt")->text;
	g_autofree char *parts = list_parts(holders, first);

	return g_strdup_printf(
		"%s%s%s%s%s for %s: %s%s%s%s wants %s; causes: %s",
		length->flags & IOT_CELL_AT_LEAST ? "more than " : "", waited, *doubt ? " (" : "",
		doubt, *doubt ? ")" : "", path, iot_tl_str(tl, iot_row_at(tl, node)->name),
		*process ? " (" : "", process, *process ? ")" : "",
		asks->flags ? "it" : iot_tl_str(tl, iot_cat_at(tl, (iot_cat_id)asks->number)->name),
		parts);
}

/* Of a wait that never ended, holds fill less than half: it may be that of a bystander. Events that
 * are missing can make a call look like a wait. */
static gboolean says_little(const struct iot_result_table *holders, guint first)
{
	const char *doubt = iot_cell_of(holders, first, "doubt")->text;
	guint64 held = 0;

	for (guint i = first; i < holders->rows->len; i++) {
		if (iot_cell_of(holders, i, "wait")->number !=
		    iot_cell_of(holders, first, "wait")->number)
			break;
		if (!(iot_cell_of(holders, i, "place")->flags & IOT_CELL_EMPTY))
			held += iot_cell_of(holders, i, "part")->number;
	}
	return !strcmp(doubt, "perhaps none") ||
	       (*doubt && held < iot_cell_of(holders, first, "waited")->number / 2);
}

/* The longest first, and those that say little last. */
static void add_held(GPtrArray *sentences, const struct iot_timeline *tl,
		     const struct iot_result_table *holders, guint most)
{
	for (guint last = FALSE; last <= TRUE; last++)
		for (guint i = 0; i < holders->rows->len && sentences->len < most; i++)
			if ((!i || iot_cell_of(holders, i, "wait")->number !=
					   iot_cell_of(holders, i - 1, "wait")->number) &&
			    says_little(holders, i) == (gboolean)last)
				g_ptr_array_add(sentences, of_holders(tl, holders, i));
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

static char *of_item(const struct iot_timeline *tl, const struct iot_item *item)
{
	g_autofree char *row = iot_timeline_path(tl, item->row, "/");
	g_autofree char *length = iot_format_duration(item->t1 - item->t0);

	return g_strdup_printf("%s%s%s: %s in %s", iot_flags_cut(item->flags) ? "more than " : "",
			       length,
			       item->flags & IOT_UNKNOWN       ? " (perhaps none)"
			       : iot_flags_no_end(item->flags) ? " (not ended)"
							       : "",
			       row, iot_tl_str(tl, iot_cat_at(tl, item->cat)->name));
}

/* Calls are left out that are not longer than the slowest one that is explained, or did not end:
 * they are in its list, or parts of it on other rows or machines. What servers do for operations of
 * clients is part of these. */
static gboolean is_told(const struct iot_publishing *from, const struct iot_item *item)
{
	const struct iot_timeline *tl = from->tl;
	const struct iot_result_table *why = iot_given_table(from, "why");

	if (iot_type_at(tl, item->type)->party > IOT_PARTY_CLIENT &&
	    iot_given_table(from, "operations"))
		return TRUE;
	return why && iot_cat_at(tl, item->cat)->role == IOT_ROLE_CALL &&
	       (item->t1 - item->t0 <= iot_cell_of(why, 0, "took")->number ||
		item->flags & IOT_UNKNOWN || iot_flags_no_end(item->flags));
}

/* The longest first, and those that did not end, or are perhaps none, last. */
static void add_plain(GPtrArray *sentences, const struct iot_publishing *from, guint most)
{
	const struct iot_aggregate *sums = from->sums;

	for (guint last = FALSE; last <= TRUE; last++)
		for (guint i = 0; i < sums->n_longest && sentences->len < most; i++) {
			const struct iot_item *item = &sums->longest[i];
			gboolean little =
				item->flags & IOT_UNKNOWN || iot_flags_no_end(item->flags);

			if (little == (gboolean)last && !is_told(from, item))
				g_ptr_array_add(sentences, of_item(sums->tl, item));
		}
}

GPtrArray *iot_describe_waits(const struct iot_publishing *from, enum iot_waits_by by, guint most)
{
	GPtrArray *sentences = g_ptr_array_new_with_free_func(g_free);

	if (by == IOT_WAITS_BY_HOLDERS)
		add_held(sentences, from->tl, iot_given_table(from, "holders"), most);
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
