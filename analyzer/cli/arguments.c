/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From argv to struct iot_command by the option table, and checks across options. */
#include "cli/options.h"
#include "cli/folder.h"
#include "cli/output-spec.h"
#include "cli/words.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/units.h"
#include "options/option-words.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct parser {
	struct iot_command *command;
	struct iot_option_words at;
	gboolean first_seen; /* the first word that is no option */
	/* the pattern that the word of an output demands next ("ROW"), or NULL */
	const char *wanted;
	const char *pattern; /* the word that was taken as this pattern, or NULL */
};

/* Keeps the option for outputs that tell how to show another window. */
static void repeat(struct iot_options *options, const struct iot_option *row, const char *value)
{
	gboolean shows = row->group >= IOT_GROUP_INPUT && row->group <= IOT_GROUP_SELECT;

	if (shows ? row->once : !row->repeated)
		return;
	g_ptr_array_add(options->repeated, g_strconcat("--", row->name, NULL));
	if (value)
		g_ptr_array_add(options->repeated, g_strdup(value));
}

static gboolean take_option(struct parser *parser, GError **error)
{
	const struct iot_option *row = parser->at.option;

	if (parser->at.action)
		parser->command->action = parser->at.action;
	repeat(&parser->command->options, row, parser->at.value);
	if (!row->set || row->set(parser->command, parser->at.value, error))
		return TRUE;
	g_prefix_error(error, "%s: ", parser->at.typed);
	return FALSE;
}

/* A first word that is no file, but nearly the word of an output. */
static gboolean is_mistyped(const char *word, GError **error)
{
	g_auto(GStrv) words = iot_words();
	const char *nearest =
		access(word, F_OK) ? iot_nearest_name(word, (const char *const *)words) : NULL;

	if (nearest)
		return !iot_usage_error(error, "there is no file or word %s, did you mean %s?",
					word, nearest);
	return !strcmp(word, "help") && access(word, F_OK) &&
	       !iot_usage_error(error, "there is no file help; --help shows all options");
}

/* "report html trace.dat" */
static gboolean is_second_output(const char *word, GError **error)
{
	return iot_word_is_output(word) && access(word, F_OK) &&
	       !iot_usage_error(error,
				"there is no file %s, and only the first word may be an "
				"output; -o %s:PATH writes another one",
				word, word);
}

/* The output whose word has an argument. */
static struct iot_output *wanting(const struct parser *parser)
{
	const GPtrArray *outputs = parser->command->options.outputs;

	return outputs->pdata[outputs->len - 1];
}

static void set_wanted(struct iot_output *output, const char *value)
{
	if (!output->options)
		output->options = iot_sink_options_new();
	g_hash_table_replace(output->options, g_strdup(output->ops->word_option), g_strdup(value));
}

/* A word that is no option: an output, if it is the first; its pattern of rows; or a recording. */
static gboolean take_plain(struct parser *parser, const char *word, GError **error)
{
	struct iot_options *options = &parser->command->options;
	gboolean first = !parser->first_seen;

	parser->first_seen = TRUE;
	if (first && !parser->at.only_plain && iot_word_is_output(word))
		return iot_word_apply(parser->command, word, &parser->wanted, error);
	if (first && !parser->at.only_plain && is_mistyped(word, error))
		return FALSE;
	if (!parser->wanted && !parser->at.only_plain && is_second_output(word, error))
		return FALSE;
	if (parser->wanted && wanting(parser)->ops->word_option) {
		set_wanted(wanting(parser), word);
	} else {
		g_ptr_array_add(parser->wanted ? options->select : options->inputs, g_strdup(word));
	}
	if (parser->wanted)
		parser->pattern = word;
	parser->wanted = NULL;
	return TRUE;
}

