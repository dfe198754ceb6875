/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/run-summary.h"
#include "base/error.h"

#include <json-glib/json-glib.h>
#include <string.h>

static void group_free(gpointer data)
{
	struct iot_run_group *group = data;

	for (guint i = 0; i < IOT_N_PARTS; i++)
		g_free(group->part[i]);
	iot_histogram_clear(&group->durations);
	g_free(group);
}

static void cause_free(gpointer data)
{
	struct iot_run_cause *cause = data;

	g_free(cause->name);
	iot_histogram_clear(&cause->shares);
	g_free(cause);
}

static void waits_free(gpointer data)
{
	struct iot_run_waits *waits = data;

	g_free(waits->node);
	g_free(waits->place);
	g_ptr_array_unref(waits->causes);
	g_free(waits);
}

struct iot_run_summary *iot_run_summary_new(void)
{
	struct iot_run_summary *summary = g_new0(struct iot_run_summary, 1);

	summary->groups = g_ptr_array_new_with_free_func(group_free);
	summary->waits = g_ptr_array_new_with_free_func(waits_free);
	return summary;
}

void iot_run_summary_free(struct iot_run_summary *summary)
{
	g_ptr_array_unref(summary->groups);
	g_ptr_array_unref(summary->waits);
	g_free(summary);
}

struct iot_run_waits *iot_run_summary_add_waits(struct iot_run_summary *summary, const char *node,
						const char *place)
{
	struct iot_run_waits *waits = g_new0(struct iot_run_waits, 1);

	waits->node = g_strdup(node);
	waits->place = g_strdup(place);
	waits->causes = g_ptr_array_new_with_free_func(cause_free);
	g_ptr_array_add(summary->waits, waits);
	return waits;
}

struct iot_run_cause *iot_run_waits_add_cause(struct iot_run_waits *waits, const char *name,
					      gboolean holds)
{
	struct iot_run_cause *cause = g_new0(struct iot_run_cause, 1);

	cause->name = g_strdup(name);
	cause->holds = holds;
	g_ptr_array_add(waits->causes, cause);
	return cause;
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

static JsonObject *object_of(JsonNode *node)
{
	return JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

/* Whole states have no part, and parts of waits have one. */
static gboolean read_group(JsonNode *node, struct iot_run_summary *summary, gboolean is_part)
{
	static const char *const names[IOT_N_PARTS] = {
		[IOT_PART_STATE] = "state", [IOT_PART_WAIT_PART] = "part", [IOT_PART_MODE] = "mode",
		[IOT_PART_NODE] = "node",   [IOT_PART_PLACE] = "place",
	};
	JsonObject *object = object_of(node);
	struct iot_run_group *group;
	guint64 waited;

	if (!object)
		return FALSE;
	group = g_new0(struct iot_run_group, 1);
	g_ptr_array_add(summary->groups, group);
	for (guint i = 0; i < IOT_N_PARTS; i++)
		group->part[i] = g_strdup(text_member(object, names[i]));
	if (!*group->part[IOT_PART_STATE] || is_part != (*group->part[IOT_PART_WAIT_PART] != 0) ||
	    !number_member(object, "waited", &waited) ||
	    !number_member(object, "partial", &group->n_partial) ||
	    !number_member(object, "sum_ns", &group->durations.sum_ns) ||
	    !number_member(object, "min_ns", &group->durations.min_ns) ||
	    !number_member(object, "max_ns", &group->durations.max_ns) ||
	    group->durations.min_ns > group->durations.max_ns)
		return FALSE;
	group->waited = waited || is_part;
	return read_cells(json_object_get_member(object, "cells"), &group->durations);
}

static gboolean read_cause(JsonNode *node, struct iot_run_waits *waits)
{
	JsonObject *object = object_of(node);
	const char *holder = object ? text_member(object, "holder") : "";
	const char *name = object && !*holder ? text_member(object, "cause") : holder;
	struct iot_run_cause *cause;

	if (!*name)
		return FALSE;
	cause = iot_run_waits_add_cause(waits, name, *holder != 0);
	return number_member(object, "ns", &cause->ns) &&
	       number_member(object, "sum_ppm", &cause->shares.sum_ns) &&
	       read_cells(json_object_get_member(object, "cells"), &cause->shares) &&
	       cause->shares.n <= waits->n;
}

static gboolean read_waits(JsonNode *node, struct iot_run_summary *summary)
{
	JsonObject *object = object_of(node);
	JsonNode *causes = object ? json_object_get_member(object, "causes") : NULL;
	struct iot_run_waits *waits;

	if (!causes || !JSON_NODE_HOLDS_ARRAY(causes))
		return FALSE;
	waits = iot_run_summary_add_waits(summary, text_member(object, "node"),
					  text_member(object, "place"));
	if (!number_member(object, "n", &waits->n) || !number_member(object, "sum_ns", &waits->ns))
		return FALSE;
	for (guint i = 0; i < json_array_get_length(json_node_get_array(causes)); i++)
		if (!read_cause(json_array_get_element(json_node_get_array(causes), i), waits))
			return FALSE;
	return TRUE;
}

/* A list that may be missing, unless it is @needed. */
static JsonArray *list_member(JsonObject *object, const char *name, gboolean needed, gboolean *good)
{
	JsonNode *node = json_object_get_member(object, name);
	gboolean is_list = node && JSON_NODE_HOLDS_ARRAY(node);

	*good = *good && (is_list || (!node && !needed));
	return is_list ? json_node_get_array(node) : NULL;
}

static gboolean read_lists(JsonObject *object, struct iot_run_summary *summary)
{
	gboolean good = TRUE;
	JsonArray *groups = list_member(object, "groups", TRUE, &good);
	JsonArray *parts = list_member(object, "parts", FALSE, &good);
	JsonArray *waits = list_member(object, "waits", FALSE, &good);

	for (guint i = 0; good && i < json_array_get_length(groups); i++)
		good = read_group(json_array_get_element(groups, i), summary, FALSE);
	for (guint i = 0; good && parts && i < json_array_get_length(parts); i++)
		good = read_group(json_array_get_element(parts, i), summary, TRUE);
	for (guint i = 0; good && waits && i < json_array_get_length(waits); i++)
		good = read_waits(json_array_get_element(waits, i), summary);
	return good;
}

/* NULL, or the reason why the file is none. */
static const char *read_file(JsonNode *root, struct iot_run_summary *summary)
{
	JsonObject *object = root ? object_of(root) : NULL;
	guint64 version;

	if (!object || strcmp(text_member(object, "format"), "iotrace-summary"))
		return "it is not a summary (-o summary:PATH writes one)";
	if (!number_member(object, "version", &version) || version != 2)
		return "this program reads version 2 of summaries only";
	if (!number_member(object, "length_ns", &summary->length_ns) ||
	    !number_member(object, "left_out", &summary->n_left_out) ||
	    !read_lists(object, summary))
		return "the summary is damaged";
	return NULL;
}

struct iot_run_summary *iot_run_summary_load(const char *path, GError **error)
{
	g_autoptr(JsonParser) parser = json_parser_new_immutable();
	g_autoptr(iot_run_summary) summary = iot_run_summary_new();
	g_autoptr(GError) json_error = NULL;
	const char *reason;

	if (!json_parser_load_from_file(parser, path, &json_error))
		reason = json_error->message;
	else
		reason = read_file(json_parser_get_root(parser), summary);
	if (!reason)
		return g_steal_pointer(&summary);
	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT, "%s: %s", path, reason);
	return NULL;
}
