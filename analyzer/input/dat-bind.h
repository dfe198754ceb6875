/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the event formats of one file to slots: which event numbers are wanted, and where in the
 * payload each wanted field is. Made once per file by one thread (libtraceevent is not safe for
 * several), then read-only.
 */
#ifndef IOT_INPUT_DAT_BIND_H
#define IOT_INPUT_DAT_BIND_H

#include "base/intern.h"
#include "input/dat-file.h"
#include "input/record.h"
#include "input/schema.h"

enum iot_dat_field_kind {
	IOT_DAT_FIELD_ABSENT,
	IOT_DAT_FIELD_UINT,
	IOT_DAT_FIELD_INT,
	IOT_DAT_FIELD_BYTES,	/* in place */
	IOT_DAT_FIELD_DATA_LOC, /* offset from the start of the payload, and length */
	IOT_DAT_FIELD_REL_LOC,	/* offset from the end of the field */
};

struct iot_dat_field {
	enum iot_dat_field_kind kind;
	gboolean text;	      /* ends at the first NUL */
	guint32 offset, size; /* in the payload */
};

struct iot_dat_event {
	struct iot_event event;
	struct iot_dat_field pid;
	struct iot_dat_field field[IOT_MAX_SLOTS];
};

/* What iot_dat_binding.kind says of an event number. */
enum { IOT_DAT_ID_UNKNOWN, IOT_DAT_ID_SKIP, IOT_DAT_ID_FIRST };

struct iot_dat_binding {
	gboolean big_endian;
	guint16 *kind; /* for all 65536 numbers; from IOT_DAT_ID_FIRST on an index into "events" */
	GPtrArray *events; /* of struct iot_dat_event */
	struct iot_event gap_begin, gap_end;
};

/**
 * iot_dat_bind - resolve @schema
 * @diag: counts formats that could not be parsed
 *
 * An IOT_ERROR_MODEL names model, event, field and file if a required field is missing. Events that
 * the file does not have are no error.
 */
struct iot_dat_binding *iot_dat_bind(const struct iot_dat_file *file, guint32 input,
				     const struct iot_schema *schema, struct iot_diag *diag,
				     GError **error);
void iot_dat_binding_free(struct iot_dat_binding *binding);
typedef struct iot_dat_binding iot_dat_binding;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_dat_binding, iot_dat_binding_free)

/** iot_dat_pid - common_pid of an event */
gint32 iot_dat_pid(const struct iot_dat_binding *binding, const struct iot_dat_event *event,
		   const struct iot_ring_event *raw, struct iot_diag *diag);
/** iot_dat_decode - fill the slots of @rec; strings are numbered in @strings */
void iot_dat_decode(const struct iot_dat_binding *binding, const struct iot_dat_event *event,
		    const struct iot_ring_event *raw, struct iot_rec *rec,
		    struct iot_intern *strings, struct iot_diag *diag);

#endif
