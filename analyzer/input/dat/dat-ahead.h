/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chunks of one CPU that are unpacked before it is their turn, by any threads: where one CPU of one
 * file has nearly all events, its reader would be alone, and unpacking is most of its work.
 *
 * Threads take groups of chunks, in the order of the file; the reader of the CPU takes the chunks
 * from the groups. Nothing is counted or judged here: a group ends in front of what cannot be
 * unpacked, and the reader finds that by itself. So the reader sees the same with and without help.
 */
#ifndef IOT_INPUT_DAT_DAT_AHEAD_H
#define IOT_INPUT_DAT_DAT_AHEAD_H

#include "input/dat/dat-window.h"

struct iot_dat_ahead;

/** iot_dat_ahead_new - for the chunks of @area; nothing is done before iot_dat_ahead_from */
struct iot_dat_ahead *iot_dat_ahead_new(const struct iot_dat_file *file,
					const struct iot_dat_area *area, gsize page_size);
/** iot_dat_ahead_free - accepts NULL; no thread works for it any more */
void iot_dat_ahead_free(struct iot_dat_ahead *ahead);
/**
 * iot_dat_ahead_work - unpack the next group; any thread, at any time
 * @n_groups: groups of all CPUs of the file, which are limited; changed atomically
 *
 * FALSE if there is nothing to do now.
 */
gboolean iot_dat_ahead_work(struct iot_dat_ahead *ahead, gint *n_groups);

/* The rest is for the reader of the CPU. */

/** iot_dat_ahead_from - help is wanted from the chunk at @pos on, unless that has been given */
void iot_dat_ahead_from(struct iot_dat_ahead *ahead, guint64 pos);
/**
 * iot_dat_ahead_take - the chunk at @pos, if somebody has unpacked it or is about to
 *
 * Returns its unpacked bytes, valid until the next call; NULL without help, or with @error set.
 */
const guint8 *iot_dat_ahead_take(struct iot_dat_ahead *ahead, guint64 pos,
				 struct iot_dat_chunk *out, GError **error);

#endif
