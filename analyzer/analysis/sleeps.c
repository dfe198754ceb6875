/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/sleeps-local.h"
#include "analysis/item-thread.h"

/* ---- facts of the models */

gboolean iot_sleeps_possible(const struct iot_timeline *tl)
{
	gboolean sleeps = FALSE, wakes = FALSE;

	for (iot_cat_id cat = 1; cat < tl->cats.n; cat++) {
		sleeps |= iot_cat_at(tl, cat)->sleeps;
		wakes |= iot_cat_at(tl, cat)->role == IOT_ROLE_WAKES;
	}
	return sleeps && wakes;
}

static enum iot_meaning meaning_of(const struct iot_sleeps *sleeps, iot_cat_id cat)
{
	const struct iot_category *category = iot_cat_at(sleeps->tl, cat);
	enum iot_reason reason = iot_cat_reason(sleeps->tl, cat);

	if (iot_type_at(sleeps->tl, category->type)->kind != IOT_TYPE_SPAN ||
	    category->type >= sleeps->states->len)
		return IOT_MEANS_NOTHING;
	if (g_array_index(sleeps->states, gboolean, category->type))
		return IOT_MEANS_STATE;
	if (reason == IOT_REASON_LOCK)
		return IOT_MEANS_LOCK;
	if (reason == IOT_REASON_DEVICE)
		return IOT_MEANS_DEVICE;
	if (g_array_index(sleeps->pid_at, gint8, category->type) < 0)
		return IOT_MEANS_NOTHING;
	return category->role == IOT_ROLE_WAIT	 ? IOT_MEANS_LOCK
	       : category->role == IOT_ROLE_CALL ? IOT_MEANS_CALL
						 : IOT_MEANS_NOTHING;
}

gboolean iot_sleeps_wants(const struct iot_sleeps *sleeps, enum iot_item_kind kind, iot_cat_id cat)
{
	enum iot_meaning meaning;

	if (kind == IOT_ITEM_LINK)
		return iot_cat_at(sleeps->tl, cat)->role == IOT_ROLE_WAKES;
	if (kind != IOT_ITEM_SPAN && kind != IOT_ITEM_SPAN_BEGIN)
		return FALSE;
	meaning = meaning_of(sleeps, cat);
	/* a recording without states costs nothing */
	return sleeps->any_state ? meaning != IOT_MEANS_NOTHING : meaning == IOT_MEANS_STATE;
}

/* ---- life */

static void sleeper_free(gpointer data)
{
	struct iot_sleeper *sleeper = data;

	g_array_unref(sleeper->open);
	g_array_unref(sleeper->history);
	g_free(sleeper);
}

struct iot_sleeps *iot_sleeps_new(struct iot_timeline *tl)
{
	struct iot_sleeps *sleeps = g_new0(struct iot_sleeps, 1);

	sleeps->tl = tl;
	iot_places_init(&sleeps->places, tl);
	sleeps->wakers = iot_wakers_new(tl);
	sleeps->pid_at = g_array_new(FALSE, FALSE, sizeof(gint8));
	sleeps->states = g_array_new(FALSE, TRUE, sizeof(gboolean));
	g_array_set_size(sleeps->states, tl->types.n);
	for (iot_cat_id cat = 1; cat < tl->cats.n; cat++)
		if (iot_cat_at(tl, cat)->sleeps)
			g_array_index(sleeps->states, gboolean, iot_cat_at(tl, cat)->type) = TRUE;
	for (iot_type_id id = 0; id < tl->types.n; id++) {
		const struct iot_type *type = id ? iot_type_at(tl, id) : NULL;
		gint8 at =
			(gint8)(type && type->kind == IOT_TYPE_SPAN ? iot_type_attr(tl, type, "pid")
								    : -1);

		g_array_append_val(sleeps->pid_at, at);
	}
	iot_hashset_init(&sleeps->threads);
	sleeps->by_row = g_ptr_array_new();
	sleeps->wakes = g_array_new(FALSE, FALSE, sizeof(struct iot_wake_up));
	iot_history_init(sleeps);
	return sleeps;
}

void iot_sleeps_free(struct iot_sleeps *sleeps)
{
	if (!sleeps)
		return;
	iot_places_clear(&sleeps->places);
	iot_wakers_free(sleeps->wakers);
	g_array_unref(sleeps->pid_at);
	g_array_unref(sleeps->states);
	g_ptr_array_unref(sleeps->by_row);
	iot_hashset_clear_full(&sleeps->threads, sleeper_free);
	g_array_unref(sleeps->wakes);
	g_array_unref(sleeps->scratch);
	g_free(sleeps);
}

