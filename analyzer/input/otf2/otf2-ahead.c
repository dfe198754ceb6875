/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/real.h"
#include "base/tournament.h"
#include "input/otf2/otf2-ahead.h"
#include "input/otf2/otf2-clocks.h"

/* Events of a location that are read at once: 56 KiB. */
enum { PORTION = 1024 };

/* A location. */
struct stream {
	OTF2_EvtReader *reader; /* NULL: not begun, or at its end */
	gboolean ended;
	struct iot_otf2_event *events; /* PORTION, while there are some; owned */
	guint n, next;
};

struct iot_otf2_ahead {
	OTF2_Reader *reader;
	OTF2_EvtReaderCallbacks *calls;
	const struct iot_otf2_defs *defs;
	const struct iot_otf2_clocks *clocks; /* or NULL */
	struct iot_intern *strings;
	struct stream *streams; /* by place */
	struct stream *filled;	/* that takes events now */
	guint32 place;		/* its index */
	struct iot_tournament heads; /* times of the next events, by place */
	guint begun;		     /* places whose first event is known */
	guint left;		     /* places that have a next event */
	struct stream *taken;	     /* whose next event the caller has; NULL: none */
	GString *text;
};

/* ---- attributes, as a text */

static void append_value(struct iot_otf2_ahead *own, OTF2_Type type, OTF2_AttributeValue value)
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

/* "NAME=VALUE NAME=VALUE"; 0: none. */
static guint32 values_of(struct iot_otf2_ahead *own, const OTF2_AttributeList *list)
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

/* ---- events */

static OTF2_CallbackCode put(void *data, struct iot_otf2_event event)
{
	struct iot_otf2_ahead *own = data;

	/* a metric with many values needs more room */
	if (own->filled->n >= PORTION && !(own->filled->n & (PORTION - 1)))
		own->filled->events = g_renew(struct iot_otf2_event, own->filled->events,
					      own->filled->n + PORTION);
	event.place = own->place;
	own->filled->events[own->filled->n++] = event;
	return OTF2_CALLBACK_SUCCESS;
}

#define AT                                                                             \
	OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *data, \
		OTF2_AttributeList *list
#define UNUSED ((void)location, (void)position, (void)list)

static OTF2_CallbackCode on_enter(AT, OTF2_RegionRef region)
{
	UNUSED;
	return put(data, (struct iot_otf2_event){ .time = time,
						  .what = IOT_OTF2_ENTER,
						  .a = region,
						  .values = values_of(data, list) });
}

static OTF2_CallbackCode on_leave(AT, OTF2_RegionRef region)
{
	UNUSED;
	return put(data, (struct iot_otf2_event){ .time = time,
						  .what = IOT_OTF2_LEAVE,
						  .a = region,
						  .values = values_of(data, list) });
}

static OTF2_CallbackCode put_message(void *data, OTF2_TimeStamp time, guint what, uint32_t rank,
				     OTF2_CommRef comm, uint32_t tag, uint64_t size)
{
	return put(data,
		   (struct iot_otf2_event){
			   .time = time, .what = what, .a = rank, .b = comm, .c = tag, .x = size });
}

static OTF2_CallbackCode on_send(AT, uint32_t rank, OTF2_CommRef comm, uint32_t tag, uint64_t size)
{
	UNUSED;
	return put_message(data, time, IOT_OTF2_SENT, rank, comm, tag, size);
}

static OTF2_CallbackCode on_isend(AT, uint32_t rank, OTF2_CommRef comm, uint32_t tag, uint64_t size,
				  uint64_t request)
{
	UNUSED;
	(void)request;
	return put_message(data, time, IOT_OTF2_SENT, rank, comm, tag, size);
}

static OTF2_CallbackCode on_receive(AT, uint32_t rank, OTF2_CommRef comm, uint32_t tag,
				    uint64_t size)
{
	UNUSED;
	return put_message(data, time, IOT_OTF2_RECEIVED, rank, comm, tag, size);
}

/* When the message has come: the request itself names no sender. */

static OTF2_CallbackCode on_ireceive(AT, uint32_t rank, OTF2_CommRef comm, uint32_t tag,
				     uint64_t size, uint64_t request)
{
	UNUSED;
	(void)request;
	return put_message(data, time, IOT_OTF2_RECEIVED, rank, comm, tag, size);
}

