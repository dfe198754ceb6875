/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <string.h>

#include "input/strace/strace-fds.h"

/* An open file, which copies of a descriptor share. */
struct description {
	guint refs;
	guint32 path;	 /* its number; 0: not known */
	gint64 position; /* -1: not known */
	gboolean appends;
	gboolean unclear; /* its position cannot be known any more */
};

struct descriptor {
	struct description *of;
	gboolean closes; /* an exec closes it */
};

/* Of a process; threads and processes made with CLONE_FILES share it. */
struct table {
	GHashTable *fds; /* descriptor -> struct descriptor */
	guint32 cwd;	 /* number of the path of its directory; 0: not known */
	gboolean shared; /* several threads, or processes, use it */
	gboolean blind;	 /* its files may be read and written unseen */
};

struct iot_strace_fds {
	struct iot_intern *strings;
	GHashTable *tables; /* tgid -> struct table */
	GHashTable *forked; /* thread -> struct table, when it began to make a process */
};

static void descriptor_free(gpointer data)
{
	struct descriptor *descriptor = data;

	if (!--descriptor->of->refs)
		g_free(descriptor->of);
	g_free(descriptor);
}

static void table_free(gpointer data)
{
	struct table *table = data;

	g_hash_table_unref(table->fds);
	g_free(table);
}

static void put(GHashTable *fds, gpointer fd, struct description *of, gboolean closes)
{
	struct descriptor *descriptor = g_new(struct descriptor, 1);

	*descriptor = (struct descriptor){ of, closes };
	of->refs++;
	g_hash_table_insert(fds, fd, descriptor);
}

static struct table *table_new(const struct table *from, gboolean shares)
{
	struct table *table = g_new0(struct table, 1);
	GHashTableIter iter;
	gpointer fd, entry;

	table->cwd = from ? from->cwd : 0;
	table->blind = from && from->blind;
	if (from && shares) {
		table->fds = g_hash_table_ref(from->fds);
		table->shared = TRUE;
		return table;
	}
	table->fds = g_hash_table_new_full(NULL, NULL, NULL, descriptor_free);
	if (!from)
		return table;
	g_hash_table_iter_init(&iter, from->fds);
	while (g_hash_table_iter_next(&iter, &fd, &entry))
		put(table->fds, fd, ((struct descriptor *)entry)->of,
		    ((struct descriptor *)entry)->closes);
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

static struct descriptor *entry_of(const struct table *table, gint64 fd)
{
	return g_hash_table_lookup(table->fds, GINT_TO_POINTER((gint)fd));
}

static struct description *description_of(const struct table *table, gint64 fd)
{
	struct descriptor *entry = table ? entry_of(table, fd) : NULL;

