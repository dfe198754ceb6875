/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The account of every span of role wait or call: its parts as points at its end, on its
 * row and lane, for outputs that can be asked. The parts of a span add up to its time, to the
 * nanosecond. A part has a cause, its category; who or what it was is in its attributes.
 *
 * A wait has one part for each hold in its way and one for each other cause (wait-parts.h), a call
 * one for each reason of its thread, for each wait for a lock, for each kind of work that was done
 * for it elsewhere, and for each thread or interrupt that woke its thread, with what that thread
 * did meanwhile (slow-calls.h). All others, such as calls of RPC, waits in queues and requests of
 * disks, have the work that was done for them (accounts.h); the rest is not explained. Spans
 * without a length have none, nor has a call that is drawn again on other rows, where it has them.
 *
 * The stage "parts" makes items of kind PART instead of points, which only some outputs get.
 */
#include "analysis/item-thread.h"
#include "analysis/reasons.h"
#include "analysis/slow-calls-local.h"
#include "analysis/stage.h"
#include "base/intern.h"

#include <string.h>

/* Categories: the causes of a wait, then what else passes the time of a call. */
enum { REASON = IOT_N_CAUSES, REQUEST = REASON + IOT_N_REASONS, ASLEEP, N_CATS };

enum { COLOUR = 0x7a7f87 };

/* The span that is divided. */
struct span {
	iot_row_id row;
	guint16 lane, flags;
	iot_str of, asks;
	guint64 ns;
};

struct drawn {
	iot_type_id type; /* 0: none on rows of this type */
	iot_cat_id cat[N_CATS];
};

/* A span that ended at the present instant. */
struct pending {
	struct iot_item item;
	GArray *parts; /* struct iot_account_part; NULL: nothing is known to have been done for it
			*/
};

/* Texts of parts: only the thread of the pipeline makes new ones, so they are made before the first
 * item. */
struct words {
	iot_str wait, cause[N_CATS], phase[IOT_N_PHASES], certainty[3];
};

struct points {
	struct iot_stage stage;
	struct iot_timeline *tl;
	struct iot_slow_calls *calls; /* NULL: no model draws calls */
	const struct iot_sleeps *sleeps; /* NULL: no model says what wakes threads */
	GArray *drawn;		      /* struct drawn, by row type */
	GArray *ended;		      /* struct iot_item, of the present instant */
	GArray *pending;	      /* struct pending */
	GArray *again;		      /* gboolean, by type: it is drawn again on other rows */
	gboolean accounted;	      /* accounts tell the spans */
	gboolean draws;		      /* points, not items of kind PART */
	struct words words;
};

static const char *const certainties[] = { "proved", "possible", "undecided" };

/* ---- parts */

/* In words, for parts that are no points. */
static const char *cause_text(guint cat)
{
	if (cat == IOT_CAUSE_UNEXPLAINED)
		return iot_slow_spent(IOT_REASON_NONE);
	if (cat < REASON)
		return iot_cause_name((enum iot_cause)cat);
	if (cat == ASLEEP)
		return "asleep";
	return cat < REQUEST ? iot_slow_spent((enum iot_reason)(cat - REASON))
			     : "other parts of its requests";
}

static void make_words(struct iot_timeline *tl, struct words *words)
{
	words->wait = iot_intern_str(tl->strings, "wait");
	for (guint i = 0; i < N_CATS; i++)
		words->cause[i] = iot_intern_str(tl->strings, cause_text(i));
	for (guint i = 0; i < IOT_N_PHASES; i++)
		words->phase[i] =
			iot_intern_str(tl->strings, iot_slow_part_phase((enum iot_phase)i));
	for (guint i = 0; i < G_N_ELEMENTS(certainties); i++)
		words->certainty[i] = iot_intern_str(tl->strings, certainties[i]);
}

void iot_parts_make_words(struct iot_timeline *tl)
{
	struct words words;

	make_words(tl, &words);
}

