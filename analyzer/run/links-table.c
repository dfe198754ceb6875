/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/links-table.h"
#include "tables/ranked.h"

enum { DASH = IOT_COLUMN_DASH, RARE = IOT_COLUMN_OPTIONAL | IOT_COLUMN_DASH };

static const struct iot_ranked_column columns[] = {
	{ "link", "link", IOT_COLUMN_TEXT, IOT_COLUMN_SHRINK },
	{ "linked", "linked", IOT_COLUMN_COUNT, .help = "pairs of ends that are drawn" },
	{ "backwards", "backwards", IOT_COLUMN_COUNT, RARE, 5,
	  "links that arrive before they leave, by the clocks" },
	{ "ambiguous", "ambiguous", IOT_COLUMN_COUNT, DASH, 0,
	  "ends with several possible partners, not drawn" },
	{ "not_received", "not received", IOT_COLUMN_COUNT, DASH, 0,
	  "from-ends whose to-end should have been recorded" },
	{ "not_sent", "not sent", IOT_COLUMN_COUNT, DASH, 2,
	  "to-ends whose from-end should have been recorded" },
	{ "in_gaps", "lost", IOT_COLUMN_COUNT, DASH, 3,
	  "ends whose partner may be among lost events" },
	{ "outside", "outside", IOT_COLUMN_COUNT, DASH, 4,
	  "ends whose partner may be before or after a recording" },
	{ "sent_again", "sent again", IOT_COLUMN_COUNT, RARE, 7,
	  "from-ends that repeat an open one" },
	{ "key_reused", "key reused", IOT_COLUMN_COUNT, RARE, 6,
	  "from-ends with the key of an open one" },
	{ "evicted", "evicted", IOT_COLUMN_COUNT, IOT_COLUMN_OPTIONAL | IOT_COLUMN_ALARM, 0,
	  "open ends beyond --max-open" },
};

static void add_row(struct iot_result_table *table, gconstpointer element, gconstpointer data)
{
	const struct iot_link_report *report = element;
	const guint64 *n = report->count;

	(void)data;
	iot_ranked_row(
		table, iot_cell_text(report->name), iot_cell_number(n[IOT_LINKED]),
		iot_cell_positive(n[IOT_LINK_BACKWARDS]),
		iot_cell_number(n[IOT_LINK_AMBIGUOUS_FROM] + n[IOT_LINK_AMBIGUOUS_TO]),
		iot_cell_number(n[IOT_LINK_NOT_RECEIVED]), iot_cell_number(n[IOT_LINK_NOT_SENT]),
		iot_cell_number(n[IOT_LINK_RECEIVED_IN_GAP] + n[IOT_LINK_SENT_IN_GAP]),
		iot_cell_number(n[IOT_LINK_RECEIVED_AFTER] + n[IOT_LINK_SENT_BEFORE]),
		iot_cell_positive(n[IOT_LINK_RETRANSMITTED]), iot_cell_positive(n[IOT_LINK_REUSED]),
		iot_cell_positive(n[IOT_LINK_EVICTED]));
}

static const struct iot_ranked ranked = {
	IOT_RANKED("link_ends", "Links", columns),
	.help = "how ends of links found their partners",
	.loss = IOT_LOSS_IN_CELLS,
	.add = add_row,
};

void iot_links_publish(const struct iot_models *models, struct iot_results *to)
{
	g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(struct iot_link_report));
	struct iot_link_report report;

	for (guint i = 0; iot_models_link(models, i, &report); i++) {
		guint64 sum = 0;

		for (guint k = 0; k < IOT_LINK_N_COUNTS; k++)
			sum += report.count[k];
		if (sum)
			g_array_append_val(list, report);
	}
	iot_ranked_publish_array(to, NULL, &ranked, list, NULL);
}
