/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "input/strace/strace-line.h"
#include "input/strace/strace-parts.h"

gint32 iot_strace_part_pid(const char *path)
{
	const char *dot = strrchr(path, '.');
	char *end;
	gint64 pid = dot ? g_ascii_strtoll(dot + 1, &end, 10) : 0;

	return dot && dot[1] && !*end && pid > 0 && pid <= G_MAXINT32 ? (gint32)pid : 0;
}

static gboolean is_part(const char *path)
{
	struct iot_strace_line line;
	char head[4096];
	const char *newline;
	gssize n;
	int fd;

	if (!iot_strace_part_pid(path))
		return FALSE;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	n = fd < 0 ? -1 : pread(fd, head, sizeof(head), 0);
	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return FALSE;
	newline = memchr(head, '\n', (gsize)n);
	return iot_strace_line_head(head, newline ? (gsize)(newline - head) : (gsize)n, &line) &&
	       line.pid < 0;
}

static int by_pid(gconstpointer a, gconstpointer b)
{
	return iot_strace_part_pid(*(const char *const *)a) -
	       iot_strace_part_pid(*(const char *const *)b);
}

GPtrArray *iot_strace_parts(const char *path)
{
	GPtrArray *parts = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *folder = g_path_get_dirname(path), *name = g_path_get_basename(path);
	gsize len = strlen(path) - strlen(name), stem;
	GDir *dir = is_part(path) ? g_dir_open(folder, 0, NULL) : NULL;
	const char *file;

	stem = dir ? (gsize)(strrchr(name, '.') - name) + 1 : 0;
	while (dir && (file = g_dir_read_name(dir))) {
		g_autofree char *other = g_strdup_printf("%.*s%s", (int)len, path, file);

		/* NAME.PID, not NAME.x.PID */
		if (!strncmp(file, name, stem) && !strchr(file + stem, '.') && is_part(other))
			g_ptr_array_add(parts, g_steal_pointer(&other));
	}
	if (dir)
		g_dir_close(dir);
	g_ptr_array_sort(parts, by_pid);
	if (!parts->len)
		g_ptr_array_add(parts, g_strdup(path));
	return parts;
}

char *iot_strace_first_part(const char *path)
{
	g_autoptr(GPtrArray) parts = is_part(path) ? iot_strace_parts(path) : NULL;

	return parts ? g_strdup(parts->pdata[0]) : NULL;
}
