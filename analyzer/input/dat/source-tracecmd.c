/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace-cmd files through the public per-CPU calls of libtracecmd: the reference for our own reader
 * (source-dat.c), which must deliver the same records. The library reads pages, unpacks and decodes
 * fields; options and clock samples, for which it has no calls, come from our own reader.
 *
 * Three habits of the library shape this file. It crashes its caller on damaged files, so our own
 * reader checks a file before the library sees it. Its time correction is wrong in known cases
 * (input/clock.h), so we request raw times and correct them. And one handle serves one thread at a
 * time.
 */
#include "base/error.h"
#include "input/dat/dat-bind.h"
#include "input/dat/dat-open.h"
#include "input/dat/dat-seen.h"
#include "input/dat/tep-event.h"
#include "input/run-tally.h"

#include <string.h>
#include <trace-cmd.h>

/*
 * Exported by the library, but not declared in its header. Without it the library's own times are
 * used, and "format" of the description says so.
 */
extern void tracecmd_set_flag(struct tracecmd_input *handle, int flag) __attribute__((weak));
enum { FLAG_RAW_TS = 1 << 3 };

enum { MAX_CPU = 65535 };

#ifdef __SANITIZE_ADDRESS__
/* tracecmd_parse_trace_clock loses the text that its sscanf allocates, for each clock of a version
 * 6 file. */
#define LSAN_HOOK __attribute__((visibility("default"))) const char *
LSAN_HOOK __lsan_default_suppressions(void);
LSAN_HOOK __lsan_default_options(void);
LSAN_HOOK __lsan_default_suppressions(void)
{
	return "leak:vsscanf\n";
}
LSAN_HOOK __lsan_default_options(void)
{
	return "print_suppressions=0";
}
#endif

struct run {
	struct tracecmd_input *handle;
	guint32 cpu;
	struct tep_record *rec;	   /* the next one; NULL at the end */
	gboolean gap_done;	   /* the gap before it was delivered */
	gboolean any;		   /* last_raw is valid */
	guint64 last_raw, last_ts; /* of the last event; of the last record delivered */
	struct iot_clock_cursor clock;
	struct iot_intern *strings;
	struct iot_run_tally tally;
};

/* Meaning of an event number in "kind"; from ID_FIRST on an index into "events". */
enum { ID_UNKNOWN, ID_SKIP, ID_FIRST };

struct cmd_source {
	struct iot_source base;
	guint32 input, first_run;
	struct iot_source *own;	    /* our own reader, for the description of the file */
	struct iot_schema *nothing; /* the empty schema that it is bound to */
	struct iot_input_info info; /* before any event is read */
	struct iot_diag file_diag, total;
	struct iot_dat_file *file;
	guint8 *seen; /* by event number; see run-tally.h */
	GPtrArray *recorded;
	guint64 total_events;
	char *format;
	struct tracecmd_input *top;
	GPtrArray *instances; /* of struct tracecmd_input */
	struct tep_handle *tep;
	gboolean raw_times;
	guint n_runs;
	struct run *runs;
	guint16 *kind;
	GPtrArray *events; /* of struct iot_tep_event */
	struct iot_event gap_begin, gap_end;
	gboolean has_times;
	guint64 first_ns;
	guint64 n_read; /* events of all runs; atomic */
};

/* --- open and close --- */

/* On request only: our own reader knows these files better. */
static int cmd_probe(const char *path, const guint8 *head, gsize len)
{
	(void)path;
	return iot_dat_file_probe(head, len) ? 1 : 0;
}

static void close_handle(gpointer handle)
{
	tracecmd_close(handle);
}

