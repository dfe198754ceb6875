/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of some recordings, and a folder with text recordings (iotrace-text(5)) of a part.
 * The times are corrected, so the text states the errors of the clocks and no synchronisation.
 */
#ifndef IOT_RUN_TOOLS_CUT_FILES_H
#define IOT_RUN_TOOLS_CUT_FILES_H

#include "run/pass.h"

/* An event, or lost events. */
struct iot_cut_event {
	guint64 ts; /* as recorded, corrected */
	guint32 input, cpu;
	gint32 pid;
	guint8 distance; /* enum iot_cut_distance */
	gboolean kept;
	char *text; /* its name and fields; NULL: events are missing until @until */
	guint64 lost, until;
};

struct iot_cut_files;

/** iot_cut_files_new - of the inputs of a pass that is prepared; copied */
struct iot_cut_files *iot_cut_files_new(const struct iot_pass *pass);
/** iot_cut_files_free - accepts NULL */
void iot_cut_files_free(struct iot_cut_files *files);

/** iot_cut_files_add - a record whose strings are numbers of @pass's timeline; @shift: ns that were
 * added to its time */
void iot_cut_files_add(struct iot_cut_files *files, const struct iot_pass *pass,
		       const struct iot_rec *rec, guint64 shift, guint8 distance);
/** iot_cut_files_edges - add an event without meaning at the first and the last time of each
 * recording; after the pass was read */
void iot_cut_files_edges(struct iot_cut_files *files, const struct iot_pass *pass, guint8 distance);
/** iot_cut_files_events - of struct iot_cut_event, in the order of delivery; the caller sets @kept
 */
GArray *iot_cut_files_events(struct iot_cut_files *files);

/** iot_cut_files_write - write the kept events, each machine's into a file of @folder
 * @clocks: whether to state the errors of the clocks
 * @options: inputs and mappings become those of the files
 */
gboolean iot_cut_files_write(const struct iot_cut_files *files, const char *folder, gboolean clocks,
			     struct iot_options *options, GError **error);
/** iot_cut_files_describe - write recording.json, which names the files that @options has */
gboolean iot_cut_files_describe(const char *folder, const struct iot_options *options,
				GError **error);

#endif
