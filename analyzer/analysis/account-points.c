/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The account of every wait for a lock and of every call: its parts as points at its end, on its
 * row and lane, for outputs that can be asked. The parts of a span add up to its time, to the
 * nanosecond. A part has a cause, its category; who or what it was is in its attributes.
 *
 * A wait has one part for each hold in its way and one for each other cause (wait-parts.h), a call
 * one for each reason of its thread, for each wait for a lock and for each kind of work that was
 * done for it elsewhere (slow-calls.h). Spans without a length have none.
 */
#include "analysis/slow-calls-local.h"
#include "analysis/stage.h"

#include <string.h>

enum {
	OF,	 /* name of the call, or "wait" */
	TOOK,	 /* length of the span */
	PART,	 /* length of the part */
	ASKS,	 /* waits: the mode that is asked for */
	BY_NODE, /* whose hold or work it was */
	BY_PID,
	BY_COMMAND,
	BY_MODE,
	WHAT, /* the resource, or the work */
	PHASE,
	CERTAINTY,
	N_ATTRS
};
G_STATIC_ASSERT((int)N_ATTRS <= (int)IOT_MAX_ATTRS);

/* Categories: the causes of a wait, then what else passes the time of a call. */
enum { REASON = IOT_N_CAUSES, REQUEST = REASON + IOT_N_REASONS, N_CATS };

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

struct points {
	struct iot_stage stage;
	struct iot_timeline *tl;
	struct iot_slow_calls *calls; /* NULL: no model draws calls */
	GArray *drawn;		      /* struct drawn, by row type */
	GArray *ended;		      /* struct iot_item, of the present instant */
	iot_str wait, phase[IOT_N_PHASES], certainty[3];
};

static const char *const certainties[] = { "proved", "possible", "undecided" };

/* ---- parts */

/* A part without its attributes after PART; NULL: there is none on such rows. */
static struct iot_item *add(struct points *points, const struct span *span, guint cat, guint64 ns)
{
	iot_type_id on = iot_row_at(points->tl, span->row)->type;
	const struct drawn *drawn = &g_array_index(points->drawn, struct drawn, on);
	guint64 now = iot_stage_now(&points->stage);
	struct iot_item item = {
		.kind = IOT_ITEM_POINT,
		.n_attrs = N_ATTRS,
		.flags = span->flags & (IOT_UNFINISHED | IOT_BEFORE | IOT_SUSPECT | IOT_UNKNOWN),
		.lane = span->lane,
		.type = drawn->type,
		.cat = drawn->cat[cat],
		.row = span->row,
		.t0 = now,
		.t1 = now,
	};

	if (!drawn->type || !ns)
		return NULL;
	item.attr[OF].str = span->of;
	item.attr[TOOK].u = span->ns;
	item.attr[ASKS].str = span->asks;
	item.attr[PART].u = ns;
	g_array_append_val(points->ended, item);
	iot_stage_unsettled(&points->stage);
	return &g_array_index(points->ended, struct iot_item, points->ended->len - 1);
}

static iot_str certainty_of(const struct points *points, const char *certainty)
{
	for (guint i = 0; certainty && i < G_N_ELEMENTS(certainties); i++)
		if (!strcmp(certainty, certainties[i]))
			return points->certainty[i];
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
	item->attr[BY_NODE].str = blocker->claim.node;
	item->attr[BY_MODE].str = cat_name(points->tl, blocker->claim.cat);
	item->attr[CERTAINTY].str = certainty_of(points, iot_blocker_certainty(blocker));
	if (blocker->nameless)
		return;
	item->attr[BY_PID].u = blocker->claim.pid;
	item->attr[BY_COMMAND].str = blocker->claim.command;
}

static void wait_ended(gpointer data, const struct iot_wait *wait)
{
	struct points *points = data;
	const struct iot_claim *claim = &wait->claim;
	const struct span span = { .row = claim->row,
				   .lane = claim->lane,
				   .flags = claim->flags,
				   .of = points->wait,
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
	iot_row_id resource = iot_row_at(points->tl, iot_row_node(points->tl, wait->row))->parent;

	if (!item)
		return;
	item->attr[BY_NODE].str = wait->node;
	item->attr[BY_MODE].str = cat_name(points->tl, wait->held);
	item->attr[BY_PID].u = wait->pid;
	item->attr[BY_COMMAND].str = wait->command;
	item->attr[WHAT].str = resource ? iot_row_at(points->tl, resource)->name : 0;
	item->attr[CERTAINTY].str = certainty_of(points, wait->certainty);
}

static void add_work(struct points *points, const struct span *span,
		     const struct iot_slow_part *part)
{
	struct iot_item *item = add(points, span, REQUEST, part->ns);
	iot_row_id node = iot_row_node(points->tl, part->row);

	if (!item)
		return;
	item->attr[BY_NODE].str = node ? iot_row_at(points->tl, node)->name : 0;
	item->attr[WHAT].str = cat_name(points->tl, part->cat);
	item->attr[PHASE].str = points->phase[part->phase];
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
	guint64 locks = call->ns[IOT_REASON_LOCK], work = call->linked_ns;

	if (call->waited_ns <= locks)
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
		add_work(points, &span, &call->part[i]);
		work -= call->part[i].ns;
	}
	add(points, &span, REQUEST, work);
	add(points, &span, IOT_CAUSE_UNEXPLAINED, call->ns[IOT_REASON_NONE]);
}

