/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Most items come in order; they wait in a queue, and only the others (a call, drawn at its start
 * when it has returned) pay for a heap.
 */
#include "timeline/resequence.h"
#include "timeline/spill.h"
#include "base/heap.h"

struct iot_resequence {
	iot_item_func func;
	gpointer user_data;
	struct iot_heap heap;		     /* value: index into items */
	GArray *items;			     /* of struct iot_item: slots, reused */
	GArray *free_slots;		     /* of guint32 */
	struct iot_item *queue;		     /* in order; a ring */
	guint queue_at, queue_n, queue_size; /* first, number, room (a power of two) */
	guint max_items;
	struct iot_spill *spill;
	guint64 n_spilled;
};

struct iot_resequence *iot_resequence_new(guint64 memory, iot_item_func func, gpointer user_data)
{
	struct iot_resequence *reseq = g_new0(struct iot_resequence, 1);

	reseq->func = func;
	reseq->user_data = user_data;
	reseq->items = g_array_new(FALSE, FALSE, sizeof(struct iot_item));
	reseq->free_slots = g_array_new(FALSE, FALSE, sizeof(guint32));
	reseq->max_items = (guint)CLAMP(
		memory / (sizeof(struct iot_item) + sizeof(struct iot_heap_entry)), 16, 1u << 28);
	reseq->spill = iot_spill_new();
	return reseq;
}

void iot_resequence_free(struct iot_resequence *reseq)
{
	if (!reseq)
		return;
	iot_heap_clear(&reseq->heap);
	g_free(reseq->queue);
	g_array_unref(reseq->items);
	g_array_unref(reseq->free_slots);
	iot_spill_free(reseq->spill);
	g_free(reseq);
}

void iot_resequence_connect(struct iot_resequence *reseq, gpointer user_data)
{
	reseq->user_data = user_data;
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

static struct iot_item *queue_item(const struct iot_resequence *reseq, guint i)
{
	return &reseq->queue[(reseq->queue_at + i) & (reseq->queue_size - 1)];
}

static void queue_grow(struct iot_resequence *reseq)
{
	guint size = reseq->queue_size ? 2 * reseq->queue_size : 64;
	struct iot_item *queue = g_new(struct iot_item, size);

	for (guint i = 0; i < reseq->queue_n; i++)
		queue[i] = *queue_item(reseq, i);
	g_free(reseq->queue);
	reseq->queue = queue;
	reseq->queue_at = 0;
	reseq->queue_size = size;
}

static gboolean fits_queue(const struct iot_resequence *reseq, guint64 key, guint64 seq)
{
	const struct iot_item *last;
	guint64 last_key;

	if (!reseq->queue_n)
		return TRUE;
	last = queue_item(reseq, reseq->queue_n - 1);
	last_key = last->t1;
	return last_key < key || (last_key == key && last->seq < seq);
}

enum place { NOWHERE, IN_QUEUE, IN_HEAP, IN_SPILL };

/* Where the smallest item is. */
static enum place find_first(const struct iot_resequence *reseq, gboolean in_memory,
			     guint64 *out_key)
{
	const struct iot_heap_entry *top = iot_heap_top(&reseq->heap);
	struct iot_heap_entry best = { 0 }, other = { 0 };
	enum place place = NOWHERE;

	if (reseq->queue_n) {
		best.key = queue_item(reseq, 0)->t1;
		best.tie = queue_item(reseq, 0)->seq;
		place = IN_QUEUE;
	}
	if (top && (place == NOWHERE || iot_heap_less(top, &best))) {
		best = *top;
		place = IN_HEAP;
	}
	if (!in_memory && iot_spill_top(reseq->spill, &other.key, &other.tie) &&
	    (place == NOWHERE || iot_heap_less(&other, &best))) {
		best = other;
		place = IN_SPILL;
	}
	*out_key = best.key;
	return place;
}

/* The smallest item, where it lies; *room is for one that comes from disk. It stays until drop().
 */
static const struct iot_item *look(struct iot_resequence *reseq, enum place place,
				   struct iot_item *room, GError **error)
{
	if (place == IN_QUEUE)
		return queue_item(reseq, 0);
	if (place == IN_HEAP)
		return &g_array_index(reseq->items, struct iot_item,
				      (guint32)reseq->heap.entries[0].value);
	return iot_spill_pop(reseq->spill, room, error) ? room : NULL;
}

static void drop(struct iot_resequence *reseq, enum place place)
{
	guint32 slot;

	if (place == IN_QUEUE) {
		reseq->queue_at = (reseq->queue_at + 1) & (reseq->queue_size - 1);
		reseq->queue_n--;
	} else if (place == IN_HEAP) {
		slot = (guint32)iot_heap_pop(&reseq->heap).value;
		g_array_append_val(reseq->free_slots, slot);
	}
}

/* Everything in memory becomes one sorted run on disk. */
static gboolean spill_all(struct iot_resequence *reseq, GError **error)
{
	enum place place;
	guint64 key;

	if (!iot_spill_begin(reseq->spill, error))
		return FALSE;
	reseq->n_spilled += reseq->heap.n + reseq->queue_n;
	while ((place = find_first(reseq, TRUE, &key)) != NOWHERE) {
		iot_spill_add(reseq->spill, look(reseq, place, NULL, NULL), key);
		drop(reseq, place);
	}
	return iot_spill_end(reseq->spill, error);
}

gboolean iot_resequence_push(struct iot_resequence *reseq, const struct iot_item *item,
			     GError **error)
{
	guint64 key = item->t1;
	guint32 slot;

	if (reseq->heap.n + reseq->queue_n >= reseq->max_items && !spill_all(reseq, error))
		return FALSE;
	if (fits_queue(reseq, key, item->seq)) {
		if (reseq->queue_n == reseq->queue_size)
			queue_grow(reseq);
		*queue_item(reseq, reseq->queue_n++) = *item;
		return TRUE;
	}
	slot = slot_take(reseq);
	g_array_index(reseq->items, struct iot_item, slot) = *item;
	iot_heap_push(&reseq->heap, key, item->seq, slot);
	return TRUE;
}

gboolean iot_resequence_release(struct iot_resequence *reseq, guint64 watermark_ns, GError **error)
{
	for (;;) {
		struct iot_item room;
		const struct iot_item *item;
		guint64 key;
		enum place place = find_first(reseq, FALSE, &key);

		if (place == NOWHERE || (key >= watermark_ns && watermark_ns != G_MAXUINT64))
			return TRUE;
		item = look(reseq, place, &room, error);
		if (!item || !reseq->func(reseq->user_data, item, error))
			return FALSE;
		drop(reseq, place);
	}
}

guint64 iot_resequence_spilled(const struct iot_resequence *reseq)
{
	return reseq->n_spilled;
}

/* None of these ever shrinks. */
gsize iot_resequence_memory(const struct iot_resequence *reseq)
{
	return reseq->heap.size * sizeof(*reseq->heap.entries) +
	       (reseq->queue_size + reseq->items->len) * sizeof(struct iot_item) +
	       reseq->items->len * sizeof(guint32);
}