static OTF2_CallbackCode on_collective(AT, OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root,
				       uint64_t sent, uint64_t received)
{
	UNUSED;
	(void)op;
	return put(data, (struct iot_otf2_event){ .time = time,
						  .what = IOT_OTF2_COLLECTIVE,
						  .a = root,
						  .b = comm,
						  .x = sent,
						  .y = received });
}

static OTF2_CallbackCode on_metric(AT, OTF2_MetricRef metric, uint8_t n, const OTF2_Type *types,
				   const OTF2_MetricValue *values)
{
	UNUSED;
	for (guint i = 0; i < n; i++) {
		double value = types[i] == OTF2_TYPE_DOUBLE  ? values[i].floating_point
			       : types[i] == OTF2_TYPE_INT64 ? (double)values[i].signed_int
							     : (double)values[i].unsigned_int;

		put(data, (struct iot_otf2_event){ .time = time,
						   .what = IOT_OTF2_VALUE_OF,
						   .a = metric,
						   .b = i,
						   .x = iot_real_bits(value) });
	}
	return OTF2_CALLBACK_SUCCESS;
}

/* As O_RDONLY, O_WRONLY and O_RDWR, and what events/models/fileio.model knows of the other bits. */
static gint64 open_flags(OTF2_IoAccessMode mode, OTF2_IoCreationFlag creation,
			 OTF2_IoStatusFlag status)
{
	return (mode == OTF2_IO_ACCESS_MODE_WRITE_ONLY	 ? 0x1
		: mode == OTF2_IO_ACCESS_MODE_READ_WRITE ? 0x2
							 : 0) |
	       (creation & OTF2_IO_CREATION_FLAG_CREATE ? 0x40 : 0) |
	       (creation & OTF2_IO_CREATION_FLAG_EXCLUSIVE ? 0x80 : 0) |
	       (creation & OTF2_IO_CREATION_FLAG_TRUNCATE ? 0x200 : 0) |
	       (creation & OTF2_IO_CREATION_FLAG_DIRECTORY ? 0x10000 : 0) |
	       (status & OTF2_IO_STATUS_FLAG_APPEND ? 0x400 : 0) |
	       (status & OTF2_IO_STATUS_FLAG_NON_BLOCKING ? 0x800 : 0) |
	       (status & OTF2_IO_STATUS_FLAG_AVOID_CACHING ? 0x4000 : 0) |
	       (status & OTF2_IO_STATUS_FLAG_CLOSE_ON_EXEC ? 0x80000 : 0) |
	       (status & OTF2_IO_STATUS_FLAG_SYNC ? 0x101000 : 0);
}

static OTF2_CallbackCode on_create(AT, OTF2_IoHandleRef handle, OTF2_IoAccessMode mode,
				   OTF2_IoCreationFlag creation, OTF2_IoStatusFlag status)
{
	UNUSED;
	return put(data,
		   (struct iot_otf2_event){ .time = time,
					    .what = IOT_OTF2_CREATED,
					    .a = handle,
					    .b = (guint32)open_flags(mode, creation, status) });
}

static OTF2_CallbackCode on_destroy(AT, OTF2_IoHandleRef handle)
{
	UNUSED;
	return put(data, (struct iot_otf2_event){
				 .time = time, .what = IOT_OTF2_DESTROYED, .a = handle });
}

static OTF2_CallbackCode on_delete(AT, OTF2_IoParadigmRef paradigm, OTF2_IoFileRef file)
{
	UNUSED;
	(void)paradigm;
	return put(data,
		   (struct iot_otf2_event){ .time = time, .what = IOT_OTF2_DELETED, .a = file });
}

static OTF2_CallbackCode on_seek(AT, OTF2_IoHandleRef handle, int64_t offset,
				 OTF2_IoSeekOption whence, uint64_t result)
{
	UNUSED;
	(void)offset, (void)whence;
	return put(data, (struct iot_otf2_event){
				 .time = time, .what = IOT_OTF2_SOUGHT, .a = handle, .x = result });
}

