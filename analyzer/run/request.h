/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A request: plain values, which cli/ makes from the command line and run/ carries out. */
#ifndef IOT_RUN_REQUEST_H
#define IOT_RUN_REQUEST_H

#include "order/causal.h"
#include "sinks/sink.h"

/* -o FORMAT:PATH */
struct iot_output {
	const struct iot_sink_ops *ops;
	char *path;
	GHashTable *options; /* of the sink; name -> text; may be NULL */
};

struct iot_names_file;

/* --map NODE=WHAT, one pair */
struct iot_mapping {
	char *node; /* "1", "web" */
	char *what; /* CID, guest name, host name or file */
	gboolean described; /* by recording.json, and not by the command line */
};

/* --shift NODE=TIME */
struct iot_shift {
	char *node;
	gint64 ns;
};

/* How the recordings come to one clock. */
enum iot_sync_mode {
	IOT_SYNC_RECORDED, /* as they were recorded, or by sync_file */
	IOT_SYNC_IGNORED,  /* not at all */
	IOT_SYNC_PROTOCOL, /* by the messages between machines */
	IOT_SYNC_AUTO, /* by messages if the recordings have no synchronisation, or contradict it */
};

struct iot_options {
	GPtrArray *inputs;     /* of char *, in command-line order */
	GPtrArray *mappings;   /* of struct iot_mapping * */
	struct iot_names_file *names; /* --names: what the user says of nodes; or NULL */
	gboolean force_map;    /* also those that messages contradict */
	GPtrArray *lockspaces; /* of char *: candidates for names of lockspaces */
	GPtrArray *outputs;    /* of struct iot_output * */
	/* of char *: names or files; empty: every installed model that fits the inputs */
	GPtrArray *models;
	GPtrArray *select, *exclude, *nodes; /* of char * */
	GPtrArray *kinds;		     /* of char *: names, patterns or roles of categories */
	char *follow;			     /* VALUE or NAME=VALUE; NULL: all */
	GPtrArray *derive;		     /* of char *: names of analysis/analysis-table.c */
	guint top;			     /* 0: all */
	guint64 slower_than_ns;		     /* 0: all */
	/* a recording that ends this much before the others counts as ended early */
	guint64 early_end_ns;
	enum iot_sync_mode sync;	/* --sync */
	char *sync_file;		/* --sync FILE: pairs of clocks; or NULL */
	GArray *shifts;			/* of struct iot_shift */
	struct iot_clock_assumed clock; /* not contained in recordings */
	/* the clocks of two machines differ by at most this */
	/* IOT_CLOCK_UNBOUNDED: as the bounds of the inputs say */
	guint64 clock_error_ns;
	struct iot_causality_choice causality;
	/* as typed: seconds since the beginning, or @seconds of the host clock; NULL: no limit */
	char *from, *to;
	/* of char *: the options, as typed, that a command for another window has to repeat */
	GPtrArray *repeated;
	char *reader; /* name of a source, or NULL: the best one for each file */
	char *index;  /* "auto", "off" or a path */
	/* of a recording of system calls: a sentence about those that are no part of it; or NULL */
	char *other_calls;
	/* of char *: files of folders that were given and that are not read, by name */
	GPtrArray *left_out;
	guint n_recordings_left_out; /* of them */
	guint threads;	/* 0: one for each processor */
	guint64 memory; /* bytes */
	guint max_open;
	guint max_containers;
	gboolean all_threads; /* models that follow threads draw all, in rows of their own */
	gboolean strict, audit, colour;
	gboolean no_links; /* no arrows */
	guint cut;	   /* --cut: number of a finding; 0: none */
	char *cut_folder;  /* NULL: finding-N */
	guint width;	   /* columns of the terminal on standard output; 0: not a terminal */
	guint n_colours;   /* of standard output: 0, 256 or 1 << 24 */
	gboolean utf8;	   /* standard output shows UTF-8 */
	guint verbose;
};

struct iot_progress {
	guint64 bytes, total_bytes; /* of event data read */
	guint64 records;	    /* events that models know */
	guint pass, n_passes;	    /* --top and --slower-than need a first pass */
};
/** iot_progress_func - called about ten times a second by the pipeline thread; values only grow */
typedef void (*iot_progress_func)(const struct iot_progress *progress, gpointer user_data);

/** iot_output_free - accepts NULL */
void iot_output_free(struct iot_output *output);
/** iot_options_init - empty lists, all numbers zero */
void iot_options_init(struct iot_options *options);
/** iot_options_clear - free all members; may be called twice */
void iot_options_clear(struct iot_options *options);

#endif
