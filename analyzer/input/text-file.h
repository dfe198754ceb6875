/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A hand-written recording ("iotrace-text 1") in memory, for tests and bug reports. See
 * docs/formats/text.md for the format. Schemas and batches are source-text.c.
 */
#ifndef IOT_INPUT_TEXT_FILE_H
#define IOT_INPUT_TEXT_FILE_H

#include "base/clock-facts.h"
#include "base/diag.h"
#include "input/clock.h"
#include "input/record.h"
#include "input/source.h"

#define IOT_TEXT_MAGIC "iotrace-text "

/* A field of an event; all its values have one type. A word that looks like a real number is a text
 * if another value of the field is one. */
struct iot_text_field {
	char *name;
	enum iot_slot_type type; /* INT, REAL or STR */
	gboolean has_int;	 /* a value is a whole number */
	guint line, column;	 /* of the first value */
};

/* All lines with one event name. */
struct iot_text_class {
	char *system; /* "" if the lines have none */
	char *name;
	GArray *fields; /* of struct iot_text_field */
};

struct iot_text_value {
	guint32 field; /* index in the class's fields */
	gboolean is_real;
	union {
		gint64 number; /* INT */
		gdouble real;  /* REAL */
	};
	gsize at, len; /* STR and REAL: place in the file's text */
};

struct iot_text_rec {
	guint64 ts;
	gint32 pid;
	guint8 flags; /* common_flags of its context */
	guint32 event_class;
	guint line;
	guint first_value, n_values;
	gboolean after_loss; /* events were lost right before it */
	guint64 lost;	     /* number of lost events; G_MAXUINT64 if not known */
};

struct iot_text_cpu {
	guint32 cpu;
	GArray *recs;	       /* of struct iot_text_rec; times never step back */
	gboolean loss_pending; /* events were lost after the last record so far */
	guint64 lost;
};

struct iot_text_file {
	char *path;
	char *hostname, *kernel, *boot, *clock, *beside; /* NULL if not given */
	enum iot_sync sync;
	/* it is complete */
	gboolean nothing_before, nothing_after;
	struct iot_clock stated; /* by the user; the times are corrected already */
	GString *commands;	 /* lines "PID NAME" */
	GArray *vcpus;		 /* of struct iot_vcpu */
	guint64 sample_ns;	 /* of the last clock sample; 0: none */
	guint64 first_sample_ns; /* G_MAXUINT64: none */
	GArray *errors;		 /* of struct iot_clock_knot, ascending: errors of its times */
	gsize bytes;
	GPtrArray *classes; /* of struct iot_text_class, in order of first use */
	GPtrArray *cpus;    /* of struct iot_text_cpu with records, by number */
	GArray *values;	    /* of struct iot_text_value */
	GString *text;	    /* bytes of all strings */
	struct iot_diag diag;
	guint64 n_events, n_lost;
};

/** iot_text_file_new - an empty file of @bytes bytes */
struct iot_text_file *iot_text_file_new(const char *path, gsize bytes);
/** iot_text_file_free - accepts NULL */
void iot_text_file_free(struct iot_text_file *file);
typedef struct iot_text_file iot_text_file;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_text_file, iot_text_file_free)
/** iot_text_file_add_class - append a class without names and fields */
struct iot_text_class *iot_text_file_add_class(struct iot_text_file *file);
/** iot_text_file_add_cpu - append a CPU without records */
struct iot_text_cpu *iot_text_file_add_cpu(struct iot_text_file *file, guint32 number);
/**
 * iot_text_file_settle - sort the CPUs and count losses, after the last record
 *
 * A CPU without records is removed: its loss is counted, but has no place in time.
 */
void iot_text_file_settle(struct iot_text_file *file);

#endif
