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

#include "base/clock-facts.h"
#include "base/diag.h"
#include "base/intern.h"
#include "base/pack.h"
#include "input/clock-change.h"
#include "input/record.h"
#include "input/schema.h"

struct iot_source;

struct iot_kept;

struct iot_input_spec {
	const char *path;
	guint32 input;			      /* position on the command line */
	guint32 first_run;		      /* index of this input's first run over all inputs */
	const struct iot_clock_change *clock; /* stated by the user; or NULL */
	gboolean only_read;		      /* its range and clock will not be asked for */
	/* of the file, shared by the sources that open it; NULL: nothing is kept. A source that is
	 * only read keeps what it unpacks; another one does so while it is opened */
	struct iot_kept *kept;
};

enum iot_sync { IOT_SYNC_UNKNOWN, IOT_SYNC_NO, IOT_SYNC_YES, IOT_SYNC_HOST };

/* A virtual CPU of a guest, as the recording of its host names it. */
struct iot_vcpu {
	char *guest;	  /* the guest's name */
	guint64 trace_id; /* of the guest's recording; 0: not known */
	guint32 cpu;
	gint32 pid; /* thread of the host that is this CPU; -1: not known (recorded over TCP) */
};

/** iot_vcpus_new - an empty array of struct iot_vcpu, which owns their names */
GArray *iot_vcpus_new(void);

/* The description of an input. Strings belong to the source. */
struct iot_input_info {
	const char *path;
	const char *reader;    /* name of the source */
	const char *hostname;  /* second word of UNAME; NULL if not recorded */
	const char *kernel;    /* third word of UNAME; NULL if not recorded */
	const char *boot_id;   /* of /proc/sys/kernel/random: a machine, since its start; or NULL */
	const char *file_name; /* the NAME of trace-NAME.dat, or the base name without its suffix */
	const char *format;    /* "trace-cmd 7, zstd, little endian, 64 bit" */
	/* a recording of several machines is one input, which reads the file, and one more for each
	 * of them: their numbers, from 1; 0: it reads the file */
	guint machine;
	gboolean of_machines; /* all its events are of these machines */
	/* it was made beside another recording of this machine: the name of that file, or a host
	 * name; NULL: by itself */
	const char *beside;
	const char *clock;     /* trace clock of the top buffer: "tsc2nsec", "local", ... */
	const char *protocol;  /* "kvm", "ptp", "none"; "file": stated by the user */
	/* HOST: needs no TIME_SHIFT, other machines are synchronised with this file */
	enum iot_sync sync;
	guint n_samples;	   /* clock samples of the first CPU that has some */
	guint64 trace_id, peer_id; /* 0: not recorded */
	gboolean is_host;	   /* the file names guests (GUEST options) */
	guint n_guests;
	const guint64 *guest_ids; /* trace ids of these guests */
	guint n_vcpus;
	const struct iot_vcpu *vcpus; /* of these guests */
	guint n_cpus, n_buffers;
	guint64 bytes; /* size of the event data in the file, for progress */
	/* saved command names of processes: lines "PID NAME"; NULL if not recorded */
	const char *commands;
	/* systems whose event formats are in the file; sorted, NULL-terminated */
	const char *const *systems;
	/* systems of the events that have been read so far, wanted or not; sorted, NULL-terminated;
	 * a tracer's own events are "ftrace (EVENT)" */
	const char *const *recorded;

	gboolean has_times;	   /* first_ns is valid: there is at least one event of any kind */
	guint64 first_ns, last_ns; /* corrected times of the first and (after reading) last event */
	/* last_ns is the first event after to_ns, and the counters below end before it */
	gboolean goes_on;
	guint64 n_events; /* seen so far, wanted or not */
	guint64 n_lost;	  /* lost events whose number is known */
	gboolean damaged; /* something was skipped; see diag */
	/* it is complete: its program began with the first event, ended with the last one */
	gboolean nothing_before, nothing_after;
	const struct iot_diag *diag;
	/* last event of any kind, found when the file is opened; 0: not known */
	guint64 end_ns;
	/* last event or clock sample, whichever is later; 0: not known */
	guint64 seen_ns;
	/* first event or clock sample, whichever is earlier; 0: not known */
	guint64 first_seen_ns;
};

