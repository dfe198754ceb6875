/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows as locations. The row above a row is its location group, and all rows above are nodes of the
 * system tree. A row has a location for each lane of each type of its states, and one for its
 * points and samples.
 */
#include "sinks/otf2/otf2.h"

#include <stdlib.h>

/* --- order --- */

struct place {
	struct otf2_stream *stream;
	guint32 row;  /* place of the row in the order of ranks */
	guint32 type; /* states before events */
};

static int by_place(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	if (a->type != b->type)
		return a->type < b->type ? -1 : 1;
	return a->stream->key < b->stream->key ? -1 : 1;
}

void otf2_tree_sort(struct otf2_archive *a)
{
	const struct iot_timeline *tl = a->otf2->tl;
	const GPtrArray *streams = a->otf2->store->streams;
	g_autoptr(GArray) ordered = iot_timeline_ordered(tl);
	g_autofree guint32 *position = g_new0(guint32, tl->rows.n);
	g_autofree struct place *places = g_new(struct place, streams->len);

	for (guint i = 0; i < ordered->len; i++)
		position[g_array_index(ordered, iot_row_id, i)] = i;
	for (guint i = 0; i < streams->len; i++) {
		struct otf2_stream *stream = g_ptr_array_index(streams, i);
		guint type = otf2_key_type(stream->key);
		iot_row_id row = otf2_key_row(stream->key);

		places[i].stream = stream;
		places[i].row = type == OTF2_GAPS ? G_MAXUINT32 : position[row];
		places[i].type = type == OTF2_EVENTS ? G_MAXUINT32 : type;
	}
	if (streams->len)
		qsort(places, streams->len, sizeof(*places), by_place);
	for (guint i = 0; i < streams->len; i++)
		g_ptr_array_add(a->locations, places[i].stream);
}

/* --- definitions --- */

struct tree {
	struct otf2_archive *a;
	guint32 *nodes, *groups; /* by row: number + 1; 0: none yet */
	guint32 gap_group;	 /* number + 1 */
	GHashTable *names;	 /* of nodes and groups, each followed by its number */
	iot_row_id row;		 /* of the location before */
	guint type;		 /* first type of states on it */
	OTF2_StringRef path;
	OTF2_StringRef key_row, key_type, key_lane; /* names of properties */
};

static OTF2_StringRef word(struct otf2_archive *a, const char *text)
{
	return otf2_new_text(a, text, strlen(text));
}

/*
 * ViTE makes one name of the name and the number of a node, a group or a location: the group
 * "node 1" with the number 12 is the group "node 11" with the number 2. So a number is left out
 * where it would lead to a name that there is. Those of locations have seven digits.
 */
static guint32 free_number(struct tree *tree, guint32 next, const char *name)
{
	for (;; next++) {
		g_autofree char *joined = g_strdup_printf("%s%u", name, next);
		gsize len = strlen(joined);
		guint64 tail = len > 7 ? g_ascii_strtoull(joined + len - 7, NULL, 10) : 0;

		if (tail >= OTF2_FIRST_LOCATION &&
		    tail < OTF2_FIRST_LOCATION + MAX(tree->a->locations->len, 1))
			continue;
		if (g_hash_table_add(tree->names, g_steal_pointer(&joined)))
			return next;
	}
}

/* The row 0 is the root. */
static OTF2_SystemTreeNodeRef node_of(struct tree *tree, iot_row_id id)
{
	struct otf2_archive *a = tree->a;
	const struct iot_row *row = iot_row_at(a->otf2->tl, id);
	OTF2_SystemTreeNodeRef parent = OTF2_UNDEFINED_SYSTEM_TREE_NODE;
	OTF2_StringRef name, type;

	if (tree->nodes[id])
		return tree->nodes[id] - 1;
	if (id) {
		parent = node_of(tree, row->parent);
		name = otf2_text(a, row->name);
		type = otf2_text(a, iot_type_at(a->otf2->tl, row->type)->name);
	} else {
		name = word(a, "iotrace");
		type = word(a, "recording");
	}
	a->n_nodes =
		free_number(tree, a->n_nodes, id ? iot_tl_str(a->otf2->tl, row->name) : "iotrace");
	otf2_check(a, OTF2_GlobalDefWriter_WriteSystemTreeNode(a->defs, a->n_nodes, name, type,
							       parent));
	tree->nodes[id] = ++a->n_nodes;
	return a->n_nodes - 1;
}

static OTF2_LocationGroupRef new_group(struct tree *tree, const char *text, OTF2_StringRef name,
				       OTF2_SystemTreeNodeRef node)
{
	struct otf2_archive *a = tree->a;

	a->n_groups = free_number(tree, a->n_groups, text);
	otf2_check(a, OTF2_GlobalDefWriter_WriteLocationGroup(a->defs, a->n_groups, name,
							      OTF2_LOCATION_GROUP_TYPE_PROCESS,
							      node, OTF2_UNDEFINED_LOCATION_GROUP));
	return a->n_groups++;
}

