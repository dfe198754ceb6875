/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file: row groups, one column after the other, and the footer. */
#include "sinks/parquet/parquet.h"
#include "sinks/parquet/parquet-thrift.h"
#include "base/error.h"

static const char magic[] = "PAR1";

enum { REQUIRED = 0, OPTIONAL = 1 };
enum { CONVERTED_UTF8 = 0, CONVERTED_UINT_64 = 14, CONVERTED_INT_64 = 18 };

/* Rows are in the order of this column, if the table has it: that of the ends of its items. */
static int sorted_column(const struct iot_db_table *is)
{
	static const char *const names[] = { "end_ns", "start_ns" };

	for (guint k = 0; k < G_N_ELEMENTS(names); k++)
		for (guint i = 0; !is->is_result && i < is->n_columns; i++)
			if (!strcmp(is->columns[i].name, names[k]) && !is->columns[i].attr)
				return (int)i;
	return -1;
}

struct parquet_table *parquet_table_new(const struct iot_timeline *tl, struct parquet_work *work,
					const struct iot_db_table *is, struct iot_out *out,
					gsize memory, GError **error)
{
	struct parquet_table *table = g_new0(struct parquet_table, 1);
	gboolean ok;

	table->tl = tl;
	table->work = work;
	table->n_columns = is->n_columns;
	table->columns = g_new0(struct parquet_column, is->n_columns);
	table->sorted = sorted_column(is);
	table->memory = memory;
	table->groups = g_byte_array_new();
	table->out = out;
	ok = table->out != NULL;
	for (guint i = 0; ok && i < is->n_columns; i++)
		ok = parquet_column_init(&table->columns[i], &is->columns[i], error);
	if (!ok) {
		parquet_table_free(table);
		return NULL;
	}
	iot_out_puts(table->out, magic);
	return table;
}

void parquet_table_free(struct parquet_table *table)
{
	if (!table)
		return;
	for (guint i = 0; i < table->n_columns; i++)
		parquet_column_clear(&table->columns[i]);
	g_free(table->columns);
	g_byte_array_unref(table->groups);
	iot_out_free(table->out);
	iot_out_free(table->spill);
	g_free(table);
}

/* --- pages that wait --- */

/* Pages of the row group to the temporary file, if there are too many. */
static gboolean spill(struct parquet_table *table, GError **error)
{
	gsize bytes = 0;

	for (guint i = 0; i < table->n_columns; i++)
		bytes += table->columns[i].chunk.rest->len;
	if (bytes <= table->memory)
		return TRUE;
	if (!table->spill) {
		table->spill = iot_out_open_scratch(table->out->path, 0, error);
		if (!table->spill)
			return FALSE;
	}
	for (guint i = 0; i < table->n_columns; i++) {
		struct parquet_chunk *chunk = &table->columns[i].chunk;
		struct parquet_piece piece = { iot_out_tell(table->spill), chunk->rest->len };

		if (!piece.len)
			continue;
		iot_out_write(table->spill, chunk->rest->data, piece.len);
		g_array_append_val(chunk->spilled, piece);
		g_byte_array_set_size(chunk->rest, 0);
	}
	return iot_out_check(table->spill, error);
}

static gboolean write_chunk(struct parquet_table *table, const struct parquet_chunk *chunk,
			    GError **error)
{
	GByteArray *bytes = table->work->packed;

	iot_out_write(table->out, chunk->head->data, chunk->head->len);
	for (guint i = 0; i < chunk->spilled->len; i++) {
		const struct parquet_piece *piece =
			&g_array_index(chunk->spilled, struct parquet_piece, i);

		g_byte_array_set_size(bytes, (guint)piece->len);
		if (!iot_out_read_at(table->spill, piece->offset, bytes->data, piece->len, error))
			return FALSE;
		iot_out_write(table->out, bytes->data, piece->len);
	}
	iot_out_write(table->out, chunk->rest->data, chunk->rest->len);
	return iot_out_check(table->out, error);
}

/* --- row groups --- */

static guint physical_type(const struct parquet_column *column)
{
	if (column->texts != PARQUET_NO_TEXTS)
		return PARQUET_BYTE_ARRAY;
	return column->is.kind == IOT_DB_REAL ? PARQUET_DOUBLE : PARQUET_INT64;
}

static void put_number(struct parquet_thrift *to, guint id, guint64 value)
{
	guint64 le = GUINT64_TO_LE(value);

	parquet_thrift_bytes(to, id, &le, sizeof(le));
}

