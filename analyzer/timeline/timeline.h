/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The neutral contract between models and outputs: types, categories, rows (containers) and items.
 *
 * The tables below only grow. The pipeline thread adds to them; sinks may read an entry from the
 * moment at which an item has brought them its number (it came through a queue), and everything
 * once finish is called. All text is a number of the table `strings`, but for attributes that are
 * whole numbers themselves (iot_tl_text). Numbers of types, categories and rows are dense and
 * start at 1.
 */
#ifndef IOT_TIMELINE_TIMELINE_H
#define IOT_TIMELINE_TIMELINE_H

#include "base/diag.h"
#include "base/digits.h"
#include "base/fault.h"
#include "base/intern.h"
#include "base/pack.h"
#include "base/segarray.h"

struct iot_lanes;

typedef guint32 iot_type_id, iot_cat_id, iot_row_id, iot_str;

enum iot_type_kind { IOT_TYPE_BOX, IOT_TYPE_SPAN, IOT_TYPE_POINT, IOT_TYPE_COUNTER };

enum iot_role {
	IOT_ROLE_NONE,
	IOT_ROLE_WAIT,	 /* category of spans: somebody waits; ranks rows, feeds the list of the
			    longest waits */
	IOT_ROLE_HOLD,	 /* category of spans: something is held (a lock mode) */
	IOT_ROLE_CALL,	 /* category of points: a call, with its result; counted as a call by report
			    and --list. Of spans: a call that is drawn as a span, and waited for */
	IOT_ROLE_RESULT, /* category of points: a completion; the category's name says how it ended
			  */
	IOT_ROLE_NODE,	 /* type of rows: one machine of the cluster */
	IOT_ROLE_RESOURCE, /* type of rows: what tables list, where it is not the level above nodes
			    */
};

enum { IOT_MAX_ATTRS = 8 };

enum iot_attr_format { IOT_ATTR_INT, IOT_ATTR_UINT, IOT_ATTR_HEX, IOT_ATTR_STR, IOT_ATTR_DURATION };

struct iot_attr_def {
	iot_str name; /* bare word: "lkb_id" */
	enum iot_attr_format format;
	gboolean late; /* known when the span ends, not when it begins: without meaning in
			  SPAN_BEGIN items */
};

struct iot_type {
	enum iot_type_kind kind;
	iot_str name;	    /* bare word: "mode" */
	iot_str title;	    /* for people: "lock mode" */
	iot_type_id on;	    /* row: type of the parent row, 0 for the root; else the row type it is
			       drawn on */
	enum iot_role role; /* rows only */
	gboolean
		repeats; /* spans: the same calls are drawn on other rows, too, and counted there */
	guint n_attrs;
	struct iot_attr_def attr[IOT_MAX_ATTRS];
};

struct iot_category {
	iot_type_id type;
	iot_str name; /* legend text: "PENDING", "EX", "ast EAGAIN" */
	guint32 rgb;
	enum iot_role role;
};

struct iot_row {
	iot_type_id type;
	iot_row_id parent; /* 0: the root */
	iot_str id;	   /* identity below the parent */
	iot_str name;	   /* for people, printable UTF-8, not empty */
	iot_str also;	   /* another name by which it may be selected; 0: none */
	guint16 n_lanes;   /* lanes used so far, at least 1 */
	gboolean hidden;   /* not selected: nothing is ever emitted on it (rows below may be
			      selected) */
	guint64 wait_ns;   /* time in spans of role WAIT, of this row and all below; final at finish
			    */
	guint64 bounded_ns; /* likewise: of those spans, the ones that are not unbounded */
	guint64 n_items;    /* likewise: items emitted */
	guint32 rank;	    /* 0-based position among its siblings of its type, filled by
			       iot_timeline_rank */
};

/* One picture: a chain of row types, outermost first, e.g. "DLM": lockspace, resource, node. */
struct iot_view {
	iot_str title;
	guint n_columns;
	iot_type_id column[8];
};

struct iot_timeline {
	struct iot_intern *strings;
	struct iot_segarray types; /* element 0 is unused, so that numbers start at 1 */
	struct iot_segarray cats;
	struct iot_segarray rows; /* element 0 is the root */
	struct iot_view view[8];
	guint n_views;
	guint64 origin_ns; /* time of the first event of all inputs */
	guint64 zero_ns; /* time 0 of pictures: the origin, or the window's left edge (viewers begin
			    at 0) */
	GHashTable *row_index;	 /* these two: pipeline thread only */
	struct iot_lanes *lanes; /* of all models, which may draw on the same rows */
	struct iot_diag diag;	 /* anomalies of the merge and of the timeline; pipeline thread */
};