const struct iot_wakers *iot_sleeps_wakers(const struct iot_sleeps *sleeps)
{
	return sleeps->wakers;
}

/* ---- threads */

static struct iot_sleeper *known_thread(const struct iot_sleeps *sleeps, iot_str node, guint64 pid)
{
	guint64 hash = iot_hash_mix(node, pid);
	guint at = iot_hashset_first(&sleeps->threads, hash);
	struct iot_sleeper *sleeper;

	while ((sleeper = iot_hashset_next(&sleeps->threads, hash, &at)) &&
	       (sleeper->node != node || sleeper->pid != pid))
		;
	return sleeper;
}

static struct iot_sleeper *find_thread(struct iot_sleeps *sleeps, iot_str node, guint64 pid)
{
	struct iot_sleeper *sleeper = node && pid ? known_thread(sleeps, node, pid) : NULL;

	if (sleeper || !node || !pid)
		return sleeper;
	sleeper = g_new0(struct iot_sleeper, 1);
	sleeper->node = node;
	sleeper->pid = pid;
	sleeper->open = g_array_new(FALSE, FALSE, sizeof(struct iot_sleeper_span));
	sleeper->history = g_array_new(FALSE, FALSE, sizeof(struct iot_account_part));
	iot_hashset_add(&sleeps->threads, iot_hash_mix(node, pid), sleeper);
	return sleeper;
}

static struct iot_sleeper *thread_of_row(struct iot_sleeps *sleeps, iot_row_id row)
{
	struct iot_sleeper *sleeper = row < sleeps->by_row->len ? sleeps->by_row->pdata[row] : NULL;
	guint64 pid;

	if (G_LIKELY(sleeper))
		return sleeper;
	iot_thread_row(sleeps->tl, row, &pid);
	sleeper = find_thread(sleeps, iot_place_of(&sleeps->places, row)->name, pid);
	if (sleeps->by_row->len <= row)
		g_ptr_array_set_size(sleeps->by_row, (gint)row + 1);
	sleeps->by_row->pdata[row] = sleeper;
	return sleeper;
}

static struct iot_sleeper *thread_of_span(struct iot_sleeps *sleeps, const struct iot_item *item)
{
	const guint8 thread = iot_type_at(sleeps->tl, item->type)->thread;
	gint8 at = g_array_index(sleeps->pid_at, gint8, item->type);
	guint64 pid = 0;

	if (thread == IOT_THREAD_OF_ROW)
		return thread_of_row(sleeps, item->row);
	if (thread)
		pid = iot_item_thread(sleeps->tl, item);
	else if (at >= 0 && at < item->n_attrs)
		pid = item->attr[at].u;
	return find_thread(sleeps, iot_place_of(&sleeps->places, item->row)->name, pid);
}

/* ---- wake-ups */

/* A thread whose waker did this. */
static void add_woken(struct iot_sleeps *sleeps, struct iot_sleeper *sleeper, iot_row_id waker,
		      const struct iot_account_part *did, guint64 t0, guint64 t1)
{
	struct iot_account_part part = *did;
	const struct iot_waker *first;

	part.wakers = iot_wakers_thread(sleeps->wakers, waker, did->wakers);
	first = iot_wakers_at(sleeps->wakers, part.wakers);
	if (first && first->cut)
		part = (struct iot_account_part){
			.t0 = part.t0,
			.t1 = part.t1,
			.row = iot_wakers_last(sleeps->wakers, part.wakers)->row,
			.wakers = part.wakers,
		};
	iot_history_add(sleeps, sleeper, &part, t0, t1);
}

/* Add what the waker did in [@t0, @t1) to the history of the thread that it woke. */
static void add_waker(struct iot_sleeps *sleeps, struct iot_sleeper *sleeper,
		      const struct iot_sleeper *waker, guint64 t0, guint64 t1)
{
	struct iot_account_part unknown = { .row = waker->row };

	for (guint i = iot_history_after(waker->history, t0); i < waker->history->len && t0 < t1;
	     i++) {
		const struct iot_account_part *part = iot_history_part(waker->history, i);

		if (part->t0 > t0) {
			unknown.t0 = t0;
			unknown.t1 = part->t0;
			add_woken(sleeps, sleeper, waker->row, &unknown, t0, t1);
		}
		add_woken(sleeps, sleeper, waker->row, part, t0, t1);
		t0 = MAX(t0, part->t1);
	}
	unknown.t0 = t0;
	unknown.t1 = t1;
	add_woken(sleeps, sleeper, waker->row, &unknown, t0, t1);
}

