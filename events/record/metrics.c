/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "metrics.h"
#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

static const guint64 second = 1000000000;

struct rec_metrics {
	struct rec_lines lines;
	struct rec_proc proc;
	rec_clock_func clock;
	guint timer;   /* source; 0: none */
	guint64 at_ns; /* of the last sample; 0: none */
	guint64 cpu_ns, longest_ns;
	guint n_samples, n_late;
};

static guint64 read_clock(clockid_t clock)
{
	struct timespec ts = { 0 };

	clock_gettime(clock, &ts);
	return (guint64)ts.tv_sec * second + (guint64)ts.tv_nsec;
}

static guint64 monotonic(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

/* Recordings of one host and boot are of one machine. */
static void put_boot(struct rec_lines *lines, const char *root)
{
	g_autofree char *path = g_build_filename(root, "proc/sys/kernel/random/boot_id", NULL);
	g_autofree char *boot = NULL;

	if (g_file_get_contents(path, &boot, NULL, NULL) && *g_strchomp(boot))
		rec_lines_directive(lines, "boot", boot);
}

struct rec_metrics *rec_metrics_open(const char *path, const char *beside,
				     const struct rec_metrics_from *from, GError **error)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	struct rec_metrics *metrics;
	struct utsname name;
	const char *host;

	if (fd < 0) {
		iot_usage_error(error, "the metrics cannot be written to %s: %s", path,
				g_strerror(errno));
		return NULL;
	}
	uname(&name);
	host = from && from->host ? from->host : name.nodename;
	metrics = g_new0(struct rec_metrics, 1);
	metrics->clock = from && from->clock ? from->clock : monotonic;
	rec_lines_init(&metrics->lines, fd);
	rec_lines_directive(&metrics->lines, "iotrace-text", "1");
	rec_lines_directive(&metrics->lines, "hostname", host);
	rec_lines_directive(&metrics->lines, "kernel", name.release);
	put_boot(&metrics->lines, from && from->root ? from->root : "/");
	rec_lines_directive(&metrics->lines, "clock", "mono");
	rec_lines_directive(&metrics->lines, "beside", beside ? beside : host);
	rec_proc_open(&metrics->proc, from && from->root ? from->root : "/", &metrics->lines);
	return metrics;
}

/* The process was stopped, or got no processor: the rates are those of the true time. */
static void note_late(struct rec_metrics *metrics, guint64 now, guint64 passed)
{
	struct rec_lines *lines = &metrics->lines;

	metrics->n_late++;
	metrics->longest_ns = MAX(metrics->longest_ns, passed);
	rec_line_begin(lines, now, 0, "metrics:note");
	rec_line_text(lines, "group", "sampler");
	rec_line_text(lines, "name", "sampler");
	rec_line_text(lines, "what", "late");
	rec_line_number(lines, "lasts", passed);
	rec_line_end(lines);
}

void rec_metrics_sample(struct rec_metrics *metrics)
{
	guint64 cpu = read_clock(CLOCK_THREAD_CPUTIME_ID), now = metrics->clock();

	if (metrics->lines.error)
		return;
	if (metrics->at_ns && now - metrics->at_ns > second + second / 2)
		note_late(metrics, now, now - metrics->at_ns);
	metrics->at_ns = now;
	metrics->n_samples++;
	rec_proc_sample(&metrics->proc, metrics->clock);
	rec_lines_flush(&metrics->lines);
	metrics->cpu_ns += read_clock(CLOCK_THREAD_CPUTIME_ID) - cpu;
}

gboolean rec_metrics_failed(const struct rec_metrics *metrics)
{
	return metrics->lines.error != 0;
}

static gboolean on_second(gpointer data)
{
	rec_metrics_sample(data);
	return G_SOURCE_CONTINUE;
}

void rec_metrics_start(struct rec_metrics *metrics)
{
	rec_metrics_sample(metrics);
	metrics->timer = g_timeout_add(1000, on_second, metrics);
}

void rec_metrics_stop(struct rec_metrics *metrics)
{
	if (!metrics || !metrics->timer)
		return;
	g_source_remove(metrics->timer);
	metrics->timer = 0;
	if (metrics->clock() - metrics->at_ns >= second / 10)
		rec_metrics_sample(metrics);
}

static char *describe(const struct rec_metrics *metrics)
{
	const struct rec_proc *proc = &metrics->proc;
	GString *text = g_string_new(NULL);

	g_string_printf(text, "%u samples, %.2f ms of processor time each", metrics->n_samples,
			(double)metrics->cpu_ns / 1e6 / MAX(metrics->n_samples, 1));
	if (metrics->n_samples < 2)
		g_string_append(text, ": no rates, as these need two");
	if (metrics->lines.error)
		g_string_append_printf(text, "; the later ones could not be written: %s",
				       g_strerror(metrics->lines.error));
	for (guint i = 0, n = 0; i < REC_PROC_FILES; i++)
		if (proc->file[i].error)
			g_string_append_printf(text, "%s/%s (%s)", n++ ? ", " : "; not recorded: ",
					       rec_proc_path(&proc->file[i]),
					       g_strerror(proc->file[i].error));
	if (metrics->n_late)
		g_string_append_printf(text, "; %u came late, by up to %.1f s", metrics->n_late,
				       (double)(metrics->longest_ns - second) / 1e9);
	if (proc->n_unknown)
		g_string_append_printf(text,
				       "; %u times a device was gone or its counters were set back",
				       proc->n_unknown);
	if (proc->n_back)
		g_string_append_printf(
			text, "; %u times the kernel set idle time of a processor back, taken as 0",
			proc->n_back);
	if (proc->n_misread)
		g_string_append_printf(text, "; %u lines of /proc were not understood",
				       proc->n_misread);
	return g_string_free(text, FALSE);
}

char *rec_metrics_close(struct rec_metrics *metrics, gboolean *out_whole)
{
	char *sentence;

	if (!metrics)
		return NULL;
	rec_metrics_stop(metrics);
	rec_lines_close(&metrics->lines);
	sentence = describe(metrics);
	if (out_whole)
		*out_whole = !metrics->lines.error;
	rec_proc_close(&metrics->proc);
	g_free(metrics);
	return sentence;
}
