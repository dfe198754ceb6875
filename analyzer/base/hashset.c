/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/hashset.h"

enum { FIRST_SLOTS = 64 };

static void put(struct iot_hashset *set, guint64 hash, gpointer member)
{
	guint at = (guint)hash & set->mask;

	while (set->slots[at].member)
		at = (at + 1) & set->mask;
	set->slots[at].hash = hash;
	set->slots[at].member = member;
}

static void resize(struct iot_hashset *set, guint n_slots)
{
	struct iot_hashset_slot *old = set->slots;
	guint n_old = old ? set->mask + 1 : 0;

	set->slots = g_new0(struct iot_hashset_slot, n_slots);
	set->mask = n_slots - 1;
	for (guint i = 0; i < n_old; i++)
		if (old[i].member)
			put(set, old[i].hash, old[i].member);
	g_free(old);
}

void iot_hashset_init(struct iot_hashset *set)
{
	*set = (struct iot_hashset){ 0 };
	resize(set, FIRST_SLOTS);
}

void iot_hashset_clear(struct iot_hashset *set)
{
	g_free(set->slots);
	set->slots = NULL;
}

void iot_hashset_clear_full(struct iot_hashset *set, GDestroyNotify free_member)
{
	gpointer member;
	guint at = 0;

	while ((member = iot_hashset_walk(set, &at)))
		free_member(member);
	iot_hashset_clear(set);
}

void iot_hashset_add(struct iot_hashset *set, guint64 hash, gpointer member)
{
	if (++set->n > set->mask / 2)
		resize(set, 2 * (set->mask + 1));
	put(set, hash, member);
}

/* Following members move into the freed slot, unless that is before the slot of their hash. */
void iot_hashset_remove(struct iot_hashset *set, guint64 hash, gconstpointer member)
{
	guint hole = (guint)hash & set->mask;

	while (set->slots[hole].member != member)
		hole = (hole + 1) & set->mask;
	for (guint at = (hole + 1) & set->mask; set->slots[at].member; at = (at + 1) & set->mask) {
		guint from_home = (at - (guint)set->slots[at].hash) & set->mask;

		if (from_home < ((at - hole) & set->mask))
			continue;
		set->slots[hole] = set->slots[at];
		hole = at;
	}
	set->slots[hole].member = NULL;
	set->n--;
}
