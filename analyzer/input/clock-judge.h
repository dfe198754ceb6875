/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts about the clock of a recording, from its samples (docs/CLOCKS.md). */
#ifndef IOT_INPUT_CLOCK_JUDGE_H
#define IOT_INPUT_CLOCK_JUDGE_H

#include "base/clock-facts.h"
#include "input/clock.h"

/**
 * iot_clock_judge - the facts, and the bound from @begin_ns to @end_ns (corrected times)
 * @name: of the trace clock: "local", "tsc2nsec", ...
 * @out: overwritten; the caller clears it. Without samples the bound is that of the resolution, as
 *       if the clock was the common one: the caller knows whether it is.
 */
void iot_clock_judge(const struct iot_clock *clock, const char *name,
		     const struct iot_clock_assumed *assumed, guint64 begin_ns, guint64 end_ns,
		     struct iot_clock_facts *out);
/**
 * iot_clock_judge_stated - the same of a recording that has no samples: nothing is known of its
 * clock but what the user states
 */
void iot_clock_judge_stated(const struct iot_clock *clock, const char *name,
			    const struct iot_clock_assumed *assumed, guint64 begin_ns,
			    guint64 end_ns, struct iot_clock_facts *out);

#endif
