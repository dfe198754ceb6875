/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree of time intervals of a SLOG-2 file, written while the drawables arrive. Only the path
 * from the current leaf to the root is open; a node is written when time has left it. Memory: the
 * drawables of the open nodes, and the previews of one; those of finished children and the
 * directory wait in temporary files. So it does not grow with the file, but with the lines.
 *
 * Legal order: new, add ..., end, free. Errors are remembered in the iot_out. One thread.
 */
#ifndef IOT_SINKS_SLOG2_SLOG2_TREE_H
#define IOT_SINKS_SLOG2_SLOG2_TREE_H

#include "sinks/slog2/slog2-dir.h"
#include "sinks/slog2/slog2-node-sums.h"

struct iot_slog2_drawable {
	guint8 topology; /* enum iot_slog2_topology */
	gint32 category;
	guint32 line;
	guint64 t0, t1;	    /* ns; equal for events */
	const guint8 *info; /* copied */
	guint16 info_bytes; /* at most IOT_SLOG2_STR_MAX */
};

struct iot_slog2_config {
	guint16 n_children; /* of an inner node, at least 2 */
	guint32 leaf_bytes; /* a leaf is closed when it would become larger */
	/* That is doubled until it is as large as this, times the lines in use; 0: never. */
	guint32 leaf_bytes_per_line, leaf_bytes_max;
	gsize parked_bytes; /* of the previews of finished children, that many stay in memory */
};

struct iot_slog2_node;

struct iot_slog2_tree {
	struct iot_out *out;
	struct iot_slog2_config config;
	struct iot_slog2_node **open; /* by depth; 0 is the leaf, the last one the root */
	guint n_open;
	guint64 last;	    /* greatest end so far */
	guint32 n_lines;    /* highest line number, and 1 */
	guint32 leaf_bytes; /* the present limit of a leaf */
	struct iot_slog2_dir dir;
	guint32 max_bytes;		 /* of the largest node */
	struct iot_slog2_previews *sums; /* of the node that is closed; after end: of the root */
	struct iot_park stubs;		 /* previews of the finished children of open nodes */
	struct iot_slog2_node_sums node_sums; /* scratch of the node that is closed */
};

struct iot_slog2_tree *iot_slog2_tree_new(struct iot_out *out,
					  const struct iot_slog2_config *config);
void iot_slog2_tree_free(struct iot_slog2_tree *tree);
/** iot_slog2_tree_memory - bytes of storage; before iot_slog2_tree_end the most there was */
gsize iot_slog2_tree_memory(const struct iot_slog2_tree *tree);
typedef struct iot_slog2_tree iot_slog2_tree;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_slog2_tree, iot_slog2_tree_free)

/** iot_slog2_tree_add - take one drawable; their ends must not decrease */
void iot_slog2_tree_add(struct iot_slog2_tree *tree, const struct iot_slog2_drawable *drawable);
/**
 * iot_slog2_tree_end - write the open nodes
 * @raise_ns: how much later than the last end the tree ends. Tools drop what starts at its very
 * end.
 *
 * The tree is at least a microsecond long, for a viewer draws nothing in an empty interval.
 */
void iot_slog2_tree_end(struct iot_slog2_tree *tree, guint64 raise_ns);

#endif
