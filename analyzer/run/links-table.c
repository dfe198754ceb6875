/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/links-table.h"

static const struct {
	const char *name, *title, *help;
	guint count[2], n, flags, drop;
} columns[] = {
	{ "linked", "linked", "pairs of ends that are drawn", { IOT_LINKED }, 1, 0, 0 },
	{ "backwards",
	  "backwards",
	  "links that arrive before they leave, by the clocks",
	  { IOT_LINK_BACKWARDS },
	  1,
	  IOT_COLUMN_OPTIONAL | IOT_COLUMN_DASH,
	  5 },
	{ "ambiguous",
	  "ambiguous",
	  "ends with several possible partners, not drawn",
	  { IOT_LINK_AMBIGUOUS_FROM, IOT_LINK_AMBIGUOUS_TO },
	  2,
	  IOT_COLUMN_DASH,
	  0 },
	{ "not_received",
	  "not received",
	  "from-ends whose to-end should have been recorded",
	  { IOT_LINK_NOT_RECEIVED },
	  1,
	  IOT_COLUMN_DASH,
	  0 },
	{ "not_sent",
	  "not sent",
	  "to-ends whose from-end should have been recorded",
	  { IOT_LINK_NOT_SENT },
	  1,
	  IOT_COLUMN_DASH,
	  2 },
	{ "in_gaps",
	  "lost",
	  "ends whose partner may be among lost events",
	  { IOT_LINK_RECEIVED_IN_GAP, IOT_LINK_SENT_IN_GAP },
	  2,
	  IOT_COLUMN_DASH,
	  3 },
	{ "outside",
	  "outside",
	  "ends whose partner may be before or after a recording",
	  { IOT_LINK_RECEIVED_AFTER, IOT_LINK_SENT_BEFORE },
	  2,
	  IOT_COLUMN_DASH,
	  4 },
	{ "sent_again",
	  "sent again",
	  "from-ends that repeat an open one",
	  { IOT_LINK_RETRANSMITTED },
	  1,
	  IOT_COLUMN_OPTIONAL | IOT_COLUMN_DASH,
	  7 },
	{ "key_reused",
	  "key reused",
	  "from-ends with the key of an open one",
	  { IOT_LINK_REUSED },
	  1,
	  IOT_COLUMN_OPTIONAL | IOT_COLUMN_DASH,
	  6 },
	{ "evicted",
	  "evicted",
	  "open ends beyond --max-open",
	  { IOT_LINK_EVICTED },
	  1,
	  IOT_COLUMN_OPTIONAL | IOT_COLUMN_ALARM,
	  0 },
};

static struct iot_result_table *make_table(struct iot_results *to)
{
	struct iot_result_table *table = iot_results_add(to, "link_ends", "Links");

	table->help = g_strdup("how ends of links found their partners");
	iot_result_column(table, "link", "link", IOT_COLUMN_TEXT)->flags = IOT_COLUMN_SHRINK;
	for (guint i = 0; i < G_N_ELEMENTS(columns); i++) {
		struct iot_column *column = iot_result_column(table, columns[i].name,
							      columns[i].title, IOT_COLUMN_COUNT);

		column->help = g_strdup(columns[i].help);
		column->flags = columns[i].flags;
		column->drop = columns[i].drop;
	}
	return table;
}

static void add_row(struct iot_result_table *table, const struct iot_link_report *report)
{
	iot_result_row(table);
	iot_result_text(table, report->name);
	for (guint i = 0; i < G_N_ELEMENTS(columns); i++) {
		guint64 sum = 0;

		for (guint k = 0; k < columns[i].n; k++)
			sum += report->count[columns[i].count[k]];
		if (sum || !(columns[i].flags & IOT_COLUMN_OPTIONAL))
			iot_result_number(table, sum);
		else
			iot_result_none(table, IOT_CELL_EMPTY);
	}
}

void iot_links_publish(const struct iot_models *models, struct iot_results *to)
{
	struct iot_result_table *table = NULL;
	struct iot_link_report report;

	for (guint i = 0; iot_models_link(models, i, &report); i++) {
		guint64 sum = 0;

		for (guint k = 0; k < IOT_LINK_N_COUNTS; k++)
			sum += report.count[k];
		if (!sum)
			continue;
		if (!table)
			table = make_table(to);
		add_row(table, &report);
	}
}
