/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/accounts-local.h"

enum {
	/* Accounts that a span keeps apart; more are merged to one. */
	MAX_CHILDREN = 256,
	MAX_PARTS = 512
};

static void add_child(struct iot_work *to, const struct iot_child *child)
{
	if (!to->children) {
		to->children = g_array_new(FALSE, FALSE, sizeof(struct iot_child));
		g_array_set_clear_func(to->children, iot_child_clear);
	}
	if (to->children->len == MAX_CHILDREN) {
		struct iot_child all = { .t0 = to->since, .w0 = to->since };

		all.parts = iot_account_fold(to->children, 0, G_MAXUINT64, &to->n_concurrent);
		iot_account_shrink(all.parts, MAX_PARTS);
		all.t1 = all.w1 = child->t1;
		g_array_set_size(to->children, 0);
		g_array_append_val(to->children, all);
	}
	g_array_append_val(to->children, *child);
	g_array_ref(child->parts);
}

/* Say it to those who hear of requests of threads. */
static void tell_request(const struct iot_accounts *accounts, const struct iot_work *of,
			 const struct iot_child *child)
{
	if (accounts->requested && child->linked && of->thread)
		accounts->requested(accounts->requested_data, of->node, of->pid, child);
}

/* Add it to the span, and to the spans of the thread around it. */
static void add_to_thread(const struct iot_accounts *accounts, struct iot_work *to,
			  const struct iot_child *child)
{
	tell_request(accounts, to, child);
	if (!to->parts)
		add_child(to, child);
	for (guint i = 0; to->thread && i < to->thread->open->len; i++) {
		struct iot_work *other = to->thread->open->pdata[i];

		if (other != to && !other->parts && other->t0 <= MAX(child->t0, to->t0))
			add_child(other, child);
	}
}

/* A child of the span for what @work did, without the way back. */
static struct iot_child make_child(const struct iot_work *work, guint64 sent, gboolean linked)
{
	const struct iot_account_part own = { .cat = work->cat, .row = work->row };

	return (struct iot_child){
		.t0 = MIN(sent, work->since),
		.t1 = work->t1,
		.w0 = work->since,
		.w1 = work->t1,
		.parts = iot_account_fill(work->parts, work->since, work->t1, &own),
		.cat = work->cat,
		.row = work->row,
		.lane = work->lane,
		.linked = linked,
	};
}

void iot_work_ask(struct iot_accounts *accounts, const struct iot_work_link *link)
{
	struct iot_work *caller = iot_work_find(accounts, link->row, link->lane, link->from);
	struct iot_work *work = iot_work_find(accounts, link->row_to, link->lane_to, link->to);
	struct iot_work_caller new = { caller, link->from };

	if (!caller || !work || caller == work || work->t0 != link->to)
		return;
	/* what had come before it was sent is not its data */
	if (work->arrived < link->from && work->since == work->arrived)
		work->arrived = work->since = MIN(link->from, work->t0);
	/* it has left its sender when it arrives, and at the latest when the sender says so */
	if (caller->t0 == link->from)
		new.sent = MAX(link->from, MIN(caller->sent, work->since));
	if (iot_work_node(accounts, work->row) != iot_work_node(accounts, caller->row))
		work->serves = TRUE;
	else
		new.sent = G_MAXUINT64; /* nothing travels */
	if (!work->callers)
		work->callers = g_array_new(FALSE, FALSE, sizeof(struct iot_work_caller));
	g_array_append_val(work->callers, new);
	caller->refs++;
}

static gboolean extend(const struct iot_accounts *accounts, struct iot_work *work,
		       const struct iot_work_link *link)
{
	for (guint i = work->children && !work->parts ? work->children->len : 0; i; i--) {
		struct iot_child *child = &g_array_index(work->children, struct iot_child, i - 1);

		if (child->row != link->row || child->lane != link->lane || child->w1 != link->from)
			continue;
		child->t1 = MAX(child->t1, link->to);
		tell_request(accounts, work, child);
		return TRUE;
	}
	return FALSE;
}

