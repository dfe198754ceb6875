/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record-folder.h"
#include "base/error.h"
#include "base/units.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <grp.h>
#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

struct user {
	uid_t uid;
	gid_t gid;
};

/* FALSE: nobody called sudo. */
static gboolean find_user(struct user *out)
{
	const char *uid = g_getenv("SUDO_UID"), *gid = g_getenv("SUDO_GID");
	guint64 u, g;

	if (geteuid() || !uid || !gid ||
	    !g_ascii_string_to_unsigned(uid, 10, 1, G_MAXUINT32 - 1, &u, NULL) ||
	    !g_ascii_string_to_unsigned(gid, 10, 0, G_MAXUINT32 - 1, &g, NULL))
		return FALSE;
	out->uid = (uid_t)u;
	out->gid = (gid_t)g;
	return TRUE;
}

gboolean rec_become_user(void)
{
	struct user user;
	const struct passwd *entry;

	if (!find_user(&user))
		return TRUE;
	entry = getpwuid(user.uid);
	if (entry ? initgroups(entry->pw_name, user.gid) : setgroups(0, NULL))
		return FALSE;
	return setgid(user.gid) == 0 && setuid(user.uid) == 0;
}

static gboolean is_empty(const char *path)
{
	GDir *dir = g_dir_open(path, 0, NULL);
	gboolean empty = dir && !g_dir_read_name(dir);

	g_clear_pointer(&dir, g_dir_close);
	return empty;
}

static char *standard_name(void)
{
	g_autoptr(GDateTime) now = g_date_time_new_now_local();

	return g_date_time_format(now, "iotrace-%Y%m%d-%H%M%S");
}

char *rec_folder_make(const char *path, GError **error)
{
	g_autofree char *name = path ? g_strdup(path) : standard_name();
	struct user user;

	if (g_mkdir(name, 0700) == 0) {
		if (find_user(&user) && chown(name, user.uid, user.gid))
			g_debug("%s: %s", name, g_strerror(errno));
		return g_steal_pointer(&name);
	}
	if (errno != EEXIST) {
		iot_usage_error(error, "the folder %s cannot be made: %s; -o names another one",
				name, g_strerror(errno));
		return NULL;
	}
	if (!g_file_test(name, G_FILE_TEST_IS_DIR)) {
		iot_usage_error(error,
				"%s is a file; -o names a folder that is empty or does not exist",
				name);
		return NULL;
	}
	if (!is_empty(name)) {
		iot_usage_error(error, "the folder %s is not empty; -o names another one", name);
		return NULL;
	}
	if (access(name, W_OK)) {
		iot_usage_error(error, "the folder %s cannot be written: %s; -o names another one",
				name, g_strerror(errno));
		return NULL;
	}
	return g_steal_pointer(&name);
}

/* Calls @act for each file. */
static void for_each(const char *folder, void (*act)(const char *path, gpointer data),
		     gpointer data)
{
	GDir *dir = g_dir_open(folder, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(folder, name, NULL);

		act(path, data);
	}
	g_clear_pointer(&dir, g_dir_close);
}

static void own(const char *path, gpointer data)
{
	const struct user *user = data;

	if (lchown(path, user->uid, user->gid))
		g_debug("%s: %s", path, g_strerror(errno));
}

void rec_folder_own(const char *folder)
{
	struct user user;

	if (find_user(&user))
		for_each(folder, own, &user);
}

static void discard(const char *path, gpointer data)
{
	g_autofree char *name = g_path_get_basename(path);

	(void)data;
	if (g_str_has_prefix(name, "trace.") || g_str_has_prefix(name, "trace-") ||
	    g_str_has_prefix(name, "kept-trace") || g_str_has_prefix(name, "metrics") ||
	    g_str_has_prefix(name, "recording.json"))
		g_unlink(path);
}

void rec_folder_discard(const char *folder)
{
	for_each(folder, discard, NULL);
	g_rmdir(folder);
}

char *rec_folder_place(const char *path)
{
	if (path && g_file_test(path, G_FILE_TEST_IS_DIR))
		return g_strdup(path);
	return g_path_get_dirname(path ? path : "./x");
}

guint64 rec_folder_free(const char *folder)
{
	struct statvfs space;

	return statvfs(folder, &space) ? 0 : (guint64)space.f_bavail * space.f_frsize;
}

struct search {
	const char *prefix;
	GPtrArray *paths;
};

/* "trace-5.dat.cpu0"; of an instance "trace.dat.NAME.cpu0" */
static void add_found(const char *path, gpointer data)
{
	const struct search *search = data;
	g_autofree char *name = g_path_get_basename(path);
	gsize len = strlen(search->prefix);

	if (!strncmp(name, search->prefix, len) && name[len] == '.' && strstr(name + len, ".cpu"))
		g_ptr_array_add(search->paths, g_strdup(path));
}

static int by_name(gconstpointer a, gconstpointer b)
{
	return iot_natural_compare(*(const char *const *)a, *(const char *const *)b);
}

GPtrArray *rec_folder_find(const char *folder, const char *prefix)
{
	struct search search = { prefix, g_ptr_array_new_with_free_func(g_free) };

	for_each(folder, add_found, &search);
	g_ptr_array_sort(search.paths, by_name);
	return search.paths;
}

guint64 rec_folder_bytes(const GPtrArray *paths)
{
	guint64 bytes = 0;
	GStatBuf info;

	for (guint i = 0; i < paths->len; i++)
		if (g_stat(paths->pdata[i], &info) == 0)
			bytes += (guint64)info.st_size;
	return bytes;
}

guint64 rec_folder_largest(const GPtrArray *paths)
{
	guint64 bytes = 0;
	GStatBuf info;

	for (guint i = 0; i < paths->len; i++)
		if (g_stat(paths->pdata[i], &info) == 0)
			bytes = MAX(bytes, (guint64)info.st_size);
	return bytes;
}

GPtrArray *rec_folder_leftovers(const char *folder, const struct rec_machine *machine)
{
	return rec_folder_find(folder, machine->file);
}

guint64 rec_folder_raw(const char *folder, const struct rec_machine *machine)
{
	g_autoptr(GPtrArray) paths = rec_folder_leftovers(folder, machine);

	return rec_folder_bytes(paths);
}
