/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The source of hand-written recordings (input/text-file.h). Every CPU with records is a run, in
 * order of CPU numbers. Losses become the same pairs of gap records as in recordings of trace-cmd.
 */
#include "base/error.h"
#include "base/real.h"
#include "base/units.h"
#include "input/clock-judge.h"
#include "input/text-parse.h"

#include <string.h>

/* From the fields of one class of lines to the slots of a schema event. */
struct binding {
	const struct iot_event *event; /* NULL: no model wants it */
	const struct iot_schema_event *wanted;
	guint n_fields;
	gint8 *slot;		    /* for each field of the class; -1 if not wanted */
	gint8 pid_slot, flags_slot; /* of "common_pid" and "common_flags"; -1: nobody wants it */
};

struct run {
	const struct text_source *src;
	const struct iot_text_cpu *cpu;
	struct iot_intern *strings;
	guint next;	/* record */
	guint gap_recs; /* gap records delivered before the next record, 0 to 2 */
	gboolean ended;
};

struct text_source {
	struct iot_source base;
	struct iot_text_file *file;
	guint32 input, first_run;
	char *file_name, *format;
	const char **systems;
	GPtrArray *events;	  /* of struct iot_event, owned */
	struct binding *bindings; /* one for each class; NULL before bind */
	struct run *runs;
	struct iot_event gap_begin, gap_end;
	guint64 first_ns, last_ns;
	gint n_read; /* records of all runs; atomic */
};

/* --- open and close --- */

static int text_probe(const char *path, const guint8 *head, gsize len)
{
	gsize n = strlen(IOT_TEXT_MAGIC);

	(void)path;
	return len >= n && !memcmp(head, IOT_TEXT_MAGIC, n) ? 100 : 0;
}

static void text_close(struct iot_source *base)
{
	struct text_source *src = (struct text_source *)base;

	if (!src)
		return;
	for (guint i = 0; i < src->file->cpus->len; i++)
		iot_intern_free(src->runs[i].strings);
	for (guint i = 0; src->bindings && i < src->file->classes->len; i++)
		g_free(src->bindings[i].slot);
	g_free(src->bindings);
	g_free(src->runs);
	g_free(src->systems);
	g_free(src->file_name);
	g_free(src->format);
	g_ptr_array_unref(src->events);
	iot_text_file_free(src->file);
	g_free(src);
}

static const char **list_systems(const struct iot_text_file *file)
{
	GPtrArray *names = g_ptr_array_new();

	for (guint i = 0; i < file->classes->len; i++) {
		const struct iot_text_class *event_class = file->classes->pdata[i];

		if (*event_class->system)
			g_ptr_array_add(names, event_class->system);
	}
	g_ptr_array_sort(names, iot_texts_compare);
	for (guint i = names->len; i-- > 1;)
		if (!strcmp(names->pdata[i], names->pdata[i - 1]))
			g_ptr_array_remove_index(names, i);
	g_ptr_array_add(names, NULL);
	return (const char **)g_ptr_array_free(names, FALSE);
}

static void find_times(struct text_source *src)
{
	src->first_ns = G_MAXUINT64;
	for (guint i = 0; i < src->file->cpus->len; i++) {
		const struct iot_text_cpu *cpu = src->file->cpus->pdata[i];
		const struct iot_text_rec *rec = (const struct iot_text_rec *)cpu->recs->data;

		src->first_ns = MIN(src->first_ns, rec[0].ts);
		src->last_ns = MAX(src->last_ns, rec[cpu->recs->len - 1].ts);
	}
}

static void change_times(struct iot_text_file *file, const struct iot_clock_change *change)
{
	struct iot_clock *clock = &file->stated;

	if (iot_clock_change_is_none(change))
		return;
	iot_clock_change_apply(change, clock);
	for (guint i = 0; i < file->cpus->len; i++) {
		const struct iot_text_cpu *cpu = file->cpus->pdata[i];

		for (guint k = 0; k < cpu->recs->len; k++) {
			guint64 *ts = &g_array_index(cpu->recs, struct iot_text_rec, k).ts;

			*ts = iot_clock_correct(clock, 0, *ts);
		}
	}
	for (guint i = 0; i < file->errors->len; i++) {
		guint64 *ns = &g_array_index(file->errors, struct iot_clock_knot, i).ns;

		*ns = iot_clock_correct(clock, 0, *ns);
	}
	if (!file->sample_ns)
		return;
	file->sample_ns = iot_clock_correct(clock, 0, file->sample_ns);
	file->first_sample_ns = iot_clock_correct(clock, 0, file->first_sample_ns);
}

