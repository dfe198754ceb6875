/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the instants that cut each wait into parts (handover.h). It looks at the roles of links and
 * points only: a request, its answer, the question to a holder, the return of a call.
 *
 * The release that let a wait in is the last one, of a lock in its way, that the master had before
 * it answered. A wait for which no message left is one whose master is on its own node, if messages
 * of this node are recorded at all. This is inferred, unless the release came to this node, or
 * another node answered that this node is the master. If a message left and did not arrive, the
 * master is on a node that is not recorded. From then on such a node may hold locks that nobody
 * sees. One thread at a time.
 */
#ifndef IOT_ANALYSIS_ANATOMY_H
#define IOT_ANALYSIS_ANATOMY_H

#include "analysis/handover.h"
#include "timeline/timeline.h"

struct iot_anatomy;

/* A wait with its parts. */
struct iot_anatomy_wait {
	iot_row_id row;	  /* of the waiter */
	iot_cat_id state; /* category of its span */
	iot_cat_id mode;  /* that it asked for; 0: none, or not known */
	enum iot_master master;
	iot_row_id master_row; /* the row of a remote master; 0: there is none */
	guint64 lookup_ns;     /* of the part REQUEST: another node was asked for the master */
	guint64 part_ns[IOT_HANDOVER_PARTS];
	struct iot_handover instants; /* that cut it */
};

typedef void (*iot_anatomy_func)(gpointer user_data, const struct iot_anatomy_wait *wait);

/** iot_anatomy_has_callbacks - whether holders are called back on rows of the type @on */
gboolean iot_anatomy_has_callbacks(const struct iot_timeline *tl, iot_type_id on);
/** iot_anatomy_possible - whether the models of @tl have callbacks to holders, and waits */
gboolean iot_anatomy_possible(const struct iot_timeline *tl);
/** iot_anatomy_new - after the models are loaded */
struct iot_anatomy *iot_anatomy_new(const struct iot_timeline *tl);
/** iot_anatomy_listen - @func gets each wait whose call has returned; before the first item */
void iot_anatomy_listen(struct iot_anatomy *anatomy, iot_anatomy_func func, gpointer user_data);
/** iot_anatomy_free - accepts NULL */
void iot_anatomy_free(struct iot_anatomy *anatomy);
/** iot_anatomy_wants - whether items of a kind and category count */
gboolean iot_anatomy_wants(const struct iot_anatomy *anatomy, enum iot_item_kind kind,
			   iot_cat_id cat);
/** iot_anatomy_settle - the present instant is complete */
void iot_anatomy_settle(struct iot_anatomy *anatomy);
/** iot_anatomy_item - the next item, in the order of stages, that counts */
void iot_anatomy_item(struct iot_anatomy *anatomy, const struct iot_item *item);
/** iot_anatomy_instants - the instants that cut the last wait of a lock, if it has ended and began
 * at
 * @t0; else NULL. Valid until the next item, up to the first item of the next instant.
 * @row, @number: of the lock */
const struct iot_handover *iot_anatomy_instants(const struct iot_anatomy *anatomy, iot_row_id row,
						guint64 number, guint64 t0);
/** iot_anatomy_finish - after the last item: waits whose calls have not returned */
void iot_anatomy_finish(struct iot_anatomy *anatomy);

#endif
