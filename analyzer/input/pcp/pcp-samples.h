/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records of a PCP archive as events (docs/formats/pcp.md). A rate is an event at the begin of the
 * time that it is true of, so it waits for the next value of its counter, and later events
 * wait for it. One thread.
 */
#ifndef IOT_INPUT_PCP_SAMPLES_H
#define IOT_INPUT_PCP_SAMPLES_H

#include "base/diag.h"
#include "input/clock.h"
#include "input/pcp/pcp-metrics.h"
#include "input/made-events.h"

struct iot_pcp_samples;

/** iot_pcp_samples_new - @archive, @made, @strings, @clock and @diag outlive it
 * @most: events that can wait; then the oldest rate is given up (rates_given_up) */
struct iot_pcp_samples *iot_pcp_samples_new(const struct iot_pcp_archive *archive,
					    struct iot_made *made, struct iot_intern *strings,
					    const struct iot_clock *clock, struct iot_diag *diag,
					    guint most);
/** iot_pcp_samples_free - accepts NULL */
void iot_pcp_samples_free(struct iot_pcp_samples *samples);
/** iot_pcp_samples_take - the next record of the archive; puts the events that wait for nothing */
void iot_pcp_samples_take(struct iot_pcp_samples *samples, const pmHighResResult *record);
/** iot_pcp_samples_end - there are no more records; puts all events. @damaged: some are missing */
void iot_pcp_samples_end(struct iot_pcp_samples *samples, gboolean damaged);

#endif
