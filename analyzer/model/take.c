/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/take.h"
#include "model/hook-run.h"
#include "model/object-events.h"
#include "model/point.h"
#include "model/row.h"
#include "model/scope.h"
#include "model/standalone-call.h"

/* Points of events that belong to no object. */
static void draw_loose_points(struct iot_model *model, const struct iot_event_role *role,
			      const struct iot_rec *rec)
{
	struct iot_point_at at = { .t = rec->ts };
	struct iot_eval eval;

	iot_eval_init(model, &eval, rec->event->input, rec, NULL, NULL);
	for (guint i = 0; i < role->points->len; i++) {
		const struct iot_point *point = role->points->pdata[i];

		if (point->when && !iot_expr_eval(point->when, &eval))
			continue;
		at.row = iot_row_path_find(model, point->path, &eval);
		iot_lanes_mark_used(model->lanes, at.row, rec->ts);
		iot_point_draw(model, point, &eval, &at);
	}
}

static void run_hooks(struct iot_model *model, const struct iot_event_role *role,
		      const struct iot_rec *rec)
{
	struct iot_eval eval;

	iot_eval_init(model, &eval, rec->event->input, rec, NULL, NULL);
	if (role->hooks.changes)
		iot_hooks_run(model, role->hooks.changes, &eval, rec->ts);
	if (role->hooks.drops)
		iot_hooks_run(model, role->hooks.drops, &eval, rec->ts);
}

void iot_model_join(struct iot_model *model, struct iot_event_role *role, const struct iot_rec *rec)
{
	if (role->of)
		iot_object_event(model, role, rec);
	else if (role->pair)
		iot_standalone_calls_event(model, role, rec);
}

void iot_model_take(struct iot_model *model, struct iot_event_role *role, const struct iot_rec *rec)
{
	if (G_UNLIKELY(role->hooks.changes || role->hooks.drops))
		run_hooks(model, role, rec);
	if (role->points->len && !role->of)
		draw_loose_points(model, role, rec);
	iot_model_join(model, role, rec);
}
