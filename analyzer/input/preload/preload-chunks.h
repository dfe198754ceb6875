/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file of libiotrace-preload (events/preload/preload-format.h): its records in the order in which
 * they begin. A chunk has records in the order in which calls end, so the file is read once for the
 * first record of each chunk, and then each chunk from there on: memory has the chunks that have
 * begun and not ended. One thread.
 */
#ifndef IOT_INPUT_PRELOAD_CHUNKS_H
#define IOT_INPUT_PRELOAD_CHUNKS_H

#include <glib.h>

#include "base/heap.h"
#include "events/preload/preload-format.h"

struct iot_preload_file {
	char *path;
	struct iotrace_preload_head head;
	guint64 size;		   /* of the chunks, in bytes */
	guint64 first_ns, last_ns; /* of records: the first begin, the last end */
	guint64 n_records, n_unfinished, n_bad;
	guint64 n_missing_bytes; /* the file was cut */
	GHashTable *last_of;	 /* process -> guint64 *: the end of its last record */
	guint64 offset;		 /* bytes that have been read in order */
	/* private */
	int fd;
	GArray *begins;	      /* of each chunk: struct iot_heap_entry, sorted */
	guint next;	      /* of these */
	struct iot_heap open; /* chunks by the begin of their next record */
};

struct iot_preload_item {
	struct iotrace_preload_record record;
	guint kind, op;
	char *text[2]; /* NULL: it has none */
};

/** iot_preload_is - whether the first bytes of a file are those of such a recording */
gboolean iot_preload_is(const guint8 *head, gsize len);
/** iot_preload_open - read what only the whole file tells; NULL and IOT_ERROR_INPUT: unreadable */
struct iot_preload_file *iot_preload_open(const char *path, GError **error);
/** iot_preload_free - accepts NULL */
void iot_preload_free(struct iot_preload_file *file);
/** iot_preload_peek - the begin of the next record, in ns; G_MAXUINT64: there is none, or it cannot
 * be read, with @error set */
guint64 iot_preload_peek(struct iot_preload_file *file, GError **error);
/** iot_preload_next - that record, after iot_preload_peek */
void iot_preload_next(struct iot_preload_file *file, struct iot_preload_item *out);
/** iot_preload_item_clear - free its texts */
void iot_preload_item_clear(struct iot_preload_item *item);

#endif
