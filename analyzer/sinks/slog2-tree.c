/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/slog2-tree.h"
#include "sinks/slog2-bytes.h"
#include "sinks/slog2-sort.h"
#include "base/chunk.h"
#include "base/error.h"

#include <stdlib.h>

enum {
	NODE_FIXED_BYTES = 46,
	STUB_FIXED_BYTES = 42 - 8, /* without the counts of its two lists */
	DRAWABLE_FIXED_BYTES = 9,  /* kind, category, length of info, number of vertices */
	VERTEX_BYTES = 12,
	MIN_DURATION_NS = 1000,
};

/* A drawable of an open node; its bytes lie in the node's arena as they go to the file. */
struct entry {
	guint64 t0, t1;
	gint64 exclusive_ns;
	gint32 category;
	guint32 line;
	guint32 at, bytes;	 /* in the arena; also the last sort key */
	guint32 preview, weight; /* in the node's own set */
	guint32 below;		 /* scratch: the state under this one on the stack of its line */
};

struct list {
	struct entry *entries;
	guint32 n, size;
};

struct stub {
	struct iot_slog2_dir_entry node;
	struct iot_slog2_previews *previews;
};

struct iot_slog2_node {
	guint32 xpos;
	guint64 t0;
	struct list list[IOT_SLOG2_TOPOLOGIES]; /* nestless (events), nestable (states) */
	guint8 *arena;
	guint32 used, size;
	guint32 bytes; /* size in the file, without stubs */
	struct iot_slog2_previews *own;
	struct stub *stubs; /* n_children */
	guint n_stubs;
};

static struct iot_slog2_previews *take_previews(struct iot_slog2_tree *tree)
{
	struct iot_slog2_previews *set = tree->spare;

	if (!set)
		return iot_slog2_previews_new(tree->out);
	tree->spare = set->next;
	return set;
}

static void give_back(struct iot_slog2_tree *tree, struct iot_slog2_previews *set)
{
	iot_slog2_previews_clear(set);
	set->next = tree->spare;
	tree->spare = set;
}

/* The storage of a node is used again for its successor at the same depth. */
static void reopen_node(struct iot_slog2_tree *tree, struct iot_slog2_node *node, guint32 xpos,
			guint64 t0)
{
	node->xpos = xpos;
	node->t0 = t0;
	node->used = 0;
	node->bytes = NODE_FIXED_BYTES;
	node->n_stubs = 0;
	for (guint i = 0; i < IOT_SLOG2_TOPOLOGIES; i++)
		node->list[i].n = 0;
	node->own = take_previews(tree);
}

static void add_level(struct iot_slog2_tree *tree, guint32 xpos, guint64 t0)
{
	struct iot_slog2_node *node = g_new0(struct iot_slog2_node, 1);

	node->stubs = g_new0(struct stub, tree->config.n_children);
	tree->open = g_renew(struct iot_slog2_node *, tree->open, tree->n_open + 1);
	tree->open[tree->n_open++] = node;
	reopen_node(tree, node, xpos, t0);
}

struct iot_slog2_tree *iot_slog2_tree_new(struct iot_out *out,
					  const struct iot_slog2_config *config)
{
	struct iot_slog2_tree *tree = g_new0(struct iot_slog2_tree, 1);

	tree->out = out;
	tree->config = *config;
	add_level(tree, 0, G_MAXUINT64);
	return tree;
}

static void free_node(struct iot_slog2_node *node)
{
	for (guint i = 0; i < IOT_SLOG2_TOPOLOGIES; i++)
		g_free(node->list[i].entries);
	for (guint i = 0; i < node->n_stubs; i++)
		iot_slog2_previews_free(node->stubs[i].previews);
	iot_slog2_previews_free(node->own);
	g_free(node->stubs);
	g_free(node->arena);
	g_free(node);
}

void iot_slog2_tree_free(struct iot_slog2_tree *tree)
{
	if (!tree)
		return;
	for (guint i = 0; i < tree->n_open; i++)
		free_node(tree->open[i]);
	while (tree->spare) {
		struct iot_slog2_previews *next = tree->spare->next;

		iot_slog2_previews_free(tree->spare);
		tree->spare = next;
	}
	iot_slog2_previews_free(tree->total);
	g_free(tree->open);
	g_free(tree->dir);
	g_free(tree);
}

guint32 iot_slog2_tree_leaf_bytes(const struct iot_slog2_tree *tree)
{
	guint64 by_lines = (guint64)tree->config.leaf_bytes_per_line * tree->n_lines;

	return (guint32)MIN(MAX(by_lines, tree->config.leaf_bytes), G_MAXINT32);
}

