/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The source of logs of strace: recordings that need no rights. The calls on files become the
 * events of system "iotrace" (strace-call.h), so that the model fileio and all analyses serve them.
 *
 * A log has one run. Its lines are in the order in which calls begin; their ends wait in a heap.
 * The log is read as a stream, so memory does not grow with its length.
 */
#include <string.h>

#include "base/error.h"
#include "base/heap.h"
#include "input/clock-judge.h"
#include "input/source.h"
#include "input/strace/strace-call.h"
#include "input/strace/strace-log.h"
#include "input/strace/strace-parts.h"
#include "input/strace/strace-streams.h"

/* An event that models want: for each slot the field, or -1. */
struct binding {
	struct iot_event *event; /* NULL: not wanted */
	gint8 field[IOT_MAX_SLOTS];
};

/* A thread makes one call at a time. */
struct thread {
	gint32 pid, tgid;
	char comm[IOT_STRACE_COMM_SIZE], exec[IOT_STRACE_COMM_SIZE]; /* as in iot_strace_task */
	struct iot_strace_call call;
	struct iot_strace_transfer transfer;
	guint64 begin_ns;
	gboolean parted; /* the second part of the last call comes later */
	gboolean open;	 /* the same of a call that is drawn, or moves bytes */
	guint64 ends;  /* number of its end in the heap; 0: none */
};

struct strace_source {
	struct iot_source base;
	struct iot_strace_log *log;
	struct iot_clock clock; /* stated by the user */
	char *file_name, *format, *commands;
	guint32 input, run;
	struct iot_intern *strings;
	struct iot_strace_files *files;
	struct iot_strace_streams *streams; /* NULL: the log does not have all of its connections */
	struct binding bindings[IOT_STRACE_EVENTS];
	GHashTable *threads;  /* pid -> struct thread */
	struct iot_heap ends; /* of calls, by thread */
	guint64 n_ends, n_calls;
	GArray *queue;	/* of struct iot_strace_rec, in order of time */
	guint next;	/* of the queue */
	guint64 now_ns; /* of the last event */
	guint64 first_ns, last_ns;
	gboolean ended;
	guint64 n_events;
	struct iot_diag diag;
};

static const char system_name[] = "iotrace";

/* --- open and close --- */

static int strace_probe(const char *path, const guint8 *head, gsize len)
{
	const char *text = (const char *)head;
	const guint8 *newline = memchr(head, '\n', len);

	(void)path;
	return iot_strace_line_probe(text, newline ? (gsize)(newline - head) : len) ? 50 : 0;
}

static void strace_close(struct iot_source *base)
{
	struct strace_source *src = (struct strace_source *)base;

	if (!src)
		return;
	for (guint i = 0; i < IOT_STRACE_EVENTS; i++)
		g_free(src->bindings[i].event);
	g_hash_table_unref(src->threads);
	iot_heap_clear(&src->ends);
	g_array_unref(src->queue);
	iot_strace_files_free(src->files);
	iot_strace_streams_free(src->streams);
	iot_intern_free(src->strings);
	iot_clock_clear(&src->clock);
	iot_strace_log_free(src->log);
	g_free(src->file_name);
	g_free(src->format);
	g_free(src->commands);
	g_free(src);
}

static guint64 corrected(const struct strace_source *src, guint64 ns)
{
	return iot_clock_correct(&src->clock, 0, ns);
}

static struct iot_source *strace_open(const struct iot_input_spec *spec, GError **error)
{
	struct iot_strace_log *log = iot_strace_log_open(spec->path, error);
	struct strace_source *src;

