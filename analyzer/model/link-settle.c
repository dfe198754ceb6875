/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides which ends are partners. A to-end has a from-end, because every received message was
 * sent; a from-end may have none, because messages get lost. So a to-end whose only possible
 * from-end was recorded belongs to it, and this from-end is no possible partner of others any more.
 * To-ends with several possible from-ends, "rivals", wait until all ends that could decide between
 * them have come; then a link is drawn if every assignment of from-ends to to-ends contains it.
 */
#include "model/link-local.h"

#include <string.h>

static const struct iot_rec *record_of(const struct iot_link_end *end)
{
	return end->end ? end->end : &end->start;
}

static guint32 input_of(const struct iot_link_end *end)
{
	return end->start.event->input;
}

static gboolean in_time(const struct iot_link *link, const struct iot_link_end *from,
			const struct iot_link_end *to)
{
	guint64 error = iot_clock_error(link->model, input_of(from), input_of(to));

	return to->t <= iot_link_time(from->until, error);
}

gboolean iot_link_possible(const struct iot_link *link, const struct iot_link_end *from,
			   const struct iot_link_end *to)
{
	/* one record ends calls before it starts others */
	gboolean hands_on = from->number == to->number && from->side->at_end && to->side->pair &&
			    !to->side->at_end;

	if (record_of(from)->run == record_of(to)->run && from->number >= to->number && !hands_on)
		return FALSE;
	return iot_may_be_before(link->model, input_of(from), from->t, input_of(to), to->t) &&
	       in_time(link, from, to);
}

/* ---- ends without a partner */

static void ambiguous_to(struct iot_link *link, struct iot_link_end *to)
{
	iot_link_count_at(link, IOT_LINK_AMBIGUOUS_TO, to->t);
	iot_link_leave(link, to);
}

void iot_link_unmatched(struct iot_link *link, struct iot_link_end *end)
{
	static const enum iot_link_count counts[2][3] = {
		{ IOT_LINK_NOT_RECEIVED, IOT_LINK_RECEIVED_IN_GAP, IOT_LINK_RECEIVED_AFTER },
		{ IOT_LINK_NOT_SENT, IOT_LINK_SENT_IN_GAP, IOT_LINK_SENT_BEFORE },
	};
	guint which = end->side->which;
	guint64 t0 = which == IOT_LINK_FROM ? end->t : end->t - MIN(end->t, link->within);
	guint64 t1 = which == IOT_LINK_FROM ? end->until : end->t;
	guint64 decided = which == IOT_LINK_FROM
				  ? iot_link_time(end->until, 2 * iot_link_error(link))
				  : end->t;
	enum iot_unrecorded why;

	if (end->joined || (end->side->lone && !end->doubtful))
		return;
	if (decided == G_MAXUINT64)
		decided = end->t;
	if (end->doubtful) {
		iot_link_count_at(link, IOT_LINK_AMBIGUOUS_FROM, decided);
		return;
	}
	why = iot_unrecorded(link, input_of(end), t0, t1);
	iot_link_count_at(link, counts[which][why], decided);
	if (link->stubs)
		iot_link_draw_stub(link, end, why);
}

static void unmatched(struct iot_link *link, struct iot_link_end *end)
{
	iot_link_unmatched(link, end);
	iot_link_leave(link, end);
}

/* ---- rivals */

struct rivals {
	guint n_from, n_to;
	struct iot_link_end *from[IOT_MAX_LINK_RIVALS], *to[IOT_MAX_LINK_RIVALS];
	/* by to-end: a bit for each possible from-end */
	guint64 possible[IOT_MAX_LINK_RIVALS];
	/* a bit for each to-end whose from-end may not have been recorded */
	guint64 optional;
	/* by from-end: the to-end that takes it, or -1 */
	gint8 taken[IOT_MAX_LINK_RIVALS];
};

static guint64 bit(guint i)
{
	return G_GUINT64_CONSTANT(1) << i;
}

/* Find a from-end for @to, moving others if necessary. */
static gboolean assign(struct rivals *r, guint to, guint64 *seen)
{
	for (guint i = 0; i < r->n_from; i++) {
		if (!(r->possible[to] & bit(i)) || (*seen & bit(i)))
			continue;
		*seen |= bit(i);
		if (r->taken[i] >= 0 && !assign(r, (guint)r->taken[i], seen))
			continue;
		r->taken[i] = (gint8)to;
		return TRUE;
	}
	return FALSE;
}

