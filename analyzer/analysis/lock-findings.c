/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/check-locks-local.h"
#include "base/units.h"

static const char *node_name(const struct iot_check_locks *locks, const struct owner *owner)
{
	return iot_tl_str(locks->tl, owner->node);
}

static const char *mode_name(const struct iot_check_locks *locks, iot_cat_id cat)
{
	return cat ? iot_tl_str(locks->tl, iot_cat_at(locks->tl, cat)->name) : "nothing";
}

static void set_owner(struct iot_finding *finding, guint i, const struct owner *owner)
{
	finding->row[i] = owner->row;
	finding->lane[i] = owner->lane;
	finding->node[i] = owner->node;
}

static void add_order(struct iot_finding *finding, const struct owner *before, guint64 t_before,
		      const struct owner *after, guint64 t_after)
{
	struct iot_instant *order = finding->order[finding->n_orders++];

	order[0] = (struct iot_instant){ before->node, t_before };
	order[1] = (struct iot_instant){ after->node, t_after };
}

/*
 * Both were held at one time if each was still held after the other one had begun. The end of a
 * hold that its holder did not release proves nothing: the holder may have died.
 */
void iot_check_overlap(struct iot_check_locks *locks, int check, const struct pair *a,
		       const struct pair *b)
{
	const struct pair *first = a->hold.t0 <= b->hold.t0 ? a : b, *later = first == a ? b : a;
	guint64 until = MIN(a->hold.t1, b->hold.t1);
	g_autofree char *both = iot_format_duration(until - later->hold.t0);
	struct iot_finding finding = {
		.check = (guint)check,
		.at = later->hold.t0,
		.t0 = MIN(a->hold.called, b->hold.called),
		.t1 = first->hold.t1,
	};
	guint64 began = later->hold.t0;

	/* the begin of the later hold is enough, if it is certain which one is the later one */
	if (!locks->tl->clocks || iot_order(locks->tl->clocks, first->owner.node, first->hold.t0,
					    later->owner.node, began) != IOT_PROVED)
		began = later->hold.released ? later->hold.t1 : began;
	finding.t1 = MAX(finding.t1, began);
	set_owner(&finding, 0, &later->owner);
	set_owner(&finding, 1, &first->owner);
	add_order(&finding, &later->owner, later->hold.t0, &first->owner, first->hold.t1);
	add_order(&finding, &first->owner, first->hold.t0, &later->owner, began);
	if (!first->hold.released) {
		finding.grade = IOT_GRADE_POSSIBLE;
		finding.why = "no event says how long the first one was held";
	}
	if ((first->hold.flags | later->hold.flags) & (IOT_BEFORE | IOT_SUSPECT)) {
		finding.grade = IOT_GRADE_UNDECIDED;
		finding.why = "a begin or an end is not recorded";
	}
	finding.text = g_strdup_printf(
		"%s was granted to %s while %s held %s; both for %s",
		mode_name(locks, later->hold.cat), node_name(locks, &later->owner),
		node_name(locks, &first->owner), mode_name(locks, first->hold.cat), both);
	iot_findings_add(locks->tl, &finding);
}

static void add_unreleased(struct iot_check_locks *locks, const struct lock *lock,
			   const struct lock *waiter, guint64 ns, guint64 t1)
{
	g_autofree char *waited = iot_format_duration(ns);
	struct iot_finding finding = {
		.check = (guint)facts_of(locks, lock->type)->unreleased,
		.grade = IOT_GRADE_POSSIBLE,
		.why = "the holder may have had its reasons",
		.at = lock->noticed,
		.t0 = MIN(lock->certain.called, waiter->wait_t0),
		.t1 = t1,
	};

	set_owner(&finding, 0, &lock->owner);
	set_owner(&finding, 1, &waiter->owner);
	finding.text = g_strdup_printf(
		"%s kept %s for %s although it was asked to release, and "
		"%s waited for %s",
		node_name(locks, &lock->owner), mode_name(locks, lock->certain.cat), waited,
		node_name(locks, &waiter->owner), mode_name(locks, waiter->asks));
	iot_findings_add(locks->tl, &finding);
}

void iot_check_released(struct iot_check_locks *locks, struct lock *lock, const struct lock *waiter,
			guint64 t1)
{
	int check = facts_of(locks, lock->type)->unreleased;
	guint64 since;

	if (check == NO_CHECK || !lock->noticed || lock->reported || !waiter->waits ||
	    !exclude(locks, lock->certain.cat, waiter->asks))
		return;
	since = MAX(lock->noticed, waiter->wait_t0);
	if (t1 < since + check_at(locks, check)->within_ns)
		return;
	lock->reported = TRUE;
	add_unreleased(locks, lock, waiter, t1 - since, t1);
}

/* ---- the end */

static gboolean lasted(const struct iot_check_locks *locks, gboolean is_open, guint64 end)
{
	return is_open && end == locks->now;
}

static void add_unanswered(struct iot_check_locks *locks, const struct lock *lock, guint64 t0,
			   guint64 since, const char *what, const char *but)
{
	int check = facts_of(locks, lock->type)->unanswered;
	g_autofree char *waited = iot_format_duration(locks->now - t0);
	struct iot_finding finding = {
		.check = (guint)check,
		.grade = IOT_GRADE_POSSIBLE,
		.why = "the answer may come after the recording",
		.at = t0,
		.t0 = t0,
		.t1 = locks->now,
	};

	if (check == NO_CHECK || locks->now - since < check_at(locks, check)->within_ns)
		return;
	set_owner(&finding, 0, &lock->owner);
	finding.text = g_strdup_printf("the call of %s for %s has had no answer for %s, %s",
				       node_name(locks, &lock->owner), what, waited, but);
	iot_findings_add(locks->tl, &finding);
}

static gboolean is_blocked(const struct iot_check_locks *locks, const struct resource *resource,
			   const struct lock *waiter)
{
	for (guint i = 0; i < resource->locks->len; i++) {
		const struct lock *other = lock_at(resource, i);

		if (other != waiter &&
		    (other->unknown || !waiter->asks || exclude(locks, other->held, waiter->asks)))
			return TRUE;
	}
	return FALSE;
}

/* The oldest request must be blocked by a hold; later ones may be queued after it. */
void iot_check_waits(struct iot_check_locks *locks, const struct resource *resource)
{
	const struct lock *first = NULL;

	for (guint i = 0; i < resource->locks->len; i++) {
		const struct lock *lock = lock_at(resource, i);

		if (lasted(locks, lock->leaves, lock->leave_end))
			add_unanswered(locks, lock, lock->leave_t0, lock->leave_t0, "a release",
				       "which needs nobody's consent");
		if (!lasted(locks, lock->waits, lock->wait_end))
			continue;
		if (lock->overtaken)
			add_unanswered(locks, lock, lock->wait_t0, lock->wait_t0,
				       mode_name(locks, lock->asks),
				       "although later requests were granted");
		else if (!first || lock->wait_t0 < first->wait_t0)
			first = lock;
	}
	if (first && !is_blocked(locks, resource, first))
		add_unanswered(locks, first, first->wait_t0, MAX(first->wait_t0, resource->changed),
			       mode_name(locks, first->asks), "with nobody in the way");
}