static guint64 end_hash(iot_row_id row, guint16 lane, guint64 t1)
{
	return iot_hash_mix(iot_work_lane_hash(row, lane), t1);
}

void iot_work_answer(struct iot_accounts *accounts, struct iot_work_link *link, struct iot_work *to)
{
	guint64 hash = end_hash(link->row, link->lane, link->from);
	guint at = iot_hashset_first(&accounts->unclaimed, hash);
	gboolean known = extend(accounts, to, link);
	struct iot_child child;
	struct iot_work *work;

	link->used = TRUE;
	for (guint i = 0; to->thread && i < to->thread->open->len; i++)
		if (to->thread->open->pdata[i] != to)
			known |= extend(accounts, to->thread->open->pdata[i], link);
	if (known)
		return;
	while ((work = iot_hashset_next(&accounts->unclaimed, hash, &at)) &&
	       (work->row != link->row || work->lane != link->lane || work->t1 != link->from ||
		work == to))
		;
	if (!work)
		return;
	child = make_child(work, G_MAXUINT64, TRUE);
	if (to->t0 == link->to) {
		to->since = MIN(to->since, work->since);
		if (!to->parts)
			add_child(to, &child);
	} else {
		child.t1 = MAX(child.t1, link->to);
		add_to_thread(accounts, to, &child);
	}
	g_array_unref(child.parts);
}

static void keep_unclaimed(struct iot_accounts *accounts, struct iot_work *work)
{
	struct iot_work **place = &accounts->ring[accounts->ring_at++ % IOT_MAX_UNCLAIMED];

	if (*place) {
		iot_hashset_remove(&accounts->unclaimed,
				   end_hash((*place)->row, (*place)->lane, (*place)->t1), *place);
		iot_work_release(*place);
	}
	*place = work;
	work->refs++;
	iot_hashset_add(&accounts->unclaimed, end_hash(work->row, work->lane, work->t1), work);
}

/* The wait in a queue that is not drawn. */
static void add_queue(struct iot_work *work)
{
	const struct iot_account_part part = { .t0 = work->arrived,
					       .t1 = work->t0,
					       .cat = work->cat,
					       .row = work->row,
					       .phase = IOT_PHASE_QUEUE };
	struct iot_child child = { .t0 = part.t0, .t1 = part.t1, .w0 = part.t0, .w1 = part.t1 };

	if (part.t0 >= part.t1)
		return;
	child.parts = g_array_new(FALSE, FALSE, sizeof(part));
	g_array_append_val(child.parts, part);
	add_child(work, &child);
	g_array_unref(child.parts);
}

/* The span has ended: its account goes to all that it was done for. */
void iot_work_finish(struct iot_accounts *accounts, struct iot_work *work)
{
	struct iot_work_thread *thread = work->thread;
	struct iot_child child;

	add_queue(work);
	if (work->children) {
		work->parts = iot_account_fold(work->children, work->since, work->t1,
					       &work->n_concurrent);
		iot_account_shrink(work->parts, MAX_PARTS);
		g_clear_pointer(&work->children, g_array_unref);
	} else {
		work->parts = g_array_new(FALSE, FALSE, sizeof(struct iot_account_part));
	}
	for (guint i = 0; work->callers && i < work->callers->len; i++) {
		const struct iot_work_caller *caller =
			&g_array_index(work->callers, struct iot_work_caller, i);

		child = make_child(work, caller->sent, TRUE);
		if (!caller->work->parts)
			add_to_thread(accounts, caller->work, &child);
		g_array_unref(child.parts);
	}
	for (guint i = 0; thread && i < thread->open->len; i++) {
		struct iot_work *other = thread->open->pdata[i];

		/* the same call on another row has the same begin and end */
		if (other == work || other->parts || other->t0 > work->t0 ||
		    (other->t0 == work->t0 && other->t1 == work->t1))
			continue;
		child = make_child(work, G_MAXUINT64, FALSE);
		add_child(other, &child);
		g_array_unref(child.parts);
	}
	if (!work->callers)
		keep_unclaimed(accounts, work);
	iot_work_leave_thread(accounts, work);
}
