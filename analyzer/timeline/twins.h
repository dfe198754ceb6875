/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of two models that are the same thing on a machine: a glock of GFS2 and its lock of the DLM
 * (iot_type.twin).
 *
 * Twins are rows of role node, of one machine, below rows with the same names. The rows above
 * these, a file system and a lockspace, go together one to one. If the names contradict this,
 * nobody knows whose twin a row is, and it has none. One thread at a time.
 */
#ifndef IOT_TIMELINE_TWINS_H
#define IOT_TIMELINE_TWINS_H

#include "timeline/timeline.h"

struct iot_twins;

struct iot_twins *iot_twins_new(const struct iot_timeline *tl);
/** iot_twins_free - accepts NULL */
void iot_twins_free(struct iot_twins *twins);
/** iot_twins_find - the other row, below number @n_rows, of a row whose type has a twin; 0: there
 * is none yet, or several may be. @n_rows must not go down from call to call. */
iot_row_id iot_twins_find(struct iot_twins *twins, iot_row_id row, iot_row_id n_rows);
/** iot_twins_place - equal numbers: the rows may be twins. 0: @row has no twin */
guint64 iot_twins_place(const struct iot_timeline *tl, iot_row_id row);

#endif
