/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The selection after the stages. Where it cannot be made when items are emitted - a stage needs
 * the items of hidden rows, or --kind or --follow ask for some of them - all items come here. Items
 * of hidden rows and others that nobody asked for are left out; the others are numbered again,
 * added to the sums that rank rows, and passed to the outputs. One thread at a time: that of the stages.
 */
#ifndef IOT_RUN_TOOLS_CHOSEN_H
#define IOT_RUN_TOOLS_CHOSEN_H

#include "run/tools/follow.h"
#include "run/request.h"
#include "timeline/resequence.h"

struct iot_chosen;

/** iot_chosen_needed - whether @options ask for a selection by kind or by links */
gboolean iot_chosen_needed(const struct iot_options *options);
/** iot_chosen_new - @follow may be NULL; all arguments must outlive it */
struct iot_chosen *iot_chosen_new(const struct iot_options *options, struct iot_timeline *tl,
				  struct iot_follow *follow);
/** iot_chosen_free - accepts NULL */
void iot_chosen_free(struct iot_chosen *chosen);
/** iot_chosen_connect - what gets the chosen items; before the first item */
void iot_chosen_connect(struct iot_chosen *chosen, iot_item_func func, gpointer user_data);
/** iot_chosen_item - the next item (an iot_item_func) */
gboolean iot_chosen_item(gpointer chosen, const struct iot_item *item, GError **error);
/** iot_chosen_finish - after the last item: finish the sums, and with --kind or --follow hide rows
 * without items */
void iot_chosen_finish(struct iot_chosen *chosen);

/**
 * iot_kind_unknown - NULL if some category of the models matches @kind; else a sentence with the
 * nearest name. The caller frees.
 */
char *iot_kind_unknown(const struct iot_timeline *tl, const char *kind);

#endif
