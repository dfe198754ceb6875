/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of the parts of waits. Puts in nothing. */
#include "analysis/anatomy-sums.h"
#include "analysis/stage.h"

struct anatomy_stage {
	struct iot_stage stage;
	struct iot_anatomy_sums *sums;
};

static void wait_ended(gpointer stage, const struct iot_anatomy_wait *wait)
{
	iot_anatomy_sums_add(((struct anatomy_stage *)stage)->sums, wait);
}

static struct iot_stage *anatomy_open(struct iot_timeline *tl)
{
	struct anatomy_stage *stage = g_new0(struct anatomy_stage, 1);

	stage->sums = iot_anatomy_sums_new(tl);
	return &stage->stage;
}

static void anatomy_listen(struct iot_stage *stage)
{
	iot_anatomy_listen(iot_stage_parts(stage), wait_ended, stage);
}

static void anatomy_publish(struct iot_stage *stage, struct iot_results *results)
{
	iot_anatomy_sums_publish(((struct anatomy_stage *)stage)->sums, results);
}

static void anatomy_free(struct iot_stage *stage)
{
	iot_anatomy_sums_free(((struct anatomy_stage *)stage)->sums);
	g_free(stage);
}

const struct iot_stage_ops iot_stage_anatomy = {
	.name = "anatomy",
	.summary = "tables of the parts of waits for locks",
	.always = TRUE,
	.is_possible = iot_anatomy_possible,
	.open = anatomy_open,
	.listen = anatomy_listen,
	.publish = anatomy_publish,
	.free = anatomy_free,
};
