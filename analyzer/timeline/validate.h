/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks the items of a feed against the contract of timeline.h, before they reach the sinks:
 * always with IOT_AUDIT (presets dev, tsan, coverage), else with --audit. A violation is a bug of
 * the program. It fails the run with IOT_ERROR_INTERNAL, and the message names the rule.
 *
 * Spans of one type on one lane of one row nest; this is checked, too.
 */
#ifndef IOT_TIMELINE_VALIDATE_H
#define IOT_TIMELINE_VALIDATE_H

#include "timeline/timeline.h"

struct iot_validate;

struct iot_validate *iot_validate_new(const struct iot_timeline *tl, enum iot_feed feed);
void iot_validate_free(struct iot_validate *validate);
/** iot_validate_item - check the next item of the feed */
gboolean iot_validate_item(struct iot_validate *validate, const struct iot_item *item,
			   GError **error);
/** iot_validate_finish - begins and ends must be balanced */
gboolean iot_validate_finish(struct iot_validate *validate, GError **error);

#endif
