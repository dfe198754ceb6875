/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of a CLOG2 file, read as a stream (docs/formats/clog2.md). A file is a preamble and
 * blocks of one size; a block that cannot be understood is left at the place where that shows, and
 * the next one goes on. One thread.
 */
#ifndef IOT_INPUT_CLOG2_FILE_H
#define IOT_INPUT_CLOG2_FILE_H

#include <glib.h>

#include "input/bytes.h"

#define IOT_CLOG2_MAGIC "CLOG-"

enum iot_clog2_type {
	IOT_CLOG2_END_OF_LOG,
	IOT_CLOG2_END_OF_BLOCK,
	IOT_CLOG2_DEF_STATE,
	IOT_CLOG2_DEF_EVENT,
	IOT_CLOG2_CONSTANT,
	IOT_CLOG2_BARE,
	IOT_CLOG2_CARGO,
	IOT_CLOG2_MESSAGE,
	IOT_CLOG2_COLLECTIVE,
	IOT_CLOG2_COMMUNICATOR,
	IOT_CLOG2_SOURCE,
	IOT_CLOG2_TIME_SHIFT,
	IOT_CLOG2_TYPES
};

/* What the preamble says. Event 2n + first_event begins MPI's state n, the next one ends it; the
 * same for states of users. */
struct iot_clog2_preamble {
	gboolean big_endian;
	gboolean merged; /* "is_finalzed": of all ranks, with times that are corrected */
	guint32 block_size;
	guint32 n_ranks;
	gint32 first_event, first_user_event;
	guint32 n_states, n_user_states;
};

struct iot_clog2_record {
	enum iot_clog2_type type;
	gint64 ns; /* since the start of the program; may be negative */
	gint32 comm, rank, thread;
	struct iot_bytes body;
	gboolean after_gap; /* records before it could not be understood */
};

struct iot_clog2_file {
	char *path;
	int fd;
	guint64 size, offset; /* bytes of the file; place of the next record */
	struct iot_clog2_preamble preamble;
	guint64 block_end;
	guint8 *window; /* what is read of the file, from @window_at on */
	guint64 window_at;
	gsize window_len;
	gboolean gap;	   /* something was skipped, and no record has come since */
	gboolean ended;	   /* the end of the log was there */
	gboolean cut;	   /* the file ends before the log */
	guint64 n_skipped; /* parts of blocks */
};

/** iot_clog2_open - NULL and IOT_ERROR_INPUT: it cannot be read, or is no CLOG2 file that we know
 */
struct iot_clog2_file *iot_clog2_open(const char *path, GError **error);
/** iot_clog2_free - accepts NULL */
void iot_clog2_free(struct iot_clog2_file *file);
/** iot_clog2_rewind - begin again */
void iot_clog2_rewind(struct iot_clog2_file *file);
/**
 * iot_clog2_next - the next record, but for ends of blocks, valid until the next call
 *
 * FALSE at the end of the log or of the file, or with @error if the file cannot be read.
 */
gboolean iot_clog2_next(struct iot_clog2_file *file, struct iot_clog2_record *out, GError **error);

#endif
