/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/spill.h"
#include "unit.h"

/* A run of @n items: keys @first, @first + @step, ..., numbered from @seq on. */
static void add_run(struct iot_spill *spill, guint n, guint64 first, guint64 step, guint64 seq)
{
	CU_ASSERT_FATAL(iot_spill_begin(spill, NULL));
	for (guint i = 0; i < n; i++) {
		struct iot_item item = { .kind = IOT_ITEM_POINT, .seq = seq + i };

		item.t0 = item.t1 = first + i * step;
		item.attr[7].u = item.t0 * 3 + item.seq;
		iot_spill_add(spill, &item, item.t1);
	}
	CU_ASSERT_FATAL(iot_spill_end(spill, NULL));
}

/* Take everything out; returns the number of items, which must come by key and number. */
static guint drain(struct iot_spill *spill)
{
	guint64 key, seq, last_key = 0, last_seq = 0;
	guint n = 0;

	while (iot_spill_top(spill, &key, &seq)) {
		struct iot_item item;

		CU_ASSERT_FATAL(iot_spill_pop(spill, &item, NULL));
		CU_ASSERT_EQUAL(item.t1, key);
		CU_ASSERT_EQUAL(item.seq, seq);
		CU_ASSERT_EQUAL(item.attr[7].u, item.t0 * 3 + item.seq);
		CU_ASSERT(!n || key > last_key || (key == last_key && seq > last_seq));
		last_key = key;
		last_seq = seq;
		n++;
	}
	return n;
}

UNIT_TEST(spill_empty_has_no_top)
{
	struct iot_spill *spill = iot_spill_new();
	guint64 key, seq;

	CU_ASSERT_FALSE(iot_spill_top(spill, &key, &seq));
	iot_spill_free(spill);
	iot_spill_free(NULL);
}

UNIT_TEST(spill_merges_its_runs)
{
	struct iot_spill *spill = iot_spill_new();
	guint64 key, seq;

	/* shorter than the read-ahead window, exactly as long, and longer */
	add_run(spill, 1, 50, 1, 0);
	add_run(spill, 32, 40, 1, 1000);
	add_run(spill, 33, 7, 3, 2000);
	add_run(spill, 5000, 0, 1, 3000);
	/* equal keys are ordered by number although the run is younger */
	add_run(spill, 64, 50, 0, 500);
	CU_ASSERT(iot_spill_top(spill, &key, &seq));
	CU_ASSERT_EQUAL(key, 0);
	CU_ASSERT_EQUAL(seq, 3000);
	CU_ASSERT_EQUAL(drain(spill), 1 + 32 + 33 + 5000 + 64);
	iot_spill_free(spill);
}

UNIT_TEST(spill_is_used_again_after_it_was_empty)
{
	struct iot_spill *spill = iot_spill_new();

	for (guint i = 0; i < 5; i++) {
		add_run(spill, 100, i, 2, 0);
		add_run(spill, 100, i, 2, 100);
		CU_ASSERT_EQUAL(drain(spill), 200);
	}
	iot_spill_free(spill);
}

UNIT_TEST(spill_takes_runs_while_others_are_read)
{
	struct iot_spill *spill = iot_spill_new();
	struct iot_item item;

	add_run(spill, 100, 1000, 1, 0);
	for (guint i = 0; i < 60; i++) {
		CU_ASSERT_FATAL(iot_spill_pop(spill, &item, NULL));
		CU_ASSERT_EQUAL(item.seq, i);
	}
	add_run(spill, 40, 1050, 1, 100);
	CU_ASSERT_FATAL(iot_spill_pop(spill, &item, NULL));
	CU_ASSERT_EQUAL(item.seq, 100);
	CU_ASSERT_EQUAL(drain(spill), 40 + 39);
	iot_spill_free(spill);
}

UNIT_TEST(spill_is_freed_in_the_middle)
{
	struct iot_spill *spill = iot_spill_new();
	struct iot_item item;

	add_run(spill, 100, 0, 1, 0);
	add_run(spill, 100, 0, 1, 100);
	CU_ASSERT(iot_spill_pop(spill, &item, NULL));
	CU_ASSERT_FATAL(iot_spill_begin(spill, NULL));
	iot_spill_add(spill, &item, 0);
	iot_spill_free(spill);
}
