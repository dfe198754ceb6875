/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Findings as test results, for the outputs junit and tap. Each rule is a test. */
#ifndef IOT_SINKS_FINDINGS_LINES_H
#define IOT_SINKS_FINDINGS_LINES_H

#include "sinks/sink.h"
#include "timeline/result-table.h"

/* The result of one rule. */
struct iot_rule_result {
	const char *rule;  /* model and [check] */
	const char *finds; /* the fault that it looks for */
	guint64 n_proved, n_possible, n_undecided;
	char *lines; /* its findings, one a line; the caller frees */
};

/** iot_rule_count - number of rules that were checked */
guint iot_rule_count(const struct iot_summary *summary);
void iot_rule_result(const struct iot_summary *summary, const struct iot_timeline *tl, guint index,
		     struct iot_rule_result *out);

/** iot_rules_open, iot_rules_item, iot_rules_free - the members of a sink that writes only in
 * finish; args->path is opened */
struct iot_rules_sink {
	struct iot_sink sink;
	const struct iot_timeline *tl;
	struct iot_out *out;
};
struct iot_sink *iot_rules_open(const struct iot_sink_ops *ops, const struct iot_sink_args *args,
				GError **error);
gboolean iot_rules_item(struct iot_sink *sink, const struct iot_item *item, GError **error);
void iot_rules_free(struct iot_sink *sink);

#endif