/* The sleep that has ended gets its waker. */
static void wake(struct iot_sleeps *sleeps, const struct iot_wake_up *wake)
{
	struct iot_sleeper *sleeper = wake->sleeper;
	const GArray *before;

	if (!sleeper->slept_to || sleeper->slept_to != wake->t || wake->waker == sleeper)
		return;
	if (wake->waker)
		iot_history_advance(sleeps, wake->waker, sleeper->slept_to);
	before = iot_history_take(sleeps, sleeper, sleeper->slept_from);
	for (guint i = 0; i < before->len; i++) {
		struct iot_account_part part = *iot_history_part(before, i);

		if (!iot_history_is_sleep(sleeps, &part)) {
			iot_history_add(sleeps, sleeper, &part, part.t0, part.t1);
			continue;
		}
		/* a sleep before this one has no waker */
		iot_history_add(sleeps, sleeper, &part, part.t0, sleeper->slept_from);
		part.t0 = MAX(part.t0, sleeper->slept_from);
		if (wake->waker) {
			add_waker(sleeps, sleeper, wake->waker, part.t0, part.t1);
		} else {
			part.cat = 0;
			part.asked = 0;
			part.wakers = iot_wakers_interrupt(sleeps->wakers, wake->interrupt);
			iot_history_add(sleeps, sleeper, &part, part.t0, part.t1);
		}
	}
	iot_history_bound(sleeps, sleeper);
	sleeper->woken_at = sleeper->slept_to;
	sleeper->slept_to = 0;
}

void iot_sleeps_settle(struct iot_sleeps *sleeps)
{
	for (guint i = 0; i < sleeps->wakes->len; i++)
		wake(sleeps, &g_array_index(sleeps->wakes, struct iot_wake_up, i));
	g_array_set_size(sleeps->wakes, 0);
}

/* ---- items */

static void begin(struct iot_sleeps *sleeps, struct iot_sleeper *sleeper,
		  const struct iot_item *item, enum iot_meaning meaning)
{
	const guint woken = iot_type_at(sleeps->tl, item->type)->woken;
	struct iot_sleeper_span new = { item->t0,   item->row, item->lane,
					item->type, item->cat, meaning };

	if (meaning == IOT_MEANS_STATE) {
		/* the first one may turn out to have begun before events of the thread */
		if (!sleeper->row)
			sleeper->done = MIN(sleeper->done, item->t0);
		sleeper->row = item->row;
		if (woken && woken <= item->n_attrs && item->attr[woken - 1].str &&
		    !iot_text_is_number(item->attr[woken - 1].str)) {
			struct iot_wake_up wake = { sleeper, NULL,
						    (iot_str)item->attr[woken - 1].str, item->t0 };

			g_array_append_val(sleeps->wakes, wake);
		}
	}
	iot_history_advance(sleeps, sleeper, item->t0);
	g_array_append_val(sleeper->open, new);
}

/* Nobody knows whether the thread waited: the span says nothing. */
static void forget(struct iot_sleeps *sleeps, struct iot_sleeper *sleeper,
		   const struct iot_item *item)
{
	const GArray *before = iot_history_take(sleeps, sleeper, item->t0);

	for (guint i = 0; i < before->len; i++) {
		struct iot_account_part part = *iot_history_part(before, i);

		if (part.cat == item->cat && part.row == item->row && !part.wakers)
			part.cat = 0;
		iot_history_add(sleeps, sleeper, &part, part.t0, part.t1);
	}
}

static void end(struct iot_sleeps *sleeps, struct iot_sleeper *sleeper, const struct iot_item *item,
		enum iot_meaning meaning)
{
	const guint not_seen = IOT_UNFINISHED | IOT_SUSPECT | IOT_UNKNOWN | IOT_CUT_RIGHT;

	iot_history_advance(sleeps, sleeper, item->t1);
	for (guint i = sleeper->open->len; i; i--) {
		const struct iot_sleeper_span *open =
			&g_array_index(sleeper->open, struct iot_sleeper_span, i - 1);

		if (open->row != item->row || open->lane != item->lane ||
		    open->type != item->type || open->t0 != item->t0)
			continue;
		g_array_remove_index(sleeper->open, i - 1);
		break;
	}
	if (meaning == IOT_MEANS_LOCK && item->flags & IOT_UNKNOWN)
		forget(sleeps, sleeper, item);
	if (meaning != IOT_MEANS_STATE || !iot_cat_at(sleeps->tl, item->cat)->sleeps ||
	    item->flags & not_seen)
		return;
	sleeper->slept_from = item->t0;
	sleeper->slept_to = item->t1;
}

