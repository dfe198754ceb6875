/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The option table; arguments.c checks options against each other. */
#include "cli/option-values.h"
#include "analysis/stage.h"
#include "input/source.h"

#include <string.h>

#define FLAG(member) .at = offsetof(struct iot_command, member)

/* clang-format off */
static struct iot_option rows[] = {
	{ .name = "map", .argument = "NODE=WHAT[,...]", .group = IOT_GROUP_INPUT, .set = iot_set_map,
	  .help = "Recording WHAT is cluster node NODE. WHAT is the VSOCK CID or guest name in "
		  "trace-WHAT.dat, a host name, or a file. Without it a recording is the node "
		  "named in its own messages (DLM), or it has the name of its host or file. "
		  "Another number than that in its messages is refused. Several recordings are "
		  "one node with one clock if --map says so of each (1=5,1=app.txt); an event that two of them "
		  "have is refused." },
	{ .name = "names", .argument = "FILE", .group = IOT_GROUP_INPUT, .offer = IOT_OFFER_FILES,
	  .set = iot_set_names,
	  .help = "What the file says of nodes (iotrace-names(5)): names, host names and addresses by "
		  "which recordings are of one node, levels of rows above nodes, such as clusters and "
		  "racks, and the nodes of ranks of MPI. What it names and nothing matches is counted (names_unused)." },
	{ .name = "force-map", .group = IOT_GROUP_INPUT, FLAG(options.force_map),
	  .help = "Take --map, or the nodes in recording.json, also where the messages of a "
		  "recording name another node. The report then warns (map_contradicted)." },
	{ .name = "lockspace", .argument = "NAME[,...]", .group = IOT_GROUP_INPUT,
	  .set = iot_set_lockspace,
	  .help = "Possible names of DLM lockspaces. Recordings contain only a checksum of the "
		  "name, so a name is shown if its checksum matches. Names mentioned in the "
		  "recordings are tried without this option." },
	{ .name = "early-end", .argument = "TIME", .group = IOT_GROUP_INPUT, .standard = "5s",
	  .set = iot_set_early_end,
	  .help = "If the last event or clock sample of a recording is more than TIME before "
		  "the last event of another one, its machine is not observed from there on, and "
		  "its states are unknown: it was quiet, or no longer recorded. The same for a "
		  "recording that begins more than TIME after the first event." },
	{ .name = "sync", .argument = "FILE|protocol|auto|none", .group = IOT_GROUP_INPUT,
	  .offer = IOT_OFFER_FILES, .set = iot_set_sync,
	  .help = "FILE: pairs of clocks, read before and after the run, instead of the "
		  "synchronisation in the recordings. A line is REFERENCE CLOCK MACHINE CLOCK "
		  "[ERROR]; names are those of nodes, hosts or files (iotrace-clock(1) writes it). "
		  "protocol: by the messages between the machines, for which the recordings are "
		  "read once more. auto: by messages if a recording has no synchronisation, or if "
		  "messages contradict it. none: not at all." },
	{ .name = "shift", .argument = "NODE=TIME", .group = IOT_GROUP_INPUT, .set = iot_set_shift,
	  .help = "Add TIME (2=-1.5ms) to all times of this node, or of one of its recordings "
		  "(its file, or N of trace-N.dat), after any correction. Repeatable." },
	{ .name = "clock-assume", .argument = "NAME=VALUE[,...]", .group = IOT_GROUP_INPUT,
	  .standard = "ptp=100us,rate=10ppm,drift=200ppm", .set = iot_set_clock_assume,
	  .help = "Assumptions about the clocks, which recordings do not contain: the greatest "
		  "error of a PTP sample, the greatest change of the difference of two clocks' "
		  "rates, and the greatest difference. They decide which order is proved." },
	{ .name = "clock-error", .argument = "TIME|auto", .group = IOT_GROUP_INPUT,
	  .standard = "auto", .set = iot_set_clock_error,
	  .help = "The clocks of two machines are assumed to differ by at most TIME after "
		  "synchronisation. A link is drawn only if its ends have no other partner within "
		  "this error. auto: the greatest bound of two recordings, 10ms if one has none." },
	{ .name = "causality", .argument = "POLICY", .group = IOT_GROUP_INPUT,
	  .standard = "report", .once = TRUE, .set = iot_set_causality,
	  .help = "What is done with events that come before their cause on another machine, such "
		  "as a message received before it was sent. report: count them. hold: put "
		  "them in a valid order, times stay. adjust: give them the least later times that "
		  "fit. adjust,spread=SHARE: intervals shrink by at most this share after a moved "
		  "event, and grow by it before; ,back=TIME: events of the TIME before it are moved, "
		  "too (1s). rounds: as hold, and number what can happen together; adjust,rounds: both. "
		  "strict: exit with status 4 if "
		  "there are any; ,strict does so with hold, adjust and rounds, too. off: do not "
		  "look. ,hold=TIME: how long an event waits for its "
		  "cause. ,inside: look at rules inside one machine, too; no policy changes the order "
		  "there." },
	{ .name = "reader", .argument = "NAME", .group = IOT_GROUP_INPUT,
	  .once = TRUE,
	  .offer = IOT_OFFER_WORDS,
	  .set = iot_set_reader,
	  .help = "Read all recordings with this reader instead of the best match." },

