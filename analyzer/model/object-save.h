/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Saved state of objects. */
#ifndef IOT_MODEL_OBJECT_SAVE_H
#define IOT_MODEL_OBJECT_SAVE_H

#include "model/save-record.h"

/** iot_kind_save - append all objects of the kind with their calls and deferred events */
void iot_kind_save(struct iot_saver *s, const struct iot_object_kind *kind);
/** iot_kind_load - make the objects of a saved state; FALSE if it is damaged */
gboolean iot_kind_load(struct iot_loader *l, struct iot_object_kind *kind);

#endif