static gboolean take_word(struct parser *parser, enum iot_word what, GError **error)
{
	const char *word = parser->at.value;

	switch (what) {
	case IOT_WORD_OPTION:
		return take_option(parser, error);
	case IOT_WORD_PLAIN:
		if (!strcmp(word, "-"))
			return iot_usage_error(error, "-: a recording is read from a file, not "
						      "from standard input");
		if (!*word)
			return iot_usage_error(error, "\"\" is not the name of a recording");
		return take_plain(parser, word, error);
	case IOT_WORD_WRONG:
		iot_usage_error(error, "%s", parser->at.error);
		free(parser->at.error);
		return FALSE;
	default:
		return TRUE;
	}
}

/* ---- checks over all options ---- */

static gboolean check_window(const struct iot_options *options, GError **error)
{
	const char *from = options->from, *to = options->to;
	guint64 from_ns, to_ns;

	if (!from || !to || (*from == '@') != (*to == '@'))
		return TRUE;
	if (!iot_parse_instant(from, 0, &from_ns, error) ||
	    !iot_parse_instant(to, 0, &to_ns, error))
		return FALSE;
	return from_ns < to_ns ||
	       iot_usage_error(error, "--from %s is not before --to %s", from, to);
}

static gboolean same_file(const char *a, const char *b)
{
	g_autofree char *full_a = g_canonicalize_filename(a, NULL);
	g_autofree char *full_b = g_canonicalize_filename(b, NULL);
	struct stat sa, sb;

	if (!strcmp(full_a, full_b))
		return TRUE;
	return stat(a, &sa) == 0 && stat(b, &sb) == 0 && sa.st_dev == sb.st_dev &&
	       sa.st_ino == sb.st_ino;
}

static gboolean check_inputs(const struct iot_options *options, GError **error)
{
	for (guint i = 1; i < options->inputs->len; i++) {
		const char *path = g_ptr_array_index(options->inputs, i);

		for (guint j = 0; j < i; j++) {
			const char *other = g_ptr_array_index(options->inputs, j);

			if (!strcmp(path, other))
				return iot_usage_error(error, "%s is given twice", path);
			if (same_file(path, other))
				return iot_usage_error(error, "%s is given twice, also as %s", path,
						       other);
		}
	}
	return TRUE;
}

