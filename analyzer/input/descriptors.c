/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <stddef.h>

#include "input/descriptors.h"

struct description {
	guint refs;
	struct iot_open_file file;
};

struct descriptor {
	struct description *of;
	gboolean closes; /* an exec closes it */
};

/* Of a process; threads and processes made with CLONE_FILES share it. */
struct table {
	GHashTable *fds;    /* descriptor -> struct descriptor */
	GHashTable *before; /* the same before the program began; or NULL */
	guint32 cwd;	    /* number of the path of its directory; 0: not known */
	gboolean shared;    /* several threads, or processes, use it */
	gboolean blind;	    /* its files may be read and written unseen */
};

struct iot_descriptors {
	GHashTable *tables; /* tgid -> struct table */
	GHashTable *forked; /* thread -> struct table, when it began to make a process */
};

static void description_unref(struct description *of)
{
	if (!--of->refs)
		g_free(of);
}

static void descriptor_free(gpointer data)
{
	struct descriptor *descriptor = data;

	description_unref(descriptor->of);
	g_free(descriptor);
}

static void table_free(gpointer data)
{
	struct table *table = data;

	g_hash_table_unref(table->fds);
	g_clear_pointer(&table->before, g_hash_table_unref);
	g_free(table);
}

static void put(GHashTable *fds, gpointer fd, struct description *of, gboolean closes)
{
	struct descriptor *descriptor = g_new(struct descriptor, 1);

	*descriptor = (struct descriptor){ of, closes };
	of->refs++;
	g_hash_table_insert(fds, fd, descriptor);
}

static GHashTable *fds_new(void)
{
	return g_hash_table_new_full(NULL, NULL, NULL, descriptor_free);
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
	table->fds = fds_new();
	if (!from)
		return table;
	g_hash_table_iter_init(&iter, from->fds);
	while (g_hash_table_iter_next(&iter, &fd, &entry))
		put(table->fds, fd, ((struct descriptor *)entry)->of,
		    ((struct descriptor *)entry)->closes);
	return table;
}

struct iot_descriptors *iot_descriptors_new(void)
{
	struct iot_descriptors *all = g_new0(struct iot_descriptors, 1);

	all->tables = g_hash_table_new_full(NULL, NULL, NULL, table_free);
	all->forked = g_hash_table_new_full(NULL, NULL, NULL, table_free);
	return all;
}

void iot_descriptors_free(struct iot_descriptors *all)
{
	if (!all)
		return;
	g_hash_table_unref(all->tables);
	g_hash_table_unref(all->forked);
	g_free(all);
}

/* ---- lookup */

static struct table *find(const struct iot_descriptors *all, gint32 tgid)
{
	return g_hash_table_lookup(all->tables, GINT_TO_POINTER(tgid));
}

static struct table *find_or_add(struct iot_descriptors *all, gint32 tgid)
{
	struct table *table = find(all, tgid);

	if (!table) {
		table = table_new(NULL, FALSE);
		g_hash_table_insert(all->tables, GINT_TO_POINTER(tgid), table);
	}
	return table;
}

static struct descriptor *entry_of(const struct table *table, gint64 fd)
{
	return table ? g_hash_table_lookup(table->fds, GINT_TO_POINTER((gint)fd)) : NULL;
}

/* The open file; NULL: not known. */
static struct iot_open_file *file_of(const struct table *table, gint64 fd)
{
	struct descriptor *entry = entry_of(table, fd);

	return entry ? &entry->of->file : NULL;
}

const struct iot_open_file *iot_descriptors_file(const struct iot_descriptors *all, gint32 tgid,
						 gint64 fd)
{
	return file_of(find(all, tgid), fd);
}

guint32 iot_descriptors_path(const struct iot_descriptors *all, gint32 tgid, gint64 fd)
{
	const struct table *table = find(all, tgid);
	const struct iot_open_file *file = file_of(table, fd);

	if (table && fd == AT_FDCWD)
		return table->cwd;
	return file ? file->path : 0;
}

