/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * otf2: an archive for Vampir, ViTE, otf2-print and the tools of Score-P. Items are packed by
 * location; the archive is written at the end.
 */
#include "sinks/otf2/otf2.h"
#include "base/error.h"

#include <string.h>

/* One event in the store: head, four numbers, a mask, and the attributes; ten bytes for a number.
 */
enum { EVENT_ROOM = 1 + 10 * (4 + 1 + IOT_MAX_ATTRS) };

enum { MIN_STORE = 1 << 20, MAX_STORE = 64 << 20 };

static const struct iot_sink_option options[] = {
	{ "no-events", NULL, "leave out point events; only states are drawn" },
	{ "no-counters", NULL, "leave out values of counters" },
	{ NULL },
};

static gboolean is_top_name(const char *name)
{
	return !strcmp(name, OTF2_NAME) || !strcmp(name, OTF2_NAME ".otf2") ||
	       !strcmp(name, OTF2_NAME ".def");
}

static gboolean is_location_name(const char *name)
{
	gsize digits = strspn(name, "0123456789");

	return digits && (!strcmp(name + digits, ".evt") || !strcmp(name + digits, ".def"));
}

static const struct iot_out_dir_kind otf2_folder = {
	.format = "otf2",
	.noun = "archive",
	.whole = "an OTF2 archive",
	.is_ours = is_top_name,
	.folder = OTF2_NAME,
	.is_ours_below = is_location_name,
};

static void otf2_free(struct iot_sink *sink)
{
	struct otf2 *otf2 = (struct otf2 *)sink;

	if (!otf2)
		return;
	otf2_store_free(otf2->store);
	iot_out_dir_free(otf2->dir);
	g_array_unref(otf2->gaps);
	g_free(otf2);
}

static struct iot_sink *otf2_open(const struct iot_sink_args *args, GError **error)
{
	struct otf2 *otf2 = g_new0(struct otf2, 1);

	otf2->base.ops = &iot_sink_otf2;
	otf2->tl = args->tl;
	otf2->no_events = iot_sink_flag(args, "no-events");
	otf2->no_counters = iot_sink_flag(args, "no-counters");
	otf2->gaps = g_array_new(FALSE, FALSE, sizeof(struct iot_gap_lane));
	otf2->first_ns = G_MAXUINT64;
	otf2->dir = iot_out_dir_new(args->path, &otf2_folder, error);
	if (!otf2->dir) {
		otf2_free(&otf2->base);
		return NULL;
	}
	otf2->store =
		otf2_store_new(otf2->dir->path, CLAMP(args->memory / 2, MIN_STORE, MAX_STORE));
	return &otf2->base;
}

static struct otf2_stream *find_stream(struct otf2 *otf2, guint64 key)
{
	if (!otf2->last || otf2->last->key != key)
		otf2->last = otf2_store_stream(otf2->store, key);
	return otf2->last;
}

static inline guint8 *put_uint(guint8 *p, guint64 value)
{
	for (; value >= 0x80; value >>= 7)
		*p++ = (guint8)value | 0x80;
	*p++ = (guint8)value;
	return p;
}

static guint8 *put_attrs(const struct otf2 *otf2, const struct iot_item *item, enum otf2_kind kind,
			 guint8 *p)
{
	const struct iot_type *type = iot_type_at(otf2->tl, item->type);
	guint mask = 0;

	for (guint i = 0; i < item->n_attrs && i < type->n_attrs; i++)
		if (item->attr[i].u &&
		    (kind == OTF2_POINT || type->attr[i].late == (kind == OTF2_LEAVE)))
			mask |= 1u << i;
	p = put_uint(p, mask);
	for (guint i = 0; mask >> i; i++)
		if (mask >> i & 1)
			p = put_uint(p, item->attr[i].u);
	return p;
}

/* The head of an event. */
static guint8 *put_event(struct otf2 *otf2, struct otf2_stream *stream, enum otf2_kind kind,
			 guint64 time, guint8 *p)
{
	*p++ = (guint8)kind;
	p = put_uint(p, time - stream->time);
	stream->time = time;
	stream->n_events += kind == OTF2_POINT ? 2 : 1;
	otf2->first_ns = MIN(otf2->first_ns, time);
	otf2->last_ns = MAX(otf2->last_ns, time);
	return p;
}

static guint8 *put_marks(guint8 *event, guint8 *p, guint marks)
{
	if (!marks)
		return p;
	*event |= OTF2_HAS_MARKS;
	return put_uint(p, marks);
}

