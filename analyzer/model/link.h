/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * [link]: arrows between two ends that are joined by key, over all recordings and nodes.
 *
 * An end is an event, or the start or the end of a call. A link is drawn only if the recordings
 * determine it: an end with a second possible partner is counted as ambiguous and not drawn. So an
 * end is decided when no other partner can come any more: after the clock error between machines
 * has passed, or, if keys come again, after the longest time that a link may take. Undecided ends
 * hold the watermark. Pipeline thread only.
 *
 * No link is ever invented: a link is drawn only if every explanation of the recordings contains
 * it.
 *
 * Ends with one key form a group (link-ends.c). Every to-end has a from-end, because every
 * received message was sent; a from-end may have lost its partner. So a to-end with one possible
 * from-end belongs to it, unless its true from-end may be missing from the recordings: before they
 * begin, after they end, or in a gap (link-order.c). A key that is declared unique excludes this:
 * if the from-end comes later than the error of clocks allows, it is joined then.
 *
 * To-ends with several possible from-ends are rivals (link-settle.c). They wait until no more ends
 * can come that decide between them. Then a link is drawn if all assignments of from-ends to
 * to-ends contain it. Undecided to-ends hold the watermark, from-ends do not. With "stubs = yes"
 * an end without a partner is an item, too, so every open end holds it then. While one machine may
 * be delivered ahead of another one (--causality hold, rounds), ends are decided when no older
 * record is held back any more (iot_model_hold_back).
 *
 * If the link gathers ("many = from"), all this is the other way round: link-gather.c.
 *
 * iot_may_be_before (link-order.c) is the only function that knows an error of clocks: 0 within
 * one recording, --clock-error between two.
 *
 * An end of a call is drawn on the lane of the call, which is known when the call has been drawn
 * (link-draw.c). Links can be of one node, too: a call, and the message that it sends. A chain
 * (--follow, the page) goes from link to link where one arrives and another one leaves at the same
 * instant on the same lane: that is one event. Such an event belongs to the span around it only at
 * the begin or end of the span, because the span may be that of another lock. A link whose ends
 * cannot meet, because the event of one of them is in no recording's formats, takes no part if an
 * end without a partner is nothing special (iot_links_leave_out). A key table that nobody else
 * reads is not filled then (iot_keytable_is_read, iot_hooks_leave_out). An end, a pop or a drop
 * that needs an entry of a key table (iot_expr_needs) is not evaluated while the table is empty.
 */
#ifndef IOT_MODEL_LINK_H
#define IOT_MODEL_LINK_H

#include "model/save-record.h"

struct iot_link;
struct iot_link_end;

/* A call whose ends are links' ends, when it is drawn. */
struct iot_link_call {
	struct iot_pair *pair;
	/* start in scope SELF, end, if there is one, in scope END */
	const struct iot_eval *eval;
	/* the ends that were made at its start */
	struct iot_link_end *ends;
	/* when the call ends */
	guint64 t1;
};

/** iot_link_free - GDestroyNotify of a struct iot_link */
void iot_link_free(gpointer link);
/** iot_links_free - all links of the model and their ends */
void iot_links_free(struct iot_model *model);
/** iot_links_describe - append ends, limits and keys of all links, for --check-model */
void iot_links_describe(const struct iot_model *model, GString *out);
/** iot_links_leave_out - links without ends in any recording take no part; before the first event,
 * when the schema knows the unrecorded events */
void iot_links_leave_out(struct iot_model *model);
/** iot_links_start - before the first event */
void iot_links_start(struct iot_model *model);

/* Row and lane of the object of an event. */
struct iot_link_spot {
	/* 0: there is no such object */
	iot_row_id row;
	guint16 lane;
};

/** iot_links_spot - where the object of an event is, before the event is applied to it */
struct iot_link_spot iot_links_spot(struct iot_model *model, const struct iot_event_role *first,
				    const struct iot_rec *rec);
/** iot_links_event - an event that is an end, after it was applied to its object */
void iot_links_event(struct iot_model *model, const struct iot_event_role *first,
		     const struct iot_rec *rec, struct iot_link_spot spot);
/** iot_links_call_starts - a standalone call starts; returns its ends, NULL if it has none */
struct iot_link_end *iot_links_call_starts(struct iot_model *model, struct iot_pair *pair,
					   const struct iot_rec *start, gpointer call);
/** iot_links_call_drawn - a standalone call ended, and its states are drawn */
void iot_links_call_drawn(const struct iot_link_call *call);
/** iot_links_gap - events of @input are missing from here on (@begin) or up to here */
void iot_links_gap(struct iot_model *model, guint input, guint64 ts, gboolean begin);
/** iot_links_settle - no record before @now will come: decide what can be decided */
void iot_links_settle(struct iot_model *model, guint64 now);
/** iot_links_finish - decide everything; @at_end: ends without a partner are counted */
void iot_links_finish(struct iot_model *model, gboolean at_end);
/** iot_links_oldest - instant of the oldest undecided end, G_MAXUINT64 if there is none */
guint64 iot_links_oldest(const struct iot_model *model);
/** iot_links_hold - the longest time in ns that an end may stay undecided */
guint64 iot_links_hold(const struct iot_model *model);
/** iot_links_memory - bytes of ends and keys, including those kept for reuse */
gsize iot_links_memory(const struct iot_model *model);

/** iot_links_save - append ends and counts to the saved state, after the calls */
void iot_links_save(struct iot_saver *s);
/** iot_links_load - the same back, after the calls; FALSE if it is damaged */
gboolean iot_links_load(struct iot_loader *l);

#endif
