/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The result tables of a run, published once for all outputs that have tables: report, list and
 * the page. A publisher makes one or more tables (timeline/result-table.h). To add one: write
 * publish/publish-NAME.c and add a row to publish/publish-table.c; every output then shows its
 * tables.
 *
 * publish-table.c lists the publishers in the order of the report. Tables that other code of the
 * run made reach the outputs as "results" of the summary. The page makes tables of rows (of_rows)
 * itself, from the sums that it holds for every row.
 */
#ifndef IOT_SINKS_PUBLISH_H
#define IOT_SINKS_PUBLISH_H

#include "sinks/aggregate.h"
#include "sinks/row-times.h"
#include "sinks/sink.h"
#include "timeline/result-table.h"

/* The sources of tables, known at the end of a run. */
struct iot_publishing {
	const struct iot_timeline *tl;
	const struct iot_aggregate *sums; /* rolled up */
	const struct iot_summary *summary;
	gboolean all; /* every row instead of the first ones and a sum of the others */
	const struct iot_row_times *times; /* NULL: not asked for */
};

/* The publishers: each adds its tables, unless they are empty, in the order in which people read
 * them. */
void iot_publish_verdict(const struct iot_publishing *from, struct iot_results *to);
void iot_publish_inputs(const struct iot_publishing *from, struct iot_results *to);
void iot_publish_ranges(const struct iot_publishing *from, struct iot_results *to);
void iot_publish_units(const struct iot_publishing *from, struct iot_results *to);
void iot_publish_times(const struct iot_publishing *from, struct iot_results *to);
void iot_publish_results(const struct iot_publishing *from, struct iot_results *to);
void iot_publish_longest(const struct iot_publishing *from, struct iot_results *to);
void iot_publish_stolen(const struct iot_publishing *from, struct iot_results *to);
void iot_publish_gaps(const struct iot_publishing *from, struct iot_results *to);
void iot_publish_clocks(const struct iot_publishing *from, struct iot_results *to);
void iot_publish_diagnostics(const struct iot_publishing *from, struct iot_results *to);

/** iot_publish - the tables of all publishers; the caller frees */
struct iot_results *iot_publish(const struct iot_publishing *from);

/* What is open at an instant, for iot_publish_at. */
struct iot_at {
	const struct iot_timeline *tl;
	guint64 t;	      /* ns on the common clock */
	const GArray *open;   /* struct iot_item: spans of locks and calls */
	const GArray *unseen; /* struct iot_at_unseen, in the order of names */
	guint64 n_free;	      /* holds in nobody's way that are left out */
};
/* A machine that is not observed then. */
struct iot_at_unseen {
	iot_str node;
	guint64 until; /* ns */
};

/** iot_publish_at - the table of the output at; none if nothing is open. The caller frees */
struct iot_results *iot_publish_at(const struct iot_at *at);

/** iot_publish_sync - the tables of the output sync: inputs and their clocks; the caller frees */
struct iot_results *iot_publish_sync(const struct iot_publishing *from);

/** iot_publish_all_clocks - the tables of the clocks, even if nothing is known */
void iot_publish_all_clocks(const struct iot_publishing *from, struct iot_results *to);

/** iot_publish_list - the tables of the output list, which holds every row; the caller frees */
struct iot_results *iot_publish_list(const struct iot_publishing *from, enum iot_row_order order);
/** iot_unit_nodes - names of the nodes of a row, or of all units below it, in natural order, with
 * newlines between them; the caller frees */
char *iot_unit_nodes(const struct iot_aggregate *sums, iot_row_id row);

/** iot_shown_from, iot_shown_to - the part of the recording that is shown, on the common clock */
static inline guint64 iot_shown_from(const struct iot_summary *summary)
{
	return MAX(summary->begin_ns, summary->from_ns);
}
static inline guint64 iot_shown_to(const struct iot_summary *summary)
{
	return MAX(MIN(summary->end_ns, summary->to_ns), iot_shown_from(summary));
}
/** iot_longest_is_least - whether the longest span of @row, whose sums are @sum, may be longer than
 * worst_ns: it is not shown whole, a longer one is perhaps no wait, or events are missing that may
 * have shown a longer one */
static inline gboolean iot_longest_is_least(const struct iot_publishing *from, iot_row_id row,
					    const struct iot_row_sum *sum)
{
	return sum->worst_cut || sum->perhaps_ns > sum->worst_ns ||
	       iot_aggregate_hides(from->sums, row, iot_shown_to(from->summary));
}

#endif
