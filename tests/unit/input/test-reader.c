/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader over made-up sources: the same records whatever the number of threads. */
#include "base/error.h"
#include "input/reader.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

enum { MAX_RUNS = 5, RECORDS = 200, BATCH_BYTES = 256 };

/* Delivers the records 0 .. n - 1 in each run; time and pid say which and of whom. */
struct fake {
	struct iot_source base;
	guint first_run, n_runs, n_records;
	guint next[MAX_RUNS];
	guint fail_run, fail_at; /* error instead of this record; fail_at 0: none */
	gint reading;		 /* how many read a source whose runs are not independent */
	gint bad;		 /* two readers where one is allowed, reads after the end */
	gboolean ended[MAX_RUNS];
};

static const struct iot_event event = { .index = 0, .n_slots = 2 };

static guint fake_n_runs(const struct iot_source *src)
{
	return ((const struct fake *)src)->n_runs;
}

static enum iot_next fake_read(struct iot_source *src, guint run, struct iot_batch *batch,
			       GError **error)
{
	struct fake *fake = (struct fake *)src;
	enum iot_next next = IOT_NEXT_OK;
	struct iot_rec *rec;

	if (!src->ops->runs_independent && g_atomic_int_add(&fake->reading, 1))
		g_atomic_int_inc(&fake->bad);
	if (fake->ended[run])
		g_atomic_int_inc(&fake->bad);
	batch->used = 0;
	batch->n = 0;
	batch->run = fake->first_run + run;
	while (fake->next[run] < fake->n_records &&
	       !(fake->fail_at && run == fake->fail_run && fake->next[run] == fake->fail_at) &&
	       (rec = iot_batch_add(batch, &event, fake->next[run], (gint32)batch->run))) {
		rec->slot[0].u = fake->next[run]++;
		rec->slot[1].u = batch->run;
	}
	if (!batch->n) {
		next = fake->next[run] < fake->n_records ? IOT_NEXT_ERROR : IOT_NEXT_END;
		fake->ended[run] = TRUE;
	}
	if (next == IOT_NEXT_ERROR)
		g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT, "run %u breaks off", batch->run);
	if (!src->ops->runs_independent) {
		g_thread_yield();
		g_atomic_int_add(&fake->reading, -1);
	}
	return next;
}

static const struct iot_source_ops dependent = { .name = "fake",
						 .n_runs = fake_n_runs,
						 .read = fake_read };
static const struct iot_source_ops independent = {
	.name = "fake", .runs_independent = TRUE, .n_runs = fake_n_runs, .read = fake_read
};

struct setup {
	struct fake fake[4];
	struct iot_source *sources[4];
	struct iot_reader *reader;
	guint n_runs;
};

/* Four sources: a big one, one without runs, one without records, and a dependent one. */
static void setup_init(struct setup *s)
{
	static const struct fake models[4] = {
		{ .base.ops = &independent, .n_runs = 5, .n_records = RECORDS },
		{ .base.ops = &dependent, .n_runs = 0, .n_records = RECORDS },
		{ .base.ops = &independent, .n_runs = 2, .n_records = 0 },
		{ .base.ops = &dependent, .n_runs = 3, .n_records = RECORDS },
	};

	memset(s, 0, sizeof(*s));
	for (guint i = 0; i < 4; i++) {
		s->fake[i] = models[i];
		s->fake[i].first_run = s->n_runs;
		s->n_runs += models[i].n_runs;
		s->sources[i] = &s->fake[i].base;
	}
}