static void put_statistics(struct parquet_thrift *meta, const struct parquet_column *column)
{
	const struct parquet_chunk *chunk = &column->chunk;
	struct parquet_thrift to = parquet_thrift_struct(meta, 12);

	parquet_thrift_int(&to, 3, THRIFT_I64, (gint64)chunk->n_absent);
	if (chunk->any && !chunk->long_text) {
		if (column->texts != PARQUET_NO_TEXTS) {
			parquet_thrift_bytes(&to, 5, chunk->greatest_text->str,
					     chunk->greatest_text->len);
			parquet_thrift_bytes(&to, 6, chunk->least_text->str,
					     chunk->least_text->len);
		} else {
			put_number(&to, 5, chunk->greatest);
			put_number(&to, 6, chunk->least);
		}
	}
	parquet_thrift_end(&to);
}

/* What the pages of the column may have: the footer need not say which have it. */
static void put_encodings(struct parquet_thrift *meta, const struct parquet_column *column)
{
	guint encodings[4] = { PARQUET_PLAIN, PARQUET_RLE }, n = 2;

	if (column->chunk.head->len)
		encodings[n++] = PARQUET_DICTIONARY;
	if (column->plain && physical_type(column) == PARQUET_INT64)
		encodings[n++] = PARQUET_DELTA;
	parquet_thrift_list(meta, 2, THRIFT_I32, n);
	for (guint i = 0; i < n; i++)
		iot_pack_uint(meta->out, parquet_zigzag(encodings[i]));
}

static void put_column(struct parquet_table *table, const struct parquet_column *column,
		       guint64 offset)
{
	const struct parquet_chunk *chunk = &column->chunk;
	struct parquet_thrift to = parquet_thrift_begin(table->groups), meta;

	parquet_thrift_int(&to, 2, THRIFT_I64, (gint64)offset);
	meta = parquet_thrift_struct(&to, 3);
	parquet_thrift_int(&meta, 1, THRIFT_I32, physical_type(column));
	put_encodings(&meta, column);
	parquet_thrift_list(&meta, 3, THRIFT_BINARY, 1);
	iot_pack_bytes(table->groups, column->name, strlen(column->name));
	parquet_thrift_int(&meta, 4, THRIFT_I32, chunk->codec);
	parquet_thrift_int(&meta, 5, THRIFT_I64, table->group_rows);
	parquet_thrift_int(&meta, 6, THRIFT_I64, (gint64)chunk->plain_bytes);
	parquet_thrift_int(&meta, 7, THRIFT_I64, (gint64)chunk->bytes);
	parquet_thrift_int(&meta, 9, THRIFT_I64, (gint64)(offset + chunk->head->len));
	if (chunk->head->len)
		parquet_thrift_int(&meta, 11, THRIFT_I64, (gint64)offset);
	put_statistics(&meta, column);
	parquet_thrift_end(&meta);
	parquet_thrift_end(&to);
}

/* After its columns, whose list it has. */
static void put_group(struct parquet_table *table, struct parquet_thrift *group, guint64 begin)
{
	guint64 bytes = 0, plain_bytes = 0;

	for (guint i = 0; i < table->n_columns; i++) {
		bytes += table->columns[i].chunk.bytes;
		plain_bytes += table->columns[i].chunk.plain_bytes;
	}
	parquet_thrift_int(group, 2, THRIFT_I64, (gint64)plain_bytes);
	parquet_thrift_int(group, 3, THRIFT_I64, table->group_rows);
	if (table->sorted >= 0) {
		struct parquet_thrift sorted = parquet_thrift_begin(table->groups);

		parquet_thrift_list(group, 4, THRIFT_STRUCT, 1);
		parquet_thrift_int(&sorted, 1, THRIFT_I32, table->sorted);
		parquet_thrift_bool(&sorted, 2, FALSE);
		parquet_thrift_bool(&sorted, 3, FALSE);
		parquet_thrift_end(&sorted);
	}
	parquet_thrift_int(group, 5, THRIFT_I64, (gint64)begin);
	parquet_thrift_int(group, 6, THRIFT_I64, (gint64)bytes);
	parquet_thrift_end(group);
}

static gboolean end_page(struct parquet_table *table, GError **error)
{
	for (guint i = 0; i < table->n_columns; i++)
		if (!parquet_column_page(table, &table->columns[i], table->page_rows, error))
			return FALSE;
	table->page_rows = 0;
	return spill(table, error);
}

