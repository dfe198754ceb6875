/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/thread-follow.h"
#include "model/bind.h"
#include "model/machine.h"
#include "model/model.h"
#include "model/object.h"
#include "model/row.h"
#include "model/scope.h"
#include "timeline/thread-rows.h"

gboolean iot_bind_own_rows(const struct iot_builder *b, const struct iot_setting *setting,
			   const struct iot_row_type *on)
{
	if (!on->may_follow)
		return TRUE;
	return iot_setting_error(setting, 0, b->error,
				 "rows of [container %s] may be below another model's; only a "
				 "[machine] can be drawn there",
				 on->section->name);
}

/* ---- the model that follows */

static void move_objects(struct iot_model *model, guint32 input, gint64 pid, guint64 ts)
{
	for (guint i = 0; i < model->kinds->len; i++) {
		struct iot_object_kind *kind = model->kinds->pdata[i];
		struct iot_step step = { .kind = kind, .input = input, .key = { (guint64)pid } };

		if (!kind->on->follows)
			continue;
		iot_step_hash(&step);
		iot_step_find(&step);
		if (step.object)
			iot_machine_move(step.object, ts);
	}
}

static void on_thread(gpointer data, guint32 machine, gint64 pid, guint64 ts)
{
	struct iot_model *model = data;

	for (guint32 input = 0; input < model->n_inputs; input++)
		if (model->inputs[input].machine == machine)
			move_objects(model, input, pid, ts);
}

gboolean iot_model_follows(const struct iot_model *model)
{
	for (guint i = 0; i < model->row_types->len; i++)
		if (((struct iot_row_type *)model->row_types->pdata[i])->follows)
			return TRUE;
	return FALSE;
}

gboolean iot_model_finds_threads(const struct iot_model *model)
{
	for (guint i = 0; i < model->row_types->len; i++)
		if (((struct iot_row_type *)model->row_types->pdata[i])->as_thread)
			return TRUE;
	return iot_model_follows(model);
}

void iot_threads_start(struct iot_model *model)
{
	if (iot_model_follows(model))
		iot_thread_rows_follow(model->tl->threads, on_thread, model);
}

/* ---- the model that draws threads */

static gboolean is_below(const struct iot_row_type *on, const struct iot_row_type *level)
{
	while (on && on != level)
		on = on->parent;
	return on != NULL;
}

/* Whether something of the event is drawn on a row of @level, or below. */
static gboolean draws_on(const struct iot_event_role *first, const struct iot_row_type *level)
{
	for (guint i = 0; i < first->loose_points->len; i++)
		if (is_below(((struct iot_point *)first->loose_points->pdata[i])->values->on,
			     level))
			return TRUE;
	for (const struct iot_event_role *role = first; role; role = role->next) {
		if (role->of && is_below(role->of->on, level))
			return TRUE;
		for (guint i = 0;
		     role->part == IOT_PART_START && !role->of && i < role->pair->states->len; i++)
			if (is_below(((struct iot_state *)role->pair->states->pdata[i])->values->on,
				     level))
				return TRUE;
	}
	return FALSE;
}

gboolean iot_model_note_threads(struct iot_model *model, GError **error)
{
	struct iot_row_type *level = NULL;

	for (guint i = 0; i < model->row_types->len && !level; i++) {
		struct iot_row_type *type = model->row_types->pdata[i];

		if (type->is_thread && type->type == iot_thread_rows_type(model->tl->threads))
			level = type;
	}
	for (guint i = 0; level && i < model->roles->len; i++) {
		struct iot_event_role *first = model->roles->pdata[i];
		const struct iot_builder b = { model, level->section, error };
		struct iot_scope_events scope;

		if (!first || !draws_on(first, level))
			continue;
		scope = iot_bind_scope(
			&b, (struct iot_in_scope){ .self = first->event, .optional = TRUE });
		first->thread_path = iot_bind_row_path(&b, level, &scope);
		if (!first->thread_path)
			return FALSE;
	}
	return TRUE;
}

/* An event without one of the fields does not name its thread's row. */
void iot_threads_note(struct iot_model *model, const struct iot_event_role *first,
		      const struct iot_rec *rec)
{
	struct iot_row_path *path = first->thread_path;
	struct iot_eval eval;

	for (guint i = 0; i < path->operands.n; i++)
		if (rec->event->slot_type[path->operands.at[i].slot] == IOT_SLOT_ABSENT)
			return;
	iot_eval_init(model, &eval, rec->event->input, rec, NULL, NULL);
	iot_thread_rows_note(model->tl->threads, eval.machine, iot_expr_eval(path->pid, &eval),
			     iot_row_path_find(model, path, &eval), rec->ts);
}
