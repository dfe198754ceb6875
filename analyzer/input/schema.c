/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/schema.h"
#include "base/error.h"
#include "input/record.h"

#include <string.h>

static void event_free(gpointer data)
{
	struct iot_schema_event *event = data;

	for (guint i = 0; i < event->n_fields; i++) {
		g_free(event->field[i].name);
		g_free(event->field[i].needed_by);
		iot_numbers_unref(event->field[i].numbers);
		g_free(event->field[i].number_at);
		g_free(event->field[i].text_at);
		g_free(event->field[i].real_at);
	}
	g_free(event->system);
	g_free(event->name);
	g_free(event);
}

struct iot_schema *iot_schema_new(void)
{
	struct iot_schema *schema = g_new0(struct iot_schema, 1);

	schema->events = g_ptr_array_new_with_free_func(event_free);
	return schema;
}

void iot_schema_free(struct iot_schema *schema)
{
	if (!schema)
		return;
	g_ptr_array_unref(schema->events);
	g_free(schema);
}

const struct iot_schema_event *iot_schema_find(const struct iot_schema *schema, const char *system,
					       const char *name)
{
	for (guint i = 0; i < schema->events->len; i++) {
		const struct iot_schema_event *event = schema->events->pdata[i];

		if (!strcmp(event->name, name) && !strcmp(event->system, system))
			return event;
	}
	return NULL;
}

struct iot_schema_event *iot_schema_event(struct iot_schema *schema, const char *system,
					  const char *name)
{
	const struct iot_schema_event *found = iot_schema_find(schema, system, name);
	struct iot_schema_event *event;

	if (found)
		return schema->events->pdata[found->index];
	event = g_new0(struct iot_schema_event, 1);
	event->system = g_strdup(system);
	event->name = g_strdup(name);
	event->index = schema->events->len;
	g_ptr_array_add(schema->events, event);
	return event;
}

gboolean iot_schema_is_wanted(struct iot_schema_event *event, int slot, gboolean text)
{
	const struct iot_schema_field *field = &iot_schema_recorded(event)->field[slot];

	return (text ? field->text_at : field->number_at) != NULL;
}

void iot_schema_want(struct iot_schema_event *event, int slot, gboolean text, const char *place)
{
	struct iot_schema_field *field = &iot_schema_recorded(event)->field[slot];
	char **at = text ? &field->text_at : &field->number_at;

	if (!*at)
		*at = g_strdup(place);
}

gboolean iot_schema_is_real(struct iot_schema_event *event, int slot)
{
	return iot_schema_recorded(event)->field[slot].real_at != NULL;
}

gboolean iot_schema_real(struct iot_schema_event *event, int slot, const char *place,
			 const char **out_place)
{
	struct iot_schema_field *field = &iot_schema_recorded(event)->field[slot];

	*out_place = field->text_at ? field->text_at : field->number_at;
	if (!*out_place && !field->real_at)
		field->real_at = g_strdup(place);
	return !*out_place;
}

static const char *type_name(guint8 type)
{
	return type == IOT_SLOT_STR    ? "a text"
	       : type == IOT_SLOT_REAL ? "a real number"
				       : "a number";
}

/* The place of a model that takes the field for another type; NULL: none does. */
static const char *taken_otherwise(const struct iot_schema_field *field, guint8 type)
{
	if (type == IOT_SLOT_STR)
		return field->real_at ? field->real_at : field->number_at;
	if (type == IOT_SLOT_REAL)
		return field->real_at ? NULL : field->number_at;
	return field->text_at;
}

