/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What woke threads that slept, followed back: the time of a sleep is divided by what its waker did
 * meanwhile, and where the waker slept itself, by what its own waker did.
 *
 * The models say which states of threads are sleeps ([because]: asleep), which links wake (role
 * wakes), and by which attribute a state says that an interrupt, which has no thread, was the
 * waker. A wake-up that ends no sleep says nothing; of several at the instant at which a sleep
 * ends, the first counts. A sleep that ends without a recorded waker is not explained.
 *
 * Each thread has a history of parts (account-fold.h): what it did, by the first that is open of
 * waits for locks, requests to devices, and its state; what it asked other machines for
 * (accounts.h) takes the time that it slept. When a sleep ends, its time gets the waker's history,
 * in which the waker's own sleeps are divided already. So nothing recurses, and the chain of wakers
 * (wakers.h) grows by one with each step.
 *
 * A history has at most MAX_PARTS parts: of more, the shortest neighbours are merged
 * (IOT_PHASE_MANY). One thread at a time.
 */
#ifndef IOT_ANALYSIS_SLEEPS_H
#define IOT_ANALYSIS_SLEEPS_H

#include "analysis/accounts.h"
#include "analysis/wakers.h"

struct iot_sleeps;

/** iot_sleeps_possible - whether the models say what wakes threads */
gboolean iot_sleeps_possible(const struct iot_timeline *tl);
struct iot_sleeps *iot_sleeps_new(struct iot_timeline *tl);
/** iot_sleeps_free - accepts NULL */
void iot_sleeps_free(struct iot_sleeps *sleeps);
/** iot_sleeps_use_accounts - what threads asked others for; before the first item */
void iot_sleeps_use_accounts(struct iot_sleeps *sleeps, struct iot_accounts *accounts);
/** iot_sleeps_wants - whether items of a kind and category count; before the first state of a
 * thread only states and wake-ups do */
gboolean iot_sleeps_wants(const struct iot_sleeps *sleeps, enum iot_item_kind kind, iot_cat_id cat);
/** iot_sleeps_item - the next item that counts, in the order of stages
 * Returns: whether more items count from now on (iot_sleeps_wants) */
gboolean iot_sleeps_item(struct iot_sleeps *sleeps, const struct iot_item *item);
/** iot_sleeps_settle - the present instant is complete, and so are the accounts */
void iot_sleeps_settle(struct iot_sleeps *sleeps);
/**
 * iot_sleeps_find - the time in [@t0, @t1) in which a thread slept and its waker is known
 *
 * Returns: (element-type struct iot_account_part): in order, without overlap, with wakers; of a
 * part what the last waker did: its category, 0 if nothing of it is recorded, on its row, in the
 * call
 * @asked. NULL: there is none. The caller frees.
 */
GArray *iot_sleeps_find(const struct iot_sleeps *sleeps, iot_str node, guint64 pid, guint64 t0,
			guint64 t1);
/** iot_sleeps_wakers - the chains of wakers of the parts */
const struct iot_wakers *iot_sleeps_wakers(const struct iot_sleeps *sleeps);

#endif
