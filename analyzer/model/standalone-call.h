/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Standalone calls: a [pair] without an object. A call is drawn when it has ended, because
 * its row, its category and its attributes may depend on its end; so the oldest open call holds the
 * watermark. Calls that overlap on a row get lanes.
 *
 * Start and end are joined by key. Each [state] that names the pair draws the call on its own kind
 * of rows: on the thread and on the file. A read that blocks for an hour costs disk, not memory.
 *
 * Lanes are assigned in the order of ends: the lowest lane on which nothing ends after the call
 * begins. A thread makes one call at a time and needs no lanes, except for calls that act as two
 * (sendfile reads and writes) and for requests of io_uring. Gaps close the open calls of an input
 * (SUSPECT), even though their ends might still come: otherwise these calls would hold the
 * watermark for the rest of the recording. The hooks (hook.h) of an event, or of a call that ends,
 * change a [keytable] before the call is drawn. A type of spans may repeat another one: the same
 * calls on other rows. Sums over all rows count such a call once.
 */
#ifndef IOT_MODEL_STANDALONE_CALL_H
#define IOT_MODEL_STANDALONE_CALL_H

#include "model/save-record.h"

/** iot_standalone_calls_new - no call is open */
struct iot_standalone_calls *iot_standalone_calls_new(void);
/** iot_standalone_calls_free - open calls are not drawn */
void iot_standalone_calls_free(struct iot_standalone_calls *calls);
/** iot_standalone_calls_memory - the most bytes that open calls took */
gsize iot_standalone_calls_memory(const struct iot_standalone_calls *calls);
/** iot_standalone_calls_event - a start or an end */
void iot_standalone_calls_event(struct iot_model *model, struct iot_event_role *role,
				const struct iot_rec *rec);
/** iot_standalone_call_lane - while the call of @eval is drawn: the lane of its state on @row; 0
 * if it has none there */
guint16 iot_standalone_call_lane(const struct iot_pair *pair, const struct iot_eval *eval,
				 iot_row_id row);
/** iot_standalone_call_saved - position of the open call in the state that was saved last */
guint64 iot_standalone_call_saved(gconstpointer call);
/** iot_standalone_call_links - the ends of links at the start of an open call */
struct iot_link_end **iot_standalone_call_links(gpointer call);
/** iot_standalone_calls_gap - close the calls of one input at @ts, where events are missing */
void iot_standalone_calls_gap(struct iot_model *model, guint input, guint64 ts);
/** iot_standalone_calls_finish - close all calls at @ts; @at_end: they are counted */
void iot_standalone_calls_finish(struct iot_model *model, guint64 ts, gboolean at_end);
/** iot_standalone_calls_oldest - start of the oldest open call, G_MAXUINT64 if there is none */
guint64 iot_standalone_calls_oldest(const struct iot_standalone_calls *calls);
/** iot_standalone_calls_save - append the open calls to the saved state */
void iot_standalone_calls_save(struct iot_saver *s);
/** iot_standalone_calls_load - open the calls of a saved state; FALSE if it is damaged */
gboolean iot_standalone_calls_load(struct iot_loader *l);

#endif
