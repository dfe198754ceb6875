/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/sqlite/sqlite-vfs.h"
#include "base/error.h"

#include <sqlite3.h>

enum { SECTOR = 4096, PATH_MAX_BYTES = 64, SCRATCH_BUFFER = 256 << 10 };

struct sqlite_vfs_files {
	sqlite3_vfs vfs; /* registered under a name of its own */
	char name[PATH_MAX_BYTES];
	char *path;
	struct iot_out *out; /* the database */
	GError *error;	     /* the first one of a temporary file */
};

/* What SQLite allocates for each open file. */
struct file {
	sqlite3_file base;
	struct sqlite_vfs_files *files;
	struct iot_out *out;
	gboolean scratch; /* a temporary file, which is ours to close */
};

static int file_close(sqlite3_file *base)
{
	struct file *file = (struct file *)base;

	if (file->scratch)
		iot_out_free(file->out);
	file->out = NULL;
	return SQLITE_OK;
}

/* Remembers why a temporary file failed; the writer of the database remembers its own error. */
static int failed(struct file *file, GError *error, int code)
{
	if (file->scratch && !file->files->error)
		file->files->error = error;
	else
		g_clear_error(&error);
	return code;
}

/* SQLite may read after the end, where all bytes are 0. */
static int file_read(sqlite3_file *base, void *data, int len, sqlite3_int64 offset)
{
	struct file *file = (struct file *)base;
	guint64 size = iot_out_tell(file->out);
	guint64 there = (guint64)offset < size ? MIN((guint64)len, size - (guint64)offset) : 0;
	GError *error = NULL;

	if (there && !iot_out_read_at(file->out, (guint64)offset, data, there, &error)) {
		/* the writer of the database remembers errors of writing only */
		if (!file->files->error)
			file->files->error = error;
		else
			g_clear_error(&error);
		return SQLITE_IOERR_READ;
	}
	if (there == (guint64)len)
		return SQLITE_OK;
	memset((char *)data + there, 0, (gsize)len - there);
	return SQLITE_IOERR_SHORT_READ;
}

static void append_zeros(struct iot_out *out, guint64 n)
{
	static const guint8 zeros[SECTOR];

	for (; n && !iot_out_failed(out); n -= MIN(n, SECTOR))
		iot_out_write(out, zeros, MIN(n, SECTOR));
}

/* Pages leave SQLite's cache in any order: a page overwrites an earlier one or leaves a hole. */
static int file_write(sqlite3_file *base, const void *data, int len, sqlite3_int64 offset)
{
	struct file *file = (struct file *)base;
	guint64 at = (guint64)offset, size = iot_out_tell(file->out);
	gsize over;
	GError *error = NULL;

	if (at > size)
		append_zeros(file->out, at - size);
	size = iot_out_tell(file->out);
	over = MIN((gsize)len, size - at);
	if (over)
		iot_out_patch(file->out, at, data, over);
	iot_out_write(file->out, (const char *)data + over, (gsize)len - over);
	if (iot_out_check(file->out, &error))
		return SQLITE_OK;
	return failed(file, error, SQLITE_FULL);
}

/* Nothing shrinks; a temporary file may be used again from its begin. */
static int file_truncate(sqlite3_file *base, sqlite3_int64 size)
{
	(void)base;
	(void)size;
	return SQLITE_OK;
}

static int file_sync(sqlite3_file *base, int flags)
{
	(void)base;
	(void)flags;
	return SQLITE_OK;
}

static int file_size(sqlite3_file *base, sqlite3_int64 *out_size)
{
	*out_size = (sqlite3_int64)iot_out_tell(((struct file *)base)->out);
	return SQLITE_OK;
}

static int file_lock(sqlite3_file *base, int level)
{
	(void)base;
	(void)level;
	return SQLITE_OK;
}

static int file_check_lock(sqlite3_file *base, int *out_reserved)
{
	(void)base;
	*out_reserved = 0;
	return SQLITE_OK;
}

static int file_control(sqlite3_file *base, int op, void *arg)
{
	(void)base;
	(void)op;
	(void)arg;
	return SQLITE_NOTFOUND;
}

static int file_sector(sqlite3_file *base)
{
	(void)base;
	return SECTOR;
}

