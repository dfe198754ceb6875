/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fault injection for tests: with IOTRACE_FAULT=KIND:N in the environment the N-th (from 1)
 * operation of that kind fails. Kinds: write, read, alloc, thread. Compiled in only with IOT_FAULTS
 * (presets dev, tsan).
 */
#ifndef IOT_BASE_FAULT_H
#define IOT_BASE_FAULT_H

#include <glib.h>

enum iot_fault { IOT_FAULT_WRITE, IOT_FAULT_READ, IOT_FAULT_ALLOC, IOT_FAULT_THREAD };

#ifdef IOT_FAULTS
/** iot_fault_hit - whether the operation that is about to be done shall fail; any thread */
gboolean iot_fault_hit(enum iot_fault kind);
#else
static inline gboolean iot_fault_hit(enum iot_fault kind)
{
	(void)kind;
	return FALSE;
}
#endif

#endif
