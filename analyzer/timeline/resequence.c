/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Three structures hold the items that wait. Most items come in order: they are appended to a
 * queue. The begins of completed calls are made from the spans in begin slots. The other items are
 * in a heap, which costs the most.
 */
#include "timeline/resequence.h"
#include "timeline/begin-slots.h"
#include "timeline/spill.h"
#include "timeline/item-queue.h"
#include "base/heap.h"

/* Spans in begin slots are prefetched, because with many open calls they have left the cache. The
 * queue is read from one end to the other and needs no prefetch. */
enum { CACHE_LINE = 64, AHEAD = 4 };

/* Bytes that an item may take in the heap and the slots, which double and may be half empty. */
enum { MORE_BYTES = 2 * (sizeof(struct iot_heap_entry) + sizeof(struct iot_begin_slot)) };

/* Time and seq as one number, which is compared without a branch; it would not be predictable. */
typedef unsigned __int128 order;

#define NEVER (~(order)0)

struct iot_resequence {
	iot_item_func func;
	gpointer user_data;
	struct iot_item_queue queue;
	struct iot_begin_slots slots;
	guint max_slots;
	struct iot_heap heap; /* value: an iot_queued_item */
	order queue_last;     /* of the item that was appended last */
	guint64 first;	      /* no item in memory or on disk is before this time */
	struct iot_spill *spill;
	guint64 n_spilled;
};

struct iot_resequence *iot_resequence_new(guint64 memory, iot_item_func func, gpointer user_data)
{
	struct iot_resequence *reseq = g_new0(struct iot_resequence, 1);

	reseq->func = func;
	reseq->user_data = user_data;
	reseq->first = G_MAXUINT64;
	reseq->queue.max_blocks = iot_item_queue_max(memory, MORE_BYTES);
	reseq->max_slots =
		(guint)CLAMP(memory / (sizeof(struct iot_queued_item) + MORE_BYTES), 16, 1u << 28);
	reseq->spill = iot_spill_new();
	return reseq;
}

void iot_resequence_free(struct iot_resequence *reseq)
{
	if (!reseq)
		return;
	iot_heap_clear(&reseq->heap);
	iot_item_queue_clear(&reseq->queue);
	iot_begin_slots_clear(&reseq->slots);
	iot_spill_free(reseq->spill);
	g_free(reseq);
}

void iot_resequence_connect(struct iot_resequence *reseq, gpointer user_data)
{
	reseq->user_data = user_data;
}

static inline order order_of(guint64 t, guint64 seq)
{
	return (order)t << 64 | seq;
}

static inline guint64 time_of(order at)
{
	return (guint64)(at >> 64);
}

static inline order item_order(const struct iot_item *item)
{
	return order_of(item->t1, item->seq);
}

/* The order of the begin of a span in a slot. */
static inline order begin_order(const struct iot_queued_item *span)
{
	return order_of(span->item.t0, span->item.seq - 1);
}

/* The order of the first item; NEVER if there is none. */
static inline order queue_order(const struct iot_resequence *reseq)
{
	const struct iot_queued_item *first = iot_item_queue_first(&reseq->queue);

	return first ? item_order(&first->item) : NEVER;
}

static inline order heap_order(const struct iot_resequence *reseq)
{
	const struct iot_heap_entry *top = iot_heap_top(&reseq->heap);

	return G_UNLIKELY(top) ? order_of(top->key, top->tie) : NEVER;
}

static inline order disk_order(const struct iot_resequence *reseq)
{
	guint64 t, seq;

	return G_UNLIKELY(iot_spill_top(reseq->spill, &t, &seq)) ? order_of(t, seq) : NEVER;
}

/* The function that items are delivered to. */
struct receiver {
	iot_item_func func;
	gpointer user_data;
	GError **error;
};

static gboolean deliver_queue(struct iot_resequence *reseq, order end, const struct receiver *to)
{
	const struct iot_queued_item *first;

	while ((first = iot_item_queue_first(&reseq->queue)) && item_order(&first->item) < end) {
		if (!to->func(to->user_data, &first->item, to->error))
			return FALSE;
		iot_item_queue_drop(&reseq->queue);
	}
	return TRUE;
}

