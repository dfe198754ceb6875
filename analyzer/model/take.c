/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/take.h"
#include "model/hook-run.h"
#include "model/link.h"
#include "model/object-events.h"
#include "model/point.h"
#include "model/row.h"
#include "model/scope.h"
#include "model/standalone-call.h"
#include "model/thread-follow.h"
#include "model/ties.h"

/* Points of events that belong to no object. */
static G_GNUC_NO_INLINE void draw_loose_points(struct iot_model *model,
					       const struct iot_event_role *role,
					       const struct iot_rec *rec)
{
	struct iot_point_at at = { .t = rec->ts };
	struct iot_eval eval;

	iot_eval_init(model, &eval, rec->event->input, rec, NULL, NULL);
	for (guint i = 0; i < role->loose_points->len; i++) {
		const struct iot_point *point = role->loose_points->pdata[i];

		if (point->when && !iot_expr_eval(point->when, &eval))
			continue;
		at.row = iot_row_path_find(model, point->path, &eval);
		iot_lanes_mark_used(model->lanes, at.row, rec->ts);
		iot_point_draw(model, point, &eval, &at);
	}
}

static G_GNUC_NO_INLINE void run_hooks(struct iot_model *model, const GPtrArray *hooks,
				       const struct iot_rec *rec)
{
	struct iot_eval eval;

	iot_eval_init(model, &eval, rec->event->input, rec, NULL, NULL);
	iot_hooks_run(model, hooks, &eval, rec->ts);
}

/* Not inlined, so that the usual event needs few registers. */
static G_GNUC_NO_INLINE gboolean applies(struct iot_model *model, const struct iot_event_role *role,
					 const struct iot_rec *rec)
{
	struct iot_eval eval;

	iot_eval_init(model, &eval, rec->event->input, rec, NULL, NULL);
	return iot_expr_eval(role->when, &eval) != 0;
}

static inline void join(struct iot_model *model, struct iot_event_role *role,
			const struct iot_rec *rec)
{
	if (role->of)
		iot_object_event(model, role, rec);
	else if (role->pair && (G_LIKELY(!role->when) || applies(model, role, rec)))
		iot_standalone_calls_event(model, role, rec);
}

static inline void begin(struct iot_model *model, const struct iot_event_role *first,
			 const struct iot_rec *rec)
{
	if (G_UNLIKELY(first->hooks.changes))
		run_hooks(model, first->hooks.changes, rec);
	if (G_UNLIKELY(first->hooks.drops))
		run_hooks(model, first->hooks.drops, rec);
	if (G_UNLIKELY(first->thread_path))
		iot_threads_note(model, first, rec);
	if (first->loose_points->len)
		draw_loose_points(model, first, rec);
}

void iot_model_join(struct iot_model *model, struct iot_event_role *role, const struct iot_rec *rec)
{
	iot_emit_run(model->emit, rec->run);
	join(model, role, rec);
}

/* If one role has to wait for other events of the instant, so have the roles after it. */
static G_GNUC_NO_INLINE void join_all(struct iot_model *model, const struct iot_event_role *first,
				      const struct iot_rec *rec)
{
	const GPtrArray *roles = first->in_order;

	for (guint i = 0; i < roles->len; i++) {
		if (G_UNLIKELY(iot_ties_find(model->ties, rec->run)))
			iot_ties_hold_role(model->ties, roles->pdata[i], rec);
		else
			join(model, roles->pdata[i], rec);
	}
}

/* Apply @role, or all roles (NULL). */
static inline void take(struct iot_model *model, struct iot_event_role *first,
			struct iot_event_role *role, const struct iot_rec *rec)
{
	struct iot_link_spot spot = { 0 };

	iot_emit_run(model->emit, rec->run);
	begin(model, first, rec);
	/* an object exists before its last event, or after its first one */
	if (first->links)
		spot = iot_links_spot(model, first, rec);
	if (role)
		join(model, role, rec);
	else
		join_all(model, first, rec);
	if (first->links)
		iot_links_event(model, first, rec, spot);
	if (G_UNLIKELY(first->hooks.pops))
		run_hooks(model, first->hooks.pops, rec);
}

void iot_model_take(struct iot_model *model, struct iot_event_role *first,
		    const struct iot_rec *rec)
{
	if (G_UNLIKELY(first->in_order))
		take(model, first, NULL, rec);
	else
		take(model, first, first, rec);
}

void iot_model_take_role(struct iot_model *model, struct iot_event_role *role,
			 const struct iot_rec *rec)
{
	take(model, model->roles->pdata[role->event->index], role, rec);
}
