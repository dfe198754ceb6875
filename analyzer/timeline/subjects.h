/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What resources are about: the file of a lock.
 *
 * Models give rows of machines a text, iot_row.thing. Rows with the same text on one machine
 * concern one thing: on rows of a type with is_thing it is the row above, on others the row above
 * is about it, and so is the row above the twin (twins.h). One thread at a time.
 *
 * The texts come from "is" and "about" of [container]. They are saved with the rows; all else is
 * found when tables are published.
 */
#ifndef IOT_TIMELINE_SUBJECTS_H
#define IOT_TIMELINE_SUBJECTS_H

#include "timeline/result-table.h"

struct iot_subjects;

/** iot_subjects_new - of the rows so far; NULL: nothing is known of any */
struct iot_subjects *iot_subjects_new(const struct iot_timeline *tl);
/** iot_subjects_free - accepts NULL */
void iot_subjects_free(struct iot_subjects *subjects);
typedef struct iot_subjects iot_subjects;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_subjects, iot_subjects_free)
/** iot_subjects_name - names of the things that the resource @row is about, or the resource of the
 * machine @row: "/mnt/own2". NULL: they are not known, or @subjects is NULL. Do not free. */
const char *iot_subjects_name(const struct iot_subjects *subjects, iot_row_id row);
/** iot_subjects_add_column - add a column for these names; none if @subjects is NULL */
void iot_subjects_add_column(const struct iot_subjects *subjects, struct iot_result_table *table);
/** iot_subjects_add_cell - its next cell; nothing if @subjects is NULL */
void iot_subjects_add_cell(const struct iot_subjects *subjects, struct iot_result_table *table,
			   iot_row_id row);

#endif
