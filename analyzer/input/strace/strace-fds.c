/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <string.h>

#include "input/strace/strace-fds.h"

/* Of a process; threads and processes made with CLONE_FILES share it. */
struct table {
	GHashTable *fds; /* descriptor -> 2 * number of the path, + 1 if an exec closes it */
	guint32 cwd;	 /* number of the path of its directory; 0: not known */
};

struct iot_strace_fds {
	struct iot_intern *strings;
	GHashTable *tables; /* tgid -> struct table */
	GHashTable *forked; /* thread -> struct table, when it began to make a process */
};

static void table_free(gpointer data)
{
	struct table *table = data;

	g_hash_table_unref(table->fds);
	g_free(table);
}

static struct table *table_new(const struct table *from, gboolean shares)
{
	struct table *table = g_new0(struct table, 1);
	GHashTableIter iter;
	gpointer fd, path;

	table->cwd = from ? from->cwd : 0;
	if (from && shares) {
		table->fds = g_hash_table_ref(from->fds);
		return table;
	}
	table->fds = g_hash_table_new(NULL, NULL);
	if (!from)
		return table;
	g_hash_table_iter_init(&iter, from->fds);
	while (g_hash_table_iter_next(&iter, &fd, &path))
		g_hash_table_insert(table->fds, fd, path);
	return table;
}

struct iot_strace_fds *iot_strace_fds_new(struct iot_intern *strings)
{
	struct iot_strace_fds *fds = g_new0(struct iot_strace_fds, 1);

	fds->strings = strings;
	fds->tables = g_hash_table_new_full(NULL, NULL, NULL, table_free);
	fds->forked = g_hash_table_new_full(NULL, NULL, NULL, table_free);
	return fds;
}

void iot_strace_fds_free(struct iot_strace_fds *fds)
{
	if (!fds)
		return;
	g_hash_table_unref(fds->tables);
	g_hash_table_unref(fds->forked);
	g_free(fds);
}

static struct table *find(const struct iot_strace_fds *fds, gint32 tgid)
{
	return g_hash_table_lookup(fds->tables, GINT_TO_POINTER(tgid));
}

static struct table *find_or_add(struct iot_strace_fds *fds, gint32 tgid)
{
	struct table *table = find(fds, tgid);

	if (!table) {
		table = table_new(NULL, FALSE);
		g_hash_table_insert(fds->tables, GINT_TO_POINTER(tgid), table);
	}
	return table;
}

static guint entry_of(const struct table *table, gint64 fd)
{
	return GPOINTER_TO_UINT(g_hash_table_lookup(table->fds, GINT_TO_POINTER((gint)fd)));
}

guint32 iot_strace_fds_path(const struct iot_strace_fds *fds, gint32 tgid, gint64 fd)
{
	const struct table *table = find(fds, tgid);

	if (!table)
		return 0;
	return fd == AT_FDCWD ? table->cwd : entry_of(table, fd) / 2;
}

static void set(struct table *table, gint64 fd, guint32 path, gboolean closes)
{
	if (path)
		g_hash_table_insert(table->fds, GINT_TO_POINTER((gint)fd),
				    GUINT_TO_POINTER(2 * path + (closes ? 1 : 0)));
	else
		g_hash_table_remove(table->fds, GINT_TO_POINTER((gint)fd));
}

void iot_strace_fds_open(struct iot_strace_fds *fds, gint32 tgid, gint64 fd, guint32 path,
			 gboolean closes)
{
	set(find_or_add(fds, tgid), fd, path, closes);
}

void iot_strace_fds_fork(struct iot_strace_fds *fds, gint32 child, gint32 parent, gint32 maker)
{
	struct table *table = g_hash_table_lookup(fds->forked, GINT_TO_POINTER(maker));

	if (find(fds, child))
		return;
	if (table)
		g_hash_table_steal(fds->forked, GINT_TO_POINTER(maker));
	else if (find(fds, parent))
		table = table_new(find(fds, parent), FALSE);
	if (table)
		g_hash_table_insert(fds->tables, GINT_TO_POINTER(child), table);
}

void iot_strace_fds_exit(struct iot_strace_fds *fds, gint32 tgid)
{
	g_hash_table_remove(fds->tables, GINT_TO_POINTER(tgid));
}

/* ---- calls */

