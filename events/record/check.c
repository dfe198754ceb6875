/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "check.h"
#include "local.h"
#include "record-folder.h"
#include "trial.h"
#include "base/units.h"

#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* a recording of some minutes, and the formats of all events */
static const guint64 least_free_bytes = 256 << 20;

static void warn(struct rec_report *report, char *text)
{
	g_ptr_array_add(report->warnings, text);
}

/* The module of a system of events; most have its name. */
static const char *module_of(const char *system)
{
	return !strcmp(system, "nfs4") ? "nfsv4" : system;
}

/* Whether a module brings the events of a system. Without printk:console nothing is wrong. */
static gboolean is_of_module(const char *system)
{
	return strcmp(system, "printk") != 0;
}

/* Whether this kernel could load a module. */
static gboolean module_exists(const char *module)
{
	struct utsname name;
	g_autofree char *path = NULL, *list = NULL, *entry = g_strdup_printf("/%s.ko", module);

	uname(&name);
	path = g_build_filename("/lib/modules", name.release, "modules.dep", NULL);
	return g_file_get_contents(path, &list, NULL, NULL) && strstr(list, entry);
}

/* "modprobe -a dlm gfs2" for the systems (char *) without events. */
static char *load_advice(const struct rec_machine *machine, const GPtrArray *systems)
{
	g_autoptr(GString) load = g_string_new(NULL), lacking = g_string_new(NULL);
	gboolean here = machine->transport == REC_HERE, samples = FALSE;

	for (guint i = 0; i < systems->len; i++) {
		const char *module = module_of(systems->pdata[i]);

		if (!strcmp(module, "metrics")) {
			samples = TRUE;
			continue;
		}
		g_string_append_printf(here && !module_exists(module) ? lacking : load, " %s",
				       module);
	}
	if (load->len)
		g_string_prepend(load, "modprobe -a");
	if (load->len && !here)
		g_string_append(load, " (there)");
	if (lacking->len)
		g_string_append_printf(load, "%sthis kernel does not come with%s",
				       load->len ? "; " : "", lacking->str);
	if (samples)
		g_string_append_printf(load, "%s%s samples them", load->len ? "; " : "",
				       here ? "--metrics" : "iotrace-record --metrics-only there");
	return g_strdup(load->str);
}

static gboolean has_system(const struct rec_wanted *wanted, const struct rec_machine *machine,
			   const char *system)
{
	for (guint i = 0; i < wanted->models->len; i++) {
		const struct rec_model *model = wanted->models->pdata[i];

		for (guint k = 0; k < model->events->len; k++) {
			const char *name = ((struct rec_event *)model->events->pdata[k])->name;

			if (g_str_has_prefix(name, system) && name[strlen(system)] == ':' &&
			    rec_event_known(machine, name))
				return TRUE;
		}
	}
	return FALSE;
}

struct missing {
	guint n_events, n_known;
	GPtrArray *systems; /* of char *, owned: without any event */
	GString *needed;    /* names of needed events whose system is there */
};

static void find_missing(const struct rec_wanted *wanted, const struct rec_model *model,
			 const struct rec_machine *machine, struct missing *out)
{
	out->systems = g_ptr_array_new_with_free_func(g_free);
	out->needed = g_string_new(NULL);
	for (guint k = 0; k < model->events->len; k++) {
		const struct rec_event *event = model->events->pdata[k];
		char *system = g_strndup(event->name, strcspn(event->name, ":"));

		/* where it is not made, it does not exist */
		if (event->probe && !rec_event_known(machine, event->name)) {
			g_free(system);
			continue;
		}
		out->n_events++;
		if (rec_event_known(machine, event->name)) {
			out->n_known++;
		} else if (is_of_module(system) && !has_system(wanted, machine, system)) {
			if (!g_ptr_array_find_with_equal_func(out->systems, system, g_str_equal,
							      NULL))
				g_ptr_array_add(out->systems, g_steal_pointer(&system));
		} else if (!event->optional) {
			g_string_append_printf(out->needed, "%s%s", out->needed->len ? ", " : "",
					       event->name);
		}
		g_free(system);
	}
}

