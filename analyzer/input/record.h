/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records, which are decoded events, and batches of records. One reader thread fills a batch and
 * hands it over whole; its records are valid until the batch is recycled. The records of a run are
 * in the order of recording, and their times never step back (the source clamps and counts).
 */
#ifndef IOT_INPUT_RECORD_H
#define IOT_INPUT_RECORD_H

#include <glib.h>
#include <string.h>

union iot_val {
	gint64 i;
	guint64 u; /* strings: a number of the run's intern table; real numbers: base/real.h */
};

enum iot_slot_type {
	IOT_SLOT_ABSENT, /* the kernel of this input has no such field; the value is 0 */
	IOT_SLOT_INT,	 /* signed, sign-extended */
	IOT_SLOT_UINT,	 /* unsigned, zero-extended */
	/* bytes: char arrays up to the first NUL, __data_loc of other types whole */
	IOT_SLOT_STR,
	IOT_SLOT_REAL, /* a double (base/real.h); only of fields that a model declares as real */
};

/* Schema index of the two records that are not kernel events: sources add them. */
enum {
	/* events of this run are missing after this record ... */
	IOT_EVENT_GAP_BEGIN = 0xfffffff0u,
	/* ... up to this record, which is right before the next event */
	IOT_EVENT_GAP_END,
};
/* slots of both gap records */
enum {
	IOT_GAP_LOST, /* number of lost events; G_MAXUINT64 if not known */
	/* ts of the other record of the pair; G_MAXUINT64 if the run ends in the gap */
	IOT_GAP_OTHER_END,
	IOT_GAP_SLOTS
};

/* What a processor was doing at an event. The process id of the event names the thread that ran
 * there; in all contexts but the first one that thread did nothing: it was interrupted. */
enum iot_context {
	IOT_CONTEXT_TASK,
	IOT_CONTEXT_SOFTIRQ,
	IOT_CONTEXT_HARDIRQ,
	IOT_CONTEXT_NMI,
};
/* The field that says so, and its bits (include/linux/trace_events.h). 0x80 is no context: somebody
 * holds softirqs off, such as a task. */
#define IOT_CONTEXT_FIELD "common_flags"
enum {
	IOT_IN_HARDIRQ = 0x08,
	IOT_IN_SOFTIRQ = 0x10,
	IOT_IN_NMI = 0x40,
	IOT_IN_INTERRUPT = IOT_IN_HARDIRQ | IOT_IN_SOFTIRQ | IOT_IN_NMI,
};

/** iot_context_of - the innermost context of these common_flags */
static inline enum iot_context iot_context_of(guint64 flags)
{
	return flags & IOT_IN_NMI	? IOT_CONTEXT_NMI
	       : flags & IOT_IN_HARDIRQ ? IOT_CONTEXT_HARDIRQ
	       : flags & IOT_IN_SOFTIRQ ? IOT_CONTEXT_SOFTIRQ
					: IOT_CONTEXT_TASK;
}
/** iot_context_name - "task", "softirq", "hardirq" or "nmi" */
const char *iot_context_name(enum iot_context context);
/** iot_context_find - the common_flags of the context with this name; FALSE: there is none */
gboolean iot_context_find(const char *name, gsize len, guint8 *out_flags);

/* An event class as bound to one input. */
struct iot_event {
	guint32 index; /* in the schema, or IOT_EVENT_GAP_... */
	guint32 input; /* position on the command line */
	guint32 n_slots;
	guint8 slot_type[32]; /* enum iot_slot_type */
	guint32 str_slots;    /* a bit for each slot of type STR; see iot_event_find_strs */
};

struct iot_rec {
	guint64 ts; /* ns on the common clock, after correction */
	const struct iot_event *event;
	guint32 run;	      /* index over all inputs: input, buffer, CPU */
	gint32 pid;	      /* common_pid */
	union iot_val slot[]; /* event->n_slots values */
};

struct iot_batch {
	guint8 *data;
	gsize used, size; /* bytes */
	guint n;	  /* records; may be none */
	guint32 run;
	guint64 end_ns;	  /* no later record of the run is before this; 0: not known */
	GByteArray *mark; /* position of the run before the batch, if wanted; see source.h */
};

static inline gsize iot_rec_size(const struct iot_event *event)
{
	return sizeof(struct iot_rec) + event->n_slots * sizeof(union iot_val);
}

/** iot_event_find_strs - fill str_slots from the types */
static inline void iot_event_find_strs(struct iot_event *event)
{
	event->str_slots = 0;
	for (guint i = 0; i < event->n_slots; i++)
		if (event->slot_type[i] == IOT_SLOT_STR)
			event->str_slots |= 1u << i;
}

/** iot_event_init_gap - the event IOT_EVENT_GAP_BEGIN or IOT_EVENT_GAP_END of @input */
void iot_event_init_gap(struct iot_event *event, guint32 index, guint32 input);

/** iot_batch_new - an empty batch of @size bytes; NULL and IOT_ERROR_MEMORY */
struct iot_batch *iot_batch_new(gsize size, GError **error);
/** iot_batch_free - accepts NULL */
void iot_batch_free(struct iot_batch *batch);

/** iot_batch_reset - empty it, for @run */
static inline void iot_batch_reset(struct iot_batch *batch, guint32 run)
{
	batch->used = 0;
	batch->n = 0;
	batch->run = run;
	batch->end_ns = 0;
}

/** iot_batch_add - append a record of @event without values in its slots; NULL if it is full */
static inline struct iot_rec *iot_batch_add(struct iot_batch *batch, const struct iot_event *event,
					    guint64 ts, gint32 pid)
{
	gsize size = iot_rec_size(event);
	struct iot_rec *rec;

	if (G_UNLIKELY(batch->size - batch->used < size))
		return NULL;
	rec = (struct iot_rec *)(batch->data + batch->used);
	rec->ts = ts;
	rec->event = event;
	rec->run = batch->run;
	rec->pid = pid;
	batch->used += size;
	batch->n++;
	return rec;
}

/** iot_rec_set_gap - fill the slots of a gap record */
static inline void iot_rec_set_gap(struct iot_rec *rec, guint64 lost, guint64 other_end)
{
	rec->slot[IOT_GAP_LOST].u = lost;
	rec->slot[IOT_GAP_OTHER_END].u = other_end;
}

static inline struct iot_rec *iot_batch_first(const struct iot_batch *batch)
{
	return (struct iot_rec *)batch->data;
}
static inline struct iot_rec *iot_rec_next(const struct iot_rec *rec)
{
	return (struct iot_rec *)((guint8 *)(gsize)rec + iot_rec_size(rec->event));
}
static inline gboolean iot_batch_at_end(const struct iot_batch *batch, const struct iot_rec *rec)
{
	return (const guint8 *)rec == batch->data + batch->used;
}

#endif
