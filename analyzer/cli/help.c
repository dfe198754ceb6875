/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --help, --help=man and --version. */
#include "cli/help.h"
#include "analysis/stage.h"
#include "cli/options.h"
#include "cli/words.h"
#include "run/model-path.h"
#include "base/diag.h"

#include <string.h>

enum { WIDTH = 80, INDENT = 29 };

static const char introduction[] =
	"iotrace-analyze shows how the machines of a cluster interact - who waited for which\n"
	"lock, and why. It reads their trace-cmd recordings, puts them on one clock, joins the\n"
	"events into calls and states as models describe, and writes timelines and a report.\n";

static const char examples[] =
	"  iotrace-analyze --map 1=5,2=4,3=3 trace-5.dat trace-4.dat trace-3.dat\n"
	"      Three guests of one session; those with the VSOCK CIDs 5, 4 and 3 are the cluster\n"
	"      nodes 1, 2 and 3. Writes iotrace.html (for any browser), iotrace.slog2 (for\n"
	"      Jumpshot) and iotrace.paje (for ViTE or PajeNG) and prints a report.\n"
	"\n"
	"  iotrace-analyze list --map 1=5,2=4,3=3 trace-?.dat\n"
	"      A table of all resources to choose from; writes no file. --list is the same "
	"without\n"
	"      a pager.\n"
	"\n"
	"  iotrace-analyze --select '*/res0?' --from 2.5 --to 3 -o slog2:some.slog2 trace-?.dat\n"
	"      Draws half a second of the resources with a matching name.\n";

static const char statuses[] =
	"  0  fine\n"
	"  1  wrong options, or a model is wrong or does not fit the recordings\n"
	"  2  a recording cannot be read, contains no event known to a model, or is damaged (its\n"
	"     good part was used)\n"
	"  3  an output cannot be written, or memory or the program failed\n"
	"  4  a check failed; with --strict: something was lost or may be wrong in detail, or\n"
	"     nothing is shown\n"
	"  129, 130, 143  stopped by SIGHUP, SIGINT, SIGTERM\n"
	"  141  the reader of standard output went away\n";

static const char files[] =
	"  trace-WHAT.dat    one recording for each machine, as trace-cmd record -A WHAT makes it\n"
	"  *.model           the meaning of events; see iotrace-model(5)\n"
	"  PATH.XXXXXX       an output while it is written; renamed to PATH when complete\n";

static void heading(GString *text, const char *title, gboolean bold)
{
	g_string_append_printf(text, bold ? "\n\033[1m%s\033[0m\n" : "\n%s\n", title);
}

/* Append @words from column @indent on; the text so far ends at column @column. */
static void fill(GString *text, gsize column, gsize indent, const char *words)
{
	g_auto(GStrv) list = g_strsplit(words, " ", -1);

	if (column >= indent) {
		g_string_append_c(text, '\n');
		column = 0;
	}
	g_string_append_printf(text, "%*s", (int)(indent - column), "");
	column = indent;
	for (guint i = 0; list[i]; i++) {
		gsize len = strlen(list[i]);

		if (column > indent && column + 1 + len > WIDTH) {
			g_string_append_printf(text, "\n%*s", (int)indent, "");
			column = indent;
		} else if (column > indent) {
			g_string_append_c(text, ' ');
			column++;
		}
		g_string_append(text, list[i]);
		column += len;
	}
	g_string_append_c(text, '\n');
}

/* "--top N", "--help[=man]" */
static char *long_form(const struct iot_option *row)
{
	if (!row->argument)
		return g_strdup_printf("--%s", row->name);
	return g_strdup_printf(row->optional ? "--%s[=%s]" : "--%s %s", row->name, row->argument);
}

/* "slog2:iotrace.slog2, paje:iotrace.paje and report:-" */
static char *default_outputs(void)
{
	g_autoptr(GPtrArray) specs = g_ptr_array_new_with_free_func(g_free);
	GString *text = g_string_new(NULL);

	for (guint i = 0; iot_sink_table[i]; i++) {
		const struct iot_sink_ops *ops = iot_sink_table[i];

		if (ops->default_path)
			g_ptr_array_add(specs,
					g_strdup_printf("%s:%s", ops->name, ops->default_path));
	}
	for (guint i = 0; i < specs->len; i++)
		g_string_append_printf(text, "%s%s",
				       i == 0		     ? ""
				       : i + 1 == specs->len ? " and "
							     : ", ",
				       (char *)specs->pdata[i]);
	return g_string_free(text, FALSE);
}

