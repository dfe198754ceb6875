/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wanted.h"
#include "event-probe.h"
#include "base/crc32.h"
#include "base/error.h"
#include "base/units.h"

#include <event-parse.h>
#include <string.h>

static void event_free(gpointer data)
{
	struct rec_event *event = data;

	rec_probe_free(event->probe);
	g_free(event->spare_of);
	g_free(event->name);
	g_free(event);
}

static void model_free(gpointer data)
{
	struct rec_model *model = data;

	g_free(model->name);
	g_ptr_array_unref(model->events);
	g_free(model);
}

void rec_wanted_free(struct rec_wanted *wanted)
{
	if (!wanted)
		return;
	g_ptr_array_unref(wanted->models);
	g_ptr_array_unref(wanted->probes);
	g_strfreev(wanted->pids);
	g_array_unref(wanted->lockspaces);
	g_free(wanted);
}

/* Both programs are installed in one folder. */
static char *find_analyzer(void)
{
	g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *dir = self ? g_path_get_dirname(self) : NULL;
	char *path = dir ? g_build_filename(dir, "iotrace-analyze", NULL) : NULL;

	if (path && g_file_test(path, G_FILE_TEST_IS_EXECUTABLE))
		return path;
	g_free(path);
	return g_strdup("iotrace-analyze");
}

/* What "iotrace-analyze OPTION [VALUE]" prints. */
static char *ask_analyzer(const char *option, const char *value, GError **error)
{
	g_autofree char *program = find_analyzer();
	const char *argv[] = { program, option, value, NULL };
	g_autofree char *message = NULL;
	char *text = NULL;
	int status;

	if (!g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &text,
			  &message, &status, error)) {
		g_prefix_error(error,
			       "iotrace-analyze, which knows the models, cannot be started: ");
		return NULL;
	}
	if (status == 0)
		return text;
	g_free(text);
	g_strchomp(message);
	iot_usage_error(error, "%s",
			g_str_has_prefix(message, "iotrace-analyze: ") ? message + 17 : message);
	return NULL;
}