/* Give every to-end a from-end, except those whose from-end may not have been recorded. */
static gboolean assign_all(struct rivals *r)
{
	memset(r->taken, -1, sizeof(r->taken));
	for (guint to = 0; to < r->n_to; to++) {
		guint64 seen = 0;

		if (!(r->optional & bit(to)) && !assign(r, to, &seen))
			return FALSE;
	}
	return TRUE;
}

/* Whether some assignment gives @to this from-end. */
static gboolean may_take(const struct rivals *r, guint to, guint from)
{
	struct rivals other = *r;
	gint8 before = r->taken[from];
	guint64 seen = bit(from);

	if (before == (gint8)to)
		return TRUE;
	for (guint i = 0; i < r->n_from; i++)
		if (other.taken[i] == (gint8)to)
			other.taken[i] = -1;
	other.taken[from] = (gint8)to;
	return before < 0 || (r->optional & bit((guint)before)) ||
	       assign(&other, (guint)before, &seen);
}

/* The from-ends that @to has in some assignment. */
static guint64 find_takeable(const struct rivals *r, guint to)
{
	guint64 takeable = 0;

	for (guint i = 0; i < r->n_from; i++)
		if ((r->possible[to] & bit(i)) && may_take(r, to, i))
			takeable |= bit(i);
	return takeable;
}

static void find_rivals(const struct iot_link *link, const struct iot_link_group *group,
			struct rivals *r)
{
	memset(r, 0, sizeof(*r));
	for (struct iot_link_end *from = group->side[IOT_LINK_FROM].first; from; from = from->next)
		r->from[r->n_from++] = from;
	for (struct iot_link_end *to = group->side[IOT_LINK_TO].first; to; to = to->next) {
		if (!to->stuck)
			continue;
		for (guint i = 0; i < r->n_from; i++)
			if (iot_link_possible(link, r->from[i], to))
				r->possible[r->n_to] |= bit(i);
		r->optional |= to->optional ? bit(r->n_to) : 0;
		r->to[r->n_to++] = to;
	}
}

static void join(struct iot_link *link, struct iot_link_end *from, struct iot_link_end *to)
{
	from->joined = to->joined = TRUE;
	iot_link_decided(link, from);
	if (!link->many)
		iot_link_detach(link, from);
	iot_link_detach(link, to);
	iot_link_join(link, from, to);
}

/* The only from-end that is possible for @to; NULL if there is none. *@out_n: 0, 1, or 2 for more.
 */
static struct iot_link_end *only_partner(const struct iot_link *link, const struct iot_link_end *to,
					 guint *out_n)
{
	struct iot_link_end *found = NULL;

	*out_n = 0;
	for (struct iot_link_end *from = to->group->side[IOT_LINK_FROM].last; from && *out_n < 2;
	     from = from->prev) {
		if (!iot_link_possible(link, from, to))
			continue;
		found = from;
		++*out_n;
	}
	return *out_n == 1 ? found : NULL;
}

static void doubt_partners(const struct iot_link *link, const struct iot_link_end *to)
{
	for (struct iot_link_end *from = to->group->side[IOT_LINK_FROM].first; from;
	     from = from->next)
		if (iot_link_possible(link, from, to))
			from->doubtful = TRUE;
}

/* A from-end of the group was taken: rivals may have only one left. The caller keeps the group. */
static void propagate(struct iot_link *link, struct iot_link_group *group)
{
	struct iot_link_end *to = group->side[IOT_LINK_TO].first;

	while (to && group->n_stuck) {
		struct iot_link_end *from = NULL;
		guint n = 0;

		if (to->stuck && !to->settled && !to->optional)
			from = only_partner(link, to, &n);
		if (from)
			join(link, from, to);
		to = from ? group->side[IOT_LINK_TO].first : to->next;
	}
}

/* Free from-ends that waited only for the rivals. */
static void expire_froms(struct iot_link *link, struct iot_link_group *group, guint64 now)
{
	struct iot_link_end *from = group->side[IOT_LINK_FROM].first, *next;

	for (; from; from = next) {
		next = from->next;
		if (!from->expires && iot_link_time(from->until, 2 * iot_link_error(link)) < now)
			unmatched(link, from);
	}
}

