/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/inputs-local.h"
#include "run/look/vcpus.h"

/* A source that knows no systems may hold events of any. */
static gboolean has_system(const struct iot_input *input, const char *system)
{
	const char *const *systems = input->info.systems;

	if (input->info.of_machines)
		return FALSE;
	return !systems || !systems[0] || !systems[0][0] || g_strv_contains(systems, system);
}

gboolean iot_inputs_have(const struct iot_inputs *inputs, const char *system)
{
	for (guint i = 0; i < inputs->n; i++)
		if (has_system(&inputs->input[i], system))
			return TRUE;
	return FALSE;
}

/* Whether the input may have events of the schema; @of_nodes: others than those
 * that a host has about its guests. */
static gboolean has_events(const struct iot_input *input, const struct iot_schema *schema,
			   gboolean of_nodes)
{
	for (guint i = 0; i < schema->events->len; i++) {
		const struct iot_schema_event *event = schema->events->pdata[i];

		gboolean host = event->of_host && input->info.n_vcpus;

		if ((of_nodes ? !event->adds && !host : !event->adds || host) &&
		    has_system(input, event->system))
			return TRUE;
	}
	return FALSE;
}

/* Whether the input may have events that add to those of others. */
static gboolean adds_events(const struct iot_input *input, const struct iot_schema *schema)
{
	for (guint i = 0; i < schema->events->len; i++) {
		const struct iot_schema_event *event = schema->events->pdata[i];

		if (event->adds && has_system(input, event->system))
			return TRUE;
	}
	return FALSE;
}

/* Whether the input may have events of objects. */
static gboolean has_objects(const struct iot_input *input, const struct iot_schema *schema)
{
	for (guint i = 0; i < schema->events->len; i++) {
		const struct iot_schema_event *event = schema->events->pdata[i];

		if (event->of_object && has_system(input, event->system) &&
		    iot_source_names_event(input->source, event->system, event->name))
			return TRUE;
	}
	return FALSE;
}

static void find_range(struct iot_inputs *inputs, const struct iot_schema *schema)
{
	gboolean any = FALSE;

	for (guint i = 0; i < inputs->n; i++) {
		struct iot_input *input = &inputs->input[i];

		input->used = has_events(input, schema, FALSE);
		input->sets_range = has_events(input, schema, TRUE);
		input->of_objects = input->used && has_objects(input, schema);
		any |= input->sets_range && input->info.has_times;
	}
	/* one that only adds to what other recordings of its machine show, such as the scheduler's
	 * events beside the log of a program */
	for (guint i = 0; i < inputs->n && inputs->several_of_one; i++)
		for (guint k = 0; k < inputs->n && !inputs->input[i].used; k++)
			inputs->input[i].used =
				inputs->input[k].sets_range &&
				inputs->for_models[k].machine == inputs->for_models[i].machine &&
				adds_events(&inputs->input[i], schema);
	for (guint i = 0; i < inputs->n && !any; i++)
		inputs->input[i].sets_range = inputs->input[i].used;
}

gboolean iot_inputs_bind(struct iot_inputs *inputs, const struct iot_schema *schema,
			 const struct iot_schema *const *schemas, GError **error)
{
	guint64 begin;

	find_range(inputs, schema);
	for (guint i = 0; i < inputs->n; i++) {
		struct iot_input *input = &inputs->input[i];
		const struct iot_schema *wanted = schemas ? schemas[i] : schema;

		if (!input->source->ops->bind(input->source, input->used ? wanted : inputs->nothing,
					      error))
			return FALSE;
	}
	begin = iot_inputs_begin(inputs);
	for (guint i = 0; i < inputs->n; i++) {
		struct iot_input *input = &inputs->input[i];

		g_clear_pointer(&input->vcpus, g_array_unref);
		input->vcpus = iot_vcpus_join(inputs, i, inputs->tl);
		inputs->for_models[i].vcpus =
			(const struct iot_model_vcpu *)(const void *)input->vcpus->data;
		inputs->for_models[i].n_vcpus = input->vcpus->len;
		inputs->for_models[i].node_name = input->gap.node;
		/* those of the machine are in any of its recordings */
		inputs->for_models[i].commands = iot_facts_commands(inputs->facts, i);
		for (guint k = 0; k < inputs->n && !inputs->for_models[i].commands; k++)
			if (inputs->for_models[k].machine == inputs->for_models[i].machine ||
			    k == input->recording)
				inputs->for_models[i].commands =
					iot_facts_commands(inputs->facts, k);
		inputs->for_models[i].n_runs = input->source->ops->n_runs(input->source);
		inputs->for_models[i].used = input->used;
		inputs->for_models[i].first_ns =
			input->info.has_times ? input->info.first_ns : begin;
		inputs->for_models[i].from_ns =
			input->info.nothing_before ? 0 : inputs->for_models[i].first_ns;
		inputs->for_models[i].to_ns = input->info.nothing_after || !input->info.seen_ns
						      ? G_MAXUINT64
						      : input->info.seen_ns;
	}
	return TRUE;
}

guint64 iot_inputs_begin(const struct iot_inputs *inputs)
{
	guint64 begin = G_MAXUINT64;

	for (guint i = 0; i < inputs->n; i++)
		if (inputs->input[i].sets_range && inputs->input[i].info.has_times)
			begin = MIN(begin, inputs->input[i].info.first_ns);
	return begin == G_MAXUINT64 ? 0 : begin;
}

gboolean iot_inputs_range(const struct iot_inputs *inputs, guint64 *out_begin, guint64 *out_end)
{
	guint64 end = 0;
	gboolean beyond = FALSE, known = TRUE;

	for (guint i = 0; i < inputs->n; i++) {
		const struct iot_input *input = &inputs->input[i];

		beyond |= input->used && !input->sets_range;
		if (!input->sets_range || !input->info.has_times)
			continue;
		known &= input->info.end_ns != 0;
		end = MAX(end, input->info.end_ns);
	}
	*out_begin = iot_inputs_begin(inputs);
	*out_end = known ? end : G_MAXUINT64;
	return beyond;
}

const struct iot_model_input *iot_inputs_for_models(const struct iot_inputs *inputs)
{
	return inputs->for_models;
}
