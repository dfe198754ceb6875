/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pointers by hash, for tables with a lookup for each event. With open addressing a lookup is
 * usually one cache line, and memory is allocated only when the set grows. The caller decides which
 * members are equal, and walks over all members with a hash:
 *
 *	guint at = iot_hashset_first(set, hash);
 *	while ((thing = iot_hashset_next(set, hash, &at)) && !is_it(thing))
 *		;
 */
#ifndef IOT_BASE_HASHSET_H
#define IOT_BASE_HASHSET_H

#include <glib.h>

struct iot_hashset_slot {
	guint64 hash;
	gpointer member; /* NULL: free */
};

struct iot_hashset {
	struct iot_hashset_slot *slots;
	guint mask, n;
};

void iot_hashset_init(struct iot_hashset *set);
void iot_hashset_clear(struct iot_hashset *set); /* the members are not freed */
/** iot_hashset_clear_full - the same, after @free_member was called for each member */
void iot_hashset_clear_full(struct iot_hashset *set, GDestroyNotify free_member);
/** iot_hashset_memory - bytes of storage */
static inline gsize iot_hashset_memory(const struct iot_hashset *set)
{
	return set->slots ? (set->mask + 1) * sizeof(*set->slots) : 0;
}

/** iot_hashset_add - add @member, which must not be in the set */
void iot_hashset_add(struct iot_hashset *set, guint64 hash, gpointer member);
/** iot_hashset_remove - remove @member, which must be in the set with that hash */
void iot_hashset_remove(struct iot_hashset *set, guint64 hash, gconstpointer member);

static inline guint iot_hashset_first(const struct iot_hashset *set, guint64 hash)
{
	return (guint)hash & set->mask;
}

/** iot_hashset_next - the next member with that hash; NULL after the last */
static inline gpointer iot_hashset_next(const struct iot_hashset *set, guint64 hash, guint *at)
{
	for (;;) {
		const struct iot_hashset_slot *slot = &set->slots[*at];

		if (!slot->member)
			return NULL;
		*at = (*at + 1) & set->mask;
		if (slot->hash == hash)
			return slot->member;
	}
}

/** iot_hashset_walk - the next of all members, in no particular order; NULL after the last. @at is
 * 0 before the first; the set stays as it is meanwhile. */
static inline gpointer iot_hashset_walk(const struct iot_hashset *set, guint *at)
{
	while (set->slots && *at <= set->mask) {
		gpointer member = set->slots[(*at)++].member;

		if (member)
			return member;
	}
	return NULL;
}

#endif
