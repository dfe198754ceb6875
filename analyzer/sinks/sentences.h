/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sentences about waits and names, made from the sums of items and the tables of blame. One thread
 * at a time. */
#ifndef IOT_SINKS_SENTENCES_H
#define IOT_SINKS_SENTENCES_H

#include "sinks/publish.h"

/* What explains the waits of a recording. */
enum iot_waits_by {
	IOT_WAITS_BY_NOTHING,	/* they are known, and nobody knows why */
	IOT_WAITS_BY_HOLDERS,	/* a model says which modes exclude each other */
	IOT_WAITS_BY_PROCESSOR, /* threads that ran meanwhile */
};

/** iot_cell_of - the cell of a row in a column, which the table has */
static inline const struct iot_result_cell *iot_cell_of(const struct iot_result_table *table,
							guint row, const char *column)
{
	return &iot_result_row_at(table, row)->cells[iot_result_find_column(table, column)];
}

/** iot_given_table - a table of the analyses that has rows, or NULL */
static inline const struct iot_result_table *iot_given_table(const struct iot_publishing *from,
							     const char *name)
{
	const struct iot_results *results = from->summary->results;
	const struct iot_result_table *table = results ? iot_results_find(results, name) : NULL;

	return table && table->rows->len ? table : NULL;
}

enum iot_waits_by iot_waits_explained(const struct iot_publishing *from);
/**
 * iot_describe_waits - "18.0 s for gfs/trans 0: node 2 (mount 203) wants EX; causes: node 3 EX 96 %
 * (proved), messages 4 %"
 * @by: of iot_waits_explained
 * @most: sentences, at least 1
 * Returns: (element-type char *) the longest waits, the one of the verdict first: the longest that
 * is surely one, or, without causes, that ended. Empty: nobody waited. The caller unrefs.
 */
GPtrArray *iot_describe_waits(const struct iot_publishing *from, enum iot_waits_by by, guint most);

/** iot_unnamed_lockspaces - "0x7 is the checksum of a lockspace's name; --lockspace NAME shows the
 * name", or NULL
 * @units: of iot_row_id: resources
 * The caller frees. */
char *iot_unnamed_lockspaces(const struct iot_timeline *tl, const GArray *units);
/** iot_note_twins - say in notes of @to which other name the rows above those of @type have, where
 * the same things are drawn: "254:0 is the lockspace gfs" */
void iot_note_twins(const struct iot_timeline *tl, iot_type_id type, struct iot_result_table *to);

#endif
