/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perfetto: TrackEvents for ui.perfetto.dev and trace_processor. A span is two packets, its begin
 * and its end, so that spans of one lane nest by the order of the packets; late attributes and
 * marks are annotations of the end, and readers join them with those of the begin.
 */
#include "sinks/perfetto/perfetto.h"
#include "base/error.h"
#include "sinks/perfetto/perfetto-bytes.h"

static const struct iot_sink_option options[] = {
	{ "no-events", NULL, "leave out point events; only states are drawn" },
	{ "no-counters", NULL, "leave out values of counters" },
	{ NULL },
};

static void perfetto_free(struct iot_sink *sink)
{
	struct perfetto *perfetto = (struct perfetto *)sink;

	if (!perfetto)
		return;
	for (guint i = 0; i < perfetto->n_types; i++) {
		if (perfetto->types[i])
			g_free(perfetto->types[i]->lanes);
		g_free(perfetto->types[i]);
	}
	g_free(perfetto->types);
	g_free(perfetto->cats);
	g_free(perfetto->texts);
	g_array_unref(perfetto->gaps);
	iot_out_free(perfetto->out);
	g_free(perfetto);
}

static struct iot_sink *perfetto_open(const struct iot_sink_args *args, GError **error)
{
	struct perfetto *perfetto = g_new0(struct perfetto, 1);

	perfetto->base.ops = &iot_sink_perfetto;
	perfetto->tl = args->tl;
	perfetto->no_events = iot_sink_flag(args, "no-events");
	perfetto->no_counters = iot_sink_flag(args, "no-counters");
	perfetto->gaps = g_array_new(FALSE, FALSE, sizeof(struct iot_gap_lane));
	perfetto->out = iot_out_open(args->path, error);
	if (perfetto->out)
		return &perfetto->base;
	perfetto_free(&perfetto->base);
	return NULL;
}

/* --- one packet --- */

struct packet {
	guint8 *len, *event_len; /* where the lengths of packet and event go */
};

static inline guint8 *begin_packet(struct packet *packet, guint8 *p, guint64 time)
{
	/* Each tag is one byte. */
	static const guint8 sequence[] = { TAG_SEQUENCE, 1, TAG_SEQUENCE_FLAGS, FLAG_NEEDS_STATE,
					   TAG_TRACK_EVENT };

	*p++ = TAG_PACKET;
	packet->len = p;
	p += PERFETTO_LEN_ROOM;
	*p++ = TAG_TIMESTAMP;
	p = put_varint(p, time);
	memcpy(p, sequence, sizeof(sequence));
	p += sizeof(sequence);
	packet->event_len = p;
	return p + PERFETTO_LEN_ROOM;
}

static inline void end_packet(struct iot_out *out, const struct packet *packet, guint8 *p)
{
	set_len(packet->event_len, p);
	set_len(packet->len, p);
	out->used = (gsize)(p - out->buffer);
}

/* A text that is a number, or is given as it is, stands in the annotation itself. */
static guint8 *put_string(guint8 *p, const char *text, gsize len)
{
	*p++ = TAG_ANNOTATION_STRING;
	*p++ = (guint8)len;
	memcpy(p, text, len);
	return p + len;
}

static guint8 *put_text_number(const struct perfetto_attr *attr, guint8 *p, guint64 text)
{
	char digits[IOT_DIGITS_ROOM];
	gsize tag = 2; /* that of the number of a text, at the end of the head */
	char *end = iot_digits(digits, text & ~IOT_TEXT_NUMBER);

	memcpy(p, attr->head, sizeof(attr->head));
	return put_string(p + attr->len - tag, digits, (gsize)(end - digits));
}

