/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/ctf/ctf-classes.h"
#include "base/error.h"
#include "base/units.h"

#include <string.h>

struct iot_ctf_classes {
	GPtrArray *all;	       /* of struct iot_ctf_class *, owned */
	GHashTable *by_class;  /* const bt_event_class * -> struct iot_ctf_class * */
	GHashTable *by_stream; /* const bt_stream_class *, that have been added */
};

static void class_free(gpointer data)
{
	struct iot_ctf_class *class = data;

	iot_ctf_name_clear(&class->name);
	g_free(class->event);
	g_free(class);
}

struct iot_ctf_classes *iot_ctf_classes_new(void)
{
	struct iot_ctf_classes *classes = g_new0(struct iot_ctf_classes, 1);

	classes->all = g_ptr_array_new_with_free_func(class_free);
	classes->by_class = g_hash_table_new(NULL, NULL);
	classes->by_stream = g_hash_table_new(NULL, NULL);
	return classes;
}

void iot_ctf_classes_free(struct iot_ctf_classes *classes)
{
	if (!classes)
		return;
	g_hash_table_unref(classes->by_stream);
	g_hash_table_unref(classes->by_class);
	g_ptr_array_unref(classes->all);
	g_free(classes);
}

/* ---- classes */

static const char *recorded_name(const struct iot_ctf_class *class)
{
	const char *name = bt_event_class_get_name(class->recorded);

	return name ? name : "";
}

/* A field by the kernel's name, with LTTng's names of events that have no system in their name. */
static gboolean find_field(const struct iot_ctf_class *class, const char *name,
			   struct iot_ctf_place *out, const bt_field_class **out_class,
			   enum iot_ctf_convert *out_convert)
{
	name = iot_ctf_field_name(recorded_name(class), name, out_convert);
	return iot_ctf_find_field(class->recorded, IOT_CTF_PAYLOAD, name, out, out_class);
}

static gboolean is_number(const bt_field_class *field)
{
	return bt_field_class_type_is(bt_field_class_get_type(field), BT_FIELD_CLASS_TYPE_INTEGER);
}

/* A thread of that name in a payload is another one. */
static void find_thread(struct iot_ctf_class *class)
{
	static const struct {
		enum iot_ctf_scope from;
		const char *name;
	} names[] = {
		{ IOT_CTF_SPECIFIC, "tid" },	    { IOT_CTF_SPECIFIC, "vtid" },
		{ IOT_CTF_PAYLOAD, "perf_tid" },    { IOT_CTF_PAYLOAD, "common_pid" },
		{ IOT_CTF_SPECIFIC, "common_pid" },
	};
	const bt_field_class *field;
	enum iot_ctf_convert convert;

	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		if (iot_ctf_find_field(class->recorded, names[i].from, names[i].name,
				       &class->thread, &field) &&
		    is_number(field))
			break;
		else
			class->thread.scope = IOT_CTF_NOWHERE;
	if (!iot_ctf_name_is(&class->name, "sched", "sched_switch"))
		return;
	if (!find_field(class, "next_pid", &class->next, &field, &convert) || !is_number(field))
		class->next.scope = IOT_CTF_NOWHERE;
	if (class->thread.scope == IOT_CTF_NOWHERE &&
	    (!find_field(class, "prev_pid", &class->thread, &field, &convert) || !is_number(field)))
		class->thread.scope = IOT_CTF_NOWHERE;
}

void iot_ctf_classes_add(struct iot_ctf_classes *classes, const bt_stream_class *stream)
{
	guint64 n = bt_stream_class_get_event_class_count(stream);

	if (!g_hash_table_add(classes->by_stream, (gpointer)stream))
		return;
	for (guint64 i = 0; i < n; i++) {
		struct iot_ctf_class *class = g_new0(struct iot_ctf_class, 1);

		class->recorded = bt_stream_class_borrow_event_class_by_index_const(stream, i);
		class->name = iot_ctf_name(recorded_name(class));
		find_thread(class);
		g_ptr_array_add(classes->all, class);
		g_hash_table_insert(classes->by_class, (gpointer) class->recorded, class);
	}
}

const struct iot_ctf_class *iot_ctf_classes_find(const struct iot_ctf_classes *classes,
						 const bt_event *event)
{
	return g_hash_table_lookup(classes->by_class, bt_event_borrow_class_const(event));
}

