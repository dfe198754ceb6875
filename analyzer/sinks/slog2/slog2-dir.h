/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The directory of a SLOG-2 tree: the place of each node in the file. It grows with the file and is
 * written last, in another order than the nodes, so until then it is kept in a temporary file.
 */
#ifndef IOT_SINKS_SLOG2_SLOG2_DIR_H
#define IOT_SINKS_SLOG2_SLOG2_DIR_H

#include "base/park.h"

struct iot_slog2_dir_entry {
	guint64 t0, t1;
	guint64 offset;
	guint32 bytes;
	guint32 xpos;
	guint16 depth;
};

struct iot_slog2_dir {
	struct iot_park park;
	guint32 n;
	struct iot_slog2_dir_entry last; /* the root, once all nodes were added */
};

/** iot_slog2_dir_init - empty; errors are remembered in @out */
void iot_slog2_dir_init(struct iot_slog2_dir *dir, struct iot_out *out);
void iot_slog2_dir_clear(struct iot_slog2_dir *dir);
/** iot_slog2_dir_add - add a node, in the order in which nodes are closed */
void iot_slog2_dir_add(struct iot_slog2_dir *dir, const struct iot_slog2_dir_entry *entry);
/** iot_slog2_dir_write - write all entries, depth decreasing, xpos increasing: the root first */
void iot_slog2_dir_write(struct iot_slog2_dir *dir, struct iot_out *out);

#endif
