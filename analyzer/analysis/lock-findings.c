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
void iot_check_overlap(struct iot_check_locks *locks, int check, const struct checked_hold *a,
		       const struct checked_hold *b)
{
	const struct checked_hold *first = a->t0 <= b->t0 ? a : b, *later = first == a ? b : a;
	guint64 until = MIN(a->t1, b->t1);
	g_autofree char *both = iot_format_duration(until - later->t0);
	struct iot_finding finding = {
		.check = (guint)check,
		.at = later->t0,
		.t0 = MIN(a->called, b->called),
		.t1 = first->t1,
	};
	guint64 began = later->t0;

	/* the begin of the later hold is enough, if it is certain which one is the later one */
	if (!locks->tl->clocks || iot_order(locks->tl->clocks, first->owner.node, first->t0,
					    later->owner.node, began) != IOT_PROVED)
		began = later->released ? later->t1 : began;
	finding.t1 = MAX(finding.t1, began);
	set_owner(&finding, 0, &later->owner);
	set_owner(&finding, 1, &first->owner);
	add_order(&finding, &later->owner, later->t0, &first->owner, first->t1);
	add_order(&finding, &first->owner, first->t0, &later->owner, began);
	if (!first->released) {
		finding.grade = IOT_GRADE_POSSIBLE;
		finding.why = "no event says how long the first one was held";
	}
	if ((first->flags | later->flags) & (IOT_BEFORE | IOT_SUSPECT)) {
		finding.grade = IOT_GRADE_UNDECIDED;
		finding.why = "a begin or an end is not recorded";
	}
	finding.text = g_strdup_printf(
		"%s was granted to %s while %s held %s; both for %s", mode_name(locks, later->cat),
		node_name(locks, &later->owner), node_name(locks, &first->owner),
		mode_name(locks, first->cat), both);
	iot_findings_add(locks->tl, &finding);
}

static void add_unreleased(struct iot_check_locks *locks, struct iot_lock *lock,
			   struct iot_lock *waiter, guint64 ns, guint64 t1)
{
	const struct checked *holds = checked_of(locks, lock), *waits = checked_of(locks, waiter);
	const struct owner holder = owner_of(lock), other = owner_of(waiter);
	g_autofree char *waited = iot_format_duration(ns);
	struct iot_finding finding = {
		.check = (guint)facts_of(locks, lock->type)->unreleased,
		.grade = IOT_GRADE_POSSIBLE,
		.why = "the holder may have had its reasons",
		.at = holds->noticed,
		.t0 = MIN(holds->called, waits->wait_t0),
		.t1 = t1,
	};

	set_owner(&finding, 0, &holder);
	set_owner(&finding, 1, &other);
	finding.text =
		g_strdup_printf("%s kept %s for %s although it was asked to release, and "
				"%s waited for %s",
				node_name(locks, &holder), mode_name(locks, lock->hold.cat), waited,
				node_name(locks, &other), mode_name(locks, waits->asks));
	iot_findings_add(locks->tl, &finding);
}

void iot_check_released(struct iot_check_locks *locks, struct iot_lock *lock,
			struct iot_lock *waiter, guint64 t1)
{
	int check = facts_of(locks, lock->type)->unreleased;
	const struct checked *waits = checked_of(locks, waiter);
	struct checked *holds = checked_of(locks, lock);
	guint64 since;

	if (check == NO_CHECK || !holds->noticed || holds->reported || !waits->waits ||
	    !exclude(locks, lock->hold.cat, waits->asks))
		return;
	since = MAX(holds->noticed, waits->wait_t0);
	if (t1 < since + check_at(locks, check)->within_ns)
		return;
	holds->reported = TRUE;
	add_unreleased(locks, lock, waiter, t1 - since, t1);
}

/* ---- the end */

static gboolean lasted(const struct iot_check_locks *locks, gboolean is_open, guint64 end)
{
	return is_open && end == locks->now;
}

static void add_unanswered(struct iot_check_locks *locks, const struct iot_lock *lock, guint64 t0,
			   guint64 since, const char *what, const char *but)
{
	int check = facts_of(locks, lock->type)->unanswered;
	const struct owner owner = owner_of(lock);
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
	set_owner(&finding, 0, &owner);
	finding.text = g_strdup_printf("the call of %s for %s has had no answer for %s, %s",
				       node_name(locks, &owner), what, waited, but);
	iot_findings_add(locks->tl, &finding);
}

