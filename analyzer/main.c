/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * iotrace-analyze: reads the command line, runs the pipeline, reports errors. The only file that
 * prints messages and decides the exit status (the list is in help.c and in the manual page).
 */
#include "base/interrupt.h"
#include "cli/compare-word.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/pager.h"
#include "cli/tables-out.h"
#include "run/explain.h"
#include "run/model-events.h"
#include "run/model-path.h"
#include "run/pipeline.h"
#include "cli/progress.h"
#include "cli/view.h"
#include "compare/limits.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { STATUS_DAMAGED = 2, STATUS_OUTPUT = 3, STATUS_CHECK = 4, STATUS_SIGNAL = 128 };

static gint caught; /* the signal; atomic, because the handler may run in two threads at once */
static struct iot_pager pager;

/* The first signal requests an orderly end; the second one ends the process at once. Ctrl-C is also
 * a command of a pager, which must not lose its terminal by it.
 */
static void on_signal(int number)
{
	int saved = errno;

	if (g_atomic_int_get(&caught) && !(number == SIGINT && pager.child)) {
		iot_temp_names_remove();
		signal(number, SIG_DFL);
		raise(number); /* pending until the handler returns */
		return;
	}
	g_atomic_int_set(&caught, number);
	iot_interrupt();
	errno = saved;
}

/* A signal that the parent ignores (nohup, a background job) stays ignored. */
static void catch_signal(int number)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART }, old;

	sigemptyset(&action.sa_mask);
	if (sigaction(number, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
		sigaction(number, &action, NULL);
}

/* Always one line, although file names may contain control characters. */
static void complain(const char *message)
{
	g_autofree char *line = g_strdup(message);

	for (char *c = line; *c; c++)
		if (g_ascii_iscntrl(*c))
			*c = '?';
	fprintf(stderr, "iotrace-analyze: %s\n", line);
}

/* Standard output is a pipe without a reader, as in "| head". */
static gboolean stdout_is_broken(void)
{
	struct pollfd fd = { .fd = STDOUT_FILENO };

	return poll(&fd, 1, 0) == 1 && (fd.revents & POLLERR);
}

/* The exit status after something was printed. */
static int end_print(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return 0;
	if (stdout_is_broken())
		return STATUS_SIGNAL + SIGPIPE;
	complain("cannot write standard output");
	return STATUS_OUTPUT;
}

static int print_text(char *text)
{
	fputs(text, stdout);
	g_free(text);
	return end_print();
}

static gboolean wants_colour(enum iot_colour_mode mode)
{
	const char *no_colour = getenv("NO_COLOR");

	if (mode != IOT_COLOUR_AUTO)
		return mode == IOT_COLOUR_ALWAYS;
	return isatty(STDOUT_FILENO) && !(no_colour && *no_colour) &&
	       g_strcmp0(getenv("TERM"), "dumb") != 0;
}

/* Terminals of today show 256 colours, whatever TERM says; those with more say so. */
static guint count_colours(gboolean colour)
{
	const char *most = getenv("COLORTERM");

	if (!colour)
		return 0;
	return most && (!strcmp(most, "truecolor") || !strcmp(most, "24bit")) ? 1 << 24 : 256;
}

static gboolean shows_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		const char *locale = getenv(names[i]);

		if (locale && *locale)
			return strstr(locale, "UTF-8") || strstr(locale, "utf8");
	}
	return FALSE;
}

