/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of a wait: the way of a request to the node that decides (the master), the queue there,
 * the release by the holder that let it in, and the way back.
 *
 * Each instant of a wait belongs to exactly one part, so the parts add up to the wait, to the
 * nanosecond. An instant that no message or callback explains belongs to a part of its own; nothing
 * is guessed. Instants of different nodes are on one clock with its errors: a cut that contradicts
 * a later cut moves to that one.
 */
#ifndef IOT_ANALYSIS_HANDOVER_H
#define IOT_ANALYSIS_HANDOVER_H

#include <glib.h>

enum iot_handover_part {
	IOT_HANDOVER_REQUEST,	 /* from the call until the request arrives at the master */
	IOT_HANDOVER_QUEUE,	 /* until the holder that let it in is asked to give way */
	IOT_HANDOVER_BLOCK,	 /* until the holder is called back */
	IOT_HANDOVER_REACTION,	 /* until the holder calls to give way */
	IOT_HANDOVER_RELEASE,	 /* until this call arrives at the master */
	IOT_HANDOVER_GRANT,	 /* until the answer arrives at the waiter; without a release: since
			    the request arrived, if all nodes are recorded */
	IOT_HANDOVER_COMPLETION, /* until the waiter is called back */
	IOT_HANDOVER_RETURN,	 /* until the call returns, if that is later */
	IOT_HANDOVER_UNEXPLAINED, /* somebody was in the way, and nothing recorded says how that
				     ended */
	IOT_HANDOVER_UNRECORDED,  /* the messages of this part are not recorded */
	IOT_HANDOVER_PARTS
};

/* The place of the master of the resource. */
enum iot_master {
	IOT_MASTER_REMOTE,
	IOT_MASTER_LOCAL,    /* the waiter's node; a message of the wait shows it */
	IOT_MASTER_INFERRED, /* the same, because no message left the node */
	IOT_MASTER_UNRECORDED,
	IOT_MASTERS
};

/* The instants of a wait, in ns; 0: not known, or there was none. */
struct iot_handover {
	guint64 t0, t1; /* the call, and the completion */
	enum iot_master master;
	guint64 requested;	    /* the request is at the master */
	guint64 granted, grant_got; /* the answer leaves the master, and arrives */
	gboolean blocked;	    /* a hold was in the way */
	gboolean hidden;	    /* holds of a node that is not recorded may have been */
	/* the release after which it was granted; 0: there was none */
	guint64 released, release_got; /* the call, and its arrival at the master */
	guint64 asked, called;	       /* the holder to give way, the callback */
	guint64 held_since;	       /* begin of this hold */
	gboolean holder_at_master;     /* so no message asks it */
};

/* The wait belongs to @part from the cut before up to @until. */
struct iot_handover_cut {
	enum iot_handover_part part;
	guint64 until;
};

/* In order of time; the last cut is the end of the wait. */
struct iot_handover_cuts {
	guint n;
	struct iot_handover_cut cut[IOT_HANDOVER_PARTS];
};

/** iot_handover_find_cuts - where the parts of a wait begin and end; none has no length */
void iot_handover_find_cuts(const struct iot_handover *wait, struct iot_handover_cuts *out);
/** iot_handover_cut - the length of each part; IOT_HANDOVER_RETURN is 0 */
void iot_handover_cut(const struct iot_handover *wait, guint64 out_ns[IOT_HANDOVER_PARTS]);

/** iot_handover_part_name - a bare word: "request", "reaction" ... */
const char *iot_handover_part_name(enum iot_handover_part part);
/** iot_handover_part_title - for people: "request travels" ... */
const char *iot_handover_part_title(enum iot_handover_part part);
/** iot_master_name - "remote", "local", "local (inferred)", "not recorded" */
const char *iot_master_name(enum iot_master master);

#endif
