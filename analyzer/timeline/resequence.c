/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Most items come in order; they wait in a queue. What begins a call comes when the call has
 * returned, and has a place (places.h). Only the others pay for a heap.
 */
#include "timeline/resequence.h"
#include "timeline/places.h"
#include "timeline/spill.h"
#include "base/heap.h"

/* An item that waits. */
struct slot {
	struct iot_item item;
	guint32 next;	     /* of the same place; of unused slots */
	guint16 begin_flags; /* of a whole span: */
	guint8 is_whole;     /* it is in the queue or the heap, and at a place, too, which only
				 makes its begin of it */
};

/* With many calls open, items wait for so long that they have left the cache. */
enum { CACHE_LINE = 64, AHEAD = 4 };

/* What an item may take. The arrays grow by doubling, so they may be half empty; the slots stop at
 * max_items. */
enum {
	ITEM_BYTES = sizeof(struct slot) + 2 * (sizeof(struct iot_heap_entry) +
						sizeof(struct iot_place) + sizeof(guint32))
};

struct iot_resequence {
	iot_item_func func;
	gpointer user_data;
	struct slot *slots;
	guint32 n_slots, free_slot; /* all, and the first unused */
	guint32 max_items;
	guint32 *queue;			     /* slots in order; a ring */
	guint queue_at, queue_n, queue_size; /* first, number, room (a power of two) */
	struct iot_places places;
	struct iot_heap heap; /* value: its slot */
	guint64 first;	      /* no item in memory or on disk is before it */
	struct iot_spill *spill;
	guint64 n_spilled;
};

struct iot_resequence *iot_resequence_new(guint64 memory, iot_item_func func, gpointer user_data)
{
	struct iot_resequence *reseq = g_new0(struct iot_resequence, 1);

	reseq->func = func;
	reseq->user_data = user_data;
	reseq->free_slot = IOT_NO_SLOT;
	reseq->first = G_MAXUINT64;
	reseq->max_items = (guint32)CLAMP(memory / ITEM_BYTES, 16, 1u << 28);
	reseq->spill = iot_spill_new();
	return reseq;
}

void iot_resequence_free(struct iot_resequence *reseq)
{
	if (!reseq)
		return;
	iot_heap_clear(&reseq->heap);
	g_free(reseq->queue);
	g_free(reseq->slots);
	iot_places_clear(&reseq->places);
	iot_spill_free(reseq->spill);
	g_free(reseq);
}

void iot_resequence_connect(struct iot_resequence *reseq, gpointer user_data)
{
	reseq->user_data = user_data;
}

static void grow_slots(struct iot_resequence *reseq)
{
	guint32 n = MIN(MAX(2 * reseq->n_slots, 64), reseq->max_items);

	reseq->slots = g_renew(struct slot, reseq->slots, n);
	for (guint32 i = n; i-- > reseq->n_slots;) {
		reseq->slots[i].next = reseq->free_slot;
		reseq->free_slot = i;
	}
	reseq->n_slots = n;
}

static guint32 take_slot(struct iot_resequence *reseq, const struct iot_item *item)
{
	guint32 slot;

	if (reseq->free_slot == IOT_NO_SLOT)
		grow_slots(reseq);
	slot = reseq->free_slot;
	reseq->free_slot = reseq->slots[slot].next;
	reseq->slots[slot].item = *item;
	reseq->slots[slot].next = IOT_NO_SLOT;
	reseq->slots[slot].is_whole = FALSE;
	return slot;
}

static void leave_slot(struct iot_resequence *reseq, guint32 slot)
{
	reseq->slots[slot].next = reseq->free_slot;
	reseq->free_slot = slot;
}

static inline guint32 queue_slot(const struct iot_resequence *reseq, guint i)
{
	return reseq->queue[(reseq->queue_at + i) & (reseq->queue_size - 1)];
}

static void queue_grow(struct iot_resequence *reseq)
{
	guint size = reseq->queue_size ? 2 * reseq->queue_size : 64;
	guint32 *queue = g_new(guint32, size);

	for (guint i = 0; i < reseq->queue_n; i++)
		queue[i] = queue_slot(reseq, i);
	g_free(reseq->queue);
	reseq->queue = queue;
	reseq->queue_at = 0;
	reseq->queue_size = size;
}

static inline void queue_append(struct iot_resequence *reseq, guint32 slot)
{
	if (reseq->queue_n == reseq->queue_size)
		queue_grow(reseq);
	reseq->queue[(reseq->queue_at + reseq->queue_n++) & (reseq->queue_size - 1)] = slot;
}