static void cmd_close(struct iot_source *base)
{
	struct cmd_source *src = (struct cmd_source *)base;

	if (!src)
		return;
	for (guint i = 0; i < src->n_runs; i++) {
		tracecmd_free_record(src->runs[i].rec);
		iot_intern_free(src->runs[i].strings);
	}
	g_free(src->runs);
	g_ptr_array_unref(src->instances);
	if (src->top)
		tracecmd_close(src->top);
	g_ptr_array_unref(src->events);
	g_free(src->kind);
	g_free(src->format);
	g_clear_pointer(&src->recorded, g_ptr_array_unref);
	g_free(src->seen);
	iot_dat_file_free(src->file);
	iot_source_dat.close(src->own);
	iot_schema_free(src->nothing);
	g_free(src);
}

static gboolean read_through(struct iot_source *own, GError **error)
{
	struct iot_batch *batch = iot_batch_new(1 << 16, error);
	enum iot_next next = batch ? IOT_NEXT_END : IOT_NEXT_ERROR;

	for (guint run = 0; run < own->ops->n_runs(own) && next == IOT_NEXT_END; run++)
		do
			next = own->ops->read(own, run, batch, error);
		while (next == IOT_NEXT_OK);
	iot_batch_free(batch);
	return next == IOT_NEXT_END;
}

/* Read the file to its end without the library. FALSE if anything in it is damaged. */
static gboolean check_file(struct cmd_source *src, const struct iot_input_spec *spec,
			   GError **error)
{
	struct iot_input_info after;

	src->nothing = iot_schema_new();
	src->own = iot_source_dat.open(spec, error);
	if (!src->own || !iot_source_dat.bind(src->own, src->nothing, error))
		return FALSE;
	iot_source_dat.describe(src->own, &src->info);
	src->file_diag = *src->info.diag;
	if (!read_through(src->own, error))
		return FALSE;
	iot_source_dat.describe(src->own, &after);
	src->total_events = after.n_events;
	if (!after.damaged)
		return TRUE;
	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
		    "%s is damaged, and libtracecmd crashes on damaged files; run without "
		    "--reader",
		    spec->path);
	return FALSE;
}

static gboolean refuse(const struct cmd_source *src, const char *what, GError **error)
{
	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
		    "%s: libtracecmd cannot %s; run without --reader", src->info.path, what);
	return FALSE;
}

/* The library has a table with a row for each CPU number up to the highest. */
static gboolean check_cpus(const struct cmd_source *src, GError **error)
{
	for (guint i = 0; i < src->file->buffers->len; i++) {
		const struct iot_dat_buffer *buffer = src->file->buffers->pdata[i];

		for (guint a = 0; a < buffer->areas->len; a++)
			if (g_array_index(buffer->areas, struct iot_dat_area, a).cpu > MAX_CPU)
				return refuse(src, "hold so many CPUs", error);
	}
	return TRUE;
}

static gboolean open_library(struct cmd_source *src, GError **error)
{
	tracecmd_set_loglevel(TEP_LOG_NONE);
	tep_set_loglevel(TEP_LOG_NONE);
	/* plugins are shared objects that anybody may have installed */
	src->top = tracecmd_open_head(src->info.path, TRACECMD_FL_LOAD_NO_PLUGINS);
	if (!src->top)
		return refuse(src, "open this file", error);
	src->raw_times = tracecmd_set_flag != NULL;
	if (src->raw_times)
		tracecmd_set_flag(src->top, FLAG_RAW_TS);
	if (tracecmd_init_data(src->top) < 0)
		return refuse(src, "find the event data", error);
	src->tep = tracecmd_get_tep(src->top);
	src->format =
		g_strconcat(src->info.format,
			    src->raw_times ? NULL : ", times as corrected by libtracecmd", NULL);
	return TRUE;
}

static guint64 correct(const struct cmd_source *src, struct run *run, guint64 raw)
{
	return src->raw_times ? iot_clock_cursor_correct(&run->clock, raw) : raw;
}

static void note_first(struct cmd_source *src, struct run *run)
{
	guint64 ns = correct(src, run, run->rec->ts);

	src->first_ns = src->has_times ? MIN(src->first_ns, ns) : ns;
	src->has_times = TRUE;
}

