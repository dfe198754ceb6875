/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/slog2/slog2-tree.h"
#include "sinks/slog2/slog2-bytes.h"
#include "base/try-alloc.h"
#include "base/error.h"

enum {
	NODE_FIXED_BYTES = 46,
	STUB_FIXED_BYTES = 42 - 8, /* without the counts of its two lists */
	DRAWABLE_FIXED_BYTES = 9,  /* kind, category, length of the info, number of vertices */
	VERTEX_BYTES = 12,
	DRAWABLE_MAX = DRAWABLE_FIXED_BYTES + 2 * VERTEX_BYTES + IOT_SLOG2_STR_MAX,
	MIN_DURATION_NS = 1000,
	AHEAD = 8, /* distance of the prefetch, in drawables */
};

/* The drawables of one topology in an open node; the arena has their bytes as in the file. */
struct list {
	struct iot_slog2_key *keys;
	guint32 n, size;
	guint8 *arena;
	guint32 used, arena_size;
};

/* A closed node, as its parent needs it. */
struct stub {
	struct iot_slog2_dir_entry node;
	guint64 parked; /* place of its previews in the park */
	gsize size;
	struct iot_slog2_packed previews;
};

struct iot_slog2_node {
	guint32 xpos;
	guint64 t0;
	struct list list[IOT_SLOG2_TOPOLOGIES]; /* nestless (events, arrows), nestable (states) */
	struct stub *stubs;			/* n_children */
	guint n_stubs;
};

/* A node inherits the storage of its predecessor at the same depth. */
static void reopen_node(struct iot_slog2_node *node, guint32 xpos, guint64 t0)
{
	node->xpos = xpos;
	node->t0 = t0;
	node->n_stubs = 0;
	for (guint i = 0; i < IOT_SLOG2_TOPOLOGIES; i++)
		node->list[i].n = node->list[i].used = 0;
}

static void add_level(struct iot_slog2_tree *tree, guint32 xpos, guint64 t0)
{
	struct iot_slog2_node *node = g_new0(struct iot_slog2_node, 1);

	node->stubs = g_new0(struct stub, tree->config.n_children);
	tree->open = g_renew(struct iot_slog2_node *, tree->open, tree->n_open + 1);
	tree->open[tree->n_open++] = node;
	reopen_node(node, xpos, t0);
}

struct iot_slog2_tree *iot_slog2_tree_new(struct iot_out *out,
					  const struct iot_slog2_config *config)
{
	struct iot_slog2_tree *tree = g_new0(struct iot_slog2_tree, 1);

	tree->out = out;
	tree->config = *config;
	tree->leaf_bytes = config->leaf_bytes;
	tree->sums = iot_slog2_previews_new(out);
	tree->node_sums.previews = tree->sums;
	iot_park_init(&tree->stubs, out, config->parked_bytes, "the SLOG2 tree");
	iot_slog2_dir_init(&tree->dir, out);
	add_level(tree, 0, G_MAXUINT64);
	return tree;
}

static void free_node(struct iot_slog2_node *node)
{
	for (guint i = 0; i < IOT_SLOG2_TOPOLOGIES; i++) {
		g_free(node->list[i].keys);
		g_free(node->list[i].arena);
	}
	g_free(node->stubs);
	g_free(node);
}

void iot_slog2_tree_free(struct iot_slog2_tree *tree)
{
	if (!tree)
		return;
	for (guint i = 0; i < tree->n_open; i++)
		free_node(tree->open[i]);
	iot_slog2_previews_free(tree->sums);
	iot_park_clear(&tree->stubs);
	iot_slog2_dir_clear(&tree->dir);
	g_free(tree->open);
	g_free(tree->pairs);
	iot_slog2_node_sums_clear(&tree->node_sums);
	g_free(tree);
}

/* Doubled, so that not every new line takes memory. */
static void count_line(struct iot_slog2_tree *tree, guint32 line)
{
	guint64 wanted;

	tree->n_lines = line + 1;
	wanted = MIN((guint64)tree->config.leaf_bytes_per_line * tree->n_lines,
		     tree->config.leaf_bytes_max);
	while (tree->leaf_bytes < wanted)
		tree->leaf_bytes *= 2;
}