static gboolean closes_on_exec(gpointer fd, gpointer path, gpointer data)
{
	(void)fd;
	(void)data;
	return GPOINTER_TO_UINT(path) & 1;
}

struct range {
	gint64 first, last;
};

static gboolean is_in(gpointer fd, gpointer path, gpointer data)
{
	const struct range *range = data;

	(void)path;
	return GPOINTER_TO_INT(fd) >= range->first && GPOINTER_TO_INT(fd) <= range->last;
}

/* The number of a path of a call; 0: it is below a directory that is not known. */
static guint32 path_of(struct iot_strace_fds *fds, const struct table *table,
		       struct iot_strace_text arg)
{
	g_autoptr(GString) path = g_string_new(NULL);

	if (!arg.text || arg.len < 3 || *arg.text != '"')
		return 0;
	if (arg.text[1] != '/') {
		if (!table->cwd)
			return 0;
		g_string_append_printf(path, "%s/", iot_intern_get(fds->strings, table->cwd, NULL));
	}
	return iot_strace_string(arg, path) ? iot_intern_bytes(fds->strings, path->str, path->len)
					    : 0;
}

static void duplicate(struct table *table, gint64 from, gint64 to, gboolean closes)
{
	if (from != to)
		set(table, to, entry_of(table, from) / 2, closes);
}

static void begin_fork(struct iot_strace_fds *fds, struct table *table, gint32 pid,
		       const struct iot_strace_line *line)
{
	/* threads have the table of their process */
	if (!iot_strace_has(line->args, "CLONE_THREAD"))
		g_hash_table_insert(fds->forked, GINT_TO_POINTER(pid),
				    table_new(table, iot_strace_has(line->args, "CLONE_FILES")));
}

void iot_strace_fds_follow(struct iot_strace_fds *fds, gint32 tgid, gint32 pid,
			   const struct iot_strace_line *line)
{
	struct iot_strace_text arg[IOT_STRACE_ARGS];
	struct table *table;
	gint64 result = -1, from = -1;
	guint n;

	/* close, chdir, clone; dup; execve; fchdir, fcntl, fork; getcwd; vfork */
	if (!line->name.len || !strchr("cdefgv", *line->name.text))
		return;
	table = find_or_add(fds, tgid);
	if (iot_strace_is(line->name, "clone") || iot_strace_is(line->name, "clone3") ||
	    iot_strace_is(line->name, "fork") || iot_strace_is(line->name, "vfork"))
		begin_fork(fds, table, pid, line);
	if (!line->result.text || !iot_strace_int(line->result, &result) || result < 0)
		return;
	n = iot_strace_split(line->args, arg);
	if (!n)
		return;
	iot_strace_int(arg[0], &from);
	if (iot_strace_is(line->name, "close")) {
		set(table, from, 0, FALSE);
	} else if (iot_strace_is(line->name, "dup") || iot_strace_is(line->name, "dup2")) {
		duplicate(table, from, result, FALSE);
	} else if (iot_strace_is(line->name, "dup3")) {
		duplicate(table, from, result, n > 2 && iot_strace_has(arg[2], "O_CLOEXEC"));
	} else if (iot_strace_is(line->name, "fcntl") && n > 1 &&
		   iot_strace_has(arg[1], "F_DUPFD")) {
		duplicate(table, from, result, iot_strace_has(arg[1], "CLOEXEC"));
	} else if (iot_strace_is(line->name, "fcntl") && n > 2 &&
		   iot_strace_is(arg[1], "F_SETFD")) {
		set(table, from, entry_of(table, from) / 2, iot_strace_has(arg[2], "FD_CLOEXEC"));
	} else if (iot_strace_is(line->name, "close_range") && n > 2 &&
		   !iot_strace_has(arg[2], "CLOEXEC")) {
		struct range range = { from, G_MAXINT64 };

		iot_strace_int(arg[1], &range.last);
		g_hash_table_foreach_remove(table->fds, is_in, &range);
	} else if (iot_strace_is(line->name, "execve") || iot_strace_is(line->name, "execveat")) {
		g_hash_table_foreach_remove(table->fds, closes_on_exec, NULL);
	} else if (iot_strace_is(line->name, "chdir") || iot_strace_is(line->name, "getcwd")) {
		table->cwd = path_of(fds, table, arg[0]);
	} else if (iot_strace_is(line->name, "fchdir")) {
		table->cwd = entry_of(table, from) / 2;
	}
}
