/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Systems of events that the inputs have and the models know, in words. */
#include "run/models-local.h"
#include "run/model-path.h"
#include "input/clock-marks.h"
#include "run/recorded.h"
#include "base/error.h"
#include "base/units.h"

#include <string.h>

gboolean iot_models_schema_has(const struct iot_schema *schema, const char *system)
{
	for (guint i = 0; i < schema->events->len; i++)
		if (!strcmp(((struct iot_schema_event *)schema->events->pdata[i])->system, system))
			return TRUE;
	return FALSE;
}

/* Every recording of iotrace-record has marks of the clocks (input/clock-marks.h). */
static gboolean is_marks(const char *name)
{
	return !strcmp(name, IOT_CLOCK_MARKS_SYSTEM " (" IOT_CLOCK_MARKS_EVENT ")");
}

/* Systems of the events that have been read, except those in @known; NULL if there are none. */
static char *list_systems(const struct iot_inputs *inputs, const struct iot_schema *known)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (guint i = 0; i < iot_inputs_count(inputs); i++) {
		const char *const *systems = iot_inputs_at(inputs, i)->info.recorded;

		for (guint j = 0; systems && systems[j]; j++)
			if (*systems[j] && !is_marks(systems[j]) &&
			    !iot_models_schema_has(known, systems[j]) &&
			    !g_ptr_array_find_with_equal_func(names, systems[j], g_str_equal, NULL))
				g_ptr_array_add(names, (gpointer)systems[j]);
	}
	g_ptr_array_sort(names, iot_texts_compare);
	g_ptr_array_add(names, NULL);
	return names->len > 1 ? g_strjoinv(", ", (char **)names->pdata) : NULL;
}

/* "block, sched (-m sched)": systems that are not drawn, and the models that would draw them. */
static char *list_unknown(const struct iot_models *models, const struct iot_inputs *inputs)
{
	g_autofree char *list = list_systems(inputs, models->schema);
	g_auto(GStrv) names = list ? g_strsplit(list, ", ", -1) : NULL;

	for (guint i = 0; names && names[i]; i++) {
		const char *file = g_hash_table_lookup(models->left_out, names[i]);
		g_autofree char *name = names[i];

		names[i] =
			file ? g_strdup_printf("%s (-m %.*s)", name, (int)strcspn(file, "."), file)
			     : g_strdup(name);
	}
	return names ? g_strjoinv(", ", names) : NULL;
}

/* Names of the systems whose events the models know. */
static char *list_known(const struct iot_schema *schema)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (guint i = 0; i < schema->events->len; i++) {
		const struct iot_schema_event *event = schema->events->pdata[i];

		if (!g_ptr_array_find_with_equal_func(names, event->system, g_str_equal, NULL))
			g_ptr_array_add(names, (gpointer)event->system);
	}
	g_ptr_array_sort(names, iot_texts_compare);
	g_ptr_array_add(names, NULL);
	return g_strjoinv(", ", (char **)names->pdata);
}

/* "the models are dlm, gfs2 (-m FILE adds one)", or the models of -m instead */
static char *describe_models(const struct iot_models *models)
{
	g_auto(GStrv) names = iot_model_names();
	g_autofree char *all = g_strjoinv(", ", names);
	g_autofree char *systems = models->given ? list_known(models->schema) : NULL;

	if (models->given)
		return g_strdup_printf("-m asks for %s, which know%s events of %s", models->given,
				       strchr(models->given, ',') ? "" : "s", systems);
	return *all ? g_strdup_printf("the models are %s (-m FILE adds one)", all)
		    : g_strdup("no model is installed (-m FILE adds one, IOTRACE_MODELS a folder)");
}

const char *iot_models_unknown_systems(struct iot_models *models, const struct iot_inputs *inputs)
{
	g_free(models->unknown);
	models->unknown = models->given ? NULL : list_unknown(models, inputs);
	return models->unknown;
}

gboolean iot_models_nothing_known(const struct iot_models *models, const struct iot_inputs *inputs,
				  GError **error)
{
	g_autofree char *systems = iot_recorded_systems(inputs, error);
	g_autofree char *known = describe_models(models);
	gboolean several = iot_inputs_count(inputs) > 1, any = FALSE;
	const char *path = iot_inputs_at(inputs, 0)->info.path;
	const char *why = iot_misfits_why(models->misfits);

	if (!systems)
		return FALSE;
	for (guint i = 0; i < iot_inputs_count(inputs); i++)
		any |= iot_inputs_at(inputs, i)->info.has_times;
	if (!any)
		g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
			    several ? "%s and the other inputs: the recordings have no events"
				    : "%s: the recording has no events",
			    path);
	else
		g_set_error(
			error, IOT_ERROR, IOT_ERROR_INPUT,
			"%s%s: no event that a model knows; the recording%s events of %s; %s%s%s",
			path, several ? " and the other inputs" : "", several ? "s have" : " has",
			*systems ? systems : "no system at all", known, why ? "; " : "",
			why ? why : "");
	return FALSE;
}
