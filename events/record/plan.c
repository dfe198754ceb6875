/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plan.h"

#include <string.h>
#include <unistd.h>

/* An agent does not tell its memory: 32 MiB for all processors fit a small virtual machine. For
 * each processor at least the kernel's default, and at most 16 MiB. */
static const guint agent_kb = 32768, least_kb = 1408, most_kb = 16384, unknown_kb = 4096;

static void add(GPtrArray *argv, const char *word)
{
	g_ptr_array_add(argv, g_strdup(word));
}

static void add_number(GPtrArray *argv, const char *option, guint number)
{
	add(argv, option);
	g_ptr_array_add(argv, g_strdup_printf("%u", number));
}

static void add_events(GPtrArray *argv, const struct rec_plan *plan,
		       const struct rec_machine *machine)
{
	g_autoptr(GPtrArray) names = rec_wanted_on(plan->wanted, machine);

	for (guint i = 0; i < names->len; i++) {
		g_autofree char *filter =
			rec_filter_of(plan->wanted, machine, names->pdata[i], NULL);

		add(argv, "-e");
		add(argv, names->pdata[i]);
		if (filter) {
			add(argv, "-f");
			add(argv, filter);
		}
	}
}

GPtrArray *rec_plan_machines(const struct rec_plan *plan)
{
	GPtrArray *machines = g_ptr_array_new();

	for (guint i = 0; i < plan->agents->len; i++)
		g_ptr_array_add(machines, plan->agents->pdata[i]);
	if (!plan->agents->len)
		g_ptr_array_add(machines, plan->here);
	return machines;
}

static gboolean has_tcp(const GPtrArray *agents)
{
	for (guint i = 0; i < agents->len; i++)
		if (((struct rec_machine *)agents->pdata[i])->transport == REC_TCP)
			return TRUE;
	return FALSE;
}

/* The words up to the host's events. */
static GPtrArray *begin(const struct rec_plan *plan, const char *folder, const GPtrArray *agents)
{
	GPtrArray *argv = g_ptr_array_new_with_free_func(g_free);

	add(argv, "trace-cmd");
	add(argv, "record");
	if (plan->options->patient)
		add(argv, "--notimeout");
	add(argv, "-o");
	g_ptr_array_add(argv, g_build_filename(folder, "trace.dat", NULL));
	if (plan->options->uncompressed) {
		add(argv, "--compression");
		add(argv, "none");
	}
	if (!agents->len) {
		add(argv, "-B");
		add(argv, plan->instance);
	} else {
		add(argv, "-p");
		add(argv, "nop");
	}
	/* Over TCP, without a clock, trace-cmd 3.1 may let machines count cycles and compares these
	 * with ns of its own. Over VSOCK it finds the clock that KVM's synchronisation needs. */
	if (!agents->len || has_tcp(agents)) {
		add(argv, "-C");
		add(argv, REC_LOCAL_CLOCK);
	}
	return argv;
}

static void add_agent(GPtrArray *argv, const struct rec_machine *machine)
{
	add(argv, "-A");
	g_ptr_array_add(argv, rec_machine_agent(machine));
	/* an event that is missing there would end the recording; and splice loses the data that
	 * are in its pipe when the recording stops */
	add(argv, "-i");
	add(argv, "--nosplice");
}

static char **end(GPtrArray *argv)
{
	g_ptr_array_add(argv, NULL);
	return (char **)g_ptr_array_free(argv, FALSE);
}

/* KVM's synchronisation needs nothing of this machine's recording (tried). The file pairs the
 * recordings, names the threads that are processors of guests, and shows when these did not run.
 * Models of hosts say what else. */
static void add_host(GPtrArray *argv, const struct rec_plan *plan)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	g_ptr_array_add(names, (gpointer) "sched:sched_switch");
	for (guint i = 0; i < plan->wanted->models->len && !has_tcp(plan->agents); i++) {
		const struct rec_model *model = plan->wanted->models->pdata[i];

		for (guint k = 0; !g_strcmp0(model->name, "kvm") && k < model->events->len; k++) {
			const struct rec_event *event = model->events->pdata[k];

			if (strcmp(event->name, "sched:sched_switch") &&
			    rec_event_known(plan->here, event->name))
				g_ptr_array_add(names, event->name);
		}
	}
	for (guint i = 0; i < names->len; i++) {
		add(argv, "-e");
		add(argv, names->pdata[i]);
	}
}

guint rec_plan_buffer_kb(const struct rec_plan *plan, const struct rec_machine *machine)
{
	if (machine->transport == REC_HERE || plan->options->buffer_kb)
		return plan->buffer_kb;
	return machine->n_cpus ? CLAMP(agent_kb / machine->n_cpus, least_kb, most_kb) : unknown_kb;
}

guint64 rec_plan_buffers(const struct rec_plan *plan)
{
	g_autoptr(GPtrArray) machines = rec_plan_machines(plan);
	guint64 bytes = 0;

	for (guint i = 0; i < machines->len; i++) {
		const struct rec_machine *machine = machines->pdata[i];
		guint n_cpus = machine->transport == REC_HERE
				       ? (guint)MAX(sysconf(_SC_NPROCESSORS_ONLN), 1)
				       : MAX(machine->n_cpus, 1);

		bytes += (guint64)rec_plan_buffer_kb(plan, machine) * n_cpus << 10;
	}
	return bytes;
}

char **rec_plan_record(const struct rec_plan *plan, const char *folder)
{
	GPtrArray *argv = begin(plan, folder, plan->agents);

	add_number(argv, "-b", plan->buffer_kb);
	if (!plan->agents->len) {
		add(argv, "-i");
		add_events(argv, plan, plan->here);
		return end(argv);
	}
	add_host(argv, plan);
	for (guint i = 0; i < plan->agents->len; i++) {
		add_agent(argv, plan->agents->pdata[i]);
		add_number(argv, "-b", rec_plan_buffer_kb(plan, plan->agents->pdata[i]));
		add_events(argv, plan, plan->agents->pdata[i]);
	}
	return end(argv);
}

char **rec_plan_trial(const struct rec_plan *plan, const char *folder, const GPtrArray *agents)
{
	GPtrArray *argv = begin(plan, folder, agents);

	add(argv, "-e");
	add(argv, "sched:sched_switch");
	for (guint i = 0; i < agents->len; i++) {
		add_agent(argv, agents->pdata[i]);
		add(argv, "-p");
		add(argv, "nop");
	}
	return end(argv);
}

char *rec_plan_protocol(const struct rec_machine *machine, const char *log)
{
	g_autofree char *name = g_regex_escape_string(machine->name, -1);
	g_autofree char *pattern =
		g_strdup_printf("^Negotiated (\\S+) time sync protocol with guest %s$", name);
	g_autoptr(GRegex) regex = g_regex_new(pattern, G_REGEX_MULTILINE | G_REGEX_RAW, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;

	return g_regex_match(regex, log, 0, &match) ? g_match_info_fetch(match, 1) : NULL;
}

char *rec_plan_text(char *const *argv)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; argv[i]; i++) {
		gboolean plain = *argv[i] && strspn(argv[i], G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS
						    "_.,:@/=+-") == strlen(argv[i]);
		g_autofree char *quoted = plain ? g_strdup(argv[i]) : g_shell_quote(argv[i]);

		g_string_append_printf(text, "%s%s", i ? " " : "", quoted);
	}
	return g_string_free(text, FALSE);
}