/* Time and number as one number: no branch where it cannot be predicted which is smaller. */
typedef unsigned __int128 order;

#define NEVER (~(order)0)

static inline order order_of(guint64 t, guint64 seq)
{
	return (order)t << 64 | seq;
}

static inline guint64 time_of(order at)
{
	return (guint64)(at >> 64);
}

static inline order slot_order(const struct iot_resequence *reseq, guint32 slot)
{
	const struct iot_item *item = &reseq->slots[slot].item;

	return order_of(item->t1, item->seq);
}

static inline order queue_last(const struct iot_resequence *reseq)
{
	return slot_order(reseq, queue_slot(reseq, reseq->queue_n - 1));
}

/* When the first item is due; NEVER if there is none. */
static inline order queue_order(const struct iot_resequence *reseq)
{
	return reseq->queue_n ? slot_order(reseq, queue_slot(reseq, 0)) : NEVER;
}

/* Of an item at a place: a span is numbered behind its begin. */
static inline guint64 place_seq(const struct slot *slot)
{
	return slot->item.seq - slot->is_whole;
}

static inline order place_order(const struct iot_resequence *reseq, const struct iot_place *place)
{
	return place ? order_of(place->t, place_seq(&reseq->slots[place->first])) : NEVER;
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

static inline void fetch_slot(const struct iot_resequence *reseq, guint32 slot)
{
	const guint8 *at = (const guint8 *)&reseq->slots[slot];

	__builtin_prefetch(at);
	__builtin_prefetch(at + CACHE_LINE);
}

/* Who gets what is due. */
struct receiver {
	iot_item_func func;
	gpointer user_data;
};

static gboolean deliver_queue(struct iot_resequence *reseq, order end, const struct receiver *to,
			      GError **error)
{
	while (reseq->queue_n) {
		guint32 slot = queue_slot(reseq, 0);

		if (slot_order(reseq, slot) >= end)
			break;
		if (!to->func(to->user_data, &reseq->slots[slot].item, error))
			return FALSE;
		if (reseq->queue_n > AHEAD)
			fetch_slot(reseq, queue_slot(reseq, AHEAD));
		reseq->queue_at = (reseq->queue_at + 1) & (reseq->queue_size - 1);
		reseq->queue_n--;
		leave_slot(reseq, slot);
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

/* Of the first place; it goes when the next one is looked for. */
static gboolean deliver_place(struct iot_resequence *reseq, struct iot_place *place, order end,
			      const struct receiver *to, GError **error)
{
	const struct iot_place *later = iot_places_ahead(&reseq->places, AHEAD);

	if (later && later->first != IOT_NO_SLOT)
		fetch_slot(reseq, later->first);
	while (place->first != IOT_NO_SLOT) {
		guint32 number = place->first;
		const struct slot *slot = &reseq->slots[number];
		const struct iot_item *item = &slot->item;
		struct iot_item begin;

		if (order_of(place->t, place_seq(slot)) >= end)
			break;
		if (slot->is_whole) {
			make_begin(&begin, item, slot->begin_flags);
			item = &begin;
		}
		if (!to->func(to->user_data, item, error))
			return FALSE;
		place->first = slot->next;
		if (!slot->is_whole)
			leave_slot(reseq, number);
	}
	return TRUE;
}

static gboolean deliver_top(struct iot_resequence *reseq, const struct receiver *to, GError **error)
{
	guint32 slot = (guint32)iot_heap_top(&reseq->heap)->value;

	if (!to->func(to->user_data, &reseq->slots[slot].item, error))
		return FALSE;
	iot_heap_pop(&reseq->heap);
	leave_slot(reseq, slot);
	return TRUE;
}

/* What is in memory and due before @end. Queue and place mostly have several items that are due
 * before anything in the others, so these are not asked for each item. */
static gboolean deliver(struct iot_resequence *reseq, order end, const struct receiver *to,
			GError **error)
{
	gboolean ok = TRUE;

	while (ok) {
		struct iot_place *place = iot_places_first(&reseq->places, time_of(end));
		order queue = queue_order(reseq), begin = place_order(reseq, place);
		order other = MIN(heap_order(reseq), end);

		if (queue < begin && queue < other)
			ok = deliver_queue(reseq, MIN(begin, other), to, error);
		else if (begin < other)
			ok = deliver_place(reseq, place, MIN(queue, other), to, error);
		else if (other < end)
			ok = deliver_top(reseq, to, error);
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
	const struct receiver to = { spill_item, reseq };

	if (!iot_spill_begin(reseq->spill, error) || !deliver(reseq, NEVER, &to, error))
		return FALSE;
	iot_places_forget(&reseq->places);
	return iot_spill_end(reseq->spill, error);
}

guint64 iot_resequence_keep(struct iot_resequence *reseq, guint64 t)
{
	/* calls of which nothing is drawn must not fill the memory either */
	return reseq->places.n < reseq->max_items ? iot_places_keep(&reseq->places, t) : 0;
}

/* Behind what the place has already; FALSE if there is none, or it has not to be there. */
static gboolean put_in_place(struct iot_resequence *reseq, struct iot_place *place, guint32 slot)
{
	struct slot *last = NULL;

	if (!place)
		return FALSE;
	if (place->first != IOT_NO_SLOT)
		last = &reseq->slots[place->last];
	if (last && place_seq(last) > place_seq(&reseq->slots[slot]))
		return FALSE;
	*(last ? &last->next : &place->first) = slot;
	place->last = slot;
	return TRUE;
}

static inline void put_in_order(struct iot_resequence *reseq, guint32 slot)
{
	const struct iot_item *item = &reseq->slots[slot].item;

	if (!reseq->queue_n || order_of(item->t1, item->seq) > queue_last(reseq))
		queue_append(reseq, slot);
	else
		iot_heap_push(&reseq->heap, item->t1, item->seq, slot);
}

static inline gboolean make_room(struct iot_resequence *reseq, GError **error)
{
	return G_LIKELY(reseq->free_slot != IOT_NO_SLOT || reseq->n_slots < reseq->max_items) ||
	       spill_all(reseq, error);
}

gboolean iot_resequence_push(struct iot_resequence *reseq, const struct iot_item *item,
			     guint64 place, GError **error)
{
	guint32 slot;

	if (!make_room(reseq, error))
		return FALSE;
	reseq->first = MIN(reseq->first, item->t1);
	slot = take_slot(reseq, item);
	if (!put_in_place(reseq, iot_places_find(&reseq->places, place, item->t1), slot))
		put_in_order(reseq, slot);
	return TRUE;
}

gboolean iot_resequence_push_whole(struct iot_resequence *reseq, const struct iot_item *span,
				   guint16 begin_flags, guint64 place, GError **error)
{
	struct iot_item begin;
	guint32 slot;

	if (!make_room(reseq, error))
		return FALSE;
	reseq->first = MIN(reseq->first, span->t0);
	slot = take_slot(reseq, span);
	put_in_order(reseq, slot);
	reseq->slots[slot].is_whole = TRUE;
	reseq->slots[slot].begin_flags = begin_flags;
	if (put_in_place(reseq, iot_places_find(&reseq->places, place, span->t0), slot))
		return TRUE;
	reseq->slots[slot].is_whole = FALSE;
	make_begin(&begin, span, begin_flags);
	return iot_resequence_push(reseq, &begin, 0, error);
}

gboolean iot_resequence_release(struct iot_resequence *reseq, guint64 watermark_ns, GError **error)
{
	const struct receiver to = { reseq->func, reseq->user_data };
	order end = watermark_ns == G_MAXUINT64 ? NEVER : order_of(watermark_ns, 0), disk;
	guint64 first;

	/* nearly always: the oldest open call is still the same */
	if (G_LIKELY(reseq->first >= watermark_ns && watermark_ns != G_MAXUINT64))
		return TRUE;
	for (;;) {
		struct iot_item item;

		disk = disk_order(reseq);
		if (!deliver(reseq, MIN(disk, end), &to, error))
			return FALSE;
		if (disk >= end)
			break;
		if (!iot_spill_pop(reseq->spill, &item, error) ||
		    !to.func(to.user_data, &item, error))
			return FALSE;
	}
	first = time_of(MIN(MIN(queue_order(reseq), heap_order(reseq)), disk));
	/* behind an empty place there may be others that have items */
	reseq->first = MIN(first, iot_places_start(&reseq->places));
	return TRUE;
}

guint64 iot_resequence_spilled(const struct iot_resequence *reseq)
{
	return reseq->n_spilled;
}

/* None of these ever shrinks. */
gsize iot_resequence_memory(const struct iot_resequence *reseq)
{
	return reseq->heap.size * sizeof(*reseq->heap.entries) +
	       reseq->places.size * sizeof(*reseq->places.ring) +
	       reseq->queue_size * sizeof(*reseq->queue) + reseq->n_slots * sizeof(*reseq->slots);
}
