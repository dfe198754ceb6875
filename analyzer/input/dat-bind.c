/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/dat-bind.h"
#include "base/error.h"

static void gap_event(struct iot_event *event, guint32 index, guint32 input)
{
	event->index = index;
	event->input = input;
	event->n_slots = IOT_GAP_SLOTS;
	memset(event->slot_type, IOT_SLOT_UINT, IOT_GAP_SLOTS);
}

static struct iot_dat_binding *binding_new(const struct iot_dat_file *file, guint32 input)
{
	struct iot_dat_binding *binding = g_new0(struct iot_dat_binding, 1);

	binding->big_endian = file->layout.big_endian;
	binding->kind = g_new0(guint16, G_MAXUINT16 + 1);
	binding->events = g_ptr_array_new_with_free_func(g_free);
	gap_event(&binding->gap_begin, IOT_EVENT_GAP_BEGIN, input);
	gap_event(&binding->gap_end, IOT_EVENT_GAP_END, input);
	for (guint i = 0; i < file->formats->len; i++)
		binding->kind[g_array_index(file->formats, struct iot_dat_format, i).id] =
			IOT_DAT_ID_SKIP;
	return binding;
}

void iot_dat_binding_free(struct iot_dat_binding *binding)
{
	if (!binding)
		return;
	g_free(binding->kind);
	g_ptr_array_unref(binding->events);
	g_free(binding);
}

static const struct iot_dat_format *find_format(const struct iot_dat_file *file,
						const struct iot_schema_event *wanted)
{
	for (guint i = 0; i < file->formats->len; i++) {
		const struct iot_dat_format *format =
			&g_array_index(file->formats, struct iot_dat_format, i);

		if (!strcmp(format->name, wanted->name) &&
		    (!*wanted->system || !strcmp(format->system, wanted->system)))
			return format;
	}
	return NULL;
}

