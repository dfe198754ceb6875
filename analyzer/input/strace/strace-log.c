/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/error.h"
#include "input/strace/strace-log.h"
#include "input/strace/strace-streams.h"

gboolean iot_strace_log_next(struct iot_strace_log *log, struct iot_strace_text *out,
			     GError **error)
{
	gint32 pid;

	if (!iot_strace_lines_next(log->lines, out, &pid, error))
		return FALSE;
	if (pid)
		log->pid = pid;
	return TRUE;
}

/* A number of digits and blanks stand before the name: "17 1795310205.133597254 <... read" */
gboolean iot_strace_log_resumed(const struct iot_strace_log *log, gint32 pid,
				struct iot_strace_line *out)
{
	struct iot_strace_text ahead = iot_strace_lines_ahead(log->lines);
	const char *p = ahead.text, *end = p + ahead.len, *newline;

	for (; (newline = memchr(p, '\n', (gsize)(end - p))); p = newline + 1)
		if (iot_strace_line_parse(p, (gsize)(newline - p), out) &&
		    (out->pid < 0 ? log->pid : out->pid) == pid)
			return out->kind == IOT_STRACE_RESUMED;
	return FALSE;
}

/* ---- the whole log */

static gboolean refuse(const struct iot_strace_log *log, const char *what, GError **error)
{
	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
		    "%s is a log of strace %s; record again with: " IOT_STRACE_COMMAND, log->path,
		    what);
	return FALSE;
}

/* The last part of a path, as far as the kernel keeps it; FALSE: @arg is no text. */
static gboolean take_comm(struct iot_strace_text arg, char out[IOT_STRACE_COMM_SIZE])
{
	g_autoptr(GString) path = g_string_new(NULL);
	const char *slash;

	if (!iot_strace_string(arg, path))
		return FALSE;
	slash = strrchr(path->str, '/');
	g_strlcpy(out, slash ? slash + 1 : path->str, IOT_STRACE_COMM_SIZE);
	return TRUE;
}

static gboolean is_zero(const struct iot_strace_line *line)
{
	return line->kind != IOT_STRACE_UNFINISHED && iot_strace_is(line->result, "0");
}

gboolean iot_strace_line_name(const struct iot_strace_line *line, char exec[IOT_STRACE_COMM_SIZE],
			      char comm[IOT_STRACE_COMM_SIZE])
{
	struct iot_strace_text arg[IOT_STRACE_ARGS];
	char old[IOT_STRACE_COMM_SIZE];

	memcpy(old, comm, sizeof(old));
	if (line->comm.text)
		g_strlcpy(comm, line->comm.text, MIN(line->comm.len + 1, IOT_STRACE_COMM_SIZE));
	if (iot_strace_is(line->name, "execve")) {
		if (line->kind != IOT_STRACE_RESUMED && iot_strace_split(line->args, arg))
			take_comm(arg[0], exec);
		if (is_zero(line) && *exec)
			memcpy(comm, exec, IOT_STRACE_COMM_SIZE);
	} else if (iot_strace_is(line->name, "prctl") && is_zero(line) &&
		   line->kind == IOT_STRACE_CALL && iot_strace_split(line->args, arg) > 1 &&
		   iot_strace_is(arg[0], "PR_SET_NAME")) {
		take_comm(arg[1], comm);
	}
	return strcmp(old, comm) != 0;
}

static gboolean makes_thread(const struct iot_strace_line *line)
{
	return memmem(line->args.text, line->args.len, "CLONE_THREAD", strlen("CLONE_THREAD")) !=
	       NULL;
}

/* clone, clone3, fork, vfork */
static gboolean makes_task(struct iot_strace_text name)
{
	return (name.len >= 5 && !memcmp(name.text, "clone", 5)) ||
	       (name.len >= 4 && !memcmp(name.text + name.len - 4, "fork", 4));
}

static struct iot_strace_task *task_at(struct iot_strace_log *log, gint32 pid)
{
	struct iot_strace_task *task = g_hash_table_lookup(log->tasks, GINT_TO_POINTER(pid));

	if (!task) {
		task = g_new0(struct iot_strace_task, 1);
		task->group = pid;
		g_hash_table_insert(log->tasks, GINT_TO_POINTER(pid), task);
	}
	return task;
}

/* The second part of a call does not say what is asked for. */
static void note_clone(struct iot_strace_log *log, gint32 pid, const struct iot_strace_line *line)
{
	struct iot_strace_task *task = task_at(log, pid), *made;
	gboolean thread = line->kind == IOT_STRACE_RESUMED ? task->clones : makes_thread(line);
	gint64 number;

	task->clones = line->kind == IOT_STRACE_UNFINISHED && thread;
	if (line->kind == IOT_STRACE_UNFINISHED || !iot_strace_int(line->result, &number) ||
	    number <= 0 || number > G_MAXINT32)
		return;
	made = task_at(log, (gint32)number);
	made->parent = pid;
	if (thread)
		made->group = task->group;
	if (!*made->comm)
		memcpy(made->comm, task->comm, sizeof(made->comm));
}

