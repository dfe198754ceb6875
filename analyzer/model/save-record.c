/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/save-record.h"

static void save_event(struct iot_saver *s, const struct iot_event *event)
{
	guint number = GPOINTER_TO_UINT(g_hash_table_lookup(s->events, event));

	iot_pack_uint(s->out, number);
	if (number)
		return;
	g_hash_table_insert(s->events, (gpointer)(gsize)event,
			    GUINT_TO_POINTER(g_hash_table_size(s->events) + 1));
	iot_pack_uint(s->out, event->index);
	iot_pack_uint(s->out, event->input);
	for (guint i = 0; i < event->n_slots; i++)
		iot_pack_uint(s->out, event->slot_type[i]);
}

const struct iot_event *iot_load_event(struct iot_loader *l)
{
	struct iot_model *model = l->model;
	guint number = (guint)iot_unpack_uint(l->in, model->resumed->len);
	const GPtrArray *events = model->schema->events;
	struct iot_event *event;

	if (number)
		return model->resumed->pdata[number - 1];
	event = g_new0(struct iot_event, 1);
	g_ptr_array_add(model->resumed, event);
	event->index = (guint32)iot_unpack_uint(l->in, events->len - 1);
	event->input = (guint32)iot_unpack_uint(l->in, model->n_inputs - 1);
	event->n_slots = ((struct iot_schema_event *)events->pdata[event->index])->n_fields;
	for (guint i = 0; i < event->n_slots; i++)
		event->slot_type[i] = (guint8)iot_unpack_uint(l->in, IOT_SLOT_REAL);
	return event;
}

void iot_save_rec(struct iot_saver *s, const struct iot_rec *rec)
{
	save_event(s, rec->event);
	iot_pack_uint(s->out, rec->ts);
	iot_pack_uint(s->out, rec->run);
	iot_pack_uint(s->out, (guint32)rec->pid);
	for (guint i = 0; i < rec->event->n_slots; i++)
		iot_pack_uint(s->out, rec->slot[i].u);
}

void iot_load_rec(struct iot_loader *l, const struct iot_event *event, struct iot_rec *rec)
{
	rec->event = event;
	rec->ts = iot_unpack_uint(l->in, G_MAXUINT64);
	rec->run = (guint32)iot_unpack_uint(l->in, G_MAXUINT32);
	rec->pid = (gint32)(guint32)iot_unpack_uint(l->in, G_MAXUINT32);
	for (guint i = 0; i < event->n_slots; i++)
		rec->slot[i].u = event->slot_type[i] == IOT_SLOT_STR
					 ? iot_timeline_load_str(l->model->tl, l->in)
					 : iot_unpack_uint(l->in, G_MAXUINT64);
}

void iot_save_role(struct iot_saver *s, const struct iot_event_role *role)
{
	iot_pack_uint(s->out, role->number);
}

guint iot_load_role(struct iot_loader *l)
{
	return (guint)iot_unpack_uint(l->in, IOT_MAX_ROLES - 1);
}

struct iot_event_role *iot_loaded_role(const struct iot_loader *l, const struct iot_event *event,
				       guint number)
{
	const GPtrArray *roles = l->model->roles;
	struct iot_event_role *role = NULL;

	if (!l->in->bad && event->index < roles->len)
		role = roles->pdata[event->index];
	while (role && role->number != number)
		role = role->next;
	return role;
}

void iot_save_key(struct iot_saver *s, const guint64 *key)
{
	for (guint i = 0; i < IOT_MAX_KEYS; i++)
		iot_pack_uint(s->out, key[i]);
}

void iot_load_key(struct iot_loader *l, guint64 *key)
{
	for (guint i = 0; i < IOT_MAX_KEYS; i++)
		key[i] = iot_unpack_uint(l->in, G_MAXUINT64);
}
