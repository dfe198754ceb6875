/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All analyses. The order is that in which stages see items: a later one sees what an earlier one
 * puts in. */
#include "analysis/stage.h"

/* A line for each. */
/* clang-format off */
const struct iot_stage_ops *const iot_analysis_table[] = {
	&iot_stage_anatomy,
	&iot_stage_locks,
	&iot_stage_blame,
	&iot_stage_why,
	&iot_stage_operations,
	&iot_stage_files,
	&iot_stage_processor,
	&iot_stage_distributions,
	&iot_stage_bounds,
	&iot_stage_contention,
	&iot_stage_holders,
	&iot_stage_account_points,
	&iot_stage_check,
	&iot_stage_parts_of_spans,
	NULL,
};
/* clang-format on */
