/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sqlite: a database with a table for each kind of item, for questions in SQL. */
#include "sinks/sqlite/sqlite.h"
#include "base/error.h"
#include "base/try-alloc.h"
#include "base/units.h"

enum { PAGE = 16384, MIN_CACHE = 1 << 20, MAX_CACHE = 64 << 20 };

static gboolean db_error(struct sqlite *sqlite, GError **error)
{
	if (!sqlite_vfs_check(sqlite->files, error))
		return FALSE;
	if (sqlite3_errcode(sqlite->db) == SQLITE_NOMEM)
		g_set_error(error, IOT_ERROR, IOT_ERROR_MEMORY, "no memory for SQLite");
	else
		g_set_error(error, IOT_ERROR, IOT_ERROR_OUTPUT, "SQLite: %s",
			    sqlite3_errmsg(sqlite->db));
	return FALSE;
}

gboolean sqlite_run(struct sqlite *sqlite, const char *sql, GError **error)
{
	return sqlite3_exec(sqlite->db, sql, NULL, NULL, NULL) == SQLITE_OK ||
	       db_error(sqlite, error);
}

sqlite3_stmt *sqlite_prepare(struct sqlite *sqlite, const char *sql, GError **error)
{
	sqlite3_stmt *statement = NULL;

	if (sqlite3_prepare_v2(sqlite->db, sql, -1, &statement, NULL) == SQLITE_OK)
		return statement;
	db_error(sqlite, error);
	return NULL;
}

gboolean sqlite_step(struct sqlite *sqlite, sqlite3_stmt *statement, GError **error)
{
	sqlite3_step(statement);
	return sqlite3_reset(statement) == SQLITE_OK || db_error(sqlite, error);
}

static gboolean is_ascii(const char *text, gsize len)
{
	for (gsize i = 0; i < len; i++)
		if ((gint8)text[i] <= 0) /* char is unsigned on some processors */
			return FALSE;
	return TRUE;
}

void sqlite_bind_text(sqlite3_stmt *statement, int column, const char *text, gsize len)
{
	g_autofree char *escaped = NULL;

	if (G_LIKELY(is_ascii(text, len) || g_utf8_validate_len(text, len, NULL))) {
		sqlite3_bind_text(statement, column, text, (int)len, SQLITE_STATIC);
		return;
	}
	escaped = iot_escape_bytes(text, len);
	sqlite3_bind_text(statement, column, escaped, -1, SQLITE_TRANSIENT);
}

void sqlite_bind_number(sqlite3_stmt *statement, int column, guint64 value, char digits[24])
{
	if (value <= G_MAXINT64)
		sqlite3_bind_int64(statement, column, (sqlite3_int64)value);
	else
		sqlite3_bind_text(statement, column, digits,
				  (int)(iot_digits(digits, value) - digits), SQLITE_STATIC);
}

static void sqlite_free(struct iot_sink *sink)
{
	struct sqlite *sqlite = (struct sqlite *)sink;

	if (!sqlite)
		return;
	for (guint i = 0; i < sqlite->n_types; i++) {
		if (sqlite->types[i])
			sqlite3_finalize(sqlite->types[i]->insert);
		g_free(sqlite->types[i]);
	}
	g_free(sqlite->types);
	iot_db_clear(&sqlite->tables);
	sqlite3_finalize(sqlite->sample);
	sqlite3_finalize(sqlite->gap);
	sqlite3_close(sqlite->db);
	sqlite_vfs_free(sqlite->files);
	iot_aggregate_free(sqlite->sums);
	g_free(sqlite);
}

