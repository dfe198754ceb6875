/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An output format. To add one: copy null.c, add a row to sink-table.c and a declaration below.
 *
 * All calls of one sink come from one thread, in the order open, item ..., finish, free. Types,
 * categories and rows are looked up in the timeline when an item brings their number for the first
 * time; rows and ranks of the whole run may be walked in finish. A sink streams: it keeps no list
 * of items, and writes only through base/out.h.
 */
#ifndef IOT_SINKS_SINK_H
#define IOT_SINKS_SINK_H

#include "base/clock-facts.h"
#include "timeline/timeline.h"

struct iot_results;
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
	guint verbose;
};

/* One input as the report shows it; strings are valid during finish. */
struct iot_summary_input {
	const char *path, *node, *hostname, *kernel, *format, *clock, *protocol, *sync;
	char *above; /* "east/rack7": the rows above its node; NULL: none is said */
	guint n_cpus, n_samples;
	guint64 n_events, n_lost, first_ns, last_ns;
	/* of a guest: its events while its virtual CPUs ran by the host's entries and exits, and
	 * others; 0: the host does not say it */
	guint64 n_in_guest, n_not_in_guest;
	gboolean has_times, damaged;
	/* reading stopped before its end, so last_ns is not the time of its last event */
	gboolean goes_on;
	/* the node in its own messages, if --map gives another one; or NULL */
	const char *messages_name;
	/* others have its host name, so it is a node named by its file */
	gboolean host_name_shared;
	/* its clock was measured in another session than that of the first input */
	gboolean other_session;
	struct iot_clock_facts clock_facts; /* the knots belong to the timeline's clocks */
	struct iot_diag diag;
};

struct iot_summary {
	struct iot_clock_assumed clock_assumed;
	/* first and last instant of the recording, common clock */
	guint64 begin_ns, end_ns;
	/* the window; equal to begin and end if none was given */
	guint64 from_ns, to_ns;
	guint n_inputs;
	const struct iot_summary_input *inputs;
	/* the file of --names, and what of it has matched nothing (of char *); or NULL */
	const char *names;
	const GPtrArray *names_unused;
	/* of char *: the options that say what the inputs mean and which rows are shown, as typed;
	 * or NULL */
	const GPtrArray *repeated;
	/* "dlm, gfs2": the models that were used; or NULL */
	const char *models;
	/* "sched, block": recorded, but unknown to all models; or NULL */
	const char *unknown_systems;
	/* "83 calls of other kinds were not looked at (mmap 12 ...)", as iotrace-record counted
	 * them; or NULL */
	const char *other_calls;
	/* tables of analyses, in addition to those that outputs publish from items; or NULL */
	const struct iot_results *results;
	/* sum over inputs and models */
	struct iot_diag diag;
	/* standard output: whether it gets colours, and columns if it is a terminal, else 0 */
	gboolean colour;
	guint width;
	/* number of its colours: 0, 256 or 1 << 24, and whether it shows UTF-8 */
	guint n_colours;
	gboolean utf8;
	guint verbose;
	/* how the index of the recording was used, "" if there is none */
	const char *index;
};

/** iot_summary_has_machines - whether the inputs are of several machines */
static inline gboolean iot_summary_has_machines(const struct iot_summary *summary)
{
	for (guint i = 1; i < summary->n_inputs; i++)
		if (g_strcmp0(summary->inputs[i].node, summary->inputs[0].node))
			return TRUE;
	return FALSE;
}

/* A row of a sink's option table; the core checks names, help and completion are made from it. */
struct iot_sink_option {
	const char *name;     /* "no-events" */
	const char *argument; /* NULL: a flag */
	const char *help;
	gboolean is_form; /* a flag: the output in another form; an output has one form */
};

struct iot_sink_ops {
	const char *name;    /* -o NAME:PATH */
	const char *summary; /* one line for --help and the manual */
	const char *suffix;  /* ".slog2" */
	/* why this program cannot write the format, for the message; NULL: it can */
	const char *missing;
	/* appended to PATH for the name of a second file: ".rows.tsv"; NULL: there is none */
	const char *second_suffix;
	/* the sink rewrites the beginning of its file: no pipe, no standard output */
	gboolean needs_file;
	/* PATH becomes a directory; needs_file is set, too */
	gboolean writes_folder;
	/* the path if the command line names no output, "iotrace.slog2" or "-"; NULL: no default */
	const char *default_path;
	/* The name of a format may be the first word of the command line. Its output then goes to
	 * this path, "-"; NULL: to "iotrace" and the suffix. */
	const char *word_path;
	/* the word is followed by a pattern of rows, named like this in the help: "ROW"; NULL: no
	 */
	const char *word_argument;
	/* what follows the word is the value of this option instead; NULL: it is a pattern */
	const char *word_option;
	/* on a terminal the output of the word goes through a pager */
	gboolean word_pages;
	/* the sink writes only in finish, so a progress line on the same terminal stays intact */
	gboolean prints_at_end;
	/* the output names the counters of the summary, so they are not repeated as a message */
	gboolean shows_diagnostics;
	/* the output shows the tables of analyses */
	gboolean has_tables;
	/* name of the analysis that makes the tables of this output; NULL: none */
	const char *analysis;
	/* the sink gets the parts of accounts (IOT_ITEM_PART) */
	gboolean wants_parts;
	enum iot_feed feed;
	const struct iot_sink_option *options; /* ends with a NULL name; may be NULL */

	struct iot_sink *(*open)(const struct iot_sink_args *args, GError **error);
	gboolean (*item)(struct iot_sink *sink, const struct iot_item *item, GError **error);
	gboolean (*finish)(struct iot_sink *sink, const struct iot_summary *summary,
			   GError **error);
	/* after finish: the sink's own counters (names cut, ...); NULL if it has none */
	const struct iot_diag *(*diag)(const struct iot_sink *sink);
	/* before finish: greatest size of the large buffers in bytes; NULL: there are none */
	gsize (*memory)(const struct iot_sink *sink);
	/* also after a failure; removes temporary files; accepts NULL */
	void (*free)(struct iot_sink *sink);
};

/** iot_sink_table - all sinks, NULL-terminated */
extern const struct iot_sink_ops *const iot_sink_table[];
/** iot_sink_find - a sink by name, or NULL */
const struct iot_sink_ops *iot_sink_find(const char *name);

/** iot_sink_word_path - where the output of the format's word goes; the caller frees */
char *iot_sink_word_path(const struct iot_sink_ops *ops);

/** iot_sink_flag - whether a flag was given; iot_sink_value - the text of an option, or NULL */
gboolean iot_sink_flag(const struct iot_sink_args *args, const char *name);
const char *iot_sink_value(const struct iot_sink_args *args, const char *name);

extern const struct iot_sink_ops iot_sink_slog2, iot_sink_paje, iot_sink_text, iot_sink_report,
	iot_sink_null, iot_sink_list, iot_sink_jsonl, iot_sink_csv, iot_sink_perfetto,
	iot_sink_html, iot_sink_folded, iot_sink_sync, iot_sink_summary, iot_sink_sqlite,
	iot_sink_show, iot_sink_at, iot_sink_otf2, iot_sink_check, iot_sink_junit, iot_sink_tap,
	iot_sink_parquet;

/** iot_item_flag_names - "unfinished", "before,unknown" ...; "" for none; never freed */
const char *iot_item_flag_names(guint flags);

#endif
