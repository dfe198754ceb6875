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
#include "input/made-source.h"
#include "input/strace/strace-call.h"
#include "input/strace/strace-log.h"
#include "input/strace/strace-parts.h"
#include "input/strace/strace-streams.h"

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
	struct iot_made_source own;
	struct iot_strace_log *log;
	char *commands;
	struct iot_strace_files *files;
	struct iot_strace_streams *streams; /* NULL: the log does not have all of its connections */
	GHashTable *threads;  /* pid -> struct thread */
	struct iot_heap ends; /* of calls, by thread */
	guint64 n_ends, n_calls;
};

static const char system_name[] = "iotrace";

static gboolean take_line(struct iot_source *base, GError **error);

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
	g_hash_table_unref(src->threads);
	iot_heap_clear(&src->ends);
	iot_strace_files_free(src->files);
	iot_strace_streams_free(src->streams);
	iot_strace_log_free(src->log);
	g_free(src->commands);
	iot_made_source_clear(&src->own);
	g_free(src);
}

static struct iot_source *strace_open(const struct iot_input_spec *spec, GError **error)
{
	struct iot_strace_log *log = iot_strace_log_open(spec->path, error);
	struct strace_source *src;

	if (!log)
		return NULL;
	src = g_new0(struct strace_source, 1);
	iot_made_source_init(&src->own, &iot_source_strace, &iot_strace_kinds, "real", spec,
			     take_line);
	src->log = log;
	src->own.file_name = iot_source_file_name(spec->path);
	src->own.format = g_strdup_printf("strace, %u digits of a second%s", log->digits,
					  iot_source_complete(log->begins, log->ends));
	src->commands = iot_strace_log_commands(log);
	src->files = iot_strace_files_new(src->own.file_name, src->own.strings);
	if (log->whole)
		src->streams = iot_strace_streams_new(src->own.strings, src->files->log);
	src->threads = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	src->own.first_ns = iot_made_source_correct(&src->own, log->first_ns);
	src->own.last_ns = iot_made_source_correct(&src->own, log->last_ns);
	iot_diag_add(&src->own.diag, IOT_DIAG_calls_slowed, 1);
	iot_diag_add(&src->own.diag, IOT_DIAG_lines_skipped, log->n_bad);
	return &src->own.base;
}

/* --- bind --- */

/* --- calls to events --- */

static void put(struct strace_source *src, const struct iot_made_rec *rec, guint64 ns,
		const struct thread *thread)
{
	struct iot_made_rec *own = iot_made_put(src->own.made, rec, ns);

	own->pid = thread->pid;
	own->field[IOT_FILE_TGID] = thread->tgid;
}

static void put_name(struct strace_source *src, const struct thread *thread, guint64 ns)
{
	struct iot_made_rec rec = { .event = IOT_FILE_TASK };

	rec.field[IOT_FILE_COMM] = iot_intern_str(src->own.strings, thread->comm);
	put(src, &rec, ns, thread);
}

static void put_files(struct strace_source *src, const struct thread *thread, guint64 ns)
{
	for (guint i = 0; i < thread->call.n_files; i++)
		put(src, &thread->call.file[i], ns, thread);
	if (thread->call.unnamed)
		iot_diag_add(&src->own.diag, IOT_DIAG_descriptor_unnamed, 1);
}

static void put_ends(struct strace_source *src, struct thread *thread, guint64 ns)
{
	struct iot_made_rec received;

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
	if (parent && parent->tgid != thread->tgid)
		iot_descriptors_fork(src->files->fds, thread->tgid, parent->tgid, parent->pid);
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
	out->parted = TRUE;
	out->args = (struct iot_strace_text){ joined->str, joined->len };
	out->result = second.result;
	out->timed = TRUE;
	out->took_ns = second.timed ? second.took_ns : second.ns - MIN(second.ns, first->ns);
	return TRUE;
}

