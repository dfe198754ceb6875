/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parquet: a folder with a file for each table of sinks/db.h, and the views for DuckDB. Items go to
 * their tables as they come. Gaps wait in a temporary file: their machines get numbers at the end.
 */
#include "sinks/parquet/parquet.h"
#include "base/error.h"
#include "base/out-dir.h"
#include "base/try-alloc.h"
#include "base/units.h"

#include <string.h>

#define SUFFIX ".parquet"
#define VIEWS  "views.sql"

static const char views_head[] = "-- Made by iotrace-analyze";

enum { MIN_WAITING = 64 << 10, MAX_WAITING = 16 << 20 };

/* Where the attributes of a type go. */
struct parquet_type {
	enum iot_db_fixed into;
	const struct iot_type *type;
	struct parquet_column *attr[IOT_MAX_ATTRS];
};

struct parquet {
	struct iot_sink base;
	const struct iot_timeline *tl;
	struct iot_db db;
	struct iot_out_dir *dir;
	struct parquet_work *work;
	gsize memory; /* for the pages of one table */
	struct parquet_table *items[IOT_DB_N_ITEMS];
	struct parquet_table *filled; /* the one that is filled at the end */
	struct parquet_type **types;
	guint n_types;
	struct iot_out *gaps;	    /* struct parquet_gap; NULL: none so far */
	struct iot_aggregate *sums; /* for the result tables */
};

struct parquet_gap {
	guint64 t0, t1, lost;
	guint32 node, flags;
};

/* --- the folder --- */

static gboolean is_ours(const char *name)
{
	return g_str_has_suffix(name, SUFFIX) || !strcmp(name, VIEWS);
}

static gboolean is_complete(const char *path)
{
	g_autofree char *views = g_build_filename(path, VIEWS, NULL);
	g_autofree char *text = NULL;

	return g_file_get_contents(views, &text, NULL, NULL) && g_str_has_prefix(text, views_head);
}

static const struct iot_out_dir_kind folder = {
	.format = "parquet",
	.noun = "tables",
	.whole = "this output",
	.is_ours = is_ours,
	.is_complete = is_complete,
};

static struct parquet_table *new_table(struct parquet *parquet, const struct iot_db_table *is,
				       GError **error)
{
	g_autofree char *name = g_strconcat(is->name, SUFFIX, NULL);
	struct iot_out *out = iot_out_dir_open(parquet->dir, name, error);

	return parquet_table_new(parquet->tl, parquet->work, is, out, parquet->memory, error);
}

/* --- the tables of sinks/db.h --- */

static struct parquet *parquet_of(struct iot_db *db)
{
	return (struct parquet *)(gpointer)((guint8 *)db - offsetof(struct parquet, db));
}

static gboolean finish_filled(struct parquet *parquet, GError **error)
{
	if (parquet->filled && !parquet_table_finish(parquet->filled, error))
		return FALSE;
	parquet_table_free(g_steal_pointer(&parquet->filled));
	return TRUE;
}

static gboolean begin_table(struct iot_db *db, const struct iot_db_table *is, GError **error)
{
	struct parquet *parquet = parquet_of(db);

	if (!finish_filled(parquet, error))
		return FALSE;
	parquet->filled = new_table(parquet, is, error);
	return parquet->filled != NULL;
}

static void put_text(struct parquet_table *table, struct parquet_column *column, const char *text)
{
	parquet_put(table, column, iot_intern_str(column->own, text));
}

static void put_value(struct parquet_table *table, struct parquet_column *column,
		      const struct iot_db_value *value)
{
	char digits[IOT_DIGITS_ROOM];

	if (value->is == IOT_DB_IS_NULL)
		return;
	if (value->is == IOT_DB_IS_TEXT) {
		put_text(table, column, value->text);
	} else if (column->texts == PARQUET_OWN) {
		g_snprintf(digits, sizeof(digits), "%" G_GINT64_FORMAT, value->i);
		put_text(table, column, digits);
	} else {
		parquet_put(table, column, value->u);
	}
}

static gboolean end_row(struct iot_db *db, const struct iot_db_value *values, GError **error)
{
	struct parquet_table *table = parquet_of(db)->filled;

	for (guint i = 0; i < table->n_columns; i++)
		put_value(table, &table->columns[i], &values[i]);
	return parquet_table_end_row(table, error);
}

/* --- items --- */

