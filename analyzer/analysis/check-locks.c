/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/check-locks-local.h"

/* Ended holds of others that wait for the end of a hold with which they overlap. */
enum { MAX_PAIRS = 64 };

static void clear_lock(gpointer data)
{
	struct lock *lock = data;

	g_clear_pointer(&lock->pairs, g_array_unref);
}

static void resource_free(gpointer data)
{
	struct resource *resource = data;

	if (!resource)
		return;
	g_array_unref(resource->locks);
	g_free(resource);
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
			.overlap = NO_CHECK, .unanswered = NO_CHECK, .unreleased = NO_CHECK
		};
	locks->notices = g_array_new(FALSE, TRUE, sizeof(iot_type_id));
	locks->resources = g_ptr_array_new_with_free_func(resource_free);
	locks->untidy = g_ptr_array_new();
	for (guint i = 0; i < checks->len; i++) {
		const struct iot_check *check = &g_array_index(checks, struct iot_check, i);

		if (!check->type)
			continue;
		add_check(locks, check, (int)i);
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
	g_ptr_array_unref(locks->untidy);
	g_ptr_array_unref(locks->resources);
	g_free(locks);
}

/* ---- resources and locks */

static struct resource *resource_of(struct iot_check_locks *locks, iot_row_id row, iot_str *node)
{
	iot_row_id at = iot_row_node(locks->tl, row);
	iot_row_id above = at ? iot_row_at(locks->tl, at)->parent : 0;
	struct resource **slot;

	if (!above)
		return NULL;
	*node = iot_row_at(locks->tl, at)->name;
	if (locks->resources->len <= above)
		g_ptr_array_set_size(locks->resources, (gint)above + 1);
	slot = (struct resource **)&locks->resources->pdata[above];
	if (!*slot) {
		*slot = g_new0(struct resource, 1);
		(*slot)->locks = g_array_new(FALSE, TRUE, sizeof(struct lock));
		g_array_set_clear_func((*slot)->locks, clear_lock);
		(*slot)->row = above;
	}
	return *slot;
}

static gboolean same_owner(const struct owner *a, const struct owner *b)
{
	return a->row == b->row && a->lane == b->lane;
}

static struct lock *find_lock(const struct resource *resource, const struct owner *owner)
{
	for (guint i = resource->locks->len; i; i--)
		if (same_owner(&lock_at(resource, i - 1)->owner, owner))
			return lock_at(resource, i - 1);
	return NULL;
}

static struct lock *lock_of(struct resource *resource, const struct owner *owner, iot_type_id type)
{
	struct lock *lock = find_lock(resource, owner);

	if (lock)
		return lock;
	g_array_set_size(resource->locks, resource->locks->len + 1);
	lock = lock_at(resource, resource->locks->len - 1);
	lock->owner = *owner;
	lock->type = type;
	return lock;
}

static gboolean is_idle(const struct lock *lock)
{
	return !lock->held && !lock->unknown && !lock->waits && !lock->leaves;
}

void iot_check_locks_tidy(struct iot_check_locks *locks)
{
	for (guint i = 0; i < locks->untidy->len; i++) {
		struct resource *resource = locks->untidy->pdata[i];

		resource->tidied = FALSE;
		for (guint k = resource->locks->len; k; k--)
			if (is_idle(lock_at(resource, k - 1)))
				g_array_remove_index_fast(resource->locks, k - 1);
		if (!resource->locks->len) {
			locks->resources->pdata[resource->row] = NULL;
			resource_free(resource);
		}
	}
	g_ptr_array_set_size(locks->untidy, 0);
}

/* ---- certain holds */

static gboolean is_unfinished(guint flags)
{
	return (flags & IOT_UNFINISHED) != 0;
}

static void begin_certain(struct iot_check_locks *locks, struct resource *resource,
			  struct lock *lock, const struct hold *hold)
{
	guint mode = iot_cat_at(locks->tl, hold->cat)->mode;

	lock->certain = *hold;
	lock->noticed = 0;
	lock->reported = FALSE;
	if (!resource->certain[mode]++)
		resource->modes |= G_GUINT64_CONSTANT(1) << mode;
}

/* Remember an ended hold until the hold of @open ends. A hold that went down to a weaker mode, and
 * still overlaps, is one. */
static void remember_pair(struct lock *open, const struct pair *ended)
{
	if (!open->pairs)
		open->pairs = g_array_new(FALSE, FALSE, sizeof(struct pair));
	for (guint i = 0; i < open->pairs->len; i++) {
		struct pair *pair = &g_array_index(open->pairs, struct pair, i);

		if (ended->hold.kept && same_owner(&pair->owner, &ended->owner) &&
		    pair->hold.t1 == ended->hold.t0) {
			pair->hold.t1 = ended->hold.t1;
			return;
		}
	}
	if (open->pairs->len < MAX_PAIRS)
		g_array_append_val(open->pairs, *ended);
}

