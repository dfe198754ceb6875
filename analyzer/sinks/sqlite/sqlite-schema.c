/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/sqlite/sqlite.h"

#include <string.h>

/* Columns have no type: numbers and texts stay as they are inserted. */
static const char tables[] =
	"CREATE TABLE meta(key PRIMARY KEY, value);"
	"CREATE TABLE input(id INTEGER PRIMARY KEY, path, node, hostname, kernel, format, clock,"
	" protocol, sync, cpus, events, lost, first_ns, last_ns, damaged);"
	"CREATE TABLE node(id INTEGER PRIMARY KEY, name UNIQUE);"
	"CREATE TABLE row(id INTEGER PRIMARY KEY, parent, type, name, path, node, lanes, rank,"
	" wait_ns, items);"
	"CREATE TABLE category(id INTEGER PRIMARY KEY, kind, type, type_id, title, name, role, "
	"colour,"
	" repeats);"
	"CREATE TABLE sample(id INTEGER PRIMARY KEY, start_ns, row, category, value, change);"
	"CREATE TABLE gap(id INTEGER PRIMARY KEY, start_ns, end_ns, node, lost, marks);";

static const char span_columns[] = "id INTEGER PRIMARY KEY, start_ns, end_ns, row, lane, category,"
				   " marks";
static const char point_columns[] = "id INTEGER PRIMARY KEY, start_ns, row, lane, category, marks";
static const char link_columns[] = "id INTEGER PRIMARY KEY, from_row, from_lane, from_ns, to_row,"
				   " to_lane, to_ns, category, marks";

/* Entries of one row stand by id, which is the order of the ends. */
static const char indexes[] = "CREATE INDEX span_row ON span(row);"
			      "CREATE INDEX point_row ON point(row);"
			      "CREATE INDEX sample_row ON sample(row);"
			      "CREATE INDEX row_parent ON row(parent);";

static const char *const kinds[] = { [IOT_TYPE_ROW] = "row",
				     [IOT_TYPE_SPAN] = "span",
				     [IOT_TYPE_POINT] = "point",
				     [IOT_TYPE_COUNTER] = "counter",
				     [IOT_TYPE_LINK] = "link" };

static const char *const roles[] = {
	[IOT_ROLE_WAIT] = "wait",     [IOT_ROLE_HOLD] = "hold", [IOT_ROLE_CALL] = "call",
	[IOT_ROLE_RESULT] = "result", [IOT_ROLE_NODE] = "node", [IOT_ROLE_RESOURCE] = "resource"
};

/* --- names of columns --- */

static void append_name(GString *sql, const char *name)
{
	g_string_append_c(sql, '"');
	for (; *name; name++) {
		if (*name == '"')
			g_string_append_c(sql, '"');
		g_string_append_c(sql, *name);
	}
	g_string_append_c(sql, '"');
}

static gboolean is_word_of(const char *columns, const char *name)
{
	g_auto(GStrv) words = g_strsplit_set(columns, ", ", -1);

	for (guint i = 0; words[i]; i++)
		if (*words[i] && !g_ascii_strcasecmp(words[i], name))
			return TRUE;
	return FALSE;
}

static gboolean is_taken(const GArray *columns, const char *fixed, const char *name)
{
	for (guint i = 0; i < columns->len; i++)
		if (!g_ascii_strcasecmp(g_array_index(columns, struct sqlite_column, i).name, name))
			return TRUE;
	return is_word_of(fixed, name);
}

static const char *column_of(const GArray *columns, iot_str attr)
{
	for (guint i = 0; i < columns->len; i++)
		if (g_array_index(columns, struct sqlite_column, i).attr == attr)
			return g_array_index(columns, struct sqlite_column, i).name;
	return NULL;
}

/* Attributes of one name share a column. Names of columns ignore case. */
static void add_columns(const struct sqlite *sqlite, GArray *columns, const char *fixed,
			enum iot_type_kind kind)
{
	for (iot_type_id id = 1; id < sqlite->tl->types.n; id++) {
		const struct iot_type *type = iot_type_at(sqlite->tl, id);

		for (guint i = 0; type->kind == kind && i < type->n_attrs; i++) {
			struct sqlite_column column = { .attr = type->attr[i].name };

			if (column_of(columns, column.attr))
				continue;
			column.name = g_strdup(iot_tl_str(sqlite->tl, column.attr));
			while (is_taken(columns, fixed, column.name)) {
				char *longer = g_strconcat("attr_", column.name, NULL);

				g_free(column.name);
				column.name = longer;
			}
			g_array_append_val(columns, column);
		}
	}
}

