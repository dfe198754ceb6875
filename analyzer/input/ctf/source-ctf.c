/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The source of CTF 1.8 traces, which LTTng and "perf data convert" write. A recording is a folder:
 * a trace, or a folder of the traces of one machine, such as a session of LTTng. Each data stream,
 * which has the events of one processor, is a run (ctf-run.h).
 */
#include <string.h>
#include <sys/stat.h>

#include "input/clock-judge.h"
#include "input/ctf-folder.h"
#include "input/ctf/ctf-run.h"
#include "input/source.h"
#include "base/error.h"

struct ctf_source {
	struct iot_source base;
	struct iot_ctf_source own;
	struct iot_ctf_run *runs;
	guint n_runs, first_run, input;
	const char **systems; /* names of own.classes */
	char *file_name, *format;
	const char *hostname, *kernel, *clock; /* of the traces */
	gboolean has_times;
	guint64 first_ns, last_ns, bytes;
};

/* ---- files */

static guint64 bytes_of(const char *folder)
{
	GDir *dir = g_dir_open(folder, 0, NULL);
	guint64 bytes = 0;
	const char *name;
	struct stat st;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(folder, name, NULL);

		if (strcmp(name, "metadata") && !stat(path, &st) && S_ISREG(st.st_mode))
			bytes += (guint64)st.st_size;
	}
	if (dir)
		g_dir_close(dir);
	return bytes;
}

/* ---- what the traces say of themselves */

static const char *text_of(const bt_trace *trace, const char *name)
{
	const bt_value *value = bt_trace_borrow_environment_entry_value_by_name_const(trace, name);
	const char *text = value && bt_value_is_string(value) ? bt_value_string_get(value) : NULL;

	return text && *text ? text : NULL;
}

/* LTTng and perf have different names for it. */
static const char *either(const bt_trace *trace, const char *lttng, const char *perf)
{
	const char *text = text_of(trace, lttng);

	return text ? text : text_of(trace, perf);
}

/* Times are dates if the clock has an offset from 1970. */
static const char *clock_name(const bt_clock_class *clock)
{
	const char *name = bt_clock_class_get_name(clock);
	uint64_t cycles;
	int64_t seconds;

	bt_clock_class_get_offset(clock, &seconds, &cycles);
	if (seconds && bt_clock_class_origin_is_unix_epoch(clock))
		return "real";
	return name && *name ? name : "program";
}

/* Traces of two machines are two recordings. */
static gboolean check_host(struct ctf_source *src, const bt_trace *trace, GError **error)
{
	const char *host = either(trace, "hostname", "host");

	if (!src->hostname)
		src->hostname = host;
	if (!host || !strcmp(host, src->hostname))
		return TRUE;
	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
		    "%s has CTF traces of two machines, %s and %s; name the folder of each machine",
		    src->own.path, src->hostname, host);
	return FALSE;
}

static gboolean describe_run(struct ctf_source *src, const struct iot_ctf_run *run, GError **error)
{
	if (!run->trace)
		return TRUE;
	if (!check_host(src, run->trace, error))
		return FALSE;
	if (!src->kernel)
		src->kernel = either(run->trace, "kernel_release", "release");
	if (!src->clock)
		src->clock = clock_name(run->clock);
	if (run->has_events) {
		src->first_ns = src->has_times ? MIN(src->first_ns, run->first_ns) : run->first_ns;
		src->has_times = TRUE;
	}
	return TRUE;
}

static char *describe_format(const struct ctf_source *src)
{
	const char *tracer = NULL;

	for (guint i = 0; i < src->n_runs && !tracer; i++)
		if (src->runs[i].trace)
			tracer = text_of(src->runs[i].trace, "tracer_name");
	return g_strdup_printf("CTF 1.8, %u stream%s%s%s", src->n_runs, src->n_runs == 1 ? "" : "s",
			       tracer ? ", by " : "", tracer ? tracer : "");
}

/* ---- open and close */

static void ctf_close(struct iot_source *base)
{
	struct ctf_source *src = (struct ctf_source *)base;

	if (!src)
		return;
	for (guint i = 0; i < src->n_runs; i++)
		iot_ctf_run_clear(&src->runs[i]);
	iot_ctf_classes_free(src->own.classes);
	iot_ctf_graph_free(src->own.graph);
	iot_clock_clear(&src->own.clock);
	g_free(src->own.path);
	g_free(src->runs);
	g_free(src->systems);
	g_free(src->file_name);
	g_free(src->format);
	g_free(src);
}

static gboolean open_runs(struct ctf_source *src, GError **error)
{
	src->n_runs = iot_ctf_graph_n_streams(src->own.graph);
	src->runs = g_new0(struct iot_ctf_run, src->n_runs);
	for (guint i = 0; i < src->n_runs; i++) {
		src->runs[i].src = &src->own;
		src->runs[i].index = i;
		if (!iot_ctf_run_begin(&src->runs[i], error) ||
		    !describe_run(src, &src->runs[i], error))
			return FALSE;
	}
	return TRUE;
}

static struct iot_source *ctf_open(const struct iot_input_spec *spec, GError **error)
{
	struct ctf_source *src = g_new0(struct ctf_source, 1);
	g_autoptr(GPtrArray) traces = iot_ctf_traces(spec->path);
	g_autofree char *whole = g_canonicalize_filename(spec->path, NULL);

