/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of better lock masters: the best move of each resource, and all moves for programs. */
#ifndef IOT_ANALYSIS_MASTER_MOVES_TABLE_H
#define IOT_ANALYSIS_MASTER_MOVES_TABLE_H

#include "analysis/lock-uses.h"
#include "timeline/result-table.h"

enum {
	/* Waits of a resource that are enough for a judgement; waits between two nodes that are
	   enough for a mean of their own. */
	IOT_MOVE_MIN_WAITS = 30,
	IOT_MOVE_MIN_SAMPLES = 30,
};

enum iot_move_verdict {
	IOT_MOVE_GAIN,
	IOT_MOVE_UNCERTAIN,
	IOT_MOVE_STAYS,
	IOT_MOVE_TOO_FEW,
	IOT_MOVE_UNKNOWN,
	IOT_MOVE_VERDICTS
};

/* The master of a resource on the node of @to. */
struct iot_master_move {
	const struct iot_lock_resource *resource;
	const struct iot_lock_use *to;
	guint64 n_waits;
	double time_ns, gain_ns, error_ns;
	guint64 n_messages;
	double messages_saved;
	gboolean measured;	 /* there are enough waits for such masters */
	gboolean pooled;	 /* of other pairs of nodes, too */
	gboolean messages_known; /* the saved ones */
	enum iot_move_verdict verdict;
};

/**
 * iot_master_moves_tables - add both tables, in the order of the moves
 * @best, @all: of struct iot_master_move; @best: gains first
 * @n_unused: waits that were left out
 */
void iot_master_moves_tables(const struct iot_timeline *tl, const GArray *best, const GArray *all,
			     guint64 n_unused, struct iot_results *results);

#endif
