/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree of time intervals of a SLOG-2 file, written while the drawables arrive. Only the path
 * from the current leaf to the root is open; a node is written as soon as time has left it. Memory
 * holds the drawables of the open nodes and the previews of one node. Previews of finished children
 * and the directory are in temporary files, so memory grows with the number of lines, not with the
 * file.
 *
 * Legal order: new, add ..., end, free. Errors are remembered in the iot_out. One thread.
 */
#ifndef IOT_SINKS_SLOG2_SLOG2_TREE_H
#define IOT_SINKS_SLOG2_SLOG2_TREE_H

#include "sinks/slog2/slog2-dir.h"
#include "sinks/slog2/slog2-node-sums.h"

struct iot_slog2_drawable {
	guint8 topology;  /* enum iot_slog2_topology */
	guint8 backwards; /* arrows: the from-end is at t1 */
	gint32 category;
	guint32 line;	    /* of an arrow: the number for its pair, see iot_slog2_tree_pair */
	guint64 t0, t1;	    /* ns; equal for events */
	const guint8 *info; /* copied */
	guint16 info_bytes; /* at most IOT_SLOG2_STR_MAX */
};

struct iot_slog2_config {
	guint16 n_children; /* of an inner node, at least 2 */
	/* a leaf is closed before it becomes larger; doubled until it is leaf_bytes_per_line times
	 * the lines in use (0: never doubled), or leaf_bytes_max */
	guint32 leaf_bytes, leaf_bytes_per_line, leaf_bytes_max;
	gsize parked_bytes; /* previews of finished children that stay in memory */
};

struct iot_slog2_node;

struct iot_slog2_tree {
	struct iot_out *out;
	struct iot_slog2_config config;
	struct iot_slog2_node **open; /* by depth; 0 is the leaf, the last one the root */
	guint n_open;
	guint64 last;		      /* greatest end so far */
	guint32 n_lines;	      /* highest line number + 1 */
	struct iot_slog2_pair *pairs; /* by line; of arrows only */
	guint32 n_pairs;	      /* allocated */
	guint32 leaf_bytes;	      /* the current limit of a leaf */
	struct iot_slog2_dir dir;
	guint32 max_bytes;		 /* of the largest node */
	struct iot_slog2_previews *sums; /* of the node that is closed; after end: of the root */
	struct iot_park stubs;		 /* previews of the finished children of open nodes */
	struct iot_slog2_node_sums node_sums; /* scratch for the node that is closed */
};

struct iot_slog2_tree *iot_slog2_tree_new(struct iot_out *out,
					  const struct iot_slog2_config *config);
void iot_slog2_tree_free(struct iot_slog2_tree *tree);
/** iot_slog2_tree_memory - greatest size of the storage in bytes; before iot_slog2_tree_end */
gsize iot_slog2_tree_memory(const struct iot_slog2_tree *tree);
typedef struct iot_slog2_tree iot_slog2_tree;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_slog2_tree, iot_slog2_tree_free)

/** iot_slog2_tree_pair - @line stands for a pair of lines, before the first arrow with it */
void iot_slog2_tree_pair(struct iot_slog2_tree *tree, guint32 line,
			 const struct iot_slog2_pair *pair);
/** iot_slog2_tree_add - add a drawable; the ends of drawables must not decrease */
void iot_slog2_tree_add(struct iot_slog2_tree *tree, const struct iot_slog2_drawable *drawable);
/**
 * iot_slog2_tree_end - write the open nodes
 * @raise_ns: the tree ends so much after the last drawable, as tools drop drawables that start at
 * its end
 *
 * The tree is at least a microsecond long, as a viewer draws nothing in an empty interval.
 */
void iot_slog2_tree_end(struct iot_slog2_tree *tree, guint64 raise_ns);

#endif
