/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What iotrace-analyze adds to the texts that are made from its table of options. */
#include "cli/help.h"
#include "cli/options.h"
#include "cli/words.h"
#include "run/model-path.h"
#include "base/diag.h"

#include <string.h>

enum { INDENT = 35 }; /* of the options of formats */

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

static void add_formats(FILE *out)
{
	for (guint i = 0; iot_sink_table[i]; i++) {
		const struct iot_sink_ops *ops = iot_sink_table[i];

		fprintf(out, "  %s", ops->name);
		iot_option_fill(out, strlen(ops->name) + 2, 11, ops->summary);
		for (const struct iot_sink_option *row = ops->options; row && row->name; row++) {
			int n = fprintf(out, "             ,%s%s%s", row->name,
					row->argument ? "=" : "",
					row->argument ? row->argument : "");

			iot_option_fill(out, n < INDENT ? (gsize)n : INDENT, INDENT, row->help);
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

static void add_words(FILE *out)
{
	g_auto(GStrv) words = iot_words();

	for (guint i = 0; words[i]; i++) {
		g_autofree char *form = word_form(words[i]);
		g_autofree char *help = iot_word_help(words[i]);

		fprintf(out, "  %s", form);
		iot_option_fill(out, strlen(form) + 2, 13, help);
	}
}

static void help(FILE *out, const struct iot_program *program, gboolean bold)
{
	fputs("usage: iotrace-analyze [OUTPUT] [OPTION...] FILE...\n\n", out);
	fputs(introduction, out);
	iot_option_title(out, "Examples", bold);
	fputs(examples, out);
	iot_option_help(out, program, bold);
	iot_option_title(out, "Outputs as first word (iotrace-analyze OUTPUT[,OPTION...] FILE...)",
			 bold);
	add_words(out);
	iot_option_title(out, "Output formats (-o FORMAT[,OPTION...]:PATH)", bold);
	add_formats(out);
	iot_option_title(out, "Exit status", bold);
	fputs(statuses, out);
	iot_option_title(out, "Files", bold);
	fputs(files, out);
	fputs("\nMore: iotrace-analyze(1), iotrace-model(5)\n", out);
}

/* ---- asciidoc ---- */

static void man_formats(FILE *out)
{
	fputs("// tag::formats[]\n", out);
	for (guint i = 0; iot_sink_table[i]; i++) {
		const struct iot_sink_ops *ops = iot_sink_table[i];

		fprintf(out, "*%s*::\n", ops->name);
		iot_option_verbatim(out, ops->summary);
		fputs("\n", out);
		for (const struct iot_sink_option *row = ops->options; row && row->name; row++) {
			fprintf(out, "*%s", row->name);
			if (row->argument) {
				fputs("=", out);
				iot_option_verbatim(out, row->argument);
			}
			fputs("*;;\n", out);
			iot_option_verbatim(out, row->help);
			fputs("\n", out);
		}
		fputs("\n", out);
	}
	fputs("// end::formats[]\n", out);
}

static void man_words(FILE *out)
{
	g_auto(GStrv) words = iot_words();

	fputs("// tag::words[]\n", out);
	for (guint i = 0; words[i]; i++) {
		g_autofree char *form = word_form(words[i]);
		g_autofree char *help = iot_word_help(words[i]);

		fprintf(out, "*%s*::\n", form);
		iot_option_verbatim(out, help);
		fputs("\n\n", out);
	}
	fputs("// end::words[]\n", out);
}

static void man_diagnostics(FILE *out)
{
	fputs("// tag::diagnostics[]\n", out);
	for (int i = 0; i < IOT_DIAG_COUNT; i++) {
		const struct iot_diag_info *info = iot_diag_info((enum iot_diag_id)i);

		fprintf(out, "*pass:c[%s]* (%s)::\n", info->name,
			iot_diag_severity_name(info->severity));
		iot_option_verbatim(out, info->text);
		fputs("\n\n", out);
	}
	fputs("// end::diagnostics[]\n", out);
}

/* ---- version ---- */

static void add_libraries(FILE *out)
{
	fprintf(out, "GLib %u.%u.%u", glib_major_version, glib_minor_version, glib_micro_version);
#ifdef IOT_LIBRARIES
	fputs(", " IOT_LIBRARIES, out);
#endif
	fputc('\n', out);
#ifdef IOT_FAULTS
	fputs("with fault injection (IOTRACE_FAULT)\n", out);
#endif
#ifdef IOT_AUDIT
	fputs("with --audit always on\n", out);
#endif
}

/* ---- completion ---- */

/* FORMAT or FORMAT,OPTION... or FORMAT:PATH in $1 */
static void complete_output(FILE *out)
{
	fputs("\n__iotrace_output()\n{\n\tlocal head=${1%,*}, words=\n\n"
	      "\tcase $1 in\n\t*:*) __iotrace_files \"${1#*:}\" \"${1%%:*}:\"; return ;;\n",
	      out);
	for (guint i = 0; iot_sink_table[i]; i++) {
		const struct iot_sink_ops *ops = iot_sink_table[i];

		if (!ops->options || !ops->options->name)
			continue;
		fprintf(out, "\t%s,*) words='", ops->name);
		for (const struct iot_sink_option *row = ops->options; row->name; row++)
			fprintf(out, "%s%s%s", row == ops->options ? "" : " ", row->name,
				row->argument ? "=" : "");
		fputs("' ;;\n", out);
	}
	fputs("\t*) head= words='", out);
	for (guint i = 0; iot_sink_table[i]; i++)
		fprintf(out, "%s%s:", i ? " " : "", iot_sink_table[i]->name);
	fputs("' ;;\n\tesac\n\t__iotrace_words \"$words\" \"${1##*,}\" \"$head\"\n"
	      "\tcompopt -o nospace 2>/dev/null\n}\n",
	      out);
}

/* ---- for scripts ---- */

static void add_flags(FILE *out, const struct iot_sink_ops *ops, gboolean forms)
{
	const char *before = "";

	for (const struct iot_sink_option *row = ops->options; row && row->name; row++) {
		if (row->argument || row->is_form != forms)
			continue;
		fprintf(out, "%s%s", before, row->name);
		before = ",";
	}
	if (!*before)
		fputc('-', out);
}

static void formats(FILE *out)
{
	for (guint i = 0; iot_sink_table[i]; i++) {
		const struct iot_sink_ops *ops = iot_sink_table[i];

		if (ops->missing)
			continue;
		fprintf(out, "%s\t%s\t%s\t%s\t", ops->name, ops->suffix,
			ops->second_suffix ? ops->second_suffix : "-",
			ops->writes_folder ? "folder"
			: ops->needs_file  ? "file"
					   : "any");
		add_flags(out, ops, FALSE);
		fputc('\t', out);
		add_flags(out, ops, TRUE);
		fprintf(out, "\t%s\n", ops->summary);
	}
}

void iot_help_print(FILE *out, int action, gboolean bold)
{
	g_auto(GStrv) list = iot_words();
	g_autofree char *words = g_strjoinv(", ", list);
	const struct iot_program program = {
		.name = "iotrace-analyze",
		.rows = iot_option_table(),
		.titles = iot_option_titles,
		.beside = TRUE,
		.words = words,
		.files = TRUE,
	};

	if (action == IOT_ACTION_HELP)
		help(out, &program, bold);
	else if (action == IOT_ACTION_FORMATS)
		formats(out);
	else
		iot_option_print(out, &program, action);
	if (action == IOT_ACTION_MAN) {
		man_words(out);
		man_formats(out);
		man_diagnostics(out);
	} else if (action == IOT_ACTION_VERSION) {
		add_libraries(out);
	} else if (action == IOT_ACTION_COMPLETION) {
		complete_output(out);
	}
}