static gboolean add_event(struct otf2 *otf2, const struct iot_item *item, enum otf2_kind kind,
			  GError **error)
{
	guint type = kind == OTF2_POINT ? OTF2_EVENTS : item->type;
	guint64 key = OTF2_KEY_TYPE(type) | OTF2_KEY_LANE(item->lane) | item->row;
	struct otf2_stream *stream = find_stream(otf2, key);
	guint8 event[EVENT_ROOM], *p = put_event(otf2, stream, kind, item->t1, event);

	p = put_uint(p, item->cat);
	if (kind != OTF2_ENTER)
		p = put_marks(event, p, item->flags);
	p = put_attrs(otf2, item, kind, p);
	return otf2_store_append(otf2->store, stream, event, (gsize)(p - event), error);
}

static gboolean add_sample(struct otf2 *otf2, const struct iot_item *item, GError **error)
{
	struct otf2_stream *stream = find_stream(otf2, OTF2_KEY_TYPE(OTF2_EVENTS) | item->row);
	guint8 event[EVENT_ROOM], *p = put_event(otf2, stream, OTF2_SAMPLE, item->t1, event);

	p = put_uint(p, item->type);
	p = put_uint(p, (guint64)iot_sample_value(item));
	return otf2_store_append(otf2->store, stream, event, (gsize)(p - event), error);
}

/* A state without category; the number of lost events is an attribute of its end. */
static gboolean add_gap(struct otf2 *otf2, const struct iot_item *item, GError **error)
{
	const struct iot_gap_lane *lane = iot_gap_lane_take(otf2->gaps, item);
	guint64 key = OTF2_KEY_TYPE(OTF2_GAPS) | OTF2_KEY_LANE(lane->lane) | lane->number;
	struct otf2_stream *stream = find_stream(otf2, key);
	guint8 begin[EVENT_ROOM], end[EVENT_ROOM], *p;
	gboolean counted = iot_gap_lost(item) != IOT_LOST_UNKNOWN;

	p = put_uint(put_event(otf2, stream, OTF2_ENTER, item->t0, begin), 0);
	*p++ = 0;
	if (!otf2_store_append(otf2->store, stream, begin, (gsize)(p - begin), error))
		return FALSE;
	p = put_uint(put_event(otf2, stream, OTF2_LEAVE, item->t1, end), 0);
	p = put_marks(end, p, item->flags);
	*p++ = counted;
	if (counted)
		p = put_uint(p, iot_gap_lost(item));
	return otf2_store_append(otf2->store, stream, end, (gsize)(p - end), error);
}

static gboolean otf2_item(struct iot_sink *sink, const struct iot_item *item, GError **error)
{
	struct otf2 *otf2 = (struct otf2 *)sink;

	switch (item->kind) {
	case IOT_ITEM_SPAN_BEGIN:
	case IOT_ITEM_SPAN:
		/* States on the last lane need not nest, and readers refuse what does not. */
		if (item->lane != IOT_LAST_LANE)
			return add_event(otf2, item,
					 item->kind == IOT_ITEM_SPAN ? OTF2_LEAVE : OTF2_ENTER,
					 error);
		if (item->kind == IOT_ITEM_SPAN)
			iot_diag_add(&otf2->diag, IOT_DIAG_states_left_out, 1);
		return TRUE;
	case IOT_ITEM_POINT:
		return otf2->no_events || add_event(otf2, item, OTF2_POINT, error);
	case IOT_ITEM_SAMPLE:
		return otf2->no_counters || add_sample(otf2, item, error);
	case IOT_ITEM_LINK:
		iot_diag_add(&otf2->diag, IOT_DIAG_links_left_out, 1);
		return TRUE;
	case IOT_ITEM_GAP:
		return add_gap(otf2, item, error);
	default:
		g_set_error(error, IOT_ERROR, IOT_ERROR_INTERNAL, "an item of unknown kind %u",
			    item->kind);
		return FALSE;
	}
}

static gboolean otf2_finish(struct iot_sink *sink, const struct iot_summary *summary,
			    GError **error)
{
	struct otf2 *otf2 = (struct otf2 *)sink;

	(void)summary;
	return otf2_archive_write(otf2, error) && iot_out_dir_publish(otf2->dir, error);
}

static const struct iot_diag *otf2_diag(const struct iot_sink *sink)
{
	return &((const struct otf2 *)sink)->diag;
}

static gsize otf2_memory(const struct iot_sink *sink)
{
	const struct otf2 *otf2 = (const struct otf2 *)sink;

	return otf2->store->used + (otf2->store->file ? IOT_OUT_BUFFER : 0) +
	       otf2->store->streams->len * sizeof(struct otf2_stream);
}

const struct iot_sink_ops iot_sink_otf2 = {
	.name = "otf2",
	.summary = "OTF2 archive (a directory) for Vampir, ViTE and otf2-print",
	.suffix = "-otf2",
	.needs_file = TRUE,
	.writes_folder = TRUE,
	.feed = IOT_FEED_WITH_BEGINS,
	.options = options,
	.open = otf2_open,
	.item = otf2_item,
	.finish = otf2_finish,
	.diag = otf2_diag,
	.memory = otf2_memory,
	.free = otf2_free,
};
