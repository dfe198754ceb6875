/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * iotrace-record: records machines with trace-cmd into a folder that iotrace-analyze reads. The
 * only file that decides the exit status.
 */
#include "agent.h"
#include "check.h"
#include "command.h"
#include "describe.h"
#include "flight.h"
#include "local.h"
#include "metrics-alone.h"
#include "mark.h"
#include "module-filter.h"
#include "event-probe.h"
#include "other-calls.h"
#include "record-folder.h"
#include "record-preload.h"
#include "recorded-tasks.h"
#include "restore.h"
#include "status-line.h"
#include "flight-ring.h"

#include "base/error.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATUS_NOTHING = 1, STATUS_USAGE = 2, STATUS_DOUBTFUL = 4 };

/* One line, although names may contain control characters. */
static void say(const char *message)
{
	g_autofree char *line = g_strdup(message);

	for (char *c = line; *c; c++)
		if (g_ascii_iscntrl(*c))
			*c = '?';
	fprintf(stderr, "iotrace-record: %s\n", line);
}

static int refuse(const GError *error)
{
	say(error->message);
	return STATUS_USAGE;
}

/* The rest that a killed recorder leaves on agents; NULL: none. */
static char *describe_rest(const struct rec_plan *plan)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < plan->agents->len; i++)
		g_string_append_printf(text, "%s%s", i ? ", " : "",
				       ((struct rec_machine *)plan->agents->pdata[i])->given);
	if (!text->len)
		return NULL;
	return g_strdup_printf(
		"on %s an agent may still be busy, and an instance clock_synch-* may be left in "
		"tracefs: restart the agent there",
		text->str);
}

/* The last lines of trace-cmd, if it failed. */
static void show_log(const char *log)
{
	g_auto(GStrv) lines = g_strsplit(log, "\n", -1);
	guint n = g_strv_length(lines);

	for (guint i = n > 8 ? n - 8 : 0; i < n; i++) {
		g_autofree char *line = g_strconcat("trace-cmd: ", lines[i], NULL);

		if (*lines[i])
			say(line);
	}
}

/* The verdict over all machines, and the status for it. */
static char *judge_all(const struct rec_plan *plan, const struct rec_session_result *result,
		       const GPtrArray *machines, const GPtrArray *verdicts, int *out_status)
{
	g_autoptr(GString) text = g_string_new(NULL);
	guint n_empty = 0, n_doubtful = 0;

	for (guint i = 0; i < machines->len; i++) {
		const struct rec_machine *machine = machines->pdata[i];
		const struct rec_verdict *verdict = verdicts->pdata[i];

		n_empty += verdict->grade == REC_EMPTY;
		n_doubtful += verdict->grade != REC_GOOD;
		if (verdict->grade != REC_GOOD)
			g_string_append_printf(text, "%s%s: %s", text->len ? "; " : "",
					       machine->given, verdict->sentence);
	}
	if (result->reason)
		g_string_append_printf(text, "%s%s", text->len ? "; " : "", result->reason);
	if (n_empty == machines->len)
		*out_status = STATUS_NOTHING;
	else
		*out_status = n_doubtful || result->killed || result->early || result->status
				      ? STATUS_DOUBTFUL
				      : 0;
	if (result->metrics && !result->metrics_whole) {
		g_string_append_printf(text, "%smetrics: %s", text->len ? "; " : "",
				       result->metrics);
		*out_status = n_empty == machines->len ? STATUS_NOTHING : STATUS_DOUBTFUL;
	}
	if (result->killed) {
		g_autofree char *rest = describe_rest(plan);

		if (rest)
			g_string_append_printf(text, "%s%s", text->len ? "; " : "", rest);
	} else if (result->status) {
		gboolean broken = result->recorded && result->status == 128 + SIGPIPE;

		g_string_append_printf(
			text, "%strace-cmd ended with status %d%s", text->len ? "; " : "",
			result->status,
			broken ? ": an agent was restarted, or its connection broke; "
				 "start it there, and record again"
			       : "");
	}
	return text->len ? g_strdup(text->str) : g_strdup("complete");
}

