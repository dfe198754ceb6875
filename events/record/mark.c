/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mark-local.h"
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

const char rec_mark_folder[] = "/run/iotrace-record";

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

static int lock_marks(void)
{
	int lock;

	g_mkdir_with_parents(rec_mark_folder, 0700);
	lock = open(rec_mark_folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (lock >= 0)
		flock(lock, LOCK_EX);
	return lock;
}

static void unlock_marks(int lock)
{
	if (lock >= 0)
		close(lock);
}

gboolean rec_mark_is_alive(GKeyFile *file)
{
	int pid = g_key_file_get_integer(file, "process", "pid", NULL);
	g_autofree char *start = g_key_file_get_string(file, "process", "start", NULL);
	g_autofree char *now = start_of(pid);

	return now && !g_strcmp0(start, now);
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

gboolean rec_mark_recover(gboolean top, char **out_note, GError **error)
{
	int lock = lock_marks();
	GDir *dir = g_dir_open(rec_mark_folder, 0, NULL);
	gboolean free_top = TRUE;
	const char *name;
	guint n = 0, n_used = 0;
	gboolean killed = FALSE;

	*out_note = NULL;
	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(rec_mark_folder, name, NULL);
		g_autoptr(GKeyFile) file = g_key_file_new();

		if (!g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, NULL)) {
			g_unlink(path);
		} else if (!rec_mark_is_alive(file)) {
			enum rec_rest rest;

			killed |= !g_key_file_has_key(file, "process", "ended", NULL);
			rec_mark_end_recorders(file);
			rec_mark_take_back(file, rec_mark_others(path), &rest);
			rec_mark_finish(file, path, rest);
			n++;
			n_used += rest == REC_REST_INSTANCE;
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
	unlock_marks(lock);
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
	gboolean good;
	int lock;

	mark->path = g_strdup_printf("%s/%d", rec_mark_folder, (int)getpid());
	mark->file = g_key_file_new();
	g_key_file_set_integer(mark->file, "process", "pid", getpid());
	g_key_file_set_string(mark->file, "process", "start", start ? start : "");
	g_key_file_set_string(mark->file, "process", "id", id);
	add_instances(mark->file);
	if (instance)
		g_key_file_set_string(mark->file, "process", "instance", instance);
	else
		add_settings(mark->file);
	lock = lock_marks(); /* from here on, others leave their events */
	good = save(mark, error);
	unlock_marks(lock);
	if (good)
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
	enum rec_rest rest;

	rec_mark_take_back(mark->file, FALSE, &rest);
}

guint rec_mark_undo(struct rec_mark *mark)
{
	gboolean others;
	enum rec_rest rest;
	guint n;
	int lock;

	if (!mark)
		return 0;
	lock = lock_marks();
	others = rec_mark_others(mark->path);
	n = rec_mark_take_back(mark->file, others, &rest);
	rec_mark_finish(mark->file, mark->path, rest);
	if (!others)
		rec_mark_remove_left();
	unlock_marks(lock);
	mark_free(mark);
	return n;
}

/* Another living process that has changed files and will restore them; 0: none. */
static int find_changer(void)
{
	GDir *dir = g_dir_open(rec_mark_folder, 0, NULL);
	const char *name;
	int pid = 0;

	while (dir && !pid && (name = g_dir_read_name(dir))) {
		g_autofree char *mark = g_build_filename(rec_mark_folder, name, NULL);
		g_autoptr(GKeyFile) file = g_key_file_new();

		if (atoi(name) != getpid() &&
		    g_key_file_load_from_file(file, mark, G_KEY_FILE_NONE, NULL) &&
		    g_key_file_has_group(file, "files") && rec_mark_is_alive(file))
			pid = g_key_file_get_integer(file, "process", "pid", NULL);
	}
	g_clear_pointer(&dir, g_dir_close);
	return pid;
}

gboolean rec_mark_file(struct rec_mark *mark, const char *path, GError **error)
{
	/* others look and save one after the other */
	int lock = lock_marks();
	g_autofree char *text = NULL;
	gboolean ok = FALSE;
	int other;

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
	unlock_marks(lock);
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
	GDir *dir = g_dir_open(rec_mark_folder, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(rec_mark_folder, name, NULL);
		g_autoptr(GKeyFile) file = g_key_file_new();
		struct rec_mark_flight *flight;

		if (!g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, NULL) ||
		    !g_key_file_has_group(file, "flight") || !rec_mark_is_alive(file))
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
