/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contract between models and outputs: types, categories, rows and items. Models never see a
 * file format, outputs never see a trace event.
 *
 * The tables of struct iot_timeline only grow. The pipeline thread adds to them. Another thread (of
 * the stages, of a sink) may read an entry after it has received an item with the entry's number,
 * because the item came through a queue; in finish() it may read all entries. Types, categories and
 * rows are numbered from 1, without holes. Texts are numbers of tl->strings; a text attribute may
 * also be a whole number itself (iot_tl_text).
 */
#ifndef IOT_TIMELINE_TIMELINE_H
#define IOT_TIMELINE_TIMELINE_H

#include "base/diag.h"
#include "base/digits.h"
#include "base/fault.h"
#include "base/intern.h"
#include "base/pack.h"
#include "base/real.h"
#include "base/segarray.h"

struct iot_lanes;
struct iot_node_names;
struct iot_thread_rows;

typedef guint32 iot_type_id, iot_cat_id, iot_row_id, iot_str;

enum iot_type_kind {
	IOT_TYPE_ROW,
	IOT_TYPE_SPAN,
	IOT_TYPE_POINT,
	IOT_TYPE_COUNTER,
	IOT_TYPE_LINK,
};

/* The meaning of a category or a row type, for outputs that rank, count and list. */
enum iot_role {
	IOT_ROLE_NONE,
	/* Category of spans: somebody waits. Ranks rows and feeds the list of the longest waits. */
	IOT_ROLE_WAIT,
	/* Category of spans: something is held, such as a lock mode. */
	IOT_ROLE_HOLD,
	/* Category of spans: a call that gives up all or part of a hold, which nobody waits for. */
	IOT_ROLE_LEAVING,
	/* Category of spans: a call that asks for what is held already. Its program waits for the
	   answer, and nobody is in the way. */
	IOT_ROLE_KEEPING,
	/* Category of points: a call and its result, counted as a call by report and --list.
	   Category of spans: a call that is drawn as a span, and waited for. */
	IOT_ROLE_CALL,
	/* Category of points: a completion. The category's name is the result. */
	IOT_ROLE_RESULT,
	/* Category of links. Of a type with numbers of locks: a lock's request, or its release, on
	   the way to the node that decides. Of others: to a span that is done for the from-end
	   (analysis/accounts.h). */
	IOT_ROLE_REQUEST,
	/* Category of links: the answer to a request, that another node decides. */
	IOT_ROLE_REDIRECT,
	/* Category of links on one node: a lock sends a message, whether it arrives or not. */
	IOT_ROLE_SENDS,
	/* Category of links: the answer to a request. */
	IOT_ROLE_GRANT,
	/* Category of links and points: a holder is asked to give way, and is called back. */
	IOT_ROLE_BLOCK,
	/* Category of points: a call returns. */
	IOT_ROLE_RETURN,
	/* Category of spans: meanwhile nobody is served on the rows below the parent of its row. */
	IOT_ROLE_RECOVERY,
	/* Category of links: from the end of a span that was done for the to-end. */
	IOT_ROLE_ANSWER,
	/* Category of links: the thread of the from-end wakes that of the to-end. */
	IOT_ROLE_WAKES,
	/* Row type: one machine of the cluster. This role and the next are those of row types. */
	IOT_ROLE_NODE,
	/* Row type: the rows that tables list, where these are not the level above the nodes. */
	IOT_ROLE_RESOURCE,
};

/* Category of spans: the reason why a thread's time passes, for the shares of a slow call. Of
 * several reasons at an instant the first one of this list counts. */
enum iot_reason {
	IOT_REASON_LOCK,     /* it waits for a lock */
	IOT_REASON_DEVICE,   /* a block device works for it */
	IOT_REASON_HOST,     /* it could run, and the host of its machine let something else run */
	IOT_REASON_RUNNABLE, /* it could run, and waits for a CPU of its machine */
	IOT_REASON_OWN,	     /* it runs */
	IOT_N_REASONS,
	IOT_REASON_NONE = IOT_N_REASONS,
};

/* What a call does with its object, such as a lock. */
enum iot_call_kind {
	IOT_CALL_NONE,	   /* a point of something else; a call that has no completion */
	IOT_CALL_BEGINS,   /* it asks for a new object */
	IOT_CALL_CHANGES,  /* it asks for something else on an object that exists */
	IOT_CALL_RELEASES, /* it gives the object up */
	IOT_CALL_KINDS
};

/* iot_type.thread: the row of a span says whose it is. */
enum { IOT_THREAD_OF_ROW = 255 };

/* Attributes of a type: those of the model, one that iot_type_add_leaving adds, and two of
 * timeline/steal.h. */
enum { IOT_MODEL_ATTRS = 8, IOT_MAX_ATTRS = IOT_MODEL_ATTRS + 3 };

/* Modes of one type that a model can compare. */
enum { IOT_MAX_MODES = 63 };

/* How the event of an item was moved: attributes of its type. */
enum iot_moved_attr {
	IOT_MOVED_SHIFT, /* how much later its time is than recorded */
	IOT_MOVED_ROUND, /* which events could happen together */
	IOT_MOVED_ATTRS
};