static struct iot_source *text_open(const struct iot_input_spec *spec, GError **error)
{
	struct iot_text_file *file = iot_text_file_load(spec->path, error);
	struct text_source *src;

	if (!file)
		return NULL;
	change_times(file, spec->clock);
	src = g_new0(struct text_source, 1);
	src->base.ops = &iot_source_text;
	src->base.to_ns = G_MAXUINT64;
	src->file = file;
	src->input = spec->input;
	src->first_run = spec->first_run;
	src->file_name = iot_source_file_name(spec->path);
	src->format =
		g_strconcat(IOT_TEXT_MAGIC "1",
			    iot_source_complete(file->nothing_before, file->nothing_after), NULL);
	src->systems = list_systems(file);
	src->events = g_ptr_array_new_with_free_func(g_free);
	src->runs = g_new0(struct run, file->cpus->len);
	for (guint i = 0; i < file->cpus->len; i++)
		src->runs[i] = (struct run){
			.src = src,
			.cpu = file->cpus->pdata[i],
			.strings = iot_intern_new(),
		};
	iot_event_init_gap(&src->gap_begin, IOT_EVENT_GAP_BEGIN, spec->input);
	iot_event_init_gap(&src->gap_end, IOT_EVENT_GAP_END, spec->input);
	find_times(src);
	return &src->base;
}

/* --- bind --- */

static gboolean class_is(const struct iot_text_class *event_class, const char *system,
			 const char *name)
{
	return !strcmp(event_class->name, name) &&
	       (!*event_class->system || !*system || !strcmp(event_class->system, system));
}

/* In recordings of the kernel this is a field of every event; here it is the third word. */
static gboolean is_pid(const struct iot_schema_field *field)
{
	return !strcmp(field->name, "common_pid");
}

/* The same; here it is the part of the third word after a slash, or a field of the line. */
static gboolean is_flags(const struct iot_schema_field *field)
{
	return !strcmp(field->name, IOT_CONTEXT_FIELD);
}

static gboolean two_types(const struct text_source *src, const struct iot_text_field *field,
			  GError **error)
{
	gboolean number = field->type != IOT_SLOT_STR;

	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
		    "%s:%u: %s is %s here but %s in other lines of the same event", src->file->path,
		    field->line, field->name, number ? "a number" : "a text",
		    number ? "a text" : "a number");
	return FALSE;
}

/* The type that the slot gets from the field. */
static gboolean take_type(struct text_source *src, const struct iot_text_field *field,
			  const struct iot_schema_event *wanted, guint slot, guint8 *out,
			  GError **error)
{
	g_autofree char *where =
		g_strdup_printf("%s:%u:%u", src->file->path, field->line, field->column);

	*out = (guint8)field->type;
	return iot_schema_check_type(wanted, slot, out, where, &src->file->diag, error);
}

static gboolean bind_class(struct text_source *src, guint i, struct iot_event *event,
			   const struct iot_schema_event *wanted, GError **error)
{
	const struct iot_text_class *event_class = src->file->classes->pdata[i];
	struct binding *binding = &src->bindings[i];

	binding->event = event;
	binding->wanted = wanted;
	binding->n_fields = event_class->fields->len;
	binding->slot = g_new(gint8, binding->n_fields);
	for (guint f = 0; f < binding->n_fields; f++) {
		const struct iot_text_field *field =
			&g_array_index(event_class->fields, struct iot_text_field, f);

		guint8 type;

		binding->slot[f] = -1;
		for (guint slot = 0; slot < wanted->n_fields; slot++) {
			if (strcmp(wanted->field[slot].name, field->name))
				continue;
			if (!take_type(src, field, wanted, slot, &type, error))
				return FALSE;
			if (type == IOT_SLOT_ABSENT)
				continue;
			/* whole numbers of one class may be real ones of another */
			if (type == IOT_SLOT_INT && wanted->field[slot].real_at)
				type = IOT_SLOT_REAL;
			if (event->slot_type[slot] != IOT_SLOT_ABSENT &&
			    event->slot_type[slot] != type)
				return two_types(src, field, error);
			binding->slot[f] = (gint8)slot;
			event->slot_type[slot] = type;
		}
	}
	binding->pid_slot = binding->flags_slot = -1;
	for (guint slot = 0; slot < wanted->n_fields; slot++) {
		/* without print formats a number is its own */
		if (wanted->field[slot].numbers &&
		    event->slot_type[wanted->field[slot].from] == IOT_SLOT_INT)
			event->slot_type[slot] = IOT_SLOT_INT;
		if (is_pid(&wanted->field[slot]))
			binding->pid_slot = (gint8)slot;
		else if (is_flags(&wanted->field[slot]))
			binding->flags_slot = (gint8)slot;
		else
			continue;
		event->slot_type[slot] = IOT_SLOT_INT;
	}
	iot_event_find_strs(event);
	return TRUE;
}

