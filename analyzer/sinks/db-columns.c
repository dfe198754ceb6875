/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables that every database has, and a column for each attribute. */
#include "sinks/db.h"

#include <string.h>

#define ID                                                       \
	{                                                        \
		"id", IOT_DB_INT, .always = TRUE, .unique = TRUE \
	}
#define NUMBER(name)                             \
	{                                        \
		name, IOT_DB_INT, .always = TRUE \
	}
#define MAYBE(name)              \
	{                        \
		name, IOT_DB_INT \
	}
#define TEXT(name)                \
	{                         \
		name, IOT_DB_TEXT \
	}

static const struct iot_db_column span_columns[] = {
	ID,
	NUMBER("start_ns"),
	NUMBER("end_ns"),
	NUMBER("row"),
	NUMBER("lane"),
	NUMBER("category"),
	TEXT("marks"),
};
static const struct iot_db_column point_columns[] = {
	ID, NUMBER("start_ns"), NUMBER("row"), NUMBER("lane"), NUMBER("category"), TEXT("marks"),
};
static const struct iot_db_column link_columns[] = {
	ID,
	MAYBE("from_row"),
	MAYBE("from_lane"),
	MAYBE("from_ns"),
	MAYBE("to_row"),
	MAYBE("to_lane"),
	MAYBE("to_ns"),
	NUMBER("category"),
	TEXT("marks"),
};
static const struct iot_db_column sample_columns[] = {
	ID,
	NUMBER("start_ns"),
	NUMBER("row"),
	NUMBER("category"),
	NUMBER("value"),
	NUMBER("change"),
};
/* if a counter has real numbers */
static const struct iot_db_column real_sample_columns[] = {
	ID,
	NUMBER("start_ns"),
	NUMBER("row"),
	NUMBER("category"),
	{ "value", IOT_DB_REAL, .always = TRUE },
	{ "change", IOT_DB_REAL, .always = TRUE },
};
static const struct iot_db_column gap_columns[] = {
	ID,
	NUMBER("start_ns"),
	NUMBER("end_ns"),
	NUMBER("node"),
	{ "lost", IOT_DB_UINT },
	TEXT("marks"),
};
static const struct iot_db_column meta_columns[] = {
	{ "key", IOT_DB_TEXT, .always = TRUE, .unique = TRUE },
	{ "value", IOT_DB_MIXED },
};
static const struct iot_db_column input_columns[] = {
	ID,
	TEXT("path"),
	MAYBE("node"),
	TEXT("hostname"),
	TEXT("kernel"),
	TEXT("format"),
	TEXT("clock"),
	TEXT("protocol"),
	TEXT("sync"),
	NUMBER("cpus"),
	NUMBER("events"),
	NUMBER("lost"),
	MAYBE("first_ns"),
	MAYBE("last_ns"),
	NUMBER("damaged"),
};
static const struct iot_db_column row_columns[] = {
	ID,
	MAYBE("parent"),
	TEXT("type"),
	TEXT("name"),
	TEXT("path"),
	MAYBE("node"),
	NUMBER("lanes"),
	NUMBER("rank"),
	NUMBER("wait_ns"),
	NUMBER("items"),
};
static const struct iot_db_column node_columns[] = {
	ID,
	{ "name", IOT_DB_TEXT, .always = TRUE, .unique = TRUE },
};
static const struct iot_db_column category_columns[] = {
	ID,	      TEXT("kind"), TEXT("type"),   NUMBER("type_id"), TEXT("title"),
	TEXT("name"), TEXT("role"), TEXT("colour"), NUMBER("repeats"),
};

#define TABLE(name)                                                 \
	{                                                           \
#name, G_N_ELEMENTS(name##_columns), name##_columns \
	}

static const struct iot_db_table fixed[IOT_DB_N_FIXED] = {
	[IOT_DB_SPAN] = TABLE(span),   [IOT_DB_POINT] = TABLE(point),
	[IOT_DB_LINK] = TABLE(link),   [IOT_DB_SAMPLE] = TABLE(sample),
	[IOT_DB_GAP] = TABLE(gap),     [IOT_DB_META] = TABLE(meta),
	[IOT_DB_INPUT] = TABLE(input), [IOT_DB_ROW] = TABLE(row),
	[IOT_DB_NODE] = TABLE(node),   [IOT_DB_CATEGORY] = TABLE(category),
};

enum iot_db_fixed iot_db_type_table(const struct iot_type *type)
{
	return type->kind == IOT_TYPE_SPAN   ? IOT_DB_SPAN
	       : type->kind == IOT_TYPE_LINK ? IOT_DB_LINK
					     : IOT_DB_POINT;
}

