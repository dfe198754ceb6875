/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/object-save.h"
#include "model/backing.h"
#include "model/deferral.h"
#include "model/ended.h"
#include "model/machine.h"
#include "model/object.h"
#include "model/object-call.h"
#include "model/row.h"
#include "model/values.h"

/* ---- calls and deferred events */

static void save_calls(struct iot_saver *s, const struct iot_object *object,
		       const struct iot_call *call)
{
	gboolean open = call == object->open;

	for (; call; call = call->next) {
		guint number = 0;

		while (object->kind->pairs->pdata[number] != call->pair)
			number++;
		iot_pack_uint(s->out, 1);
		iot_pack_uint(s->out, number);
		iot_save_key(s, call->key);
		iot_pack_uint(s->out, call->t0);
		iot_pack_uint(s->out, call->flags);
		iot_pack_uint(s->out, call->unseen_start);
		iot_save_rec(s, &call->start);
		if (open)
			g_hash_table_insert(s->calls, (gpointer)(gsize)call,
					    GUINT_TO_POINTER(g_hash_table_size(s->calls)));
	}
	iot_pack_uint(s->out, 0);
}

static gboolean load_call(struct iot_loader *l, struct iot_object *object, struct iot_call **tail)
{
	const GPtrArray *pairs = object->kind->pairs;
	const struct iot_event *event;
	struct iot_pair *pair;
	struct iot_call *call;

	if (!pairs->len)
		return iot_unpack_fail(l->in);
	pair = pairs->pdata[iot_unpack_uint(l->in, pairs->len - 1)];
	call = *tail = iot_call_new(object, pair);
	iot_load_key(l, call->key);
	call->t0 = iot_unpack_uint(l->in, G_MAXUINT64);
	call->flags = (guint16)iot_unpack_uint(l->in, G_MAXUINT16);
	call->unseen_start = (gboolean)iot_unpack_uint(l->in, 1);
	event = iot_load_event(l);
	if (event->index != pair->start->index)
		return iot_unpack_fail(l->in);
	iot_load_rec(l, event, &call->start);
	return !l->in->bad;
}

static gboolean load_calls(struct iot_loader *l, struct iot_object *object, struct iot_call **tail)
{
	gboolean open = tail == &object->open;

	for (; iot_unpack_uint(l->in, 1); tail = &(*tail)->next) {
		if (!load_call(l, object, tail))
			return FALSE;
		if (open)
			g_ptr_array_add(l->calls, *tail);
	}
	return !l->in->bad;
}

static void save_deferred(struct iot_saver *s, const struct iot_object *object)
{
	iot_pack_uint(s->out, object->deferred.n);
	for (const struct iot_deferred *waiting = object->deferred.first; waiting;
	     waiting = waiting->next) {
		iot_save_role(s, waiting->role);
		iot_save_rec(s, &waiting->rec);
	}
}

static gboolean load_deferred(struct iot_loader *l, struct iot_object *object)
{
	for (guint n = (guint)iot_unpack_uint(l->in, G_MAXUINT16); n; n--) {
		guint number = iot_load_role(l);
		const struct iot_event *event = iot_load_event(l);
		struct iot_event_role *role = iot_loaded_role(l, event, number);
		struct iot_deferred *waiting;

		if (l->in->bad || !role || role->of != object->kind)
			return iot_unpack_fail(l->in);
		waiting = iot_deferral_append(object, role, iot_rec_size(event));
		iot_load_rec(l, event, &waiting->rec);
	}
	return !l->in->bad;
}

/* ---- objects */

/* The mode of an object that is not drawn yet: what its span will need. */
static void save_unseen_mode(struct iot_saver *s, const struct iot_object *object, guint n_attrs)
{
	const struct iot_item *item = &object->mode_span.item;

	if (object->mode == IOT_MODE_NONE)
		return;
	iot_pack_uint(s->out, item->cat);
	iot_pack_uint(s->out, item->flags);
	for (guint i = 0; i < n_attrs; i++)
		iot_pack_uint(s->out, item->attr[i].u);
}

