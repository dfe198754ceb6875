/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file of libRastro, NAME-ID1-ID2.rst: the events of one thread (docs/formats/rastro.md). Written
 * after the library's source, src/rastro_write.c and include/rastro_private.h. One thread.
 */
#ifndef IOT_INPUT_RASTRO_FILE_H
#define IOT_INPUT_RASTRO_FILE_H

#include "input/bytes.h"

/* Values of an event that are kept, of each kind. */
enum { IOT_RASTRO_INTS = 8, IOT_RASTRO_REALS = 4, IOT_RASTRO_TEXTS = 6 };

struct iot_rastro_text {
	const char *p; /* in the file; no NUL is in it */
	gsize len;
};

struct iot_rastro_event {
	guint type;
	guint64 ns; /* of CLOCK_REALTIME */
	guint n_ints, n_reals, n_texts;
	guint n_left_out; /* values for which there was no room */
	gint64 ints[IOT_RASTRO_INTS];
	double reals[IOT_RASTRO_REALS];
	struct iot_rastro_text texts[IOT_RASTRO_TEXTS];
};

struct iot_rastro_file {
	GMappedFile *map;
	struct iot_bytes at;
	guint64 id1, id2;
	char *host;		    /* NULL: the file does not begin with it */
	guint64 base_s, resolution; /* of the present base; resolution: ticks per second */
	gboolean begins, ends;	    /* it has its first and last record */
	gboolean cut;		    /* the last record is not whole */
	gboolean strange;	    /* what follows cannot be understood */
};

/** iot_rastro_is - whether a file begins like one of libRastro, of either byte order */
gboolean iot_rastro_is(const guint8 *head, gsize len);
/** iot_rastro_open - map a file and read its first record; NULL: it is no such file, or cannot be
 * read. The ids are those of its first record, and may differ from those in its name */
struct iot_rastro_file *iot_rastro_open(const char *path);
/** iot_rastro_free - accepts NULL */
void iot_rastro_free(struct iot_rastro_file *file);
/** iot_rastro_rewind - to the first event */
void iot_rastro_rewind(struct iot_rastro_file *file);
/** iot_rastro_next - the next event of the program; FALSE: there are no more, and @file says why */
gboolean iot_rastro_next(struct iot_rastro_file *file, struct iot_rastro_event *event);

#endif
