/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to html-chunk.c, which writes chunks, and html-walk.c, which reads them back. */
#ifndef IOT_SINKS_HTML_HTML_CHUNK_LOCAL_H
#define IOT_SINKS_HTML_HTML_CHUNK_LOCAL_H

#include "sinks/html/html-chunk.h"
#include "sinks/html/html-column.h"

enum {
	IOT_HTML_ROW,
	IOT_HTML_CAT,
	IOT_HTML_LANE,
	IOT_HTML_FLAGS,
	IOT_HTML_END,
	IOT_HTML_LENGTH,
	IOT_HTML_VALUE,
	IOT_HTML_NODE,
	IOT_HTML_ROW_TO,
	IOT_HTML_LANE_TO,
	IOT_HTML_N_COLUMNS
};

struct iot_html_attrs {
	guint n_attrs;
	gboolean used; /* in this chunk */
	struct iot_html_column column[IOT_MAX_ATTRS];
	guint64 (*last)[IOT_MAX_ATTRS]; /* by slot */
};

struct iot_html_chunk {
	const struct iot_timeline *tl;
	struct iot_html_blocks *blocks;
	guint n; /* items */
	guint64 last_end;
	struct iot_html_column column[IOT_HTML_N_COLUMNS], packed;
	guint64 ends[IOT_HTML_ENDS]; /* t1 of the last span; 1 more than that, so that 0 is none */
	guint64 values[IOT_HTML_ENDS]; /* of the last sample */
	GPtrArray *types;	       /* struct iot_html_attrs, by type; NULL if not yet seen */
	GArray *order;		       /* types of this chunk in order of their first item */
	guint32 *number;   /* of a string of the timeline among those of the page; 0: none */
	guint32 n_numbers; /* number of entries */
	guint32 *strings;  /* iot_str, by number less 1 */
	guint32 n_strings;
	gsize strings_room; /* entries */
	GArray *nodes;	    /* iot_str */
};

#endif
