/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Distributions of the waits for resources, in full detail: by node, resource, mode and part, and
 * by cause. An analysis makes them for the output summary. One thread at a time.
 */
#ifndef IOT_TIMELINE_DISTRIBUTIONS_H
#define IOT_TIMELINE_DISTRIBUTIONS_H

#include "base/histogram-store.h"
#include "timeline/timeline.h"

/* 1 of a share; a share that is not 0 is at least one millionth. */
enum { IOT_SHARE_WHOLE = 1000000 };

/* One part of the waits of a node for a resource. */
struct iot_part_distribution {
	iot_row_id row; /* of the node, below the resource */
	iot_cat_id state, mode;
	const char *part;   /* a static bare word: "reaction" */
	const char *master; /* the place of the node that decides: "remote", "local" ... */
	struct iot_stored_histogram durations;
};

/* The waits of a node for a resource. */
struct iot_waits_sum {
	iot_row_id row; /* of the node, below the resource */
	guint64 n, ns;
	GPtrArray *causes; /* struct iot_cause_shares */
};

/* One cause of these waits. */
struct iot_cause_shares {
	iot_str holder;	   /* name of the node; 0: another cause */
	const char *cause; /* its static name; NULL: a holder */
	guint64 ns;
	/* the cause's share of each wait, in millionths, without the waits of which it has none */
	struct iot_stored_histogram shares;
};

struct iot_distributions {
	GPtrArray *parts;   /* struct iot_part_distribution */
	GPtrArray *waits;   /* struct iot_waits_sum */
	guint64 n_left_out; /* parts, and causes, of further waits */
	struct iot_histogram_store *store;
};

struct iot_distributions *iot_distributions_new(void);
/** iot_distributions_add_waits - a sum without waits, which @distributions owns */
struct iot_waits_sum *iot_distributions_add_waits(struct iot_distributions *distributions,
						  iot_row_id row);
/** iot_distributions_free - accepts NULL */
void iot_distributions_free(struct iot_distributions *distributions);

#endif
