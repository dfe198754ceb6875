/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "flight-ring.h"
#include "plan.h"
#include "base/error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tracefs.h>
#include <unistd.h>

/* The kernel's own first size of a buffer in use; and room for its rounding up to pages. */
static const guint64 first_bytes = 1408 << 10, rounding = 8 << 10;

struct rec_ring *rec_ring_open(const char *name, guint64 memory, GError **error)
{
	struct rec_ring *ring = g_new0(struct rec_ring, 1);
	long n = MAX(sysconf(_SC_NPROCESSORS_CONF), 1);
	guint64 each = MIN(first_bytes, MAX(memory / (guint64)n, 2 * rounding) - rounding);

	ring->memory = memory;
	ring->cpus = g_array_new(FALSE, TRUE, sizeof(struct rec_ring_cpu));
	ring->instance = tracefs_instance_create(name);
	if (!ring->instance || tracefs_trace_off(ring->instance) ||
	    tracefs_option_enable(ring->instance, TRACEFS_OPTION_OVERWRITE) ||
	    tracefs_instance_set_buffer_size(ring->instance, each >> 10, -1) ||
	    tracefs_instance_file_write(ring->instance, "trace_clock", REC_LOCAL_CLOCK) < 0) {
		iot_usage_error(error, "the instance %s of tracefs cannot be set up: %s", name,
				g_strerror(errno));
		rec_ring_close(ring);
		return NULL;
	}
	return ring;
}

void rec_ring_close(struct rec_ring *ring)
{
	if (!ring)
		return;
	if (ring->instance) {
		tracefs_trace_off(ring->instance);
		tracefs_event_disable(ring->instance, NULL, NULL);
		tracefs_instance_free(ring->instance);
	}
	g_array_unref(ring->cpus);
	g_free(ring);
}

/* The system of "SYSTEM:EVENT..."; the event is after the colon. The caller frees. */
static char *system_of(const char *name)
{
	return g_strndup(name, strcspn(name, ":"));
}

static gboolean enable(struct rec_ring *ring, const char *name, const char *filter, GError **error)
{
	g_autofree char *system = system_of(name);
	const char *event = strchr(name, ':') + 1;

	if (filter && tracefs_event_file_write(ring->instance, system, event, "filter", filter) < 0)
		return iot_usage_error(error, "the kernel does not accept the filter \"%s\" of %s",
				       filter, name);
	return tracefs_event_enable(ring->instance, system, event) == 0 ||
	       iot_usage_error(error, "%s cannot be switched on: %s", name, g_strerror(errno));
}

gboolean rec_ring_enable(struct rec_ring *ring, const struct rec_wanted *wanted,
			 const struct rec_machine *machine, GError **error)
{
	g_autoptr(GPtrArray) names = rec_wanted_on(wanted, machine);

	for (guint i = 0; i < names->len; i++) {
		g_autofree char *filter = rec_filter_of(wanted, machine, names->pdata[i], NULL);

		if (!enable(ring, names->pdata[i], filter, error))
			return FALSE;
	}
	return TRUE;
}

/* A trigger without a condition stops the ring before its event is written; this one is always
 * true. */
static char *trigger_of(const char *condition)
{
	const char *filter = strstr(condition, " if ");

	return g_strconcat("traceoff", filter ? filter : " if common_pid >= 0", NULL);
}

char *rec_ring_event_of(const char *condition)
{
	const char *filter = strstr(condition, " if ");
	char *name =
		filter ? g_strndup(condition, (gsize)(filter - condition)) : g_strdup(condition);

	return g_strstrip(name);
}

gboolean rec_ring_freeze_on(struct rec_ring *ring, const char *condition, GError **error)
{
	g_autofree char *name = rec_ring_event_of(condition), *trigger = trigger_of(condition);
	g_autofree char *system = system_of(name);
	const char *event = strchr(name, ':') + 1;

	if (!tracefs_event_file_exists(ring->instance, system, event, "trigger"))
		return iot_usage_error(error,
				       "--dump-on: this kernel has no event %s; load its module "
				       "first",
				       name);
	if (tracefs_event_file_append(ring->instance, system, event, "trigger", trigger) < 0)
		return iot_usage_error(error,
				       "--dump-on: the kernel does not accept \"%s\"; the fields "
				       "of %s are in %s/events/%s/%s/format",
				       trigger + strlen("traceoff "), name, tracefs_tracing_dir(),
				       system, event);
	return TRUE;
}

