/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/sleeps.h"
#include "analysis/item-thread.h"
#include "base/hashset.h"
#include "locks/places.h"

enum {
	/* Parts of the history of a thread. */
	MAX_PARTS = 512,
	/* Of all threads: beyond, histories may have half as many, down to LEAST_PARTS. */
	MAX_ALL_PARTS = 1 << 18,
	LEAST_PARTS = 16
};

/* What a span says about its thread; of the open ones the first in this order counts. */
enum meaning { LOCK, DEVICE, STATE, CALL, NOTHING };

/* An open span of a thread. */
struct open {
	guint64 t0;
	iot_row_id row;
	guint16 lane;
	iot_type_id type;
	iot_cat_id cat;
	enum meaning meaning;
};

struct sleeper {
	iot_str node;
	guint64 pid;
	iot_row_id row;	 /* of its states; 0: none was seen */
	GArray *open;	 /* struct open, by begin */
	GArray *history; /* struct iot_account_part: in order, up to @done */
	guint64 done;
	guint64 slept_from, slept_to; /* the last sleep whose end was seen and has no waker yet */
	guint64 woken_at;	      /* the end of the last sleep that has one */
};

/* A wake-up at the present instant. */
struct wake {
	struct sleeper *sleeper, *waker; /* waker NULL: an interrupt */
	iot_str interrupt;
	guint64 t;
};

struct iot_sleeps {
	struct iot_timeline *tl;
	struct iot_places places;
	struct iot_wakers *wakers;
	GArray *pid_at;		    /* gint8, by type: position of "pid" of calls and waits; -1 */
	GArray *states;		    /* gboolean, by type: states of threads */
	struct iot_hashset threads; /* struct sleeper */
	GPtrArray *by_row;	    /* the same, by the row of states; NULL: not asked yet */
	GArray *wakes;		    /* struct wake */
	GArray *scratch;	    /* struct iot_account_part */
	guint max_parts;
	guint64 n_parts;
};

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

static enum meaning meaning_of(const struct iot_sleeps *sleeps, iot_cat_id cat)
{
	const struct iot_category *category = iot_cat_at(sleeps->tl, cat);
	enum iot_reason reason = iot_cat_reason(sleeps->tl, cat);

	if (iot_type_at(sleeps->tl, category->type)->kind != IOT_TYPE_SPAN ||
	    category->type >= sleeps->states->len)
		return NOTHING;
	if (g_array_index(sleeps->states, gboolean, category->type))
		return STATE;
	if (reason == IOT_REASON_LOCK)
		return LOCK;
	if (reason == IOT_REASON_DEVICE)
		return DEVICE;
	if (g_array_index(sleeps->pid_at, gint8, category->type) < 0)
		return NOTHING;
	return category->role == IOT_ROLE_WAIT	 ? LOCK
	       : category->role == IOT_ROLE_CALL ? CALL
						 : NOTHING;
}

gboolean iot_sleeps_wants(const struct iot_sleeps *sleeps, enum iot_item_kind kind, iot_cat_id cat)
{
	if (kind == IOT_ITEM_LINK)
		return iot_cat_at(sleeps->tl, cat)->role == IOT_ROLE_WAKES;
	return (kind == IOT_ITEM_SPAN || kind == IOT_ITEM_SPAN_BEGIN) &&
	       meaning_of(sleeps, cat) != NOTHING;
}

/* ---- life */