/* REAL: a double (base/real.h). */
enum iot_attr_format {
	IOT_ATTR_INT,
	IOT_ATTR_UINT,
	IOT_ATTR_HEX,
	IOT_ATTR_STR,
	IOT_ATTR_DURATION,
	IOT_ATTR_REAL
};

struct iot_attr_def {
	iot_str name; /* bare word: "lkb_id" */
	enum iot_attr_format format;
	/* Known at the end of the span only: meaningless in SPAN_BEGIN items. */
	gboolean late;
};

/* Whose work a span is in an operation that a client asks a server for. */
enum iot_party {
	IOT_PARTY_NONE, /* the model does not say */
	IOT_PARTY_CLIENT,
	IOT_PARTY_SERVER,
	IOT_PARTY_LOCK,
	IOT_PARTY_DISK,
	IOT_N_PARTIES
};

struct iot_type {
	enum iot_type_kind kind;
	iot_str name;  /* bare word: "mode" */
	iot_str title; /* for people: "lock mode" */
	/* Row types: the type of the parent row, 0 for the root. Links: 0, because each end may be
	   on a row of any type. Others: the row type they are drawn on. */
	iot_type_id on;
	enum iot_role role; /* row types only */
	/* Spans: the type that draws the same calls on other rows, where they are counted; 0: none
	 */
	iot_type_id repeats;
	/* Spans: their times are not added up, because they say something about the row only. */
	gboolean unsummed;
	enum iot_party party; /* spans */
	/* Row types of machines: the same things are drawn on rows of this type, too, below rows
	   with the same names (twins.h); 0: on no other. */
	iot_type_id twin;
	/* Row types of machines: iot_row.thing is what the rows are; otherwise what they are about.
	 */
	gboolean is_thing;
	/* Row types: each row belongs to one machine, so no other machine has the same. */
	gboolean of_machine;
	/* Row types: a level above nodes at the root, such as clusters (node-names.h). */
	gboolean above_nodes;
	/* Row types: rows are shown in the order of their names, however long they waited. */
	gboolean by_name;
	/* Spans with reasons: the thread waits by way of the locks on the twins of their rows. */
	gboolean through;
	/* Row types: lane 0 is for the states of a stage; models get the others. */
	gboolean lane_reserved;
	/* Spans of holds: 1 + index of the attribute with the time that the hold was being left;
	   0: there is none. */
	guint leaving;
	/* Spans with reasons: 1 + index of the attribute with the thread's pid; IOT_THREAD_OF_ROW:
	   the identity of the row, or of a row above it, is the pid; 0: no reason is known. */
	guint8 thread;
	/* Likewise: 1 + index of each of tl->moved, and of the first of the two attributes of
	   steal.h. */
	guint moved[IOT_MOVED_ATTRS], stolen;
	/* Spans that are states of a virtual CPU: the one in which the host lets it wait; 0: none
	 * is.
	 */
	iot_cat_id steals;
	/* Spans that are states of a thread: those in which it runs, and waits for a processor; and
	 * 1 + index of the attribute with the number of that processor; 0: there is none. */
	iot_cat_id runs, waits;
	guint cpu;
	/* Likewise: 1 + index of the text attribute with what woke the thread, if no thread did; 0:
	 * there is none. */
	guint woken;
	/* Links: not 0: programs see to it that what was done before the from-end comes before what
	   is done after the to-end. Spans of holds: programs hold them; 1 + index of the attribute
	   with the thread or process; 0: not. */
	guint orders;
	/* Such spans: patterns of names of the rows above machines whose locks are not held by
	   programs, with newlines between them; 0: there are none. */
	iot_str orders_not;
	/* Links: 1 + index of the attribute with the number of the lock at the from-end, and at the
	   to-end, where 0 is the same number; 0: there is none. */
	guint lock_from, lock_to;
	/* Spans of waits: 1 + index of the text attribute with the flags of the call, and the flag
	   of a call that never waits for another holder; 0: there is none. */
	guint try_attr;
	iot_str try_flag;
	/* Spans of locks on ranges: 1 + index of the attributes with the first and the last unit of
	   the range; and of the owner, whose locks do not exclude each other; 0: there is none. */
	guint range_first, range_last, range_owner;
	/* Spans of waits: they are answered in any order. */
	gboolean unqueued;
	guint n_attrs;
	struct iot_attr_def attr[IOT_MAX_ATTRS];
};

struct iot_category {
	iot_type_id type;
	iot_str name; /* legend text: "PENDING", "EX", "ast EAGAIN" */
	guint32 rgb;
	enum iot_role role;
	/* Why the time of the span's thread passes: 1 + enum iot_reason; 0: it is not known. */
	guint8 reason;
	/* In these spans the thread sleeps: what wakes it ends them. */
	gboolean sleeps;
	/* Its number among the modes that a model compares, from 1; 0: it is not compared. */
	guint8 mode;
	/* By number: the modes that others may hold at the same time. Bit 0 is not used. */
	guint64 compatible;
};

