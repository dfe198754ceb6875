/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of one SQLite connection, written through base/out.h: the database appears under its
 * name when it is complete, its sorters use nameless temporary files, and writes fail where tests
 * make them fail. For one connection that writes a new database without a journal; nothing is
 * locked or synchronised.
 */
#ifndef IOT_SINKS_SQLITE_SQLITE_VFS_H
#define IOT_SINKS_SQLITE_SQLITE_VFS_H

#include "base/out.h"

struct sqlite_vfs_files;

/** sqlite_vfs_new - files for a database at @path; NULL and an error if it cannot be written */
struct sqlite_vfs_files *sqlite_vfs_new(const char *path, GError **error);
/** sqlite_vfs_name - name of the VFS for sqlite3_open_v2 */
const char *sqlite_vfs_name(const struct sqlite_vfs_files *files);
/** sqlite_vfs_check - FALSE and the first error of any of the files */
gboolean sqlite_vfs_check(const struct sqlite_vfs_files *files, GError **error);
/** sqlite_vfs_finish - the database is complete and its connection closed: rename it */
gboolean sqlite_vfs_finish(struct sqlite_vfs_files *files, GError **error);
/** sqlite_vfs_free - after the connection was closed; removes an unfinished file; accepts NULL */
void sqlite_vfs_free(struct sqlite_vfs_files *files);

#endif