/* Nobody else has the file, and it is renamed when it is complete: no journal, no sync. */
static gboolean open_db(struct sqlite *sqlite, GError **error)
{
	g_autofree char *pragmas = g_strdup_printf(
		"PRAGMA page_size=%d; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
		"PRAGMA locking_mode=EXCLUSIVE; PRAGMA temp_store=FILE; PRAGMA "
		"cache_size=-%" G_GUINT64_FORMAT "; BEGIN",
		PAGE, sqlite->cache >> 10);
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;

	if (sqlite3_open_v2("out", &sqlite->db, flags, sqlite_vfs_name(sqlite->files)) != SQLITE_OK)
		return db_error(sqlite, error);
	return sqlite_run(sqlite, pragmas, error);
}

static struct iot_sink *sqlite_open(const struct iot_sink_args *args, GError **error)
{
	struct sqlite *sqlite = g_new0(struct sqlite, 1);

	sqlite->base.ops = &iot_sink_sqlite;
	sqlite->tl = args->tl;
	sqlite->cache = CLAMP(args->memory / 2, MIN_CACHE, MAX_CACHE);
	iot_db_init(&sqlite->tables, args->tl, sqlite_begin, sqlite_row);
	sqlite->sums = iot_aggregate_new(args->tl);
	sqlite->files = sqlite_vfs_new(args->path, error);
	if (sqlite->files && open_db(sqlite, error) && sqlite_create(sqlite, error))
		return &sqlite->base;
	sqlite_free(&sqlite->base);
	return NULL;
}

/* --- items --- */

static sqlite3_int64 rel(const struct sqlite *sqlite, guint64 t)
{
	return (sqlite3_int64)(t - sqlite->tl->origin_ns);
}

static void bind_hex(sqlite3_stmt *insert, int column, guint64 value, char digits[24])
{
	char *p = digits;

	if (!value) {
		sqlite3_bind_null(insert, column);
		return;
	}
	*p++ = '0';
	*p++ = 'x';
	for (int shift = (63 - __builtin_clzll(value)) & ~3; shift >= 0; shift -= 4)
		*p++ = "0123456789abcdef"[value >> shift & 15];
	sqlite3_bind_text(insert, column, digits, (int)(p - digits), SQLITE_STATIC);
}

static void bind_str(const struct sqlite *sqlite, sqlite3_stmt *insert, int column, guint64 str,
		     char digits[24])
{
	gsize len;
	const char *text;

	if (!str) {
		sqlite3_bind_null(insert, column);
		return;
	}
	text = iot_tl_text(sqlite->tl, str, digits, &len);
	sqlite_bind_text(insert, column, text, len);
}

static void bind_attr(const struct sqlite *sqlite, struct sqlite_type *type, guint i,
		      union iot_attr value)
{
	int column = COLUMN_ATTR + (int)i;

	switch (type->type->attr[i].format) {
	case IOT_ATTR_INT:
		sqlite3_bind_int64(type->insert, column, value.i);
		break;
	case IOT_ATTR_UINT:
	case IOT_ATTR_DURATION:
		sqlite_bind_number(type->insert, column, value.u, type->digits[i]);
		break;
	case IOT_ATTR_HEX:
		bind_hex(type->insert, column, value.u, type->digits[i]);
		break;
	case IOT_ATTR_STR:
		bind_str(sqlite, type->insert, column, value.u, type->digits[i]);
		break;
	case IOT_ATTR_REAL:
		sqlite3_bind_double(type->insert, column, iot_real_of(value.u));
		break;
	}
}

static struct sqlite_type *new_type(struct sqlite *sqlite, iot_type_id id, GError **error)
{
	guint n = MAX(id + 1, sqlite->tl->types.n);
	struct sqlite_type *type;

	if (id >= sqlite->n_types) {
		struct sqlite_type **grown = iot_try_realloc(sqlite->types, n * sizeof(*grown),
							     "types of states", error);

		if (!grown)
			return NULL;
		memset(grown + sqlite->n_types, 0, (n - sqlite->n_types) * sizeof(*grown));
		sqlite->types = grown;
		sqlite->n_types = n;
	}
	type = sqlite->types[id] = g_new0(struct sqlite_type, 1);
	type->type = iot_type_at(sqlite->tl, id);
	type->insert = sqlite_insert_for(sqlite, type->type, error);
	return type->insert ? type : NULL;
}

