/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/twins.h"
#include "base/intern.h"

#include <string.h>

/* The rows of one machine below rows with one name. */
struct place {
	guint64 key;
	GArray *rows; /* iot_row_id */
};

/* A file system and its lockspace. */
struct bond {
	iot_row_id a, b;
	gboolean broken;
};

struct iot_twins {
	const struct iot_timeline *tl;
	GHashTable *places; /* set of struct place */
	GArray *bonds;	    /* struct bond */
	guint n_rows;	    /* rows of the timeline that are in their places */
};

static void place_free(gpointer data)
{
	struct place *place = data;

	g_array_unref(place->rows);
	g_free(place);
}

struct iot_twins *iot_twins_new(const struct iot_timeline *tl)
{
	struct iot_twins *twins = g_new0(struct iot_twins, 1);

	twins->tl = tl;
	twins->places = g_hash_table_new_full(iot_pair_hash, g_int64_equal, NULL, place_free);
	twins->bonds = g_array_new(FALSE, FALSE, sizeof(struct bond));
	twins->n_rows = 1;
	return twins;
}

void iot_twins_free(struct iot_twins *twins)
{
	if (!twins)
		return;
	g_hash_table_unref(twins->places);
	g_array_unref(twins->bonds);
	g_free(twins);
}

guint64 iot_twins_place(const struct iot_timeline *tl, iot_row_id id)
{
	const struct iot_row *row = iot_row_at(tl, id);
	iot_str name;

	if (!id || !iot_type_at(tl, row->type)->twin)
		return 0;
	name = iot_row_at(tl, row->parent)->name;
	/* rows beyond the limit share one name */
	return strcmp(iot_tl_str(tl, name), "(others)") ? (guint64)name << 32 | row->id : 0;
}

/* The file system, or the lockspace: the row above the row with the name. */
static iot_row_id world(const struct iot_timeline *tl, iot_row_id row)
{
	return iot_row_at(tl, iot_row_at(tl, row)->parent)->parent;
}

static gboolean are_twins(const struct iot_timeline *tl, iot_row_id a, iot_row_id b)
{
	return iot_type_at(tl, iot_row_at(tl, a)->type)->twin == iot_row_at(tl, b)->type;
}

/* The bond of the two worlds, in any order; NULL: there is none yet. With @breaks, bonds of one of
 * them with a third world break. */
static struct bond *find_bond(const struct iot_twins *twins, iot_row_id a, iot_row_id b,
			      gboolean *breaks)
{
	for (guint i = 0; i < twins->bonds->len; i++) {
		struct bond *bond = &g_array_index(twins->bonds, struct bond, i);

		if ((bond->a == a && bond->b == b) || (bond->a == b && bond->b == a))
			return bond;
		if (breaks && (bond->a == a || bond->b == a || bond->a == b || bond->b == b))
			bond->broken = *breaks = TRUE;
	}
	return NULL;
}

static void meet(struct iot_twins *twins, iot_row_id row, iot_row_id other)
{
	struct bond new = { world(twins->tl, row), world(twins->tl, other), FALSE };

	if (are_twins(twins->tl, row, other) && !find_bond(twins, new.a, new.b, &new.broken))
		g_array_append_val(twins->bonds, new);
}

static void add_row(struct iot_twins *twins, iot_row_id row)
{
	guint64 key = iot_twins_place(twins->tl, row);
	struct place *place = key ? g_hash_table_lookup(twins->places, &key) : NULL;

	if (!key)
		return;
	if (!place) {
		place = g_new(struct place, 1);
		place->key = key;
		place->rows = g_array_new(FALSE, FALSE, sizeof(iot_row_id));
		g_hash_table_add(twins->places, place);
	}
	for (guint i = 0; i < place->rows->len; i++)
		meet(twins, row, g_array_index(place->rows, iot_row_id, i));
	g_array_append_val(place->rows, row);
}

iot_row_id iot_twins_find(struct iot_twins *twins, iot_row_id row, iot_row_id n_rows)
{
	guint64 key = iot_twins_place(twins->tl, row);
	const struct place *place;

	while (twins->n_rows < n_rows)
		add_row(twins, twins->n_rows++);
	place = key ? g_hash_table_lookup(twins->places, &key) : NULL;
	for (guint i = 0; place && i < place->rows->len; i++) {
		iot_row_id other = g_array_index(place->rows, iot_row_id, i);
		const struct bond *bond = are_twins(twins->tl, row, other)
						  ? find_bond(twins, world(twins->tl, row),
							      world(twins->tl, other), NULL)
						  : NULL;

		if (bond && !bond->broken)
			return other;
	}
	return 0;
}
