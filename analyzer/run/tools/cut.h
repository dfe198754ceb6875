/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --cut N: a finding as a folder of text recordings that show it again. The events of the finding's
 * objects are collected in a pass of their own. Then events are left out as long as a check of the
 * rest still has the finding, and no proved or possible one that the recordings do not have.
 *
 * A finding is the same one if rule, grade, instant, window, rows and sentence are. Pipeline thread
 * only.
 *
 * It knows no rule. A pass notes the instants of the items on the rows of the finding
 * (cut-near.c), another one collects the events at these instants (cut-files.c). Then parts of the
 * events are written and checked, until no event can be left out. If no part shows the finding,
 * all events are collected. The written clocks have the bounds of the recordings; if a part proves
 * more than the recordings, as a contradiction of clocks lies outside, the bounds are left out.
 */
#ifndef IOT_RUN_TOOLS_CUT_H
#define IOT_RUN_TOOLS_CUT_H

#include "run/pass.h"

/** iot_cut_new - NULL and an error if the folder exists or cannot be made; it appears when the cut
 * is written */
struct iot_cut *iot_cut_new(const struct iot_options *options, GError **error);
/** iot_cut_free - accepts NULL */
void iot_cut_free(struct iot_cut *cut);
/** iot_cut_choose - take the finding from a pass that was read and published; an error if there is
 * none of this number */
gboolean iot_cut_choose(struct iot_cut *cut, const struct iot_pass *pass, GError **error);
/** iot_cut_write - read the recordings again, as @plan says, and write the folder
 * @out_note: a sentence for the user; the caller frees */
gboolean iot_cut_write(struct iot_cut *cut, const struct iot_pass *plan, char **out_note,
		       GError **error);

#endif
