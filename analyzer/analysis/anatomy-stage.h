/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The waits that the stage "anatomy" has cut into parts, for one other stage. */
#ifndef IOT_ANALYSIS_ANATOMY_STAGE_H
#define IOT_ANALYSIS_ANATOMY_STAGE_H

#include "analysis/anatomy.h"
#include "analysis/stage.h"

/** iot_anatomy_listen - @func gets the waits; @stage is of iot_stage_anatomy; before the first item
 */
void iot_anatomy_listen(struct iot_stage *stage, iot_anatomy_func func, gpointer user_data);

/** iot_anatomy_of - the anatomy of the stage @stage, which is of iot_stage_anatomy */
const struct iot_anatomy *iot_anatomy_of(struct iot_stage *stage);

#endif