/* FALSE if a text is not known to readers yet. */
static inline gboolean put_annotation(const struct perfetto *perfetto,
				      const struct perfetto_attr *attr, guint8 **pp, guint64 value)
{
	guint8 *start = *pp, *p = start;

	if (attr->format == IOT_ATTR_STR && iot_text_is_number(value)) {
		p = put_text_number(attr, p, value);
	} else {
		if (attr->format == IOT_ATTR_STR && !(value = perfetto_text(perfetto, value)))
			return FALSE;
		memcpy(p, attr->head, sizeof(attr->head));
		p = attr->format == IOT_ATTR_REAL ? put_bits64(p + attr->len, value)
						  : put_varint(p + attr->len, value);
	}
	start[1] = (guint8)(p - start - 2);
	*pp = p;
	return TRUE;
}

static inline gboolean put_annotations(const struct perfetto *perfetto,
				       const struct perfetto_attr *attr, guint n,
				       const struct iot_item *item, guint8 **pp)
{
	for (guint i = 0; i < n; i++) {
		guint64 value = item->attr[attr[i].at].u;

		if (!value || attr[i].at >= item->n_attrs)
			continue;
		if (G_UNLIKELY(!put_annotation(perfetto, &attr[i], pp, value)))
			return FALSE;
	}
	return TRUE;
}

/* All marks are the text of one annotation, at most 64 bytes. */
static G_GNUC_NO_INLINE guint8 *put_marks(guint8 *p, guint flags)
{
	const char *names = iot_item_flag_names(flags);
	guint8 *start = p;

	*p++ = TAG_ANNOTATION;
	p++;
	p = put_number(p, TAG_ANNOTATION_NAME_IID, PERFETTO_NAME_MARKS);
	p = put_string(p, names, strlen(names));
	start[1] = (guint8)(p - start - 2);
	return p;
}

/* --- items --- */

static inline gboolean put_event(struct perfetto *perfetto, const struct perfetto_type *type,
				 const struct iot_item *item)
{
	const struct perfetto_cat *cat = &perfetto->cats[item->cat];
	struct packet packet;
	guint8 *p = begin_packet(&packet, iot_out_reserve(perfetto->out, PERFETTO_EVENT_ROOM),
				 item->t1);
	gboolean is_end = item->kind == IOT_ITEM_SPAN;

	if (is_end) {
		*p++ = TAG_EVENT_TYPE;
		*p++ = EVENT_END;
	} else {
		memcpy(p, cat->head, sizeof(cat->head));
		p += cat->len;
	}
	*p++ = TAG_TRACK_UUID;
	p = put_varint(p, type->uuid | PERFETTO_UUID_LANE(item->lane) | item->row);
	if (!put_annotations(perfetto, is_end ? type->late : type->attr,
			     is_end ? type->n_late : type->n_attrs, item, &p))
		return FALSE;
	if (G_UNLIKELY(item->flags && item->kind != IOT_ITEM_SPAN_BEGIN))
		p = put_marks(p, item->flags);
	end_packet(perfetto->out, &packet, p);
	return TRUE;
}

static void put_value(struct perfetto *perfetto, const struct perfetto_type *type,
		      const struct iot_item *item)
{
	struct packet packet;
	guint8 *p = begin_packet(&packet, iot_out_reserve(perfetto->out, PERFETTO_EVENT_ROOM),
				 item->t1);

	*p++ = TAG_EVENT_TYPE;
	*p++ = EVENT_COUNTER;
	*p++ = TAG_TRACK_UUID;
	p = put_varint(p, type->uuid | item->row);
	if (iot_type_is_real(type->type))
		p = put_fixed64(p, TAG_COUNTER_REAL, (guint64)iot_sample_value(item));
	else
		p = put_number(p, TAG_COUNTER_VALUE, (guint64)iot_sample_value(item));
	end_packet(perfetto->out, &packet, p);
}

static guint8 *put_lost(guint8 *p, guint64 lost)
{
	guint8 *start = p;

	*p++ = TAG_ANNOTATION;
	p++;
	p = put_number(p, TAG_ANNOTATION_NAME_IID, PERFETTO_NAME_LOST);
	p = put_number(p, TAG_ANNOTATION_UINT, lost);
	start[1] = (guint8)(p - start - 2);
	return p;
}