static OTF2_CallbackCode on_begin(AT, OTF2_IoHandleRef handle, OTF2_IoOperationMode mode,
				  OTF2_IoOperationFlag flags, uint64_t bytes, uint64_t matching)
{
	UNUSED;
	(void)flags;
	return put(data, (struct iot_otf2_event){ .time = time,
						  .what = IOT_OTF2_BEGUN,
						  .a = handle,
						  .b = mode,
						  .x = bytes,
						  .y = matching });
}

static OTF2_CallbackCode on_complete(AT, OTF2_IoHandleRef handle, uint64_t bytes, uint64_t matching)
{
	UNUSED;
	return put(data, (struct iot_otf2_event){ .time = time,
						  .what = IOT_OTF2_COMPLETED,
						  .a = handle,
						  .x = bytes,
						  .y = matching });
}

static OTF2_CallbackCode on_cancel(AT, OTF2_IoHandleRef handle, uint64_t matching)
{
	UNUSED;
	return put(data,
		   (struct iot_otf2_event){
			   .time = time, .what = IOT_OTF2_CANCELLED, .a = handle, .y = matching });
}

static OTF2_EvtReaderCallbacks *new_callbacks(void)
{
	OTF2_EvtReaderCallbacks *calls = OTF2_EvtReaderCallbacks_New();

	OTF2_EvtReaderCallbacks_SetEnterCallback(calls, on_enter);
	OTF2_EvtReaderCallbacks_SetLeaveCallback(calls, on_leave);
	OTF2_EvtReaderCallbacks_SetMpiSendCallback(calls, on_send);
	OTF2_EvtReaderCallbacks_SetMpiIsendCallback(calls, on_isend);
	OTF2_EvtReaderCallbacks_SetMpiRecvCallback(calls, on_receive);
	OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(calls, on_ireceive);
	OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(calls, on_collective);
	OTF2_EvtReaderCallbacks_SetMetricCallback(calls, on_metric);
	OTF2_EvtReaderCallbacks_SetIoCreateHandleCallback(calls, on_create);
	OTF2_EvtReaderCallbacks_SetIoDestroyHandleCallback(calls, on_destroy);
	OTF2_EvtReaderCallbacks_SetIoDeleteFileCallback(calls, on_delete);
	OTF2_EvtReaderCallbacks_SetIoSeekCallback(calls, on_seek);
	OTF2_EvtReaderCallbacks_SetIoOperationBeginCallback(calls, on_begin);
	OTF2_EvtReaderCallbacks_SetIoOperationCompleteCallback(calls, on_complete);
	OTF2_EvtReaderCallbacks_SetIoOperationCancelledCallback(calls, on_cancel);
	return calls;
}

/* ---- locations */

struct iot_otf2_ahead *iot_otf2_ahead_new(OTF2_Reader *reader, const struct iot_otf2_defs *defs,
					  struct iot_intern *strings,
					  const struct iot_otf2_clocks *clocks)
{
	struct iot_otf2_ahead *own = g_new0(struct iot_otf2_ahead, 1);

	own->reader = reader;
	own->defs = defs;
	own->strings = strings;
	own->clocks = clocks;
	own->streams = g_new0(struct stream, defs->places->len + 1);
	own->calls = new_callbacks();
	own->text = g_string_new(NULL);
	return own;
}

static void end_stream(struct iot_otf2_ahead *own, struct stream *stream)
{
	if (stream->reader)
		OTF2_Reader_CloseEvtReader(own->reader, stream->reader);
	stream->reader = NULL;
	stream->ended = TRUE;
}

void iot_otf2_ahead_free(struct iot_otf2_ahead *own)
{
	if (!own)
		return;
	for (guint i = 0; i < own->defs->places->len; i++) {
		end_stream(own, &own->streams[i]);
		g_free(own->streams[i].events);
	}
	g_free(own->streams);
	iot_tournament_clear(&own->heads);
	OTF2_EvtReaderCallbacks_Delete(own->calls);
	g_string_free(own->text, TRUE);
	g_free(own);
}