/* A part without its attributes after PART; NULL: there is none on such rows. */
static struct iot_item *add(struct points *points, const struct span *span, guint cat, guint64 ns)
{
	iot_type_id on = iot_row_at(points->tl, span->row)->type;
	const struct drawn *drawn = &g_array_index(points->drawn, struct drawn, on);
	guint64 now = iot_stage_now(&points->stage);
	struct iot_item item = {
		.kind = points->draws ? IOT_ITEM_POINT : IOT_ITEM_PART,
		.n_attrs = IOT_PART_ATTRS,
		.flags = span->flags & (IOT_UNFINISHED | IOT_BEFORE | IOT_SUSPECT | IOT_UNKNOWN),
		.lane = span->lane,
		.type = points->draws ? drawn->type : 0,
		.cat = points->draws ? drawn->cat[cat] : 0,
		.row = span->row,
		.t0 = now,
		.t1 = now,
	};

	if (!drawn->type || !ns)
		return NULL;
	item.attr[IOT_PART_CAUSE].str = points->draws ? span->of : points->words.cause[cat];
	item.attr[IOT_PART_TOOK].u = span->ns;
	item.attr[IOT_PART_ASKED].str = points->draws ? span->asks : 0;
	item.attr[IOT_PART_NS].u = ns;
	g_array_append_val(points->ended, item);
	iot_stage_unsettled(&points->stage);
	return &g_array_index(points->ended, struct iot_item, points->ended->len - 1);
}

/* What a part leads to; points lead nowhere. */
static void look_at(const struct points *points, struct iot_item *item, iot_row_id row,
		    iot_cat_id cat)
{
	if (points->draws)
		return;
	item->row_to = row;
	item->cat = cat;
}

static iot_str certainty_of(const struct points *points, const char *certainty)
{
	for (guint i = 0; certainty && i < G_N_ELEMENTS(certainties); i++)
		if (!strcmp(certainty, certainties[i]))
			return points->words.certainty[i];
	return 0;
}

static iot_str cat_name(const struct iot_timeline *tl, iot_cat_id cat)
{
	return cat ? iot_cat_at(tl, cat)->name : 0;
}

static void add_blocker(struct points *points, const struct span *span,
			const struct iot_blocker *blocker)
{
	struct iot_item *item = add(points, span, IOT_CAUSE_HOLD, blocker->ns);

	if (!item)
		return;
	item->attr[IOT_PART_BY_NODE].str = blocker->claim.node;
	item->attr[IOT_PART_BY_MODE].str = cat_name(points->tl, blocker->claim.cat);
	item->attr[IOT_PART_CERTAINTY].str = certainty_of(points, iot_blocker_certainty(blocker));
	look_at(points, item, blocker->claim.row, blocker->claim.cat);
	if (blocker->nameless)
		return;
	item->attr[IOT_PART_BY_PID].u = blocker->claim.pid;
	item->attr[IOT_PART_BY_COMMAND].str = blocker->claim.command;
}

static void wait_ended(gpointer data, const struct iot_wait *wait)
{
	struct points *points = data;
	const struct iot_claim *claim = &wait->claim;
	const struct span span = { .row = claim->row,
				   .lane = claim->lane,
				   .flags = claim->flags,
				   .of = points->words.wait,
				   .asks = cat_name(points->tl, claim->cat),
				   .ns = claim->t1 - claim->t0 };

	if (points->calls)
		iot_slow_calls_wait(points->calls, wait);
	if (!iot_wait_has_length(wait))
		return;
	for (guint i = 0; i < wait->blockers->len; i++)
		add_blocker(points, &span, iot_wait_blocker(wait, i));
	for (guint cause = IOT_CAUSE_HOLD + 1; cause < IOT_N_CAUSES; cause++)
		add(points, &span, cause, wait->cause_ns[cause]);
}

/* A wait for a lock in a call: the hold that was longest in its way. */
static void add_lock(struct points *points, const struct span *span,
		     const struct iot_slow_wait *wait)
{
	struct iot_item *item = add(points, span, REASON + IOT_REASON_LOCK, wait->ns);
	iot_row_id resource = iot_row_thing(points->tl, iot_row_node(points->tl, wait->row));

	if (!item)
		return;
	item->attr[IOT_PART_BY_NODE].str = wait->node;
	item->attr[IOT_PART_BY_MODE].str = cat_name(points->tl, wait->held);
	item->attr[IOT_PART_BY_PID].u = wait->pid;
	item->attr[IOT_PART_BY_COMMAND].str = wait->command;
	item->attr[IOT_PART_WHAT].str = resource ? iot_row_at(points->tl, resource)->name : 0;
	item->attr[IOT_PART_CERTAINTY].str = certainty_of(points, wait->certainty);
	look_at(points, item, wait->row, 0);
}

