/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/error.h"
#include "order/merge.h"
#include "unit.h"

#include <string.h>

enum { MAX_RUNS = 64 };

/*
 * Runs given as times. "|" separates batches, "!" is an error, and "@20" says that the next batch has
 * nothing before 20.
 */
struct runs {
	const char *const *text;
	const char *at[MAX_RUNS];
	guint n;
	guint batches;	/* that the merge holds */
	struct iot_diag diag;
};

static const struct iot_event event = { .index = 1, .n_slots = 1 };

static void runs_init(struct runs *runs, const char *const *text, guint n)
{
	memset(runs, 0, sizeof(*runs));
	runs->text = text;
	runs->n = n;
	for (guint i = 0; i < n; i++)
		runs->at[i] = text[i];
}

static void fill(struct runs *runs, guint run, struct iot_batch *batch)
{
	const char **at = &runs->at[run];
	struct iot_rec *rec;

	while (**at && **at != '|' && **at != '!') {
		gboolean is_end = **at == '@';
		char *end;
		guint64 ts = g_ascii_strtoull(*at + is_end, &end, 10);

		rec = is_end ? NULL : iot_batch_add(batch, &event, ts, (gint32)run);
		/* where in the text it stood, so that its place in the run can be checked */
		if (rec)
			rec->slot[0].u = (guint64)(*at - runs->text[run]);
		else
			batch->end_ns = ts;
		*at = end;
		while (**at == ' ')
			++*at;
	}
}

static struct iot_batch *fetch(gpointer data, guint run, struct iot_batch *used, GError **error)
{
	struct runs *runs = data;
	struct iot_batch *batch;

	if (used)
		runs->batches--;
	iot_batch_free(used);	/* the sanitizer catches later accesses */
	CU_ASSERT_FATAL(run < runs->n);
	if (*runs->at[run] == '!') {
		g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT, "run %u is damaged", run);
		return NULL;
	}
	if (!*runs->at[run])
		return NULL;
	batch = iot_batch_new(65536, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(batch);
	batch->run = run;
	fill(runs, run, batch);
	if (*runs->at[run] == '|')
		runs->at[run]++;
	while (*runs->at[run] == ' ')
		runs->at[run]++;
	runs->batches++;
	return batch;
}

static struct iot_merge *merge_new(guint n, struct runs *runs)
{
	const struct iot_merge_config config = { .n_runs = n,
						 .fetch = fetch,
						 .fetch_data = runs,
						 .to_ns = G_MAXUINT64,
						 .diag = &runs->diag };

	return iot_merge_new(&config);
}

/* All records as "RUN:TIME"; within a run their places must rise. */
static void check_merge(const char *const *text, guint n, const char *expected,
			const char *expected_error)
{
	g_autoptr(GString) got = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	gint64 last[MAX_RUNS];
	struct iot_merge *merge;
	struct iot_rec *rec;
	struct runs runs;

	runs_init(&runs, text, n);
	for (guint i = 0; i < MAX_RUNS; i++)
		last[i] = -1;
	merge = merge_new(n, &runs);
	while ((rec = iot_merge_next(merge, &error))) {
		CU_ASSERT(last[rec->run] < rec->slot[0].i);
		last[rec->run] = rec->slot[0].i;
		g_string_append_printf(got, "%s%u:%u", got->len ? " " : "", rec->run, (guint)rec->ts);
	}
	CU_ASSERT_STRING_EQUAL(got->str, expected);
	if (expected_error)
		CU_ASSERT_STRING_EQUAL(error ? error->message : "", expected_error)
	else
		CU_ASSERT_PTR_NULL(error);
	if (!expected_error) {
		/* the end stays the end, and every batch has gone back */
		CU_ASSERT_PTR_NULL(iot_merge_next(merge, NULL));
		CU_ASSERT_EQUAL(runs.batches, 0);
	}
	iot_merge_free(merge);
}

