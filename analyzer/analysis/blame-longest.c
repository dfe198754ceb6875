/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The holders during the longest waits. */
#include "analysis/blame-tables.h"
#include "analysis/claim-names.h"
#include "base/units.h"

#include <string.h>

enum {
	MAX_NAMED = 3,
	MAX_HOLDERS = 8,
	/* the holders that are not named, and the causes without a hold */
	N_OTHERS = 1 + IOT_N_CAUSES - 1
};

static gint compare_blockers(gconstpointer pa, gconstpointer pb, gpointer tl)
{
	const struct iot_blocker *a = pa, *b = pb;

	if (a->nameless != b->nameless)
		return a->nameless ? 1 : -1;
	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	if (a->claim.t0 != b->claim.t0)
		return a->claim.t0 < b->claim.t0 ? -1 : 1;
	return iot_claim_order(tl, &a->claim, &b->claim);
}

/* "node 2 EX"; of locks that belong to processes: "sqlite3 712 WR", "node 2 sqlite3 712 WR" */
static char *holder_name(const struct iot_timeline *tl, const struct iot_claim *claim,
			 const struct iot_wait *wait)
{
	const char *mode = iot_tl_str(tl, iot_cat_at(tl, claim->cat)->name);
	const char *node = iot_tl_str(tl, claim->node);
	g_autofree char *process =
		claim->owner ? iot_process_name(tl, claim->pid, claim->command) : g_strdup("");

	if (!*process)
		return g_strdup_printf("%s %s", node, mode);
	if (claim->node == wait->claim.node)
		return g_strdup_printf("%s %s", process, mode);
	return g_strdup_printf("%s %s %s", node, process, mode);
}

struct named {
	char *name;
	guint64 ns;
};

static void clear_named(gpointer data)
{
	g_free(((struct named *)data)->name);
}

static gint compare_named(gconstpointer pa, gconstpointer pb)
{
	const struct named *a = pa, *b = pb;

	return a->ns != b->ns ? (a->ns > b->ns ? -1 : 1) : iot_natural_compare(a->name, b->name);
}

static void add_named(GArray *list, char *name, guint64 ns)
{
	struct named new = { name, ns };

	for (guint i = 0; i < list->len; i++) {
		struct named *known = &g_array_index(list, struct named, i);

		if (!strcmp(known->name, name)) {
			known->ns += ns;
			g_free(name);
			return;
		}
	}
	g_array_append_val(list, new);
}

/* "node 2 EX 86 %, queue 12 %": the causes with the most time */
static char *summary_of(const struct iot_timeline *tl, const struct iot_wait *wait)
{
	g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(struct named));
	char *text = NULL;

	g_array_set_clear_func(list, clear_named);
	for (guint i = 0; i < wait->blockers->len; i++)
		add_named(list, holder_name(tl, &iot_wait_blocker(wait, i)->claim, wait),
			  iot_wait_blocker(wait, i)->ns);
	for (guint i = IOT_CAUSE_HOLD + 1; i < IOT_N_CAUSES; i++)
		if (wait->cause_ns[i])
			add_named(list, g_strdup(iot_cause_name((enum iot_cause)i)),
				  wait->cause_ns[i]);
	g_array_sort(list, compare_named);
	for (guint i = 0; i < MIN(list->len, MAX_NAMED); i++) {
		const struct named *each = &g_array_index(list, struct named, i);

		if (i && each->ns * 100 < wait->claim.t1 - wait->claim.t0)
			break;
		text = iot_name_share(text, each->name, each->ns, wait->claim.t1 - wait->claim.t0);
	}
	return text;
}

