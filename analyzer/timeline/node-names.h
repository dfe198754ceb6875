/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the user says of nodes (--names): names, other names of the same node, and levels of rows
 * above them, such as a cluster and its racks. Only rows of nodes that are at the root of their
 * tree go below these levels: where nodes are below other rows, such as a lock of several, these
 * rows belong to no one cluster.
 */
#ifndef IOT_TIMELINE_NODE_NAMES_H
#define IOT_TIMELINE_NODE_NAMES_H

#include "timeline/timeline.h"

struct iot_node_names;

/* Levels above nodes. */
enum { IOT_MAX_NODE_LEVELS = 3 };

/* What is said of one node. */
struct iot_node_name {
	iot_str id;
	iot_str name; /* what outputs call it */
	/* name of its row on each level, outermost first; 0: not said */
	iot_str above[IOT_MAX_NODE_LEVELS];
};

/** iot_node_names_new - nothing is said yet; the timeline owns it if it is set as tl->names.
 * Pipeline thread only, like all functions here. */
struct iot_node_names *iot_node_names_new(struct iot_timeline *tl);
/** iot_node_names_free - accepts NULL */
void iot_node_names_free(struct iot_node_names *names);
/** iot_node_names_add_level - the next level, below those so far, at most IOT_MAX_NODE_LEVELS;
 * before models are loaded */
void iot_node_names_add_level(struct iot_node_names *names, const char *name, const char *title);
/** iot_node_names_add_same - the level @name of a model is the level @other of other models; before
 * models are loaded */
void iot_node_names_add_same(struct iot_node_names *names, const char *name, const char *other);
/** iot_node_names_level - the level that the level @name of a model is: another one, or @name
 * itself. @names may be NULL. Valid as long as @names and @name. */
const char *iot_node_names_level(struct iot_node_names *names, const char *name);
/** iot_node_names_same_used - whether iot_node_names_level was asked for the level @name, which is
 * another one */
gboolean iot_node_names_same_used(const struct iot_node_names *names, const char *name);
/** iot_node_names_add - what is said of a node; the node must be new */
void iot_node_names_add(struct iot_node_names *names, const struct iot_node_name *node);
/** iot_node_names_add_alias - @alias is another identity of the node @id */
void iot_node_names_add_alias(struct iot_node_names *names, iot_str alias, iot_str id);
/** iot_node_names_find - what is said of the node with the identity @id, or the alias; NULL:
 * nothing. Valid until the names are freed. */
const struct iot_node_name *iot_node_names_find(const struct iot_node_names *names, iot_str id);

/* Ranks of MPI programs, and the node on which they ran. */
struct iot_node_ranks {
	guint32 first, last;
	iot_str recording; /* identity of the node of their recording; 0: any */
	iot_str node;	   /* identity of a node that was added */
	guint64 process;   /* pid; 0: not said */
};

/** iot_node_names_add_ranks - the ranks, which no other call says, ran on this node */
void iot_node_names_add_ranks(struct iot_node_names *names, const struct iot_node_ranks *ranks);
/** iot_node_names_rank - what is said of the rank whose row in a recording of the node @recording
 * has the identity @row, such as "rank 3" or "rank 3 thread 1"; NULL: nothing. @names may be NULL.
 */
const struct iot_node_ranks *iot_node_names_rank(const struct iot_node_names *names,
						 iot_str recording, iot_str row);
/** iot_node_names_move - the identity of that row on the node where the rank ran: ranks of two
 * programs have one number */
iot_str iot_node_names_move(struct iot_node_names *names, iot_str recording, iot_str row);
/** iot_node_names_moved - whether a row has an identity that iot_node_names_move made for
 * @recording, or for any if it is 0 */
gboolean iot_node_names_moved(const struct iot_node_names *names, iot_str row, iot_str recording,
			      guint32 *out_rank);
/** iot_node_names_rank_nodes - call @node with the name of each node on which ranks ran */
void iot_node_names_rank_nodes(const struct iot_node_names *names,
			       void (*node)(gpointer data, iot_str name), gpointer data);

/** iot_node_names_above - the row type above nodes at the root, which is made at the first call
 * with the levels above it; 0: there are no levels. @names may be NULL. */
iot_type_id iot_node_names_above(struct iot_node_names *names);
/** iot_node_names_columns - fill @column with the types of all levels, outermost first; returns how
 * many there are; 0 if iot_node_names_above made none. @names may be NULL. */
guint iot_node_names_columns(const struct iot_node_names *names,
			     iot_type_id column[IOT_MAX_NODE_LEVELS]);
/**
 * iot_node_names_parent - the row above a node at the root, which is made if it is new
 * @node: or NULL: the user says nothing of it
 * @is_new: called for each new row; may be NULL
 *
 * 0 without levels. Rows that are not said have names like "(no rack)".
 */
iot_row_id iot_node_names_parent(struct iot_node_names *names, const struct iot_node_name *node,
				 void (*is_new)(gpointer data, iot_row_id row), gpointer data);

#endif
