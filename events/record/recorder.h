/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace-cmd that records: a child in a process group of its own, so that Ctrl-C of the terminal
 * does not reach it, with a terminal as standard output, because into a pipe it prints nothing
 * until it ends. It gets SIGINT when this process dies, and then closes its files properly.
 */
#ifndef REC_RECORDER_H
#define REC_RECORDER_H

#include <glib.h>

struct rec_recorder;

/** rec_recorder_func - called in the main context when it began to record, and when it has ended */
typedef void (*rec_recorder_func)(gpointer data);

/** rec_recorder_start - run @argv; @changed is called with @data. IOT_ERROR_USAGE: it cannot be
 * started */
struct rec_recorder *rec_recorder_start(char **argv, rec_recorder_func changed, gpointer data,
					GError **error);
/** rec_recorder_free - it must have ended */
void rec_recorder_free(struct rec_recorder *recorder);

/** rec_recorder_records - whether all machines record */
gboolean rec_recorder_records(const struct rec_recorder *recorder);
gboolean rec_recorder_ended(const struct rec_recorder *recorder);
/** rec_recorder_status - exit status, as a shell has it; after the end */
int rec_recorder_status(const struct rec_recorder *recorder);
/** rec_recorder_log - its output so far; belongs to the recorder */
const char *rec_recorder_log(const struct rec_recorder *recorder);
/** rec_recorder_pid - process, and process group */
GPid rec_recorder_pid(const struct rec_recorder *recorder);

/** rec_recorder_stop - ask it to end the recording; if it does not record yet, as soon as it does
 */
void rec_recorder_stop(struct rec_recorder *recorder);
/** rec_recorder_kill - kill the whole process group */
void rec_recorder_kill(struct rec_recorder *recorder);

/** rec_group_cpu_ms - processor time of the processes of a group */
guint64 rec_group_cpu_ms(GPid group);

#endif