enum iot_item_kind {
	IOT_ITEM_SPAN,	     /* a whole span, t0 to t1, when it ends */
	IOT_ITEM_SPAN_BEGIN, /* TIME feed: it begins; t0 == t1 */
	IOT_ITEM_POINT,	     /* t0 == t1 */
	/* events of one node are missing from t0 to t1; row 0; see iot_gap_node, iot_gap_lost */
	IOT_ITEM_GAP,
	/* a counter has a new value from t0 == t1 on; cat is the only one of its type; see
	   iot_sample_value, iot_sample_change */
	IOT_ITEM_SAMPLE,
};

enum iot_item_flags {
	IOT_UNFINISHED =
		1
		<< 0, /* still open at the end of the recording (or closed without its end event) */
	IOT_BEFORE = 1 << 1,	/* began before the recording; t0 is the recording's begin */
	IOT_SUSPECT = 1 << 2,	/* cut by lost events: the true end is unknown */
	IOT_FAILED = 1 << 3,	/* a call with an error, a completion with an error */
	IOT_CUT_LEFT = 1 << 4,	/* goes on to the left of the window (--from) */
	IOT_CUT_RIGHT = 1 << 5, /* goes on to the right of the window (--to) */
	IOT_UNKNOWN =
		1
		<< 6, /* the value of this span is not known (after lost events, or from before) */
};

/* Lanes are 0 to IOT_LAST_LANE. Spans that find no free lane share the last one, where they need
 * not nest; each is counted (nest_violation). */
enum { IOT_LAST_LANE = 65534 };

union iot_attr {
	gint64 i;
	guint64 u;
	guint64 str; /* an iot_str, or iot_text_number(); see iot_tl_text */
};

/* Plain data, without pointers: it is copied, queued and spilled as it is. */
struct iot_item {
	guint8 kind;	/* enum iot_item_kind */
	guint8 n_attrs; /* of the type; 0 if it has none */
	guint16 flags;
	guint16 lane; /* 0: the row itself; n: its n-th extra row */
	guint16 reserved;
	iot_type_id type;
	iot_cat_id cat;
	iot_row_id row;
	guint32 reserved2;
	guint64 t0, t1; /* ns on the common clock (not relative to the origin) */
	guint64 seq;	/* number of emission: the last comparison key */
	union iot_attr attr[IOT_MAX_ATTRS];
};

/**
 * Feeds. All sinks get items by (t1, seq); each declares whether spans that begin are among them.
 * END: no; there are only whole spans, points, samples and gaps.
 * TIME: yes. Only spans flagged BEFORE begin late: their begin is the origin although later items
 * have been delivered, but no item has been delivered on that lane. On one lane of one row, spans
 * of one type nest; the item order at equal instants is the order to push and pop.
 */
enum iot_feed { IOT_FEED_WHOLE_SPANS, IOT_FEED_WITH_BEGINS };

struct iot_timeline *iot_timeline_new(void);
void iot_timeline_free(struct iot_timeline *tl);
typedef struct iot_timeline iot_timeline;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_timeline, iot_timeline_free)
/** iot_timeline_set_times - set the origin and the zero of pictures (origin_ns, zero_ns), before
 * the first item */
void iot_timeline_set_times(struct iot_timeline *tl, guint64 origin_ns, guint64 zero_ns);

/** iot_timeline_type - add a type; returns its entry (filled with kind, name, title, on) and number
 */
struct iot_type *iot_timeline_type(struct iot_timeline *tl, enum iot_type_kind kind,
				   const char *name, const char *title, iot_type_id on,
				   iot_type_id *out_id);
/** iot_type_set_role - the role of a row type */
void iot_type_set_role(struct iot_timeline *tl, iot_type_id id, enum iot_role role);
/** iot_type_set_repeats - spans of the type draw calls that another type counts */
void iot_type_set_repeats(struct iot_timeline *tl, iot_type_id id);
/** iot_type_add_attr - append an attribute; a type has at most IOT_MAX_ATTRS */
void iot_type_add_attr(struct iot_timeline *tl, iot_type_id id, const struct iot_attr_def *attr);
/** iot_timeline_cat - add a category to @type */
iot_cat_id iot_timeline_cat(struct iot_timeline *tl, iot_type_id type, const char *name,
			    guint32 rgb, enum iot_role role);
/** iot_timeline_row - find or add the row of that identity below @parent; @name is used when it is
 * new */
iot_row_id iot_timeline_row(struct iot_timeline *tl, iot_type_id type, iot_row_id parent,
			    iot_str id, iot_str name, gboolean *out_new);
/** iot_timeline_find_row - the row of that identity below @parent; 0 if there is none yet */
iot_row_id iot_timeline_find_row(const struct iot_timeline *tl, iot_type_id type, iot_row_id parent,
				 iot_str id);
