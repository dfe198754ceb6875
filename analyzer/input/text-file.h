/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording written by hand ("iotrace-text 1"), read into memory: for tests and bug reports.
 * docs/formats/text.md describes the format. Nothing here knows of schemas or batches.
 */
#ifndef IOT_INPUT_TEXT_FILE_H
#define IOT_INPUT_TEXT_FILE_H

#include "base/diag.h"
#include "input/record.h"
#include "input/source.h"

#define IOT_TEXT_MAGIC "iotrace-text "

/* A field of an event; all its values have one type. */
struct iot_text_field {
	char *name;
	enum iot_slot_type type; /* INT or STR */
	guint line;		 /* where the type was seen first */
};

/* All lines with one event name. */
struct iot_text_class {
	char *system; /* "" if the lines name none */
	char *name;
	GArray *fields; /* of struct iot_text_field */
};

struct iot_text_value {
	guint32 field; /* index in the class's fields */
	gint64 number; /* INT */
	gsize at, len; /* STR: place in the file's text */
};

struct iot_text_rec {
	guint64 ts;
	gint32 pid;
	guint32 event_class;
	guint line;
	guint first_value, n_values;
	gboolean after_loss; /* events were lost right before */
	guint64 lost;	     /* their number; G_MAXUINT64 if not known */
};

struct iot_text_cpu {
	guint32 cpu;
	GArray *recs;	       /* of struct iot_text_rec; times never step back */
	gboolean loss_pending; /* after the whole file: events were lost behind the last record */
	guint64 lost;
};

struct iot_text_file {
	char *path;
	char *hostname, *kernel, *clock; /* NULL if not given */
	enum iot_sync sync;
	GString *commands; /* lines "PID NAME" */
	guint64 sample_ns; /* of the last clock sample; 0: none */
	gsize bytes;
	GPtrArray *classes; /* of struct iot_text_class, in order of first use */
	GPtrArray *cpus;    /* of struct iot_text_cpu with records, by number */
	GArray *values;	    /* of struct iot_text_value */
	GString *text;	    /* bytes of all strings */
	struct iot_diag diag;
	guint64 n_events, n_lost;
};

/** iot_text_file_load - read and check a file; IOT_ERROR_INPUT "FILE:LINE:COLUMN: ..." if it is
 * wrong */
struct iot_text_file *iot_text_file_load(const char *path, GError **error);
/** iot_text_file_parse - the same for @len bytes at @data; @path is for messages */
struct iot_text_file *iot_text_file_parse(const char *path, const char *data, gsize len,
					  GError **error);
void iot_text_file_free(struct iot_text_file *file);
typedef struct iot_text_file iot_text_file;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_text_file, iot_text_file_free)

#endif
