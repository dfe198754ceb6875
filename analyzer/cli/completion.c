/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The completion script for bash. It needs no helper library. bash breaks words at ":" and "=", so
 * the script takes the word under the cursor from the line, and returns only the part after the
 * last break.
 */
#include "cli/help.h"
#include "cli/options.h"
#include "cli/words.h"

/* One case label for an option; "-o|--output" */
static void add_label(GString *text, const struct iot_option *row)
{
	g_string_append(text, "\t");
	if (row->letter)
		g_string_append_printf(text, "-%c|", row->letter);
	if (row->alias)
		g_string_append_printf(text, "--%s|", row->alias);
	g_string_append_printf(text, "--%s)", row->name);
}

static void add_value_rule(GString *text, const struct iot_option *row)
{
	g_auto(GStrv) words = iot_option_choices(row);
	g_autofree char *list = words ? g_strjoinv(" ", words) : g_strdup("");

	switch (row->complete) {
	case IOT_COMPLETE_NOTHING:
		g_string_append(text, " ;;\n");
		return;
	case IOT_COMPLETE_FILE:
		g_string_append(text, " __iotrace_files \"$1\" ;;\n");
		return;
	case IOT_COMPLETE_OUTPUT:
		g_string_append(text, " __iotrace_output \"$1\" ;;\n");
		return;
	case IOT_COMPLETE_MODEL:
		g_string_append(text, " __iotrace_models \"$1\" ;;\n");
		return;
	case IOT_COMPLETE_CHOICES:
	case IOT_COMPLETE_SORT:
	case IOT_COMPLETE_READER:
	case IOT_COMPLETE_ANALYSIS:
		g_string_append_printf(text, " __iotrace_words '%s' \"$1\" ;;\n", list);
		return;
	}
}

/* Complete the value $1 of option $2; status 1 if the option has no value. */
static void add_value_function(GString *text)
{
	g_string_append(text, "__iotrace_value()\n{\n\tcase $2 in\n");
	for (const struct iot_option *row = iot_option_table; row->name; row++) {
		if (!row->argument)
			continue;
		add_label(text, row);
		add_value_rule(text, row);
	}
	g_string_append(text, "\t*) return 1 ;;\n\tesac\n\treturn 0\n}\n\n");
}

static void add_names(GString *text, gboolean only_joined)
{
	for (const struct iot_option *row = iot_option_table; row->name; row++) {
		if (only_joined && !row->optional)
			continue;
		if (row->letter)
			g_string_append_printf(text, " -%c", row->letter);
		g_string_append_printf(text, " --%s", row->name);
	}
	g_string_append(text, " '\n");
}

/* FORMAT or FORMAT,OPTION... or FORMAT:PATH in $1 */
static void add_output_function(GString *text)
{
	g_string_append(
		text,
		"__iotrace_output()\n{\n\tlocal head=${1%,*}, words=\n\n"
		"\tcase $1 in\n\t*:*) __iotrace_files \"${1#*:}\" \"${1%%:*}:\"; return ;;\n");
	for (guint i = 0; iot_sink_table[i]; i++) {
		const struct iot_sink_ops *ops = iot_sink_table[i];

		if (!ops->options || !ops->options->name)
			continue;
		g_string_append_printf(text, "\t%s,*) words='", ops->name);
		for (const struct iot_sink_option *row = ops->options; row->name; row++)
			g_string_append_printf(text, "%s%s%s", row == ops->options ? "" : " ",
					       row->name, row->argument ? "=" : "");
		g_string_append(text, "' ;;\n");
	}
	g_string_append(text, "\t*) head= words='");
	for (guint i = 0; iot_sink_table[i]; i++)
		g_string_append_printf(text, "%s%s:", i ? " " : "", iot_sink_table[i]->name);
	g_string_append(text, "' ;;\n\tesac\n\t__iotrace_words \"$words\" \"${1##*,}\" \"$head\"\n"
			      "\tcompopt -o nospace 2>/dev/null\n}\n\n");
}

static const char helpers[] =
	"__iotrace_lines()\n{\n\tlocal line\n\n"
	"\twhile IFS= read -r line; do\n\t\tCOMPREPLY+=(\"$2$line\")\n\tdone <<< \"$1\"\n}\n\n"
	"__iotrace_words()\n{\n\tlocal found\n\n"
	"\tfound=$(compgen -W \"$1\" -- \"$2\") && __iotrace_lines \"$found\" \"$3\"\n}\n\n"
	"__iotrace_files()\n{\n\tlocal found\n\n"
	"\tcompopt -o filenames 2>/dev/null\n"
	"\tfound=$(compgen -f -- \"$1\") && __iotrace_lines \"$found\" \"$2\"\n}\n\n"
	"__iotrace_models()\n{\n"
	"\t__iotrace_words \"$(iotrace-analyze --models 2>/dev/null | cut -f 1)\" \"$1\"\n"
	"\t__iotrace_files \"$1\"\n}\n\n";

static const char entry[] = "_iotrace_analyze()\n{\n"
			    "\tlocal line=${COMP_LINE:0:COMP_POINT} word before first cut\n\n"
			    "\tword=${line##*[[:space:]]}\n"
			    "\tbefore=${line%\"$word\"}\n"
			    "\tbefore=${before%\"${before##*[![:space:]]}\"}\n"
			    "\tfirst=${before#\"${before%%[![:space:]]*}\"}\n"
			    "\tbefore=${before##*[[:space:]]}\n"
			    "\tCOMPREPLY=()\n"
			    "\tcase $__iotrace_joined in *\" $before \"*) before= ;; esac\n"
			    "\tcase $before in\n"
			    "\t-*) __iotrace_value \"$word\" \"$before\" && before=done ;;\n"
			    "\tesac\n"
			    "\tif [[ $before == done ]]; then\n\t\t:\n"
			    "\telif [[ $word == --*=* ]]; then\n"
			    "\t\t__iotrace_value \"${word#*=}\" \"${word%%=*}\"\n"
			    "\t\tCOMPREPLY=(\"${COMPREPLY[@]/#/${word%%=*}=}\")\n"
			    "\telif [[ $word == -* ]]; then\n"
			    "\t\t__iotrace_words \"$__iotrace_options\" \"$word\"\n"
			    "\telse\n"
			    "\t\t[[ $first == *[[:space:]]* ]] ||"
			    " __iotrace_words \"$__iotrace_outputs\" \"$word\"\n"
			    "\t\t__iotrace_files \"$word\"\n\tfi\n"
			    "\t# bash replaces only the text after the last word break\n"
			    "\tcut=${word%\"${word##*[:=]}\"}\n"
			    "\tCOMPREPLY=(\"${COMPREPLY[@]#\"$cut\"}\")\n}\n\n"
			    "complete -F _iotrace_analyze iotrace-analyze\n";

char *iot_help_completion(void)
{
	GString *text = g_string_new("# bash completion of iotrace-analyze; "
				     "generated by iotrace-analyze --completion bash\n\n");
	g_auto(GStrv) words = iot_words();
	g_autofree char *outputs = g_strjoinv(" ", words);

	g_string_append_printf(text, "__iotrace_outputs='%s'\n", outputs);
	g_string_append(text, "__iotrace_options='");
	add_names(text, FALSE);
	/* their value may not be the next word: in "--help man" man is a file */
	g_string_append(text, "__iotrace_joined='");
	add_names(text, TRUE);
	g_string_append_c(text, '\n');
	g_string_append(text, helpers);
	add_output_function(text);
	add_value_function(text);
	g_string_append(text, entry);
	return g_string_free(text, FALSE);
}
