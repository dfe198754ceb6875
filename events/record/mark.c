/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mark.h"
#include "local.h"
#include "event-probe.h"
#include "tracing-state.h"
#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <tracefs.h>
#include <unistd.h>

static const char folder[] = "/run/iotrace-record";

/* How long recorders of a dead process may take to close their files; then they get the next
 * signal. */
enum { CLOSE_MS = 3000, STEP_MS = 20 };

struct rec_mark {
	char *path;
	GKeyFile *file;
};

/* A text that differs for each process that ever had this number; NULL: there is no such process.
 */
static char *start_of(int pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/stat", pid), *text = NULL;
	g_auto(GStrv) fields = NULL;
	const char *end;

	if (!g_file_get_contents(path, &text, NULL, NULL) || !(end = strrchr(text, ')')))
		return NULL;
	fields = g_strsplit(end, " ", -1);
	/* after the name: 1 is the state, 20 the time of the start; a zombie does nothing any more
	 */
	if (g_strv_length(fields) < 21 || !strcmp(fields[1], "Z"))
		return NULL;
	return g_strdup(fields[20]);
}

static gboolean is_alive(GKeyFile *file)
{
	int pid = g_key_file_get_integer(file, "process", "pid", NULL);
	g_autofree char *start = g_key_file_get_string(file, "process", "start", NULL);
	g_autofree char *now = start_of(pid);

	return now && !g_strcmp0(start, now);
}

/* Names of instances that trace-cmd makes and leaves when it is killed. */
static gboolean is_made_by_trace_cmd(const char *name)
{
	return g_str_has_prefix(name, "clock_synch-") || !strcmp(name, "vsock_find_pid");
}

/* The instance of a recording, and the events that were made for it: events are off first.
 * FALSE: somebody uses one. */
static gboolean remove_own(GKeyFile *file, const char *own)
{
	g_auto(GStrv) triggers = g_key_file_get_string_list(file, "triggers", "set", NULL, NULL);

	if (tracefs_instance_exists(own)) {
		struct tracefs_instance *instance = tracefs_instance_create(own);

		tracefs_event_disable(instance, NULL, NULL);
		tracefs_instance_free(instance);
		/* the later one uses variables of the earlier one */
		for (guint i = triggers ? g_strv_length(triggers) : 0; i-- > 0;) {
			g_auto(GStrv) parts = g_strsplit(triggers[i], " ", 2);
			g_autofree char *undo = g_strconcat("!", parts[1], NULL);

			rec_local_trigger(own, parts[0], undo);
		}
	}
	return rec_local_remove(own) && rec_probes_remove(own);
}

/* FALSE: somebody uses one. */
static gboolean remove_instances(GKeyFile *file)
{
	g_auto(GStrv) before = g_key_file_get_string_list(file, "process", "instances", NULL, NULL);
	g_autofree char *own = g_key_file_get_string(file, "process", "instance", NULL);
	char **now = tracefs_instances(NULL);
	gboolean gone = TRUE;

	for (guint i = 0; now && now[i]; i++)
		if (is_made_by_trace_cmd(now[i]) && before &&
		    !g_strv_contains((const char *const *)before, now[i]))
			gone &= rec_local_remove(now[i]);
	tracefs_list_free(now);
	return (!own || remove_own(file, own)) && gone;
}

/* Processes that record for the process of a mark, of int. */
static GArray *find_recorders(GKeyFile *file)
{
	g_autofree char *id = g_key_file_get_string(file, "process", "id", NULL);
	g_autofree char *wanted = g_strconcat(REC_MARK_VARIABLE "=", id, NULL);
	GArray *found = g_array_new(FALSE, FALSE, sizeof(int));
	GDir *proc = g_dir_open("/proc", 0, NULL);
	const char *name;

	while (proc && (name = g_dir_read_name(proc))) {
		g_autofree char *path = g_build_filename("/proc", name, "environ", NULL),
				*text = NULL;
		gsize len = 0;
		int pid = atoi(name);

		if (pid <= 0 || !g_file_get_contents(path, &text, &len, NULL))
			continue;
		for (const char *at = text; at < text + len; at += strlen(at) + 1) {
			if (strcmp(at, wanted))
				continue;
			g_array_append_val(found, pid);
			break;
		}
	}
	g_clear_pointer(&proc, g_dir_close);
	return found;
}

static guint signal_recorders(GKeyFile *file, int number)
{
	g_autoptr(GArray) found = find_recorders(file);

	for (guint i = 0; i < found->len; i++)
		kill(g_array_index(found, int, i), number);
	return found->len;
}

/* The recorders were asked to end when their parent died. Those of a trace-cmd that died, too, were
 * not. */