static void save_object(struct iot_saver *s, const struct iot_object *object)
{
	const struct iot_values *machine = object->kind->machine;
	guint n = machine ? iot_type_at(s->model->tl, machine->type)->n_attrs : 0;

	iot_pack_uint(s->out, object->input);
	iot_save_key(s, object->key);
	iot_pack_uint(s->out, object->former);
	iot_pack_uint(s->out, object->reused_ns);
	iot_pack_uint(s->out, object->apart);
	iot_pack_uint(s->out, object->last_ns);
	iot_pack_uint(s->out, object->row);
	iot_pack_uint(s->out, object->lane);
	iot_pack_uint(s->out, object->mode);
	iot_pack_uint(s->out, object->stateless);
	iot_pack_uint(s->out, object->in_sight);
	iot_pack_uint(s->out, object->fresh);
	iot_pack_uint(s->out, object->decided_ns);
	iot_pack_uint(s->out, object->owner);
	for (guint i = 0; i < n; i++)
		iot_pack_uint(s->out, object->always[i].u);
	iot_span_save(&object->state_span, s->out);
	iot_span_save(&object->mode_span, s->out);
	if (!object->row)
		save_unseen_mode(s, object, n);
	save_calls(s, object, object->open);
	save_calls(s, object, object->pending);
	save_deferred(s, object);
}

static void load_attrs(struct iot_loader *l, const struct iot_type *type, union iot_attr *out)
{
	for (guint i = 0; i < type->n_attrs; i++)
		out[i].u = type->attr[i].format == IOT_ATTR_STR
				   ? iot_timeline_load_text(l->model->tl, l->in)
				   : iot_unpack_uint(l->in, G_MAXUINT64);
}

static gboolean load_unseen_mode(struct iot_loader *l, struct iot_object *object)
{
	struct iot_timeline *tl = l->model->tl;
	struct iot_item *item = &object->mode_span.item;

	if (object->mode == IOT_MODE_NONE)
		return !l->in->bad;
	iot_item_start(l->model, item, object->kind->machine);
	item->cat = (iot_cat_id)iot_unpack_uint(l->in, tl->cats.n - 1);
	item->flags = (guint16)iot_unpack_uint(l->in, IOT_FLAG_SETS - 1);
	load_attrs(l, iot_type_at(tl, object->kind->machine->type), item->attr);
	return !l->in->bad && iot_cat_at(tl, item->cat)->type == item->type;
}

static void load_always(struct iot_loader *l, struct iot_object *object)
{
	const struct iot_timeline *tl = l->model->tl;
	const struct iot_values *machine = object->kind->machine;
	const struct iot_type *type = machine ? iot_type_at(tl, machine->type) : NULL;

	if (type)
		load_attrs(l, type, object->always);
}

static gboolean load_pending(struct iot_loader *l, struct iot_object *object)
{
	struct iot_call *call = NULL, *next;

	if (!load_calls(l, object, &call)) {
		iot_call_free_list(&call);
		return FALSE;
	}
	for (; call; call = next) {
		next = call->next;
		call->next = NULL;
		iot_call_add_pending(object, call);
	}
	return TRUE;
}

