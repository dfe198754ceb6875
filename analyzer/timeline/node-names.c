/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/node-names.h"

#include <string.h>

struct level {
	char *name, *title;
	iot_type_id type; /* 0: not made yet */
	iot_str not_said;
};

/* A level that is another one. */
struct same {
	char *other;
	gboolean used;
};

struct iot_node_names {
	struct iot_timeline *tl;
	struct level level[IOT_MAX_NODE_LEVELS];
	guint n_levels;
	GHashTable *nodes;   /* identity -> struct iot_node_name */
	GHashTable *aliases; /* alias -> identity */
	GHashTable *same;    /* name of a level -> struct same */
	GArray *ranks;	     /* of struct iot_node_ranks */
};

static void same_free(gpointer data)
{
	g_free(((struct same *)data)->other);
	g_free(data);
}

struct iot_node_names *iot_node_names_new(struct iot_timeline *tl)
{
	struct iot_node_names *names = g_new0(struct iot_node_names, 1);

	names->tl = tl;
	names->nodes = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	names->aliases = g_hash_table_new(NULL, NULL);
	names->same = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, same_free);
	names->ranks = g_array_new(FALSE, FALSE, sizeof(struct iot_node_ranks));
	return names;
}

void iot_node_names_free(struct iot_node_names *names)
{
	if (!names)
		return;
	for (guint i = 0; i < names->n_levels; i++) {
		g_free(names->level[i].name);
		g_free(names->level[i].title);
	}
	g_hash_table_unref(names->nodes);
	g_hash_table_unref(names->aliases);
	g_hash_table_unref(names->same);
	g_array_unref(names->ranks);
	g_free(names);
}

void iot_node_names_add_level(struct iot_node_names *names, const char *name, const char *title)
{
	g_autofree char *not_said = g_strdup_printf("(no %s)", title);
	struct level *level = &names->level[names->n_levels++];

	level->name = g_strdup(name);
	level->title = g_strdup(title);
	level->not_said = iot_intern_str(names->tl->strings, not_said);
}

void iot_node_names_add_same(struct iot_node_names *names, const char *name, const char *other)
{
	struct same *same = g_new0(struct same, 1);

	same->other = g_strdup(other);
	g_hash_table_insert(names->same, g_strdup(name), same);
}

const char *iot_node_names_level(struct iot_node_names *names, const char *name)
{
	struct same *same = names ? g_hash_table_lookup(names->same, name) : NULL;

	if (!same)
		return name;
	same->used = TRUE;
	return same->other;
}

gboolean iot_node_names_same_used(const struct iot_node_names *names, const char *name)
{
	const struct same *same = g_hash_table_lookup(names->same, name);

	return same && same->used;
}

void iot_node_names_add(struct iot_node_names *names, const struct iot_node_name *node)
{
	g_hash_table_insert(names->nodes, GUINT_TO_POINTER(node->id),
			    g_memdup2(node, sizeof(*node)));
}

void iot_node_names_add_alias(struct iot_node_names *names, iot_str alias, iot_str id)
{
	g_hash_table_insert(names->aliases, GUINT_TO_POINTER(alias), GUINT_TO_POINTER(id));
}

const struct iot_node_name *iot_node_names_find(const struct iot_node_names *names, iot_str id)
{
	gpointer other = g_hash_table_lookup(names->aliases, GUINT_TO_POINTER(id));

	return g_hash_table_lookup(names->nodes, other ? other : GUINT_TO_POINTER(id));
}

void iot_node_names_add_ranks(struct iot_node_names *names, const struct iot_node_ranks *ranks)
{
	g_array_append_val(names->ranks, *ranks);
}

/* "rank 3", "rank 3 thread 1" */
static gboolean rank_of(const char *row, guint32 *out)
{
	guint64 number;
	char *end;

	if (!g_str_has_prefix(row, "rank ") || !g_ascii_isdigit(row[strlen("rank ")]))
		return FALSE;
	number = g_ascii_strtoull(row + strlen("rank "), &end, 10);
	*out = (guint32)number;
	return number <= G_MAXINT32 && (!*end || g_str_has_prefix(end, " thread "));
}

const struct iot_node_ranks *iot_node_names_rank(const struct iot_node_names *names,
						 iot_str recording, iot_str row)
{
	guint32 rank;

	if (!names || !names->ranks->len || !rank_of(iot_tl_str(names->tl, row), &rank))
		return NULL;
	for (guint i = 0; i < names->ranks->len; i++) {
		const struct iot_node_ranks *ranks =
			&g_array_index(names->ranks, struct iot_node_ranks, i);

		if (rank >= ranks->first && rank <= ranks->last &&
		    (!ranks->recording || ranks->recording == recording))
			return ranks;
	}
	return NULL;
}

iot_str iot_node_names_move(struct iot_node_names *names, iot_str recording, iot_str row)
{
	g_autofree char *text = g_strconcat(iot_tl_str(names->tl, recording), "/",
					    iot_tl_str(names->tl, row), NULL);

	return iot_intern_str(names->tl->strings, text);
}

gboolean iot_node_names_moved(const struct iot_node_names *names, iot_str row, iot_str recording,
			      guint32 *out_rank)
{
	const char *text = iot_tl_str(names->tl, row), *slash = strrchr(text, '/');
	const char *of = recording ? iot_tl_str(names->tl, recording) : NULL;

	return slash && rank_of(slash + 1, out_rank) &&
	       (!of ||
		(strlen(of) == (gsize)(slash - text) && !strncmp(of, text, (gsize)(slash - text))));
}

void iot_node_names_rank_nodes(const struct iot_node_names *names,
			       void (*node)(gpointer data, iot_str name), gpointer data)
{
	for (guint i = 0; names && i < names->ranks->len; i++) {
		iot_str id = g_array_index(names->ranks, struct iot_node_ranks, i).node;

		node(data, iot_node_names_find(names, id)->name);
	}
}

iot_type_id iot_node_names_above(struct iot_node_names *names)
{
	iot_type_id on = 0;

	for (guint i = 0; names && i < names->n_levels; i++) {
		struct level *level = &names->level[i];

		if (!level->type) {
			iot_timeline_type(names->tl, IOT_TYPE_ROW, level->name, level->title, on,
					  &level->type);
			iot_type_set_above_nodes(names->tl, level->type);
		}
		on = level->type;
	}
	return on;
}

guint iot_node_names_columns(const struct iot_node_names *names,
			     iot_type_id column[IOT_MAX_NODE_LEVELS])
{
	guint n = 0;

	while (names && n < names->n_levels && names->level[n].type) {
		column[n] = names->level[n].type;
		n++;
	}
	return n;
}

iot_row_id iot_node_names_parent(struct iot_node_names *names, const struct iot_node_name *node,
				 void (*is_new)(gpointer data, iot_row_id row), gpointer data)
{
	iot_row_id row = 0;

	for (guint i = 0; i < names->n_levels; i++) {
		const struct level *level = &names->level[i];
		iot_str name = node && node->above[i] ? node->above[i] : level->not_said;
		gboolean added;

		row = iot_timeline_row(names->tl, level->type, row, name, name, &added);
		if (added && is_new)
			is_new(data, row);
	}
	return row;
}
