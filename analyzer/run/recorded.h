/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What recordings really have. The formats in a file tell what it may have: often those of the events
 * that were asked for, but also those of all systems of the kernel. Pipeline thread only.
 */
#ifndef IOT_RUN_RECORDED_H
#define IOT_RUN_RECORDED_H

#include "run/inputs.h"

/** iot_recorded_may_have - whether the formats of a source have an event of @schema */
gboolean iot_recorded_may_have(const struct iot_source *source, const struct iot_schema *schema);
/**
 * iot_recorded_any - whether an input has an event of @schema that does not only add to others
 *
 * Reads to the first such event, but nothing if the formats answer.
 */
gboolean iot_recorded_any(const struct iot_inputs *inputs, const struct iot_schema *schema,
			  gboolean *out_any, GError **error);
/**
 * iot_recorded_systems - read the inputs to their end
 *
 * Returns "block, sched", the systems of their events, and "" if there is no event. The caller
 * frees.
 */
char *iot_recorded_systems(const struct iot_inputs *inputs, GError **error);

#endif
