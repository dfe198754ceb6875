/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/view.h"
#include "base/error.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <unistd.h>

char *iot_view_path(void)
{
	return g_build_filename(g_get_tmp_dir(), "iotrace-XXXXXX", "iotrace.html", NULL);
}

gboolean iot_view_prepare(char **path, GError **error)
{
	char *folder = g_path_get_dirname(*path);
	gboolean made = g_mkdtemp(folder) != NULL;

	if (made) {
		g_free(*path);
		*path = g_build_filename(folder, "iotrace.html", NULL);
	} else {
		g_set_error(error, IOT_ERROR, IOT_ERROR_OUTPUT, "cannot make the folder %s: %s",
			    folder, g_strerror(errno));
	}
	g_free(folder);
	return made;
}

void iot_view_discard(const char *path)
{
	g_autofree char *folder = g_path_get_dirname(path);

	g_rmdir(folder);
}

static gboolean has_display(void)
{
	const char *x11 = g_getenv("DISPLAY"), *wayland = g_getenv("WAYLAND_DISPLAY");

	return (x11 && *x11) || (wayland && *wayland);
}

/* A browser that xdg-open starts must outlive this terminal, and gets the usual SIGPIPE. */
static void detach(gpointer user_data)
{
	(void)user_data;
	setsid();
	signal(SIGPIPE, SIG_DFL);
}

gboolean iot_view_open(const char *path)
{
	const char *argv[] = { "xdg-open", path, NULL };
	GSpawnFlags flags =
		G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL;

	return has_display() &&
	       g_spawn_async(NULL, (char **)argv, NULL, flags, detach, NULL, NULL, NULL);
}