static void add_runs(struct cmd_source *src, struct tracecmd_input *handle,
		     const struct iot_dat_buffer *buffer)
{
	src->runs = g_renew(struct run, src->runs, src->n_runs + buffer->areas->len);
	for (guint i = 0; i < buffer->areas->len; i++) {
		struct run *run = &src->runs[src->n_runs++];

		*run = (struct run){ .handle = handle, .strings = iot_intern_new() };
		run->cpu = g_array_index(buffer->areas, struct iot_dat_area, i).cpu;
		iot_clock_cursor_init(&run->clock, &src->file->clock, run->cpu);
		run->rec = tracecmd_read_cpu_first(handle, (int)run->cpu);
		if (run->rec)
			note_first(src, run);
	}
}

/* The instances stand in the order of the file in both lists. */
static gboolean make_runs(struct cmd_source *src, GError **error)
{
	int next = 0;

	for (guint i = 0; i < src->file->buffers->len; i++) {
		const struct iot_dat_buffer *buffer = src->file->buffers->pdata[i];
		struct tracecmd_input *handle = src->top;

		if (*buffer->name) {
			const char *name = next < tracecmd_buffer_instances(src->top)
						   ? tracecmd_buffer_instance_name(src->top, next)
						   : NULL;

			if (g_strcmp0(name, buffer->name))
				return refuse(src, "find a buffer of this file", error);
			handle = tracecmd_buffer_instance_handle(src->top, next++);
			if (!handle)
				return refuse(src, "open a buffer of this file", error);
			g_ptr_array_add(src->instances, handle);
			if (src->raw_times)
				tracecmd_set_flag(handle, FLAG_RAW_TS);
		}
		add_runs(src, handle, buffer);
	}
	return TRUE;
}

static struct iot_source *cmd_open(const struct iot_input_spec *spec, GError **error)
{
	struct cmd_source *src = g_new0(struct cmd_source, 1);

	src->base.ops = &iot_source_tracecmd;
	src->base.to_ns = G_MAXUINT64;
	src->input = spec->input;
	src->first_run = spec->first_run;
	src->instances = g_ptr_array_new_with_free_func(close_handle);
	src->events = g_ptr_array_new_with_free_func(iot_tep_event_free);
	if (check_file(src, spec, error)) {
		src->file = iot_dat_file_open(spec->path, error);
		src->seen = src->file ? iot_dat_seen_new(src->file) : NULL;
		if (src->file && check_cpus(src, error) && open_library(src, error) &&
		    make_runs(src, error))
			return &src->base;
	}
	cmd_close(&src->base);
	return NULL;
}

/* --- bind --- */

static gboolean bind_event(struct cmd_source *src, const struct iot_schema_event *wanted,
			   GError **error)
{
	GError *failed = NULL;
	const struct iot_dat_format *format = iot_dat_find_format(src->file, wanted);
	g_autofree char *text = format ? g_strndup(format->text, format->len) : g_strdup("");
	struct iot_tep_event *event = iot_tep_event_new(src->tep, wanted, src->info.path, text,
							&src->file_diag, &failed);

	if (failed)
		g_propagate_error(error, failed);
	if (!event)
		return !failed;
	event->event.input = src->input;
	for (guint i = 0; i < event->event.n_slots; i++)
		if (event->field[i].print)
			iot_diag_add(&src->file_diag, IOT_DIAG_print_format_unknown,
				     !iot_print_is_known(event->field[i].print));
	g_ptr_array_add(src->events, event);
	src->kind[event->id] = (guint16)(ID_FIRST + src->events->len - 1);
	return TRUE;
}

