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

guint16 iot_lanes_pass(struct iot_lanes *lanes, iot_box_id id, guint64 t0, guint64 t1)
{
	struct box_lanes *box = lanes_of(lanes, id);
	guint16 lane;

	if (G_LIKELY(box->used && box->first <= t0)) {
		box->first = t1;
		return 0;
	}
	lane = iot_lanes_take(lanes, id, t0);
	iot_lanes_release(lanes, id, lane, t1);
	return lane;
}

gboolean iot_lanes_busy(const struct iot_lanes *lanes, iot_box_id id, guint16 lane)
{
	struct box_lanes *box;

	if (id >= lanes->boxes->len)
		return FALSE;
	box = &g_array_index(lanes->boxes, struct box_lanes, id);
	return lane < lanes_ever(box) && *lane_at(box, lane) == BUSY;
}

/* 0: busy; else how long it has been free */
static void save_lane(guint64 free_from, guint64 now, GByteArray *out)
{
	iot_pack_uint(out, free_from == BUSY ? 0 : now - MIN(free_from, now) + 1);
}

static guint64 load_lane(guint64 now, struct iot_unpack *in)
{
	guint64 since = iot_unpack_uint(in, now + 1);

	return since ? now - (since - 1) : BUSY;
}

void iot_lanes_save(const struct iot_lanes *lanes, guint64 now_ns, GByteArray *out)
{
	iot_box_id last = 0;

	for (iot_box_id id = 1; id < lanes->boxes->len; id++) {
		struct box_lanes *box = &g_array_index(lanes->boxes, struct box_lanes, id);
		guint32 ever = lanes_ever(box);

		if (!ever)
			continue;
		iot_pack_uint(out, id - last);
		iot_pack_uint(out, ever - 1);
		for (guint32 lane = 0; lane < ever; lane++)
			save_lane(*lane_at(box, lane), now_ns, out);
		last = id;
	}
	iot_pack_uint(out, 0);
}

gboolean iot_lanes_load(struct iot_lanes *lanes, guint64 now_ns, struct iot_unpack *in)
{
	iot_box_id id = 0, step;

	while ((step = (iot_box_id)iot_unpack_uint(in, lanes->tl->boxes.n - 1 - id))) {
		struct box_lanes *box = lanes_of(lanes, id += step);
		guint32 more = (guint32)iot_unpack_uint(in, MAX_LANES - 1);

		if (in->bad || more >= (gsize)(in->end - in->p))
			return iot_unpack_fail(in);
		box->used = TRUE;
		iot_box_at(lanes->tl, id)->n_lanes = (guint16)(more + 1);
		box->first = load_lane(now_ns, in);
		if (more)
			box->more = g_array_sized_new(FALSE, TRUE, sizeof(guint64), more);
		for (guint32 lane = 1; lane <= more; lane++) {
			guint64 free_from = load_lane(now_ns, in);

			g_array_append_val(box->more, free_from);
		}
	}
	return !in->bad;
}