static void make_begin(struct iot_item *begin, const struct iot_item *span, guint16 flags)
{
	*begin = *span;
	begin->kind = IOT_ITEM_SPAN_BEGIN;
	begin->flags = flags;
	begin->t1 = span->t0;
	begin->seq = span->seq - 1;
}

/* Deliver the begins of the first slot; iot_begin_slots_first drops it later. */
static gboolean deliver_begins(struct iot_resequence *reseq, struct iot_begin_slot *slot, order end,
			       const struct receiver *to)
{
	const struct iot_begin_slot *later = iot_begin_slots_ahead(&reseq->slots, AHEAD);

	if (later && later->first) {
		__builtin_prefetch(later->first);
		__builtin_prefetch((const guint8 *)later->first + CACHE_LINE);
	}
	while (slot->first && begin_order(slot->first) < end) {
		struct iot_item begin;

		make_begin(&begin, &slot->first->item, slot->first->begin_flags);
		if (!to->func(to->user_data, &begin, to->error))
			return FALSE;
		slot->first = slot->first->next;
	}
	return TRUE;
}

static gboolean deliver_top(struct iot_resequence *reseq, const struct receiver *to)
{
	struct iot_queued_item *top = (struct iot_queued_item *)iot_heap_top(&reseq->heap)->value;

	if (!to->func(to->user_data, &top->item, to->error))
		return FALSE;
	iot_heap_pop(&reseq->heap);
	iot_item_queue_leave(&reseq->queue, top);
	return TRUE;
}

/* Deliver the items in memory before @end. Queue and slot usually have several items before the
 * first item of the other structures, so these are not compared for each item. */
static gboolean deliver(struct iot_resequence *reseq, order end, const struct receiver *to)
{
	gboolean ok = TRUE;

	while (ok) {
		struct iot_begin_slot *slot = iot_begin_slots_first(&reseq->slots, time_of(end));
		order begin = slot ? begin_order(slot->first) : NEVER;
		order queue = queue_order(reseq), other = MIN(heap_order(reseq), end);

		if (queue < begin && queue < other)
			ok = deliver_queue(reseq, MIN(begin, other), to);
		else if (begin < other)
			ok = deliver_begins(reseq, slot, MIN(queue, other), to);
		else if (other < end)
			ok = deliver_top(reseq, to);
		else
			break;
	}
	return ok;
}

static gboolean spill_item(gpointer data, const struct iot_item *item, GError **error)
{
	struct iot_resequence *reseq = data;

	(void)error;
	iot_spill_add(reseq->spill, item, item->t1);
	reseq->n_spilled++;
	return TRUE;
}

/* Everything in memory becomes one sorted run on disk. */
static gboolean spill_all(struct iot_resequence *reseq, GError **error)
{
	const struct receiver to = { spill_item, reseq, error };

	if (!iot_spill_begin(reseq->spill, error) || !deliver(reseq, NEVER, &to))
		return FALSE;
	iot_begin_slots_forget(&reseq->slots);
	iot_item_queue_reset(&reseq->queue);
	return iot_spill_end(reseq->spill, error);
}

guint64 iot_resequence_reserve(struct iot_resequence *reseq, guint64 t)
{
	/* bounded, because calls that draw nothing reserve slots, too */
	return reseq->slots.n < reseq->max_slots ? iot_begin_slots_reserve(&reseq->slots, t) : 0;
}

/* Whether an item may be appended to the queue. In the slow path all items go into the heap. */
static inline gboolean fits_queue(const struct iot_resequence *reseq, order at)
{
	if (iot_slow_only())
		return FALSE;
	return at > reseq->queue_last || !iot_item_queue_first(&reseq->queue);
}

static struct iot_queued_item *take(struct iot_resequence *reseq, gboolean queued)
{
	return queued ? iot_item_queue_append(&reseq->queue) : iot_item_queue_single(&reseq->queue);
}

