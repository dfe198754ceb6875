/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/advice.h"
#include "timeline/timeline.h"

#include <string.h>

static const char *const names[IOT_N_METRICS] = {
	[IOT_METRIC_READS] = "reads",
	[IOT_METRIC_WRITES] = "writes",
	[IOT_METRIC_ACCESSES] = "accesses",
	[IOT_METRIC_BYTES_READ] = "bytes_read",
	[IOT_METRIC_BYTES_WRITTEN] = "bytes_written",
	[IOT_METRIC_BYTES] = "bytes",
	[IOT_METRIC_READS_BELOW_4K] = "reads_below_4k",
	[IOT_METRIC_READS_BELOW_1M] = "reads_below_1m",
	[IOT_METRIC_WRITES_BELOW_4K] = "writes_below_4k",
	[IOT_METRIC_WRITES_BELOW_1M] = "writes_below_1m",
	[IOT_METRIC_UNALIGNED_4K] = "unaligned_4k",
	[IOT_METRIC_SEQUENTIAL] = "sequential",
	[IOT_METRIC_STRIDED] = "strided",
	[IOT_METRIC_RANDOM] = "random",
	[IOT_METRIC_NOWHERE] = "position_unknown",
	[IOT_METRIC_REREAD] = "reread",
	[IOT_METRIC_OVERWRITTEN] = "overwritten",
	[IOT_METRIC_APPENDED] = "appended",
	[IOT_METRIC_APPENDS_TO_OTHERS] = "appends_to_others",
	[IOT_METRIC_SYNCS] = "syncs",
	[IOT_METRIC_SYNCED_WRITES] = "synced_writes",
	[IOT_METRIC_OPENS] = "opens",
	[IOT_METRIC_CLOSES] = "closes",
	[IOT_METRIC_METADATA_READS] = "metadata_reads",
	[IOT_METRIC_MAPS] = "maps",
	[IOT_METRIC_FILES] = "files",
	[IOT_METRIC_THREADS] = "threads",
	[IOT_METRIC_PROCESSES] = "processes",
	[IOT_METRIC_NODES] = "nodes",
	[IOT_METRIC_BUSIEST_NODE] = "busiest_node",
	[IOT_METRIC_TIME] = "time",
	[IOT_METRIC_LOCK_TIME] = "lock_time",
};

const char *iot_metric_name(enum iot_metric metric)
{
	return names[metric];
}

enum iot_metric iot_metric_find(const char *name)
{
	enum iot_metric metric = 0;

	while (metric < IOT_N_METRICS && strcmp(names[metric], name) != 0)
		metric++;
	return metric;
}

static void rule_clear(gpointer data)
{
	struct iot_advice_rule *rule = data;

	g_free(rule->name);
	g_array_unref(rule->conditions);
	g_free(rule->action);
}

void iot_timeline_add_rule(struct iot_timeline *tl, const struct iot_advice_rule *rule)
{
	if (!tl->rules) {
		tl->rules = g_array_new(FALSE, FALSE, sizeof(struct iot_advice_rule));
		g_array_set_clear_func(tl->rules, rule_clear);
	}
	g_array_append_vals(tl->rules, rule, 1);
}

const GArray *iot_timeline_rules(const struct iot_timeline *tl)
{
	return tl->rules;
}

gboolean iot_advice_condition_holds(const struct iot_advice_condition *condition,
				    const guint64 metric[IOT_N_METRICS])
{
	double number = (double)condition->number, value = (double)metric[condition->metric];

	/* products of whole numbers are exact, quotients are not */
	if (condition->of != IOT_N_METRICS) {
		number *= (double)metric[condition->of];
		value *= 100;
	}
	return condition->at_most ? value <= number : value >= number;
}

gboolean iot_advice_rule_holds(const struct iot_advice_rule *rule,
			       const guint64 metric[IOT_N_METRICS])
{
	for (guint i = 0; i < rule->conditions->len; i++)
		if (!iot_advice_condition_holds(
			    &g_array_index(rule->conditions, struct iot_advice_condition, i),
			    metric))
			return FALSE;
	return TRUE;
}
