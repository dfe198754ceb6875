/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One pass over all inputs: records are read, merged in order of time, and handed to the models,
 * which emit items. A run has one pass, and more before it with --top, --slower-than and --follow.
 * Pipeline thread only.
 *
 * Right edge of a window: the merge stops at the first record after the window at which no call
 * from the window is open, or when as much time as the window is long has passed. A call that
 * blocks longer is drawn as unfinished. Records after the window change nothing else: a span that
 * is cut on the right has neither the flags nor the late attributes of its end, no span begins in
 * the past because of a later event, and the report counts events up to the end of the window. A
 * run without wanted events does not stop the merge: a batch ends after 256 KiB of pages even if
 * it is empty, and states a time before which its run has no more records (end_ns).
 */
#ifndef IOT_RUN_PASS_H
#define IOT_RUN_PASS_H

#include "run/checkpoint.h"
#include "run/derivation.h"
#include "run/misfits.h"
#include "run/window.h"
#include "timeline/emit.h"

struct iot_clock_choice;
struct iot_pass;

/* Gets each record after it has been applied, with the time that was added to it. */
typedef void (*iot_pass_record_func)(gpointer data, const struct iot_pass *pass,
				     const struct iot_rec *rec, const struct iot_moved *moved);

enum iot_aim {
	IOT_AIM_CLOCKS, /* collect messages, for --sync */
	IOT_AIM_RANK,	/* sum up waits, for --top and --slower-than */
	IOT_AIM_FOLLOW, /* find linked items, for --follow */
	IOT_AIM_DRAW,	/* write the outputs */
	IOT_AIM_CUT,	/* collect the events of a finding, for --cut */
};

struct iot_pass {
	/* The plan, set by the caller. */
	const struct iot_options *options;
	struct iot_select *select;
	struct iot_follow *follow; /* NULL: --follow is not given */
	enum iot_aim aim;
	/* by input: corrections other than the recorded ones; NULL: none */
	const struct iot_clock_change *clocks;
	const struct iot_clock_choice *choice; /* how these were chosen; or NULL */
	struct iot_clock_look *look;	       /* IOT_AIM_CLOCKS: gets the ends of links; or NULL */
	iot_pass_record_func record;	       /* may be NULL */
	gpointer record_data;
	/* models that do not fit, found by the first pass; the caller frees. NULL: all fit */
	struct iot_misfits *misfits;
	iot_progress_func progress; /* may be NULL */
	gpointer user_data;
	guint number, n_passes;

	/* The state: set by prepare, changed by read. */
	iot_item_func func;
	enum iot_feed feed;
	struct iot_pass_state at;
	struct iot_derivation derivation;
	struct iot_window window;
	struct iot_reader *reader;
	struct iot_merge *merge;
	guint *skip; /* by run: records of the first batch to leave out; NULL: none */
	gint64 last_progress;
	struct iot_index *index; /* NULL: none is used or made */
	gboolean makes_index;
	/* sizes of the growing tables in the index at the last checkpoint */
	struct iot_timeline_size kept;

	/* The result, besides the items. */
	struct iot_usage usage;
};

/**
 * iot_pass_prepare - open inputs, models, stages, window and index
 * @func: gets the items of @feed, or more begins than that, if there are stages; its user_data is
 * set with iot_pass_connect() before reading
 */
gboolean iot_pass_prepare(struct iot_pass *pass, iot_item_func func, enum iot_feed feed,
			  GError **error);
/** iot_pass_connect - set the user_data of the function that gets the items */
void iot_pass_connect(struct iot_pass *pass, gpointer user_data);
/** iot_pass_feed - the feed that @func really gets */
enum iot_feed iot_pass_feed(const struct iot_pass *pass);
/** iot_pass_read - read all records of the window, and finish models and index */
gboolean iot_pass_read(struct iot_pass *pass, GError **error);
/** iot_pass_clear - free the state; the plan and the result stay */
void iot_pass_clear(struct iot_pass *pass);

/** iot_pass_threads - number of threads: --threads, or one for each processor */
guint iot_pass_threads(const struct iot_options *options);

#endif
