/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "order/merge.h"
#include "base/tournament.h"

enum { AHEAD = 128 }; /* bytes to prefetch ahead: the record after the next one */

struct run {
	struct iot_batch *batch;
	struct iot_rec *rec; /* the present record; NULL: none, or the batch is consumed */
	guint skip;	     /* records to skip */
	/* Mark and number of records of the last batch that was consumed. */
	GByteArray *mark;
	guint n;
};

struct iot_merge {
	struct iot_merge_config config;
	struct run *runs;
	struct iot_tournament times; /* of each live run's present record, or of its next batch */
	guint *live;		     /* the runs that have not ended, in order */
	guint n_live;
	gboolean started;
	gboolean consumed; /* the winner's present record was delivered */
};

struct iot_merge *iot_merge_new(const struct iot_merge_config *config)
{
	struct iot_merge *merge = g_new0(struct iot_merge, 1);

	merge->config = *config;
	merge->runs = g_new0(struct run, MAX(config->n_runs, 1));
	merge->live = g_new(guint, MAX(config->n_runs, 1));
	return merge;
}

void iot_merge_free(struct iot_merge *merge)
{
	if (!merge)
		return;
	for (guint i = 0; i < merge->config.n_runs; i++) {
		iot_batch_free(merge->runs[i].batch);
		g_clear_pointer(&merge->runs[i].mark, g_byte_array_unref);
	}
	iot_tournament_clear(&merge->times);
	g_free(merge->live);
	g_free(merge->runs);
	g_free(merge);
}

void iot_merge_skip(struct iot_merge *merge, guint run, guint n)
{
	merge->runs[run].skip = n;
}

const GByteArray *iot_merge_mark(const struct iot_merge *merge, guint index, guint *out_n)
{
	const struct run *run = &merge->runs[index];

	*out_n = run->n;
	if (!run->batch)
		return run->mark;
	*out_n = 0;
	for (const struct iot_rec *rec = iot_batch_first(run->batch);
	     rec != run->rec && !iot_batch_at_end(run->batch, rec); rec = iot_rec_next(rec))
		++*out_n;
	return run->batch->mark;
}

/* Start a batch after the records to skip. */
static void enter_batch(struct run *run)
{
	run->rec = iot_batch_first(run->batch);
	while (run->skip && !iot_batch_at_end(run->batch, run->rec)) {
		run->rec = iot_rec_next(run->rec);
		run->skip--;
	}
	if (iot_batch_at_end(run->batch, run->rec))
		run->rec = NULL;
}

/* Time of the run's next record or batch. */
static guint64 run_key(const struct run *run)
{
	return run->rec ? run->rec->ts : run->batch->end_ns;
}

/*
 * The same, but not before the record that was delivered last, which is the run's own. Sources
 * keep their runs in order; a record that is not is moved, because models rely on the order.
 */
static inline guint64 next_key(const struct iot_merge *merge, const struct run *run)
{
	guint64 now = iot_tournament_key(&merge->times), key = run_key(run);

	if (G_LIKELY(key >= now))
		return key;
	if (run->rec) {
		iot_diag_add(merge->config.diag, IOT_DIAG_clock_stepped_back, 1);
		run->rec->ts = now;
	}
	return now;
}

/* TRUE if the run has another batch now; FALSE at its end or with *error set. */
static gboolean fetch_batch(struct iot_merge *merge, guint index, GError **error)
{
	struct run *run = &merge->runs[index];

	/* The end of the last batch is no place to resume: events without a record may follow its
	 * last record, and they must be read again. */
	if (run->batch && run->batch->mark) {
		g_clear_pointer(&run->mark, g_byte_array_unref);
		run->mark = g_steal_pointer(&run->batch->mark);
		run->n = run->batch->n;
	}
	run->batch = merge->config.fetch(merge->config.fetch_data, index,
					 g_steal_pointer(&run->batch), error);
	run->rec = NULL;
	if (!run->batch)
		return FALSE;
	enter_batch(run);
	return TRUE;
}

static gboolean start(struct iot_merge *merge, GError **error)
{
	g_autofree guint64 *key = g_new(guint64, MAX(merge->config.n_runs, 1));
	GError *local = NULL;

	merge->started = TRUE;
	for (guint i = 0; i < merge->config.n_runs && !local; i++) {
		if (!fetch_batch(merge, i, &local))
			continue;
		key[merge->n_live] = run_key(&merge->runs[i]);
		merge->live[merge->n_live++] = i;
	}
	iot_tournament_set(&merge->times, key, merge->n_live);
	if (!local)
		return TRUE;
	g_propagate_error(error, local);
	return FALSE;
}

/* Remove the winner, whose run has ended, from the tournament. */
static void end_run(struct iot_merge *merge)
{
	guint first = iot_tournament_winner(&merge->times), after = --merge->n_live - first;
	g_autofree guint64 *key = g_memdup2(merge->times.key, merge->times.n * sizeof(*key));

	memmove(&key[first], &key[first + 1], after * sizeof(*key));
	memmove(&merge->live[first], &merge->live[first + 1], after * sizeof(*merge->live));
	iot_tournament_set(&merge->times, key, merge->n_live);
}

/* Fetch the winner's next batch. */
static gboolean next_batch(struct iot_merge *merge, guint index, GError **error)
{
	GError *local = NULL;

	if (fetch_batch(merge, index, &local)) {
		iot_tournament_replay(&merge->times, next_key(merge, &merge->runs[index]));
		return TRUE;
	}
	if (local) {
		g_propagate_error(error, local);
		return FALSE;
	}
	end_run(merge);
	return TRUE;
}

static inline guint first_run(const struct iot_merge *merge)
{
	return merge->live[iot_tournament_winner(&merge->times)];
}

/* Step from the record that was delivered last to the next record of its run. */
static void step(struct iot_merge *merge)
{
	struct run *run = &merge->runs[first_run(merge)];

	merge->consumed = FALSE;
	run->rec = iot_rec_next(run->rec);
	if (iot_batch_at_end(run->batch, run->rec))
		run->rec = NULL;
	else
		/* with many runs it is not in the cache when this run wins again */
		__builtin_prefetch((const guint8 *)run->rec + AHEAD);
	iot_tournament_replay(&merge->times, next_key(merge, run));
}

struct iot_rec *iot_merge_next(struct iot_merge *merge, GError **error)
{
	if (!merge->started && !start(merge, error))
		return NULL;
	if (merge->consumed)
		step(merge);
	while (merge->n_live) {
		guint index = first_run(merge);
		guint64 ts = iot_tournament_key(&merge->times);
		struct iot_rec *rec = merge->runs[index].rec;

		if (G_UNLIKELY(!rec || ts > merge->config.to_ns) && merge->config.turn &&
		    merge->config.turn(merge->config.turn_data, ts))
			return NULL;
		merge->consumed = rec != NULL;
		if (rec)
			return rec;
		if (!next_batch(merge, index, error))
			return NULL;
	}
	return NULL;
}