gboolean iot_schema_check_type(const struct iot_schema_event *event, guint slot, guint8 *type,
			       const char *where, struct iot_diag *diag, GError **error)
{
	const struct iot_schema_field *field = &event->field[slot];
	const char *place = taken_otherwise(field, *type);
	const char *wanted = place == field->real_at   ? "a real number"
			     : place == field->text_at ? "a text"
			     : *type == IOT_SLOT_REAL  ? "a whole number"
						       : "a number";

	if (!place && *type == IOT_SLOT_REAL && !field->real_at)
		*type = IOT_SLOT_STR;
	if (!place || *type == IOT_SLOT_ABSENT)
		return TRUE;
	if (!field->required) {
		*type = IOT_SLOT_ABSENT;
		iot_diag_add(diag, IOT_DIAG_field_type_differs, 1);
		return TRUE;
	}
	g_set_error(error, IOT_ERROR, IOT_ERROR_MODEL,
		    "%s: the field \"%s\" of the event %s is %s, but the model wants %s (%s)%s",
		    where, field->name, event->name, type_name(*type), wanted, place,
		    *type == IOT_SLOT_REAL ? "; [real] declares a field as a real number" : "");
	return FALSE;
}

struct iot_schema_event *iot_schema_role(struct iot_schema_event *event, const char *name)
{
	struct iot_schema_event *role = g_new0(struct iot_schema_event, 1);

	role->system = g_strdup(event->system);
	role->name = g_strdup(name);
	role->index = event->index;
	role->of = event;
	role->renamed = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	return role;
}

void iot_schema_role_free(struct iot_schema_event *role)
{
	if (!role)
		return;
	g_hash_table_unref(role->renamed);
	event_free(role);
}

void iot_schema_rename(struct iot_schema_event *role, const char *name, const char *field)
{
	g_hash_table_insert(role->renamed, g_strdup(name), g_strdup(field));
}

const char *iot_schema_field_name(struct iot_schema_event *event, guint slot)
{
	const char *field = iot_schema_recorded(event)->field[slot].name;
	GHashTableIter iter;
	gpointer name, renamed;

	if (!event->of)
		return field;
	g_hash_table_iter_init(&iter, event->renamed);
	while (g_hash_table_iter_next(&iter, &name, &renamed))
		if (!strcmp(renamed, field))
			return name;
	return field;
}

int iot_schema_field(struct iot_schema_event *event, const char *name, gboolean required,
		     const char *needed_by)
{
	struct iot_schema_field *field;
	int from;

	if (event->of) {
		const char *renamed = g_hash_table_lookup(event->renamed, name);

		return iot_schema_field(event->of, renamed ? renamed : name, required, needed_by);
	}
	for (guint i = 0; i < event->n_fields; i++) {
		if (strcmp(event->field[i].name, name))
			continue;
		from = event->field[i].from;
		event->field[from >= 0 ? (guint)from : i].required |= required;
		return (int)i;
	}
	if (event->n_fields == IOT_MAX_SLOTS)
		return -1;
	field = &event->field[event->n_fields];
	field->name = g_strdup(name);
	field->required = required;
	field->from = -1;
	field->needed_by = g_strdup(needed_by);
	return (int)event->n_fields++;
}

int iot_schema_derive(struct iot_schema_event *role, const char *name, const char *field,
		      const char *needed_by, int *out_from)
{
	/* a name that no field of a kernel has, and that no other section uses */
	g_autofree char *own = g_strdup_printf("%s %s", needed_by, name);
	int slot;

	*out_from = iot_schema_field(role->of, field, FALSE, needed_by);
	slot = *out_from < 0 ? -1 : iot_schema_field(role->of, own, FALSE, needed_by);
	if (slot < 0)
		return -1;
	role->of->field[slot].from = *out_from;
	iot_schema_rename(role, name, own);
	return slot;
}

int iot_schema_number(struct iot_schema_event *role, const char *name, const char *field,
		      struct iot_numbers *numbers, const char *needed_by)
{
	int from, slot = iot_schema_derive(role, name, field, needed_by, &from);

	if (slot >= 0 && !role->of->field[slot].numbers)
		role->of->field[slot].numbers = iot_numbers_ref(numbers);
	return slot;
}

const char *iot_schema_system(const char *recorded)
{
	const char *number = recorded + strlen(IOT_PROBE_GROUP);

	if (!g_str_has_prefix(recorded, IOT_PROBE_GROUP) || !*number ||
	    strspn(number, G_CSET_DIGITS) != strlen(number))
		return recorded;
	return IOT_PROBE_SYSTEM;
}