/* ---- positions */

gint64 iot_descriptors_position(const struct iot_descriptors *all, gint32 tgid, gint64 fd,
				gboolean writes)
{
	const struct table *table = find(all, tgid);
	const struct iot_open_file *file = file_of(table, fd);

	return !file || file->unclear || table->blind || (writes && file->appends) ? -1
										   : file->position;
}

gboolean iot_descriptors_is_own(const struct iot_descriptors *all, gint32 tgid, gint64 fd)
{
	const struct table *table = find(all, tgid);
	const struct descriptor *entry = entry_of(table, fd);

	return entry && entry->of->refs == 1 && !table->shared;
}

void iot_descriptors_move(struct iot_descriptors *all, gint32 tgid, gint64 fd, gint64 to)
{
	struct iot_open_file *file = file_of(find(all, tgid), fd);

	if (file)
		file->position = to;
}

void iot_descriptors_parted(struct iot_descriptors *all, gint32 tgid, gint64 fd)
{
	if (!iot_descriptors_is_own(all, tgid, fd))
		iot_descriptors_unclear(all, tgid, fd);
}

struct iot_open_file *iot_descriptors_begin_move(struct iot_descriptors *all, gint32 tgid,
						 gint64 fd)
{
	struct descriptor *entry = entry_of(find(all, tgid), fd);

	if (!entry)
		return NULL;
	entry->of->refs++;
	if (entry->of->file.moving++)
		entry->of->file.unclear = TRUE;
	return &entry->of->file;
}

void iot_descriptors_end_move(struct iot_open_file *file, gint64 to)
{
	if (!file)
		return;
	file->position = to;
	file->moving--;
	description_unref(
		(struct description *)((char *)file - offsetof(struct description, file)));
}

void iot_descriptors_unclear(struct iot_descriptors *all, gint32 tgid, gint64 fd)
{
	struct iot_open_file *file = file_of(find(all, tgid), fd);

	if (file)
		file->unclear = TRUE;
}

/* @wanted: a file; NULL: any */
static void make_unclear(const struct table *table, const struct iot_open_file *wanted)
{
	GHashTableIter iter;
	gpointer entry;

	g_hash_table_iter_init(&iter, table->fds);
	while (g_hash_table_iter_next(&iter, NULL, &entry)) {
		struct iot_open_file *file = &((struct descriptor *)entry)->of->file;

		if (!wanted || (file->dev == wanted->dev && file->ino == wanted->ino))
			file->unclear = TRUE;
	}
}

void iot_descriptors_unclear_file(struct iot_descriptors *all, gint64 dev, gint64 ino)
{
	const struct iot_open_file file = { .dev = dev, .ino = ino };
	GHashTableIter iter;
	gpointer table;

	g_hash_table_iter_init(&iter, all->tables);
	while (g_hash_table_iter_next(&iter, NULL, &table))
		make_unclear(table, &file);
}

void iot_descriptors_pass(struct iot_descriptors *all, gint32 tgid)
{
	make_unclear(find_or_add(all, tgid), NULL);
}

void iot_descriptors_share(struct iot_descriptors *all, gint32 tgid)
{
	find_or_add(all, tgid)->shared = TRUE;
}

void iot_descriptors_blind(struct iot_descriptors *all, gint32 tgid)
{
	find_or_add(all, tgid)->blind = TRUE;
}

/* ---- calls */

void iot_descriptors_open(struct iot_descriptors *all, gint32 tgid, gint64 fd,
			  const struct iot_open_file *file, gboolean closes)
{
	struct description *of = g_new0(struct description, 1);

	of->file = *file;
	put(find_or_add(all, tgid)->fds, GINT_TO_POINTER((gint)fd), of, closes);
}

