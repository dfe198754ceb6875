/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps states distinct. Two states of the same category, line, start and end, one in a leaf and
 * one in an ancestor, make Jumpshot lose drawables when it merges the levels of the tree. Equal
 * states have the same end and come in order of their ends, so only the states with the latest end
 * are kept.
 */
#ifndef IOT_SINKS_SLOG2_SLOG2_RECENT_H
#define IOT_SINKS_SLOG2_SLOG2_RECENT_H

#include "base/fault.h"
#include "base/out.h"

struct iot_slog2_recent_state {
	guint64 t0, t1; /* ns */
	gint32 category;
	guint32 line;
};

struct iot_slog2_recent_slot {
	guint64 t0;
	guint64 epoch; /* of an earlier end: the slot is free */
	gint32 category;
	guint32 line;
};

/* Empty if zeroed, except @out. */
struct iot_slog2_recent {
	struct iot_out *out; /* remembers errors */
	struct iot_slog2_recent_slot *slots;
	guint32 n, n_slots;
	guint64 end, epoch;
};

/* The first state of a line with the latest end. It enters the table only when the line gets a
 * second one, which is rare. Zeroed: none. */
struct iot_slog2_recent_first {
	guint64 t0, t1;
	gint32 category;
	gboolean added;
};

void iot_slog2_recent_clear(struct iot_slog2_recent *recent);
/** iot_slog2_recent_search - slow path of iot_slog2_recent_start: the line has a state with the
 * same end
 */
guint64 iot_slog2_recent_search(struct iot_slog2_recent *recent,
				struct iot_slog2_recent_first *first,
				struct iot_slog2_recent_state state);
/**
 * iot_slog2_recent_start - the start that makes @state distinct: its t0, or some ns later
 * @first: the line's
 */
static inline guint64 iot_slog2_recent_start(struct iot_slog2_recent *recent,
					     struct iot_slog2_recent_first *first,
					     struct iot_slog2_recent_state state)
{
	/* Equal states without a duration do no harm. */
	if (G_UNLIKELY(state.t0 >= state.t1))
		return state.t0;
	if (iot_slow_only()) {
		first->added = TRUE;
	} else if (G_LIKELY(first->t1 != state.t1)) {
		/* fast path: the first state of the line with that end */
		*first = (struct iot_slog2_recent_first){ .t0 = state.t0,
							  .t1 = state.t1,
							  .category = state.category };
		return state.t0;
	}
	/* slow path */
	return iot_slog2_recent_search(recent, first, state);
}

#endif
