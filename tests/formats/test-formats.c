/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every event that a model of ours names is in the saved formats of some kernel, every field in
 * those of an event; a required field in all of them: otherwise recordings of that kernel would be
 * refused.
 */
#include "model/model.h"
#include "unit.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

/* "field:TYPE NAME;" or "field:TYPE NAME[N];" */
static gboolean has_field(const char *format, const char *name)
{
	g_autofree char *quoted = g_regex_escape_string(name, -1);
	g_autofree char *pattern = g_strdup_printf("^\\s*field:[^;]*\\b%s(\\[[^]]*\\])?;", quoted);

	return g_regex_match_simple(pattern, format, G_REGEX_MULTILINE, 0);
}

static GPtrArray *formats_of(const struct iot_schema_event *event)
{
	g_autofree char *pattern = g_strdup_printf(IOT_SOURCE_DIR "/tests/formats/%s/*/%s",
						   event->system, event->name);
	GPtrArray *formats = g_ptr_array_new_with_free_func(g_free);
	glob_t files;

	if (glob(pattern, 0, NULL, &files) == 0) {
		for (size_t i = 0; i < files.gl_pathc; i++) {
			char *text = NULL;

			CU_ASSERT(g_file_get_contents(files.gl_pathv[i], &text, NULL, NULL));
			g_ptr_array_add(formats, text);
		}
		globfree(&files);
	}
	return formats;
}

static void check_field(const struct iot_schema_event *event, const struct iot_schema_field *field,
			const GPtrArray *formats)
{
	/* common to all events, and of no format in particular */
	gboolean common = g_str_has_prefix(field->name, "common_");
	guint found = 0;

	for (guint i = 0; i < formats->len; i++)
		found += has_field(formats->pdata[i], field->name);
	if (found == formats->len || common || (found && !field->required))
		return;
	fprintf(stderr, "%s: event %s:%s has no field %s\n", field->needed_by, event->system,
		event->name, field->name);
	CU_FAIL("a field of a model is in no saved format");
}

static guint check_model(const char *path)
{
	g_autoptr(iot_schema) schema = iot_schema_new();
	struct iot_timeline *tl = iot_timeline_new();
	GError *error = NULL;
	struct iot_model *model = iot_model_load(path, tl, schema, &error);

	if (!model)
		fprintf(stderr, "%s\n", error->message);
	CU_ASSERT_PTR_NOT_NULL_FATAL(model);
	for (guint i = 0; i < schema->events->len; i++) {
		const struct iot_schema_event *event = schema->events->pdata[i];
		g_autoptr(GPtrArray) formats = formats_of(event);

		if (!formats->len)
			fprintf(stderr, "%s: no saved format of %s:%s\n", path, event->system,
				event->name);
		CU_ASSERT(formats->len > 0);
		for (guint j = 0; formats->len && j < event->n_fields; j++)
			check_field(event, &event->field[j], formats);
	}
	iot_model_free(model);
	iot_timeline_free(tl);
	return schema->events->len;
}

UNIT_TEST(models_fit_saved_formats)
{
	guint events = 0;
	glob_t models;

	CU_ASSERT_EQUAL_FATAL(glob(IOT_SOURCE_DIR "/events/models/*.model", 0, NULL, &models), 0);
	for (size_t i = 0; i < models.gl_pathc; i++)
		events += check_model(models.gl_pathv[i]);
	globfree(&models);
	CU_ASSERT(events >= 6); /* those of the DLM */
}
