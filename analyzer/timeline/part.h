/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parts of an account as items (IOT_ITEM_PART), and in words. An item is one part of the account of
 * the wait or call that has ended at its instant, on its row and lane, after a length of TOOK. The
 * parts of one span come in a row, and add up to TOOK. Outputs that show a selection get them; all
 * others do not.
 *
 * item->row_to is the row to look at, 0: there is none; item->cat is what is drawn there, 0:
 * nothing in particular. The span to look at is the one of this category that covers most of the
 * wait.
 */
#ifndef IOT_TIMELINE_PART_H
#define IOT_TIMELINE_PART_H

#include "timeline/timeline.h"

/* Which part of the way of a request. */
enum iot_phase {
	IOT_PHASE_WORK,	  /* the span of the part: a queue, work, a file system ... */
	IOT_PHASE_BEFORE, /* the caller has not sent it yet */
	IOT_PHASE_TRAVEL, /* it is on its way to another machine */
	IOT_PHASE_RETURN, /* the answer is on its way, or the caller has not seen it yet */
	IOT_PHASE_AFTER,  /* the caller has the answer */
	IOT_PHASE_MANY,	  /* short parts that were merged */
	IOT_PHASE_QUEUE,  /* it has arrived, and waits for the span of the part to begin */
	/* the thread slept until it was woken by: */
	IOT_PHASE_WOKEN,     /* a thread, which did that meanwhile */
	IOT_PHASE_FOLLOWED,  /* one that slept, too, until another one woke it, and so on */
	IOT_PHASE_CUT,	     /* the same, and the last one that is followed slept, too */
	IOT_PHASE_INTERRUPT, /* an interrupt woke it, or the last one that slept */
	IOT_N_PHASES
};

/* Attributes of parts; all texts are strings of the timeline. */
enum {
	IOT_PART_CAUSE,	  /* "held", "not explained", "request" */
	IOT_PART_TOOK,	  /* length of the span, ns */
	IOT_PART_NS,	  /* of the part */
	IOT_PART_ASKED,	  /* of requests: what the caller asked for */
	IOT_PART_BY_NODE, /* whose hold or work it was; 0: nobody's */
	IOT_PART_BY_PID,
	IOT_PART_BY_COMMAND, /* a text attribute */
	IOT_PART_BY_MODE,
	IOT_PART_WHAT,	/* the resource, or the work */
	IOT_PART_PHASE, /* of requests: enum iot_phase */
	IOT_PART_CERTAINTY,
	IOT_PART_ATTRS
};

/** iot_work_name - append "WRITE: file write on server"
 * @asked: what the caller asked for; NULL: work of its thread
 * @node: where; NULL: not known
 * @elsewhere: not on the machine of the caller */
void iot_work_name(GString *out, const char *asked, const char *what, enum iot_phase phase,
		   const char *node, gboolean elsewhere);
/** iot_part_name - append what the part was, and who: "held by node 3 EX (fileload 208)" */
void iot_part_name(const struct iot_timeline *tl, const struct iot_item *part, GString *out);

#endif
