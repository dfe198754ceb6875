/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "describe.h"
#include "local.h"
#include "metrics.h"
#include "other-calls.h"

#include <json-glib/json-glib.h>

static void add_text(JsonBuilder *json, const char *name, const char *value)
{
	json_builder_set_member_name(json, name);
	if (value) {
		g_autofree char *valid = g_utf8_make_valid(value, -1);

		json_builder_add_string_value(json, valid);
	} else {
		json_builder_add_null_value(json);
	}
}

static void add_number(JsonBuilder *json, const char *name, guint64 value)
{
	json_builder_set_member_name(json, name);
	json_builder_add_int_value(json, (gint64)value);
}

static void add_bool(JsonBuilder *json, const char *name, gboolean value)
{
	json_builder_set_member_name(json, name);
	json_builder_add_boolean_value(json, value);
}

static void add_words(JsonBuilder *json, char *const *words)
{
	json_builder_begin_array(json);
	for (; *words; words++) {
		g_autofree char *valid = g_utf8_make_valid(*words, -1);

		json_builder_add_string_value(json, valid);
	}
	json_builder_end_array(json);
}

static void add_time(JsonBuilder *json, const char *name, GDateTime *time)
{
	g_autofree char *text = time ? g_date_time_format_iso8601(time) : NULL;

	add_text(json, name, text);
}

static void add_verdict(JsonBuilder *json, const struct rec_verdict *verdict, gboolean agent)
{
	add_text(json, "host", verdict->host);
	add_text(json, "kernel", verdict->kernel);
	add_number(json, "events", verdict->n_events);
	add_number(json, "lost", verdict->n_lost);
	add_bool(json, "loss_unknown", agent);
	add_text(json, "clock", verdict->clock);
	add_text(json, "sync", verdict->protocol);
	add_number(json, "samples", verdict->n_samples);
	add_text(json, "verdict", verdict->sentence);
}

/* Only this machine has them. */
static void add_metrics(JsonBuilder *json, const struct rec_description *description)
{
	const struct rec_session_result *result = description->result;

	add_text(json, "metrics", description->plan->options->metrics ? REC_METRICS_FILE : NULL);
	if (result)
		add_text(json, "metrics_verdict", result->metrics);
}

static void add_machine(JsonBuilder *json, const struct rec_description *description,
			const struct rec_machine *machine, const struct rec_verdict *verdict)
{
	gboolean agent = machine->transport != REC_HERE;

	json_builder_begin_object(json);
	add_text(json, "name", machine->given);
	add_text(json, "file", !verdict || verdict->exists ? machine->file : NULL);
	add_text(json, "node", machine->node);
	if (machine->transport == REC_VSOCK)
		add_number(json, "cid", machine->cid);
	else
		add_text(json, "cid", NULL);
	add_text(json, "address", machine->address);
	if (!agent)
		add_metrics(json, description);
	if (verdict)
		add_verdict(json, verdict, agent);
	json_builder_end_object(json);
}

static void add_dump(JsonBuilder *json, const struct rec_dump *dump)
{
	json_builder_set_member_name(json, "dump");
	json_builder_begin_object(json);
	add_number(json, "number", dump->number);
	add_text(json, "reason", dump->reason);
	add_number(json, "complete_from_ns", dump->complete_ns);
	add_number(json, "gap_begin_ns", dump->gap_begin_ns);
	add_number(json, "gap_end_ns", dump->gap_end_ns);
	json_builder_end_object(json);
}

static void add_other_calls(JsonBuilder *json, const GPtrArray *calls)
{
	json_builder_set_member_name(json, "other_calls");
	json_builder_begin_array(json);
	for (guint i = 0; i < calls->len; i++) {
		const struct rec_call_count *one = calls->pdata[i];

		json_builder_begin_object(json);
		add_text(json, "name", one->name);
		add_number(json, "count", one->n);
		json_builder_end_object(json);
	}
	json_builder_end_array(json);
}

static JsonNode *build(const struct rec_description *description)
{
	g_autoptr(JsonBuilder) json = json_builder_new();
	const struct rec_session_result *result = description->result;
	g_autofree char *version = description->recorder ? rec_local_trace_cmd_version() : NULL;

	json_builder_begin_object(json);
	add_text(json, "format", "iotrace-recording");
	add_number(json, "version", 1);
	add_time(json, "begin", result ? result->begin : NULL);
	add_time(json, "end", result ? result->end : NULL);
	json_builder_set_member_name(json, "command");
	add_words(json, description->command);
	json_builder_set_member_name(json, "recorders");
	json_builder_begin_array(json);
	if (description->recorder)
		add_words(json, description->recorder);
	json_builder_end_array(json);
	json_builder_set_member_name(json, "programs");
	json_builder_begin_object(json);
	add_text(json, "iotrace-record", IOT_VERSION);
	add_text(json, "trace-cmd", version);
	json_builder_end_object(json);
	if (result)
		add_number(json, "status", (guint64)description->status);
	else
		add_text(json, "status", NULL);
	add_text(json, "verdict", description->verdict);
	if (description->dump)
		add_dump(json, description->dump);
	if (description->other_calls)
		add_other_calls(json, description->other_calls);
	json_builder_set_member_name(json, "machines");
	json_builder_begin_array(json);
	for (guint i = 0; i < description->machines->len; i++)
		add_machine(json, description, description->machines->pdata[i],
			    description->verdicts ? description->verdicts->pdata[i] : NULL);
	json_builder_end_array(json);
	json_builder_end_object(json);
	return json_builder_get_root(json);
}

gboolean rec_describe(const struct rec_description *description, const char *folder, GError **error)
{
	g_autofree char *path = g_build_filename(folder, "recording.json", NULL);
	g_autoptr(JsonGenerator) generator = json_generator_new();
	g_autoptr(JsonNode) root = build(description);
	g_autofree char *text = NULL;
	gsize len;

	json_generator_set_root(generator, root);
	json_generator_set_pretty(generator, TRUE);
	text = json_generator_to_data(generator, &len);
	return g_file_set_contents(path, text, (gssize)len, error);
}