	return entry ? entry->of : NULL;
}

static guint32 path_at(const struct table *table, gint64 fd)
{
	const struct description *of = description_of(table, fd);

	return of ? of->path : 0;
}

guint32 iot_strace_fds_path(const struct iot_strace_fds *fds, gint32 tgid, gint64 fd)
{
	const struct table *table = find(fds, tgid);

	if (!table)
		return 0;
	return fd == AT_FDCWD ? table->cwd : path_at(table, fd);
}

/* Whether the path may be of a file without positions. A FIFO elsewhere is not told from a file. */
static gboolean has_no_position(const struct iot_strace_fds *fds, guint32 path)
{
	const char *text = path ? iot_intern_get(fds->strings, path, NULL) : "";

	return g_str_has_prefix(text, "/dev/") || g_str_has_prefix(text, "/proc/") ||
	       g_str_has_prefix(text, "/sys/");
}

void iot_strace_fds_open(struct iot_strace_fds *fds, gint32 tgid, gint64 fd, guint32 path,
			 guint flags)
{
	struct description *of = g_new0(struct description, 1);

	of->path = path;
	of->appends = (flags & IOT_STRACE_FD_APPENDS) != 0;
	of->unclear = has_no_position(fds, path);
	put(find_or_add(fds, tgid)->fds, GINT_TO_POINTER((gint)fd), of,
	    (flags & IOT_STRACE_FD_CLOSES) != 0);
}

gint64 iot_strace_fds_position(const struct iot_strace_fds *fds, gint32 tgid, gint64 fd,
			       gboolean writes)
{
	const struct table *table = find(fds, tgid);
	const struct description *of = description_of(table, fd);

	return !of || of->unclear || table->blind || (writes && of->appends) ? -1 : of->position;
}

void iot_strace_fds_move(struct iot_strace_fds *fds, gint32 tgid, gint64 fd, gint64 to)
{
	struct description *of = description_of(find(fds, tgid), fd);

	if (of)
		of->position = to;
}

void iot_strace_fds_parted(struct iot_strace_fds *fds, gint32 tgid, gint64 fd)
{
	const struct table *table = find(fds, tgid);
	struct description *of = description_of(table, fd);

	if (of && (of->refs > 1 || table->shared))
		of->unclear = TRUE;
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

static gboolean closes_on_exec(gpointer fd, gpointer entry, gpointer data)
{
	(void)fd;
	(void)data;
	return ((struct descriptor *)entry)->closes;
}

/* Others that the log does not show have the files from now on. */
static void make_unclear(gpointer fd, gpointer entry, gpointer data)
{
	(void)fd;
	(void)data;
	((struct descriptor *)entry)->of->unclear = TRUE;
}

struct range {
	gint64 first, last;
};

static gboolean is_in(gpointer fd, gpointer entry, gpointer data)
{
	const struct range *range = data;

	(void)entry;
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
	struct description *of = description_of(table, from);

	if (from == to)
		return;
	if (of)
		put(table->fds, GINT_TO_POINTER((gint)to), of, closes);
	else
		g_hash_table_remove(table->fds, GINT_TO_POINTER((gint)to));
}

static void begin_fork(struct iot_strace_fds *fds, struct table *table, gint32 pid,
		       const struct iot_strace_line *line)
{
	gboolean thread = iot_strace_has(line->args, "CLONE_THREAD");

	table->shared |= thread || iot_strace_has(line->args, "CLONE_FILES");
	/* without -f the log does not show what the child does, with -ff not what comes first */
	if (line->pid < 0) {
		g_hash_table_foreach(table->fds, make_unclear, NULL);
		table->blind |= table->shared;
	}
	/* threads have the table of their process */
	if (!thread)
		g_hash_table_insert(fds->forked, GINT_TO_POINTER(pid),
				    table_new(table, iot_strace_has(line->args, "CLONE_FILES")));
}

/* Calls whose effect does not depend on their result. */
static void follow_begin(struct iot_strace_fds *fds, struct table *table, gint32 pid,
			 const struct iot_strace_line *line)
{
	if (iot_strace_is(line->name, "clone") || iot_strace_is(line->name, "clone3") ||
	    iot_strace_is(line->name, "fork") || iot_strace_is(line->name, "vfork"))
		begin_fork(fds, table, pid, line);
	else if (iot_strace_is(line->name, "io_uring_setup") ||
		 iot_strace_is(line->name, "unshare"))
		table->blind = TRUE;
	else if (g_str_has_prefix(line->name.text, "sendm") &&
		 iot_strace_has(line->args, "SCM_RIGHTS"))
		g_hash_table_foreach(table->fds, make_unclear, NULL);
}

static void seek(struct iot_strace_fds *fds, gint32 tgid, gint64 fd,
		 const struct iot_strace_line *line, gint64 to)
{
	struct description *of = description_of(find(fds, tgid), fd);

	if (of && line->result.text && iot_strace_has(line->result, "ESPIPE"))
		of->unclear = TRUE;
	if (line->result.text && to < 0)
		return;
	if (line->parted || line->kind == IOT_STRACE_UNFINISHED || line->pid < 0)
		iot_strace_fds_parted(fds, tgid, fd);
	iot_strace_fds_move(fds, tgid, fd, to);
}

static void follow_fcntl(struct table *table, gint64 from, gint64 result,
			 const struct iot_strace_text *arg, guint n)
{
	struct descriptor *entry = entry_of(table, from);

	if (iot_strace_has(arg[1], "F_DUPFD"))
		duplicate(table, from, result, iot_strace_has(arg[1], "CLOEXEC"));
	else if (entry && n > 2 && iot_strace_is(arg[1], "F_SETFD"))
		entry->closes = iot_strace_has(arg[2], "FD_CLOEXEC");
	else if (entry && n > 2 && iot_strace_is(arg[1], "F_SETFL"))
		entry->of->appends = iot_strace_has(arg[2], "O_APPEND");
}

void iot_strace_fds_follow(struct iot_strace_fds *fds, gint32 tgid, gint32 pid,
			   const struct iot_strace_line *line)
{
	struct iot_strace_text arg[IOT_STRACE_ARGS];
	struct table *table;
	gint64 result = -1, from = -1;
	guint n;

	/* close, chdir, clone; dup; execve; fchdir, fcntl, fork; getcwd; io_uring; lseek; sendmsg;
	 * unshare; vfork */
	if (!line->name.len || !strchr("cdefgilsuv_", *line->name.text))
		return;
	table = find_or_add(fds, tgid);
	follow_begin(fds, table, pid, line);
	n = iot_strace_split(line->args, arg);
	if (!n)
		return;
	iot_strace_int(arg[0], &from);
	if (line->result.text)
		iot_strace_int(line->result, &result);
	if (iot_strace_is(line->name, "lseek"))
		seek(fds, tgid, from, line, result);
	else if (iot_strace_is(line->name, "_llseek")) /* its result is an argument */
		iot_strace_fds_move(fds, tgid, from, -1);
	if (result < 0)
		return;
	if (iot_strace_is(line->name, "close")) {
		g_hash_table_remove(table->fds, GINT_TO_POINTER((gint)from));
	} else if (iot_strace_is(line->name, "dup") || iot_strace_is(line->name, "dup2")) {
		duplicate(table, from, result, FALSE);
	} else if (iot_strace_is(line->name, "dup3")) {
		duplicate(table, from, result, n > 2 && iot_strace_has(arg[2], "O_CLOEXEC"));
	} else if (g_str_has_prefix(line->name.text, "fcntl") && n > 1) {
		follow_fcntl(table, from, result, arg, n);
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
		table->cwd = path_at(table, from);
	}
}