enum iot_next { IOT_NEXT_OK, IOT_NEXT_END, IOT_NEXT_ERROR };

struct iot_source_ops {
	const char *name;
	gboolean runs_independent;
	/* 0: not a file of this source; the highest wins. @head: the first @len bytes. */
	int (*probe)(const char *path, const guint8 *head, gsize len);
	/* The file by which a recording opens that is found in a folder: its first one if it has
	 * several. NULL: the file belongs to none. The caller frees. May be NULL: folders are not
	 * searched for such recordings. */
	char *(*first_part)(const char *path);
	/* Whether a folder as a whole is one recording; NULL: no folder is. */
	gboolean (*is_folder)(const char *path);
	struct iot_source *(*open)(const struct iot_input_spec *spec, GError **error);
	/* Resolve the schema, which outlives the source. An IOT_ERROR_MODEL names model, event,
	 * field and file. */
	gboolean (*bind)(struct iot_source *src, const struct iot_schema *schema, GError **error);
	/* Whether it may hold the event; NULL: any. Before bind. */
	gboolean (*has_event)(const struct iot_source *src, const char *system, const char *name);
	/* Whether the file names the event; NULL: has_event. Before bind. */
	gboolean (*names_event)(const struct iot_source *src, const char *system, const char *name);
	/* Whether such an event has been read, wanted or not; NULL: any that it may hold. */
	gboolean (*has_read)(const struct iot_source *src, const char *system, const char *name);
	guint (*n_runs)(const struct iot_source *src);
	/* the CPU on which the events of @run were recorded; after bind */
	guint32 (*cpu)(const struct iot_source *src, guint run);
	/*
	 * Empty @batch and fill it with the next records of @run (0 .. n_runs - 1; batch->run
	 * becomes first_run + run). OK: there may be more; a batch without records has an end_ns.
	 * END: there are no more records. ERROR: @error is set.
	 */
	enum iot_next (*read)(struct iot_source *src, guint run, struct iot_batch *batch,
			      GError **error);
	/*
	 * Do some of the work of reading @run in advance, while another thread reads it. FALSE if
	 * there is nothing to do now. NULL: only one thread can work for a run. Any thread.
	 */
	gboolean (*ahead)(struct iot_source *src, guint run);
	/* bytes of event data that all runs have consumed so far; any thread */
	guint64 (*progress)(const struct iot_source *src);
	/* the table that numbers the strings of @run's records */
	const struct iot_intern *(*strings)(const struct iot_source *src, guint run);
	/*
	 * Append to @mark the position of @run and its state, from which reading can resume;
	 * nothing if the position is not known. Not while the run is being read.
	 */
	void (*tell)(const struct iot_source *src, guint run, GByteArray *mark);
	/*
	 * Resume at the position of a source of the same file, bound to the same schema. FALSE if
	 * that is impossible, with @error set or not; the source is unusable then. NULL: the source
	 * cannot resume.
	 */
	gboolean (*seek)(struct iot_source *src, guint run, struct iot_unpack *mark,
			 GError **error);
	void (*describe)(const struct iot_source *src, struct iot_input_info *info);
	/*
	 * Facts about the clock, as if it was, or had been brought to, the common clock: only the
	 * caller knows the other inputs. The caller clears @out.
	 */
	void (*judge)(const struct iot_source *src, const struct iot_clock_assumed *assumed,
		      struct iot_clock_facts *out);
	/*
	 * A source that names machines for its records; all three are NULL if it is of one.
	 * machine: host name of a machine (1 ...); NULL: there are no more. bind_machine: as bind,
	 * for the events of a machine, which are those of the input @input. machine_events: how
	 * many of them have been seen so far.
	 */
	const char *(*machine)(const struct iot_source *src, guint machine);
	gboolean (*bind_machine)(struct iot_source *src, guint machine, guint32 input,
				 const struct iot_schema *schema, GError **error);
	guint64 (*machine_events)(const struct iot_source *src, guint machine);
	void (*close)(struct iot_source *src); /* accepts NULL */
};

