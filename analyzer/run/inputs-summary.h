/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inputs as the report shows them, and whether they belong together: clocks, trace sessions,
 * copies of one recording, times. Pipeline thread only, after iot_inputs_describe.
 */
#ifndef IOT_RUN_INPUTS_SUMMARY_H
#define IOT_RUN_INPUTS_SUMMARY_H

#include "run/look/clocks.h"
#include "run/look/guest-entries.h"
#include "sinks/sink.h"

/** iot_inputs_summarise - fill summary->inputs, valid as long as @tl, and what --names says, and
 * add the counters of all inputs to its diag; after the last event. @entries: or NULL */
void iot_inputs_summarise(const struct iot_options *options, const struct iot_inputs *inputs,
			  const struct iot_guest_entries *entries, const struct iot_timeline *tl,
			  struct iot_summary *summary);
/** iot_inputs_summary_free - free summary->inputs and summary->names_unused */
void iot_inputs_summary_free(struct iot_summary *summary);

#endif
