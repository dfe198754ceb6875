/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/cycles-table.h"
#include "analysis/wait-parts.h"
#include "analysis/claim-names.h"
#include "timeline/certainty.h"

/* Cycles that are kept for programs, and those in the text. */
enum { MAX_KEPT = 256, MAX_ROWS = 20 };

struct iot_cycles_table {
	struct iot_timeline *tl;
	guint64 n[IOT_N_CYCLE_GRADES];
	struct iot_cycle *first[MAX_KEPT + 1]; /* by grade and number */
	guint n_first;
};

struct iot_cycles_table *iot_cycles_table_new(struct iot_timeline *tl)
{
	struct iot_cycles_table *table = g_new0(struct iot_cycles_table, 1);

	table->tl = tl;
	return table;
}

void iot_cycles_table_free(struct iot_cycles_table *table)
{
	for (guint i = 0; table && i < table->n_first; i++)
		g_free(table->first[i]);
	g_free(table);
}

/* The row of a wait of the cycle is shown. */
static gboolean is_shown(const struct iot_timeline *tl, const struct iot_cycle *cycle)
{
	for (guint i = 0; i < cycle->n; i++)
		if (!iot_row_at(tl, cycle->member[i].wait.row)->hidden)
			return TRUE;
	return FALSE;
}

void iot_cycles_table_add(struct iot_cycles_table *table, struct iot_cycle *cycle)
{
	guint i = table->n_first;

	if (!is_shown(table->tl, cycle)) {
		g_free(cycle);
		return;
	}
	table->n[cycle->grade]++;
	for (; i && (table->first[i - 1]->grade > cycle->grade ||
		     (table->first[i - 1]->grade == cycle->grade &&
		      table->first[i - 1]->number > cycle->number));
	     i--)
		table->first[i] = table->first[i - 1];
	table->first[i] = cycle;
	if (table->n_first == MAX_KEPT)
		g_free(table->first[MAX_KEPT]);
	else
		table->n_first++;
}

/* ---- texts */

static const char *mode_name(const struct iot_timeline *tl, iot_cat_id cat)
{
	return iot_tl_str(tl, iot_cat_at(tl, cat)->name);
}

/* "node 3 mount 193" */
static char *owner_name(const struct iot_timeline *tl, const struct iot_claim *claim)
{
	g_autofree char *process = iot_process_name(tl, claim->pid, claim->command);

	return g_strdup_printf("%s%s%s", iot_tl_str(tl, claim->node), *process ? " " : "", process);
}

static char *resource_name(const struct iot_timeline *tl, const struct iot_claim *claim)
{
	return iot_timeline_path(tl, iot_row_thing(tl, iot_row_node(tl, claim->row)), "/");
}

/* Whether the next member holds a mode, or waits for it since earlier. */
static const char *in_way_name(const struct iot_claim *claim)
{
	return claim->kind == IOT_CLAIM_HOLD ? "held" : "queue";
}

/* "node 1 load 7 > test/r1 (EX, held PR) > node 2 load 9 > test/r2 (PR, held EX) > node 1 load 7"
 */
static char *text_of(const struct iot_timeline *tl, const struct iot_cycle *cycle)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i <= cycle->n; i++) {
		const struct iot_cycle_member *member = &cycle->member[i % cycle->n];
		g_autofree char *owner = owner_name(tl, &member->wait);
		g_autofree char *path = resource_name(tl, &member->wait);

		g_string_append(text, owner);
		if (i == cycle->n)
			break;
		g_string_append_printf(text, " > %s (%s, %s %s", path,
				       mode_name(tl, member->wait.cat), in_way_name(&member->hold),
				       mode_name(tl, member->hold.cat));
		if (cycle->of_nodes) {
			g_autofree char *holder =
				iot_process_name(tl, member->hold.pid, member->hold.command);

			g_string_append_printf(text, "%s%s", *holder ? " by " : "", holder);
		}
		g_string_append(text, ") > ");
	}
	return g_string_free(text, FALSE);
}

static char *end_of(const struct iot_timeline *tl, const struct iot_cycle *cycle)
{
	g_autofree char *owner = owner_name(tl, &cycle->member[cycle->ended_by].wait);
	char digits[IOT_DIGITS_ROOM];

	switch (cycle->end) {
	case IOT_CYCLE_GAVE_UP:
		return g_strdup_printf("%s gave up%s%s", owner, cycle->result ? ": " : "",
				       cycle->result ? iot_tl_text(tl, cycle->result, digits, NULL)
						     : "");
	case IOT_CYCLE_LOST:
		return g_strdup_printf("events of %s are missing", owner);
	case IOT_CYCLE_RELEASED:
		return g_strdup_printf("%s released its lock", owner);
	case IOT_CYCLE_GRANTED:
		return g_strdup_printf("%s got its lock", owner);
	default:
		return g_strdup("not at the end of the recording");
	}
}

