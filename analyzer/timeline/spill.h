/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorted runs of items in a nameless temporary file, merged on reading. Pipeline thread only. */
#ifndef IOT_TIMELINE_SPILL_H
#define IOT_TIMELINE_SPILL_H

#include "timeline/timeline.h"

struct iot_spill;

struct iot_spill *iot_spill_new(void);
void iot_spill_free(struct iot_spill *spill);
/** iot_spill_begin - start a run; its items follow in rising (key, seq) order */
gboolean iot_spill_begin(struct iot_spill *spill, GError **error);
/** iot_spill_add - append to the run; write errors show at iot_spill_end */
void iot_spill_add(struct iot_spill *spill, const struct iot_item *item, guint64 key);
gboolean iot_spill_end(struct iot_spill *spill, GError **error);
/** iot_spill_top - the smallest key of all runs; FALSE if all are empty */
gboolean iot_spill_top(const struct iot_spill *spill, guint64 *out_key, guint64 *out_seq);
/** iot_spill_pop - remove and copy the smallest item */
gboolean iot_spill_pop(struct iot_spill *spill, struct iot_item *out_item, GError **error);

#endif
