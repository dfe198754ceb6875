/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/check-locks-local.h"

/* Ended holds of others that wait for the end of a hold with which they overlap. */
enum { MAX_OVERLAPS = 64 };

static void forget(gpointer data, struct iot_lock *lock)
{
	g_clear_pointer(&checked_of(data, lock)->overlaps, g_array_unref);
}

/* ---- checks */

static void add_check(struct iot_check_locks *locks, const struct iot_check *check, int number)
{
	struct type_facts *facts = &g_array_index(locks->types, struct type_facts, check->type);

	facts->checked = TRUE;
	if (check->kind == IOT_CHECK_OVERLAP)
		facts->overlap = number;
	else if (check->kind == IOT_CHECK_UNANSWERED)
		facts->unanswered = number;
	else if (check->kind == IOT_CHECK_LOST)
		facts->lost = number;
	else
		facts->unreleased = number;
	if (check->kind != IOT_CHECK_UNRELEASED)
		return;
	if (locks->notices->len <= check->notice)
		g_array_set_size(locks->notices, check->notice + 1);
	g_array_index(locks->notices, iot_type_id, check->notice) = check->type;
}

struct iot_check_locks *iot_check_locks_new(const struct iot_timeline *tl)
{
	const GArray *checks = iot_findings_checks(tl->findings);
	struct iot_check_locks *locks = g_new0(struct iot_check_locks, 1);
	gboolean any = FALSE;

	locks->tl = tl;
	locks->types = g_array_new(FALSE, TRUE, sizeof(struct type_facts));
	g_array_set_size(locks->types, tl->types.n);
	for (guint i = 0; i < locks->types->len; i++)
		g_array_index(locks->types, struct type_facts, i) = (struct type_facts){
			.overlap = NO_CHECK,
			.unanswered = NO_CHECK,
			.lost = NO_CHECK,
			.unreleased = NO_CHECK,
		};
	locks->notices = g_array_new(FALSE, TRUE, sizeof(iot_type_id));
	for (guint i = 0; i < checks->len; i++) {
		const struct iot_check *check = &g_array_index(checks, struct iot_check, i);

		if (!check->type || check->kind == IOT_CHECK_RACE)
			continue;
		add_check(locks, check, (int)i);
		if (check->kind == IOT_CHECK_LOST && !locks->intervals)
			locks->intervals = iot_intervals_new(tl);
		any = TRUE;
	}
	if (!any)
		g_clear_pointer(&locks, iot_check_locks_free);
	return locks;
}

void iot_check_locks_free(struct iot_check_locks *locks)
{
	if (!locks)
		return;
	g_array_unref(locks->types);
	g_array_unref(locks->notices);
	iot_intervals_free(locks->intervals);
	for (iot_row_id row = 0; locks->table && row < iot_locks_n_rows(locks->table); row++) {
		struct iot_resource *resource = iot_locks_resource(locks->table, row);

		for (guint i = 0; resource && i < resource->locks->len; i++)
			forget(locks, lock_at(resource, i));
	}
	g_free(locks);
}

/* ---- certain holds */

static struct checked_resource *changes(const struct iot_check_locks *locks,
					const struct iot_lock *lock, guint64 now)
{
	struct checked_resource *resource = iot_locks_part(lock->resource, locks->of_resource);

	resource->changed = MAX(resource->changed, now);
	return resource;
}

/* Requests are granted in the order in which they come to the lock manager; conversions come first.
 * So an older request is not there any more. */
static void note_overtaken(struct iot_check_locks *locks, struct iot_lock *lock, guint64 called)
{
	int check = facts_of(locks, lock->type)->unanswered;
	const struct checked *checked = checked_of(locks, lock);

	if (check == NO_CHECK || checked->hold_t1 == checked->call_t1)
		return;
	for (guint i = 0; i < lock->resource->locks->len; i++) {
		struct checked *other = checked_of(locks, lock_at(lock->resource, i));

		if (other->waits && called >= other->wait_t0 + check_at(locks, check)->within_ns)
			other->overtaken = TRUE;
	}
}

static void hold_begins(gpointer data, struct iot_lock *lock, const struct iot_item *item)
{
	struct iot_check_locks *locks = data;
	struct checked_resource *resource;
	struct checked *checked = checked_of(locks, lock);
	guint mode = iot_cat_at(locks->tl, lock->hold.cat)->mode;

	if (!facts_of(locks, lock->type)->checked)
		return;
	resource = changes(locks, lock, 0);
	if (iot_cat_at(locks->tl, item->cat)->role == IOT_ROLE_HOLD) {
		checked->flags = item->flags;
		checked->called = item->t0;
		if (checked->call_t1 == item->t0) {
			checked->called = checked->call_t0;
			note_overtaken(locks, lock, checked->called);
		}
		checked->is_rest = checked->kept == item->cat && checked->kept_t1 == item->t0;
	} else if (lock->hold.kept) {
		checked->is_rest = TRUE;
	} else {
		checked->is_rest = FALSE;
		checked->flags = 0;
		checked->called = item->t0;
	}
	checked->noticed = 0;
	checked->reported = FALSE;
	if (!resource->certain[mode]++)
		resource->modes |= G_GUINT64_CONSTANT(1) << mode;
}