/* ---- tables */

static int by_number(gconstpointer pa, gconstpointer pb, gconstpointer tl)
{
	(void)tl;
	return iot_compare_number(((const struct iot_cycle *)pa)->number,
				  ((const struct iot_cycle *)pb)->number);
}

/* Nobody saw when it closed: its last wait was there when the recording, or the window, began. */
static gboolean begin_unseen(const struct iot_cycle *cycle)
{
	for (guint i = 0; i < cycle->n; i++) {
		const struct iot_claim *wait = &cycle->member[i].wait;

		if (wait->t0 == cycle->closed && wait->flags & (IOT_CUT_LEFT | IOT_BEFORE))
			return TRUE;
	}
	return FALSE;
}

static const char *grade_name(const struct iot_cycle *cycle)
{
	static const char *const names[] = { "proved", "possible", "no" };

	return names[cycle->grade];
}

static void add_cycle(struct iot_result_table *table, gconstpointer element, gconstpointer data)
{
	const struct iot_cycle *cycle = element;
	const struct iot_timeline *tl = data;
	gboolean at_least = cycle->end == IOT_CYCLE_LASTS || cycle->end == IOT_CYCLE_LOST ||
			    begin_unseen(cycle);
	g_autofree char *end = end_of(tl, cycle);
	g_autofree char *text = text_of(tl, cycle);

	iot_ranked_row(table, iot_cell_number(cycle->number), iot_cell_number(cycle->closed),
		       iot_cell_least(cycle->ended - cycle->closed, at_least),
		       iot_cell_number(cycle->n), iot_cell_text(grade_name(cycle)),
		       iot_cell_text(end), iot_cell_text(text));
}

static void add_members(struct iot_result_table *table, gconstpointer element, gconstpointer data)
{
	const struct iot_cycle *cycle = element;
	const struct iot_timeline *tl = data;

	for (guint i = 0; i < cycle->n; i++) {
		const struct iot_claim *wait = &cycle->member[i].wait;
		const struct iot_claim *hold = &cycle->member[i].hold;
		g_autofree char *process = iot_process_name(tl, wait->pid, wait->command);
		g_autofree char *holder = iot_process_name(tl, hold->pid, hold->command);
		g_autofree char *path = resource_name(tl, wait);

		iot_ranked_row(table, iot_cell_number(cycle->number),
			       iot_cell_number(cycle->closed), iot_cell_number(cycle->ended),
			       iot_cell_text(grade_name(cycle)), iot_cell_number(i + 1),
			       iot_cell_text(iot_tl_str(tl, wait->node)), iot_cell_text(process),
			       iot_cell_text(path), iot_cell_text(mode_name(tl, wait->cat)),
			       iot_cell_number(wait->t0), iot_cell_text(iot_tl_str(tl, hold->node)),
			       iot_cell_text(holder), iot_cell_text(in_way_name(hold)),
			       iot_cell_text(mode_name(tl, hold->cat)), iot_cell_number(hold->t0),
			       iot_cell_number(wait->row), iot_cell_number(hold->row));
	}
}

static const struct iot_ranked_column columns[] = {
	{ "cycle", "cycle", IOT_COLUMN_COUNT, IOT_COLUMN_DATA },
	{ "closed", "closed at", IOT_COLUMN_INSTANT },
	{ "ns", "lasted", IOT_COLUMN_NS, IOT_COLUMN_STRONG },
	{ "members", "members", IOT_COLUMN_COUNT, .drop = 3 },
	{ "deadlock", "deadlock", IOT_COLUMN_TEXT,
	  .help = "proved: each lock waits for a conversion and is in the way of another one, "
		  "whatever the errors of the clocks are; possible: the processes that asked for "
		  "the locks may be able to release them, or the queue of conversions may be "
		  "another "
		  "one, or the nodes hold locks of other processes than those that wait; no: one "
		  "of "
		  "them did" },
	{ "ended", "ended", IOT_COLUMN_TEXT, .drop = 2 },
	{ "waits", "who waits for whom", IOT_COLUMN_TEXT, IOT_COLUMN_WRAP },
};

static const struct iot_ranked cycles_ranked = {
	IOT_RANKED("cycles", "Circular waits", columns),
	.help = "Each member waits for a resource on which the next one holds a mode that excludes "
		"the mode asked for.",
	.loss = IOT_LOSS_IN_CELLS,
	.compare = by_number,
	.add = add_cycle,
};

