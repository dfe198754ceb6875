/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/stolen-nodes.h"
#include "timeline/steal.h"

struct node {
	guint n_cpus;
	GHashTable *stolen; /* set of rows of virtual CPUs */
};

struct iot_stolen_nodes {
	const struct iot_timeline *tl;
	GHashTable *nodes; /* name -> struct node */
};

static void node_free(gpointer data)
{
	struct node *node = data;

	g_hash_table_unref(node->stolen);
	g_free(node);
}

struct iot_stolen_nodes *iot_stolen_nodes_new(const struct iot_timeline *tl)
{
	struct iot_stolen_nodes *nodes = g_new0(struct iot_stolen_nodes, 1);

	nodes->tl = tl;
	nodes->nodes = g_hash_table_new_full(NULL, NULL, NULL, node_free);
	return nodes;
}

void iot_stolen_nodes_free(struct iot_stolen_nodes *nodes)
{
	if (!nodes)
		return;
	g_hash_table_unref(nodes->nodes);
	g_free(nodes);
}

static struct node *find(const struct iot_stolen_nodes *nodes, iot_str name)
{
	return g_hash_table_lookup(nodes->nodes, GUINT_TO_POINTER(name));
}

static gboolean is_stolen(const struct node *node)
{
	return node && node->n_cpus && g_hash_table_size(node->stolen) == node->n_cpus;
}

gboolean iot_stolen_nodes_item(struct iot_stolen_nodes *nodes, const struct iot_item *item,
			       iot_str *out_node)
{
	iot_cat_id steals = iot_type_at(nodes->tl, item->type)->steals;
	iot_row_id row = steals && nodes->tl->steal ? iot_row_node(nodes->tl, item->row) : 0;
	struct node *node;
	gboolean before;

	if (!row)
		return FALSE;
	*out_node = iot_row_at(nodes->tl, row)->name;
	node = find(nodes, *out_node);
	if (!node) {
		node = g_new0(struct node, 1);
		node->n_cpus = iot_steal_cpus(nodes->tl->steal, item->row);
		node->stolen = g_hash_table_new(NULL, NULL);
		g_hash_table_insert(nodes->nodes, GUINT_TO_POINTER(*out_node), node);
	}
	before = is_stolen(node);
	if (item->kind == IOT_ITEM_SPAN_BEGIN && item->cat == steals &&
	    !(item->flags & IOT_UNKNOWN))
		g_hash_table_add(node->stolen, GUINT_TO_POINTER(item->row));
	else
		g_hash_table_remove(node->stolen, GUINT_TO_POINTER(item->row));
	return is_stolen(node) != before;
}

gboolean iot_stolen_nodes_now(const struct iot_stolen_nodes *nodes, iot_str node)
{
	return is_stolen(find(nodes, node));
}

guint iot_stolen_nodes_cpus(const struct iot_stolen_nodes *nodes, iot_str name)
{
	const struct node *node = find(nodes, name);

	return node ? node->n_cpus : 0;
}
