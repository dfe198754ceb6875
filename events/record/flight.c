/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "flight.h"
#include "command.h"
#include "flight-dump.h"
#include "local.h"
#include "mark.h"
#include "base/error.h"
#include "base/units.h"

#include <glib-unix.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The ring is measured once a second; whether an event has stopped it is asked more often. */
enum { TICK_MS = 250, TICKS_PER_MEASURE = 4, STEP_MS = 20 };

/* Between two marks of the clocks: a quarter of the ring's time, within these limits. */
enum { MARK_LEAST_US = 1000000, MARK_MOST_US = 10000000 };

struct flight {
	const struct rec_plan *plan;
	char *const *command_line;
	const char *folder;
	struct rec_ring *ring;
	struct rec_flight_result *result;
	GMainLoop *loop;
	GDateTime *begin;
	gint64 begun_us;
	gint64 marked_us;   /* the clocks were written into the ring */
	guint64 ring_since; /* trace clock, ns: since the start, or since the last dump */
	guint n_ticks, n_events;
	gboolean drawn;
	GPid command; /* 0: none runs */
};

static const struct rec_options *options_of(const struct flight *flight)
{
	return flight->plan->options;
}

static void clear_line(struct flight *flight)
{
	if (flight->drawn)
		fprintf(stderr, "\r\033[K");
	flight->drawn = FALSE;
}

static void say(struct flight *flight, const char *text)
{
	clear_line(flight);
	fprintf(stderr, "iotrace-record: %s\n", text);
}

/* By marks of the clocks iotrace-analyze places other recordings of this machine, so the ring has
 * several of them, however short it is. */
static void mark_clocks(struct flight *flight)
{
	flight->marked_us = g_get_monotonic_time();
	rec_local_mark(flight->plan->instance);
}

static void mark_in_time(struct flight *flight)
{
	gint64 every_us =
		CLAMP((gint64)(options_of(flight)->flight_ns / 4000), MARK_LEAST_US, MARK_MOST_US);

	if (g_get_monotonic_time() - flight->marked_us >= every_us)
		mark_clocks(flight);
}

static void dump(struct flight *flight, const char *reason)
{
	struct rec_flight_result *result = flight->result;
	const struct rec_dump_order order = { .plan = flight->plan,
					      .ring = flight->ring,
					      .command = flight->command_line,
					      .folder = flight->folder,
					      .number = result->n_dumps + result->n_failed + 1,
					      .reason = reason,
					      .begin = flight->begin };
	g_autofree char *verdict = NULL, *text = NULL, *last = NULL, *folder = NULL;
	g_autoptr(GError) error = NULL;

	if (rec_ring_is_on(flight->ring)) /* else they would not be in it */
		mark_clocks(flight);
	folder = rec_dump_make(&order, &verdict, &error);
	if (folder) {
		result->n_dumps++;
		flight->ring_since = rec_ring_clock();
		last = g_canonicalize_filename(folder, NULL);
		text = g_strdup_printf("%s: %s (%s)", folder, verdict, reason);
	} else {
		result->n_failed++;
		last = g_strconcat("!", error->message, NULL);
		text = g_strdup_printf("no dump (%s): %s", reason, error->message);
	}
	say(flight, text);
	rec_mark_flight(flight->plan->mark, result->n_dumps + result->n_failed, last);
}

/* An event of --dump-on stops the ring. */
static void dump_if_frozen(struct flight *flight)
{
	const struct rec_options *options = options_of(flight);

	if (!options->dump_on || flight->n_events >= options->max_dumps ||
	    rec_ring_is_on(flight->ring))
		return;
	dump(flight, options->dump_on);
	if (++flight->n_events < options->max_dumps)
		return;
	rec_ring_freeze_never(flight->ring, options->dump_on);
	/* the event may have come once more */
	rec_ring_on(flight->ring);
	say(flight, "--dump-on has made as many dumps as --dumps allows; other dumps still work");
}

