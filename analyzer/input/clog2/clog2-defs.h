/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the records of a CLOG2 file mean: names of states and events, and which rank of the program
 * a rank of a communicator is. Definitions may follow the records that use them (MPE writes those
 * of MPI's states at the end), so the whole file is read before. One thread.
 */
#ifndef IOT_INPUT_CLOG2_DEFS_H
#define IOT_INPUT_CLOG2_DEFS_H

#include "base/intern.h"
#include "input/clog2/clog2-file.h"

enum iot_clog2_role { IOT_CLOG2_BEGINS, IOT_CLOG2_ENDS, IOT_CLOG2_HAPPENS };

/* What the number of an event means. */
struct iot_clog2_def {
	enum iot_clog2_role role;
	gint32 state;	 /* the event that begins it, as the number of the state; else the event */
	gboolean user;	 /* of the program itself, not of MPI or MPE */
	gboolean named;	 /* the file defines it; else it follows MPE's rule of numbers */
	guint32 name;	 /* number of a text */
	char format[41]; /* of the bytes that come with the event; "": none */
};

struct iot_clog2_defs {
	GHashTable *events; /* number of the event -> struct iot_clog2_def */
	GHashTable *ranks;  /* communicator and rank in it -> rank of the program, plus 1 */
	gboolean has_times;
	gint64 first_ns, last_ns; /* of what is drawn */
	guint64 n_unnamed;	  /* events that the file does not define */
	gboolean cut;
	guint64 n_skipped;
};

/** iot_clog2_defs_read - read the file from its beginning to its end; NULL and IOT_ERROR_INPUT if
 * that fails. @strings: the table of texts, which outlives it */
struct iot_clog2_defs *iot_clog2_defs_read(struct iot_clog2_file *file, struct iot_intern *strings,
					   GError **error);
/** iot_clog2_defs_free - accepts NULL */
void iot_clog2_defs_free(struct iot_clog2_defs *defs);
/** iot_clog2_defs_find - what the event means; NULL: nobody knows */
const struct iot_clog2_def *iot_clog2_defs_find(const struct iot_clog2_defs *defs, gint32 event);
/** iot_clog2_defs_rank - the rank of the program; -1: not known */
gint32 iot_clog2_defs_rank(const struct iot_clog2_defs *defs, gint32 comm, gint32 rank);

#endif
