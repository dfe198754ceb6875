/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The settings of this machine's top trace buffer, which trace-cmd changes when it records agents.
 * Contents of the buffer, and error_log, cannot be saved.
 */
#ifndef REC_TRACING_STATE_H
#define REC_TRACING_STATE_H

#include <glib.h>

/** rec_state_read - file of tracefs -> its text, both owned; events that are off and without filter
 * are left out. Free with g_hash_table_unref */
GHashTable *rec_state_read(void);
/** rec_state_restore - write back the files that differ; returns the number of files that still
 * differ */
guint rec_state_restore(GHashTable *saved);

#endif