static guint64 drawables_bytes(const struct iot_slog2_node *node)
{
	return (guint64)NODE_FIXED_BYTES + node->list[IOT_SLOG2_EVENT].used +
	       node->list[IOT_SLOG2_STATE].used;
}

static guint64 node_bytes(const struct iot_slog2_node *node)
{
	guint64 bytes = drawables_bytes(node);

	for (guint i = 0; i < node->n_stubs; i++)
		bytes += STUB_FIXED_BYTES + iot_slog2_packed_bytes(&node->stubs[i].previews);
	return bytes;
}

static void write_count(struct iot_out *out, guint32 count)
{
	iot_put_u32(iot_out_reserve(out, 4), count);
	iot_out_commit(out, 4);
}

static guint8 *put_row(guint8 *p, const struct iot_slog2_dir_entry *node)
{
	return iot_put_time(iot_put_time(p, node->t0), node->t1);
}

static void write_id(struct iot_out *out, const struct iot_slog2_dir_entry *node)
{
	guint8 *start = iot_out_reserve(out, STUB_FIXED_BYTES), *p = put_row(start, node);

	p = iot_put_node_id(p, node->depth, node->xpos);
	p = iot_put_place(p, node->offset, node->bytes);
	iot_out_commit(out, (gsize)(p - start));
}

static gboolean in_order(const guint32 *order, guint32 n)
{
	for (guint32 i = 0; i < n; i++)
		if (order[i] != i)
			return FALSE;
	return TRUE;
}

/* One by one: the arena has some megabytes in order of end, so each read would be a cache miss
 * without the prefetch. */
static void write_drawables(struct iot_out *out, const struct list *list, const guint32 *order)
{
	for (guint32 i = 0; i < list->n; i++) {
		const struct iot_slog2_key *key = &list->keys[order[i]];
		const guint8 *later =
			list->arena + list->keys[order[MIN(i + AHEAD, list->n - 1)]].at;

		__builtin_prefetch(later);
		__builtin_prefetch(later + 64);
		memcpy(iot_out_reserve(out, key->bytes), list->arena + key->at, key->bytes);
		iot_out_commit(out, key->bytes);
	}
}

/* Write the drawables of one topology and sum them up; states stay in node_sums. */
static gboolean write_list(struct iot_slog2_tree *tree, const struct list *list, guint8 topology)
{
	const guint32 *order;

	write_count(tree->out, list->n);
	if (!list->n)
		return TRUE;
	order = iot_slog2_node_sums_sort(&tree->node_sums, list->keys, list->n, tree->n_lines);
	if (!order)
		return FALSE;
	if (in_order(order, list->n))
		iot_out_write(tree->out, list->arena, list->used);
	else
		write_drawables(tree->out, list, order);
	return iot_slog2_node_sums_add(&tree->node_sums, list->keys, topology);
}

static const struct iot_slog2_pair *pair_of(const struct iot_slog2_tree *tree,
					    const struct iot_slog2_preview *preview)
{
	return G_UNLIKELY(preview->arrow) ? &tree->pairs[preview->line] : NULL;
}

static gboolean write_stub(struct iot_slog2_tree *tree, const struct stub *stub)
{
	struct iot_slog2_cursor cursor = {
		.park = &tree->stubs,
		.at = stub->parked,
		.end = stub->parked + stub->size,
	};

	write_id(tree->out, &stub->node);
	for (guint topology = 0; topology < IOT_SLOG2_TOPOLOGIES; topology++) {
		write_count(tree->out, stub->previews.n_of[topology]);
		for (guint32 i = 0; i < stub->previews.n_of[topology]; i++) {
			const struct iot_slog2_preview *preview = iot_slog2_cursor_next(&cursor);

			if (!preview)
				return FALSE;
			iot_slog2_preview_write(tree->out, preview, pair_of(tree, preview));
			iot_slog2_node_sums_subtract_child(&tree->node_sums, preview);
			iot_slog2_previews_merge(tree->sums, preview);
		}
	}
	return TRUE;
}

static void write_stubs(struct iot_slog2_tree *tree, const struct iot_slog2_node *node)
{
	write_count(tree->out, node->n_stubs);
	for (guint i = 0; i < node->n_stubs; i++)
		if (!write_stub(tree, &node->stubs[i]))
			return;
}

