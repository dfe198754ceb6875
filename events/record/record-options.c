/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record-options.h"
#include "base/error.h"
#include "base/units.h"
#include "options/option-words.h"

#include <stdlib.h>
#include <string.h>

#define AT(member) .at = offsetof(struct rec_options, member)

/* clang-format off */
static const struct iot_option rows[] = {
	{ .name = "agent", .letter = 'A', .argument = "MACHINE", AT(agents), .repeatable = TRUE,
	  .help = "Record this machine, on which an agent of trace-cmd runs: the VSOCK CID or the name "
		  "of a virtual machine of this host, HOST:PORT (TCP), or all: every virtual machine "
		  "with an agent. Repeatable. Without it this machine is recorded." },
	{ .name = "model", .letter = 'm', .argument = "MODEL[,...]", AT(models), .repeatable = TRUE,
	  .offer = IOT_OFFER_MODELS,
	  .help = "Record the events of these models, installed ones or files. Without -m and -e: of all "
		  "installed models whose events a machine has." },
	{ .name = "event", .letter = 'e', .argument = "SYSTEM:EVENT[,...]", AT(events), .repeatable = TRUE,
	  .help = "Record these events, too; without -m only these." },
	{ .name = "map", .argument = "NODE=MACHINE[,...]", AT(maps), .repeatable = TRUE,
	  .help = "MACHINE, as given with -A, is node NODE of the cluster. Recordings of the DLM name "
		  "their node themselves." },
	{ .name = "pid", .argument = "[MACHINE:]N", AT(pids), .repeatable = TRUE,
	  .help = "Record only this process: with the events of iotrace.ko its threads, too, with others "
		  "the thread N. Repeatable." },
	{ .name = "all", .letter = 'a', AT(all),
	  .help = "With a model of system calls (-m syscalls) and COMMAND: record the calls of all processes, "
		  "not of COMMAND and its descendants only. iotrace-record and trace-cmd are left out." },
	{ .name = "preload", AT(preload),
	  .help = "Record what COMMAND and its children do to files, by a library that is loaded into them "
		  "(LD_PRELOAD); no rights are needed. Without root this is how COMMAND is recorded. "
		  "Programs that are static or setuid are not seen." },
	{ .name = "lockspace", .argument = "NAME", AT(lockspaces), .repeatable = TRUE,
	  .help = "Record DLM events of this lockspace only. Repeatable." },
	{ .name = "cgroup", .argument = "PATH", AT(cgroup),
	  .help = "iotrace.ko records only tasks of this cgroup or below. Filters of the module are restored "
		  "afterwards; this machine only." },
	{ .name = "mount", .argument = "PATH", AT(mounts), .repeatable = TRUE,
	  .help = "iotrace.ko records only files of the file system that is mounted here. Repeatable; this "
		  "machine only." },
	{ .name = "output", .letter = 'o', .argument = "FOLDER", AT(folder), .offer = IOT_OFFER_FOLDERS,
	  .help = "Folder for the recording, which must be empty or not exist. Without it "
		  "iotrace-YYYYMMDD-HHMMSS." },
	{ .name = "for", .argument = "TIME", AT(for_text),
	  .help = "End the recording after this time (60s, 5min)." },
	{ .name = "size", .argument = "SIZE", AT(size_text),
	  .help = "End the recording when the machines have sent this much (500M, 2G). Without it the "
		  "recording ends when the space that joining the files needs runs short." },
	{ .name = "buffer", .letter = 'b', .argument = "KIB", AT(buffer_text),
	  .help = "Size of the ring buffer for each processor of each machine. Without it: here by the "
		  "free memory; 32 MiB for all processors of an agent, 4 MiB for each with --no-check." },
	{ .name = "uncompressed", AT(uncompressed),
	  .help = "Do not compress the recording. With trace-cmd before 3.3.1 a compressed recording ends before "
		  "a processor has 2 GiB, because that version spoils larger ones." },
	{ .name = "metrics", AT(metrics),
	  .help = "Sample this machine, too, once a second: load, processors, memory, disks, networks and "
		  "pressure, into FOLDER/metrics.txt." },
	{ .name = "metrics-only", AT(metrics_only),
	  .help = "Only sample this machine, into FOLDER/metrics-HOST.txt, until Ctrl-C or --for; with -o and "
		  "-q, without trace-cmd and root. For a guest or another machine that is recorded by its agent." },
	{ .name = "flight", .argument = "TIME", AT(flight_text),
	  .help = "Flight recorder of this machine: keep the last TIME (30s) in memory. A dump writes it to "
		  "FOLDER/dump-N: on --dump, SIGUSR1, --dump-on, or when COMMAND ends." },
	{ .name = "memory", .argument = "SIZE", AT(memory_text),
	  .help = "How much memory the flight recorder may use (256M); an eighth of the free memory without "
		  "it. It takes what TIME needs at the measured rate." },
	{ .name = "dump-on", .argument = "EVENT [if FILTER]", AT(dump_on),
	  .help = "The flight recorder stops and dumps at this event: \"sched:sched_process_exit if "
		  "comm == \\\"db\\\"\". The filter is that of the kernel." },
	{ .name = "dumps", .argument = "N", AT(dumps_text),
	  .help = "How many dumps --dump-on may cause; 10 without it." },
	{ .name = "dump", AT(dump),
	  .help = "Let the flight recorder that runs on this machine dump, print the folder, and end." },
	{ .name = "check", AT(check),
	  .help = "Check the machines, print a table and end. This machine records an event. A trial recording "
		  "without events asks each agent: it ends tracing that others may have under way there." },
	{ .name = "no-check", AT(no_check),
	  .help = "Do not check before the recording." },
	{ .name = "limit", .argument = "TIME", AT(limit_text),
	  .help = "How long the machines may take to start and to stop recording; 60s without it." },
	{ .name = "notimeout", AT(patient),
	  .help = "trace-cmd does not give up an agent that takes more than five seconds for an answer." },
	{ .name = "dry-run", AT(dry_run),
	  .help = "Print the command line of trace-cmd and end. What agents have is not asked." },
	{ .name = "view", AT(view),
	  .help = "Open the recording in the browser afterwards (iotrace-analyze view)." },
	{ .name = "quiet", .letter = 'q', AT(quiet),
	  .help = "No status line and no notes; only errors and the verdict." },
	IOT_GENERAL_OPTIONS("Print the version and exit."),
};
/* clang-format on */

