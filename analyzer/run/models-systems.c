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

/* Add those of @systems that are not in @known. */
static void add_unknown(const char *const *systems, const struct iot_schema *known,
			GPtrArray *names)
{
	for (guint j = 0; systems && systems[j]; j++)
		if (*systems[j] && !is_marks(systems[j]) &&
		    !iot_models_schema_has(known, systems[j]) &&
		    !g_ptr_array_find_with_equal_func(names, systems[j], g_str_equal, NULL))
			g_ptr_array_add(names, (gpointer)systems[j]);
}

/* "block, sched (-m sched)": systems that are not drawn, and the models that would draw them; NULL:
 * none. Sorts @names. */
static char *join_unknown(const struct iot_models *models, GPtrArray *names)
{
	g_autoptr(GString) list = g_string_new(NULL);

	g_ptr_array_sort(names, iot_texts_compare);
	for (guint i = 0; i < names->len; i++) {
		const char *name = names->pdata[i];
		const char *file = g_hash_table_lookup(models->left_out, name);

		g_string_append_printf(list, "%s%s", i ? ", " : "", name);
		if (file)
			g_string_append_printf(list, " (-m %.*s)", (int)strcspn(file, "."), file);
	}
	return list->len ? g_string_free(g_steal_pointer(&list), FALSE) : NULL;
}

/* Of the events that have been read. */
static char *list_unknown(const struct iot_models *models, const struct iot_inputs *inputs)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (guint i = 0; i < iot_inputs_count(inputs); i++)
		add_unknown(iot_inputs_at(inputs, i)->info.recorded, models->schema, names);
	return join_unknown(models, names);
}

char *iot_models_draw_not(const struct iot_models *models, const struct iot_input *input)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	add_unknown(input->info.systems, models->schema, names);
	return join_unknown(models, names);
}

static gboolean draws(const struct iot_models *models, guint model, const struct iot_input *input)
{
	const GPtrArray *events = models->schema->events;

	for (guint i = 0; i < events->len; i++) {
		const struct iot_schema_event *event = events->pdata[i];

		if (iot_model_knows(models->models->pdata[model], i) &&
		    (input->info.n_vcpus || !iot_model_of_vcpus(models->models->pdata[model], i)) &&
		    iot_source_names_event(input->source, event->system, event->name))
			return TRUE;
	}
	return FALSE;
}

char *iot_models_draw(const struct iot_models *models, const struct iot_input *input)
{
	g_auto(GStrv) names = g_strsplit(models->names->str, ", ", -1);
	g_autoptr(GPtrArray) drawn = g_ptr_array_new();

	for (guint i = 0; names[i]; i++)
		if (draws(models, i, input))
			g_ptr_array_add(drawn, names[i]);
	g_ptr_array_add(drawn, NULL);
	return drawn->len > 1 ? g_strjoinv(", ", (char **)drawn->pdata) : NULL;
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
