/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/output-spec.h"
#include "base/error.h"
#include "base/nearest.h"

#include <string.h>

GHashTable *iot_sink_options_new(void)
{
	return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
}

const char *iot_sink_option_choices(const struct iot_sink_option *option)
{
	return option->argument && strchr(option->argument, '|') ? option->argument : NULL;
}

static gboolean no_such_format(const char *value, const char *name, GError **error)
{
	g_autoptr(GString) list = g_string_new(NULL);
	const char *names[32] = { NULL };
	const char *nearest;

	for (guint i = 0; iot_sink_table[i] && i + 1 < G_N_ELEMENTS(names); i++) {
		names[i] = iot_sink_table[i]->name;
		g_string_append_printf(list, "%s%s", i ? ", " : "", names[i]);
	}
	nearest = iot_nearest_name(name, names);
	return iot_usage_error(
		error, "\"%s\": there is no output format \"%s\"%s%s%s; the formats are: %s", value,
		name, nearest ? " (did you mean " : "", nearest ? nearest : "", nearest ? "?)" : "",
		list->str);
}

static const struct iot_sink_option *find_sink_option(const struct iot_sink_ops *ops,
						      const char *name)
{
	for (const struct iot_sink_option *row = ops->options; row && row->name; row++)
		if (!strcmp(row->name, name))
			return row;
	return NULL;
}

static gboolean no_such_sink_option(const struct iot_sink_ops *ops, const char *name,
				    GError **error)
{
	g_autoptr(GString) list = g_string_new(NULL);

	for (const struct iot_sink_option *row = ops->options; row && row->name; row++)
		g_string_append_printf(list, "%s%s%s%s", list->len ? ", " : "", row->name,
				       row->argument ? "=" : "",
				       row->argument ? row->argument : "");
	return iot_usage_error(error, "the format %s has no option \"%s\"; %s%s", ops->name, name,
			       list->len ? "it has: " : "it has none", list->str);
}

static gboolean check_sink_choice(const struct iot_sink_option *row, const char *value,
				  GError **error)
{
	const char *choices = iot_sink_option_choices(row);
	g_auto(GStrv) words = choices ? g_strsplit(choices, "|", -1) : NULL;

	if (!words || g_strv_contains((const char *const *)words, value))
		return TRUE;
	return iot_usage_error(error, "\"%s\" is not a value of %s, which takes one of: %s", value,
			       row->name, choices);
}

gboolean iot_sink_options_add(const struct iot_sink_ops *ops, GHashTable *table, const char *text,
			      GError **error)
{
	const char *equals = strchr(text, '=');
	g_autofree char *name = equals ? g_strndup(text, (gsize)(equals - text)) : g_strdup(text);
	const struct iot_sink_option *row = find_sink_option(ops, name);

	if (!row)
		return no_such_sink_option(ops, name, error);
	if (row->argument && (!equals || !equals[1]))
		return iot_usage_error(error, "the option %s of the format %s needs a value: %s=%s",
				       name, ops->name, name, row->argument);
	if (!row->argument && equals)
		return iot_usage_error(error, "the option %s of the format %s takes no value", name,
				       ops->name);
	if (row->argument && !check_sink_choice(row, equals + 1, error))
		return FALSE;
	g_hash_table_replace(table, g_steal_pointer(&name), g_strdup(equals ? equals + 1 : ""));
	return TRUE;
}

/* A word without dot and slash was meant as a format; "out.slog2" lacks one. */
static gboolean check_format(const struct iot_sink_ops *ops, const char *value, const char *name,
			     GError **error)
{
	const char *colon = strchr(value, ':');

	if (!ops && *name && (colon || !strpbrk(name, "./")))
		return no_such_format(value, name, error);
	if (!ops || !colon || !colon[1])
		return iot_usage_error(error,
				       "\"%s\" is not FORMAT:PATH, for example slog2:out.slog2, "
				       "or text:- for standard output",
				       value);
	return TRUE;
}

struct iot_output *iot_output_parse(const char *text, GError **error)
{
	const char *colon = strchr(text, ':');
	g_autofree char *head = g_strndup(text, colon ? (gsize)(colon - text) : strlen(text));
	g_auto(GStrv) words = g_strsplit(head, ",", -1);
	const char *name = words[0] ? words[0] : "";
	const struct iot_sink_ops *ops = iot_sink_find(name);
	g_autoptr(GHashTable) options = iot_sink_options_new();
	struct iot_output *output;

	if (!check_format(ops, text, name, error))
		return NULL;
	if (ops->missing) {
		iot_usage_error(error, "\"%s\": %s", text, ops->missing);
		return NULL;
	}
	for (guint i = 1; words[i]; i++) {
		if (iot_sink_options_add(ops, options, words[i], error))
			continue;
		g_prefix_error(error, "\"%s\": ", text);
		return NULL;
	}
	output = g_new0(struct iot_output, 1);
	output->ops = ops;
	output->path = g_strdup(colon + 1);
	if (g_hash_table_size(options))
		output->options = g_steal_pointer(&options);
	return output;
}