/* The partner of one rival, when no other end can change it any more. */
static void decide_rival(struct iot_link *link, const struct rivals *r, guint number)
{
	struct iot_link_end *to = r->to[number];
	guint64 takeable = find_takeable(r, number);

	if (!to->optional && takeable && !(takeable & (takeable - 1))) {
		join(link, r->from[__builtin_ctzll(takeable)], to);
		return;
	}
	for (guint i = 0; i < r->n_from; i++)
		if (takeable & bit(i))
			r->from[i]->doubtful = TRUE;
	if (!takeable) {
		unmatched(link, to);
	} else if (link->within != G_MAXUINT64 || link->contained || to->optional) {
		ambiguous_to(link, to);
	} else {
		/* it takes one of the from-ends from later ones */
		iot_link_count_at(link, IOT_LINK_AMBIGUOUS_TO, to->t);
		iot_link_decided(link, to);
		to->settled = TRUE;
	}
}

/* The to-ends that are kept take all from-ends: nothing of the group is of use to others. */
static void clear_taken(struct iot_link *link, struct iot_link_group *group)
{
	struct iot_link_end *to = group->side[IOT_LINK_TO].first, *next;

	if (!group->n_stuck || group->n_stuck != group->side[IOT_LINK_FROM].n)
		return;
	for (; to; to = next) {
		next = to->next;
		if (to->stuck)
			iot_link_leave(link, to);
	}
	while (group->side[IOT_LINK_FROM].first)
		unmatched(link, group->side[IOT_LINK_FROM].first);
}

/* All rivals are known. */
static void decide_rivals(struct iot_link *link, struct iot_link_group *group)
{
	guint64 now = group->deadline + 1;
	struct rivals r;

	iot_link_remove_stuck(link, group);
	iot_link_keep_group(group);
	find_rivals(link, group, &r);
	if (assign_all(&r)) {
		for (guint i = 0; i < r.n_to; i++)
			if (!r.to[i]->settled)
				decide_rival(link, &r, i);
	} else {
		/* more was received than sent: the clocks differ by more than their error */
		for (guint i = 0; i < r.n_to; i++) {
			doubt_partners(link, r.to[i]);
			if (r.to[i]->settled)
				iot_link_leave(link, r.to[i]);
			else
				ambiguous_to(link, r.to[i]);
		}
	}
	expire_froms(link, group, now);
	clear_taken(link, group);
	iot_link_drop_group(link, group);
}

static void decide_later(struct iot_link *link, struct iot_link_end *to)
{
	struct iot_link_group *group = to->group;
	guint64 error = iot_link_error(link), deadline = to->t + 2 * error;

	for (struct iot_link_end *from = group->side[IOT_LINK_FROM].first;
	     from && link->within != G_MAXUINT64; from = from->next)
		if (iot_link_possible(link, from, to))
			deadline = MAX(deadline, iot_link_time(from->until, 2 * error));
	to->stuck = TRUE;
	group->n_stuck++;
	iot_link_remove_stuck(link, group);
	group->deadline = MAX(group->deadline, deadline);
	iot_link_add_stuck(link, group);
}

static void crowd(struct iot_link *link, struct iot_link_group *group)
{
	struct iot_link_end *to = group->side[IOT_LINK_TO].first, *next;

	iot_link_keep_group(group);
	group->crowded = TRUE;
	iot_link_remove_stuck(link, group);
	for (struct iot_link_end *from = group->side[IOT_LINK_FROM].first; from; from = from->next)
		from->doubtful = TRUE;
	for (; to; to = next) {
		next = to->next;
		if (to->settled)
			iot_link_leave(link, to);
		else if (to->examined || to->late)
			ambiguous_to(link, to);
	}
	iot_link_drop_group(link, group);
}

/* ---- ends in the order of time */

static gboolean may_be_unrecorded(const struct iot_link *link, const struct iot_link_end *to)
{
	guint64 earliest = to->t - MIN(to->t, link->within);

	if (link->unique)
		return FALSE;
	return (link->evicted &&
		earliest <= iot_link_time(link->evicted_to, iot_link_error(link))) ||
	       iot_unrecorded(link, input_of(to), earliest, to->t) != IOT_ALL_RECORDED;
}

