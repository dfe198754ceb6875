/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The own reader of trace-cmd files. A run is one CPU of one buffer; runs share nothing but the
 * opened file and the binding, both read-only by then, and the counter of consumed bytes.
 *
 * Where events are missing a run tells it with two records: GAP_BEGIN at the last event before,
 * GAP_END at the first one behind, directly in front of that. Nothing is known of the time between.
 */
#include "input/source.h"
#include "base/error.h"
#include "input/dat/dat-bind.h"
#include "input/dat/dat-open.h"
#include "input/dat/dat-last.h"
#include "input/dat/dat-run.h"

/*
 * Raw time units by which a page may contradict the one behind it. Less than that is clamped; more
 * is taken as damage of the time stamp, because clamping would move all later events of the run.
 */
#define MAX_JUMP (G_GUINT64_CONSTANT(1) << 32)

/*
 * Pages, in bytes, after which a batch ends even if there is room: where hardly an event is wanted,
 * the others need not wait until one has been found, and a window need not be read far beyond its
 * end.
 */
enum { MAX_READ = 256 << 10 };

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
	guint64 end_ns;	       /* the last event; 0: not known */
	guint64 seen_ns;       /* that, or the last clock sample; 0: not known */
	struct iot_diag diag;  /* of opening and binding */
	struct iot_diag total; /* made by describe */
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
	for (guint i = 0; i < src->n_runs; i++) {
		iot_dat_pages_free(src->runs[i].pages);
		iot_intern_free(src->runs[i].strings);
	}
	g_free(src->runs);
	iot_dat_binding_free(src->binding);
	iot_dat_file_free(src->file);
	g_free(src->file_name);
	g_free(src->format);
	g_free(src);
}

/*
 * The latest raw time that events of a page can have, judged by the page behind it.
 * @last: time of the last event before, NULL if this page is the first
 * @start: time in the header of this page
 */
static guint64 time_limit(const struct iot_dat_page *page, const guint64 *last, guint64 start)
{
	guint64 next = page->next_ts;

	if (!next || next > G_MAXUINT64 - MAX_JUMP)
		return G_MAXUINT64;
	/* is the page behind the one that is wrong? */
	if (last ? next < *last : page->after_ts >= start && next < start)
		return G_MAXUINT64;
	return next + MAX_JUMP;
}

/* The time of the first event of a run, for which its first page is read and forgotten again. */
static gboolean find_first(struct dat_source *src, struct iot_dat_run *run, GError **error)
{
	struct iot_diag unused = { 0 };
	g_autoptr(iot_dat_pages) pages =
		iot_dat_pages_new(src->file, run->buffer, run->area, &unused, NULL);
	enum iot_dat_next next;
	struct iot_dat_page page;

	while ((next = iot_dat_pages_next(pages, &page, error)) == IOT_DAT_PAGE) {
		struct iot_ring_event event;
		struct iot_ring_page ring;
		guint64 page_ts, ns;

		iot_ring_page_init(&ring, &src->file->layout, page.data, page.len);
		page_ts = ring.ts;
		if (!iot_ring_page_next(&ring, &event) ||
		    ring.ts > time_limit(&page, NULL, page_ts))
			continue;
		ns = iot_clock_correct(&src->file->clock, run->area->cpu, ring.ts);
		src->first_ns = src->has_times ? MIN(src->first_ns, ns) : ns;
		src->has_times = TRUE;
		return TRUE;
	}
	return next == IOT_DAT_END;
}

/* The last event, and the last time that is known of the machine: its, or that of a clock sample.
 */
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

		/* raw times of the machine, which may count from below zero */
		if (samples->n && samples->sample[samples->n - 1].time > 0)
			src->seen_ns = MAX(
				src->seen_ns,
				iot_clock_correct(clock, cpu,
						  (guint64)samples->sample[samples->n - 1].time));
	}
	return TRUE;
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
		const struct iot_clock_sample *s = &samples->sample[i];

		if ((guint64)s->scaling == G_GUINT64_CONSTANT(1) << s->fraction)
			continue;
		iot_diag_add(&src->diag, IOT_DIAG_clock_scaled, 1);
		return;
	}
}

static gboolean make_runs(struct dat_source *src, GError **error)
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

			run->buffer = buffer;
			run->area = &g_array_index(buffer->areas, struct iot_dat_area, a);
			run->pages = iot_dat_pages_new(src->file, buffer, run->area,
						       &run->count.diag, &src->consumed);
			run->strings = iot_intern_new();
			iot_clock_cursor_init(&run->clock, &src->file->clock, run->area->cpu);
			check_clock(src, &src->file->clock, run->area->cpu);
			src->bytes += run->area->size;
			if (!find_first(src, run, error))
				return FALSE;
		}
	}
	return TRUE;
}

