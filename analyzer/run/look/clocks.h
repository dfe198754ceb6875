/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The clocks of the inputs: facts of each, and the certainty of the order of two nodes' instants
 * that follows. Pipeline thread only.
 */
#ifndef IOT_RUN_LOOK_CLOCKS_H
#define IOT_RUN_LOOK_CLOCKS_H

#include "run/inputs.h"
#include "timeline/certainty.h"

/**
 * iot_inputs_clocks - judge the clock of every input, after iot_inputs_open
 *
 * With several inputs those outside of the largest group that was synchronised together have no
 * bound. The caller frees.
 */
struct iot_clocks *iot_inputs_clocks(const struct iot_inputs *inputs,
				     const struct iot_clock_assumed *assumed);
/** iot_inputs_rank_clocks - nodes on which ranks of a recording of MPI ran (--names) have times of
 * its clock, too, with its error */
void iot_inputs_rank_clocks(const struct iot_inputs *inputs, const struct iot_timeline *tl,
			    struct iot_clocks *clocks);
/** iot_inputs_clock_error - the greatest difference of the clocks of two inputs that are used, in
 * ns: as the options state, else from the bounds; after iot_inputs_bind */
guint64 iot_inputs_clock_error(const struct iot_inputs *inputs, const struct iot_clocks *clocks,
			       const struct iot_options *options);
/** iot_inputs_session - the trace id of the recording with which @info was synchronised, its own
 * if it is the host's; 0: not recorded */
guint64 iot_inputs_session(const struct iot_input_info *info);
/** iot_inputs_clock_stated - the user has stated the times of the input, or its messages have, or
 * marks in another recording of its machine */
gboolean iot_inputs_clock_stated(const struct iot_input_info *info);
/* Recordings whose times can be compared, as they were recorded. */
struct iot_clock_group {
	guint64 session; /* 0: none is named */
	const char *clock;
	guint n;
};

/** iot_inputs_clock_group - the largest group of inputs that were synchronised with one session and
 * have one trace clock; without synchronised inputs those with the most frequent clock. The order of
 * the inputs does not matter. */
struct iot_clock_group iot_inputs_clock_group(const struct iot_inputs *inputs);

#endif
