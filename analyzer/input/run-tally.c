/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/run-tally.h"

void iot_run_tally_describe(const struct iot_run_tally *tally, guint64 last_ns,
			    struct iot_input_info *info, struct iot_diag *total)
{
	const struct iot_run_count *count = tally->passed ? &tally->at_to : &tally->now;

	iot_diag_merge(total, &count->diag);
	info->n_events += count->n_events;
	info->n_lost += count->n_lost;
	info->goes_on |= tally->passed;
	info->last_ns = MAX(info->last_ns, tally->passed ? tally->passed_ns : last_ns);
}