/** iot_row_set_also - another name by which the row may be selected */
void iot_row_set_also(struct iot_timeline *tl, iot_row_id id, iot_str also);
/** iot_row_hide - the row is not selected: emit nothing on it */
void iot_row_hide(struct iot_timeline *tl, iot_row_id id);
/** iot_timeline_add_view - append a copy of @view; FALSE if there are as many as fit */
gboolean iot_timeline_add_view(struct iot_timeline *tl, const struct iot_view *view);
/** iot_timeline_path - names from the root to @row joined with @separator; the caller frees */
char *iot_timeline_path(const struct iot_timeline *tl, iot_row_id row, const char *separator);
/**
 * iot_timeline_rank - fill row->rank of all rows
 *
 * Siblings are ranked by bounded_ns and then wait_ns, the greatest first, and where nobody ever
 * waits by n_items; rows of role NODE by name instead (so that nodes stand in the same order
 * everywhere). Ties by name in natural order, then by number. After the last item only.
 */
void iot_timeline_rank(struct iot_timeline *tl);
/** iot_timeline_waits - for each type of rows whether somebody waits on them or below; the caller
 * frees */
gboolean *iot_timeline_waits(const struct iot_timeline *tl);
/** iot_timeline_shown - for each row whether it or one below it is not hidden; the caller frees */
gboolean *iot_timeline_shown(const struct iot_timeline *tl);
/** iot_timeline_ordered - all rows depth first, siblings by rank, the root left out; after
 * iot_timeline_rank */
GArray *iot_timeline_ordered(const struct iot_timeline *tl); /* of iot_row_id */

/* How much is in the tables. */
struct iot_timeline_size {
	guint32 strings, types, cats, rows;
};

void iot_timeline_count(const struct iot_timeline *tl, struct iot_timeline_size *out);
/** iot_timeline_save_new - what has been added to the tables since they had that size */
void iot_timeline_save_new(const struct iot_timeline *tl, const struct iot_timeline_size *since,
			   GByteArray *out);
/**
 * iot_timeline_load_new - add it to tables of that size
 *
 * FALSE if it does not fit. Of rows "hidden" is not known, and the sums are 0.
 */
gboolean iot_timeline_load_new(struct iot_timeline *tl, struct iot_unpack *in);
/** iot_timeline_memory - bytes of the tables */
gsize iot_timeline_memory(const struct iot_timeline *tl);
/** iot_timeline_load_str - the number of a string, checked */
iot_str iot_timeline_load_str(const struct iot_timeline *tl, struct iot_unpack *in);
/** iot_timeline_load_text - the same for an attribute, which may be a number itself */
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
 * A text attribute that is a number ("result" of a read: how many bytes) is no string: there are as
 * many of them as calls, and a table of all would grow with the recording.
 */
#define IOT_TEXT_NUMBER (G_GUINT64_CONSTANT(1) << 63)

/** iot_text_number - a text attribute whose text is that number, which is less than 2^63 */
static inline guint64 iot_text_number(guint64 number)
{
	return IOT_TEXT_NUMBER | number;
}
static inline gboolean iot_text_is_number(guint64 text)
{
	return text & IOT_TEXT_NUMBER ? TRUE : FALSE;
}
/** iot_tl_text - the bytes of a text attribute; those of a number are written to @buffer */
const char *iot_tl_text(const struct iot_timeline *tl, guint64 text, char buffer[IOT_DIGITS_ROOM],
			gsize *out_len);

/** iot_cat_waits - whether spans of the category are times that somebody waited: rows are ranked by
 * them */
static inline gboolean iot_cat_waits(const struct iot_category *cat)
{
	return cat->role == IOT_ROLE_WAIT || cat->role == IOT_ROLE_CALL;
}
/** iot_item_is_unbounded - neither the begin nor the end of the span was seen: it has no length of
 * its own, and is ranked after all others */
static inline gboolean iot_item_is_unbounded(const struct iot_item *item)
{
	return (item->flags & IOT_BEFORE) && (item->flags & (IOT_UNFINISHED | IOT_CUT_RIGHT));
}

/** IOT_LOST_UNKNOWN - iot_gap_lost of a gap whose lost events nobody counted */
#define IOT_LOST_UNKNOWN G_MAXUINT64

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
/** iot_gap_lost - number of missing events, or IOT_LOST_UNKNOWN */
static inline guint64 iot_gap_lost(const struct iot_item *item)
{
	return item->attr[1].u;
}
/** iot_sample_set - give the sample @item the counter's new @value and the @change that led to it
 */
static inline void iot_sample_set(struct iot_item *item, gint64 value, gint64 change)
{
	item->kind = IOT_ITEM_SAMPLE;
	item->n_attrs = 2;
	item->attr[0].i = value;
	item->attr[1].i = change;
}
/** iot_sample_value - the counter's value from the sample's time on */
static inline gint64 iot_sample_value(const struct iot_item *item)
{
	return item->attr[0].i;
}
/** iot_sample_change - difference to the value before, modulo 2^64 */
static inline gint64 iot_sample_change(const struct iot_item *item)
{
	return item->attr[1].i;
}
/** iot_tl_rel - a time of the common clock relative to the zero of pictures (0 if before it) */
static inline guint64 iot_tl_rel(const struct iot_timeline *tl, guint64 t)
{
	return t > tl->zero_ns ? t - tl->zero_ns : 0;
}

#endif
