/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/sleeps-local.h"

enum {
	/* Parts of the history of a thread. */
	MAX_PARTS = 512,
	/* Of all threads: beyond, histories may have half as many, down to LEAST_PARTS. */
	MAX_ALL_PARTS = 1 << 18,
	LEAST_PARTS = 16
};

void iot_history_init(struct iot_sleeps *sleeps)
{
	sleeps->scratch = g_array_new(FALSE, FALSE, sizeof(struct iot_account_part));
	sleeps->max_parts = MAX_PARTS;
	sleeps->next_sweep = MAX_ALL_PARTS;
}

gboolean iot_history_is_sleep(const struct iot_sleeps *sleeps, const struct iot_account_part *part)
{
	return part->cat && !part->wakers && part->phase == IOT_PHASE_WORK &&
	       iot_cat_at(sleeps->tl, part->cat)->sleeps;
}

/* What the thread does; FALSE: nothing is known. */
static gboolean find_present(const struct iot_sleeper *sleeper, struct iot_account_part *out)
{
	const struct iot_sleeper_span *first = NULL;

	*out = (struct iot_account_part){ .row = sleeper->row };
	for (guint i = 0; i < sleeper->open->len; i++) {
		const struct iot_sleeper_span *open =
			&g_array_index(sleeper->open, struct iot_sleeper_span, i);

		if (open->meaning == IOT_MEANS_CALL)
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

/* All but the last part, which may be a sleep whose waker is about to be known. */
static void shrink(struct iot_sleeps *sleeps, struct iot_sleeper *sleeper, guint max)
{
	const struct iot_account_part last =
		*iot_history_part(sleeper->history, sleeper->history->len - 1);

	sleeps->n_parts -= sleeper->history->len;
	g_array_set_size(sleeper->history, sleeper->history->len - 1);
	iot_account_shrink(sleeper->history, max - 1);
	g_array_append_val(sleeper->history, last);
	sleeps->n_parts += sleeper->history->len;
}

/* A thread that has ended wakes nobody. @now: the present instant, at which a thread may be between
 * two states */
static void forget_ended(struct iot_sleeps *sleeps, guint64 now)
{
	guint at = 0;
	struct iot_sleeper *sleeper;

	while ((sleeper = iot_hashset_walk(&sleeps->threads, &at))) {
		if (sleeper->open->len || sleeper->done >= now || !sleeper->history->len)
			continue;
		sleeps->n_parts -= sleeper->history->len;
		g_array_unref(sleeper->history);
		sleeper->history = g_array_new(FALSE, FALSE, sizeof(struct iot_account_part));
	}
	sleeps->next_sweep = MAX(MAX_ALL_PARTS, 2 * sleeps->n_parts);
}

static void shrink_all(struct iot_sleeps *sleeps)
{
	guint at = 0;
	struct iot_sleeper *sleeper;

	sleeps->max_parts = MAX(sleeps->max_parts / 2, LEAST_PARTS);
	while ((sleeper = iot_hashset_walk(&sleeps->threads, &at)))
		if (sleeper->history->len > sleeps->max_parts / 2)
			shrink(sleeps, sleeper, sleeps->max_parts / 2);
}

void iot_history_add(struct iot_sleeps *sleeps, struct iot_sleeper *sleeper,
		     const struct iot_account_part *part, guint64 t0, guint64 t1)
{
	guint n = sleeper->history->len;

	iot_account_append(sleeper->history, part, t0, t1);
	sleeps->n_parts += sleeper->history->len - n;
}

void iot_history_bound(struct iot_sleeps *sleeps, struct iot_sleeper *sleeper)
{
	if (sleeper->history->len > sleeps->max_parts)
		shrink(sleeps, sleeper, sleeps->max_parts / 2);
	if (sleeps->n_parts > sleeps->next_sweep)
		forget_ended(sleeps, sleeper->done);
	if (sleeps->n_parts > MAX_ALL_PARTS && sleeps->max_parts > LEAST_PARTS)
		shrink_all(sleeps);
}

void iot_history_advance(struct iot_sleeps *sleeps, struct iot_sleeper *sleeper, guint64 t)
{
	struct iot_account_part part;

	if (t <= sleeper->done)
		return;
	/* a thread without states neither sleeps nor wakes */
	if (sleeper->row && find_present(sleeper, &part)) {
		part.t0 = sleeper->done;
		part.t1 = t;
		iot_history_add(sleeps, sleeper, &part, part.t0, part.t1);
		iot_history_bound(sleeps, sleeper);
	}
	sleeper->done = t;
}

guint iot_history_after(const GArray *parts, guint64 t)
{
	guint from = 0, to = parts->len;

	while (from < to) {
		guint middle = from + (to - from) / 2;

		if (iot_history_part(parts, middle)->t1 <= t)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

const GArray *iot_history_take(struct iot_sleeps *sleeps, const struct iot_sleeper *sleeper,
			       guint64 t0)
{
	guint at = iot_history_after(sleeper->history, t0);

	g_array_set_size(sleeps->scratch, 0);
	if (at < sleeper->history->len)
		g_array_append_vals(sleeps->scratch, iot_history_part(sleeper->history, at),
				    sleeper->history->len - at);
	sleeps->n_parts -= sleeper->history->len - at;
	g_array_set_size(sleeper->history, at);
	return sleeps->scratch;
}
