/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The user wants the program to stop. Long loops of any layer ask for it, and give up: loops that
 * cannot fail just end, because their callers ask, too, before a result appears.
 *
 * If the user does not wait for that, unfinished files are removed by the signal handler itself.
 */
#ifndef IOT_BASE_INTERRUPT_H
#define IOT_BASE_INTERRUPT_H

#include <glib.h>

extern gint iot_interrupted_flag; /* of iot_interrupted */

/** iot_interrupt - ask all threads to stop; signal handlers may call it */
void iot_interrupt(void);

/** iot_interrupted - whether iot_interrupt was called */
static inline gboolean iot_interrupted(void)
{
	return G_UNLIKELY(g_atomic_int_get(&iot_interrupted_flag));
}

/** iot_interrupt_check - FALSE and an IOT_ERROR_STOPPED after iot_interrupt */
gboolean iot_interrupt_check(GError **error);

struct iot_temp_name;
/** iot_temp_name_new - a file, or a folder of files, that exists until it is complete */
struct iot_temp_name *iot_temp_name_new(const char *path, gboolean is_folder);
/** iot_temp_name_done - it is complete, or was removed; accepts NULL */
void iot_temp_name_done(struct iot_temp_name *name);
/** iot_temp_names_remove - remove incomplete files; signal handlers may call it, right before the
 * process ends */
void iot_temp_names_remove(void);

#endif
