/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the events of an OTF2 archive become: states, points, messages and values of system "mpi",
 * as CLOG2 files have them, and calls on files of system "iotrace" (events/iotrace.h). One thread.
 */
#ifndef IOT_INPUT_OTF2_CONVERT_H
#define IOT_INPUT_OTF2_CONVERT_H

#include "base/diag.h"
#include "input/made-events.h"
#include "input/otf2/otf2-ahead.h"

struct iot_otf2_convert;

/** iot_otf2_convert_new - @defs (finished), @made, @strings and @diag: outlive it; events are put
 * into @made, @clock corrects their times, which are ticks or, @in_ns, ns */
struct iot_otf2_convert *iot_otf2_convert_new(const struct iot_otf2_defs *defs,
					      struct iot_made *made, struct iot_intern *strings,
					      const struct iot_clock *clock, gboolean in_ns,
					      struct iot_diag *diag);
/** iot_otf2_convert_free - accepts NULL */
void iot_otf2_convert_free(struct iot_otf2_convert *convert);
/** iot_otf2_convert_take - put what the next event of the archive becomes */
void iot_otf2_convert_take(struct iot_otf2_convert *convert, const struct iot_otf2_event *event);

#endif
