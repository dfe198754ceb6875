/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Switches for tests, in the environment variable IOTRACE_FAULT. They are compiled in with
 * IOT_FAULTS only (presets dev, tsan); other builds do not contain them.
 *
 * KIND:N	the N-th operation of that kind (from 1) fails: write, read, alloc, thread
 * slow		every fast path is skipped: caches do not answer, shortcuts are not taken. All
 *		outputs must be the same bytes (tests/same-bytes.sh -s).
 */
#ifndef IOT_BASE_FAULT_H
#define IOT_BASE_FAULT_H

#include <glib.h>

enum iot_fault { IOT_FAULT_WRITE, IOT_FAULT_READ, IOT_FAULT_ALLOC, IOT_FAULT_THREAD };

#ifdef IOT_FAULTS
/** iot_fault_hit - count an operation that is about to be done; TRUE if it must fail. Any thread */
gboolean iot_fault_hit(enum iot_fault kind);

/* Set before main; private to iot_slow_only. */
extern gboolean iot_fault_slow;

/** iot_slow_only - whether fast paths must be skipped; any thread */
static inline gboolean iot_slow_only(void)
{
	return iot_fault_slow;
}
#else
static inline gboolean iot_fault_hit(enum iot_fault kind)
{
	(void)kind;
	return FALSE;
}
static inline gboolean iot_slow_only(void)
{
	return FALSE;
}
#endif

#endif
