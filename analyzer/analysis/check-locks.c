/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/check-locks.h"
#include "base/units.h"

#include <string.h>

enum {
	NO_CHECK = -1,
	/* Ended holds of others that wait for the end of a hold with which they overlap. */
	MAX_PAIRS = 64
};

/* The checks about spans of a type, by number; NO_CHECK: there is none. */
struct type_facts {
	int overlap, unanswered, unreleased;
	gboolean checked;
};

/* A certain hold. */
struct hold {
	iot_cat_id cat; /* 0: none */
	guint16 flags;
	guint64 t0, t1;
	guint64 called;	   /* begin of the call that led to it */
	gboolean kept;	   /* it is the rest of a hold that went down to it */
	gboolean released; /* it ended by a recorded event of its holder */
};

struct owner {
	iot_row_id row;
	guint16 lane;
	iot_str node;
};

/* An ended hold that overlaps with a hold that excludes it and has not ended. */
struct pair {
	struct owner owner;
	struct hold hold;
};

struct lock {
	struct owner owner;
	iot_type_id type;
	/* spans that are open, or were unfinished at their end */
	iot_cat_id held;
	gboolean unknown;   /* the mode that is held is not known */
	gboolean overtaken; /* a much later request of another lock was granted */
	gboolean waits, leaves;
	iot_cat_id asks;
	guint64 wait_t0, leave_t0;
	guint64 wait_end, leave_end, held_end; /* of an unfinished span; 0: it is open */
	/* the last call that was completed */
	guint64 call_t0, call_t1;
	guint64 hold_t1; /* end of the last hold */
	/* the mode that the last hold went down to, and the end of that rest */
	iot_cat_id kept;
	guint64 kept_t1;
	struct hold certain;
	guint64 noticed; /* the holder was asked to release; 0: not */
	gboolean reported;
	GArray *pairs; /* struct pair; NULL: none */
};

struct resource {
	GArray *locks;			    /* struct lock */
	guint16 certain[IOT_MAX_MODES + 1]; /* certain holds, by mode */
	guint64 modes;			    /* bits of modes with certain holds */
	guint64 changed;		    /* last begin or end of a hold */
	iot_row_id row;
	gboolean tidied; /* it is in the list of untidy resources */
};

struct iot_check_locks {
	const struct iot_timeline *tl;
	GArray *types;	      /* struct type_facts, by type */
	GArray *notices;      /* iot_type_id of spans, by category of points; 0: no notice */
	GPtrArray *resources; /* struct resource or NULL, by row */
	GPtrArray *untidy;    /* struct resource on which a span ended at the present instant */
	guint64 now;	      /* at the end */
};

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

static const struct iot_check *check_at(const struct iot_check_locks *locks, int check)
{
	return &g_array_index(iot_findings_checks(locks->tl->findings), struct iot_check, check);
}

static const struct type_facts *facts_of(const struct iot_check_locks *locks, iot_type_id type)
{
	return &g_array_index(locks->types, struct type_facts, type);
}

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

static struct lock *lock_at(const struct resource *resource, guint i)
{
	return &g_array_index(resource->locks, struct lock, i);
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

static gboolean exclude(const struct iot_check_locks *locks, iot_cat_id a, iot_cat_id b)
{
	return a && b && !iot_cats_compatible(locks->tl, a, b);
}

/* ---- findings */

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
static void add_overlap(struct iot_check_locks *locks, int check, const struct pair *a,
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

/* At @t1 the holder releases, or the waiter gives up, or the recording ends. */
static void check_released(struct iot_check_locks *locks, struct lock *lock,
			   const struct lock *waiter, guint64 t1)
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
			check_released(locks, lock, lock_at(resource, i), t1);
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
			add_overlap(locks, overlap, pair, &ended);
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
			check_released(locks, lock_at(resource, i), lock, item->t1);
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
static void check_waits(struct iot_check_locks *locks, const struct resource *resource)
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

void iot_check_locks_finish(struct iot_check_locks *locks, guint64 now)
{
	locks->now = now;
	for (guint i = 0; i < locks->resources->len; i++)
		if (locks->resources->pdata[i])
			check_waits(locks, locks->resources->pdata[i]);
}
