/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/dat/dat-bind.h"
#include "input/dat/dat-formats.h"
#include "base/error.h"

static void event_free(gpointer data)
{
	struct iot_dat_event *event = data;

	for (guint i = 0; i < event->event.n_slots; i++)
		iot_print_free(event->field[i].print);
	g_free(event);
}

static struct iot_dat_binding *binding_new(const struct iot_dat_file *file, guint32 input)
{
	struct iot_dat_binding *binding = g_new0(struct iot_dat_binding, 1);

	binding->big_endian = file->layout.big_endian;
	binding->kind = g_new0(guint16, G_MAXUINT16 + 1);
	binding->events = g_ptr_array_new_with_free_func(event_free);
	iot_event_init_gap(&binding->gap_begin, IOT_EVENT_GAP_BEGIN, input);
	iot_event_init_gap(&binding->gap_end, IOT_EVENT_GAP_END, input);
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

const struct iot_dat_format *iot_dat_find_format(const struct iot_dat_file *file,
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

/* FALSE if the declaration is impossible. */
static gboolean resolve_field(const struct iot_dat_decl *from, struct iot_dat_field *to)
{
	to->offset = from->offset;
	to->size = from->size;
	to->text = from->text;
	to->is_signed = from->is_signed;
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
	case IOT_DAT_FIELD_PRINTED:
		return IOT_SLOT_INT;
	default:
		return IOT_SLOT_STR;
	}
}

/* What the print format says about a number; a text has none. */
static void resolve_print(const struct iot_dat_format *format, const char *name,
			  struct iot_numbers *numbers, struct iot_dat_field *field,
			  struct iot_diag *diag)
{
	if (field->kind != IOT_DAT_FIELD_UINT && field->kind != IOT_DAT_FIELD_INT) {
		field->kind = IOT_DAT_FIELD_ABSENT;
		return;
	}
	field->kind = IOT_DAT_FIELD_PRINTED;
	field->print = iot_print_new(format->text, format->len, name, numbers);
	iot_diag_add(diag, IOT_DIAG_print_format_unknown, !iot_print_is_known(field->print));
}

/* FALSE: a required field is missing or has another type (@error set), or the format is nonsense
 * (not set). */
static gboolean resolve_fields(const struct iot_dat_file *file, const struct iot_dat_format *format,
			       const struct iot_schema_event *wanted, const GArray *decls,
			       struct iot_dat_event *event, struct iot_diag *diag, GError **error)
{
	const struct iot_dat_decl *pid = find_decl(decls, "common_pid");

	if (!pid || !is_int_size(pid->size) || !resolve_field(pid, &event->pid))
		return FALSE;
	event->event.n_slots = wanted->n_fields;
	for (guint i = 0; i < wanted->n_fields; i++) {
		struct iot_numbers *numbers = wanted->field[i].numbers;
		const char *name = wanted->field[numbers ? wanted->field[i].from : (int)i].name;
		const struct iot_dat_decl *decl = find_decl(decls, name);

		if (decl && !resolve_field(decl, &event->field[i]))
			return FALSE;
		if (decl && numbers)
			resolve_print(format, name, numbers, &event->field[i], diag);
		if (!decl && wanted->field[i].required) {
			g_set_error(error, IOT_ERROR, IOT_ERROR_MODEL,
				    "%s: event %s:%s has no field \"%s\" in %s; the model does not "
				    "fit the kernel that was recorded",
				    wanted->field[i].needed_by, wanted->system, wanted->name,
				    wanted->field[i].name, file->path);
			return FALSE;
		}
		event->event.slot_type[i] = slot_type(&event->field[i]);
		if (!iot_schema_check_type(wanted, i, &event->event.slot_type[i], file->path, diag,
					   error))
			return FALSE;
		if (event->event.slot_type[i] == IOT_SLOT_ABSENT)
			event->field[i].kind = IOT_DAT_FIELD_ABSENT;
	}
	iot_event_find_strs(&event->event);
	return TRUE;
}

static struct iot_dat_load make_load(const struct iot_dat_field *field, guint slot)
{
	guint bits = 8 * field->size;

	return (struct iot_dat_load){
		.end = field->offset + field->size,
		.slot = (guint8)slot,
		.shift = (guint8)(64 - bits),
		.sign = field->is_signed ? G_GUINT64_CONSTANT(1) << (bits - 1) : 0,
	};
}

/* Prepare the fast path: separate integers from other fields, and find "need". */
static void plan_loads(struct iot_dat_event *event)
{
	guint64 need = (guint64)event->pid.offset + event->pid.size;

	event->pid_load = make_load(&event->pid, 0);
	for (guint i = 0; i < event->event.n_slots; i++) {
		const struct iot_dat_field *field = &event->field[i];

		if (field->kind != IOT_DAT_FIELD_ABSENT)
			need = MAX(need, (guint64)field->offset + field->size);
		if (field->kind == IOT_DAT_FIELD_UINT || field->kind == IOT_DAT_FIELD_INT)
			event->load[event->n_loads++] = make_load(field, i);
		else
			event->other[event->n_others++] = (guint8)i;
	}
	event->need = (guint32)MIN(need, G_MAXUINT32);
}

static gboolean bind_event(struct iot_dat_binding *binding, const struct iot_dat_file *file,
			   const struct iot_schema_event *wanted, guint32 input,
			   struct iot_diag *diag, GError **error)
{
	const struct iot_dat_format *format = iot_dat_find_format(file, wanted);
	g_autoptr(GArray) decls = format ? iot_dat_format_fields(format) : NULL;
	struct iot_dat_event *event;
	GError *failed = NULL;

