/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trial.h"
#include "agent.h"
#include "judge.h"
#include "local.h"
#include "record-folder.h"
#include "recorder.h"
#include "base/error.h"
#include "input/dat/dat-open.h"
#include "input/source.h"

#include <event-parse.h>
#include <glib-unix.h>
#include <signal.h>
#include <string.h>

enum { KVM_TRIALS = 3, MAX_WORDS = 120 };

struct attempt {
	struct rec_recorder *recorder;
	GMainLoop *loop;
	gboolean late, interrupted;
};

/* How an attempt ended. */
struct outcome {
	gboolean good, late;
	char *log; /* trace-cmd's output; may be NULL */
};

static void finding_clear(struct rec_finding *finding)
{
	g_free(finding->host);
	g_free(finding->kernel);
	g_free(finding->clock);
	g_free(finding->protocol);
	g_free(finding->problem);
	memset(finding, 0, sizeof(*finding));
}

static void finding_free(gpointer data)
{
	finding_clear(data);
	g_free(data);
}

static void changed(gpointer data)
{
	struct attempt *attempt = data;

	if (rec_recorder_ended(attempt->recorder))
		g_main_loop_quit(attempt->loop);
	else
		rec_recorder_stop(attempt->recorder);
}

static gboolean too_late(gpointer data)
{
	struct attempt *attempt = data;

	attempt->late = TRUE;
	rec_recorder_kill(attempt->recorder);
	return G_SOURCE_CONTINUE;
}

static gboolean interrupt(gpointer data)
{
	struct attempt *attempt = data;

	if (attempt->interrupted)
		rec_recorder_kill(attempt->recorder);
	attempt->interrupted = TRUE;
	rec_recorder_stop(attempt->recorder);
	return G_SOURCE_CONTINUE;
}

/* Record on some agents until all record, within the time limit. FALSE and an error if trace-cmd
 * cannot be started, or the user interrupted. */
static gboolean attempt_run(const struct rec_plan *plan, const char *folder,
			    const GPtrArray *agents, struct outcome *out, GError **error)
{
	g_auto(GStrv) argv = rec_plan_trial(plan, folder, agents);
	struct attempt attempt = { 0 };
	guint sources[3];

	attempt.recorder = rec_recorder_start(argv, changed, &attempt, error);
	if (!attempt.recorder)
		return FALSE;
	attempt.loop = g_main_loop_new(NULL, FALSE);
	sources[0] = g_timeout_add((guint)(plan->options->limit_ns / 1000000), too_late, &attempt);
	sources[1] = g_unix_signal_add(SIGINT, interrupt, &attempt);
	sources[2] = g_unix_signal_add(SIGTERM, interrupt, &attempt);
	g_main_loop_run(attempt.loop);
	for (guint i = 0; i < G_N_ELEMENTS(sources); i++)
		g_source_remove(sources[i]);
	g_main_loop_unref(attempt.loop);
	out->late = attempt.late;
	out->good = rec_recorder_records(attempt.recorder) &&
		    rec_recorder_status(attempt.recorder) == 0;
	out->log = g_strdup(rec_recorder_log(attempt.recorder));
	rec_recorder_free(attempt.recorder);
	return !attempt.interrupted ||
	       iot_usage_error(error, "interrupted during the check; nothing was recorded");
}

static void read_formats(const struct rec_plan *plan, struct rec_machine *machine,
			 const struct iot_dat_file *file)
{
	tep_free(machine->tep);
	machine->tep = tep_alloc();
	for (guint i = 0; i < file->formats->len; i++) {
		const struct iot_dat_format *format =
			&g_array_index(file->formats, struct iot_dat_format, i);
		g_autofree char *name = g_strconcat(format->system, ":", format->name, NULL);

		if (rec_wanted_has(plan->wanted, name))
			tep_parse_event(machine->tep, format->text, format->len, format->system);
	}
}

static void read_file(const struct rec_plan *plan, struct rec_machine *machine, const char *folder,
		      struct rec_finding *finding)
{
	g_autofree char *path = g_build_filename(folder, machine->file, NULL);
	const struct iot_input_spec spec = { .path = path };
	g_autoptr(iot_dat_file) file = iot_dat_file_open(path, NULL);
	struct iot_source *source = file ? iot_source_open("dat", &spec, NULL) : NULL;
	struct iot_input_info info = { 0 };

	if (!source)
		return;
	source->ops->describe(source, &info);
	finding->recorded = TRUE;
	finding->host = g_strdup(info.hostname);
	finding->kernel = g_strdup(info.kernel);
	finding->clock = g_strdup(info.clock);
	finding->n_cpus = machine->n_cpus = info.n_cpus;
	finding->n_samples = info.n_samples;
	read_formats(plan, machine, file);
	source->ops->close(source);
}

/* The last line of trace-cmd's output, without control characters. */
static char *last_words(const char *log)
{
	g_autofree char *text = g_strchomp(g_strdup(log));
	const char *line = strrchr(text, '\n');
	char *words = g_strndup(line ? line + 1 : text, MAX_WORDS);

	for (char *c = words; *c; c++)
		if (!g_ascii_isprint(*c))
			*c = '?';
	return g_strstrip(words);
}

