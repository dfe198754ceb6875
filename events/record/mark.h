/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A running iotrace-record has a mark in /run/iotrace-record with the settings and instances that
 * it changes on this machine. If it is killed, the next one undoes the changes.
 */
#ifndef REC_MARK_H
#define REC_MARK_H

#include <glib.h>

struct rec_mark;

/**
 * rec_mark_recover - undo what dead processes have left
 * @top: the caller needs the top buffer, which another living iotrace-record may be using, which is
 * an error
 * @out_note: a sentence about the changes that were undone, or NULL
 */
gboolean rec_mark_recover(gboolean top, char **out_note, GError **error);
/** rec_mark_new - set the mark
 * @instance: that will be made; NULL: the top buffer is used, and its settings are saved */
struct rec_mark *rec_mark_new(const char *instance, GError **error);
/** rec_mark_refresh - save the settings as they are now, while nothing is recorded */
void rec_mark_refresh(struct rec_mark *mark);
/** rec_mark_restore - restore everything and keep the mark */
void rec_mark_restore(struct rec_mark *mark);
/** rec_mark_undo - restore everything and remove the mark; returns the number of settings that
 * could not be restored. Frees @mark; accepts NULL */
guint rec_mark_undo(struct rec_mark *mark);

/** rec_mark_file - save the text of a file of the kernel that will be changed; it is restored with
 * everything else. FALSE and an error also if another process has changed it and will restore it */
gboolean rec_mark_file(struct rec_mark *mark, const char *path, GError **error);

/** rec_mark_trigger - save a trigger of the mark's instance that will be set; it is removed before
 * the instance, which it keeps busy
 * @event: "SYSTEM/EVENT" */
gboolean rec_mark_trigger(struct rec_mark *mark, const char *event, const char *text,
			  GError **error);

/** rec_mark_write - write such a file; FALSE: errno is set */
gboolean rec_mark_write(const char *path, const char *text);

/** A flight recorder that runs. */
struct rec_mark_flight {
	int pid;
	guint dumps; /* ended, well or not */
	char *last;  /* about the last dump: its folder, or a sentence that begins with "!" */
};

/** rec_mark_flight - make the flight recorder known to others, and what became of its last dump
 * @last: as in struct rec_mark_flight; "" before the first dump */
void rec_mark_flight(struct rec_mark *mark, guint dumps, const char *last);
/** rec_mark_flights - living flight recorders of this machine, of struct rec_mark_flight; free with
 * g_ptr_array_unref */
GPtrArray *rec_mark_flights(void);

/** REC_MARK_VARIABLE - environment of all processes that record for an iotrace-record:
 * its rec_mark_id() */
#define REC_MARK_VARIABLE "IOTRACE_RECORD"
/** rec_mark_id - a text that no other process has or will have; the caller frees */
char *rec_mark_id(void);

#endif