static gboolean cmd_bind(struct iot_source *base, const struct iot_schema *schema, GError **error)
{
	struct cmd_source *src = (struct cmd_source *)base;
	struct tep_event **all = tep_list_events(src->tep, TEP_EVENT_SORT_ID);

	iot_event_init_gap(&src->gap_begin, IOT_EVENT_GAP_BEGIN, src->input);
	iot_event_init_gap(&src->gap_end, IOT_EVENT_GAP_END, src->input);
	src->kind = g_new0(guint16, G_MAXUINT16 + 1);
	for (guint i = 0; all && all[i]; i++)
		if (all[i]->id >= 0 && all[i]->id <= G_MAXUINT16)
			src->kind[all[i]->id] = ID_SKIP;
	for (guint i = 0; i < schema->events->len; i++)
		if (!bind_event(src, schema->events->pdata[i], error))
			return FALSE;
	return TRUE;
}

/* --- read --- */

/* Deliver the two records of a loss before the next event; FALSE if there is no room for both. */
static gboolean deliver_gap(const struct cmd_source *src, struct run *run, struct iot_batch *batch)
{
	guint64 lost = run->rec->missed_events > 0 ? (guint64)run->rec->missed_events : G_MAXUINT64;
	guint64 from, to;

	if (batch->size - batch->used < 2 * iot_rec_size(&src->gap_begin))
		return FALSE;
	from = MAX(correct(src, run, run->any ? run->last_raw : run->rec->ts), run->last_ts);
	to = MAX(correct(src, run, run->rec->ts), from);
	run->last_ts = to;
	iot_rec_set_gap(iot_batch_add(batch, &src->gap_begin, from, 0), lost, to);
	iot_rec_set_gap(iot_batch_add(batch, &src->gap_end, to, 0), lost, from);
	iot_diag_add(&run->tally.now.diag, IOT_DIAG_gaps, 1);
	if (lost != G_MAXUINT64) {
		iot_diag_add(&run->tally.now.diag, IOT_DIAG_events_lost, lost);
		run->tally.now.n_lost += lost;
	}
	return TRUE;
}

static gboolean deliver_event(const struct cmd_source *src, struct run *run,
			      struct iot_batch *batch, const struct iot_tep_event *event)
{
	struct iot_rec *rec;
	guint64 ts;

	if (batch->size - batch->used < iot_rec_size(&event->event))
		return FALSE;
	ts = correct(src, run, run->rec->ts);
	if (ts < run->last_ts) {
		iot_diag_add(&run->tally.now.diag, IOT_DIAG_clock_stepped_back, 1);
		ts = run->last_ts;
	}
	run->last_ts = ts;
	rec = iot_batch_add(batch, &event->event, ts, 0);
	iot_tep_event_decode(event, run->rec, rec, run->strings, &run->tally.now.diag);
	return TRUE;
}

static void note_passed(const struct cmd_source *src, struct run *run)
{
	guint64 ts = MAX(correct(src, run, run->rec->ts), run->last_ts);

	if (!run->tally.passed && ts > src->base.to_ns)
		iot_run_tally_pass(&run->tally, ts);
}

/* FALSE if the batch is full: the event will be the first of the next batch. */
static gboolean deliver_next(struct cmd_source *src, struct run *run, struct iot_batch *batch)
{
	guint id = (guint)tep_data_type(src->tep, run->rec) & G_MAXUINT16, kind = src->kind[id];

	if (run->rec->missed_events && !run->gap_done) {
		if (!deliver_gap(src, run, batch))
			return FALSE;
		run->gap_done = TRUE;
	}
	if (src->base.to_ns != G_MAXUINT64)
		note_passed(src, run);
	if (kind >= ID_FIRST &&
	    !deliver_event(src, run, batch, src->events->pdata[kind - ID_FIRST]))
		return FALSE;
	if (kind == ID_UNKNOWN)
		iot_diag_add(&run->tally.now.diag, IOT_DIAG_event_unknown_id, 1);
	else if (!run->tally.passed)
		src->seen[id] = 1;
	run->any = TRUE;
	run->last_raw = run->rec->ts;
	run->gap_done = FALSE;
	run->tally.now.n_events++;
	tracecmd_free_record(run->rec);
	run->rec = tracecmd_read_data(run->handle, (int)run->cpu);
	return TRUE;
}