static gboolean load_object(struct iot_loader *l, struct iot_object_kind *kind)
{
	struct iot_timeline *tl = l->model->tl;
	guint32 input = (guint32)iot_unpack_uint(l->in, l->model->n_inputs - 1);
	guint64 key[IOT_MAX_KEYS], former;
	struct iot_object *object;

	iot_load_key(l, key);
	former = iot_unpack_uint(l->in, kind->last_former);
	object = l->in->bad ? NULL : iot_object_restore(kind, input, key, former);
	if (!object)
		return iot_unpack_fail(l->in);
	object->reused_ns = iot_unpack_uint(l->in, G_MAXUINT64);
	object->apart = iot_unpack_uint(l->in, G_MAXUINT64);
	object->last_ns = iot_unpack_uint(l->in, G_MAXUINT64);
	object->row = (iot_row_id)iot_unpack_uint(l->in, tl->rows.n - 1);
	object->lane = (guint16)iot_unpack_uint(l->in, G_MAXUINT16);
	object->mode = (guint8)iot_unpack_uint(l->in, IOT_MODE_UNKNOWN);
	object->stateless = (gboolean)iot_unpack_uint(l->in, 1);
	object->in_sight = (gboolean)iot_unpack_uint(l->in, 1);
	object->fresh = (gboolean)iot_unpack_uint(l->in, 1);
	object->decided_ns = iot_unpack_uint(l->in, G_MAXUINT64);
	object->owner = (guint32)iot_unpack_uint(l->in, kind->common ? l->model->n_inputs : 0);
	if (l->in->bad || (!object->row && (!kind->on->follows || !kind->machine)))
		return iot_unpack_fail(l->in);
	if (object->row && (iot_row_at(tl, object->row)->type != kind->on->type ||
			    !iot_lanes_busy(l->model->lanes, object->row, object->lane)))
		return iot_unpack_fail(l->in);
	load_always(l, object);
	if (kind->backing)
		iot_backing_join(object);
	return iot_emit_load_span(l->model->emit, &object->state_span, l->in) &&
	       iot_emit_load_span(l->model->emit, &object->mode_span, l->in) &&
	       (object->row || load_unseen_mode(l, object)) &&
	       load_calls(l, object, &object->open) && load_pending(l, object) &&
	       load_deferred(l, object);
}

/* ---- kinds */

void iot_kind_save(struct iot_saver *s, const struct iot_object_kind *kind)
{
	for (guint i = 0; i < s->model->n_inputs; i++) {
		iot_pack_uint(s->out, kind->inputs[i].gap_depth);
		iot_pack_uint(s->out, kind->inputs[i].own_gap_depth);
		iot_pack_uint(s->out, kind->inputs[i].since);
		iot_pack_uint(s->out, kind->inputs[i].since_flags);
	}
	iot_ended_save(kind, s->out);
	if (kind->certain_while && kind->backing)
		iot_backing_save(kind->backing, s->out);
	iot_pack_uint(s->out, kind->last_former);
	iot_pack_uint(s->out, kind->objects.n);
	g_hash_table_remove_all(s->calls);
	for (struct iot_object *object = kind->first; object; object = object->next) {
		iot_machine_settle(object);
		save_object(s, object);
	}
	for (const struct iot_call *call = kind->open_first; call; call = call->open_next)
		iot_pack_uint(s->out, GPOINTER_TO_UINT(g_hash_table_lookup(s->calls,
									   (gpointer)(gsize)call)));
}

/* The chain of all open calls, by age. */
static gboolean load_chain(struct iot_loader *l, struct iot_object_kind *kind)
{
	for (guint left = l->calls->len; left; left--) {
		guint number = (guint)iot_unpack_uint(l->in, l->calls->len - 1);
		struct iot_call *call = l->calls->pdata[number];

		if (l->in->bad || !call || (kind->open_last && kind->open_last->t0 > call->t0))
			return iot_unpack_fail(l->in);
		iot_call_chain(call);
		l->calls->pdata[number] = NULL;
	}
	return TRUE;
}

gboolean iot_kind_load(struct iot_loader *l, struct iot_object_kind *kind)
{
	for (guint i = 0; i < l->model->n_inputs; i++) {
		kind->inputs[i].gap_depth = (guint)iot_unpack_uint(l->in, G_MAXUINT32);
		kind->inputs[i].own_gap_depth = (guint)iot_unpack_uint(l->in, G_MAXUINT32);
		kind->inputs[i].since = iot_unpack_uint(l->in, G_MAXUINT64);
		kind->inputs[i].since_flags = (guint16)iot_unpack_uint(l->in, G_MAXUINT16);
	}
	if (!iot_ended_load(kind, l->in) ||
	    (kind->certain_while && kind->backing && !iot_backing_load(kind->backing, l->in)))
		return FALSE;
	kind->last_former = iot_unpack_uint(l->in, G_MAXUINT64);
	g_ptr_array_set_size(l->calls, 0);
	for (guint32 n = iot_unpack_count(l->in); n; n--)
		if (!load_object(l, kind))
			return FALSE;
	return load_chain(l, kind);
}