	{ .name = "model", .letter = 'm', .argument = "NAME|FILE", .group = IOT_GROUP_MODEL,
	  .offer = IOT_OFFER_MODELS, .set = iot_set_model,
	  .help = "Use this model: the name of an installed one, or a file. Repeatable. Without "
		  "it every installed model whose events are in the recordings is used." },
	{ .name = "derive", .argument = "NAME", .group = IOT_GROUP_MODEL,
	  .offer = IOT_OFFER_TOLD, .set = iot_set_derive,
	  .help = "Draw states that follow from other states, or publish tables. Repeatable." },
	{ .name = "all-threads", .group = IOT_GROUP_MODEL, FLAG(options.all_threads),
	  .repeated = TRUE,
	  .help = "Draw the scheduler's states of all threads, in rows of their own, and not only "
		  "those of threads that other models draw." },
	{ .name = "check-model", .argument = "FILE", .group = IOT_GROUP_MODEL,
	  .offer = IOT_OFFER_FILES,
	  .set = iot_set_check_model,
	  .once = TRUE,
	  .help = "Check a model file, against the events of the recordings if some are given, "
		  "and print its description; analyse nothing." },

	{ .name = "select", .argument = "GLOB", .group = IOT_GROUP_SELECT, .set = iot_set_select,
	  .help = "Show only rows that match the shell pattern, and all rows below them. A "
		  "pattern with / is compared with paths, names joined with / (*/res0?, "
		  "*/res00/node 3), any other pattern with names. Repeatable." },
	{ .name = "exclude", .argument = "GLOB", .group = IOT_GROUP_SELECT, .set = iot_set_exclude,
	  .help = "Leave out rows that match the pattern and all rows below them, even if "
		  "selected. Repeatable." },
	{ .name = "node", .argument = "NODE[,...]", .group = IOT_GROUP_SELECT, .set = iot_set_node,
	  .help = "Show only these nodes." },
	{ .name = "kind", .argument = "KIND", .group = IOT_GROUP_SELECT, .set = iot_set_kind,
	  .help = "Show only states and events of this name (write), of a name that matches the "
		  "shell pattern (\"write*\"), or of this role: wait, hold, leaving, keeping, call or "
		  "result. Rows without them are left out. Repeatable." },
	{ .name = "follow", .argument = "[NAME=]VALUE", .group = IOT_GROUP_SELECT,
	  .set = iot_set_follow,
	  .help = "Show only the states and events of one call: those whose attribute \"id\" or "
		  "\"call\", or NAME, has this VALUE (17, lkb_id=0x1), those that links connect "
		  "with them on all machines, and those inside these states. Reads the "
		  "recordings twice; if there are links, three times." },
	{ .name = "top", .argument = "N", .group = IOT_GROUP_SELECT, .set = iot_set_top,
	  .help = "Show only the N resources with the greatest sum of waiting time. Reads the "
		  "recordings twice." },
	{ .name = "from", .argument = "TIME", .group = IOT_GROUP_SELECT, .set = iot_set_from,
	  .once = TRUE,
	  .help = "Begin of the window: seconds since the beginning of the recording (2.5, "
		  "300ms), or @ and seconds of the host's clock. It is time 0 of timelines." },
	{ .name = "to", .argument = "TIME", .group = IOT_GROUP_SELECT, .set = iot_set_to,
	  .once = TRUE,
	  .help = "End of the window. A call that begins in the window and has not returned "
		  "after another length of the window is shown as unfinished." },
	{ .name = "index", .argument = "auto|off|FILE", .group = IOT_GROUP_SELECT,
	  .offer = IOT_OFFER_FILES, .standard = "auto", .set = iot_set_index,
	  .once = TRUE,
	  .help = "File of the index of large recordings, which makes windows (--from) fast "
		  "from the second run on. auto: next to the first recording, its name with "
		  ".iotrace-index appended, or in the user's cache folder. The file may be "
		  "deleted at any time. off: neither use nor write an index." },
	{ .name = "slower-than", .argument = "TIME", .group = IOT_GROUP_SELECT,
	  .set = iot_set_slower_than,
	  .help = "Show only resources with a wait longer than this (5ms). Reads the recordings "
		  "twice." },

