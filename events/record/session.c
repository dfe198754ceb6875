/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session.h"
#include "command.h"
#include "local.h"
#include "metrics.h"
#include "record-folder.h"
#include "recorder.h"
#include "restore.h"
#include "status-line.h"
#include "base/error.h"
#include "base/units.h"

#include <glib-unix.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

enum { TICK_MS = 250, MARK_US = 10000000 };

/* apart from the data, each file has the formats of all events and the symbols of the kernel */
static const guint64 metadata_bytes = 16 << 20;

/* trace-cmd before 3.3.1 has an int for the size of a raw file that it compresses. What may still come after the last
 * look at its size: the contents of the ring buffer, and a tick's data. */
static const guint64 most_compressed = G_MAXINT32, tick_bytes = 128 << 20;

struct session {
	const struct rec_plan *plan;
	const char *folder;
	GPtrArray *machines;
	struct rec_recorder *recorder;
	struct rec_session_result *result;
	GMainLoop *loop;
	gint64 started_us, begun_us; /* 0: not yet */
	gint64 marked_us;	     /* the clocks were written into the trace */
	gboolean int_sizes;	     /* trace-cmd compresses less than most_compressed of a processor */
	GPid command;		     /* 0: none runs */
	struct rec_metrics *metrics; /* NULL: they are not wanted */
	gboolean stopping;
};

/* By these marks iotrace-analyze places other recordings of this machine. */
static void mark_clocks(struct session *session)
{
	session->marked_us = g_get_monotonic_time();
	rec_local_mark(session->plan->agents->len ? NULL : session->plan->instance);
}

static void stop(struct session *session, const char *reason)
{
	if (session->begun_us && !session->stopping)
		mark_clocks(session);
	rec_metrics_stop(session->metrics);
	if (reason && !session->result->reason)
		session->result->reason = g_strdup(reason);
	for (guint i = 0; i < session->machines->len && !session->stopping; i++)
		rec_join_begin(session->folder, session->machines->pdata[i]);
	session->stopping = TRUE;
	rec_recorder_stop(session->recorder);
}

static void kill_all(struct session *session, const char *reason)
{
	stop(session, reason);
	session->result->killed = TRUE;
	rec_recorder_kill(session->recorder);
}

static gboolean on_signal(struct session *session, int number)
{
	if (session->command && number == SIGTERM)
		kill(session->command, SIGTERM);
	if (session->stopping)
		kill_all(session, "a second signal ended the recording at once");
	else
		stop(session, NULL);
	return G_SOURCE_CONTINUE;
}

static gboolean on_int(gpointer data)
{
	return on_signal(data, SIGINT);
}

static gboolean on_term(gpointer data)
{
	return on_signal(data, SIGTERM);
}

static void command_ended(GPid pid, gint wait_status, gpointer data)
{
	struct session *session = data;

	(void)pid;
	session->command = 0;
	if (!session->stopping || !WIFSIGNALED(wait_status) || WTERMSIG(wait_status) != SIGTERM)
		session->result->command_status = rec_command_status(wait_status);
	stop(session, NULL);
	if (rec_recorder_ended(session->recorder))
		g_main_loop_quit(session->loop);
}

static void start_command(struct session *session)
{
	session->command = rec_command_release(session->plan->command);
	if (session->command) {
		g_child_watch_add(session->command, command_ended, session);
		return;
	}
	session->result->command_status = 126;
	stop(session, "the command could not be started");
}

static void recorder_changed(gpointer data)
{
	struct session *session = data;

	if (rec_recorder_ended(session->recorder)) {
		if (session->result->begin)
			session->result->end = g_date_time_new_now_local();
		session->stopping = TRUE;
		if (session->command)
			kill(session->command, SIGTERM);
		else
			g_main_loop_quit(session->loop);
	} else if (!session->begun_us) {
		session->begun_us = g_get_monotonic_time();
		session->result->recorded = TRUE;
		session->result->begin = g_date_time_new_now_local();
		mark_clocks(session);
		if (session->metrics)
			rec_metrics_start(session->metrics);
		rec_status_begin(session->plan->options, session->folder);
		if (session->plan->options->command && !session->stopping)
			start_command(session);
	}
}

static guint64 raw_bytes(const struct session *session)
{
	guint64 bytes = 0;

	for (guint i = 0; i < session->machines->len; i++)
		bytes += rec_folder_raw(session->folder, session->machines->pdata[i]);
	return bytes;
}

/* A raw file of a machine becomes too large to be compressed. */
static gboolean too_large(const struct session *session)
{
	for (guint i = 0; session->int_sizes && i < session->machines->len; i++) {
		const struct rec_machine *machine = session->machines->pdata[i];
		g_autoptr(GPtrArray) raw = rec_folder_leftovers(session->folder, machine);
		guint64 coming = ((guint64)rec_plan_buffer_kb(session->plan, machine) << 10) + tick_bytes;

		if (rec_folder_largest(raw) + coming > most_compressed)
			return TRUE;
	}
	return FALSE;
}

