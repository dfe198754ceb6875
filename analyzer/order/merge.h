/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merges runs, each in order, into one stream in the order (time, run, position in the run). The
 * command line numbers the runs, so the user decides ties. Pipeline thread only.
 */
#ifndef IOT_ORDER_MERGE_H
#define IOT_ORDER_MERGE_H

#include "base/diag.h"
#include "input/record.h"

struct iot_merge;

/**
 * Get the next batch of @run and take back the consumed batch @used (NULL at first). Returns NULL
 * at the end of the run, or with @error set.
 */
typedef struct iot_batch *(*iot_fetch_func)(gpointer user_data, guint run, struct iot_batch *used,
					    GError **error);

/**
 * Called before each fetch of a batch, and before each record after the end of the window. All
 * records before @ts have been delivered. TRUE ends the merge.
 */
typedef gboolean (*iot_turn_func)(gpointer user_data, guint64 ts);

struct iot_merge_config {
	guint n_runs;
	iot_fetch_func fetch;
	gpointer fetch_data;
	guint64 to_ns;	    /* end of the window; G_MAXUINT64: none */
	iot_turn_func turn; /* NULL: the merge ends with the runs */
	gpointer turn_data;
	struct iot_diag
		*diag; /* counts records earlier than their predecessor (clock_stepped_back) */
};

/** iot_merge_new - @config is copied; nothing is fetched yet. The caller frees */
struct iot_merge *iot_merge_new(const struct iot_merge_config *config);
/** iot_merge_skip - skip the first @n records of @run; before the first iot_merge_next */
void iot_merge_skip(struct iot_merge *merge, guint run, guint n);
/**
 * iot_merge_mark - the mark of the present batch of @run, or of its last batch: reading can be
 * resumed there
 * @out_n: records of that batch to skip: those that were delivered, without the present record
 *
 * NULL if the run has had no batch with a mark.
 */
const GByteArray *iot_merge_mark(const struct iot_merge *merge, guint run, guint *out_n);
/** iot_merge_free - with the batch of each run that was not taken back; accepts NULL */
void iot_merge_free(struct iot_merge *merge);
/** iot_merge_next - the next record, valid until the next call; NULL at the end, or with @error set
 */
struct iot_rec *iot_merge_next(struct iot_merge *merge, GError **error);

#endif
