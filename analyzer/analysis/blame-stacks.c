/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stacks of waiters and holders, for flame graphs. */
#include "analysis/blame-tables.h"
#include "analysis/claim-names.h"

/* A frame of a stack: without the separators of the format. */
static void add_frame(GString *stack, const char *text)
{
	if (!*text)
		return;
	if (stack->len)
		g_string_append_c(stack, ';');
	for (; *text; text++)
		g_string_append_c(stack, *text == ';' || *text == '\n' ? ',' : *text);
}

/* The holder waits for a resource that this member holds. */
static void add_member(const struct iot_timeline *tl, GString *stack,
		       const struct iot_chain_member *member)
{
	g_autofree char *process = iot_process_name(tl, member->pid, member->command);
	g_autofree char *path = iot_timeline_path(tl, member->resource, "/");

	add_frame(stack, path);
	add_frame(stack, iot_tl_str(tl, member->node));
	add_frame(stack, process);
}

/* "node 3;mount 193;gfs/trans 0;node 1;mount 173" */
static char *stack_of(const struct iot_timeline *tl, const struct iot_blame_key *key)
{
	g_autofree char *waiter = iot_process_name(tl, key->waiter_pid, key->waiter_command);
	g_autofree char *holder = iot_process_name(tl, key->holder_pid, key->holder_command);
	g_autofree char *path = NULL;
	GString *stack = g_string_new(NULL);

	if (!key->waiter)
		return g_string_free(g_string_append(stack, "others"), FALSE);
	path = iot_timeline_path(tl, key->resource, "/");
	add_frame(stack, iot_tl_str(tl, key->waiter));
	add_frame(stack, waiter);
	add_frame(stack, path);
	add_frame(stack, iot_blame_because(tl, key));
	add_frame(stack, holder);
	for (guint i = 2; key->chain && i < key->chain->n; i++)
		add_member(tl, stack, &key->chain->member[i]);
	return g_string_free(stack, FALSE);
}

static void add_stacks(struct iot_result_table *table, gconstpointer data)
{
	const struct iot_blame *blame = data;
	g_autoptr(GPtrArray) list = iot_blame_sorted(blame, IOT_BLAME_STACKS, iot_blame_by_time);

	for (guint i = 0; i < list->len; i++) {
		const struct iot_blame_sum *sum = list->pdata[i];
		g_autofree char *stack = stack_of(blame->tl, &sum->key);

		iot_ranked_row(table, iot_cell_text(stack), iot_cell_number(sum->ns));
	}
}

/* There may be many stacks, so they are made only if somebody reads them. */
void iot_blame_publish_stacks(const struct iot_blame *blame, struct iot_results *results)
{
	static const struct iot_ranked_column columns[] = {
		{ "stack", "stack", IOT_COLUMN_TEXT },
		{ "blamed", "time", IOT_COLUMN_NS },
	};
	static const struct iot_ranked ranked = {
		IOT_RANKED("blame_stacks", "Stacks of waiters and holders", columns),
		.for_programs = TRUE,
		.loss = IOT_LOSS_UNDECIDED,
	};
	struct iot_result_table *table = iot_ranked_table(results, blame->tl, &ranked, 0);

	table->fill = add_stacks;
	table->fill_data = blame;
}
