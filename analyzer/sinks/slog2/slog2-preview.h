/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Previews: a viewer draws them instead of a part of the tree that it has not read. A set of
 * previews sums up the drawables of a node and of all nodes below it: one preview per topology and
 * line, with one weight per category. Averages and ratios are computed when a preview is written.
 *
 * Sums are made in a set. The parent of the node needs them later, from front to back; until then
 * they are kept in a packed form, one block of memory in the order of the file.
 *
 * A memory failure is remembered in the iot_out given to new; the sums are incomplete then, but the
 * run has failed anyway. One thread.
 */
#ifndef IOT_SINKS_SLOG2_SLOG2_PREVIEW_H
#define IOT_SINKS_SLOG2_SLOG2_PREVIEW_H

#include "sinks/slog2/slog2-sort.h"
#include "base/park.h"

/* As in the file. */
enum iot_slog2_topology { IOT_SLOG2_EVENT, IOT_SLOG2_STATE, IOT_SLOG2_ARROW };

/* The lists of a node, by topology: nestless drawables (events and arrows) and states. A line of an
 * arrow is a number for its pair of lines, which no state and no event has. */
enum { IOT_SLOG2_TOPOLOGIES = IOT_SLOG2_ARROW };

/* Category numbers reserved for previews, by topology. */
enum {
	IOT_SLOG2_PREVIEW_EVENT = -1,
	IOT_SLOG2_PREVIEW_ARROW = -2,
	IOT_SLOG2_PREVIEW_STATE = -3,
};

enum { IOT_SLOG2_NONE = G_MAXUINT32 };

struct iot_slog2_weight {
	gint32 category;
	guint32 next; /* in a set: of the same preview; IOT_SLOG2_NONE ends */
	guint64 count;
	gint64 inclusive_ns, exclusive_ns;
};

struct iot_slog2_preview {
	guint8 topology; /* of the list */
	guint8 arrow;	 /* a preview of arrows */
	guint32 line;
	/* in a set: the first weight of a list */
	guint32 weights, n_weights;
	/* scratch of slog2-node-sums: the states of this line in the node itself */
	guint32 first, n_states;
	/* least start, greatest end */
	guint64 t0, t1;
	/* sums of starts and ends, of arrows of from-ends and to-ends, in ns: exact up to 2^53,
	 * then relative error 1e-16 */
	double sum0, sum1;
	guint64 count;
};

/* The exclusive time of a state of the node. */
struct iot_slog2_exclusive {
	gint64 exclusive_ns; /* its duration; nested states are subtracted */
	guint32 weight;
	guint32 under; /* the state that it is nested in */
};

struct iot_slog2_previews {
	struct iot_out *out; /* remembers errors */
	struct iot_slog2_preview *list;
	guint32 n, size;
	struct iot_slog2_weight *weights;
	guint32 n_weights, size_weights;
	/* by line and topology, as lines are small numbers: place in the list + 1; 0: none */
	guint32 *index;
	guint32 n_index;
	/* by category: the weight that was added last */
	guint32 *weight_of;
	guint32 n_weight_of;
	guint32 n_of[IOT_SLOG2_TOPOLOGIES];
	struct iot_slog2_key *order; /* scratch */
	guint32 size_order;
};

/* The size of a packed form: previews in the order of the file, each followed by its weights. */
struct iot_slog2_packed {
	guint32 n_of[IOT_SLOG2_TOPOLOGIES];
	guint32 n_arrows; /* among the nestless ones */
	guint32 n_weights;
};

/* The lines of the ends of an arrow. */
struct iot_slog2_pair {
	guint32 from, to;
};

/* Reads a packed form from a park. */
struct iot_slog2_cursor {
	struct iot_park *park;
	guint64 at, end; /* end of the part that was fetched, and of all */
	const guint8 *next;
	gsize left;
};

struct iot_slog2_previews *iot_slog2_previews_new(struct iot_out *out);
void iot_slog2_previews_free(struct iot_slog2_previews *set);
/** iot_slog2_previews_memory - bytes of storage, which never shrinks */
gsize iot_slog2_previews_memory(const struct iot_slog2_previews *set);
/** iot_slog2_previews_clear - empty, storage kept */
void iot_slog2_previews_clear(struct iot_slog2_previews *set);

/** iot_slog2_previews_find - the preview of a line, or NULL */
static inline struct iot_slog2_preview *
iot_slog2_previews_find(const struct iot_slog2_previews *set, guint8 topology, guint32 line)
{
	gsize at = (gsize)line * IOT_SLOG2_TOPOLOGIES + topology;

	return at < set->n_index && set->index[at] ? &set->list[set->index[at] - 1] : NULL;
}
/**
 * iot_slog2_previews_add - count the drawables of a line, which has no preview yet
 * @out: filled with duration and weight of each drawable; may be NULL
 *
 * Returns the preview, valid until the next addition, or NULL without memory.
 */
struct iot_slog2_preview *iot_slog2_previews_add(struct iot_slog2_previews *set, guint8 topology,
						 const struct iot_slog2_key *keys, guint32 n,
						 struct iot_slog2_exclusive *out);
/** iot_slog2_previews_size - bytes of the packed form, a multiple of 8 */
gsize iot_slog2_previews_size(const struct iot_slog2_previews *set);
/** iot_slog2_previews_pack - write the packed form of @set to @to */
struct iot_slog2_packed iot_slog2_previews_pack(struct iot_slog2_previews *set, gpointer to);
/** iot_slog2_cursor_next - the next preview, valid until the next call; NULL without memory. The
 * caller knows their number. */
const struct iot_slog2_preview *iot_slog2_cursor_next(struct iot_slog2_cursor *cursor);
/** iot_slog2_previews_merge - add a packed preview */
void iot_slog2_previews_merge(struct iot_slog2_previews *into,
			      const struct iot_slog2_preview *packed);

/** iot_slog2_preview_weights - the weights of a packed preview */
static inline const struct iot_slog2_weight *
iot_slog2_preview_weights(const struct iot_slog2_preview *packed)
{
	return (const struct iot_slog2_weight *)(packed + 1);
}
/** iot_slog2_packed_bytes - size of both lists and their counts in the file */
guint64 iot_slog2_packed_bytes(const struct iot_slog2_packed *packed);
/** iot_slog2_preview_write - write a packed preview; @pair: of a preview of arrows */
void iot_slog2_preview_write(struct iot_out *out, const struct iot_slog2_preview *packed,
			     const struct iot_slog2_pair *pair);
/** iot_slog2_ratio - @part / @whole, finite and not negative */
float iot_slog2_ratio(gint64 part, guint64 whole);
/** iot_slog2_enlarge - room for @n elements, more than @size, by doubling; FALSE (remembered in
 * @out) without memory */
gboolean iot_slog2_enlarge(struct iot_out *out, gpointer *array, guint32 *size, guint32 n,
			   gsize elem);
/** iot_slog2_enlarge_zeroed - the same; new elements are zero */
gboolean iot_slog2_enlarge_zeroed(struct iot_out *out, gpointer *array, guint32 *size, guint32 n,
				  gsize elem);
/** iot_slog2_grow - room for element @n; FALSE without memory */
static inline gboolean iot_slog2_grow(struct iot_out *out, gpointer *array, guint32 n,
				      guint32 *size, gsize elem)
{
	return G_LIKELY(n < *size) || iot_slog2_enlarge(out, array, size, n + 1, elem);
}

#endif
