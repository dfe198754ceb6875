/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/subjects.h"
#include "base/intern.h"
#include "timeline/twins.h"

/* A resource with more things than this, such as a file with many paths, ends with "...". */
enum { MAX_NAMED = 3 };

struct iot_subjects {
	const struct iot_timeline *tl;
	GHashTable *things; /* by place: GArray of the rows (iot_row_id) that are things */
	GHashTable *names;  /* by resource: its text */
};

static guint64 place_of(const struct iot_row *row)
{
	return (guint64)row->thing << 32 | row->id;
}

static void add_row(GArray *rows, iot_row_id row)
{
	for (guint i = 0; i < rows->len; i++)
		if (g_array_index(rows, iot_row_id, i) == row)
			return;
	g_array_append_val(rows, row);
}

static GArray *rows_at(GHashTable *table, guint64 key)
{
	GArray *rows = g_hash_table_lookup(table, &key);

	if (!rows) {
		rows = g_array_new(FALSE, FALSE, sizeof(iot_row_id));
		g_hash_table_insert(table, g_memdup2(&key, sizeof(key)), rows);
	}
	return rows;
}

static GHashTable *table_of_rows(void)
{
	return g_hash_table_new_full(iot_pair_hash, g_int64_equal, g_free,
				     (GDestroyNotify)g_array_unref);
}

/* The things of each resource: on each machine, its row has the text of the thing's row. */
static GHashTable *find_abouts(const struct iot_subjects *subjects)
{
	const struct iot_timeline *tl = subjects->tl;
	struct iot_twins *twins = iot_twins_new(tl);
	GHashTable *abouts = table_of_rows();

	for (iot_row_id id = 1; id < tl->rows.n; id++) {
		const struct iot_row *row = iot_row_at(tl, id);
		guint64 key = place_of(row);
		const GArray *things =
			row->thing ? g_hash_table_lookup(subjects->things, &key) : NULL;
		iot_row_id twin;

		if (!things || iot_type_at(tl, row->type)->is_thing)
			continue;
		twin = iot_twins_find(twins, id, tl->rows.n);
		for (guint i = 0; i < things->len; i++) {
			iot_row_id thing = g_array_index(things, iot_row_id, i);

			add_row(rows_at(abouts, row->parent), thing);
			if (twin)
				add_row(rows_at(abouts, iot_row_at(tl, twin)->parent), thing);
		}
	}
	iot_twins_free(twins);
	return abouts;
}

/* Rows may have one name: the same path on several machines. */
static char *names_of(const struct iot_timeline *tl, const GArray *rows)
{
	GString *names = g_string_new(NULL);
	iot_str named[MAX_NAMED];
	guint n = 0;

	for (guint i = 0; i < rows->len; i++) {
		iot_str name = iot_row_at(tl, g_array_index(rows, iot_row_id, i))->name;
		guint k = 0;

		while (k < n && named[k] != name)
			k++;
		if (k < n)
			continue;
		g_string_append_printf(names, "%s%s", n ? ", " : "",
				       n == MAX_NAMED ? "..." : iot_tl_str(tl, name));
		if (n == MAX_NAMED)
			break;
		named[n++] = name;
	}
	return g_string_free(names, FALSE);
}

struct iot_subjects *iot_subjects_new(const struct iot_timeline *tl)
{
	struct iot_subjects *subjects = g_new0(struct iot_subjects, 1);
	g_autoptr(GHashTable) abouts = NULL;
	GHashTableIter iter;
	gpointer key, rows;

	subjects->tl = tl;
	subjects->things = table_of_rows();
	subjects->names = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	for (iot_row_id id = 1; id < tl->rows.n; id++) {
		const struct iot_row *row = iot_row_at(tl, id);

		if (row->thing && iot_type_at(tl, row->type)->is_thing)
			add_row(rows_at(subjects->things, place_of(row)), row->parent);
	}
	abouts = find_abouts(subjects);
	g_hash_table_iter_init(&iter, abouts);
	while (g_hash_table_iter_next(&iter, &key, &rows))
		g_hash_table_insert(subjects->names, GUINT_TO_POINTER(*(guint64 *)key),
				    names_of(tl, rows));
	if (g_hash_table_size(subjects->names))
		return subjects;
	iot_subjects_free(subjects);
	return NULL;
}

void iot_subjects_free(struct iot_subjects *subjects)
{
	if (!subjects)
		return;
	g_hash_table_unref(subjects->things);
	g_hash_table_unref(subjects->names);
	g_free(subjects);
}

const char *iot_subjects_name(const struct iot_subjects *subjects, iot_row_id row)
{
	const char *name =
		subjects ? g_hash_table_lookup(subjects->names, GUINT_TO_POINTER(row)) : NULL;

	if (name || !subjects || !row)
		return name;
	return g_hash_table_lookup(subjects->names,
				   GUINT_TO_POINTER(iot_row_at(subjects->tl, row)->parent));
}

void iot_subjects_add_column(const struct iot_subjects *subjects, struct iot_result_table *table)
{
	struct iot_column *column;

	if (!subjects)
		return;
	column = iot_result_column(table, "about", "about", IOT_COLUMN_TEXT);
	column->flags = IOT_COLUMN_OPTIONAL | IOT_COLUMN_SHRINK;
	/* before all others */
	column->drop = G_MAXUINT;
	column->help = g_strdup("what the resource is about, such as the file of a lock");
}

void iot_subjects_add_cell(const struct iot_subjects *subjects, struct iot_result_table *table,
			   iot_row_id row)
{
	if (subjects)
		iot_result_text(table, iot_subjects_name(subjects, row));
}
