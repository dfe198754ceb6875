/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of the Perfetto output: perfetto.c makes an event of each item, perfetto-names.c writes
 * the packets that events refer to (texts, and at the end the tree of tracks).
 *
 * A link is a flow between two instants, one at each end. The slice that is open there has begun
 * long before the link is known, so it cannot carry the number of the flow itself.
 *
 * A track is a row of the picture, or a part of its content:
 *
 *	the row itself		the first type of spans on its type of rows, and the points
 *	a sibling of its name	the same on one of its further lanes; viewers merge them
 *	a child			any other type of spans, which may overlap the first one; a counter
 */
#ifndef IOT_SINKS_PERFETTO_PERFETTO_H
#define IOT_SINKS_PERFETTO_PERFETTO_H

#include "base/out.h"
#include "sinks/gap-lane.h"
#include "sinks/sink.h"

/* Room for an event without texts: some 60 bytes, and 32 for each attribute. */
enum { PERFETTO_EVENT_ROOM = 512 };

struct perfetto_attr {
	guint8 at;     /* its number in the item */
	guint8 format; /* enum iot_attr_format */
	guint8 len;
	guint8 head[13]; /* tag and name of the annotation, and the tag of its value */
};

/* One type of spans, points or links, or one counter, once an item has used it. */
struct perfetto_type {
	const struct iot_type *type;
	guint64 uuid; /* without row and lane */
	guint n_attrs, n_late;
	struct perfetto_attr attr[IOT_MAX_ATTRS], late[IOT_MAX_ATTRS];
	guint16 *lanes; /* by row: how many were drawn on */
	guint n_rows;
};

/* The fields that events of a category share: type of event, category and name. */
struct perfetto_cat {
	guint8 len; /* 0: not made yet */
	guint8 head[23];
};

struct perfetto {
	struct iot_sink base;
	const struct iot_timeline *tl;
	struct iot_out *out;
	gboolean begun, no_events, no_counters;
	struct perfetto_type **types; /* by type; NULL: no item yet */
	guint n_types;
	struct perfetto_cat *cats; /* by category */
	guint n_cats;
	/* By string: the number of its text in the file, 0 if it was not written. Numbers of
	 * strings themselves depend on the records read before the window. */
	guint32 *texts;
	guint n_texts;
	guint32 n_written; /* texts */
	guint n_names;	   /* names of annotations */
	guint64 n_links;
	GArray *gaps; /* struct iot_gap_lane */
};

/* Number of the category and of the name of gaps, which no type and no category reaches. */
#define PERFETTO_GAP G_MAXUINT32

enum { PERFETTO_NAME_MARKS = 1, PERFETTO_NAME_LOST, PERFETTO_NAMES };

/* UUIDs of tracks: the row, the lane, and the type if the track is no row itself. */
#define PERFETTO_UUID_LANE(lane) ((guint64)(lane) << 32)
#define PERFETTO_UUID_TYPE(type) ((guint64)(type) << 48)
#define PERFETTO_UUID_GAPS	 PERFETTO_UUID_TYPE(0xFFFF)

static inline guint64 perfetto_gap_uuid(const struct iot_gap_lane *lane)
{
	return PERFETTO_UUID_GAPS | PERFETTO_UUID_LANE(lane->lane) | lane->number;
}

/** perfetto_begin - the first packet; readers drop a sequence that does not begin with it */
void perfetto_begin(struct perfetto *perfetto);
/** perfetto_add_type - make what events of a type share, and write its texts */
struct perfetto_type *perfetto_add_type(struct perfetto *perfetto, iot_type_id id, GError **error);
/** perfetto_add_cat - the same of a category */
gboolean perfetto_add_cat(struct perfetto *perfetto, iot_cat_id id, GError **error);
/** perfetto_add_texts - write those texts of the attributes that no packet has yet */
gboolean perfetto_add_texts(struct perfetto *perfetto, const struct perfetto_type *type,
			    const struct iot_item *item, GError **error);
/** perfetto_add_lane - remember that something is drawn there; a counter is described at once */
gboolean perfetto_add_lane(struct perfetto *perfetto, struct perfetto_type *type,
			   const struct iot_item *item, GError **error);
/** perfetto_tracks - the tree of tracks, in the order of the ranks */
void perfetto_tracks(struct perfetto *perfetto);

static inline guint32 perfetto_text(const struct perfetto *perfetto, guint64 str)
{
	return str < perfetto->n_texts ? perfetto->texts[str] : 0;
}

#endif