/* One cell of the table, and warnings about it. */
static void check_model(struct rec_report *report, const struct rec_wanted *wanted,
			const struct rec_model *model, const struct rec_machine *machine)
{
	const char *name = model->name ? model->name : "-e";
	struct missing missing = { 0 };
	g_autofree char *advice = NULL;

	find_missing(wanted, model, machine, &missing);
	advice = load_advice(machine, missing.systems);
	if (missing.n_known == missing.n_events)
		g_string_append_printf(report->table, "  %-12s all %u events\n", name,
				       missing.n_events);
	else
		g_string_append_printf(report->table, "  %-12s %u of %u events%s%s\n", name,
				       missing.n_known, missing.n_events, *advice ? ": " : "",
				       advice);
	if (!wanted->all && missing.systems->len)
		warn(report, g_strdup_printf("%s: events of %s are missing: %s", machine->given,
					     name, advice));
	if (missing.needed->len && rec_model_fits(wanted, model, machine))
		warn(report, g_strdup_printf("%s: its kernel does not have %s, which %s needs",
					     machine->given, missing.needed->str, name));
	g_ptr_array_unref(missing.systems);
	g_string_free(missing.needed, TRUE);
}

/* Events that --pid or --lockspace cannot filter are recorded whole. */
static void check_filters(struct rec_report *report, const struct rec_wanted *wanted,
			  const struct rec_machine *machine)
{
	g_autoptr(GPtrArray) names = rec_wanted_on(wanted, machine);
	g_autoptr(GString) open = g_string_new(NULL);

	for (guint i = 0; i < names->len; i++) {
		gboolean unfiltered = FALSE;

		g_free(rec_filter_of(wanted, machine, names->pdata[i], &unfiltered));
		if (unfiltered)
			g_string_append_printf(open, "%s%s", open->len ? ", " : "",
					       (char *)names->pdata[i]);
	}
	if (open->len)
		warn(report,
		     g_strdup_printf("%s: recorded without filter, because they lack the field: %s",
				     machine->given, open->str));
}

static void check_models(struct rec_report *report, const struct rec_wanted *wanted,
			 const struct rec_machine *machine)
{
	for (guint i = 0; i < wanted->models->len; i++)
		if (((struct rec_model *)wanted->models->pdata[i])->events->len)
			check_model(report, wanted, wanted->models->pdata[i], machine);
	check_filters(report, wanted, machine);
}

static void check_sync(struct rec_report *report, const struct rec_machine *machine,
		       const struct rec_finding *finding)
{
	if (!finding->n_samples)
		warn(report,
		     g_strdup_printf(
			     "%s: its clock was not measured: the order of events on two machines "
			     "will be unknown",
			     machine->given));
	else if (machine->transport == REC_VSOCK && !g_strcmp0(finding->protocol, "ptp"))
		warn(report, g_strdup_printf("%s: its clock is measured by messages (ptp), not "
					     "read from KVM: the guest "
					     "is busy (start the load later), or the host lacks "
					     "debugfs or the clock "
					     "x86-tsc (boot with tsc=reliable)",
					     machine->given));
}

static void check_agent(struct rec_report *report, const struct rec_plan *plan,
			const struct rec_machine *machine, const struct rec_finding *finding)
{
	if (finding->problem) {
		g_string_append_printf(report->table, "%s: cannot be recorded\n", machine->given);
		g_ptr_array_add(report->problems,
				g_strdup_printf("%s: %s", machine->given, finding->problem));
		return;
	}
	g_string_append_printf(
		report->table,
		"%s: agent records; host %s, kernel %s, %u processors, clock %s, synchronised by "
		"%s, %u samples\n",
		machine->given, finding->host ? finding->host : "?",
		finding->kernel ? finding->kernel : "?", finding->n_cpus,
		finding->clock ? finding->clock : "?",
		finding->protocol ? finding->protocol : "nothing", finding->n_samples);
	check_models(report, plan->wanted, machine);
	g_string_append(report->table,
			"  memory, modules that could be loaded, buffer_percent: ask there: "
			"iotrace-record --check\n");
	check_sync(report, machine, finding);
}

