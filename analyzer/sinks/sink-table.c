/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/sink.h"

#include <string.h>

/* A line for each. */
/* clang-format off */
const struct iot_sink_ops *const iot_sink_table[] = {
	&iot_sink_html,
	&iot_sink_slog2,
	&iot_sink_paje,
	&iot_sink_perfetto,
	&iot_sink_text,
	&iot_sink_jsonl,
	&iot_sink_csv,
	&iot_sink_sqlite,
	&iot_sink_parquet,
	&iot_sink_otf2,
	&iot_sink_report,
	&iot_sink_folded,
	&iot_sink_check,
	&iot_sink_junit,
	&iot_sink_tap,
	&iot_sink_list,
	&iot_sink_sync,
	&iot_sink_summary,
	&iot_sink_show,
	&iot_sink_at,
	&iot_sink_null,
	NULL,
};
/* clang-format on */

const struct iot_sink_ops *iot_sink_find(const char *name)
{
	for (guint i = 0; iot_sink_table[i]; i++)
		if (!strcmp(iot_sink_table[i]->name, name))
			return iot_sink_table[i];
	return NULL;
}