static void put_gap(struct perfetto *perfetto, const struct iot_item *item)
{
	guint64 uuid = perfetto_gap_uuid(iot_gap_lane_take(perfetto->gaps, item));
	guint8 *p = iot_out_reserve(perfetto->out, PERFETTO_EVENT_ROOM);
	struct packet packet;

	p = begin_packet(&packet, p, item->t0);
	p = put_number(p, TAG_EVENT_TYPE, EVENT_BEGIN);
	p = put_number(p, TAG_CATEGORY_IID, PERFETTO_GAP);
	p = put_number(p, TAG_NAME_IID, PERFETTO_GAP);
	p = put_number(p, TAG_TRACK_UUID, uuid);
	end_packet(perfetto->out, &packet, p);
	p = iot_out_reserve(perfetto->out, PERFETTO_EVENT_ROOM);
	p = begin_packet(&packet, p, item->t1);
	p = put_number(p, TAG_EVENT_TYPE, EVENT_END);
	p = put_number(p, TAG_TRACK_UUID, uuid);
	if (iot_gap_lost(item) != IOT_LOST_UNKNOWN)
		p = put_lost(p, iot_gap_lost(item));
	if (item->flags)
		p = put_marks(p, item->flags);
	end_packet(perfetto->out, &packet, p);
}

/* One end, as an instant. The attributes are at both ends. @flow_tag: 0 for a stub */
static void put_end(struct perfetto *perfetto, const struct perfetto_type *type,
		    const struct iot_item *end, guint flow_tag)
{
	const struct perfetto_cat *cat = &perfetto->cats[end->cat];
	struct packet packet;
	guint8 *p =
		begin_packet(&packet, iot_out_reserve(perfetto->out, PERFETTO_EVENT_ROOM), end->t1);

	memcpy(p, cat->head, sizeof(cat->head));
	p = put_number(p + cat->len, TAG_TRACK_UUID, PERFETTO_UUID_LANE(end->lane) | end->row);
	if (flow_tag)
		p = put_fixed64(p, flow_tag, perfetto->n_links);
	put_annotations(perfetto, type->attr, type->n_attrs, end, &p);
	if (end->flags)
		p = put_marks(p, end->flags);
	end_packet(perfetto->out, &packet, p);
}

/* A flow leads from the earlier end to the later one; a link that runs backwards has a mark. */
static gboolean put_link(struct perfetto *perfetto, struct perfetto_type *type,
			 const struct iot_item *item, GError **error)
{
	gboolean backwards = (item->flags & IOT_BACKWARDS) != 0;
	struct iot_item from = *item, to = *item;
	const struct iot_item *first = backwards ? &to : &from, *last = backwards ? &from : &to;

	from.t1 = iot_link_from(item);
	to.t1 = iot_link_to(item);
	to.row = item->row_to;
	to.lane = item->lane_to;
	if (iot_link_is_stub(item)) {
		if (!perfetto_add_lane(perfetto, type, &from, error) ||
		    !perfetto_add_texts(perfetto, type, item, error))
			return FALSE;
		put_end(perfetto, type, &from, 0);
		return iot_out_check(perfetto->out, error);
	}
	if (!perfetto_add_lane(perfetto, type, &from, error) ||
	    !perfetto_add_lane(perfetto, type, &to, error) ||
	    !perfetto_add_texts(perfetto, type, item, error))
		return FALSE;
	perfetto->n_links++;
	put_end(perfetto, type, first, TAG_FLOW_ID);
	put_end(perfetto, type, last, TAG_TERMINATING_FLOW_ID);
	return iot_out_check(perfetto->out, error);
}

static gboolean is_left_out(const struct perfetto *perfetto, const struct iot_item *item)
{
	return (item->kind == IOT_ITEM_POINT && perfetto->no_events) ||
	       (item->kind == IOT_ITEM_SAMPLE && perfetto->no_counters);
}

