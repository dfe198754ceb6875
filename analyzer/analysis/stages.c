/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/stage.h"

struct iot_stages {
	GPtrArray *stages; /* of struct iot_stage, in the order of the table */
	struct iot_timeline *tl;
	struct iot_waits *waits;   /* NULL: no stage needs them */
	struct iot_cycles *cycles; /* likewise */
	iot_item_func func;
	gpointer user_data;
};

static void stage_free(gpointer data)
{
	struct iot_stage *stage = data;

	stage->ops->free(stage);
}

struct iot_stages *iot_stages_new(const GPtrArray *names, struct iot_timeline *tl)
{
	struct iot_stages *stages = g_new0(struct iot_stages, 1);

	stages->tl = tl;
	stages->stages = g_ptr_array_new_with_free_func(stage_free);
	for (guint i = 0; iot_analysis_table[i]; i++) {
		const struct iot_stage_ops *ops = iot_analysis_table[i];
		struct iot_stage *stage;

		if (!g_ptr_array_find_with_equal_func((GPtrArray *)names, ops->name, g_str_equal,
						      NULL))
			continue;
		if (ops->is_possible && !ops->is_possible(tl))
			continue;
		stage = ops->open(tl);
		stage->ops = ops;
		stage->chain = stages;
		stage->number = stages->stages->len;
		g_ptr_array_add(stages->stages, stage);
		if (ops->join)
			ops->join(stage);
		if (!ops->listen)
			continue;
		if (!stages->waits)
			stages->waits = iot_waits_new(tl);
		ops->listen(stage, stages->waits);
	}
	return stages;
}

void iot_stages_free(struct iot_stages *stages)
{
	if (!stages)
		return;
	g_ptr_array_unref(stages->stages);
	iot_cycles_free(stages->cycles);
	iot_waits_free(stages->waits);
	g_free(stages);
}

guint iot_stages_count(const struct iot_stages *stages)
{
	return stages->stages->len;
}

struct iot_stage *iot_stages_find(const struct iot_stages *stages, const struct iot_stage_ops *ops)
{
	for (guint i = 0; i < stages->stages->len; i++) {
		struct iot_stage *stage = stages->stages->pdata[i];

		if (stage->ops == ops)
			return stage;
	}
	return NULL;
}

void iot_stages_connect(struct iot_stages *stages, iot_item_func func, gpointer user_data)
{
	stages->func = func;
	stages->user_data = user_data;
}

/* Pass an item to the stages from @number on, each of which may put in items before it. */
static gboolean pass_on(const struct iot_stages *stages, guint number, const struct iot_item *item,
			GError **error)
{
	for (guint i = number; i < stages->stages->len; i++) {
		struct iot_stage *stage = stages->stages->pdata[i];

		if (stage->ops->item && !stage->ops->item(stage, item, error))
			return FALSE;
	}
	return stages->func(stages->user_data, item, error);
}

struct iot_cycles *iot_stage_cycles(const struct iot_stage *stage)
{
	struct iot_stages *stages = stage->chain;

	if (!stages->cycles)
		stages->cycles = iot_cycles_new(stages->tl, stages->waits);
	return stages->cycles;
}

gboolean iot_stage_put(const struct iot_stage *stage, const struct iot_item *item, GError **error)
{
	return pass_on(stage->chain, stage->number + 1, item, error);
}

gboolean iot_stages_item(gpointer data, const struct iot_item *item, GError **error)
{
	struct iot_stages *stages = data;

	if (stages->waits)
		iot_waits_item(stages->waits, item);
	return pass_on(data, 0, item, error);
}

gboolean iot_stages_finish(struct iot_stages *stages, GError **error)
{
	if (stages->waits)
		iot_waits_finish(stages->waits);
	for (guint i = 0; i < stages->stages->len; i++) {
		struct iot_stage *stage = stages->stages->pdata[i];

		if (stage->ops->finish && !stage->ops->finish(stage, error))
			return FALSE;
	}
	return TRUE;
}

void iot_stages_publish(struct iot_stages *stages, struct iot_results *results)
{
	for (guint i = 0; i < stages->stages->len; i++) {
		struct iot_stage *stage = stages->stages->pdata[i];

		if (stage->ops->publish)
			stage->ops->publish(stage, results);
	}
}