static gboolean bind_event(struct text_source *src, const struct iot_schema_event *wanted,
			   GError **error)
{
	struct iot_event *event = NULL;

	for (guint i = 0; i < src->file->classes->len; i++) {
		if (src->bindings[i].event ||
		    !class_is(src->file->classes->pdata[i], wanted->system, wanted->name))
			continue;
		if (!event) {
			event = g_new0(struct iot_event, 1);
			event->index = wanted->index;
			event->input = src->input;
			event->n_slots = wanted->n_fields;
			g_ptr_array_add(src->events, event);
		}
		if (!bind_class(src, i, event, wanted, error))
			return FALSE;
	}
	return TRUE;
}

/* A line must have every field that its event requires. */
static gboolean check_required(const struct text_source *src, const struct iot_text_rec *rec,
			       GError **error)
{
	const struct binding *binding = &src->bindings[rec->event_class];
	const struct iot_schema_event *wanted;
	guint32 present = 0;

	if (!binding->event)
		return TRUE;
	wanted = binding->wanted;
	for (guint i = 0; i < rec->n_values; i++) {
		const struct iot_text_value *value = &g_array_index(
			src->file->values, struct iot_text_value, rec->first_value + i);

		if (binding->slot[value->field] >= 0)
			present |= 1u << binding->slot[value->field];
	}
	for (guint slot = 0; slot < wanted->n_fields; slot++) {
		const struct iot_schema_field *field = &wanted->field[slot];

		if (!field->required || present & 1u << slot || is_pid(field) || is_flags(field))
			continue;
		g_set_error(error, IOT_ERROR, IOT_ERROR_MODEL,
			    "%s:%u: event %s has no field %s (required by %s)", src->file->path,
			    rec->line, wanted->name, field->name,
			    field->needed_by ? field->needed_by : "a model");
		return FALSE;
	}
	return TRUE;
}

static gboolean text_bind(struct iot_source *base, const struct iot_schema *schema, GError **error)
{
	struct text_source *src = (struct text_source *)base;

	src->bindings = g_new0(struct binding, src->file->classes->len);
	for (guint i = 0; i < schema->events->len; i++)
		if (!bind_event(src, schema->events->pdata[i], error))
			return FALSE;
	for (guint i = 0; i < src->file->cpus->len; i++) {
		const struct iot_text_cpu *cpu = src->file->cpus->pdata[i];

		for (guint r = 0; r < cpu->recs->len; r++)
			if (!check_required(src, &g_array_index(cpu->recs, struct iot_text_rec, r),
					    error))
				return FALSE;
	}
	return TRUE;
}

/* --- read --- */