static void create_table(GString *sql, const char *name, const char *fixed, const GArray *columns)
{
	g_string_append_printf(sql, "CREATE TABLE %s(%s", name, fixed);
	for (guint i = 0; i < columns->len; i++) {
		g_string_append(sql, ", ");
		append_name(sql, g_array_index(columns, struct sqlite_column, i).name);
	}
	g_string_append(sql, ");");
}

gboolean sqlite_create(struct sqlite *sqlite, GError **error)
{
	g_autoptr(GString) sql = g_string_new(tables);

	add_columns(sqlite, sqlite->spans, span_columns, IOT_TYPE_SPAN);
	add_columns(sqlite, sqlite->points, point_columns, IOT_TYPE_POINT);
	add_columns(sqlite, sqlite->links, link_columns, IOT_TYPE_LINK);
	create_table(sql, "span", span_columns, sqlite->spans);
	create_table(sql, "point", point_columns, sqlite->points);
	create_table(sql, "link", link_columns, sqlite->links);
	if (!sqlite_run(sqlite, sql->str, error))
		return FALSE;
	sqlite->sample = sqlite_prepare(sqlite,
					"INSERT INTO sample(start_ns, row, category, value, change)"
					" VALUES(?1, ?2, ?3, ?4, ?5)",
					error);
	if (!sqlite->sample)
		return FALSE;
	sqlite->gap = sqlite_prepare(sqlite,
				     "INSERT INTO gap(start_ns, end_ns, node, lost, marks)"
				     " VALUES(?1, ?2, ?3, ?4, ?5)",
				     error);
	return sqlite->gap != NULL;
}

sqlite3_stmt *sqlite_insert_for(struct sqlite *sqlite, const struct iot_type *type, GError **error)
{
	gboolean span = type->kind == IOT_TYPE_SPAN, link = type->kind == IOT_TYPE_LINK;
	const GArray *columns = span ? sqlite->spans : link ? sqlite->links : sqlite->points;
	g_autoptr(GString) sql = g_string_new("INSERT INTO ");

	if (link)
		g_string_append(sql, "link(from_ns, from_row, from_lane, category, marks, to_ns,"
				     " to_row, to_lane");
	else
		g_string_append_printf(sql, "%s(start_ns, row, lane, category, marks%s",
				       span ? "span" : "point", span ? ", end_ns" : "");
	for (guint i = 0; i < type->n_attrs; i++) {
		g_string_append(sql, ", ");
		append_name(sql, column_of(columns, type->attr[i].name));
	}
	g_string_append_printf(sql, ") VALUES(?%d, ?%d, ?%d, ?%d, ?%d", COLUMN_START, COLUMN_ROW,
			       COLUMN_LANE, COLUMN_CATEGORY, COLUMN_MARKS);
	if (span || link)
		g_string_append_printf(sql, ", ?%d", COLUMN_END);
	if (link)
		g_string_append_printf(sql, ", ?%d, ?%d", COLUMN_ROW_TO, COLUMN_LANE_TO);
	for (guint i = 0; i < type->n_attrs; i++)
		g_string_append_printf(sql, ", ?%u", COLUMN_ATTR + i);
	g_string_append_c(sql, ')');
	return sqlite_prepare(sqlite, sql->str, error);
}

/* --- tables that are filled at the end --- */

/* The values of one row; a NULL text is NULL. */
struct values {
	sqlite3_stmt *insert;
	int column;
};

static void bind_text(struct values *values, const char *text)
{
	values->column++;
	if (text)
		sqlite_bind_text(values->insert, values->column, text, strlen(text));
	else
		sqlite3_bind_null(values->insert, values->column);
}

static void bind_int(struct values *values, gint64 value)
{
	sqlite3_bind_int64(values->insert, ++values->column, value);
}

/* 0 is NULL: a number of a row or node that there is not. */
static void bind_id(struct values *values, guint id)
{
	if (id)
		bind_int(values, id);
	else
		sqlite3_bind_null(values->insert, ++values->column);
}

static gboolean step(struct sqlite *sqlite, struct values *values, GError **error)
{
	values->column = 0;
	return sqlite_step(sqlite, values->insert, error);
}

static gboolean put_meta(struct sqlite *sqlite, struct values *values, const char *key,
			 const char *text, GError **error)
{
	bind_text(values, key);
	bind_text(values, text);
	return step(sqlite, values, error);
}

static gboolean put_time(struct sqlite *sqlite, struct values *values, const char *key, guint64 t,
			 GError **error)
{
	bind_text(values, key);
	bind_int(values, (gint64)(t - sqlite->tl->origin_ns));
	return step(sqlite, values, error);
}