static void begin_transfer(struct strace_source *src, struct thread *thread,
			   const struct iot_strace_line *line, guint64 ns)
{
	struct iot_made_rec sent;

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
	iot_strace_fds_follow(src->files->fds, src->own.strings, thread->tgid, thread->pid, line);
	begin_transfer(src, thread, line, ns);
	if (!drawn)
		iot_diag_add(&src->own.diag, IOT_DIAG_calls_not_drawn, 1);
	if (!drawn && !thread->transfer.direction)
		return;
	src->n_calls++;
	put_files(src, thread, ns);
	for (guint i = 0; i < thread->call.n; i++) {
		thread->call.start[i].field[IOT_FILE_ID] = (gint64)src->n_calls;
		thread->call.end[i].field[IOT_FILE_ID] = (gint64)src->n_calls;
		put(src, &thread->call.start[i], ns, thread);
	}
	thread->begin_ns = line->ns;
	thread->open = line->kind == IOT_STRACE_UNFINISHED;
	if (line->timed)
		end_later(src, thread,
			  MAX(iot_made_source_correct(&src->own, line->ns + line->took_ns), ns));
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
	put_ends(src, thread,
		 line->timed ? iot_made_source_correct(&src->own, thread->begin_ns + line->took_ns)
			     : ns);
}

/* The events of the next line; FALSE at the end of the log. */
static gboolean take_line(struct iot_source *base, GError **error)
{
	struct strace_source *src = (struct strace_source *)base;
	g_autoptr(GError) failed = NULL;
	struct iot_strace_text text;
	struct iot_strace_line line;
	struct thread *thread;
	guint64 ns;
	gint32 pid;

	if (!iot_strace_log_next(src->log, &text, &failed)) {
		if (failed)
			g_propagate_error(error, g_steal_pointer(&failed));
		else
			end_calls(src, G_MAXUINT64);
		return FALSE;
	}
	if (!iot_strace_line_parse(text.text, text.len, &line) || iot_strace_line_is_untimed(&line))
		return TRUE; /* counted when the log was opened */
	ns = iot_made_source_correct(&src->own, line.ns);
	if (ns < src->own.made->now_ns && line.kind != IOT_STRACE_RESUMED &&
	    line.kind != IOT_STRACE_OTHER && !iot_heap_top(&src->ends))
		iot_diag_add(&src->own.diag, IOT_DIAG_clock_stepped_back, 1);
	end_calls(src, ns);
	if (line.kind == IOT_STRACE_OTHER)
		return TRUE;
	pid = line.pid < 0 ? src->log->pid : line.pid;
	thread = g_hash_table_lookup(src->threads, GINT_TO_POINTER(pid));
	if (line.kind == IOT_STRACE_EXIT) {
		if (thread && thread->ends)
			put_ends(src, thread, ns);
		if (thread && thread->tgid == pid)
			iot_descriptors_exit(src->files->fds, pid);
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

/* --- describe --- */

static guint64 strace_progress(const struct iot_source *base)
{
	return ((const struct strace_source *)base)->log->lines->offset;
}

static void strace_describe(const struct iot_source *base, struct iot_input_info *info)
{
	static const char *const systems[] = { system_name, NULL };
	const struct strace_source *src = (const struct strace_source *)base;

	iot_made_source_describe(base, info);
	info->bytes = src->log->lines->size;
	info->commands = src->commands;
	info->damaged = src->log->n_bad > 0;
	info->nothing_before = src->log->begins;
	info->nothing_after = src->log->ends;
	info->systems = info->recorded = systems;
}

const struct iot_source_ops iot_source_strace = {
	.name = "strace",
	.runs_independent = TRUE,
	.probe = strace_probe,
	.first_part = iot_strace_first_part,
	.open = strace_open,
	.bind = iot_made_source_bind,
	.has_event = iot_made_source_has_event,
	.n_runs = iot_made_n_runs,
	.cpu = iot_made_cpu,
	.read = iot_made_source_read,
	.progress = strace_progress,
	.strings = iot_made_source_strings,
	.describe = strace_describe,
	.judge = iot_made_source_judge,
	.close = strace_close,
};
