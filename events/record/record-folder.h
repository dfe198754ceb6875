/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The folder of a recording, and its owner: the caller of sudo. */
#ifndef REC_FOLDER_H
#define REC_FOLDER_H

#include "machines.h"

/** rec_folder_make - make the folder, or take an empty one; NULL: a name with the time. The caller
 * frees */
char *rec_folder_make(const char *path, GError **error);
/** rec_folder_own - give the folder and its files to the caller of sudo */
void rec_folder_own(const char *folder);
/** rec_folder_discard - remove the folder, unless other files are in it, and the files that
 * iotrace-record and trace-cmd put there
 */
void rec_folder_discard(const char *folder);
/** rec_folder_place - the folder, or where it will be made; NULL: a name with the time. The caller
 * frees */
char *rec_folder_place(const char *path);
/** rec_folder_free - bytes that may be written there */
guint64 rec_folder_free(const char *folder);
/** rec_folder_raw - bytes of a machine that are not joined yet */
guint64 rec_folder_raw(const char *folder, const struct rec_machine *machine);
/** rec_folder_find - paths of the raw files "PREFIX.cpu0" or "PREFIX.INSTANCE.cpu0", sorted; of
 * char *, owned */
GPtrArray *rec_folder_find(const char *folder, const char *prefix);
/** rec_folder_bytes - the size of all files of a list of paths */
guint64 rec_folder_bytes(const GPtrArray *paths);
/** rec_folder_largest - bytes of the largest of these files */
guint64 rec_folder_largest(const GPtrArray *paths);
/** rec_folder_leftovers - paths of the raw files of a machine; as from rec_folder_find */
GPtrArray *rec_folder_leftovers(const char *folder, const struct rec_machine *machine);

/** rec_become_user - in a child process: become the caller of sudo; FALSE if that fails */
gboolean rec_become_user(void);

#endif
