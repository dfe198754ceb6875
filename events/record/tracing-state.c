/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracing-state.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <tracefs.h>
#include <unistd.h>

/* Files that are no settings, or show settings of other files. buffer_size_kb is that of all
 * processors; each has a file of its own. */
static const char *const no_settings[] = { "trace",
					   "trace_options",
					   "error_log",
					   "set_event",
					   "dynamic_events",
					   "kprobe_events",
					   "uprobe_events",
					   "synthetic_events",
					   "snapshot",
					   "buffer_size_kb",
					   "trace_marker",
					   "trace_pipe",
					   NULL };

static char *read_file(const char *path)
{
	g_autofree char *full = g_build_filename(tracefs_tracing_dir(), path, NULL);
	char *text = NULL;

	if (!g_file_get_contents(full, &text, NULL, NULL))
		return NULL;
	return g_strchomp(text);
}

static gboolean is_default(const char *path, const char *text)
{
	if (!g_str_has_prefix(path, "events/"))
		return FALSE;
	return !strcmp(text, "0") || !strcmp(text, "0*") || !strcmp(text, "none") || *text == '#' ||
	       !*text;
}

/* Takes @path. */
static void add_file(GHashTable *state, char *path)
{
	char *text = read_file(path);

	if (text && !is_default(path, text)) {
		g_hash_table_insert(state, path, text);
		return;
	}
	g_free(path);
	g_free(text);
}

static gboolean is_setting(const char *dir, const char *name)
{
	g_autofree char *full = g_build_filename(tracefs_tracing_dir(), dir, name, NULL);
	struct stat info;

	return !g_strv_contains(no_settings, name) && stat(full, &info) == 0 &&
	       S_ISREG(info.st_mode) && (info.st_mode & S_IRUSR) && (info.st_mode & S_IWUSR);
}

/* Calls @act with the path of each entry of a folder of tracefs. */
static void for_each(const char *dir, GHashTable *state,
		     void (*act)(GHashTable *state, const char *dir, const char *name))
{
	g_autofree char *full = g_build_filename(tracefs_tracing_dir(), dir, NULL);
	GDir *entries = g_dir_open(full, 0, NULL);
	const char *name;

	while (entries && (name = g_dir_read_name(entries)))
		act(state, dir, name);
	g_clear_pointer(&entries, g_dir_close);
}

static void add_setting(GHashTable *state, const char *dir, const char *name)
{
	if (is_setting(dir, name))
		add_file(state, g_build_filename(dir, name, NULL));
}

static void add_cpu(GHashTable *state, const char *dir, const char *name)
{
	add_file(state, g_build_filename(dir, name, "buffer_size_kb", NULL));
}

static void add_event(GHashTable *state, const char *dir, const char *name)
{
	add_file(state, g_build_filename(dir, name, "enable", NULL));
	add_file(state, g_build_filename(dir, name, "filter", NULL));
	add_file(state, g_build_filename(dir, name, "trigger", NULL));
}

static void add_system(GHashTable *state, const char *dir, const char *name)
{
	g_autofree char *system = g_build_filename(dir, name, NULL);

	for_each(system, state, add_event);
}

GHashTable *rec_state_read(void)
{
	GHashTable *state = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);

	for_each(".", state, add_setting);
	for_each("options", state, add_setting);
	for_each("per_cpu", state, add_cpu);
	for_each("events", state, add_system);
	return state;
}

static void write_text(const char *path, const char *text, gboolean replace)
{
	g_autofree char *full = g_build_filename(tracefs_tracing_dir(), path, NULL);
	int fd = open(full, O_WRONLY | O_CLOEXEC | (replace ? O_TRUNC : 0));

	if (fd < 0)
		return;
	if (*text && write(fd, text, strlen(text)) < 0)
		g_debug("%s: %s", path, g_strerror(errno));
	close(fd);
}

/* "local [mono] boot": the clock in brackets */
static char *chosen_clock(const char *text)
{
	const char *open = strchr(text, '[');

	return open ? g_strndup(open + 1, strcspn(open + 1, "]")) : g_strdup(text);
}

/* A trigger as it is shown is not as it is set: "traceon:count=5", "stacktrace:unlimited", "...
 * [active]". */