/* NAME of trace-NAME.dat, or the base name without its suffix. */
static char *short_name(const char *path)
{
	char *name = g_path_get_basename(path);
	char *dot = strrchr(name, '.');

	if (dot && dot != name)
		*dot = '\0';
	if (g_str_has_prefix(name, "trace-") && name[6])
		memmove(name, name + 6, strlen(name + 6) + 1);
	return name;
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
	if (!src->file || !make_runs(src, error) || !find_seen(src, error)) {
		dat_close(&src->base);
		return NULL;
	}
	file = src->file;
	src->file_name = short_name(file->path);
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
	return src->binding != NULL;
}

static guint dat_n_runs(const struct iot_source *base)
{
	return ((const struct dat_source *)base)->n_runs;
}

/* Corrected, and not before what was delivered already. */
static guint64 run_time(struct iot_dat_run *run, guint64 raw)
{
	guint64 ts = iot_clock_cursor_correct(&run->clock, raw);

	return MAX(ts, run->last_ts);
}

static void note_loss(struct iot_dat_run *run, guint64 lost)
{
	if (!run->gap)
		run->gap_lost = 0;
	run->gap = TRUE;
	if (lost == G_MAXUINT64 || run->gap_lost == G_MAXUINT64)
		run->gap_lost = G_MAXUINT64;
	else
		run->gap_lost += lost;
}

static gboolean has_room(const struct iot_batch *batch, gsize n, const struct iot_event *event)
{
	return batch->size - batch->used >= n * iot_rec_size(event);
}

static void add_gap_record(struct iot_batch *batch, const struct iot_event *event, guint64 ts,
			   guint64 lost, guint64 other)
{
	struct iot_rec *rec = iot_batch_add(batch, event, ts, 0);

	rec->slot[IOT_GAP_LOST].u = lost;
	rec->slot[IOT_GAP_OTHER_END].u = other;
}

/* Both ends of the gap in front of an event at @raw; FALSE if the batch is full. */
static gboolean end_gap(struct dat_source *src, struct iot_dat_run *run, struct iot_batch *batch,
			guint64 raw)
{
	const struct iot_dat_binding *binding = src->binding;
	guint64 from, to;

	if (!has_room(batch, 2, &binding->gap_begin))
		return FALSE;
	from = run_time(run, run->any ? run->last_raw : raw);
	run->last_ts = from;
	to = run_time(run, raw);
	run->last_ts = to;
	add_gap_record(batch, &binding->gap_begin, from, run->gap_lost, to);
	add_gap_record(batch, &binding->gap_end, to, run->gap_lost, from);
	iot_diag_add(&run->count.diag, IOT_DIAG_gaps, 1);
	run->gap = FALSE;
	return TRUE;
}

/* A gap that no event follows. */
static gboolean end_run(struct dat_source *src, struct iot_dat_run *run, struct iot_batch *batch)
{
	if (run->gap) {
		guint64 from = run->any ? run_time(run, run->last_raw) : src->first_ns;

		if (!has_room(batch, 1, &src->binding->gap_begin))
			return FALSE;
		add_gap_record(batch, &src->binding->gap_begin, from, run->gap_lost, G_MAXUINT64);
		iot_diag_add(&run->count.diag, IOT_DIAG_gaps, 1);
		run->gap = FALSE;
	}
	run->ended = TRUE;
	return TRUE;
}

/* Add one wanted event; FALSE if the batch is full. */
static inline gboolean deliver(struct dat_source *src, struct iot_dat_run *run,
			       struct iot_batch *batch, const struct iot_dat_event *event,
			       const struct iot_ring_event *raw, guint64 raw_ts)
{
	struct iot_rec *rec = iot_batch_add(batch, &event->event, 0, 0);
	guint64 ts;

	if (G_UNLIKELY(!rec)) {
		batch->end_ns = run_time(run, raw_ts);
		return FALSE;
	}
	ts = iot_clock_cursor_correct(&run->clock, raw_ts);
	if (G_UNLIKELY(ts < run->last_ts)) {
		iot_diag_add(&run->count.diag, IOT_DIAG_clock_stepped_back, 1);
		ts = run->last_ts;
	}
	run->last_ts = rec->ts = ts;
	iot_dat_decode(src->binding, event, raw, rec, run->strings, &run->count.diag);
	return TRUE;
}

