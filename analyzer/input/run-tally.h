/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters of a run while it is read. A source may read further than the end of the window, to_ns,
 * and how far depends on the size of its batches; so the counters at to_ns are described.
 */
#ifndef IOT_INPUT_RUN_TALLY_H
#define IOT_INPUT_RUN_TALLY_H

#include "input/source.h"

struct iot_run_count {
	guint64 n_events; /* wanted or not */
	guint64 n_lost;	  /* as far as the number is known */
	struct iot_diag diag;
};

struct iot_run_tally {
	struct iot_run_count now;
	gboolean passed;	    /* an event after to_ns has come */
	guint64 passed_ns;	    /* its time */
	struct iot_run_count at_to; /* the counters before it */
	/* by event number: whether an event before to_ns has it (input/dat/dat-seen.h) */
	guint8 *seen;
};

/** iot_run_tally_pass - the first event after to_ns has come: keep the counters */
static inline void iot_run_tally_pass(struct iot_run_tally *tally, guint64 ts)
{
	tally->passed = TRUE;
	tally->passed_ns = ts;
	tally->at_to = tally->now;
}

/**
 * iot_run_tally_describe - add a run to the description of its input
 * @last_ns: time of the last event that was read
 * @total: gets the counters
 */
void iot_run_tally_describe(const struct iot_run_tally *tally, guint64 last_ns,
			    struct iot_input_info *info, struct iot_diag *total);

#endif