/* Write a node, and sum up its drawables and those below. */
static void write_node(struct iot_slog2_tree *tree, struct iot_slog2_node *node,
		       const struct iot_slog2_dir_entry *place)
{
	iot_slog2_previews_clear(tree->sums);
	write_id(tree->out, place);
	for (guint8 topology = 0; topology < IOT_SLOG2_TOPOLOGIES; topology++)
		if (!write_list(tree, &node->list[topology], topology))
			return;
	write_stubs(tree, node);
	if (node->list[IOT_SLOG2_STATE].n)
		iot_slog2_node_sums_subtract_nested(&tree->node_sums);
	iot_slog2_dir_add(&tree->dir, place);
	tree->max_bytes = MAX(tree->max_bytes, place->bytes);
}

/* In the park the sums of the closed node replace the sums of its children. */
static void park_sums(struct iot_slog2_tree *tree, const struct iot_slog2_node *node,
		      struct stub *stub)
{
	gpointer room;

	if (node->n_stubs)
		iot_park_cut(&tree->stubs, node->stubs[0].parked);
	stub->parked = iot_park_end(&tree->stubs);
	stub->size = iot_slog2_previews_size(tree->sums);
	room = iot_park_push(&tree->stubs, stub->size);
	if (room)
		stub->previews = iot_slog2_previews_pack(tree->sums, room);
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

/* Write the node at @depth; returns the stub for its parent. */
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
	};

	check_size(tree, bytes);
	if (!iot_out_failed(tree->out)) {
		write_node(tree, node, &stub.node);
		park_sums(tree, node, &stub);
	}
	return stub;
}

static void add_stub(struct iot_slog2_tree *tree, guint depth, const struct stub *stub)
{
	struct iot_slog2_node *node = tree->open[depth];

	g_assert(node->n_stubs < tree->config.n_children);
	node->stubs[node->n_stubs++] = *stub;
}

/* The leaf is full: close it and each ancestor that is full then, and open their successors. */
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
		reopen_node(tree->open[depth], xpos, tree->last);
		if (was_root)
			break;
	}
}

static guint32 drawable_bytes(const struct iot_slog2_drawable *d)
{
	guint n_vertices = d->topology == IOT_SLOG2_EVENT ? 1 : 2;

	return DRAWABLE_FIXED_BYTES + n_vertices * VERTEX_BYTES + d->info_bytes;
}

static inline void encode(const struct iot_slog2_tree *tree, guint8 *p,
			  const struct iot_slog2_drawable *d)
{
	gboolean two = d->topology != IOT_SLOG2_EVENT;

	p = iot_put_u8(p, 0);
	p = iot_put_u32(p, (guint32)d->category);
	p = iot_put_u16(p, d->info_bytes);
	if (d->info_bytes)
		memcpy(p, d->info, d->info_bytes);
	p = iot_put_u16(p + d->info_bytes, two ? 2 : 1);
	if (G_UNLIKELY(d->topology == IOT_SLOG2_ARROW)) {
		const struct iot_slog2_pair *pair = &tree->pairs[d->line];

		p = iot_put_u32(iot_put_time(p, d->backwards ? d->t1 : d->t0), pair->from);
		iot_put_u32(iot_put_time(p, d->backwards ? d->t0 : d->t1), pair->to);
		return;
	}
	p = iot_put_u32(iot_put_time(p, d->t0), d->line);
	if (two)
		iot_put_u32(iot_put_time(p, d->t1), d->line);
}

/* The lowest open node that begins early enough. If even the root begins too late, its begin moves
 * to 1 ns before @t0, as slog2filter leaves out drawables that end where the first leaf begins. */
static struct iot_slog2_node *node_for(struct iot_slog2_tree *tree, guint64 t0)
{
	struct iot_slog2_node *root = tree->open[tree->n_open - 1];

	for (guint depth = 0; depth < tree->n_open; depth++)
		if (tree->open[depth]->t0 <= t0)
			return tree->open[depth];
	root->t0 = t0 - MIN(t0, 1);
	return root;
}

