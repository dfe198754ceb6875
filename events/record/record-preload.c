/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record-preload.h"
#include "command.h"
#include "local.h"

#include "base/error.h"
#include "events/preload/preload-format.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* of a recording in its folder; iotrace-analyze knows it by its first bytes */
static const char file_name[] = "trace.preload";

gboolean rec_preload_is_wanted(const struct rec_options *options)
{
	return options->preload ||
	       (geteuid() && options->command && !options->agents && !options->models &&
		!options->events && !options->pids && !options->lockspaces && !options->cgroup &&
		!options->mounts && !options->flight_ns && !options->for_ns && !options->size &&
		!options->dry_run && !options->metrics &&
		!rec_local_open(NULL));
}

/* Next to us in the build tree, else where it was installed. */
static char *find_library(GError **error)
{
	g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *folder = g_path_get_dirname(self ? self : "");
	char *path = g_build_filename(folder, REC_PRELOAD_FILE, NULL);

	if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
		g_free(path);
		path = g_build_filename(folder, REC_PRELOAD_PATH, NULL);
	}
	if (g_file_test(path, G_FILE_TEST_EXISTS))
		return path;
	iot_usage_error(error,
			"recording without root needs the library %s: install the package "
			"libiotrace-preload",
			path);
	g_free(path);
	return NULL;
}

/* FALSE: there is nothing. */
static gboolean read_head(const char *file, struct iotrace_preload_head *head)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	gboolean ok = fd >= 0 && read(fd, head, sizeof(*head)) == (ssize_t)sizeof(*head) &&
		      !memcmp(head->magic, IOTRACE_PRELOAD_MAGIC, sizeof(IOTRACE_PRELOAD_MAGIC));

	if (fd >= 0)
		close(fd);
	return ok;
}

static int wait_for(GPid pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 127;
	return rec_command_status(status);
}

gboolean rec_preload_run(const struct rec_options *options, const char *folder,
			 struct rec_preload_result *out, GError **error)
{
	g_autofree char *library = find_library(error);
	g_autofree char *whole = g_canonicalize_filename(folder, NULL);
	g_autofree char *file = g_build_filename(whole, file_name, NULL);
	const char *others = g_getenv("LD_PRELOAD");
	g_autofree char *list =
		g_strjoin(others && *others ? ":" : "", library, others ? others : "", NULL);
	struct iotrace_preload_head head;
	struct rec_command held;

	*out = (struct rec_preload_result){ .command_status = 127 };
	if (!library)
		return FALSE;
	g_setenv("IOTRACE_PRELOAD", file, TRUE);
	g_setenv("LD_PRELOAD", list, TRUE);
	held = rec_command_hold(options->command);
	g_unsetenv("LD_PRELOAD");
	if (held.pid <= 0)
		return iot_usage_error(error, "no process can be made for %s", options->command[0]);
	/* the command gets them, too, and decides */
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	out->command_status = wait_for(rec_command_release(&held));
	out->recorded = read_head(file, &head) && head.chunks > 1;
	out->n_lost = out->recorded ? head.lost : 0;
	return TRUE;
}
