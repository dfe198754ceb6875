/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/resequence.h"
#include "timeline/spill.h"
#include "base/heap.h"

struct iot_resequence {
	enum iot_feed feed;
	iot_item_func func;
	gpointer user_data;
	struct iot_heap heap;		/* value: index into items */
	GArray *items;			/* of struct iot_item: slots, reused */
	GArray *free_slots;		/* of guint32 */
	guint max_items;
	struct iot_spill *spill;
	guint64 n_spilled;
};

struct iot_resequence *iot_resequence_new(enum iot_feed feed, guint64 memory, iot_item_func func,
					  gpointer user_data)
{
	struct iot_resequence *reseq = g_new0(struct iot_resequence, 1);

	reseq->feed = feed;
	reseq->func = func;
	reseq->user_data = user_data;
	reseq->items = g_array_new(FALSE, FALSE, sizeof(struct iot_item));
	reseq->free_slots = g_array_new(FALSE, FALSE, sizeof(guint32));
	reseq->max_items = (guint)CLAMP(memory / (sizeof(struct iot_item) + sizeof(struct iot_heap_entry)),
					16, 1u << 28);
	reseq->spill = iot_spill_new();
	return reseq;
}

void iot_resequence_free(struct iot_resequence *reseq)
{
	if (!reseq)
		return;
	iot_heap_clear(&reseq->heap);
	g_array_unref(reseq->items);
	g_array_unref(reseq->free_slots);
	iot_spill_free(reseq->spill);
	g_free(reseq);
}

static guint64 item_key(enum iot_feed feed, const struct iot_item *item)
{
	return feed == IOT_FEED_TIME && item->kind == IOT_ITEM_SPAN_BEGIN ? item->t0 : item->t1;
}

static guint32 slot_take(struct iot_resequence *reseq)
{
	guint32 slot;

	if (!reseq->free_slots->len) {
		g_array_set_size(reseq->items, reseq->items->len + 1);
		return reseq->items->len - 1;
	}
	slot = g_array_index(reseq->free_slots, guint32, reseq->free_slots->len - 1);
	g_array_set_size(reseq->free_slots, reseq->free_slots->len - 1);
	return slot;
}

/* Everything in memory becomes one sorted run on disk. */
static gboolean spill_all(struct iot_resequence *reseq, GError **error)
{
	if (!iot_spill_begin(reseq->spill, error))
		return FALSE;
	reseq->n_spilled += reseq->heap.n;
	while (reseq->heap.n) {
		struct iot_heap_entry top = iot_heap_pop(&reseq->heap);
		guint32 slot = (guint32)top.value;

		iot_spill_add(reseq->spill, &g_array_index(reseq->items, struct iot_item, slot), top.key);
		g_array_append_val(reseq->free_slots, slot);
	}
	return iot_spill_end(reseq->spill, error);
}

gboolean iot_resequence_push(struct iot_resequence *reseq, const struct iot_item *item, GError **error)
{
	guint32 slot;

	if (reseq->heap.n >= reseq->max_items && !spill_all(reseq, error))
		return FALSE;
	slot = slot_take(reseq);
	g_array_index(reseq->items, struct iot_item, slot) = *item;
	iot_heap_push(&reseq->heap, item_key(reseq->feed, item), item->seq, slot);
	return TRUE;
}

static gboolean spill_is_first(const struct iot_resequence *reseq, const struct iot_heap_entry *top,
			       guint64 *out_key)
{
	guint64 seq;

	if (!iot_spill_top(reseq->spill, out_key, &seq))
		return FALSE;
	return !top || *out_key < top->key || (*out_key == top->key && seq < top->tie);
}

gboolean iot_resequence_release(struct iot_resequence *reseq, guint64 watermark_ns, GError **error)
{
	for (;;) {
		const struct iot_heap_entry *top = iot_heap_top(&reseq->heap);
		struct iot_item item;
		guint64 key;

		if (spill_is_first(reseq, top, &key)) {
			if (key >= watermark_ns && watermark_ns != G_MAXUINT64)
				return TRUE;
			if (!iot_spill_pop(reseq->spill, &item, error))
				return FALSE;
		} else {
			guint32 slot;

			if (!top || (top->key >= watermark_ns && watermark_ns != G_MAXUINT64))
				return TRUE;
			slot = (guint32)iot_heap_pop(&reseq->heap).value;
			item = g_array_index(reseq->items, struct iot_item, slot);
			g_array_append_val(reseq->free_slots, slot);
		}
		if (!reseq->func(reseq->user_data, &item, error))
			return FALSE;
	}
}

guint64 iot_resequence_spilled(const struct iot_resequence *reseq)
{
	return reseq->n_spilled;
}