static void end_certain(struct iot_check_locks *locks, struct resource *resource, struct lock *lock,
			guint64 t1, guint flags)
{
	struct pair ended = { lock->owner, lock->certain };
	int overlap = facts_of(locks, lock->type)->overlap;
	guint mode;

	if (!lock->certain.cat)
		return;
	for (guint i = 0; lock->noticed && i < resource->locks->len; i++)
		if (lock_at(resource, i) != lock)
			iot_check_released(locks, lock, lock_at(resource, i), t1);
	mode = iot_cat_at(locks->tl, lock->certain.cat)->mode;
	if (!--resource->certain[mode])
		resource->modes &= ~(G_GUINT64_CONSTANT(1) << mode);
	lock->certain.cat = 0;
	ended.hold.t1 = t1;
	ended.hold.flags |= (guint16)flags;
	ended.hold.released = !(flags & (IOT_UNFINISHED | IOT_SUSPECT | IOT_CUT_RIGHT));
	if (ended.hold.kept) {
		lock->kept = ended.hold.cat;
		lock->kept_t1 = t1;
	}
	if (t1 <= ended.hold.t0 || overlap == NO_CHECK)
		return;
	for (guint i = 0; lock->pairs && i < lock->pairs->len; i++) {
		const struct pair *pair = &g_array_index(lock->pairs, struct pair, i);

		/* a rest adds nothing to the finding about the whole hold */
		if (!ended.hold.kept || pair->hold.t0 >= ended.hold.t0)
			iot_check_overlap(locks, overlap, pair, &ended);
	}
	g_clear_pointer(&lock->pairs, g_array_unref);
	if (!(resource->modes & ~iot_cat_at(locks->tl, ended.hold.cat)->compatible))
		return;
	for (guint i = 0; i < resource->locks->len; i++) {
		struct lock *other = lock_at(resource, i);

		if (other != lock && exclude(locks, other->certain.cat, ended.hold.cat) &&
		    other->certain.t0 < t1)
			remember_pair(other, &ended);
	}
}

/* ---- spans */

/* Requests are granted in the order in which they come to the lock manager; conversions come first.
 * So an older request is not there any more. */
static void note_overtaken(struct iot_check_locks *locks, struct resource *resource,
			   const struct lock *lock, guint64 called)
{
	int check = facts_of(locks, lock->type)->unanswered;

	if (check == NO_CHECK || lock->hold_t1 == lock->call_t1)
		return;
	for (guint i = 0; i < resource->locks->len; i++) {
		struct lock *other = lock_at(resource, i);

		if (other->waits && called >= other->wait_t0 + check_at(locks, check)->within_ns)
			other->overtaken = TRUE;
	}
}

static void begin_hold(struct iot_check_locks *locks, struct resource *resource, struct lock *lock,
		       const struct iot_item *item)
{
	struct hold hold = { .cat = item->cat, .flags = item->flags, .t0 = item->t0 };

	lock->held = item->cat;
	lock->held_end = 0;
	lock->unknown = (item->flags & IOT_UNKNOWN) != 0;
	resource->changed = MAX(resource->changed, item->t0);
	if (lock->unknown || !iot_cat_at(locks->tl, item->cat)->mode)
		return;
	hold.called = item->t0;
	hold.kept = lock->kept == item->cat && lock->kept_t1 == item->t0;
	if (lock->call_t1 == item->t0) {
		hold.called = lock->call_t0;
		note_overtaken(locks, resource, lock, hold.called);
	}
	begin_certain(locks, resource, lock, &hold);
}

static void end_hold(struct iot_check_locks *locks, struct resource *resource, struct lock *lock,
		     const struct iot_item *item)
{
	resource->changed = MAX(resource->changed, item->t1);
	lock->hold_t1 = item->t1;
	end_certain(locks, resource, lock, item->t1, item->flags);
	if (is_unfinished(item->flags)) {
		lock->held_end = item->t1;
		return;
	}
	lock->held = 0;
	lock->unknown = FALSE;
}

/* A call gives the hold up; the mode that it asks for is kept. */
static void begin_leaving(struct iot_check_locks *locks, struct resource *resource,
			  struct lock *lock, const struct iot_item *item)
{
	struct hold kept = lock->certain;

	resource->changed = MAX(resource->changed, item->t0);
	end_certain(locks, resource, lock, item->t0, 0);
	if (!kept.cat || !item->asks || !iot_cat_at(locks->tl, item->asks)->mode ||
	    iot_cat_at(locks->tl, item->cat)->role != IOT_ROLE_LEAVING)
		return;
	kept.cat = item->asks;
	kept.kept = TRUE;
	kept.t0 = item->t0;
	begin_certain(locks, resource, lock, &kept);
}