void iot_descriptors_dup(struct iot_descriptors *all, gint32 tgid, gint64 from, gint64 to,
			 gboolean closes)
{
	struct table *table = find_or_add(all, tgid);
	struct descriptor *entry = entry_of(table, from);

	if (from == to)
		return;
	if (entry)
		put(table->fds, GINT_TO_POINTER((gint)to), entry->of, closes);
	else
		g_hash_table_remove(table->fds, GINT_TO_POINTER((gint)to));
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

void iot_descriptors_close(struct iot_descriptors *all, gint32 tgid, gint64 first, gint64 last)
{
	struct table *table = find(all, tgid);
	struct range range = { first, last };

	if (table && first == last)
		g_hash_table_remove(table->fds, GINT_TO_POINTER((gint)first));
	else if (table)
		g_hash_table_foreach_remove(table->fds, is_in, &range);
}

void iot_descriptors_set_closes(struct iot_descriptors *all, gint32 tgid, gint64 fd,
				gboolean closes)
{
	struct descriptor *entry = entry_of(find(all, tgid), fd);

	if (entry)
		entry->closes = closes;
}

void iot_descriptors_set_appends(struct iot_descriptors *all, gint32 tgid, gint64 fd,
				 gboolean appends)
{
	struct iot_open_file *file = file_of(find(all, tgid), fd);

	if (file)
		file->appends = appends;
}

void iot_descriptors_set_directory(struct iot_descriptors *all, gint32 tgid, guint32 path)
{
	find_or_add(all, tgid)->cwd = path;
}

static gboolean closes_on_exec(gpointer fd, gpointer entry, gpointer data)
{
	(void)fd;
	(void)data;
	return ((struct descriptor *)entry)->closes;
}

void iot_descriptors_exec(struct iot_descriptors *all, gint32 tgid)
{
	g_hash_table_foreach_remove(find_or_add(all, tgid)->fds, closes_on_exec, NULL);
}

/* ---- processes */

void iot_descriptors_start(struct iot_descriptors *all, gint32 tgid)
{
	struct table *table = find_or_add(all, tgid);

	g_clear_pointer(&table->before, g_hash_table_unref);
	table->before = table->fds;
	table->fds = fds_new();
	table->shared = FALSE;
}

void iot_descriptors_inherit(struct iot_descriptors *all, gint32 tgid, gint64 fd,
			     const struct iot_open_file *file, gboolean closes)
{
	struct table *table = find_or_add(all, tgid);
	const struct descriptor *old =
		table->before ? g_hash_table_lookup(table->before, GINT_TO_POINTER((gint)fd))
			      : NULL;

	if (old && old->of->file.dev == file->dev && old->of->file.ino == file->ino) {
		put(table->fds, GINT_TO_POINTER((gint)fd), old->of, closes);
		return;
	}
	iot_descriptors_open(all, tgid, fd, file, closes);
	iot_descriptors_unclear_file(all, file->dev, file->ino);
}

void iot_descriptors_fork_begin(struct iot_descriptors *all, gint32 tgid, gint32 maker,
				gboolean shares)
{
	struct table *table = find_or_add(all, tgid);

	table->shared |= shares;
	g_hash_table_insert(all->forked, GINT_TO_POINTER(maker), table_new(table, shares));
}

void iot_descriptors_fork(struct iot_descriptors *all, gint32 child, gint32 parent, gint32 maker)
{
	struct table *table = g_hash_table_lookup(all->forked, GINT_TO_POINTER(maker));

	if (find(all, child))
		return;
	if (table)
		g_hash_table_steal(all->forked, GINT_TO_POINTER(maker));
	else if (find(all, parent))
		table = table_new(find(all, parent), FALSE);
	if (table)
		g_hash_table_insert(all->tables, GINT_TO_POINTER(child), table);
}

void iot_descriptors_exit(struct iot_descriptors *all, gint32 tgid)
{
	g_hash_table_remove(all->tables, GINT_TO_POINTER(tgid));
}
