/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/lanes.h"

enum { MAX_LANES = 65535 };

struct box_lanes {
	guint32 ever;		/* lanes 0 .. ever - 1 have been used */
	guint64 first;		/* busy bits of lanes 0 to 63 */
	GArray *more;		/* of guint64: the following ones; NULL until needed */
};

struct iot_lanes {
	struct iot_timeline *tl;
	GArray *boxes;		/* of struct box_lanes, by box number */
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

static guint64 *busy_word(struct box_lanes *box, guint32 lane)
{
	if (lane < 64)
		return &box->first;
	if (!box->more)
		box->more = g_array_new(FALSE, TRUE, sizeof(guint64));
	if (box->more->len < lane / 64)
		g_array_set_size(box->more, lane / 64);
	return &g_array_index(box->more, guint64, lane / 64 - 1);
}

static guint16 occupy(struct iot_lanes *lanes, struct box_lanes *box, iot_box_id id, guint32 lane)
{
	lane = MIN(lane, MAX_LANES - 1);
	*busy_word(box, lane) |= G_GUINT64_CONSTANT(1) << (lane % 64);
	if (lane >= box->ever) {
		box->ever = lane + 1;
		iot_box_at(lanes->tl, id)->n_lanes = (guint16)box->ever;
	}
	return (guint16)lane;
}

guint16 iot_lanes_take(struct iot_lanes *lanes, iot_box_id id)
{
	struct box_lanes *box = lanes_of(lanes, id);
	guint32 lane = 0;

	while (lane < box->ever && ~*busy_word(box, lane) == 0)
		lane += 64;
	while (lane < box->ever && *busy_word(box, lane) >> (lane % 64) & 1)
		lane++;
	return occupy(lanes, box, id, lane);
}

guint16 iot_lanes_take_unused(struct iot_lanes *lanes, iot_box_id id)
{
	struct box_lanes *box = lanes_of(lanes, id);

	return occupy(lanes, box, id, box->ever);
}

void iot_lanes_release(struct iot_lanes *lanes, iot_box_id id, guint16 lane)
{
	*busy_word(lanes_of(lanes, id), lane) &= ~(G_GUINT64_CONSTANT(1) << (lane % 64));
}