static gboolean add_event(struct run *run, struct iot_batch *batch, const struct iot_text_rec *from)
{
	const struct text_source *src = run->src;
	const struct binding *binding = &src->bindings[from->event_class];
	struct iot_rec *rec;

	if (!binding->event)
		return TRUE;
	rec = iot_batch_add(batch, binding->event, from->ts, from->pid);
	if (!rec)
		return FALSE;
	memset(rec->slot, 0, binding->event->n_slots * sizeof(rec->slot[0]));
	if (binding->pid_slot >= 0)
		rec->slot[binding->pid_slot].i = from->pid;
	if (binding->flags_slot >= 0)
		rec->slot[binding->flags_slot].i = from->flags;
	for (guint i = 0; i < from->n_values; i++) {
		const struct iot_text_value *value = &g_array_index(
			src->file->values, struct iot_text_value, from->first_value + i);
		gint slot = binding->slot[value->field];

		if (slot < 0)
			continue;
		if (binding->event->slot_type[slot] == IOT_SLOT_INT)
			rec->slot[slot].i = value->number;
		else if (binding->event->slot_type[slot] == IOT_SLOT_REAL)
			rec->slot[slot].u = iot_real_bits(value->is_real ? value->real
									 : (gdouble)value->number);
		else
			rec->slot[slot].u = iot_intern_bytes(
				run->strings, src->file->text->str + value->at, value->len);
	}
	for (guint slot = 0; slot < binding->wanted->n_fields; slot++)
		if (binding->wanted->field[slot].numbers &&
		    binding->event->slot_type[slot] == IOT_SLOT_INT)
			rec->slot[slot] = rec->slot[binding->wanted->field[slot].from];
	return TRUE;
}

/* Deliver a record of the file, as up to three records. FALSE if the batch has no room for all. */
static gboolean add_next(struct run *run, struct iot_batch *batch)
{
	const struct iot_text_rec *recs = (const struct iot_text_rec *)run->cpu->recs->data;
	const struct iot_text_rec *next = &recs[run->next];
	const struct text_source *src = run->src;

	for (; next->after_loss && run->gap_recs < 2; run->gap_recs++) {
		guint64 from = run->next ? recs[run->next - 1].ts : src->first_ns;
		gboolean begin = !run->gap_recs;
		struct iot_rec *rec = iot_batch_add(batch, begin ? &src->gap_begin : &src->gap_end,
						    begin ? from : next->ts, 0);

		if (!rec)
			return FALSE;
		iot_rec_set_gap(rec, next->lost, begin ? next->ts : from);
	}
	if (!add_event(run, batch, next))
		return FALSE;
	run->gap_recs = 0;
	run->next++;
	return TRUE;
}

/* Deliver the begin of a gap that no record follows. FALSE if the batch has no room. */
static gboolean end_run(struct run *run, struct iot_batch *batch)
{
	const struct iot_text_cpu *cpu = run->cpu;
	guint64 last = g_array_index(cpu->recs, struct iot_text_rec, run->next - 1).ts;
	struct iot_rec *rec;

	if (!cpu->loss_pending)
		return TRUE;
	rec = iot_batch_add(batch, &run->src->gap_begin, last, 0);
	if (rec)
		iot_rec_set_gap(rec, cpu->lost, G_MAXUINT64);
	return rec != NULL;
}

static enum iot_next text_read(struct iot_source *base, guint index, struct iot_batch *batch,
			       GError **error)
{
	struct text_source *src = (struct text_source *)base;
	const struct iot_text_cpu *cpu = src->file->cpus->pdata[index];
	struct run *run = &src->runs[index];
	guint before = run->next;

	iot_batch_reset(batch, src->first_run + index);
	if (base->marks)
		iot_batch_mark(base, index, batch);
	while (run->next < cpu->recs->len && add_next(run, batch))
		;
	if (run->next == cpu->recs->len && !run->ended)
		run->ended = end_run(run, batch);
	g_atomic_int_add(&src->n_read, (gint)(run->next - before));
	if (batch->n)
		return IOT_NEXT_OK;
	if (run->ended)
		return IOT_NEXT_END;
	g_set_error(error, IOT_ERROR, IOT_ERROR_INTERNAL, "a batch has no room for one record");
	return IOT_NEXT_ERROR;
}

/* The whole file is in memory, so this serves only the index and its tests. */
static void text_tell(const struct iot_source *base, guint index, GByteArray *mark)
{
	const struct run *run = &((const struct text_source *)base)->runs[index];

	iot_pack_uint(mark, run->next);
	iot_pack_uint(mark, run->gap_recs);
	iot_pack_uint(mark, run->ended);
}

static gboolean text_seek(struct iot_source *base, guint index, struct iot_unpack *mark,
			  GError **error)
{
	struct text_source *src = (struct text_source *)base;
	const struct iot_text_cpu *cpu = src->file->cpus->pdata[index];
	struct run *run = &src->runs[index];

	(void)error;
	run->next = (guint)iot_unpack_uint(mark, cpu->recs->len);
	run->gap_recs = (guint)iot_unpack_uint(mark, 2);
	run->ended = (gboolean)iot_unpack_uint(mark, 1);
	g_atomic_int_add(&src->n_read, (gint)run->next);
	return !mark->bad;
}

