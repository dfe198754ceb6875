/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who touched which bytes of one file last: disjoint segments in the order of their positions. Each
 * has its last writer, and the last two different readers since. An access reports what it depends
 * on, piece by piece, and becomes the last one. Accesses come in the order of their ends.
 *
 * The last writer of a byte is enough to know whether a write happened at the same time as any
 * other: it has the latest end. Two readers are enough to know whether anybody else has read.
 *
 * Memory is bounded. If a file has too many segments, neighbours with the same writer and readers
 * are joined: then it may be open whether two accesses happened at the same time. If that is not
 * enough, the segments that were touched longest ago are evicted: then dependencies may be missing,
 * and none is invented. Both are counted. One thread at a time.
 */
#ifndef IOT_ANALYSIS_FILE_RANGES_H
#define IOT_ANALYSIS_FILE_RANGES_H

#include <glib.h>

/* Segments of a file, and of all files. */
enum { IOT_FILE_SEGMENTS = 4096, IOT_ALL_SEGMENTS = 1 << 18 };

/* Shared by all files. */
struct iot_range_budget {
	guint max_of_file, max_of_all;
	guint n;		     /* segments of all files */
	guint64 n_joined, n_evicted; /* segments */
};

struct iot_file_ranges {
	GArray *segments; /* NULL: none */
	gboolean joined, evicted;
};

struct iot_range_access {
	guint64 from, to; /* bytes, @to excluded; from < to */
	guint32 who;	  /* not 0 */
	gboolean is_write;
	guint64 end_ns;
};

enum iot_range_kind {
	IOT_RANGE_WRITE_WRITE, /* it overwrites what was written */
	IOT_RANGE_WRITE_READ,  /* it reads what was written */
	IOT_RANGE_READ_WRITE,  /* it overwrites what was read since it was written */
	IOT_RANGE_READ_READ,   /* it reads what was read since it was written */
	IOT_RANGE_KINDS
};

/* A piece of an access, and the access before it, by anybody; READ_WRITE: by somebody else. */
struct iot_range_piece {
	enum iot_range_kind kind;
	guint32 who; /* of the access before */
	guint64 from, to;
	/* when the access before ended; of joined segments the first and the last one */
	guint64 first_end, last_end;
};

typedef void (*iot_range_func)(gpointer data, const struct iot_range_piece *piece);

/** iot_range_budget_init - the default limits */
void iot_range_budget_init(struct iot_range_budget *budget);
/** iot_file_ranges_access - report to @func what the access depends on, and remember it */
void iot_file_ranges_access(struct iot_file_ranges *ranges, struct iot_range_budget *budget,
			    const struct iot_range_access *access, iot_range_func func,
			    gpointer data);
/** iot_file_ranges_cut - the file has @length bytes now: forget those after them */
void iot_file_ranges_cut(struct iot_file_ranges *ranges, struct iot_range_budget *budget,
			 guint64 length);
/** iot_file_ranges_clear - free the segments */
void iot_file_ranges_clear(struct iot_file_ranges *ranges, struct iot_range_budget *budget);

#endif
