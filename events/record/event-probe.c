/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "event-probe.h"
#include "local.h"
#include "mark.h"
#include "plan.h"
#include "base/error.h"

#include <errno.h>
#include <event-parse.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>

static void field_free(gpointer data)
{
	struct rec_probe_field *field = data;

	g_free(field->name);
	g_free(field->source);
	g_free(field->type);
	g_free(field);
}

static gboolean add_field(struct rec_probe *probe, const char *text)
{
	g_autoptr(GRegex) regex = g_regex_new("^(\\w+)=(after\\.)?(\\w+):(\\w+)$", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	struct rec_probe_field *field;

	if (!g_regex_match(regex, text, 0, &match))
		return FALSE;
	field = g_new0(struct rec_probe_field, 1);
	field->name = g_match_info_fetch(match, 1);
	field->after = g_str_has_prefix(strchr(text, '=') + 1, "after.");
	field->source = g_match_info_fetch(match, 3);
	field->type = g_match_info_fetch(match, 4);
	g_ptr_array_add(probe->fields, field);
	return !field->after || probe->after;
}

struct rec_probe *rec_probe_new(const char *name, const char *definition)
{
	g_auto(GStrv) parts = g_strsplit(definition, "\t", 3);
	g_auto(GStrv) fields = g_strv_length(parts) == 3 ? g_strsplit(parts[2], " ", -1) : NULL;
	struct rec_probe *probe;
	gboolean good = TRUE;

	if (!fields || !rec_is_event(name) || !rec_is_event(parts[0]) ||
	    !(rec_is_event(parts[1]) || !strcmp(parts[1], "-")))
		return NULL;
	probe = g_new0(struct rec_probe, 1);
	probe->name = g_strdup(strchr(name, ':') + 1);
	probe->definition = g_strdup(definition);
	probe->event = g_strdup(parts[0]);
	probe->after = rec_is_event(parts[1]) ? g_strdup(parts[1]) : NULL;
	probe->fields = g_ptr_array_new_with_free_func(field_free);
	for (guint i = 0; good && fields[i]; i++)
		good = add_field(probe, fields[i]);
	if (!good)
		g_clear_pointer(&probe, rec_probe_free);
	return probe;
}

void rec_probe_free(struct rec_probe *probe)
{
	if (!probe)
		return;
	g_free(probe->name);
	g_free(probe->definition);
	g_free(probe->event);
	g_free(probe->after);
	g_ptr_array_unref(probe->fields);
	g_free(probe);
}

/* The missing feature of the kernel; NULL: none. The caller frees. */
static char *find_lack(const GPtrArray *probes)
{
	char *readme = tracefs_instance_file_read(NULL, "README", NULL);
	gboolean has_probes = readme && strstr(readme, "<attached-group>");
	gboolean needs_synthetic = FALSE;

	free(readme);
	for (guint i = 0; i < probes->len; i++)
		needs_synthetic |= ((struct rec_probe *)probes->pdata[i])->after != NULL;
	if (!has_probes)
		return g_strdup("no event probes (Linux 5.15 with CONFIG_KPROBE_EVENTS)");
	if (needs_synthetic && !tracefs_file_exists(NULL, "synthetic_events"))
		return g_strdup("no synthetic events (CONFIG_SYNTH_EVENTS)");
	return NULL;
}

/* The first probe without which calls have no end; NULL: there is none. */
static const struct rec_probe *find_needed(const struct rec_wanted *wanted)
{
	for (guint i = 0; i < wanted->probes->len; i++)
		if (!rec_wanted_spares(wanted, wanted->probes->pdata[i]))
			return wanted->probes->pdata[i];
	return NULL;
}

gboolean rec_probes_spared(const struct rec_plan *plan, GError **error)
{
	const struct rec_probe *needed = find_needed(plan->wanted);

	return !needed ||
	       iot_usage_error(error,
			       "[probe %s] is an event that iotrace-record makes: no command "
			       "of trace-cmd alone records it",
			       needed->name);
}

gboolean rec_probes_check(const struct rec_plan *plan, char **out_note, GError **error)
{
	const GPtrArray *probes = plan->wanted->probes;
	const struct rec_probe *first = probes->len ? probes->pdata[0] : NULL;
	const struct rec_probe *needed = find_needed(plan->wanted);
	g_autofree char *lack = NULL;

	*out_note = NULL;
	if (!first)
		return TRUE;
	if (plan->agents->len)
		return iot_usage_error(error,
				       "[probe %s] is made on the recorded machine, which an agent "
				       "cannot do: run iotrace-record there, without -A",
				       first->name);
	lack = find_lack(probes);
	if (lack && !needed)
		*out_note = g_strdup_printf("note: this kernel has %s: calls are recorded without "
					    "paths; for paths load iotrace.ko and record -m fileio",
					    lack);
	return !lack || !needed ||
	       iot_usage_error(error,
			       "this kernel has %s, which [probe %s] of the model needs; for file "
			       "I/O load iotrace.ko and record -m fileio",
			       lack, needed->name);
}

/* The field of the kernel's event; NULL and an error. */
static const struct tep_format_field *find_source(const struct rec_plan *plan,
						  const struct rec_probe *probe,
						  const struct rec_probe_field *field,
						  GError **error)
{
	const char *name = field->after ? probe->after : probe->event;
	struct tep_event *event = rec_local_event(plan->here, name);
	const struct tep_format_field *source =
		event ? tep_find_any_field(event, field->source) : NULL;

	if (!event)
		iot_usage_error(error, "this kernel has no event %s, which [probe %s] needs", name,
				probe->name);
	else if (!source)
		iot_usage_error(error, "this kernel's %s has no field %s, which [probe %s] needs",
				name, field->source, probe->name);
	if (!source || !probe->after || !(source->flags & TEP_FIELD_IS_ARRAY))
		return source;
	iot_usage_error(error,
			"[probe %s]: %s is an array: only numbers and pointers can be taken from "
			"two events",
			probe->name, field->source);
	return NULL;
}

/* "s64 ret; u64 path" of the synthetic event, and the arguments of the event probe. */
static gboolean describe(const struct rec_plan *plan, const struct rec_probe *probe,
			 GString *synthetic, GString *arguments, GError **error)
{
	for (guint i = 0; i < probe->fields->len; i++) {
		const struct rec_probe_field *field = probe->fields->pdata[i];
		const struct tep_format_field *source = find_source(plan, probe, field, error);
		const char *kernel = probe->after ? field->name : field->source;
		gboolean follow;

		if (!source)
			return FALSE;
		/* a text is read where a number points to */
		follow = strstr(field->type, "string") && !(source->flags & TEP_FIELD_IS_ARRAY);
		g_string_append_printf(synthetic, "%s%c%d %s", i ? "; " : "",
				       source->flags & TEP_FIELD_IS_SIGNED ? 's' : 'u',
				       8 * source->size, field->name);
		g_string_append_printf(arguments, follow ? " %s=+0($%s):%s" : " %s=$%s:%s",
				       field->name, kernel, field->type);
	}
	return TRUE;
}

/* "SYSTEM:EVENT" with another character between */
static char *joined(const char *event, char with)
{
	char *text = g_strdup(event);

	*strchr(text, ':') = with;
	return text;
}

static gboolean append(const char *file, const char *text, const struct rec_probe *probe,
		       GError **error)
{
	if (tracefs_instance_file_append(NULL, file, text) >= 0)
		return TRUE;
	return iot_usage_error(error, "the kernel does not accept [probe %s] (%s): \"%s\" in %s/%s",
			       probe->name, g_strerror(errno), text, tracefs_tracing_dir(), file);
}

static gboolean make(const struct rec_plan *plan, const struct rec_probe *probe, GError **error)
{
	g_autoptr(GString) synthetic = g_string_new(NULL), arguments = g_string_new(NULL);
	g_autofree char *base = NULL, *definition = NULL, *name = NULL;

	if (!describe(plan, probe, synthetic, arguments, error))
		return FALSE;
	if (probe->after) {
		g_autofree char *text =
			g_strdup_printf("%s_%s %s", plan->instance, probe->name, synthetic->str);

		if (!append("synthetic_events", text, probe, error))
			return FALSE;
		base = g_strdup_printf("synthetic.%s_%s", plan->instance, probe->name);
	} else {
		base = joined(probe->event, '.');
	}
	definition =
		g_strdup_printf("e:%s/%s %s%s", plan->instance, probe->name, base, arguments->str);
	if (!append("dynamic_events", definition, probe, error))
		return FALSE;
	name = g_strconcat(plan->instance, ":", probe->name, NULL);
	return rec_local_event(plan->here, name) ||
	       iot_usage_error(error, "the kernel has made no event %s", name);
}

/* Lines of dynamic_events of a group: "e:GROUP/NAME ..." and "s:synthetic/GROUP_NAME ...". NULL:
 * there are none. */
static char *next_of_group(const char *group)
{
	char *text = tracefs_instance_file_read(NULL, "dynamic_events", NULL);
	g_auto(GStrv) lines = g_strsplit(text ? text : "", "\n", -1);
	g_autofree char *event = g_strconcat(":", group, "/", NULL);
	g_autofree char *synthetic = g_strconcat(":synthetic/", group, "_", NULL);
	char *found = NULL;

	free(text);
	/* a probe is listed after the synthetic event that it is on, and removed before */
	for (guint i = g_strv_length(lines); i-- > 0 && !found;) {
		const char *at = strchr(lines[i], ':');

		if (at && (g_str_has_prefix(at, event) || g_str_has_prefix(at, synthetic)))
			found = g_strndup(at + 1, strcspn(at + 1, " \t"));
	}
	return found;
}

/* Not every kernel has every call. */
static gboolean has_events(const struct rec_plan *plan, const struct rec_probe *probe)
{
	return rec_local_event(plan->here, probe->event) &&
	       (!probe->after || rec_local_event(plan->here, probe->after));
}

gboolean rec_probes_make(const struct rec_plan *plan, GError **error)
{
	const GPtrArray *probes = plan->wanted->probes;
	g_autofree char *there = probes->len ? next_of_group(plan->instance) : NULL;
	g_autofree char *lack = probes->len ? find_lack(probes) : NULL;

	if (lack) /* rec_probes_check has allowed it */
		return TRUE;

	if (there)
		return iot_usage_error(error,
				       "the kernel already has an event %s: as root: echo -:%s >> "
				       "%s/dynamic_events",
				       there, there, tracefs_tracing_dir());
	for (guint i = 0; i < probes->len; i++) {
		const struct rec_probe *probe = probes->pdata[i];

		if ((has_events(plan, probe) || !rec_wanted_spares(plan->wanted, probe)) &&
		    !make(plan, probe, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean add_trigger(const struct rec_plan *plan, const char *event, const char *text,
			    GError **error)
{
	g_autofree char *path = joined(event, '/');

	return rec_mark_trigger(plan->mark, path, text, error) &&
	       (rec_local_trigger(plan->instance, path, text) ||
		iot_usage_error(error, "the kernel does not accept the trigger \"%s\" of %s: %s",
				text, event, g_strerror(errno)));
}

/* The earlier event leaves its fields with the thread; the later one takes them. Names of variables
 * belong to all histograms of the instance. */
static gboolean start(const struct rec_plan *plan, const struct rec_probe *probe, GError **error)
{
	g_autoptr(GString) first = g_string_new("hist:keys=common_pid:");
	g_autoptr(GString) second = g_string_new("hist:keys=common_pid:"),
			   trace = g_string_new(NULL);
	g_autofree char *after = joined(probe->after, '.');
	gboolean kept = FALSE;

	for (guint i = 0; i < probe->fields->len; i++) {
		const struct rec_probe_field *field = probe->fields->pdata[i];

		if (field->after)
			g_string_append_printf(first, "%s%s_a%u=%s", kept ? "," : "", probe->name,
					       i, field->source);
		kept |= field->after;
		g_string_append_printf(second, "%s%s_b%u=", i ? "," : "", probe->name, i);
		if (field->after)
			g_string_append_printf(second, "$%s_a%u", probe->name, i);
		else
			g_string_append(second, field->source);
		g_string_append_printf(trace, ",$%s_b%u", probe->name, i);
	}
	g_string_append_printf(second, ":onmatch(%s).trace(%s_%s%s)", after, plan->instance,
			       probe->name, trace->str);
	return add_trigger(plan, probe->after, first->str, error) &&
	       add_trigger(plan, probe->event, second->str, error);
}

gboolean rec_probes_start(const struct rec_plan *plan, GError **error)
{
	for (guint i = 0; i < plan->wanted->probes->len; i++) {
		const struct rec_probe *probe = plan->wanted->probes->pdata[i];

		g_autofree char *name = g_strconcat(plan->instance, ":", probe->name, NULL);

		if (probe->after && rec_event_known(plan->here, name) && !start(plan, probe, error))
			return FALSE;
	}
	return TRUE;
}

gboolean rec_probes_there(const char *group)
{
	g_autofree char *name = next_of_group(group);

	return name != NULL;
}

gboolean rec_probes_remove(const char *group)
{
	char *name;

	while ((name = next_of_group(group))) {
		g_autofree char *undo = g_strconcat("-:", name, NULL);
		gboolean removed = tracefs_instance_file_append(NULL, "dynamic_events", undo) >= 0;

		g_free(name);
		if (!removed)
			return FALSE;
	}
	return TRUE;
}
