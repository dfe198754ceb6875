/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Operations in parts: tables. Puts in nothing. */
#include "analysis/operations.h"
#include "analysis/stage.h"

struct operations_stage {
	struct iot_stage stage;
	struct iot_operations *operations;
};

static struct iot_stage *operations_open(struct iot_timeline *tl)
{
	struct operations_stage *stage = g_new0(struct operations_stage, 1);

	stage->operations = iot_operations_new(tl);
	return &stage->stage;
}

static void operations_listen(struct iot_stage *stage)
{
	iot_accounts_listen(iot_stage_accounts(stage), iot_operations_add,
			    ((struct operations_stage *)stage)->operations);
}

static void operations_publish(struct iot_stage *stage, struct iot_results *results)
{
	iot_operations_publish(((struct operations_stage *)stage)->operations, results);
}

static void operations_free(struct iot_stage *stage)
{
	iot_operations_free(((struct operations_stage *)stage)->operations);
	g_free(stage);
}

const struct iot_stage_ops iot_stage_operations = {
	.name = "operations",
	.summary = "tables of the parts of operations, such as a WRITE of NFS",
	.always = TRUE,
	.is_possible = iot_operations_possible,
	.open = operations_open,
	.listen = operations_listen,
	.publish = operations_publish,
	.free = operations_free,
};
