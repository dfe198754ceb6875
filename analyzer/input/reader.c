/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/reader.h"
#include "base/error.h"
#include "base/fault.h"

#include <pthread.h>

enum { DEPTH = 2 }; /* batches read ahead per run */

struct reader_run {
	struct iot_source *source;
	guint local;			/* the source's own number of the run */
	struct iot_batch *ready[DEPTH]; /* oldest first */
	guint n_ready;
	GPtrArray *spare; /* of struct iot_batch */
	gboolean wanted;  /* somebody waits for it */
	gboolean ended;
	gboolean beyond; /* the last batch was behind the window: another one only if wanted */
	GError *error;
};

/* One thread and the runs that only it reads. */
struct worker {
	struct iot_reader *reader;
	GThread *thread;
	pthread_mutex_t lock; /* of all below, and of what changes in its runs */
	pthread_cond_t work, done;
	GArray *runs; /* of guint */
	gboolean stop;
};

struct iot_reader {
	guint n_runs, n_workers;
	struct reader_run *runs;
	guint *owner; /* run -> worker */
	struct worker *workers;
	gsize batch_bytes;
	gint n_batches; /* that exist; atomic */
};

static struct iot_batch *take_spare(struct iot_reader *reader, struct reader_run *run,
				    GError **error)
{
	if (run->spare->len)
		return g_ptr_array_steal_index_fast(run->spare, run->spare->len - 1);
	g_atomic_int_inc(&reader->n_batches);
	return iot_batch_new(reader->batch_bytes, error);
}

/* One batch, or NULL at the end of the run or with *error set. The batch is not shared while it is
 * filled. */
static struct iot_batch *read_batch(struct reader_run *run, struct iot_batch *batch, GError **error)
{
	switch (run->source->ops->read(run->source, run->local, batch, error)) {
	case IOT_NEXT_OK:
		return batch;
	case IOT_NEXT_END:
	case IOT_NEXT_ERROR:
		break;
	}
	iot_batch_free(batch);
	return NULL;
}

/* The run that needs a batch most: one that is waited for, else the emptiest. */
static struct reader_run *choose_run(const struct worker *worker)
{
	struct reader_run *best = NULL;

	for (guint i = 0; i < worker->runs->len; i++) {
		struct reader_run *run =
			&worker->reader->runs[g_array_index(worker->runs, guint, i)];

		if (run->ended || run->n_ready == DEPTH || (run->beyond && !run->wanted))
			continue;
		if (run->wanted && !run->n_ready)
			return run;
		if (!best || run->n_ready < best->n_ready)
			best = run;
	}
	return best;
}

static gboolean all_ended(const struct worker *worker)
{
	for (guint i = 0; i < worker->runs->len; i++)
		if (!worker->reader->runs[g_array_index(worker->runs, guint, i)].ended)
			return FALSE;
	return TRUE;
}

static gpointer worker_main(gpointer data)
{
	struct worker *worker = data;

	pthread_mutex_lock(&worker->lock);
	while (!worker->stop && !all_ended(worker)) {
		struct reader_run *run = choose_run(worker);
		struct iot_batch *batch;
		GError *error = NULL;

		if (!run) {
			pthread_cond_wait(&worker->work, &worker->lock);
			continue;
		}
		batch = take_spare(worker->reader, run, &error);
		pthread_mutex_unlock(&worker->lock);
		if (batch)
			batch = read_batch(run, batch, &error);
		pthread_mutex_lock(&worker->lock);
		if (batch) {
			run->beyond = batch->end_ns > run->source->to_ns;
			run->ready[run->n_ready++] = batch;
		} else {
			run->ended = TRUE;
		}
		run->error = error;
		pthread_cond_signal(&worker->done);
	}
	pthread_mutex_unlock(&worker->lock);
	return NULL;
}

static struct iot_batch *fetch_directly(struct iot_reader *reader, struct reader_run *run,
					struct iot_batch *used, GError **error)
{
	struct iot_batch *batch = used;

	if (run->ended) {
		iot_batch_free(used);
		return NULL;
	}
	if (!batch)
		batch = take_spare(reader, run, error);
	batch = batch ? read_batch(run, batch, error) : NULL;
	run->ended = !batch;
	return batch;
}

