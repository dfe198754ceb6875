/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table advice: rules of the models that hold for a file, or for the run. */
#include "analysis/file-use.h"
#include "base/units.h"
#include "tables/ranked.h"

/* A rule that holds. */
struct advice {
	const struct iot_advice_rule *rule;
	const struct iot_file *file; /* NULL: of the run */
	const guint64 *metric;
};

static const struct iot_ranked_column columns[] = {
	{ "rule", "rule", IOT_COLUMN_TEXT, IOT_COLUMN_STRONG },
	{ "file", "file", IOT_COLUMN_ROW, IOT_COLUMN_SHRINK, .max_width = 40,
	  .help = "empty: all files together" },
	{ "evidence", "evidence", IOT_COLUMN_TEXT, .drop = 1 },
	{ "first", "first at", IOT_COLUMN_INSTANT, .drop = 3, .help = "first use of the file" },
	{ "time", "time", IOT_COLUMN_NS, .drop = 2, .help = "in calls of the file" },
	{ "do", "what to do", IOT_COLUMN_TEXT, IOT_COLUMN_WRAP },
};

static char *number_text(enum iot_metric metric, guint64 number)
{
	return metric == IOT_METRIC_TIME || metric == IOT_METRIC_LOCK_TIME
		       ? iot_format_duration(number)
		       : g_strdup_printf("%" G_GUINT64_FORMAT, number);
}

/* Whether the evidence of another condition, a share, has the number. */
static gboolean is_in_share(const GArray *conditions, const struct iot_advice_condition *condition)
{
	for (guint i = 0; i < conditions->len; i++) {
		const struct iot_advice_condition *other =
			&g_array_index(conditions, struct iot_advice_condition, i);

		if (other->of != IOT_N_METRICS && condition->of == IOT_N_METRICS &&
		    (other->of == condition->metric || other->metric == condition->metric))
			return TRUE;
	}
	return FALSE;
}

/* "writes_below_4k 114 (95 % of 120 writes)": what the conditions saw. */
static char *evidence(const struct advice *advice)
{
	const GArray *conditions = advice->rule->conditions;
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < conditions->len; i++) {
		const struct iot_advice_condition *condition =
			&g_array_index(conditions, struct iot_advice_condition, i);
		guint64 value = advice->metric[condition->metric], all;
		g_autofree char *number = number_text(condition->metric, value), *whole = NULL;

		if (is_in_share(conditions, condition))
			continue;
		g_string_append_printf(text, "%s%s %s", text->len ? ", " : "",
				       iot_metric_name(condition->metric), number);
		if (condition->of == IOT_N_METRICS)
			continue;
		all = advice->metric[condition->of];
		whole = number_text(condition->of, all);
		g_string_append_printf(text, " (%.0f %% of %s %s)",
				       100 * (double)value / (double)MAX(all, 1), whole,
				       iot_metric_name(condition->of));
	}
	return g_string_free(text, FALSE);
}

/* Of the run first, then by the time that the calls took, by rule, by file. */
static int most_time(gconstpointer pa, gconstpointer pb, gconstpointer data)
{
	const struct advice *a = pa, *b = pb;
	guint64 x = a->metric[IOT_METRIC_TIME], y = b->metric[IOT_METRIC_TIME];

	(void)data;
	if (!a->file != !b->file)
		return a->file ? 1 : -1;
	return x != y ? iot_compare_number(y, x) : 0;
}

static void add_advice(struct iot_result_table *table, gconstpointer element, gconstpointer data)
{
	const struct advice *advice = element;
	g_autofree char *text = evidence(advice);
	const struct iot_file *file = advice->file;

	(void)data;
	iot_ranked_row(table, iot_cell_text(advice->rule->name),
		       iot_cell_if(file != NULL, iot_cell_number(file ? file->row : 0)),
		       iot_cell_text(text),
		       iot_cell_if(file != NULL, iot_cell_number(file ? file->first_ns : 0)),
		       iot_cell_number(advice->metric[IOT_METRIC_TIME]),
		       iot_cell_text(advice->rule->action));
}

static const struct iot_ranked ranked = {
	IOT_RANKED("advice", "Advice about files", columns),
	.help = "rules of the model that hold; their limits are in its sections [advice]",
	.limit = 40,
	.most = "with the most time in calls",
	.compare = most_time,
	.add = add_advice,
};

void iot_file_advice_publish(const struct iot_timeline *tl, const struct iot_file_use *use,
			     struct iot_results *results)
{
	g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(struct advice));
	const GArray *rules = iot_timeline_rules(tl), *files = iot_file_use_files(use);
	struct iot_result_table *table;

	for (guint i = 0; rules && i < rules->len; i++) {
		const struct iot_advice_rule *rule =
			&g_array_index(rules, struct iot_advice_rule, i);
		struct advice advice = { .rule = rule, .metric = iot_file_use_run(use) };

		if (rule->of_run && iot_advice_rule_holds(rule, advice.metric))
			g_array_append_val(all, advice);
		for (guint k = 0; !rule->of_run && k < files->len; k++) {
			advice.file = &g_array_index(files, struct iot_file, k);
			advice.metric = advice.file->metric;
			if (advice.file->shown && iot_advice_rule_holds(rule, advice.metric))
				g_array_append_val(all, advice);
		}
	}
	table = iot_ranked_publish_array(results, tl, &ranked, all, NULL);
	if (table)
		iot_file_use_notes(use, table);
}