gboolean rec_is_event(const char *name)
{
	static const char letters[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_-";
	gsize system = strspn(name, letters);

	return system && name[system] == ':' && name[system + 1] &&
	       strspn(name + system + 1, letters) == strlen(name + system + 1);
}

static struct rec_event *add_event(GPtrArray *events, const char *name, gboolean optional)
{
	struct rec_event *event = g_new0(struct rec_event, 1);

	event->name = g_strdup(name);
	event->optional = optional;
	g_ptr_array_add(events, event);
	return event;
}

static struct rec_model *model_new(const char *name)
{
	struct rec_model *model = g_new0(struct rec_model, 1);

	model->name = g_strdup(name);
	model->events = g_ptr_array_new_with_free_func(event_free);
	return model;
}

/* "NAME", "NAME TAB optional", "NAME TAB spare TAB PROBE" or "NAME TAB probe TAB DEFINITION" */
static gboolean add_line(struct rec_model *model, const char *line, const char *group,
			 GError **error)
{
	g_auto(GStrv) parts = g_strsplit(line, "\t", 3);
	gboolean three = g_strv_length(parts) == 3;
	gboolean spare = three && !strcmp(parts[1], "spare"), made = three && !spare;
	struct rec_event *event;
	struct rec_probe *probe = made ? rec_probe_new(parts[0], parts[2]) : NULL;
	g_autofree char *name = probe ? g_strconcat(group, ":", probe->name, NULL) : NULL;

	if (made ? !probe : !rec_is_event(parts[0]))
		return iot_usage_error(error,
				       "-m %s: iotrace-analyze describes an event in an unknown "
				       "way (%s): install both programs from one version",
				       model->name, line);
	event = add_event(model->events, made ? name : parts[0], parts[1] && !three);
	event->probe = probe;
	if (spare)
		event->spare_of = g_strconcat(group, ":", parts[2], NULL);
	return TRUE;
}

/* Models may have the same probe. */
static gboolean add_probes(struct rec_wanted *wanted, const struct rec_model *model, GError **error)
{
	for (guint i = 0; i < model->events->len; i++) {
		struct rec_probe *probe = ((struct rec_event *)model->events->pdata[i])->probe;
		const struct rec_probe *other = NULL;

		for (guint n = 0; probe && !other && n < wanted->probes->len; n++)
			if (!strcmp(((struct rec_probe *)wanted->probes->pdata[n])->name,
				    probe->name))
				other = wanted->probes->pdata[n];
		if (other && strcmp(other->definition, probe->definition))
			return iot_usage_error(error,
					       "-m %s: an earlier model has another [probe %s]: "
					       "record one after the other",
					       model->name, probe->name);
		if (probe && !other)
			g_ptr_array_add(wanted->probes, probe);
	}
	return TRUE;
}

static gboolean has_probe(const struct rec_model *model)
{
	for (guint i = 0; i < model->events->len; i++)
		if (((struct rec_event *)model->events->pdata[i])->probe)
			return TRUE;
	return FALSE;
}

static gboolean add_model(struct rec_wanted *wanted, const char *name, const char *group,
			  GError **error)
{
	g_autofree char *text = ask_analyzer("--model-events", name, error);
	g_auto(GStrv) lines = text ? g_strsplit(text, "\n", -1) : NULL;
	struct rec_model *model;
	gboolean good = TRUE;

	if (!text)
		return FALSE;
	model = model_new(name);
	for (guint i = 0; good && lines[i]; i++)
		good = !*lines[i] || add_line(model, lines[i], group, error);
	if (!good || (wanted->all && has_probe(model))) {
		model_free(model);
		return good;
	}
	g_ptr_array_add(wanted->models, model);
	if (!model->events->len)
		return iot_usage_error(error, "-m %s: the model has no events to record", name);
	return add_probes(wanted, model, error);
}

static gboolean add_all_models(struct rec_wanted *wanted, const char *group, GError **error)
{
	g_autofree char *text = ask_analyzer("--models", NULL, error);
	g_auto(GStrv) lines = text ? g_strsplit(text, "\n", -1) : NULL;

	wanted->all = TRUE;
	for (guint i = 0; lines && lines[i]; i++) {
		lines[i][strcspn(lines[i], "\t")] = '\0';
		if (*lines[i] && !add_model(wanted, lines[i], group, error))
			return FALSE;
	}
	return text != NULL;
}

static gboolean add_events(struct rec_wanted *wanted, char **events, GError **error)
{
	struct rec_model *model = model_new(NULL);

	g_ptr_array_add(wanted->models, model);
	for (guint i = 0; events && events[i]; i++) {
		g_auto(GStrv) names = g_strsplit(events[i], ",", -1);

		for (guint k = 0; k == 0 || names[k]; k++) {
			if (!names[k] || !rec_is_event(names[k]))
				return iot_usage_error(error,
						       "-e %s is not SYSTEM:EVENT, for example "
						       "sched:sched_switch",
						       events[i]);
			add_event(model->events, names[k], FALSE);
		}
	}
	return TRUE;
}

struct rec_wanted *rec_wanted_new(char **names, char **events, const char *group, GError **error)
{
	struct rec_wanted *wanted = g_new0(struct rec_wanted, 1);
	gboolean ok = TRUE;

	wanted->models = g_ptr_array_new_with_free_func(model_free);
	wanted->probes = g_ptr_array_new();
	wanted->lockspaces = g_array_new(FALSE, FALSE, sizeof(guint32));
	for (guint i = 0; ok && names && names[i]; i++) {
		g_auto(GStrv) list = g_strsplit(names[i], ",", -1);

		for (guint k = 0; ok && (k == 0 || list[k]); k++)
			ok = add_model(wanted, list[k] ? list[k] : "", group, error);
	}
	if (ok && !names && !events)
		ok = add_all_models(wanted, group, error);
	if (ok && add_events(wanted, events, error))
		return wanted;
	rec_wanted_free(wanted);
	return NULL;
}

gboolean rec_wanted_add(struct rec_wanted *wanted, const char *name)
{
	struct rec_model *model;

	if (!rec_is_event(name))
		return FALSE;
	model = model_new(NULL);
	add_event(model->events, name, FALSE);
	g_ptr_array_add(wanted->models, model);
	return TRUE;
}

static gboolean check_pid(const char *word, const GPtrArray *machines, GError **error)
{
	const char *colon = strrchr(word, ':');
	g_autofree char *name = colon ? g_strndup(word, (gsize)(colon - word)) : NULL;
	gboolean found = !name;

	if (!g_ascii_string_to_unsigned(colon ? colon + 1 : word, 10, 1, 1 << 22, NULL, NULL))
		return iot_usage_error(error, "--pid \"%s\" is not N or MACHINE:N, N a process",
				       word);
	for (guint i = 0; i < machines->len && !found; i++)
		found = !strcmp(((struct rec_machine *)machines->pdata[i])->given, name);
	return found || iot_usage_error(error, "--pid %s: no -A names the machine %s", word, name);
}

gboolean rec_wanted_filter(struct rec_wanted *wanted, char **pids, char **lockspaces,
			   const GPtrArray *machines, GError **error)
{
	wanted->pids = g_strdupv(pids);
	for (guint i = 0; pids && pids[i]; i++)
		if (!check_pid(pids[i], machines, error))
			return FALSE;
	for (guint i = 0; lockspaces && lockspaces[i]; i++) {
		/* dlm_controld numbers a lockspace by this text and its NUL */
		g_autofree char *text = g_strconcat("dlm:ls:", lockspaces[i], NULL);
		guint32 id = iot_crc32(0, text, strlen(text) + 1);

		if (!*lockspaces[i])
			return iot_usage_error(error, "--lockspace \"\" is not a name");
		g_array_append_val(wanted->lockspaces, id);
	}
	return TRUE;
}

static struct tep_event *find_event(const struct rec_machine *machine, const char *name)
{
	const char *colon = strchr(name, ':');
	g_autofree char *system = g_strndup(name, (gsize)(colon - name));

	return tep_find_event_by_name(machine->tep, system, colon + 1);
}

gboolean rec_event_known(const struct rec_machine *machine, const char *name)
{
	return !machine->tep || find_event(machine, name);
}

gboolean rec_wanted_has(const struct rec_wanted *wanted, const char *name)
{
	for (guint i = 0; i < wanted->models->len; i++) {
		const struct rec_model *model = wanted->models->pdata[i];

		for (guint k = 0; k < model->events->len; k++)
			if (!strcmp(((struct rec_event *)model->events->pdata[k])->name, name))
				return TRUE;
	}
	return FALSE;
}

gboolean rec_wanted_of_calls(const struct rec_wanted *wanted)
{
	for (guint i = 0; i < wanted->models->len; i++) {
		const struct rec_model *model = wanted->models->pdata[i];

		if (model->events->len && !has_probe(model))
			return FALSE;
	}
	return wanted->probes->len > 0;
}

gboolean rec_model_fits(const struct rec_wanted *wanted, const struct rec_model *model,
			const struct rec_machine *machine)
{
	for (guint i = 0; i < model->events->len; i++) {
		const struct rec_event *event = model->events->pdata[i];

		if (!event->optional && rec_event_known(machine, event->name))
			return TRUE;
	}
	return !wanted->all && model->events->len;
}

gboolean rec_wanted_spares(const struct rec_wanted *wanted, const struct rec_probe *probe)
{
	for (guint i = 0; i < wanted->models->len; i++) {
		const struct rec_model *model = wanted->models->pdata[i];

		for (guint k = 0; k < model->events->len; k++) {
			const char *spare_of =
				((struct rec_event *)model->events->pdata[k])->spare_of;

			if (spare_of && !strcmp(strchr(spare_of, ':') + 1, probe->name))
				return TRUE;
		}
	}
	return FALSE;
}

GPtrArray *rec_wanted_on(const struct rec_wanted *wanted, const struct rec_machine *machine)
{
	GPtrArray *names = g_ptr_array_new();

	for (guint i = 0; i < wanted->models->len; i++) {
		const struct rec_model *model = wanted->models->pdata[i];

		for (guint k = 0; k < model->events->len && rec_model_fits(wanted, model, machine);
		     k++) {
			const struct rec_event *event = model->events->pdata[k];
			char *name = event->name;

			if (rec_event_known(machine, name) &&
			    !(event->spare_of && rec_event_known(machine, event->spare_of)) &&
			    !g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
				g_ptr_array_add(names, name);
		}
	}
	g_ptr_array_sort(names, iot_texts_compare);
	return names;
}

static gboolean has_field(const struct rec_machine *machine, const char *event, const char *field)
{
	struct tep_event *found = machine->tep ? find_event(machine, event) : NULL;

	return found && tep_find_any_field(found, field);
}

/* "(FIELD==A||FIELD==B)" */
static void add_alternatives(GString *filter, const char *field, const GArray *numbers)
{
	g_string_append(filter, filter->len ? "&&(" : "(");
	for (guint i = 0; i < numbers->len; i++)
		g_string_append_printf(filter, "%s%s==%u", i ? "||" : "", field,
				       g_array_index(numbers, guint32, i));
	g_string_append_c(filter, ')');
}

/* The processes to record on a machine. */
static GArray *pids_of(const struct rec_wanted *wanted, const struct rec_machine *machine)
{
	GArray *pids = g_array_new(FALSE, FALSE, sizeof(guint32));

	for (guint i = 0; wanted->pids && wanted->pids[i]; i++) {
		const char *colon = strrchr(wanted->pids[i], ':');
		gsize len = colon ? (gsize)(colon - wanted->pids[i]) : 0;
		guint64 pid;

		if (colon && (strlen(machine->given) != len ||
			      strncmp(wanted->pids[i], machine->given, len) != 0))
			continue;
		if (g_ascii_string_to_unsigned(colon ? colon + 1 : wanted->pids[i], 10, 1, 1 << 22,
					       &pid, NULL))
			g_array_append_vals(pids, &(guint32){ (guint32)pid }, 1);
	}
	return pids;
}

char *rec_filter_of(const struct rec_wanted *wanted, const struct rec_machine *machine,
		    const char *name, gboolean *out_open)
{
	g_autoptr(GArray) pids = pids_of(wanted, machine);
	g_autoptr(GString) filter = g_string_new(NULL);
	gboolean open = FALSE;

	/* events of iotrace.ko name the process, and so belong to all its threads */
	if (pids->len && has_field(machine, name, "tgid"))
		add_alternatives(filter, "tgid", pids);
	else if (pids->len && has_field(machine, name, "common_pid"))
		add_alternatives(filter, "common_pid", pids);
	else
		open = pids->len > 0;
	if (wanted->lockspaces->len && has_field(machine, name, "ls_id"))
		add_alternatives(filter, "ls_id", wanted->lockspaces);
	else if (wanted->lockspaces->len && has_field(machine, name, "h_lockspace"))
		add_alternatives(filter, "h_lockspace", wanted->lockspaces);
	else
		open |= wanted->lockspaces->len > 0;
	if (out_open)
		*out_open = open;
	return filter->len ? g_strdup(filter->str) : NULL;
}