static char *trigger_command(const char *line)
{
	g_autofree char *copy = g_strdup(line);
	char *at;

	if ((at = strstr(copy, " [active]")))
		*at = '\0';
	if ((at = strstr(copy, ":unlimited")))
		memmove(at, at + strlen(":unlimited"), strlen(at + strlen(":unlimited")) + 1);
	if ((at = strstr(copy, ":count=")))
		memmove(at + 1, at + strlen(":count="), strlen(at + strlen(":count=")) + 1);
	return g_steal_pointer(&copy);
}

/* Remove the triggers that are new, and set those that are gone. */
static void restore_triggers(const char *path, const char *saved, const char *now)
{
	g_auto(GStrv) old = g_strsplit(saved, "\n", -1), new = g_strsplit(now, "\n", -1);

	for (guint i = 0; new[i]; i++) {
		g_autofree char *command = trigger_command(new[i]);
		g_autofree char *undo = g_strconcat("!", command, NULL);

		if (*new[i] && *new[i] != '#' && !g_strv_contains((const char *const *)old, new[i]))
			write_text(path, undo, FALSE);
	}
	for (guint i = 0; old[i]; i++) {
		g_autofree char *command = trigger_command(old[i]);

		if (*old[i] && *old[i] != '#' && !g_strv_contains((const char *const *)new, old[i]))
			write_text(path, command, FALSE);
	}
}

/* Lists of processes and functions: a comment, or "no pid", means none. */
static void restore_list(const char *path, const char *saved)
{
	g_auto(GStrv) lines = g_strsplit(saved, "\n", -1);

	write_text(path, "", TRUE);
	for (guint i = 0; lines[i]; i++) {
		g_autofree char *line = g_strconcat(lines[i], "\n", NULL);

		if (*lines[i] && *lines[i] != '#' && strcmp(lines[i], "no pid"))
			write_text(path, line, FALSE);
	}
}

/* @saved: "" for an event that was off, or had no filter */
static void restore_file(const char *path, const char *saved, const char *now)
{
	g_autofree char *name = g_path_get_basename(path);

	if (!strcmp(name, "trigger")) {
		restore_triggers(path, saved, now);
	} else if (!strcmp(name, "filter")) {
		write_text(path, *saved ? saved : "0", FALSE);
	} else if (!strcmp(name, "trace_clock")) {
		g_autofree char *clock = chosen_clock(saved);

		write_text(path, clock, FALSE);
	} else if (!strcmp(name, "enable")) {
		/* "1*": an event with a trigger */
		write_text(path, *saved == '1' ? "1" : "0", FALSE);
	} else if (g_str_has_prefix(name, "set_")) {
		restore_list(path, saved);
	} else {
		write_text(path, *saved ? saved : "0", FALSE);
	}
}

static const char *text_of(GHashTable *state, const char *path)
{
	const char *text = g_hash_table_lookup(state, path);

	return text ? text : "";
}

static gboolean is_last(const char *path)
{
	return g_str_has_suffix(path, "tracing_on");
}

/* Files of @all whose text is not that of @saved. With @restore they are written, tracing_on if
 * @last. */
static guint compare(GHashTable *saved, GHashTable *now, GHashTable *all, gboolean restore,
		     gboolean last)
{
	GHashTableIter iter;
	gpointer path;
	guint n = 0;

	g_hash_table_iter_init(&iter, all);
	while (g_hash_table_iter_next(&iter, &path, NULL)) {
		const char *old = text_of(saved, path), *text = text_of(now, path);

		/* a buffer that was not in use has no size that could be set */
		if (!strcmp(old, text) || strstr(old, "expanded") || is_last(path) != last)
			continue;
		n++;
		if (restore)
			restore_file(path, old, text);
	}
	return n;
}

guint rec_state_restore(GHashTable *saved)
{
	g_autoptr(GHashTable) now = rec_state_read();
	g_autoptr(GHashTable) after = NULL;

	/* files that were there before, and events that are on now */
	compare(saved, now, now, TRUE, FALSE);
	compare(saved, now, saved, TRUE, FALSE);
	compare(saved, now, saved, TRUE, TRUE);
	after = rec_state_read();
	return compare(saved, after, saved, FALSE, FALSE) +
	       compare(saved, after, saved, FALSE, TRUE) +
	       compare(saved, after, after, FALSE, FALSE);
}
