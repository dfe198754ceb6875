/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/try-alloc.h"
#include "base/error.h"
#include "base/fault.h"

gpointer iot_try_realloc(gpointer block, gsize size, const char *what, GError **error)
{
	gpointer grown = iot_fault_hit(IOT_FAULT_ALLOC) ? NULL : g_try_realloc(block, size);

	if (!grown)
		g_set_error(error, IOT_ERROR, IOT_ERROR_MEMORY,
			    "no memory for %s (%" G_GSIZE_FORMAT
			    " bytes); lower --memory or free some",
			    what, size);
	return grown;
}

gpointer iot_try_malloc(gsize size, const char *what, GError **error)
{
	return iot_try_realloc(NULL, size, what, error);
}
