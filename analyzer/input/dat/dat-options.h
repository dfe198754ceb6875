/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of a trace-cmd file, and two texts that version 6 keeps outside of options. */
#ifndef IOT_INPUT_DAT_DAT_OPTIONS_H
#define IOT_INPUT_DAT_DAT_OPTIONS_H

#include "input/dat/dat-file.h"

/**
 * iot_dat_option - apply one option to @file
 * @id: enum iot_dat_id; unknown options are ignored
 *
 * Malformed options are counted in file->diag. FALSE only for errors of the system.
 */
gboolean iot_dat_option(struct iot_dat_file *file, guint16 id, const guint8 *data, gsize len,
			GError **error);
/** iot_dat_commands - parse the CMDLINES section: file->commands */
void iot_dat_commands(struct iot_dat_file *file, struct iot_bytes *b);
/** iot_dat_trace_clock - the name in [brackets] of a trace_clock file; NULL if there is none */
char *iot_dat_trace_clock(const char *text, gsize len);

#endif
