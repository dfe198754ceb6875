/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All waits for resources whose model has a matrix ([compatible]), each with the causes of its
 * time. The stages of a run share one object, which gets every item before the stages do. They
 * listen: to waits that have ended, and to holds that come into the way of a wait.
 *
 * A resource keeps its open spans, and the spans that ended during a wait that is still open. If
 * too many spans have ended, the open waits are explained up to the present instant, and the ended
 * spans are dropped. Late spans (BEFORE, SUSPECT) count from their own begin on, but not
 * for waits that have ended: such a wait was granted although the lock was there.
 *
 * One thread at a time.
 */
#ifndef IOT_ANALYSIS_WAITS_H
#define IOT_ANALYSIS_WAITS_H

#include "analysis/anatomy.h"
#include "analysis/wait-parts.h"

/* The listener's functions; NULL: it does not ask. They are called for an instant when the first
 * item of a later instant comes. */
struct iot_waits_listener {
	/* A wait or a hold begins at the present instant and is open. Not for claims without an
	 * extent. */
	void (*began)(gpointer user_data, const struct iot_claim *claim);
	/* A hold has ended, or its holder has called to give it up. */
	void (*released)(gpointer user_data, const struct iot_claim *hold);
	/* All changes of the present instant have been reported. */
	void (*settled)(gpointer user_data, guint64 now);
	/* A wait has ended; called before it is explained. */
	void (*answered)(gpointer user_data, const struct iot_claim *wait);
	/* A wait has ended, with all sums. */
	void (*ended)(gpointer user_data, const struct iot_wait *wait);
	/* From the present instant on the hold is in the way of the wait. */
	void (*blocked)(gpointer user_data, const struct iot_claim *wait,
			const struct iot_claim *hold);
	gpointer user_data;
};

/** iot_waits_possible - whether some model has a matrix; without one nothing is explained */
gboolean iot_waits_possible(const struct iot_timeline *tl);

struct iot_waits *iot_waits_new(struct iot_timeline *tl);
/** iot_waits_free - accepts NULL */
void iot_waits_free(struct iot_waits *waits);
/** iot_waits_use_parts - split the unexplained time of waits that end by @anatomy, which gets the
 * same items; before the first item */
void iot_waits_use_parts(struct iot_waits *waits, const struct iot_anatomy *anatomy);
/** iot_waits_listen - call @listener, which is copied; before the first item */
void iot_waits_listen(struct iot_waits *waits, const struct iot_waits_listener *listener);
/** iot_waits_wants - whether items of a kind and category count (gaps: category 0); all others may
 * be left out, if iot_waits_advance gets their instants */
gboolean iot_waits_wants(const struct iot_waits *waits, enum iot_item_kind kind, iot_cat_id cat);
/** iot_waits_advance - the next item is at @now, ns: earlier instants are complete */
void iot_waits_advance(struct iot_waits *waits, guint64 now);
/** iot_waits_item - the next item, in the order of stages */
void iot_waits_item(struct iot_waits *waits, const struct iot_item *item);
/** iot_waits_finish - after the last item */
void iot_waits_finish(struct iot_waits *waits);
/** iot_waits_in_way - the open holds in the way of an open wait now
 * @holds: (element-type struct iot_claim): its elements are replaced */
void iot_waits_in_way(struct iot_waits *waits, const struct iot_claim *wait, GArray *holds);
/** iot_waits_ahead - the conversions that an open conversion may have to wait for, because they
 * began earlier and ask for modes that exclude its own; appended to @ahead (element-type struct
 * iot_claim) */
void iot_waits_ahead(struct iot_waits *waits, const struct iot_claim *wait, GArray *ahead);
/** iot_waits_queued - in @copy, those who were before @wait in the queue; while its end is reported
 */
void iot_waits_queued(struct iot_waits *waits, const struct iot_wait *wait, struct iot_wait *copy);
/** iot_waits_granted - whether the lock of a wait that ends now holds a new mode */
gboolean iot_waits_granted(struct iot_waits *waits, const struct iot_claim *wait);
/** iot_waits_so_far - a wait that has not been reported yet, explained up to now; the caller frees
 * it */
struct iot_wait *iot_waits_so_far(struct iot_waits *waits, const struct iot_claim *wait);
/** iot_waits_now - the instant of the last item, ns */
guint64 iot_waits_now(const struct iot_waits *waits);

#endif