/* Whether some event of the page that was just begun may be behind to_ns. */
static gboolean may_pass(const struct dat_source *src, struct iot_dat_run *run, guint64 next_raw)
{
	if (src->base.to_ns == G_MAXUINT64 || run->passed)
		return FALSE;
	return !next_raw || run_time(run, next_raw) > src->base.to_ns;
}

/* Something is at @ts; @n events before it, of which @unknown have no format, are not in count yet.
 */
static gboolean note_passed(const struct dat_source *src, struct iot_dat_run *run, guint64 ts,
			    guint64 n, guint64 unknown)
{
	if (G_LIKELY(ts <= src->base.to_ns) || run->passed)
		return FALSE;
	run->passed = TRUE;
	run->passed_ns = ts;
	run->at_to = run->count;
	run->at_to.n_events += n;
	iot_diag_add(&run->at_to.diag, IOT_DIAG_event_unknown_id, unknown);
	return TRUE;
}

/* The events of the page until it or the room in the batch ends; FALSE in the latter case. */
static gboolean scan_events(struct dat_source *src, struct iot_dat_run *run,
			    struct iot_batch *batch)
{
	const guint16 *kinds = src->binding->kind;
	struct iot_dat_event *const *events =
		(struct iot_dat_event *const *)src->binding->events->pdata;
	gboolean big_endian = src->file->layout.big_endian, room = TRUE;
	struct iot_ring_page page = run->page;
	struct iot_ring_event event;
	guint64 n = 0, unknown = 0, last = run->last_raw;
	guint64 look = run->may_pass ? 0 : run->limit; /* times from here on are looked at */

	for (;;) {
		const guint8 *p = page.p;
		guint64 ts = page.ts;
		guint kind;

		if (!iot_ring_page_next(&page, &event))
			break;
		if (G_UNLIKELY(page.ts > look)) {
			if (page.ts > run->limit) {
				page.p = page.end;
				page.damaged = TRUE;
				break;
			}
			if (note_passed(src, run, run_time(run, page.ts), n, unknown))
				look = run->limit;
		}
		kind = kinds[iot_load_u16(event.payload, big_endian)];
		if (kind >= IOT_DAT_ID_FIRST) {
			if (!deliver(src, run, batch, events[kind - IOT_DAT_ID_FIRST], &event,
				     page.ts)) {
				/* again with the next batch */
				note_passed(src, run, batch->end_ns, n, unknown);
				page.p = p;
				page.ts = ts;
				room = FALSE;
				break;
			}
			note_passed(src, run, run->last_ts, n, unknown);
		} else if (G_UNLIKELY(kind == IOT_DAT_ID_UNKNOWN)) {
			unknown++;
		}
		last = page.ts;
		n++;
	}
	run->page = page;
	run->last_raw = last;
	run->any |= n > 0;
	run->count.n_events += n;
	run->count.diag.count[IOT_DIAG_event_unknown_id] += unknown;
	return room;
}

/* FALSE: the batch is full. */
static gboolean scan_page(struct dat_source *src, struct iot_dat_run *run, struct iot_batch *batch)
{
	struct iot_ring_event event;

	if (run->gap) {
		struct iot_ring_page peek = run->page;

		if (iot_ring_page_next(&peek, &event) && peek.ts <= run->limit &&
		    !end_gap(src, run, batch, peek.ts))
			return FALSE;
	}
	if (!scan_events(src, run, batch))
		return FALSE;
	run->in_page = FALSE;
	if (run->any)
		run->last_ts = run_time(run, run->last_raw);
	note_passed(src, run, run->last_ts, 0, 0);
	if (!run->page.damaged)
		return TRUE;
	note_loss(run, G_MAXUINT64);
	/* where the file was cut, that was counted already */
	if (!run->area->cut || run->page_len == run->buffer->page_size)
		iot_diag_add(&run->count.diag, IOT_DIAG_page_damaged, 1);
	return TRUE;
}

/* Whether the page would go far back while the one behind it goes on. */
static gboolean starts_too_early(const struct iot_dat_run *run, const struct iot_dat_page *page)
{
	return run->any && run->page.ts < run->last_raw &&
	       run->last_raw - run->page.ts > MAX_JUMP && page->next_ts >= run->last_raw;
}

