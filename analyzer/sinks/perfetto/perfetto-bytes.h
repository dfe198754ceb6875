/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Protocol buffers by hand: tags and numbers of the messages in a Perfetto trace, and functions
 * that append to memory. Each function writes at @p and returns the end. docs/formats/perfetto.md
 * has the messages.
 */
#ifndef IOT_SINKS_PERFETTO_PERFETTO_BYTES_H
#define IOT_SINKS_PERFETTO_PERFETTO_BYTES_H

#include <glib.h>
#include <string.h>

/* The tag of a field: its number, and the type of its value. */
#define PERFETTO_NUMBER(field)	((field) << 3)
#define PERFETTO_BYTES(field)	((field) << 3 | 2)
#define PERFETTO_FIXED64(field) ((field) << 3 | 1)

enum perfetto_tag {
	TAG_PACKET = PERFETTO_BYTES(1), /* Trace */

	TAG_TIMESTAMP = PERFETTO_NUMBER(8), /* TracePacket */
	TAG_SEQUENCE = PERFETTO_NUMBER(10),
	TAG_TRACK_EVENT = PERFETTO_BYTES(11),
	TAG_INTERNED_DATA = PERFETTO_BYTES(12),
	TAG_SEQUENCE_FLAGS = PERFETTO_NUMBER(13),
	TAG_TRACK_DESCRIPTOR = PERFETTO_BYTES(60),
	TAG_FIRST_PACKET = PERFETTO_NUMBER(87),

	TAG_CATEGORY_IID = PERFETTO_NUMBER(3), /* TrackEvent */
	TAG_ANNOTATION = PERFETTO_BYTES(4),
	TAG_EVENT_TYPE = PERFETTO_NUMBER(9),
	TAG_NAME_IID = PERFETTO_NUMBER(10),
	TAG_TRACK_UUID = PERFETTO_NUMBER(11),
	TAG_COUNTER_VALUE = PERFETTO_NUMBER(30),
	TAG_COUNTER_REAL = PERFETTO_FIXED64(44),
	TAG_FLOW_ID = PERFETTO_FIXED64(47),
	TAG_TERMINATING_FLOW_ID = PERFETTO_FIXED64(48),

	TAG_ANNOTATION_NAME_IID = PERFETTO_NUMBER(1), /* DebugAnnotation */
	TAG_ANNOTATION_UINT = PERFETTO_NUMBER(3),
	TAG_ANNOTATION_INT = PERFETTO_NUMBER(4),
	TAG_ANNOTATION_REAL = PERFETTO_FIXED64(5),
	TAG_ANNOTATION_STRING = PERFETTO_BYTES(6),
	TAG_ANNOTATION_POINTER = PERFETTO_NUMBER(7),
	TAG_ANNOTATION_STRING_IID = PERFETTO_NUMBER(17),

	TAG_INTERNED_CATEGORY = PERFETTO_BYTES(1), /* InternedData */
	TAG_INTERNED_NAME = PERFETTO_BYTES(2),
	TAG_INTERNED_ANNOTATION_NAME = PERFETTO_BYTES(3),
	TAG_INTERNED_STRING = PERFETTO_BYTES(29),
	TAG_IID = PERFETTO_NUMBER(1), /* of each entry */
	TAG_INTERNED_TEXT = PERFETTO_BYTES(2),

	TAG_UUID = PERFETTO_NUMBER(1), /* TrackDescriptor */
	TAG_TRACK_NAME = PERFETTO_BYTES(2),
	TAG_PARENT_UUID = PERFETTO_NUMBER(5),
	TAG_COUNTER = PERFETTO_BYTES(8),
	TAG_CHILD_ORDERING = PERFETTO_NUMBER(11),
	TAG_SIBLING_RANK = PERFETTO_NUMBER(12),
	TAG_MERGE_BEHAVIOR = PERFETTO_NUMBER(15),
	TAG_MERGE_KEY = PERFETTO_BYTES(16),
	TAG_COUNTER_CATEGORY = PERFETTO_BYTES(2), /* CounterDescriptor */
};

enum { EVENT_BEGIN = 1, EVENT_END = 2, EVENT_INSTANT = 3, EVENT_COUNTER = 4 };
enum { FLAG_STATE_CLEARED = 1, FLAG_NEEDS_STATE = 2 };
enum { ORDERING_EXPLICIT = 3, MERGE_BY_KEY = 3 };

static inline guint8 *put_varint(guint8 *p, guint64 value)
{
	for (; value >= 0x80; value >>= 7)
		*p++ = (guint8)(value | 0x80);
	*p++ = (guint8)value;
	return p;
}

static inline guint8 *put_number(guint8 *p, guint tag, guint64 value)
{
	return put_varint(put_varint(p, tag), value);
}

static inline guint8 *put_bits64(guint8 *p, guint64 value)
{
	value = GUINT64_TO_LE(value);
	memcpy(p, &value, sizeof(value));
	return p + sizeof(value);
}

static inline guint8 *put_fixed64(guint8 *p, guint tag, guint64 value)
{
	return put_bits64(put_varint(p, tag), value);
}

/* A length of two bytes, also if one were enough: it is filled in when the message is complete. */
enum { PERFETTO_LEN_ROOM = 2 };

static inline void set_len(guint8 *at, const guint8 *end)
{
	guint len = (guint)(end - at) - PERFETTO_LEN_ROOM;

	at[0] = (guint8)(len | 0x80);
	at[1] = (guint8)(len >> 7);
}

#endif
