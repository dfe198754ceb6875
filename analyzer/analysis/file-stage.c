/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What programs do to files: tables. Puts in nothing. */
#include "analysis/file-use.h"
#include "analysis/stage.h"

struct file_stage {
	struct iot_stage stage;
	const struct iot_timeline *tl;
	struct iot_file_use *use;
	/* the access of the last type; most items are of one type */
	iot_type_id type;
	const struct iot_access *access;
};

static struct iot_stage *files_open(struct iot_timeline *tl)
{
	struct file_stage *stage = g_new0(struct file_stage, 1);

	stage->tl = tl;
	stage->use = iot_file_use_new(tl);
	return &stage->stage;
}

static gboolean files_wants(struct iot_stage *base, enum iot_item_kind kind, iot_cat_id cat)
{
	const struct file_stage *stage = (struct file_stage *)base;

	return kind == IOT_ITEM_GAP ||
	       (kind == IOT_ITEM_SPAN &&
		iot_access_of(stage->tl, iot_cat_at(stage->tl, cat)->type) != NULL);
}

static gboolean files_item(struct iot_stage *base, const struct iot_item *item, GError **error)
{
	struct file_stage *stage = (struct file_stage *)base;

	(void)error;
	if (item->kind == IOT_ITEM_GAP) {
		if (iot_gap_lost(item))
			iot_file_use_lose(stage->use);
		return TRUE;
	}
	if (item->type != stage->type) {
		stage->type = item->type;
		stage->access = iot_access_of(stage->tl, item->type);
	}
	iot_file_use_add(stage->use, stage->access, item);
	return TRUE;
}

static void files_finish(struct iot_stage *stage)
{
	iot_file_use_classify(((struct file_stage *)stage)->use);
}

static void files_publish(struct iot_stage *base, struct iot_results *results)
{
	const struct file_stage *stage = (struct file_stage *)base;

	iot_file_tables_publish(stage->tl, stage->use, results);
	iot_file_advice_publish(stage->tl, stage->use, results);
}

static void files_free(struct iot_stage *stage)
{
	iot_file_use_free(((struct file_stage *)stage)->use);
	g_free(stage);
}

const struct iot_stage_ops iot_stage_files = {
	.name = "files",
	.summary =
		"tables of what programs do to files: who reads and writes which bytes, and advice",
	.always = TRUE,
	.is_possible = iot_accesses_known,
	.open = files_open,
	.wants = files_wants,
	.item = files_item,
	.finish = files_finish,
	.publish = files_publish,
	.free = files_free,
};
