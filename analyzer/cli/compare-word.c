/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/compare-word.h"
#include "cli/folder.h"
#include "cli/tables-out.h"
#include "base/error.h"

#include <errno.h>
#include <glib/gstdio.h>

gboolean iot_run_is_summary(const char *run)
{
	return g_str_has_suffix(run, ".json");
}

char *iot_run_prepare(struct iot_options *options, const char *run, GError **error)
{
	g_autofree char *folder = g_build_filename(g_get_tmp_dir(), "iotrace-XXXXXX", NULL);
	struct iot_output *output;
	char *path;

	g_ptr_array_set_size(options->inputs, 0);
	g_ptr_array_set_size(options->outputs, 0);
	g_ptr_array_add(options->inputs, g_strdup(run));
	if (!iot_folders_open(options, error))
		return NULL;
	if (!g_mkdtemp(folder)) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_OUTPUT, "cannot make the folder %s: %s",
			    folder, g_strerror(errno));
		return NULL;
	}
	path = g_build_filename(folder, "run.json", NULL);
	output = g_new0(struct iot_output, 1);
	output->ops = &iot_sink_summary;
	output->path = g_strdup(path);
	g_ptr_array_add(options->outputs, output);
	return path;
}

void iot_run_discard(char *path)
{
	g_autofree char *folder = g_path_get_dirname(path);

	g_unlink(path);
	g_rmdir(folder);
	g_free(path);
}

gboolean iot_comparison_write(const struct iot_comparison *comparison,
			      const struct iot_command *command, GError **error)
{
	g_autoptr(iot_results) results = iot_comparison_publish(comparison);

	return iot_tables_write(results, command, error);
}
