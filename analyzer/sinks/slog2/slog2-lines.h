/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of a SLOG2 picture: one for each lane of each row on which something was drawn, and for the
 * gaps of each node. Numbers are dense, from 1, in order of first use. When all items have come
 * each view gives the lines their places on the y axis: a path of numbers, small ones on top.
 */
#ifndef IOT_SINKS_SLOG2_SLOG2_LINES_H
#define IOT_SINKS_SLOG2_SLOG2_LINES_H

#include "sinks/slog2/slog2-file.h"
#include "sinks/slog2/slog2-recent.h"
#include "timeline/timeline.h"

enum { IOT_SLOG2_SHORT = 64 };

struct iot_slog2_line {
	guint64 key;
	iot_row_id row;	  /* 0 for gaps, and for what is drawn on the root */
	iot_type_id on;	  /* its type */
	iot_str gap_node; /* gaps: name of the node */
	gboolean is_gap;
	guint16 lane;
	guint16 info_bytes; /* names of the rows, as they begin the info of each drawable */
	guint8 *info;	    /* at least IOT_SLOG2_SHORT bytes may be read */
	guint64 gap_end;    /* end of the last gap that was put here */
	struct iot_slog2_recent_first recent;
	guint64 wait_ns, n_items;
};

struct iot_slog2_lines {
	const struct iot_timeline *tl;
	struct iot_slog2_line *list; /* line n is element n - 1 */
	guint32 n, size;
	guint32 *slots; /* open addressing; number of the line, 0 is free */
	guint32 n_slots;
	guint32 *of_row; /* line of lane 0, by row; 0: none yet */
	guint32 n_rows;
	struct iot_out *out; /* remembers errors */
	guint64 n_cut;	     /* names cut */
};

void iot_slog2_lines_clear(struct iot_slog2_lines *lines);
/** iot_slog2_lines_memory - bytes of storage, which never shrinks */
gsize iot_slog2_lines_memory(const struct iot_slog2_lines *lines);
/** iot_slog2_lines_find - what iot_slog2_lines_row does, whether the lane has a line or not */
guint32 iot_slog2_lines_find(struct iot_slog2_lines *lines, iot_row_id row, guint16 lane);
/** iot_slog2_lines_row - number of the line of a lane, or 0 when there is no memory */
static inline guint32 iot_slog2_lines_row(struct iot_slog2_lines *lines, iot_row_id row,
					  guint16 lane)
{
	/* fast path */
	if (G_LIKELY(!lane && row < lines->n_rows && lines->of_row[row]) && !iot_slow_only())
		return lines->of_row[row];
	/* slow path */
	return iot_slog2_lines_find(lines, row, lane);
}
/** iot_slog2_lines_gap - number of a line of that node which is free at @t0, or 0 likewise */
guint32 iot_slog2_lines_gap(struct iot_slog2_lines *lines, iot_str node, guint64 t0, guint64 t1);
/** iot_slog2_lines_depth - levels of rows from the root to rows of @type: names at the start of
 * infos */
guint iot_slog2_lines_depth(const struct iot_timeline *tl, iot_type_id type);

static inline struct iot_slog2_line *iot_slog2_line_at(const struct iot_slog2_lines *lines,
						       guint32 n)
{
	return &lines->list[n - 1];
}

/**
 * iot_slog2_lines_maps - one map for each view, then the identity
 *
 * The ranks of the rows must be final. Returns an array of struct iot_slog2_map; its free function
 * releases all.
 */
GArray *iot_slog2_lines_maps(const struct iot_slog2_lines *lines);
/**
 * iot_slog2_lines_table - the names behind the numbers on the y axis, as text
 *
 * For each view a line of column names, a line for each of its rows, from top to bottom, and one
 * for all that the picture has elsewhere; an empty line between views.
 */
void iot_slog2_lines_table(const struct iot_slog2_lines *lines, struct iot_out *out);

#endif