static const struct iot_ranked_column member_columns[] = {
	{ "cycle", "cycle", IOT_COLUMN_COUNT },
	{ "closed", "closed at", IOT_COLUMN_INSTANT },
	{ "ended", "ended at", IOT_COLUMN_INSTANT },
	{ "deadlock", "deadlock", IOT_COLUMN_TEXT },
	{ "member", "member", IOT_COLUMN_COUNT },
	{ "waiter", "waiter", IOT_COLUMN_TEXT },
	{ "waiting_process", "process", IOT_COLUMN_TEXT },
	{ "resource", "resource", IOT_COLUMN_TEXT },
	{ "asked", "asks for", IOT_COLUMN_TEXT },
	{ "since", "since", IOT_COLUMN_INSTANT },
	{ "holder", "holder", IOT_COLUMN_TEXT },
	{ "holding_process", "process", IOT_COLUMN_TEXT },
	{ "in_way", "in the way", IOT_COLUMN_TEXT },
	{ "held", "mode", IOT_COLUMN_TEXT },
	{ "held_since", "since", IOT_COLUMN_INSTANT },
	{ "wait_row", "wait on", IOT_COLUMN_ROW },
	{ "hold_row", "held on", IOT_COLUMN_ROW },
};

static const struct iot_ranked members_ranked = {
	IOT_RANKED("cycle_members", "Members of circular waits", member_columns),
	.for_programs = TRUE,
	.loss = IOT_LOSS_IN_CELLS,
	.compare = by_number,
	.add = add_members,
};

/* The first ones by grade. */
static GPtrArray *first_cycles(const struct iot_cycles_table *cycles, guint n)
{
	GPtrArray *list = g_ptr_array_new();

	for (guint i = 0; i < MIN(n, cycles->n_first); i++)
		g_ptr_array_add(list, cycles->first[i]);
	return list;
}

static gboolean nodes_prove(const struct iot_timeline *tl, const struct iot_cycle *cycle)
{
	for (guint i = 0; i < cycle->n; i++)
		for (guint k = 0; k < i; k++)
			if (!iot_nodes_prove(tl, cycle->member[i].wait.node,
					     cycle->member[k].wait.node))
				return FALSE;
	return TRUE;
}

/* Links may have contradicted the clocks after the end of a cycle, or a recording is damaged. Of
 * those that are not kept none is proved then. */
static void grade_again(struct iot_cycles_table *cycles)
{
	guint64 n = 0, doubt = 0;

	for (guint i = 0; i < cycles->n_first; i++) {
		struct iot_cycle *cycle = cycles->first[i];

		if (cycle->grade != IOT_DEADLOCK_PROVED)
			continue;
		n++;
		if (nodes_prove(cycles->tl, cycle))
			continue;
		cycle->grade = IOT_DEADLOCK_POSSIBLE;
		doubt++;
	}
	if (cycles->n[IOT_DEADLOCK_PROVED] > n && !iot_all_nodes_prove(cycles->tl))
		doubt += cycles->n[IOT_DEADLOCK_PROVED] - n;
	cycles->n[IOT_DEADLOCK_PROVED] -= doubt;
	cycles->n[IOT_DEADLOCK_POSSIBLE] += doubt;
}

void iot_cycles_table_publish(struct iot_cycles_table *cycles, struct iot_results *results)
{
	g_autoptr(GPtrArray) rows = first_cycles(cycles, MAX_ROWS);
	g_autoptr(GPtrArray) kept = first_cycles(cycles, MAX_KEPT);
	struct iot_result_table *table;
	guint64 n = 0;

	if (!rows->len)
		return;
	grade_again(cycles);
	for (guint i = 0; i < IOT_N_CYCLE_GRADES; i++)
		n += cycles->n[i];
	table = iot_ranked_publish(results, cycles->tl, &cycles_ranked, rows, cycles->tl);
	if (n > rows->len)
		table->remark =
			g_strdup_printf("%u of %" G_GUINT64_FORMAT ": proved %" G_GUINT64_FORMAT
					", possible %" G_GUINT64_FORMAT,
					rows->len, n, cycles->n[IOT_DEADLOCK_PROVED],
					cycles->n[IOT_DEADLOCK_POSSIBLE]);
	table = iot_ranked_publish(results, cycles->tl, &members_ranked, kept, cycles->tl);
	if (n > kept->len)
		table->remark = g_strdup_printf("of %u of %" G_GUINT64_FORMAT " circular waits",
						kept->len, n);
}
