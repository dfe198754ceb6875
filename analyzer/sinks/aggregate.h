/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums of a timeline, for sinks that print tables: per row, per category of points, per node with
 * lost events, and the longest waits. Memory grows with the number of names, not with the length of
 * the recording. One thread at a time.
 *
 * Order of calls: add for each item of the feed of whole spans, roll_up once, then all others.
 *
 * The rows of a table are "units" (for locks: the resources): rows of role RESOURCE, and rows with
 * children of role NODE. Without nodes above or below, the innermost rows are units. A node
 * without a parent is a unit too, unless it stands above rows of role RESOURCE.
 */
#ifndef IOT_SINKS_AGGREGATE_H
#define IOT_SINKS_AGGREGATE_H

#include "timeline/timeline.h"

enum { IOT_N_LONGEST = 10 };

struct iot_cat_sum {
	iot_cat_id cat;
	guint64 ns;
};

/* One counter of a row: its value at the end of the recording. */
struct iot_counter_sum {
	iot_cat_id cat;
	gboolean is_real;
	union {
		gint64 value;
		gdouble real;
	};
};

/* One row; after roll_up: the row and all rows below it. */
struct iot_row_sum {
	/* spans of role WAIT: their sum, and the longest one that certainly is a wait */
	guint64 wait_ns, worst_ns;
	/* the same without unbounded spans */
	guint64 bounded_ns, bounded_worst_ns;
	guint64 ended_ns; /* spans that ended */
	/* the longest one is not shown whole */
	gboolean worst_cut, bounded_worst_cut;
	guint64 perhaps_ns; /* the longest one that is perhaps no wait (UNKNOWN) */
	/* points and spans of role CALL */
	guint64 calls;
	guint64 n_items;
	/* by category: spans that are no waits, and spans of role CALL */
	guint32 n_cats;
	guint32 n_counters;
	struct iot_cat_sum *cats;
	struct iot_counter_sum *counters;

	/* valid after roll_up */

	/* neither the row nor a row below it was selected */
	gboolean hidden;
	/* its unit; 0 for a row above the units */
	iot_row_id unit;
	/* units: their rows of role NODE in iot_aggregate.nodes */
	guint first_node, n_nodes;
};

/* One category of points, or of spans of role CALL. */
struct iot_point_sum {
	guint64 n, failed;
	/* calls that are unfinished or cut by lost events */
	guint64 not_ended;
	/* all other calls with a duration */
	guint64 took_n, took_ns, took_max_ns;
};

/* All gaps of one node. */
struct iot_gap_sum {
	iot_str node;
	guint64 n, ns, lost;
	guint64 n_unknown; /* gaps with an unknown number of lost events */
	guint64 longest_ns, longest_t0;
};

/* The waits of one category on one node, while a host was recorded. */
struct iot_stolen_sum {
	iot_cat_id cat;
	iot_str node; /* 0: none */
	guint64 n, ns;
	/* of ns: the processor was stolen; this is not known */
	guint64 stolen_ns, unknown_ns;
	/* the span of which most was stolen */
	guint64 most_ns, most_t0;
};

/* The calls that are drawn as spans of a type. */
struct iot_call_sum {
	guint64 ns, n;
};

struct iot_aggregate {
	const struct iot_timeline *tl;
	GArray *rows;	/* struct iot_row_sum, by row; 0 is the sum of all */
	GArray *points; /* struct iot_point_sum, by category */
	GArray *calls;	/* struct iot_call_sum, by type of spans */
	GHashTable *failures; /* category and result of failed points -> count */
	GArray *gaps;	      /* struct iot_gap_sum, in order of first appearance */
	GHashTable *stolen;   /* category and node -> struct iot_stolen_sum */
	/* waits: the longest first, then by begin, then by seq */
	struct iot_item longest[IOT_N_LONGEST];
	guint n_longest;
	/* valid after roll_up; selected rows only */
	GArray *units; /* iot_row_id, by number */
	GArray *nodes; /* iot_row_id, by unit, then by name */
	GArray *tops;  /* iot_row_id of role NODE above units */
};

struct iot_aggregate *iot_aggregate_new(const struct iot_timeline *tl);
void iot_aggregate_free(struct iot_aggregate *sums);
typedef struct iot_aggregate iot_aggregate;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_aggregate, iot_aggregate_free)

void iot_aggregate_add(struct iot_aggregate *sums, const struct iot_item *item);
/** iot_row_sum_longest - the spans @from, after which sums may be freed, change the longest ones of
 * @to */
void iot_row_sum_longest(struct iot_row_sum *to, const struct iot_row_sum *from);
/** iot_aggregate_hides - events are missing up to @to_ns that may have shown longer spans of @row:
 * of its machine; of any one, if the row is above machines */
gboolean iot_aggregate_hides(const struct iot_aggregate *sums, iot_row_id row, guint64 to_ns);
/** iot_aggregate_roll_up - add rows to the rows above them, and find units and nodes */
void iot_aggregate_roll_up(struct iot_aggregate *sums);

static inline struct iot_row_sum *iot_aggregate_row(const struct iot_aggregate *sums,
						    iot_row_id row)
{
	return &g_array_index(sums->rows, struct iot_row_sum, row);
}
/** iot_row_sum_add - add time to one category of a row */
void iot_row_sum_add(struct iot_row_sum *sum, iot_cat_id cat, guint64 ns);
/** iot_row_sum_count - add the values of a counter of @from, which may be another row, or a change
 */
void iot_row_sum_count(struct iot_row_sum *sum, const struct iot_counter_sum *from);
/** iot_aggregate_cat_ns - time of one category in a row's sum */
guint64 iot_aggregate_cat_ns(const struct iot_row_sum *sum, iot_cat_id cat);

/* One result of failed points and its count; see iot_aggregate_failures. */
struct iot_failure {
	guint64 result; /* a text attribute */
	guint64 n;
};
/** iot_aggregate_failures - results of the failed points of a category, the most frequent first */
GArray *iot_aggregate_failures(const struct iot_aggregate *sums, iot_cat_id cat);

enum iot_row_order { IOT_BY_PENDING, IOT_BY_WORST, IOT_BY_CALLS, IOT_BY_NAME };

/**
 * iot_aggregate_sort - sort numbers of rows
 * @tree: a row comes before the rows below it, and siblings are compared; otherwise rows are
 * compared directly
 *
 * The greatest first, by name the smallest; ties by path in natural order, then by number.
 */
void iot_aggregate_sort(const struct iot_aggregate *sums, GArray *rows, enum iot_row_order order,
			gboolean tree);

/** iot_type_chain - titles of a row type and of the types above it ("lockspace / resource"); the
 * caller frees */
char *iot_type_chain(const struct iot_timeline *tl, iot_type_id type);
/** iot_plural - "resources", "entries"; @n decides; the caller frees */
char *iot_plural(const char *noun, guint64 n);

#endif
