/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/slog2/slog2-recent.h"
#include "base/try-alloc.h"
#include "base/intern.h"

void iot_slog2_recent_clear(struct iot_slog2_recent *recent)
{
	g_free(recent->slots);
	*recent = (struct iot_slog2_recent){ .out = recent->out };
}

/* The slot that holds the state, or the free slot where it belongs. */
static struct iot_slog2_recent_slot *find(const struct iot_slog2_recent *recent,
					  const struct iot_slog2_recent_state *state)
{
	guint32 mask = recent->n_slots - 1;
	guint64 hash = iot_hash_mix(iot_hash_mix(state->t0, state->line), (guint32)state->category);

	for (guint32 i = (guint32)hash & mask;; i = (i + 1) & mask) {
		struct iot_slog2_recent_slot *slot = &recent->slots[i];

		if (slot->epoch != recent->epoch ||
		    (slot->t0 == state->t0 && slot->line == state->line &&
		     slot->category == state->category))
			return slot;
	}
}

static gboolean grow(struct iot_slog2_recent *recent)
{
	struct iot_slog2_recent larger = *recent;

	if (iot_out_failed(recent->out))
		return FALSE;
	larger.n_slots = recent->n_slots ? recent->n_slots * 2 : 64;
	larger.slots = iot_try_malloc(larger.n_slots * sizeof(*larger.slots), "equal SLOG2 states",
				      &recent->out->error);
	if (!larger.slots)
		return FALSE;
	memset(larger.slots, 0, larger.n_slots * sizeof(*larger.slots));
	for (guint32 i = 0; i < recent->n_slots; i++) {
		const struct iot_slog2_recent_slot *old = &recent->slots[i];
		struct iot_slog2_recent_state state = { old->t0, 0, old->category, old->line };

		if (old->epoch == recent->epoch)
			*find(&larger, &state) = *old;
	}
	g_free(recent->slots);
	*recent = larger;
	return TRUE;
}

/* Returns the start that makes it distinct. */
static guint64 add(struct iot_slog2_recent *recent, struct iot_slog2_recent_state state)
{
	if (state.t1 != recent->end || !recent->epoch) {
		recent->end = state.t1;
		recent->epoch++;
		recent->n = 0;
	}
	if (recent->n >= recent->n_slots / 2 && !grow(recent))
		return state.t0;
	for (; state.t0 < state.t1; state.t0++) {
		struct iot_slog2_recent_slot *slot = find(recent, &state);

		if (slot->epoch == recent->epoch)
			continue;
		*slot = (struct iot_slog2_recent_slot){ .t0 = state.t0,
							.epoch = recent->epoch,
							.category = state.category,
							.line = state.line };
		recent->n++;
		break;
	}
	return state.t0;
}

guint64 iot_slog2_recent_search(struct iot_slog2_recent *recent,
				struct iot_slog2_recent_first *first,
				struct iot_slog2_recent_state state)
{
	if (!first->added)
		add(recent, (struct iot_slog2_recent_state){ first->t0, state.t1, first->category,
							     state.line });
	first->added = TRUE;
	return add(recent, state);
}
