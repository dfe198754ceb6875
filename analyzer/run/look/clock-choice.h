/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --sync protocol, auto and none: which corrections replace the recorded ones. Finding them may
 * need looks at the recordings before the first pass. Pipeline thread only.
 */
#ifndef IOT_RUN_LOOK_CLOCK_CHOICE_H
#define IOT_RUN_LOOK_CLOCK_CHOICE_H

#include "input/clock-recover.h"
#include "run/look/clock-look.h"
#include "run/pass.h"

struct iot_clock_choice {
	struct iot_clock_change *changes; /* by input; NULL: the recorded ones stay */
	guint n;
	struct iot_recovered *recovered; /* from messages; or NULL */
	guint64 n_left_out;		 /* ends of messages beyond the limit */
};

/** iot_clock_choice_passes - how many looks there may be */
guint iot_clock_choice_passes(const struct iot_options *options);
/**
 * iot_clock_choose - look at the recordings and set @pass->clocks; nothing without --sync
 * @out: must stay while @pass is in use; cleared by the caller, also after an error
 */
gboolean iot_clock_choose(struct iot_pass *pass, struct iot_clock_choice *out, GError **error);
/** iot_clock_choice_clear - a zeroed struct is allowed */
void iot_clock_choice_clear(struct iot_clock_choice *choice);

/** iot_clock_choice_state - add the grades of pairs to the clocks of the pass */
void iot_clock_choice_state(const struct iot_clock_choice *choice, const struct iot_pass *pass);
/** iot_clock_choice_count - add the counters */
void iot_clock_choice_count(const struct iot_clock_choice *choice, struct iot_diag *diag);

#endif