static int file_characteristics(sqlite3_file *base)
{
	(void)base;
	return SQLITE_IOCAP_SAFE_APPEND | SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

static const sqlite3_io_methods methods = {
	.iVersion = 1,
	.xClose = file_close,
	.xRead = file_read,
	.xWrite = file_write,
	.xTruncate = file_truncate,
	.xSync = file_sync,
	.xFileSize = file_size,
	.xLock = file_lock,
	.xUnlock = file_lock,
	.xCheckReservedLock = file_check_lock,
	.xFileControl = file_control,
	.xSectorSize = file_sector,
	.xDeviceCharacteristics = file_characteristics,
};

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags,
		    int *out_flags)
{
	struct sqlite_vfs_files *files = (struct sqlite_vfs_files *)vfs;
	struct file *file = (struct file *)base;

	memset(file, 0, sizeof(*file));
	file->files = files;
	if (flags & SQLITE_OPEN_MAIN_DB) {
		file->out = files->out;
	} else {
		file->scratch = TRUE;
		file->out = iot_out_open_scratch(files->path, SCRATCH_BUFFER,
						 files->error ? NULL : &files->error);
	}
	if (!file->out)
		return SQLITE_CANTOPEN;
	(void)name;
	if (out_flags)
		*out_flags = flags;
	base->pMethods = &methods;
	return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
	(void)vfs;
	(void)name;
	(void)sync;
	return SQLITE_OK;
}

/* There is never a journal of an earlier run. */
static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *out_result)
{
	(void)vfs;
	(void)name;
	(void)flags;
	*out_result = 0;
	return SQLITE_OK;
}

static int vfs_full_path(sqlite3_vfs *vfs, const char *name, int size, char *out)
{
	(void)vfs;
	g_strlcpy(out, name, (gsize)size);
	return SQLITE_OK;
}

/* The same bytes in every run. */
static int vfs_randomness(sqlite3_vfs *vfs, int len, char *out)
{
	(void)vfs;
	memset(out, 0, (gsize)len);
	return len;
}

static int vfs_time(sqlite3_vfs *vfs, double *out_days)
{
	(void)vfs;
	*out_days = 2440587.5; /* 1970 */
	return SQLITE_OK;
}

/*
 * By default SQLite counts every allocation under a lock, and sorts at least 250 pages at a time,
 * which is more than a processor's cache. Only before its first use.
 */
static void configure(void)
{
	static gsize once;

	if (!g_once_init_enter(&once))
		return;
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	sqlite3_config(SQLITE_CONFIG_PMASZ, 8);
	g_once_init_leave(&once, 1);
}

struct sqlite_vfs_files *sqlite_vfs_new(const char *path, GError **error)
{
	struct sqlite_vfs_files *files = g_new0(struct sqlite_vfs_files, 1);

	configure();
	files->path = g_strdup(path);
	g_snprintf(files->name, sizeof(files->name), "iotrace-%p", (void *)files);
	files->vfs = (sqlite3_vfs){ .iVersion = 1,
				    .szOsFile = sizeof(struct file),
				    .mxPathname = PATH_MAX_BYTES,
				    .zName = files->name,
				    .xOpen = vfs_open,
				    .xDelete = vfs_delete,
				    .xAccess = vfs_access,
				    .xFullPathname = vfs_full_path,
				    .xRandomness = vfs_randomness,
				    .xCurrentTime = vfs_time };
	files->out = iot_out_open(path, error);
	if (files->out && iot_out_is_seekable(files->out)) {
		sqlite3_vfs_register(&files->vfs, 0);
		return files;
	}
	if (files->out)
		g_set_error(error, IOT_ERROR, IOT_ERROR_USAGE,
			    "sqlite:%s: a database needs a file; give a file name", path);
	sqlite_vfs_free(files);
	return NULL;
}

const char *sqlite_vfs_name(const struct sqlite_vfs_files *files)
{
	return files->name;
}

gboolean sqlite_vfs_check(const struct sqlite_vfs_files *files, GError **error)
{
	if (!iot_out_check(files->out, error))
		return FALSE;
	if (!files->error)
		return TRUE;
	if (error)
		*error = g_error_copy(files->error);
	return FALSE;
}

gboolean sqlite_vfs_finish(struct sqlite_vfs_files *files, GError **error)
{
	return sqlite_vfs_check(files, error) && iot_out_finish(files->out, error);
}

void sqlite_vfs_free(struct sqlite_vfs_files *files)
{
	if (!files)
		return;
	sqlite3_vfs_unregister(&files->vfs);
	iot_out_free(files->out);
	g_clear_error(&files->error);
	g_free(files->path);
	g_free(files);
}