static const struct iot_ranked_column columns[] = {
	{ "wait", "wait", IOT_COLUMN_COUNT, .help = "its place among the longest waits" },
	{ "because", "because of", IOT_COLUMN_TEXT },
	{ "process", "process", IOT_COLUMN_TEXT, IOT_COLUMN_OPTIONAL, 5 },
	{ "place", "where", IOT_COLUMN_ROW, IOT_COLUMN_SHRINK },
	{ "held_from", "from", IOT_COLUMN_INSTANT },
	{ "held", "for", IOT_COLUMN_NS, 0, 3,
	  "length of the hold, also before and after the wait" },
	{ "part", "part", IOT_COLUMN_NS, IOT_COLUMN_STRONG },
	{ "share", "share", IOT_COLUMN_SHARE, .drop = 1 },
	{ "alone", "alone", IOT_COLUMN_NS, .drop = 4 },
	{ "certainty", "certainty", IOT_COLUMN_TEXT, .drop = 2 },
	{ "waiter", "waiter", IOT_COLUMN_ROW, IOT_COLUMN_DATA },
	{ "waiting_process", "process", IOT_COLUMN_TEXT, IOT_COLUMN_DATA },
	{ "lane", "lane", IOT_COLUMN_COUNT, IOT_COLUMN_DATA },
	{ "begin", "begin", IOT_COLUMN_INSTANT, IOT_COLUMN_DATA },
	{ "waited", "waited", IOT_COLUMN_NS, IOT_COLUMN_DATA },
	{ "asks", "asks for", IOT_COLUMN_CATEGORY, IOT_COLUMN_DATA },
	{ "held_by", "held by", IOT_COLUMN_TEXT, IOT_COLUMN_DATA },
	{ "doubt", "doubt", IOT_COLUMN_TEXT, IOT_COLUMN_DATA,
	  .help = "of the wait: it is perhaps none, or its end was not seen" },
};

static const struct iot_ranked ranked = {
	IOT_RANKED("holders", "In the way during the longest waits", columns),
	.help = "what each of the longest waits waited for, part by part",
	.loss = IOT_LOSS_IN_CELLS,
};

/* A time, which is longer if begin or end of a span with these flags was not seen. */
static void add_time(struct iot_result_table *table, guint64 ns, guint flags)
{
	iot_ranked_cell(table, iot_cell_least(ns, iot_flags_cut(flags)));
}

static void add_wait_cells(const struct iot_timeline *tl, struct iot_result_table *table,
			   const struct iot_wait *wait, const char *summary)
{
	g_autofree char *process = iot_process_name(tl, wait->claim.pid, wait->claim.command);

	iot_result_number(table, wait->claim.row);
	iot_result_text(table, process);
	iot_result_number(table, wait->claim.lane);
	iot_result_number(table, wait->claim.t0);
	add_time(table, wait->claim.t1 - wait->claim.t0, wait->claim.flags);
	iot_ranked_cell(table, iot_cell_known(wait->claim.cat, iot_cell_number(wait->claim.cat)));
	iot_result_text(table, summary);
	iot_result_text(table, wait->claim.flags & IOT_UNKNOWN	     ? "perhaps none"
			       : iot_flags_no_end(wait->claim.flags) ? "not ended"
								     : "");
}

static void add_holder(const struct iot_blame *blame, struct iot_result_table *table,
		       const struct iot_wait *wait, const struct iot_blocker *blocker)
{
	const struct iot_claim *claim = &blocker->claim;
	guint flags = wait->claim.flags | claim->flags;
	g_autofree char *name = holder_name(blame->tl, claim, wait);
	g_autofree char *process = iot_process_name(blame->tl, claim->pid, claim->command);

	iot_result_text(table, name);
	iot_result_text(table, process);
	iot_result_number(table, claim->row);
	iot_result_number(table, claim->t0);
	iot_ranked_cell(table,
			iot_cell_if(!blocker->several,
				    iot_cell_least(MIN(claim->t1, wait->claim.t1) - claim->t0,
						   claim->t1 > wait->claim.t1 ||
							   iot_flags_cut(claim->flags))));
	add_time(table, blocker->ns, flags);
	iot_result_share(table, iot_share_of(blocker->ns, wait->claim.t1 - wait->claim.t0));
	add_time(table, blocker->alone_ns, flags);
	iot_result_text(table, iot_certainty_of(blame->tl, iot_blocker_certainty(blocker),
						wait->claim.node, claim->node));
}