static double cpu_seconds(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

static void draw(struct flight *flight)
{
	const struct rec_ring *ring = flight->ring;
	guint64 since = MAX(rec_ring_since(ring), flight->ring_since), size = 0;
	guint64 now = rec_ring_clock();
	g_autofree char *size_text = NULL, *memory = iot_format_size(ring->memory);

	if (options_of(flight)->quiet || !isatty(STDERR_FILENO))
		return;
	for (guint i = 0; i < ring->cpus->len; i++)
		size += g_array_index(ring->cpus, struct rec_ring_cpu, i).size;
	size_text = iot_format_size(size);
	fprintf(stderr,
		"\r%" G_GINT64_FORMAT " s   reaches back %.0f s   buffers %s of %s   %u dumps   "
		"processor time %.1f s\033[K",
		(g_get_monotonic_time() - flight->begun_us) / 1000000,
		(double)(now - MIN(since, now)) / 1e9, size_text, memory, flight->result->n_dumps,
		cpu_seconds());
	fflush(stderr);
	flight->drawn = TRUE;
}

static gboolean on_tick(gpointer data)
{
	struct flight *flight = data;
	const struct rec_options *options = options_of(flight);
	guint64 elapsed_us = (guint64)(g_get_monotonic_time() - flight->begun_us);

	dump_if_frozen(flight);
	mark_in_time(flight);
	if (++flight->n_ticks % TICKS_PER_MEASURE == 0) {
		rec_ring_measure(flight->ring);
		rec_ring_resize(flight->ring, options->flight_ns);
		draw(flight);
	}
	if (options->for_ns && elapsed_us >= options->for_ns / 1000)
		g_main_loop_quit(flight->loop);
	return G_SOURCE_CONTINUE;
}

static gboolean on_dump(gpointer data)
{
	dump(data, "SIGUSR1");
	return G_SOURCE_CONTINUE;
}

static gboolean on_end(gpointer data)
{
	struct flight *flight = data;

	if (flight->command)
		kill(flight->command, SIGTERM);
	else
		g_main_loop_quit(flight->loop);
	return G_SOURCE_CONTINUE;
}

static void command_ended(GPid pid, gint wait_status, gpointer data)
{
	struct flight *flight = data;

	(void)pid;
	flight->command = 0;
	flight->result->command_status = rec_command_status(wait_status);
	g_main_loop_quit(flight->loop);
}

static void start_command(struct flight *flight)
{
	flight->command = rec_command_release(flight->plan->command);
	if (flight->command)
		g_child_watch_add(flight->command, command_ended, flight);
	else
		flight->result->command_status = 126;
}

static void run(struct flight *flight)
{
	const struct rec_options *options = options_of(flight);
	guint sources[] = { g_unix_signal_add(SIGUSR1, on_dump, flight),
			    g_unix_signal_add(SIGINT, on_end, flight),
			    g_unix_signal_add(SIGTERM, on_end, flight),
			    g_unix_signal_add(SIGHUP, on_end, flight),
			    g_timeout_add(TICK_MS, on_tick, flight) };

	flight->loop = g_main_loop_new(NULL, FALSE);
	rec_ring_on(flight->ring);
	flight->begun_us = g_get_monotonic_time();
	mark_clocks(flight);
	flight->ring_since = rec_ring_clock();
	rec_mark_flight(flight->plan->mark, 0, "");
	if (!options->quiet)
		say(flight, options->command
				    ? "flight recorder runs; it dumps when the command ends"
				    : "flight recorder runs; iotrace-record --dump writes its "
				      "events, Ctrl-C ends");
	if (options->command)
		start_command(flight);
	if (!options->command || flight->command)
		g_main_loop_run(flight->loop);
	for (guint i = 0; i < G_N_ELEMENTS(sources); i++)
		g_source_remove(sources[i]);
	dump_if_frozen(flight);
	if (options->command)
		dump(flight, "the command ended");
	clear_line(flight);
	g_main_loop_unref(flight->loop);
}

gboolean rec_flight_run(const struct rec_plan *plan, char *const *command, const char *folder,
			struct rec_flight_result *out, GError **error)
{
	const struct rec_options *options = plan->options;
	struct flight flight = {
		.plan = plan, .command_line = command, .folder = folder, .result = out
	};
	guint64 memory = options->memory ? options->memory : rec_local_flight_bytes();

	memset(out, 0, sizeof(*out));
	flight.ring = rec_ring_open(plan->instance, memory, error);
	if (!flight.ring)
		return FALSE;
	if (!rec_ring_enable(flight.ring, plan->wanted, plan->here, error) ||
	    (options->dump_on && !rec_ring_freeze_on(flight.ring, options->dump_on, error))) {
		rec_ring_close(flight.ring);
		return FALSE;
	}
	flight.begin = g_date_time_new_now_local();
	run(&flight);
	rec_ring_close(flight.ring);
	g_date_time_unref(flight.begin);
	return TRUE;
}

/* The flight recorder @pid; NULL: it has ended. */
static const struct rec_mark_flight *find_flight(const GPtrArray *flights, int pid)
{
	for (guint i = 0; i < flights->len; i++)
		if (((struct rec_mark_flight *)flights->pdata[i])->pid == pid)
			return flights->pdata[i];
	return NULL;
}

static gboolean ask(const struct rec_mark_flight *before, guint64 limit_ns, GError **error)
{
	gint64 end = g_get_monotonic_time() + (gint64)(limit_ns / 1000);

	kill(before->pid, SIGUSR1);
	while (g_get_monotonic_time() < end) {
		g_autoptr(GPtrArray) flights = rec_mark_flights();
		const struct rec_mark_flight *flight = find_flight(flights, before->pid);

		if (!flight)
			return iot_usage_error(error, "the flight recorder %d has ended",
					       before->pid);
		if (flight->dumps != before->dumps && *flight->last == '!')
			return iot_usage_error(error, "%s", flight->last + 1);
		if (flight->dumps != before->dumps) {
			puts(flight->last);
			return TRUE;
		}
		g_usleep(STEP_MS * 1000);
	}
	return iot_usage_error(error,
			       "the flight recorder %d has not dumped within the time of --limit",
			       before->pid);
}

gboolean rec_flight_ask(guint64 limit_ns, GError **error)
{
	g_autoptr(GPtrArray) flights = rec_mark_flights();

	for (guint i = 0; i < flights->len; i++)
		if (!ask(flights->pdata[i], limit_ns, error))
			return FALSE;
	return flights->len || iot_usage_error(error,
					       "no flight recorder runs on this machine: "
					       "iotrace-record --flight 30s starts one%s",
					       geteuid() ? "; only root sees it" : "");
}
