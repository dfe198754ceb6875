/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/otf2/otf2-dir.h"
#include "base/error.h"
#include "base/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static gboolean dir_error(const char *what, const char *path, int saved_errno, GError **error)
{
	g_set_error(error, IOT_ERROR, IOT_ERROR_OUTPUT, "cannot %s %s: %s", what, path,
		    g_strerror(saved_errno));
	return FALSE;
}

/* Whether a folder has no other entries than those that an archive has at this place. */
static gboolean has_only(const char *path, gboolean (*is_ours)(const char *name))
{
	GDir *dir = g_dir_open(path, 0, NULL);
	const char *name;

	if (!dir)
		return FALSE;
	while ((name = g_dir_read_name(dir)) && is_ours(name))
		;
	g_dir_close(dir);
	return !name;
}

static gboolean is_top_name(const char *name)
{
	return !strcmp(name, OTF2_NAME) || !strcmp(name, OTF2_NAME ".otf2") ||
	       !strcmp(name, OTF2_NAME ".def");
}

static gboolean is_location_name(const char *name)
{
	gsize digits = strspn(name, "0123456789");

	return digits && (!strcmp(name + digits, ".evt") || !strcmp(name + digits, ".def"));
}

static gboolean is_archive(const char *path)
{
	g_autofree char *locations = g_build_filename(path, OTF2_NAME, NULL);

	return has_only(path, is_top_name) && (!g_file_test(locations, G_FILE_TEST_EXISTS) ||
					       has_only(locations, is_location_name));
}

/* A folder that otf2_dir_new made, or one that is_archive found to be an archive. */
static void remove_archive(const char *path)
{
	g_autofree char *locations = g_build_filename(path, OTF2_NAME, NULL);
	const char *const dirs[] = { locations, path };

	for (guint i = 0; i < G_N_ELEMENTS(dirs); i++) {
		GDir *dir = g_dir_open(dirs[i], 0, NULL);
		const char *name;

		while (dir && (name = g_dir_read_name(dir))) {
			g_autofree char *file = g_build_filename(dirs[i], name, NULL);

			unlink(file);
		}
		if (dir)
			g_dir_close(dir);
		rmdir(dirs[i]);
	}
}

static gboolean check_target(const char *path, GError **error)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return errno == ENOENT || dir_error("write", path, errno, error);
	if (!S_ISDIR(st.st_mode))
		return dir_error("write", path, ENOTDIR, error);
	if (access(path, W_OK) < 0)
		return dir_error("write", path, errno, error);
	if (is_archive(path))
		return TRUE;
	g_set_error(error, IOT_ERROR, IOT_ERROR_OUTPUT,
		    "cannot write %s: this directory has other files than those of an OTF2 archive",
		    path);
	return FALSE;
}

static mode_t default_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0777 & ~mask;
}

/* Without slashes at the end; a link stays a link, and its target is replaced. */
static char *target_of(const char *path)
{
	g_autofree char *plain = g_strdup(path);
	char *real, *copy;

	for (gsize len = strlen(plain); len > 1 && plain[len - 1] == '/'; len--)
		plain[len - 1] = '\0';
	real = realpath(plain, NULL);
	copy = g_strdup(real ? real : plain);
	free(real);
	return copy;
}

struct otf2_dir *otf2_dir_new(const char *path, GError **error)
{
	g_autofree char *target = target_of(path);
	g_autofree char *temp_path = NULL;
	struct otf2_dir *dir;

	if (!strcmp(path, "-")) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_USAGE,
			    "otf2:-: an archive is a directory, not a file; give a name");
		return NULL;
	}
	if (!check_target(target, error))
		return NULL;
	temp_path = g_strdup_printf("%s.XXXXXX", target);
	if (!g_mkdtemp(temp_path)) {
		dir_error("write", path, errno, error);
		return NULL;
	}
	(void)chmod(temp_path, default_mode());
	dir = g_new0(struct otf2_dir, 1);
	dir->path = g_steal_pointer(&target);
	dir->temp_path = g_steal_pointer(&temp_path);
	dir->temp_name = iot_temp_name_new(dir->temp_path, TRUE);
	return dir;
}

/* On file systems that cannot exchange two names there is an instant without an archive. */
static gboolean replace(struct otf2_dir *dir)
{
	if (renameat2(AT_FDCWD, dir->temp_path, AT_FDCWD, dir->path, RENAME_EXCHANGE) == 0)
		return TRUE;
	if (errno != EINVAL && errno != ENOSYS)
		return FALSE;
	remove_archive(dir->path);
	if (rename(dir->temp_path, dir->path) < 0)
		return FALSE;
	g_clear_pointer(&dir->temp_path, g_free);
	return TRUE;
}

gboolean otf2_dir_publish(struct otf2_dir *dir, GError **error)
{
	if (!iot_interrupt_check(error))
		return FALSE;
	if (rename(dir->temp_path, dir->path) == 0) { /* it was absent, or empty */
		g_clear_pointer(&dir->temp_path, g_free);
		return TRUE;
	}
	if (errno != ENOTEMPTY && errno != EEXIST)
		return dir_error("rename the finished archive to", dir->path, errno, error);
	if (!check_target(dir->path, error))
		return FALSE;
	return replace(dir) || dir_error("rename the finished archive to", dir->path, errno, error);
}

void otf2_dir_free(struct otf2_dir *dir)
{
	if (!dir)
		return;
	if (dir->temp_path) /* unfinished, or the older archive after an exchange */
		remove_archive(dir->temp_path);
	iot_temp_name_done(dir->temp_name);
	g_free(dir->temp_path);
	g_free(dir->path);
	g_free(dir);
}