static gboolean end_group(struct parquet_table *table, GError **error)
{
	guint64 begin = iot_out_tell(table->out);
	struct parquet_thrift group = parquet_thrift_begin(table->groups);

	parquet_thrift_list(&group, 1, THRIFT_STRUCT, table->n_columns);
	for (guint i = 0; i < table->n_columns; i++) {
		struct parquet_column *column = &table->columns[i];
		guint64 offset = iot_out_tell(table->out);

		if (!parquet_column_finish(table, column, error) ||
		    !write_chunk(table, &column->chunk, error))
			return FALSE;
		put_column(table, column, offset);
	}
	put_group(table, &group, begin);
	for (guint i = 0; i < table->n_columns; i++)
		parquet_column_restart(&table->columns[i]);
	iot_out_free(g_steal_pointer(&table->spill));
	table->n_groups++;
	table->group_rows = 0;
	return TRUE;
}

gboolean parquet_table_end_row(struct parquet_table *table, GError **error)
{
	table->page_rows++;
	table->group_rows++;
	table->n_rows++;
	if (G_LIKELY(table->page_rows < PARQUET_PAGE))
		return TRUE;
	return end_page(table, error) &&
	       (table->group_rows < PARQUET_GROUP || end_group(table, error));
}

/* --- footer --- */

static void put_schema(const struct parquet_column *column, GByteArray *out)
{
	struct parquet_thrift to = parquet_thrift_begin(out), logical, kind;
	guint type = physical_type(column);
	gboolean sign = column->is.kind == IOT_DB_INT;
	guint8 bits = 64;

	parquet_thrift_int(&to, 1, THRIFT_I32, type);
	parquet_thrift_int(&to, 3, THRIFT_I32, column->is.always ? REQUIRED : OPTIONAL);
	parquet_thrift_text(&to, 4, column->name);
	if (type == PARQUET_BYTE_ARRAY) {
		parquet_thrift_int(&to, 6, THRIFT_I32, CONVERTED_UTF8);
		logical = parquet_thrift_struct(&to, 10);
		kind = parquet_thrift_struct(&logical, 1);
		parquet_thrift_end(&kind);
		parquet_thrift_end(&logical);
	} else if (type == PARQUET_INT64) {
		parquet_thrift_int(&to, 6, THRIFT_I32, sign ? CONVERTED_INT_64 : CONVERTED_UINT_64);
		logical = parquet_thrift_struct(&to, 10);
		kind = parquet_thrift_struct(&logical, 10);
		parquet_thrift_field(&kind, 1, THRIFT_I8);
		g_byte_array_append(out, &bits, 1);
		parquet_thrift_bool(&kind, 2, sign);
		parquet_thrift_end(&kind);
		parquet_thrift_end(&logical);
	}
	parquet_thrift_end(&to);
}

static void put_root(const struct parquet_table *table, GByteArray *out)
{
	struct parquet_thrift root = parquet_thrift_begin(out);

	parquet_thrift_text(&root, 4, "schema");
	parquet_thrift_int(&root, 5, THRIFT_I32, table->n_columns);
	parquet_thrift_end(&root);
}

/* Statistics are in the order of the columns' types. */
static void put_orders(const struct parquet_table *table, GByteArray *out)
{
	for (guint i = 0; i < table->n_columns; i++) {
		struct parquet_thrift order = parquet_thrift_begin(out);
		struct parquet_thrift by_type = parquet_thrift_struct(&order, 1);

		parquet_thrift_end(&by_type);
		parquet_thrift_end(&order);
	}
}

static void put_footer(struct parquet_table *table)
{
	g_autoptr(GByteArray) out = g_byte_array_new();
	struct parquet_thrift to = parquet_thrift_begin(out);
	guint32 len;

	parquet_thrift_int(&to, 1, THRIFT_I32, 2);
	parquet_thrift_list(&to, 2, THRIFT_STRUCT, table->n_columns + 1);
	put_root(table, out);
	for (guint i = 0; i < table->n_columns; i++)
		put_schema(&table->columns[i], out);
	parquet_thrift_int(&to, 3, THRIFT_I64, (gint64)table->n_rows);
	parquet_thrift_list(&to, 4, THRIFT_STRUCT, table->n_groups);
	g_byte_array_append(out, table->groups->data, table->groups->len);
	parquet_thrift_text(&to, 6, "iotrace-analyze version " IOT_VERSION);
	parquet_thrift_list(&to, 7, THRIFT_STRUCT, table->n_columns);
	put_orders(table, out);
	parquet_thrift_end(&to);
	iot_out_write(table->out, out->data, out->len);
	len = GUINT32_TO_LE(out->len);
	iot_out_write(table->out, &len, sizeof(len));
	iot_out_puts(table->out, magic);
}

gboolean parquet_table_finish(struct parquet_table *table, GError **error)
{
	if (table->page_rows && !end_page(table, error))
		return FALSE;
	if (table->group_rows && !end_group(table, error))
		return FALSE;
	put_footer(table);
	return iot_out_finish(table->out, error);
}