	if (!format)
		return TRUE;
	event = g_new0(struct iot_dat_event, 1);
	event->event.index = wanted->index;
	event->event.input = input;
	g_ptr_array_add(binding->events, event);
	if (!decls || !resolve_fields(file, format, wanted, decls, event, diag, &failed)) {
		if (!failed)
			iot_diag_add(diag, IOT_DIAG_format_unparsed, 1);
		else
			g_propagate_error(error, failed);
		return failed == NULL;
	}
	plan_loads(event);
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

static inline guint64 load_int(const struct iot_dat_load *load, const guint8 *payload,
			       gboolean big_endian)
{
	guint64 v;

	memcpy(&v, payload + load->end - sizeof(v), sizeof(v));
	v = big_endian ? GUINT64_FROM_BE(v) << load->shift : GUINT64_FROM_LE(v);
	v >>= load->shift;
	return (v ^ load->sign) - load->sign;
}

static gboolean inside(const struct iot_ring_event *raw, guint32 offset, guint32 size)
{
	return offset <= raw->size && size <= raw->size - offset;
}

/* The number of a string field; 0, an empty string, if it leads outside of the event. */
static guint32 intern_field(const struct iot_dat_field *field, const struct iot_ring_event *raw,
			    gboolean big_endian, struct iot_intern *strings, struct iot_diag *diag)
{
	guint32 offset = field->offset, size = field->size;
	const guint8 *data, *nul;

	if (field->kind == IOT_DAT_FIELD_BYTES && field->text && size == IOT_INTERN_FIELD)
		return iot_intern_field(strings, raw->payload + offset);
	if (field->kind != IOT_DAT_FIELD_BYTES) {
		guint32 v = iot_load_u32(raw->payload + field->offset, big_endian);

		offset = v & 0xffff;
		size = v >> 16;
		if (field->kind == IOT_DAT_FIELD_REL_LOC)
			offset += field->offset + 4;
		if (!inside(raw, offset, size)) {
			iot_diag_add(diag, IOT_DIAG_field_damaged, 1);
			return 0;
		}
	}
	/* "char buf[]" of a text that a program writes into the trace */
	if (!size && field->kind == IOT_DAT_FIELD_BYTES)
		size = raw->size - offset;
	data = raw->payload + offset;
	nul = field->text && size ? memchr(data, 0, size) : NULL;
	if (nul)
		size = (guint32)(nul - data);
	return size ? iot_intern_bytes(strings, data, size) : 0;
}

/* Slow path: a field of an event that may be too short for it. */
static guint64 decode_field(const struct iot_dat_field *field, const struct iot_ring_event *raw,
			    gboolean big_endian, struct iot_intern *strings, struct iot_diag *diag)
{
	struct iot_dat_load load;
	guint64 value;

	if (field->kind == IOT_DAT_FIELD_ABSENT)
		return 0;
	if (G_UNLIKELY(!inside(raw, field->offset, field->size))) {
		iot_diag_add(diag, IOT_DIAG_field_damaged, 1);
		return 0;
	}
	if (field->kind > IOT_DAT_FIELD_INT && field->kind != IOT_DAT_FIELD_PRINTED)
		return intern_field(field, raw, big_endian, strings, diag);
	load = make_load(field, 0);
	value = load_int(&load, raw->payload, big_endian);
	return field->print ? iot_print_number(field->print, (gint64)value) : value;
}

void iot_dat_decode(const struct iot_dat_binding *binding, const struct iot_dat_event *event,
		    const struct iot_ring_event *raw, struct iot_rec *rec,
		    struct iot_intern *strings, struct iot_diag *diag)
{
	const guint8 *payload = raw->payload;
	gboolean big = binding->big_endian;

	if (G_UNLIKELY(raw->size < event->need)) {
		rec->pid = (gint32)decode_field(&event->pid, raw, big, strings, diag);
		for (guint i = 0; i < event->event.n_slots; i++)
			rec->slot[i].u = decode_field(&event->field[i], raw, big, strings, diag);
		return;
	}
	rec->pid = (gint32)load_int(&event->pid_load, payload, big);
	for (guint i = 0; i < event->n_loads; i++)
		rec->slot[event->load[i].slot].u = load_int(&event->load[i], payload, big);
	for (guint i = 0; i < event->n_others; i++) {
		guint slot = event->other[i];

		rec->slot[slot].u = decode_field(&event->field[slot], raw, big, strings, diag);
	}
}
