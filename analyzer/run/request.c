/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/request.h"
#include "run/names-file.h"

#include <string.h>

static void free_mapping(gpointer data)
{
	struct iot_mapping *mapping = data;

	g_free(mapping->node);
	g_free(mapping->what);
	g_free(mapping);
}

void iot_output_free(struct iot_output *output)
{
	if (!output)
		return;
	g_free(output->path);
	g_clear_pointer(&output->options, g_hash_table_unref);
	g_free(output);
}

static void clear_shift(gpointer data)
{
	g_free(((struct iot_shift *)data)->node);
}

void iot_options_init(struct iot_options *options)
{
	memset(options, 0, sizeof(*options));
	options->inputs = g_ptr_array_new_with_free_func(g_free);
	options->lockspaces = g_ptr_array_new_with_free_func(g_free);
	options->mappings = g_ptr_array_new_with_free_func(free_mapping);
	options->shifts = g_array_new(FALSE, FALSE, sizeof(struct iot_shift));
	g_array_set_clear_func(options->shifts, clear_shift);
	options->outputs = g_ptr_array_new_with_free_func((GDestroyNotify)iot_output_free);
	options->models = g_ptr_array_new_with_free_func(g_free);
	options->select = g_ptr_array_new_with_free_func(g_free);
	options->repeated = g_ptr_array_new_with_free_func(g_free);
	options->exclude = g_ptr_array_new_with_free_func(g_free);
	options->nodes = g_ptr_array_new_with_free_func(g_free);
	options->kinds = g_ptr_array_new_with_free_func(g_free);
	options->derive = g_ptr_array_new_with_free_func(g_free);
	options->left_out = g_ptr_array_new_with_free_func(g_free);
}

void iot_options_clear(struct iot_options *options)
{
	g_clear_pointer(&options->inputs, g_ptr_array_unref);
	g_clear_pointer(&options->mappings, g_ptr_array_unref);
	g_clear_pointer(&options->names, iot_names_file_free);
	g_clear_pointer(&options->cut_folder, g_free);
	g_clear_pointer(&options->shifts, g_array_unref);
	g_clear_pointer(&options->sync_file, g_free);
	g_clear_pointer(&options->lockspaces, g_ptr_array_unref);
	g_clear_pointer(&options->outputs, g_ptr_array_unref);
	g_clear_pointer(&options->models, g_ptr_array_unref);
	g_clear_pointer(&options->select, g_ptr_array_unref);
	g_clear_pointer(&options->repeated, g_ptr_array_unref);
	g_clear_pointer(&options->exclude, g_ptr_array_unref);
	g_clear_pointer(&options->nodes, g_ptr_array_unref);
	g_clear_pointer(&options->other_calls, g_free);
	g_clear_pointer(&options->kinds, g_ptr_array_unref);
	g_clear_pointer(&options->derive, g_ptr_array_unref);
	g_clear_pointer(&options->left_out, g_ptr_array_unref);
	g_clear_pointer(&options->follow, g_free);
	g_clear_pointer(&options->from, g_free);
	g_clear_pointer(&options->to, g_free);
	g_clear_pointer(&options->reader, g_free);
	g_clear_pointer(&options->index, g_free);
}