static enum iot_next cmd_read(struct iot_source *base, guint index, struct iot_batch *batch,
			      GError **error)
{
	struct cmd_source *src = (struct cmd_source *)base;
	struct run *run = &src->runs[index];
	guint64 before = run->tally.now.n_events;

	iot_batch_reset(batch, src->first_run + index);
	while (run->rec && deliver_next(src, run, batch))
		;
	__atomic_add_fetch(&src->n_read, run->tally.now.n_events - before, __ATOMIC_RELAXED);
	if (batch->n)
		return IOT_NEXT_OK;
	return run->rec ? iot_batch_too_small(batch, error) : IOT_NEXT_END;
}

/* --- describe --- */

static guint cmd_n_runs(const struct iot_source *base)
{
	return ((const struct cmd_source *)base)->n_runs;
}

static guint32 cmd_cpu(const struct iot_source *base, guint index)
{
	return ((const struct cmd_source *)base)->runs[index].cpu;
}

/* The library does not report how many bytes it has read, so events are the measure. */
static guint64 cmd_progress(const struct iot_source *base)
{
	const struct cmd_source *src = (const struct cmd_source *)base;
	guint64 n = __atomic_load_n(&src->n_read, __ATOMIC_RELAXED);

	if (n >= src->total_events)
		return src->info.bytes;
	return (guint64)((double)src->info.bytes * (double)n / (double)src->total_events);
}

static const struct iot_intern *cmd_strings(const struct iot_source *base, guint run)
{
	return ((const struct cmd_source *)base)->runs[run].strings;
}

static void cmd_describe(const struct iot_source *base, struct iot_input_info *info)
{
	/* the sum of the counters is kept in the source, which the caller owns */
	struct cmd_source *src = (struct cmd_source *)(gsize)base;

	*info = src->info;
	info->reader = base->ops->name;
	info->format = src->format;
	info->has_times = src->has_times;
	info->first_ns = info->last_ns = src->first_ns;
	info->n_events = info->n_lost = 0;
	src->total = src->file_diag;
	for (guint i = 0; i < src->n_runs; i++) {
		struct run *run = &src->runs[i];
		guint64 last = run->last_ts;

		if (run->any)
			last = MAX(last, correct(src, run, run->last_raw));
		iot_run_tally_describe(&run->tally, last, info, &src->total);
	}
	info->diag = &src->total;
	g_clear_pointer(&src->recorded, g_ptr_array_unref);
	src->recorded = iot_dat_seen_systems(src->file, src->seen);
	info->recorded = (const char *const *)src->recorded->pdata;
}

static void cmd_judge(const struct iot_source *base, const struct iot_clock_assumed *assumed,
		      struct iot_clock_facts *out)
{
	const struct iot_source *own = ((const struct cmd_source *)base)->own;

	own->ops->judge(own, assumed, out);
}

static gboolean cmd_has_event(const struct iot_source *base, const char *system, const char *name)
{
	const struct cmd_source *src = (const struct cmd_source *)base;

	return iot_dat_file_has_event(src->file, system, name);
}

static gboolean cmd_has_read(const struct iot_source *base, const char *system, const char *name)
{
	const struct cmd_source *src = (const struct cmd_source *)base;

	return iot_dat_seen_event(src->file, src->seen, system, name);
}

const struct iot_source_ops iot_source_tracecmd = {
	.name = "libtracecmd",
	.runs_independent = FALSE,
	.probe = cmd_probe,
	.open = cmd_open,
	.bind = cmd_bind,
	.has_event = cmd_has_event,
	.has_read = cmd_has_read,
	.n_runs = cmd_n_runs,
	.cpu = cmd_cpu,
	.read = cmd_read,
	.progress = cmd_progress,
	.strings = cmd_strings,
	.describe = cmd_describe,
	.judge = cmd_judge,
	.close = cmd_close,
};
