/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The objects that a model tracks at run time, and the calls on them.
 *
 * An *object* has an identity: a DLM lock is a lockspace id and a lock id on one node. Calls are
 * made on it ([pair]), completions answer them, a machine holds its mode, and it occupies a lane of
 * its row while it lives. object.h says how long a pointer to an object is valid.
 */
#ifndef IOT_MODEL_TRACKED_H
#define IOT_MODEL_TRACKED_H

#include "base/hashset.h"
#include "model/model-local.h"

struct iot_backing;
struct iot_object;
struct iot_backing_place;

/* A call on an object: open until it returns, then pending if a completion will follow. */
struct iot_call {
	struct iot_pair *pair;
	struct iot_object *object;
	guint64 key[IOT_MAX_KEYS];
	guint64 t0;
	/* flags of the span that shows the pending call */
	guint16 flags;
	/* there was no start event, so no point is drawn for the call */
	gboolean unseen_start;
	/* list of the object, oldest first */
	struct iot_call *next;
	/* chain of all open calls of the kind, by t0 */
	struct iot_call *open_prev, *open_next;
	/* copy; its slots follow */
	struct iot_rec start;
};

/* An event that waits until the open calls on its object have returned. */
struct iot_deferred {
	struct iot_deferred *next;
	struct iot_event_role *role;
	/* copy; its slots follow */
	struct iot_rec rec;
};

/* Deferred events in order of arrival. */
struct iot_deferral {
	struct iot_deferred *first, *last;
	guint n;
};

/* A notice that changed the mode of an object without a row (machine.c). */
struct iot_unseen {
	/* NULL: the mode's span is what it should be */
	const struct iot_rule *rule;
	/* copy; its slots follow, as many as an event may have */
	struct iot_rec rec;
};

enum iot_mode { IOT_MODE_NONE, IOT_MODE_KNOWN, IOT_MODE_UNKNOWN };

struct iot_object {
	struct iot_object_kind *kind;
	guint64 hash, key[IOT_MAX_KEYS];
	/* tells it apart from other lives of its key; 0: nothing does */
	guint64 apart;
	/* 0: the life that the key has now; else a former life: its number, and when the key was
	 * used again (lives.h) */
	guint64 former, reused_ns;
	/* time of the latest event */
	guint64 last_ns;
	guint32 input;
	/* of a common kind: 1 + the input whose lost events alone can hide a change of the mode;
	 * 0: those of any input can */
	guint32 owner;
	iot_row_id row;
	guint16 lane;
	/* enum iot_mode */
	guint8 mode;
	/* the machine's "when" excludes this object */
	gboolean stateless;
	/* its begin or its end was seen, so it does not date from before the recording */
	gboolean in_sight;
	/* its lane is still empty, so spans may begin in the past */
	gboolean fresh;
	/* see backing.h: NULL: none; holds: up to when it is decided whether they are certain */
	struct iot_backing_place *place;
	guint64 decided_ns;
	struct iot_call *open, *pending;
	/* valid while calls are pending */
	struct iot_call *pending_tail;
	/* some pending calls may be without start */
	gboolean unseen_pending;
	struct iot_deferral deferred;
	struct iot_span state_span, mode_span;
	/* without a row: the notice whose value @mode_span has to get, if somebody asks for it */
	struct iot_unseen *unseen;
	/* attributes of the machine's spans, whatever the mode */
	union iot_attr always[IOT_MAX_ATTRS];
	/* all objects of the kind, by creation */
	struct iot_object *prev, *next;
	/* all objects of one input */
	struct iot_object *input_prev, *input_next;
};

/* The begin of a span that was not seen to begin, and the flags that say so. */
struct iot_begin {
	guint64 t0;
	guint16 flags;
};

/* What a kind keeps per input. */
struct iot_kind_input {
	struct iot_object *first, *last;
	guint gap_depth;
	/* the same of the input itself, for objects of common kinds that have an owner */
	guint own_gap_depth;
	/* unseen beginnings are drawn from here: begin of the recording or end of the last gap */
	guint64 since;
	/* IOT_BEFORE or IOT_SUSPECT */
	guint16 since_flags;
};

/* [object] and its [machine]. */
struct iot_object_kind {
	struct iot_model *model;
	const struct iot_section *section;
	char *name;
	struct iot_row_type *on;
	/* its objects belong to no recording; they are kept with the first input */
	gboolean common;
	/* how many numbers are the key of an object, and with the two of its range, if it is ranged */
	guint n_keys, n_numbers;
	gboolean ranged;
	/* of struct iot_pair */
	GPtrArray *pairs;
	/* NULL: no machine */
	struct iot_values *machine;
	const struct iot_section *machine_section;
	iot_cat_id unknown_cat;
	/* "certain while": its holds need the locks of another model (backing.h); NULL: they do not
	 */
	const struct iot_setting *certain_while;
	/* drawn while they are not certain */
	iot_cat_id doubt_cat;
	/* of these holds, and of these locks; NULL: one of the two models is not loaded */
	struct iot_backing *backing;
	/* all objects, by input and key */
	struct iot_hashset objects;
	/* objects that were seen to end (ended.h); NULL: none */
	struct iot_ended *ended;
	/* of struct iot_object_check; NULL: none */
	GPtrArray *checks;
	/* its objects have no calls, and no row until their thread has one */
	gboolean may_be_unseen;
	/* sums over all objects */
	guint n_calls, n_deferred, n_former;
	/* number of the latest former life */
	guint64 last_former;
	struct iot_object *first, *last;
	struct iot_call *open_first, *open_last;
	/* by input */
	struct iot_kind_input *inputs;
	/* bytes of a call with the longest start record */
	gsize call_size;
	struct iot_call *free_calls;
	struct iot_object *free_objects;
};

/** iot_kind_input - the input with which the kind keeps an object that an event of @input shows */
static inline guint32 iot_kind_input(const struct iot_object_kind *kind, guint32 input)
{
	return kind->common ? 0 : input;
}

/** iot_kind_in_gap - whether events of @input are missing now */
static inline gboolean iot_kind_in_gap(const struct iot_object_kind *kind, guint32 input)
{
	return kind->inputs[input].gap_depth > 0;
}

/** iot_kind_count - add 1 to a counter of the report */
static inline void iot_kind_count(const struct iot_object_kind *kind, enum iot_diag_id id)
{
	iot_diag_add(kind->model->diag, id, 1);
}

/** iot_object_gap_flags - IOT_SUSPECT while events of its input are missing, else 0 */
static inline guint16 iot_object_gap_flags(const struct iot_object *object)
{
	if (object->owner)
		return object->kind->inputs[object->owner - 1].own_gap_depth ? IOT_SUSPECT : 0;
	return iot_kind_in_gap(object->kind, object->input) ? IOT_SUSPECT : 0;
}

#endif
