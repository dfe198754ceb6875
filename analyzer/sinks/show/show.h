/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of the output show: show.c takes items in, show-picture.c writes lines of text from
 * them at the end. show-strips.h has the spans of a line, show-marks.h its points, values and
 * arrows, show-kinds.h the legend, show-draw.h the lines themselves.
 */
#ifndef IOT_SINKS_SHOW_SHOW_H
#define IOT_SINKS_SHOW_SHOW_H

#include "sinks/show/show-account.h"
#include "sinks/show/show-marks.h"
#include "sinks/sink.h"
#include "base/out.h"

/* Columns of a file or pipe. */
enum { IOT_SHOW_WIDTH = 100 };

struct show_row {
	GArray *kinds;	  /* of struct iot_show_kind: all spans of the row */
	GPtrArray *lanes; /* of strips; NULL: the row has no picture */
	guint n_lanes;
	struct iot_show_marks *marks; /* points and ends of arrows; NULL: none */
	GPtrArray *curves;	      /* of struct iot_show_curve; NULL: no values */
};

/* Lost events of one machine. */
struct show_gap {
	iot_str node;
	guint64 n;
	GArray *strips; /* one */
};

struct show_sink {
	struct iot_sink sink;
	const struct iot_timeline *tl;
	struct iot_out *out;
	gboolean on_stdout;
	gboolean events; /* points, values and arrows, too */
	gboolean values; /* there was a value */
	guint width;	 /* of a line; 0: of the terminal */
	guint max_rows;
	GPtrArray *rows;	       /* of struct show_row, by row; NULL: nothing */
	GArray *gaps;		       /* of struct show_gap */
	GArray *points;		       /* of struct iot_show_kind: all points */
	struct iot_show_arrows arrows; /* all links */
	struct iot_show_account account;
	guint64 bucket_ns;
	gsize bytes; /* of all lines */
};

/** iot_show_make_room - make the buckets so long that @t, relative to the left edge, is not after
 * the last one */
void iot_show_make_room(struct show_sink *show, guint64 t);
/** iot_show_picture - write all; the ranks of rows are final */
void iot_show_picture(const struct show_sink *show, const struct iot_summary *summary);
/** iot_show_why - write why calls and waits of the rows lasted, if the analyses tell */
void iot_show_why(const struct show_sink *show, const struct iot_summary *summary);
/** iot_show_width - columns of a line */
static inline guint iot_show_width(const struct show_sink *show, const struct iot_summary *summary)
{
	if (show->width)
		return show->width;
	return show->on_stdout && summary->width ? summary->width : IOT_SHOW_WIDTH;
}

#endif