	if (!log)
		return NULL;
	src = g_new0(struct strace_source, 1);
	src->base.ops = &iot_source_strace;
	src->base.to_ns = G_MAXUINT64;
	src->log = log;
	if (!iot_clock_change_is_none(spec->clock))
		iot_clock_change_apply(spec->clock, &src->clock);
	src->file_name = iot_source_file_name(spec->path);
	src->format = g_strdup_printf("strace, %u digits of a second%s", log->digits,
				      iot_source_complete(log->begins, log->ends));
	src->commands = iot_strace_log_commands(log);
	src->input = spec->input;
	src->run = spec->first_run;
	src->strings = iot_intern_new();
	src->files = iot_strace_files_new(src->file_name, src->strings);
	if (log->whole)
		src->streams = iot_strace_streams_new(src->strings, src->files->log);
	src->threads = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	src->queue = g_array_new(FALSE, FALSE, sizeof(struct iot_strace_rec));
	src->first_ns = corrected(src, log->first_ns);
	src->last_ns = corrected(src, log->last_ns);
	iot_diag_add(&src->diag, IOT_DIAG_calls_slowed, 1);
	iot_diag_add(&src->diag, IOT_DIAG_lines_skipped, log->n_bad);
	return &src->base;
}

/* --- bind --- */

static gboolean strace_has_event(const struct iot_source *base, const char *system,
				 const char *name)
{
	(void)base;
	for (guint i = 0; i < IOT_STRACE_EVENTS; i++)
		if (!strcmp(system, system_name) && !strcmp(name, iot_strace_event_name(i)))
			return TRUE;
	return FALSE;
}

static enum iot_slot_type type_of(enum iot_strace_field field)
{
	return field < IOT_STRACE_NUMBERS ? IOT_SLOT_INT : IOT_SLOT_STR;
}

/* The field of the event with this name; -1: it has none. */
static gint8 find_field(enum iot_strace_event event, const char *name)
{
	for (guint i = 0; i < IOT_STRACE_FIELDS; i++)
		if (iot_strace_event_has(event, i) && !strcmp(iot_strace_field_name(i), name))
			return (gint8)i;
	return -1;
}

/* Fields of every event: the process, and that it was no interrupt. */
enum { FIELD_PID = IOT_STRACE_FIELDS, FIELD_ZERO };

static gint8 find_common(const char *name)
{
	return !strcmp(name, "common_pid")	  ? FIELD_PID
	       : !strcmp(name, IOT_CONTEXT_FIELD) ? FIELD_ZERO
						  : -1;
}

static gboolean bind_slot(struct strace_source *src, enum iot_strace_event kind,
			  const struct iot_schema_event *wanted, guint slot, GError **error)
{
	const struct iot_schema_field *field = &wanted->field[slot];
	struct binding *binding = &src->bindings[kind];
	const char *name = field->numbers ? wanted->field[field->from].name : field->name;
	gint8 found = field->from >= 0 && !field->numbers ? -1 : find_field(kind, name);
	guint8 type;

	if (found < 0)
		found = find_common(name);
	binding->field[slot] = found;
	if (found < 0) {
		if (!field->required || field->from >= 0)
			return TRUE;
		g_set_error(error, IOT_ERROR, IOT_ERROR_MODEL,
			    "%s: event %s of a log of strace has no field %s (required by %s)",
			    src->log->path, wanted->name, name,
			    field->needed_by ? field->needed_by : "a model");
		return FALSE;
	}
	type = found >= IOT_STRACE_FIELDS ? IOT_SLOT_INT : (guint8)type_of(found);
	if (!iot_schema_check_type(wanted, slot, &type, src->log->path, &src->diag, error))
		return FALSE;
	if (type == IOT_SLOT_ABSENT)
		binding->field[slot] = -1;
	binding->event->slot_type[slot] = type;
	return TRUE;
}

