/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/run-summary.h"
#include "base/error.h"

#include <json-glib/json-glib.h>
#include <string.h>

void iot_run_group_free(gpointer data)
{
	struct iot_run_group *group = data;

	for (guint i = 0; i < IOT_N_PARTS; i++)
		g_free(group->part[i]);
	iot_histogram_clear(&group->durations);
	g_free(group);
}

void iot_run_summary_free(struct iot_run_summary *summary)
{
	g_ptr_array_unref(summary->groups);
	g_free(summary);
}

static const char *text_member(JsonObject *object, const char *name)
{
	JsonNode *node = json_object_get_member(object, name);

	return node && json_node_get_value_type(node) == G_TYPE_STRING ? json_node_get_string(node)
								       : "";
}

/* A missing member is 0. */
static gboolean number_member(JsonObject *object, const char *name, guint64 *out)
{
	JsonNode *node = json_object_get_member(object, name);
	gint64 value = node && JSON_NODE_HOLDS_VALUE(node) ? json_node_get_int(node) : 0;

	*out = (guint64)value;
	return !node || (json_node_get_value_type(node) == G_TYPE_INT64 && value >= 0);
}

static gboolean read_cells(JsonNode *node, struct iot_histogram *out)
{
	JsonArray *cells = node && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
	guint len = cells ? json_array_get_length(cells) : 1;

	if (len % 2)
		return FALSE;
	for (guint i = 0; i < len; i += 2) {
		gint64 cell = json_array_get_int_element(cells, i);
		gint64 n = json_array_get_int_element(cells, i + 1);

		if (cell < 0 || cell >= IOT_HISTOGRAM_CELLS || n <= 0 || n > G_MAXINT32)
			return FALSE;
		iot_histogram_count(out, (guint)cell, (guint64)n);
	}
	return TRUE;
}

static gboolean read_group(JsonNode *node, struct iot_run_group *group)
{
	static const char *const names[IOT_N_PARTS] = {
		[IOT_PART_STATE] = "state",
		[IOT_PART_MODE] = "mode",
		[IOT_PART_NODE] = "node",
		[IOT_PART_PLACE] = "place",
	};
	JsonObject *object = JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
	guint64 waited;

	if (!object)
		return FALSE;
	for (guint i = 0; i < IOT_N_PARTS; i++)
		group->part[i] = g_strdup(text_member(object, names[i]));
	if (!*group->part[IOT_PART_STATE] || !number_member(object, "waited", &waited) ||
	    !number_member(object, "partial", &group->n_partial) ||
	    !number_member(object, "sum_ns", &group->durations.sum_ns) ||
	    !number_member(object, "min_ns", &group->durations.min_ns) ||
	    !number_member(object, "max_ns", &group->durations.max_ns) ||
	    group->durations.min_ns > group->durations.max_ns)
		return FALSE;
	group->waited = waited > 0;
	return read_cells(json_object_get_member(object, "cells"), &group->durations);
}

/* NULL, or the reason why the file is none. */
static const char *read_file(JsonNode *root, struct iot_run_summary *summary)
{
	JsonObject *object =
		root && JSON_NODE_HOLDS_OBJECT(root) ? json_node_get_object(root) : NULL;
	JsonNode *groups = object ? json_object_get_member(object, "groups") : NULL;
	guint64 version;

	if (!object || strcmp(text_member(object, "format"), "iotrace-summary"))
		return "it is not a summary (-o summary:PATH writes one)";
	if (!number_member(object, "version", &version) || version != 1)
		return "this program reads version 1 of summaries only";
	if (!groups || !JSON_NODE_HOLDS_ARRAY(groups) ||
	    !number_member(object, "length_ns", &summary->length_ns) ||
	    !number_member(object, "left_out", &summary->n_left_out))
		return "the summary is damaged";
	for (guint i = 0; i < json_array_get_length(json_node_get_array(groups)); i++) {
		struct iot_run_group *group = g_new0(struct iot_run_group, 1);

		g_ptr_array_add(summary->groups, group);
		if (!read_group(json_array_get_element(json_node_get_array(groups), i), group))
			return "the summary is damaged";
	}
	return NULL;
}

struct iot_run_summary *iot_run_summary_load(const char *path, GError **error)
{
	g_autoptr(JsonParser) parser = json_parser_new_immutable();
	g_autoptr(iot_run_summary) summary = g_new0(struct iot_run_summary, 1);
	g_autoptr(GError) json_error = NULL;
	const char *reason;

	summary->groups = g_ptr_array_new_with_free_func(iot_run_group_free);
	if (!json_parser_load_from_file(parser, path, &json_error))
		reason = json_error->message;
	else
		reason = read_file(json_parser_get_root(parser), summary);
	if (!reason)
		return g_steal_pointer(&summary);
	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT, "%s: %s", path, reason);
	return NULL;
}
