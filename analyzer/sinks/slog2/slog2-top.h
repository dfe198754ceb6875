/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first picture of a view: the resources that were waited for most, each with its nodes (or
 * whatever the view has below resources) on rows of their own.
 *
 * Jumpshot opens a map with its first column only, and a closed row draws all its lines over one
 * another. So this map has one column for resource and node together: the row 31 is node 1 of the
 * third resource.
 */
#ifndef IOT_SINKS_SLOG2_SLOG2_TOP_H
#define IOT_SINKS_SLOG2_SLOG2_TOP_H

#include "timeline/timeline.h"

struct iot_slog2_top;

/** iot_slog2_top_new - choose the resources of @view; NULL if nothing in @view is below a resource
 *
 * The ranks of the rows must be final.
 */
struct iot_slog2_top *iot_slog2_top_new(const struct iot_timeline *tl, const struct iot_view *view);
void iot_slog2_top_free(struct iot_slog2_top *top);
typedef struct iot_slog2_top iot_slog2_top;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_slog2_top, iot_slog2_top_free)

/** iot_slog2_top_title - "DLM, top 10", and iot_slog2_top_column - "10 * resource + node"; both
 * live as long as @top */
const char *iot_slog2_top_title(const struct iot_slog2_top *top);
const char *iot_slog2_top_column(const struct iot_slog2_top *top);

/** iot_slog2_top_number - the number of a row on the axis; 0 above the resources, -1 if the
 * resource is not among them */
gint32 iot_slog2_top_number(const struct iot_slog2_top *top, iot_row_id row);
/** iot_slog2_top_factor - numbers below this one are of no resource */
gint32 iot_slog2_top_factor(const struct iot_slog2_top *top);

#endif
