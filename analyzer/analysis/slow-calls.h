/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The slowest calls of processes, their time by reason, and the waits for resources inside them:
 * which part of a slow write was waiting for a lock, and who held it.
 *
 * Calls are spans of role CALL, waits spans of role WAIT on a resource; both belong to a thread by
 * the attribute "pid" of their types and by their node. Calls inside calls of a thread are not
 * looked at. Waits that overlap count once. Models say which spans are reasons ([because]); a
 * reason of which a node has no span at all is not recorded there. One thread at a time.
 *
 * At each instant the first reason of enum iot_reason counts, so the parts add up to the call
 * (reasons.h). The time of the host is that of the spans in which all virtual CPUs of the node
 * were stolen (stolen-nodes.h), while the thread could run.
 *
 * Time without a reason belongs to what was done for the call elsewhere (accounts.h), else to what
 * woke its thread (sleeps.h).
 *
 * Waits by way of a lock ("through" of [because]): a thread waits for a glock of GFS2, and a
 * worker of its node asks the DLM. The wait of the worker is then part of the call of the thread:
 * its row and that of the glock are twins (timeline/twins.h). Time of the glock in which nobody
 * waited for the twin has a part of its own (enum iot_asker), so all parts add up.
 */
#ifndef IOT_ANALYSIS_SLOW_CALLS_H
#define IOT_ANALYSIS_SLOW_CALLS_H

#include "analysis/accounts.h"
#include "analysis/sleeps.h"
#include "analysis/wait-parts.h"
#include "timeline/result-table.h"

struct iot_slow_call;
struct iot_slow_calls;

/** iot_slow_calls_possible - whether the models draw calls of processes */
gboolean iot_slow_calls_possible(const struct iot_timeline *tl);
struct iot_slow_calls *iot_slow_calls_new(struct iot_timeline *tl);
/** iot_slow_calls_use_accounts - what was done for calls elsewhere; before the first item
 * @accounts: NULL: no model says it */
void iot_slow_calls_use_accounts(struct iot_slow_calls *calls, const struct iot_accounts *accounts);
/** iot_slow_calls_use_sleeps - what woke its thread; before the first item
 * @sleeps: NULL: no model says it */
void iot_slow_calls_use_sleeps(struct iot_slow_calls *calls, const struct iot_sleeps *sleeps);
/* A call has ended, with all sums. @waits: (element-type struct iot_slow_wait) the waits for locks
 * inside it, measured */
typedef void (*iot_slow_call_func)(gpointer user_data, const struct iot_slow_call *call,
				   const GArray *waits);
/** iot_slow_calls_listen - call @func for each call on a row that is shown; before the first item
 */
void iot_slow_calls_listen(struct iot_slow_calls *calls, iot_slow_call_func func,
			   gpointer user_data);
/** iot_slow_calls_free - accepts NULL */
void iot_slow_calls_free(struct iot_slow_calls *calls);
/** iot_slow_calls_wants - whether spans of a category count */
gboolean iot_slow_calls_wants(const struct iot_slow_calls *calls, iot_cat_id cat);
/** iot_slow_calls_item - the next item, in the order of stages, after the waits that ended before
 * its instant */
void iot_slow_calls_item(struct iot_slow_calls *calls, const struct iot_item *item);
/** iot_slow_calls_wait - a wait has ended */
void iot_slow_calls_wait(struct iot_slow_calls *calls, const struct iot_wait *wait);
/** iot_slow_calls_ended - whether calls have ended at the present instant, which is to be settled
 */
gboolean iot_slow_calls_ended(const struct iot_slow_calls *calls);
/** iot_slow_calls_settle - no more waits end at the present instant: its calls are complete */
void iot_slow_calls_settle(struct iot_slow_calls *calls);
/** iot_slow_calls_publish - add the tables, if there was a call */
void iot_slow_calls_publish(const struct iot_slow_calls *calls, struct iot_results *results);

#endif