static void bind_marks(struct sqlite_type *type, guint flags)
{
	if (flags)
		sqlite3_bind_text(type->insert, COLUMN_MARKS, iot_item_flag_names(flags), -1,
				  SQLITE_STATIC);
	else
		sqlite3_bind_null(type->insert, COLUMN_MARKS);
}

/* Bind the values that differ from the item before. */
static void bind_changes(const struct sqlite *sqlite, struct sqlite_type *type,
			 const struct iot_item *item)
{
	gboolean all = !type->bound;

	if (all || item->lane != type->lane)
		sqlite3_bind_int64(type->insert, COLUMN_LANE, item->lane);
	if (all || item->flags != type->marks)
		bind_marks(type, item->flags);
	type->lane = item->lane;
	type->marks = item->flags;
	for (guint i = 0; i < type->type->n_attrs; i++) {
		union iot_attr value = { .u = i < item->n_attrs ? item->attr[i].u : 0 };

		if (all || value.u != type->attr[i])
			bind_attr(sqlite, type, i, value);
		type->attr[i] = value.u;
	}
	type->bound = TRUE;
}

/* from_ns is after to_ns if the link runs backwards. An unseen end is NULL. */
static void bind_ends(const struct sqlite *sqlite, sqlite3_stmt *insert,
		      const struct iot_item *item)
{
	sqlite3_bind_int64(insert, COLUMN_START, rel(sqlite, iot_link_from(item)));
	sqlite3_bind_int64(insert, COLUMN_END, rel(sqlite, iot_link_to(item)));
	sqlite3_bind_int64(insert, COLUMN_ROW_TO, item->row_to);
	sqlite3_bind_int64(insert, COLUMN_LANE_TO, item->lane_to);
}

static void unbind_unseen(struct sqlite_type *type, const struct iot_item *item)
{
	static const int columns[2][3] = { { COLUMN_START, COLUMN_ROW, COLUMN_LANE },
					   { COLUMN_END, COLUMN_ROW_TO, COLUMN_LANE_TO } };
	guint to = item->flags & IOT_TO_UNSEEN ? 1 : 0;

	for (guint i = 0; i < G_N_ELEMENTS(columns[to]); i++)
		sqlite3_bind_null(type->insert, columns[to][i]);
	type->bound = FALSE;
}

static gboolean insert_on_row(struct sqlite *sqlite, const struct iot_item *item, GError **error)
{
	struct sqlite_type *type = item->type < sqlite->n_types ? sqlite->types[item->type] : NULL;

	if (!type && !(type = new_type(sqlite, item->type, error)))
		return FALSE;
	sqlite3_bind_int64(type->insert, COLUMN_START, rel(sqlite, item->t0));
	sqlite3_bind_int64(type->insert, COLUMN_ROW, item->row);
	sqlite3_bind_int64(type->insert, COLUMN_CATEGORY, item->cat);
	if (item->kind == IOT_ITEM_SPAN)
		sqlite3_bind_int64(type->insert, COLUMN_END, rel(sqlite, item->t1));
	else if (item->kind == IOT_ITEM_LINK)
		bind_ends(sqlite, type->insert, item);
	bind_changes(sqlite, type, item);
	if (item->kind == IOT_ITEM_LINK && iot_link_is_stub(item))
		unbind_unseen(type, item);
	return sqlite_step(sqlite, type->insert, error);
}

static gboolean insert_sample(struct sqlite *sqlite, const struct iot_item *item, GError **error)
{
	sqlite3_bind_int64(sqlite->sample, 1, rel(sqlite, item->t0));
	sqlite3_bind_int64(sqlite->sample, 2, item->row);
	sqlite3_bind_int64(sqlite->sample, 3, item->cat);
	if (iot_type_is_real(iot_type_at(sqlite->tl, item->type))) {
		sqlite3_bind_double(sqlite->sample, 4, iot_sample_real(item));
		sqlite3_bind_double(sqlite->sample, 5,
				    iot_sample_real(item) - iot_sample_real_before(item));
	} else {
		sqlite3_bind_int64(sqlite->sample, 4, iot_sample_value(item));
		sqlite3_bind_int64(sqlite->sample, 5, iot_sample_change(item));
	}
	return sqlite_step(sqlite, sqlite->sample, error);
}

