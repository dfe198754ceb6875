/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From argv to struct iot_command by the option table, and checks across options. */
#include "cli/options.h"
#include "cli/folder.h"
#include "cli/output-spec.h"
#include "cli/words.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/units.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static gboolean is_name(const char *name, const char *typed, gsize len)
{
	return name && strlen(name) == len && !memcmp(name, typed, len);
}

static const struct iot_option *find_long(const char *name, gsize len)
{
	for (const struct iot_option *row = iot_option_table; row->name; row++)
		if (is_name(row->name, name, len) || is_name(row->alias, name, len))
			return row;
	return NULL;
}

static const struct iot_option *find_letter(char letter)
{
	for (const struct iot_option *row = iot_option_table; row->name; row++)
		if (row->letter == letter)
			return row;
	return NULL;
}

static gboolean unknown_long(const char *name, GError **error)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const char *nearest;

	for (const struct iot_option *row = iot_option_table; row->name; row++)
		g_ptr_array_add(names, (gpointer)row->name);
	g_ptr_array_add(names, NULL);
	nearest = iot_nearest_name(name, (const char *const *)names->pdata);
	if (nearest)
		return iot_usage_error(error, "there is no option --%s, did you mean --%s?", name,
				       nearest);
	return iot_usage_error(error, "there is no option --%s; --help shows all options", name);
}

/* @typed: the option as the user wrote it, for messages */
static gboolean apply(struct iot_command *command, const struct iot_option *row, const char *typed,
		      const char *value, GError **error)
{
	g_auto(GStrv) choices = iot_option_choices(row);

	if (row->action) {
		command->action = row->action;
		return TRUE;
	}
	if (row->flag_at) {
		++*(gint *)((char *)command + row->flag_at);
		return TRUE;
	}
	if (value && choices && !g_strv_contains((const char *const *)choices, value)) {
		g_autofree char *list = g_strjoinv(", ", choices);

		return iot_usage_error(error, "%s: \"%s\" is not %s%s", typed, value,
				       choices[1] ? "one of: " : "", list);
	}
	if (row->set(command, value, error))
		return TRUE;
	g_prefix_error(error, "%s: ", typed);
	return FALSE;
}

struct parser {
	struct iot_command *command;
	const char *const *next;
	gboolean only_files; /* after "--" */
	gboolean first_seen; /* the first word that is no option */
	/* the pattern that the word of an output demands next ("ROW"), or NULL */
	const char *wanted;
	const char *pattern; /* the word that was taken as this pattern, or NULL */
};

/* Keeps the option for outputs that tell how to show another window. */
static void repeat(struct iot_options *options, const struct iot_option *row, const char *value)
{
	if (row->group <= IOT_GROUP_SELECT ? row->once : !row->repeated)
		return;
	g_ptr_array_add(options->repeated, g_strconcat("--", row->name, NULL));
	if (value)
		g_ptr_array_add(options->repeated, g_strdup(value));
}

/* @value: the text joined to the option (--name=value, -ovalue), or NULL */
static gboolean take(struct parser *parser, const struct iot_option *row, const char *typed,
		     const char *value, GError **error)
{
	if (!row->argument && value)
		return iot_usage_error(error,
				       "%s: \"%s\" is not expected, the option takes no value",
				       typed, value);
	if (row->argument && !value && !row->optional) {
		if (!*parser->next)
			return iot_usage_error(error, "%s: a value is missing, expected %s %s",
					       typed, typed, row->argument);
		value = *parser->next++;
	}
	repeat(&parser->command->options, row, value);
	return apply(parser->command, row, typed, value, error);
}

static gboolean parse_long(struct parser *parser, const char *name, GError **error)
{
	gsize len = strcspn(name, "=");
	const struct iot_option *row = find_long(name, len);
	g_autofree char *typed = g_strdup_printf("--%.*s", (int)len, name);

	if (!row)
		return unknown_long(typed + 2, error);
	return take(parser, row, typed, name[len] ? name + len + 1 : NULL, error);
}

/* -qv, -otext:- and -o text:- */
static gboolean parse_letters(struct parser *parser, const char *letters, GError **error)
{
	for (; *letters && parser->command->action <= IOT_ACTION_CHECK_MODEL; letters++) {
		const struct iot_option *row = find_letter(*letters);
		const char typed[] = { '-', *letters, '\0' };
		gboolean has_value = row && row->argument && !row->optional;

		if (!row)
			return iot_usage_error(
				error, "there is no option %s; --help shows all options", typed);
		if (!take(parser, row, typed, has_value && letters[1] ? letters + 1 : NULL, error))
			return FALSE;
		if (has_value)
			return TRUE;
	}
	return TRUE;
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
	if (first && !parser->only_files && iot_word_is_output(word))
		return iot_word_apply(parser->command, word, &parser->wanted, error);
	if (first && !parser->only_files && is_mistyped(word, error))
		return FALSE;
	if (!parser->wanted && !parser->only_files && is_second_output(word, error))
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

static gboolean parse_word(struct parser *parser, GError **error)
{
	const char *word = *parser->next++;

	if (!parser->only_files && !strcmp(word, "--")) {
		parser->only_files = TRUE;
		return TRUE;
	}
	if (!parser->only_files && g_str_has_prefix(word, "--"))
		return parse_long(parser, word + 2, error);
	if (!parser->only_files && word[0] == '-' && word[1])
		return parse_letters(parser, word + 1, error);
	if (!strcmp(word, "-"))
		return iot_usage_error(
			error, "-: a recording is read from a file, not from standard input");
	if (!*word)
		return iot_usage_error(error, "\"\" is not the name of a recording");
	return take_plain(parser, word, error);
}

/* ---- checks over all options ---- */

static gboolean check_window(const struct iot_options *options, GError **error)
{
	const char *from = options->from, *to = options->to;
	guint64 from_ns, to_ns;

	if (!from || !to || (*from == '@') != (*to == '@'))
		return TRUE;
	if (!iot_parse_duration(from + (*from == '@'), &from_ns, error) ||
	    !iot_parse_duration(to + (*to == '@'), &to_ns, error))
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
	for (const struct iot_option *row = iot_option_table; row->name; row++) {
		g_autoptr(GError) error = NULL;

		if (row->standard && !apply(command, row, row->name, row->standard, &error))
			g_error("default of %s", error->message);
	}
}

gboolean iot_command_parse(struct iot_command *command, const char *const *argv, GError **error)
{
	struct parser at = { .command = command, .next = argv + (*argv != NULL) };

	set_defaults(command);
	while (*at.next) {
		if (!parse_word(&at, error))
			return FALSE;
		if (command->action > IOT_ACTION_CHECK_MODEL)
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
