/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/words.h"
#include "cli/output-spec.h"
#include "cli/view.h"
#include "base/error.h"

#include <string.h>

static const char view_word[] = "view";
static const char compare_word[] = "compare", compare_json[] = "compare,json";
static const char inputs_word[] = "inputs", inputs_json[] = "inputs,json";

static gboolean is_compare(const char *word)
{
	return !strcmp(word, compare_word) || !strcmp(word, compare_json);
}

static gboolean is_inputs(const char *word)
{
	return !strcmp(word, inputs_word) || !strcmp(word, inputs_json);
}

static const struct iot_sink_ops *find_sink(const char *word)
{
	g_autofree char *name = g_strndup(word, strcspn(word, ","));

	return iot_sink_find(name);
}

gboolean iot_word_is_output(const char *word)
{
	return !strcmp(word, view_word) || is_compare(word) || is_inputs(word) || find_sink(word);
}

static struct iot_output *parse_output(const char *word, const char *path, GError **error)
{
	g_autofree char *text = g_strdup_printf("%s:%s", word, path);

	return iot_output_parse(text, error);
}

static gboolean apply_view(struct iot_command *command, GError **error)
{
	g_autofree char *path = iot_view_path();

	command->viewed = parse_output("html", path, error);
	if (command->viewed)
		g_ptr_array_add(command->options.outputs, command->viewed);
	return command->viewed != NULL;
}

/* --sort and --tsv apply to the table, so the word is the option --list. */
static void take_list(struct iot_command *command, struct iot_output *output)
{
	GHashTableIter iter;
	gpointer name, value;

	command->list = TRUE;
	if (output->options) {
		g_hash_table_iter_init(&iter, output->options);
		while (g_hash_table_iter_next(&iter, &name, &value))
			g_hash_table_replace(command->list_options, g_strdup(name),
					     g_strdup(value));
	}
	iot_output_free(output);
}

gboolean iot_word_apply(struct iot_command *command, const char *word, const char **out_argument,
			GError **error)
{
	const struct iot_sink_ops *ops = find_sink(word);
	g_autofree char *path = NULL;
	struct iot_output *output;

	*out_argument = NULL;
	if (is_compare(word)) {
		command->compares = TRUE;
		command->as_json = !strcmp(word, compare_json);
		return TRUE;
	}
	if (is_inputs(word)) {
		command->explains = TRUE;
		command->as_json = !strcmp(word, inputs_json);
		return TRUE;
	}
	if (!ops)
		return apply_view(command, error);
	path = iot_sink_word_path(ops);
	output = parse_output(word, path, error);
	if (!output)
		return FALSE;
	*out_argument = ops->word_argument;
	command->pages = ops->word_pages;
	if (ops == &iot_sink_list)
		take_list(command, output);
	else
		g_ptr_array_add(command->options.outputs, output);
	return TRUE;
}

char **iot_words(void)
{
	GPtrArray *words = g_ptr_array_new();

	for (guint i = 0; iot_sink_table[i]; i++)
		g_ptr_array_add(words, g_strdup(iot_sink_table[i]->name));
	g_ptr_array_add(words, g_strdup(view_word));
	g_ptr_array_add(words, g_strdup(compare_word));
	g_ptr_array_add(words, g_strdup(inputs_word));
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_free(words, FALSE);
}

char *iot_word_help(const char *word)
{
	const struct iot_sink_ops *ops = find_sink(word);
	g_autofree char *path = ops ? iot_sink_word_path(ops) : NULL;

	if (is_compare(word))
		return g_strdup(
			"prints which states take longer in run B than in run A, and how sure "
			"that is; a run is a recording, a folder, or a file of -o summary");
	if (is_inputs(word))
		return g_strdup(
			"prints the kind of each recording, the models that draw its events, "
			"the systems that none draws, the placing of its clock, and the "
			"files of a folder that are not read; reads no events");
	if (!ops)
		return g_strdup("writes the page of html to a temporary folder and opens it in the "
				"browser; without a display it prints the path");
	if (strcmp(path, "-"))
		return g_strdup_printf("writes %s", path);
	if (ops->word_option)
		return g_strdup_printf("prints %s; %s is an instant, as for --from", ops->summary,
				       ops->word_argument);
	if (ops->word_argument)
		return g_strdup_printf("prints the rows that match %s, a pattern as for --select",
				       ops->word_argument);
	return g_strdup_printf("prints to standard output%s",
			       ops->word_pages ? ", on a terminal through a pager" : "");
}
