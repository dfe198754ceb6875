/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The store of ends: groups by key, and lists in the order of time. */
#include "model/link-local.h"

#include <string.h>

static const enum iot_diag_id diags[IOT_LINK_N_COUNTS] = {
	[IOT_LINKED] = IOT_DIAG_COUNT,
	[IOT_LINK_BACKWARDS] = IOT_DIAG_link_backwards,
	[IOT_LINK_AMBIGUOUS_FROM] = IOT_DIAG_link_ambiguous,
	[IOT_LINK_AMBIGUOUS_TO] = IOT_DIAG_link_ambiguous,
	[IOT_LINK_NOT_RECEIVED] = IOT_DIAG_link_unmatched,
	[IOT_LINK_RECEIVED_IN_GAP] = IOT_DIAG_link_unmatched,
	[IOT_LINK_RECEIVED_AFTER] = IOT_DIAG_link_unmatched,
	[IOT_LINK_NOT_SENT] = IOT_DIAG_link_unmatched,
	[IOT_LINK_SENT_IN_GAP] = IOT_DIAG_link_unmatched,
	[IOT_LINK_SENT_BEFORE] = IOT_DIAG_link_unmatched,
	[IOT_LINK_RETRANSMITTED] = IOT_DIAG_link_retransmitted,
	[IOT_LINK_REUSED] = IOT_DIAG_link_key_reused,
	[IOT_LINK_EVICTED] = IOT_DIAG_link_evicted,
};

void iot_link_count_at(struct iot_link *link, enum iot_link_count what, guint64 t)
{
	if (t > iot_emit_to(link->model->emit))
		return;
	link->count[what]++;
	if (diags[what] != IOT_DIAG_COUNT)
		iot_diag_add(link->model->diag, diags[what], 1);
}

/* ---- groups */

static guint64 hash_key(const struct iot_link *link, const guint64 *key, guint32 texts)
{
	return iot_hash_keys(iot_hash_mix(0x9b05688c, texts), key, link->n_keys);
}

struct iot_link_group *iot_link_known_group(const struct iot_link *link, const guint64 *key,
					    guint32 texts)
{
	guint64 hash = hash_key(link, key, texts);
	guint at = iot_hashset_first(&link->groups, hash);
	struct iot_link_group *group;

	while ((group = iot_hashset_next(&link->groups, hash, &at)))
		if (group->texts == texts && !memcmp(group->key, key, link->n_keys * sizeof(*key)))
			return group;
	return NULL;
}

struct iot_link_group *iot_link_find_group(struct iot_link *link, const guint64 *key, guint32 texts)
{
	struct iot_link_group *group = iot_link_known_group(link, key, texts);

	if (group)
		return group;
	group = link->spare_groups;
	if (group) {
		link->spare_groups = group->stuck_next;
	} else {
		group = g_malloc(link->group_size);
		link->n_groups++;
	}
	memset(group, 0, G_STRUCT_OFFSET(struct iot_link_group, key));
	group->hash = hash_key(link, key, texts);
	group->texts = texts;
	memcpy(group->key, key, link->n_keys * sizeof(*key));
	iot_hashset_add(&link->groups, group->hash, group);
	return group;
}

static void free_group_if_empty(struct iot_link *link, struct iot_link_group *group)
{
	if (group->keepers || group->side[IOT_LINK_FROM].n || group->side[IOT_LINK_TO].n)
		return;
	iot_link_remove_stuck(link, group);
	iot_hashset_remove(&link->groups, group->hash, group);
	group->stuck_next = link->spare_groups;
	link->spare_groups = group;
}

void iot_link_keep_group(struct iot_link_group *group)
{
	group->keepers++;
}

void iot_link_drop_group(struct iot_link *link, struct iot_link_group *group)
{
	group->keepers--;
	free_group_if_empty(link, group);
}

void iot_link_add_stuck(struct iot_link *link, struct iot_link_group *group)
{
	struct iot_link_group *before = link->stuck_last;

	while (before && before->deadline > group->deadline)
		before = before->stuck_prev;
	group->stuck_prev = before;
	group->stuck_next = before ? before->stuck_next : link->stuck;
	*(before ? &before->stuck_next : &link->stuck) = group;
	*(group->stuck_next ? &group->stuck_next->stuck_prev : &link->stuck_last) = group;
	group->is_stuck = TRUE;
}

void iot_link_remove_stuck(struct iot_link *link, struct iot_link_group *group)
{
	if (!group->is_stuck)
		return;
	*(group->stuck_prev ? &group->stuck_prev->stuck_next : &link->stuck) = group->stuck_next;
	*(group->stuck_next ? &group->stuck_next->stuck_prev : &link->stuck_last) =
		group->stuck_prev;
	group->is_stuck = FALSE;
}

/* ---- ends */

static struct iot_link_end *alloc_end(struct iot_link *link)
{
	struct iot_link_end *end = link->spare_ends;

	if (end) {
		link->spare_ends = end->newer;
		return end;
	}
	link->n_allocated++;
	return g_malloc(link->end_size);
}

struct iot_link_end *iot_link_new_end(struct iot_link_side *side, struct iot_link_group *group,
				      const struct iot_rec *rec)
{
	struct iot_link *link = side->link;
	struct iot_link_end *end = alloc_end(link);
	struct iot_link_list *list = &group->side[side->which];

	memset(end, 0, G_STRUCT_OFFSET(struct iot_link_end, start));
	memcpy(&end->start, rec, iot_rec_size(rec->event));
	end->side = side;
	end->group = group;
	end->until = G_MAXUINT64;
	end->prev = list->last;
	*(list->last ? &list->last->next : &list->first) = end;
	list->last = end;
	list->n++;
	end->older = link->newest;
	*(link->newest ? &link->newest->newer : &link->oldest) = end;
	link->newest = end;
	link->n_ends++;
	return end;
}

