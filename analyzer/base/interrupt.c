/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/interrupt.h"
#include "base/error.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

gint iot_interrupted_flag;

void iot_interrupt(void)
{
	g_atomic_int_set(&iot_interrupted_flag, TRUE);
}

gboolean iot_interrupt_check(GError **error)
{
	if (!iot_interrupted())
		return TRUE;
	g_set_error(error, IOT_ERROR, IOT_ERROR_STOPPED, "interrupted");
	return FALSE;
}

/* ---- names of unfinished files */

/* The list only grows, and its members are never freed: the handler may look at it at any time. A
 * run has a few outputs. */
struct iot_temp_name {
	struct iot_temp_name *next;
	char *path;
	gboolean is_folder;
	gint done;
};

static struct iot_temp_name *names;

struct iot_temp_name *iot_temp_name_new(const char *path, gboolean is_folder)
{
	struct iot_temp_name *name = g_new0(struct iot_temp_name, 1);

	name->path = g_strdup(path);
	name->is_folder = is_folder;
	do
		name->next = g_atomic_pointer_get(&names);
	while (!g_atomic_pointer_compare_and_exchange(&names, name->next, name));
	return name;
}

void iot_temp_name_done(struct iot_temp_name *name)
{
	if (name)
		g_atomic_int_set(&name->done, TRUE);
}

/* As the kernel writes it: the C library's functions may be called in no signal handler. */
struct entry {
	guint64 inode, offset;
	guint16 len;
	guint8 type;
	char name[];
};

static void remove_folder(int parent, const char *path, guint depth)
{
	int fd = openat(parent, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	union {
		struct entry entry;
		char bytes[2048];
	} room;
	long n;

	while (fd >= 0 && (n = syscall(SYS_getdents64, fd, &room, sizeof(room))) > 0) {
		for (long at = 0; at < n;) {
			const struct entry *entry =
				(const struct entry *)(gconstpointer)(room.bytes + at);

			at += entry->len;
			if (!strcmp(entry->name, ".") || !strcmp(entry->name, ".."))
				continue;
			if (unlinkat(fd, entry->name, 0) < 0 && depth)
				remove_folder(fd, entry->name, depth - 1);
		}
	}
	if (fd >= 0)
		close(fd);
	unlinkat(parent, path, AT_REMOVEDIR);
}

void iot_temp_names_remove(void)
{
	for (const struct iot_temp_name *name = g_atomic_pointer_get(&names); name;
	     name = name->next) {
		if (g_atomic_int_get(&name->done))
			continue;
		if (name->is_folder)
			remove_folder(AT_FDCWD, name->path, 2);
		else
			unlink(name->path);
	}
}
