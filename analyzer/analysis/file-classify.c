/* SPDX-License-Identifier: GPL-2.0-or-later */
/* After the last access: constellations, needs, users and sums. */
#include "analysis/file-use-local.h"

static enum iot_constellation constellation(const struct iot_file *file)
{
	guint64 reads = file->metric[IOT_METRIC_READS], writes = file->metric[IOT_METRIC_WRITES];
	guint threads = (guint)file->metric[IOT_METRIC_THREADS];

	if (!reads && !writes)
		return IOT_NO_DATA;
	if (threads > 1 || file->users_left_out)
		return !writes	? IOT_SEVERAL_READ
		       : !reads ? IOT_SEVERAL_WRITE
				: IOT_SEVERAL_READ_AND_WRITE;
	if (reads && writes)
		return IOT_ONE_READS_AND_WRITES;
	if (writes)
		return writes == 1 ? IOT_ONE_WRITES_ONCE : IOT_ONE_WRITES;
	return reads == 1 ? IOT_ONE_READS_ONCE : IOT_ONE_READS;
}

/* Dependencies that were found are there, whatever is unknown. Lost events may be any access. */
static enum iot_file_need need(const struct iot_file *file, gboolean lost)
{
	gboolean unknown = file->metric[IOT_METRIC_NOWHERE] || file->users_left_out ||
			   file->ranges.evicted || file->metric[IOT_METRIC_MAPS];

	if (file->dependencies)
		return IOT_NEED_SYNCHRONISE;
	if (file->metric[IOT_METRIC_APPENDS_TO_OTHERS])
		return IOT_NEED_APPEND;
	if (lost)
		return IOT_NEED_UNKNOWN;
	if (!file->metric[IOT_METRIC_WRITES])
		return IOT_NEED_NOTHING;
	if (file->constellation == IOT_ONE_WRITES_ONCE)
		return IOT_NEED_CLOSE;
	if (unknown)
		return IOT_NEED_UNKNOWN;
	return file->own_overwrites || file->own_reads ? IOT_NEED_ORDER : IOT_NEED_CLOSE;
}

static int by_place(gconstpointer pa, gconstpointer pb, gpointer data)
{
	const struct iot_file_user *a = *(gpointer const *)pa, *b = *(gpointer const *)pb;
	const struct iot_file_thread *x = iot_file_use_thread(data, a->thread);
	const struct iot_file_thread *y = iot_file_use_thread(data, b->thread);

	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return x->thread < y->thread ? -1 : x->thread > y->thread;
}

/* Threads, processes and nodes that read or write a file, from its users in order. */
static void count_users(struct iot_file_use *use, const GPtrArray *users)
{
	const struct iot_file_user *before = NULL;
	guint64 of_node = 0;

	for (guint i = 0; i < users->len; i++) {
		const struct iot_file_user *user = users->pdata[i];
		const struct iot_file_thread *thread = iot_file_use_thread(use, user->thread),
					     *last;
		struct iot_file *file = iot_file_at(use, user->file);
		gboolean new_file = !before || before->file != user->file, new_node;

		if (!user->n[READ] && !user->n[WRITE])
			continue;
		last = new_file ? thread : iot_file_use_thread(use, before->thread);
		new_node = new_file || last->node != thread->node;
		file->readers += user->n[READ] > 0;
		file->writers += user->n[WRITE] > 0;
		file->metric[IOT_METRIC_THREADS]++;
		file->metric[IOT_METRIC_PROCESSES] += new_node || last->process != thread->process;
		file->metric[IOT_METRIC_NODES] += new_node;
		of_node = (new_node ? 0 : of_node) + user->bytes[READ] + user->bytes[WRITE];
		file->metric[IOT_METRIC_BUSIEST_NODE] =
			MAX(file->metric[IOT_METRIC_BUSIEST_NODE], of_node);
		before = user;
	}
}