static OTF2_LocationGroupRef group_of(struct tree *tree, iot_row_id id)
{
	struct otf2_archive *a = tree->a;
	const struct iot_row *row = iot_row_at(a->otf2->tl, id);

	if (!tree->groups[id]) {
		OTF2_SystemTreeNodeRef node = node_of(tree, id ? row->parent : 0);
		const char *text = id ? iot_tl_str(a->otf2->tl, row->name) : "iotrace";
		OTF2_StringRef name = id ? otf2_text(a, row->name) : word(a, text);

		tree->groups[id] = new_group(tree, text, name, node) + 1;
	}
	return tree->groups[id] - 1;
}

static OTF2_LocationGroupRef gap_group(struct tree *tree)
{
	struct otf2_archive *a = tree->a;

	if (!tree->gap_group)
		tree->gap_group =
			new_group(tree, IOT_GAP_NAME, word(a, IOT_GAP_NAME), node_of(tree, 0)) + 1;
	return tree->gap_group - 1;
}

static void add_property(struct tree *tree, OTF2_LocationRef location, OTF2_StringRef name,
			 OTF2_StringRef text)
{
	OTF2_AttributeValue value = { .stringRef = text };

	otf2_check(tree->a, OTF2_GlobalDefWriter_WriteLocationProperty(
				    tree->a->defs, location, name, OTF2_TYPE_STRING, value));
}

static void add_lane(struct tree *tree, OTF2_LocationRef location, guint lane)
{
	OTF2_AttributeValue value = { .uint32 = lane };

	if (lane)
		otf2_check(tree->a, OTF2_GlobalDefWriter_WriteLocationProperty(
					    tree->a->defs, location, tree->key_lane,
					    OTF2_TYPE_UINT32, value));
}

/* The first type of states has the name of the row. */
static OTF2_StringRef location_name(struct tree *tree, const struct otf2_stream *stream)
{
	const struct iot_timeline *tl = tree->a->otf2->tl;
	guint type = otf2_key_type(stream->key), lane = otf2_key_lane(stream->key);
	const struct iot_row *row = iot_row_at(tl, otf2_key_row(stream->key));
	g_autoptr(GString) name = NULL;

	if (type == tree->type && !lane)
		return otf2_text(tree->a, row->name);
	name = g_string_new(iot_tl_str(tl, row->name));
	if (type == OTF2_EVENTS)
		g_string_append(name, " events");
	else if (type != tree->type)
		g_string_append_printf(name, " %s", iot_tl_str(tl, iot_type_at(tl, type)->title));
	if (lane)
		g_string_append_printf(name, " lane %u", lane + 1);
	return otf2_new_text(tree->a, name->str, name->len);
}

static void define_location(struct otf2_archive *a, OTF2_LocationRef id, OTF2_StringRef name,
			    guint64 n_events, OTF2_LocationGroupRef group)
{
	otf2_check(a, OTF2_GlobalDefWriter_WriteLocation(
			      a->defs, id, name, OTF2_LOCATION_TYPE_CPU_THREAD, n_events, group));
}

static void write_row_location(struct tree *tree, OTF2_LocationRef id,
			       const struct otf2_stream *stream)
{
	struct otf2_archive *a = tree->a;
	const struct iot_timeline *tl = a->otf2->tl;
	iot_row_id row = otf2_key_row(stream->key);
	guint type = otf2_key_type(stream->key);
	OTF2_LocationGroupRef group = group_of(tree, iot_row_at(tl, row)->parent);

	if (row != tree->row) {
		g_autofree char *path = iot_timeline_path(tl, row, "/");

		tree->row = row;
		tree->type = type;
		tree->path = word(a, path);
	}
	define_location(a, id, location_name(tree, stream), stream->n_events, group);
	add_property(tree, id, tree->key_row, tree->path);
	if (type != OTF2_EVENTS)
		add_property(tree, id, tree->key_type, otf2_text(a, iot_type_at(tl, type)->name));
	add_lane(tree, id, otf2_key_lane(stream->key));
}

static void write_gap_location(struct tree *tree, OTF2_LocationRef id,
			       const struct otf2_stream *stream)
{
	const struct iot_gap_lane *lane = &g_array_index(tree->a->otf2->gaps, struct iot_gap_lane,
							 otf2_key_row(stream->key) - 1);
	OTF2_StringRef name = otf2_text(tree->a, lane->node);

	define_location(tree->a, id, name, stream->n_events, gap_group(tree));
	add_property(tree, id, tree->key_row, name);
}

void otf2_tree_write(struct otf2_archive *a)
{
	guint32 n_rows = a->otf2->tl->rows.n;
	g_autofree guint32 *nodes = g_new0(guint32, n_rows), *groups = g_new0(guint32, n_rows);
	g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	struct tree tree = { .a = a, .nodes = nodes, .groups = groups, .names = names };

	tree.key_row = word(a, "row");
	tree.key_type = word(a, "type");
	tree.key_lane = word(a, "lane");
	for (guint i = 0; i < a->locations->len; i++) {
		const struct otf2_stream *stream = g_ptr_array_index(a->locations, i);

		if (otf2_key_type(stream->key) == OTF2_GAPS)
			write_gap_location(&tree, OTF2_FIRST_LOCATION + i, stream);
		else
			write_row_location(&tree, OTF2_FIRST_LOCATION + i, stream);
	}
	if (!a->locations->len)
		define_location(a, OTF2_FIRST_LOCATION, word(a, "no events"), 0,
				group_of(&tree, 0));
}
