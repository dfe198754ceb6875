/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prefetch of chunks of one CPU: any thread unpacks chunks before the reader of the CPU needs them.
 * Without it, a file in which one CPU has almost all events would be the work of one thread, most
 * of which is unpacking.
 *
 * Threads unpack groups of chunks in the order of the file; the reader of the CPU takes the chunks
 * from the groups. Damage is not counted here: a group ends before a chunk that cannot be unpacked,
 * and the reader finds that chunk by itself. So the reader sees the same with and without prefetch.
 */
#ifndef IOT_INPUT_DAT_DAT_AHEAD_H
#define IOT_INPUT_DAT_DAT_AHEAD_H

#include "input/dat/dat-window.h"

struct iot_dat_ahead;

/** iot_dat_ahead_new - prefetch chunks of @area, from the first call of iot_dat_ahead_from on */
struct iot_dat_ahead *iot_dat_ahead_new(const struct iot_dat_file *file,
					const struct iot_dat_area *area, gsize page_size);
/** iot_dat_ahead_free - accepts NULL; no thread may use it any more */
void iot_dat_ahead_free(struct iot_dat_ahead *ahead);
/**
 * iot_dat_ahead_work - unpack the next group; any thread, at any time
 * @n_groups: number of groups of all CPUs of the file, which is limited; changed atomically
 *
 * FALSE if there is nothing to do now.
 */
gboolean iot_dat_ahead_work(struct iot_dat_ahead *ahead, gint *n_groups);

/* The rest is for the reader of the CPU. */

/** iot_dat_ahead_from - prefetch from the chunk at @pos on, unless that has been done already */
void iot_dat_ahead_from(struct iot_dat_ahead *ahead, guint64 pos);
/**
 * iot_dat_ahead_take - get the chunk at @pos, if a thread has unpacked it or is unpacking it
 *
 * Returns its unpacked bytes, valid until the next call; NULL if it was not prefetched, or with
 * @error set.
 */
const guint8 *iot_dat_ahead_take(struct iot_dat_ahead *ahead, guint64 pos,
				 struct iot_dat_chunk *out, GError **error);

#endif
