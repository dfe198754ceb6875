/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/folder.h"
#include "cli/map-spec.h"
#include "base/error.h"
#include "base/units.h"
#include "input/source.h"

#include <json-glib/json-glib.h>
#include <string.h>

static const char description[] = "recording.json";

/* Samples of machines: iotrace-record --metrics, and --metrics-only of other machines. */
static const char metrics_begin[] = "metrics", metrics_end[] = ".txt";

/* names of other calls in the sentence about them */
enum { MAX_NAMED = 8 };

struct call {
	char *name;
	guint64 n;
};

struct folder {
	const char *path;
	GArray *calls;	     /* of struct call: gets those that were counted only */
	GPtrArray *inputs;   /* of char *: gets the recordings */
	GPtrArray *metrics;  /* of char *: gets the samples of machines, which stand beside them */
	GPtrArray *mappings; /* gets the nodes; NULL: they are not wanted */
};

static gboolean wrong(GError **error, const char *path, const char *what)
{
	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
		    "%s: %s; move the file away to read all files *.dat of the folder", path, what);
	return FALSE;
}

static gboolean has_path(const GPtrArray *paths, const char *path)
{
	return g_ptr_array_find_with_equal_func((GPtrArray *)paths, path, g_str_equal, NULL);
}

/* A member that is a text; NULL if it is missing or something else. */
static const char *text_member(JsonObject *object, const char *name)
{
	JsonNode *node = object ? json_object_get_member(object, name) : NULL;

	return node && json_node_get_value_type(node) == G_TYPE_STRING ? json_node_get_string(node)
								       : NULL;
}

static void add_call(GArray *calls, const char *name, guint64 n)
{
	guint at = 0;

	while (at < calls->len && strcmp(g_array_index(calls, struct call, at).name, name))
		at++;
	if (at == calls->len) {
		struct call call = { g_strdup(name), 0 };

		g_array_append_val(calls, call);
	}
	g_array_index(calls, struct call, at).n += n;
}

/* "other_calls" of a description. What is not as iotrace-record writes it is skipped. */
static void add_other_calls(GArray *calls, JsonNode *root)
{
	JsonNode *list = json_object_get_member(json_node_get_object(root), "other_calls");
	JsonArray *array = list && JSON_NODE_HOLDS_ARRAY(list) ? json_node_get_array(list) : NULL;

	for (guint i = 0; array && i < json_array_get_length(array); i++) {
		JsonNode *node = json_array_get_element(array, i);
		JsonObject *call = JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
		const char *name = text_member(call, "name");
		JsonNode *count = call ? json_object_get_member(call, "count") : NULL;

		if (name && g_utf8_validate(name, -1, NULL) && count &&
		    json_node_get_value_type(count) == G_TYPE_INT64 && json_node_get_int(count) > 0)
			add_call(calls, name, (guint64)json_node_get_int(count));
	}
}

static int by_count(gconstpointer a, gconstpointer b)
{
	const struct call *x = a, *y = b;

	return x->n != y->n ? (x->n < y->n ? 1 : -1) : strcmp(x->name, y->name);
}

/* NULL: there are none. */
static char *describe_calls(GArray *calls)
{
	g_autoptr(GString) names = g_string_new(NULL);
	g_autofree char *total = NULL;
	guint64 n = 0;

	g_array_sort(calls, by_count);
	for (guint i = 0; i < calls->len; i++) {
		const struct call *call = &g_array_index(calls, struct call, i);

		n += call->n;
		if (i < MAX_NAMED)
			g_string_append_printf(names, "%s%s %" G_GUINT64_FORMAT, i ? ", " : "",
					       call->name, call->n);
	}
	if (!calls->len)
		return NULL;
	if (calls->len > MAX_NAMED)
		g_string_append(names, " ...");
	total = iot_format_count(n);
	return g_strdup_printf("%s calls of other kinds were not looked at: %s", total, names->str);
}

