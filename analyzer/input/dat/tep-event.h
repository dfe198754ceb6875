/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events bound and decoded by libtraceevent, the counterpart of dat-bind.h for source-tracecmd.c.
 * Bound by one thread, then read-only.
 */
#ifndef IOT_INPUT_DAT_TEP_EVENT_H
#define IOT_INPUT_DAT_TEP_EVENT_H

#include "base/diag.h"
#include "base/intern.h"
#include "input/record.h"
#include "input/schema.h"

#include <event-parse.h>

enum iot_tep_field_kind {
	IOT_TEP_FIELD_ABSENT,
	IOT_TEP_FIELD_NUMBER,
	IOT_TEP_FIELD_BYTES, /* in place */
	/* offset and length of the bytes, from the start of the payload or the end of the field */
	IOT_TEP_FIELD_DATA_LOC,
	IOT_TEP_FIELD_REL_LOC,
};

struct iot_tep_field {
	enum iot_tep_field_kind kind;
	gboolean is_signed, text; /* a text ends at its first NUL */
	guint offset, size;	  /* in the payload */
	struct iot_print *print;  /* says the number of a NUMBER; NULL; owned by the event */
};

struct iot_tep_event {
	struct iot_event event;
	struct tep_handle *tep;
	guint16 id;
	struct iot_tep_field pid;
	struct iot_tep_field field[IOT_MAX_SLOTS];
};

/** iot_tep_event_free - accepts NULL */
void iot_tep_event_free(gpointer event);

/**
 * iot_tep_event_new - resolve @wanted in the formats of @tep; the caller frees with iot_tep_event_free
 * @path: of the file, for the message
 * @format: the text of the event's format, for print formats
 *
 * NULL if the file has no such event, or with an IOT_ERROR_MODEL if it lacks a required field.
 */
struct iot_tep_event *iot_tep_event_new(struct tep_handle *tep,
					const struct iot_schema_event *wanted, const char *path,
					const char *format, struct iot_diag *diag,
					GError **error);
/** iot_tep_event_decode - fill pid and slots of @rec; strings are numbered in @strings */
void iot_tep_event_decode(const struct iot_tep_event *event, const struct tep_record *raw,
			  struct iot_rec *rec, struct iot_intern *strings, struct iot_diag *diag);

#endif
