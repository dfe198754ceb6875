/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables that are filled at the end, when ranks and sums are known. */
#include "sinks/sqlite/sqlite.h"

#include <string.h>

/*
 * Entries of one row stand by id, which is the order of the ends. Keys are sorted in runs as large
 * as the cache; runs of 512 KiB, which fit into that of the processor, take half the time of runs
 * of 8 MiB.
 */
static const char indexes[] = "PRAGMA cache_size=-512;"
			      "CREATE INDEX span_row ON span(row);"
			      "CREATE INDEX point_row ON point(row);"
			      "CREATE INDEX sample_row ON sample(row);"
			      "CREATE INDEX row_parent ON row(parent);"
			      "CREATE INDEX row_path ON row(path);"
			      "CREATE INDEX span_start ON span(start_ns);";

/* Attributes of spans that people search for, if models have them. */
static const char *const searched[] = { "path", "pid" };

static const char *const kinds[] = { [IOT_TYPE_ROW] = "row",
				     [IOT_TYPE_SPAN] = "span",
				     [IOT_TYPE_POINT] = "point",
				     [IOT_TYPE_COUNTER] = "counter",
				     [IOT_TYPE_LINK] = "link" };

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

/* A word of a command line, quoted if a shell needs that. */
static void append_word(GString *command, const char *word)
{
	g_autofree char *quoted = g_shell_quote(word);
	gboolean plain =
		*word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					    "0123456789-_./=,:@+%")];

	g_string_append_c(command, ' ');
	g_string_append(command, plain ? word : quoted);
}

/* The command that shows the same recordings with the same meaning; its window is from_ns, to_ns.
 */
static char *make_command(const struct iot_summary *summary)
{
	GString *command = g_string_new("iotrace-analyze");

	for (guint i = 0; summary->repeated && i < summary->repeated->len; i++)
		append_word(command, g_ptr_array_index(summary->repeated, i));
	for (guint i = 0; i < summary->n_inputs; i++)
		append_word(command, summary->inputs[i].path);
	return g_string_free(command, FALSE);
}

/* The host's instant of 0 is a text: it may be above 2^53, where many readers lose digits. */
static gboolean fill_meta(struct sqlite *sqlite, struct values *values,
			  const struct iot_summary *summary, GError **error)
{
	g_autofree char *begin = g_strdup_printf("%" G_GUINT64_FORMAT, sqlite->tl->origin_ns);
	g_autofree char *views = join_views(sqlite->tl);
	g_autofree char *command = make_command(summary);
	gboolean ok = put_meta(sqlite, values, "program", "iotrace-analyze " IOT_VERSION, error) &&
		      put_meta(sqlite, values, "format", "1", error) &&
		      put_meta(sqlite, values, "command", command, error) &&
		      put_meta(sqlite, values, "models", summary->models, error) &&
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

static gboolean fill_rows(struct sqlite *sqlite, struct values *values, GHashTable *nodes,
			  GPtrArray *names, GError **error)
{
	const struct iot_timeline *tl = sqlite->tl;
	g_autofree gboolean *shown = iot_timeline_shown(tl);

	for (iot_row_id id = 1; id < tl->rows.n; id++) {
		const struct iot_row *row = iot_row_at(tl, id);
		iot_row_id node = iot_row_node(tl, id);
		g_autofree char *path = NULL;

		if (!shown[id])
			continue;
		path = iot_timeline_path(tl, id, "/");
		bind_int(values, id);
		bind_id(values, row->parent);
		bind_text(values, iot_tl_str(tl, iot_type_at(tl, row->type)->name));
		bind_text(values, iot_tl_str(tl, row->name));
		bind_text(values, path);
		bind_id(values, add_node(nodes, names,
					 node ? iot_tl_str(tl, iot_row_at(tl, node)->name) : NULL));
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
		bind_text(values, iot_role_name(cat->role));
		bind_text(values, colour);
		bind_int(values, type->repeats);
		if (!step(sqlite, values, error))
			return FALSE;
	}
	return TRUE;
}

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

/* Entries with a value only: most types have no such attribute. */
static gboolean create_indexes(struct sqlite *sqlite, GError **error)
{
	g_autoptr(GString) sql = g_string_new(indexes);

	for (guint i = 0; i < sqlite->spans->len; i++) {
		const char *name = g_array_index(sqlite->spans, struct sqlite_column, i).name;

		for (guint k = 0; k < G_N_ELEMENTS(searched); k++)
			if (!strcmp(name, searched[k]))
				g_string_append_printf(sql,
						       "CREATE INDEX span_%s ON span(\"%s\") "
						       "WHERE \"%s\" IS NOT NULL;",
						       name, name, name);
	}
	return sqlite_run(sqlite, sql->str, error);
}

gboolean sqlite_complete(struct sqlite *sqlite, const struct iot_summary *summary, GError **error)
{
	struct values values = { 0 };
	gboolean ok = fill_all(sqlite, summary, &values, error);

	sqlite3_finalize(values.insert);
	ok = ok && sqlite_run(sqlite, number_gaps, error);
	for (guint i = 0; ok && i < sqlite->tl->n_views; i++)
		ok = sqlite_create_view(sqlite, i, TRUE, error) &&
		     sqlite_create_view(sqlite, i, FALSE, error);
	return ok && create_indexes(sqlite, error);
}
