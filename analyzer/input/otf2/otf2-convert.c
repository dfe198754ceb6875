/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/real.h"
#include "input/clock.h"
#include "input/otf2/otf2-convert-local.h"

struct iot_otf2_convert *iot_otf2_convert_new(const struct iot_otf2_defs *defs,
					      struct iot_made *made, struct iot_intern *strings,
					      const struct iot_clock *clock, struct iot_diag *diag)
{
	struct iot_otf2_convert *own = g_new0(struct iot_otf2_convert, 1);

	own->defs = defs;
	own->made = made;
	own->strings = strings;
	own->clock = clock;
	own->diag = diag;
	own->now = g_new0(struct iot_otf2_now, defs->places->len + 1);
	own->messages = iot_made_ids_new();
	own->operations = iot_otf2_operations_new();
	own->named = g_hash_table_new(NULL, NULL);
	own->text = g_string_new(NULL);
	return own;
}

void iot_otf2_convert_free(struct iot_otf2_convert *own)
{
	if (!own)
		return;
	for (guint i = 0; i < own->defs->places->len; i++)
		if (own->now[i].levels)
			g_array_unref(own->now[i].levels);
	g_free(own->now);
	iot_made_ids_free(own->messages);
	g_hash_table_unref(own->operations);
	g_hash_table_unref(own->named);
	g_string_free(own->text, TRUE);
	g_free(own);
}

/* ---- what all events have */

gboolean iot_otf2_find_at(void *data, OTF2_LocationRef location, OTF2_TimeStamp time,
			  struct iot_otf2_at *at)
{
	struct iot_otf2_convert *own = data;

	at->own = own;
	at->place = iot_otf2_place(own->defs, location);
	if (!at->place)
		return FALSE;
	at->now = &own->now[at->place->index];
	if (!at->now->levels)
		at->now->levels = g_array_new(FALSE, FALSE, sizeof(struct iot_otf2_level));
	at->ns = iot_clock_correct(own->clock, 0, iot_otf2_ns(own->defs, time));
	if (at->ns < own->made->now_ns)
		iot_diag_add(own->diag, IOT_DIAG_clock_stepped_back, 1);
	return TRUE;
}

struct iot_otf2_level *iot_otf2_innermost(const struct iot_otf2_at *at)
{
	GArray *levels = at->now->levels;

	return levels->len ? &g_array_index(levels, struct iot_otf2_level, levels->len - 1) : NULL;
}

gint64 *iot_otf2_put(const struct iot_otf2_at *at, enum iot_otf2_event event)
{
	const struct iot_otf2_place *place = at->place;
	struct iot_made_rec rec = { .event = event, .pid = place->pid };

	rec.field[IOT_OTF2_RANK] = place->rank;
	rec.field[IOT_OTF2_THREAD] = place->thread;
	rec.field[IOT_OTF2_ROW] = place->row;
	rec.field[IOT_OTF2_TGID] = place->tgid;
	return iot_made_put(at->own->made, &rec, at->ns)->field;
}

/* ---- attributes, as a text */

static void append_value(struct iot_otf2_convert *own, OTF2_Type type, OTF2_AttributeValue value)
{
	char real[IOT_REAL_ROOM];

	switch (type) {
	case OTF2_TYPE_STRING:
		g_string_append(own->text,
				iot_intern_get(own->strings,
					       iot_otf2_text(own->defs, value.stringRef), NULL));
		break;
	case OTF2_TYPE_UINT8:
		g_string_append_printf(own->text, "%u", value.uint8);
		break;
	case OTF2_TYPE_UINT16:
		g_string_append_printf(own->text, "%u", value.uint16);
		break;
	case OTF2_TYPE_UINT32:
		g_string_append_printf(own->text, "%u", value.uint32);
		break;
	case OTF2_TYPE_INT8:
		g_string_append_printf(own->text, "%d", value.int8);
		break;
	case OTF2_TYPE_INT16:
		g_string_append_printf(own->text, "%d", value.int16);
		break;
	case OTF2_TYPE_INT32:
		g_string_append_printf(own->text, "%d", value.int32);
		break;
	case OTF2_TYPE_INT64:
		g_string_append_printf(own->text, "%" G_GINT64_FORMAT, (gint64)value.int64);
		break;
	case OTF2_TYPE_FLOAT:
		g_string_append(own->text, iot_real_text(real, (double)value.float32));
		break;
	case OTF2_TYPE_DOUBLE:
		g_string_append(own->text, iot_real_text(real, value.float64));
		break;
	default:
		g_string_append_printf(own->text, "%" G_GUINT64_FORMAT, (guint64)value.uint64);
		break;
	}
}