/* ---- the stage */

static void draw_on(struct points *points, iot_type_id on)
{
	static const struct {
		const char *name;
		enum iot_attr_format format;
	} attrs[N_ATTRS] = {
		[OF] = { "of", IOT_ATTR_STR },
		[TOOK] = { "took", IOT_ATTR_DURATION },
		[PART] = { "part", IOT_ATTR_DURATION },
		[ASKS] = { "asks", IOT_ATTR_STR },
		[BY_NODE] = { "by_node", IOT_ATTR_STR },
		[BY_PID] = { "by_pid", IOT_ATTR_UINT },
		[BY_COMMAND] = { "by_command", IOT_ATTR_STR },
		[BY_MODE] = { "by_mode", IOT_ATTR_STR },
		[WHAT] = { "what", IOT_ATTR_STR },
		[PHASE] = { "phase", IOT_ATTR_STR },
		[CERTAINTY] = { "certainty", IOT_ATTR_STR },
	};
	static const char *const others[] = { "lock", "device", "host", "runnable", "own work" };
	struct iot_timeline *tl = points->tl;
	struct drawn drawn;

	iot_timeline_type(tl, IOT_TYPE_POINT, "part", "part of a wait or call", on, &drawn.type);
	for (guint i = 0; i < N_ATTRS; i++)
		iot_type_add_attr(
			tl, drawn.type,
			&(struct iot_attr_def){ .name = iot_intern_str(tl->strings, attrs[i].name),
						.format = attrs[i].format });
	for (guint i = 0; i < N_CATS; i++)
		drawn.cat[i] = iot_timeline_cat(tl, drawn.type,
						i < REASON    ? iot_cause_name((enum iot_cause)i)
						: i < REQUEST ? others[i - REASON]
							      : "request",
						COLOUR, IOT_ROLE_NONE);
	g_array_index(points->drawn, struct drawn, on) = drawn;
}

static gboolean is_divided(const struct points *points, iot_cat_id cat)
{
	return iot_cat_waits(iot_cat_at(points->tl, cat)) &&
	       iot_type_at(points->tl, iot_cat_at(points->tl, cat)->type)->kind == IOT_TYPE_SPAN;
}

static struct iot_stage *points_open(struct iot_timeline *tl)
{
	struct points *points = g_new0(struct points, 1);
	guint n_types = tl->types.n, n_cats = tl->cats.n;

	points->tl = tl;
	points->ended = g_array_new(FALSE, FALSE, sizeof(struct iot_item));
	points->drawn = g_array_new(FALSE, TRUE, sizeof(struct drawn));
	g_array_set_size(points->drawn, n_types);
	points->calls = iot_slow_calls_possible(tl) ? iot_slow_calls_new(tl) : NULL;
	points->wait = iot_intern_str(tl->strings, "wait");
	for (guint i = 0; i < IOT_N_PHASES; i++)
		points->phase[i] =
			iot_intern_str(tl->strings, iot_slow_part_phase((enum iot_phase)i));
	for (guint i = 0; i < G_N_ELEMENTS(certainties); i++)
		points->certainty[i] = iot_intern_str(tl->strings, certainties[i]);
	for (iot_cat_id cat = 1; cat < n_cats; cat++) {
		iot_type_id on = iot_type_at(tl, iot_cat_at(tl, cat)->type)->on;

		if (is_divided(points, cat) && !g_array_index(points->drawn, struct drawn, on).type)
			draw_on(points, on);
	}
	return &points->stage;
}

static gboolean points_possible(const struct iot_timeline *tl)
{
	return iot_locks_compared(tl) || iot_slow_calls_possible(tl);
}

static void points_listen(struct iot_stage *stage)
{
	struct points *points = (struct points *)stage;

	iot_waits_listen(iot_stage_waits(stage), wait_ended, stage);
	/* it splits the unexplained time of waits */
	if (iot_anatomy_possible(points->tl))
		iot_stage_parts(stage);
	if (!points->calls)
		return;
	iot_slow_calls_use_accounts(points->calls, iot_stage_accounts(stage));
	iot_slow_calls_listen(points->calls, call_ended, stage);
}

static gboolean points_wants(struct iot_stage *stage, enum iot_item_kind kind, iot_cat_id cat)
{
	const struct points *points = (struct points *)stage;

	return (kind == IOT_ITEM_SPAN || kind == IOT_ITEM_SPAN_BEGIN) && points->calls &&
	       iot_slow_calls_wants(points->calls, cat);
}

static gboolean points_item(struct iot_stage *stage, const struct iot_item *item, GError **error)
{
	struct points *points = (struct points *)stage;

	(void)error;
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
	g_free(points);
}

const struct iot_stage_ops iot_stage_account_points = {
	.name = "accounts",
	.summary = "each wait for a lock and each call in parts, as points at its end",
	.is_possible = points_possible,
	.open = points_open,
	.listen = points_listen,
	.wants = points_wants,
	.item = points_item,
	.settle = points_settle,
	.free = points_free,
};