static void add_work(struct points *points, const struct span *span,
		     const struct iot_slow_part *part)
{
	struct iot_item *item = add(points, span, REQUEST, part->ns);
	iot_row_id node = iot_row_node(points->tl, part->row);

	if (!item)
		return;
	item->attr[IOT_PART_BY_NODE].str = node ? iot_row_at(points->tl, node)->name : 0;
	item->attr[IOT_PART_WHAT].str = cat_name(points->tl, part->cat);
	if (points->draws) {
		item->attr[IOT_PART_PHASE].str = points->words.phase[part->phase];
		return;
	}
	item->attr[IOT_PART_PHASE].u = part->phase;
	item->attr[IOT_PART_ASKED].str = cat_name(points->tl, part->asked);
	look_at(points, item, part->row, part->cat);
}

/* Events may be missing since the first gap of the machine, and so another wake-up may have been.
 */
static const char *sleep_certainty(const struct iot_timeline *tl, const struct iot_slow_call *call)
{
	iot_row_id node = iot_row_node(tl, call->item.row);

	return node && iot_timeline_unobserved(tl, iot_row_at(tl, node)->name) < call->item.t1
		       ? "undecided"
		       : "proved";
}

/* What the last of the wakers did. */
static void add_sleep(struct points *points, const struct span *span,
		      const struct iot_slow_call *call, const struct iot_slow_part *part)
{
	const struct iot_timeline *tl = points->tl;
	const struct iot_wakers *wakers = iot_sleeps_wakers(points->sleeps);
	const struct iot_waker *first = iot_wakers_at(wakers, part->wakers);
	const struct iot_waker *last = iot_wakers_last(wakers, part->wakers);
	iot_row_id by = iot_wakers_last_thread(wakers, part->wakers);
	iot_row_id lock = iot_slow_did_lock(tl, part);
	struct iot_item *item = add(points, span, ASLEEP, part->ns);
	enum iot_phase phase = !first || part->phase == IOT_PHASE_MANY ? IOT_PHASE_MANY
			       : last->interrupt		       ? IOT_PHASE_INTERRUPT
			       : last->cut			       ? IOT_PHASE_CUT
			       : first->next			       ? IOT_PHASE_FOLLOWED
								       : IOT_PHASE_WOKEN;

	if (!item)
		return;
	item->attr[IOT_PART_CERTAINTY].str = certainty_of(points, sleep_certainty(tl, call));
	if (points->draws)
		item->attr[IOT_PART_PHASE].str = points->words.phase[phase];
	else
		item->attr[IOT_PART_PHASE].u = phase;
	if (phase == IOT_PHASE_MANY)
		return;
	if (by)
		iot_thread_row(tl, by, &item->attr[IOT_PART_BY_PID].u);
	item->attr[IOT_PART_BY_NODE].str = by ? iot_row_at(tl, iot_row_node(tl, by))->name : 0;
	item->attr[IOT_PART_WHAT].str = last && last->interrupt ? last->interrupt
					: lock			? iot_row_at(tl, lock)->name
								: cat_name(tl, part->cat);
	item->attr[IOT_PART_ASKED].str = cat_name(tl, part->asked);
	if (part->row)
		look_at(points, item, part->row, part->cat);
}