void rec_ring_freeze_never(struct rec_ring *ring, const char *condition)
{
	g_autofree char *name = rec_ring_event_of(condition), *trigger = trigger_of(condition);
	g_autofree char *system = system_of(name), *undo = g_strconcat("!", trigger, NULL);

	tracefs_event_file_append(ring->instance, system, strchr(name, ':') + 1, "trigger", undo);
}

void rec_ring_clear(struct rec_ring *ring)
{
	/* A reader keeps its last page. New events go there first, and are an island before a gap
	 * when the rest of the ring has been overwritten. */
	tracefs_instance_file_clear(ring->instance, "trace");
}

void rec_ring_on(struct rec_ring *ring)
{
	tracefs_trace_on(ring->instance);
}

void rec_ring_off(struct rec_ring *ring)
{
	tracefs_trace_off(ring->instance);
}

gboolean rec_ring_is_on(const struct rec_ring *ring)
{
	return tracefs_trace_is_on(ring->instance) > 0;
}

/* The number after "NAME: " in the statistics of a buffer. */
static const char *value_of(const char *stats, const char *name)
{
	g_autofree char *word = g_strconcat(name, ": ", NULL);
	const char *at = stats;

	/* "overrun" is also a part of "commit overrun" */
	while ((at = strstr(at, word)) && at != stats && at[-1] != '\n')
		at++;
	return at ? at + strlen(word) : "";
}

static guint64 number_of(const char *stats, const char *name)
{
	return g_ascii_strtoull(value_of(stats, name), NULL, 10);
}

/* "12.345678" in ns */
static guint64 time_of(const char *stats, const char *name)
{
	char *point;
	guint64 seconds = g_ascii_strtoull(value_of(stats, name), &point, 10);

	return seconds * G_GUINT64_CONSTANT(1000000000) +
	       (*point == '.' ? g_ascii_strtoull(point + 1, NULL, 10) * 1000 : 0);
}

void rec_ring_measure(struct rec_ring *ring)
{
	guint n = (guint)MAX(sysconf(_SC_NPROCESSORS_CONF), 1);

	g_array_set_size(ring->cpus, 0);
	for (guint cpu = 0; cpu < n; cpu++) {
		g_autofree char *path = g_strdup_printf("per_cpu/cpu%u/stats", cpu);
		char *stats = tracefs_instance_file_read(ring->instance, path, NULL);
		ssize_t kb = tracefs_instance_get_buffer_size(ring->instance, (int)cpu);
		struct rec_ring_cpu row = { .cpu = cpu };

		if (stats && kb > 0) {
			row.size = (guint64)kb << 10;
			row.bytes = number_of(stats, "bytes");
			row.overrun = number_of(stats, "overrun");
			row.oldest = time_of(stats, "oldest event ts");
			row.now = time_of(stats, "now ts");
			g_array_append_val(ring->cpus, row);
		}
		free(stats);
	}
}

static void set_size(struct rec_ring *ring, const struct rec_ring_cpu *cpu)
{
	tracefs_instance_set_buffer_size(ring->instance, cpu->next_size >> 10, (int)cpu->cpu);
}

void rec_ring_resize(struct rec_ring *ring, guint64 ns)
{
	guint64 all_rounding = ring->cpus->len * rounding;

	rec_plan_sizes(ring->cpus, MAX(ring->memory, all_rounding) - all_rounding, ns);
	/* first those that give memory back */
	for (guint i = 0; i < ring->cpus->len; i++) {
		const struct rec_ring_cpu *cpu = &g_array_index(ring->cpus, struct rec_ring_cpu, i);

		if (cpu->next_size < cpu->size)
			set_size(ring, cpu);
	}
	for (guint i = 0; i < ring->cpus->len; i++) {
		const struct rec_ring_cpu *cpu = &g_array_index(ring->cpus, struct rec_ring_cpu, i);

		if (cpu->next_size > cpu->size)
			set_size(ring, cpu);
	}
}

guint64 rec_ring_since(const struct rec_ring *ring)
{
	guint64 since = 0;

	for (guint i = 0; i < ring->cpus->len; i++) {
		const struct rec_ring_cpu *cpu = &g_array_index(ring->cpus, struct rec_ring_cpu, i);

		if (cpu->overrun)
			since = MAX(since, cpu->oldest);
	}
	return since;
}

guint64 rec_ring_bytes(const struct rec_ring *ring)
{
	guint64 bytes = 0;

	for (guint i = 0; i < ring->cpus->len; i++)
		bytes += g_array_index(ring->cpus, struct rec_ring_cpu, i).bytes;
	return bytes;
}

guint64 rec_ring_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (guint64)now.tv_sec * G_GUINT64_CONSTANT(1000000000) + (guint64)now.tv_nsec;
}