/* The first item of its type, its category or its lane, or one with new texts. */
static G_GNUC_NO_INLINE gboolean rare_item(struct perfetto *perfetto, const struct iot_item *item,
					   GError **error)
{
	struct perfetto_type *type = NULL;

	if (!perfetto->begun)
		perfetto_begin(perfetto);
	if (is_left_out(perfetto, item))
		return TRUE;
	if (item->kind == IOT_ITEM_GAP) {
		put_gap(perfetto, item);
		return iot_out_check(perfetto->out, error);
	}
	if (item->type < perfetto->n_types)
		type = perfetto->types[item->type];
	if (!type && !(type = perfetto_add_type(perfetto, item->type, error)))
		return FALSE;
	if (item->kind != IOT_ITEM_LINK && !perfetto_add_lane(perfetto, type, item, error))
		return FALSE;
	if (item->kind == IOT_ITEM_SAMPLE) {
		put_value(perfetto, type, item);
		return iot_out_check(perfetto->out, error);
	}
	if ((item->cat >= perfetto->n_cats || !perfetto->cats[item->cat].len) &&
	    !perfetto_add_cat(perfetto, item->cat, error))
		return FALSE;
	if (item->kind == IOT_ITEM_LINK)
		return put_link(perfetto, type, item, error);
	if (!perfetto_add_texts(perfetto, type, item, error))
		return FALSE;
	put_event(perfetto, type, item);
	return iot_out_check(perfetto->out, error);
}

static gboolean perfetto_item(struct iot_sink *sink, const struct iot_item *item, GError **error)
{
	struct perfetto *perfetto = (struct perfetto *)sink;
	const struct perfetto_type *type =
		item->type < perfetto->n_types ? perfetto->types[item->type] : NULL;

	if (!type || item->row >= type->n_rows || item->lane >= type->lanes[item->row])
		return rare_item(perfetto, item, error);
	if (item->kind >= IOT_ITEM_SAMPLE) {
		if (item->kind == IOT_ITEM_LINK)
			return rare_item(perfetto, item, error);
		put_value(perfetto, type, item);
		return iot_out_check(perfetto->out, error);
	}
	if (item->cat >= perfetto->n_cats || !perfetto->cats[item->cat].len ||
	    !put_event(perfetto, type, item))
		return rare_item(perfetto, item, error);
	return iot_out_check(perfetto->out, error);
}

static gboolean perfetto_finish(struct iot_sink *sink, const struct iot_summary *summary,
				GError **error)
{
	struct perfetto *perfetto = (struct perfetto *)sink;

	(void)summary;
	if (!perfetto->begun)
		perfetto_begin(perfetto);
	perfetto_tracks(perfetto);
	return iot_out_finish(perfetto->out, error);
}

static gsize perfetto_memory(const struct iot_sink *sink)
{
	const struct perfetto *perfetto = (const struct perfetto *)sink;
	gsize bytes = sizeof(*perfetto) + IOT_OUT_BUFFER +
		      perfetto->n_texts * sizeof(*perfetto->texts) +
		      perfetto->n_cats * sizeof(*perfetto->cats);

	for (guint i = 0; i < perfetto->n_types; i++)
		if (perfetto->types[i])
			bytes += sizeof(*perfetto->types[i]) +
				 perfetto->types[i]->n_rows * sizeof(guint16);
	return bytes;
}

const struct iot_sink_ops iot_sink_perfetto = {
	.name = "perfetto",
	.summary = "Perfetto trace for ui.perfetto.dev, and for SQL with trace_processor",
	.suffix = ".pftrace",
	.feed = IOT_FEED_WITH_BEGINS,
	.options = options,
	.open = perfetto_open,
	.item = perfetto_item,
	.finish = perfetto_finish,
	.memory = perfetto_memory,
	.free = perfetto_free,
};
