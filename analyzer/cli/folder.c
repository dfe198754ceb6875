/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/folder.h"
#include "cli/map-spec.h"
#include "base/error.h"
#include "base/units.h"

#include <json-glib/json-glib.h>
#include <string.h>

static const char description[] = "recording.json";

struct folder {
	const char *path;
	GPtrArray *inputs;   /* of char *: gets the recordings */
	GPtrArray *mappings; /* gets the nodes; NULL: they are not wanted */
};

static gboolean wrong(GError **error, const char *path, const char *what)
{
	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
		    "%s: %s; move the file away to read all files *.dat of the folder", path, what);
	return FALSE;
}

/* A member that is a text; NULL if it is missing or something else. */
static const char *text_member(JsonObject *object, const char *name)
{
	JsonNode *node = object ? json_object_get_member(object, name) : NULL;

	return node && json_node_get_value_type(node) == G_TYPE_STRING ? json_node_get_string(node)
								       : NULL;
}

/* @node: the machine, of "machines" in the description @path */
static gboolean add_machine(const struct folder *folder, const char *path, JsonNode *node,
			    GError **error)
{
	JsonObject *machine = JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
	const char *file = text_member(machine, "file");
	const char *name = text_member(machine, "node");
	g_autofree char *pair = NULL;
	char *full;

	if (!machine)
		return wrong(error, path, "a machine is not an object");
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
	if (iot_mapping_add(folder->mappings, pair, error))
		return TRUE;
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
	g_dir_close(dir);
	g_ptr_array_sort(folder->inputs, host_last);
	return TRUE;
}

static gboolean open_folder(const struct folder *folder, GError **error)
{
	g_autofree char *path = g_build_filename(folder->path, description, NULL);
	gboolean described = g_file_test(path, G_FILE_TEST_EXISTS);

	if (!(described ? add_described(folder, path, error) : add_all(folder, error)))
		return FALSE;
	if (folder->inputs->len)
		return TRUE;
	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
		    described ? "%s names no recording of any machine: nothing was recorded"
			      : "%s is a directory without recordings (*.dat)",
		    described ? path : folder->path);
	return FALSE;
}

gboolean iot_folders_open(struct iot_options *options, GError **error)
{
	g_autoptr(GPtrArray) given = g_steal_pointer(&options->inputs);
	gboolean mapped = options->mappings->len > 0;

	options->inputs = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < given->len; i++) {
		g_autoptr(GPtrArray) found = g_ptr_array_new_with_free_func(g_free);
		const struct folder folder = { given->pdata[i], found,
					       mapped ? NULL : options->mappings };

		if (!g_file_test(folder.path, G_FILE_TEST_IS_DIR))
			g_ptr_array_add(found, g_strdup(folder.path));
		else if (!open_folder(&folder, error))
			return FALSE;
		for (guint k = 0; k < found->len; k++)
			g_ptr_array_add(options->inputs, g_steal_pointer(&found->pdata[k]));
	}
	return TRUE;
}