static gboolean is_int_size(guint32 size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/* FALSE if the declaration cannot be. */
static gboolean resolve_field(const struct iot_dat_decl *from, struct iot_dat_field *to)
{
	to->offset = from->offset;
	to->size = from->size;
	to->text = from->text;
	if (from->place != IOT_DAT_IN_PLACE) {
		to->kind = from->place == IOT_DAT_DATA_LOC ? IOT_DAT_FIELD_DATA_LOC
							   : IOT_DAT_FIELD_REL_LOC;
		return to->size == 4;
	}
	if (from->array || !is_int_size(from->size))
		to->kind = IOT_DAT_FIELD_BYTES;
	else
		to->kind = from->is_signed ? IOT_DAT_FIELD_INT : IOT_DAT_FIELD_UINT;
	return TRUE;
}

static const struct iot_dat_decl *find_decl(const GArray *decls, const char *name)
{
	for (guint i = 0; i < decls->len; i++) {
		const struct iot_dat_decl *decl = &g_array_index(decls, struct iot_dat_decl, i);

		if (!strcmp(decl->name, name))
			return decl;
	}
	return NULL;
}

static guint8 slot_type(const struct iot_dat_field *field)
{
	switch (field->kind) {
	case IOT_DAT_FIELD_ABSENT:
		return IOT_SLOT_ABSENT;
	case IOT_DAT_FIELD_UINT:
		return IOT_SLOT_UINT;
	case IOT_DAT_FIELD_INT:
		return IOT_SLOT_INT;
	default:
		return IOT_SLOT_STR;
	}
}

static gboolean missing_field(const struct iot_dat_file *file,
			      const struct iot_schema_event *wanted,
			      const struct iot_schema_field *field, GError **error)
{
	g_set_error(
		error, IOT_ERROR, IOT_ERROR_MODEL,
		"%s: event %s:%s has no field \"%s\" in %s; the model does not fit the kernel that "
		"was recorded",
		field->needed_by, wanted->system, wanted->name, field->name, file->path);
	return FALSE;
}

/* FALSE: a required field is missing (@error set), or the format is nonsense (not set). */
static gboolean resolve_fields(const struct iot_dat_file *file,
			       const struct iot_schema_event *wanted, const GArray *decls,
			       struct iot_dat_event *event, GError **error)
{
	const struct iot_dat_decl *pid = find_decl(decls, "common_pid");

	if (!pid || !is_int_size(pid->size) || !resolve_field(pid, &event->pid))
		return FALSE;
	event->event.n_slots = wanted->n_fields;
	for (guint i = 0; i < wanted->n_fields; i++) {
		const struct iot_dat_decl *decl = find_decl(decls, wanted->field[i].name);

		if (decl && !resolve_field(decl, &event->field[i]))
			return FALSE;
		if (!decl && wanted->field[i].required)
			return missing_field(file, wanted, &wanted->field[i], error);
		event->event.slot_type[i] = slot_type(&event->field[i]);
	}
	return TRUE;
}

static gboolean bind_event(struct iot_dat_binding *binding, const struct iot_dat_file *file,
			   const struct iot_schema_event *wanted, guint32 input,
			   struct iot_diag *diag, GError **error)
{
	const struct iot_dat_format *format = find_format(file, wanted);
	g_autoptr(GArray) decls = format ? iot_dat_format_fields(format) : NULL;
	struct iot_dat_event *event;
	GError *failed = NULL;

	if (!format)
		return TRUE;
	event = g_new0(struct iot_dat_event, 1);
	event->event.index = wanted->index;
	event->event.input = input;
	g_ptr_array_add(binding->events, event);
	if (!decls || !resolve_fields(file, wanted, decls, event, &failed)) {
		if (!failed)
			iot_diag_add(diag, IOT_DIAG_format_unparsed, 1);
		else
			g_propagate_error(error, failed);
		return failed == NULL;
	}
	binding->kind[format->id] = (guint16)(IOT_DAT_ID_FIRST + binding->events->len - 1);
	return TRUE;
}

struct iot_dat_binding *iot_dat_bind(const struct iot_dat_file *file, guint32 input,
				     const struct iot_schema *schema, struct iot_diag *diag,
				     GError **error)
{
	g_autoptr(iot_dat_binding) binding = binding_new(file, input);

	for (guint i = 0; i < schema->events->len; i++)
		if (!bind_event(binding, file, schema->events->pdata[i], input, diag, error))
			return NULL;
	return g_steal_pointer(&binding);
}

static guint64 load_uint(const guint8 *p, guint32 size, gboolean big_endian)
{
	switch (size) {
	case 1:
		return *p;
	case 2:
		return iot_load_u16(p, big_endian);
	case 4:
		return iot_load_u32(p, big_endian);
	default:
		return iot_load_u64(p, big_endian);
	}
}

static gint64 sign_extend(guint64 v, guint32 size)
{
	guint shift = 64 - 8 * size;

	return (gint64)(v << shift) >> shift;
}

static gboolean inside(const struct iot_ring_event *raw, guint32 offset, guint32 size)
{
	return offset <= raw->size && size <= raw->size - offset;
}

/* Where the bytes of a string field are; FALSE if that is outside of the event. */
static gboolean locate(const struct iot_dat_field *field, const struct iot_ring_event *raw,
		       gboolean big_endian, guint32 *offset, guint32 *size)
{
	guint32 v;

	*offset = field->offset;
	*size = field->size;
	if (field->kind == IOT_DAT_FIELD_BYTES)
		return TRUE;
	v = iot_load_u32(raw->payload + field->offset, big_endian);
	*offset = v & 0xffff;
	*size = v >> 16;
	if (field->kind == IOT_DAT_FIELD_REL_LOC)
		*offset += field->offset + 4;
	return inside(raw, *offset, *size);
}

static guint32 intern_field(const struct iot_dat_field *field, const struct iot_ring_event *raw,
			    gboolean big_endian, struct iot_intern *strings, struct iot_diag *diag)
{
	const guint8 *data, *nul;
	guint32 offset, size;

	if (!locate(field, raw, big_endian, &offset, &size)) {
		iot_diag_add(diag, IOT_DIAG_field_damaged, 1);
		return 0;
	}
	data = raw->payload + offset;
	nul = field->text && size ? memchr(data, 0, size) : NULL;
	if (nul)
		size = (guint32)(nul - data);
	return size ? iot_intern_bytes(strings, data, size) : 0;
}

gint32 iot_dat_pid(const struct iot_dat_binding *binding, const struct iot_dat_event *event,
		   const struct iot_ring_event *raw, struct iot_diag *diag)
{
	const struct iot_dat_field *pid = &event->pid;

	if (G_UNLIKELY(!inside(raw, pid->offset, pid->size))) {
		iot_diag_add(diag, IOT_DIAG_field_damaged, 1);
		return 0;
	}
	return (gint32)sign_extend(
		load_uint(raw->payload + pid->offset, pid->size, binding->big_endian), pid->size);
}

void iot_dat_decode(const struct iot_dat_binding *binding, const struct iot_dat_event *event,
		    const struct iot_ring_event *raw, struct iot_rec *rec,
		    struct iot_intern *strings, struct iot_diag *diag)
{
	for (guint i = 0; i < event->event.n_slots; i++) {
		const struct iot_dat_field *field = &event->field[i];
		guint64 v = 0;

		if (field->kind == IOT_DAT_FIELD_ABSENT) {
			/* nothing to read */
		} else if (G_UNLIKELY(!inside(raw, field->offset, field->size))) {
			iot_diag_add(diag, IOT_DIAG_field_damaged, 1);
		} else if (field->kind > IOT_DAT_FIELD_INT) {
			v = intern_field(field, raw, binding->big_endian, strings, diag);
		} else {
			v = load_uint(raw->payload + field->offset, field->size,
				      binding->big_endian);
			if (field->kind == IOT_DAT_FIELD_INT)
				v = (guint64)sign_extend(v, field->size);
		}
		rec->slot[i].u = v;
	}
}
