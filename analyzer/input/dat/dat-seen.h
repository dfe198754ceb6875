/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which events a recording really has: a file may hold the formats of all systems of its kernel,
 * and events of one. A byte for each event number, up to the highest that has a format.
 */
#ifndef IOT_INPUT_DAT_DAT_SEEN_H
#define IOT_INPUT_DAT_DAT_SEEN_H

#include "base/pack.h"
#include "input/dat/dat-file.h"

/** iot_dat_seen_new - nothing has been seen; free with g_free */
guint8 *iot_dat_seen_new(const struct iot_dat_file *file);
/** iot_dat_seen_merge - what has been seen in @from has been seen in @into */
void iot_dat_seen_merge(const struct iot_dat_file *file, guint8 *into, const guint8 *from);
/** iot_dat_seen_event - whether an event of this system and name has been seen */
gboolean iot_dat_seen_event(const struct iot_dat_file *file, const guint8 *seen, const char *system,
			    const char *name);
/** iot_dat_seen_systems - systems whose events have been seen, for iot_input_info.recorded: sorted,
 * and a NULL; the array owns the names */
GPtrArray *iot_dat_seen_systems(const struct iot_dat_file *file, const guint8 *seen);
/** iot_dat_seen_save - append the numbers that have been seen to @out */
void iot_dat_seen_save(const struct iot_dat_file *file, const guint8 *seen, GByteArray *out);
/** iot_dat_seen_load - restore them; wrong numbers make @in bad */
void iot_dat_seen_load(const struct iot_dat_file *file, guint8 *seen, struct iot_unpack *in);

#endif
