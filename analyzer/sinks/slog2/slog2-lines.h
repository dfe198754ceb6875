/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of a SLOG2 picture: one for each lane of each row in use, and for the gaps of each node. A
 * pair of lines with arrows has a number, too, but no place on the y axis.
 * Numbers are dense, from 1, in order of first use. After the last item each view places the lines
 * on the y axis by a path of numbers, small numbers on top.
 */
#ifndef IOT_SINKS_SLOG2_SLOG2_LINES_H
#define IOT_SINKS_SLOG2_SLOG2_LINES_H

#include "sinks/slog2/slog2-file.h"
#include "sinks/slog2/slog2-recent.h"
#include "timeline/timeline.h"

enum { IOT_SLOG2_SHORT = 64 };

struct iot_slog2_line {
	guint64 key;
	iot_row_id row; /* 0: the root, or a gap */
	iot_type_id on; /* type of the row */
	gboolean is_gap;
	iot_str gap_node; /* gaps: name of the node */
	guint32 from, to; /* pairs: numbers of the lines; others: 0 */
	guint16 lane;
	/* names of the rows, with which the info of each drawable begins; IOT_SLOG2_SHORT bytes may
	 * always be read */
	guint16 info_bytes;
	guint8 *info;
	guint64 gap_end; /* end of the last gap on this line */
	struct iot_slog2_recent_first recent;
	guint64 wait_ns, n_items;
};

struct iot_slog2_lines {
	const struct iot_timeline *tl;
	struct iot_slog2_line *list; /* line n is element n - 1 */
	guint32 n, size;
	guint32 n_pairs;
	/* hash table by key, open addressing: number of a line, 0 is free */
	guint32 *slots;
	guint32 n_slots;
	/* by row: the line of lane 0; 0: none yet */
	guint32 *of_row;
	guint32 n_rows;
	struct iot_out *out; /* remembers errors */
	guint64 n_cut;	     /* names cut */
};

void iot_slog2_lines_clear(struct iot_slog2_lines *lines);
/** iot_slog2_lines_memory - bytes of storage, which never shrinks */
gsize iot_slog2_lines_memory(const struct iot_slog2_lines *lines);
/** iot_slog2_lines_find - slow path of iot_slog2_lines_row */
guint32 iot_slog2_lines_find(struct iot_slog2_lines *lines, iot_row_id row, guint16 lane);
/** iot_slog2_lines_row - number of the line of a lane, which is added if needed; 0 without memory
 */
static inline guint32 iot_slog2_lines_row(struct iot_slog2_lines *lines, iot_row_id row,
					  guint16 lane)
{
	/* fast path */
	if (G_LIKELY(!lane && row < lines->n_rows && lines->of_row[row]) && !iot_slow_only())
		return lines->of_row[row];
	/* slow path */
	return iot_slog2_lines_find(lines, row, lane);
}
/** iot_slog2_lines_gap - number of a line for gaps of @node that is free at @t0; 0 without memory
 */
guint32 iot_slog2_lines_gap(struct iot_slog2_lines *lines, iot_str node, guint64 t0, guint64 t1);
/** iot_slog2_lines_pair - number of a pair of lines; 0 without memory */
guint32 iot_slog2_lines_pair(struct iot_slog2_lines *lines, guint32 from, guint32 to);
/** iot_slog2_lines_depth - number of levels from the root to rows of @type, the number of names in
 * an info */
guint iot_slog2_lines_depth(const struct iot_timeline *tl, iot_type_id type);

static inline struct iot_slog2_line *iot_slog2_line_at(const struct iot_slog2_lines *lines,
						       guint32 n)
{
	return &lines->list[n - 1];
}

/** iot_slog2_row_number - the number of a row among its siblings: of a node the one in its name, of
 * others their rank */
gint32 iot_slog2_row_number(const struct iot_timeline *tl, iot_row_id row);
/** iot_slog2_ancestor - the nearest row of @type from @row up to the root, or 0 */
iot_row_id iot_slog2_ancestor(const struct iot_timeline *tl, iot_row_id row, iot_type_id type);

/**
 * iot_slog2_lines_axes - the pictures: for each view that has rows its top resources, if it has
 * resources, and its tree
 *
 * The ranks of the rows must be final. The caller frees the array, before @lines.
 */
GPtrArray *iot_slog2_lines_axes(const struct iot_slog2_lines *lines);
/**
 * iot_slog2_lines_maps - one map for each picture, then the identity
 *
 * The caller frees the array of struct iot_slog2_map, before @axes.
 */
GArray *iot_slog2_lines_maps(const struct iot_slog2_lines *lines, const GPtrArray *axes);
/**
 * iot_slog2_lines_table - write the names for the numbers on the y axis, as text
 *
 * For each picture: the names of columns, a line for each of its rows from top to bottom, and a
 * line for all other rows. Pictures are separated by an empty line.
 */
void iot_slog2_lines_table(const GPtrArray *axes, struct iot_out *out);

#endif