/* "node 2 mount 193 (EX), node 1 pid 7 (PR), 2 more, not known for 1.25 ms": who was before it in
 * the queue */
static char *queue_of(const struct iot_timeline *tl, const struct iot_wait *wait)
{
	GString *text = g_string_new(NULL);
	guint n = MIN(wait->n_queued, IOT_NAMED_QUEUED);

	for (guint i = 0; i < n; i++) {
		const struct iot_claim *claim = &wait->queued[i].claim;
		g_autofree char *process = iot_process_name(tl, claim->pid, claim->command);

		g_string_append_printf(text, "%s%s%s%s", i ? ", " : "", iot_tl_str(tl, claim->node),
				       *process ? " " : "", process);
		if (claim->cat)
			g_string_append_printf(text, " (%s)",
					       iot_tl_str(tl, iot_cat_at(tl, claim->cat)->name));
	}
	if (wait->n_queued > n)
		g_string_append_printf(text, ", %u more", wait->n_queued - n);
	if (wait->forgotten_ns) {
		g_autofree char *duration = iot_format_duration(wait->forgotten_ns);

		g_string_append_printf(text, "%snot known for %s", n ? ", " : "", duration);
	}
	return g_string_free(text, FALSE);
}

/* Time without a hold in the way, or of the holders that are not named. */
static void add_rest(struct iot_result_table *table, const struct iot_wait *wait, const char *name,
		     guint64 ns, const char *process)
{
	iot_result_text(table, name);
	iot_result_text(table, process);
	for (guint i = 0; i < 3; i++)
		iot_result_none(table, IOT_CELL_EMPTY);
	add_time(table, ns, wait->claim.flags);
	iot_result_share(table, iot_share_of(ns, wait->claim.t1 - wait->claim.t0));
	iot_result_none(table, IOT_CELL_EMPTY);
	iot_result_text(table, "possible");
}

/* Causes without a holder that is named, with their times. */
static void other_causes(const struct iot_wait *wait, const char **out_name, guint64 *out_ns)
{
	guint n = 0;

	out_name[n] = "other holds";
	out_ns[n] = 0;
	for (guint i = MAX_HOLDERS; i < wait->blockers->len; i++)
		out_ns[n] += iot_wait_blocker(wait, i)->ns;
	for (guint i = IOT_CAUSE_HOLD + 1; i < IOT_N_CAUSES; i++) {
		out_name[++n] = iot_cause_name((enum iot_cause)i);
		out_ns[n] = wait->cause_ns[i];
	}
}

static void add_longest(const struct iot_blame *blame, struct iot_result_table *table, guint number)
{
	const struct iot_wait *wait = blame->longest[number];
	guint n_holders = MIN(wait->blockers->len, MAX_HOLDERS);
	const char *name[N_OTHERS];
	guint64 ns[N_OTHERS];
	g_autofree char *summary = summary_of(blame->tl, wait);
	g_autofree char *queue = queue_of(blame->tl, wait);
	gboolean first = TRUE;

	g_array_sort_with_data(wait->blockers, compare_blockers, blame->tl);
	other_causes(wait, name, ns);
	for (guint i = 0; i < n_holders + N_OTHERS; i++) {
		if (i >= n_holders && !ns[i - n_holders])
			continue;
		iot_result_row(table);
		iot_result_number(table, number + 1);
		if (i < n_holders)
			add_holder(blame, table, wait, iot_wait_blocker(wait, i));
		else
			add_rest(table, wait, name[i - n_holders], ns[i - n_holders],
				 i - n_holders == IOT_CAUSE_QUEUE ? queue : NULL);
		add_wait_cells(blame->tl, table, wait, first ? summary : NULL);
		first = FALSE;
	}
}

void iot_blame_publish_longest(const struct iot_blame *blame, struct iot_results *results)
{
	struct iot_result_table *table =
		iot_ranked_table(results, blame->tl, &ranked, blame->n_longest);

	for (guint i = 0; i < blame->n_longest; i++)
		add_longest(blame, table, i);
}
