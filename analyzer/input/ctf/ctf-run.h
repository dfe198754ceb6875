/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A data stream of a CTF trace as a run of records: its processor, its times, the thread that runs
 * there, and gaps where the tracer discarded events. One thread at a time.
 */
#ifndef IOT_INPUT_CTF_RUN_H
#define IOT_INPUT_CTF_RUN_H

#include "input/clock.h"
#include "input/ctf/ctf-classes.h"
#include "input/ctf/ctf-graph.h"

/* What all runs of a source share. */
struct iot_ctf_source {
	struct iot_ctf_graph *graph;
	struct iot_ctf_classes *classes;
	char *path;
	struct iot_clock clock; /* stated by the user */
	struct iot_event gap_begin, gap_end;
	struct iot_diag diag;
	guint64 n_events, n_lost;
	guint64 last_ns; /* of the streams, as far as they have been read */
};

struct iot_ctf_run {
	struct iot_ctf_source *src;
	guint index;		     /* of the stream, in the graph */
	guint32 cpu;		     /* G_MAXUINT32: the stream does not say it */
	const bt_trace *trace;	     /* NULL: the stream has no message */
	const bt_clock_class *clock; /* if it has */
	gboolean has_events;
	guint64 first_ns; /* of the first event or gap; if has_events */
	struct iot_intern *strings;
	/* private */
	gint64 offset_s;
	guint64 offset_cycles, frequency;
	struct iot_clock_cursor cursor;
	guint64 now_ns;
	gint32 running; /* -1: not known */
	/* Events are missing in this interval. Its begin is delivered at once, its end before the
	 * first message that is not in it. */
	gboolean in_gap, gap_told;
	guint64 gap_from, gap_to, gap_lost;
};

/**
 * iot_ctf_run_begin - read up to the first event, which says what the stream is
 * @run: zeroed but for src and index
 *
 * FALSE and IOT_ERROR_INPUT: the stream cannot be read, or has no clock.
 */
gboolean iot_ctf_run_begin(struct iot_ctf_run *run, GError **error);
/** iot_ctf_run_clear - free what iot_ctf_run_begin made */
void iot_ctf_run_clear(struct iot_ctf_run *run);
/** iot_ctf_run_read - the function read of the source for this run, with an empty @batch; records
 * after @to_ns are hardly read */
enum iot_next iot_ctf_run_read(struct iot_ctf_run *run, struct iot_batch *batch, guint64 to_ns,
			       GError **error);

#endif
