/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory that grows with the trace. Unlike g_malloc these calls can fail, and tests make them fail
 * (IOTRACE_FAULT=alloc:N); the caller turns NULL into an error. Released with g_free. Any thread.
 */
#ifndef IOT_BASE_TRY_ALLOC_H
#define IOT_BASE_TRY_ALLOC_H

#include <glib.h>

/** iot_try_malloc - @size bytes, not zeroed; NULL and IOT_ERROR_MEMORY if there is no room */
gpointer iot_try_malloc(gsize size, const char *what, GError **error);
/** iot_try_realloc - resize; on failure the old block stays valid */
gpointer iot_try_realloc(gpointer block, gsize size, const char *what, GError **error);

#endif
