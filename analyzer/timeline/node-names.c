/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/node-names.h"

struct level {
	char *name, *title;
	iot_type_id type; /* 0: not made yet */
	iot_str not_said;
};

struct iot_node_names {
	struct iot_timeline *tl;
	struct level level[IOT_MAX_NODE_LEVELS];
	guint n_levels;
	GHashTable *nodes;   /* identity -> struct iot_node_name */
	GHashTable *aliases; /* alias -> identity */
};

struct iot_node_names *iot_node_names_new(struct iot_timeline *tl)
{
	struct iot_node_names *names = g_new0(struct iot_node_names, 1);

	names->tl = tl;
	names->nodes = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	names->aliases = g_hash_table_new(NULL, NULL);
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
