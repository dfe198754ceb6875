/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/ctf/ctf-field.h"
#include "base/real.h"

#include <string.h>

/* ---- classes */

static gboolean is(const bt_field_class *field, bt_field_class_type type)
{
	return bt_field_class_type_is(bt_field_class_get_type(field), type);
}

static const bt_field_class *member_class(const bt_field_class *structure, guint64 i,
					  const char **out_name)
{
	const bt_field_class_structure_member *member =
		bt_field_class_structure_borrow_member_by_index_const(structure, i);

	*out_name = bt_field_class_structure_member_get_name(member);
	return bt_field_class_structure_member_borrow_field_class_const(member);
}

/* In a structure: a member with the name, else one of a structure whose name the name begins with.
 */
static const bt_field_class *find_member(const bt_field_class *structure, const char *name,
					 struct iot_ctf_place *place)
{
	guint64 n = bt_field_class_structure_get_member_count(structure);
	const char *member;

	if (place->depth == IOT_CTF_DEPTH)
		return NULL;
	for (guint64 i = 0; i < n; i++) {
		const bt_field_class *found = member_class(structure, i, &member);

		if (strcmp(member, name))
			continue;
		place->member[place->depth++] = (guint32)i;
		return found;
	}
	for (guint64 i = 0; i < n; i++) {
		const bt_field_class *found = member_class(structure, i, &member);
		gsize len = strlen(member);

		if (!is(found, BT_FIELD_CLASS_TYPE_STRUCTURE) || strncmp(name, member, len) ||
		    name[len] != '_')
			continue;
		place->member[place->depth++] = (guint32)i;
		found = find_member(found, name + len + 1, place);
		if (found)
			return found;
		place->depth--;
	}
	return NULL;
}

gboolean iot_ctf_find_field(const bt_event_class *event, enum iot_ctf_scope from, const char *name,
			    struct iot_ctf_place *out, const bt_field_class **out_class)
{
	const bt_stream_class *stream = bt_event_class_borrow_stream_class_const(event);
	const bt_field_class *scopes[] = {
		[IOT_CTF_PAYLOAD] = bt_event_class_borrow_payload_field_class_const(event),
		[IOT_CTF_SPECIFIC] =
			bt_event_class_borrow_specific_context_field_class_const(event),
		[IOT_CTF_COMMON] =
			bt_stream_class_borrow_event_common_context_field_class_const(stream),
		[IOT_CTF_PACKET] = bt_stream_class_borrow_packet_context_field_class_const(stream),
	};

	for (guint scope = from; scope < G_N_ELEMENTS(scopes); scope++) {
		*out = (struct iot_ctf_place){ .scope = (guint8)scope };
		*out_class = scopes[scope] ? find_member(scopes[scope], name, out) : NULL;
		if (*out_class)
			return TRUE;
	}
	*out = (struct iot_ctf_place){ IOT_CTF_NOWHERE };
	return FALSE;
}

static gboolean is_whole(guint8 type)
{
	return type == IOT_SLOT_INT || type == IOT_SLOT_UINT;
}

static guint8 variant_type(const bt_field_class *variant)
{
	guint64 n = bt_field_class_variant_get_option_count(variant);
	guint8 type = IOT_SLOT_ABSENT;

	for (guint64 i = 0; i < n; i++) {
		guint8 one = iot_ctf_field_type(
			bt_field_class_variant_option_borrow_field_class_const(
				bt_field_class_variant_borrow_option_by_index_const(variant, i)),
			FALSE);

		if (type == IOT_SLOT_ABSENT || type == one)
			type = one;
		else
			type = is_whole(type) && is_whole(one) ? IOT_SLOT_INT : IOT_SLOT_STR;
	}
	return type == IOT_SLOT_ABSENT ? IOT_SLOT_STR : type;
}

guint8 iot_ctf_field_type(const bt_field_class *field, gboolean text)
{
	if (text && is(field, BT_FIELD_CLASS_TYPE_ENUMERATION))
		return IOT_SLOT_STR;
	if (is(field, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
		return IOT_SLOT_INT;
	if (is(field, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER) ||
	    is(field, BT_FIELD_CLASS_TYPE_BOOL) || is(field, BT_FIELD_CLASS_TYPE_BIT_ARRAY))
		return IOT_SLOT_UINT;
	if (is(field, BT_FIELD_CLASS_TYPE_REAL))
		return IOT_SLOT_REAL;
	if (is(field, BT_FIELD_CLASS_TYPE_OPTION))
		return iot_ctf_field_type(bt_field_class_option_borrow_field_class_const(field),
					  text);
	if (is(field, BT_FIELD_CLASS_TYPE_VARIANT))
		return variant_type(field);
	return IOT_SLOT_STR;
}

/* ---- values */

/* The field that an option or a variant holds; NULL: none. */
static const bt_field *inner(const bt_field *field)
{
	while (field) {
		bt_field_class_type type = bt_field_get_class_type(field);

		if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_OPTION))
			field = bt_field_option_borrow_field_const(field);
		else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_VARIANT))
			field = bt_field_variant_borrow_selected_option_field_const(field);
		else
			break;
	}
	return field;
}