/* A row of the picture; Pajé calls it a container. */
struct iot_row {
	iot_type_id type;
	iot_row_id parent; /* 0: the root */
	iot_str id;	   /* identity, unique below the parent */
	iot_str name;	   /* for people: printable UTF-8, not empty */
	iot_str also;	   /* a second name for --select; 0: none */
	iot_str thing;	   /* what the row is, or is about (subjects.h); 0: nothing */
	iot_str process;   /* the number of its process or thread, as text; 0: it is not said */
	guint16 n_lanes;   /* lanes used so far, at least 1 */
	gboolean hidden;   /* not selected: outputs get no item on it; rows below may be selected */
	gboolean silent;   /* hidden, and no stage asks for its items: none is emitted on it */

	/* Sums over this row and all rows below, final at finish: time in spans that somebody
	   waited (iot_cat_waits), the same without unbounded spans, and number of items. */
	guint64 wait_ns, bounded_ns, n_items;

	guint32 rank; /* position among its siblings of its type, from 0: iot_timeline_rank */
};

/* One picture: a chain of row types, outermost first. "DLM": lockspace, resource, node. */
struct iot_view {
	iot_str title;
	guint n_columns;
	iot_type_id column[8];
};

struct iot_accesses;
struct iot_clocks;
struct iot_findings;
struct iot_steal;

struct iot_timeline {
	struct iot_intern *strings;
	struct iot_segarray types, cats; /* element 0 is unused */
	struct iot_segarray rows;	 /* element 0 is the root */
	struct iot_view view[24];
	guint n_views;
	GArray *run_cpus;  /* guint32: the number of the CPU of each run, before the first event */
	guint64 origin_ns; /* time of the first event of all inputs */
	guint64 zero_ns;   /* time 0 of pictures: the origin, or the left edge of the window */
	/* Stages get the items of all rows; those of hidden rows are left out after the stages. */
	gboolean selects_late;
	/* The attributes that say how the event of an item was moved; name 0: it is not asked for.
	 * Every type of points and spans has those for which it has room. */
	struct iot_attr_def moved[IOT_MOVED_ATTRS];
	gboolean moves; /* one of them is asked for */
	/* How certain the order of two nodes' instants is (certainty.h); NULL: nothing is known. */
	struct iot_clocks *clocks;
	struct iot_steal *steal; /* the virtual CPUs of guests (steal.h); NULL: none is recorded */
	struct iot_accesses *accesses; /* accesses to files (access.h); NULL: no model has any */
	GArray *rules;		       /* advice about files (advice.h); NULL: no model has any */

	/* Only of the thread of the stages, if they have one. */
	GArray *unobserved;	    /* see iot_timeline_unobserved */
	iot_row_id rows_seen;	    /* no item has come on this row or a later one */
	struct iot_diag stage_diag; /* anomalies that stages find */

	/* Pipeline thread only. */
	GHashTable *row_index;
	struct iot_lanes *lanes;	 /* of all models, because they may draw on the same rows */
	struct iot_thread_rows *threads; /* the rows of threads, for models that add to them */
	struct iot_node_names *names;	 /* what the user says of nodes; NULL: nothing */
	struct iot_findings *findings;	 /* broken invariants (findings.h) */
	struct iot_diag diag;		 /* anomalies of the merge and of the timeline */
};

enum iot_item_kind {
	/* A whole span from t0 to t1, delivered at its end. */
	IOT_ITEM_SPAN,
	/* The begin of a span, t0 == t1. Only in the feed WITH_BEGINS. */
	IOT_ITEM_SPAN_BEGIN,
	/* An instant, t0 == t1. */
	IOT_ITEM_POINT,
	/* One node is not observed from t0 to t1: events are missing, or it was not recorded. Row
	   0; see iot_gap_node, iot_gap_lost. */
	IOT_ITEM_GAP,
	/* A counter has a new value from t0 on, t0 == t1. A counter type has one category; see
	   iot_sample_value, iot_sample_change. */
	IOT_ITEM_SAMPLE,
	/* An arrow between two instants on rows, delivered at the later one. The from-end is at
	   iot_link_from on @row and @lane, the to-end at iot_link_to on @row_to and @lane_to. An
	   end is an instant on a lane, not a span: nothing has to be drawn there. */
	IOT_ITEM_LINK,
	/* A part of the account of the span that has ended at this instant, t0 == t1, on this row
	   and lane: see part.h. Without type; only for outputs that ask for parts. */
	IOT_ITEM_PART,
};

