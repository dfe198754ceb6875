/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading of one CPU of one buffer (source-dat.c), and how it can go on later where it stood
 * (dat-run.c). One thread at a time.
 */
#ifndef IOT_INPUT_DAT_DAT_RUN_H
#define IOT_INPUT_DAT_DAT_RUN_H

#include "input/dat/dat-pages.h"
#include "input/source.h"

struct iot_dat_run {
	const struct iot_dat_buffer *buffer;
	const struct iot_dat_area *area;
	struct iot_dat_pages *pages;
	struct iot_ring_page page;
	gsize page_len;
	guint64 limit;	   /* an event of this page with a later raw time is damaged */
	gboolean may_pass; /* an event of this page may be behind to_ns */
	struct iot_clock_cursor clock;
	struct iot_intern *strings;
	gboolean in_page; /* "page" is not finished */
	gboolean ended;
	gboolean any;	  /* last_raw is valid */
	gboolean gap;	  /* events are missing before the next one ... */
	guint64 gap_lost; /* ... so many */
	guint64 last_raw; /* of the last event, wanted or not */
	guint64 last_ts;  /* of the last record, or page: time does not go below */
	struct iot_run_count count, at_to;
	gboolean passed; /* the first event behind to_ns has come: at_to is what was before it */
	guint64 passed_ns;
};

/** iot_dat_run_tell - append where the run stands to @mark; nothing if the file has changed */
void iot_dat_run_tell(const struct iot_dat_run *run, GByteArray *mark);
/**
 * iot_dat_run_seek - go on where a run of the same file stood; once, before reading
 *
 * FALSE (without @error) if there is no such place in the file.
 */
gboolean iot_dat_run_seek(struct iot_dat_run *run, const struct iot_dat_file *file,
			  struct iot_unpack *mark, GError **error);

#endif
