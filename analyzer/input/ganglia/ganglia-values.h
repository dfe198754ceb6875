/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values of a series of dumps as events. A dump has the last value of each metric and its age, so
 * most values of a dump are those of the dump before: only a value that came later is a sample. One
 * thread.
 */
#ifndef IOT_INPUT_GANGLIA_VALUES_H
#define IOT_INPUT_GANGLIA_VALUES_H

#include "input/clock.h"
#include "input/ganglia/ganglia-dump.h"
#include "input/made-events.h"

struct iot_ganglia_values;

/** iot_ganglia_values_new - @made, @strings and @clock outlive it */
struct iot_ganglia_values *iot_ganglia_values_new(struct iot_made *made, struct iot_intern *strings,
						  const struct iot_clock *clock);
/** iot_ganglia_values_free - accepts NULL */
void iot_ganglia_values_free(struct iot_ganglia_values *values);
/** iot_ganglia_values_take - put the events of the next dump */
void iot_ganglia_values_take(struct iot_ganglia_values *values,
			     const struct iot_ganglia_dump *dump);
/** iot_ganglia_ns - seconds since 1970 as ns */
guint64 iot_ganglia_ns(gint64 seconds);

#endif