const bt_field *iot_ctf_field(const bt_event *event, const struct iot_ctf_place *place)
{
	const bt_field *field = NULL;

	switch ((enum iot_ctf_scope)place->scope) {
	case IOT_CTF_NOWHERE:
		return NULL;
	case IOT_CTF_PAYLOAD:
		field = bt_event_borrow_payload_field_const(event);
		break;
	case IOT_CTF_SPECIFIC:
		field = bt_event_borrow_specific_context_field_const(event);
		break;
	case IOT_CTF_COMMON:
		field = bt_event_borrow_common_context_field_const(event);
		break;
	case IOT_CTF_PACKET:
		field = bt_packet_borrow_context_field_const(bt_event_borrow_packet_const(event));
		break;
	}
	for (guint i = 0; field && i < place->depth; i++)
		field = bt_field_structure_borrow_member_field_by_index_const(field,
									      place->member[i]);
	return inner(field);
}

/* A whole number in 64 bits. */
static gint64 number(const bt_field *field)
{
	bt_field_class_type type = bt_field_get_class_type(field);

	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
		return bt_field_integer_signed_get_value(field);
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
		return (gint64)bt_field_integer_unsigned_get_value(field);
	return type == BT_FIELD_CLASS_TYPE_BOOL
		       ? bt_field_bool_get_value(field)
		       : (gint64)bt_field_bit_array_get_value_as_integer(field);
}

static gdouble real(const bt_field *field)
{
	switch (bt_field_get_class_type(field)) {
	case BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL:
		return (gdouble)bt_field_real_single_precision_get_value(field);
	case BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL:
		return bt_field_real_double_precision_get_value(field);
	case BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER:
	case BT_FIELD_CLASS_TYPE_UNSIGNED_ENUMERATION:
		return (gdouble)bt_field_integer_unsigned_get_value(field);
	default:
		return (gdouble)number(field);
	}
}

/* After the length of a text the library (2.0) leaves the bytes of an earlier one: an empty text
 * has no NUL. */
static gsize string_len(const bt_field *field)
{
	return strnlen(bt_field_string_get_value(field), bt_field_string_get_length(field));
}

/* Names of the value of an enumeration; its number if it has none. */
static void enumeration_text(const bt_field *field, gboolean is_signed, GString *out)
{
	bt_field_class_enumeration_mapping_label_array labels = NULL;
	uint64_t n = 0;

	if (is_signed)
		bt_field_enumeration_signed_get_mapping_labels(field, &labels, &n);
	else
		bt_field_enumeration_unsigned_get_mapping_labels(field, &labels, &n);
	for (uint64_t i = 0; i < n; i++)
		g_string_append_printf(out, "%s%s", i ? "|" : "", labels[i]);
	if (!n)
		g_string_append_printf(out, is_signed ? "%" G_GINT64_FORMAT : "%" G_GUINT64_FORMAT,
				       number(field));
}

static void structure_text(const bt_field *field, GString *out)
{
	const bt_field_class *structure = bt_field_borrow_class_const(field);
	guint64 n = bt_field_class_structure_get_member_count(structure);
	const char *name;

	g_string_append_c(out, '{');
	for (guint64 i = 0; i < n; i++) {
		member_class(structure, i, &name);
		g_string_append_printf(out, "%s%s=", i ? ", " : "", name);
		iot_ctf_field_text(bt_field_structure_borrow_member_field_by_index_const(field, i),
				   out);
	}
	g_string_append_c(out, '}');
}

void iot_ctf_field_text(const bt_field *field, GString *out)
{
	char text[IOT_REAL_ROOM];
	bt_field_class_type type;

	field = inner(field);
	if (!field)
		return;
	type = bt_field_get_class_type(field);
	if (type == BT_FIELD_CLASS_TYPE_STRING) {
		g_string_append_len(out, bt_field_string_get_value(field),
				    (gssize)string_len(field));
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_REAL)) {
		g_string_append(out, iot_real_text(text, real(field)));
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY)) {
		guint64 n = bt_field_array_get_length(field);

		g_string_append_c(out, '[');
		for (guint64 i = 0; i < n; i++) {
			g_string_append(out, i ? ", " : "");
			iot_ctf_field_text(
				bt_field_array_borrow_element_field_by_index_const(field, i), out);
		}
		g_string_append_c(out, ']');
	} else if (type == BT_FIELD_CLASS_TYPE_STRUCTURE) {
		structure_text(field, out);
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ENUMERATION)) {
		enumeration_text(field,
				 bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER),
				 out);
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER)) {
		g_string_append_printf(out, "%" G_GINT64_FORMAT, number(field));
	} else {
		g_string_append_printf(out, "%" G_GUINT64_FORMAT, (guint64)number(field));
	}
}

union iot_val iot_ctf_field_value(const bt_field *field, guint8 type, struct iot_intern *strings)
{
	g_autoptr(GString) text = NULL;

	if (type == IOT_SLOT_REAL)
		return (union iot_val){ .u = iot_real_bits(field ? real(field) : 0) };
	if (type != IOT_SLOT_STR)
		return (union iot_val){ .i = field ? number(field) : 0 };
	if (!field)
		return (union iot_val){ .u = iot_intern_bytes(strings, "", 0) };
	if (bt_field_get_class_type(field) == BT_FIELD_CLASS_TYPE_STRING)
		return (union iot_val){ .u = iot_intern_bytes(strings,
							      bt_field_string_get_value(field),
							      string_len(field)) };
	text = g_string_new(NULL);
	iot_ctf_field_text(field, text);
	return (union iot_val){ .u = iot_intern_bytes(strings, text->str, text->len) };
}
