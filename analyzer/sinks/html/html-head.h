/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The "head" block of the page: everything but items, as JSON. Types, categories, rows, views,
 * inputs, and the tables, which the page shows whatever they are: a table has a name, a title,
 * columns with a kind (enum iot_column_kind) and rows of cells.
 *
 * Times are ns since the zero of pictures; "zero" and "origin" are on the common clock, as text.
 */
#ifndef IOT_SINKS_HTML_HTML_HEAD_H
#define IOT_SINKS_HTML_HTML_HEAD_H

#include "sinks/aggregate.h"
#include "sinks/html/html-thin.h"
#include "sinks/sink.h"
#include "timeline/result-table.h"

struct iot_html_head {
	const struct iot_timeline *tl;
	const struct iot_summary *summary;
	const struct iot_aggregate *sums; /* rolled up */
	const GArray *gap_nodes;	  /* iot_str */
	const struct iot_html_thin *thin;
	guint64 n_items;
};

/** iot_html_head - the text of the block; the caller frees */
GString *iot_html_head(const struct iot_html_head *head);
/** iot_html_tables - append tables, except those of rows */
void iot_html_tables(GString *json, const struct iot_results *results,
		     const struct iot_timeline *tl);

#endif
