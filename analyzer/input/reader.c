/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/reader.h"
#include "base/error.h"
#include "base/fault.h"

#include <pthread.h>

enum { DEPTH = 2 }; /* batches read ahead per run */

/* A source, and how many threads read it now: some sources allow one run at a time. */
struct reader_source {
	struct iot_source *source;
	guint n_reading;
};

struct reader_run {
	struct reader_source *from;
	guint local;			/* number of the run within its source */
	struct iot_batch *ready[DEPTH]; /* oldest first */
	guint n_ready;
	GPtrArray *spare; /* of struct iot_batch */
	gboolean reading; /* a thread fills a batch */
	gboolean wanted;  /* the merge waits for it */
	gboolean ended;
	gboolean beyond; /* the last batch reached past the window: read another only if wanted */
	GError *error;
};

/* Any thread reads any run. One lock is enough: it is held for a short time compared with reading a
 * batch. */
struct iot_reader {
	guint n_runs, n_threads, n_ended;
	struct reader_source *sources;
	struct reader_run *runs;
	GThread **threads;
	pthread_mutex_t lock; /* for the changing members of runs and sources */
	pthread_cond_t work, done;
	guint n_woken; /* signals of "work" so far, for threads that were busy without the lock */
	gboolean stop;
	gsize batch_bytes;
	gint n_batches; /* allocated; atomic */
};

static struct iot_batch *take_spare(struct iot_reader *reader, struct reader_run *run,
				    GError **error)
{
	if (run->spare->len)
		return g_ptr_array_steal_index_fast(run->spare, run->spare->len - 1);
	g_atomic_int_inc(&reader->n_batches);
	return iot_batch_new(reader->batch_bytes, error);
}

/* Fill one batch; NULL at the end of the run or with *error set. The batch is not shared yet. */
static struct iot_batch *read_batch(struct reader_run *run, struct iot_batch *batch, GError **error)
{
	struct iot_source *source = run->from->source;

	switch (source->ops->read(source, run->local, batch, error)) {
	case IOT_NEXT_OK:
		return batch;
	case IOT_NEXT_END:
	case IOT_NEXT_ERROR:
		break;
	}
	iot_batch_free(batch);
	return NULL;
}

static gboolean may_read(const struct reader_run *run)
{
	if (run->ended || run->reading || run->n_ready == DEPTH || (run->beyond && !run->wanted))
		return FALSE;
	return run->from->source->ops->runs_independent || !run->from->n_reading;
}

/* Wake one thread for new work, or all because the work has ended. */
static void wake(struct iot_reader *reader, gboolean all)
{
	reader->n_woken++;
	if (all)
		pthread_cond_broadcast(&reader->work);
	else
		pthread_cond_signal(&reader->work);
}

/* The run that needs a batch most: the one that the merge waits for, else the emptiest. */
static struct reader_run *choose_run(const struct iot_reader *reader)
{
	struct reader_run *best = NULL;

	for (guint i = 0; i < reader->n_runs; i++) {
		struct reader_run *run = &reader->runs[i];

		if (!may_read(run))
			continue;
		if (run->wanted && !run->n_ready)
			return run;
		if (!best || run->n_ready < best->n_ready)
			best = run;
	}
	return best;
}

/*
 * If no run is left to read, but the batch of a run that another thread reads is still missing:
 * help that thread. FALSE if there is nothing to do. The lock is released meanwhile.
 */
static gboolean help(struct iot_reader *reader)
{
	for (guint i = 0; i < reader->n_runs; i++) {
		const struct reader_run *run = &reader->runs[i];
		struct iot_source *source = run->from->source;
		gboolean worked;

		if (!run->reading || run->n_ready || run->beyond || !source->ops->ahead)
			continue;
		pthread_mutex_unlock(&reader->lock);
		worked = source->ops->ahead(source, run->local);
		pthread_mutex_lock(&reader->lock);
		if (worked)
			return TRUE;
	}
	return FALSE;
}

/* Read one batch of @run; the lock is released meanwhile. */
static void read_ahead(struct iot_reader *reader, struct reader_run *run)
{
	GError *error = NULL;
	struct iot_batch *batch = take_spare(reader, run, &error);

	run->reading = TRUE;
	run->from->n_reading++;
	pthread_mutex_unlock(&reader->lock);
	if (batch)
		batch = read_batch(run, batch, &error);
	pthread_mutex_lock(&reader->lock);
	run->reading = FALSE;
	run->from->n_reading--;
	if (batch) {
		run->beyond = batch->end_ns > run->from->source->to_ns;
		run->ready[run->n_ready++] = batch;
	} else {
		run->ended = TRUE;
		reader->n_ended++;
	}
	run->error = error;
	if (run->wanted)
		pthread_cond_signal(&reader->done);
	if (!run->from->source->ops->runs_independent)
		wake(reader, FALSE); /* the other runs of the source may be read now */
}