static void call_ended(gpointer data, const struct iot_slow_call *call, const GArray *waits)
{
	struct points *points = data;
	const struct span span = { .row = call->item.row,
				   .lane = call->item.lane,
				   .flags = call->item.flags,
				   .of = cat_name(points->tl, call->item.cat),
				   .ns = call->item.t1 - call->item.t0 };
	/* a lock that the thread waits for is a reason, but not all reasons of this kind are known
	 * locks */
	guint64 locks = call->ns[IOT_REASON_LOCK], work = call->linked_ns, asleep = call->asleep_ns;

	if (waits && call->waited_ns <= locks)
		for (guint i = 0; i < waits->len; i++) {
			const struct iot_slow_wait *wait =
				&g_array_index(waits, struct iot_slow_wait, i);

			add_lock(points, &span, wait);
			locks -= wait->ns;
		}
	add(points, &span, REASON + IOT_REASON_LOCK, locks);
	for (guint reason = IOT_REASON_LOCK + 1; reason < IOT_N_REASONS; reason++)
		add(points, &span, REASON + reason, call->ns[reason]);
	for (guint i = 0; i < call->n_parts; i++) {
		const struct iot_slow_part *part = &call->part[i];

		if (part->wakers)
			add_sleep(points, &span, call, part);
		else
			add_work(points, &span, part);
		*(part->wakers ? &asleep : &work) -= part->ns;
	}
	add(points, &span, REQUEST, work);
	add(points, &span, ASLEEP, asleep);
	add(points, &span, IOT_CAUSE_UNEXPLAINED, call->ns[IOT_REASON_NONE]);
}

/* ---- other spans */

static void clear_pending(gpointer data)
{
	g_clear_pointer(&((struct pending *)data)->parts, g_array_unref);
}

static void add_pending(struct points *points, const struct pending *new)
{
	const guint no_length = IOT_SUSPECT | IOT_UNKNOWN;

	if ((new->item.type <
	     points->again->len &&g_array_index(points->again, gboolean, new->item.type)) ||
	    (new->item.flags &no_length) == no_length)
		return;
	g_array_append_val(points->pending, *new);
	if (new->parts)
		g_array_ref(new->parts);
	iot_stage_unsettled(&points->stage);
}

static void span_accounted(gpointer data, const struct iot_accounted *span)
{
	const struct iot_account_part own = { .cat = span->cat, .row = span->row };
	g_autoptr(GArray) parts =
		span->parts->len ? iot_account_fill(span->parts, span->since, span->t1, &own)
				 : NULL;
	const struct pending new = {
		.item = { .row = span->row,
			  .lane = span->lane,
			  .flags = span->flags,
			  .type = span->type,
			  .cat = span->cat,
			  .t0 = span->t0,
			  .t1 = span->t1 },
		.parts = parts,
	};

	add_pending(data, &new);
}

/* Parts of one span are equal. */
static guint part_hash(gconstpointer data)
{
	const struct iot_item *part = data;

	return (guint)iot_hash_mix((guint64)part->row << 16 | part->lane,
				   part->attr[IOT_PART_TOOK].u);
}

static gboolean part_equal(gconstpointer pa, gconstpointer pb)
{
	const struct iot_item *a = pa, *b = pb;

	return a->row == b->row && a->lane == b->lane &&
	       a->attr[IOT_PART_TOOK].u == b->attr[IOT_PART_TOOK].u;
}

/* The parts that waits for locks and calls of processes have got. */
static GHashTable *find_divided(const struct points *points)
{
	GHashTable *divided = g_hash_table_new_full(part_hash, part_equal, g_free, NULL);

	for (guint i = 0; i < points->ended->len; i++)
		g_hash_table_add(divided,
				 g_memdup2(&g_array_index(points->ended, struct iot_item, i),
					   sizeof(struct iot_item)));
	return divided;
}

/* The spans that ended and have no parts yet. */
static void add_others(struct points *points)
{
	g_autoptr(GHashTable) divided = points->pending->len ? find_divided(points) : NULL;

	for (guint i = 0; i < points->pending->len; i++) {
		const struct pending *pending = &g_array_index(points->pending, struct pending, i);
		const struct iot_free_time whole = { pending->item.t0, pending->item.t1 };
		const struct iot_account account = { .parts = pending->parts };
		g_autoptr(GArray) free = g_array_new(FALSE, FALSE, sizeof(whole));
		struct iot_slow_call span = { .item = pending->item };
		struct iot_item key = { .row = pending->item.row, .lane = pending->item.lane };

		key.attr[IOT_PART_TOOK].u = whole.t1 - whole.t0;
		if (g_hash_table_contains(divided, &key))
			continue;
		g_array_append_val(free, whole);
		span.ns[IOT_REASON_NONE] = whole.t1 - whole.t0;
		if (pending->parts)
			iot_slow_parts_add_up(&account, NULL, free, &span);
		call_ended(points, &span, NULL);
	}
	g_array_set_size(points->pending, 0);
}