/* "IOT_OTF2_NAME=IOT_OTF2_VALUE IOT_OTF2_NAME=IOT_OTF2_VALUE"; 0: none. */
static guint32 values_of(struct iot_otf2_convert *own, const OTF2_AttributeList *list)
{
	uint32_t n = list ? OTF2_AttributeList_GetNumberOfElements(list) : 0;

	if (!n)
		return 0;
	g_string_truncate(own->text, 0);
	for (uint32_t i = 0; i < n; i++) {
		OTF2_AttributeRef attribute;
		OTF2_AttributeValue value;
		OTF2_Type type;

		if (OTF2_AttributeList_GetAttributeByIndex(list, i, &attribute, &type, &value) !=
		    OTF2_SUCCESS)
			continue;
		g_string_append_printf(own->text, "%s%s=", own->text->len ? " " : "",
				       iot_intern_get(own->strings,
						      iot_otf2_attribute(own->defs, attribute),
						      NULL));
		append_value(own, type, value);
	}
	return iot_intern_bytes(own->strings, own->text->str, own->text->len);
}

/* ---- regions */

static void end_level(const struct iot_otf2_at *at, guint depth, const OTF2_AttributeList *list)
{
	struct iot_otf2_level *level =
		&g_array_index(at->now->levels, struct iot_otf2_level, depth);
	const struct iot_otf2_region *region = iot_otf2_region(at->own->defs, level->region);
	guint32 values = values_of(at->own, list);
	gint64 *field;

	iot_otf2_end_calls(at, level);
	field = iot_otf2_put(at, IOT_OTF2_STATE_END);
	field[IOT_OTF2_ID] = level->id;
	field[IOT_OTF2_NAME] = region ? region->name : 0;
	field[IOT_OTF2_USER] = region ? region->user : TRUE;
	field[IOT_OTF2_VALUES] = values ? values : level->values;
	g_array_remove_index(at->now->levels, depth);
}

static OTF2_CallbackCode on_enter(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
				  OTF2_AttributeList *list, OTF2_RegionRef ref)
{
	struct iot_otf2_level level = { .region = ref, .pos = -1 };
	const struct iot_otf2_region *region;
	struct iot_otf2_at at;
	gint64 *field;
	guint32 values;

	if (!iot_otf2_find_at(data, location, time, &at))
		return OTF2_CALLBACK_SUCCESS;
	region = iot_otf2_region(at.own->defs, ref);
	values = values_of(at.own, list);
	level.values = values;
	level.id = ++at.own->n;
	field = iot_otf2_put(&at, at.place->points ? IOT_OTF2_POINT : IOT_OTF2_STATE_START);
	field[IOT_OTF2_ID] = level.id;
	field[IOT_OTF2_NAME] = region ? region->name : 0;
	field[IOT_OTF2_USER] = region ? region->user : TRUE;
	field[IOT_OTF2_VALUES] = values;
	if (at.place->points)
		return OTF2_CALLBACK_SUCCESS;
	g_array_append_val(at.now->levels, level);
	if (at.own->defs->has_io && region && iot_otf2_may_open(at.own, region))
		iot_otf2_begin_open(&at, iot_otf2_innermost(&at));
	return OTF2_CALLBACK_SUCCESS;
}

/* Regions nest, but EZTrace leaves some before those within. */
static OTF2_CallbackCode on_leave(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
				  OTF2_AttributeList *list, OTF2_RegionRef ref)
{
	struct iot_otf2_at at;
	guint depth;

	if (!iot_otf2_find_at(data, location, time, &at) || at.place->points)
		return OTF2_CALLBACK_SUCCESS;
	depth = at.now->levels->len;
	while (depth &&
	       g_array_index(at.now->levels, struct iot_otf2_level, depth - 1).region != ref)
		depth--;
	if (!depth) {
		iot_diag_add(at.own->diag, IOT_DIAG_pair_end_without_start, 1);
		return OTF2_CALLBACK_SUCCESS;
	}
	end_level(&at, depth - 1, list);
	return OTF2_CALLBACK_SUCCESS;
}

/* ---- MPI */

static void put_message(const struct iot_otf2_at *at, gboolean sends, guint32 rank,
			OTF2_CommRef comm, guint32 tag, guint64 size)
{
	struct iot_otf2_convert *own = at->own;
	const struct iot_otf2_place *peer = iot_otf2_peer(own->defs, comm, rank, at->place);
	/* ranks are threads or processes: one that is not known has only its number */
	gint32 self = at->place->rank, other = peer ? peer->rank : (gint32)rank;
	struct iot_made_key key = { { sends ? self : other, sends ? other : self, (gint32)comm,
				      (gint32)tag, peer ? 0 : 1 } };
	gint64 *field = iot_otf2_put(at, sends ? IOT_OTF2_SEND : IOT_OTF2_RECEIVE);

	field[IOT_OTF2_ID] = (gint64)iot_made_ids_message(own->messages, &key, sends);
	field[IOT_OTF2_PEER] = peer ? peer->rank : -1;
	field[IOT_OTF2_COMM] = comm;
	field[IOT_OTF2_TAG] = (gint32)tag;
	field[IOT_OTF2_SIZE] = (gint64)size;
}

