/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/dat/tep-event.h"
#include "base/error.h"

#include <string.h>

/* "char[16]", "__data_loc const char[]", but not "unsigned char[8]": only texts end at a NUL. */
static gboolean is_text(const struct tep_format_field *field)
{
	g_auto(GStrv) words = g_strsplit_set(field->type, " [", -1);
	const char *const *w = (const char *const *)words;

	return g_strv_contains(w, "char") && !g_strv_contains(w, "unsigned") &&
	       !g_strv_contains(w, "signed") && !strchr(field->type, '*');
}

static void resolve_field(const struct tep_format_field *from, struct iot_tep_field *to)
{
	gboolean number = from->size == 1 || from->size == 2 || from->size == 4 || from->size == 8;

	to->offset = (guint)from->offset;
	to->size = (guint)from->size;
	to->is_signed = (from->flags & TEP_FIELD_IS_SIGNED) != 0;
	if (from->flags & TEP_FIELD_IS_DYNAMIC)
		to->kind = from->flags & TEP_FIELD_IS_RELATIVE ? IOT_TEP_FIELD_REL_LOC
							       : IOT_TEP_FIELD_DATA_LOC;
	else if ((from->flags & TEP_FIELD_IS_ARRAY) || !number)
		to->kind = IOT_TEP_FIELD_BYTES;
	else
		to->kind = IOT_TEP_FIELD_NUMBER;
	to->text = to->kind != IOT_TEP_FIELD_NUMBER && is_text(from);
}

static enum iot_slot_type slot_type(const struct iot_tep_field *field)
{
	if (field->kind == IOT_TEP_FIELD_ABSENT)
		return IOT_SLOT_ABSENT;
	if (field->kind != IOT_TEP_FIELD_NUMBER)
		return IOT_SLOT_STR;
	return field->is_signed || field->print ? IOT_SLOT_INT : IOT_SLOT_UINT;
}

static void resolve_print(const char *format, const char *name, struct iot_numbers *numbers,
			  struct iot_tep_field *field)
{
	if (field->kind == IOT_TEP_FIELD_NUMBER)
		field->print = iot_print_new(format, strlen(format), name, numbers);
	else
		field->kind = IOT_TEP_FIELD_ABSENT;
}

void iot_tep_event_free(gpointer data)
{
	struct iot_tep_event *event = data;

	for (guint i = 0; event && i < event->event.n_slots; i++)
		iot_print_free(event->field[i].print);
	g_free(event);
}

static struct tep_event *find_event(struct tep_handle *tep, const struct iot_schema_event *wanted)
{
	struct tep_event *const *all;

	if (strcmp(wanted->system, IOT_PROBE_SYSTEM))
		return tep_find_event_by_name(tep, *wanted->system ? wanted->system : NULL,
					      wanted->name);
	all = tep_list_events(tep, TEP_EVENT_SORT_ID);
	while (all && *all &&
	       (strcmp((*all)->name, wanted->name) ||
		strcmp(iot_schema_system((*all)->system), IOT_PROBE_SYSTEM)))
		all++;
	return all ? *all : NULL;
}

struct iot_tep_event *iot_tep_event_new(struct tep_handle *tep,
					const struct iot_schema_event *wanted, const char *path,
					const char *format, struct iot_diag *diag, GError **error)
{
	struct tep_event *found = find_event(tep, wanted);
	struct iot_tep_event *event;
	struct tep_format_field *from;

	if (!found || found->id < 0 || found->id > G_MAXUINT16)
		return NULL;
	event = g_new0(struct iot_tep_event, 1);
	event->tep = tep;
	event->id = (guint16)found->id;
	event->event.index = wanted->index;
	event->event.n_slots = wanted->n_fields;
	from = tep_find_common_field(found, "common_pid");
	if (from)
		resolve_field(from, &event->pid);
	for (guint i = 0; i < wanted->n_fields; i++) {
		struct iot_numbers *numbers = wanted->field[i].numbers;
		const char *name = wanted->field[numbers ? wanted->field[i].from : (int)i].name;

		from = tep_find_any_field(found, name);
		if (from)
			resolve_field(from, &event->field[i]);
		if (from && numbers)
			resolve_print(format, name, numbers, &event->field[i]);
		event->event.slot_type[i] = slot_type(&event->field[i]);
		if (!iot_schema_check_type(wanted, i, &event->event.slot_type[i], path, diag,
					   error)) {
			iot_tep_event_free(event);
			return NULL;
		}
		if (event->event.slot_type[i] == IOT_SLOT_ABSENT)
			event->field[i].kind = IOT_TEP_FIELD_ABSENT;
		if (from || !wanted->field[i].required)
			continue;
		g_set_error(error, IOT_ERROR, IOT_ERROR_MODEL,
			    "%s: event %s:%s has no field \"%s\" in %s; the model does not fit the "
			    "kernel that was recorded",
			    wanted->field[i].needed_by, wanted->system, wanted->name,
			    wanted->field[i].name, path);
		iot_tep_event_free(event);
		return NULL;
	}
	iot_event_find_strs(&event->event);
	return event;
}

static gboolean inside(const struct tep_record *raw, guint offset, guint size)
{
	return raw->size >= 0 && offset <= (guint)raw->size && size <= (guint)raw->size - offset;
}

static guint64 read_number(struct tep_handle *tep, const struct tep_record *raw,
			   const struct iot_tep_field *field)
{
	guint64 v =
		tep_read_number(tep, (const guint8 *)raw->data + field->offset, (int)field->size);

	if (!field->is_signed)
		return v;
	switch (field->size) {
	case 1:
		return (guint64)(gint8)v;
	case 2:
		return (guint64)(gint16)v;
	case 4:
		return (guint64)(gint32)v;
	default:
		return v;
	}
}

static guint64 read_field(const struct iot_tep_event *event, const struct iot_tep_field *field,
			  const struct tep_record *raw, struct iot_intern *strings,
			  struct iot_diag *diag)
{
	guint offset = field->offset, size = field->size;
	const char *data;

	if (field->kind == IOT_TEP_FIELD_ABSENT)
		return 0;
	if (!inside(raw, offset, size)) {
		iot_diag_add(diag, IOT_DIAG_field_damaged, 1);
		return 0;
	}
	if (field->kind == IOT_TEP_FIELD_NUMBER) {
		guint64 number = read_number(event->tep, raw, field);

		return field->print ? iot_print_number(field->print, (gint64)number) : number;
	}
	if (field->kind != IOT_TEP_FIELD_BYTES) {
		guint64 loc = tep_read_number(event->tep, (const guint8 *)raw->data + offset, 4);

		offset = (guint)(loc & 0xffff) +
			 (field->kind == IOT_TEP_FIELD_REL_LOC ? field->offset + 4 : 0);
		size = (guint)(loc >> 16);
		if (!inside(raw, offset, size)) {
			iot_diag_add(diag, IOT_DIAG_field_damaged, 1);
			return 0;
		}
	}
	data = (const char *)raw->data + offset;
	return iot_intern_bytes(strings, data, field->text ? strnlen(data, size) : size);
}

void iot_tep_event_decode(const struct iot_tep_event *event, const struct tep_record *raw,
			  struct iot_rec *rec, struct iot_intern *strings, struct iot_diag *diag)
{
	rec->pid = (gint32)read_field(event, &event->pid, raw, strings, diag);
	for (guint i = 0; i < event->event.n_slots; i++)
		rec->slot[i].u = read_field(event, &event->field[i], raw, strings, diag);
}