/* A recording or raw data. */
static gboolean is_there(const char *folder, const struct rec_machine *machine)
{
	g_autofree char *path = g_build_filename(folder, machine->file, NULL);

	return g_file_test(path, G_FILE_TEST_EXISTS) || rec_folder_raw(folder, machine);
}

static gboolean nothing_there(const char *folder, const GPtrArray *machines)
{
	for (guint i = 0; i < machines->len; i++)
		if (is_there(folder, machines->pdata[i]))
			return FALSE;
	return TRUE;
}

/* Why nothing was recorded on an agent's machine, and what to do about it. */
static void explain_absence(const struct rec_plan *plan, const struct rec_session_result *result,
			    const struct rec_machine *machine, struct rec_verdict *verdict)
{
	enum rec_agent state = result->recorded ? REC_AGENT_ANSWERS : rec_agent_probe(machine);
	g_autofree char *advice = NULL;

	if (result->recorded)
		advice = g_strdup("it was restarted, or its connection broke: start its agent, and "
				  "record again");
	else if (state != REC_AGENT_ANSWERS || plan->agents->len == 1)
		advice = rec_agent_advice(machine, state);
	else
		return; /* another machine is at fault */
	g_free(verdict->sentence);
	verdict->sentence = g_strconcat("nothing was recorded: ", advice, NULL);
}

static void say_clash(const struct rec_plan *plan, const GPtrArray *verdicts)
{
	g_autofree const char **hosts = g_new0(const char *, verdicts->len);
	g_autofree char *clash = NULL;

	for (guint i = 0; i < verdicts->len; i++)
		hosts[i] = ((struct rec_verdict *)verdicts->pdata[i])->host;
	clash = rec_machines_clash(plan->agents, hosts);
	if (clash)
		say(clash);
}

static int record(const struct rec_plan *plan, char *const *command, const char *folder)
{
	g_auto(GStrv) argv = rec_plan_record(plan, folder);
	g_autoptr(GPtrArray) machines = rec_plan_machines(plan);
	g_autoptr(GPtrArray) verdicts =
		g_ptr_array_new_with_free_func((GDestroyNotify)rec_verdict_free);
	g_autoptr(GError) error = NULL;
	g_autofree char *verdict = NULL;
	g_autoptr(GPtrArray) other_calls = NULL;
	struct rec_session_result result;
	struct rec_description description = {
		.plan = plan, .command = command, .recorder = argv, .machines = machines
	};
	int status;

	if (plan->agents->len)
		g_ptr_array_add(machines, plan->here);
	if (!rec_describe(&description, folder, &error)) {
		say(error->message);
		return STATUS_USAGE;
	}
	if (!rec_session_run(plan, folder, argv, &result, &error)) {
		rec_folder_discard(folder);
		return refuse(error);
	}
	other_calls = rec_calls_read(plan);
	for (guint i = 0; i < machines->len; i++) {
		rec_join_end(folder, machines->pdata[i]);
		rec_restore(folder, machines->pdata[i]);
	}
	for (guint i = 0; i < machines->len; i++) {
		const struct rec_machine *machine = machines->pdata[i];
		struct rec_verdict *its = rec_judge(plan, machine, folder);

		g_ptr_array_add(verdicts, its);
		if (machine->transport != REC_HERE && !is_there(folder, machine))
			explain_absence(plan, &result, machine, its);
	}
	/* the host's recording is optional */
	if (plan->agents->len)
		g_ptr_array_set_size(machines, (gint)machines->len - 1);
	verdict = judge_all(plan, &result, machines, verdicts, &status);
	if (result.status && !result.killed)
		show_log(result.log);
	say_clash(plan, verdicts);
	if (plan->agents->len)
		g_ptr_array_add(machines, plan->here);
	if (result.command_status)
		status = result.command_status;
	description.verdicts = verdicts;
	description.result = &result;
	description.other_calls = other_calls;
	description.status = status;
	description.verdict = verdict;
	if (result.metrics && result.metrics_whole && !plan->options->quiet) {
		g_autofree char *line = g_strconcat("metrics: ", result.metrics, NULL);

		say(line);
	}
	say(verdict);
	if (nothing_there(folder, machines))
		rec_folder_discard(folder);
	else if (!rec_describe(&description, folder, &error))
		say(error->message);
	rec_folder_own(folder);
	rec_session_clear(&result);
	return status;
}