static OTF2_CallbackCode on_send(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
				 OTF2_AttributeList *list, uint32_t rank, OTF2_CommRef comm,
				 uint32_t tag, uint64_t size)
{
	struct iot_otf2_at at;

	(void)list;
	if (iot_otf2_find_at(data, location, time, &at))
		put_message(&at, TRUE, rank, comm, tag, size);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_isend(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
				  OTF2_AttributeList *list, uint32_t rank, OTF2_CommRef comm,
				  uint32_t tag, uint64_t size, uint64_t request)
{
	(void)request;
	return on_send(location, time, data, list, rank, comm, tag, size);
}

static OTF2_CallbackCode on_receive(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
				    OTF2_AttributeList *list, uint32_t rank, OTF2_CommRef comm,
				    uint32_t tag, uint64_t size)
{
	struct iot_otf2_at at;

	(void)list;
	if (iot_otf2_find_at(data, location, time, &at))
		put_message(&at, FALSE, rank, comm, tag, size);
	return OTF2_CALLBACK_SUCCESS;
}

/* When the message has come: the request itself names no sender. */
static OTF2_CallbackCode on_ireceive(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
				     OTF2_AttributeList *list, uint32_t rank, OTF2_CommRef comm,
				     uint32_t tag, uint64_t size, uint64_t request)
{
	(void)request;
	return on_receive(location, time, data, list, rank, comm, tag, size);
}

/* What is known of a collective call is told at the end of its state. */
static OTF2_CallbackCode on_collective(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
				       OTF2_AttributeList *list, OTF2_CollectiveOp op,
				       OTF2_CommRef comm, uint32_t root, uint64_t sent,
				       uint64_t received)
{
	struct iot_otf2_level *level;
	struct iot_otf2_at at;
	guint32 name;

	(void)list, (void)op;
	if (!iot_otf2_find_at(data, location, time, &at) || !(level = iot_otf2_innermost(&at)))
		return OTF2_CALLBACK_SUCCESS;
	name = iot_otf2_comm_name(at.own->defs, comm);
	g_string_printf(at.own->text, "comm=%s", iot_intern_get(at.own->strings, name, NULL));
	if (root < OTF2_COLLECTIVE_ROOT_THIS_GROUP)
		g_string_append_printf(at.own->text, " root=%u", root);
	g_string_append_printf(at.own->text,
			       " sent=%" G_GUINT64_FORMAT " received=%" G_GUINT64_FORMAT,
			       (guint64)sent, (guint64)received);
	level->values = iot_intern_bytes(at.own->strings, at.own->text->str, at.own->text->len);
	return OTF2_CALLBACK_SUCCESS;
}

/* ---- metrics */

static OTF2_CallbackCode on_metric(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
				   OTF2_AttributeList *list, OTF2_MetricRef metric, uint8_t n,
				   const OTF2_Type *types, const OTF2_MetricValue *values)
{
	struct iot_otf2_at at;

	(void)list;
	if (!iot_otf2_find_at(data, location, time, &at))
		return OTF2_CALLBACK_SUCCESS;
	for (guint i = 0; i < n; i++) {
		gint64 *field = iot_otf2_put(&at, IOT_OTF2_METRIC);
		double value = types[i] == OTF2_TYPE_DOUBLE  ? values[i].floating_point
			       : types[i] == OTF2_TYPE_INT64 ? (double)values[i].signed_int
							     : (double)values[i].unsigned_int;

		field[IOT_OTF2_NAME] = iot_otf2_metric(at.own->defs, metric, i);
		field[IOT_OTF2_VALUE] = (gint64)iot_real_bits(value);
	}
	return OTF2_CALLBACK_SUCCESS;
}

OTF2_GlobalEvtReaderCallbacks *iot_otf2_convert_callbacks(void)
{
	OTF2_GlobalEvtReaderCallbacks *calls = OTF2_GlobalEvtReaderCallbacks_New();

	OTF2_GlobalEvtReaderCallbacks_SetEnterCallback(calls, on_enter);
	OTF2_GlobalEvtReaderCallbacks_SetLeaveCallback(calls, on_leave);
	OTF2_GlobalEvtReaderCallbacks_SetMpiSendCallback(calls, on_send);
	OTF2_GlobalEvtReaderCallbacks_SetMpiIsendCallback(calls, on_isend);
	OTF2_GlobalEvtReaderCallbacks_SetMpiRecvCallback(calls, on_receive);
	OTF2_GlobalEvtReaderCallbacks_SetMpiIrecvCallback(calls, on_ireceive);
	OTF2_GlobalEvtReaderCallbacks_SetMpiCollectiveEndCallback(calls, on_collective);
	OTF2_GlobalEvtReaderCallbacks_SetMetricCallback(calls, on_metric);
	iot_otf2_files_callbacks(calls);
	return calls;
}
