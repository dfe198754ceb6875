/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "option-words.h"
#include "base/error.h"
#include "base/nearest.h"

#include <string.h>

static const struct opt_row *find_row(const struct opt_row *rows, const char *name, gsize len)
{
	for (const struct opt_row *row = rows; row->name; row++)
		if (strlen(row->name) == len && !strncmp(row->name, name, len))
			return row;
	return NULL;
}

static const struct opt_row *find_letter(const struct opt_row *rows, char letter)
{
	for (const struct opt_row *row = rows; row->name; row++)
		if (row->letter && row->letter == letter)
			return row;
	return NULL;
}

static void store(gpointer into, const struct opt_row *row, const char *value)
{
	gpointer at = (char *)into + row->at;

	if (!row->argument) {
		*(gboolean *)at = TRUE;
	} else if (row->repeatable) {
		char ***list = at;
		guint n = *list ? g_strv_length(*list) : 0;

		*list = g_renew(char *, *list, n + 2);
		(*list)[n] = g_strdup(value);
		(*list)[n + 1] = NULL;
	} else {
		g_free(*(char **)at);
		*(char **)at = g_strdup(value);
	}
}

static gboolean unknown(const struct opt_row *rows, const char *word, GError **error)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	g_autofree char *name = g_strndup(word, strcspn(word, "="));
	const char *nearest;

	for (const struct opt_row *row = rows; row->name; row++)
		g_ptr_array_add(names, (gpointer)row->name);
	g_ptr_array_add(names, NULL);
	nearest = g_str_has_prefix(name, "--")
			  ? iot_nearest_name(name + 2, (const char *const *)names->pdata)
			  : NULL;
	if (nearest)
		return iot_usage_error(error, "there is no option %s, did you mean --%s?", name,
				       nearest);
	return iot_usage_error(error, "there is no option %s; --help shows all options", name);
}

gboolean rec_option_take(gpointer into, const struct opt_row *rows, const char *word,
			 const char *const **words, GError **error)
{
	gboolean is_long = word[1] == '-';
	gsize len = is_long ? strcspn(word + 2, "=") : 1;
	const struct opt_row *row =
		is_long ? find_row(rows, word + 2, len) : find_letter(rows, word[1]);
	const char *joined =
		is_long ? (word[2 + len] ? word + 3 + len : NULL) : (word[2] ? word + 2 : NULL);

	if (!row)
		return unknown(rows, word, error);
	if (!row->argument && joined)
		return iot_usage_error(error, "%s: the option takes no value", word);
	if (row->argument && !joined && !**words)
		return iot_usage_error(error, "%s: a value is missing, expected %s", word,
				       row->argument);
	store(into, row, row->argument && !joined ? *(*words)++ : joined);
	return TRUE;
}

void rec_option_clear(gpointer into, const struct opt_row *rows)
{
	for (const struct opt_row *row = rows; row->name; row++) {
		gpointer at = (char *)into + row->at;

		if (row->repeatable)
			g_clear_pointer((char ***)at, g_strfreev);
		else if (row->argument)
			g_clear_pointer((char **)at, g_free);
	}
}