static int record_flight(const struct rec_plan *plan, char *const *command, const char *folder)
{
	g_autoptr(GError) error = NULL;
	struct rec_flight_result result;

	if (!rec_flight_run(plan, command, folder, &result, &error)) {
		rec_folder_discard(folder);
		return refuse(error);
	}
	if (!result.n_dumps) {
		rec_folder_discard(folder);
		say("nothing was dumped, and so nothing was recorded");
	}
	if (result.command_status)
		return result.command_status;
	return !result.n_dumps ? STATUS_NOTHING : result.n_failed ? STATUS_DOUBTFUL : 0;
}

static void become_user(gpointer data)
{
	(void)data;
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	if (!rec_become_user())
		_exit(126);
}

/* As the caller of sudo: a browser does not run as root. */
static void view(const struct rec_options *options, const char *folder)
{
	g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *dir = g_path_get_dirname(self ? self : ".");
	g_autofree char *program = g_build_filename(dir, "iotrace-analyze", NULL);
	g_autoptr(GPtrArray) argv = g_ptr_array_new();

	g_ptr_array_add(argv, program);
	g_ptr_array_add(argv, (gpointer) "view");
	for (guint i = 0; options->models && options->models[i]; i++) {
		g_ptr_array_add(argv, (gpointer) "-m");
		g_ptr_array_add(argv, options->models[i]);
	}
	g_ptr_array_add(argv, (gpointer)folder);
	g_ptr_array_add(argv, NULL);
	if (!g_spawn_sync(NULL, (char **)argv->pdata, NULL, G_SPAWN_CHILD_INHERITS_STDIN,
			  become_user, NULL, NULL, NULL, NULL, NULL))
		say("iotrace-analyze cannot be started");
}

static int print_dry_run(const struct rec_plan *plan)
{
	const char *folder = plan->options->folder ? plan->options->folder : "FOLDER";
	g_auto(GStrv) argv = rec_plan_record(plan, folder);
	g_autofree char *text = rec_plan_text(argv);
	g_autoptr(GError) error = NULL;

	if (!rec_probes_spared(plan, &error))
		return refuse(error);
	if (plan->wanted->probes->len && !plan->options->quiet)
		say("note: this command records all processes, and no paths: for these "
		    "iotrace-record "
		    "makes events, which it removes afterwards");
	puts(text);
	return 0;
}

/* A machine without a single event to record. */
static gboolean check_events(const struct rec_plan *plan, GError **error)
{
	g_autoptr(GPtrArray) machines = rec_plan_machines(plan);

	for (guint i = 0; i < machines->len; i++) {
		const struct rec_machine *machine = machines->pdata[i];
		g_autoptr(GPtrArray) names = rec_wanted_on(plan->wanted, machine);

		if (!names->len)
			return iot_usage_error(
				error,
				"%s has none of the wanted events: load the modules there "
				"first, and check with iotrace-record --check",
				machine->given);
	}
	return TRUE;
}

static void warn_of_top_buffer(const struct rec_plan *plan)
{
	if (plan->agents->len && !plan->options->quiet)
		say("note: the top trace buffer of this machine and of each agent is used: its "
		    "events, filters and "
		    "contents are lost");
}

