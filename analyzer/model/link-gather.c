/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Links that gather: many from-ends have one to-end (a reduction: n send, one receives once). Here
 * every from-end has a to-end, and a to-end any number of from-ends: the reverse of link-settle.c.
 * So a from-end belongs to the only to-end that is possible for it, unless its true one may not be
 * recorded. It is decided when all possible to-ends have come: when its time has passed, or, with a
 * unique key, at the first one. Until then to-ends hold the watermark, because an item of a link
 * comes at its to-end.
 */
#include "model/link-local.h"

static gboolean may_be_unreceived(const struct iot_link *link, const struct iot_link_end *from)
{
	if (link->unique)
		return FALSE;
	return (link->evicted &&
		from->t <= iot_link_time(link->evicted_to, iot_link_error(link))) ||
	       iot_unrecorded(link, from->start.event->input, from->t, from->until) !=
		       IOT_ALL_RECORDED;
}

static void decide(struct iot_link *link, struct iot_link_end *from)
{
	struct iot_link_end *to = from->group->side[IOT_LINK_TO].first, *found = NULL;
	guint n = 0;

	for (; to; to = to->next) {
		if (!iot_link_possible(link, from, to))
			continue;
		found = to;
		n++;
	}
	if (n == 1 && !may_be_unreceived(link, from)) {
		from->joined = found->joined = TRUE;
		iot_link_detach(link, from);
		iot_link_join(link, from, found);
		return;
	}
	for (to = from->group->side[IOT_LINK_TO].first; to; to = to->next)
		to->doubtful |= iot_link_possible(link, from, to);
	from->doubtful = n > 0;
	iot_link_unmatched(link, from);
	iot_link_leave(link, from);
}

static gboolean waits(const struct iot_link *link, const struct iot_link_end *to)
{
	const struct iot_link_end *from = to->group->side[IOT_LINK_FROM].first;

	while (from && !iot_link_possible(link, from, to))
		from = from->next;
	return from != NULL;
}

/* To-ends leave when all their from-ends are decided. The caller keeps the group. */
static void leave_decided(struct iot_link *link, struct iot_link_group *group)
{
	struct iot_link_end *to = group->side[IOT_LINK_TO].first, *next;

	for (; to; to = next) {
		next = to->next;
		if (!to->examined || waits(link, to))
			continue;
		if (to->doubtful && !to->joined)
			iot_link_count_at(link, IOT_LINK_AMBIGUOUS_TO, to->t);
		else
			iot_link_unmatched(link, to);
		iot_link_leave(link, to);
	}
}

/* More to-ends with one key than can be told apart: this one is as if it had not been recorded. */
static void forget(struct iot_link *link, struct iot_link_end *to)
{
	link->evicted = TRUE;
	link->evicted_to = MAX(link->evicted_to, to->t);
	iot_link_count_at(link, IOT_LINK_AMBIGUOUS_TO, to->t);
	iot_link_leave(link, to);
}

void iot_link_gather_from(struct iot_link *link, struct iot_link_end *from)
{
	struct iot_link_group *group = from->group;

	iot_link_keep_group(group);
	decide(link, from);
	leave_decided(link, group);
	iot_link_drop_group(link, group);
}

void iot_link_gather_to(struct iot_link *link, struct iot_link_end *to)
{
	struct iot_link_group *group = to->group;
	struct iot_link_end *from = group->side[IOT_LINK_FROM].first, *next;

	if (group->side[IOT_LINK_TO].n > IOT_MAX_LINK_RIVALS) {
		forget(link, to);
		return;
	}
	iot_link_keep_group(group);
	for (; from && link->unique; from = next) {
		next = from->next;
		if (iot_link_possible(link, from, to))
			decide(link, from);
	}
	leave_decided(link, group);
	iot_link_drop_group(link, group);
}