/* --- describe --- */

static guint text_n_runs(const struct iot_source *base)
{
	return ((const struct text_source *)base)->file->cpus->len;
}

static guint32 text_cpu(const struct iot_source *base, guint run)
{
	const struct iot_text_cpu *cpu = ((const struct text_source *)base)->file->cpus->pdata[run];

	return cpu->cpu;
}

static guint64 text_progress(const struct iot_source *base)
{
	const struct text_source *src = (const struct text_source *)base;
	guint64 n = (guint64)g_atomic_int_get(&src->n_read);

	return src->file->n_events ? (guint64)((double)src->file->bytes * (double)n /
					       (double)src->file->n_events)
				   : src->file->bytes;
}

static const struct iot_intern *text_strings(const struct iot_source *base, guint run)
{
	return ((const struct text_source *)base)->runs[run].strings;
}

static void text_describe(const struct iot_source *base, struct iot_input_info *info)
{
	const struct text_source *src = (const struct text_source *)base;
	const struct iot_text_file *file = src->file;

	*info = (struct iot_input_info){
		.path = file->path,
		.reader = "text",
		.hostname = file->hostname,
		.boot_id = file->boot,
		.kernel = file->kernel,
		.file_name = src->file_name,
		.format = src->format,
		.beside = file->beside,
		.clock = file->clock,
		.protocol = iot_clock_protocol(&file->stated),
		.sync = !file->stated.method		     ? file->sync
			: iot_clock_is_stated(&file->stated) ? IOT_SYNC_YES
							     : IOT_SYNC_NO,
		.is_host = file->sync == IOT_SYNC_HOST || file->vcpus->len,
		.n_cpus = file->cpus->len,
		.n_buffers = 1,
		.nothing_before = file->nothing_before,
		.nothing_after = file->nothing_after,
		.has_times = file->cpus->len > 0,
		.first_ns = file->cpus->len ? src->first_ns : 0,
		.last_ns = src->last_ns,
		.bytes = file->bytes,
		.n_events = file->n_events,
		.n_lost = file->n_lost,
		.commands = file->commands->str,
		.n_vcpus = file->vcpus->len,
		.vcpus = (const struct iot_vcpu *)(const void *)file->vcpus->data,
		.end_ns = src->last_ns,
		.seen_ns = MAX(src->last_ns, file->sample_ns),
		.first_seen_ns = file->cpus->len ? MIN(src->first_ns, file->first_sample_ns) : 0,
		.diag = &file->diag,
		.systems = src->systems,
		.recorded = src->systems,
	};
}

/* The times are stated, and so is their error. */
static void text_judge(const struct iot_source *base, const struct iot_clock_assumed *assumed,
		       struct iot_clock_facts *out)
{
	const struct text_source *src = (const struct text_source *)base;

	*out = (struct iot_clock_facts){ 0 };
	if (src->file->stated.method)
		iot_clock_judge(&src->file->stated, src->file->clock, assumed, src->first_ns,
				src->last_ns, out);
	for (guint i = 0; !src->file->stated.method && i < src->file->errors->len; i++) {
		const struct iot_clock_knot *knot =
			&g_array_index(src->file->errors, struct iot_clock_knot, i);

		iot_clock_facts_knot(out, knot->ns, knot->bound_ns);
	}
}

static gboolean text_names_event(const struct iot_source *base, const char *system,
				 const char *name)
{
	const GPtrArray *classes = ((const struct text_source *)base)->file->classes;

	for (guint i = 0; i < classes->len; i++)
		if (class_is(classes->pdata[i], system, name))
			return TRUE;
	return FALSE;
}

const struct iot_source_ops iot_source_text = {
	.name = "text",
	.runs_independent = TRUE,
	.probe = text_probe,
	.open = text_open,
	.bind = text_bind,
	.n_runs = text_n_runs,
	.cpu = text_cpu,
	.read = text_read,
	.progress = text_progress,
	.strings = text_strings,
	.tell = text_tell,
	.seek = text_seek,
	.describe = text_describe,
	.names_event = text_names_event,
	.judge = text_judge,
	.close = text_close,
};
