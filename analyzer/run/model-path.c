/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/model-path.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/units.h"

#include <string.h>

static char **model_dirs(void)
{
	const char *env = g_getenv("IOTRACE_MODELS");
	g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *bin = program ? g_path_get_dirname(program) : NULL;
	g_autofree char *prefix = bin ? g_path_get_dirname(bin) : g_strdup("/usr");
	g_autofree char *shared = g_build_filename(prefix, "share", "iotrace", "models", NULL);
	g_autofree char *all = env && *env ? g_strconcat(env, ":", shared, NULL) : g_strdup(shared);

	return g_strsplit(all, ":", -1);
}

static int by_name(gconstpointer a, gconstpointer b)
{
	return iot_natural_compare(*(const char *const *)a, *(const char *const *)b);
}

/* The same name in several folders is one model: the first folder wins. */
char **iot_model_names(void)
{
	g_auto(GStrv) dirs = model_dirs();
	GPtrArray *names = g_ptr_array_new();

	for (guint i = 0; dirs[i]; i++) {
		GDir *dir = *dirs[i] ? g_dir_open(dirs[i], 0, NULL) : NULL;
		const char *file;

		while (dir && (file = g_dir_read_name(dir))) {
			g_autofree char *name = g_strdup(file);

			if (!g_str_has_suffix(file, ".model"))
				continue;
			name[strlen(name) - strlen(".model")] = '\0';
			if (!g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
				g_ptr_array_add(names, g_steal_pointer(&name));
		}
		g_clear_pointer(&dir, g_dir_close);
	}
	g_ptr_array_sort(names, by_name);
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}

static char *no_such_model(const char *name, GError **error)
{
	g_auto(GStrv) names = iot_model_names();
	g_autofree char *list = g_strjoinv(", ", names);
	const char *nearest = iot_nearest_name(name, (const char *const *)names);

	iot_usage_error(error, "there is no model \"%s\"%s%s%s; the models are: %s", name,
			nearest ? " (did you mean " : "", nearest ? nearest : "",
			nearest ? "?)" : "", *list ? list : "(none is installed)");
	return NULL;
}

char *iot_model_find(const char *name, GError **error)
{
	g_auto(GStrv) dirs = model_dirs();
	g_autofree char *file = g_strconcat(name, ".model", NULL);

	if (strchr(name, '/') || g_str_has_suffix(name, ".model"))
		return g_strdup(name);
	for (guint i = 0; dirs[i]; i++) {
		g_autofree char *path = g_build_filename(dirs[i], file, NULL);

		if (*dirs[i] && g_file_test(path, G_FILE_TEST_IS_REGULAR))
			return g_steal_pointer(&path);
	}
	return no_such_model(name, error);
}

/* A setting of the section [model], which comes first. */
static const char *setting_of(const struct iot_model_file *file, const char *key)
{
	const struct iot_setting *setting = NULL;

	if (file && file->sections->len)
		setting = iot_section_get(file->sections->pdata[0], key);
	return setting && *setting->value ? setting->value : "-";
}

/* Whether an installed model may have events of the inputs; its first section says of which system.
 */
static gboolean is_wanted(const char *path, iot_system_func has_system, gconstpointer inputs)
{
	g_autoptr(iot_model_file) head = iot_model_file_head(path, NULL);
	const char *system = setting_of(head, "system");

	return !strcmp(system, "-") || has_system(inputs, system);
}

GPtrArray *iot_model_files(const GPtrArray *names, iot_system_func has_system, gconstpointer inputs,
			   GError **error)
{
	g_autoptr(GPtrArray) files =
		g_ptr_array_new_with_free_func((GDestroyNotify)iot_model_file_free);
	g_auto(GStrv) installed = names->len ? NULL : iot_model_names();
	guint n = installed ? g_strv_length(installed) : names->len;

	for (guint i = 0; i < n; i++) {
		const char *name = installed ? installed[i] : names->pdata[i];
		g_autofree char *path = iot_model_find(name, error);
		struct iot_model_file *file;

		if (installed && path && !is_wanted(path, has_system, inputs))
			continue;
		file = path ? iot_model_file_load(path, error) : NULL;
		if (!file)
			return NULL;
		g_ptr_array_add(files, file);
	}
	return g_steal_pointer(&files);
}

char *iot_model_list(void)
{
	g_auto(GStrv) names = iot_model_names();
	GString *text = g_string_new(NULL);

	for (guint i = 0; names[i]; i++) {
		g_autofree char *path = iot_model_find(names[i], NULL);
		g_autoptr(iot_model_file) file = path ? iot_model_file_load(path, NULL) : NULL;

		g_string_append_printf(text, "%s\t%s\t%s\t%s\n", names[i],
				       setting_of(file, "title"), setting_of(file, "system"), path);
	}
	return g_string_free(text, FALSE);
}