/* A from-end that came after its to-end, by more than the error of the clocks. */
static void examine_from(struct iot_link *link, struct iot_link_end *from)
{
	struct iot_link_group *group = from->group;
	struct iot_link_end *to = group->side[IOT_LINK_TO].first, *next;
	gboolean only = group->side[IOT_LINK_FROM].n == 1 && !group->n_stuck && !group->crowded &&
			(group->n_late == 1 || link->many);

	iot_link_decided(link, from);
	iot_link_keep_group(group);
	for (; to; to = next) {
		next = to->next;
		if (!to->late)
			continue;
		from->doubtful = TRUE;
		if (only)
			join(link, from, to);
		else
			ambiguous_to(link, to);
	}
	iot_link_drop_group(link, group);
}

/* All from-ends that can be before it have come. */
static void examine_to(struct iot_link *link, struct iot_link_end *to)
{
	struct iot_link_group *group = to->group;
	struct iot_link_end *from;
	guint n;

	if (G_UNLIKELY(group->crowded)) {
		ambiguous_to(link, to);
		return;
	}
	from = only_partner(link, to, &n);
	if (!n && link->unique && !link->contained) {
		/* perhaps the clocks contradict the order by more than their error */
		to->late = TRUE;
		group->n_late++;
		iot_link_decided(link, to);
		if (link->stubs) {
			to->until = iot_link_time(to->t, link->within);
			iot_link_expire(link, to);
		}
		/* its from-end came meanwhile, and is later all the same: in the order of their
		 * recording, or by its time, if the to-end was held back until it came (--causality
		 * hold) */
		from = group->side[IOT_LINK_FROM].first;
		if (from && (link->model->unordered || from->number > to->number))
			examine_from(link, from);
	} else if (!n) {
		unmatched(link, to);
	} else if ((group->n_late && !link->many) ||
		   (link->many && (n > 1 || may_be_unrecorded(link, to)))) {
		doubt_partners(link, to);
		ambiguous_to(link, to);
	} else if (n == 1 && !may_be_unrecorded(link, to)) {
		gboolean more = group->n_stuck > 0;

		if (more)
			iot_link_keep_group(group);
		join(link, from, to);
		if (more) {
			propagate(link, group);
			iot_link_drop_group(link, group);
		}
	} else if (group->side[IOT_LINK_FROM].n > IOT_MAX_LINK_RIVALS ||
		   group->n_stuck == IOT_MAX_LINK_RIVALS) {
		crowd(link, group);
	} else {
		to->optional = may_be_unrecorded(link, to);
		decide_later(link, to);
	}
}

static void examine(struct iot_link *link)
{
	struct iot_link_end *end = link->unexamined;

	link->unexamined = end->undecided_next;
	end->examined = TRUE;
	if (link->gathers)
		iot_link_gather_to(link, end);
	else if (end->side->which == IOT_LINK_TO)
		examine_to(link, end);
	else
		examine_from(link, end);
}

static void decide_stuck(struct iot_link *link)
{
	struct iot_link_group *group = link->stuck;
	guint64 error = iot_link_error(link), deadline = 0;

	for (struct iot_link_end *to = group->side[IOT_LINK_TO].first; to; to = to->next)
		if (!to->examined)
			deadline = MAX(deadline, to->t + error);
	if (deadline < group->deadline) {
		decide_rivals(link, group);
		return;
	}
	iot_link_remove_stuck(link, group);
	group->deadline = deadline;
	iot_link_add_stuck(link, group);
}

static void expire_first(struct iot_link *link)
{
	struct iot_link_end *end = link->expires;

	iot_link_unexpire(link, end);
	if (link->gathers && end->side->which == IOT_LINK_FROM)
		iot_link_gather_from(link, end);
	else if (end->late || !end->group->n_stuck)
		unmatched(link, end);
}

void iot_link_no_later(struct iot_link *link, struct iot_link_group *group, guint32 input,
		       guint64 t)
{
	for (struct iot_link_end *from = group->side[IOT_LINK_FROM].first; from;
	     from = from->next) {
		guint64 until = t + iot_clock_error(link->model, input, input_of(from));

		if (until >= from->until)
			continue;
		iot_link_unexpire(link, from);
		from->until = until;
		iot_link_expire(link, from);
	}
}

static void settle_first(struct iot_link *link, guint64 due)
{
	if (link->unexamined && iot_link_time(link->unexamined->t, iot_link_error(link)) == due)
		examine(link);
	else if (link->stuck && link->stuck->deadline == due)
		decide_stuck(link);
	else
		expire_first(link);
}

void iot_link_settle(struct iot_link *link, guint64 now)
{
	guint64 due;

	while ((due = iot_link_due(link)) < now)
		settle_first(link, due);
}