	{ .name = "output", .letter = 'o', .argument = "FORMAT:PATH", .group = IOT_GROUP_OUTPUT,
	  .offer = IOT_OFFER_OUTPUTS, .set = iot_set_output,
	  .help = "Write this output; PATH - is standard output. Options of the format follow "
		  "it, separated by commas: FORMAT,OPTION,OPTION=VALUE:PATH. Repeatable." },
	{ .name = "list", .group = IOT_GROUP_OUTPUT, FLAG(list),
	  .help = "Print a table of all resources in the recordings. Write other outputs only "
		  "if -o names them." },
	{ .name = "sort", .argument = "KEY", .group = IOT_GROUP_OUTPUT,
	  .offer = IOT_OFFER_WORDS, .set = iot_set_sort,
	  .help = "Order of the table of --list." },
	{ .name = "tsv", .group = IOT_GROUP_OUTPUT, .set = iot_set_tsv,
	  .help = "Print the table of --list for programs, with columns separated by tabs." },

	{ .name = "no-pager", .group = IOT_GROUP_OUTPUT, FLAG(no_pager),
	  .help = "The words list and report do not start a pager on a terminal." },

	{ .name = "events", .group = IOT_GROUP_OUTPUT, FLAG(events),
	  .help = "Draw point events, values of counters and links in all timelines. Without it Pajé "
		  "has only states, because ViTE covers them with a disc for each event and an "
		  "arrow for each link." },
	{ .name = "no-events", .group = IOT_GROUP_OUTPUT, FLAG(no_events),
	  .help = "Draw only states in all timelines, no point events." },

