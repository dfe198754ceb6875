/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For each view of the timeline a view with its spans, and one with its points: names joined. */
#include "sinks/db.h"

#include <string.h>

void iot_db_append_name(GString *sql, const char *name)
{
	g_string_append_c(sql, '"');
	for (; *name; name++) {
		if (*name == '"')
			g_string_append_c(sql, '"');
		g_string_append_c(sql, *name);
	}
	g_string_append_c(sql, '"');
}

/* "GFS2 locks" becomes gfs2_locks. */
void iot_db_name_views(struct iot_db *db)
{
	for (guint i = 0; i < db->tl->n_views; i++) {
		char *name = g_ascii_strdown(iot_tl_str(db->tl, db->tl->view[i].title), -1);

		for (char *p = name; *p; p++)
			if (!g_ascii_isalnum(*p))
				*p = '_';
		if (g_ptr_array_find_with_equal_func(db->view_names, name, g_str_equal, NULL)) {
			g_autofree char *first = name;

			name = g_strdup_printf("%s_%u", first, i + 1);
		}
		g_ptr_array_add(db->view_names, name);
	}
}

static gboolean is_level(const struct iot_timeline *tl, const struct iot_view *view,
			 const char *name)
{
	for (guint i = 0; i < view->n_columns; i++)
		if (!g_ascii_strcasecmp(iot_tl_str(tl, iot_type_at(tl, view->column[i])->name),
					name))
			return TRUE;
	return !g_ascii_strcasecmp(name, "duration_ns") || !g_ascii_strcasecmp(name, "type") ||
	       !g_ascii_strcasecmp(name, "row_path");
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
static void append_level(GString *sql, const struct iot_db *db, const struct iot_view *view,
			 guint level, gboolean span)
{
	const struct iot_timeline *tl = db->tl;
	const struct iot_db_table *table = &db->table[span ? IOT_DB_SPAN : IOT_DB_POINT];
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
		iot_db_append_name(sql, iot_tl_str(tl, iot_type_at(tl, view->column[i])->name));
		g_string_append(sql, ", ");
	}
	g_string_append_printf(sql,
			       "r%u.path AS row_path, i.lane AS lane, c.type AS type,"
			       " c.name AS category, i.marks AS marks",
			       level);
	for (guint i = 0; i < table->n_columns; i++) {
		const struct iot_db_column *column = &table->columns[i];
		g_autofree char *name = g_strconcat("attr_", column->name, NULL);

		if (!column->attr || !type_has(tl, view, kind, column->attr))
			continue;
		g_string_append(sql, ", i.");
		iot_db_append_name(sql, column->name);
		g_string_append(sql, " AS ");
		iot_db_append_name(sql, is_level(tl, view, column->name) ? name : column->name);
	}
	g_string_append_printf(sql, " FROM %s i JOIN category c ON c.id = i.category",
			       span ? "span" : "point");
	g_string_append_printf(sql, " JOIN row r%u ON r%u.id = i.row", level, level);
	for (guint i = level; i-- > 0;)
		g_string_append_printf(sql, " JOIN row r%u ON r%u.id = r%u.parent", i, i, i + 1);
	g_string_append_printf(sql, " WHERE c.type_id IN (%s)", types);
}

char *iot_db_view(const struct iot_db *db, guint index, gboolean span)
{
	const struct iot_timeline *tl = db->tl;
	const struct iot_view *view = &tl->view[index];
	g_autofree char *full =
		g_strconcat(db->view_names->pdata[index], span ? "_spans" : "_points", NULL);
	GString *sql = g_string_new("CREATE VIEW ");
	gboolean any = FALSE;

	iot_db_append_name(sql, full);
	g_string_append(sql, " AS ");
	for (guint level = 0; level < view->n_columns; level++) {
		g_autofree char *types =
			types_on(tl, view->column[level], span ? IOT_TYPE_SPAN : IOT_TYPE_POINT);

		if (!*types)
			continue;
		if (any)
			g_string_append(sql, " UNION ALL ");
		append_level(sql, db, view, level, span);
		any = TRUE;
	}
	return g_string_free(sql, !any);
}

gboolean iot_db_view_has_name(const struct iot_db *db, guint index, const char *name)
{
	const char *view = db->view_names->pdata[index];
	gsize len = strlen(view);

	return !g_ascii_strncasecmp(name, view, len) &&
	       (!g_ascii_strcasecmp(name + len, "_spans") ||
		!g_ascii_strcasecmp(name + len, "_points"));
}