enum iot_item_flags {
	/* Still open at the end of the recording, or closed without its end event. */
	IOT_UNFINISHED = 1 << 0,
	/* Began before the recording; t0 is the begin of the recording. */
	IOT_BEFORE = 1 << 1,
	/* Cut by lost events: the true end is unknown. */
	IOT_SUSPECT = 1 << 2,
	/* A call or a completion with an error. */
	IOT_FAILED = 1 << 3,
	/* Continues to the left of the window (--from), or to the right (--to). */
	IOT_CUT_LEFT = 1 << 4,
	IOT_CUT_RIGHT = 1 << 5,
	/* The value of the span is unknown: after lost events, or before the first event. A wait:
	   with SUSPECT nobody knows how long it was, as it began in a gap; without SUSPECT nobody
	   knows which mode was held: the call may have asked for it. */
	IOT_UNKNOWN = 1 << 6,
	/* Links only. The from-end is at t1: the clocks contradict the order. */
	IOT_BACKWARDS = 1 << 7,
	/* Links only. The end has a row that is not selected, so it is drawn as a stub on row and
	   lane of the other end. Never both. */
	IOT_FROM_HIDDEN = 1 << 8,
	IOT_TO_HIDDEN = 1 << 9,
	/* Links only. The end is not in the recordings: a stub, an instant at the other end. With
	   UNFINISHED or BEFORE a recording does not cover the end's time, with SUSPECT events were
	   lost then; otherwise the end never came. Never both. */
	IOT_FROM_UNSEEN = 1 << 10,
	IOT_TO_UNSEEN = 1 << 11,
	/* Spans of calls: the hold around the span, on the same lane, is being left as long as the
	   span lasts, though it is not of role LEAVING; see iot_item_leaves. */
	IOT_LEAVING = 1 << 12,
	/* Number of sets of flags, for tables by set. */
	IOT_FLAG_SETS = 1 << 13,
	/* A span with one of these is not whole: its length or its value is not known, so
	   distributions leave it out. */
	IOT_PARTIAL = IOT_UNFINISHED | IOT_BEFORE | IOT_SUSPECT | IOT_CUT_LEFT | IOT_CUT_RIGHT |
		      IOT_UNKNOWN,
};

/* Lanes are 0 to IOT_LAST_LANE. Spans that find no free lane share the last lane and need not nest
 * there; each is counted (nest_violation). */
enum { IOT_LAST_LANE = 65534 };

union iot_attr {
	gint64 i;
	guint64 u;
	guint64 str; /* an iot_str, or iot_text_number(); see iot_tl_text */
};

/* Plain data without pointers: items are copied, queued and spilled as they are. */
struct iot_item {
	guint8 kind;	 /* enum iot_item_kind */
	guint8 n_attrs;	 /* of the type, or 0 */
	guint16 flags;	 /* enum iot_item_flags */
	guint16 lane;	 /* 0: the row itself; n: its n-th extra line */
	guint16 lane_to; /* links: of the to-end; others: 0 */
	iot_type_id type;
	iot_cat_id cat;
	iot_row_id row; /* links: of the from-end */
	union {
		iot_row_id row_to; /* links: of the to-end; parts: to look at */
		/* Spans of calls on an object: the mode that is asked for; 0: none, or it is not
		   known. */
		iot_cat_id asks;
		/* Points of calls on an object: enum iot_call_kind. */
		guint32 call;
	};
	guint64 t0, t1; /* t0 <= t1, ns on the common clock, not relative to the origin */
	guint64 seq;	/* number of emission: the last key of the order, never equal */
	union iot_attr attr[IOT_MAX_ATTRS];
};

/**
 * Feeds. Each sink gets items ordered by (t1, seq), and declares whether it needs begins of spans.
 *
 * WHOLE_SPANS: whole spans, points, samples, links and gaps.
 *
 * WITH_BEGINS: SPAN_BEGIN items, too. On one lane of one row, spans of one type nest, and the order
 * of items at equal instants is the order of push and pop. Spans flagged BEFORE or SUSPECT may
 * begin late, after items of a later time were delivered; nothing was delivered on their lane.
 */
enum iot_feed { IOT_FEED_WHOLE_SPANS, IOT_FEED_WITH_BEGINS };

struct iot_timeline *iot_timeline_new(void);
void iot_timeline_free(struct iot_timeline *tl);
typedef struct iot_timeline iot_timeline;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_timeline, iot_timeline_free)
/** iot_timeline_set_times - set the origin and the zero of pictures (origin_ns, zero_ns), before
 * the first item */
void iot_timeline_set_times(struct iot_timeline *tl, guint64 origin_ns, guint64 zero_ns);

/** iot_timeline_type - add a type; returns its entry, with these members filled in, and its number
 */
struct iot_type *iot_timeline_type(struct iot_timeline *tl, enum iot_type_kind kind,
				   const char *name, const char *title, iot_type_id on,
				   iot_type_id *out_id);
