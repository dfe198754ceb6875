/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The saved formats of some kernel must have every event that our models name. Some format of the
 * event must have each field, and all formats each required field: otherwise recordings of that
 * kernel would be refused.
 */
#include "iotrace-ops.h"
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

/* @optional: of the model, its fields -> whether some event has it */
static void check_field(const struct iot_schema_event *event, const struct iot_schema_field *field,
			const GPtrArray *formats, GHashTable *optional)
{
	guint found = 0;

	for (guint i = 0; i < formats->len; i++)
		found += has_field(formats->pdata[i], field->name);
	if (found || !g_hash_table_contains(optional, field->name))
		g_hash_table_insert(optional, field->name, GUINT_TO_POINTER(found));
	if (!field->required || found == formats->len)
		return;
	fprintf(stderr, "%s: event %s:%s has no field %s\n", field->needed_by, event->system,
		event->name, field->name);
	CU_FAIL("a required field is missing");
}

/* Whether a [role] gives a field this name: the events of other roles lack it. */
static gboolean is_of_role(const char *path, const char *name)
{
	g_autofree char *pattern = g_strdup_printf("(?m)^let +%s +=", name);
	g_autofree char *text = NULL;

	CU_ASSERT_FATAL(g_file_get_contents(path, &text, NULL, NULL));
	return g_regex_match_simple(pattern, text, 0, 0);
}

static void check_optional(const char *path, GHashTable *optional)
{
	GHashTableIter i;
	gpointer name, found;

	g_hash_table_iter_init(&i, optional);
	while (g_hash_table_iter_next(&i, &name, &found)) {
		if (!found && is_of_role(path, name))
			continue;
		if (!found)
			fprintf(stderr, "%s: no event has a field %s\n", path, (char *)name);
		CU_ASSERT_PTR_NOT_NULL(found);
	}
}

static guint check_model(const char *path)
{
	g_autoptr(iot_schema) schema = iot_schema_new();
	g_autoptr(GHashTable) optional = g_hash_table_new(g_str_hash, g_str_equal);
	struct iot_timeline *tl = iot_timeline_new();
	GError *error = NULL;
	guint events;
	struct iot_model *model = iot_model_load(path, tl, schema, NULL, &error);

	if (!model)
		fprintf(stderr, "%s\n", error->message);
	CU_ASSERT_PTR_NOT_NULL_FATAL(model);
	for (guint i = 0; i < schema->events->len; i++) {
		const struct iot_schema_event *event = schema->events->pdata[i];
		g_autoptr(GPtrArray) formats = formats_of(event);

		/* of CLOG2 files, samples, PCP archives, dumps of Ganglia, jobs of Slurm, logs of
		 * strace and libiotrace-preload, of no kernel */
		if (!strcmp(event->system, "mpi") || !strcmp(event->system, "metrics") ||
		    !strcmp(event->system, "pcp") || !strcmp(event->system, "ganglia") ||
		    !strcmp(event->system, "slurm") || !strcmp(event->system, "rastro"))
			continue;
		if (!strcmp(event->system, "iotrace") &&
		    (!strcmp(event->name, "file") || !strcmp(event->name, "sent") ||
		     !strcmp(event->name, "received") || g_str_has_prefix(event->name, "stdio_")))
			continue;
		if (!formats->len)
			fprintf(stderr, "%s: no saved format of %s:%s\n", path, event->system,
				event->name);
		CU_ASSERT(formats->len > 0);
		for (guint j = 0; formats->len && j < event->n_fields; j++)
			if (event->field[j].from < 0) /* a recorded one */
				check_field(event, &event->field[j], formats, optional);
	}
	check_optional(path, optional);
	events = schema->events->len;
	iot_model_free(model);
	iot_timeline_free(tl);
	return events;
}

/* "X(READ, 1, "read")" in the header is "1 = read" in the model. */
UNIT_TEST(operations_have_the_names_of_the_header)
{
	g_autoptr(GRegex) pattern = g_regex_new("X\\(\\w+, (\\d+), \"([^\"]+)\"\\)", 0, 0, NULL);
	g_autofree char *header = NULL;
	g_autofree char *model = NULL;
	g_autoptr(GMatchInfo) match = NULL;
	guint n = 0;

	CU_ASSERT_FATAL(
		g_file_get_contents(IOT_SOURCE_DIR "/events/iotrace-ops.h", &header, NULL, NULL));
	CU_ASSERT_FATAL(g_file_get_contents(IOT_SOURCE_DIR "/events/models/fileio.model", &model,
					    NULL, NULL));
	g_regex_match(pattern, header, 0, &match);
	for (; g_match_info_matches(match); g_match_info_next(match, NULL), n++) {
		g_autofree char *number = g_match_info_fetch(match, 1);
		g_autofree char *name = g_match_info_fetch(match, 2);
		g_autofree char *line = g_strdup_printf("\n%s = %s\n", number, name);

		if (!strstr(model, line))
			fprintf(stderr, "fileio.model has not: %s", line + 1);
		CU_ASSERT_PTR_NOT_NULL(strstr(model, line));
	}
	CU_ASSERT(n >= 80);
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

/* "NUMBER = NAME" of the section [names op]; NULL if there is no such line */
static char *name_in_model(const char *model, guint number)
{
	g_autofree char *pattern = g_strdup_printf(
		"^\\[names op\\]\n(?:[^\\[].*\n|\n)*?%u *= *\"?([^\"\n]*)\"?\n", number);
	g_autoptr(GRegex) regex = g_regex_new(pattern, G_REGEX_MULTILINE, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;

	return g_regex_match(regex, model, 0, &match) ? g_match_info_fetch(match, 1) : NULL;
}

UNIT_TEST(names_of_operations)
{
#define OP_NAME(name, number, text) [number] = text,
	static const char *const names[IOTRACE_OP_LIMIT] = { IOTRACE_OPS(OP_NAME) };
	g_autofree char *model = NULL;

	CU_ASSERT_FATAL(g_file_get_contents(IOT_SOURCE_DIR "/events/models/fileio.model", &model,
					    NULL, NULL));
	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *name = name_in_model(model, i);

		if (g_strcmp0(name, names[i]))
			fprintf(stderr, "operation %u is %s in iotrace-ops.h, %s in fileio.model\n",
				i, names[i] ? names[i] : "none", name ? name : "none");
		CU_ASSERT(g_strcmp0(name, names[i]) == 0);
	}
}
