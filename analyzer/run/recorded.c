/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/recorded.h"
#include "base/interrupt.h"
#include "base/units.h"

#include <string.h>

enum { BATCH = 256 << 10 };

/* A file that is opened once more, so that the inputs are not read before their time. */
struct look {
	struct iot_source *source;
	struct iot_batch *batch;
};

static void look_clear(struct look *look)
{
	if (look->source)
		look->source->ops->close(look->source);
	iot_batch_free(look->batch);
}

static gboolean look_open(struct look *look, const struct iot_input *input,
			  const struct iot_schema *schema, GError **error)
{
	struct iot_input_spec spec = { .path = input->info.path,
				       .only_read = TRUE,
				       .kept = input->kept };

	look->batch = iot_batch_new(BATCH, error);
	look->source = look->batch ? iot_source_open(NULL, &spec, error) : NULL;
	return look->source && look->source->ops->bind(look->source, schema, error);
}

/* Read all runs in turn, or until there is an event of the schema. */
static gboolean look_read(struct look *look, gboolean *out_found, GError **error)
{
	guint n = look->source->ops->n_runs(look->source), open = n;
	g_autofree gboolean *ended = g_new0(gboolean, n + 1);

	*out_found = FALSE;
	while (open && !*out_found) {
		for (guint run = 0; run < n && !*out_found; run++) {
			enum iot_next next;

			if (ended[run])
				continue;
			next = look->source->ops->read(look->source, run, look->batch, error);
			if (next == IOT_NEXT_ERROR || !iot_interrupt_check(error))
				return FALSE;
			ended[run] = next == IOT_NEXT_END;
			open -= ended[run];
			for (const struct iot_rec *rec = iot_batch_first(look->batch);
			     next == IOT_NEXT_OK && !iot_batch_at_end(look->batch, rec);
			     rec = iot_rec_next(rec))
				*out_found |= rec->event->index < IOT_EVENT_GAP_BEGIN;
		}
	}
	return TRUE;
}

/* The events of @schema that are drawn, without their fields. */
static struct iot_schema *drawn(const struct iot_schema *schema)
{
	struct iot_schema *events = iot_schema_new();

	for (guint i = 0; i < schema->events->len; i++) {
		const struct iot_schema_event *event = schema->events->pdata[i];

		if (!event->adds)
			iot_schema_event(events, event->system, event->name);
	}
	return events;
}

gboolean iot_recorded_may_have(const struct iot_source *source, const struct iot_schema *schema)
{
	for (guint i = 0; i < schema->events->len; i++) {
		const struct iot_schema_event *event = schema->events->pdata[i];

		if (iot_source_may_have(source, event->system, event->name))
			return TRUE;
	}
	return FALSE;
}

gboolean iot_recorded_any(const struct iot_inputs *inputs, const struct iot_schema *schema,
			  gboolean *out_any, GError **error)
{
	g_autoptr(iot_schema) events = drawn(schema);
	gboolean ok = TRUE;

	*out_any = FALSE;
	/* the first look may have met one */
	for (guint i = 0; i < events->events->len; i++) {
		const struct iot_schema_event *event = events->events->pdata[i];

		*out_any |= iot_facts_seen(iot_inputs_facts(inputs), event->system, event->name);
	}
	for (guint i = 0; ok && !*out_any && i < iot_inputs_count(inputs); i++) {
		const struct iot_input *input = iot_inputs_at(inputs, i);
		struct look look = { 0 };

		if (!input->info.has_times || !iot_recorded_may_have(input->source, events))
			continue;
		ok = look_open(&look, input, events, error) && look_read(&look, out_any, error);
		look_clear(&look);
	}
	return ok;
}

static void add_systems(const struct iot_source *source, GPtrArray *names)
{
	struct iot_input_info info = { 0 };

	source->ops->describe(source, &info);
	for (guint i = 0; info.recorded && info.recorded[i]; i++)
		if (!g_ptr_array_find_with_equal_func(names, info.recorded[i], g_str_equal, NULL))
			g_ptr_array_add(names, g_strdup(info.recorded[i]));
}

char *iot_recorded_systems(const struct iot_inputs *inputs, GError **error)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(iot_schema) nothing = iot_schema_new();
	gboolean ok = TRUE, found;

	for (guint i = 0; ok && i < iot_inputs_count(inputs); i++) {
		struct look look = { 0 };

		ok = look_open(&look, iot_inputs_at(inputs, i), nothing, error) &&
		     look_read(&look, &found, error);
		if (ok)
			add_systems(look.source, names);
		look_clear(&look);
	}
	if (!ok)
		return NULL;
	g_ptr_array_sort(names, iot_texts_compare);
	g_ptr_array_add(names, NULL);
	return g_strjoinv(", ", (char **)names->pdata);
}
