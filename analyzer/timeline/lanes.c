/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/lanes.h"

enum { MAX_LANES = IOT_LAST_LANE + 1 };

#define BUSY G_MAXUINT64

struct row_lanes {
	guint64 first; /* lane 0, by far the most used one: BUSY, or the time from which it is free
			*/
	gboolean used;
	GArray *more; /* of guint64: lanes 1 and up; NULL until needed */
};

struct iot_lanes {
	struct iot_timeline *tl;
	GArray *rows; /* of struct row_lanes, by row number */
};

static void row_lanes_clear(gpointer data)
{
	struct row_lanes *row = data;

	if (row->more)
		g_array_unref(row->more);
}

struct iot_lanes *iot_lanes_new(struct iot_timeline *tl)
{
	struct iot_lanes *lanes = g_new0(struct iot_lanes, 1);

	lanes->tl = tl;
	lanes->rows = g_array_new(FALSE, TRUE, sizeof(struct row_lanes));
	g_array_set_clear_func(lanes->rows, row_lanes_clear);
	return lanes;
}

void iot_lanes_free(struct iot_lanes *lanes)
{
	if (!lanes)
		return;
	g_array_unref(lanes->rows);
	g_free(lanes);
}

static struct row_lanes *lanes_of(struct iot_lanes *lanes, iot_row_id row)
{
	if (lanes->rows->len <= row)
		g_array_set_size(lanes->rows, row + 1);
	return &g_array_index(lanes->rows, struct row_lanes, row);
}

/* The first use of a row whose lane 0 is not for models. */
static void reserve(const struct iot_lanes *lanes, iot_row_id id, struct row_lanes *row)
{
	if (row->used || !iot_type_at(lanes->tl, iot_row_at(lanes->tl, id)->type)->lane_reserved)
		return;
	row->used = TRUE;
	row->first = BUSY;
}

static guint32 lanes_ever(const struct row_lanes *row)
{
	return row->used ? 1 + (row->more ? row->more->len : 0) : 0;
}

static guint64 *lane_at(struct row_lanes *row, guint32 lane)
{
	return lane ? &g_array_index(row->more, guint64, lane - 1) : &row->first;
}

static guint16 occupy(struct iot_lanes *lanes, iot_row_id id, guint32 lane)
{
	struct row_lanes *row = lanes_of(lanes, id);
	guint32 ever = lanes_ever(row);

	if (lane == ever && ever < MAX_LANES) {
		if (ever && !row->more)
			row->more = g_array_new(FALSE, TRUE, sizeof(guint64));
		if (ever)
			g_array_set_size(row->more, ever);
		row->used = TRUE;
		__atomic_store_n(&iot_row_at(lanes->tl, id)->n_lanes, (guint16)(ever + 1),
				 __ATOMIC_RELAXED);
	}
	if (G_UNLIKELY(lane > IOT_LAST_LANE)) {
		iot_diag_add(&lanes->tl->diag, IOT_DIAG_nest_violation, 1);
		lane = IOT_LAST_LANE;
	}
	*lane_at(row, lane) = BUSY;
	return (guint16)lane;
}

guint16 iot_lanes_take(struct iot_lanes *lanes, iot_row_id id, guint64 t0)
{
	struct row_lanes *row = lanes_of(lanes, id);
	guint32 lane = 0, ever;

	reserve(lanes, id, row);
	ever = lanes_ever(row);
	while (lane<ever && * lane_at(row, lane)> t0)
		lane++;
	return occupy(lanes, id, lane);
}

guint16 iot_lanes_take_unused(struct iot_lanes *lanes, iot_row_id id)
{
	struct row_lanes *row = lanes_of(lanes, id);

	reserve(lanes, id, row);
	return occupy(lanes, id, lanes_ever(row));
}

void iot_lanes_mark_used(struct iot_lanes *lanes, iot_row_id id, guint64 t)
{
	struct row_lanes *row = lanes_of(lanes, id);

	reserve(lanes, id, row);
	row->used = TRUE;
	if (row->first != BUSY)
		row->first = MAX(row->first, t);
}

void iot_lanes_release(struct iot_lanes *lanes, iot_row_id id, guint16 lane, guint64 t1)
{
	*lane_at(lanes_of(lanes, id), lane) = t1;
}

guint16 iot_lanes_assign(struct iot_lanes *lanes, iot_row_id id, guint64 t0, guint64 t1)
{
	struct row_lanes *row = lanes_of(lanes, id);
	guint16 lane;

	/* fast path: lane 0 is free */
	if (G_LIKELY(row->used && row->first <= t0) && !iot_slow_only()) {
		row->first = t1;
		return 0;
	}
	/* slow path */
	lane = iot_lanes_take(lanes, id, t0);
	iot_lanes_release(lanes, id, lane, t1);
	return lane;
}

gboolean iot_lanes_busy(const struct iot_lanes *lanes, iot_row_id id, guint16 lane)
{
	struct row_lanes *row;

	if (id >= lanes->rows->len)
		return FALSE;
	row = &g_array_index(lanes->rows, struct row_lanes, id);
	return lane < lanes_ever(row) && *lane_at(row, lane) == BUSY;
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
	iot_row_id last = 0;

	for (iot_row_id id = 1; id < lanes->rows->len; id++) {
		struct row_lanes *row = &g_array_index(lanes->rows, struct row_lanes, id);
		guint32 ever = lanes_ever(row);

		if (!ever)
			continue;
		iot_pack_uint(out, id - last);
		iot_pack_uint(out, ever - 1);
		for (guint32 lane = 0; lane < ever; lane++)
			save_lane(*lane_at(row, lane), now_ns, out);
		last = id;
	}
	iot_pack_uint(out, 0);
}

gboolean iot_lanes_load(struct iot_lanes *lanes, guint64 now_ns, struct iot_unpack *in)
{
	iot_row_id id = 0, step;

	while ((step = (iot_row_id)iot_unpack_uint(in, lanes->tl->rows.n - 1 - id))) {
		struct row_lanes *row = lanes_of(lanes, id += step);
		guint32 more = (guint32)iot_unpack_uint(in, MAX_LANES - 1);

		if (in->bad || more >= (gsize)(in->end - in->p))
			return iot_unpack_fail(in);
		row->used = TRUE;
		iot_row_at(lanes->tl, id)->n_lanes = (guint16)(more + 1);
		row->first = load_lane(now_ns, in);
		if (more)
			row->more = g_array_sized_new(FALSE, TRUE, sizeof(guint64), more);
		for (guint32 lane = 1; lane <= more; lane++) {
			guint64 free_from = load_lane(now_ns, in);

			g_array_append_val(row->more, free_from);
		}
	}
	return !in->bad;
}