static const struct iot_program program = {
	.name = "iotrace-record",
	.rows = rows,
	.runs = TRUE,
	.usage = "iotrace-record - record the machines of a cluster for iotrace-analyze\n\n"
		 "usage: iotrace-record [OPTION]... [-- COMMAND]\n\n"
		 "Records until Ctrl-C, until --for has passed, or until COMMAND ends. Then\n"
		 "iotrace-analyze FOLDER shows the recording.\n\n",
	.end = "\nExit status: that of COMMAND if it is not 0; else 0: complete; 1: nothing was\n"
	       "recorded; 2: wrong options, or the check failed; 4: with losses, ended before its\n"
	       "time, or the clocks of several machines are not synchronised.\n",
};

static gboolean parse_time(const char *name, const char *text, guint64 *out, GError **error)
{
	if (!iot_parse_duration(text, out, error)) {
		g_prefix_error(error, "%s: ", name);
		return FALSE;
	}
	return *out > 0 ||
	       iot_usage_error(error, "%s %s: nothing would be recorded; at least 1ms", name, text);
}

static gboolean parse_bytes(const char *name, const char *text, guint64 *out, GError **error)
{
	if (!iot_parse_size(text, out, error)) {
		g_prefix_error(error, "%s: ", name);
		return FALSE;
	}
	return *out >= 1 << 20 ||
	       iot_usage_error(error, "%s %s is too little; at least 1M", name, text);
}

static gboolean parse_flight(struct rec_options *options, GError **error)
{
	const char *other = options->agents	   ? "-A, which records other machines"
			    : options->size_text   ? "--size, because --memory limits it"
			    : options->buffer_text ? "-b, because --memory limits it"
			    : options->dry_run	   ? "--dry-run, because it starts no trace-cmd"
			    : options->metrics
				    ? "--metrics, which has no end that a dump could take"
			    : options->view ? "--view; iotrace-analyze view opens a dump"
					    : NULL;
	guint64 number = 10;

	if (!options->flight_text)
		return !(options->memory_text || options->dump_on || options->dumps_text) ||
		       iot_usage_error(error, "%s needs --flight",
				       options->memory_text ? "--memory"
				       : options->dump_on   ? "--dump-on"
							    : "--dumps");
	if (other)
		return iot_usage_error(error, "--flight does not go with %s", other);
	if (options->dumps_text &&
	    !g_ascii_string_to_unsigned(options->dumps_text, 10, 1, 1000000, &number, NULL))
		return iot_usage_error(error, "--dumps \"%s\" is not a number from 1 to 1000000",
				       options->dumps_text);
	options->max_dumps = (guint)number;
	return parse_time("--flight", options->flight_text, &options->flight_ns, error) &&
	       (!options->memory_text ||
		parse_bytes("--memory", options->memory_text, &options->memory, error));
}