	{ .name = "no-links", .group = IOT_GROUP_OUTPUT, FLAG(options.no_links),
	  .help = "Leave out links (arrows), and do not look for them." },
	{ .name = "strict", .group = IOT_GROUP_CHECK, FLAG(options.strict),
	  .help = "Exit with status 4 if data were lost or may be wrong in detail, or if "
		  "nothing is shown." },
	{ .name = "limits", .argument = "FILE", .group = IOT_GROUP_CHECK,
	  .offer = IOT_OFFER_FILES, .set = iot_set_limits,
	  .help = "compare: exit with status 4 if run B exceeds a limit of the file. A line is STATE "
		  "PLACE QUANTITY LIMIT, for example PENDING * p99 +10%, or for a holder because:node?2 "
		  "* share 30%. Without it the status is 4 "
		  "if a state in which somebody waits takes significantly longer." },
	{ .name = "cut", .argument = "N[:FOLDER]", .group = IOT_GROUP_CHECK, .set = iot_set_cut,
	  .help = "check: write finding N into a new folder (finding-N), as text recordings with the "
		  "fewest events that show it again. The folder is a recording for this program." },
	{ .name = "audit", .group = IOT_GROUP_CHECK, FLAG(options.audit),
	  .help = "Check the program itself: every item must obey the contract of the timeline." },

	{ .name = "threads", .argument = "N", .group = IOT_GROUP_LIMIT, .standard = "0",
	  .set = iot_set_threads,
	  .help = "Number of threads that read recordings; 0: one for each processor. The result "
		  "is always the same." },
	{ .name = "memory", .argument = "SIZE", .group = IOT_GROUP_LIMIT, .standard = "256M",
	  .set = iot_set_memory,
	  .help = "Memory for buffers; the excess goes to temporary files (in TMPDIR, else "
		  "/tmp). Not included: open calls and objects, up to 2 KiB each (--max-open), and "
		  "names and rows (--max-containers); -v shows all." },
	{ .name = "max-open", .argument = "N", .group = IOT_GROUP_LIMIT, .standard = "1000000",
	  .set = iot_set_max_open,
	  .repeated = TRUE,
	  .help = "Maximum number of open calls and objects; beyond it the oldest are closed as "
		  "unfinished." },
	{ .name = "max-containers", .argument = "N", .group = IOT_GROUP_LIMIT, .standard = "100000",
	  .set = iot_set_max_containers,
	  .repeated = TRUE,
	  .help = "Maximum number of rows of the timeline; all others share one row." },

	{ .name = "quiet", .letter = 'q', .group = IOT_GROUP_GENERAL, FLAG(quiet),
	  .help = "No progress, no warnings and no closing line on standard error; only errors." },
	{ .name = "verbose", .letter = 'v', .group = IOT_GROUP_GENERAL, FLAG(options.verbose),
	  .help = "Report memory use, details of each recording, percentiles and histograms of "
		  "waits and holds, and the files that were written. Twice: more details." },
	{ .name = "colour", .alias = "color", .argument = "WHEN", .group = IOT_GROUP_GENERAL,
	  .offer = IOT_OFFER_WORDS,
	  .words = "auto, always, never", .standard = "auto", .set = iot_set_colour,
	  .help = "Colours on standard output; --color is the same. auto: on a terminal, unless "
		  "NO_COLOR is set or TERM is dumb." },
	{ .name = "models", .group = IOT_GROUP_GENERAL, .action = IOT_ACTION_MODELS,
	  .help = "Print one line for each installed model and exit: name, title, system of its "
		  "events, file, separated by tabs. --check-model NAME describes one." },
	{ .name = "model-events", .argument = "MODEL", .group = IOT_GROUP_GENERAL,
	  .offer = IOT_OFFER_MODELS, .set = iot_set_model_events,
	  .help = "Print the events that a model knows, and exit: a line SYSTEM:EVENT for each, with a "
		  "tab and \"optional\" if the model draws its calls and states without the event." },
	{ .name = "formats", .group = IOT_GROUP_GENERAL, .action = IOT_ACTION_FORMATS,
	  .help = "Print one line for each output format, for scripts, and exit: name, suffix "
		  "of files, suffix appended to PATH for a second file, \"file\" if it needs a "
		  "regular file, \"folder\" if it makes a directory or else \"any\", options without a "
		  "value, forms, description. Columns are separated by tabs; \"-\" is an empty column." },
	IOT_GENERAL_OPTIONS("Print the version and the libraries, and exit."),
};
/* clang-format on */