struct iot_batch *iot_reader_fetch(gpointer data, guint index, struct iot_batch *used,
				   GError **error)
{
	struct iot_reader *reader = data;
	struct reader_run *run = &reader->runs[index];
	struct iot_batch *batch = NULL;
	struct worker *worker;

	if (!reader->n_workers)
		return fetch_directly(reader, run, used, error);
	worker = &reader->workers[reader->owner[index]];
	pthread_mutex_lock(&worker->lock);
	if (used)
		g_ptr_array_add(run->spare, used);
	run->wanted = TRUE;
	pthread_cond_signal(&worker->work);
	while (!run->n_ready && !run->ended)
		pthread_cond_wait(&worker->done, &worker->lock);
	run->wanted = FALSE;
	if (run->n_ready) {
		batch = run->ready[0];
		run->ready[0] = run->ready[1];
		run->n_ready--;
		pthread_cond_signal(&worker->work);
	} else if (run->error) {
		g_propagate_error(error, g_steal_pointer(&run->error));
	}
	pthread_mutex_unlock(&worker->lock);
	return batch;
}

/* Files whose runs cannot be read independently belong to one thread; of others every run may have
 * its own. */
static void assign_runs(struct iot_reader *reader, struct iot_source *const *sources,
			guint n_sources)
{
	guint run = 0, next = 0;

	for (guint i = 0; i < n_sources; i++) {
		guint n = sources[i]->ops->n_runs(sources[i]);

		for (guint local = 0; local < n; local++, run++) {
			reader->runs[run].source = sources[i];
			reader->runs[run].local = local;
			reader->runs[run].spare =
				g_ptr_array_new_with_free_func((GDestroyNotify)iot_batch_free);
			reader->owner[run] = reader->n_workers ? next % reader->n_workers : 0;
			if (sources[i]->ops->runs_independent || local + 1 == n)
				next++;
		}
	}
}

static gboolean start_workers(struct iot_reader *reader, GError **error)
{
	for (guint i = 0; i < reader->n_workers; i++) {
		struct worker *worker = &reader->workers[i];

		worker->reader = reader;
		pthread_mutex_init(&worker->lock, NULL);
		pthread_cond_init(&worker->work, NULL);
		pthread_cond_init(&worker->done, NULL);
		worker->runs = g_array_new(FALSE, FALSE, sizeof(guint));
		for (guint run = 0; run < reader->n_runs; run++)
			if (reader->owner[run] == i)
				g_array_append_val(worker->runs, run);
	}
	for (guint i = 0; i < reader->n_workers; i++) {
		GError *local = NULL;

		if (!iot_fault_hit(IOT_FAULT_THREAD))
			reader->workers[i].thread = g_thread_try_new("reader", worker_main,
								     &reader->workers[i], &local);
		if (reader->workers[i].thread)
			continue;
		g_set_error(error, IOT_ERROR, IOT_ERROR_MEMORY, "cannot start a reader thread: %s",
			    local ? local->message : "injected fault");
		g_clear_error(&local);
		return FALSE;
	}
	return TRUE;
}

struct iot_reader *iot_reader_new(struct iot_source *const *sources, guint n_sources,
				  guint n_threads, gsize batch_bytes, GError **error)
{
	struct iot_reader *reader = g_new0(struct iot_reader, 1);

	for (guint i = 0; i < n_sources; i++)
		reader->n_runs += sources[i]->ops->n_runs(sources[i]);
	reader->n_workers = MIN(n_threads, reader->n_runs);
	reader->runs = g_new0(struct reader_run, MAX(reader->n_runs, 1));
	reader->owner = g_new0(guint, MAX(reader->n_runs, 1));
	reader->workers = g_new0(struct worker, MAX(reader->n_workers, 1));
	reader->batch_bytes = batch_bytes;
	assign_runs(reader, sources, n_sources);
	if (start_workers(reader, error))
		return reader;
	iot_reader_free(reader);
	return NULL;
}

static void stop_worker(struct worker *worker)
{
	pthread_mutex_lock(&worker->lock);
	worker->stop = TRUE;
	pthread_cond_signal(&worker->work);
	pthread_mutex_unlock(&worker->lock);
	if (worker->thread)
		g_thread_join(worker->thread);
	pthread_mutex_destroy(&worker->lock);
	pthread_cond_destroy(&worker->work);
	pthread_cond_destroy(&worker->done);
	g_array_unref(worker->runs);
}

void iot_reader_free(struct iot_reader *reader)
{
	if (!reader)
		return;
	for (guint i = 0; i < reader->n_workers; i++)
		stop_worker(&reader->workers[i]);
	for (guint i = 0; i < reader->n_runs; i++) {
		struct reader_run *run = &reader->runs[i];

		for (guint j = 0; j < run->n_ready; j++)
			iot_batch_free(run->ready[j]);
		g_ptr_array_unref(run->spare);
		g_clear_error(&run->error);
	}
	g_free(reader->runs);
	g_free(reader->owner);
	g_free(reader->workers);
	g_free(reader);
}

guint iot_reader_runs(const struct iot_reader *reader)
{
	return reader->n_runs;
}

gsize iot_reader_memory(const struct iot_reader *reader)
{
	return (gsize)g_atomic_int_get(&reader->n_batches) * reader->batch_bytes;
}
