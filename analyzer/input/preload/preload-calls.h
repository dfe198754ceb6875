/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records of libiotrace-preload become events (input/file-events.h): each call a start and an end.
 * Which file a descriptor is of, and where in it a call reads or writes, is followed over the
 * records of all processes (input/descriptors.h). One thread.
 */
#ifndef IOT_INPUT_PRELOAD_CALLS_H
#define IOT_INPUT_PRELOAD_CALLS_H

#include "base/intern.h"
#include "input/descriptors.h"
#include "input/file-events.h"
#include "input/preload/preload-chunks.h"

struct iot_preload_calls {
	struct iot_intern *strings; /* of the source */
	struct iot_descriptors *descriptors;
	gboolean unsure;   /* records are missing: descriptors may be of other files by now */
	GHashTable *names; /* thread -> number of its name */
	gint64 n_calls;
};

/* A record that has begun and not ended. */
struct iot_preload_call {
	struct iotrace_preload_record record;
	guint kind, op;
	guint event; /* of its start; the end's is the next one; IOT_FILE_EVENTS: it has none */
	gint64 id;
	guint32 path;		     /* number of the text; 0: none */
	struct iot_open_file *moves; /* whose position it moves; NULL: of none */
};

/* Events of one record at one instant. */
struct iot_preload_events {
	struct iot_made_rec rec[2];
	guint n;
};

/** iot_preload_calls_init - @strings: numbers of texts, which outlives it */
void iot_preload_calls_init(struct iot_preload_calls *calls, struct iot_intern *strings);
/** iot_preload_calls_clear - free its tables */
void iot_preload_calls_clear(struct iot_preload_calls *calls);
/** iot_preload_calls_lose - records are missing from now on: no descriptor is known any more */
void iot_preload_calls_lose(struct iot_preload_calls *calls);
/** iot_preload_call_begin - what happens when the record begins
 * @call: filled; iot_preload_call_end must follow; @out: filled with its events */
void iot_preload_call_begin(struct iot_preload_calls *calls, const struct iot_preload_item *item,
			    struct iot_preload_call *call, struct iot_preload_events *out);
/** iot_preload_call_end - the same when it ends */
void iot_preload_call_end(struct iot_preload_calls *calls, const struct iot_preload_call *call,
			  struct iot_preload_events *out);

#endif
