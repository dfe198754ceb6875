/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/model-events.h"
#include "run/model-path.h"
#include "base/error.h"
#include "language/model-file.h"
#include "model/model.h"

#include <string.h>

static const struct iot_section *find_role(const struct iot_model_file *file, const char *name)
{
	for (guint i = 0; i < file->sections->len; i++) {
		const struct iot_section *section = file->sections->pdata[i];

		if (!strcmp(section->kind, "role") && !strcmp(section->name, name))
			return section;
	}
	return NULL;
}

/* "SYSTEM:EVENT" of an event or role; the caller frees. */
static char *full_name(const struct iot_model_file *file, const char *system, const char *name)
{
	const struct iot_section *role = find_role(file, name);

	if (role)
		name = iot_section_get(role, "event")->value;
	return strchr(name, ':') ? g_strdup(name) : g_strconcat(system, ":", name, NULL);
}

static void add_needed(GHashTable *needed, const struct iot_model_file *file,
		       const struct iot_section *section, const char *key)
{
	const char *system = iot_section_get(file->sections->pdata[0], "system")->value;
	const struct iot_setting *setting = iot_section_get(section, key);
	g_auto(GStrv) names = setting ? g_strsplit_set(setting->value, " \t", -1) : NULL;

	for (guint i = 0; names && names[i]; i++) {
		g_autofree char *name = *names[i] ? full_name(file, system, names[i]) : NULL;
		gboolean own =
			name && g_str_has_prefix(name, system) && name[strlen(system)] == ':';

		if (name && (own || strcmp(key, "notice")))
			g_hash_table_add(needed, g_steal_pointer(&name));
	}
}

/* The set of events from which the calls and states of a model are made. */
static GHashTable *find_needed(const struct iot_model_file *file)
{
	static const char *const keys[] = { "start", "end", "done" };
	GHashTable *needed = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < file->sections->len; i++) {
		const struct iot_section *section = file->sections->pdata[i];

		for (guint k = 0; !strcmp(section->kind, "pair") && k < G_N_ELEMENTS(keys); k++)
			add_needed(needed, file, section, keys[k]);
		/* an object of all recordings adds what messages show to the states of each */
		if (!strcmp(section->kind, "object") && !iot_section_get(section, "recordings"))
			add_needed(needed, file, section, "notice");
	}
	return needed;
}

static int by_name(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static char *list_events(const struct iot_model_file *file, const struct iot_schema *schema)
{
	g_autoptr(GHashTable) needed = find_needed(file);
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < schema->events->len; i++) {
		const struct iot_schema_event *event = schema->events->pdata[i];
		g_autofree char *name = g_strconcat(event->system, ":", event->name, NULL);

		g_ptr_array_add(lines,
				g_strconcat(name,
					    g_hash_table_contains(needed, name) ? "" : "\toptional",
					    "\n", NULL));
	}
	g_ptr_array_sort(lines, by_name);
	for (guint i = 0; i < lines->len; i++)
		g_string_append(text, lines->pdata[i]);
	return g_string_free(text, FALSE);
}

char *iot_model_events(const char *name, GError **error)
{
	g_autofree char *path = iot_model_find(name, error);
	g_autoptr(iot_model_file) file = path ? iot_model_file_load(path, error) : NULL;
	g_autoptr(iot_timeline) tl = iot_timeline_new();
	g_autoptr(iot_schema) schema = iot_schema_new();
	struct iot_model *model = file ? iot_model_load(path, tl, schema, NULL, error) : NULL;
	char *text = model ? list_events(file, schema) : NULL;

	iot_model_free(model);
	return text;
}
