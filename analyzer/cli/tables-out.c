/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/tables-out.h"
#include "sinks/result-json.h"
#include "sinks/result-text.h"

gboolean iot_tables_write(const struct iot_results *results, const struct iot_command *command,
			  GError **error)
{
	g_autoptr(iot_timeline) tl = iot_timeline_new();
	struct iot_out *out = iot_out_open("-", error);
	const struct iot_result_style style = {
		.tl = tl,
		.out = out,
		.colour = command->options.colour,
		.width = command->options.width,
		.indent = 2,
	};
	gboolean good;

	if (!out)
		return FALSE;
	if (command->as_json)
		iot_results_write_json(results, tl, out);
	for (guint i = 0; !command->as_json && i < results->tables->len; i++) {
		if (i)
			iot_out_putc(out, '\n');
		iot_result_print_heading(results->tables->pdata[i], &style);
		iot_result_print(results->tables->pdata[i], &style);
		iot_result_print_notes(results->tables->pdata[i], &style);
	}
	good = iot_out_finish(out, error);
	iot_out_free(out);
	return good;
}
