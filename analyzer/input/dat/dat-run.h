/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One CPU of one buffer, read as a run of records, and its position, from which a run of the same
 * file can resume later. One thread at a time; different runs in different threads.
 *
 * Missing events become two records: GAP_BEGIN at the last event before them, GAP_END at the first
 * event after them and right before it.
 */
#ifndef IOT_INPUT_DAT_DAT_RUN_H
#define IOT_INPUT_DAT_DAT_RUN_H

#include "input/dat/dat-bind.h"
#include "input/dat/dat-pages.h"
#include "input/run-tally.h"

struct iot_dat_run {
	const struct iot_dat_file *file;
	const struct iot_dat_buffer *buffer;
	const struct iot_dat_area *area;
	struct iot_dat_pages *pages;
	struct iot_intern *strings;
	struct iot_clock_cursor clock;

	/* Set by the source before reading. */

	const struct iot_dat_binding *binding;
	guint64 first_ns; /* of the file: begin of a gap without an event before it */
	guint64 to_ns;	  /* end of the window */

	/* The page that is being decoded. */

	struct iot_ring_page page;
	gsize page_len;
	guint64 limit;	   /* an event of this page with a later raw time is damaged */
	gboolean may_pass; /* an event of this page may be after to_ns */
	gboolean in_page;  /* "page" is not finished */

	gboolean ended;
	gboolean any;	  /* last_raw is valid */
	gboolean gap;	  /* events are missing before the next one ... */
	guint64 gap_lost; /* ... this many; G_MAXUINT64: unknown */
	guint64 last_raw; /* of the last event, wanted or not */
	guint64 last_ts;  /* of the last record or page: time does not go below */
	struct iot_run_tally tally;
};

/**
 * iot_dat_run_open - a run over @area of @buffer; all must outlive it
 * @consumed: bytes of the file that were consumed are added here, atomically
 */
void iot_dat_run_open(struct iot_dat_run *run, const struct iot_dat_file *file,
		      const struct iot_dat_buffer *buffer, const struct iot_dat_area *area,
		      guint64 *consumed);
/** iot_dat_run_clear - free pages and strings; a zeroed struct is allowed */
void iot_dat_run_clear(struct iot_dat_run *run);
/**
 * iot_dat_run_first - find the corrected time of the first event, without moving the run
 *
 * FALSE only for errors of the system.
 */
gboolean iot_dat_run_first(const struct iot_dat_run *run, gboolean *out_found, guint64 *out_ns,
			   GError **error);
/**
 * iot_dat_run_read - append records to @batch until it is full or enough pages were read
 *
 * As the read operation of a source (input/source.h).
 */
enum iot_next iot_dat_run_read(struct iot_dat_run *run, struct iot_batch *batch, GError **error);

/** iot_dat_run_tell - append the position of the run to @mark; nothing if the file has changed */
void iot_dat_run_tell(const struct iot_dat_run *run, GByteArray *mark);
/**
 * iot_dat_run_seek - resume at the position of a run of the same file; once, before reading
 *
 * FALSE if there is no such place in the file, or with @error set if the system cannot read.
 */
gboolean iot_dat_run_seek(struct iot_dat_run *run, struct iot_unpack *mark, GError **error);

#endif