/** iot_role_name - the role's word in model files and outputs; NULL: no role */
const char *iot_role_name(enum iot_role role);
/** iot_type_set_role - the role of a row type */
void iot_type_set_role(struct iot_timeline *tl, iot_type_id id, enum iot_role role);
/** iot_type_set_repeats - spans of the type draw calls that the type @of counts */
void iot_type_set_repeats(struct iot_timeline *tl, iot_type_id id, iot_type_id of);
/** iot_type_set_party - whose work the spans of the type are in an operation */
void iot_type_set_party(struct iot_timeline *tl, iot_type_id id, enum iot_party party);
/** iot_type_set_unsummed - times of spans of the type are not added up for rows */
void iot_type_set_unsummed(struct iot_timeline *tl, iot_type_id id);
/** iot_type_reserve_lane - keep lane 0 of rows of this type for a stage; before the first row */
void iot_type_reserve_lane(struct iot_timeline *tl, iot_type_id id);
/** iot_type_add_attr - append an attribute; a type has at most IOT_MAX_ATTRS */
void iot_type_add_attr(struct iot_timeline *tl, iot_type_id id, const struct iot_attr_def *attr);
/** iot_type_attr - position of an attribute by its name; -1: there is none */
int iot_type_attr(const struct iot_timeline *tl, const struct iot_type *type, const char *name);
/** iot_type_set_locks - the attributes of links with the numbers of locks (lock_from, lock_to) */
void iot_type_set_locks(struct iot_timeline *tl, iot_type_id id, guint from, guint to);
/** iot_type_set_orders - links or holds of the type put in order what programs do */
void iot_type_set_orders(struct iot_timeline *tl, iot_type_id id, guint orders, iot_str orders_not);
/** iot_type_set_tries - calls with the flag @flag in their attribute @attr give up at once instead
 * of waiting for another holder (try_attr, try_flag) */
void iot_type_set_tries(struct iot_timeline *tl, iot_type_id id, guint attr, iot_str flag);
/** iot_type_set_range - spans of the type are locks on ranges; 1 + index of each attribute, 0: none
 */
void iot_type_set_range(struct iot_timeline *tl, iot_type_id id, guint first, guint last,
			guint owner);
/** iot_type_set_unqueued - the waits of the type are answered in any order */
void iot_type_set_unqueued(struct iot_timeline *tl, iot_type_id id);
/** iot_type_add_leaving - append the attribute "leaving": how long a hold was not certain */
void iot_type_add_leaving(struct iot_timeline *tl, iot_type_id id);
/** iot_type_add_moved - append those of tl->moved that are asked for and have room */
void iot_type_add_moved(struct iot_timeline *tl, iot_type_id id);
/** iot_type_add_stolen - append the two attributes of steal.h, if the type has room */
void iot_type_add_stolen(struct iot_timeline *tl, iot_type_id id);
/** iot_type_set_steals - spans of the type are states of virtual CPUs; @cat: the host lets it wait
 */
void iot_type_set_steals(struct iot_timeline *tl, iot_type_id id, iot_cat_id cat);
/** iot_type_set_processor - see iot_type.runs, waits and cpu */
void iot_type_set_processor(struct iot_timeline *tl, iot_type_id id, iot_cat_id runs,
			    iot_cat_id waits, guint cpu);
/** iot_timeline_cat - add a category to @type */
iot_cat_id iot_timeline_cat(struct iot_timeline *tl, iot_type_id type, const char *name,
			    guint32 rgb, enum iot_role role);
/** iot_cat_compare - @cat is mode number @mode of its type, from 1 to IOT_MAX_MODES; others may
 * hold the modes of the set @compatible (bits by number) at the same time */
void iot_cat_compare(struct iot_timeline *tl, iot_cat_id cat, guint mode, guint64 compatible);
/** iot_type_set_thread - how spans of the type name their thread: see iot_type.thread */
void iot_type_set_thread(struct iot_timeline *tl, iot_type_id id, guint8 thread);
/** iot_type_set_twin - rows of the type @id are those of the type @twin, drawn once more */
void iot_type_set_twin(struct iot_timeline *tl, iot_type_id id, iot_type_id twin);
/** iot_type_set_of_machine - a row of the type belongs to one machine */
void iot_type_set_of_machine(struct iot_timeline *tl, iot_type_id id);
/** iot_type_set_above_nodes - rows of the type are a level above nodes at the root; they are in the
 * order of their names */
void iot_type_set_above_nodes(struct iot_timeline *tl, iot_type_id id);
/** iot_type_of_things - the row type above @node, a row type of nodes, if its rows are things that
 * several nodes may have, such as locks; 0: nodes are at the root, or below a level above nodes */
iot_type_id iot_type_of_things(const struct iot_timeline *tl, iot_type_id node);
/** iot_type_set_title - what people call the type */
void iot_type_set_title(struct iot_timeline *tl, iot_type_id id, const char *title);
/** iot_type_set_by_name - rows of the type are in the order of their names */
void iot_type_set_by_name(struct iot_timeline *tl, iot_type_id id);
/** iot_type_is_by_name - whether they are, as those of nodes are, too */
gboolean iot_type_is_by_name(const struct iot_timeline *tl, iot_type_id id);
/** iot_type_set_is_thing - rows of the type are things that other rows are about */
void iot_type_set_is_thing(struct iot_timeline *tl, iot_type_id id);
/** iot_type_set_through - see iot_type.through */
void iot_type_set_through(struct iot_timeline *tl, iot_type_id id);
/** iot_cat_set_reason - spans of @cat are the reason why the time of their thread passes */
void iot_cat_set_reason(struct iot_timeline *tl, iot_cat_id cat, enum iot_reason reason);
/** iot_cat_set_sleeps - in spans of @cat their thread sleeps */
void iot_cat_set_sleeps(struct iot_timeline *tl, iot_cat_id cat);
/** iot_type_set_woken - see iot_type.woken; @woken: 1 + index of the attribute */
void iot_type_set_woken(struct iot_timeline *tl, iot_type_id id, guint woken);
/** iot_cat_reason - that reason, or IOT_REASON_NONE */
enum iot_reason iot_cat_reason(const struct iot_timeline *tl, iot_cat_id cat);
/** iot_cats_compared - whether the model says which of the two modes goes with the other: both are
 * of one type and have numbers */