static void start_page(struct dat_source *src, struct iot_dat_run *run,
		       const struct iot_dat_page *page)
{
	iot_ring_page_init(&run->page, &src->file->layout, page->data, page->len);
	run->page_len = page->len;
	run->in_page = TRUE;
	run->limit = time_limit(page, run->any ? &run->last_raw : NULL, run->page.ts);
	run->may_pass = may_pass(src, run, page->next_ts);
	if (starts_too_early(run, page)) {
		run->page.p = run->page.end;
		run->page.damaged = TRUE;
	}
	if (!run->page.lost)
		return;
	note_loss(run, run->page.n_lost);
	if (run->page.n_lost != G_MAXUINT64) {
		run->count.n_lost += run->page.n_lost;
		iot_diag_add(&run->count.diag, IOT_DIAG_events_lost, run->page.n_lost);
	}
}

static enum iot_dat_next next_page(struct dat_source *src, struct iot_dat_run *run, GError **error)
{
	struct iot_dat_page page;
	enum iot_dat_next next = iot_dat_pages_next(run->pages, &page, error);

	if (next == IOT_DAT_ERROR)
		return next;
	if (page.skipped)
		note_loss(run, G_MAXUINT64);
	if (next == IOT_DAT_PAGE)
		start_page(src, run, &page);
	return next;
}

static void dat_tell(const struct iot_source *base, guint index, GByteArray *mark)
{
	iot_dat_run_tell(&((const struct dat_source *)base)->runs[index], mark);
}

static gboolean dat_seek(struct iot_source *base, guint index, struct iot_unpack *mark,
			 GError **error)
{
	struct dat_source *src = (struct dat_source *)base;
	struct iot_dat_run *run = &src->runs[index];

	run->may_pass = base->to_ns != G_MAXUINT64;
	return iot_dat_run_seek(run, src->file, mark, error);
}

static enum iot_next dat_read(struct iot_source *base, guint index, struct iot_batch *batch,
			      GError **error)
{
	struct dat_source *src = (struct dat_source *)base;
	struct iot_dat_run *run = &src->runs[index];
	gboolean room = TRUE;
	gsize bytes = 0;

	iot_batch_reset(batch, src->first_run + index);
	if (base->marks)
		iot_batch_mark(base, index, batch);
	while (room && !run->ended && bytes < MAX_READ) {
		enum iot_dat_next next = run->in_page ? IOT_DAT_PAGE : next_page(src, run, error);

		if (next == IOT_DAT_ERROR)
			return IOT_NEXT_ERROR;
		room = next == IOT_DAT_PAGE ? scan_page(src, run, batch) : end_run(src, run, batch);
		bytes += run->page_len;
	}
	if (!batch->end_ns)
		batch->end_ns = run->last_ts;
	if (batch->n || (room && !run->ended))
		return IOT_NEXT_OK;
	if (run->ended)
		return IOT_NEXT_END;
	g_set_error(error, IOT_ERROR, IOT_ERROR_INTERNAL,
		    "a batch of %" G_GSIZE_FORMAT " bytes is too small for one record",
		    batch->size);
	return IOT_NEXT_ERROR;
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
}

static void describe_runs(struct dat_source *src, struct iot_input_info *info)
{
	src->total = src->file->diag;
	iot_diag_merge(&src->total, &src->diag);
	info->has_times = src->has_times;
	info->first_ns = info->last_ns = src->first_ns;
	for (guint i = 0; i < src->n_runs; i++) {
		const struct iot_dat_run *run = &src->runs[i];
		const struct iot_run_count *count = run->passed ? &run->at_to : &run->count;
		guint64 last = run->last_ts;

		iot_diag_merge(&src->total, &count->diag);
		info->n_events += count->n_events;
		info->n_lost += count->n_lost;
		info->goes_on |= run->passed;
		if (run->any)
			last = MAX(last, iot_clock_correct(&src->file->clock, run->area->cpu,
							   run->last_raw));
		info->last_ns = MAX(info->last_ns, run->passed ? run->passed_ns : last);
	}
	info->diag = &src->total;
	info->damaged = iot_diag_is_damaged(&src->total);
}

static void dat_describe(const struct iot_source *base, struct iot_input_info *info)
{
	/* the sum of the counters is cached in the source, which belongs to the caller */
	struct dat_source *src = (struct dat_source *)(gsize)base;
	const struct iot_dat_file *file = src->file;

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
	info->systems = (const char *const *)file->systems->pdata;
	describe_clock(file, info);
	describe_runs(src, info);
}

const struct iot_source_ops iot_source_dat = {
	.name = "dat",
	.runs_independent = TRUE,
	.probe = dat_probe,
	.open = dat_open,
	.bind = dat_bind,
	.n_runs = dat_n_runs,
	.read = dat_read,
	.ahead = dat_ahead,
	.progress = dat_progress,
	.strings = dat_strings,
	.tell = dat_tell,
	.seek = dat_seek,
	.describe = dat_describe,
	.close = dat_close,
};
