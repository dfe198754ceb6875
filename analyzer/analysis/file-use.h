/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What programs do to files: who reads and writes each file, how often, where, and which accesses
 * depend on others. A user of a file is a thread: threads and processes are treated alike.
 *
 * An access counts when it ends, in the order of the ends. Calls that failed, whose end was not
 * seen, or that are about a file nobody knows are left out; the second kind is counted. Bytes whose
 * position is not known count, but depend on nothing.
 *
 * Users, dependencies and segments (file-ranges.h) are bounded; what is left out is counted. Files
 * are as many as rows (--max-containers). One thread at a time.
 */
#ifndef IOT_ANALYSIS_FILE_USE_H
#define IOT_ANALYSIS_FILE_USE_H

#include "analysis/file-ranges.h"
#include "timeline/access.h"
#include "timeline/advice.h"
#include "timeline/result-table.h"

enum { IOT_FILE_USERS = 1 << 17, IOT_FILE_DEPENDENCIES = 1 << 16 };

/* What threads do to a file with data: the eight constellations, and none. */
enum iot_constellation {
	IOT_NO_DATA,
	IOT_ONE_WRITES_ONCE,
	IOT_ONE_WRITES,
	IOT_ONE_READS_ONCE,
	IOT_ONE_READS,
	IOT_ONE_READS_AND_WRITES,
	IOT_SEVERAL_WRITE,
	IOT_SEVERAL_READ,
	IOT_SEVERAL_READ_AND_WRITE,
	IOT_N_CONSTELLATIONS
};

/* What the accesses to a file need, so that the result stays the same. */
enum iot_file_need {
	IOT_NEED_NOTHING,
	IOT_NEED_CLOSE,	      /* what is written must be there after the close */
	IOT_NEED_ORDER,	      /* one thread's calls must stay in order */
	IOT_NEED_APPEND,      /* appends of several depend on each other */
	IOT_NEED_SYNCHRONISE, /* accesses of several to the same bytes */
	IOT_NEED_UNKNOWN,     /* positions are unknown, or not all was kept */
	IOT_N_NEEDS
};

/* A thread of a machine. */
struct iot_file_thread {
	iot_str node;
	gint64 process, thread;
};

/* What one thread does to one file. READ and WRITE of the arrays: 0 and 1. */
struct iot_file_user {
	guint file;   /* number */
	guint thread; /* number, from 1 */
	guint64 n[2], bytes[2];
	/* of the last access with a position */
	guint64 last[2], end[2], step[2];
	gboolean placed[2], counted_random[2]; /* the last step counts as random */
	gboolean wrote;			       /* the last read, write or sync was a write */
};

struct iot_file {
	iot_row_id row;
	gboolean shown;		 /* a row of the file is selected */
	gboolean users_left_out; /* there were too many */
	guint64 metric[IOT_N_METRICS];
	guint64 own_overwrites,
		own_reads;    /* pieces of own writes that its thread overwrote, read */
	guint64 dependencies; /* pieces that depend on another thread's access */
	guint64 end;	      /* greatest position reached; 0: none */
	guint end_by;	      /* the thread whose write reached it; 0: a read */
	guint64 first_ns, last_ns;
	struct iot_file_ranges ranges;
	/* made by iot_file_use_classify */
	guint readers, writers; /* threads */
	enum iot_constellation constellation;
	enum iot_file_need need;
};

/* Accesses of one thread that touch bytes after another one did. */
struct iot_file_dependency {
	guint file, before, after; /* numbers */
	enum iot_range_kind kind;
	guint64 calls, bytes;
	guint64 from, to;		      /* the smallest range that has all these bytes */
	guint64 first_ns;		      /* end of the first access that came after */
	guint64 same_time, perhaps_same_time; /* calls that began before the other one had ended */
	/* private: of the last access */
	guint64 last_access;
	guint last_same;
};

struct iot_file_use;

struct iot_file_use *iot_file_use_new(const struct iot_timeline *tl);
/** iot_file_use_free - accepts NULL */
void iot_file_use_free(struct iot_file_use *use);
/** iot_file_use_budget - the limits of segments, which tests make smaller */
struct iot_range_budget *iot_file_use_budget(struct iot_file_use *use);
/** iot_file_use_add - a completed span of a type with @access */
void iot_file_use_add(struct iot_file_use *use, const struct iot_access *access,
		      const struct iot_item *item);
/** iot_file_use_lose - events were lost: any access may be missing */
void iot_file_use_lose(struct iot_file_use *use);
/** iot_file_use_classify - after the last span: constellations, needs, and the metrics that need
 * all users */
void iot_file_use_classify(struct iot_file_use *use);

/** iot_file_use_files - by number; of struct iot_file */
const GArray *iot_file_use_files(const struct iot_file_use *use);
/** iot_file_use_dependencies - of struct iot_file_dependency, in the order of their first access */
const GPtrArray *iot_file_use_dependencies(const struct iot_file_use *use);
/** iot_file_use_thread - by number, from 1 */
const struct iot_file_thread *iot_file_use_thread(const struct iot_file_use *use, guint number);
/** iot_file_use_run - the metrics of all files together; after classify */
const guint64 *iot_file_use_run(const struct iot_file_use *use);
/** iot_file_use_notes - say below @table what was left out */
void iot_file_use_notes(const struct iot_file_use *use, struct iot_result_table *table);

/** iot_constellation_name - "several write" */
const char *iot_constellation_name(enum iot_constellation constellation);
/** iot_file_need_name - "free until the close" */
const char *iot_file_need_name(enum iot_file_need need);

/** iot_file_tables_publish - the tables files and file_overlaps */
void iot_file_tables_publish(const struct iot_timeline *tl, const struct iot_file_use *use,
			     struct iot_results *results);
/** iot_file_advice_publish - the table advice */
void iot_file_advice_publish(const struct iot_timeline *tl, const struct iot_file_use *use,
			     struct iot_results *results);

#endif
