/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Our own reader of trace-cmd files. A run is one CPU of one buffer (dat-run.c); runs share the
 * open file and the binding, which are read-only while they read, and the counter of consumed
 * bytes.
 */
#include "input/clock-judge.h"
#include "input/dat/dat-last.h"
#include "input/dat/dat-open.h"
#include "input/dat/dat-run.h"
#include "input/dat/dat-seen.h"

struct dat_source {
	struct iot_source base;
	struct iot_dat_file *file;
	struct iot_dat_binding *binding;
	guint32 first_run, input;
	guint n_runs;
	struct iot_dat_run *runs;
	guint64 bytes, consumed;
	gint n_groups; /* unpacked ahead; atomic */
	gboolean has_times;
	guint64 first_ns;
	guint64 end_ns;	       /* last event; 0: not known */
	guint64 seen_ns;       /* last event or clock sample; 0: not known */
	guint64 first_seen_ns; /* first event or clock sample; 0: not known */
	struct iot_diag diag;  /* of opening and binding */
	struct iot_diag total; /* filled by describe */
	GPtrArray *recorded;   /* likewise */
	char *file_name, *format;
};

static int dat_probe(const char *path, const guint8 *head, gsize len)
{
	(void)path;
	return iot_dat_file_probe(head, len) ? 100 : 0;
}

static void dat_close(struct iot_source *base)
{
	struct dat_source *src = (struct dat_source *)base;

	if (!src)
		return;
	for (guint i = 0; i < src->n_runs; i++)
		iot_dat_run_clear(&src->runs[i]);
	g_free(src->runs);
	iot_dat_binding_free(src->binding);
	iot_dat_file_free(src->file);
	g_clear_pointer(&src->recorded, g_ptr_array_unref);
	g_free(src->file_name);
	g_free(src->format);
	g_free(src);
}

/* The last event of the file, and the last event or clock sample. */
static gboolean find_seen(struct dat_source *src, GError **error)
{
	const struct iot_clock *clock = &src->file->clock;

	for (guint i = 0; i < src->n_runs; i++) {
		const struct iot_dat_run *run = &src->runs[i];
		guint64 raw;

		if (!iot_dat_last(src->file, run->buffer, run->area, &raw, error))
			return FALSE;
		if (!raw) {
			src->end_ns = 0;
			return TRUE;
		}
		src->end_ns = MAX(src->end_ns, iot_clock_correct(clock, run->area->cpu, raw));
	}
	src->seen_ns = src->end_ns;
	for (guint cpu = 0; clock->present && cpu < clock->n_cpus; cpu++) {
		const struct iot_clock_cpu *samples = &clock->cpu[cpu];

		/* raw times of the machine, which may be negative */
		if (samples->n && samples->sample[samples->n - 1].time > 0)
			src->seen_ns = MAX(
				src->seen_ns,
				iot_clock_correct(clock, cpu,
						  (guint64)samples->sample[samples->n - 1].time));
	}
	return TRUE;
}

/* The first event or clock sample of the file. */
static void find_first_seen(struct dat_source *src)
{
	const struct iot_clock *clock = &src->file->clock;

	src->first_seen_ns = src->has_times ? src->first_ns : 0;
	for (guint cpu = 0; src->has_times && clock->present && cpu < clock->n_cpus; cpu++) {
		const struct iot_clock_cpu *samples = &clock->cpu[cpu];

		if (samples->n && samples->sample[0].time > 0)
			src->first_seen_ns = MIN(
				src->first_seen_ns,
				iot_clock_correct(clock, cpu, (guint64)samples->sample[0].time));
	}
}

static void check_clock(struct dat_source *src, const struct iot_clock *clock, guint32 cpu)
{
	const struct iot_clock_cpu *samples = iot_clock_samples(clock, cpu);

	if (!clock->present)
		return;
	if (!samples) {
		iot_diag_add(&src->diag, IOT_DIAG_clock_no_samples, 1);
		return;
	}
	for (guint i = 0; i < samples->n; i++) {
		if (iot_clock_sample_unscaled(&samples->sample[i]))
			continue;
		iot_diag_add(&src->diag, IOT_DIAG_clock_scaled, 1);
		return;
	}
}

static gboolean find_first(struct dat_source *src, struct iot_dat_run *run, GError **error)
{
	guint64 first_ns = 0;
	gboolean found;

	if (!iot_dat_run_first(run, &found, &first_ns, error))
		return FALSE;
	if (found)
		src->first_ns = src->has_times ? MIN(src->first_ns, first_ns) : first_ns;
	src->has_times |= found;
	return TRUE;
}