/* The same for the run: each thread, process and node once. */
static void count_run_users(struct iot_file_use *use, const GPtrArray *users)
{
	g_autoptr(GHashTable) threads = g_hash_table_new(NULL, NULL);
	g_autoptr(GHashTable) processes =
		g_hash_table_new_full(iot_file_thread_hash, iot_file_thread_equal, g_free, NULL);
	g_autoptr(GHashTable) nodes = g_hash_table_new_full(NULL, NULL, NULL, g_free);

	for (guint i = 0; i < users->len; i++) {
		const struct iot_file_user *user = users->pdata[i];
		struct iot_file_thread process = *iot_file_use_thread(use, user->thread);
		guint64 *bytes;

		if (!user->n[READ] && !user->n[WRITE])
			continue;
		process.thread = 0;
		g_hash_table_add(threads, GUINT_TO_POINTER(user->thread));
		g_hash_table_add(processes, g_memdup2(&process, sizeof(process)));
		bytes = g_hash_table_lookup(nodes, GUINT_TO_POINTER(process.node));
		if (!bytes) {
			bytes = g_new0(guint64, 1);
			g_hash_table_insert(nodes, GUINT_TO_POINTER(process.node), bytes);
		}
		*bytes += user->bytes[READ] + user->bytes[WRITE];
		use->run[IOT_METRIC_BUSIEST_NODE] = MAX(use->run[IOT_METRIC_BUSIEST_NODE], *bytes);
	}
	use->run[IOT_METRIC_THREADS] = g_hash_table_size(threads);
	use->run[IOT_METRIC_PROCESSES] = g_hash_table_size(processes);
	use->run[IOT_METRIC_NODES] = g_hash_table_size(nodes);
}

void iot_file_use_classify(struct iot_file_use *use)
{
	g_autoptr(GPtrArray) users = g_ptr_array_new();
	GHashTableIter iter;
	gpointer user;

	g_hash_table_iter_init(&iter, use->users);
	while (g_hash_table_iter_next(&iter, &user, NULL))
		g_ptr_array_add(users, user);
	g_ptr_array_sort_with_data(users, by_place, use);
	count_users(use, users);
	for (guint i = 0; i < use->files->len; i++) {
		struct iot_file *file = iot_file_at(use, i);

		file->metric[IOT_METRIC_FILES] = 1;
		file->constellation = constellation(file);
		file->need = need(file, use->n_gaps > 0);
		for (guint k = 0; k < IOT_N_METRICS; k++)
			use->run[k] += file->metric[k];
	}
	use->run[IOT_METRIC_BUSIEST_NODE] = 0;
	count_run_users(use, users);
}

/* ---- results */

const GArray *iot_file_use_files(const struct iot_file_use *use)
{
	return use->files;
}

const GPtrArray *iot_file_use_dependencies(const struct iot_file_use *use)
{
	return use->dependencies;
}

const struct iot_file_thread *iot_file_use_thread(const struct iot_file_use *use, guint number)
{
	return use->threads->pdata[number];
}

const guint64 *iot_file_use_run(const struct iot_file_use *use)
{
	return use->run;
}

void iot_file_use_notes(const struct iot_file_use *use, struct iot_result_table *table)
{
	if (use->n_unfinished)
		iot_result_note(table,
				"left out: %" G_GUINT64_FORMAT " calls whose end was not seen",
				use->n_unfinished);
	if (use->n_gaps)
		iot_result_note(table,
				"events were lost: accesses may be missing, also between two that "
				"are shown");
	if (use->n_users_left_out)
		iot_result_note(table,
				"%" G_GUINT64_FORMAT
				" calls of threads after the first %d are added up, but their "
				"positions were not kept",
				use->n_users_left_out, IOT_FILE_USERS);
	if (use->budget.n_joined)
		iot_result_note(table,
				"%" G_GUINT64_FORMAT
				" ranges with the same users were joined with their neighbours: "
				"calls may have happened at the same time",
				use->budget.n_joined);
	if (use->budget.n_evicted)
		iot_result_note(table,
				"%" G_GUINT64_FORMAT
				" ranges that were touched longest ago were not kept: accesses to "
				"the same bytes may be missing",
				use->budget.n_evicted);
	if (use->n_dependencies_left_out)
		iot_result_note(table, "pairs of threads after the first %d were not kept",
				IOT_FILE_DEPENDENCIES);
}
