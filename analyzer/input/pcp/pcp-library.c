/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dlfcn.h>
#include <unistd.h>

#include "base/error.h"
#include "input/pcp/pcp-library.h"

/* Without this file libpcp prints an error and ends the program. */
static gboolean find_configuration(const char *path, GError **error)
{
	const char *stated = g_getenv("PCP_CONF"), *root = g_getenv("PCP_DIR");
	g_autofree char *file =
		stated ? g_strdup(stated) : g_strconcat(root ? root : "", "/etc/pcp.conf", NULL);

	if (!access(file, R_OK))
		return TRUE;
	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
		    "%s is of a PCP archive, and libpcp, which reads it, needs the file %s, which "
		    "is missing; install the package pcp-conf, or set PCP_CONF",
		    path, file);
	return FALSE;
}

static gpointer load(gpointer data)
{
	static struct iot_pcp_library library;
	void *handle = dlopen(IOT_PCP_LIBRARY, RTLD_NOW | RTLD_LOCAL);

	(void)data;
	if (!handle)
		return NULL;
#define IOT_PCP_FIND(function)                                                     \
	library.function = (__typeof__(library.function))dlsym(handle, #function); \
	if (!library.function)                                                     \
		return NULL;
	IOT_PCP_CALLS(IOT_PCP_FIND)
#undef IOT_PCP_FIND
	return &library;
}

const struct iot_pcp_library *iot_pcp_library(const char *path, GError **error)
{
	static GOnce once = G_ONCE_INIT;

	if (!find_configuration(path, error))
		return NULL;
	g_once(&once, load, NULL);
	if (!once.retval)
		g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
			    "%s is of a PCP archive, and " IOT_PCP_LIBRARY
			    ", which reads it, is not installed; install the package libpcp3, or "
			    "pcp-libs",
			    path);
	return once.retval;
}