/* @node: the machine, of "machines" in the description @path */
static gboolean add_machine(const struct folder *folder, const char *path, JsonNode *node,
			    GError **error)
{
	JsonObject *machine = JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
	const char *file = text_member(machine, "file");
	const char *metrics = text_member(machine, "metrics");
	const char *name = text_member(machine, "node");
	g_autofree char *pair = NULL;
	char *full;

	if (!machine)
		return wrong(error, path, "a machine is not an object");
	if (metrics && (!*metrics || strchr(metrics, '/')))
		return wrong(error, path,
			     "the metrics of a machine are not the name of a file in the folder");
	if (metrics)
		g_ptr_array_add(folder->metrics, g_build_filename(folder->path, metrics, NULL));
	if (!file) /* nothing of this machine was recorded */
		return TRUE;
	if (!*file || strchr(file, '/'))
		return wrong(error, path,
			     "the file of a machine is not the name of a file in the folder");
	full = g_build_filename(folder->path, file, NULL);
	g_ptr_array_add(folder->inputs, full);
	if (!name || !*name || !folder->mappings)
		return TRUE;
	pair = g_strdup_printf("%s=%s", name, full);
	if (iot_mapping_add(folder->mappings, pair, error)) {
		((struct iot_mapping *)folder->mappings->pdata[folder->mappings->len - 1])
			->described = TRUE;
		return TRUE;
	}
	g_prefix_error(error, "%s: ", path);
	return FALSE;
}

static gboolean add_described(const struct folder *folder, const char *path, GError **error)
{
	g_autoptr(JsonParser) parser = json_parser_new_immutable();
	g_autoptr(GError) json_error = NULL;
	JsonNode *root, *machines = NULL;

	if (!json_parser_load_from_file(parser, path, &json_error))
		return wrong(error, path, json_error->message);
	root = json_parser_get_root(parser);
	if (root && JSON_NODE_HOLDS_OBJECT(root))
		machines = json_object_get_member(json_node_get_object(root), "machines");
	if (!machines || !JSON_NODE_HOLDS_ARRAY(machines))
		return wrong(error, path, "it has no list \"machines\"");
	add_other_calls(folder->calls, root);
	for (guint i = 0; i < json_array_get_length(json_node_get_array(machines)); i++)
		if (!add_machine(folder, path,
				 json_array_get_element(json_node_get_array(machines), i), error))
			return FALSE;
	return TRUE;
}

/* The host's own recording is the last one, whose times need no correction. */
static int host_last(gconstpointer a, gconstpointer b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;
	gboolean host_x = g_str_has_suffix(x, "/trace.dat");

	if (host_x != g_str_has_suffix(y, "/trace.dat"))
		return host_x ? 1 : -1;
	return iot_natural_compare(x, y);
}

static gboolean add_all(const struct folder *folder, GError **error)
{
	g_autoptr(GPtrArray) parts = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GError) dir_error = NULL;
	GDir *dir = g_dir_open(folder->path, 0, &dir_error);
	const char *file;

	if (!dir) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT, "%s", dir_error->message);
		return FALSE;
	}
	while ((file = g_dir_read_name(dir)))
		if (g_str_has_suffix(file, ".dat"))
			g_ptr_array_add(folder->inputs, g_build_filename(folder->path, file, NULL));
	g_dir_rewind(dir);
	while (!folder->inputs->len && (file = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(folder->path, file, NULL);
		g_autofree char *first = iot_source_first_part(path);

		if (first)
			g_ptr_array_add(parts, g_steal_pointer(&first));
	}
	g_dir_close(dir);
	g_ptr_array_extend_and_steal(folder->inputs, g_steal_pointer(&parts));
	g_ptr_array_sort(folder->inputs, host_last);
	return TRUE;
}

/* Files of samples that the description does not name were put into the folder later. */
static void add_metrics(const struct folder *folder)
{
	g_autoptr(GPtrArray) found = g_ptr_array_new();
	GDir *dir = g_dir_open(folder->path, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir)))
		if (g_str_has_prefix(name, metrics_begin) && g_str_has_suffix(name, metrics_end))
			g_ptr_array_add(found, g_build_filename(folder->path, name, NULL));
	g_clear_pointer(&dir, g_dir_close);
	g_ptr_array_sort(found, host_last);
	g_ptr_array_extend(folder->metrics, found, NULL, NULL);
	for (guint i = 0; i < folder->metrics->len; i++)
		if (!has_path(folder->inputs, folder->metrics->pdata[i]))
			g_ptr_array_add(folder->inputs, g_strdup(folder->metrics->pdata[i]));
}

