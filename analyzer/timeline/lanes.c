/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/lanes.h"

enum { MAX_LANES = 65535 };

#define BUSY G_MAXUINT64

struct box_lanes {
	guint64 first; /* lane 0, by far the most used one: BUSY, or free from this time on */
	gboolean used;
	GArray *more; /* of guint64: lanes 1 and up; NULL until needed */
};

struct iot_lanes {
	struct iot_timeline *tl;
	GArray *boxes; /* of struct box_lanes, by box number */
};

static void box_lanes_clear(gpointer data)
{
	struct box_lanes *box = data;

	if (box->more)
		g_array_unref(box->more);
}

struct iot_lanes *iot_lanes_new(struct iot_timeline *tl)
{
	struct iot_lanes *lanes = g_new0(struct iot_lanes, 1);

	lanes->tl = tl;
	lanes->boxes = g_array_new(FALSE, TRUE, sizeof(struct box_lanes));
	g_array_set_clear_func(lanes->boxes, box_lanes_clear);
	return lanes;
}

void iot_lanes_free(struct iot_lanes *lanes)
{
	if (!lanes)
		return;
	g_array_unref(lanes->boxes);
	g_free(lanes);
}

static struct box_lanes *lanes_of(struct iot_lanes *lanes, iot_box_id box)
{
	if (lanes->boxes->len <= box)
		g_array_set_size(lanes->boxes, box + 1);
	return &g_array_index(lanes->boxes, struct box_lanes, box);
}

static guint32 lanes_ever(const struct box_lanes *box)
{
	return box->used ? 1 + (box->more ? box->more->len : 0) : 0;
}

static guint64 *lane_at(struct box_lanes *box, guint32 lane)
{
	return lane ? &g_array_index(box->more, guint64, lane - 1) : &box->first;
}

static guint16 occupy(struct iot_lanes *lanes, struct box_lanes *box, iot_box_id id, guint32 lane)
{
	guint32 ever = lanes_ever(box);

	if (lane == ever && ever < MAX_LANES) {
		if (ever && !box->more)
			box->more = g_array_new(FALSE, TRUE, sizeof(guint64));
		if (ever)
			g_array_set_size(box->more, ever);
		box->used = TRUE;
		iot_box_at(lanes->tl, id)->n_lanes = (guint16)(ever + 1);
	}
	lane = MIN(lane, MAX_LANES - 1);
	*lane_at(box, lane) = BUSY;
	return (guint16)lane;
}

guint16 iot_lanes_take(struct iot_lanes *lanes, iot_box_id id, guint64 t0)
{
	struct box_lanes *box = lanes_of(lanes, id);
	guint32 lane = 0, ever = lanes_ever(box);

	while (lane<ever && * lane_at(box, lane)> t0)
		lane++;
	return occupy(lanes, box, id, lane);
}

guint16 iot_lanes_take_unused(struct iot_lanes *lanes, iot_box_id id)
{
	struct box_lanes *box = lanes_of(lanes, id);

	return occupy(lanes, box, id, lanes_ever(box));
}

void iot_lanes_touch(struct iot_lanes *lanes, iot_box_id id, guint64 t)
{
	struct box_lanes *box = lanes_of(lanes, id);

	box->used = TRUE;
	if (box->first != BUSY)
		box->first = MAX(box->first, t);
}

void iot_lanes_release(struct iot_lanes *lanes, iot_box_id id, guint16 lane, guint64 t1)
{
	*lane_at(lanes_of(lanes, id), lane) = t1;
}