static enum iot_db_kind kind_of(enum iot_attr_format format)
{
	static const enum iot_db_kind kinds[] = {
		[IOT_ATTR_INT] = IOT_DB_INT,	   [IOT_ATTR_UINT] = IOT_DB_UINT,
		[IOT_ATTR_DURATION] = IOT_DB_UINT, [IOT_ATTR_HEX] = IOT_DB_HEX,
		[IOT_ATTR_STR] = IOT_DB_TEXT,	   [IOT_ATTR_REAL] = IOT_DB_REAL,
	};

	return kinds[format];
}

/* Names of columns ignore case. */
static gboolean is_taken(const GArray *columns, const char *name)
{
	for (guint i = 0; i < columns->len; i++)
		if (!g_ascii_strcasecmp(g_array_index(columns, struct iot_db_column, i).name, name))
			return TRUE;
	return FALSE;
}

static struct iot_db_column *column_of(GArray *columns, iot_str attr)
{
	for (guint i = 0; i < columns->len; i++)
		if (g_array_index(columns, struct iot_db_column, i).attr == attr)
			return &g_array_index(columns, struct iot_db_column, i);
	return NULL;
}

/* Attributes of one name share a column. */
static void add_attr(struct iot_db *db, GArray *columns, const struct iot_attr_def *attr)
{
	struct iot_db_column *same = column_of(columns, attr->name);
	struct iot_db_column column = { .kind = kind_of(attr->format), .attr = attr->name };
	char *name;

	if (same) {
		if (same->kind != column.kind)
			same->kind = IOT_DB_MIXED;
		return;
	}
	name = g_strdup(iot_tl_str(db->tl, attr->name));
	while (is_taken(columns, name)) {
		char *longer = g_strconcat("attr_", name, NULL);

		g_free(name);
		name = longer;
	}
	g_ptr_array_add(db->names, name);
	column.name = name;
	g_array_append_val(columns, column);
}

static void add_attrs(struct iot_db *db, enum iot_db_fixed index)
{
	struct iot_db_table *table = &db->table[index];
	GArray *columns = g_array_new(FALSE, FALSE, sizeof(struct iot_db_column));

	g_array_append_vals(columns, table->columns, table->n_columns);
	for (iot_type_id id = 1; id < db->tl->types.n; id++) {
		const struct iot_type *type = iot_type_at(db->tl, id);

		if (type->kind != IOT_TYPE_SPAN && type->kind != IOT_TYPE_POINT &&
		    type->kind != IOT_TYPE_LINK)
			continue;
		for (guint i = 0; iot_db_type_table(type) == index && i < type->n_attrs; i++)
			add_attr(db, columns, &type->attr[i]);
	}
	table->n_columns = columns->len;
	table->columns = db->owned[index] =
		(struct iot_db_column *)(gpointer)g_array_free(columns, FALSE);
}

void iot_db_init(struct iot_db *db, const struct iot_timeline *tl, iot_db_begin_func begin,
		 iot_db_row_func row)
{
	*db = (struct iot_db){ .tl = tl, .begin = begin, .row = row };
	memcpy(db->table, fixed, sizeof(fixed));
	db->names = g_ptr_array_new_with_free_func(g_free);
	db->view_names = g_ptr_array_new_with_free_func(g_free);
	db->gap_nodes = g_hash_table_new(NULL, NULL);
	db->nodes = g_hash_table_new(g_str_hash, g_str_equal);
	db->node_names = g_ptr_array_new();
	for (iot_type_id id = 1; id < tl->types.n; id++)
		if (iot_type_at(tl, id)->kind == IOT_TYPE_COUNTER &&
		    iot_type_is_real(iot_type_at(tl, id)))
			db->table[IOT_DB_SAMPLE].columns = real_sample_columns;
	add_attrs(db, IOT_DB_SPAN);
	add_attrs(db, IOT_DB_POINT);
	add_attrs(db, IOT_DB_LINK);
	iot_db_name_views(db);
}

void iot_db_clear(struct iot_db *db)
{
	if (!db->names)
		return;
	for (guint i = 0; i < G_N_ELEMENTS(db->owned); i++)
		g_free(db->owned[i]);
	g_ptr_array_unref(db->names);
	g_ptr_array_unref(db->view_names);
	g_hash_table_unref(db->gap_nodes);
	g_hash_table_unref(db->nodes);
	g_ptr_array_unref(db->node_names);
}

guint iot_db_attr_column(const struct iot_db *db, enum iot_db_fixed table, iot_str attr)
{
	const struct iot_db_table *of = &db->table[table];

	for (guint i = 0; i < of->n_columns; i++)
		if (of->columns[i].attr == attr)
			return i;
	g_assert_not_reached();
}