static void check_names(struct rec_report *report, const struct rec_plan *plan,
			const GPtrArray *findings)
{
	g_autofree const char **hosts = g_new0(const char *, findings->len);
	char *clash;

	for (guint i = 0; i < findings->len; i++)
		hosts[i] = ((struct rec_finding *)findings->pdata[i])->host;
	clash = rec_machines_clash(plan->agents, hosts);
	if (clash)
		warn(report, clash);
}

static void check_space(struct rec_report *report, const char *folder)
{
	g_autofree char *place = rec_folder_place(folder);
	guint64 left = rec_folder_free(place);
	g_autofree char *size = iot_format_size(left);

	g_string_append_printf(report->table, "  %s free in %s\n", size, place);
	if (left < least_free_bytes)
		warn(report,
		     g_strdup_printf(
			     "only %s are free in %s; the recording ends when they run short", size,
			     place));
}

static gboolean check_here(struct rec_report *report, const struct rec_plan *plan,
			   const char *folder)
{
	g_autofree char *version = rec_local_trace_cmd_version();
	g_autofree char *percent = rec_local_setting("buffer_percent");
	struct utsname name;

	uname(&name);
	g_string_append_printf(report->table,
			       "this machine: host %s, kernel %s, %ld processors, trace-cmd %s\n"
			       "  ring buffer: %u KiB for each processor, buffer_percent %s\n",
			       name.nodename, name.release, sysconf(_SC_NPROCESSORS_ONLN),
			       version ? version : "is missing", plan->buffer_kb,
			       percent ? percent : "?");
	if (!version && !plan->options->flight_ns)
		g_ptr_array_add(
			report->problems,
			g_strdup("there is no trace-cmd here (Debian: apt-get install trace-cmd)"));
	check_space(report, folder);
	if (!plan->agents->len)
		check_models(report, plan->wanted, plan->here);
	return version != NULL;
}

static gboolean check_trial(struct rec_report *report, const struct rec_plan *plan, GError **error)
{
	GError *failed = NULL;
	g_autofree char *problem = rec_trial_here(plan, &failed);

	if (failed) {
		g_propagate_error(error, failed);
		return FALSE;
	}
	if (problem)
		g_ptr_array_add(report->problems, g_strdup_printf("this machine: %s", problem));
	else
		g_string_append(report->table, "  a trial recording has events\n");
	return TRUE;
}

struct rec_report *rec_check(const struct rec_plan *plan, const char *folder, GError **error)
{
	struct rec_report *report = g_new0(struct rec_report, 1);
	g_autoptr(GPtrArray) findings = NULL;

	report->table = g_string_new(NULL);
	report->problems = g_ptr_array_new_with_free_func(g_free);
	report->warnings = g_ptr_array_new_with_free_func(g_free);
	if (!check_here(report, plan, folder))
		return report;
	/* a recording would show it by itself, and the flight recorder does without trace-cmd */
	if (!plan->agents->len && plan->options->check && !plan->options->flight_ns &&
	    !check_trial(report, plan, error)) {
		rec_report_free(report);
		return NULL;
	}
	if (!plan->agents->len)
		return report;
	findings = rec_trial_run(plan, error);
	if (!findings) {
		rec_report_free(report);
		return NULL;
	}
	for (guint i = 0; i < findings->len; i++)
		check_agent(report, plan, plan->agents->pdata[i], findings->pdata[i]);
	check_names(report, plan, findings);
	return report;
}

void rec_report_free(struct rec_report *report)
{
	if (!report)
		return;
	g_string_free(report->table, TRUE);
	g_ptr_array_unref(report->problems);
	g_ptr_array_unref(report->warnings);
	g_free(report);
}