/* --check, and the check before a recording. 0: go on. */
static int check(const struct rec_plan *plan)
{
	g_autoptr(GError) error = NULL;
	struct rec_report *report;
	int status;

	warn_of_top_buffer(plan);
	report = rec_check(plan, plan->options->folder, &error);
	if (!report)
		return refuse(error);
	if (plan->options->check)
		fputs(report->table->str, stdout);
	fflush(stdout);
	for (guint i = 0; i < report->warnings->len && !plan->options->quiet; i++) {
		g_autofree char *line = g_strconcat("warning: ", report->warnings->pdata[i], NULL);

		say(line);
	}
	for (guint i = 0; i < report->problems->len; i++)
		say(report->problems->pdata[i]);
	status = report->problems->len ? STATUS_USAGE : 0;
	rec_report_free(report);
	return status;
}

/* Everything that may still refuse the recording; then record. */
static int record_in(const struct rec_plan *plan, char *const *command, const char *folder)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *note = NULL;
	int status = 0;

	if (plan->options->no_check)
		warn_of_top_buffer(plan);
	else
		status = check(plan);
	if (!status && plan->options->command)
		*plan->command = rec_command_hold(plan->options->command);
	if (!status && (!check_events(plan, &error) || !rec_module_filter_set(plan, &error) ||
			(!plan->agents->len &&
			 (!rec_local_instance(plan->instance, &error) ||
			  !rec_tasks_choose(plan, &note, &error) ||
			  !rec_probes_start(plan, &error) || !rec_calls_start(plan, &error)))))
		status = refuse(error);
	if (note && !plan->options->quiet)
		say(note);
	if (status)
		rec_folder_discard(folder);
	else
		status = plan->options->flight_ns ? record_flight(plan, command, folder)
						  : record(plan, command, folder);
	rec_command_cancel(plan->command);
	return status;
}

static int run_marked(const struct rec_plan *plan, char *const *command)
{
	const struct rec_options *options = plan->options;
	g_autoptr(GError) error = NULL;
	g_autofree char *folder = NULL;
	int status;

	if (options->check)
		return check(plan);
	if (options->command) {
		status = rec_command_check(options->command, &error);
		if (status) {
			refuse(error);
			return status;
		}
	}
	folder = rec_folder_make(options->folder, &error);
	if (!folder)
		return refuse(error);
	status = record_in(plan, command, folder);
	if (options->view && g_file_test(folder, G_FILE_TEST_IS_DIR))
		view(options, folder);
	return status;
}

/* With a mark that lets the next start clean up. */
static int run_plan(struct rec_plan *plan, char *const *command)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *note = NULL, *without = NULL;
	int status;
	guint n;

	if (plan->options->dry_run)
		return print_dry_run(plan);
	if (!rec_module_filter_check(plan, &error) || !rec_probes_check(plan, &without, &error) ||
	    !rec_mark_recover(plan->agents->len > 0, &note, &error))
		return refuse(error);
	if (note && !plan->options->quiet)
		say(note);
	if (without && !plan->options->quiet)
		say(without);
	plan->mark = rec_mark_new(plan->agents->len ? NULL : plan->instance, &error);
	if (!plan->mark)
		return refuse(error);
	status = rec_probes_make(plan, &error) ? run_marked(plan, command) : refuse(error);
	n = rec_mark_undo(plan->mark);
	if (n) {
		g_autofree char *line = g_strdup_printf(
			"%u settings of tracing on this machine could not be restored; see %s", n,
			"/sys/kernel/tracing");

		say(line);
	}
	return status;
}

static gboolean add_dump_event(struct rec_wanted *wanted, const char *condition, GError **error)
{
	g_autofree char *name = rec_ring_event_of(condition);

	return rec_wanted_add(wanted, name) ||
	       iot_usage_error(error,
			       "--dump-on \"%s\" is not SYSTEM:EVENT or SYSTEM:EVENT if FILTER",
			       condition);
}