/* ---- the stage */

static void draw_on(struct points *points, iot_type_id on)
{
	static const struct {
		const char *name;
		enum iot_attr_format format;
	} attrs[IOT_PART_ATTRS] = {
		[IOT_PART_CAUSE] = { "of", IOT_ATTR_STR },
		[IOT_PART_TOOK] = { "took", IOT_ATTR_DURATION },
		[IOT_PART_NS] = { "part", IOT_ATTR_DURATION },
		[IOT_PART_ASKED] = { "asks", IOT_ATTR_STR },
		[IOT_PART_BY_NODE] = { "by_node", IOT_ATTR_STR },
		[IOT_PART_BY_PID] = { "by_pid", IOT_ATTR_UINT },
		[IOT_PART_BY_COMMAND] = { "by_command", IOT_ATTR_STR },
		[IOT_PART_BY_MODE] = { "by_mode", IOT_ATTR_STR },
		[IOT_PART_WHAT] = { "what", IOT_ATTR_STR },
		[IOT_PART_PHASE] = { "phase", IOT_ATTR_STR },
		[IOT_PART_CERTAINTY] = { "certainty", IOT_ATTR_STR },
	};
	static const char *const others[] = { "lock", "device", "host", "runnable", "own work" };
	struct iot_timeline *tl = points->tl;
	struct drawn drawn = { .type = G_MAXUINT32 };

	if (!points->draws) {
		g_array_index(points->drawn, struct drawn, on) = drawn;
		return;
	}
	iot_timeline_type(tl, IOT_TYPE_POINT, "part", "part of a wait or call", on, &drawn.type);
	for (guint i = 0; i < IOT_PART_ATTRS; i++)
		iot_type_add_attr(
			tl, drawn.type,
			&(struct iot_attr_def){ .name = iot_intern_str(tl->strings, attrs[i].name),
						.format = attrs[i].format });
	for (guint i = 0; i < N_CATS; i++)
		drawn.cat[i] = iot_timeline_cat(tl, drawn.type,
						i < REASON     ? iot_cause_name((enum iot_cause)i)
						: i < REQUEST  ? others[i - REASON]
						: i == REQUEST ? "request"
							       : "asleep",
						COLOUR, IOT_ROLE_NONE);
	g_array_index(points->drawn, struct drawn, on) = drawn;
}

static gboolean is_divided(const struct points *points, iot_cat_id cat)
{
	return iot_cat_waits(iot_cat_at(points->tl, cat)) &&
	       iot_type_at(points->tl, iot_cat_at(points->tl, cat)->type)->kind == IOT_TYPE_SPAN;
}

static struct points *open_points(struct iot_timeline *tl, gboolean draws)
{
	struct points *points = g_new0(struct points, 1);
	guint n_types = tl->types.n, n_cats = tl->cats.n;

	points->tl = tl;
	points->draws = draws;
	make_words(tl, &points->words);
	points->ended = g_array_new(FALSE, FALSE, sizeof(struct iot_item));
	points->drawn = g_array_new(FALSE, TRUE, sizeof(struct drawn));
	g_array_set_size(points->drawn, n_types);
	points->pending = g_array_new(FALSE, FALSE, sizeof(struct pending));
	g_array_set_clear_func(points->pending, clear_pending);
	points->again = g_array_new(FALSE, TRUE, sizeof(gboolean));
	g_array_set_size(points->again, n_types);
	for (iot_type_id id = 1; id < n_types; id++)
		g_array_index(points->again, gboolean, iot_type_at(tl, id)->repeats) = TRUE;
	g_array_index(points->again, gboolean, 0) = FALSE;
	points->calls = iot_slow_calls_possible(tl) ? iot_slow_calls_new(tl) : NULL;
	for (iot_cat_id cat = 1; cat < n_cats; cat++) {
		iot_type_id on = iot_type_at(tl, iot_cat_at(tl, cat)->type)->on;

		if (is_divided(points, cat) && !g_array_index(points->drawn, struct drawn, on).type)
			draw_on(points, on);
	}
	return points;
}