static gboolean open_folder(const struct folder *folder, GError **error)
{
	g_autofree char *path = g_build_filename(folder->path, description, NULL);
	gboolean described = g_file_test(path, G_FILE_TEST_EXISTS);

	if (!(described ? add_described(folder, path, error) : add_all(folder, error)))
		return FALSE;
	if (!folder->inputs->len && !described && iot_source_is_folder(folder->path))
		g_ptr_array_add(folder->inputs, g_strdup(folder->path));
	add_metrics(folder);
	if (folder->inputs->len)
		return TRUE;
	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
		    described ? "%s names no recording of any machine: nothing was recorded"
			      : "%s is a directory without recordings (*.dat, of "
				"libiotrace-preload, logs of strace -ff, an OTF2 or PCP archive, "
				"CTF traces, dumps of Ganglia, or files of libRastro)",
		    described ? path : folder->path);
	return FALSE;
}

static void call_clear(gpointer data)
{
	g_free(((struct call *)data)->name);
}

/* A recording that is given itself, and may have its description next to it. */
static void add_file(const struct folder *folder)
{
	g_autofree char *dir = g_path_get_dirname(folder->path),
			*name = g_path_get_basename(folder->path);
	g_autoptr(GPtrArray) named = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GArray) calls = g_array_new(FALSE, FALSE, sizeof(struct call));
	const struct folder around = { dir, calls, named, named, NULL };
	g_autofree char *path = g_build_filename(dir, description, NULL);
	g_autofree char *full = g_build_filename(dir, name, NULL);

	g_array_set_clear_func(calls, call_clear);
	g_ptr_array_add(folder->inputs, g_strdup(folder->path));
	if (g_file_test(path, G_FILE_TEST_EXISTS) && add_described(&around, path, NULL) &&
	    has_path(named, full))
		for (guint i = 0; i < calls->len; i++)
			add_call(folder->calls, g_array_index(calls, struct call, i).name,
				 g_array_index(calls, struct call, i).n);
}

/* The files of a folder that are not read, without its description, hidden files, and the further
 * files of a recording that is read. */
static void add_left_out(const struct folder *folder, GPtrArray *left_out)
{
	GDir *dir = g_dir_open(folder->path, 0, NULL);
	const char *name;

	while (dir && !has_path(folder->inputs, folder->path) && (name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(folder->path, name, NULL);
		g_autofree char *first = iot_source_first_part(path);

		if (*name != '.' && strcmp(name, description) && !has_path(folder->inputs, path) &&
		    !(first && has_path(folder->inputs, first)))
			g_ptr_array_add(left_out, g_steal_pointer(&path));
	}
	g_clear_pointer(&dir, g_dir_close);
	g_ptr_array_sort(left_out, host_last);
}

/* Several files that are one recording are one input. */
static void add_input(GPtrArray *inputs, const char *path)
{
	g_autofree char *first = iot_source_first_part(path);

	if (!first || !has_path(inputs, first))
		g_ptr_array_add(inputs, first ? g_steal_pointer(&first) : g_strdup(path));
}

gboolean iot_folders_open(struct iot_options *options, GError **error)
{
	g_autoptr(GArray) calls = g_array_new(FALSE, FALSE, sizeof(struct call));
	g_autoptr(GPtrArray) given = g_steal_pointer(&options->inputs);
	gboolean mapped = options->mappings->len > 0;

	g_array_set_clear_func(calls, call_clear);
	options->inputs = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < given->len; i++) {
		g_autoptr(GPtrArray) found = g_ptr_array_new_with_free_func(g_free);
		g_autoptr(GPtrArray) metrics = g_ptr_array_new_with_free_func(g_free);
		const struct folder folder = { given->pdata[i], calls, found, metrics,
					       mapped ? NULL : options->mappings };

		if (!g_file_test(folder.path, G_FILE_TEST_IS_DIR))
			add_file(&folder);
		else if (!open_folder(&folder, error))
			return FALSE;
		for (guint k = 0; k < found->len; k++)
			add_input(options->inputs, found->pdata[k]);
		if (g_file_test(folder.path, G_FILE_TEST_IS_DIR))
			add_left_out(&folder, options->left_out);
	}
	/* folders and files can be given together */
	for (guint i = options->left_out->len; i-- > 0;)
		if (has_path(options->inputs, options->left_out->pdata[i]))
			g_ptr_array_remove_index(options->left_out, i);
		else
			options->n_recordings_left_out +=
				iot_source_knows(options->left_out->pdata[i]);
	g_free(options->other_calls);
	options->other_calls = describe_calls(calls);
	return TRUE;
}
