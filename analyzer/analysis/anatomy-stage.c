/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of the parts of waits. Puts in nothing. */
#include "analysis/anatomy-stage.h"
#include "analysis/anatomy-sums.h"

struct anatomy_stage {
	struct iot_stage stage;
	struct iot_anatomy *anatomy;
	struct iot_anatomy_sums *sums;
	iot_anatomy_func func; /* NULL: nobody listens */
	gpointer user_data;
};

static void wait_ended(gpointer data, const struct iot_anatomy_wait *wait)
{
	struct anatomy_stage *stage = data;

	iot_anatomy_sums_add(stage->sums, wait);
	if (stage->func)
		stage->func(stage->user_data, wait);
}

void iot_anatomy_listen(struct iot_stage *stage, iot_anatomy_func func, gpointer user_data)
{
	struct anatomy_stage *anatomy = (struct anatomy_stage *)stage;

	anatomy->func = func;
	anatomy->user_data = user_data;
}

const struct iot_anatomy *iot_anatomy_of(struct iot_stage *stage)
{
	return ((struct anatomy_stage *)stage)->anatomy;
}

static struct iot_stage *anatomy_open(struct iot_timeline *tl)
{
	struct anatomy_stage *stage = g_new0(struct anatomy_stage, 1);

	stage->sums = iot_anatomy_sums_new(tl);
	stage->anatomy = iot_anatomy_new(tl, wait_ended, stage);
	return &stage->stage;
}

static gboolean anatomy_item(struct iot_stage *stage, const struct iot_item *item, GError **error)
{
	(void)error;
	iot_anatomy_item(((struct anatomy_stage *)stage)->anatomy, item);
	return TRUE;
}

static gboolean anatomy_finish(struct iot_stage *stage, GError **error)
{
	(void)error;
	iot_anatomy_finish(((struct anatomy_stage *)stage)->anatomy);
	return TRUE;
}

static void anatomy_publish(struct iot_stage *stage, struct iot_results *results)
{
	iot_anatomy_sums_publish(((struct anatomy_stage *)stage)->sums, results);
}

static void anatomy_free(struct iot_stage *stage)
{
	struct anatomy_stage *anatomy = (struct anatomy_stage *)stage;

	iot_anatomy_free(anatomy->anatomy);
	iot_anatomy_sums_free(anatomy->sums);
	g_free(anatomy);
}

const struct iot_stage_ops iot_stage_anatomy = {
	.name = "anatomy",
	.summary = "tables of the parts of waits for locks; always made for the report, the page "
		   "and SQLite",
	.is_possible = iot_anatomy_possible,
	.open = anatomy_open,
	.item = anatomy_item,
	.finish = anatomy_finish,
	.publish = anatomy_publish,
	.free = anatomy_free,
};