static void end_recorders(GKeyFile *file)
{
	static const int signals[] = { 0, SIGINT, SIGKILL };

	for (guint i = 0; i < G_N_ELEMENTS(signals); i++) {
		guint n = signal_recorders(file, signals[i]);

		for (guint ms = 0; n && ms < CLOSE_MS; ms += STEP_MS) {
			g_usleep(STEP_MS * 1000);
			n = signal_recorders(file, 0);
		}
		if (!n)
			return;
	}
}

gboolean rec_mark_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC), code;
	gboolean ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	code = errno;
	if (fd >= 0)
		close(fd);
	errno = code;
	return ok;
}

/* Returns the number of files that could not be restored. */
static guint restore_files(GKeyFile *file)
{
	g_auto(GStrv) paths = g_key_file_get_keys(file, "files", NULL, NULL);
	guint n_failed = 0;

	for (guint i = 0; paths && paths[i]; i++) {
		g_autofree char *text = g_key_file_get_string(file, "files", paths[i], NULL);

		n_failed += !rec_mark_write(paths[i], text);
	}
	return n_failed;
}

/* Returns the number of settings that still differ.
 * @out_gone: all instances have been removed */
static guint undo(GKeyFile *file, gboolean *out_gone)
{
	g_autoptr(GHashTable) saved =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	g_auto(GStrv) paths = g_key_file_get_keys(file, "settings", NULL, NULL);
	guint n_failed = restore_files(file);

	*out_gone = remove_instances(file);
	if (!paths)
		return n_failed;
	for (guint i = 0; paths[i]; i++)
		g_hash_table_insert(saved, g_strdup(paths[i]),
				    g_key_file_get_string(file, "settings", paths[i], NULL));
	return n_failed + rec_state_restore(saved);
}

/* The mark has served. Instances in use are left to the next start, also if a later
 * recording has found them here. */
static void finish(GKeyFile *file, const char *path, gboolean gone)
{
	g_key_file_remove_group(file, "settings", NULL);
	g_key_file_remove_group(file, "files", NULL);
	g_key_file_set_boolean(file, "process", "ended", TRUE);
	if (gone || !g_key_file_save_to_file(file, path, NULL))
		g_unlink(path);
}

gboolean rec_mark_recover(gboolean top, char **out_note, GError **error)
{
	GDir *dir = g_dir_open(folder, 0, NULL);
	gboolean free_top = TRUE;
	const char *name;
	guint n = 0, n_used = 0;
	gboolean killed = FALSE;

	*out_note = NULL;
	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(folder, name, NULL);
		g_autoptr(GKeyFile) file = g_key_file_new();

		if (!g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, NULL)) {
			g_unlink(path);
		} else if (!is_alive(file)) {
			gboolean gone;

			killed |= !g_key_file_has_key(file, "process", "ended", NULL);
			end_recorders(file);
			undo(file, &gone);
			finish(file, path, gone);
			n++;
			n_used += !gone;
		} else if (top && g_key_file_has_group(file, "settings")) {
			iot_usage_error(error,
					"another iotrace-record or iotrace-agent (process %s) uses "
					"the top trace "
					"buffer of this "
					"machine: wait until it has ended",
					name);
			free_top = FALSE;
			break;
		}
	}
	g_clear_pointer(&dir, g_dir_close);
	if (n_used)
		*out_note =
			g_strdup_printf("note: an earlier %s; an instance in use is left to the "
					"next start: end the "
					"program that uses it, which may be an agent of trace-cmd",
					killed ? "iotrace-record was killed; its tracing settings "
						 "have been restored"
					       : "recording has left an instance of tracing");
	else if (n && killed)
		*out_note = g_strdup(
			"note: an earlier iotrace-record was killed; its tracing settings and "
			"instances have been removed");
	return free_top;
}

static gboolean save(struct rec_mark *mark, GError **error)
{
	if (g_key_file_save_to_file(mark->file, mark->path, error))
		return TRUE;
	g_prefix_error(error, "the mark that lets the next start clean up cannot be written: ");
	return FALSE;
}

static void add_settings(GKeyFile *file)
{
	g_autoptr(GHashTable) state = rec_state_read();
	GHashTableIter iter;
	gpointer path, text;

	g_hash_table_iter_init(&iter, state);
	while (g_hash_table_iter_next(&iter, &path, &text))
		g_key_file_set_string(file, "settings", path, text);
}

static void add_instances(GKeyFile *file)
{
	char **now = tracefs_instances(NULL);
	guint n = now ? g_strv_length(now) : 0;

	g_key_file_set_string_list(file, "process", "instances", (const char *const *)now, n);
	tracefs_list_free(now);
}

static void mark_free(struct rec_mark *mark)
{
	g_key_file_unref(mark->file);
	g_free(mark->path);
	g_free(mark);
}

struct rec_mark *rec_mark_new(const char *instance, GError **error)
{
	struct rec_mark *mark = g_new0(struct rec_mark, 1);
	g_autofree char *start = start_of(getpid()), *id = rec_mark_id();

