/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/model-events.h"
#include "run/model-path.h"
#include "base/error.h"
#include "base/units.h"
#include "language/model-file.h"
#include "model/model.h"

#include <string.h>

static const struct iot_section *find_section(const struct iot_model_file *file, const char *kind,
					      const char *name)
{
	for (guint i = 0; i < file->sections->len; i++) {
		const struct iot_section *section = file->sections->pdata[i];

		if (!strcmp(section->kind, kind) && !strcmp(section->name, name))
			return section;
	}
	return NULL;
}

/* "SYSTEM:EVENT" of an event or role; the caller frees. */
static char *full_name(const struct iot_model_file *file, const char *system, const char *name)
{
	const struct iot_section *role = find_section(file, "role", name);

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

/* "probe EVENT AFTER FIELDS" with tabs, for iotrace-record; NULL: the event is not made. The caller
 * frees. */
static char *describe_probe(const struct iot_model_file *file, const struct iot_schema_event *event)
{
	const struct iot_section *probe = strcmp(event->system, IOT_PROBE_SYSTEM)
						  ? NULL
						  : find_section(file, "probe", event->name);
	const struct iot_setting *after = probe ? iot_section_get(probe, "after") : NULL;
	GString *text;

	if (!probe)
		return NULL;
	text = g_string_new(NULL);
	g_string_printf(text, "\tprobe\t%s\t%s\t", iot_section_get(probe, "event")->value,
			after ? after->value : "-");
	for (guint i = 0, n = 0; i < probe->settings->len; i++) {
		const struct iot_setting *field = probe->settings->pdata[i];
		gsize source = strcspn(field->value, " \t");
		const char *type = field->value + source;

		if (g_str_has_prefix(field->key, "field "))
			g_string_append_printf(text, "%s%s=%.*s:%s", n++ ? " " : "",
					       field->key + strlen("field "), (int)source,
					       field->value, type + strspn(type, " \t"));
	}
	return g_string_free(text, FALSE);
}

/* Whether the pair ends by the probe or by @name, the event that the probe is made of. */
static gboolean ends_by_both(const struct iot_model_file *file, const struct iot_section *pair,
			     const char *probe, const char *name)
{
	const char *system = iot_section_get(file->sections->pdata[0], "system")->value;
	const struct iot_setting *end = iot_section_get(pair, "end");
	g_auto(GStrv) names = end ? g_strsplit_set(end->value, " \t", -1) : NULL;
	gboolean by_probe = FALSE, by_event = FALSE;

	for (guint i = 0; names && names[i]; i++) {
		g_autofree char *full = *names[i] ? full_name(file, system, names[i]) : NULL;

		by_event |= !g_strcmp0(full, name);
		by_probe |= full && g_str_has_prefix(full, IOT_PROBE_SYSTEM ":") &&
			    !strcmp(strchr(full, ':') + 1, probe);
	}
	return by_probe && by_event;
}

/* "spare PROBE" with tabs: the event is recorded where this probe cannot be made; NULL: it is
 * always recorded. The caller frees. */
static char *describe_spare(const struct iot_model_file *file, const char *name)
{
	for (guint i = 0; i < file->sections->len; i++) {
		const struct iot_section *probe = file->sections->pdata[i];

		if (strcmp(probe->kind, "probe") ||
		    strcmp(iot_section_get(probe, "event")->value, name))
			continue;
		for (guint k = 0; k < file->sections->len; k++) {
			const struct iot_section *pair = file->sections->pdata[k];

			if (!strcmp(pair->kind, "pair") &&
			    ends_by_both(file, pair, probe->name, name))
				return g_strdup_printf("\tspare\t%s", probe->name);
		}
	}
	return NULL;
}

static gboolean is_borrowed(const struct iot_model_file *file, const char *name)
{
	const struct iot_setting *borrows = iot_section_get(file->sections->pdata[0], "borrows");
	g_auto(GStrv) names = g_strsplit_set(borrows ? borrows->value : "", " \t", -1);

	return g_strv_contains((const char *const *)names, name);
}

static char *list_events(const struct iot_model_file *file, const struct iot_schema *schema)
{
	g_autoptr(GHashTable) needed = find_needed(file);
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < schema->events->len; i++) {
		const struct iot_schema_event *event = schema->events->pdata[i];
		g_autofree char *name = g_strconcat(event->system, ":", event->name, NULL);
		g_autofree char *probe = NULL, *spare = NULL;
		const char *optional = g_hash_table_contains(needed, name) ? "" : "\toptional";

		if (is_borrowed(file, name))
			continue;
		probe = describe_probe(file, event);
		spare = probe ? NULL : describe_spare(file, name);
		g_ptr_array_add(lines, g_strconcat(name,
						   probe   ? probe
						   : spare ? spare
							   : optional,
						   "\n", NULL));
	}
	g_ptr_array_sort(lines, iot_texts_compare);
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
	struct iot_model *model = file ? iot_model_compile(file, tl, schema, NULL, error) : NULL;
	char *text = model ? list_events(file, schema) : NULL;

	iot_model_free(model);
	return text;
}
