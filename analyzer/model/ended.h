/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which objects were seen to end, by the hash of their key: one that appears again without a begin
 * cannot be from before the recording. A table of fixed size in which a newer object evicts an
 * older one from its slot; a forgotten object is treated as one that was never seen.
 */
#ifndef IOT_MODEL_ENDED_H
#define IOT_MODEL_ENDED_H

#include "model/tracked.h"

/** iot_ended_note - an object with that hash has ended at @ns */
void iot_ended_note(struct iot_object_kind *kind, guint64 hash, guint64 ns);
/** iot_ended_since - whether one has ended at @since or later; FALSE if it has been evicted */
gboolean iot_ended_since(const struct iot_object_kind *kind, guint64 hash, guint64 since);
/** iot_ended_memory - bytes of the table */
gsize iot_ended_memory(const struct iot_object_kind *kind);
/** iot_ended_save - append the table to @out */
void iot_ended_save(const struct iot_object_kind *kind, GByteArray *out);
/** iot_ended_load - fill the table; FALSE if @in is damaged */
gboolean iot_ended_load(struct iot_object_kind *kind, struct iot_unpack *in);

#endif
