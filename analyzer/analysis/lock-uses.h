/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What nodes do with resources: calls, messages, and distributions of times, for each resource and
 * node. A call is remote if a message of its lock went to another node. For a call without a
 * message only other messages about its resource say where the master was (iot_lock_place).
 *
 * The first IOT_LOCK_RESOURCES resources have sums of their own, all others share one. One thread
 * at a time.
 *
 * A message belongs to the call of its lock for which it left. Points of calls say whether the
 * call begins, changes or releases its lock (enum iot_call_kind, from "begins" and "asks" of the
 * [pair]). Only messages show a master: without one it is inferred, if one node alone uses the
 * resource, or unknown.
 */
#ifndef IOT_ANALYSIS_LOCK_USES_H
#define IOT_ANALYSIS_LOCK_USES_H

#include "base/histogram.h"
#include "timeline/timeline.h"

enum {
	IOT_LOCK_RESOURCES = 512,
	IOT_LOCK_MASTERS = 4, /* of a resource, that waits of one node go to */
};

/* Sums for mean and variance. Neighbours in time depend on each other, so the variance of the means
 * of groups of neighbours counts, too. */
struct iot_moments {
	guint64 n, n_groups;
	double sum, squares, group_sum, group_squares;
	double open_sum; /* of the group that is not full */
	guint n_open;
};

/* One node's uses of one resource. */
struct iot_lock_use {
	iot_row_id row, resource;
	guint64 n_calls[IOT_CALL_KINDS], n_failed;
	guint64 n_remote[IOT_CALL_KINDS]; /* calls */
	/* messages for its calls, to and from the master; questions to its locks; to and from the
	   node that knows the master; others that it sent */
	guint64 n_messages[IOT_CALL_KINDS], n_asked, n_directory, n_others;
	guint64 n_blocked; /* callbacks of locks that block others */
	guint64 n_answers; /* and questions that it sent, so it was the master */
	guint64 n_self;	   /* calls that asked for the master, and then went to no other node */
	guint64 n_partial; /* waits and holds that are not whole */
	gboolean talks;	   /* a message to or from another node is recorded */
	struct iot_counts wait, hold, trip;
	/* the part of waits that depends on the place of the master */
	struct iot_moments local;
	double remote_ns;
	struct iot_lock_masters {
		iot_str node; /* of remote masters */
		guint64 n_waits;
	} masters[IOT_LOCK_MASTERS];
};

/* The master for the calls without a message. */
enum iot_lock_place {
	IOT_PLACE_KNOWN,    /* on their own node: it was the master by other messages */
	IOT_PLACE_INFERRED, /* on their own node: no other node uses the resource */
	IOT_PLACE_UNKNOWN,
};

struct iot_lock_resource {
	iot_row_id row;
	iot_row_id master; /* row of its last known master; 0: no message shows one */
	GPtrArray *uses;   /* struct iot_lock_use, by first use */
};

struct iot_lock_uses {
	const struct iot_timeline *tl;
	GPtrArray *by_row;	    /* struct iot_lock_use, by row; NULL: not used */
	GHashTable *by_parent;	    /* struct iot_lock_resource by its row */
	GPtrArray *resources;	    /* the same, by first use */
	struct iot_lock_use others; /* of further resources */
	guint64 n_others;	    /* rows of nodes below further resources */
	GHashTable *talks;	    /* names of nodes with messages, when all is counted */
};

/** iot_lock_uses_new - without uses; @tl lives longer. The caller frees */
struct iot_lock_uses *iot_lock_uses_new(const struct iot_timeline *tl);
/** iot_lock_uses_free - accepts NULL */
void iot_lock_uses_free(struct iot_lock_uses *uses);
/** iot_lock_use - the uses of a row of a node, or below one; NULL: it is below no resource */
struct iot_lock_use *iot_lock_use(struct iot_lock_uses *uses, iot_row_id row);
/** iot_lock_use_master - the node of @row has decided about its resource */
void iot_lock_use_master(struct iot_lock_uses *uses, iot_row_id row);

/** iot_lock_uses_finish - all is counted; before the functions below */
void iot_lock_uses_finish(struct iot_lock_uses *uses);
/** iot_lock_place - the master for those calls of @use, which is of @resource, that have no message
 */
enum iot_lock_place iot_lock_place(const struct iot_lock_uses *uses,
				   const struct iot_lock_resource *resource,
				   const struct iot_lock_use *use);
/** iot_lock_calls - sum over all kinds */
guint64 iot_lock_calls(const guint64 n[IOT_CALL_KINDS]);
/** iot_lock_use_messages - all messages about the resource that belong to this use */
guint64 iot_lock_use_messages(const struct iot_lock_use *use);
/** iot_lock_use_node - name of its node */
iot_str iot_lock_use_node(const struct iot_lock_uses *uses, const struct iot_lock_use *use);

/** iot_moments_add - add the next value in the order of time */
void iot_moments_add(struct iot_moments *moments, double value);
/** iot_moments_merge - add all values of @other; those of its open group count as single values */
void iot_moments_merge(struct iot_moments *moments, const struct iot_moments *other);
/** iot_moments_mean - 0 without values */
double iot_moments_mean(const struct iot_moments *moments);
/** iot_moments_variance - of one value; the greater one if groups of neighbours differ more than
 * single values explain */
double iot_moments_variance(const struct iot_moments *moments);

#endif