gboolean iot_cats_compared(const struct iot_timeline *tl, iot_cat_id a, iot_cat_id b);
/** iot_cats_compatible - whether two may hold these modes of one thing at the same time; TRUE if
 * the model does not compare them */
gboolean iot_cats_compatible(const struct iot_timeline *tl, iot_cat_id a, iot_cat_id b);
/** iot_cat_excludes_any - whether a mode is not compatible with the mode @cat */
gboolean iot_cat_excludes_any(const struct iot_timeline *tl, iot_cat_id cat);
/** iot_cat_covers - whether mode @a excludes all modes that @b excludes, so that a holder of @a
 * needs nobody's consent to go down to @b; FALSE if the model does not compare them */
gboolean iot_cat_covers(const struct iot_timeline *tl, iot_cat_id a, iot_cat_id b);
/**
 * iot_timeline_row - find or add the row with identity @id below @parent
 * @name: of a new row
 * @out_new: whether the row is new; may be NULL
 */
iot_row_id iot_timeline_row(struct iot_timeline *tl, iot_type_id type, iot_row_id parent,
			    iot_str id, iot_str name, gboolean *out_new);
/** iot_timeline_find_row - the row with identity @id below @parent; 0 if there is none yet */
iot_row_id iot_timeline_find_row(const struct iot_timeline *tl, iot_type_id type, iot_row_id parent,
				 iot_str id);
/** iot_row_set_also - another name by which the row may be selected */
void iot_row_set_also(struct iot_timeline *tl, iot_row_id id, iot_str also);
/** iot_row_set_thing - what the row is, or is about: see iot_type.is_thing */
void iot_row_set_thing(struct iot_timeline *tl, iot_row_id id, iot_str thing);
/** iot_row_set_process - the number of the process or thread whose row it is, as text */
void iot_row_set_process(struct iot_timeline *tl, iot_row_id id, iot_str process);
/** iot_row_hide - the row is not selected: outputs get nothing on it */
void iot_row_hide(struct iot_timeline *tl, iot_row_id id);
/** iot_timeline_add_view - append a copy of @view; FALSE if there are as many as fit */
gboolean iot_timeline_add_view(struct iot_timeline *tl, const struct iot_view *view);
/** iot_timeline_extend_views - append the column @type to the views that end with the column @last;
 * FALSE if one has no place for it */
gboolean iot_timeline_extend_views(struct iot_timeline *tl, iot_type_id last, iot_type_id type);
/** iot_timeline_set_unobserved - the machine @node has a gap; states may be unseen from @ns on. Of
 * a machine the first call counts. */
void iot_timeline_set_unobserved(struct iot_timeline *tl, iot_str node, guint64 ns);
/**
 * iot_timeline_unobserved - from which instant on states of @node may be unseen
 *
 * Not after the begin of its first gap: an object that began in a gap may be there, unseen, until
 * the end. G_MAXUINT64: the machine has no gap so far. Thread of the stages; others in finish().
 */
guint64 iot_timeline_unobserved(const struct iot_timeline *tl, iot_str node);
/** iot_timeline_first_unobserved - the same for the machine that has the first gap */
guint64 iot_timeline_first_unobserved(const struct iot_timeline *tl);
/** iot_timeline_path - names from the root to @row joined with @separator; the caller frees */
char *iot_timeline_path(const struct iot_timeline *tl, iot_row_id row, const char *separator);
/**
 * iot_timeline_rank - fill row->rank of all rows
 *
 * After the last item. Siblings are ranked by bounded_ns and then wait_ns, the greatest first; by
 * n_items if nobody ever waits. Rows of role NODE are ranked by name instead, so that nodes have
 * the same order everywhere. Ties are ranked by name in natural order, then by number.
 */
void iot_timeline_rank(struct iot_timeline *tl);
/** iot_timeline_waits - by row type: whether somebody waits on its rows or below; the caller frees
 */
gboolean *iot_timeline_waits(const struct iot_timeline *tl);
/** iot_timeline_shown - by row: whether the row or a row below is not hidden; the caller frees */
gboolean *iot_timeline_shown(const struct iot_timeline *tl);
/** iot_timeline_ordered - all rows but the root, depth first, siblings by rank; after
 * iot_timeline_rank; the caller frees */
GArray *iot_timeline_ordered(const struct iot_timeline *tl); /* of iot_row_id */

/* Numbers of entries in the tables. */
struct iot_timeline_size {
	guint32 strings, types, cats, rows;
};

void iot_timeline_count(const struct iot_timeline *tl, struct iot_timeline_size *out);
/** iot_timeline_save_new - append the entries that were added since the tables had the size @since
 */
void iot_timeline_save_new(const struct iot_timeline *tl, const struct iot_timeline_size *since,
			   GByteArray *out);