/* Slow path of put: the item is out of order, or the block is full. */
static G_GNUC_NO_INLINE struct iot_queued_item *
put_anywhere(struct iot_resequence *reseq, const struct iot_item *item, GError **error)
{
	gboolean queued = fits_queue(reseq, item_order(item));
	struct iot_queued_item *waiting = take(reseq, queued);

	if (!waiting) {
		if (!spill_all(reseq, error))
			return NULL;
		waiting = take(reseq, queued);
	}
	waiting->item = *item;
	if (queued)
		reseq->queue_last = item_order(item);
	else
		iot_heap_push(&reseq->heap, item->t1, item->seq, (guint64)waiting);
	return waiting;
}

/* Add a copy of an item to the queue or to the heap. NULL with an error. */
static inline struct iot_queued_item *put(struct iot_resequence *reseq, const struct iot_item *item,
					  GError **error)
{
	struct iot_queued_item *waiting;

	if (G_UNLIKELY(!iot_item_queue_has_room(&reseq->queue) ||
		       !fits_queue(reseq, item_order(item))))
		return put_anywhere(reseq, item, error);
	/* fast path: append to the queue */
	waiting = iot_item_queue_append(&reseq->queue);
	waiting->item = *item;
	reseq->queue_last = item_order(item);
	return waiting;
}

gboolean iot_resequence_push(struct iot_resequence *reseq, const struct iot_item *item,
			     GError **error)
{
	reseq->first = MIN(reseq->first, item->t1);
	return put(reseq, item, error) != NULL;
}

/* Append to the spans of the slot; FALSE if the span does not come last. */
static gboolean put_in_slot(struct iot_begin_slot *slot, struct iot_queued_item *span)
{
	if (slot->first && begin_order(slot->last) > begin_order(span))
		return FALSE;
	span->next = NULL;
	*(slot->first ? &slot->last->next : &slot->first) = span;
	slot->last = span;
	return TRUE;
}

gboolean iot_resequence_push_whole(struct iot_resequence *reseq, const struct iot_item *span,
				   guint16 begin_flags, guint64 number, GError **error)
{
	struct iot_queued_item *waiting = put(reseq, span, error);
	struct iot_begin_slot *slot;
	struct iot_item begin;

	if (!waiting)
		return FALSE;
	reseq->first = MIN(reseq->first, span->t0);
	waiting->begin_flags = begin_flags;
	/* only now, because spilling drops all slots */
	slot = iot_begin_slots_find(&reseq->slots, number, span->t0);
	if (slot && put_in_slot(slot, waiting))
		return TRUE;
	make_begin(&begin, span, begin_flags);
	return put(reseq, &begin, error) != NULL;
}

gboolean iot_resequence_release(struct iot_resequence *reseq, guint64 watermark_ns, GError **error)
{
	const struct receiver to = { reseq->func, reseq->user_data, error };
	order end = watermark_ns == G_MAXUINT64 ? NEVER : order_of(watermark_ns, 0), disk;
	guint64 first;

	/* fast path: the oldest open call is still the same */
	if (G_LIKELY(reseq->first >= watermark_ns && watermark_ns != G_MAXUINT64) &&
	    !iot_slow_only())
		return TRUE;
	for (;;) {
		struct iot_item item;

		disk = disk_order(reseq);
		if (!deliver(reseq, MIN(disk, end), &to))
			return FALSE;
		if (disk >= end)
			break;
		if (!iot_spill_pop(reseq->spill, &item, error) ||
		    !to.func(to.user_data, &item, error))
			return FALSE;
	}
	first = time_of(MIN(MIN(queue_order(reseq), heap_order(reseq)), disk));
	/* after an empty slot there may be others that have items */
	reseq->first = MIN(first, iot_begin_slots_start(&reseq->slots));
	return TRUE;
}

guint64 iot_resequence_spilled(const struct iot_resequence *reseq)
{
	return reseq->n_spilled;
}

/* None of the parts ever shrinks. */
gsize iot_resequence_memory(const struct iot_resequence *reseq)
{
	return reseq->heap.size * sizeof(*reseq->heap.entries) +
	       reseq->slots.size * sizeof(*reseq->slots.ring) +
	       iot_item_queue_memory(&reseq->queue);
}
