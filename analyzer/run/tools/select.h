/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The selection of rows: --select, --exclude, --node, and after a first pass --top and
 * --slower-than. Rows that are not selected are hidden; the other rows look the same as without a
 * selection. A pattern that names a row selects all rows below it, too.
 *
 * A *resource* is the row above one of role NODE (in the DLM model: lockspace/resource).
 */
#ifndef IOT_RUN_TOOLS_SELECT_H
#define IOT_RUN_TOOLS_SELECT_H

#include "run/request.h"

struct iot_select;

/** iot_select_new - the selection of @options, which must outlive it */
struct iot_select *iot_select_new(const struct iot_options *options);
/** iot_select_free - accepts NULL */
void iot_select_free(struct iot_select *select);
/** iot_select_row - whether a new row is selected (an iot_select_func) */
gboolean iot_select_row(gpointer select, const struct iot_timeline *tl, iot_row_id row);

/** iot_select_is_resource - whether tables list this row and --top counts it */
gboolean iot_select_is_resource(const struct iot_timeline *tl, iot_row_id row);
/** iot_select_matches - whether a pattern of --select fits this row itself */
gboolean iot_select_matches(const struct iot_timeline *tl, iot_row_id row, const char *pattern);
/** iot_select_longest_wait - longest wait in the first pass on a resource that patterns and nodes
 * select; 0 if there is none */
guint64 iot_select_longest_wait(const struct iot_select *select);

/** iot_select_needs_pass - whether --top or --slower-than ask for a first pass */
gboolean iot_select_needs_pass(const struct iot_select *select);
/** iot_select_observe - an item of the first pass (whole spans; an iot_item_func) */
gboolean iot_select_observe(gpointer select, const struct iot_item *item, GError **error);
/** iot_select_begin_pass - begin the first pass, which fills @tl */
void iot_select_begin_pass(struct iot_select *select, const struct iot_timeline *tl);
/** iot_select_end_pass - choose the resources of --top and --slower-than */
void iot_select_end_pass(struct iot_select *select);

#endif