/* Doubled, except that the arena of a leaf never needs more than the limit and one drawable. */
static gboolean grow_arena(struct iot_slog2_tree *tree, struct list *list, guint64 wanted)
{
	guint64 size = MAX((guint64)list->arena_size * 2, 4096);
	guint64 most = (guint64)tree->leaf_bytes + DRAWABLE_MAX;
	gpointer grown;

	while (size < wanted)
		size *= 2;
	if (wanted <= most)
		size = MIN(size, most);
	size = MIN(size, (guint64)G_MAXINT32 + DRAWABLE_MAX);
	check_size(tree, wanted - MIN(wanted, DRAWABLE_MAX));
	if (iot_out_failed(tree->out))
		return FALSE;
	grown = iot_try_realloc(list->arena, size, "the SLOG2 tree", &tree->out->error);
	if (!grown)
		return FALSE;
	list->arena = grown;
	list->arena_size = (guint32)size;
	return TRUE;
}

static inline gboolean has_room(const struct list *list, guint32 bytes)
{
	return list->arena_size - list->used >= bytes && list->n < list->size;
}

static G_GNUC_NO_INLINE gboolean make_room(struct iot_slog2_tree *tree, struct list *list,
					   guint32 bytes)
{
	guint64 wanted = (guint64)list->used + bytes;

	return (wanted <= list->arena_size || grow_arena(tree, list, wanted)) &&
	       iot_slog2_grow(tree->out, (gpointer *)&list->keys, list->n, &list->size,
			      sizeof(*list->keys));
}

/*
 * Drawables with the same end stay in one leaf unless it becomes twice as large: slog2filter reads
 * the instant between two leaves from the first leaf only.
 */
static gboolean is_full(const struct iot_slog2_tree *tree, guint64 bytes, guint64 t1)
{
	if (bytes <= tree->leaf_bytes || drawables_bytes(tree->open[0]) <= NODE_FIXED_BYTES)
		return FALSE;
	return t1 > tree->last || bytes > 2 * (guint64)tree->leaf_bytes;
}

void iot_slog2_tree_pair(struct iot_slog2_tree *tree, guint32 line,
			 const struct iot_slog2_pair *pair)
{
	if (line < tree->n_pairs ||
	    iot_slog2_enlarge(tree->out, (gpointer *)&tree->pairs, &tree->n_pairs, line + 1,
			      sizeof(*tree->pairs)))
		tree->pairs[line] = *pair;
}

void iot_slog2_tree_add(struct iot_slog2_tree *tree, const struct iot_slog2_drawable *drawable)
{
	guint32 bytes = drawable_bytes(drawable);
	guint64 leaf = drawables_bytes(tree->open[0]);
	struct list *list;

	if (iot_out_failed(tree->out))
		return;
	if (drawable->line >= tree->n_lines)
		count_line(tree, drawable->line);
	if (is_full(tree, leaf + bytes, drawable->t1))
		next_leaf(tree);
	/* arrows, topology 2, are in the list of events */
	list = &node_for(tree, drawable->t0)->list[drawable->topology & 1];
	if (G_UNLIKELY(!has_room(list, bytes)) && !make_room(tree, list, bytes))
		return;
	list->keys[list->n++] = (struct iot_slog2_key){
		.t0 = drawable->t0,
		.t1 = drawable->t1,
		.category = drawable->category,
		.line = drawable->line,
		.at = list->used,
		.bytes = (guint16)bytes,
		.topology = drawable->topology,
		.backwards = drawable->backwards,
	};
	encode(tree, list->arena + list->used, drawable);
	list->used += bytes;
	tree->last = MAX(tree->last, drawable->t1);
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
	}
}

gsize iot_slog2_tree_memory(const struct iot_slog2_tree *tree)
{
	gsize bytes = iot_slog2_previews_memory(tree->sums) + tree->stubs.size;

	for (guint depth = 0; depth < tree->n_open; depth++)
		for (guint i = 0; i < IOT_SLOG2_TOPOLOGIES; i++) {
			const struct list *list = &tree->open[depth]->list[i];

			bytes += list->arena_size + list->size * sizeof(*list->keys);
		}
	bytes += tree->n_pairs * sizeof(*tree->pairs);
	return bytes + iot_slog2_node_sums_memory(&tree->node_sums);
}