#define CHECK(expected, error, ...)                                                        \
	do {                                                                               \
		static const char *const text_[] = { __VA_ARGS__ };                        \
		check_merge(text_, G_N_ELEMENTS(text_), expected, error);                  \
	} while (0)

UNIT_TEST(merge_is_by_time)
{
	CHECK("1:1 0:2 1:3 0:4 2:5 0:9", NULL, "2 4 9", "1 3", "5");
	CHECK("0:1 0:2 0:3", NULL, "1 2 3");
}

UNIT_TEST(ties_go_to_the_first_run)
{
	CHECK("0:5 0:5 1:5 1:5 2:5 2:6 0:7 1:7", NULL, "5 5 7", "5 5 7", "5 6");
	/* also when the first run gets there later, and across batches */
	CHECK("1:1 0:5 0:5 1:5 1:5", NULL, "5 | 5", "1 5 | 5");
}

UNIT_TEST(batches_make_no_difference)
{
	CHECK("0:1 1:2 0:3 1:4 0:5 1:6", NULL, "1 | 3 | 5", "2 4 | 6");
	/* a batch may be empty */
	CHECK("0:1 1:2 0:3", NULL, "| 1 | | 3 |", "| | 2");
}

UNIT_TEST(a_run_that_has_ended_is_behind_all_times)
{
	CHECK("1:1 0:4294967295 2:4294967295 2:4294967295", NULL, "18446744073709551615", "1",
	      "18446744073709551615 | 18446744073709551615");
	CHECK("0:1 2:1 2:4294967295 2:4294967295", NULL, "1", "",
	      "1 18446744073709551615 | 18446744073709551615", "@18446744073709551615");
}

UNIT_TEST(runs_may_be_empty)
{
	CHECK("1:1 1:2", NULL, "", "1 2", "");
	CHECK("", NULL, "", "");
	check_merge(NULL, 0, "", NULL);
	iot_merge_free(NULL);
}

UNIT_TEST(an_error_ends_the_merge)
{
	CHECK("", "run 1 is damaged", "1 2", "!", "3");
	CHECK("0:1 1:2", "run 1 is damaged", "1 5", "2 !", "7");
	CHECK("0:1 1:2 0:3", "run 0 is damaged", "1 3 | !", "2 5");
}

UNIT_TEST(after_an_error_it_may_be_asked_again)
{
	static const char *const text[] = { "1 5 6", "2 !" };
	struct iot_merge *merge;
	struct runs runs;

	runs_init(&runs, text, 2);
	merge = merge_new(2, &runs);
	CU_ASSERT_PTR_NOT_NULL(iot_merge_next(merge, NULL));
	CU_ASSERT_PTR_NOT_NULL(iot_merge_next(merge, NULL));
	for (guint i = 0; i < 3; i++) {
		g_autoptr(GError) error = NULL;

		CU_ASSERT_PTR_NULL(iot_merge_next(merge, &error));
		CU_ASSERT_PTR_NOT_NULL(error);
	}
	iot_merge_free(merge);
}

UNIT_TEST(a_merge_is_freed_in_the_middle)
{
	static const char *const text[] = { "1 3 | 5", "2 4" };
	struct iot_merge *merge;
	struct runs runs;

	runs_init(&runs, text, 2);
	merge = merge_new(2, &runs);
	CU_ASSERT_PTR_NOT_NULL(iot_merge_next(merge, NULL));
	CU_ASSERT_PTR_NOT_NULL(iot_merge_next(merge, NULL));
	iot_merge_free(merge);
	iot_merge_free(merge_new(3, &runs));
}