static gboolean same_owner(const struct owner *a, const struct owner *b)
{
	return a->row == b->row && a->lane == b->lane;
}

/* Remember an ended hold until the hold of @open ends. A hold that went down to a weaker mode, and
 * still overlaps, is one. */
static void remember_overlap(struct checked *open, const struct checked_hold *ended)
{
	if (!open->overlaps)
		open->overlaps = g_array_new(FALSE, FALSE, sizeof(struct checked_hold));
	for (guint i = 0; i < open->overlaps->len; i++) {
		struct checked_hold *hold = &g_array_index(open->overlaps, struct checked_hold, i);

		if (ended->kept && same_owner(&hold->owner, &ended->owner) &&
		    hold->t1 == ended->t0) {
			hold->t1 = ended->t1;
			return;
		}
	}
	if (open->overlaps->len < MAX_OVERLAPS)
		g_array_append_val(open->overlaps, *ended);
}

/* Judge the overlaps of an ended hold, and remember it where another one goes on. */
static void judge_overlaps(struct iot_check_locks *locks, struct iot_lock *lock,
			   const struct checked_resource *resource,
			   const struct checked_hold *ended)
{
	int overlap = facts_of(locks, lock->type)->overlap;
	struct checked *checked = checked_of(locks, lock);

	if (ended->t1 <= ended->t0 || overlap == NO_CHECK)
		return;
	for (guint i = 0; checked->overlaps && i < checked->overlaps->len; i++) {
		const struct checked_hold *other =
			&g_array_index(checked->overlaps, struct checked_hold, i);

		/* a rest adds nothing to the finding about the whole hold */
		if (!ended->kept || other->t0 >= ended->t0)
			iot_check_overlap(locks, overlap, other, ended);
	}
	g_clear_pointer(&checked->overlaps, g_array_unref);
	if (!(resource->modes & ~iot_cat_at(locks->tl, ended->cat)->compatible))
		return;
	for (guint i = 0; i < lock->resource->locks->len; i++) {
		struct iot_lock *other = lock_at(lock->resource, i);

		if (other != lock && exclude(locks, other->hold.cat, ended->cat) &&
		    other->hold.t0 < ended->t1)
			remember_overlap(checked_of(locks, other), ended);
	}
}

static void hold_ends(gpointer data, struct iot_lock *lock, const struct iot_item *item, guint64 t1)
{
	const guint unseen = IOT_UNFINISHED | IOT_SUSPECT | IOT_CUT_RIGHT;
	struct iot_check_locks *locks = data;
	struct checked *checked = checked_of(locks, lock);
	struct checked_resource *resource;
	guint mode = iot_cat_at(locks->tl, lock->hold.cat)->mode, flags = 0;
	struct checked_hold ended;

	if (!facts_of(locks, lock->type)->checked)
		return;
	resource = changes(locks, lock, 0);
	for (guint i = 0; checked->noticed && i < lock->resource->locks->len; i++)
		if (lock_at(lock->resource, i) != lock)
			iot_check_released(locks, lock, lock_at(lock->resource, i), t1);
	if (!--resource->certain[mode])
		resource->modes &= ~(G_GUINT64_CONSTANT(1) << mode);
	if (item->kind == IOT_ITEM_SPAN)
		flags = iot_cat_at(locks->tl, item->cat)->role == IOT_ROLE_HOLD
				? item->flags
				: item->flags & unseen;
	ended = (struct checked_hold){ .owner = owner_of(lock),
				       .cat = lock->hold.cat,
				       .flags = (guint16)(checked->flags | flags),
				       .t0 = lock->hold.t0,
				       .t1 = t1,
				       .called = checked->called,
				       .kept = checked->is_rest,
				       .released = !(flags & unseen) };
	if (ended.kept) {
		checked->kept = ended.cat;
		checked->kept_t1 = t1;
	}
	judge_overlaps(locks, lock, resource, &ended);
}

/* ---- spans */

static gboolean is_unfinished(guint flags)
{
	return (flags & IOT_UNFINISHED) != 0;
}