static guint terminal_width(void)
{
	struct winsize size = { 0 };

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* An output that prints while recordings are read would mix with the line on one terminal. */
static gboolean wants_progress(const struct iot_command *command)
{
	if (command->quiet || !isatty(STDERR_FILENO))
		return FALSE;
	for (guint i = 0; isatty(STDOUT_FILENO) && i < command->options.outputs->len; i++) {
		const struct iot_output *output = g_ptr_array_index(command->options.outputs, i);

		if (!strcmp(output->path, "-") && !output->ops->prints_at_end)
			return FALSE;
	}
	return TRUE;
}

static gboolean writes_only_stdout(const struct iot_options *options)
{
	for (guint i = 0; i < options->outputs->len; i++) {
		const struct iot_output *output = g_ptr_array_index(options->outputs, i);

		if (strcmp(output->path, "-"))
			return FALSE;
	}
	return TRUE;
}

static int end_failed(const struct iot_options *options, gboolean broken, const GError *error)
{
	gboolean output_failed = g_error_matches(error, IOT_ERROR, IOT_ERROR_OUTPUT);

	if (g_atomic_int_get(&caught)) {
		complain("interrupted; unfinished outputs were removed");
		return STATUS_SIGNAL + g_atomic_int_get(&caught);
	}
	if (output_failed && writes_only_stdout(options) && broken)
		return STATUS_SIGNAL + SIGPIPE;
	complain(error->message);
	return iot_error_exit_status(error);
}

/*
 * "2 events_lost (events were lost ...), 1 gaps (...)": the worst counters first; NULL if none. If
 * nothing is shown, a sentence with the reason replaces the counters about that.
 */
static char *describe(const struct iot_outcome *outcome, enum iot_severity least)
{
	g_autoptr(GString) text = g_string_new(NULL);
	struct iot_diag diag = outcome->diag;

	if (outcome->missing) {
		g_string_append(text, outcome->missing);
		diag.count[IOT_DIAG_window_outside] = diag.count[IOT_DIAG_nothing_selected] = 0;
		diag.count[IOT_DIAG_pattern_unused] = diag.count[IOT_DIAG_kind_unused] = 0;
		diag.count[IOT_DIAG_lockspace_unused] = diag.count[IOT_DIAG_model_misfit] = 0;
	}

	for (int severity = IOT_LOSS; severity >= (int)least; severity--) {
		for (int i = 0; i < IOT_DIAG_COUNT; i++) {
			const struct iot_diag_info *info = iot_diag_info((enum iot_diag_id)i);

			if (diag.count[i] && (int)info->severity == severity)
				g_string_append_printf(text, "%s%" G_GUINT64_FORMAT " %s (%s)",
						       text->len ? ", " : "", diag.count[i],
						       info->name, info->text);
		}
	}
	return text->len ? g_string_free(g_steal_pointer(&text), FALSE) : NULL;
}

/* Whether an output shows the counters. */
static gboolean diagnostics_shown(const struct iot_options *options)
{
	for (guint i = 0; i < options->outputs->len; i++) {
		const struct iot_output *output = g_ptr_array_index(options->outputs, i);

		if (output->ops->shows_diagnostics)
			return TRUE;
	}
	return FALSE;
}

/* The outputs are complete: print the note and choose the status by the counters. */
static int end_complete(const struct iot_command *command, const struct iot_outcome *outcome)
{
	const struct iot_options *options = &command->options;
	gboolean shown = diagnostics_shown(options);
	g_autofree char *what = describe(outcome, IOT_WARN);
	guint64 n_early = outcome->diag.count[IOT_DIAG_order_early] +
			  outcome->diag.count[IOT_DIAG_order_inside] +
			  outcome->diag.count[IOT_DIAG_order_late];
	g_autofree char *message = NULL;
	int status = 0;

	if (outcome->n_proved) {
		message = g_strdup_printf("check: %" G_GUINT64_FORMAT " finding%s proved",
					  outcome->n_proved,
					  outcome->n_proved == 1 ? " is" : "s are");
		status = STATUS_CHECK;
	} else if (outcome->damaged) {
		message = g_strdup_printf("%s is damaged, the good part was used: %s",
					  outcome->damaged, what ? what : "see the report");
		status = STATUS_DAMAGED;
	} else if (options->strict && what) {
		message = g_strdup_printf("--strict: %s", what);
		status = STATUS_CHECK;
	} else if (options->causality.strict && n_early) {
		message = g_strdup_printf("--causality strict: %" G_GUINT64_FORMAT
					  " events come before their cause; see the report",
					  n_early);
		status = STATUS_CHECK;
	} else if (what && (!shown || outcome->missing) && !command->quiet) {
		message = g_strdup_printf("note: %s", what);
	}
	if (message)
		complain(message);
	return status;
}

static void print_usage(const struct iot_usage *usage, guint64 allowed)
{
	g_autofree char *text = iot_usage_text(usage, allowed);

	fputs(text, stderr);
}

/* List the outputs, on a terminal or with -v. */
static void print_closing(const struct iot_command *command, const struct iot_outcome *outcome,
			  gint64 elapsed_us)
{
	g_autofree char *text = NULL;

	if (command->quiet || !(isatty(STDERR_FILENO) || command->options.verbose))
		return;
	text = iot_progress_closing(command->options.outputs, outcome->records, elapsed_us,
				    outcome->index);
	if (text)
		complain(text);
}

static int analyse(struct iot_command *command)
{
	gint64 begin = g_get_monotonic_time();
	struct iot_progress_line line = { 0 };
	g_autoptr(GError) error = NULL;
	struct iot_outcome outcome;
	gboolean good, broken;
	int status;

	if (command->pages && !command->no_pager)
		iot_pager_start(&pager);
	catch_signal(SIGINT);
	catch_signal(SIGTERM);
	catch_signal(SIGHUP); /* the terminal has gone: leave no half files */
	good = iot_pipeline_run(&command->options,
				wants_progress(command) ? iot_progress_draw : NULL, &line, &outcome,
				&error);
	iot_progress_clear(&line);
	broken = stdout_is_broken();
	iot_pager_end(&pager);
	if (!good)
		status = end_failed(&command->options, broken, error);
	else
		status = end_complete(command, &outcome);
	if (good && outcome.cut && !command->quiet)
		complain(outcome.cut);
	if (good && !command->compares)
		print_closing(command, &outcome, g_get_monotonic_time() - begin);
	if (good && command->options.verbose && !command->quiet)
		print_usage(&outcome.usage, command->options.memory);
	g_free(outcome.damaged);
	g_free(outcome.missing);
	g_free(outcome.index);
	g_free(outcome.cut);
	return status;
}

/* Analyse into a page in a temporary folder, and open it. */
static int view(struct iot_command *command)
{
	g_autoptr(GError) error = NULL;
	const char *path;
	int status;

	if (!iot_view_prepare(&command->viewed->path, &error)) {
		complain(error->message);
		return iot_error_exit_status(error);
	}
	path = command->viewed->path;
	status = analyse(command);
	if (!g_file_test(path, G_FILE_TEST_EXISTS))
		iot_view_discard(path);
	else if (!iot_view_open(path)) {
		int printed = print_text(g_strconcat(path, "\n", NULL));

		status = status ? status : printed;
	}
	return status;
}

/* The summary of a run; NULL: *status is the exit status. A damaged recording sets it, too. */
static struct iot_run_summary *summarise(struct iot_command *command, const char *run, int *status)
{
	g_autoptr(GError) error = NULL;
	struct iot_run_summary *summary = NULL;
	guint n_mappings = command->options.mappings->len;
	char *path = NULL;
	int analysed = 0;

	if (iot_run_is_summary(run)) {
		summary = iot_run_summary_load(run, &error);
	} else if ((path = iot_run_prepare(&command->options, run, &error))) {
		analysed = analyse(command);
		if (g_file_test(path, G_FILE_TEST_EXISTS))
			summary = iot_run_summary_load(path, &error);
		iot_run_discard(path);
		/* those of the folder belong to this run */
		g_ptr_array_set_size(command->options.mappings, (gint)n_mappings);
	}
	if (error) {
		complain(error->message);
		analysed = iot_error_exit_status(error);
	}
	*status = analysed ? analysed : *status;
	return summary;
}

static int compare(struct iot_command *command)
{
	g_autofree char *first = g_strdup(command->options.inputs->pdata[0]);
	g_autofree char *second = g_strdup(command->options.inputs->pdata[1]);
	g_autoptr(GPtrArray) limits = NULL;
	g_autoptr(iot_run_summary) a = NULL, b = NULL;
	g_autoptr(iot_comparison) comparison = NULL;
	g_autoptr(GError) error = NULL;
	int status = 0;

	if (command->limits)
		limits = iot_limits_load(command->limits, &error);
	if (!error && (a = summarise(command, first, &status)))
		b = summarise(command, second, &status);
	if (!error && !b)
		return status;
	comparison = b ? iot_compare(a, b, limits) : NULL;
	if (!comparison || !iot_comparison_write(comparison, command, &error)) {
		complain(error->message);
		return iot_error_exit_status(error);
	}
	return iot_comparison_alarms(comparison) ? STATUS_CHECK : status;
}

/* What the inputs are; the tables are printed, too, if one of them cannot be read. */
static int explain(struct iot_command *command)
{
	g_autoptr(GError) error = NULL, output_error = NULL;
	g_autoptr(iot_results) results = iot_explain_inputs(&command->options, &error);

	if (!iot_tables_write(results, command, &output_error)) {
		complain(output_error->message);
		return iot_error_exit_status(output_error);
	}
	if (!error)
		return 0;
	complain(error->message);
	return iot_error_exit_status(error);
}

static int check_model(struct iot_command *command)
{
	g_autoptr(GError) error = NULL;
	char *text = iot_pipeline_check_model(&command->options, command->check_model, &error);

	if (text)
		return print_text(text);
	complain(error->message);
	return iot_error_exit_status(error);
}

static int list_model_events(const char *model)
{
	g_autoptr(GError) error = NULL;
	char *text = iot_model_events(model, &error);

	if (text)
		return print_text(text);
	complain(error->message);
	return iot_error_exit_status(error);
}

static int run(struct iot_command *command)
{
	command->options.colour = wants_colour(command->colour);
	command->options.n_colours = count_colours(command->options.colour);
	command->options.utf8 = shows_utf8();
	command->options.width = terminal_width();
	switch (command->action) {
	case IOT_ACTION_ANALYSE:
		if (command->compares)
			return compare(command);
		if (command->explains)
			return explain(command);
		return command->viewed ? view(command) : analyse(command);
	case IOT_ACTION_CHECK_MODEL:
		return check_model(command);
	case IOT_ACTION_MODELS:
		return print_text(iot_model_list());
	case IOT_ACTION_MODEL_EVENTS:
		return list_model_events(command->events_of);
	default:
		iot_help_print(stdout, command->action, command->options.colour);
		return end_print();
	}
}

int main(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	struct iot_command command;
	int status;

	(void)argc;
	signal(SIGPIPE, SIG_IGN);
	if (iot_command_parse(&command, (const char *const *)argv, &error)) {
		status = run(&command);
	} else {
		complain(error->message);
		status = iot_error_exit_status(error);
	}
	iot_command_clear(&command);
	return status;
}