static void parquet_free(struct iot_sink *sink)
{
	struct parquet *parquet = (struct parquet *)sink;

	if (!parquet)
		return;
	for (guint i = 0; i < IOT_DB_N_ITEMS; i++)
		parquet_table_free(parquet->items[i]);
	parquet_table_free(parquet->filled);
	for (guint i = 0; i < parquet->n_types; i++)
		g_free(parquet->types[i]);
	g_free(parquet->types);
	iot_out_free(parquet->gaps);
	parquet_work_free(parquet->work);
	iot_db_clear(&parquet->db);
	iot_aggregate_free(parquet->sums);
	iot_out_dir_free(parquet->dir);
	g_free(parquet);
}

/* The marks are the flags of the item. */
static void use_marks(struct parquet_table *table)
{
	for (guint i = 0; i < table->n_columns; i++) {
		struct parquet_column *column = &table->columns[i];

		if (strcmp(column->name, "marks") != 0)
			continue;
		iot_intern_free(g_steal_pointer(&column->own));
		column->texts = PARQUET_MARKS;
	}
}

static gboolean open_tables(struct parquet *parquet, GError **error)
{
	for (guint i = 0; i < IOT_DB_N_ITEMS; i++) {
		parquet->items[i] = new_table(parquet, &parquet->db.table[i], error);
		if (!parquet->items[i])
			return FALSE;
		use_marks(parquet->items[i]);
	}
	return TRUE;
}

static struct iot_sink *parquet_open(const struct iot_sink_args *args, GError **error)
{
	struct parquet *parquet = g_new0(struct parquet, 1);

	parquet->base.ops = &iot_sink_parquet;
	parquet->tl = args->tl;
	parquet->memory = CLAMP(args->memory / 4, MIN_WAITING, MAX_WAITING);
	parquet->sums = iot_aggregate_new(args->tl);
	iot_db_init(&parquet->db, args->tl, begin_table, end_row);
	parquet->work = parquet_work_new(error);
	if (parquet->work)
		parquet->dir = iot_out_dir_new(args->path, &folder, error);
	if (parquet->dir && open_tables(parquet, error))
		return &parquet->base;
	parquet_free(&parquet->base);
	return NULL;
}

static struct parquet_type *new_type(struct parquet *parquet, iot_type_id id, GError **error)
{
	guint n = MAX(id + 1, parquet->tl->types.n);
	struct parquet_type *type;

	if (id >= parquet->n_types) {
		struct parquet_type **grown = iot_try_realloc(parquet->types, n * sizeof(*grown),
							      "types of states", error);

		if (!grown)
			return NULL;
		memset(grown + parquet->n_types, 0, (n - parquet->n_types) * sizeof(*grown));
		parquet->types = grown;
		parquet->n_types = n;
	}
	type = parquet->types[id] = g_new0(struct parquet_type, 1);
	type->type = iot_type_at(parquet->tl, id);
	type->into = iot_db_type_table(type->type);
	for (guint i = 0; i < type->type->n_attrs; i++)
		type->attr[i] = &parquet->items[type->into]->columns[iot_db_attr_column(
			&parquet->db, type->into, type->type->attr[i].name)];
	return type;
}

/* An attribute in a column of texts that has numbers in other types, or the other way round. */
static void put_mixed(struct parquet *parquet, struct parquet_table *table,
		      struct parquet_column *column, enum iot_attr_format format,
		      union iot_attr value)
{
	char digits[MAX(IOT_DIGITS_ROOM, IOT_REAL_ROOM)];
	const char *text = digits;
	gsize len;

	if (format == IOT_ATTR_STR)
		text = iot_tl_text(parquet->tl, value.u, digits, &len);
	else if (format == IOT_ATTR_REAL)
		len = strlen(iot_real_text(digits, iot_real_of(value.u)));
	else if (format == IOT_ATTR_INT)
		len = (gsize)g_snprintf(digits, sizeof(digits), "%" G_GINT64_FORMAT, value.i);
	else if (format == IOT_ATTR_HEX)
		len = (gsize)g_snprintf(digits, sizeof(digits), "0x%" G_GINT64_MODIFIER "x",
					value.u);
	else
		len = (gsize)(iot_digits(digits, value.u) - digits);
	parquet_put(table, column, iot_intern_bytes(column->own, text, len));
}

static inline void put_attrs(struct parquet *parquet, struct parquet_table *table,
			     const struct parquet_type *type, const struct iot_item *item)
{
	for (guint i = 0; i < type->type->n_attrs; i++) {
		union iot_attr value = { .u = i < item->n_attrs ? item->attr[i].u : 0 };
		enum iot_attr_format format = type->type->attr[i].format;

		if (!value.u && (format == IOT_ATTR_STR || format == IOT_ATTR_HEX))
			continue;
		if (G_LIKELY(type->attr[i]->texts != PARQUET_OWN))
			parquet_put(table, type->attr[i], value.u);
		else
			put_mixed(parquet, table, type->attr[i], format, value);
	}
}

