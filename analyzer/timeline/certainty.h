/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How certain the order of two instants is. Times of all nodes are on one clock, each with an
 * error that is at most the bound of its node at that time (docs/CLOCKS.md).
 *
 * The table is complete before the first item leaves; from then on any thread may ask. Only the
 * contradictions by links are found later: iot_clocks_settle adds them after the last item, so that
 * no answer before depends on the speed of threads. Who said "proved" before asks again then.
 */
#ifndef IOT_TIMELINE_CERTAINTY_H
#define IOT_TIMELINE_CERTAINTY_H

#include "base/clock-facts.h"
#include "timeline/timeline.h"

struct iot_clocks;

enum iot_certainty {
	IOT_PROVED,	  /* before, whatever the errors are within their bounds */
	IOT_WITHIN_ERROR, /* before or after: the errors decide */
	IOT_CONTRADICTED, /* after, whatever the errors are */
};

struct iot_clocks *iot_clocks_new(void);
void iot_clocks_free(struct iot_clocks *clocks);
typedef struct iot_clocks iot_clocks;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_clocks, iot_clocks_free)

/**
 * iot_clocks_add - add the facts about the clock of a recording of @node
 * @node: the node's name in the strings of the timeline
 * @facts: the knots are shared. A node with several recordings has the greatest of their bounds.
 */
void iot_clocks_add(struct iot_clocks *clocks, guint32 node, const struct iot_clock_facts *facts);

/** iot_clocks_facts - the facts of a recording, by position in the order of iot_clocks_add */
const struct iot_clock_facts *iot_clocks_facts(const struct iot_clocks *clocks, guint index);

/** iot_clocks_bound - greatest error of @node's times at @ns, in ns; a node that was not added is
 * IOT_CLOCK_UNBOUNDED */
guint64 iot_clocks_bound(const struct iot_clocks *clocks, guint32 node, guint64 ns);

/** iot_clocks_contradict - the recording contradicts the bounds between two nodes, so that nothing
 * between them is proved. Before other threads ask. */
void iot_clocks_contradict(struct iot_clocks *clocks, guint32 node_a, guint32 node_b);
/** iot_clocks_disagree - whether nothing between the two nodes is proved, because the recording
 * contradicts their clocks */
gboolean iot_clocks_disagree(const struct iot_clocks *clocks, guint32 node_a, guint32 node_b);
/** iot_clocks_some_disagree - whether any two nodes do */
gboolean iot_clocks_some_disagree(const struct iot_clocks *clocks);

/**
 * iot_order - is instant @a of @node_a before instant @b of @node_b?
 *
 * Of one node, whose times have one correction, a smaller time is proved; equal times are within
 * the error. Between nodes the times must differ by more than both bounds.
 */
enum iot_certainty iot_order(const struct iot_clocks *clocks, guint32 node_a, guint64 a,
			     guint32 node_b, guint64 b);

/* Two nodes whose clocks were recovered from their messages (--sync). */
struct iot_clock_pair_grade {
	guint32 a, b; /* names of the nodes */
	enum iot_clock_grade grade;
	guint64 n_messages;
	guint64 n_wrong;	 /* messages that the best constant rate contradicts */
	gboolean n_wrong_proved; /* no constant rate contradicts fewer */
};

/** iot_clocks_grade - add the grade that the messages of two nodes give. If the grade is
 * contradicted, nothing between them is proved. Before other threads ask. */
void iot_clocks_grade(struct iot_clocks *clocks, const struct iot_clock_pair_grade *grade);
/** iot_clocks_grades - all that were added */
const struct iot_clock_pair_grade *iot_clocks_grades(const struct iot_clocks *clocks, guint *out_n);

/* The links from one node to another. */
struct iot_link_sum {
	guint32 from, to; /* names of the nodes */
	guint64 n;
	/* arrive before they leave, by the clocks; by how much at most, and when */
	guint64 n_backwards, worst_ns, worst_at_ns;
	guint64 n_proved;	/* arrive later by more than the bounds of both clocks */
	guint64 n_contradicted; /* earlier by more than the bounds allow */
};

/**
 * iot_clocks_link - count a link from instant @from_ns of node @from to @to_ns of @to; links within
 * a node are not counted. FALSE if it contradicts the bounds. Pipeline thread only.
 */
gboolean iot_clocks_link(struct iot_clocks *clocks, guint32 from, guint64 from_ns, guint32 to,
			 guint64 to_ns);
/** iot_clocks_settle - no link will come: nodes whose links contradict the bounds disagree from now
 * on. After the last item, when no other thread asks. */
void iot_clocks_settle(struct iot_clocks *clocks);
/** iot_clocks_links - the sums of all links so far, by from and to; @to may be the node that sends:
 * one entry for each direction. Valid until the next link. */
const struct iot_link_sum *iot_clocks_links(const struct iot_clocks *clocks, guint *out_n);

#endif