gboolean iot_ctf_classes_have(const struct iot_ctf_classes *classes, const char *system,
			      const char *name)
{
	for (guint i = 0; i < classes->all->len; i++) {
		const struct iot_ctf_class *class = classes->all->pdata[i];

		if (iot_ctf_name_is(&class->name, system, name))
			return TRUE;
	}
	return FALSE;
}

const char **iot_ctf_classes_systems(const struct iot_ctf_classes *classes)
{
	GPtrArray *names = g_ptr_array_new();

	for (guint i = 0; i < classes->all->len; i++) {
		const struct iot_ctf_class *class = classes->all->pdata[i];

		if (*class->name.system &&
		    !g_ptr_array_find_with_equal_func(names, class->name.system, g_str_equal, NULL))
			g_ptr_array_add(names, class->name.system);
	}
	g_ptr_array_sort(names, iot_texts_compare);
	g_ptr_array_add(names, NULL);
	return (const char **)g_ptr_array_free(names, FALSE);
}

/* ---- bind */

struct binding {
	struct iot_ctf_class *class;
	const struct iot_schema_event *wanted;
	const char *path;
	struct iot_diag *diag;
};

static gboolean bind_slot(struct binding *binding, guint i, GError **error)
{
	const struct iot_schema_field *field = &binding->wanted->field[i];
	struct iot_ctf_class *class = binding->class;
	struct iot_ctf_slot *slot = &class->slot[i];
	/* without print formats a number is its own */
	const char *name = field->numbers ? binding->wanted->field[field->from].name : field->name;
	const bt_field_class *found = NULL;
	enum iot_ctf_convert convert = IOT_CTF_AS_IS;
	guint8 type = IOT_SLOT_INT;

	if (field->from >= 0 && !field->numbers)
		return TRUE;
	slot->is_pid = !strcmp(name, "common_pid");
	/* a trace that does not say it: it was no interrupt */
	if (!slot->is_pid && !find_field(class, name, &slot->place, &found, &convert) &&
	    strcmp(name, IOT_CONTEXT_FIELD)) {
		if (!field->required || field->from >= 0)
			return TRUE;
		g_set_error(error, IOT_ERROR, IOT_ERROR_MODEL,
			    "%s: event %s has no field %s (required by %s)", binding->path,
			    recorded_name(class), name,
			    field->needed_by ? field->needed_by : "a model");
		return FALSE;
	}
	/* an enumeration is the name of its value, unless a model computes with it */
	if (found)
		type = iot_ctf_field_type(found, convert == IOT_CTF_AS_IS && !field->numbers &&
							 !field->number_at);
	if (type == IOT_SLOT_STR || type == IOT_SLOT_REAL)
		convert = IOT_CTF_AS_IS;
	if (convert == IOT_CTF_RWBS)
		type = IOT_SLOT_STR;
	if ((type == IOT_SLOT_INT || type == IOT_SLOT_UINT) && field->real_at && found)
		type = IOT_SLOT_REAL;
	slot->convert = (guint8)convert;
	if (!iot_schema_check_type(binding->wanted, i, &type, binding->path, binding->diag, error))
		return FALSE;
	class->event->slot_type[i] = type;
	return TRUE;
}

gboolean iot_ctf_classes_bind(struct iot_ctf_classes *classes, const struct iot_schema *schema,
			      guint32 input, const char *path, struct iot_diag *diag,
			      GError **error)
{
	for (guint i = 0; i < classes->all->len; i++) {
		struct binding binding = { .class = classes->all->pdata[i],
					   .path = path,
					   .diag = diag };
		struct iot_event *event;

		for (guint k = 0; k < schema->events->len && !binding.wanted; k++) {
			const struct iot_schema_event *wanted = schema->events->pdata[k];

			if (iot_ctf_name_is(&binding.class->name, wanted->system, wanted->name))
				binding.wanted = wanted;
		}
		if (!binding.wanted)
			continue;
		event = binding.class->event = g_new0(struct iot_event, 1);
		event->index = binding.wanted->index;
		event->input = input;
		event->n_slots = binding.wanted->n_fields;
		for (guint slot = 0; slot < event->n_slots; slot++)
			if (!bind_slot(&binding, slot, error))
				return FALSE;
		iot_event_find_strs(event);
	}
	return TRUE;
}
