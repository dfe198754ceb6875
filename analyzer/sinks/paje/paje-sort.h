/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines that are sorted by time; those of one instant keep the order in which they came. Beyond a
 * limit, sorted runs go to a nameless temporary file and are merged when they are read. One thread.
 */
#ifndef IOT_SINKS_PAJE_PAJE_SORT_H
#define IOT_SINKS_PAJE_PAJE_SORT_H

#include "base/out.h"

struct paje_sort;

/** paje_sort_new - @path: the temporary file is made near it; @limit: bytes in memory */
struct paje_sort *paje_sort_new(const char *path, gsize limit);
void paje_sort_free(struct paje_sort *sort);

/** paje_sort_add - copy a line of less than 8000 bytes */
gboolean paje_sort_add(struct paje_sort *sort, guint64 t, const char *line, gsize len,
		       GError **error);
/** paje_sort_finish - all lines are there; the first one can be read */
gboolean paje_sort_finish(struct paje_sort *sort, GError **error);
/** paje_sort_top - the next line, valid until it is removed; NULL after the last one */
const char *paje_sort_top(const struct paje_sort *sort, guint64 *out_t, gsize *out_len);
/** paje_sort_pop - remove the next line; FALSE and an error if the one after it cannot be read */
gboolean paje_sort_pop(struct paje_sort *sort, GError **error);
/** paje_sort_memory - bytes of storage */
gsize paje_sort_memory(const struct paje_sort *sort);

#endif