static void note_line(struct iot_strace_log *log, const struct iot_strace_line *line)
{
	struct iot_strace_task *task;
	gint64 result;
	gint32 pid;

	if (line->pid < 0 && !log->pid && line->kind == IOT_STRACE_CALL &&
	    iot_strace_is(line->name, "set_tid_address") && iot_strace_int(line->result, &result) &&
	    result > 0 && result <= G_MAXINT32) {
		/* its lines so far had no number */
		g_hash_table_insert(log->tasks, GINT_TO_POINTER((gint)result), task_at(log, 0));
		g_hash_table_steal(log->tasks, NULL);
		log->pid = (gint32)result;
		task_at(log, log->pid)->group = log->pid;
	}
	pid = line->pid < 0 ? log->pid : line->pid;
	task = task_at(log, pid);
	log->n_running += !task->runs;
	task->runs = task->seen = TRUE;
	log->hides |= iot_strace_streams_hidden(line);
	log->has_memory |= iot_strace_is(line->name, "mmap") || iot_strace_is(line->name, "brk");
	iot_strace_line_name(line, task->exec, task->comm);
	if (makes_task(line->name))
		note_clone(log, pid, line);
}

static void note_exit(struct iot_strace_log *log, gint32 pid)
{
	struct iot_strace_task *task =
		g_hash_table_lookup(log->tasks, GINT_TO_POINTER(pid < 0 ? log->pid : pid));

	if (!task)
		return;
	task->seen = TRUE;
	log->n_running -= task->runs;
	task->runs = FALSE;
}

/* Whether all that was started has lines (strace -f). */
static gboolean has_all_tasks(const struct iot_strace_log *log)
{
	GHashTableIter iter;
	gpointer task;

	g_hash_table_iter_init(&iter, log->tasks);
	while (g_hash_table_iter_next(&iter, NULL, &task))
		if (!((const struct iot_strace_task *)task)->seen)
			return FALSE;
	return TRUE;
}

static gboolean look_through(struct iot_strace_log *log, GError **error)
{
	struct iot_strace_line line;
	struct iot_strace_text text;
	g_autoptr(GError) failed = NULL;
	gboolean timed = FALSE;

	while (iot_strace_log_next(log, &text, &failed)) {
		if (!iot_strace_line_parse(text.text, text.len, &line) ||
		    (timed && iot_strace_line_is_untimed(&line))) {
			log->n_bad += text.len > 0;
			continue;
		}
		/* the first call tells */
		if (iot_strace_line_is_untimed(&line))
			return refuse(log, "without the durations of calls", error);
		timed |= line.timed;
		if (!log->n_lines++) {
			log->first_ns = line.ns;
			log->begins = line.kind < IOT_STRACE_RESUMED &&
				      iot_strace_is(line.name, "execve");
		}
		log->last_ns = MAX(log->last_ns, line.ns + (line.timed ? line.took_ns : 0));
		log->digits = MAX(log->digits, line.digits);
		if (line.kind < IOT_STRACE_EXIT)
			note_line(log, &line);
		else if (line.kind == IOT_STRACE_EXIT)
			note_exit(log, line.pid);
	}
	if (failed) {
		g_propagate_error(error, g_steal_pointer(&failed));
		return FALSE;
	}
	/* a line that cannot be read may be any */
	log->begins &= !log->n_bad;
	log->ends = !log->n_bad && !log->n_running;
	log->whole = log->begins && !log->hides && log->has_memory && has_all_tasks(log);
	return log->n_lines || refuse(log, "without times (since 1970, with a fraction)", error);
}

struct iot_strace_log *iot_strace_log_open(const char *path, GError **error)
{
	struct iot_strace_log *log = g_new0(struct iot_strace_log, 1);

	log->path = g_strdup(path);
	log->tasks = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	log->lines = iot_strace_lines_open(path, error);
	if (log->lines && look_through(log, error)) {
		iot_strace_lines_rewind(log->lines);
		return log;
	}
	iot_strace_log_free(log);
	return NULL;
}

void iot_strace_log_free(struct iot_strace_log *log)
{
	if (!log)
		return;
	iot_strace_lines_free(log->lines);
	g_hash_table_unref(log->tasks);
	g_free(log->path);
	g_free(log);
}

const struct iot_strace_task *iot_strace_log_task(const struct iot_strace_log *log, gint32 pid)
{
	return g_hash_table_lookup(log->tasks, GINT_TO_POINTER(pid));
}

static int by_number(gconstpointer a, gconstpointer b)
{
	return GPOINTER_TO_INT(a) - GPOINTER_TO_INT(b);
}

char *iot_strace_log_commands(const struct iot_strace_log *log)
{
	GList *pids = g_list_sort(g_hash_table_get_keys(log->tasks), by_number);
	GString *lines = g_string_new(NULL);

	for (GList *pid = pids; pid; pid = pid->next) {
		const struct iot_strace_task *task = g_hash_table_lookup(log->tasks, pid->data);

		if (*task->comm)
			g_string_append_printf(lines, "%d %s\n", GPOINTER_TO_INT(pid->data),
					       task->comm);
	}
	g_list_free(pids);
	return g_string_free(lines, FALSE);
}
