/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The source of CLOG2 files, which MPE writes of MPI programs: events of system "mpi"
 * (clog2-events.h), for the model mpi. Such a file is the log of all ranks of one program, merged
 * by time, so it has one run. Its times are seconds since the start of the program; no date is in
 * it.
 */
#include <string.h>

#include "base/error.h"
#include "input/clock-judge.h"
#include "input/clog2/clog2-events.h"
#include "input/source.h"

/* An event that models want: for each slot the field, or -1. */
struct binding {
	struct iot_event *event; /* NULL: not wanted */
	gint8 field[IOT_MAX_SLOTS];
};

/* What is delivered next: an event, or the begin or end of a gap. */
struct item {
	guint64 ts;
	const struct iot_event *gap; /* NULL: an event */
	guint64 other_end;	     /* of a gap */
	struct iot_clog2_rec rec;
};

struct clog2_source {
	struct iot_source base;
	struct iot_clog2_file *file;
	struct iot_clog2_defs *defs;
	struct iot_clog2_events *events;
	struct iot_clock clock; /* stated by the user */
	char *file_name, *format;
	guint32 input, run;
	struct iot_intern *strings;
	struct binding bindings[IOT_CLOG2_EVENTS];
	struct iot_event gap_begin, gap_end;
	GArray *queue; /* of struct item, in order of time */
	guint next;    /* of the queue */
	guint64 now_ns, first_ns, last_ns;
	gboolean ended;
	gboolean gap; /* records are missing since the last event */
	guint64 n_events;
	struct iot_diag diag;
};

static const char system_name[] = "mpi";
static const char clock_name[] = "program";

/* --- open and close --- */

static int clog2_probe(const char *path, const guint8 *head, gsize len)
{
	gsize n = strlen(IOT_CLOG2_MAGIC);

	(void)path;
	return len >= n && !memcmp(head, IOT_CLOG2_MAGIC, n) ? 100 : 0;
}

static void clog2_close(struct iot_source *base)
{
	struct clog2_source *src = (struct clog2_source *)base;

	if (!src)
		return;
	for (guint i = 0; i < IOT_CLOG2_EVENTS; i++)
		g_free(src->bindings[i].event);
	if (src->queue)
		g_array_unref(src->queue);
	iot_clog2_events_free(src->events);
	iot_clog2_defs_free(src->defs);
	iot_intern_free(src->strings);
	iot_clock_clear(&src->clock);
	iot_clog2_free(src->file);
	g_free(src->file_name);
	g_free(src->format);
	g_free(src);
}

/* Times of this program have no sign: a log that begins before its start counts from its first
 * event. */
static guint64 corrected(const struct clog2_source *src, gint64 ns)
{
	return iot_clock_correct(&src->clock, 0, (guint64)(ns - MIN(src->defs->first_ns, 0)));
}

static char *describe_format(const struct clog2_source *src)
{
	const struct iot_clog2_preamble *preamble = &src->file->preamble;

	return g_strdup_printf(
		"CLOG-02.44, %s endian, %u rank%s%s%s%s", preamble->big_endian ? "big" : "little",
		preamble->n_ranks, preamble->n_ranks == 1 ? "" : "s",
		preamble->merged ? "" : ", not merged",
		src->defs->first_ns < 0 ? ", begins before the program" : "",
		iot_source_complete(preamble->merged, preamble->merged && !src->defs->cut));
}

/* The definitions first: the file is read twice. */
static gboolean read_defs(struct clog2_source *src, GError **error)
{
	src->defs = iot_clog2_defs_read(src->file, src->strings, error);
	if (!src->defs)
		return FALSE;
	iot_clog2_rewind(src->file);
	src->events = iot_clog2_events_new(src->defs, src->strings, &src->diag);
	src->first_ns = src->now_ns = corrected(src, src->defs->first_ns);
	src->last_ns = corrected(src, src->defs->last_ns);
	src->format = describe_format(src);
	iot_diag_add(&src->diag, IOT_DIAG_file_cut, src->defs->cut);
	iot_diag_add(&src->diag, IOT_DIAG_blocks_skipped, src->defs->n_skipped);
	iot_diag_add(&src->diag, IOT_DIAG_event_undefined, src->defs->n_unnamed);
	return TRUE;
}

static struct iot_source *clog2_open(const struct iot_input_spec *spec, GError **error)
{
	struct iot_clog2_file *file = iot_clog2_open(spec->path, error);
	struct clog2_source *src;

	if (!file)
		return NULL;
	src = g_new0(struct clog2_source, 1);
	src->base.ops = &iot_source_clog2;
	src->base.to_ns = G_MAXUINT64;
	src->file = file;
	if (!iot_clock_change_is_none(spec->clock))
		iot_clock_change_apply(spec->clock, &src->clock);
	src->file_name = iot_source_file_name(spec->path);
	src->input = spec->input;
	src->run = spec->first_run;
	src->strings = iot_intern_new();
	src->queue = g_array_new(FALSE, FALSE, sizeof(struct item));
	iot_event_init_gap(&src->gap_begin, IOT_EVENT_GAP_BEGIN, spec->input);
	iot_event_init_gap(&src->gap_end, IOT_EVENT_GAP_END, spec->input);
	if (read_defs(src, error))
		return &src->base;
	clog2_close(&src->base);
	return NULL;
}

