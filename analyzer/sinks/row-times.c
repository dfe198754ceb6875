/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/row-times.h"

/* Rows with distributions, the first ones. */
enum { MAX_ROWS = 4096 };

static void clear_kinds(gpointer data)
{
	struct iot_histogram *kinds = data;

	for (guint i = 0; i < IOT_TIME_KINDS; i++)
		iot_histogram_clear(&kinds[i]);
	g_free(kinds);
}

struct iot_row_times *iot_row_times_new(const struct iot_timeline *tl)
{
	struct iot_row_times *times = g_new0(struct iot_row_times, 1);

	times->tl = tl;
	times->rows = g_hash_table_new_full(NULL, NULL, NULL, clear_kinds);
	return times;
}

void iot_row_times_free(struct iot_row_times *times)
{
	if (!times)
		return;
	g_hash_table_unref(times->rows);
	g_free(times);
}

/* A mode that excludes no other one, such as NL, holds nothing. */
static enum iot_time_kind kind_of(const struct iot_timeline *tl, iot_cat_id cat)
{
	switch (iot_cat_at(tl, cat)->role) {
	case IOT_ROLE_WAIT:
		return IOT_TIME_WAIT;
	case IOT_ROLE_CALL:
		return IOT_TIME_CALL;
	case IOT_ROLE_HOLD:
		return iot_cats_compared(tl, cat, cat) && !iot_cat_excludes_any(tl, cat)
			       ? IOT_TIME_KINDS
			       : IOT_TIME_HOLD;
	default:
		return IOT_TIME_KINDS;
	}
}

void iot_row_times_add(struct iot_row_times *times, const struct iot_item *item)
{
	enum iot_time_kind kind =
		item->kind == IOT_ITEM_SPAN ? kind_of(times->tl, item->cat) : IOT_TIME_KINDS;
	gpointer row = GUINT_TO_POINTER(item->row);
	struct iot_histogram *kinds;

	if (kind == IOT_TIME_KINDS)
		return;
	if (item->flags & IOT_PARTIAL) {
		times->n_partial++;
		return;
	}
	kinds = g_hash_table_lookup(times->rows, row);
	if (!kinds && g_hash_table_size(times->rows) == MAX_ROWS) {
		times->n_left_out++;
		return;
	}
	if (!kinds) {
		kinds = g_new0(struct iot_histogram, IOT_TIME_KINDS);
		g_hash_table_insert(times->rows, row, kinds);
	}
	iot_histogram_add(&kinds[kind], item->t1 - item->t0);
}
