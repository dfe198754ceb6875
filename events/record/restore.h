/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Raw files that trace-cmd could not join, because it was killed or the disk was full. */
#ifndef REC_RESTORE_H
#define REC_RESTORE_H

#include "machines.h"

/** rec_restore_command - "trace-cmd restore ..." for the raw files of a machine; NULL: there are
 * none. Free with g_strfreev */
char **rec_restore_command(const char *folder, const struct rec_machine *machine);
/**
 * rec_restore - join the raw files of a machine, if there is room
 *
 * TRUE: its recording is there and the raw files are gone. It lacks the synchronisation of clocks.
 * Raw files without data are removed in any case.
 */
gboolean rec_restore(const char *folder, const struct rec_machine *machine);

/** rec_join_begin - give the raw files of a machine second names, before trace-cmd joins the files:
 * it removes raw files also if the disk was full */
void rec_join_begin(const char *folder, const struct rec_machine *machine);
/** rec_join_end - remove these names; if the joined file lacks data, they become raw files again */
void rec_join_end(const char *folder, const struct rec_machine *machine);

#endif
