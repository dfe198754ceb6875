/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the conversion share: otf2-convert.c, otf2-files.c. */
#ifndef IOT_INPUT_OTF2_CONVERT_LOCAL_H
#define IOT_INPUT_OTF2_CONVERT_LOCAL_H

#include "input/clock.h"
#include "input/made-ids.h"
#include "input/otf2/otf2-convert.h"
#include "input/otf2/otf2-kinds.h"

/* A region that a place is in. */
struct iot_otf2_level {
	OTF2_RegionRef region;
	gint64 id;
	guint32 values; /* number of a text that its end will have */
	/* calls on files that begin or end with the region; 0: none */
	gint64 opens, closes, removes;
	gboolean opened; /* the open that began with it has its handle */
	gint64 pos;	 /* of the last seek within it; -1: none */
};

/* An operation on a file, at a place. */
struct iot_otf2_operation {
	guint64 id; /* of the archive */
	guint32 place, handle;
};

struct iot_otf2_running {
	gint64 id;
	guint event; /* that ends it */
};

/* What is going on at a place. */
struct iot_otf2_now {
	struct iot_otf2_level *level; /* the innermost last */
	guint n_levels, room;
	gboolean told;			     /* its name */
	struct iot_otf2_operation operation; /* one that has begun ... */
	struct iot_otf2_running running;     /* ... and its state; id 0: none */
};

/* What the last collective call told, and the number of its text; 0: none. */
struct iot_otf2_collective {
	guint32 root, comm;
	guint64 sent, received;
	guint32 text;
};

struct iot_otf2_convert {
	const struct iot_otf2_defs *defs;
	struct iot_made *made;
	struct iot_intern *strings;
	struct iot_clock_cursor clock;
	gboolean in_ns;
	struct iot_diag *diag;
	struct iot_otf2_now *now; /* by place */
	struct iot_made_ids *messages;
	GHashTable *operations; /* more of them: struct iot_otf2_operation -> iot_otf2_running */
	GHashTable *named;	/* machines and numbers of paths that models know of them */
	struct iot_otf2_collective collective;
	GString *text;
	gint64 n; /* states and calls */
};

/* An event of the archive, at its place. */
struct iot_otf2_at {
	struct iot_otf2_convert *own;
	const struct iot_otf2_place *place;
	struct iot_otf2_now *now;
	guint64 ns;
};

/** iot_otf2_innermost - the innermost region there; NULL: it is in none */
struct iot_otf2_level *iot_otf2_innermost(const struct iot_otf2_at *at);
/** iot_otf2_put - put an event; returns its fields, of which those of the place are filled */
gint64 *iot_otf2_put(const struct iot_otf2_at *at, enum iot_otf2_made event);

/** iot_otf2_begin_open - a call that may open a file begins with the region */
void iot_otf2_begin_open(const struct iot_otf2_at *at, struct iot_otf2_level *level);
/** iot_otf2_end_calls - calls on files that end with the region end */
void iot_otf2_end_calls(const struct iot_otf2_at *at, struct iot_otf2_level *level);
/** iot_otf2_operations_new - an empty table of operations */
GHashTable *iot_otf2_operations_new(void);
/** iot_otf2_take_file - the same as iot_otf2_convert_take, of events of files; others are ignored
 */
void iot_otf2_take_file(const struct iot_otf2_at *at, const struct iot_otf2_event *event);

#endif