/* "; contention: how many wait for a resource", and which are made anyway */
static void add_analyses(GString *text)
{
	g_autoptr(GString) always = g_string_new(NULL);

	for (guint i = 0; iot_analysis_table[i]; i++) {
		const struct iot_stage_ops *ops = iot_analysis_table[i];

		g_string_append_printf(text, "%s%s: %s", i ? "; " : " ", ops->name, ops->summary);
		if (ops->always)
			g_string_append_printf(always, "%s%s", always->len ? ", " : "", ops->name);
	}
	g_string_append_printf(text, ". Outputs with tables always have those of %s.", always->str);
}

static char *option_text(const struct iot_option *row)
{
	g_autoptr(GString) text = g_string_new(row->help);
	g_auto(GStrv) words = iot_option_choices(row);

	if (row->complete == IOT_COMPLETE_ANALYSIS) {
		add_analyses(text);
	} else if (words && !row->optional) {
		g_autofree char *list = g_strjoinv(", ", words);

		g_string_append_printf(text, " %s is one of: %s.", row->argument, list);
	}
	if (row->standard)
		g_string_append_printf(text, " Default: %s.", row->standard);
	if (row->complete == IOT_COMPLETE_OUTPUT) {
		g_autofree char *outputs = default_outputs();

		g_string_append_printf(text, " Without it: %s.", outputs);
	}
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static void add_options(GString *text, gboolean bold)
{
	int group = -1;

	for (const struct iot_option *row = iot_option_table; row->name; row++) {
		g_autofree char *name = long_form(row);
		g_autofree char *help = option_text(row);
		gsize start;

		if ((int)row->group != group)
			heading(text, iot_option_group_title(row->group), bold);
		group = (int)row->group;
		start = text->len;
		if (row->letter)
			g_string_append_printf(text, "  -%c, %s", row->letter, name);
		else
			g_string_append_printf(text, "      %s", name);
		/* two blanks at least between the columns */
		fill(text, text->len - start + 1 < INDENT ? text->len - start : INDENT, INDENT,
		     help);
	}
}

static void add_formats(GString *text)
{
	for (guint i = 0; iot_sink_table[i]; i++) {
		const struct iot_sink_ops *ops = iot_sink_table[i];

		g_string_append_printf(text, "  %s", ops->name);
		fill(text, strlen(ops->name) + 2, 11, ops->summary);
		for (const struct iot_sink_option *row = ops->options; row && row->name; row++) {
			gsize start = text->len;

			g_string_append_printf(text, "             ,%s%s%s", row->name,
					       row->argument ? "=" : "",
					       row->argument ? row->argument : "");
			fill(text, MIN(text->len - start, INDENT + 6), INDENT + 6, row->help);
		}
	}
}

/* "show ROW" */
static char *word_form(const char *word)
{
	const struct iot_sink_ops *ops = iot_sink_find(word);

	if (!strcmp(word, "compare"))
		return g_strdup("compare A B");
	if (!ops || !ops->word_argument)
		return g_strdup(word);
	return g_strdup_printf("%s %s", word, ops->word_argument);
}

static void add_words(GString *text)
{
	g_auto(GStrv) words = iot_words();

	for (guint i = 0; words[i]; i++) {
		g_autofree char *form = word_form(words[i]);
		g_autofree char *help = iot_word_help(words[i]);

		g_string_append_printf(text, "  %s", form);
		fill(text, strlen(form) + 2, 13, help);
	}
}

char *iot_help_text(gboolean bold)
{
	GString *text = g_string_new("usage: iotrace-analyze [OUTPUT] [OPTION...] FILE...\n\n");

	g_string_append(text, introduction);
	heading(text, "Examples", bold);
	g_string_append(text, examples);
	add_options(text, bold);
	heading(text, "Outputs as first word (iotrace-analyze OUTPUT[,OPTION...] FILE...)", bold);
	add_words(text);
	heading(text, "Output formats (-o FORMAT[,OPTION...]:PATH)", bold);
	add_formats(text);
	heading(text, "Exit status", bold);
	g_string_append(text, statuses);
	heading(text, "Files", bold);
	g_string_append(text, files);
	g_string_append(text, "\nMore: iotrace-analyze(1), iotrace-model(5)\n");
	return g_string_free(text, FALSE);
}

/* ---- asciidoc ---- */

/* Text that asciidoc must not interpret. */
static void verbatim(GString *text, const char *words)
{
	g_string_append(text, "pass:c[");
	for (; *words; words++)
		g_string_append_printf(text, *words == ']' ? "\\%c" : "%c", *words);
	g_string_append(text, "]");
}

static void man_options(GString *text)
{
	int group = -1;

	g_string_append(text, "// tag::options[]\n");
	for (const struct iot_option *row = iot_option_table; row->name; row++) {
		g_autofree char *name = long_form(row);
		g_autofree char *help = option_text(row);

		if ((int)row->group != group)
			g_string_append_printf(text, "=== %s\n\n",
					       iot_option_group_title(row->group));
		group = (int)row->group;
		if (row->letter)
			g_string_append_printf(text, "*-%c*, ", row->letter);
		g_string_append(text, "*");
		verbatim(text, name);
		g_string_append(text, "*::\n");
		verbatim(text, help);
		g_string_append(text, "\n\n");
	}
	g_string_append(text, "// end::options[]\n");
}

static void man_formats(GString *text)
{
	g_string_append(text, "// tag::formats[]\n");
	for (guint i = 0; iot_sink_table[i]; i++) {
		const struct iot_sink_ops *ops = iot_sink_table[i];

		g_string_append_printf(text, "*%s*::\n", ops->name);
		verbatim(text, ops->summary);
		g_string_append(text, "\n");
		for (const struct iot_sink_option *row = ops->options; row && row->name; row++) {
			g_string_append_printf(text, "*%s", row->name);
			if (row->argument) {
				g_string_append(text, "=");
				verbatim(text, row->argument);
			}
			g_string_append(text, "*;;\n");
			verbatim(text, row->help);
			g_string_append(text, "\n");
		}
		g_string_append(text, "\n");
	}
	g_string_append(text, "// end::formats[]\n");
}

static void man_words(GString *text)
{
	g_auto(GStrv) words = iot_words();

	g_string_append(text, "// tag::words[]\n");
	for (guint i = 0; words[i]; i++) {
		g_autofree char *form = word_form(words[i]);
		g_autofree char *help = iot_word_help(words[i]);

		g_string_append_printf(text, "*%s*::\n", form);
		verbatim(text, help);
		g_string_append(text, "\n\n");
	}
	g_string_append(text, "// end::words[]\n");
}

static void man_diagnostics(GString *text)
{
	g_string_append(text, "// tag::diagnostics[]\n");
	for (int i = 0; i < IOT_DIAG_COUNT; i++) {
		const struct iot_diag_info *info = iot_diag_info((enum iot_diag_id)i);

		g_string_append_printf(text, "*pass:c[%s]* (%s)::\n", info->name,
				       iot_diag_severity_name(info->severity));
		verbatim(text, info->text);
		g_string_append(text, "\n\n");
	}
	g_string_append(text, "// end::diagnostics[]\n");
}

char *iot_help_man(void)
{
	GString *text = g_string_new("// Generated by iotrace-analyze --help=man.\n");

	man_options(text);
	man_words(text);
	man_formats(text);
	man_diagnostics(text);
	return g_string_free(text, FALSE);
}

/* ---- version ---- */

char *iot_help_version(void)
{
	GString *text = g_string_new("iotrace-analyze " IOT_VERSION "\n");

	g_string_append_printf(text, "GLib %u.%u.%u", glib_major_version, glib_minor_version,
			       glib_micro_version);
#ifdef IOT_LIBRARIES
	g_string_append(text, ", " IOT_LIBRARIES);
#endif
	g_string_append_c(text, '\n');
#ifdef IOT_FAULTS
	g_string_append(text, "with fault injection (IOTRACE_FAULT)\n");
#endif
#ifdef IOT_AUDIT
	g_string_append(text, "with --audit always on\n");
#endif
	return g_string_free(text, FALSE);
}

/* ---- for scripts ---- */

static void add_flags(GString *text, const struct iot_sink_ops *ops, gboolean forms)
{
	const char *before = "";

	for (const struct iot_sink_option *row = ops->options; row && row->name; row++) {
		if (row->argument || row->is_form != forms)
			continue;
		g_string_append_printf(text, "%s%s", before, row->name);
		before = ",";
	}
	if (!*before)
		g_string_append_c(text, '-');
}

char *iot_help_formats(void)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; iot_sink_table[i]; i++) {
		const struct iot_sink_ops *ops = iot_sink_table[i];

		if (ops->missing)
			continue;
		g_string_append_printf(text, "%s\t%s\t%s\t%s\t", ops->name, ops->suffix,
				       ops->second_suffix ? ops->second_suffix : "-",
				       ops->writes_folder ? "folder"
				       : ops->needs_file  ? "file"
							  : "any");
		add_flags(text, ops, FALSE);
		g_string_append_c(text, '\t');
		add_flags(text, ops, TRUE);
		g_string_append_printf(text, "\t%s\n", ops->summary);
	}
	return g_string_free(text, FALSE);
}
