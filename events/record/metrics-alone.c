/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "metrics-alone.h"
#include "local.h"
#include "metrics.h"
#include "record-folder.h"

#include <glib-unix.h>
#include <signal.h>
#include <stdio.h>
#include <tracefs.h>

enum { LOOK_MS = 1000, MARK_US = 10000000 };

struct alone {
	struct rec_metrics *metrics;
	GMainLoop *loop;
	gint64 marked_us;
};

/* An agent records into the top buffer. */
static void mark(struct alone *alone)
{
	alone->marked_us = g_get_monotonic_time();
	if (tracefs_tracing_dir())
		rec_local_mark(NULL);
}

static gboolean end(gpointer data)
{
	g_main_loop_quit(((struct alone *)data)->loop);
	return G_SOURCE_CONTINUE;
}

static gboolean look(gpointer data)
{
	struct alone *alone = data;

	if (g_get_monotonic_time() - alone->marked_us >= MARK_US)
		mark(alone);
	return rec_metrics_failed(alone->metrics) ? end(alone) : G_SOURCE_CONTINUE;
}

static void run(const struct rec_options *options, struct rec_metrics *metrics)
{
	struct alone alone = { metrics, g_main_loop_new(NULL, FALSE), 0 };
	guint64 ms = MIN((options->for_ns + 999999) / 1000000, G_MAXUINT);
	guint sources[] = { g_unix_signal_add(SIGINT, end, &alone),
			    g_unix_signal_add(SIGTERM, end, &alone),
			    g_unix_signal_add(SIGHUP, end, &alone),
			    g_timeout_add(LOOK_MS, look, &alone),
			    ms ? g_timeout_add((guint)ms, end, &alone) : 0 };

	mark(&alone);
	rec_metrics_start(metrics);
	g_main_loop_run(alone.loop);
	rec_metrics_stop(metrics);
	mark(&alone);
	for (guint i = 0; i < G_N_ELEMENTS(sources); i++)
		if (sources[i])
			g_source_remove(sources[i]);
	g_main_loop_unref(alone.loop);
}

gboolean rec_metrics_alone(const struct rec_options *options, char **out_sentence,
			   gboolean *out_whole, GError **error)
{
	g_autofree char *folder = rec_folder_make(options->folder, error);
	g_autofree char *host = g_strdup(g_get_host_name());
	g_autofree char *name = NULL, *path = NULL, *verdict = NULL;
	struct rec_metrics *metrics;

	if (!folder)
		return FALSE;
	/* only letters that no file system cares about */
	g_strcanon(host, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_.-", '_');
	name = g_strdup_printf("metrics-%s.txt", host);
	path = g_build_filename(folder, name, NULL);
	metrics = rec_metrics_open(path, NULL, NULL, error);
	if (!metrics) {
		rec_folder_discard(folder);
		return FALSE;
	}
	if (!options->quiet)
		fprintf(stderr, "iotrace-record: sampling into %s; Ctrl-C ends%s\n", path,
			options->for_ns ? " earlier" : "");
	run(options, metrics);
	verdict = rec_metrics_close(metrics, out_whole);
	*out_sentence = g_strconcat(path, ": ", verdict, NULL);
	rec_folder_own(folder);
	return TRUE;
}