static void setup_start(struct setup *s, guint n_threads)
{
	s->reader = iot_reader_new(s->sources, 4, n_threads, BATCH_BYTES, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(s->reader);
	CU_ASSERT_EQUAL(iot_reader_runs(s->reader), s->n_runs);
}

static void setup_clear(struct setup *s)
{
	iot_reader_free(s->reader);
	for (guint i = 0; i < 4; i++)
		CU_ASSERT_EQUAL(s->fake[i].bad, 0);
}

static void check_batch(const struct iot_batch *batch, guint run, guint *seen)
{
	CU_ASSERT(batch->n > 0);
	CU_ASSERT_EQUAL(batch->run, run);
	for (struct iot_rec *rec = iot_batch_first(batch); !iot_batch_at_end(batch, rec);
	     rec = iot_rec_next(rec)) {
		CU_ASSERT_EQUAL(rec->ts, *seen);
		CU_ASSERT_EQUAL(rec->pid, (gint32)run);
		CU_ASSERT_EQUAL(rec->slot[0].u, *seen);
		CU_ASSERT_EQUAL(rec->slot[1].u, run);
		++*seen;
	}
}

static guint records_of(const struct setup *s, guint run)
{
	for (guint i = 0; i < 4; i++)
		if (run >= s->fake[i].first_run && run < s->fake[i].first_run + s->fake[i].n_runs)
			return s->fake[i].n_records;
	return 0;
}

/* Read all runs in turns (@in_turns) or one after the other. */
static void read_all(guint n_threads, gboolean in_turns)
{
	struct iot_batch *batch[16] = { NULL };
	guint seen[16] = { 0 };
	gboolean ended[16] = { FALSE };
	guint left;
	struct setup s;

	setup_init(&s);
	setup_start(&s, n_threads);
	for (left = s.n_runs; left;) {
		for (guint run = 0; run < s.n_runs; run++) {
			GError *error = NULL;

			if (ended[run])
				continue;
			do {
				batch[run] = iot_reader_fetch(s.reader, run, batch[run], &error);
				if (batch[run])
					check_batch(batch[run], run, &seen[run]);
			} while (batch[run] && !in_turns);
			CU_ASSERT_PTR_NULL(error);
			ended[run] = !batch[run];
			left -= ended[run];
		}
	}
	for (guint run = 0; run < s.n_runs; run++) {
		CU_ASSERT_EQUAL(seen[run], records_of(&s, run));
		/* the end stays the end */
		CU_ASSERT_PTR_NULL(iot_reader_fetch(s.reader, run, NULL, NULL));
	}
	setup_clear(&s);
}

UNIT_TEST(threads_make_no_difference)
{
	static const guint threads[] = { 0, 1, 2, 4, 100 };

	for (guint i = 0; i < G_N_ELEMENTS(threads); i++) {
		read_all(threads[i], TRUE);
		read_all(threads[i], FALSE);
	}
}

UNIT_TEST(a_source_that_fails_in_the_middle)
{
	static const guint threads[] = { 0, 1, 4 };

	for (guint i = 0; i < G_N_ELEMENTS(threads); i++) {
		struct iot_batch *batch = NULL;
		g_autoptr(GError) error = NULL;
		guint seen = 0, other = 0;
		struct setup s;

		setup_init(&s);
		s.fake[0].fail_run = 2;
		s.fake[0].fail_at = 123;
		setup_start(&s, threads[i]);
		while ((batch = iot_reader_fetch(s.reader, 2, batch, &error)))
			check_batch(batch, 2, &seen);
		CU_ASSERT_EQUAL(seen, 123);
		CU_ASSERT(g_error_matches(error, IOT_ERROR, IOT_ERROR_INPUT));
		CU_ASSERT_STRING_EQUAL(error ? error->message : "", "run 2 breaks off");
		/* the source is not read again, and other runs continue */
		CU_ASSERT_PTR_NULL(iot_reader_fetch(s.reader, 2, NULL, NULL));
		while ((batch = iot_reader_fetch(s.reader, 3, batch, NULL)))
			check_batch(batch, 3, &other);
		CU_ASSERT_EQUAL(other, RECORDS);
		setup_clear(&s);
	}
}

UNIT_TEST(reading_may_stop_at_any_time)
{
	static const guint threads[] = { 0, 1, 4 };

	for (guint i = 0; i < G_N_ELEMENTS(threads); i++) {
		for (guint n = 0; n < 4; n++) {
			struct iot_batch *batch = NULL;
			guint seen = 0;
			struct setup s;

			setup_init(&s);
			/* an error that nobody fetches */
			s.fake[3].fail_run = 1;
			s.fake[3].fail_at = 1;
			setup_start(&s, threads[i]);
			for (guint k = 0; k < n; k++) {
				batch = iot_reader_fetch(s.reader, 1, batch, NULL);
				CU_ASSERT_PTR_NOT_NULL_FATAL(batch);
				check_batch(batch, 1, &seen);
			}
			iot_batch_free(batch);
			setup_clear(&s);
		}
	}
	iot_reader_free(NULL);
}

UNIT_TEST(no_sources_no_runs)
{
	struct iot_reader *reader = iot_reader_new(NULL, 0, 4, BATCH_BYTES, NULL);

	CU_ASSERT_PTR_NOT_NULL_FATAL(reader);
	CU_ASSERT_EQUAL(iot_reader_runs(reader), 0);
	iot_reader_free(reader);
}

/* A source of one run without records, which ends only after a second thread has helped. */
struct helped {
	struct iot_source base;
	gint helping, reader_gone, helper_gone; /* atomic */
};

static void thread_is_gone(gpointer data)
{
	g_atomic_int_set((gint *)data, 1);
}

static GPrivate at_exit = G_PRIVATE_INIT(thread_is_gone);

static void wait_for(gint *flag)
{
	while (!g_atomic_int_get(flag))
		g_thread_yield();
}

static guint helped_n_runs(const struct iot_source *src)
{
	(void)src;
	return 1;
}

static enum iot_next helped_read(struct iot_source *src, guint run, struct iot_batch *batch,
				 GError **error)
{
	struct helped *helped = (struct helped *)src;

	(void)run, (void)batch, (void)error;
	g_private_set(&at_exit, &helped->reader_gone);
	wait_for(&helped->helping);
	return IOT_NEXT_END;
}

static gboolean helped_ahead(struct iot_source *src, guint run)
{
	struct helped *helped = (struct helped *)src;

	(void)run;
	g_private_set(&at_exit, &helped->helper_gone);
	g_atomic_int_set(&helped->helping, 1);
	wait_for(&helped->reader_gone);
	return FALSE;
}

/* The other one has said that there is nothing to do any more, and nobody was waiting for that. */
UNIT_TEST(who_helps_sees_the_end)
{
	static const struct iot_source_ops ops = { .name = "helped",
						   .runs_independent = TRUE,
						   .n_runs = helped_n_runs,
						   .read = helped_read,
						   .ahead = helped_ahead };
	struct helped helped = { .base.ops = &ops };
	struct iot_source *sources[] = { &helped.base };
	struct iot_reader *reader = iot_reader_new(sources, 1, 2, BATCH_BYTES, NULL);

	CU_ASSERT_PTR_NOT_NULL_FATAL(reader);
	CU_ASSERT_PTR_NULL(iot_reader_fetch(reader, 0, NULL, NULL));
	wait_for(&helped.helper_gone);
	iot_reader_free(reader);
}
