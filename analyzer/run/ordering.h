/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The causality filter of a run (order/causal.h), and its tables for the report. Pipeline thread.
 */
#ifndef IOT_RUN_ORDERING_H
#define IOT_RUN_ORDERING_H

#include "run/checkpoint.h"
#include "timeline/result-table.h"

/** iot_ordering_attribute - the policy's attribute of items: "shift" or "round"; before the models
 * are loaded */
void iot_ordering_attribute(struct iot_timeline *tl, const struct iot_options *options);
/** iot_ordering_new - the filter for the rules of the models and the inputs of @pass, both started
 */
struct iot_causal *iot_ordering_new(const struct iot_pass_state *pass,
				    const struct iot_options *options, iot_causal_func func,
				    gpointer user_data);
/** iot_ordering_publish - the tables order_rules and order_moves; nothing if there is nothing to
 * report */
void iot_ordering_publish(const struct iot_pass_state *pass, const struct iot_options *options,
			  struct iot_results *to);

/** iot_ordering_unknown - the sentence about an event that rules name, and no recording; NULL:
 * there is none. Counted in @diag. After the whole recordings were read; the caller frees. */
char *iot_ordering_unknown(const struct iot_pass_state *pass, struct iot_diag *diag);

#endif
