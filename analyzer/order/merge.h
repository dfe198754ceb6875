/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many runs, each in order, become one stream in the order (time, run, position in the run). The
 * command line numbers the runs, so the user decides who wins a tie. Pipeline thread only.
 */
#ifndef IOT_ORDER_MERGE_H
#define IOT_ORDER_MERGE_H

#include "base/diag.h"
#include "input/record.h"

struct iot_merge;

/**
 * Get the next batch of @run; @used (NULL at first) is the one that has been consumed and goes
 * back. Returns NULL at the end of the run, or with @error set.
 */
typedef struct iot_batch *(*iot_fetch_func)(gpointer user_data, guint run, struct iot_batch *used,
					    GError **error);

/**
 * Called when a batch is about to be fetched, and before every record behind the end of the window.
 * No record that was not delivered is before @ts. TRUE ends the merge.
 */
typedef gboolean (*iot_turn_func)(gpointer user_data, guint64 ts);

struct iot_merge_config {
	guint n_runs;
	iot_fetch_func fetch;
	gpointer fetch_data;
	guint64 to_ns;	    /* end of the window; G_MAXUINT64: none */
	iot_turn_func turn; /* NULL: the merge ends with the runs */
	gpointer turn_data;
	struct iot_diag *diag; /* counts records that are earlier than the one before */
};

struct iot_merge *iot_merge_new(const struct iot_merge_config *config);
/** iot_merge_skip - before the first record: leave out the first @n records of @run */
void iot_merge_skip(struct iot_merge *merge, guint run, guint n);
/**
 * iot_merge_mark - where to go on reading @run: the mark of the batch that it is in, or of its last
 * @out_n: records of that batch that have been delivered, but for the last one of iot_merge_next
 *
 * NULL if it had no batch at all, or none with a mark.
 */
const GByteArray *iot_merge_mark(const struct iot_merge *merge, guint run, guint *out_n);
void iot_merge_free(struct iot_merge *merge);
/** iot_merge_next - the next record, valid until the next call; NULL at the end, or with @error set
 */
struct iot_rec *iot_merge_next(struct iot_merge *merge, GError **error);

#endif
