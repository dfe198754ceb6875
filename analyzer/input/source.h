/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A source delivers one input file as ordered runs of records (one run for each buffer and CPU).
 *
 * Order of calls: open, describe, bind, then read until every run has ended, describe again (final
 * counts), close. open and bind are called by one thread for all inputs; read may then be called
 * from another thread, and, if runs_independent, for different runs from different threads at the
 * same time.
 */
#ifndef IOT_INPUT_SOURCE_H
#define IOT_INPUT_SOURCE_H

#include "base/diag.h"
#include "base/intern.h"
#include "base/pack.h"
#include "input/record.h"
#include "input/schema.h"

struct iot_source;

struct iot_input_spec {
	const char *path;
	guint32 input;	   /* position on the command line */
	guint32 first_run; /* dense index of this input's first run */
};

enum iot_sync { IOT_SYNC_UNKNOWN, IOT_SYNC_NO, IOT_SYNC_YES, IOT_SYNC_HOST };

/* What is known of an input. Strings belong to the source. */
struct iot_input_info {
	const char *path;
	const char *reader;    /* name of the source */
	const char *hostname;  /* second word of UNAME; NULL if not recorded */
	const char *kernel;    /* third word of UNAME; NULL if not recorded */
	const char *file_name; /* the NAME of trace-NAME.dat, or the base name without its suffix */
	const char *format;    /* "trace-cmd 7, zstd, little endian, 64 bit" */
	const char *clock;     /* trace clock of the top buffer: "tsc2nsec", "local", ... */
	const char *protocol;  /* "kvm", "ptp", "none" */
	enum iot_sync sync; /* HOST: no TIME_SHIFT needed, others are synchronised with this file */
	guint n_samples;    /* clock samples of the first CPU that has some */
	guint64 trace_id, peer_id; /* 0: not recorded */
	gboolean is_host;	   /* the file names guests (GUEST options) */
	guint n_guests;
	const guint64 *guest_ids; /* trace ids of these guests */
	guint n_cpus, n_buffers;
	gboolean has_times;	   /* first_ns is valid: there is at least one event, of any kind */
	guint64 first_ns, last_ns; /* corrected times of the first and (after reading) last event */
	gboolean goes_on;	   /* there is a to_ns: last_ns is the first event behind it ... */
	guint64 bytes;		   /* size of the event data in the file, for progress */
	guint64 n_events; /* ... and this, n_lost and diag are of what is before it. All events seen
			     so far, wanted or not */
	guint64 n_lost;	  /* lost events whose number is known */
	gboolean damaged; /* something was skipped; see diag */
	const struct iot_diag *diag;
	const char *commands; /* of processes, saved beside the events: lines "PID NAME"; NULL */
	guint64 end_ns;	 /* of the last event of any kind, found when the file is opened; 0: not
			    known */
	guint64 seen_ns; /* the same, or the last clock sample if that is later; 0: not known */
	const char *const *
		systems; /* NULL-terminated, sorted: systems whose events the file has formats of */
};

enum iot_next { IOT_NEXT_OK, IOT_NEXT_END, IOT_NEXT_ERROR };

struct iot_source_ops {
	const char *name;
	gboolean runs_independent;
	/* 0: not mine; higher wins. @head: the first @len bytes of the file. */
	int (*probe)(const char *path, const guint8 *head, gsize len);
	struct iot_source *(*open)(const struct iot_input_spec *spec, GError **error);
	/* resolve the schema; an IOT_ERROR_MODEL names model, event, field and file. The schema
	 * outlives the source. */
	gboolean (*bind)(struct iot_source *src, const struct iot_schema *schema, GError **error);
	guint (*n_runs)(const struct iot_source *src);
	/*
	 * Fill @batch (emptied by the callee) with the next records of @run (0 .. n_runs - 1;
	 * batch->run is set to first_run + run). OK: there may be more; a batch without records
	 * tells by its end_ns how far nothing comes. END: none, and none will come. ERROR: @error
	 * is set.
	 */
	enum iot_next (*read)(struct iot_source *src, guint run, struct iot_batch *batch,
			      GError **error);
	/*
	 * Do some of the work of reading @run in advance, while another thread reads it. FALSE if
	 * there is nothing to do now. NULL: one run is one thread's work. Any thread.
	 */
	gboolean (*ahead)(struct iot_source *src, guint run);
	/* bytes of the file's event data consumed so far by all runs; any thread */
	guint64 (*progress)(const struct iot_source *src);
	/* the table in which the string slots of @run's records are numbered */
	const struct iot_intern *(*strings)(const struct iot_source *src, guint run);
	/*
	 * Where @run stands, and all that is needed to go on from there, appended to @mark; nothing
	 * if that cannot be told. Not while the run is being read.
	 */
	void (*tell)(const struct iot_source *src, guint run, GByteArray *mark);
	/*
	 * Go on where a source of the same file, bound to the same schema, stood. FALSE if that
	 * cannot be (the source is of no use then), with @error set or not. NULL: not known how.
	 */
	gboolean (*seek)(struct iot_source *src, guint run, struct iot_unpack *mark,
			 GError **error);
	void (*describe)(const struct iot_source *src, struct iot_input_info *info);
	void (*close)(struct iot_source *src); /* accepts NULL */
};

/* First member of every source's own struct. */
struct iot_source {
	const struct iot_source_ops *ops;
	guint64 to_ns;	/* set after open, before reading: what comes later is hardly asked for, and
			   not in the description; G_MAXUINT64: no limit */
	gboolean marks; /* set likewise: batches shall have marks, as far as ops->tell knows */
};

/** iot_source_table - all sources, NULL-terminated */
extern const struct iot_source_ops *const iot_source_table[];

/**
 * iot_source_open - open a file with the source that knows it
 * @reader: name of a source ("dat", "libtracecmd", "text"), or NULL for the one that fits best
 *
 * Errors (IOT_ERROR_INPUT) name the file and say what to do: missing, unreadable, a directory,
 * empty, not a trace. With "libtracecmd" the file is first checked by the own reader, and refused
 * if damaged, because the library crashes its caller on damaged files.
 */
struct iot_source *iot_source_open(const char *reader, const struct iot_input_spec *spec,
				   GError **error);

/* The rest is for sources. */

/** iot_batch_mark - store the position of @run in @batch */
void iot_batch_mark(const struct iot_source *src, guint run, struct iot_batch *batch);
/** iot_batch_too_small - set the error that an empty batch has no room for a record */
enum iot_next iot_batch_too_small(const struct iot_batch *batch, GError **error);
/** iot_source_file_name - NAME of trace-NAME.dat, or the base name without its suffix; the caller
 * frees */
char *iot_source_file_name(const char *path);

extern const struct iot_source_ops iot_source_dat, iot_source_tracecmd, iot_source_text;

#endif
