/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of circular waits: deadlocks before others, the first ones, in the order in which they
 * closed. */
#ifndef IOT_ANALYSIS_CYCLES_TABLE_H
#define IOT_ANALYSIS_CYCLES_TABLE_H

#include "analysis/cycles.h"

struct iot_cycles_table;

struct iot_cycles_table *iot_cycles_table_new(struct iot_timeline *tl);
/** iot_cycles_table_free - accepts NULL */
void iot_cycles_table_free(struct iot_cycles_table *table);
/** iot_cycles_table_add - a cycle that has ended; takes ownership (g_free) */
void iot_cycles_table_add(struct iot_cycles_table *table, struct iot_cycle *cycle);
/** iot_cycles_table_publish - add the tables, if there was a cycle */
void iot_cycles_table_publish(struct iot_cycles_table *table, struct iot_results *results);

#endif