/* --- bind --- */

static gboolean clog2_has_event(const struct iot_source *base, const char *system, const char *name)
{
	(void)base;
	for (guint i = 0; i < IOT_CLOG2_EVENTS; i++)
		if (!strcmp(system, system_name) && !strcmp(name, iot_clog2_event_name(i)))
			return TRUE;
	return FALSE;
}

/* Fields of every event: the process, and that it was no interrupt. */
enum { FIELD_PID = IOT_CLOG2_FIELDS, FIELD_ZERO };

/* The field of the event with this name; -1: it has none. */
static gint8 find_field(enum iot_clog2_event event, const char *name)
{
	for (guint i = 0; i < IOT_CLOG2_FIELDS; i++)
		if (iot_clog2_event_has(event, i) && !strcmp(iot_clog2_field_name(i), name))
			return (gint8)i;
	return !strcmp(name, "common_pid")	  ? FIELD_PID
	       : !strcmp(name, IOT_CONTEXT_FIELD) ? FIELD_ZERO
						  : -1;
}

static gboolean is_text(gint8 field)
{
	return field >= IOT_CLOG2_NUMBERS && field < IOT_CLOG2_FIELDS;
}

static gboolean bind_slot(struct clog2_source *src, enum iot_clog2_event kind,
			  const struct iot_schema_event *wanted, guint slot, GError **error)
{
	const struct iot_schema_field *field = &wanted->field[slot];
	struct binding *binding = &src->bindings[kind];
	const char *name = field->numbers ? wanted->field[field->from].name : field->name;
	gint8 found = field->from >= 0 && !field->numbers ? -1 : find_field(kind, name);
	guint8 type;

	binding->field[slot] = found;
	if (found < 0) {
		if (!field->required || field->from >= 0)
			return TRUE;
		g_set_error(error, IOT_ERROR, IOT_ERROR_MODEL,
			    "%s: event %s of a CLOG2 file has no field %s (required by %s)",
			    src->file->path, wanted->name, name,
			    field->needed_by ? field->needed_by : "a model");
		return FALSE;
	}
	type = is_text(found) ? IOT_SLOT_STR : IOT_SLOT_INT;
	if (!iot_schema_check_type(wanted, slot, &type, src->file->path, &src->diag, error))
		return FALSE;
	if (type == IOT_SLOT_ABSENT)
		binding->field[slot] = -1;
	binding->event->slot_type[slot] = type;
	return TRUE;
}

static gboolean clog2_bind(struct iot_source *base, const struct iot_schema *schema, GError **error)
{
	struct clog2_source *src = (struct clog2_source *)base;

	for (guint i = 0; i < IOT_CLOG2_EVENTS; i++) {
		const struct iot_schema_event *wanted =
			iot_schema_find(schema, system_name, iot_clog2_event_name(i));
		struct iot_event *event;

		if (!wanted)
			continue;
		event = src->bindings[i].event = g_new0(struct iot_event, 1);
		event->index = wanted->index;
		event->input = src->input;
		event->n_slots = wanted->n_fields;
		for (guint slot = 0; slot < wanted->n_fields; slot++)
			if (!bind_slot(src, i, wanted, slot, error))
				return FALSE;
		iot_event_find_strs(event);
	}
	return TRUE;
}

/* --- read --- */

static void put_gap(struct clog2_source *src, const struct iot_event *gap, guint64 ts,
		    guint64 other_end)
{
	struct item item = { .ts = ts, .gap = gap, .other_end = other_end };

	g_array_append_val(src->queue, item);
}

/* The event of the next record; FALSE at the end of the file. */
static gboolean take_record(struct clog2_source *src, GError **error)
{
	struct iot_clog2_record record;
	struct item item = { 0 };
	guint64 before = src->now_ns;

	if (!iot_clog2_next(src->file, &record, error))
		return FALSE;
	if (record.after_gap)
		iot_clog2_events_lost(src->events);
	src->gap |= record.after_gap;
	if (!iot_clog2_events_take(src->events, &record, &item.rec))
		return TRUE;
	item.ts = corrected(src, record.ns);
	if (item.ts < src->now_ns)
		iot_diag_add(&src->diag, IOT_DIAG_clock_stepped_back, 1);
	item.ts = src->now_ns = MAX(src->now_ns, item.ts);
	if (src->gap) {
		put_gap(src, &src->gap_begin, before, item.ts);
		put_gap(src, &src->gap_end, item.ts, before);
		src->gap = FALSE;
	}
	g_array_append_val(src->queue, item);
	return TRUE;
}