static guint64 rel(const struct parquet *parquet, guint64 t)
{
	return t - parquet->tl->origin_ns;
}

/* The next column, from the first one on. */
static inline void put_next(struct parquet_table *table, guint *column, guint64 value)
{
	parquet_put(table, &table->columns[(*column)++], value);
}

static inline void put_marks(struct parquet_table *table, guint *column, guint flags)
{
	if (flags)
		parquet_put(table, &table->columns[*column], flags);
	++*column;
}

/* An end that is not in the recordings is absent. */
static void put_end(struct parquet_table *table, guint *column, gboolean unseen, guint row,
		    guint lane, guint64 t)
{
	const guint64 values[] = { row, lane, t };

	for (guint i = 0; i < G_N_ELEMENTS(values); i++, ++*column)
		if (!unseen)
			parquet_put(table, &table->columns[*column], values[i]);
}

static gboolean add_on_row(struct parquet *parquet, const struct iot_item *item, GError **error)
{
	struct parquet_type *type =
		item->type < parquet->n_types ? parquet->types[item->type] : NULL;
	struct parquet_table *table;
	guint column = 0;

	if (!type && !(type = new_type(parquet, item->type, error)))
		return FALSE;
	table = parquet->items[type->into];
	put_next(table, &column, table->n_rows + 1);
	if (item->kind == IOT_ITEM_LINK) {
		gboolean stub = iot_link_is_stub(item);
		gboolean no_to = stub && item->flags & IOT_TO_UNSEEN;

		put_end(table, &column, stub && !no_to, item->row, item->lane,
			rel(parquet, iot_link_from(item)));
		put_end(table, &column, no_to, item->row_to, item->lane_to,
			rel(parquet, iot_link_to(item)));
	} else {
		put_next(table, &column, rel(parquet, item->t0));
		if (item->kind == IOT_ITEM_SPAN)
			put_next(table, &column, rel(parquet, item->t1));
		put_next(table, &column, item->row);
		put_next(table, &column, item->lane);
	}
	put_next(table, &column, item->cat);
	put_marks(table, &column, item->flags);
	put_attrs(parquet, table, type, item);
	return parquet_table_end_row(table, error);
}

/* A whole number in a column of real ones is converted. */
static void put_value_of(struct parquet_table *table, guint *column, gint64 whole, gdouble real,
			 gboolean is_real)
{
	if (table->columns[*column].is.kind != IOT_DB_REAL)
		put_next(table, column, (guint64)whole);
	else
		put_next(table, column, iot_real_bits(is_real ? real : (gdouble)whole));
}

static gboolean add_sample(struct parquet *parquet, const struct iot_item *item, GError **error)
{
	gboolean real = iot_type_is_real(iot_type_at(parquet->tl, item->type));
	struct parquet_table *table = parquet->items[IOT_DB_SAMPLE];
	guint column = 0;

	put_next(table, &column, table->n_rows + 1);
	put_next(table, &column, rel(parquet, item->t0));
	put_next(table, &column, item->row);
	put_next(table, &column, item->cat);
	put_value_of(table, &column, iot_sample_value(item), iot_sample_real(item), real);
	put_value_of(table, &column, iot_sample_change(item),
		     iot_sample_real(item) - iot_sample_real_before(item), real);
	return parquet_table_end_row(table, error);
}

static gboolean add_gap(struct parquet *parquet, const struct iot_item *item, GError **error)
{
	const struct parquet_gap gap = { item->t0, item->t1, iot_gap_lost(item), iot_gap_node(item),
					 item->flags };

	iot_db_gap(&parquet->db, gap.node);
	if (!parquet->gaps) {
		parquet->gaps = iot_out_open_scratch(parquet->dir->path, MIN_WAITING, error);
		if (!parquet->gaps)
			return FALSE;
	}
	iot_out_write(parquet->gaps, &gap, sizeof(gap));
	return iot_out_check(parquet->gaps, error);
}

