/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/tools/cut-near.h"

#include <string.h>

struct instant {
	guint64 ns;
	guint64 node; /* its name in the strings of the timeline; 0: any */
};

struct iot_cut_near {
	/* the finding */
	char *path[2], *above[2]; /* its rows, and the rows above their nodes; or NULL */
	guint16 lane[2];
	guint n_orders;
	struct {
		char *node;
		guint64 ns;
	} order[4];
	/* noted */
	const struct iot_timeline *tl;
	GArray *rows;	      /* guint8 by row: its bits; 0: not looked at */
	GHashTable *instants; /* struct instant -> distance + 1 */
};

static guint hash_instant(gconstpointer key)
{
	const struct instant *instant = key;

	return g_int64_hash(&instant->ns) ^ (guint)instant->node;
}

static gboolean same_instant(gconstpointer a, gconstpointer b)
{
	return !memcmp(a, b, sizeof(struct instant));
}

/* Events of the node at this time are at most so far from the finding. */
static void note_instant(struct iot_cut_near *near, const struct instant *instant,
			 enum iot_cut_distance distance)
{
	gpointer known = g_hash_table_lookup(near->instants, instant);

	if (!known || GPOINTER_TO_UINT(known) > distance + 1)
		g_hash_table_replace(near->instants, g_memdup2(instant, sizeof(*instant)),
				     GUINT_TO_POINTER(distance + 1));
}

/* The path of the row above the node of @row, such as that of its resource; NULL: there is none. */
static char *path_above(const struct iot_timeline *tl, iot_row_id row)
{
	iot_row_id node = iot_row_node(tl, row), above = iot_row_thing(tl, node);

	return above ? iot_timeline_path(tl, above, "/") : NULL;
}

struct iot_cut_near *iot_cut_near_new(const struct iot_timeline *tl,
				      const struct iot_finding *finding)
{
	struct iot_cut_near *near = g_new0(struct iot_cut_near, 1);

	near->rows = g_array_new(FALSE, TRUE, sizeof(guint8));
	near->instants = g_hash_table_new_full(hash_instant, same_instant, g_free, NULL);
	for (guint i = 0; i < 2; i++) {
		if (finding->row[i]) {
			near->path[i] = iot_timeline_path(tl, finding->row[i], "/");
			near->above[i] = path_above(tl, finding->row[i]);
		}
		near->lane[i] = finding->lane[i];
	}
	near->n_orders = finding->n_orders;
	for (guint i = 0; i < 2 * finding->n_orders; i++) {
		const struct iot_instant *instant = &finding->order[i / 2][i % 2];

		near->order[i].node = g_strdup(iot_tl_str(tl, instant->node));
		near->order[i].ns = instant->ns;
	}
	return near;
}

void iot_cut_near_free(struct iot_cut_near *near)
{
	if (!near)
		return;
	for (guint i = 0; i < 2; i++) {
		g_free(near->path[i]);
		g_free(near->above[i]);
	}
	for (guint i = 0; i < G_N_ELEMENTS(near->order); i++)
		g_free(near->order[i].node);
	g_array_unref(near->rows);
	g_hash_table_unref(near->instants);
	g_free(near);
}

void iot_cut_near_start(struct iot_cut_near *near, struct iot_timeline *tl)
{
	near->tl = tl;
	/* the instants of the order that proves the finding, which may have no rows */
	for (guint i = 0; i < 2 * near->n_orders; i++) {
		struct instant instant = { near->order[i].ns,
					   iot_intern_str(tl->strings, near->order[i].node) };

		note_instant(near, &instant, IOT_CUT_OBJECTS);
	}
}

enum { LOOKED_AT = 1, ABOVE = 2, FIRST = 4, SECOND = 8 };

/* What a row is to the finding. */
static guint8 row_bits(struct iot_cut_near *near, iot_row_id row)
{
	g_autofree char *path = NULL, *above = NULL;
	guint8 *bits;

	if (near->rows->len <= row)
		g_array_set_size(near->rows, row + 1);
	bits = &g_array_index(near->rows, guint8, row);
	if (*bits)
		return *bits;
	path = iot_timeline_path(near->tl, row, "/");
	above = path_above(near->tl, row);
	*bits = LOOKED_AT;
	for (guint i = 0; i < 2; i++) {
		if (near->path[i] && !strcmp(path, near->path[i]))
			*bits |= FIRST << i;
		if (near->above[i] && !g_strcmp0(above, near->above[i]))
			*bits |= ABOVE;
	}
	return *bits;
}

static void note_end(struct iot_cut_near *near, iot_row_id row, guint64 ns,
		     enum iot_cut_distance distance)
{
	iot_row_id node = iot_row_node(near->tl, row);
	struct instant instant = { ns, node ? iot_row_at(near->tl, node)->name : 0 };

	note_instant(near, &instant, distance);
}

/* The times of the items on the rows of the finding are those of the events that matter. */
gboolean iot_cut_near_item(gpointer data, const struct iot_item *item, GError **error)
{
	struct iot_cut_near *near = data;
	guint8 bits = item->row ? row_bits(near, item->row) : 0;
	enum iot_cut_distance distance = IOT_CUT_RESOURCE;

	(void)error;
	if (item->kind == IOT_ITEM_LINK) {
		bits |= row_bits(near, item->row_to);
		if (!(bits & ~LOOKED_AT))
			return TRUE;
		note_end(near, item->row, iot_link_from(item), distance);
		note_end(near, item->row_to, iot_link_to(item), distance);
	} else if (bits & ~LOOKED_AT) {
		if (((bits & FIRST) && item->lane == near->lane[0]) ||
		    ((bits & SECOND) && item->lane == near->lane[1]))
			distance = IOT_CUT_OBJECTS;
		note_end(near, item->row, item->t0, distance);
		note_end(near, item->row, item->t1, distance);
	}
	return TRUE;
}

enum iot_cut_distance iot_cut_near_distance(const struct iot_cut_near *near, iot_str node,
					    const struct iot_rec *rec)
{
	enum iot_cut_distance nearest =
		rec->event->index >= IOT_EVENT_GAP_BEGIN ? IOT_CUT_RESOURCE : IOT_CUT_ANYTHING;

	for (guint i = 0; i < 2; i++) {
		struct instant instant = { rec->ts, i ? 0 : node };
		guint known = GPOINTER_TO_UINT(g_hash_table_lookup(near->instants, &instant));

		if (known)
			nearest = MIN(nearest, known - 1);
	}
	return nearest;
}
