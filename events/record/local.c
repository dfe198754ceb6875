/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "local.h"
#include "clock-mark.h"
#include "record-folder.h"
#include "base/error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

gboolean rec_local_open(GError **error)
{
	const char *dir = tracefs_tracing_dir();
	g_autofree char *file = dir ? g_build_filename(dir, "trace_clock", NULL) : NULL;

	if (file && access(file, W_OK) == 0)
		return TRUE;
	if (geteuid())
		return iot_usage_error(
			error, "recording needs root: sudo iotrace-record ...; without root, "
			       "\"iotrace-record -- COMMAND\" records what COMMAND does to files");
	if (!dir)
		return iot_usage_error(error, "there is no tracefs here: mount -t tracefs tracefs "
					      "/sys/kernel/tracing, on a kernel with tracing");
	return iot_usage_error(
		error,
		"%s cannot be written (%s): the kernel may be locked down, or this is a "
		"container",
		file, g_strerror(errno));
}

/* The first namespace of a kernel has a fixed number: PROC_PID_INIT_INO, include/linux/proc_ns.h.
 */
gboolean rec_local_pids(GError **error)
{
	g_autofree char *space = g_file_read_link("/proc/self/ns/pid", NULL);

	if (!space || !strcmp(space, "pid:[4026531836]"))
		return TRUE;
	return iot_usage_error(error,
			       "this is a container with process ids of its own, and the kernel "
			       "records others: run iotrace-record outside of it, or record "
			       "all processes (without --pid and -m syscalls)");
}

struct tep_event *rec_local_event(struct rec_machine *machine, const char *name)
{
	const char *colon = strchr(name, ':');
	g_autofree char *system = g_strndup(name, (gsize)(colon - name));
	int size = 0;
	char *text = tracefs_event_file_read(NULL, system, colon + 1, "format", &size);

	if (text && !tep_find_event_by_name(machine->tep, system, colon + 1))
		tep_parse_event(machine->tep, text, (unsigned long)size, system);
	free(text);
	return tep_find_event_by_name(machine->tep, system, colon + 1);
}

void rec_local_formats(struct rec_machine *machine, const struct rec_wanted *wanted)
{
	tep_set_loglevel(TEP_LOG_NONE);
	machine->tep = tep_alloc();
	for (guint i = 0; i < wanted->models->len; i++) {
		const struct rec_model *model = wanted->models->pdata[i];

		for (guint k = 0; k < model->events->len; k++)
			rec_local_event(machine,
					((struct rec_event *)model->events->pdata[k])->name);
	}
}

gboolean rec_local_trigger(const char *instance, const char *event, const char *text)
{
	g_autofree char *path = g_build_filename("events", event, "trigger", NULL);
	struct tracefs_instance *own = tracefs_instance_create(instance);
	gboolean done = own && tracefs_instance_file_append(own, path, text) >= 0;

	tracefs_instance_free(own);
	return done;
}

gboolean rec_local_instance(const char *name, GError **error)
{
	struct tracefs_instance *instance = tracefs_instance_create(name);

	if (!instance)
		return iot_usage_error(error, "tracefs has no room for an instance %s: %s", name,
				       g_strerror(errno));
	tracefs_instance_free(instance);
	return TRUE;
}

void rec_local_mark(const char *instance)
{
	g_autofree char *path =
		g_build_filename(tracefs_tracing_dir(), instance ? "instances" : ".",
				 instance ? instance : ".", "trace_marker", NULL);

	(void)clock_mark(path);
}

gboolean rec_local_remove(const char *name)
{
	struct tracefs_instance *instance =
		tracefs_instance_exists(name) ? tracefs_instance_create(name) : NULL;

	if (!instance)
		return TRUE;
	tracefs_event_disable(instance, NULL, NULL);
	/* recorders that were killed have closed its files in a moment */
	for (guint i = 0; i < 100 && tracefs_instance_destroy(instance); i++)
		g_usleep(10000);
	tracefs_instance_free(instance);
	return !tracefs_instance_exists(name);
}

char *rec_local_setting(const char *name)
{
	char *text = tracefs_instance_file_read(NULL, name, NULL);
	char *copy = text ? g_strchomp(g_strdup(text)) : NULL;

	free(text);
	return copy;
}

void rec_local_set(const char *name, const char *value)
{
	tracefs_instance_file_write(NULL, name, value);
}

/* A number of /proc/meminfo, in KiB; 0 if it is not there. */
static guint64 memory_kb(const char *name)
{
	g_autofree char *text = NULL;
	char *at;

	if (!g_file_get_contents("/proc/meminfo", &text, NULL, NULL))
		return 0;
	at = strstr(text, name);
	return at ? g_ascii_strtoull(at + strlen(name) + 1, NULL, 10) : 0;
}

/* A sixteenth of the free memory, and of the free space, for all processors together, between the
 * kernel's default and 64 MiB. */
guint rec_local_buffer_kb(const char *folder)
{
	guint64 all = MIN(memory_kb("MemAvailable:"), rec_folder_free(folder) >> 10) / 16;
	guint64 each = all / (guint64)MAX(sysconf(_SC_NPROCESSORS_CONF), 1);

	return (guint)CLAMP(each, 1408, 65536);
}

guint64 rec_local_flight_bytes(void)
{
	return MAX((memory_kb("MemAvailable:") << 10) / 8, 1 << 20);
}

char *rec_local_trace_cmd_version(void)
{
	static const char word[] = "version ";
	const char *argv[] = { "trace-cmd", "--version", NULL };
	g_autofree char *out = NULL, *err = NULL;
	const char *at;

	if (!g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, &err,
			  NULL, NULL))
		return NULL;
	at = strstr(out, word);
	if (!at)
		at = strstr(err, word);
	return at ? g_strndup(at + strlen(word), strcspn(at + strlen(word), " \n"))
		  : g_strdup("unknown");
}

gboolean rec_local_trace_cmd_before(guint major, guint minor, guint patch)
{
	g_autofree char *version = rec_local_trace_cmd_version();
	guint has[3] = { 0 };

	if (!version || sscanf(version, "%u.%u.%u", &has[0], &has[1], &has[2]) < 2)
		return TRUE;
	if (has[0] != major)
		return has[0] < major;
	return has[1] != minor ? has[1] < minor : has[2] < patch;
}
