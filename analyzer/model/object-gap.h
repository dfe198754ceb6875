/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Objects when events are missing, and at the end of the recording. */
#ifndef IOT_MODEL_OBJECT_GAP_H
#define IOT_MODEL_OBJECT_GAP_H

#include "model/tracked.h"

/** iot_kind_gap - events of @input are missing from @ts on (@begin), or up to @ts */
void iot_kind_gap(struct iot_object_kind *kind, guint input, guint64 ts, gboolean begin);
/** iot_kind_finish - close all objects at @ts; @at_end: the recording ends there, so open objects
 * and calls are counted */
void iot_kind_finish(struct iot_object_kind *kind, guint64 ts, gboolean at_end);

#endif