/* Start increasing, end decreasing; then as the SDK does, whose reader merges levels by this order.
 */
static int compare_two(const struct entry *a, const struct entry *b)
{
	if (a->t0 != b->t0)
		return a->t0 < b->t0 ? -1 : 1;
	if (a->t1 != b->t1)
		return a->t1 > b->t1 ? -1 : 1;
	if (a->category != b->category)
		return a->category < b->category ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

static int compare_entries(const void *pa, const void *pb)
{
	const struct iot_slog2_timed *a = pa, *b = pb;

	return compare_two(a->what, b->what);
}

/* Events come in the order of their instants. */
static gboolean is_sorted(const struct list *list)
{
	for (guint32 i = 1; i < list->n; i++)
		if (compare_two(&list->entries[i - 1], &list->entries[i]) > 0)
			return FALSE;
	return TRUE;
}

static void sort_list(struct iot_slog2_tree *tree, struct list *list)
{
	gsize n = list->n;
	struct iot_slog2_timed *timed;
	struct entry *copy;

	if (is_sorted(list) || iot_out_failed(tree->out))
		return;
	timed = iot_try_malloc(n * (2 * sizeof(*timed) + sizeof(*copy)), "the SLOG2 tree",
			       &tree->out->error);
	if (!timed)
		return;
	copy = (struct entry *)(timed + 2 * n);
	memcpy(copy, list->entries, n * sizeof(*copy));
	for (gsize i = 0; i < n; i++)
		timed[i] = (struct iot_slog2_timed){ copy[i].t0, &copy[i] };
	iot_slog2_sort(timed, timed + n, list->n, compare_entries);
	for (gsize i = 0; i < n; i++)
		list->entries[i] = *(const struct entry *)timed[i].what;
	g_free(timed);
}

static gint64 overlap(const struct entry *state, const struct stub *stub)
{
	guint32 index = iot_slog2_previews_find(stub->previews, IOT_SLOG2_STATE, state->line);
	const struct iot_slog2_preview *preview;
	guint64 from, to;

	if (index == IOT_SLOG2_NONE)
		return 0;
	preview = &stub->previews->list[index];
	from = MAX(state->t0, preview->t0);
	to = MIN(state->t1, preview->t1);
	return to > from ? (gint64)(to - from) : 0;
}

static gboolean covers(const struct entry *outer, const struct entry *inner)
{
	return outer->t0 <= inner->t0 && inner->t1 <= outer->t1;
}

/*
 * The time of each state without the states nested in it. Below the children only previews are
 * known, so that outer states get somewhat too little: the approximation of the SDK. The states are
 * sorted.
 */
static void add_exclusive_times(struct iot_slog2_node *node)
{
	struct list *states = &node->list[IOT_SLOG2_STATE];
	struct entry *e = states->entries;

	for (guint32 i = 0; i < states->n; i++) {
		struct iot_slog2_preview *line = &node->own->list[e[i].preview];
		guint32 top = line->top;

		e[i].exclusive_ns = (gint64)(e[i].t1 - e[i].t0);
		for (guint k = 0; k < node->n_stubs; k++)
			e[i].exclusive_ns -= overlap(&e[i], &node->stubs[k]);
		while (top != IOT_SLOG2_NONE && !covers(&e[top], &e[i]))
			top = e[top].below;
		if (top != IOT_SLOG2_NONE)
			e[top].exclusive_ns -= e[i].exclusive_ns;
		e[i].below = top;
		line->top = i;
	}
	for (guint32 i = 0; i < states->n; i++)
		node->own->weights[e[i].weight].exclusive_ns += e[i].exclusive_ns;
}

static guint64 node_bytes(const struct iot_slog2_node *node)
{
	guint64 bytes = node->bytes;

	for (guint i = 0; i < node->n_stubs; i++)
		bytes += STUB_FIXED_BYTES + iot_slog2_previews_bytes(node->stubs[i].previews);
	return bytes;
}

static void write_count(struct iot_out *out, guint32 count)
{
	iot_put_u32(iot_out_reserve(out, 4), count);
	iot_out_commit(out, 4);
}

static guint8 *put_box(guint8 *p, const struct iot_slog2_dir_entry *node)
{
	return iot_put_time(iot_put_time(p, node->t0), node->t1);
}

static void write_id(struct iot_out *out, const struct iot_slog2_dir_entry *node)
{
	guint8 *start = iot_out_reserve(out, STUB_FIXED_BYTES), *p = put_box(start, node);

	p = iot_put_node_id(p, node->depth, node->xpos);
	p = iot_put_place(p, node->offset, node->bytes);
	iot_out_commit(out, (gsize)(p - start));
}

static void write_node(struct iot_slog2_tree *tree, const struct iot_slog2_node *node,
		       const struct iot_slog2_dir_entry *place)
{
	write_id(tree->out, place);
	for (guint i = 0; i < IOT_SLOG2_TOPOLOGIES; i++) {
		const struct list *list = &node->list[i];

		write_count(tree->out, list->n);
		for (guint32 k = 0; k < list->n; k++)
			iot_out_write(tree->out, node->arena + list->entries[k].at,
				      list->entries[k].bytes);
	}
	write_count(tree->out, node->n_stubs);
	for (guint i = 0; i < node->n_stubs; i++) {
		write_id(tree->out, &node->stubs[i].node);
		iot_slog2_previews_write(node->stubs[i].previews);
	}
}

static void add_to_directory(struct iot_slog2_tree *tree, const struct iot_slog2_dir_entry *place)
{
	if (iot_slog2_grow(tree->out, (gpointer *)&tree->dir, tree->n_dir, &tree->size_dir,
			   sizeof(*tree->dir)))
		tree->dir[tree->n_dir++] = *place;
	tree->max_bytes = MAX(tree->max_bytes, place->bytes);
}

/* Sizes and places of blocks are signed 32-bit numbers. */
static void check_size(struct iot_slog2_tree *tree, guint64 bytes)
{
	if (bytes > G_MAXINT32 && !tree->out->error)
		g_set_error(&tree->out->error, IOT_ERROR, IOT_ERROR_OUTPUT,
			    "cannot write %s: a node of the SLOG2 tree would be larger than 2 GiB; "
			    "select less",
			    tree->out->path);
}

/* Write the node of that depth; what remains of it is the stub for its parent. */
static struct stub close_node(struct iot_slog2_tree *tree, guint depth)
{
	struct iot_slog2_node *node = tree->open[depth];
	guint64 bytes = node_bytes(node);
	struct stub stub = {
		.node = {
			.t0 = node->t0,
			.t1 = tree->last,
			.offset = iot_out_tell(tree->out),
			.bytes = (guint32)bytes,
			.xpos = node->xpos,
			.depth = (guint16)depth,
		},
		.previews = node->own,
	};

	check_size(tree, bytes);
	for (guint i = 0; i < IOT_SLOG2_TOPOLOGIES; i++)
		sort_list(tree, &node->list[i]);
	if (!iot_out_failed(tree->out)) {
		write_node(tree, node, &stub.node);
		add_to_directory(tree, &stub.node);
		add_exclusive_times(node);
	}
	for (guint i = 0; i < node->n_stubs; i++) {
		iot_slog2_previews_merge(node->own, node->stubs[i].previews);
		give_back(tree, node->stubs[i].previews);
	}
	node->n_stubs = 0;
	node->own = NULL;
	return stub;
}

static void add_stub(struct iot_slog2_tree *tree, guint depth, const struct stub *stub)
{
	struct iot_slog2_node *node = tree->open[depth];

	g_assert(node->n_stubs < tree->config.n_children);
	node->stubs[node->n_stubs++] = *stub;
}

/* The leaf is full: close it, and each ancestor whose last child it was, and open their successors.
 */
static void next_leaf(struct iot_slog2_tree *tree)
{
	guint32 k = tree->config.n_children;
	guint32 xpos = tree->open[0]->xpos + 1;

	for (guint depth = 0; tree->open[depth]->xpos != xpos; depth++, xpos /= k) {
		guint64 t0 = tree->open[depth]->t0;
		struct stub stub = close_node(tree, depth);
		gboolean was_root = depth + 1 == tree->n_open;

		if (was_root)
			add_level(tree, xpos / k, t0);
		add_stub(tree, depth + 1, &stub);
		reopen_node(tree, tree->open[depth], xpos, tree->last);
		if (was_root)
			break;
	}
}

static guint32 drawable_bytes(const struct iot_slog2_drawable *d)
{
	guint n_vertices = d->topology == IOT_SLOG2_STATE ? 2 : 1;

	return DRAWABLE_FIXED_BYTES + n_vertices * VERTEX_BYTES + d->info_bytes;
}

static void encode(guint8 *p, const struct iot_slog2_drawable *d)
{
	gboolean state = d->topology == IOT_SLOG2_STATE;

	p = iot_put_u8(p, 0);
	p = iot_put_u32(p, (guint32)d->category);
	p = iot_put_u16(p, d->info_bytes);
	if (d->info_bytes)
		memcpy(p, d->info, d->info_bytes);
	p = iot_put_u16(p + d->info_bytes, state ? 2 : 1);
	p = iot_put_u32(iot_put_time(p, d->t0), d->line);
	if (state)
		iot_put_u32(iot_put_time(p, d->t1), d->line);
}

/* The lowest open node that began early enough; the root begins earlier if it must. */
static struct iot_slog2_node *node_for(struct iot_slog2_tree *tree, guint64 t0)
{
	struct iot_slog2_node *root = tree->open[tree->n_open - 1];

	for (guint depth = 0; depth < tree->n_open; depth++)
		if (tree->open[depth]->t0 <= t0)
			return tree->open[depth];
	root->t0 = t0;
	return root;
}

static gboolean room_in_arena(struct iot_slog2_tree *tree, struct iot_slog2_node *node,
			      guint32 bytes)
{
	guint64 size = MAX((guint64)node->size * 2, 4096);
	gpointer grown;

	if (G_LIKELY((guint64)node->used + bytes <= node->size))
		return TRUE;
	while (size < (guint64)node->used + bytes)
		size *= 2;
	size = MIN(size, G_MAXINT32);
	check_size(tree, (guint64)node->used + bytes);
	if (iot_out_failed(tree->out))
		return FALSE;
	grown = iot_try_realloc(node->arena, size, "the SLOG2 tree", &tree->out->error);
	if (!grown)
		return FALSE;
	node->arena = grown;
	node->size = (guint32)size;
	return TRUE;
}

void iot_slog2_tree_add(struct iot_slog2_tree *tree, const struct iot_slog2_drawable *drawable)
{
	guint32 bytes = drawable_bytes(drawable);
	struct iot_slog2_node *node = tree->open[0];
	struct list *list;
	struct entry *entry;
	guint32 preview, weight;

	if (G_UNLIKELY(iot_out_failed(tree->out)))
		return;
	tree->n_lines = MAX(tree->n_lines, drawable->line + 1);
	if (node->bytes > NODE_FIXED_BYTES &&
	    (guint64)node->bytes + bytes > iot_slog2_tree_leaf_bytes(tree))
		next_leaf(tree);
	node = node_for(tree, drawable->t0);
	list = &node->list[drawable->topology];
	preview = iot_slog2_previews_add(node->own, drawable->topology, drawable->line,
					 drawable->category, drawable->t0, drawable->t1, &weight);
	if (preview == IOT_SLOG2_NONE || !room_in_arena(tree, node, bytes) ||
	    !iot_slog2_grow(tree->out, (gpointer *)&list->entries, list->n, &list->size,
			    sizeof(*list->entries)))
		return;
	entry = &list->entries[list->n++];
	*entry = (struct entry){
		.t0 = drawable->t0,
		.t1 = drawable->t1,
		.category = drawable->category,
		.line = drawable->line,
		.at = node->used,
		.bytes = bytes,
		.preview = preview,
		.weight = weight,
	};
	encode(node->arena + node->used, drawable);
	node->used += bytes;
	node->bytes += bytes;
	tree->last = MAX(tree->last, drawable->t1);
}

static int compare_directory(const void *pa, const void *pb)
{
	const struct iot_slog2_dir_entry *a = pa, *b = pb;

	if (a->depth != b->depth)
		return a->depth > b->depth ? -1 : 1;
	return a->xpos < b->xpos ? -1 : a->xpos > b->xpos;
}

void iot_slog2_tree_end(struct iot_slog2_tree *tree, guint64 raise_ns)
{
	struct iot_slog2_node *root = tree->open[tree->n_open - 1];

	if (root->t0 == G_MAXUINT64)
		root->t0 = 0;
	tree->last = MAX(tree->last + raise_ns, root->t0 + MIN_DURATION_NS);
	for (guint depth = 0; depth < tree->n_open; depth++) {
		struct stub stub = close_node(tree, depth);

		if (depth + 1 < tree->n_open)
			add_stub(tree, depth + 1, &stub);
		else
			tree->total = stub.previews;
	}
	if (tree->n_dir)
		qsort(tree->dir, tree->n_dir, sizeof(*tree->dir), compare_directory);
}