static char *join_views(const struct iot_timeline *tl)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < tl->n_views; i++)
		g_string_append_printf(text, "%s%s", i ? ", " : "",
				       iot_tl_str(tl, tl->view[i].title));
	return g_string_free(text, FALSE);
}

/* The host's instant of 0 is a text: it may be above 2^53, where many readers lose digits. */
static gboolean fill_meta(struct sqlite *sqlite, struct values *values,
			  const struct iot_summary *summary, GError **error)
{
	g_autofree char *begin = g_strdup_printf("%" G_GUINT64_FORMAT, sqlite->tl->origin_ns);
	g_autofree char *views = join_views(sqlite->tl);
	gboolean ok = put_meta(sqlite, values, "program", "iotrace-analyze " IOT_VERSION, error) &&
		      put_meta(sqlite, values, "format", "1", error) &&
		      put_meta(sqlite, values, "begin_ns", begin, error) &&
		      put_time(sqlite, values, "end_ns", summary->end_ns, error) &&
		      put_time(sqlite, values, "from_ns", summary->from_ns, error) &&
		      put_time(sqlite, values, "to_ns", summary->to_ns, error) &&
		      put_meta(sqlite, values, "views", views, error) &&
		      put_meta(sqlite, values, "unknown_systems", summary->unknown_systems, error);

	for (guint i = 0; ok && i < IOT_DIAG_COUNT; i++) {
		g_autofree char *key = g_strconcat("diag ", iot_diag_info(i)->name, NULL);

		if (!summary->diag.count[i])
			continue;
		bind_text(values, key);
		bind_int(values, (gint64)summary->diag.count[i]);
		ok = step(sqlite, values, error);
	}
	return ok;
}

/* Numbers of nodes by name: of the inputs, then of rows, then of gaps. */
static guint add_node(GHashTable *nodes, GPtrArray *names, const char *name)
{
	guint id;

	if (!name || !*name)
		return 0;
	id = GPOINTER_TO_UINT(g_hash_table_lookup(nodes, name));
	if (id)
		return id;
	g_ptr_array_add(names, (gpointer)name);
	g_hash_table_insert(nodes, (gpointer)name, GUINT_TO_POINTER(names->len));
	return names->len;
}

static gboolean fill_inputs(struct sqlite *sqlite, struct values *values,
			    const struct iot_summary *summary, GHashTable *nodes, GPtrArray *names,
			    GError **error)
{
	for (guint i = 0; i < summary->n_inputs; i++) {
		const struct iot_summary_input *input = &summary->inputs[i];

		bind_int(values, i + 1);
		bind_text(values, input->path);
		bind_id(values, add_node(nodes, names, input->node));
		bind_text(values, input->hostname);
		bind_text(values, input->kernel);
		bind_text(values, input->format);
		bind_text(values, input->clock);
		bind_text(values, input->protocol);
		bind_text(values, input->sync);
		bind_int(values, input->n_cpus);
		bind_int(values, (gint64)input->n_events);
		bind_int(values, (gint64)input->n_lost);
		sqlite3_bind_null(values->insert, values->column + 1);
		sqlite3_bind_null(values->insert, values->column + 2);
		if (input->has_times) {
			bind_int(values, (gint64)(input->first_ns - sqlite->tl->origin_ns));
			bind_int(values, (gint64)(input->last_ns - sqlite->tl->origin_ns));
		} else {
			values->column += 2;
		}
		bind_int(values, input->damaged);
		if (!step(sqlite, values, error))
			return FALSE;
	}
	return TRUE;
}

/* The node of a row is the row itself or one above it. */
static const char *node_of(const struct iot_timeline *tl, iot_row_id row)
{
	for (; row; row = iot_row_at(tl, row)->parent)
		if (iot_type_at(tl, iot_row_at(tl, row)->type)->role == IOT_ROLE_NODE)
			return iot_tl_str(tl, iot_row_at(tl, row)->name);
	return NULL;
}