static int run(const struct rec_options *options, char *const *command)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *note = NULL, *instance = g_strdup_printf("iotrace_%d", (int)getpid());
	struct rec_command held = { 0, -1 };
	struct rec_plan plan = { .options = options, .instance = instance, .command = &held };
	g_autofree char *place = rec_folder_place(options->folder);
	struct rec_wanted *wanted = NULL;
	int status = STATUS_USAGE;

	rec_command_private();
	plan.here = rec_machine_here();
	plan.agents = rec_machines_find(options->agents, &note, &error);
	if (plan.agents && rec_machines_map(plan.agents, options->maps, &error))
		wanted = rec_wanted_new(options->models, options->events, instance, &error);
	if (note && !options->quiet)
		say(note);
	if (wanted && (!options->dump_on || add_dump_event(wanted, options->dump_on, &error)) &&
	    (options->dry_run || rec_local_open(&error)) &&
	    rec_wanted_filter(wanted, options->pids, options->lockspaces, plan.agents, &error) &&
	    (!options->pids || plan.agents->len || rec_local_pids(&error))) {
		plan.wanted = wanted;
		plan.buffer_kb =
			options->buffer_kb ? options->buffer_kb : rec_local_buffer_kb(place);
		rec_local_formats(plan.here, wanted);
		status = run_plan(&plan, command);
	}
	if (error)
		refuse(error);
	rec_wanted_free(wanted);
	rec_machine_free(plan.here);
	if (plan.agents)
		g_ptr_array_unref(plan.agents);
	return status;
}

/* Without any rights: what a command does to files. */
static int run_preload(const struct rec_options *options)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *folder = NULL;
	struct rec_preload_result result;
	int status = rec_command_check(options->command, &error);

	if (status) {
		refuse(error);
		return status;
	}
	rec_command_private();
	folder = rec_folder_make(options->folder, &error);
	if (!folder)
		return refuse(error);
	if (!options->preload && !options->quiet)
		say("note: without root, only what the command does to files is recorded");
	rec_status_begin(options, folder);
	if (!rec_preload_run(options, folder, &result, &error)) {
		rec_folder_discard(folder);
		return refuse(error);
	}
	if (!result.recorded) {
		rec_folder_discard(folder);
		say("nothing was recorded: the command is a static or setuid program, or no space "
		    "is left");
	} else if (result.n_lost) {
		g_autofree char *line = g_strdup_printf(
			"%" G_GUINT64_FORMAT " calls were lost: there was no space for them",
			result.n_lost);

		say(line);
	} else {
		say("complete");
	}
	rec_folder_own(folder);
	if (options->view && result.recorded)
		view(options, folder);
	return result.command_status ? result.command_status
	       : !result.recorded    ? STATUS_NOTHING
	       : result.n_lost	     ? STATUS_DOUBTFUL
				     : 0;
}

static int ask_flight(const struct rec_options *options)
{
	g_autoptr(GError) error = NULL;

	return rec_flight_ask(options->limit_ns, &error) ? 0 : refuse(error);
}

static int sample_only(const struct rec_options *options)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *sentence = NULL;
	gboolean whole;

	if (!rec_metrics_alone(options, &sentence, &whole, &error))
		return refuse(error);
	say(sentence);
	return whole ? 0 : STATUS_DOUBTFUL;
}

static int print(const struct rec_options *options)
{
	rec_options_print(options, stdout);
	return fflush(stdout) || ferror(stdout) ? STATUS_NOTHING : 0;
}

int main(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	struct rec_options options;
	int status;

	(void)argc;
	signal(SIGPIPE, SIG_IGN);
	if (!rec_options_parse(&options, (const char *const *)argv, &error))
		status = refuse(error);
	else if (options.action)
		status = print(&options);
	else if (options.dump)
		status = ask_flight(&options);
	else if (options.metrics_only)
		status = sample_only(&options);
	else if (rec_preload_is_wanted(&options))
		status = run_preload(&options);
	else
		status = run(&options, argv);
	rec_options_clear(&options);
	return status;
}