UNIT_TEST(a_batch_is_fetched_when_its_time_has_come)
{
	static const char *const text[] = { "@20 | !", "1 5 @6 | 19 @30 | !" };
	g_autoptr(GError) error = NULL;
	struct iot_merge *merge;
	struct runs runs;

	/* no difference otherwise; at one time the first run still wins */
	CHECK("1:1 1:5 0:20 1:20 0:21", NULL, "@7 | @20 | 20 21", "1 5 @20 | 20");
	runs_init(&runs, text, 2);
	merge = merge_new(2, &runs);
	for (guint i = 0; i < 3; i++)
		CU_ASSERT_PTR_NOT_NULL(iot_merge_next(merge, NULL));
	CU_ASSERT_PTR_NULL(iot_merge_next(merge, &error));
	CU_ASSERT_STRING_EQUAL(error->message, "run 0 is damaged");
	iot_merge_free(merge);
}

/* Sources clamp such times and count them; this is about one that does not. */
UNIT_TEST(a_record_that_is_too_early_is_moved_and_counted)
{
	static const char *const text[] = { "5 3 6 | 4 7", "1 5 8" };
	static const char *const expected[] = { "1:1", "0:5", "0:5", "1:5", "0:6", "0:6", "0:7", "1:8" };
	const struct iot_rec *rec;
	struct iot_merge *merge;
	struct runs runs;

	runs_init(&runs, text, 2);
	merge = merge_new(2, &runs);
	for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
		char got[32];

		rec = iot_merge_next(merge, NULL);
		CU_ASSERT_PTR_NOT_NULL_FATAL(rec);
		g_snprintf(got, sizeof(got), "%u:%u", rec->run, (guint)rec->ts);
		CU_ASSERT_STRING_EQUAL(got, expected[i]);
	}
	CU_ASSERT_PTR_NULL(iot_merge_next(merge, NULL));
	CU_ASSERT_EQUAL(runs.diag.count[IOT_DIAG_clock_stepped_back], 2);
	iot_merge_free(merge);
}

/* Ends the merge when it is asked for the n-th time. */
struct ender {
	guint n;
	guint64 ts;
};

static gboolean may_end(gpointer data, guint64 ts)
{
	struct ender *ender = data;

	ender->ts = ts;
	return --ender->n == 0;
}

UNIT_TEST(a_merge_may_end_behind_a_time)
{
	static const char *const text[] = { "1 5 @20 | !", "7 | 8 9" };
	static const struct {
		guint ask, records;
		guint64 at;
	} cases[] = { { 1, 2, 7 }, { 3, 3, 8 }, { 6, 5, 20 } };

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct ender ender = { .n = cases[i].ask };
		g_autoptr(GError) error = NULL;
		struct iot_merge_config config;
		struct iot_merge *merge;
		struct runs runs;
		guint records = 0;

		runs_init(&runs, text, 2);
		config = (struct iot_merge_config){ .n_runs = 2,
						    .fetch = fetch,
						    .fetch_data = &runs,
						    .to_ns = 6,
						    .turn = may_end,
						    .turn_data = &ender,
						    .diag = &runs.diag };
		merge = iot_merge_new(&config);
		while (iot_merge_next(merge, &error))
			records++;
		CU_ASSERT_PTR_NULL(error);
		CU_ASSERT_EQUAL(records, cases[i].records);
		CU_ASSERT_EQUAL(ender.ts, cases[i].at);
		iot_merge_free(merge);
	}
}

UNIT_TEST(many_runs)
{
	g_autoptr(GString) expected = g_string_new(NULL);
	const char *text[MAX_RUNS];
	char storage[MAX_RUNS][64];

	for (guint i = 0; i < MAX_RUNS; i++) {
		g_snprintf(storage[i], sizeof(storage[i]), "%u %u | %u", i % 4, 10 + i % 3, 20);
		text[i] = storage[i];
	}
	for (guint t = 0; t <= 20; t++)
		for (guint i = 0; i < MAX_RUNS; i++)
			if (t == i % 4 || t == 10 + i % 3 || t == 20)
				g_string_append_printf(expected, "%s%u:%u", expected->len ? " " : "",
						       i, t);
	check_merge(text, MAX_RUNS, expected->str, NULL);
}
