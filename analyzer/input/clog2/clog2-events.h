/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The events of system "mpi" that the records of a CLOG2 file become. The begin and the end of a
 * state have one number, and so have the two ends of a message. One thread.
 */
#ifndef IOT_INPUT_CLOG2_EVENTS_H
#define IOT_INPUT_CLOG2_EVENTS_H

#include "base/diag.h"
#include "input/clog2/clog2-defs.h"
#include "input/made-events.h"

enum iot_clog2_event {
	IOT_CLOG2_STATE_START,
	IOT_CLOG2_STATE_END,
	IOT_CLOG2_EVENT,
	IOT_CLOG2_SEND,
	IOT_CLOG2_RECEIVE,
	IOT_CLOG2_EVENTS
};

/* Fields of these events; which event has which: iot_clog2_kinds. */
enum iot_clog2_field {
	IOT_CLOG2_RANK, /* of the program; -1: not known */
	IOT_CLOG2_THREAD,
	IOT_CLOG2_ID,	/* of the state or message, in this file */
	IOT_CLOG2_USER, /* 1: of the program itself, not of MPI */
	IOT_CLOG2_PEER, /* rank of the program at the other end of a message; -1: not known */
	IOT_CLOG2_COMM,
	IOT_CLOG2_TAG,
	IOT_CLOG2_LENGTH, /* bytes of a message */
	IOT_CLOG2_NUMBERS,
	/* numbers of texts */
	IOT_CLOG2_ROW = IOT_CLOG2_NUMBERS, /* "rank 3", "rank 3 thread 1" */
	IOT_CLOG2_NAME,
	IOT_CLOG2_VALUES,
	IOT_CLOG2_FIELDS
};

/** iot_clog2_kinds - names and fields of these events; the process is the rank */
extern const struct iot_made_kinds iot_clog2_kinds;

struct iot_clog2_events;

/** iot_clog2_events_new - @defs, @strings: outlive it, and so does @diag, which counts */
struct iot_clog2_events *iot_clog2_events_new(const struct iot_clog2_defs *defs,
					      struct iot_intern *strings, struct iot_diag *diag);
/** iot_clog2_events_free - accepts NULL */
void iot_clog2_events_free(struct iot_clog2_events *events);
/**
 * iot_clog2_events_lost - records are missing before the next one
 *
 * States that are open have ended. From here on messages cannot be counted, so none has another
 * end.
 */
void iot_clog2_events_lost(struct iot_clog2_events *events);
/**
 * iot_clog2_events_take - the event of a record; FALSE: it has none
 *
 * Nor has the end of a state that did not begin, which is counted: a program can log a part of its
 * calls only, so nobody knows when the state began.
 */
gboolean iot_clog2_events_take(struct iot_clog2_events *events, struct iot_clog2_record *record,
			       struct iot_made_rec *out);

#endif