static gpointer thread_main(gpointer data)
{
	struct iot_reader *reader = data;

	pthread_mutex_lock(&reader->lock);
	while (!reader->stop && reader->n_ended < reader->n_runs) {
		struct reader_run *run = choose_run(reader);
		guint n_woken = reader->n_woken;

		if (run)
			read_ahead(reader, run);
		else if (!help(reader) && n_woken == reader->n_woken)
			pthread_cond_wait(&reader->work, &reader->lock);
	}
	/* the other threads have nothing left to do either */
	wake(reader, TRUE);
	pthread_mutex_unlock(&reader->lock);
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

	if (!reader->n_threads)
		return fetch_directly(reader, run, used, error);
	pthread_mutex_lock(&reader->lock);
	if (used)
		g_ptr_array_add(run->spare, used);
	run->wanted = TRUE;
	wake(reader, FALSE);
	while (!run->n_ready && !run->ended)
		pthread_cond_wait(&reader->done, &reader->lock);
	run->wanted = FALSE;
	if (run->n_ready) {
		batch = run->ready[0];
		run->ready[0] = run->ready[1];
		run->n_ready--;
		wake(reader, FALSE);
	} else if (run->error) {
		g_propagate_error(error, g_steal_pointer(&run->error));
	}
	pthread_mutex_unlock(&reader->lock);
	return batch;
}

static void add_runs(struct iot_reader *reader, struct iot_source *const *sources, guint n_sources)
{
	guint run = 0;

	for (guint i = 0; i < n_sources; i++) {
		guint n = sources[i]->ops->n_runs(sources[i]);

		reader->sources[i].source = sources[i];
		for (guint local = 0; local < n; local++, run++) {
			reader->runs[run].from = &reader->sources[i];
			reader->runs[run].local = local;
			reader->runs[run].spare =
				g_ptr_array_new_with_free_func((GDestroyNotify)iot_batch_free);
		}
	}
}

static gboolean start_threads(struct iot_reader *reader, GError **error)
{
	for (guint i = 0; i < reader->n_threads; i++) {
		GError *local = NULL;

		if (!iot_fault_hit(IOT_FAULT_THREAD))
			reader->threads[i] =
				g_thread_try_new("reader", thread_main, reader, &local);
		if (reader->threads[i])
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
	gboolean shared = FALSE; /* several threads may work for one run */

	for (guint i = 0; i < n_sources; i++) {
		reader->n_runs += sources[i]->ops->n_runs(sources[i]);
		shared |= sources[i]->ops->ahead != NULL;
	}
	reader->n_threads = shared ? n_threads : MIN(n_threads, reader->n_runs);
	reader->sources = g_new0(struct reader_source, MAX(n_sources, 1));
	reader->runs = g_new0(struct reader_run, MAX(reader->n_runs, 1));
	reader->threads = g_new0(GThread *, MAX(reader->n_threads, 1));
	reader->batch_bytes = batch_bytes;
	pthread_mutex_init(&reader->lock, NULL);
	pthread_cond_init(&reader->work, NULL);
	pthread_cond_init(&reader->done, NULL);
	add_runs(reader, sources, n_sources);
	if (start_threads(reader, error))
		return reader;
	iot_reader_free(reader);
	return NULL;
}

static void stop_threads(struct iot_reader *reader)
{
	pthread_mutex_lock(&reader->lock);
	reader->stop = TRUE;
	wake(reader, TRUE);
	pthread_mutex_unlock(&reader->lock);
	for (guint i = 0; i < reader->n_threads; i++)
		if (reader->threads[i])
			g_thread_join(reader->threads[i]);
}

void iot_reader_free(struct iot_reader *reader)
{
	if (!reader)
		return;
	stop_threads(reader);
	for (guint i = 0; i < reader->n_runs; i++) {
		struct reader_run *run = &reader->runs[i];

		for (guint j = 0; j < run->n_ready; j++)
			iot_batch_free(run->ready[j]);
		g_ptr_array_unref(run->spare);
		g_clear_error(&run->error);
	}
	pthread_mutex_destroy(&reader->lock);
	pthread_cond_destroy(&reader->work);
	pthread_cond_destroy(&reader->done);
	g_free(reader->runs);
	g_free(reader->sources);
	g_free(reader->threads);
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