/**
 * iot_timeline_load_new - add saved entries to tables of the size that they were saved for
 *
 * FALSE if they do not fit. Rows are not hidden, and their sums are 0.
 */
gboolean iot_timeline_load_new(struct iot_timeline *tl, struct iot_unpack *in);
/** iot_timeline_memory - bytes of the tables */
gsize iot_timeline_memory(const struct iot_timeline *tl);
/** iot_timeline_load_str - the saved number of a string; @in fails if there is no such string */
iot_str iot_timeline_load_str(const struct iot_timeline *tl, struct iot_unpack *in);
/** iot_timeline_load_text - the same for a text attribute, which may be a number itself */
guint64 iot_timeline_load_text(const struct iot_timeline *tl, struct iot_unpack *in);

static inline const struct iot_type *iot_type_at(const struct iot_timeline *tl, iot_type_id id)
{
	return iot_segarray_at(&tl->types, id);
}
static inline const struct iot_category *iot_cat_at(const struct iot_timeline *tl, iot_cat_id id)
{
	return iot_segarray_at(&tl->cats, id);
}
static inline struct iot_row *iot_row_at(const struct iot_timeline *tl, iot_row_id id)
{
	return iot_segarray_at(&tl->rows, id);
}
static inline const char *iot_tl_str(const struct iot_timeline *tl, iot_str id)
{
	return iot_intern_get(tl->strings, id, NULL);
}
/*
 * A text attribute that is a whole number, such as the result of a read, is not in tl->strings:
 * each call may have another number, and the table would grow with the recording.
 */
#define IOT_TEXT_NUMBER (G_GUINT64_CONSTANT(1) << 63)

/** iot_text_number - a text attribute that is the decimal digits of @number, less than 2^63 */
static inline guint64 iot_text_number(guint64 number)
{
	return IOT_TEXT_NUMBER | number;
}
static inline gboolean iot_text_is_number(guint64 text)
{
	return text & IOT_TEXT_NUMBER ? TRUE : FALSE;
}
/** iot_tl_text - the bytes of a text attribute, with a NUL; digits are written to @buffer */
const char *iot_tl_text(const struct iot_timeline *tl, guint64 text, char buffer[IOT_DIGITS_ROOM],
			gsize *out_len);
/** iot_process_name - "fileload 208", "pid 208", or ""; @command: a text attribute, 0 if it is not
 * known. The caller frees it. */
char *iot_process_name(const struct iot_timeline *tl, guint64 pid, guint64 command);

/** iot_cat_waits - whether somebody waits in spans of the category; such spans rank rows */
static inline gboolean iot_cat_waits(const struct iot_category *cat)
{
	return cat->role == IOT_ROLE_WAIT || cat->role == IOT_ROLE_CALL;
}
/** iot_cat_may_be_stolen - whether spans of the category have the attributes of steal.h, if their
 * type does */
static inline gboolean iot_cat_may_be_stolen(const struct iot_category *cat)
{
	return iot_cat_waits(cat) || cat->reason == 1 + IOT_REASON_RUNNABLE ||
	       cat->reason == 1 + IOT_REASON_OWN;
}
/** iot_item_leaves - whether the hold around this span of a call is being left while it lasts: the
 * holder may have lost its mode, except for the mode item->asks if the span has the role LEAVING */
static inline gboolean iot_item_leaves(const struct iot_timeline *tl, const struct iot_item *item)
{
	return (item->flags & IOT_LEAVING) || iot_cat_at(tl, item->cat)->role == IOT_ROLE_LEAVING;
}
/** iot_item_waited - whether the span, of category @cat, is a wait whose length means something */
static inline gboolean iot_item_waited(const struct iot_item *item, const struct iot_category *cat)
{
	const guint16 no_length = IOT_SUSPECT | IOT_UNKNOWN;

	return iot_cat_waits(cat) && (item->flags & no_length) != no_length;
}
/** iot_flags_cut - begin or end of the span with these flags was not seen: it is longer than shown
 */
static inline gboolean iot_flags_cut(guint flags)
{
	return flags & (IOT_BEFORE | IOT_CUT_LEFT | IOT_SUSPECT | IOT_UNFINISHED | IOT_CUT_RIGHT);
}
/** iot_flags_no_end - the end of the span with these flags was not seen, or is not shown */
static inline gboolean iot_flags_no_end(guint flags)
{
	return flags & (IOT_UNFINISHED | IOT_CUT_RIGHT);
}
/** iot_item_number - an attribute that is a number; @attr: 1 + its position, or 0: none; 0 if the
 * item does not have it */
static inline guint64 iot_item_number(const struct iot_item *item, guint attr)
{
	return attr && attr <= item->n_attrs ? item->attr[attr - 1].u : 0;
}
/** iot_item_is_unbounded - neither begin nor end of the span was seen, so its length means nothing,
 * and it ranks after all others */
static inline gboolean iot_item_is_unbounded(const struct iot_item *item)
{
	return (item->flags & IOT_BEFORE) && iot_flags_no_end(item->flags);
}