/* The call was answered: if the hold stays, it is certain again. */
static void end_leaving(struct iot_check_locks *locks, struct resource *resource, struct lock *lock,
			const struct iot_item *item)
{
	struct hold again = { .cat = lock->held, .t0 = item->t1, .called = item->t0 };

	if (item->flags & (IOT_UNFINISHED | IOT_SUSPECT | IOT_CUT_RIGHT))
		return;
	end_certain(locks, resource, lock, item->t1, 0);
	if (lock->held && !lock->unknown && iot_cat_at(locks->tl, lock->held)->mode)
		begin_certain(locks, resource, lock, &again);
}

static void begin_wait(struct lock *lock, const struct iot_item *item)
{
	lock->waits = TRUE;
	lock->asks = item->asks;
	lock->wait_t0 = item->t0;
	lock->wait_end = 0;
	lock->overtaken = FALSE;
}

static void end_wait(struct iot_check_locks *locks, struct resource *resource, struct lock *lock,
		     const struct iot_item *item)
{
	for (guint i = 0; i < resource->locks->len; i++)
		if (lock_at(resource, i) != lock)
			iot_check_released(locks, lock_at(resource, i), lock, item->t1);
	lock->call_t0 = item->t0;
	lock->call_t1 = item->t1;
	if (is_unfinished(item->flags)) {
		lock->wait_end = item->t1;
		return;
	}
	lock->waits = FALSE;
}

static void take_span(struct iot_check_locks *locks, struct resource *resource, struct lock *lock,
		      const struct iot_item *item)
{
	gboolean begins = item->kind == IOT_ITEM_SPAN_BEGIN;
	enum iot_role role = iot_cat_at(locks->tl, item->cat)->role;

	if (iot_item_leaves(locks->tl, item)) {
		if (begins)
			begin_leaving(locks, resource, lock, item);
		else
			end_leaving(locks, resource, lock, item);
	}
	if (role == IOT_ROLE_LEAVING) {
		lock->leaves = begins || is_unfinished(item->flags);
		lock->leave_t0 = item->t0;
		lock->leave_end = begins || !is_unfinished(item->flags) ? 0 : item->t1;
		if (!lock->leaves) {
			lock->call_t0 = item->t0;
			lock->call_t1 = item->t1;
		}
	} else if (role == IOT_ROLE_WAIT) {
		if (begins)
			begin_wait(lock, item);
		else
			end_wait(locks, resource, lock, item);
	} else if (role == IOT_ROLE_HOLD) {
		if (begins)
			begin_hold(locks, resource, lock, item);
		else
			end_hold(locks, resource, lock, item);
	}
}

static void take_notice(struct iot_check_locks *locks, const struct iot_item *item)
{
	struct owner owner = { .row = item->row, .lane = item->lane };
	struct resource *resource = resource_of(locks, item->row, &owner.node);
	struct lock *lock = resource ? find_lock(resource, &owner) : NULL;

	if (lock && lock->certain.cat && !lock->noticed)
		lock->noticed = item->t0;
}

gboolean iot_check_locks_wants(const struct iot_check_locks *locks, enum iot_item_kind kind,
			       iot_cat_id cat)
{
	iot_type_id type = iot_cat_at(locks->tl, cat)->type;

	if (kind == IOT_ITEM_POINT)
		return cat < locks->notices->len && g_array_index(locks->notices, iot_type_id, cat);
	return (kind == IOT_ITEM_SPAN || kind == IOT_ITEM_SPAN_BEGIN) && type < locks->types->len &&
	       facts_of(locks, type)->checked;
}

gboolean iot_check_locks_item(struct iot_check_locks *locks, const struct iot_item *item)
{
	struct owner owner = { .row = item->row, .lane = item->lane };
	struct resource *resource;

	if (item->kind == IOT_ITEM_POINT) {
		take_notice(locks, item);
		return FALSE;
	}
	resource = resource_of(locks, item->row, &owner.node);
	if (!resource)
		return FALSE;
	take_span(locks, resource, lock_of(resource, &owner, item->type), item);
	if (item->kind == IOT_ITEM_SPAN && !resource->tidied) {
		resource->tidied = TRUE;
		g_ptr_array_add(locks->untidy, resource);
	}
	return item->kind == IOT_ITEM_SPAN;
}

/* ---- the end */

void iot_check_locks_finish(struct iot_check_locks *locks, guint64 now)
{
	locks->now = now;
	for (guint i = 0; i < locks->resources->len; i++)
		if (locks->resources->pdata[i])
			iot_check_waits(locks, locks->resources->pdata[i]);
}
