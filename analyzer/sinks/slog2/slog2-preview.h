/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Previews: what a viewer draws in place of a part of the tree that it has not read. A set of
 * previews sums up the drawables of one node and everything below it: one preview per topology and
 * line, in it one weight per category. Sums are kept; averages and ratios are formed when it is
 * written.
 *
 * A set is what sums are made in. Its packed form, one block of memory in the order of the file,
 * waits until the parent is written, and is then read from front to back.
 *
 * Memory failures are remembered in the iot_out given at the start and lose the addition, since the
 * run has failed then. One thread.
 */
#ifndef IOT_SINKS_SLOG2_SLOG2_PREVIEW_H
#define IOT_SINKS_SLOG2_SLOG2_PREVIEW_H

#include "sinks/slog2/slog2-sort.h"
#include "base/park.h"

enum iot_slog2_topology { IOT_SLOG2_EVENT, IOT_SLOG2_STATE, IOT_SLOG2_TOPOLOGIES };

/* Category numbers reserved for previews, by topology. */
enum { IOT_SLOG2_PREVIEW_EVENT = -1, IOT_SLOG2_PREVIEW_STATE = -3 };

enum { IOT_SLOG2_NONE = G_MAXUINT32 };

struct iot_slog2_weight {
	gint32 category;
	guint32 next; /* in a set: of the same preview; IOT_SLOG2_NONE ends */
	guint64 count;
	gint64 inclusive_ns, exclusive_ns;
};

struct iot_slog2_preview {
	guint8 topology;
	guint32 line;
	guint32 weights, n_weights; /* in a set: the first of a list */
	guint32 first, n_states;    /* scratch of the tree: its own states of this line */
	guint64 t0, t1;		    /* least start, greatest end */
	double sum0,
		sum1; /* of starts and ends, ns: exact to 2^53, good to 1e-16 of the sum beyond */
	guint64 count;
};

/* A state of the node itself. */
struct iot_slog2_exclusive {
	gint64 exclusive_ns;   /* its duration, from which is taken what is nested in it */
	guint32 weight, under; /* its weight; the state that covers it */
};

struct iot_slog2_previews {
	struct iot_out *out; /* remembers errors */
	struct iot_slog2_preview *list;
	guint32 n, size;
	struct iot_slog2_weight *weights;
	guint32 n_weights, size_weights;
	guint32 *index; /* by line and topology; index + 1, 0 is none. Lines are small numbers. */
	guint32 n_index;
	guint32 *weight_of; /* by category: the weight that was added last; small numbers, too */
	guint32 n_weight_of;
	guint32 n_of[IOT_SLOG2_TOPOLOGIES];
	struct iot_slog2_key *order; /* scratch */
	guint32 size_order;
};

/* How much there is in a packed form: previews in the order of the file, each before its weights.
 */
struct iot_slog2_packed {
	guint32 n_of[IOT_SLOG2_TOPOLOGIES];
	guint32 n_weights;
};

/* A packed form that waits in a park, one preview after the other. */
struct iot_slog2_cursor {
	struct iot_park *park;
	guint64 at, end; /* behind what was fetched */
	const guint8 *next;
	gsize left;
};

struct iot_slog2_previews *iot_slog2_previews_new(struct iot_out *out);
void iot_slog2_previews_free(struct iot_slog2_previews *set);
/** iot_slog2_previews_memory - bytes of storage, which never shrinks */
gsize iot_slog2_previews_memory(const struct iot_slog2_previews *set);
/** iot_slog2_previews_clear - empty, storage kept */
void iot_slog2_previews_clear(struct iot_slog2_previews *set);

/** iot_slog2_previews_find - the preview of that line, or NULL */
static inline struct iot_slog2_preview *
iot_slog2_previews_find(const struct iot_slog2_previews *set, guint8 topology, guint32 line)
{
	gsize at = (gsize)line * IOT_SLOG2_TOPOLOGIES + topology;

	return at < set->n_index && set->index[at] ? &set->list[set->index[at] - 1] : NULL;
}
/**
 * iot_slog2_previews_add - count drawables of a line that has none yet
 * @out: of each its duration and weight, for the exclusive time that is known later; may be NULL
 *
 * Returns their preview, valid until the next addition, or NULL when there is no memory.
 */
struct iot_slog2_preview *iot_slog2_previews_add(struct iot_slog2_previews *set, guint8 topology,
						 const struct iot_slog2_key *keys, guint32 n,
						 struct iot_slog2_exclusive *out);
/** iot_slog2_previews_size - bytes of the packed form, a multiple of 8 */
gsize iot_slog2_previews_size(const struct iot_slog2_previews *set);
/** iot_slog2_previews_pack - make the packed form of @set, which stays as it is, at @to */
struct iot_slog2_packed iot_slog2_previews_pack(struct iot_slog2_previews *set, gpointer to);
/** iot_slog2_cursor_next - the next preview, valid until the one behind it; NULL without memory.
 * The caller knows how many there are. */
const struct iot_slog2_preview *iot_slog2_cursor_next(struct iot_slog2_cursor *cursor);
/** iot_slog2_previews_merge - add one of a packed form */
void iot_slog2_previews_merge(struct iot_slog2_previews *into,
			      const struct iot_slog2_preview *packed);

/** iot_slog2_preview_weights - the weights of one of a packed form */
static inline const struct iot_slog2_weight *
iot_slog2_preview_weights(const struct iot_slog2_preview *packed)
{
	return (const struct iot_slog2_weight *)(packed + 1);
}
/** iot_slog2_packed_bytes - size of both lists in the file, with their counts */
guint64 iot_slog2_packed_bytes(const struct iot_slog2_packed *packed);
/** iot_slog2_preview_write - write one of a packed form */
void iot_slog2_preview_write(struct iot_out *out, const struct iot_slog2_preview *packed);
/** iot_slog2_ratio - @part of @whole as a number that is finite and not negative */
float iot_slog2_ratio(gint64 part, guint64 whole);
/** iot_slog2_enlarge - room for @n elements, more than @size, by doubling; FALSE (remembered in
 * @out) without memory */
gboolean iot_slog2_enlarge(struct iot_out *out, gpointer *array, guint32 *size, guint32 n,
			   gsize elem);
/** iot_slog2_enlarge_zeroed - the same, and what is new is zero */
gboolean iot_slog2_enlarge_zeroed(struct iot_out *out, gpointer *array, guint32 *size, guint32 n,
				  gsize elem);
/** iot_slog2_grow - room for one more element behind @n; FALSE likewise */
static inline gboolean iot_slog2_grow(struct iot_out *out, gpointer *array, guint32 n,
				      guint32 *size, gsize elem)
{
	return G_LIKELY(n < *size) || iot_slog2_enlarge(out, array, size, n + 1, elem);
}

#endif
