/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps states distinct. Two states of the same category, line, start and end, one in a leaf and
 * one in an ancestor, make Jumpshot lose drawables when it merges the levels of the tree. Equal
 * states have the same end and come in order of their ends, so only those that end at the latest
 * end need to be remembered.
 */
#ifndef IOT_SINKS_SLOG2_SLOG2_RECENT_H
#define IOT_SINKS_SLOG2_SLOG2_RECENT_H

#include "base/out.h"

struct iot_slog2_recent_state {
	guint64 t0;
	guint64 epoch; /* of an earlier end: the slot is free */
	gint32 category;
	guint32 line;
};

/* A zeroed struct, but for @out, is empty. */
struct iot_slog2_recent {
	struct iot_out *out; /* remembers errors */
	struct iot_slog2_recent_state *slots;
	guint32 n, n_slots;
	guint64 end, epoch;
};

/* The first state of a line that ends at the latest end. Mostly there is no other, so that it is
 * not added to those above before there is. Zeroed: none. */
struct iot_slog2_recent_first {
	guint64 t0, t1;
	gint32 category;
	gboolean added;
};

void iot_slog2_recent_clear(struct iot_slog2_recent *recent);
/** iot_slog2_recent_search - what iot_slog2_recent_start does, if the line has a state of that end
 */
guint64 iot_slog2_recent_search(struct iot_slog2_recent *recent,
				struct iot_slog2_recent_first *first, gint32 category, guint32 line,
				guint64 t0, guint64 t1);
/**
 * iot_slog2_recent_start - the start that makes the state distinct: @t0, or later by some ns
 * @first: of that line
 */
static inline guint64 iot_slog2_recent_start(struct iot_slog2_recent *recent,
					     struct iot_slog2_recent_first *first, gint32 category,
					     guint32 line, guint64 t0, guint64 t1)
{
	/* Without a duration equal ones do no harm. */
	if (G_UNLIKELY(t0 >= t1))
		return t0;
	if (G_UNLIKELY(first->t1 == t1))
		return iot_slog2_recent_search(recent, first, category, line, t0, t1);
	*first = (struct iot_slog2_recent_first){ .t0 = t0, .t1 = t1, .category = category };
	return t0;
}

#endif