	src->base.ops = &iot_source_ctf;
	src->base.to_ns = G_MAXUINT64;
	src->input = spec->input;
	src->first_run = spec->first_run;
	src->own.path = g_strdup(spec->path);
	src->file_name = g_path_get_basename(whole);
	src->own.classes = iot_ctf_classes_new();
	iot_event_init_gap(&src->own.gap_begin, IOT_EVENT_GAP_BEGIN, spec->input);
	iot_event_init_gap(&src->own.gap_end, IOT_EVENT_GAP_END, spec->input);
	if (!iot_clock_change_is_none(spec->clock))
		iot_clock_change_apply(spec->clock, &src->own.clock);
	src->own.graph = iot_ctf_graph_new(spec->path, traces, error);
	if (!src->own.graph || !open_runs(src, error)) {
		ctf_close(&src->base);
		return NULL;
	}
	for (guint i = 0; i < traces->len; i++)
		src->bytes += bytes_of(traces->pdata[i]);
	src->last_ns = iot_ctf_graph_last_ns(src->own.graph);
	if (src->last_ns)
		src->last_ns = iot_clock_correct(&src->own.clock, 0, src->last_ns);
	src->systems = iot_ctf_classes_systems(src->own.classes);
	src->format = describe_format(src);
	return &src->base;
}

/* ---- bind and read */

static gboolean ctf_has_event(const struct iot_source *base, const char *system, const char *name)
{
	return iot_ctf_classes_have(((const struct ctf_source *)base)->own.classes, system, name);
}

static gboolean ctf_bind(struct iot_source *base, const struct iot_schema *schema, GError **error)
{
	struct ctf_source *src = (struct ctf_source *)base;

	return iot_ctf_classes_bind(src->own.classes, schema, src->input, src->own.path,
				    &src->own.diag, error);
}

static guint ctf_n_runs(const struct iot_source *base)
{
	return ((const struct ctf_source *)base)->n_runs;
}

/* A stream that does not say it has a processor of its own. */
static guint32 ctf_cpu(const struct iot_source *base, guint run)
{
	guint32 cpu = ((const struct ctf_source *)base)->runs[run].cpu;

	return cpu == G_MAXUINT32 ? run : cpu;
}

static enum iot_next ctf_read(struct iot_source *base, guint run, struct iot_batch *batch,
			      GError **error)
{
	struct ctf_source *src = (struct ctf_source *)base;

	iot_batch_reset(batch, src->first_run + run);
	return iot_ctf_run_read(&src->runs[run], batch, base->to_ns, error);
}

/* ---- describe */

/* By time, as the library does not tell its position in a file. */
static guint64 ctf_progress(const struct iot_source *base)
{
	const struct ctf_source *src = (const struct ctf_source *)base;
	guint64 now = src->own.last_ns;

	if (!src->has_times || now <= src->first_ns || src->last_ns <= src->first_ns)
		return 0;
	return (guint64)((double)src->bytes * (double)(MIN(now, src->last_ns) - src->first_ns) /
			 (double)(src->last_ns - src->first_ns));
}

static const struct iot_intern *ctf_strings(const struct iot_source *base, guint run)
{
	return ((const struct ctf_source *)base)->runs[run].strings;
}

static guint count_cpus(const struct ctf_source *src)
{
	g_autoptr(GHashTable) cpus = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < src->n_runs; i++)
		g_hash_table_add(cpus, GUINT_TO_POINTER(ctf_cpu(&src->base, i)));
	return g_hash_table_size(cpus);
}

static void ctf_describe(const struct iot_source *base, struct iot_input_info *info)
{
	const struct ctf_source *src = (const struct ctf_source *)base;
	guint64 last_ns = MAX(src->last_ns, src->own.last_ns);

	*info = (struct iot_input_info){
		.path = src->own.path,
		.reader = base->ops->name,
		.hostname = src->hostname,
		.kernel = src->kernel,
		.file_name = src->file_name,
		.format = src->format,
		.clock = src->clock,
		.protocol = iot_clock_protocol(&src->own.clock),
		.sync = iot_clock_is_stated(&src->own.clock) ? IOT_SYNC_YES : IOT_SYNC_NO,
		.n_cpus = count_cpus(src),
		.n_buffers = 1,
		.bytes = src->bytes,
		.systems = src->systems,
		.recorded = src->systems,
		.has_times = src->has_times,
		.first_ns = src->first_ns,
		.last_ns = src->has_times ? MAX(last_ns, src->first_ns) : 0,
		.n_events = src->own.n_events,
		.n_lost = src->own.n_lost,
		.diag = &src->own.diag,
		/* the end of the last packet: the tracer was there until then */
		.end_ns = src->last_ns,
		.seen_ns = src->last_ns,
		.first_seen_ns = src->first_ns,
	};
}

static void ctf_judge(const struct iot_source *base, const struct iot_clock_assumed *assumed,
		      struct iot_clock_facts *out)
{
	const struct ctf_source *src = (const struct ctf_source *)base;

	iot_clock_judge_stated(&src->own.clock, src->clock, assumed, src->first_ns, src->last_ns,
			       out);
}

const struct iot_source_ops iot_source_ctf = {
	.name = "ctf",
	.probe = iot_ctf_probe,
	.is_folder = iot_ctf_is_folder,
	.first_part = iot_ctf_first_part,
	.open = ctf_open,
	.bind = ctf_bind,
	.has_event = ctf_has_event,
	.n_runs = ctf_n_runs,
	.cpu = ctf_cpu,
	.read = ctf_read,
	.progress = ctf_progress,
	.strings = ctf_strings,
	.describe = ctf_describe,
	.judge = ctf_judge,
	.close = ctf_close,
};
