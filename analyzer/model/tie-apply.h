/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events that ties.h holds are applied when others of their instant explain them. */
#ifndef IOT_MODEL_TIE_APPLY_H
#define IOT_MODEL_TIE_APPLY_H

#include "model/ties.h"
#include "model/save-record.h"

/** iot_ties_event - the next record, while events are held; TRUE if it has been dealt with */
gboolean iot_ties_event(struct iot_model *model, struct iot_event_role *role,
			const struct iot_rec *rec);
/** iot_ties_settle - the instant is over: apply all held events */
void iot_ties_settle(struct iot_model *model);
/** iot_ties_save - append the held events to the saved state */
void iot_ties_save(struct iot_saver *s);
/** iot_ties_load - hold the events of a saved state; FALSE if it is damaged */
gboolean iot_ties_load(struct iot_loader *l);

#endif