void iot_link_undecided(struct iot_link *link, struct iot_link_end *end)
{
	struct iot_link_end *before = link->undecided_last, *after = NULL;

	/* with --causality hold a machine may be ahead of another one; what is examined is older
	 * than all that is held back */
	while (G_UNLIKELY(before && before->t > end->t && !before->examined)) {
		after = before;
		before = before->undecided_prev;
	}
	end->undecided = TRUE;
	end->undecided_prev = before;
	end->undecided_next = after;
	*(before ? &before->undecided_next : &link->undecided) = end;
	*(after ? &after->undecided_prev : &link->undecided_last) = end;
	if (link->unexamined == after)
		link->unexamined = end;
}

void iot_link_decided(struct iot_link *link, struct iot_link_end *end)
{
	if (!end->undecided)
		return;
	if (link->unexamined == end)
		link->unexamined = end->undecided_next;
	*(end->undecided_prev ? &end->undecided_prev->undecided_next : &link->undecided) =
		end->undecided_next;
	*(end->undecided_next ? &end->undecided_next->undecided_prev : &link->undecided_last) =
		end->undecided_prev;
	end->undecided_prev = end->undecided_next = NULL;
	end->undecided = FALSE;
}

/* A late to-end comes after from-ends of the same time. An end that leaves now is the first. */
void iot_link_expire(struct iot_link *link, struct iot_link_end *end)
{
	gboolean first = link->expires && end->until < link->expires->until;
	struct iot_link_end *before = first ? NULL : link->expires_last;

	while (before && before->until > end->until)
		before = before->expires_prev;
	end->expires = TRUE;
	end->expires_prev = before;
	end->expires_next = before ? before->expires_next : link->expires;
	*(before ? &before->expires_next : &link->expires) = end;
	*(end->expires_next ? &end->expires_next->expires_prev : &link->expires_last) = end;
}

void iot_link_unexpire(struct iot_link *link, struct iot_link_end *end)
{
	if (!end->expires)
		return;
	*(end->expires_prev ? &end->expires_prev->expires_next : &link->expires) =
		end->expires_next;
	*(end->expires_next ? &end->expires_next->expires_prev : &link->expires_last) =
		end->expires_prev;
	end->expires_prev = end->expires_next = NULL;
	end->expires = FALSE;
}

void iot_link_detach(struct iot_link *link, struct iot_link_end *end)
{
	struct iot_link_group *group = end->group;
	struct iot_link_list *list = &group->side[end->side->which];

	iot_link_decided(link, end);
	iot_link_unexpire(link, end);
	*(end->prev ? &end->prev->next : &list->first) = end->next;
	*(end->next ? &end->next->prev : &list->last) = end->prev;
	list->n--;
	group->n_late -= end->late;
	group->n_stuck -= end->stuck;
	end->late = end->stuck = FALSE;
	end->prev = end->next = NULL;
	end->group = NULL;
	free_group_if_empty(link, group);
}

void iot_link_release(struct iot_link *link, struct iot_link_end *end)
{
	if (end->group || end->call || end->waiting || end->partner)
		return;
	*(end->older ? &end->older->newer : &link->oldest) = end->newer;
	*(end->newer ? &end->newer->older : &link->newest) = end->older;
	link->n_ends--;
	g_clear_pointer(&end->end, g_free);
	end->newer = link->spare_ends;
	link->spare_ends = end;
}

void iot_link_leave(struct iot_link *link, struct iot_link_end *end)
{
	iot_link_detach(link, end);
	iot_link_release(link, end);
}

/* The partner of the evicted end may come later, and must not get another one then. */
void iot_link_evict_oldest(struct iot_link *link)
{
	struct iot_link_end *end = link->oldest;

	/* an end whose link waits for the row of an open call is as old as that call */
	while (end && !end->group)
		end = end->newer;
	if (!end)
		return;
	iot_link_count_at(link, IOT_LINK_EVICTED, link->newest->t);
	if (end->side->which == (link->gathers ? IOT_LINK_TO : IOT_LINK_FROM)) {
		link->evicted = TRUE;
		link->evicted_to = MAX(link->evicted_to, end->t);
	}
	iot_link_leave(link, end);
}

static void free_ends(struct iot_link_end *end)
{
	while (end) {
		struct iot_link_end *next = end->newer;

		g_free(end);
		end = next;
	}
}

void iot_link_store_free(struct iot_link *link)
{
	for (struct iot_link_end *end = link->oldest; end; end = end->newer) {
		g_clear_pointer(&end->end, g_free);
		if (end->group && !end->group->keepers++)
			iot_hashset_remove(&link->groups, end->group->hash, end->group);
	}
	for (struct iot_link_end *end = link->oldest; end; end = end->newer) {
		if (end->group && !--end->group->keepers)
			g_free(end->group);
	}
	free_ends(link->oldest);
	free_ends(link->spare_ends);
	while (link->spare_groups) {
		struct iot_link_group *next = link->spare_groups->stuck_next;

		g_free(link->spare_groups);
		link->spare_groups = next;
	}
	iot_hashset_clear(&link->groups);
}