static gboolean add_runs(struct dat_source *src, gboolean only_read, GError **error)
{
	const GPtrArray *buffers = src->file->buffers;
	guint n = 0;

	for (guint i = 0; i < buffers->len; i++)
		n += ((const struct iot_dat_buffer *)buffers->pdata[i])->areas->len;
	src->runs = g_new0(struct iot_dat_run, n);
	for (guint i = 0; i < buffers->len; i++) {
		const struct iot_dat_buffer *buffer = buffers->pdata[i];

		for (guint a = 0; a < buffer->areas->len; a++) {
			struct iot_dat_run *run = &src->runs[src->n_runs++];

			iot_dat_run_open(run, src->file, buffer,
					 &g_array_index(buffer->areas, struct iot_dat_area, a),
					 &src->consumed);
			check_clock(src, &src->file->clock, run->area->cpu);
			src->bytes += run->area->size;
			if (!only_read && !find_first(src, run, error))
				return FALSE;
		}
	}
	return TRUE;
}

static struct iot_source *dat_open(const struct iot_input_spec *spec, GError **error)
{
	struct dat_source *src = g_new0(struct dat_source, 1);
	const struct iot_dat_file *file;

	src->base.ops = &iot_source_dat;
	src->base.to_ns = G_MAXUINT64;
	src->first_run = spec->first_run;
	src->input = spec->input;
	src->file = iot_dat_file_open(spec->path, error);
	if (src->file) {
		iot_clock_change_apply(spec->clock, &src->file->clock);
		src->file->kept = spec->kept;
		src->file->keeps = spec->kept != NULL;
	}
	if (!src->file || !add_runs(src, spec->only_read, error) ||
	    (!spec->only_read && !find_seen(src, error))) {
		dat_close(&src->base);
		return NULL;
	}
	find_first_seen(src);
	src->file->keeps = spec->kept && spec->only_read;
	file = src->file;
	src->file_name = iot_source_file_name(file->path);
	src->format = g_strdup_printf(
		"trace-cmd %d, %s, %s endian, %u bit", file->version,
		strcmp(file->compressor, "none") ? file->compressor : "not compressed",
		file->layout.big_endian ? "big" : "little", file->layout.commit_size * 8);
	return &src->base;
}

static gboolean dat_bind(struct iot_source *base, const struct iot_schema *schema, GError **error)
{
	struct dat_source *src = (struct dat_source *)base;

	src->binding = iot_dat_bind(src->file, src->input, schema, &src->diag, error);
	for (guint i = 0; src->binding && i < src->n_runs; i++) {
		src->runs[i].binding = src->binding;
		src->runs[i].first_ns = src->first_ns;
	}
	return src->binding != NULL;
}

static guint dat_n_runs(const struct iot_source *base)
{
	return ((const struct dat_source *)base)->n_runs;
}

static guint32 dat_cpu(const struct iot_source *base, guint index)
{
	return ((const struct dat_source *)base)->runs[index].area->cpu;
}

static void dat_tell(const struct iot_source *base, guint index, GByteArray *mark)
{
	iot_dat_run_tell(&((const struct dat_source *)base)->runs[index], mark);
}

static gboolean dat_seek(struct iot_source *base, guint index, struct iot_unpack *mark,
			 GError **error)
{
	struct iot_dat_run *run = &((struct dat_source *)base)->runs[index];

	run->to_ns = base->to_ns;
	return iot_dat_run_seek(run, mark, error);
}

static enum iot_next dat_read(struct iot_source *base, guint index, struct iot_batch *batch,
			      GError **error)
{
	struct dat_source *src = (struct dat_source *)base;
	struct iot_dat_run *run = &src->runs[index];

	iot_batch_reset(batch, src->first_run + index);
	if (base->marks)
		iot_batch_mark(base, index, batch);
	run->to_ns = base->to_ns;
	return iot_dat_run_read(run, batch, error);
}

static gboolean dat_ahead(struct iot_source *base, guint run)
{
	struct dat_source *src = (struct dat_source *)base;

	return iot_dat_pages_ahead(src->runs[run].pages, &src->n_groups);
}

static guint64 dat_progress(const struct iot_source *base)
{
	const struct dat_source *src = (const struct dat_source *)base;

	return __atomic_load_n(&src->consumed, __ATOMIC_RELAXED);
}

static const struct iot_intern *dat_strings(const struct iot_source *base, guint run)
{
	return ((const struct dat_source *)base)->runs[run].strings;
}

static enum iot_sync sync_state(const struct iot_dat_file *file, guint n_samples)
{
	if (file->clock.method)
		return iot_clock_is_stated(&file->clock) ? IOT_SYNC_YES : IOT_SYNC_NO;
	if (n_samples)
		return IOT_SYNC_YES;
	if (file->guest_ids->len)
		return IOT_SYNC_HOST;
	return file->complete ? IOT_SYNC_NO : IOT_SYNC_UNKNOWN;
}