/** IOT_LOST_UNKNOWN - iot_gap_lost of a gap whose lost events nobody counted */
#define IOT_LOST_UNKNOWN G_MAXUINT64

/** IOT_GAP_NAME - the name of gaps in all outputs */
#define IOT_GAP_NAME "not observed"

/** iot_gap_set - make @item a gap of the machine @node that lost @lost events; t0 and t1 stay */
static inline void iot_gap_set(struct iot_item *item, iot_str node, guint64 lost)
{
	item->kind = IOT_ITEM_GAP;
	item->n_attrs = 2;
	item->attr[0].str = node;
	item->attr[1].u = lost;
}
/** iot_gap_node - name of the machine whose events are missing */
static inline iot_str iot_gap_node(const struct iot_item *item)
{
	return (iot_str)item->attr[0].str;
}
/** iot_gap_lost - number of missing events, or IOT_LOST_UNKNOWN; 0: the machine was not recorded */
static inline guint64 iot_gap_lost(const struct iot_item *item)
{
	return item->attr[1].u;
}
/*
 * A sample has two attributes: the counter's value from the sample's time on, and the change that
 * led to it; if the type's first attribute is REAL, the value before it, because the difference of
 * two doubles does not lead back to the one before.
 */
/** iot_sample_set - give the sample @item the counter's new @value and the @change that led to it
 */
static inline void iot_sample_set(struct iot_item *item, gint64 value, gint64 change)
{
	item->kind = IOT_ITEM_SAMPLE;
	item->n_attrs = 2;
	item->attr[0].i = value;
	item->attr[1].i = change;
}
/** iot_sample_set_real - the same for a real number, with the value before */
static inline void iot_sample_set_real(struct iot_item *item, gdouble value, gdouble before)
{
	iot_sample_set(item, (gint64)iot_real_bits(value), (gint64)iot_real_bits(before));
}
/** iot_type_is_real - whether the values of a counter are real numbers */
static inline gboolean iot_type_is_real(const struct iot_type *counter)
{
	return counter->attr[0].format == IOT_ATTR_REAL;
}
/** iot_sample_value - a whole number */
static inline gint64 iot_sample_value(const struct iot_item *item)
{
	return item->attr[0].i;
}
/** iot_sample_change - difference to the value before, modulo 2^64; a whole number */
static inline gint64 iot_sample_change(const struct iot_item *item)
{
	return item->attr[1].i;
}
/** iot_sample_real - the value of a counter of real numbers */
static inline gdouble iot_sample_real(const struct iot_item *item)
{
	return iot_real_of(item->attr[0].u);
}
/** iot_sample_real_before - the value that it had before */
static inline gdouble iot_sample_real_before(const struct iot_item *item)
{
	return iot_real_of(item->attr[1].u);
}
/**
 * iot_link_set - make @item a link from @from on its row and lane to @to on @row_to and @lane_to
 *
 * Times in ns. Sets t0, t1 and the flag BACKWARDS.
 */
static inline void iot_link_set(struct iot_item *item, guint64 from, iot_row_id row_to,
				guint16 lane_to, guint64 to)
{
	item->kind = IOT_ITEM_LINK;
	item->row_to = row_to;
	item->lane_to = lane_to;
	item->t0 = MIN(from, to);
	item->t1 = MAX(from, to);
	if (from > to)
		item->flags |= IOT_BACKWARDS;
}
/** iot_row_has_lane - whether the row has had the lane so far; any thread that has an item on it */
static inline gboolean iot_row_has_lane(const struct iot_timeline *tl, iot_row_id row, guint lane)
{
	return lane < __atomic_load_n(&iot_row_at(tl, row)->n_lanes, __ATOMIC_RELAXED);
}

/** iot_row_node - the row of role NODE that is @row or stands above it; 0: there is none */
iot_row_id iot_row_node(const struct iot_timeline *tl, iot_row_id row);
/** iot_row_thing - the thing, such as a lock, of which @node is the part on one machine: the row
 * above it; 0: @node is 0, at the root, or below a level above nodes (iot_type_of_things) */
iot_row_id iot_row_thing(const struct iot_timeline *tl, iot_row_id node);

/** iot_link_from - the instant of the from-end of a link; after that of its to-end if BACKWARDS */
static inline guint64 iot_link_from(const struct iot_item *item)
{
	return item->flags & IOT_BACKWARDS ? item->t1 : item->t0;
}
/** iot_link_to - the instant of the to-end of a link */
static inline guint64 iot_link_to(const struct iot_item *item)
{
	return item->flags & IOT_BACKWARDS ? item->t0 : item->t1;
}
/** iot_link_is_stub - whether one end of the link is not in the recordings */
static inline gboolean iot_link_is_stub(const struct iot_item *item)
{
	return (item->flags & (IOT_FROM_UNSEEN | IOT_TO_UNSEEN)) != 0;
}
/** iot_tl_rel - a time of the common clock in the time of pictures; 0 if it is before their zero */
static inline guint64 iot_tl_rel(const struct iot_timeline *tl, guint64 t)
{
	return t > tl->zero_ns ? t - tl->zero_ns : 0;
}

#endif