static void take_wait(struct iot_check_locks *locks, struct iot_lock *lock,
		      const struct iot_item *item)
{
	struct checked *checked = checked_of(locks, lock);

	if (item->kind == IOT_ITEM_SPAN_BEGIN) {
		checked->waits = TRUE;
		checked->asks = item->asks;
		checked->wait_t0 = item->t0;
		checked->wait_end = 0;
		checked->overtaken = FALSE;
		return;
	}
	for (guint i = 0; i < lock->resource->locks->len; i++)
		if (lock_at(lock->resource, i) != lock)
			iot_check_released(locks, lock_at(lock->resource, i), lock, item->t1);
	checked->call_t0 = item->t0;
	checked->call_t1 = item->t1;
	checked->waits = is_unfinished(item->flags);
	checked->wait_end = checked->waits ? item->t1 : 0;
}

static void take_leaving(struct checked *checked, const struct iot_item *item)
{
	gboolean begins = item->kind == IOT_ITEM_SPAN_BEGIN;

	checked->leaves = begins || is_unfinished(item->flags);
	checked->leave_t0 = item->t0;
	checked->leave_end = begins || !is_unfinished(item->flags) ? 0 : item->t1;
	if (checked->leaves)
		return;
	checked->call_t0 = item->t0;
	checked->call_t1 = item->t1;
}

static void take_hold(struct checked *checked, const struct iot_item *item)
{
	gboolean begins = item->kind == IOT_ITEM_SPAN_BEGIN;

	if (!begins)
		checked->hold_t1 = item->t1;
	if (begins || !is_unfinished(item->flags))
		checked->held = begins ? item->cat : 0;
	if (begins || !is_unfinished(item->flags))
		checked->unknown = begins && item->flags & IOT_UNKNOWN;
}

static void take_span(gpointer data, struct iot_lock *lock, const struct iot_item *item)
{
	struct iot_check_locks *locks = data;
	enum iot_role role = iot_cat_at(locks->tl, item->cat)->role;
	struct checked *checked = checked_of(locks, lock);
	gboolean begins = item->kind == IOT_ITEM_SPAN_BEGIN;

	if (!facts_of(locks, item->type)->checked)
		return;
	/* a hold that the end of the recording cuts has not changed then */
	if (begins ? role == IOT_ROLE_HOLD || iot_item_leaves(locks->tl, item)
		   : role == IOT_ROLE_HOLD && !is_unfinished(item->flags))
		changes(locks, lock, begins ? item->t0 : item->t1);
	if (role == IOT_ROLE_LEAVING)
		take_leaving(checked, item);
	else if (role == IOT_ROLE_WAIT)
		take_wait(locks, lock, item);
	else if (role == IOT_ROLE_HOLD)
		take_hold(checked, item);
	iot_lock_keep(lock, locks->keeper,
		      checked->held || checked->unknown || checked->waits || checked->leaves);
}

static gboolean asks_to_release(const struct iot_check_locks *locks, iot_cat_id cat)
{
	return cat < locks->notices->len && g_array_index(locks->notices, iot_type_id, cat);
}

gboolean iot_check_locks_wants(const struct iot_check_locks *locks, enum iot_item_kind kind,
			       iot_cat_id cat)
{
	if (kind == IOT_ITEM_POINT)
		return asks_to_release(locks, cat);
	return locks->intervals && kind != IOT_ITEM_GAP &&
	       iot_intervals_wants(kind, iot_cat_at(locks->tl, cat)->role);
}

void iot_check_locks_item(struct iot_check_locks *locks, const struct iot_item *item)
{
	struct iot_lock *lock;

	if (item->kind != IOT_ITEM_POINT) {
		iot_intervals_item(locks->intervals, item);
		return;
	}
	lock = iot_locks_find(locks->table, item->row, item->lane);
	if (lock && lock->hold.cat && !checked_of(locks, lock)->noticed)
		checked_of(locks, lock)->noticed = item->t0;
}

void iot_check_locks_listen(struct iot_check_locks *locks, struct iot_locks *table)
{
	const struct iot_locks_listener listener = { .span = take_span,
						     .holds = hold_begins,
						     .held = hold_ends,
						     .forgotten = forget,
						     .user_data = locks };

	locks->table = table;
	locks->keeper = iot_locks_keeper(table);
	locks->of_lock = iot_locks_room_lock(table, sizeof(struct checked));
	locks->of_resource = iot_locks_room_resource(table, sizeof(struct checked_resource));
	iot_locks_listen(table, &listener);
}

/* ---- the end */

void iot_check_locks_finish(struct iot_check_locks *locks, guint64 now)
{
	locks->now = now;
	for (iot_row_id row = 0; row < iot_locks_n_rows(locks->table); row++)
		if (iot_locks_resource(locks->table, row))
			iot_check_waits(locks, iot_locks_resource(locks->table, row));
}