static gboolean strace_bind(struct iot_source *base, const struct iot_schema *schema,
			    GError **error)
{
	struct strace_source *src = (struct strace_source *)base;

	for (guint i = 0; i < IOT_STRACE_EVENTS; i++) {
		const struct iot_schema_event *wanted =
			iot_schema_find(schema, system_name, iot_strace_event_name(i));
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

/* --- calls to events --- */

static void put(struct strace_source *src, const struct iot_strace_rec *rec, guint64 ns,
		const struct thread *thread)
{
	struct iot_strace_rec *own;

	g_array_append_val(src->queue, *rec);
	own = &g_array_index(src->queue, struct iot_strace_rec, src->queue->len - 1);
	src->now_ns = MAX(src->now_ns, ns);
	own->ts = src->now_ns;
	own->pid = thread->pid;
	own->field[IOT_STRACE_TGID] = thread->tgid;
}

static void put_name(struct strace_source *src, const struct thread *thread, guint64 ns)
{
	struct iot_strace_rec rec = { .event = IOT_STRACE_TASK };

	rec.field[IOT_STRACE_COMM] = iot_intern_str(src->strings, thread->comm);
	put(src, &rec, ns, thread);
}

static void put_files(struct strace_source *src, const struct thread *thread, guint64 ns)
{
	for (guint i = 0; i < thread->call.n_files; i++)
		put(src, &thread->call.file[i], ns, thread);
	if (thread->call.unnamed)
		iot_diag_add(&src->diag, IOT_DIAG_descriptor_unnamed, 1);
}

static void put_ends(struct strace_source *src, struct thread *thread, guint64 ns)
{
	struct iot_strace_rec received;

	for (guint i = 0; i < thread->call.n; i++)
		put(src, &thread->call.end[i], ns, thread);
	if (iot_strace_streams_end(&thread->transfer, &received))
		put(src, &received, ns, thread);
	thread->ends = 0;
}

/* Ends of calls up to the instant. */
static void end_calls(struct strace_source *src, guint64 ns)
{
	const struct iot_heap_entry *top;

	while ((top = iot_heap_top(&src->ends)) && top->key <= ns) {
		struct iot_heap_entry entry = iot_heap_pop(&src->ends);
		struct thread *thread =
			g_hash_table_lookup(src->threads, GINT_TO_POINTER((gint)entry.value));

		if (thread && thread->ends == entry.tie)
			put_ends(src, thread, entry.key);
	}
}

static void end_later(struct strace_source *src, struct thread *thread, guint64 ns)
{
	thread->ends = ++src->n_ends;
	iot_heap_push(&src->ends, ns, thread->ends, (guint64)thread->pid);
}

/* A thread begins with the name of the one that made it. */
static struct thread *thread_new(struct strace_source *src, gint32 pid, guint64 ns)
{
	const struct iot_strace_task *task = iot_strace_log_task(src->log, pid);
	struct thread *thread = g_new0(struct thread, 1);
	const struct thread *parent =
		task && task->parent
			? g_hash_table_lookup(src->threads, GINT_TO_POINTER(task->parent))
			: NULL;

	thread->pid = pid;
	thread->tgid = task ? task->group : pid;
	g_hash_table_insert(src->threads, GINT_TO_POINTER(pid), thread);
	if (parent && parent->tgid != thread->tgid && iot_strace_files_fds(src->files))
		iot_strace_fds_fork(iot_strace_files_fds(src->files), thread->tgid, parent->tgid,
				    parent->pid);
	if (parent && *parent->comm) {
		memcpy(thread->comm, parent->comm, sizeof(thread->comm));
		put_name(src, thread, ns);
	}
	return thread;
}

/* Both parts of a call as one line. @joined: storage of its arguments */
static gboolean join_parts(const struct strace_source *src, gint32 pid,
			   const struct iot_strace_line *first, GString *joined,
			   struct iot_strace_line *out)
{
	struct iot_strace_line second;

	if (!iot_strace_log_resumed(src->log, pid, &second))
		return FALSE;
	g_string_truncate(joined, 0);
	g_string_append_len(joined, first->args.text, (gssize)first->args.len);
	if (first->args.len && first->args.text[first->args.len - 1] == ',')
		g_string_append_c(joined, ' ');
	g_string_append_len(joined, second.args.text, (gssize)second.args.len);
	*out = *first;
	out->kind = IOT_STRACE_CALL;
	out->args = (struct iot_strace_text){ joined->str, joined->len };
	out->result = second.result;
	out->timed = TRUE;
	out->took_ns = second.timed ? second.took_ns : second.ns - MIN(second.ns, first->ns);
	return TRUE;
}

static void begin_transfer(struct strace_source *src, struct thread *thread,
			   const struct iot_strace_line *line, guint64 ns)
{
	struct iot_strace_rec sent;

	if (src->streams &&
	    iot_strace_streams_begin(src->streams, line, thread->tgid, &thread->transfer, &sent))
		put(src, &sent, ns, thread);
}

static void begin_call(struct strace_source *src, struct thread *thread,
		       const struct iot_strace_line *line, guint64 ns)
{
	g_autoptr(GString) joined = g_string_new(NULL);
	struct iot_strace_line both;
	gboolean drawn;

	/* the clock of durations is another one: a call ends at the latest when the next begins */
	if (thread->ends)
		put_ends(src, thread, ns);
	thread->open = FALSE;
	if (line->kind == IOT_STRACE_UNFINISHED &&
	    join_parts(src, thread->pid, line, joined, &both))
		line = &both;
	thread->parted = line->kind == IOT_STRACE_UNFINISHED;
	drawn = iot_strace_call_make(src->files, line, thread->tgid, &thread->call);
	if (iot_strace_files_fds(src->files))
		iot_strace_fds_follow(iot_strace_files_fds(src->files), thread->tgid, thread->pid,
				      line);
	begin_transfer(src, thread, line, ns);
	if (!drawn)
		iot_diag_add(&src->diag, IOT_DIAG_calls_not_drawn, 1);
	if (!drawn && !thread->transfer.direction)
		return;
	src->n_calls++;
	put_files(src, thread, ns);
	for (guint i = 0; i < thread->call.n; i++) {
		thread->call.start[i].field[IOT_STRACE_ID] = (gint64)src->n_calls;
		thread->call.end[i].field[IOT_STRACE_ID] = (gint64)src->n_calls;
		put(src, &thread->call.start[i], ns, thread);
	}
	thread->begin_ns = line->ns;
	thread->open = line->kind == IOT_STRACE_UNFINISHED;
	if (line->timed)
		end_later(src, thread, MAX(corrected(src, line->ns + line->took_ns), ns));
}

/* The second part of a call that began long before. */
static void resume_call(struct strace_source *src, struct thread *thread,
			const struct iot_strace_line *line, guint64 ns)
{
	if (thread->parted && src->streams)
		iot_strace_streams_follow(src->streams, line, thread->tgid);
	thread->parted = FALSE;
	if (!thread->open)
		return;
	thread->open = FALSE;
	iot_strace_streams_result(&thread->transfer, line->result);
	iot_strace_call_end(src->files, line, thread->tgid, &thread->call);
	put_files(src, thread, ns);
	put_ends(src, thread, line->timed ? corrected(src, thread->begin_ns + line->took_ns) : ns);
}

/* The events of the next line; FALSE at the end of the log. */
static gboolean take_line(struct strace_source *src, GError **error)
{
	struct iot_strace_text text;
	struct iot_strace_line line;
	struct thread *thread;
	guint64 ns;
	gint32 pid;

	if (!iot_strace_log_next(src->log, &text, error))
		return FALSE;
	if (!iot_strace_line_parse(text.text, text.len, &line) || iot_strace_line_is_untimed(&line))
		return TRUE; /* counted when the log was opened */
	ns = corrected(src, line.ns);
	if (ns < src->now_ns && line.kind != IOT_STRACE_RESUMED && line.kind != IOT_STRACE_OTHER &&
	    !iot_heap_top(&src->ends))
		iot_diag_add(&src->diag, IOT_DIAG_clock_stepped_back, 1);
	end_calls(src, ns);
	if (line.kind == IOT_STRACE_OTHER)
		return TRUE;
	pid = line.pid < 0 ? src->log->pid : line.pid;
	thread = g_hash_table_lookup(src->threads, GINT_TO_POINTER(pid));
	if (line.kind == IOT_STRACE_EXIT) {
		if (thread && thread->ends)
			put_ends(src, thread, ns);
		if (thread && thread->tgid == pid && iot_strace_files_fds(src->files))
			iot_strace_fds_exit(iot_strace_files_fds(src->files), pid);
		g_hash_table_remove(src->threads, GINT_TO_POINTER(pid));
		return TRUE;
	}
	if (!thread)
		thread = thread_new(src, pid, ns);
	if (line.kind == IOT_STRACE_RESUMED)
		resume_call(src, thread, &line, ns);
	else
		begin_call(src, thread, &line, ns);
	if (iot_strace_line_name(&line, thread->exec, thread->comm))
		put_name(src, thread, ns);
	return TRUE;
}

/* --- read --- */

static gboolean add_rec(struct strace_source *src, struct iot_batch *batch,
			const struct iot_strace_rec *from)
{
	const struct binding *binding = &src->bindings[from->event];
	struct iot_rec *rec;

	if (!binding->event)
		return TRUE;
	rec = iot_batch_add(batch, binding->event, from->ts, from->pid);
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

static enum iot_next strace_read(struct iot_source *base, guint run, struct iot_batch *batch,
				 GError **error)
{
	struct strace_source *src = (struct strace_source *)base;
	g_autoptr(GError) failed = NULL;

	iot_batch_reset(batch, src->run + run);
	for (;;) {
		for (; src->next < src->queue->len; src->next++) {
			if (!add_rec(src, batch,
				     &g_array_index(src->queue, struct iot_strace_rec, src->next)))
				return batch->n ? IOT_NEXT_OK : iot_batch_too_small(batch, error);
			src->n_events++;
		}
		g_array_set_size(src->queue, 0);
		src->next = 0;
		if (src->ended || src->now_ns > base->to_ns)
			return batch->n ? IOT_NEXT_OK : IOT_NEXT_END;
		if (!take_line(src, &failed)) {
			if (failed) {
				g_propagate_error(error, g_steal_pointer(&failed));
				return IOT_NEXT_ERROR;
			}
			end_calls(src, G_MAXUINT64);
			src->ended = TRUE;
		}
	}
}

/* --- describe --- */

static guint strace_n_runs(const struct iot_source *base)
{
	(void)base;
	return 1;
}

static guint32 strace_cpu(const struct iot_source *base, guint run)
{
	(void)base;
	(void)run;
	return 0;
}

static guint64 strace_progress(const struct iot_source *base)
{
	return ((const struct strace_source *)base)->log->lines->offset;
}

static const struct iot_intern *strace_strings(const struct iot_source *base, guint run)
{
	(void)run;
	return ((const struct strace_source *)base)->strings;
}

static void strace_describe(const struct iot_source *base, struct iot_input_info *info)
{
	static const char *const systems[] = { system_name, NULL };
	const struct strace_source *src = (const struct strace_source *)base;

	*info = (struct iot_input_info){
		.path = src->log->path,
		.reader = base->ops->name,
		.file_name = src->file_name,
		.format = src->format,
		.clock = "real",
		.protocol = iot_clock_protocol(&src->clock),
		.sync = iot_clock_is_stated(&src->clock) ? IOT_SYNC_YES : IOT_SYNC_NO,
		.n_cpus = 1,
		.n_buffers = 1,
		.has_times = TRUE,
		.first_ns = src->first_ns,
		.last_ns = src->last_ns,
		.bytes = src->log->lines->size,
		.commands = src->commands,
		.n_events = src->n_events,
		.damaged = src->log->n_bad > 0,
		.nothing_before = src->log->begins,
		.nothing_after = src->log->ends,
		.end_ns = src->last_ns,
		.seen_ns = src->last_ns,
		.first_seen_ns = src->first_ns,
		.diag = &src->diag,
		.systems = systems,
		.recorded = systems,
	};
}

/* Real time: only a statement says how far it is from that of other machines. */
static void strace_judge(const struct iot_source *base, const struct iot_clock_assumed *assumed,
			 struct iot_clock_facts *out)
{
	const struct strace_source *src = (const struct strace_source *)base;

	*out = (struct iot_clock_facts){ 0 };
	if (src->clock.method)
		iot_clock_judge(&src->clock, "real", assumed, src->first_ns, src->last_ns, out);
}

const struct iot_source_ops iot_source_strace = {
	.name = "strace",
	.runs_independent = TRUE,
	.probe = strace_probe,
	.first_part = iot_strace_first_part,
	.open = strace_open,
	.bind = strace_bind,
	.has_event = strace_has_event,
	.n_runs = strace_n_runs,
	.cpu = strace_cpu,
	.read = strace_read,
	.progress = strace_progress,
	.strings = strace_strings,
	.describe = strace_describe,
	.judge = strace_judge,
	.close = strace_close,
};