	mark->path = g_strdup_printf("%s/%d", folder, (int)getpid());
	mark->file = g_key_file_new();
	g_key_file_set_integer(mark->file, "process", "pid", getpid());
	g_key_file_set_string(mark->file, "process", "start", start ? start : "");
	g_key_file_set_string(mark->file, "process", "id", id);
	add_instances(mark->file);
	if (instance)
		g_key_file_set_string(mark->file, "process", "instance", instance);
	else
		add_settings(mark->file);
	g_mkdir_with_parents(folder, 0700);
	if (save(mark, error))
		return mark;
	mark_free(mark);
	return NULL;
}

char *rec_mark_id(void)
{
	g_autofree char *start = start_of(getpid());

	return g_strdup_printf("%d-%s", (int)getpid(), start ? start : "");
}

void rec_mark_refresh(struct rec_mark *mark)
{
	g_key_file_remove_group(mark->file, "settings", NULL);
	add_settings(mark->file);
	add_instances(mark->file);
	save(mark, NULL);
}

void rec_mark_restore(struct rec_mark *mark)
{
	gboolean gone;

	undo(mark->file, &gone);
}

guint rec_mark_undo(struct rec_mark *mark)
{
	gboolean gone;
	guint n;

	if (!mark)
		return 0;
	n = undo(mark->file, &gone);
	finish(mark->file, mark->path, gone);
	mark_free(mark);
	return n;
}

/* Another living process that has changed files and will restore them; 0: none. */
static int find_changer(void)
{
	GDir *dir = g_dir_open(folder, 0, NULL);
	const char *name;
	int pid = 0;

	while (dir && !pid && (name = g_dir_read_name(dir))) {
		g_autofree char *mark = g_build_filename(folder, name, NULL);
		g_autoptr(GKeyFile) file = g_key_file_new();

		if (atoi(name) != getpid() &&
		    g_key_file_load_from_file(file, mark, G_KEY_FILE_NONE, NULL) &&
		    g_key_file_has_group(file, "files") && is_alive(file))
			pid = g_key_file_get_integer(file, "process", "pid", NULL);
	}
	g_clear_pointer(&dir, g_dir_close);
	return pid;
}

gboolean rec_mark_file(struct rec_mark *mark, const char *path, GError **error)
{
	/* others look and save one after the other */
	int lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	g_autofree char *text = NULL;
	gboolean ok = FALSE;
	int other;

	if (lock >= 0)
		flock(lock, LOCK_EX);
	other = find_changer();
	if (other) {
		iot_usage_error(
			error,
			"another iotrace-record (process %d) has set filters of iotrace.ko, which "
			"hold for both: wait until it has ended",
			other);
	} else if (g_file_get_contents(path, &text, NULL, error)) {
		g_key_file_set_string(mark->file, "files", path, text);
		ok = save(mark, error);
	}
	if (lock >= 0)
		close(lock);
	return ok;
}

gboolean rec_mark_trigger(struct rec_mark *mark, const char *event, const char *text,
			  GError **error)
{
	gsize n = 0;
	g_auto(GStrv) old = g_key_file_get_string_list(mark->file, "triggers", "set", &n, NULL);
	g_autofree char *line = g_strconcat(event, " ", text, NULL);
	g_autofree const char **all = g_new0(const char *, n + 2);

	for (gsize i = 0; i < n; i++)
		all[i] = old[i];
	all[n] = line;
	g_key_file_set_string_list(mark->file, "triggers", "set", all, n + 1);
	return save(mark, error);
}

void rec_mark_flight(struct rec_mark *mark, guint dumps, const char *last)
{
	g_key_file_set_integer(mark->file, "flight", "dumps", (int)dumps);
	g_key_file_set_string(mark->file, "flight", "last", last);
	save(mark, NULL);
}

static void flight_free(gpointer data)
{
	struct rec_mark_flight *flight = data;

	g_free(flight->last);
	g_free(flight);
}

GPtrArray *rec_mark_flights(void)
{
	GPtrArray *flights = g_ptr_array_new_with_free_func(flight_free);
	GDir *dir = g_dir_open(folder, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(folder, name, NULL);
		g_autoptr(GKeyFile) file = g_key_file_new();
		struct rec_mark_flight *flight;

		if (!g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, NULL) ||
		    !g_key_file_has_group(file, "flight") || !is_alive(file))
			continue;
		flight = g_new0(struct rec_mark_flight, 1);
		flight->pid = g_key_file_get_integer(file, "process", "pid", NULL);
		flight->dumps = (guint)g_key_file_get_integer(file, "flight", "dumps", NULL);
		flight->last = g_key_file_get_string(file, "flight", "last", NULL);
		g_ptr_array_add(flights, flight);
	}
	g_clear_pointer(&dir, g_dir_close);
	return flights;
}
