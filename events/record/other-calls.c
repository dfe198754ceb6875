/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "other-calls.h"
#include "local.h"
#include "mark.h"

#include <stdlib.h>
#include <string.h>
#include <tracefs.h>

static const char event[] = "raw_syscalls/sys_enter", count[] = "hist:keys=id.syscall";

gboolean rec_calls_start(const struct rec_plan *plan, GError **error)
{
	if (!plan->wanted->probes->len ||
	    !tracefs_file_exists(NULL, "events/raw_syscalls/sys_enter/hist"))
		return TRUE;
	if (!rec_mark_trigger(plan->mark, event, count, error))
		return FALSE;
	/* without it the recording lacks the counts only */
	rec_local_trigger(plan->instance, event, count);
	return TRUE;
}

static void count_free(gpointer data)
{
	struct rec_call_count *one = data;

	g_free(one->name);
	g_free(one);
}

static int by_count(gconstpointer a, gconstpointer b)
{
	const struct rec_call_count *x = *(const struct rec_call_count *const *)a;
	const struct rec_call_count *y = *(const struct rec_call_count *const *)b;

	return x->n != y->n ? (x->n < y->n ? 1 : -1) : strcmp(x->name, y->name);
}

/* "{ id: sys_read                      [  0] } hitcount:        123" */
static void add_line(const struct rec_plan *plan, const char *line, GPtrArray *counts)
{
	g_autoptr(GRegex) regex = g_regex_new("^\\{ id: (?:sys_)?(\\w+) +\\[ *\\d+\\] \\} "
					      "hitcount: +(\\d+)",
					      0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *name = NULL, *number = NULL, *start = NULL;
	struct rec_call_count *one;

	if (!g_regex_match(regex, line, 0, &match))
		return;
	name = g_match_info_fetch(match, 1);
	number = g_match_info_fetch(match, 2);
	start = g_strconcat("syscalls:sys_enter_", name, NULL);
	if (rec_wanted_has(plan->wanted, start))
		return;
	one = g_new0(struct rec_call_count, 1);
	one->name = g_steal_pointer(&name);
	one->n = g_ascii_strtoull(number, NULL, 10);
	g_ptr_array_add(counts, one);
}

GPtrArray *rec_calls_read(const struct rec_plan *plan)
{
	struct tracefs_instance *instance =
		plan->wanted->probes->len && tracefs_instance_exists(plan->instance)
			? tracefs_instance_create(plan->instance)
			: NULL;
	char *text = instance ? tracefs_instance_file_read(
					instance, "events/raw_syscalls/sys_enter/hist", NULL)
			      : NULL;
	g_auto(GStrv) lines = g_strsplit(text ? text : "", "\n", -1);
	GPtrArray *counts = NULL;

	if (text && strstr(text, "# trigger info: hist:keys=id.syscall"))
		counts = g_ptr_array_new_with_free_func(count_free);
	for (guint i = 0; counts && lines[i]; i++)
		add_line(plan, lines[i], counts);
	if (counts)
		g_ptr_array_sort(counts, by_count);
	free(text);
	tracefs_instance_free(instance);
	return counts;
}