const char *const iot_option_titles[] = {
	[IOT_GROUP_INPUT] = "Recordings", [IOT_GROUP_MODEL] = "Meaning",
	[IOT_GROUP_SELECT] = "Selection", [IOT_GROUP_OUTPUT] = "Outputs",
	[IOT_GROUP_CHECK] = "Checks",	  [IOT_GROUP_LIMIT] = "Limits",
	[IOT_GROUP_GENERAL] = "General",
};

/* The values of "sort", an option of the format list: "a|b" as "a, b". */
static char *sort_keys(void)
{
	g_auto(GStrv) keys = NULL;

	for (const struct iot_sink_option *row = iot_sink_list.options; !keys; row++)
		if (!strcmp(row->name, "sort"))
			keys = g_strsplit(row->argument, "|", -1);
	return g_strjoinv(", ", keys);
}

static char *reader_names(void)
{
	GString *names = g_string_new(NULL);

	for (guint i = 0; iot_source_table[i]; i++)
		g_string_append_printf(names, "%s%s", i ? ", " : "", iot_source_table[i]->name);
	return g_string_free(names, FALSE);
}

/* Names for the parser, and for the help what each does, and which are made anyway. */
static void add_analyses(struct iot_option *row)
{
	GString *names = g_string_new(NULL), *help = g_string_new(row->help);
	g_autoptr(GString) always = g_string_new(NULL);

	for (guint i = 0; iot_analysis_table[i]; i++) {
		const struct iot_stage_ops *ops = iot_analysis_table[i];

		if (!ops->summary)
			continue;
		g_string_append_printf(names, "%s%s", i ? ", " : "", ops->name);
		g_string_append_printf(help, "%s%s: %s", i ? "; " : " ", ops->name, ops->summary);
		if (ops->always)
			g_string_append_printf(always, "%s%s", always->len ? ", " : "", ops->name);
	}
	g_string_append_printf(help, ". Outputs with tables always have those of %s.", always->str);
	row->words = g_string_free(names, FALSE);
	row->help = g_string_free(help, FALSE);
}

/* "Without it: slog2:iotrace.slog2, paje:iotrace.paje and report:-." */
static void add_default_outputs(struct iot_option *row)
{
	g_autoptr(GPtrArray) specs = g_ptr_array_new_with_free_func(g_free);
	GString *help = g_string_new(row->help);

	for (guint i = 0; iot_sink_table[i]; i++) {
		const struct iot_sink_ops *ops = iot_sink_table[i];

		if (ops->default_path)
			g_ptr_array_add(specs,
					g_strdup_printf("%s:%s", ops->name, ops->default_path));
	}
	for (guint i = 0; i < specs->len; i++)
		g_string_append_printf(help, "%s%s",
				       i == 0		     ? " Without it: "
				       : i + 1 == specs->len ? " and "
							     : ", ",
				       (char *)specs->pdata[i]);
	g_string_append_c(help, '.');
	row->help = g_string_free(help, FALSE);
}

const struct iot_option *iot_option_table(void)
{
	static gboolean complete;

	for (struct iot_option *row = rows; !complete && row->name; row++) {
		if (row->set == iot_set_reader)
			row->words = reader_names();
		else if (row->set == iot_set_sort)
			row->words = sort_keys();
		else if (row->set == iot_set_derive)
			add_analyses(row);
		else if (row->set == iot_set_output)
			add_default_outputs(row);
	}
	complete = TRUE;
	return rows;
}

void iot_command_clear(struct iot_command *command)
{
	iot_options_clear(&command->options);
	g_clear_pointer(&command->check_model, g_free);
	g_clear_pointer(&command->limits, g_free);
	g_clear_pointer(&command->events_of, g_free);
	g_clear_pointer(&command->list_options, g_hash_table_unref);
}