static gboolean add_event(struct clog2_source *src, struct iot_batch *batch, guint64 ts,
			  const struct iot_clog2_rec *from)
{
	const struct binding *binding = &src->bindings[from->event];
	struct iot_rec *rec;

	if (!binding->event)
		return TRUE;
	rec = iot_batch_add(batch, binding->event, ts, from->pid);
	if (!rec)
		return FALSE;
	for (guint slot = 0; slot < binding->event->n_slots; slot++) {
		gint8 field = binding->field[slot];

		rec->slot[slot].i = field == FIELD_PID		       ? from->pid
				    : field < 0 || field == FIELD_ZERO ? 0
								       : from->field[field];
	}
	return TRUE;
}

/* FALSE: the batch is full. */
static gboolean add_item(struct clog2_source *src, struct iot_batch *batch, const struct item *item)
{
	struct iot_rec *rec;

	if (!item->gap) {
		if (!add_event(src, batch, item->ts, &item->rec))
			return FALSE;
		src->n_events++;
		return TRUE;
	}
	rec = iot_batch_add(batch, item->gap, item->ts, 0);
	if (rec)
		iot_rec_set_gap(rec, G_MAXUINT64, item->other_end);
	return rec != NULL;
}

static void end_run(struct clog2_source *src)
{
	src->ended = TRUE;
	if (src->gap || src->file->gap)
		put_gap(src, &src->gap_begin, src->now_ns, G_MAXUINT64);
}

static enum iot_next clog2_read(struct iot_source *base, guint run, struct iot_batch *batch,
				GError **error)
{
	struct clog2_source *src = (struct clog2_source *)base;

	iot_batch_reset(batch, src->run + run);
	for (;;) {
		g_autoptr(GError) failed = NULL;

		for (; src->next < src->queue->len; src->next++)
			if (!add_item(src, batch,
				      &g_array_index(src->queue, struct item, src->next)))
				return batch->n ? IOT_NEXT_OK : iot_batch_too_small(batch, error);
		g_array_set_size(src->queue, 0);
		src->next = 0;
		if (src->ended || src->now_ns > base->to_ns)
			return batch->n ? IOT_NEXT_OK : IOT_NEXT_END;
		if (take_record(src, &failed))
			continue;
		if (failed) {
			g_propagate_error(error, g_steal_pointer(&failed));
			return IOT_NEXT_ERROR;
		}
		end_run(src);
	}
}

/* --- describe --- */

static guint clog2_n_runs(const struct iot_source *base)
{
	(void)base;
	return 1;
}

static guint32 clog2_cpu(const struct iot_source *base, guint run)
{
	(void)base;
	(void)run;
	return 0;
}

static guint64 clog2_progress(const struct iot_source *base)
{
	return ((const struct clog2_source *)base)->file->offset;
}

static const struct iot_intern *clog2_strings(const struct iot_source *base, guint run)
{
	(void)run;
	return ((const struct clog2_source *)base)->strings;
}

static void clog2_describe(const struct iot_source *base, struct iot_input_info *info)
{
	static const char *const systems[] = { system_name, NULL };
	const struct clog2_source *src = (const struct clog2_source *)base;
	gboolean merged = src->file->preamble.merged;

	*info = (struct iot_input_info){
		.path = src->file->path,
		.reader = base->ops->name,
		.file_name = src->file_name,
		.format = src->format,
		.clock = clock_name,
		.protocol = iot_clock_protocol(&src->clock),
		.sync = iot_clock_is_stated(&src->clock) ? IOT_SYNC_YES : IOT_SYNC_NO,
		.n_cpus = 1,
		.n_buffers = 1,
		.has_times = src->defs->has_times,
		.first_ns = src->first_ns,
		.last_ns = src->last_ns,
		.bytes = src->file->size,
		.n_events = src->n_events,
		.damaged = src->defs->cut || src->defs->n_skipped > 0,
		.nothing_before = merged,
		.nothing_after = merged && !src->defs->cut,
		.end_ns = src->last_ns,
		.seen_ns = src->last_ns,
		.first_seen_ns = src->first_ns,
		.diag = &src->diag,
		.systems = systems,
		.recorded = systems,
	};
}

/* Only a statement says how far the start of the program is from the times of other inputs. */
static void clog2_judge(const struct iot_source *base, const struct iot_clock_assumed *assumed,
			struct iot_clock_facts *out)
{
	const struct clog2_source *src = (const struct clog2_source *)base;

	*out = (struct iot_clock_facts){ 0 };
	if (src->clock.method)
		iot_clock_judge(&src->clock, clock_name, assumed, src->first_ns, src->last_ns, out);
}

const struct iot_source_ops iot_source_clog2 = {
	.name = "clog2",
	.runs_independent = TRUE,
	.probe = clog2_probe,
	.open = clog2_open,
	.bind = clog2_bind,
	.has_event = clog2_has_event,
	.n_runs = clog2_n_runs,
	.cpu = clog2_cpu,
	.read = clog2_read,
	.progress = clog2_progress,
	.strings = clog2_strings,
	.describe = clog2_describe,
	.judge = clog2_judge,
	.close = clog2_close,
};
