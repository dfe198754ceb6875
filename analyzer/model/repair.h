/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * [repair]: fields that some kernels write wrongly, and in a way that the event itself shows. They
 * are repaired before anything else sees the event, so that no rule has to know about it.
 */
#ifndef IOT_MODEL_REPAIR_H
#define IOT_MODEL_REPAIR_H

#include "model/model-local.h"

/** iot_repair - the record with its fields repaired, valid until the next call; or @rec itself if
 * they are right; @role has repairs */
const struct iot_rec *iot_repair(struct iot_model *model, const struct iot_event_role *role,
				 const struct iot_rec *rec);
/**
 * iot_without_thread - a record that was made in an interrupt, without its process id; valid until
 * the next call of this or iot_repair
 */
const struct iot_rec *iot_without_thread(struct iot_model *model, const struct iot_rec *rec);

#endif
