/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables that are filled at the end, when ranks and sums are known. */
#include "sinks/db.h"
#include "base/units.h"

#include <string.h>

static const char *const kinds[] = { [IOT_TYPE_ROW] = "row",
				     [IOT_TYPE_SPAN] = "span",
				     [IOT_TYPE_POINT] = "point",
				     [IOT_TYPE_COUNTER] = "counter",
				     [IOT_TYPE_LINK] = "link" };

static struct iot_db_value text_of(const char *text)
{
	if (!text)
		return (struct iot_db_value){ .is = IOT_DB_IS_NULL };
	return (struct iot_db_value){ .is = IOT_DB_IS_TEXT, .text = text };
}

static struct iot_db_value number_of(guint64 number)
{
	return (struct iot_db_value){ .is = IOT_DB_IS_INT, .i = (gint64)number };
}

/* 0 is absent: a number of a row or node that there is not. */
static struct iot_db_value id_of(guint id)
{
	return id ? number_of(id) : text_of(NULL);
}

static gboolean put_meta(struct iot_db *db, const char *key, const char *text, GError **error)
{
	const struct iot_db_value values[] = { text_of(key), text_of(text) };

	return db->row(db, values, error);
}

static gboolean put_number(struct iot_db *db, const char *key, guint64 number, GError **error)
{
	const struct iot_db_value values[] = { text_of(key), number_of(number) };

	return db->row(db, values, error);
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
static gboolean fill_meta(struct iot_db *db, const struct iot_summary *summary, GError **error)
{
	guint64 origin = db->tl->origin_ns;
	g_autofree char *begin = g_strdup_printf("%" G_GUINT64_FORMAT, origin);
	g_autofree char *views = join_views(db->tl);
	g_autofree char *command = make_command(summary);
	gboolean ok = put_meta(db, "program", "iotrace-analyze " IOT_VERSION, error) &&
		      put_meta(db, "format", "1", error) &&
		      put_meta(db, "command", command, error) &&
		      put_meta(db, "models", summary->models, error) &&
		      put_meta(db, "begin_ns", begin, error) &&
		      put_number(db, "end_ns", summary->end_ns - origin, error) &&
		      put_number(db, "from_ns", summary->from_ns - origin, error) &&
		      put_number(db, "to_ns", summary->to_ns - origin, error) &&
		      put_meta(db, "views", views, error) &&
		      put_meta(db, "unknown_systems", summary->unknown_systems, error);

	for (guint i = 0; ok && i < IOT_DIAG_COUNT; i++) {
		g_autofree char *key = g_strconcat("diag ", iot_diag_info(i)->name, NULL);

		if (summary->diag.count[i])
			ok = put_number(db, key, summary->diag.count[i], error);
	}
	return ok;
}

/* Numbers of nodes by name: of the inputs, then of rows, then of gaps. */
static guint add_node(struct iot_db *db, const char *name)
{
	guint id;

	if (!name || !*name)
		return 0;
	id = iot_db_node(db, name);
	if (id)
		return id;
	g_ptr_array_add(db->node_names, (gpointer)name);
	id = db->node_names->len;
	g_hash_table_insert(db->nodes, (gpointer)name, GUINT_TO_POINTER(id));
	return id;
}

guint iot_db_node(const struct iot_db *db, const char *name)
{
	return GPOINTER_TO_UINT(g_hash_table_lookup(db->nodes, name));
}

void iot_db_gap(struct iot_db *db, iot_str node)
{
	g_hash_table_add(db->gap_nodes, GUINT_TO_POINTER(node));
}

static gboolean fill_inputs(struct iot_db *db, const struct iot_summary *summary, GError **error)
{
	guint64 origin = db->tl->origin_ns;

	for (guint i = 0; i < summary->n_inputs; i++) {
		const struct iot_summary_input *input = &summary->inputs[i];
		gboolean times = input->has_times;
		const struct iot_db_value values[] = {
			number_of(i + 1),
			text_of(input->path),
			id_of(add_node(db, input->node)),
			text_of(input->hostname),
			text_of(input->kernel),
			text_of(input->format),
			text_of(input->clock),
			text_of(input->protocol),
			text_of(input->sync),
			number_of(input->n_cpus),
			number_of(input->n_events),
			number_of(input->n_lost),
			times ? number_of(input->first_ns - origin) : text_of(NULL),
			times ? number_of(input->last_ns - origin) : text_of(NULL),
			number_of(input->damaged ? 1 : 0),
		};

		if (!db->row(db, values, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean fill_rows(struct iot_db *db, GError **error)
{
	const struct iot_timeline *tl = db->tl;
	g_autofree gboolean *shown = iot_timeline_shown(tl);

	for (iot_row_id id = 1; id < tl->rows.n; id++) {
		const struct iot_row *row = iot_row_at(tl, id);
		iot_row_id node = iot_row_node(tl, id);
		g_autofree char *path = shown[id] ? iot_timeline_path(tl, id, "/") : NULL;
		const char *name = node ? iot_tl_str(tl, iot_row_at(tl, node)->name) : NULL;
		const struct iot_db_value values[] = {
			number_of(id),
			id_of(row->parent),
			text_of(iot_tl_str(tl, iot_type_at(tl, row->type)->name)),
			text_of(iot_tl_str(tl, row->name)),
			text_of(path),
			id_of(shown[id] ? add_node(db, name) : 0),
			number_of(row->n_lanes),
			number_of(row->rank),
			number_of(row->wait_ns),
			number_of(row->n_items),
		};

		if (shown[id] && !db->row(db, values, error))
			return FALSE;
	}
	return TRUE;
}

static void add_gap_nodes(struct iot_db *db)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	GHashTableIter iter;
	gpointer node;

	g_hash_table_iter_init(&iter, db->gap_nodes);
	while (g_hash_table_iter_next(&iter, &node, NULL))
		g_ptr_array_add(names, (gpointer)iot_tl_str(db->tl, GPOINTER_TO_UINT(node)));
	g_ptr_array_sort(names, iot_texts_compare);
	for (guint i = 0; i < names->len; i++)
		add_node(db, g_ptr_array_index(names, i));
}

static gboolean fill_nodes(struct iot_db *db, GError **error)
{
	add_gap_nodes(db);
	for (guint i = 0; i < db->node_names->len; i++) {
		const struct iot_db_value values[] = { number_of(i + 1),
						       text_of(db->node_names->pdata[i]) };

		if (!db->row(db, values, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean fill_categories(struct iot_db *db, GError **error)
{
	const struct iot_timeline *tl = db->tl;

	for (iot_cat_id id = 1; id < tl->cats.n; id++) {
		const struct iot_category *cat = iot_cat_at(tl, id);
		const struct iot_type *type = iot_type_at(tl, cat->type);
		g_autofree char *colour = g_strdup_printf("#%06x", cat->rgb);
		const struct iot_db_value values[] = {
			number_of(id),
			text_of(kinds[type->kind]),
			text_of(iot_tl_str(tl, type->name)),
			number_of(cat->type),
			text_of(iot_tl_str(tl, type->title)),
			text_of(iot_tl_str(tl, cat->name)),
			text_of(iot_role_name(cat->role)),
			text_of(colour),
			number_of(type->repeats),
		};

		if (!db->row(db, values, error))
			return FALSE;
	}
	return TRUE;
}

gboolean iot_db_complete(struct iot_db *db, const struct iot_summary *summary, GError **error)
{
	return db->begin(db, &db->table[IOT_DB_META], error) && fill_meta(db, summary, error) &&
	       db->begin(db, &db->table[IOT_DB_INPUT], error) && fill_inputs(db, summary, error) &&
	       db->begin(db, &db->table[IOT_DB_ROW], error) && fill_rows(db, error) &&
	       db->begin(db, &db->table[IOT_DB_NODE], error) && fill_nodes(db, error) &&
	       db->begin(db, &db->table[IOT_DB_CATEGORY], error) && fill_categories(db, error);
}