static void sleeper_free(gpointer data)
{
	struct sleeper *sleeper = data;

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
	sleeps->wakes = g_array_new(FALSE, FALSE, sizeof(struct wake));
	sleeps->scratch = g_array_new(FALSE, FALSE, sizeof(struct iot_account_part));
	sleeps->max_parts = MAX_PARTS;
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

static struct sleeper *known_thread(const struct iot_sleeps *sleeps, iot_str node, guint64 pid)
{
	guint64 hash = iot_hash_mix(node, pid);
	guint at = iot_hashset_first(&sleeps->threads, hash);
	struct sleeper *sleeper;

	while ((sleeper = iot_hashset_next(&sleeps->threads, hash, &at)) &&
	       (sleeper->node != node || sleeper->pid != pid))
		;
	return sleeper;
}

static struct sleeper *find_thread(struct iot_sleeps *sleeps, iot_str node, guint64 pid)
{
	struct sleeper *sleeper = node && pid ? known_thread(sleeps, node, pid) : NULL;

	if (sleeper || !node || !pid)
		return sleeper;
	sleeper = g_new0(struct sleeper, 1);
	sleeper->node = node;
	sleeper->pid = pid;
	sleeper->open = g_array_new(FALSE, FALSE, sizeof(struct open));
	sleeper->history = g_array_new(FALSE, FALSE, sizeof(struct iot_account_part));
	iot_hashset_add(&sleeps->threads, iot_hash_mix(node, pid), sleeper);
	return sleeper;
}

static struct sleeper *thread_of_row(struct iot_sleeps *sleeps, iot_row_id row)
{
	struct sleeper *sleeper = row < sleeps->by_row->len ? sleeps->by_row->pdata[row] : NULL;
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

static struct sleeper *thread_of_span(struct iot_sleeps *sleeps, const struct iot_item *item)
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

/* ---- histories */

static struct iot_account_part *part_at(const GArray *parts, guint i)
{
	return &g_array_index(parts, struct iot_account_part, i);
}

/* Nobody knows yet what woke the thread. */
static gboolean is_sleep(const struct iot_sleeps *sleeps, const struct iot_account_part *part)
{
	return part->cat && !part->wakers && part->phase == IOT_PHASE_WORK &&
	       iot_cat_at(sleeps->tl, part->cat)->sleeps;
}

/* What the thread does; FALSE: nothing is known. */
static gboolean find_present(const struct sleeper *sleeper, struct iot_account_part *out)
{
	const struct open *first = NULL;

	*out = (struct iot_account_part){ .row = sleeper->row };
	for (guint i = 0; i < sleeper->open->len; i++) {
		const struct open *open = &g_array_index(sleeper->open, struct open, i);

		if (open->meaning == CALL)
			out->asked = open->cat;
		else if (!first || open->meaning < first->meaning)
			first = open;
	}
	if (first) {
		out->cat = first->cat;
		out->row = first->row;
	}
	return sleeper->open->len > 0;
}

static void shrink(struct iot_sleeps *sleeps, struct sleeper *sleeper, guint max)
{
	sleeps->n_parts -= sleeper->history->len;
	iot_account_shrink(sleeper->history, max);
	sleeps->n_parts += sleeper->history->len;
}

static void shrink_all(struct iot_sleeps *sleeps)
{
	guint at = 0;
	struct sleeper *sleeper;

	sleeps->max_parts = MAX(sleeps->max_parts / 2, LEAST_PARTS);
	while ((sleeper = iot_hashset_walk(&sleeps->threads, &at)))
		if (sleeper->history->len > sleeps->max_parts / 2)
			shrink(sleeps, sleeper, sleeps->max_parts / 2);
}

static void add_part(struct iot_sleeps *sleeps, struct sleeper *sleeper,
		     const struct iot_account_part *part, guint64 t0, guint64 t1)
{
	guint n = sleeper->history->len;

	iot_account_append(sleeper->history, part, t0, t1);
	sleeps->n_parts += sleeper->history->len - n;
}

/* The history has grown. */
static void keep_bounds(struct iot_sleeps *sleeps, struct sleeper *sleeper)
{
	if (sleeper->history->len > sleeps->max_parts)
		shrink(sleeps, sleeper, sleeps->max_parts / 2);
	if (sleeps->n_parts > MAX_ALL_PARTS && sleeps->max_parts > LEAST_PARTS)
		shrink_all(sleeps);
}

/* The thread has done until @t what it does. */
static void advance(struct iot_sleeps *sleeps, struct sleeper *sleeper, guint64 t)
{
	struct iot_account_part part;

	if (t <= sleeper->done)
		return;
	if (find_present(sleeper, &part)) {
		part.t0 = sleeper->done;
		part.t1 = t;
		add_part(sleeps, sleeper, &part, part.t0, part.t1);
		keep_bounds(sleeps, sleeper);
	}
	sleeper->done = t;
}

/* The first part that ends after @t. */
static guint first_after(const GArray *parts, guint64 t)
{
	guint from = 0, to = parts->len;

	while (from < to) {
		guint middle = from + (to - from) / 2;

		if (part_at(parts, middle)->t1 <= t)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* Take the history from @t0 on away from the thread, into scratch: it is written again. */
static const GArray *take_from(struct iot_sleeps *sleeps, const struct sleeper *sleeper, guint64 t0)
{
	guint at = first_after(sleeper->history, t0);

	g_array_set_size(sleeps->scratch, 0);
	if (at < sleeper->history->len)
		g_array_append_vals(sleeps->scratch, part_at(sleeper->history, at),
				    sleeper->history->len - at);
	sleeps->n_parts -= sleeper->history->len - at;
	g_array_set_size(sleeper->history, at);
	return sleeps->scratch;
}

/* ---- wake-ups */

/* A thread whose waker did this. */
static void add_woken(struct iot_sleeps *sleeps, struct sleeper *sleeper, iot_row_id waker,
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
	add_part(sleeps, sleeper, &part, t0, t1);
}

/* Add what the waker did in [@t0, @t1) to the history of the thread that it woke. */
static void add_waker(struct iot_sleeps *sleeps, struct sleeper *sleeper,
		      const struct sleeper *waker, guint64 t0, guint64 t1)
{
	struct iot_account_part unknown = { .row = waker->row };

	for (guint i = first_after(waker->history, t0); i < waker->history->len && t0 < t1; i++) {
		const struct iot_account_part *part = part_at(waker->history, i);

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
static void wake(struct iot_sleeps *sleeps, const struct wake *wake)
{
	struct sleeper *sleeper = wake->sleeper;
	const GArray *before;

	if (!sleeper->slept_to || sleeper->slept_to != wake->t || wake->waker == sleeper)
		return;
	if (wake->waker)
		advance(sleeps, wake->waker, sleeper->slept_to);
	before = take_from(sleeps, sleeper, sleeper->slept_from);
	for (guint i = 0; i < before->len; i++) {
		struct iot_account_part part = *part_at(before, i);

		if (!is_sleep(sleeps, &part)) {
			add_part(sleeps, sleeper, &part, part.t0, part.t1);
			continue;
		}
		/* a sleep before this one has no waker */
		add_part(sleeps, sleeper, &part, part.t0, sleeper->slept_from);
		part.t0 = MAX(part.t0, sleeper->slept_from);
		if (wake->waker) {
			add_waker(sleeps, sleeper, wake->waker, part.t0, part.t1);
		} else {
			part.cat = 0;
			part.asked = 0;
			part.wakers = iot_wakers_interrupt(sleeps->wakers, wake->interrupt);
			add_part(sleeps, sleeper, &part, part.t0, part.t1);
		}
	}
	keep_bounds(sleeps, sleeper);
	sleeper->woken_at = sleeper->slept_to;
	sleeper->slept_to = 0;
}

void iot_sleeps_settle(struct iot_sleeps *sleeps)
{
	for (guint i = 0; i < sleeps->wakes->len; i++)
		wake(sleeps, &g_array_index(sleeps->wakes, struct wake, i));
	g_array_set_size(sleeps->wakes, 0);
}

/* ---- items */

/* A state that turns out to have begun earlier says what the thread did, where nothing else does.
 */
static void begin_late(struct iot_sleeps *sleeps, struct sleeper *sleeper,
		       const struct iot_item *item)
{
	const GArray *before = take_from(sleeps, sleeper, item->t0);

	for (guint i = 0; i < before->len; i++) {
		struct iot_account_part part = *part_at(before, i), late = part;

		late.cat = item->cat;
		late.row = item->row;
		add_part(sleeps, sleeper, &part, part.t0, MAX(part.t0, item->t0));
		add_part(sleeps, sleeper, part.cat || part.wakers ? &part : &late,
			 MAX(part.t0, item->t0), part.t1);
	}
}

static void begin(struct iot_sleeps *sleeps, struct sleeper *sleeper, const struct iot_item *item,
		  enum meaning meaning)
{
	const guint woken = iot_type_at(sleeps->tl, item->type)->woken;
	struct open new = { item->t0, item->row, item->lane, item->type, item->cat, meaning };

	if (meaning == STATE) {
		sleeper->row = item->row;
		if (woken && woken <= item->n_attrs && item->attr[woken - 1].str &&
		    !iot_text_is_number(item->attr[woken - 1].str)) {
			struct wake wake = { sleeper, NULL, (iot_str)item->attr[woken - 1].str,
					     item->t0 };

			g_array_append_val(sleeps->wakes, wake);
		}
	}
	if (meaning == STATE && item->t0 < sleeper->done)
		begin_late(sleeps, sleeper, item);
	advance(sleeps, sleeper, item->t0);
	g_array_append_val(sleeper->open, new);
}

/* Nobody knows whether the thread waited: the span says nothing. */
static void forget(struct iot_sleeps *sleeps, struct sleeper *sleeper, const struct iot_item *item)
{
	const GArray *before = take_from(sleeps, sleeper, item->t0);

	for (guint i = 0; i < before->len; i++) {
		struct iot_account_part part = *part_at(before, i);

		if (part.cat == item->cat && part.row == item->row && !part.wakers)
			part.cat = 0;
		add_part(sleeps, sleeper, &part, part.t0, part.t1);
	}
}

static void end(struct iot_sleeps *sleeps, struct sleeper *sleeper, const struct iot_item *item,
		enum meaning meaning)
{
	const guint not_seen = IOT_UNFINISHED | IOT_SUSPECT | IOT_UNKNOWN | IOT_CUT_RIGHT;

	advance(sleeps, sleeper, item->t1);
	for (guint i = sleeper->open->len; i; i--) {
		const struct open *open = &g_array_index(sleeper->open, struct open, i - 1);

		if (open->row != item->row || open->lane != item->lane ||
		    open->type != item->type || open->t0 != item->t0)
			continue;
		g_array_remove_index(sleeper->open, i - 1);
		break;
	}
	if (meaning == LOCK && item->flags & IOT_UNKNOWN)
		forget(sleeps, sleeper, item);
	if (meaning != STATE || !iot_cat_at(sleeps->tl, item->cat)->sleeps ||
	    item->flags & not_seen)
		return;
	sleeper->slept_from = item->t0;
	sleeper->slept_to = item->t1;
}

void iot_sleeps_item(struct iot_sleeps *sleeps, const struct iot_item *item)
{
	struct sleeper *sleeper;
	enum meaning meaning;

	if (item->kind == IOT_ITEM_LINK) {
		struct wake wake = { .t = iot_link_to(item) };

		if (iot_link_is_stub(item))
			return;
		wake.sleeper = thread_of_row(sleeps, item->row_to);
		wake.waker = thread_of_row(sleeps, item->row);
		if (wake.sleeper && wake.waker)
			g_array_append_val(sleeps->wakes, wake);
		return;
	}
	sleeper = thread_of_span(sleeps, item);
	if (!sleeper)
		return;
	meaning = meaning_of(sleeps, item->cat);
	if (item->kind == IOT_ITEM_SPAN_BEGIN)
		begin(sleeps, sleeper, item, meaning);
	else
		end(sleeps, sleeper, item, meaning);
}

/* ---- requests */

/* The time that the thread slept in the call belongs to what it had asked for. */
static void call_accounted(gpointer data, const struct iot_accounted *span)
{
	struct iot_sleeps *sleeps = data;
	struct sleeper *sleeper =
		span->pid && span->parts->len ? known_thread(sleeps, span->node, span->pid) : NULL;
	const GArray *before;
	guint at = 0;

	if (!sleeper)
		return;
	advance(sleeps, sleeper, span->t1);
	before = take_from(sleeps, sleeper, span->t0);
	for (guint i = 0; i < before->len; i++) {
		struct iot_account_part part = *part_at(before, i);

		while (at < span->parts->len && part_at(span->parts, at)->t1 <= part.t0)
			at++;
		for (guint k = at; k < span->parts->len && (part.wakers || is_sleep(sleeps, &part));
		     k++) {
			const struct iot_account_part *work = part_at(span->parts, k);
			guint64 from = MAX(part.t0, work->t0), to = MIN(part.t1, work->t1);

			if (work->t0 >= part.t1)
				break;
			if (!work->asked || from >= to)
				continue;
			add_part(sleeps, sleeper, &part, part.t0, from);
			add_part(sleeps, sleeper, work, from, to);
			part.t0 = to;
		}
		add_part(sleeps, sleeper, &part, part.t0, part.t1);
	}
	keep_bounds(sleeps, sleeper);
}

void iot_sleeps_use_accounts(struct iot_sleeps *sleeps, struct iot_accounts *accounts)
{
	iot_accounts_listen(accounts, call_accounted, sleeps);
}

/* ---- questions */

GArray *iot_sleeps_find(const struct iot_sleeps *sleeps, iot_str node, guint64 pid, guint64 t0,
			guint64 t1)
{
	const struct sleeper *sleeper = known_thread(sleeps, node, pid);
	GArray *out;

	if (!sleeper || sleeper->woken_at <= t0)
		return NULL;
	out = g_array_new(FALSE, FALSE, sizeof(struct iot_account_part));
	for (guint i = first_after(sleeper->history, t0); i < sleeper->history->len; i++) {
		const struct iot_account_part *part = part_at(sleeper->history, i);

		if (part->t0 >= t1)
			break;
		if (part->wakers)
			iot_account_append(out, part, t0, t1);
	}
	return out;
}
