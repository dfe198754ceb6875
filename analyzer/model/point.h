/* SPDX-License-Identifier: GPL-2.0-or-later */
/* [point]: an instant, drawn for an event, or at the start of a call once the call has returned. */
#ifndef IOT_MODEL_POINT_H
#define IOT_MODEL_POINT_H

#include "model/model-local.h"

/* Row, lane and time of a point, and the call that it is drawn for. */
struct iot_point_at {
	iot_row_id row;
	guint16 lane, flags;
	guint64 t;
	enum iot_call_kind call;
};

/** iot_point_draw - emit the point if its condition holds and the row is not hidden */
void iot_point_draw(struct iot_model *model, const struct iot_point *point,
		    const struct iot_eval *eval, const struct iot_point_at *at);
/** iot_point_free - GDestroyNotify of a struct iot_point */
void iot_point_free(gpointer point);

#endif
