/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/slog2/slog2-recent.h"
#include "base/try-alloc.h"
#include "base/intern.h"

void iot_slog2_recent_clear(struct iot_slog2_recent *recent)
{
	g_free(recent->slots);
	*recent = (struct iot_slog2_recent){ .out = recent->out };
}

static struct iot_slog2_recent_state *find(const struct iot_slog2_recent *recent, gint32 category,
					   guint32 line, guint64 t0)
{
	guint32 mask = recent->n_slots - 1;
	guint64 hash = iot_hash_mix(iot_hash_mix(t0, line), (guint32)category);

	for (guint32 i = (guint32)hash & mask;; i = (i + 1) & mask) {
		struct iot_slog2_recent_state *slot = &recent->slots[i];

		if (slot->epoch != recent->epoch ||
		    (slot->t0 == t0 && slot->line == line && slot->category == category))
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
		const struct iot_slog2_recent_state *old = &recent->slots[i];

		if (old->epoch == recent->epoch)
			*find(&larger, old->category, old->line, old->t0) = *old;
	}
	g_free(recent->slots);
	*recent = larger;
	return TRUE;
}

/* Returns the start. */
static guint64 add(struct iot_slog2_recent *recent, gint32 category, guint32 line, guint64 t0,
		   guint64 t1)
{
	struct iot_slog2_recent_state *slot;

	if (t1 != recent->end || !recent->epoch) {
		recent->end = t1;
		recent->epoch++;
		recent->n = 0;
	}
	if (recent->n >= recent->n_slots / 2 && !grow(recent))
		return t0;
	for (; t0 < t1; t0++) {
		slot = find(recent, category, line, t0);
		if (slot->epoch == recent->epoch)
			continue;
		*slot = (struct iot_slog2_recent_state){
			.t0 = t0, .epoch = recent->epoch, .category = category, .line = line
		};
		recent->n++;
		break;
	}
	return t0;
}

guint64 iot_slog2_recent_search(struct iot_slog2_recent *recent,
				struct iot_slog2_recent_first *first, gint32 category, guint32 line,
				guint64 t0, guint64 t1)
{
	if (!first->added)
		add(recent, first->category, line, first->t0, t1);
	first->added = TRUE;
	return add(recent, category, line, t0, t1);
}
