/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many runs, each in order, become one stream in the order (time, run, position in the run). The
 * command line numbers the runs, so the user decides who wins a tie. Pipeline thread only.
 */
#ifndef IOT_ORDER_MERGE_H
#define IOT_ORDER_MERGE_H

#include "input/record.h"

struct iot_merge;

/**
 * Get the next batch of @run; @used (NULL at first) is the one that has been consumed and goes
 * back. Returns NULL at the end of the run, or with @error set.
 */
typedef struct iot_batch *(*iot_fetch_func)(gpointer user_data, guint run, struct iot_batch *used,
					    GError **error);

/** Whether the merge may end here: no record that was not delivered is before @ts. */
typedef gboolean (*iot_end_func)(gpointer user_data, guint64 ts);

/**
 * iot_merge_new - merge @n_runs runs
 * @may_end: asked before every record behind @to_ns, and before a batch is fetched all of which is
 * behind it; TRUE ends the merge. NULL: never
 */
struct iot_merge *iot_merge_new(guint n_runs, iot_fetch_func fetch, gpointer user_data,
				guint64 to_ns, iot_end_func may_end, gpointer end_data);
void iot_merge_free(struct iot_merge *merge);
/** iot_merge_next - the next record, valid until the next call; NULL at the end, or with @error set
 */
struct iot_rec *iot_merge_next(struct iot_merge *merge, GError **error);

#endif
