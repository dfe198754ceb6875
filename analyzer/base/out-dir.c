/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/out-dir.h"
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

/* Whether a folder has no other entries than those that are ours. */
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

static gboolean is_nothing(const char *name)
{
	(void)name;
	return FALSE;
}

static gboolean is_ours(const struct iot_out_dir_kind *kind, const char *path)
{
	g_autofree char *below = kind->folder ? g_build_filename(path, kind->folder, NULL) : NULL;

	if (!has_only(path, kind->is_ours) || (below && g_file_test(below, G_FILE_TEST_EXISTS) &&
					       !has_only(below, kind->is_ours_below)))
		return FALSE;
	return !kind->is_complete || has_only(path, is_nothing) || kind->is_complete(path);
}

/* A folder that iot_out_dir_new made, or that is_ours has looked at. */
static void remove_ours(const struct iot_out_dir_kind *kind, const char *path)
{
	g_autofree char *below = kind->folder ? g_build_filename(path, kind->folder, NULL) : NULL;
	const char *const dirs[] = { path, below };

	for (guint i = below ? 2 : 1; i-- > 0;) {
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

static gboolean check_target(const struct iot_out_dir_kind *kind, const char *path, GError **error)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return errno == ENOENT || dir_error("write", path, errno, error);
	if (!S_ISDIR(st.st_mode))
		return dir_error("write", path, ENOTDIR, error);
	if (access(path, W_OK) < 0)
		return dir_error("write", path, errno, error);
	if (is_ours(kind, path))
		return TRUE;
	g_set_error(error, IOT_ERROR, IOT_ERROR_OUTPUT,
		    "cannot write %s: this directory has other files than those of %s", path,
		    kind->whole);
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

struct iot_out_dir *iot_out_dir_new(const char *path, const struct iot_out_dir_kind *kind,
				    GError **error)
{
	g_autofree char *target = target_of(path);
	g_autofree char *temp_path = NULL;
	struct iot_out_dir *dir;

	if (!strcmp(path, "-")) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_USAGE,
			    "%s:-: this output is a directory, not a file; give a name",
			    kind->format);
		return NULL;
	}
	if (!check_target(kind, target, error))
		return NULL;
	temp_path = g_strdup_printf("%s.XXXXXX", target);
	if (!g_mkdtemp(temp_path)) {
		dir_error("write", path, errno, error);
		return NULL;
	}
	(void)chmod(temp_path, default_mode());
	dir = g_new0(struct iot_out_dir, 1);
	dir->kind = kind;
	dir->path = g_steal_pointer(&target);
	dir->temp_path = g_steal_pointer(&temp_path);
	dir->temp_name = iot_temp_name_new(dir->temp_path, TRUE);
	return dir;
}

/* On file systems that cannot exchange two names there is an instant without the folder. */
static gboolean replace(struct iot_out_dir *dir)
{
	if (renameat2(AT_FDCWD, dir->temp_path, AT_FDCWD, dir->path, RENAME_EXCHANGE) == 0)
		return TRUE;
	if (errno != EINVAL && errno != ENOSYS)
		return FALSE;
	remove_ours(dir->kind, dir->path);
	if (rename(dir->temp_path, dir->path) < 0)
		return FALSE;
	g_clear_pointer(&dir->temp_path, g_free);
	return TRUE;
}

struct iot_out *iot_out_dir_open(const struct iot_out_dir *dir, const char *name, GError **error)
{
	g_autofree char *path = g_build_filename(dir->temp_path, name, NULL);
	struct iot_out *out = iot_out_open_small(path, error);

	if (out)
		out->label = g_build_filename(dir->path, name, NULL);
	return out;
}

static gboolean rename_error(const struct iot_out_dir *dir, GError **error)
{
	int saved_errno = errno;
	g_autofree char *what = g_strdup_printf("rename the finished %s to", dir->kind->noun);

	return dir_error(what, dir->path, saved_errno, error);
}

gboolean iot_out_dir_publish(struct iot_out_dir *dir, GError **error)
{
	if (!iot_interrupt_check(error))
		return FALSE;
	if (rename(dir->temp_path, dir->path) == 0) { /* it was absent, or empty */
		g_clear_pointer(&dir->temp_path, g_free);
		return TRUE;
	}
	if (errno != ENOTEMPTY && errno != EEXIST)
		return rename_error(dir, error);
	if (!check_target(dir->kind, dir->path, error))
		return FALSE;
	return replace(dir) || rename_error(dir, error);
}

void iot_out_dir_free(struct iot_out_dir *dir)
{
	if (!dir)
		return;
	if (dir->temp_path) /* unfinished, or the older one after an exchange */
		remove_ours(dir->kind, dir->temp_path);
	iot_temp_name_done(dir->temp_name);
	g_free(dir->temp_path);
	g_free(dir->path);
	g_free(dir);
}