/* First member of every source's own struct. */
struct iot_source {
	const struct iot_source_ops *ops;
	/* Set after open, before reading. */
	/* later records are hardly read and not described; G_MAXUINT64: no limit */
	guint64 to_ns;
	gboolean marks; /* batches must have marks, if ops->tell knows the position */
};

/** iot_source_table - all sources, NULL-terminated */
extern const struct iot_source_ops *const iot_source_table[];

/**
 * iot_source_open - open a file with the source that knows it
 * @reader: name of a source ("dat", "libtracecmd", "text", "strace", "clog2", "otf2", "ctf",
 * "preload", "pcp", "ganglia", "slurm", "rastro"), or NULL for the best one
 *
 * Errors (IOT_ERROR_INPUT) name the file and a remedy: missing, unreadable, a directory, empty, not
 * a trace. With "libtracecmd" our own reader checks the file first and refuses it if it is damaged,
 * because the library crashes its caller on damaged files.
 */
struct iot_source *iot_source_open(const char *reader, const struct iot_input_spec *spec,
				   GError **error);

/**
 * iot_source_of_machine - a machine of which the recording @src tells, as an input of its own
 * @machine: its number, from 1; @input: its position among the inputs
 *
 * It has no runs, as its events are in those of @src, whose clock it has; @src must be open as long
 * as anything but close is called. NULL: there is no such machine.
 */
struct iot_source *iot_source_of_machine(struct iot_source *src, guint machine, guint32 input);

/** iot_source_first_part - the file by which a recording of some sources opens to which the file
 * belongs: the first of several, or itself; NULL: it belongs to none. The caller frees */
char *iot_source_first_part(const char *path);

/** iot_source_is_folder - whether a folder as a whole is one recording, and can be opened */
gboolean iot_source_is_folder(const char *path);

/** iot_source_knows - whether the file, by its first bytes, or the folder is a recording of some
 * source */
gboolean iot_source_knows(const char *path);

/** iot_source_may_have - whether the source, not yet bound, may hold the event */
static inline gboolean iot_source_may_have(const struct iot_source *source, const char *system,
					   const char *name)
{
	return !source->ops->has_event || source->ops->has_event(source, system, name);
}

/** iot_source_names_event - whether the source, not yet bound, names the event; one whose files
 * have events of any name may hold others, too */
static inline gboolean iot_source_names_event(const struct iot_source *source, const char *system,
					      const char *name)
{
	return source->ops->names_event ? source->ops->names_event(source, system, name)
					: iot_source_may_have(source, system, name);
}

/* The rest is for sources. */

/** iot_batch_mark - store the position of @run in @batch */
void iot_batch_mark(const struct iot_source *src, guint run, struct iot_batch *batch);
/** iot_batch_too_small - set the error that an empty batch has no room for a record */
enum iot_next iot_batch_too_small(const struct iot_batch *batch, GError **error);
/** iot_source_file_name - NAME of trace-NAME.dat, or the base name without its suffix; the caller
 * frees */
char *iot_source_file_name(const char *path);

/** iot_source_complete - what a format says about a recording that is complete: ", complete" */
const char *iot_source_complete(gboolean nothing_before, gboolean nothing_after);

extern const struct iot_source_ops iot_source_dat, iot_source_tracecmd, iot_source_text,
	iot_source_strace, iot_source_clog2, iot_source_otf2, iot_source_ctf, iot_source_preload,
	iot_source_pcp, iot_source_ganglia, iot_source_slurm, iot_source_rastro;

#endif
