/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of the picture as text. With colours and UTF-8 the height of a block is the share of time
 * in its column. Without, a letter says the kind, in small letters if less than half of the column
 * is covered; '#' is waiting, '+' is waiting for less than half of the column.
 */
#ifndef IOT_SINKS_SHOW_DRAW_H
#define IOT_SINKS_SHOW_DRAW_H

#include "sinks/show/show-kinds.h"
#include "base/out.h"

/* Terminal columns for text on the right of the picture. */
enum { IOT_SHOW_RIGHT = 9 };

struct iot_show_canvas {
	struct iot_out *out;
	const struct iot_timeline *tl;
	const GArray *kinds; /* with letters */
	guint n_colours;     /* 0, 256 or 1 << 24 */
	gboolean utf8;
	guint label_width; /* terminal columns before the picture */
	guint columns;	   /* of the picture */
	guint n_buckets;   /* of a column */
	guint64 bucket_ns;
	/* left and right edge, in ns since the beginning of the recording */
	guint64 from_ns, to_ns;
};

/** iot_show_axis - instants above their columns, as --from takes them, and @title on the right */
void iot_show_axis(const struct iot_show_canvas *canvas, const char *title);
/** iot_show_label - the text before a line, cut at its begin to fit */
void iot_show_label(const struct iot_show_canvas *canvas, const char *text);
/** iot_show_line - a line from its strips (show-strips.h), with a text on the right, or "" */
void iot_show_line(const struct iot_show_canvas *canvas, const GArray *strips, const char *right);
/** iot_show_swatch - an example of a kind, 3 columns wide */
void iot_show_swatch(const struct iot_show_canvas *canvas, const struct iot_show_kind *kind);

#endif