gboolean iot_sleeps_item(struct iot_sleeps *sleeps, const struct iot_item *item)
{
	struct iot_sleeper *sleeper;
	gboolean first = FALSE;
	enum iot_meaning meaning;

	if (item->kind == IOT_ITEM_LINK) {
		struct iot_wake_up wake = { .t = iot_link_to(item) };

		if (iot_link_is_stub(item))
			return FALSE;
		wake.sleeper = thread_of_row(sleeps, item->row_to);
		wake.waker = thread_of_row(sleeps, item->row);
		if (wake.sleeper && wake.waker)
			g_array_append_val(sleeps->wakes, wake);
		return FALSE;
	}
	meaning = meaning_of(sleeps, item->cat);
	if (G_UNLIKELY(!sleeps->any_state))
		first = sleeps->any_state = TRUE;
	sleeper = thread_of_span(sleeps, item);
	if (!sleeper)
		return first;
	if (item->kind == IOT_ITEM_SPAN_BEGIN)
		begin(sleeps, sleeper, item, meaning);
	else
		end(sleeps, sleeper, item, meaning);
	return first;
}

/* ---- requests */

/* The time from @t0 to @t1 in which the thread slept belongs to what it had asked for. */
static void give_sleep(struct iot_sleeps *sleeps, struct iot_sleeper *sleeper, const GArray *work,
		       guint64 t0, guint64 t1)
{
	const GArray *before;
	guint at = 0;

	iot_history_advance(sleeps, sleeper, t1);
	before = iot_history_take(sleeps, sleeper, t0);
	for (guint i = 0; i < before->len; i++) {
		struct iot_account_part part = *iot_history_part(before, i);

		while (at < work->len && iot_history_part(work, at)->t1 <= part.t0)
			at++;
		for (guint k = at;
		     k < work->len && (part.wakers || iot_history_is_sleep(sleeps, &part)); k++) {
			const struct iot_account_part *asked = iot_history_part(work, k);
			guint64 from = MAX(part.t0, asked->t0), to = MIN(part.t1, asked->t1);

			if (asked->t0 >= part.t1)
				break;
			if (!asked->asked || from >= to)
				continue;
			iot_history_add(sleeps, sleeper, &part, part.t0, from);
			iot_history_add(sleeps, sleeper, asked, from, to);
			part.t0 = to;
		}
		iot_history_add(sleeps, sleeper, &part, part.t0, part.t1);
	}
	iot_history_bound(sleeps, sleeper);
}

static void call_accounted(gpointer data, const struct iot_accounted *span)
{
	struct iot_sleeps *sleeps = data;
	struct iot_sleeper *sleeper =
		span->pid && span->parts->len ? known_thread(sleeps, span->node, span->pid) : NULL;

	if (sleeper)
		give_sleep(sleeps, sleeper, span->parts, span->t0, span->t1);
}

/* The call is open yet: its thread may wake another one before it ends. */
static void request_done(gpointer data, iot_str node, guint64 pid, const struct iot_child *child)
{
	struct iot_sleeps *sleeps = data;
	struct iot_sleeper *sleeper = known_thread(sleeps, node, pid);
	g_autoptr(GArray) children = NULL, work = NULL;
	guint64 n_concurrent = 0;

	if (!sleeper)
		return;
	children = g_array_new(FALSE, FALSE, sizeof(*child));
	g_array_append_vals(children, child, 1);
	work = iot_account_fold(children, child->t0, child->t1, &n_concurrent);
	give_sleep(sleeps, sleeper, work, child->t0, child->t1);
}

void iot_sleeps_use_accounts(struct iot_sleeps *sleeps, struct iot_accounts *accounts)
{
	iot_accounts_listen(accounts, call_accounted, sleeps);
	iot_accounts_hear_requests(accounts, request_done, sleeps);
}

/* ---- questions */

GArray *iot_sleeps_find(const struct iot_sleeps *sleeps, iot_str node, guint64 pid, guint64 t0,
			guint64 t1)
{
	const struct iot_sleeper *sleeper = known_thread(sleeps, node, pid);
	GArray *out;

	if (!sleeper || sleeper->woken_at <= t0)
		return NULL;
	out = g_array_new(FALSE, FALSE, sizeof(struct iot_account_part));
	for (guint i = iot_history_after(sleeper->history, t0); i < sleeper->history->len; i++) {
		const struct iot_account_part *part = iot_history_part(sleeper->history, i);

		if (part->t0 >= t1)
			break;
		if (part->wakers)
			iot_account_append(out, part, t0, t1);
	}
	return out;
}
