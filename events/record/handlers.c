/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "handlers.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The parent of a process; 0: there is none, or it has ended. */
static int parent_of(const char *pid)
{
	g_autofree char *path = g_build_filename("/proc", pid, "stat", NULL), *text = NULL;
	const char *end;
	char state;
	int parent = 0;

	if (!g_file_get_contents(path, &text, NULL, NULL) || !(end = strrchr(text, ')')))
		return 0;
	state = end[2];
	parent = atoi(end + 3);
	return state == 'Z' ? 0 : parent;
}

static void add_children(GArray *found, int parent)
{
	GDir *proc = g_dir_open("/proc", 0, NULL);
	const char *name;

	while (proc && (name = g_dir_read_name(proc))) {
		int pid = atoi(name);

		if (pid > 0 && parent_of(name) == parent)
			g_array_append_val(found, pid);
	}
	g_clear_pointer(&proc, g_dir_close);
}

GArray *rec_handlers_find(GPid agent)
{
	GArray *found = g_array_new(FALSE, FALSE, sizeof(int));

	add_children(found, agent);
	for (guint i = 0; i < found->len; i++)
		add_children(found, g_array_index(found, int, i));
	return found;
}

guint64 rec_handlers_past(GPid agent)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/stat", agent), *text = NULL;
	g_auto(GStrv) fields = NULL;
	const char *end;

	if (!g_file_get_contents(path, &text, NULL, NULL) || !(end = strrchr(text, ')')))
		return 0;
	fields = g_strsplit(end, " ", 12);
	/* page faults of children that have ended */
	return g_strv_length(fields) > 9 ? g_ascii_strtoull(fields[9], NULL, 10) : 0;
}

/* Add the sockets of /proc/net/tcp and tcp6: number -> whether it is connected. */
static void add_tcp(GHashTable *sockets, const char *path)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return;
	lines = g_strsplit(text, "\n", -1);
	for (guint i = 1; lines[i]; i++) {
		guint state = 0;
		char inode[32] = "";

		if (sscanf(lines[i], "%*s %*s %*s %x %*s %*s %*s %*s %*s %31s", &state, inode) == 2)
			g_hash_table_insert(sockets, g_strdup(inode), GINT_TO_POINTER(state == 1));
	}
}

/* Whether a process has a connected socket, or one of which nothing is known. */
static gboolean is_connected(GHashTable *sockets, int pid)
{
	g_autofree char *dir_path = g_strdup_printf("/proc/%d/fd", pid);
	GDir *dir = g_dir_open(dir_path, 0, NULL);
	gboolean connected = FALSE;
	const char *name;

	while (dir && !connected && (name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(dir_path, name, NULL);
		g_autofree char *target = g_file_read_link(path, NULL), *inode = NULL;
		gpointer state;

		if (!target || !g_str_has_prefix(target, "socket:["))
			continue;
		inode = g_strndup(target + 8, strcspn(target + 8, "]"));
		connected = !g_hash_table_lookup_extended(sockets, inode, NULL, &state) ||
			    GPOINTER_TO_INT(state);
	}
	g_clear_pointer(&dir, g_dir_close);
	return connected;
}

gboolean rec_handlers_connected(const GArray *handlers)
{
	g_autoptr(GHashTable) sockets =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	gboolean connected = FALSE;

	add_tcp(sockets, "/proc/net/tcp");
	add_tcp(sockets, "/proc/net/tcp6");
	for (guint i = 0; i < handlers->len && !connected; i++)
		connected = is_connected(sockets, g_array_index(handlers, int, i));
	return connected;
}

void rec_handlers_kill(const GArray *handlers)
{
	for (guint i = 0; i < handlers->len; i++)
		kill(g_array_index(handlers, int, i), SIGKILL);
}
