/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of the causes of all waits. Puts in nothing. */
#include "analysis/blame-sums.h"
#include "analysis/stage.h"

struct blame {
	struct iot_stage stage;
	struct iot_blame *sums;
};

static void wait_ended(gpointer data, const struct iot_wait *wait)
{
	struct blame *blame = data;

	if (wait->claim.t1 > wait->claim.t0)
		iot_blame_add(blame->sums, wait);
}

static struct iot_stage *blame_open(struct iot_timeline *tl)
{
	struct blame *blame = g_new0(struct blame, 1);

	blame->sums = iot_blame_new(tl);
	return &blame->stage;
}

static void blame_listen(struct iot_stage *stage, struct iot_waits *waits)
{
	struct iot_waits_listener listener = { .ended = wait_ended, .user_data = stage };

	iot_waits_listen(waits, &listener);
}

static void blame_publish(struct iot_stage *stage, struct iot_results *results)
{
	iot_blame_publish(((struct blame *)stage)->sums, results);
}

static void blame_free(struct iot_stage *stage)
{
	struct blame *blame = (struct blame *)stage;

	iot_blame_free(blame->sums);
	g_free(blame);
}

const struct iot_stage_ops iot_stage_blame = {
	.name = "blame",
	.summary = "tables of the causes of waits; always made for the report, the page and SQLite",
	.is_possible = iot_waits_possible,
	.open = blame_open,
	.listen = blame_listen,
	.publish = blame_publish,
	.free = blame_free,
};
