/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "order/merge.h"
#include "base/heap.h"

struct run {
	struct iot_batch *batch;
	struct iot_rec *rec;
};

struct iot_merge {
	iot_fetch_func fetch;
	gpointer user_data;
	guint n_runs;
	struct run *runs;
	struct iot_heap heap; /* (ts, run) of each run's current record */
	gboolean started;
};

struct iot_merge *iot_merge_new(guint n_runs, iot_fetch_func fetch, gpointer user_data)
{
	struct iot_merge *merge = g_new0(struct iot_merge, 1);

	merge->fetch = fetch;
	merge->user_data = user_data;
	merge->n_runs = n_runs;
	merge->runs = g_new0(struct run, MAX(n_runs, 1));
	return merge;
}

void iot_merge_free(struct iot_merge *merge)
{
	if (!merge)
		return;
	for (guint i = 0; i < merge->n_runs; i++)
		iot_batch_free(merge->runs[i].batch);
	iot_heap_clear(&merge->heap);
	g_free(merge->runs);
	g_free(merge);
}

/* TRUE if the run has a current record now; FALSE at its end or with *error set. */
static gboolean step(struct iot_merge *merge, guint index, GError **error)
{
	struct run *run = &merge->runs[index];

	if (run->rec)
		run->rec = iot_rec_next(run->rec);
	while (!run->batch || iot_batch_at_end(run->batch, run->rec)) {
		run->batch =
			merge->fetch(merge->user_data, index, g_steal_pointer(&run->batch), error);
		if (!run->batch) {
			run->rec = NULL;
			return FALSE;
		}
		run->rec = iot_batch_first(run->batch);
	}
	return TRUE;
}

static gboolean start(struct iot_merge *merge, GError **error)
{
	merge->started = TRUE;
	for (guint i = 0; i < merge->n_runs; i++) {
		g_autoptr(GError) local = NULL;

		if (step(merge, i, &local))
			iot_heap_push(&merge->heap, merge->runs[i].rec->ts, i, i);
		if (local) {
			g_propagate_error(error, g_steal_pointer(&local));
			return FALSE;
		}
	}
	return TRUE;
}

/* The run on top gave its record away: what follows in it decides where it stands. */
static gboolean advance(struct iot_merge *merge, GError **error)
{
	guint index = (guint)merge->heap.entries[0].value;
	GError *local = NULL;

	if (step(merge, index, &local)) {
		iot_heap_replace_top(&merge->heap, merge->runs[index].rec->ts, index, index);
		return TRUE;
	}
	if (local) {
		g_propagate_error(error, local);
		return FALSE;
	}
	iot_heap_pop(&merge->heap);
	return TRUE;
}

struct iot_rec *iot_merge_next(struct iot_merge *merge, GError **error)
{
	const struct iot_heap_entry *top;

	if (!(merge->started ? !merge->heap.n || advance(merge, error) : start(merge, error)))
		return NULL;
	top = iot_heap_top(&merge->heap);
	return top ? merge->runs[top->value].rec : NULL;
}
