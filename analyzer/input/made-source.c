/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/clock-judge.h"
#include "input/made-source.h"

static const struct iot_made_source *of(const struct iot_source *base)
{
	return (const struct iot_made_source *)base;
}

void iot_made_source_init(struct iot_made_source *own, const struct iot_source_ops *ops,
			  const struct iot_made_kinds *kinds, const char *clock_name,
			  const struct iot_input_spec *spec,
			  gboolean (*more)(struct iot_source *base, GError **error))
{
	own->base.ops = ops;
	own->base.to_ns = G_MAXUINT64;
	own->strings = iot_intern_new();
	own->made = iot_made_new(kinds, spec, own->strings, more);
	if (!iot_clock_change_is_none(spec->clock))
		iot_clock_change_apply(spec->clock, &own->clock);
	own->clock_name = clock_name;
	own->path = g_strdup(spec->path);
}

void iot_made_source_clear(struct iot_made_source *own)
{
	iot_made_free(own->made);
	iot_intern_free(own->strings);
	iot_clock_clear(&own->clock);
	g_free(own->path);
	g_free(own->file_name);
	g_free(own->format);
}

guint64 iot_made_source_correct(const struct iot_made_source *own, guint64 ns)
{
	return iot_clock_correct(&own->clock, 0, ns);
}

void iot_made_source_tell(struct iot_made_source *own, guint64 bytes)
{
	__atomic_store_n(&own->done, bytes, __ATOMIC_RELAXED);
}

gboolean iot_made_source_has_event(const struct iot_source *base, const char *system,
				   const char *name)
{
	return iot_made_has_event(of(base)->made->kinds, system, name);
}

gboolean iot_made_source_bind(struct iot_source *base, const struct iot_schema *schema,
			      GError **error)
{
	struct iot_made_source *own = (struct iot_made_source *)base;

	return iot_made_bind(own->made, schema, own->path, &own->diag, error);
}

enum iot_next iot_made_source_read(struct iot_source *base, guint run, struct iot_batch *batch,
				   GError **error)
{
	return iot_made_read(of(base)->made, base, run, batch, error);
}

guint64 iot_made_source_progress(const struct iot_source *base)
{
	return __atomic_load_n(&of(base)->done, __ATOMIC_RELAXED);
}

const struct iot_intern *iot_made_source_strings(const struct iot_source *base, guint run)
{
	(void)run;
	return of(base)->strings;
}

void iot_made_source_describe(const struct iot_source *base, struct iot_input_info *info)
{
	const struct iot_made_source *own = of(base);

	*info = (struct iot_input_info){
		.path = own->path,
		.reader = base->ops->name,
		.file_name = own->file_name,
		.format = own->format,
		.clock = own->clock_name,
		.protocol = iot_clock_protocol(&own->clock),
		.sync = iot_clock_is_stated(&own->clock) ? IOT_SYNC_YES : IOT_SYNC_NO,
		.n_cpus = 1,
		.n_buffers = 1,
		.has_times = TRUE,
		.first_ns = own->first_ns,
		.last_ns = own->last_ns,
		.end_ns = own->last_ns,
		.seen_ns = own->last_ns,
		.first_seen_ns = own->first_ns,
		.n_events = own->made->n_events,
		.diag = &own->diag,
	};
}

void iot_made_source_judge(const struct iot_source *base, const struct iot_clock_assumed *assumed,
			   struct iot_clock_facts *out)
{
	const struct iot_made_source *own = of(base);

	iot_clock_judge_stated(&own->clock, own->clock_name, assumed, own->first_ns, own->last_ns,
			       out);
}
