/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pointers by hash, for tables that are asked for every event: open addressing, so that a look-up
 * is mostly one cache line, and nothing is allocated but when it grows. What "equal" means is the
 * user's, who walks over all members with a hash:
 *
 *	guint at = iot_hashset_first(set, hash);
 *	while ((thing = iot_hashset_next(set, hash, &at)) && !is_it(thing))
 *		;
 */
#ifndef IOT_BASE_HASHSET_H
#define IOT_BASE_HASHSET_H

#include <glib.h>

struct iot_hashset {
	struct iot_hashset_slot {
		guint64 hash;
		gpointer member; /* NULL: free */
	} * slots;
	guint mask, n;
};

void iot_hashset_init(struct iot_hashset *set);
void iot_hashset_clear(struct iot_hashset *set); /* the members are not freed */
/** iot_hashset_memory - bytes of storage */
static inline gsize iot_hashset_memory(const struct iot_hashset *set)
{
	return set->slots ? (set->mask + 1) * sizeof(*set->slots) : 0;
}

/** iot_hashset_add - @member is not in it yet */
void iot_hashset_add(struct iot_hashset *set, guint64 hash, gpointer member);
/** iot_hashset_remove - @member is in it, with that hash */
void iot_hashset_remove(struct iot_hashset *set, guint64 hash, gconstpointer member);

static inline guint iot_hashset_first(const struct iot_hashset *set, guint64 hash)
{
	return (guint)hash & set->mask;
}

/** iot_hashset_next - the next member with that hash; NULL: there are no more */
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

#endif