static char *describe_problem(const struct rec_machine *machine, const struct outcome *outcome)
{
	enum rec_agent state = rec_agent_probe(machine);
	g_autofree char *words = last_words(outcome->log), *advice = NULL;

	/* later versions do not wait until small messages become large ones (TCP_NODELAY) */
	if (state == REC_AGENT_ANSWERS && outcome->late && machine->transport == REC_TCP &&
	    rec_local_trace_cmd_before(3, 3, 0))
		return g_strdup("recording did not begin in time: restart its agent; over TCP set "
				"quick ACKs on both machines (ip route change NETWORK dev DEVICE "
				"quickack 1), or use trace-cmd 3.3 there and here");
	if (state == REC_AGENT_ANSWERS && outcome->late)
		return g_strdup("recording did not begin in time: restart its agent, or give more "
				"time with --limit");
	advice = rec_agent_advice(machine, state);
	return state == REC_AGENT_ANSWERS && *words
		       ? g_strdup_printf("%s; trace-cmd said: %s", advice, words)
		       : g_steal_pointer(&advice);
}

/* Try @agents together; FALSE if some do not record, or with @error set. */
static gboolean try_agents(const struct rec_plan *plan, const GPtrArray *agents,
			   GPtrArray *findings, struct outcome *out, GError **error)
{
	g_autofree char *folder = g_dir_make_tmp("iotrace-check-XXXXXX", error);
	gboolean good = FALSE;

	*out = (struct outcome){ 0 };
	if (!folder)
		return FALSE;
	good = attempt_run(plan, folder, agents, out, error) && out->good;
	for (guint i = 0; good && i < agents->len; i++) {
		struct rec_finding *finding = findings->pdata[i];

		finding_clear(finding);
		read_file(plan, agents->pdata[i], folder, finding);
		finding->protocol = rec_plan_protocol(agents->pdata[i], out->log);
		good = finding->recorded;
	}
	rec_folder_discard(folder);
	return good;
}

/* Each agent alone: those that fail get a problem. */
static gboolean try_each(const struct rec_plan *plan, GPtrArray *findings, GError **error)
{
	for (guint i = 0; i < plan->agents->len; i++) {
		struct rec_machine *machine = plan->agents->pdata[i];
		struct rec_finding *finding = findings->pdata[i];
		g_autoptr(GPtrArray) one = g_ptr_array_new();
		g_autoptr(GPtrArray) its = g_ptr_array_new();
		g_autoptr(GError) failed = NULL;
		struct outcome outcome;

		g_ptr_array_add(one, machine);
		g_ptr_array_add(its, finding);
		if (!try_agents(plan, one, its, &outcome, &failed) && !failed)
			finding->problem = describe_problem(machine, &outcome);
		g_free(outcome.log);
		if (failed) {
			g_propagate_error(error, g_steal_pointer(&failed));
			return FALSE;
		}
	}
	return TRUE;
}

/* This host offers KVM's synchronisation, and a guest did not take it. */
static gboolean missed_kvm(const struct rec_plan *plan, const GPtrArray *findings)
{
	gboolean offered = g_file_test("/sys/kernel/debug/kvm", G_FILE_TEST_IS_DIR);

	for (guint i = 0; i < plan->agents->len; i++) {
		const struct rec_machine *machine = plan->agents->pdata[i];
		const struct rec_finding *finding = findings->pdata[i];

		if (offered && machine->transport == REC_VSOCK &&
		    !g_strcmp0(finding->protocol, "ptp"))
			return TRUE;
	}
	return FALSE;
}

GPtrArray *rec_trial_run(const struct rec_plan *plan, GError **error)
{
	g_autoptr(GPtrArray) findings = g_ptr_array_new_with_free_func(finding_free);
	g_autoptr(GError) failed = NULL;

	for (guint i = 0; i < plan->agents->len; i++)
		g_ptr_array_add(findings, g_new0(struct rec_finding, 1));
	for (guint i = 0; i == 0 || (i < KVM_TRIALS && missed_kvm(plan, findings)); i++) {
		struct outcome outcome;
		gboolean good = try_agents(plan, plan->agents, findings, &outcome, &failed);

		g_free(outcome.log);
		if (good)
			continue;
		if (failed || !try_each(plan, findings, &failed)) {
			g_propagate_error(error, g_steal_pointer(&failed));
			return NULL;
		}
		break;
	}
	return g_steal_pointer(&findings);
}

/* How often a recording without an event is tried. */
enum { TRIALS_HERE = 3 };

char *rec_trial_here(const struct rec_plan *plan, GError **error)
{
	g_autofree char *folder = g_dir_make_tmp("iotrace-check-XXXXXX", error);
	g_autoptr(GPtrArray) none = g_ptr_array_new();
	struct outcome outcome = { 0 };
	gboolean again;
	char *problem = NULL;

	if (!folder)
		return NULL;
	/* on a quiet machine nothing else may run in that moment */
	for (guint i = 0; i < TRIALS_HERE && attempt_run(plan, folder, none, &outcome, error);
	     i++) {
		g_autofree char *words = last_words(outcome.log);
		struct rec_verdict *verdict = rec_judge(plan, plan->here, folder);

		if (outcome.late)
			problem = g_strdup("a trial recording did not begin in time");
		else if (!outcome.good)
			problem = g_strdup_printf("trace-cmd does not record here; it said: %s",
						  words);
		else if (!verdict->n_events)
			problem = g_strdup_printf("a trial recording has no event: %s",
						  verdict->sentence);
		again = outcome.good && !outcome.late && !verdict->n_events && i + 1 < TRIALS_HERE;
		rec_verdict_free(verdict);
		if (!again)
			break;
		g_clear_pointer(&problem, g_free);
		g_free(outcome.log);
		outcome = (struct outcome){ 0 };
	}
	g_free(outcome.log);
	rec_folder_discard(folder);
	return problem;
}