static gboolean fill_rows(struct sqlite *sqlite, struct values *values, GHashTable *nodes,
			  GPtrArray *names, GError **error)
{
	const struct iot_timeline *tl = sqlite->tl;
	g_autofree gboolean *shown = iot_timeline_shown(tl);

	for (iot_row_id id = 1; id < tl->rows.n; id++) {
		const struct iot_row *row = iot_row_at(tl, id);
		g_autofree char *path = NULL;

		if (!shown[id])
			continue;
		path = iot_timeline_path(tl, id, "/");
		bind_int(values, id);
		bind_id(values, row->parent);
		bind_text(values, iot_tl_str(tl, iot_type_at(tl, row->type)->name));
		bind_text(values, iot_tl_str(tl, row->name));
		bind_text(values, path);
		bind_id(values, add_node(nodes, names, node_of(tl, id)));
		bind_int(values, row->n_lanes);
		bind_int(values, row->rank);
		bind_int(values, (gint64)row->wait_ns);
		bind_int(values, (gint64)row->n_items);
		if (!step(sqlite, values, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean fill_nodes(struct sqlite *sqlite, struct values *values, const GPtrArray *names,
			   GError **error)
{
	for (guint i = 0; i < names->len; i++) {
		bind_int(values, i + 1);
		bind_text(values, names->pdata[i]);
		if (!step(sqlite, values, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean fill_categories(struct sqlite *sqlite, struct values *values, GError **error)
{
	const struct iot_timeline *tl = sqlite->tl;

	for (iot_cat_id id = 1; id < tl->cats.n; id++) {
		const struct iot_category *cat = iot_cat_at(tl, id);
		const struct iot_type *type = iot_type_at(tl, cat->type);
		g_autofree char *colour = g_strdup_printf("#%06x", cat->rgb);

		bind_int(values, id);
		bind_text(values, kinds[type->kind]);
		bind_text(values, iot_tl_str(tl, type->name));
		bind_int(values, cat->type);
		bind_text(values, iot_tl_str(tl, type->title));
		bind_text(values, iot_tl_str(tl, cat->name));
		bind_text(values, roles[cat->role]);
		bind_text(values, colour);
		bind_int(values, type->repeats);
		if (!step(sqlite, values, error))
			return FALSE;
	}
	return TRUE;
}

/* --- views --- */

/* "GFS2 locks" becomes gfs2_locks. */
static char *view_name(const struct iot_timeline *tl, guint view)
{
	char *name = g_ascii_strdown(iot_tl_str(tl, tl->view[view].title), -1);

	for (char *p = name; *p; p++)
		if (!g_ascii_isalnum(*p))
			*p = '_';
	for (guint i = 0; i < view; i++) {
		g_autofree char *other = view_name(tl, i);

		if (strcmp(other, name))
			continue;
		g_free(g_steal_pointer(&name));
		name = g_strdup_printf("%s_%u", other, view + 1);
		break;
	}
	return name;
}

static gboolean is_level(const struct iot_timeline *tl, const struct iot_view *view,
			 const char *name)
{
	for (guint i = 0; i < view->n_columns; i++)
		if (!g_ascii_strcasecmp(iot_tl_str(tl, iot_type_at(tl, view->column[i])->name),
					name))
			return TRUE;
	return is_word_of("duration_ns type row_path", name);
}

static gboolean type_has(const struct iot_timeline *tl, const struct iot_view *view,
			 enum iot_type_kind kind, iot_str attr)
{
	for (iot_type_id id = 1; id < tl->types.n; id++) {
		const struct iot_type *type = iot_type_at(tl, id);
		gboolean on = FALSE;

		for (guint i = 0; i < view->n_columns; i++)
			on |= type->on == view->column[i];
		for (guint i = 0; on && type->kind == kind && i < type->n_attrs; i++)
			if (type->attr[i].name == attr)
				return TRUE;
	}
	return FALSE;
}

/* The numbers of all types of one kind that are drawn on rows of a type: "1, 2, 3". */
static char *types_on(const struct iot_timeline *tl, iot_type_id on, enum iot_type_kind kind)
{
	GString *list = g_string_new(NULL);

	for (iot_type_id id = 1; id < tl->types.n; id++)
		if (iot_type_at(tl, id)->kind == kind && iot_type_at(tl, id)->on == on)
			g_string_append_printf(list, "%s%u", list->len ? ", " : "", id);
	return g_string_free(list, FALSE);
}

/* One level of a view: items on rows of its type, with the names of the rows above. */
static void append_level(GString *sql, const struct sqlite *sqlite, const struct iot_view *view,
			 guint level, gboolean span)
{
	const struct iot_timeline *tl = sqlite->tl;
	const GArray *columns = span ? sqlite->spans : sqlite->points;
	enum iot_type_kind kind = span ? IOT_TYPE_SPAN : IOT_TYPE_POINT;
	g_autofree char *types = types_on(tl, view->column[level], kind);

	g_string_append_printf(sql, "SELECT i.id AS id, i.start_ns AS start_ns, %s",
			       span ? "i.end_ns AS end_ns, i.end_ns - i.start_ns AS duration_ns, "
				    : "");
	for (guint i = 0; i < view->n_columns; i++) {
		if (i <= level)
			g_string_append_printf(sql, "r%u.name AS ", i);
		else
			g_string_append(sql, "NULL AS ");
		append_name(sql, iot_tl_str(tl, iot_type_at(tl, view->column[i])->name));
		g_string_append(sql, ", ");
	}
	g_string_append_printf(sql,
			       "r%u.path AS row_path, i.lane AS lane, c.type AS type,"
			       " c.name AS category, i.marks AS marks",
			       level);
	for (guint i = 0; i < columns->len; i++) {
		const struct sqlite_column *column =
			&g_array_index(columns, struct sqlite_column, i);
		g_autofree char *name = g_strconcat("attr_", column->name, NULL);

		if (!type_has(tl, view, kind, column->attr))
			continue;
		g_string_append(sql, ", i.");
		append_name(sql, column->name);
		g_string_append(sql, " AS ");
		append_name(sql, is_level(tl, view, column->name) ? name : column->name);
	}
	g_string_append_printf(sql, " FROM %s i JOIN category c ON c.id = i.category",
			       span ? "span" : "point");
	g_string_append_printf(sql, " JOIN row r%u ON r%u.id = i.row", level, level);
	for (guint i = level; i-- > 0;)
		g_string_append_printf(sql, " JOIN row r%u ON r%u.id = r%u.parent", i, i, i + 1);
	g_string_append_printf(sql, " WHERE c.type_id IN (%s)", types);
}

static gboolean create_view(struct sqlite *sqlite, guint index, gboolean span, GError **error)
{
	const struct iot_timeline *tl = sqlite->tl;
	const struct iot_view *view = &tl->view[index];
	g_autofree char *name = view_name(tl, index);
	g_autofree char *full = g_strconcat(name, span ? "_spans" : "_points", NULL);
	g_autoptr(GString) sql = g_string_new("CREATE VIEW ");
	gboolean any = FALSE;

	append_name(sql, full);
	g_string_append(sql, " AS ");
	for (guint level = 0; level < view->n_columns; level++) {
		g_autofree char *types =
			types_on(tl, view->column[level], span ? IOT_TYPE_SPAN : IOT_TYPE_POINT);

		if (!*types)
			continue;
		if (any)
			g_string_append(sql, " UNION ALL ");
		append_level(sql, sqlite, view, level, span);
		any = TRUE;
	}
	return !any || sqlite_run(sqlite, sql->str, error);
}

/* --- the end --- */

static gboolean fill(struct sqlite *sqlite, const char *table, const char *marks,
		     struct values *values, GError **error)
{
	g_autofree char *sql = g_strdup_printf("INSERT INTO %s VALUES(%s)", table, marks);

	sqlite3_finalize(values->insert);
	values->column = 0;
	values->insert = sqlite_prepare(sqlite, sql, error);
	return values->insert != NULL;
}

static gboolean fill_all(struct sqlite *sqlite, const struct iot_summary *summary,
			 struct values *values, GError **error)
{
	g_autoptr(GHashTable) nodes = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	return fill(sqlite, "meta", "?1,?2", values, error) &&
	       fill_meta(sqlite, values, summary, error) &&
	       fill(sqlite, "input", "?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15", values,
		    error) &&
	       fill_inputs(sqlite, values, summary, nodes, names, error) &&
	       fill(sqlite, "row", "?1,?2,?3,?4,?5,?6,?7,?8,?9,?10", values, error) &&
	       fill_rows(sqlite, values, nodes, names, error) &&
	       fill(sqlite, "node", "?1,?2", values, error) &&
	       fill_nodes(sqlite, values, names, error) &&
	       fill(sqlite, "category", "?1,?2,?3,?4,?5,?6,?7,?8,?9", values, error) &&
	       fill_categories(sqlite, values, error);
}

/* Gaps have the names of nodes until nodes have numbers. */
static const char number_gaps[] =
	"INSERT INTO node(name) SELECT DISTINCT node FROM gap WHERE node NOT IN"
	" (SELECT name FROM node) ORDER BY node;"
	"UPDATE gap SET node = (SELECT node.id FROM node WHERE node.name = gap.node);";

gboolean sqlite_complete(struct sqlite *sqlite, const struct iot_summary *summary, GError **error)
{
	struct values values = { 0 };
	gboolean ok = fill_all(sqlite, summary, &values, error);

	sqlite3_finalize(values.insert);
	ok = ok && sqlite_run(sqlite, number_gaps, error);
	for (guint i = 0; ok && i < sqlite->tl->n_views; i++)
		ok = create_view(sqlite, i, TRUE, error) && create_view(sqlite, i, FALSE, error);
	return ok && sqlite_run(sqlite, indexes, error);
}
