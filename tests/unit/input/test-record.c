/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/record.h"
#include "unit.h"

UNIT_TEST(batch_holds_records_of_different_sizes)
{
	static const struct iot_event small = { .index = 1, .n_slots = 0 };
	static const struct iot_event big = { .index = 2, .n_slots = 32 };
	struct iot_batch *batch = iot_batch_new(2000, NULL);
	struct iot_rec *rec;
	guint n = 0, seen = 0;

	CU_ASSERT_PTR_NOT_NULL_FATAL(batch);
	batch->run = 9;
	while ((rec = iot_batch_add(batch, n % 2 ? &big : &small, 100 + n, (gint32)n))) {
		for (guint i = 0; i < rec->event->n_slots; i++)
			rec->slot[i].u = n * 100 + i;
		n++;
	}
	CU_ASSERT_EQUAL(batch->n, n);
	CU_ASSERT(batch->used <= batch->size);
	/* 24 bytes of header each, and 32 slots of 8 bytes in every second one */
	CU_ASSERT_EQUAL(n, 2 * (2000 / (24 + 24 + 256)) + 1);
	for (rec = iot_batch_first(batch); !iot_batch_at_end(batch, rec); rec = iot_rec_next(rec)) {
		CU_ASSERT_EQUAL(rec->ts, 100 + seen);
		CU_ASSERT_EQUAL(rec->run, 9);
		CU_ASSERT_EQUAL(rec->pid, (gint32)seen);
		CU_ASSERT_EQUAL(rec->event->index, 1 + seen % 2);
		for (guint i = 0; i < rec->event->n_slots; i++)
			CU_ASSERT_EQUAL(rec->slot[i].u, seen * 100 + i);
		seen++;
	}
	CU_ASSERT_EQUAL(seen, n);
	iot_batch_free(batch);
	iot_batch_free(NULL);
}

UNIT_TEST(batch_empty_is_at_end)
{
	struct iot_batch *batch = iot_batch_new(64, NULL);

	CU_ASSERT_PTR_NOT_NULL_FATAL(batch);
	CU_ASSERT(iot_batch_at_end(batch, iot_batch_first(batch)));
	iot_batch_free(batch);
}
