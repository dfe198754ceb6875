/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by accounts.c, which takes the items, account-spans.c, which knows the open spans of lanes
 * and threads, and account-links.c, which gives a span what was done for it. */
#ifndef IOT_ANALYSIS_ACCOUNTS_LOCAL_H
#define IOT_ANALYSIS_ACCOUNTS_LOCAL_H

#include "analysis/accounts.h"
#include "base/hashset.h"
#include "locks/places.h"

enum {
	/* Ended spans that nobody asked for, as far as is known; an answer may still say who did.
	 */
	IOT_MAX_UNCLAIMED = 1024
};

/* The open spans of a thread. */
struct iot_work_thread {
	iot_str node;
	guint64 pid;
	GPtrArray *open; /* struct iot_work, by begin */
};

/* The open spans on a lane of a row. */
struct iot_work_lane {
	iot_row_id row;
	guint16 lane;
	GPtrArray *open; /* struct iot_work, by begin; each is a reference */
};

struct iot_work_caller {
	struct iot_work *work; /* a reference */
	guint64 sent;
};

/* A span of a call or wait. */
struct iot_work {
	guint refs;
	iot_row_id row;
	guint16 lane, flags;
	iot_type_id type;
	iot_cat_id cat;
	guint64 t0, t1;	 /* t1 is G_MAXUINT64 while it is open */
	guint64 since;	 /* t0, or the begin of what it goes on with */
	guint64 arrived; /* t0, or the begin of its wait in a queue that is not drawn */
	guint64 sent;	 /* t0, or when it had sent its first request, at the latest */
	guint64 file;	 /* its attribute of this name; 0: none */
	struct iot_work_thread *thread; /* NULL: none is known, or it has ended */
	iot_str node;			/* of its thread; 0: there is none */
	guint64 pid;
	GArray *callers;  /* struct iot_work_caller; NULL: none */
	GArray *children; /* struct iot_child; NULL: none */
	GArray *parts;	  /* with holes, when it has ended */
	guint64 n_concurrent;
	gboolean serves; /* a caller is on another machine */
};

/* A link that was delivered at the present instant. */
struct iot_work_link {
	iot_row_id row, row_to;
	guint16 lane, lane_to;
	guint64 from, to;
	gboolean used;
};

struct iot_accounts {
	const struct iot_timeline *tl;
	struct iot_places places;
	iot_type_id thread_rows; /* rows whose identity is a pid */
	/* gint8, by type of spans: positions of these attributes; -1: none */
	GArray *pid_at, *queued_at, *unsent_at, *file_at;
	struct iot_hashset lanes, threads; /* struct iot_work_lane, struct iot_work_thread */
	GArray *requests, *answers;	   /* struct iot_work_link */
	/* struct iot_work, references: ended at the present instant; at the one that was settled
	 * last; without a known caller, by row, lane and end */
	GPtrArray *ended, *settled;
	struct iot_hashset unclaimed;
	struct iot_work *ring[IOT_MAX_UNCLAIMED]; /* these, in the order of their ends */
	guint ring_at;
	iot_requested_func requested; /* NULL: nobody hears */
	gpointer requested_data;
	GArray *listeners; /* struct listener */
};

/* ---- account-spans.c */

/** iot_work_release - drop a reference */
void iot_work_release(struct iot_work *work);
/** iot_works_release - drop all references of the array */
void iot_works_release(GPtrArray *works);
void iot_work_lane_free(gpointer lane);
void iot_work_thread_free(gpointer thread);
/** iot_work_lane_hash - of a lane of a row */
guint64 iot_work_lane_hash(iot_row_id row, guint16 lane);
/** iot_work_node - the name of the machine of a row; 0: there is none */
iot_str iot_work_node(struct iot_accounts *accounts, iot_row_id row);
/** iot_work_begin - a span begins: it is open on its lane, and of its thread */
void iot_work_begin(struct iot_accounts *accounts, const struct iot_item *item);
/** iot_work_end - it ends, and stays on its lane until its instant is settled */
void iot_work_end(struct iot_accounts *accounts, const struct iot_item *item);
/** iot_work_find - the innermost span on the lane that covers @t; ended spans are here up to the
 * end of their instant. NULL: there is none */
struct iot_work *iot_work_find(const struct iot_accounts *accounts, iot_row_id row, guint16 lane,
			       guint64 t);
/** iot_work_leave_thread - its thread no longer has it */
void iot_work_leave_thread(struct iot_accounts *accounts, struct iot_work *work);
/** iot_work_leave_lane - the span is no longer on its lane, which has a reference */
void iot_work_leave_lane(struct iot_accounts *accounts, struct iot_work *work);

/* ---- account-links.c */

/** iot_work_ask - the to-end of the link is work for its from-end */
void iot_work_ask(struct iot_accounts *accounts, const struct iot_work_link *link);
/** iot_work_answer - the link comes back from what was done for @to */
void iot_work_answer(struct iot_accounts *accounts, struct iot_work_link *link,
		     struct iot_work *to);
/** iot_work_finish - the span has ended: its account goes to all that it was done for */
void iot_work_finish(struct iot_accounts *accounts, struct iot_work *work);

#endif
