/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Synthetic items for loop-sinks, shaped as the models of DLM and of file I/O make them: the same
 * types and attributes, busy and idle rows, names of the same lengths. Made in batches, so that the
 * cost of making them is not measured.
 */
#ifndef IOT_PERF_SINK_LOAD_H
#define IOT_PERF_SINK_LOAD_H

#include "timeline/timeline.h"

enum { LOAD_BATCH = 4096 };

struct load;

/**
 * load_new - a cluster ("dlm", "links": with links between its nodes) or machines that do file I/O
 * ("io")
 * @rows: rows of the picture, about
 *
 * Returns NULL if there is no such load.
 */
struct load *load_new(const char *name, guint rows, enum iot_feed feed);
void load_free(struct load *load);
const struct iot_timeline *load_timeline(const struct load *load);
/** load_batch - make some items; returns their number, and the items in *@out_items */
guint load_batch(struct load *load, const struct iot_item **out_items);
/** load_last - the last items, which end open spans; returns the number and sets the end of the
 * recording */
guint load_last(struct load *load, const struct iot_item **out_items, guint64 *out_end_ns);

#endif
