/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An output format. To add one: copy null.c, add a row to sink-table.c.
 *
 * All calls of one sink come from one thread, in the order open, item ..., finish, free. Types,
 * categories and rows are looked up in the timeline when an item brings their number for the first
 * time; rows and ranks of the whole run may be walked in finish. A sink streams: it keeps no list
 * of items, and writes only through base/out.h.
 */
#ifndef IOT_SINKS_SINK_H
#define IOT_SINKS_SINK_H

#include "timeline/timeline.h"

struct iot_sink_ops;

/* First member of every sink's own struct. */
struct iot_sink {
	const struct iot_sink_ops *ops;
};

struct iot_sink_args {
	const struct iot_timeline *tl;
	const char *path;    /* "-" is standard output */
	GHashTable *options; /* name -> value text of the sink's own options; NULL if none */
	guint64 memory;	     /* budget in bytes for this sink's own buffers */
};

/* One input as the report shows it; strings are valid during finish. */
struct iot_summary_input {
	const char *path, *node, *hostname, *kernel, *format, *clock, *protocol, *sync;
	guint n_cpus, n_samples;
	guint64 n_events, n_lost, first_ns, last_ns;
	gboolean has_times, damaged;
	gboolean goes_on; /* it was not read to its end: last_ns is not the last */
	const char *
		messages_name; /* the node that its messages name, if --map says another; or NULL */
	gboolean other_session; /* its clock was measured in another session than the first's */
	struct iot_diag diag;
};

struct iot_summary {
	guint64 begin_ns, end_ns; /* first and last instant of the recording, common clock */
	guint64 from_ns, to_ns; /* the window that was asked for; equal to begin and end if none */
	guint n_inputs;
	const struct iot_summary_input *inputs;
	const char
		*unknown_systems; /* "sched, block": recorded, but no model knows them; or NULL */
	struct iot_diag diag;	  /* sum over inputs and models */
	gboolean colour;	  /* standard output is a terminal that wants colours */
	guint width;		  /* of it, in columns; 0: it is no terminal */
	guint verbose;
	const char *index; /* what was done with the index of the recording, "" if nothing */
};

/* A row of a sink's option table; the core checks names, help and completion are made from it. */
struct iot_sink_option {
	const char *name;     /* "no-events" */
	const char *argument; /* NULL: a flag */
	const char *help;
};

struct iot_sink_ops {
	const char *name;    /* -o NAME:PATH */
	const char *summary; /* one line for --help and the manual */
	const char *suffix;  /* ".slog2" */
	/* appended to PATH: the name of a second file that it writes, ".rows.tsv"; NULL: none */
	const char *second_suffix;
	/* the output is a file whose beginning is rewritten: no pipe, no standard output */
	gboolean needs_file;
	/* where it is written if the command line names no output: "iotrace.slog2", "-"; or NULL */
	const char *default_path;
	/* nothing is written before finish, so a progress line on the same terminal is not
	 * disturbed */
	gboolean prints_at_end;
	/* the output names the counters of the summary, so they are not repeated as a message */
	gboolean shows_diagnostics;
	enum iot_feed feed;
	const struct iot_sink_option *options; /* ends with a NULL name; may be NULL */

	struct iot_sink *(*open)(const struct iot_sink_args *args, GError **error);
	gboolean (*item)(struct iot_sink *sink, const struct iot_item *item, GError **error);
	gboolean (*finish)(struct iot_sink *sink, const struct iot_summary *summary,
			   GError **error);
	/* counters that the sink itself adds (names cut, ...); NULL if none; called after finish */
	const struct iot_diag *(*diag)(const struct iot_sink *sink);
	/* the most bytes that it held so far, but for small change; NULL: never much. Before finish
	 */
	gsize (*memory)(const struct iot_sink *sink);
	void (*free)(struct iot_sink
			     *sink); /* also after failure; removes temporary files; accepts NULL */
};

/** iot_sink_table - all sinks, NULL-terminated */
extern const struct iot_sink_ops *const iot_sink_table[];
/** iot_sink_find - a sink by name, or NULL */
const struct iot_sink_ops *iot_sink_find(const char *name);

/** iot_sink_flag - whether a flag option was given; iot_sink_value - its text or NULL */
gboolean iot_sink_flag(const struct iot_sink_args *args, const char *name);
const char *iot_sink_value(const struct iot_sink_args *args, const char *name);

extern const struct iot_sink_ops iot_sink_slog2, iot_sink_paje, iot_sink_text, iot_sink_report,
	iot_sink_null, iot_sink_list, iot_sink_jsonl, iot_sink_csv, iot_sink_perfetto,
	iot_sink_html;

/** iot_item_flag_names - "unfinished", "before,unknown" ...; "" for none; static or interned
 * storage */
const char *iot_item_flag_names(guint flags);

#endif
