/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The user's statements about the clock of a recording: --sync and --shift (docs/CLOCKS.md). */
#ifndef IOT_INPUT_CLOCK_CHANGE_H
#define IOT_INPUT_CLOCK_CHANGE_H

#include "input/clock.h"

/* Two clocks read at one instant. */
struct iot_clock_pair {
	guint64 reference_ns, machine_ns;
	guint64 error_ns; /* greatest distance of the two readings; 0: not known */
};

struct iot_clock_change {
	/* of struct iot_clock_pair, both clocks ascending; empty: the file's own correction stays
	 */
	GArray *pairs;
	gboolean is_reference; /* the clock of this recording is the one that the pairs refer to */
	gint64 shift_ns;       /* added to every time, after the correction */
	/* Of a clock that was recovered from messages (clock-recover.h): the bound, of struct
	 * iot_clock_knot, at times before the shift. NULL: no bound, but for the reference. */
	GArray *knots;
	/* of struct iot_rank_clock: the clocks of the ranks of its program, for a recording without
	 * a date; NULL: they are not known */
	GArray *ranks;
	/* how the correction was found, of static storage; NULL: "file", if there is one */
	const char *method;
};

/* The correction of the file is taken away, and nothing stands for it. */
#define IOT_CLOCK_CHANGE_NONE	  "none"
#define IOT_CLOCK_CHANGE_PROTOCOL "protocol"
/* By the clocks that another recording of the machine has. */
#define IOT_CLOCK_CHANGE_MARKS "marks"

void iot_clock_change_clear(struct iot_clock_change *change);
/** iot_clock_change_copy - @to must be empty; pairs and knots are shared */
void iot_clock_change_copy(struct iot_clock_change *to, const struct iot_clock_change *from);
/** iot_clock_change_is_none - nothing is stated; @change may be NULL */
gboolean iot_clock_change_is_none(const struct iot_clock_change *change);
/**
 * iot_clock_change_apply - replace the samples of @clock by the pairs, with lines between them that
 * are extended at both ends, and add the shift
 *
 * Source: Maillet and Tron, t_ref = r0 + (t - l0) * (rn - r0) / (ln - l0).
 */
void iot_clock_change_apply(const struct iot_clock_change *change, struct iot_clock *clock);

#endif