static gboolean begin_stream(struct iot_otf2_ahead *own, struct stream *stream,
			     const struct iot_otf2_place *place)
{
	stream->reader = OTF2_Reader_GetEvtReader(own->reader, place->ref);
	if (!stream->reader)
		return FALSE;
	OTF2_EvtReader_ApplyMappingTables(stream->reader, true);
	OTF2_EvtReader_ApplyClockOffsets(stream->reader, true);
	OTF2_Reader_RegisterEvtCallbacks(own->reader, stream->reader, own->calls, own);
	return TRUE;
}

/* Read the next events of a location that has none left. Those without a callback count, too, so
 * more than once. FALSE: an error. */
static gboolean fill(struct iot_otf2_ahead *own, guint32 index, OTF2_ErrorCode *code)
{
	const struct iot_otf2_place *place = own->defs->places->pdata[index];
	struct stream *stream = &own->streams[index];
	uint64_t n;

	if (!stream->reader && !stream->ended && !begin_stream(own, stream, place))
		return FALSE;
	stream->n = stream->next = 0;
	if (stream->ended) {
		g_clear_pointer(&stream->events, g_free);
		return TRUE;
	}
	if (!stream->events)
		stream->events = g_new(struct iot_otf2_event, PORTION);
	own->filled = stream;
	own->place = index;
	do {
		*code = OTF2_Reader_ReadLocalEvents(own->reader, stream->reader, PORTION, &n);
		if (*code != OTF2_SUCCESS)
			return FALSE;
	} while (!stream->n && n == PORTION);
	if (n < PORTION) {
		end_stream(own, stream);
		stream->events = g_renew(struct iot_otf2_event, stream->events, MAX(stream->n, 1));
	}
	for (guint i = 0; own->clocks && i < stream->n; i++)
		stream->events[i].time = iot_otf2_clocks_real(
			own->clocks, place, iot_otf2_ns(own->defs, stream->events[i].time));
	return TRUE;
}

/* The key of the next event in the tournament; after the last one behind all others. */
static guint64 head_of(const struct stream *stream)
{
	return stream->next < stream->n ? MIN(stream->events[stream->next].time, G_MAXUINT64 - 1)
					: G_MAXUINT64;
}

/* The first event of each location. */
static gboolean begin(struct iot_otf2_ahead *own, const struct iot_otf2_place **failed,
		      OTF2_ErrorCode *code)
{
	guint n = own->defs->places->len;
	g_autofree guint64 *heads = NULL;

	for (; own->begun < n; own->begun++) {
		const struct iot_otf2_place *place = own->defs->places->pdata[own->begun];

		if (place->no_file)
			own->streams[own->begun].ended = TRUE;
		if (!fill(own, own->begun, code)) {
			*failed = place;
			return FALSE;
		}
	}
	heads = g_new(guint64, n + 1);
	for (guint i = 0; i < n; i++) {
		heads[i] = head_of(&own->streams[i]);
		own->left += own->streams[i].n > 0;
	}
	iot_tournament_set(&own->heads, heads, n);
	return TRUE;
}

/* The caller had the last event of a location that was read ahead. */
static gboolean refill(struct iot_otf2_ahead *own, struct stream *stream,
		       const struct iot_otf2_place **failed, OTF2_ErrorCode *code)
{
	guint index = (guint)(stream - own->streams);

	*code = OTF2_SUCCESS;
	if (!fill(own, index, code)) {
		*failed = own->defs->places->pdata[index];
		return FALSE;
	}
	own->left -= !stream->n;
	return TRUE;
}

const struct iot_otf2_event *iot_otf2_ahead_next(struct iot_otf2_ahead *own,
						 const struct iot_otf2_place **failed,
						 OTF2_ErrorCode *code)
{
	struct stream *stream = own->taken;

	if (stream) {
		/* the event that the caller had is over */
		own->taken = NULL;
		if (++stream->next == stream->n && !refill(own, stream, failed, code))
			return NULL;
		iot_tournament_replay(&own->heads, head_of(stream));
	} else {
		*code = OTF2_SUCCESS;
		if (own->begun < own->defs->places->len && !begin(own, failed, code))
			return NULL;
	}
	if (!own->left)
		return NULL;
	stream = own->taken = &own->streams[iot_tournament_winner(&own->heads)];
	return &stream->events[stream->next];
}
