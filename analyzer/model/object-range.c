/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/object-range.h"
#include "model/machine.h"
#include "model/point.h"
#include "model/row.h"

/* first and last unit, after the key */
static guint64 *range_of(const struct iot_object_kind *kind, guint64 *key)
{
	return key + kind->n_keys;
}

static gboolean is_in(const struct iot_step *step, const struct iot_object *piece)
{
	const guint64 *at = step->key + step->kind->n_keys;
	const guint64 *range = piece->key + step->kind->n_keys;

	if (piece->input != step->input || range[0] > at[1] || range[1] < at[0])
		return FALSE;
	for (guint i = 0; i < step->kind->n_keys; i++)
		if (piece->key[i] != step->key[i])
			return FALSE;
	return TRUE;
}

/* A piece of the owner in the range of the event; NULL: there is none. */
static struct iot_object *find_piece(const struct iot_step *step)
{
	guint at = iot_hashset_first(&step->kind->objects, step->hash);
	struct iot_object *piece;

	while ((piece = iot_hashset_next(&step->kind->objects, step->hash, &at)) &&
	       !is_in(step, piece))
		;
	return piece;
}

/* @piece goes on with the units from @first to @last. */
static void shrink(struct iot_object *piece, const struct iot_object *was, guint64 first,
		   guint64 last, guint64 ts)
{
	guint64 *range = range_of(piece->kind, piece->key);

	range[0] = first;
	range[1] = last;
	iot_machine_go_on(piece, was, ts);
}

/* Take the range of the event out of the piece. */
static void cut(struct iot_step *step, struct iot_object *piece)
{
	const guint64 *at = range_of(step->kind, step->key), ts = step->rec->ts;
	struct iot_object was = *piece;
	const guint64 *range = range_of(step->kind, was.key);
	gboolean before = range[0]<at[0], after = range[1]> at[1];
	struct iot_step rest = *step;

	piece->last_ns = MAX(piece->last_ns, ts);
	iot_machine_end(piece, ts, 0);
	if (before)
		shrink(piece, &was, range[0], at[0] - 1, ts);
	else if (after)
		shrink(piece, &was, at[1] + 1, range[1], ts);
	else
		iot_object_release(piece);
	if (!before || !after)
		return;
	range_of(rest.kind, rest.key)[0] = at[1] + 1;
	range_of(rest.kind, rest.key)[1] = range[1];
	iot_object_new(&rest, FALSE);
	rest.object->in_sight = was.in_sight;
	shrink(rest.object, &was, at[1] + 1, range[1], ts);
}

static void draw_points(const struct iot_step *step, const struct iot_object *piece)
{
	struct iot_model *model = step->kind->model;
	struct iot_point_at at = { .t = step->rec->ts };

	if (!step->role->points->len)
		return;
	at.row = iot_row_path_find(model, step->role->path, &step->eval);
	if (piece)
		at.lane = piece->lane;
	else
		iot_lanes_mark_used(model->lanes, at.row, at.t);
	for (guint i = 0; i < step->role->points->len; i++)
		iot_point_draw(model, step->role->points->pdata[i], &step->eval, &at);
}

void iot_range_event(struct iot_step *step)
{
	const struct iot_rule *rule = iot_machine_rule(step->role, &step->eval, NULL);
	struct iot_object *piece;

	if (rule && rule->go != GO_SAME &&
	    range_of(step->kind, step->key)[0] > range_of(step->kind, step->key)[1]) {
		iot_kind_count(step->kind, IOT_DIAG_range_inverted);
		rule = NULL;
	}
	step->object = NULL;
	step->apart = 0;
	step->of_former = FALSE;
	while (rule && rule->go != GO_SAME && (piece = find_piece(step)))
		cut(step, piece);
	if (rule && (rule->go == GO_VALUE || rule->go == GO_UNKNOWN)) {
		iot_object_begin(step, TRUE);
		iot_machine_notice(step->object, rule, &step->eval);
	}
	draw_points(step, step->object);
}
