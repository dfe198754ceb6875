/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One of several machines of a recording: an input without runs, whose events are in those of the
 * source that reads the file. */
#include "input/source.h"

struct machine_source {
	struct iot_source base;
	struct iot_source *whole;
	guint machine;
	guint32 input;
	char *file_name, *hostname;
	struct iot_diag
		diag; /* empty: damage of the file is counted once, by the source that reads it */
};

static const struct machine_source *of(const struct iot_source *base)
{
	return (const struct machine_source *)base;
}

static void machine_close(struct iot_source *base)
{
	struct machine_source *src = (struct machine_source *)base;

	if (!src)
		return;
	g_free(src->file_name);
	g_free(src->hostname);
	g_free(src);
}

static gboolean machine_bind(struct iot_source *base, const struct iot_schema *schema,
			     GError **error)
{
	const struct machine_source *src = of(base);

	return src->whole->ops->bind_machine(src->whole, src->machine, src->input, schema, error);
}

static gboolean machine_has_event(const struct iot_source *base, const char *system,
				  const char *name)
{
	return iot_source_may_have(of(base)->whole, system, name);
}

static gboolean machine_names_event(const struct iot_source *base, const char *system,
				    const char *name)
{
	return iot_source_names_event(of(base)->whole, system, name);
}

static guint machine_n_runs(const struct iot_source *base)
{
	(void)base;
	return 0;
}

static guint32 machine_cpu(const struct iot_source *base, guint run)
{
	(void)base, (void)run;
	return 0;
}

static enum iot_next machine_read(struct iot_source *base, guint run, struct iot_batch *batch,
				  GError **error)
{
	(void)base, (void)run, (void)batch, (void)error;
	return IOT_NEXT_END;
}

static guint64 machine_progress(const struct iot_source *base)
{
	(void)base;
	return 0;
}

static const struct iot_intern *machine_strings(const struct iot_source *base, guint run)
{
	return of(base)->whole->ops->strings(of(base)->whole, run);
}

static void machine_tell(const struct iot_source *base, guint run, GByteArray *mark)
{
	(void)base, (void)run, (void)mark;
}

static void machine_describe(const struct iot_source *base, struct iot_input_info *info)
{
	const struct machine_source *src = of(base);

	src->whole->ops->describe(src->whole, info);
	info->machine = src->machine;
	info->of_machines = FALSE;
	info->hostname = src->hostname;
	info->boot_id = NULL;
	info->file_name = src->file_name;
	info->n_events = src->whole->ops->machine_events(src->whole, src->machine);
	info->bytes = info->n_lost = 0;
	info->damaged = FALSE;
	info->diag = &src->diag;
}

static void machine_judge(const struct iot_source *base, const struct iot_clock_assumed *assumed,
			  struct iot_clock_facts *out)
{
	of(base)->whole->ops->judge(of(base)->whole, assumed, out);
}

static const struct iot_source_ops machine_ops = {
	.name = "machine",
	.runs_independent = TRUE,
	.bind = machine_bind,
	.has_event = machine_has_event,
	.names_event = machine_names_event,
	.n_runs = machine_n_runs,
	.cpu = machine_cpu,
	.read = machine_read,
	.progress = machine_progress,
	.strings = machine_strings,
	.tell = machine_tell,
	.describe = machine_describe,
	.judge = machine_judge,
	.close = machine_close,
};

struct iot_source *iot_source_of_machine(struct iot_source *whole, guint machine, guint32 input)
{
	const char *name = whole->ops->machine ? whole->ops->machine(whole, machine) : NULL;
	struct iot_input_info info = { 0 };
	struct machine_source *src;

	if (!name)
		return NULL;
	whole->ops->describe(whole, &info);
	src = g_new0(struct machine_source, 1);
	src->base.ops = &machine_ops;
	src->base.to_ns = G_MAXUINT64;
	src->whole = whole;
	src->machine = machine;
	src->input = input;
	src->hostname = g_strdup(name);
	src->file_name = g_strdup_printf("%s/%s", info.file_name, name);
	return &src->base;
}