/* Devices and pipes may be written by several outputs; a file, and standard output, by one. */
static gboolean is_shared(const char *path)
{
	struct stat st;

	return strcmp(path, "-") && stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

static gboolean check_output(const struct iot_options *options, guint i, GError **error)
{
	const struct iot_output *output = g_ptr_array_index(options->outputs, i);

	for (guint j = 0; j < i && !is_shared(output->path); j++) {
		const struct iot_output *other = g_ptr_array_index(options->outputs, j);

		if (strcmp(output->path, other->path) && !same_file(output->path, other->path))
			continue;
		return iot_usage_error(error, "%s would be written by two outputs, %s and %s",
				       strcmp(output->path, "-") ? output->path : "standard output",
				       other->ops->name, output->ops->name);
	}
	for (guint j = 0; j < options->inputs->len; j++) {
		const char *input = g_ptr_array_index(options->inputs, j);

		if (strcmp(output->path, "-") && same_file(output->path, input))
			return iot_usage_error(error,
					       "the output %s:%s would overwrite the recording %s",
					       output->ops->name, output->path, input);
	}
	return TRUE;
}

static struct iot_output *add_output(struct iot_command *command, const struct iot_sink_ops *ops,
				     const char *path)
{
	struct iot_output *output = g_new0(struct iot_output, 1);

	output->ops = ops;
	output->path = g_strdup(path);
	g_ptr_array_add(command->options.outputs, output);
	return output;
}

static void add_default_outputs(struct iot_command *command)
{
	for (guint i = 0; iot_sink_table[i]; i++)
		if (iot_sink_table[i]->default_path)
			add_output(command, iot_sink_table[i], iot_sink_table[i]->default_path);
}

/* --events, --no-events: for every output whose format has the option */
static void add_everywhere(struct iot_command *command, const char *name)
{
	for (guint i = 0; i < command->options.outputs->len; i++) {
		struct iot_output *output = g_ptr_array_index(command->options.outputs, i);
		const struct iot_sink_option *row = output->ops->options;

		while (row && row->name && strcmp(row->name, name))
			row++;
		if (!row || !row->name)
			continue;
		if (!output->options)
			output->options = iot_sink_options_new();
		g_hash_table_insert(output->options, g_strdup(name), g_strdup(""));
	}
}

/* Each of the two inputs of compare becomes an analysis of its own; they may be the same, as a
 * control. */
static gboolean check_runs(const struct iot_command *command, GError **error)
{
	const struct iot_options *options = &command->options;

	if (options->inputs->len != 2)
		return iot_usage_error(error,
				       "compare needs two runs, A and B; the recordings of a run "
				       "are in one folder");
	if (options->outputs->len || command->list)
		return iot_usage_error(error, "compare has no other outputs");
	return check_window(options, error);
}

/* --cut needs the findings. */
static gboolean looks_for_findings(const struct iot_options *options)
{
	for (guint i = 0; i < options->outputs->len; i++) {
		const struct iot_output *output = g_ptr_array_index(options->outputs, i);

		if (!g_strcmp0(output->ops->analysis, "check"))
			return TRUE;
	}
	return FALSE;
}

static gboolean complete(struct iot_command *command, GError **error)
{
	struct iot_options *options = &command->options;

	if (command->action == IOT_ACTION_ANALYSE && !options->inputs->len)
		return iot_usage_error(error, "no recordings are given; --help shows how to start");
	if (command->limits && !command->compares)
		return iot_usage_error(error, "--limits needs the word compare");
	if (options->cut && !looks_for_findings(options))
		return iot_usage_error(error, "--cut needs the word check");
	if (command->compares)
		return check_runs(command, error);
	if (!iot_folders_open(options, error))
		return FALSE;
	if (command->explains)
		return !options->outputs->len ||
		       iot_usage_error(error, "inputs has no other outputs");
	if (!command->list && g_hash_table_size(command->list_options))
		return iot_usage_error(error, "--sort and --tsv need --list");
	if (command->list)
		add_output(command, &iot_sink_list, "-")->options =
			g_hash_table_ref(command->list_options);
	else if (!options->outputs->len)
		add_default_outputs(command);
	if (command->events && command->no_events)
		return iot_usage_error(error, "--events and --no-events contradict each other");
	if (command->events) {
		add_everywhere(command, "events");
		add_everywhere(command, "counters");
		add_everywhere(command, "links");
	}
	if (command->no_events)
		add_everywhere(command, "no-events");
	if (!check_window(options, error) || !check_inputs(options, error))
		return FALSE;
	for (guint i = 0; i < options->outputs->len; i++)
		if (!check_output(options, i, error))
			return FALSE;
	return TRUE;
}

static void set_defaults(struct iot_command *command)
{
	memset(command, 0, sizeof(*command));
	iot_options_init(&command->options);
	command->list_options = iot_sink_options_new();
	for (const struct iot_option *row = iot_option_table(); row->name; row++) {
		g_autoptr(GError) error = NULL;

		if (row->standard && !row->set(command, row->standard, &error))
			g_error("default of %s: %s", row->name, error->message);
	}
}

gboolean iot_command_parse(struct iot_command *command, const char *const *argv, GError **error)
{
	struct parser at = { .command = command,
			     .at = { .rows = iot_option_table(),
				     .into = command,
				     .next = argv + (*argv != NULL) } };
	enum iot_word what;

	set_defaults(command);
	while ((what = iot_option_next(&at.at)) != IOT_WORD_END) {
		if (!take_word(&at, what, error))
			return FALSE;
		if (command->action && command->action != IOT_ACTION_CHECK_MODEL)
			return TRUE;
	}
	if (at.wanted)
		return iot_usage_error(error, "%s is missing: %s", at.wanted,
				       wanting(&at)->ops->word_option
					       ? "an instant, as for --from"
					       : "a pattern of rows, as for --select");
	if (at.pattern && !command->options.inputs->len)
		return iot_usage_error(error, "no recordings follow \"%s\", %s", at.pattern,
				       wanting(&at)->ops->word_option
					       ? "the instant"
					       : "the pattern of rows to show");
	return complete(command, error);
}