/* What says how events of the kernel are recorded; NULL: nothing does. */
static const char *find_kernel_option(const struct rec_options *options)
{
	return options->agents	      ? "-A"
	       : options->models      ? "-m"
	       : options->events      ? "-e"
	       : options->pids	      ? "--pid"
	       : options->lockspaces  ? "--lockspace"
	       : options->cgroup      ? "--cgroup"
	       : options->mounts      ? "--mount"
	       : options->all	      ? "--all"
	       : options->flight_text ? "--flight"
	       : options->size_text   ? "--size"
	       : options->check	      ? "--check"
	       : options->dry_run     ? "--dry-run"
				      : NULL;
}

/* Where no event of the kernel is recorded, what says how is a mistake. */
static gboolean check_other_ways(const struct rec_options *options, GError **error)
{
	const char *kernel = find_kernel_option(options);
	const char *with_preload = kernel		   ? kernel
				   : options->for_text	   ? "--for"
				   : options->metrics	   ? "--metrics"
				   : options->metrics_only ? "--metrics-only"
							   : NULL;
	const char *with_metrics = kernel	      ? kernel
				   : options->maps    ? "--map"
				   : options->command ? options->command[0]
				   : options->view    ? "--view"
						      : NULL;

	if (options->preload && !options->command)
		return iot_usage_error(error, "--preload records a command: iotrace-record "
					      "--preload -- COMMAND");
	if (options->preload && with_preload)
		return iot_usage_error(error,
				       "--preload does not go with %s: it records calls of COMMAND "
				       "on files, and no events of the kernel",
				       with_preload);
	return !options->metrics_only || !with_metrics ||
	       iot_usage_error(error, "--metrics-only records no events, so %s has no meaning",
			       with_metrics);
}

static gboolean parse_values(struct rec_options *options, GError **error)
{
	guint64 number;

	if (options->for_text && !parse_time("--for", options->for_text, &options->for_ns, error))
		return FALSE;
	options->limit_ns = 60 * G_GUINT64_CONSTANT(1000000000);
	if (options->limit_text &&
	    !parse_time("--limit", options->limit_text, &options->limit_ns, error))
		return FALSE;
	if (options->size_text && !parse_bytes("--size", options->size_text, &options->size, error))
		return FALSE;
	if (options->buffer_text) {
		if (!g_ascii_string_to_unsigned(options->buffer_text, 10, 4, 1 << 24, &number,
						NULL))
			return iot_usage_error(error,
					       "-b \"%s\" is not a number of KiB from 4 to %d",
					       options->buffer_text, 1 << 24);
		options->buffer_kb = (guint)number;
	}
	if (options->check && options->no_check)
		return iot_usage_error(error, "--check and --no-check contradict each other");
	if (options->check && options->command)
		return iot_usage_error(error, "--check records nothing, so %s would not be started",
				       options->command[0]);
	if (options->agents && (options->pids || options->lockspaces) &&
	    (options->no_check || options->dry_run))
		return iot_usage_error(
			error,
			"--pid and --lockspace need the check, which asks agents for the fields "
			"of their events: leave out %s",
			options->no_check ? "--no-check" : "--dry-run");
	for (guint i = 0; options->mounts && options->mounts[i]; i++)
		if (*options->mounts[i] != '/')
			return iot_usage_error(error,
					       "--mount \"%s\" is not the absolute path of a "
					       "mounted file system",
					       options->mounts[i]);
	if (options->folder && !*options->folder)
		return iot_usage_error(error, "-o \"\" is not the name of a folder");
	return check_other_ways(options, error) && parse_flight(options, error);
}

gboolean rec_options_parse(struct rec_options *options, const char *const *argv, GError **error)
{
	struct iot_option_words words = { rows, options, argv + (*argv != NULL) };
	enum iot_word what;

	memset(options, 0, sizeof(*options));
	while ((what = iot_option_next(&words)) == IOT_WORD_OPTION && !words.action)
		;
	options->action = words.action;
	switch (what) {
	case IOT_WORD_OPTION:
		return TRUE;
	case IOT_WORD_DASHES:
		if (!*words.next)
			return iot_usage_error(error, "no command follows --");
		options->command = g_strdupv((char **)words.next);
		break;
	case IOT_WORD_PLAIN:
		return iot_usage_error(error, "%s: a command follows --, a machine -A",
				       words.value);
	case IOT_WORD_WRONG:
		iot_usage_error(error, "%s", words.error);
		free(words.error);
		return FALSE;
	case IOT_WORD_END:
		break;
	}
	return parse_values(options, error);
}

void rec_options_clear(struct rec_options *options)
{
	iot_option_clear(options, rows);
	g_clear_pointer(&options->command, g_strfreev);
}

void rec_options_print(const struct rec_options *options, FILE *out)
{
	iot_option_print(out, &program, options->action);
}
