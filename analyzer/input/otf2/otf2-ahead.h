/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The events of all locations of an OTF2 archive in order of time. The library can merge them, but
 * then holds a chunk of events (1 MiB or more) and an open file for each location up to the end.
 * Here locations are read ahead, so one with few events is closed before the next one is opened.
 * One thread.
 */
#ifndef IOT_INPUT_OTF2_AHEAD_H
#define IOT_INPUT_OTF2_AHEAD_H

#include "input/otf2/otf2-defs.h"

enum iot_otf2_what {
	IOT_OTF2_ENTER,	     /* a: region */
	IOT_OTF2_LEAVE,	     /* a: region */
	IOT_OTF2_SENT,	     /* a: rank, b: communicator, c: tag, x: bytes */
	IOT_OTF2_RECEIVED,   /* the same */
	IOT_OTF2_COLLECTIVE, /* a: root, b: communicator, x: bytes sent, y: received */
	IOT_OTF2_VALUE_OF,   /* a: metric, b: which of its values, x: a real number */
	IOT_OTF2_CREATED,    /* a: handle, b: flags of open */
	IOT_OTF2_DESTROYED,  /* a: handle */
	IOT_OTF2_DELETED,    /* a: file */
	IOT_OTF2_SOUGHT,     /* a: handle, x: offset */
	IOT_OTF2_BEGUN,	     /* a: handle, b: mode, x: bytes, y: matching id */
	IOT_OTF2_COMPLETED,  /* a: handle, x: bytes, y: matching id */
	IOT_OTF2_CANCELLED,  /* a: handle, y: matching id */
};

/* An event of the archive. */
struct iot_otf2_event {
	guint64 time; /* ticks; with clocks of ranks, ns of real time */
	guint64 x, y;
	guint32 a, b, c;
	guint32 values; /* number of the text of its attributes; 0: none */
	guint32 place;	/* index */
	guint32 what;	/* enum iot_otf2_what */
};

struct iot_otf2_ahead;

struct iot_otf2_clocks;

/**
 * iot_otf2_ahead_new - @reader (its event files open), @defs (finished), @strings, @clocks: outlive
 * it
 * @clocks: the clocks by which events get times and are merged; NULL: they have that of the archive
 */
struct iot_otf2_ahead *iot_otf2_ahead_new(OTF2_Reader *reader, const struct iot_otf2_defs *defs,
					  struct iot_intern *strings,
					  const struct iot_otf2_clocks *clocks);
/** iot_otf2_ahead_free - accepts NULL; before the reader is closed */
void iot_otf2_ahead_free(struct iot_otf2_ahead *ahead);
/**
 * iot_otf2_ahead_next - the next event, valid until the one after it is asked for
 * @failed: the place whose events cannot be read, and why; unchanged if there are no more
 *
 * NULL: there is none, or an error. Without a code the file could not be opened.
 */
const struct iot_otf2_event *iot_otf2_ahead_next(struct iot_otf2_ahead *ahead,
						 const struct iot_otf2_place **failed,
						 OTF2_ErrorCode *code);

#endif