/* The node is a name until the end, when nodes get their numbers. */
static gboolean insert_gap(struct sqlite *sqlite, const struct iot_item *item, GError **error)
{
	char digits[24];
	gsize len;
	const char *node = iot_intern_get(sqlite->tl->strings, iot_gap_node(item), &len);

	iot_db_gap(&sqlite->tables, iot_gap_node(item));
	sqlite3_bind_int64(sqlite->gap, 1, rel(sqlite, item->t0));
	sqlite3_bind_int64(sqlite->gap, 2, rel(sqlite, item->t1));
	sqlite_bind_text(sqlite->gap, 3, node, len);
	sqlite3_bind_null(sqlite->gap, 4);
	if (iot_gap_lost(item) != IOT_LOST_UNKNOWN)
		sqlite_bind_number(sqlite->gap, 4, iot_gap_lost(item), digits);
	sqlite3_bind_null(sqlite->gap, 5);
	if (item->flags)
		sqlite3_bind_text(sqlite->gap, 5, iot_item_flag_names(item->flags), -1,
				  SQLITE_STATIC);
	return sqlite_step(sqlite, sqlite->gap, error);
}

static gboolean sqlite_item(struct iot_sink *sink, const struct iot_item *item, GError **error)
{
	struct sqlite *sqlite = (struct sqlite *)sink;

	iot_aggregate_add(sqlite->sums, item);
	switch (item->kind) {
	case IOT_ITEM_SPAN:
	case IOT_ITEM_POINT:
	case IOT_ITEM_LINK:
		return insert_on_row(sqlite, item, error);
	case IOT_ITEM_SAMPLE:
		return insert_sample(sqlite, item, error);
	case IOT_ITEM_GAP:
		return insert_gap(sqlite, item, error);
	default:
		g_set_error(error, IOT_ERROR, IOT_ERROR_INTERNAL,
			    "an item of kind %u in the feed of whole spans", item->kind);
		return FALSE;
	}
}

static gboolean sqlite_finish(struct iot_sink *sink, const struct iot_summary *summary,
			      GError **error)
{
	struct sqlite *sqlite = (struct sqlite *)sink;

	if (!sqlite_complete(sqlite, summary, error) || !sqlite_run(sqlite, "COMMIT", error))
		return FALSE;
	for (guint i = 0; i < sqlite->n_types; i++)
		if (sqlite->types[i])
			sqlite3_finalize(g_steal_pointer(&sqlite->types[i]->insert));
	sqlite3_finalize(g_steal_pointer(&sqlite->sample));
	sqlite3_finalize(g_steal_pointer(&sqlite->gap));
	if (sqlite3_close(sqlite->db) != SQLITE_OK)
		return db_error(sqlite, error);
	sqlite->db = NULL;
	return sqlite_vfs_finish(sqlite->files, error);
}

static gsize sqlite_memory(const struct iot_sink *sink)
{
	return 2 * ((const struct sqlite *)sink)->cache + IOT_OUT_BUFFER;
}

const struct iot_sink_ops iot_sink_sqlite = {
	.name = "sqlite",
	.summary = "SQLite database with a table for each kind of item, for questions in SQL",
	.suffix = ".sqlite",
	.needs_file = TRUE,
	.has_tables = TRUE,
	.feed = IOT_FEED_WHOLE_SPANS,
	.open = sqlite_open,
	.item = sqlite_item,
	.finish = sqlite_finish,
	.memory = sqlite_memory,
	.free = sqlite_free,
};
