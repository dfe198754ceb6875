/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fields of CTF events: where one is, its type for models, and its value. Any thread. */
#ifndef IOT_INPUT_CTF_FIELD_H
#define IOT_INPUT_CTF_FIELD_H

#include <babeltrace2/babeltrace.h>

#include "base/intern.h"
#include "input/record.h"

enum iot_ctf_scope {
	IOT_CTF_NOWHERE,
	IOT_CTF_PAYLOAD,
	IOT_CTF_SPECIFIC, /* context of an event */
	IOT_CTF_COMMON,	  /* context of all events of a stream */
	IOT_CTF_PACKET,
};

enum { IOT_CTF_DEPTH = 4 };

/* A field of an event class: members of structures, from the outermost one. */
struct iot_ctf_place {
	guint8 scope; /* enum iot_ctf_scope */
	guint8 depth;
	guint32 member[IOT_CTF_DEPTH];
};

/**
 * iot_ctf_find_field - the field of an event with this name, payload first, then the contexts
 * @from: the scopes before it are not looked at; @out_class: of the field
 *
 * The member "x" of a structure "at" is "at_x", if nothing else has this name. FALSE: there is
 * none.
 */
gboolean iot_ctf_find_field(const bt_event_class *event, enum iot_ctf_scope from, const char *name,
			    struct iot_ctf_place *out, const bt_field_class **out_class);
/** iot_ctf_field - the field of an event; NULL: an optional one that is absent */
const bt_field *iot_ctf_field(const bt_event *event, const struct iot_ctf_place *place);
/**
 * iot_ctf_field_type - the type of a slot for a field (enum iot_slot_type)
 * @text: models take it for a text, which an enumeration can be, too
 *
 * Arrays and structures are texts, as are variants whose options are not all numbers.
 */
guint8 iot_ctf_field_type(const bt_field_class *field, gboolean text);
/** iot_ctf_field_value - the value of a field as a slot of @type, which iot_ctf_field_type says;
 * @field NULL: 0, or the empty text. A text is a number of @strings */
union iot_val iot_ctf_field_value(const bt_field *field, guint8 type, struct iot_intern *strings);
/** iot_ctf_field_text - append a field as text: "5", "name", "[1, 2]", "{a=1, b=x}" */
void iot_ctf_field_text(const bt_field *field, GString *out);

#endif
