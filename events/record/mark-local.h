/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks (mark.c), and what is undone when a recording ends or was killed (mark-undo.c). Callers of
 * the functions of mark-undo.c hold the lock of all marks. */
#ifndef REC_MARK_LOCAL_H
#define REC_MARK_LOCAL_H

#include "mark.h"

extern const char rec_mark_folder[];

/* What could not be removed. */
enum rec_rest { REC_REST_NOTHING, REC_REST_EVENTS, REC_REST_INSTANCE };

/** rec_mark_is_alive - whether the process that has set the mark lives */
gboolean rec_mark_is_alive(GKeyFile *file);
/** rec_mark_others - whether a living process records for itself on this machine, apart from that
 * of the mark @path */
gboolean rec_mark_others(const char *path);
/** rec_mark_end_recorders - end the processes that record for the dead process of a mark */
void rec_mark_end_recorders(GKeyFile *file);
/** rec_mark_take_back - undo the changes of a mark; returns the number of settings that still
 * differ
 * @others: of rec_mark_others: the events that were made for the recording stay */
guint rec_mark_take_back(GKeyFile *file, gboolean others, enum rec_rest *out_rest);
/** rec_mark_finish - the mark has served: remove it, or keep it for the rest */
void rec_mark_finish(GKeyFile *file, const char *path, enum rec_rest rest);
/** rec_mark_remove_left - remove the events that earlier recordings have left to this one, the last
 * of all */
void rec_mark_remove_left(void);

#endif
