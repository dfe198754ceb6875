/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places in time order, kept for what comes later: a call is drawn when it has ended, but begins
 * where it began. Calls begin in order, so to keep a place is to append to a ring, and to fill it
 * later is to find it by its number; a heap would sort what need not be sorted. Pipeline thread
 * only.
 */
#ifndef IOT_TIMELINE_BEGIN_SLOTS_H
#define IOT_TIMELINE_BEGIN_SLOTS_H

#include <glib.h>

struct iot_queued_item;

struct iot_begin_slot {
	guint64 t;			      /* ns */
	struct iot_queued_item *first, *last; /* linked by their owner; NULL: empty so far */
};

/* A zeroed struct has no places. */
struct iot_begin_slots {
	struct iot_begin_slot *ring;
	guint at, n, size; /* first, number, room (a power of two, or 0) */
	guint64 n_gone;	   /* places before the first one */
};

void iot_begin_slots_clear(struct iot_begin_slots *places);
/**
 * iot_begin_slots_reserve - a place at @t, which is not before that of any other place
 *
 * Returns its number, which is not 0; 0 if @t is before another place. Calls of one instant share a
 * place.
 */
guint64 iot_begin_slots_reserve(struct iot_begin_slots *places, guint64 t);
/** iot_begin_slots_forget - there are no places any more; their numbers are of no use */
void iot_begin_slots_forget(struct iot_begin_slots *places);

/** iot_begin_slots_find - place number @number (0: none); NULL if it is gone, or not at @t */
static inline struct iot_begin_slot *iot_begin_slots_find(const struct iot_begin_slots *places,
							  guint64 number, guint64 t)
{
	guint64 i = number - 1 - places->n_gone; /* of 0, and of what is gone: very large */
	struct iot_begin_slot *place;

	if (i >= places->n)
		return NULL;
	place = &places->ring[(places->at + i) & (places->size - 1)];
	return place->t == t ? place : NULL;
}

/** iot_begin_slots_ahead - the place that is so many behind the first one; NULL if there is none */
static inline struct iot_begin_slot *iot_begin_slots_ahead(const struct iot_begin_slots *places,
							   guint n)
{
	return n < places->n ? &places->ring[(places->at + n) & (places->size - 1)] : NULL;
}

/** iot_begin_slots_start - time of the first place; G_MAXUINT64 if there is none */
static inline guint64 iot_begin_slots_start(const struct iot_begin_slots *places)
{
	return places->n ? places->ring[places->at].t : G_MAXUINT64;
}

/** iot_begin_slots_drop - the first place is gone */
static inline void iot_begin_slots_drop(struct iot_begin_slots *places)
{
	places->at = (places->at + 1) & (places->size - 1);
	places->n--;
	places->n_gone++;
}

/**
 * iot_begin_slots_first - the first place, if it is not empty; empty ones before @end are dropped
 *
 * NULL if there is none, or it is empty and may still be filled, because it is not before @end.
 */
static inline struct iot_begin_slot *iot_begin_slots_first(struct iot_begin_slots *places,
							   guint64 end)
{
	while (places->n) {
		struct iot_begin_slot *place = &places->ring[places->at];

		if (place->first)
			return place;
		if (place->t >= end)
			return NULL;
		iot_begin_slots_drop(places);
	}
	return NULL;
}

#endif
