/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The binding of a schema to the event formats of one file: which event numbers are wanted, and the
 * offset of each wanted field in the payload. One thread makes it once per file; then read-only.
 */
#ifndef IOT_INPUT_DAT_DAT_BIND_H
#define IOT_INPUT_DAT_DAT_BIND_H

#include "base/intern.h"
#include "input/dat/dat-file.h"
#include "input/record.h"
#include "input/schema.h"

enum iot_dat_field_kind {
	IOT_DAT_FIELD_ABSENT,
	IOT_DAT_FIELD_UINT,
	IOT_DAT_FIELD_INT,
	IOT_DAT_FIELD_BYTES,	/* in place */
	IOT_DAT_FIELD_DATA_LOC, /* offset from the start of the payload, and length */
	IOT_DAT_FIELD_REL_LOC,	/* offset from the end of the field */
	IOT_DAT_FIELD_PRINTED,	/* an integer, of which the print format says the number */
};

struct iot_dat_field {
	enum iot_dat_field_kind kind;
	gboolean text;	      /* ends at the first NUL */
	gboolean is_signed;
	struct iot_print *print; /* of PRINTED; owned by the event */
	guint32 offset, size; /* in the payload */
};

/* An integer is read without a branch on its size: load the eight bytes that end with its last
 * byte, and shift out the others. */
struct iot_dat_load {
	guint32 end; /* in the payload */
	guint8 slot;
	guint8 shift; /* 64 - bits */
	guint64 sign; /* the sign bit, 0 if it has none */
};

struct iot_dat_event {
	struct iot_event event;
	struct iot_dat_field pid;
	struct iot_dat_field field[IOT_MAX_SLOTS];
	/* fast path for payloads of at least "need" bytes, which contain all fields */
	guint32 need;
	guint32 n_loads, n_others;
	struct iot_dat_load pid_load;
	struct iot_dat_load load[IOT_MAX_SLOTS]; /* integers */
	guint8 other[IOT_MAX_SLOTS];		 /* slots of the other fields */
};

/* Values of iot_dat_binding.kind. */
enum { IOT_DAT_ID_UNKNOWN, IOT_DAT_ID_SKIP, IOT_DAT_ID_FIRST };

struct iot_dat_binding {
	gboolean big_endian;
	guint16 *kind; /* of all 65536 event numbers; from IOT_DAT_ID_FIRST on an index of "events"
			*/
	GPtrArray *events; /* of struct iot_dat_event */
	struct iot_event gap_begin, gap_end;
};

/**
 * iot_dat_bind - resolve @schema in the formats of @file
 * @diag: counts formats that cannot be parsed
 *
 * An IOT_ERROR_MODEL names model, event, field and file if a required field is missing. Events that
 * the file does not have are no error.
 */
struct iot_dat_binding *iot_dat_bind(const struct iot_dat_file *file, guint32 input,
				     const struct iot_schema *schema, struct iot_diag *diag,
				     GError **error);
/** iot_dat_find_format - the format of an event; NULL if the file has none */
const struct iot_dat_format *iot_dat_find_format(const struct iot_dat_file *file,
						 const struct iot_schema_event *wanted);
/** iot_dat_binding_free - accepts NULL; no record may refer to its events any more */
void iot_dat_binding_free(struct iot_dat_binding *binding);
typedef struct iot_dat_binding iot_dat_binding;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_dat_binding, iot_dat_binding_free)

/** iot_dat_decode - fill pid and slots of @rec; @strings numbers its strings */
void iot_dat_decode(const struct iot_dat_binding *binding, const struct iot_dat_event *event,
		    const struct iot_ring_event *raw, struct iot_rec *rec,
		    struct iot_intern *strings, struct iot_diag *diag);

#endif
