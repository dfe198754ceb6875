/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recorded-tasks.h"
#include "local.h"
#include "base/error.h"

#include <errno.h>
#include <tracefs.h>
#include <unistd.h>

/* The kernel adds the children of these tasks, and their threads, as they come. */
static gboolean set_tasks(const struct rec_plan *plan, const char *file, GPid pid, GError **error)
{
	struct tracefs_instance *instance = tracefs_instance_create(plan->instance);
	g_autofree char *text = g_strdup_printf("%d", (int)pid);
	gboolean done = instance &&
			tracefs_instance_file_write(instance, "options/event-fork", "1") > 0 &&
			tracefs_instance_file_write(instance, file, text) > 0;

	if (!done)
		iot_usage_error(error, "the kernel does not accept %s in %s of an instance: %s",
				text, file, g_strerror(errno));
	tracefs_instance_free(instance);
	return done;
}

gboolean rec_tasks_choose(const struct rec_plan *plan, char **out_note, GError **error)
{
	const struct rec_options *options = plan->options;

	*out_note = NULL;
	if (!plan->wanted->probes->len)
		return TRUE;
	if (!rec_wanted_of_calls(plan->wanted)) {
		*out_note =
			g_strdup("note: with events of other models the calls of all processes are "
				 "recorded, also those of iotrace-record and trace-cmd");
		return TRUE;
	}
	if (!rec_local_pids(error))
		return FALSE;
	if (plan->command->pid && !options->all && !options->pids)
		return set_tasks(plan, "set_event_pid", plan->command->pid, error);
	/* the command is a process already, and so it is recorded */
	return set_tasks(plan, "set_event_notrace_pid", getpid(), error);
}