static gboolean parquet_item(struct iot_sink *sink, const struct iot_item *item, GError **error)
{
	struct parquet *parquet = (struct parquet *)sink;

	iot_aggregate_add(parquet->sums, item);
	switch (item->kind) {
	case IOT_ITEM_SPAN:
	case IOT_ITEM_POINT:
	case IOT_ITEM_LINK:
		return add_on_row(parquet, item, error);
	case IOT_ITEM_SAMPLE:
		return add_sample(parquet, item, error);
	case IOT_ITEM_GAP:
		return add_gap(parquet, item, error);
	default:
		g_set_error(error, IOT_ERROR, IOT_ERROR_INTERNAL,
			    "an item of kind %u in the feed of whole spans", item->kind);
		return FALSE;
	}
}

/* --- the end --- */

static gboolean put_gap(struct parquet *parquet, const struct parquet_gap *gap, GError **error)
{
	struct parquet_table *table = parquet->items[IOT_DB_GAP];
	guint column = 0;

	put_next(table, &column, table->n_rows + 1);
	put_next(table, &column, rel(parquet, gap->t0));
	put_next(table, &column, rel(parquet, gap->t1));
	put_next(table, &column, iot_db_node(&parquet->db, iot_tl_str(parquet->tl, gap->node)));
	if (gap->lost != IOT_LOST_UNKNOWN)
		parquet_put(table, &table->columns[column], gap->lost);
	column++;
	put_marks(table, &column, gap->flags);
	return parquet_table_end_row(table, error);
}

static gboolean put_gaps(struct parquet *parquet, GError **error)
{
	guint64 n = parquet->gaps ? iot_out_tell(parquet->gaps) : 0;

	for (guint64 at = 0; at < n;) {
		struct parquet_gap gaps[256];
		gsize len = MIN(n - at, sizeof(gaps));

		if (!iot_out_read_at(parquet->gaps, at, gaps, len, error))
			return FALSE;
		at += len;
		for (gsize i = 0; i < len / sizeof(*gaps); i++)
			if (!put_gap(parquet, &gaps[i], error))
				return FALSE;
	}
	return TRUE;
}

static void put_table_view(struct iot_out *out, const char *name)
{
	g_autoptr(GString) sql = g_string_new("CREATE VIEW ");

	iot_db_append_name(sql, name);
	g_string_append_printf(sql, " AS SELECT * FROM '%s" SUFFIX "';\n", name);
	iot_out_puts(out, sql->str);
}

static gboolean write_views(struct parquet *parquet, GError **error)
{
	g_autoptr(iot_out) out = iot_out_dir_open(parquet->dir, VIEWS, error);

	if (!out)
		return FALSE;
	iot_out_puts(out, views_head);
	iot_out_puts(out,
		     " " IOT_VERSION " for DuckDB. In this directory: duckdb -init " VIEWS "\n");
	for (guint i = 0; i < IOT_DB_N_FIXED; i++)
		put_table_view(out, parquet->db.table[i].name);
	for (guint i = 0; i < 2 * parquet->tl->n_views; i++) {
		g_autofree char *sql = iot_db_view(&parquet->db, i / 2, i % 2 == 0);

		if (!sql)
			continue;
		iot_out_puts(out, sql);
		iot_out_puts(out, ";\n");
	}
	return iot_out_finish(out, error);
}

static gboolean parquet_finish(struct iot_sink *sink, const struct iot_summary *summary,
			       GError **error)
{
	struct parquet *parquet = (struct parquet *)sink;

	if (!iot_db_complete(&parquet->db, summary, error) || !put_gaps(parquet, error))
		return FALSE;
	for (guint i = 0; i < IOT_DB_N_ITEMS; i++)
		if (!parquet_table_finish(parquet->items[i], error))
			return FALSE;
	return iot_db_results(&parquet->db, parquet->sums, summary, error) &&
	       finish_filled(parquet, error) && write_views(parquet, error) &&
	       iot_out_dir_publish(parquet->dir, error);
}

static gsize parquet_memory(const struct iot_sink *sink)
{
	const struct parquet *parquet = (const struct parquet *)sink;
	gsize columns = 0;

	for (guint i = 0; i < IOT_DB_N_ITEMS; i++)
		columns += parquet->items[i]->n_columns;
	return IOT_DB_N_ITEMS * parquet->memory + columns * PARQUET_PAGE * sizeof(guint64);
}

const struct iot_sink_ops iot_sink_parquet = {
	.name = "parquet",
	.summary =
		"Parquet files (a directory) for DuckDB, Spark, Polars, pandas and other engines",
	.suffix = "-parquet",
	.needs_file = TRUE,
	.writes_folder = TRUE,
	.has_tables = TRUE,
	.feed = IOT_FEED_WHOLE_SPANS,
	.open = parquet_open,
	.item = parquet_item,
	.finish = parquet_finish,
	.memory = parquet_memory,
	.free = parquet_free,
};