static void describe_clock(const struct iot_dat_file *file, struct iot_input_info *info)
{
	const struct iot_dat_buffer *top = file->buffers->pdata[0];

	for (guint c = 0; c < file->clock.n_cpus && !info->n_samples; c++)
		info->n_samples = file->clock.cpu[c].n;
	info->clock = top->clock && *top->clock ? top->clock
		      : file->trace_clock	? file->trace_clock
						: "unknown";
	info->protocol = iot_clock_protocol(&file->clock);
	info->sync = sync_state(file, info->n_samples);
	info->trace_id = file->trace_id;
	info->peer_id = file->clock.peer;
	info->is_host = file->guest_ids->len > 0;
	info->n_guests = file->guest_ids->len;
	info->guest_ids = (const guint64 *)(const void *)file->guest_ids->data;
	info->n_vcpus = file->vcpus->len;
	info->vcpus = (const struct iot_vcpu *)(const void *)file->vcpus->data;
}

/* The events of all runs; the caller frees. */
static guint8 *seen_events(const struct dat_source *src)
{
	guint8 *seen = iot_dat_seen_new(src->file);

	for (guint i = 0; i < src->n_runs; i++)
		iot_dat_seen_merge(src->file, seen, src->runs[i].tally.seen);
	return seen;
}

static gboolean dat_has_read(const struct iot_source *base, const char *system, const char *name)
{
	const struct dat_source *src = (const struct dat_source *)base;
	g_autofree guint8 *seen = seen_events(src);

	return iot_dat_seen_event(src->file, seen, system, name);
}

static void describe_runs(struct dat_source *src, struct iot_input_info *info)
{
	src->total = src->file->diag;
	iot_diag_merge(&src->total, &src->diag);
	info->has_times = src->has_times;
	info->first_ns = info->last_ns = src->first_ns;
	for (guint i = 0; i < src->n_runs; i++) {
		const struct iot_dat_run *run = &src->runs[i];
		guint64 last = run->last_ts;

		if (run->any)
			last = MAX(last, iot_clock_correct(&src->file->clock, run->area->cpu,
							   run->last_raw));
		iot_run_tally_describe(&run->tally, last, info, &src->total);
	}
	info->diag = &src->total;
	info->damaged = iot_diag_is_damaged(&src->total);
}

static void dat_describe(const struct iot_source *base, struct iot_input_info *info)
{
	/* the sum of the counters is kept in the source, which the caller owns */
	struct dat_source *src = (struct dat_source *)(gsize)base;
	const struct iot_dat_file *file = src->file;
	g_autofree guint8 *seen = seen_events(src);

	g_clear_pointer(&src->recorded, g_ptr_array_unref);
	src->recorded = iot_dat_seen_systems(file, seen);
	memset(info, 0, sizeof(*info));
	info->path = file->path;
	info->reader = base->ops->name;
	info->hostname = file->hostname;
	info->kernel = file->kernel;
	info->file_name = src->file_name;
	info->format = src->format;
	info->n_cpus =
		file->n_cpus ? file->n_cpus
			     : ((const struct iot_dat_buffer *)file->buffers->pdata[0])->areas->len;
	info->n_buffers = file->buffers->len;
	info->bytes = src->bytes;
	info->commands = file->commands;
	info->end_ns = src->end_ns;
	info->seen_ns = src->seen_ns;
	info->first_seen_ns = src->first_seen_ns;
	info->systems = (const char *const *)file->systems->pdata;
	info->recorded = (const char *const *)src->recorded->pdata;
	describe_clock(file, info);
	describe_runs(src, info);
}

static void dat_judge(const struct iot_source *base, const struct iot_clock_assumed *assumed,
		      struct iot_clock_facts *out)
{
	const struct dat_source *src = (const struct dat_source *)base;
	struct iot_input_info info = { 0 };

	describe_clock(src->file, &info);
	if (info.sync == IOT_SYNC_UNKNOWN) {
		*out = (struct iot_clock_facts){ 0 };
		return;
	}
	iot_clock_judge(&src->file->clock, info.clock, assumed, src->first_ns,
			MAX(src->seen_ns, src->first_ns), out);
}

static gboolean dat_has_event(const struct iot_source *base, const char *system, const char *name)
{
	return iot_dat_file_has_event(((const struct dat_source *)base)->file, system, name);
}

const struct iot_source_ops iot_source_dat = {
	.name = "dat",
	.runs_independent = TRUE,
	.probe = dat_probe,
	.open = dat_open,
	.bind = dat_bind,
	.has_event = dat_has_event,
	.has_read = dat_has_read,
	.n_runs = dat_n_runs,
	.cpu = dat_cpu,
	.read = dat_read,
	.ahead = dat_ahead,
	.progress = dat_progress,
	.strings = dat_strings,
	.tell = dat_tell,
	.seek = dat_seek,
	.describe = dat_describe,
	.judge = dat_judge,
	.close = dat_close,
};