/* The end of the last recovery that began while @lock waited to convert; 0: there was none. */
static guint64 recovered_at(const struct iot_check_locks *locks, struct iot_lock *lock)
{
	const struct checked *checked = checked_of(locks, lock);
	g_autoptr(GArray) claims = g_array_new(FALSE, FALSE, sizeof(struct iot_claim));
	guint64 end = 0;

	iot_intervals_append(locks->intervals, lock->resource->row, checked->wait_t0, locks->now,
			     claims);
	for (guint i = 0; i < claims->len; i++) {
		const struct iot_claim *claim = iot_claim_at(claims, i);

		if (claim->kind == IOT_CLAIM_RECOVERY && !claim->open &&
		    claim->t0 >= checked->wait_t0)
			end = MAX(end, claim->t1);
	}
	return end;
}

/* A conversion that a recovery lost; FALSE: nothing shows it. */
static gboolean add_lost(struct iot_check_locks *locks, struct iot_lock *lock)
{
	int check = facts_of(locks, lock->type)->lost;
	const struct checked *checked = checked_of(locks, lock);
	const struct owner owner = owner_of(lock);
	g_autofree char *since = NULL;
	struct iot_finding finding = {
		.check = (guint)check,
		.grade = IOT_GRADE_POSSIBLE,
		.why = "the answer may come after the recording",
		.at = checked->wait_t0,
		.t0 = checked->wait_t0,
		.t1 = locks->now,
	};
	guint64 end = check != NO_CHECK && checked->held ? recovered_at(locks, lock) : 0;

	if (!end || locks->now - end < check_at(locks, check)->within_ns)
		return FALSE;
	since = iot_format_duration(locks->now - end);
	set_owner(&finding, 0, &owner);
	finding.text = g_strdup_printf("the conversion of %s from %s to %s was pending when a "
				       "recovery began, and has had no answer for %s after it",
				       node_name(locks, &owner), mode_name(locks, checked->held),
				       mode_name(locks, checked->asks), since);
	iot_findings_add(locks->tl, &finding);
	return TRUE;
}

static gboolean is_blocked(const struct iot_check_locks *locks, const struct iot_resource *resource,
			   struct iot_lock *waiter)
{
	iot_cat_id asks = checked_of(locks, waiter)->asks;

	for (guint i = 0; i < resource->locks->len; i++) {
		const struct checked *other = checked_of(locks, lock_at(resource, i));

		if (lock_at(resource, i) != waiter &&
		    (other->unknown || !asks || exclude(locks, other->held, asks)))
			return TRUE;
	}
	return FALSE;
}

/* The oldest request must be blocked by a hold; later ones may be queued after it. */
void iot_check_waits(struct iot_check_locks *locks, struct iot_resource *resource)
{
	const struct checked_resource *of_resource = iot_locks_part(resource, locks->of_resource);
	struct iot_lock *first = NULL;
	guint64 oldest = 0;

	for (guint i = 0; i < resource->locks->len; i++) {
		struct iot_lock *lock = lock_at(resource, i);
		const struct checked *checked = checked_of(locks, lock);

		if (lasted(locks, checked->leaves, checked->leave_end))
			add_unanswered(locks, lock, checked->leave_t0, checked->leave_t0,
				       "a release", "which needs nobody's consent");
		if (!lasted(locks, checked->waits, checked->wait_end) || add_lost(locks, lock))
			continue;
		if (checked->overtaken) {
			add_unanswered(locks, lock, checked->wait_t0, checked->wait_t0,
				       mode_name(locks, checked->asks),
				       "although later requests were granted");
		} else if (!first || checked->wait_t0 < oldest) {
			first = lock;
			oldest = checked->wait_t0;
		}
	}
	if (first && !is_blocked(locks, resource, first))
		add_unanswered(locks, first, oldest, MAX(oldest, of_resource->changed),
			       mode_name(locks, checked_of(locks, first)->asks),
			       "with nobody in the way");
}
