/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/point.h"
#include "model/bind.h"
#include "model/row.h"
#include "model/scope.h"
#include "model/section-table.h"
#include "model/setter.h"
#include "model/thread-follow.h"
#include "model/tracked.h"
#include "model/values.h"

void iot_point_free(gpointer data)
{
	struct iot_point *point = data;

	if (!point)
		return;
	iot_template_free(point->value);
	iot_expr_free(point->when);
	iot_expr_free(point->failed);
	iot_setter_clear(&point->set);
	g_free(point);
}

static struct iot_point *compile(const struct iot_builder *b, const struct iot_object_kind *of,
				 struct iot_scope_events *scope)
{
	const struct iot_setting *points = iot_section_require(b->section, "points", b->error);
	const struct iot_setting *value =
		points ? iot_section_require(b->section, "value", b->error) : NULL;
	struct iot_values *values = value ? iot_bind_values(b, points, "points") : NULL;
	struct iot_point *point;

	if (!values || !iot_bind_own_rows(b, points, values->on))
		return NULL;
	if (of && of->on != values->on) {
		iot_setting_error(points, 0, b->error,
				  "these points are drawn on %s, but [object %s] is on %s",
				  values->on->section->name, of->name, of->on->section->name);
		return NULL;
	}
	point = g_new0(struct iot_point, 1);
	point->values = values;
	point->value = iot_template_compile(value, b->model->names, FALSE, scope, b->error);
	if (point->value && iot_bind_optional_expr(b, "when", scope, &point->when) &&
	    iot_bind_optional_expr(b, "failed", scope, &point->failed) &&
	    iot_bind_setter(b, values, scope, &point->set))
		return point;
	iot_point_free(point);
	return NULL;
}

static gboolean build_for_pair(const struct iot_builder *b, struct iot_pair *pair)
{
	struct iot_scope_events scope = iot_bind_pair_scope(b, pair, FALSE);
	struct iot_point *point = compile(b, pair->of, &scope);

	if (!point)
		return FALSE;
	g_ptr_array_add(pair->points, point);
	scope.required = TRUE;
	if (!pair->of)
		point->path = iot_bind_row_path(b, point->values->on, &scope);
	return pair->of || point->path;
}

/* "call = NAME ..." */
static gboolean build_for_calls(const struct iot_builder *b, const struct iot_setting *call)
{
	g_auto(GStrv) pairs = g_strsplit_set(call->value, " \t", -1);

	for (guint i = 0; pairs[i]; i++) {
		struct iot_pair *pair;

		if (!*pairs[i])
			continue;
		pair = iot_bind_pair(b, call, pairs[i]);
		if (!pair || !build_for_pair(b, pair))
			return FALSE;
	}
	return TRUE;
}

static gboolean build_for_event(const struct iot_builder *b, const struct iot_setting *name)
{
	struct iot_schema_event *event = iot_bind_event(b->model, name->value);
	struct iot_event_role *first = iot_bind_role(b->model, event), *of = NULL;
	struct iot_scope_events scope =
		iot_bind_scope(b, (struct iot_in_scope){ .self = event, .optional = TRUE });
	struct iot_point *point;

	for (struct iot_event_role *role = first; role; role = role->next) {
		if (!role->of || role->event != event)
			continue;
		if (of && of->of != role->of)
			return iot_setting_error(
				name, 0, b->error,
				"%s is an event of [object %s] and of [object %s]; "
				"give it a [role] for each",
				event->name, of->of->name, role->of->name);
		of = of ? of : role;
	}
	point = compile(b, of ? of->of : NULL, &scope);
	if (!point)
		return FALSE;
	point->event = event;
	g_ptr_array_add(of ? of->points : first->loose_points, point);
	scope.required = TRUE;
	if (!of)
		point->path = iot_bind_row_path(b, point->values->on, &scope);
	return of || point->path;
}

static gboolean build_point(const struct iot_builder *b)
{
	const struct iot_setting *call = iot_section_get(b->section, "call");
	const struct iot_setting *event = iot_section_get(b->section, "event");

	if (call && event)
		return iot_section_error(b->section, b->error,
					 "either \"call\" or \"event\", not both");
	if (call)
		return build_for_calls(b, call);
	event = iot_section_require(b->section, "event", b->error);
	return event && build_for_event(b, event);
}

void iot_point_draw(struct iot_model *model, const struct iot_point *point,
		    const struct iot_eval *eval, const struct iot_point_at *at)
{
	/* before the selection, so that the numbers of categories do not depend on it */
	iot_cat_id cat =
		iot_values_cat(model, point->values, iot_template_eval(point->value, eval));
	struct iot_item item;

	if (iot_row_at(model->tl, at->row)->silent ||
	    (point->when && !iot_expr_eval(point->when, eval)))
		return;
	iot_item_start(model, &item, point->values);
	item.cat = cat;
	item.row = at->row;
	item.lane = at->lane;
	item.t0 = at->t;
	item.flags = at->flags;
	item.call = at->call;
	if (point->failed && iot_expr_eval(point->failed, eval))
		item.flags |= IOT_FAILED;
	iot_setter_apply(&point->set.all, eval, &item);
	iot_emit_point(model->emit, &item);
}

static const char *const keys[] = { "call", "event",  "points", "value",
				    "when", "failed", "set *",	NULL };
const struct iot_section_kind iot_section_kind_point = { "point", keys, build_point, NULL };
