/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/cycles-table.h"
#include "analysis/claim-names.h"

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
	return iot_timeline_path(tl, iot_row_at(tl, iot_row_node(tl, claim->row))->parent, "/");
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

static gint by_number(gconstpointer pa, gconstpointer pb)
{
	const struct iot_cycle *a = *(const struct iot_cycle *const *)pa;
	const struct iot_cycle *b = *(const struct iot_cycle *const *)pb;

	return iot_compare_number(a->number, b->number);
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

static void add_cycle(struct iot_result_table *table, const struct iot_timeline *tl,
		      const struct iot_cycle *cycle)
{
	g_autofree char *end = end_of(tl, cycle);
	g_autofree char *text = text_of(tl, cycle);

	iot_result_row(table);
	iot_result_number(table, cycle->number);
	iot_result_number(table, cycle->closed);
	iot_result_number(table, cycle->ended - cycle->closed);
	if (cycle->end == IOT_CYCLE_LASTS || cycle->end == IOT_CYCLE_LOST || begin_unseen(cycle))
		iot_result_at_least(table);
	iot_result_number(table, cycle->n);
	iot_result_text(table, grade_name(cycle));
	iot_result_text(table, end);
	iot_result_text(table, text);
}

static void add_members(struct iot_result_table *table, const struct iot_timeline *tl,
			const struct iot_cycle *cycle)
{
	for (guint i = 0; i < cycle->n; i++) {
		const struct iot_claim *wait = &cycle->member[i].wait;
		const struct iot_claim *hold = &cycle->member[i].hold;
		g_autofree char *process = iot_process_name(tl, wait->pid, wait->command);
		g_autofree char *holder = iot_process_name(tl, hold->pid, hold->command);
		g_autofree char *path = resource_name(tl, wait);

		iot_result_row(table);
		iot_result_number(table, cycle->number);
		iot_result_number(table, cycle->closed);
		iot_result_number(table, cycle->ended);
		iot_result_text(table, grade_name(cycle));
		iot_result_number(table, i + 1);
		iot_result_text(table, iot_tl_str(tl, wait->node));
		iot_result_text(table, process);
		iot_result_text(table, path);
		iot_result_text(table, mode_name(tl, wait->cat));
		iot_result_number(table, wait->t0);
		iot_result_text(table, iot_tl_str(tl, hold->node));
		iot_result_text(table, holder);
		iot_result_text(table, in_way_name(hold));
		iot_result_text(table, mode_name(tl, hold->cat));
		iot_result_number(table, hold->t0);
	}
}

static struct iot_result_table *new_table(struct iot_results *results)
{
	struct iot_result_table *table = iot_results_add(results, "cycles", "Circular waits");
	struct iot_column *column;

	table->help = g_strdup("Each member waits for a resource on which the next one holds a "
			       "mode that excludes the mode asked for.");
	table->counts_others = TRUE;
	iot_result_column(table, "cycle", "cycle", IOT_COLUMN_COUNT)->flags = IOT_COLUMN_DATA;
	iot_result_column(table, "closed", "closed at", IOT_COLUMN_INSTANT);
	iot_result_column(table, "ns", "lasted", IOT_COLUMN_NS)->flags = IOT_COLUMN_STRONG;
	iot_result_column(table, "members", "members", IOT_COLUMN_COUNT)->drop = 3;
	column = iot_result_column(table, "deadlock", "deadlock", IOT_COLUMN_TEXT);
	column->help = g_strdup(
		"proved: each lock waits for a conversion and is in the way of "
		"another one, whatever the errors of the clocks are; possible: the "
		"processes that asked for the locks may be able to release them, or the "
		"queue of conversions may be another one, or the nodes hold locks of other "
		"processes than those that wait; no: "
		"one of them did");
	iot_result_column(table, "ended", "ended", IOT_COLUMN_TEXT)->drop = 2;
	iot_result_column(table, "waits", "who waits for whom", IOT_COLUMN_TEXT)->flags =
		IOT_COLUMN_WRAP;
	return table;
}

static struct iot_result_table *new_members_table(struct iot_results *results)
{
	struct iot_result_table *table =
		iot_results_add(results, "cycle_members", "Members of circular waits");

	table->for_programs = TRUE;
	iot_result_column(table, "cycle", "cycle", IOT_COLUMN_COUNT);
	iot_result_column(table, "closed", "closed at", IOT_COLUMN_INSTANT);
	iot_result_column(table, "ended", "ended at", IOT_COLUMN_INSTANT);
	iot_result_column(table, "deadlock", "deadlock", IOT_COLUMN_TEXT);
	iot_result_column(table, "member", "member", IOT_COLUMN_COUNT);
	iot_result_column(table, "waiter", "waiter", IOT_COLUMN_TEXT);
	iot_result_column(table, "waiting_process", "process", IOT_COLUMN_TEXT);
	iot_result_column(table, "resource", "resource", IOT_COLUMN_TEXT);
	iot_result_column(table, "asked", "asks for", IOT_COLUMN_TEXT);
	iot_result_column(table, "since", "since", IOT_COLUMN_INSTANT);
	iot_result_column(table, "holder", "holder", IOT_COLUMN_TEXT);
	iot_result_column(table, "holding_process", "process", IOT_COLUMN_TEXT);
	iot_result_column(table, "in_way", "in the way", IOT_COLUMN_TEXT);
	iot_result_column(table, "held", "mode", IOT_COLUMN_TEXT);
	iot_result_column(table, "held_since", "since", IOT_COLUMN_INSTANT);
	return table;
}

static GPtrArray *in_order(const struct iot_cycles_table *cycles, guint n)
{
	GPtrArray *list = g_ptr_array_new();

	for (guint i = 0; i < MIN(n, cycles->n_first); i++)
		g_ptr_array_add(list, cycles->first[i]);
	g_ptr_array_sort(list, by_number);
	return list;
}

void iot_cycles_table_publish(const struct iot_cycles_table *cycles, struct iot_results *results)
{
	g_autoptr(GPtrArray) rows = in_order(cycles, MAX_ROWS);
	g_autoptr(GPtrArray) kept = in_order(cycles, MAX_KEPT);
	struct iot_result_table *table;
	guint64 n = 0;

	if (!rows->len)
		return;
	for (guint i = 0; i < IOT_N_CYCLE_GRADES; i++)
		n += cycles->n[i];
	table = new_table(results);
	for (guint i = 0; i < rows->len; i++)
		add_cycle(table, cycles->tl, rows->pdata[i]);
	if (n > rows->len)
		table->remark =
			g_strdup_printf("%u of %" G_GUINT64_FORMAT ": proved %" G_GUINT64_FORMAT
					", possible %" G_GUINT64_FORMAT,
					rows->len, n, cycles->n[IOT_DEADLOCK_PROVED],
					cycles->n[IOT_DEADLOCK_POSSIBLE]);
	table = new_members_table(results);
	for (guint i = 0; i < kept->len; i++)
		add_members(table, cycles->tl, kept->pdata[i]);
}
