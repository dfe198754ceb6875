/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of several CPUs of one input with one time. They come in the order of CPUs, which may put
 * an end before its start, or a completion before its call. An event that contradicts the known
 * state is held while others of its instant come, and so are later events of its CPU. It is applied
 * as soon as another event explains it (tie-apply.h), otherwise at the end of the instant.
 * Events with a time of their own never wait.
 *
 * Without a contradiction a tie costs nothing.
 */
#ifndef IOT_MODEL_TIES_H
#define IOT_MODEL_TIES_H

#include "model/model-local.h"

/* Why the known state excludes an event. */
enum iot_contradiction {
	IOT_NO_CONTRADICTION,
	/* a start: the same call has not ended */
	IOT_NOT_ENDED,
	/* a start that begins a life: the object lives */
	IOT_STILL_ALIVE,
	/* a start: another call has not been completed */
	IOT_NOT_COMPLETED,
	/* an end: there is no start */
	IOT_NOT_STARTED,
	/* a completion: there is no call */
	IOT_NOT_CALLED,
	/* a notice: there is no such object */
	IOT_NOT_KNOWN,
};

struct iot_held {
	struct iot_held *next;
	struct iot_event_role *role;
	/* it waits only for earlier events of its CPU, and nothing of it has been applied */
	gboolean follows;
	/* the first contradiction has been resolved */
	gboolean explained;
	enum iot_contradiction why;
	/* copy; its slots follow */
	struct iot_rec rec;
};

/* Held events of one run, in order. */
struct iot_tie_queue {
	guint32 run, input;
	struct iot_held *first, *last;
};

struct iot_ties {
	/* of struct iot_tie_queue */
	GArray *queues;
	/* records in all queues, and their time */
	guint n;
	guint64 ts;
	enum { IOT_TIES_READING, IOT_TIES_TRYING, IOT_TIES_SETTLING } stage;
	/* while trying: why the event cannot be applied yet */
	enum iot_contradiction why;
};

/* Records; the roles of the last one may be more. */
enum { IOT_MAX_HELD = 4096 };

/** iot_ties_new - no event is held */
struct iot_ties *iot_ties_new(void);
/** iot_ties_free - with all events that are held */
void iot_ties_free(struct iot_ties *ties);
/** iot_tie_waits - the event contradicts the known state; TRUE if the caller must leave it, because
 * another event of the instant may explain it: it will come again */
gboolean iot_tie_waits(struct iot_model *model, struct iot_event_role *role,
		       const struct iot_rec *rec, enum iot_contradiction why);
/** iot_tie_take_back - the same for an event of this instant that has been applied; if TRUE, the
 * caller undoes it */
gboolean iot_tie_take_back(struct iot_model *model, struct iot_event_role *role,
			   const struct iot_rec *rec, enum iot_contradiction why);
/** iot_ties_any - whether events are held */
static inline gboolean iot_ties_any(const struct iot_ties *ties)
{
	return ties->n > 0;
}
/** iot_ties_oldest - time of the events that are held; G_MAXUINT64: none is */
guint64 iot_ties_oldest(const struct iot_ties *ties);
/** iot_ties_hold - append a copy of @rec to the queue of its run */
struct iot_held *iot_ties_hold(struct iot_ties *ties, struct iot_event_role *role,
			       const struct iot_rec *rec, enum iot_contradiction why);
/** iot_ties_hold_role - the same for a further role of a record that is held */
void iot_ties_hold_role(struct iot_ties *ties, struct iot_event_role *role,
			const struct iot_rec *rec);
/** iot_ties_hold_record - hold a whole record, because earlier events of its run are held */
void iot_ties_hold_record(struct iot_ties *ties, struct iot_event_role *first,
			  const struct iot_rec *rec);
/** iot_ties_queue - the i-th queue */
static inline struct iot_tie_queue *iot_ties_queue(const struct iot_ties *ties, guint i)
{
	return &g_array_index(ties->queues, struct iot_tie_queue, i);
}
/** iot_ties_find - the queue of a run; NULL if none of its events is held */
struct iot_tie_queue *iot_ties_find(const struct iot_ties *ties, guint32 run);
/** iot_ties_take_first - remove the first event of the i-th queue, and the queue if it is empty
 * then; the caller frees it */
struct iot_held *iot_ties_take_first(struct iot_ties *ties, guint i);

#endif