static struct iot_stage *points_open(struct iot_timeline *tl)
{
	return &open_points(tl, TRUE)->stage;
}

static struct iot_stage *parts_open(struct iot_timeline *tl)
{
	return &open_points(tl, FALSE)->stage;
}

static gboolean points_possible(const struct iot_timeline *tl)
{
	for (iot_cat_id cat = 1; cat < tl->cats.n; cat++)
		if (iot_cat_waits(iot_cat_at(tl, cat)))
			return TRUE;
	return FALSE;
}

static void points_listen(struct iot_stage *stage)
{
	struct points *points = (struct points *)stage;

	iot_waits_listen(iot_stage_waits(stage), wait_ended, stage);
	/* it splits the unexplained time of waits */
	if (iot_anatomy_possible(points->tl))
		iot_stage_parts(stage);
	points->accounted = iot_stage_accounts(stage) != NULL;
	if (points->accounted)
		iot_accounts_listen(iot_stage_accounts(stage), span_accounted, stage);
	if (!points->calls)
		return;
	iot_slow_calls_use_accounts(points->calls, iot_stage_accounts(stage));
	points->sleeps = iot_stage_sleeps(stage);
	iot_slow_calls_use_sleeps(points->calls, points->sleeps);
	iot_slow_calls_listen(points->calls, call_ended, stage);
}

static gboolean points_wants(struct iot_stage *stage, enum iot_item_kind kind, iot_cat_id cat)
{
	const struct points *points = (struct points *)stage;

	if (kind == IOT_ITEM_SPAN && !points->accounted && is_divided(points, cat))
		return TRUE;
	return (kind == IOT_ITEM_SPAN || kind == IOT_ITEM_SPAN_BEGIN) && points->calls &&
	       iot_slow_calls_wants(points->calls, cat);
}

static gboolean points_item(struct iot_stage *stage, const struct iot_item *item, GError **error)
{
	struct points *points = (struct points *)stage;

	(void)error;
	if (item->kind == IOT_ITEM_SPAN && !points->accounted && is_divided(points, item->cat))
		add_pending(points, &(struct pending){ .item = *item });
	if (!points->calls || !iot_slow_calls_wants(points->calls, item->cat))
		return TRUE;
	iot_slow_calls_item(points->calls, item);
	if (iot_slow_calls_ended(points->calls))
		iot_stage_unsettled(stage);
	return TRUE;
}

static gboolean points_settle(struct iot_stage *stage, GError **error)
{
	struct points *points = (struct points *)stage;

	if (points->calls)
		iot_slow_calls_settle(points->calls);
	add_others(points);
	for (guint i = 0; i < points->ended->len; i++)
		if (!iot_stage_put(stage, &g_array_index(points->ended, struct iot_item, i), error))
			return FALSE;
	g_array_set_size(points->ended, 0);
	return TRUE;
}

static void points_free(struct iot_stage *stage)
{
	struct points *points = (struct points *)stage;

	iot_slow_calls_free(points->calls);
	g_array_unref(points->drawn);
	g_array_unref(points->ended);
	g_array_unref(points->pending);
	g_array_unref(points->again);
	g_free(points);
}

const struct iot_stage_ops iot_stage_account_points = {
	.name = "accounts",
	.summary = "each wait and each call in parts, as points at its end",
	.is_possible = points_possible,
	.open = points_open,
	.listen = points_listen,
	.wants = points_wants,
	.item = points_item,
	.settle = points_settle,
	.free = points_free,
};

const struct iot_stage_ops iot_stage_parts_of_spans = {
	.name = "parts",
	.is_possible = points_possible,
	.open = parts_open,
	.listen = points_listen,
	.wants = points_wants,
	.item = points_item,
	.settle = points_settle,
	.free = points_free,
};
