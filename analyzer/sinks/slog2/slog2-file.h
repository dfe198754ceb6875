/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Serialiser of SLOG-2 files, version 2.0.6 (docs/formats/slog2.md): drawables, categories and line
 * id maps to bytes. Knows nothing of the timeline.
 *
 * Legal order: new, add ..., finish, free. The header is patched after all other bytes are written,
 * so the file must be seekable. Errors are remembered in the iot_out. One thread.
 */
#ifndef IOT_SINKS_SLOG2_SLOG2_FILE_H
#define IOT_SINKS_SLOG2_SLOG2_FILE_H

#include "sinks/slog2/slog2-tree.h"

struct iot_slog2_category {
	gint32 index; /* not negative */
	const char *name;
	guint8 topology; /* enum iot_slog2_topology */
	guint32 argb;
	guint n_keys;
	const char *const *keys;
	const char *types; /* a letter for each value in the info of a drawable; NULL: no values */
};

struct iot_slog2_map {
	const char *title;
	guint n_columns;
	const char *const *columns;
	guint n_rows;
	const gint32 *rows; /* 1 + n_columns numbers each: the line, then its path */
};

struct iot_slog2;

/** iot_slog2_new - reserve the header in @out, which is empty and stays the caller's */
struct iot_slog2 *iot_slog2_new(struct iot_out *out, const struct iot_slog2_config *config);
void iot_slog2_free(struct iot_slog2 *file);
/** iot_slog2_memory - greatest size of the storage in bytes; before iot_slog2_finish */
gsize iot_slog2_memory(const struct iot_slog2 *file);
typedef struct iot_slog2 iot_slog2;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_slog2, iot_slog2_free)

/** iot_slog2_pair - see iot_slog2_tree_pair */
void iot_slog2_pair(struct iot_slog2 *file, guint32 line, const struct iot_slog2_pair *pair);
/** iot_slog2_add - add a drawable; the ends of drawables must not decrease */
void iot_slog2_add(struct iot_slog2 *file, const struct iot_slog2_drawable *drawable);
/**
 * iot_slog2_finish - write the rest of the tree, the tables and the header
 * @raise_ns: see iot_slog2_tree_end
 * @cats: at least one, by increasing index; categories without a drawable are left out, except in a
 * file without any drawable: Jumpshot needs a category and a row in every file
 * @maps: at least one; each must have a row for every line in use
 *
 * Returns the number of strings that were cut because they were too long.
 */
guint iot_slog2_finish(struct iot_slog2 *file, guint64 raise_ns,
		       const struct iot_slog2_category *cats, guint n_cats,
		       const struct iot_slog2_map *maps, guint n_maps);

#endif
