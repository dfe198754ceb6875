/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The event classes of the traces of a CTF source, bound to what models want of them. One thread.
 */
#ifndef IOT_INPUT_CTF_CLASSES_H
#define IOT_INPUT_CTF_CLASSES_H

#include "input/ctf/ctf-field.h"
#include "input/ctf/ctf-names.h"
#include "input/schema.h"

/* Where the value of a slot is. */
struct iot_ctf_slot {
	struct iot_ctf_place place;
	guint8 convert;	 /* enum iot_ctf_convert */
	gboolean is_pid; /* the thread of the event */
};

struct iot_ctf_class {
	const bt_event_class *recorded; /* of the trace, which outlives it */
	struct iot_ctf_name name;
	struct iot_event *event; /* NULL: no model wants it */
	struct iot_ctf_slot slot[IOT_MAX_SLOTS];
	/* the thread of the event; NOWHERE: the event does not say it */
	struct iot_ctf_place thread;
	struct iot_ctf_place next; /* of sched_switch: the thread that runs after it */
};

struct iot_ctf_classes;

/** iot_ctf_classes_new - no class yet */
struct iot_ctf_classes *iot_ctf_classes_new(void);
/** iot_ctf_classes_free - accepts NULL */
void iot_ctf_classes_free(struct iot_ctf_classes *classes);
/** iot_ctf_classes_add - the event classes of a stream class, unless they have been added */
void iot_ctf_classes_add(struct iot_ctf_classes *classes, const bt_stream_class *stream);
/** iot_ctf_classes_find - the class of an event of a stream class that has been added */
const struct iot_ctf_class *iot_ctf_classes_find(const struct iot_ctf_classes *classes,
						 const bt_event *event);
/** iot_ctf_classes_have - whether models mean one of them by @system and @name */
gboolean iot_ctf_classes_have(const struct iot_ctf_classes *classes, const char *system,
			      const char *name);
/** iot_ctf_classes_systems - all systems, sorted and NULL-terminated, of @classes; the caller frees
 * the array */
const char **iot_ctf_classes_systems(const struct iot_ctf_classes *classes);
/**
 * iot_ctf_classes_bind - find what models want; once, before events are read
 * @input: number of the input; @path: of the trace, for messages; @diag: counts fields of another
 * type
 *
 * FALSE and IOT_ERROR_MODEL: an event has no field that a model requires, or has it otherwise.
 */
gboolean iot_ctf_classes_bind(struct iot_ctf_classes *classes, const struct iot_schema *schema,
			      guint32 input, const char *path, struct iot_diag *diag,
			      GError **error);

#endif