static void end_early(struct session *session, const char *reason)
{
	session->result->early = TRUE;
	stop(session, reason);
}

/* Ring buffers are written when the recording ends, and once more when the files are joined. */
static void check_limits(struct session *session, gint64 elapsed_us)
{
	const struct rec_options *options = session->plan->options;
	guint64 raw = raw_bytes(session), left = rec_folder_free(session->folder);

	if (options->for_ns && (guint64)elapsed_us >= options->for_ns / 1000) {
		stop(session, NULL);
	} else if (options->size && raw >= options->size) {
		stop(session, "the size of --size was reached");
	} else if (too_large(session)) {
		end_early(session,
			  "the recording was ended because trace-cmd before 3.3.1 spoils compressed data of "
			  "more than 2 GiB of a processor: record with --uncompressed, or a later version");
	} else if (left < raw + 2 * rec_plan_buffers(session->plan) +
				  metadata_bytes * session->machines->len) {
		g_autofree char *size = iot_format_size(left);
		g_autofree char *reason = g_strdup_printf(
			"the recording was ended because only %s are free in %s, which joining the "
			"files needs",
			size, session->folder);

		end_early(session, reason);
	}
}

static gboolean on_tick(gpointer data)
{
	struct session *session = data;
	gint64 now = g_get_monotonic_time();

	if (session->begun_us && !session->stopping) {
		if (now - session->marked_us >= MARK_US)
			mark_clocks(session);
		check_limits(session, now - session->begun_us);
		rec_status_draw(session->plan->options, session->folder, session->machines,
				&(struct rec_status){ now - session->begun_us,
						      rec_recorder_pid(session->recorder) });
	} else if (!session->begun_us &&
		   (guint64)(now - session->started_us) > session->plan->options->limit_ns / 1000) {
		kill_all(session,
			 "the machines did not begin to record within the time of --limit");
	}
	return G_SOURCE_CONTINUE;
}

/* An impatient user signals once more: nothing may be left behind all the same. */
static void ignore_signals(guint *sources)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	sigset_t set;

	sigemptyset(&set);
	for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
		sigaddset(&set, numbers[i]);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	for (guint i = 0; i < G_N_ELEMENTS(numbers); i++) {
		g_source_remove(sources[i]);
		signal(numbers[i], SIG_IGN);
	}
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

/* Beside the recording of this machine. */
static gboolean open_metrics(struct session *session, GError **error)
{
	g_autofree char *path = g_build_filename(session->folder, REC_METRICS_FILE, NULL);

	if (!session->plan->options->metrics)
		return TRUE;
	session->metrics = rec_metrics_open(path, session->plan->here->file, NULL, error);
	return session->metrics != NULL;
}

gboolean rec_session_run(const struct rec_plan *plan, const char *folder, char **argv,
			 struct rec_session_result *out, GError **error)
{
	struct session session = { .plan = plan, .folder = folder, .result = out };
	guint sources[4];

	memset(out, 0, sizeof(*out));
	session.started_us = g_get_monotonic_time();
	session.int_sizes = !plan->options->uncompressed && rec_local_trace_cmd_before(3, 3, 1);
	if (!open_metrics(&session, error))
		return FALSE;
	session.recorder = rec_recorder_start(argv, recorder_changed, &session, error);
	if (!session.recorder) {
		g_free(rec_metrics_close(session.metrics, NULL));
		return FALSE;
	}
	session.machines = rec_plan_machines(plan);
	if (plan->agents->len)
		g_ptr_array_add(session.machines, plan->here);
	session.loop = g_main_loop_new(NULL, FALSE);
	sources[0] = g_unix_signal_add(SIGINT, on_int, &session);
	sources[1] = g_unix_signal_add(SIGTERM, on_term, &session);
	sources[2] = g_unix_signal_add(SIGHUP, on_term, &session);
	sources[3] = g_timeout_add(TICK_MS, on_tick, &session);
	g_main_loop_run(session.loop);
	ignore_signals(sources);
	g_source_remove(sources[3]);
	rec_status_clear(plan->options);
	out->metrics_whole = TRUE;
	out->metrics = rec_metrics_close(session.metrics, &out->metrics_whole);
	out->status = rec_recorder_status(session.recorder);
	out->log = g_strdup(rec_recorder_log(session.recorder));
	rec_recorder_free(session.recorder);
	g_main_loop_unref(session.loop);
	g_ptr_array_unref(session.machines);
	return TRUE;
}

void rec_session_clear(struct rec_session_result *result)
{
	g_clear_pointer(&result->reason, g_free);
	g_clear_pointer(&result->log, g_free);
	g_clear_pointer(&result->metrics, g_free);
	g_clear_pointer(&result->begin, g_date_time_unref);
	g_clear_pointer(&result->end, g_date_time_unref);
}
