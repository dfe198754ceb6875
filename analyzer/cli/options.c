/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The option table and the setters of values. A setter reports `"VALUE" is not ...`; arguments.c
 * adds the name of the option, and checks options against each other.
 */
#include "cli/options.h"
#include "cli/map-spec.h"
#include "cli/output-spec.h"
#include "analysis/stage.h"
#include "base/error.h"
#include "base/units.h"
#include "input/source.h"
#include "run/follow.h"

#include <string.h>

/* @what: a value that is not empty, for the message */
static gboolean set_text(char **at, const char *value, const char *what, GError **error)
{
	if (!*value)
		return iot_usage_error(error, "\"\" is not %s", what);
	g_free(*at);
	*at = g_strdup(value);
	return TRUE;
}

/* ---- recordings ---- */

static gboolean set_map(struct iot_command *command, const char *value, GError **error)
{
	g_auto(GStrv) pairs = g_strsplit(value, ",", -1);

	for (guint i = 0; pairs[i]; i++)
		if (!iot_mapping_add(command->options.mappings, pairs[i], error))
			return FALSE;
	return pairs[0] || iot_usage_error(error, "\"\" is not NODE=WHAT, for example 1=5");
}

static gboolean set_lockspace(struct iot_command *command, const char *value, GError **error)
{
	g_auto(GStrv) names = g_strsplit(value, ",", -1);

	for (guint i = 0; names[i] && *names[i]; i++) {
		g_ptr_array_add(command->options.lockspaces, g_strdup(names[i]));
		if (!names[i + 1])
			return TRUE;
	}
	return iot_usage_error(error, "\"%s\" is not a list of names, for example test,gfs", value);
}

static gboolean set_early_end(struct iot_command *command, const char *value, GError **error)
{
	return iot_parse_duration(value, &command->options.early_end_ns, error);
}

static gboolean set_sync(struct iot_command *command, const char *value, GError **error)
{
	return set_text(&command->options.sync_file, value, "the name of a file", error);
}

static gboolean set_shift(struct iot_command *command, const char *value, GError **error)
{
	const char *equals = strrchr(value, '=');
	gboolean negative = equals && equals[1] == '-';
	struct iot_shift shift;
	guint64 ns;

	if (!equals || equals == value ||
	    !iot_parse_duration(equals + 1 + (negative || equals[1] == '+'), &ns, NULL))
		return iot_usage_error(error, "\"%s\" is not NODE=TIME, for example 2=-1.5ms",
				       value);
	shift.node = g_strndup(value, (gsize)(equals - value));
	shift.ns = negative ? -(gint64)ns : (gint64)ns;
	g_array_append_val(command->options.shifts, shift);
	return TRUE;
}

static gboolean assume(struct iot_clock_assumed *assumed, const char *name, const char *value,
		       GError **error)
{
	if (!strcmp(name, "ptp"))
		return iot_parse_duration(value, &assumed->ptp_ns, error);
	if (!strcmp(name, "rate"))
		return iot_parse_rate(value, &assumed->rate_ppb, error);
	if (!strcmp(name, "drift"))
		return iot_parse_rate(value, &assumed->drift_ppb, error);
	return iot_usage_error(error, "\"%s\" is not ptp, rate or drift", name);
}

static gboolean set_clock_assume(struct iot_command *command, const char *value, GError **error)
{
	g_auto(GStrv) pairs = g_strsplit(value, ",", -1);

	for (guint i = 0; i == 0 || pairs[i]; i++) {
		char *equals = pairs[i] ? strchr(pairs[i], '=') : NULL;

		if (!equals)
			return iot_usage_error(error,
					       "\"%s\" is not NAME=VALUE, for example ptp=20us",
					       pairs[i] ? pairs[i] : "");
		*equals = '\0';
		if (!assume(&command->options.clock, pairs[i], equals + 1, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean set_clock_error(struct iot_command *command, const char *value, GError **error)
{
	if (strcmp(value, "auto"))
		return iot_parse_duration(value, &command->options.clock_error_ns, error);
	command->options.clock_error_ns = IOT_CLOCK_UNBOUNDED;
	return TRUE;
}

static gboolean set_reader(struct iot_command *command, const char *value, GError **error)
{
	(void)error;
	g_free(command->options.reader);
	command->options.reader = g_strdup(value);
	return TRUE;
}

/* ---- models ---- */

static gboolean set_model(struct iot_command *command, const char *value, GError **error)
{
	GPtrArray *models = command->options.models;

	if (!*value)
		return iot_usage_error(error, "\"\" is not the name or file of a model");
	if (g_ptr_array_find_with_equal_func(models, value, g_str_equal, NULL))
		return iot_usage_error(error, "\"%s\" is given twice", value);
	g_ptr_array_add(models, g_strdup(value));
	return TRUE;
}

/* The parser has checked the value against the table of analyses. */
static gboolean set_derive(struct iot_command *command, const char *value, GError **error)
{
	GPtrArray *derive = command->options.derive;

	(void)error;
	if (!g_ptr_array_find_with_equal_func(derive, value, g_str_equal, NULL))
		g_ptr_array_add(derive, g_strdup(value));
	return TRUE;
}

static gboolean set_check_model(struct iot_command *command, const char *value, GError **error)
{
	command->action = IOT_ACTION_CHECK_MODEL;
	return set_text(&command->check_model, value, "the file of a model", error);
}

static gboolean set_model_events(struct iot_command *command, const char *value, GError **error)
{
	if (!*value)
		return iot_usage_error(error, "\"\" is not the name or file of a model");
	g_free(command->events_of);
	command->events_of = g_strdup(value);
	command->action = IOT_ACTION_MODEL_EVENTS;
	return TRUE;
}

/* ---- selection ---- */

static gboolean add_glob(GPtrArray *globs, const char *value, GError **error)
{
	if (!*value)
		return iot_usage_error(error, "\"\" is not a pattern, for example \"*/res0?\"");
	g_ptr_array_add(globs, g_strdup(value));
	return TRUE;
}

static gboolean set_select(struct iot_command *command, const char *value, GError **error)
{
	return add_glob(command->options.select, value, error);
}

static gboolean set_exclude(struct iot_command *command, const char *value, GError **error)
{
	return add_glob(command->options.exclude, value, error);
}

static gboolean set_node(struct iot_command *command, const char *value, GError **error)
{
	g_auto(GStrv) names = g_strsplit(value, ",", -1);

	for (guint i = 0; names[i]; i++) {
		if (!*g_strstrip(names[i]))
			break;
		g_ptr_array_add(command->options.nodes, g_strdup(names[i]));
		if (!names[i + 1])
			return TRUE;
	}
	return iot_usage_error(error, "\"%s\" is not a list of nodes, for example 1,3", value);
}

static gboolean set_kind(struct iot_command *command, const char *value, GError **error)
{
	if (!*value)
		return iot_usage_error(error, "\"\" is not a kind, for example write, or wait");
	g_ptr_array_add(command->options.kinds, g_strdup(value));
	return TRUE;
}

/* Only stored here, as run/ knows how to read it. */
static gboolean set_follow(struct iot_command *command, const char *value, GError **error)
{
	struct iot_follow *follow = iot_follow_new(value, error);

	if (!follow)
		return FALSE;
	iot_follow_free(follow);
	g_free(command->options.follow);
	command->options.follow = g_strdup(value);
	return TRUE;
}

static gboolean parse_number(const char *value, guint min, guint max, guint *out, GError **error)
{
	guint64 number;

	if (!g_ascii_string_to_unsigned(value, 10, min, max, &number, NULL))
		return iot_usage_error(error, "\"%s\" is not a whole number from %u to %u", value,
				       min, max);
	*out = (guint)number;
	return TRUE;
}

static gboolean set_top(struct iot_command *command, const char *value, GError **error)
{
	return parse_number(value, 1, G_MAXINT32, &command->options.top, error);
}

/* Only checked here, as the pipeline knows the begin of the recording. */
static gboolean set_instant(char **out, const char *value, GError **error)
{
	guint64 ns;

	if (!iot_parse_duration(*value == '@' ? value + 1 : value, &ns, NULL))
		return iot_usage_error(
			error,
			"\"%s\" is not an instant: seconds since the beginning of the "
			"recording (2.5, 300ms) or @ and seconds of the host's clock",
			value);
	g_free(*out);
	*out = g_strdup(value);
	return TRUE;
}

static gboolean set_from(struct iot_command *command, const char *value, GError **error)
{
	return set_instant(&command->options.from, value, error);
}

static gboolean set_to(struct iot_command *command, const char *value, GError **error)
{
	return set_instant(&command->options.to, value, error);
}

static gboolean set_slower_than(struct iot_command *command, const char *value, GError **error)
{
	return iot_parse_duration(value, &command->options.slower_than_ns, error);
}

static gboolean set_index(struct iot_command *command, const char *value, GError **error)
{
	return set_text(&command->options.index, value, "auto, off or the name of a file", error);
}

/* ---- outputs ---- */
static gboolean set_output(struct iot_command *command, const char *value, GError **error)
{
	struct iot_output *output = iot_output_parse(value, error);

	if (output)
		g_ptr_array_add(command->options.outputs, output);
	return output != NULL;
}

static gboolean set_sort(struct iot_command *command, const char *value, GError **error)
{
	g_autofree char *text = g_strdup_printf("sort=%s", value);

	return iot_sink_options_add(&iot_sink_list, command->list_options, text, error);
}

static gboolean set_tsv(struct iot_command *command, const char *value, GError **error)
{
	(void)value;
	return iot_sink_options_add(&iot_sink_list, command->list_options, "tsv", error);
}

/* ---- checks, limits, general ---- */

static gboolean set_threads(struct iot_command *command, const char *value, GError **error)
{
	return parse_number(value, 0, 1024, &command->options.threads, error);
}

static gboolean set_memory(struct iot_command *command, const char *value, GError **error)
{
	guint64 bytes;

	if (!iot_parse_size(value, &bytes, error))
		return FALSE;
	if (bytes < 4096)
		return iot_usage_error(error, "\"%s\" is not enough; at least 4K", value);
	command->options.memory = bytes;
	return TRUE;
}

static gboolean set_max_open(struct iot_command *command, const char *value, GError **error)
{
	return parse_number(value, 1, G_MAXINT32, &command->options.max_open, error);
}

static gboolean set_max_containers(struct iot_command *command, const char *value, GError **error)
{
	return parse_number(value, 1, 1 << 26, &command->options.max_containers, error);
}

/* The parser has checked the value against the choices of the row. */
static gboolean set_colour(struct iot_command *command, const char *value, GError **error)
{
	(void)error;
	command->colour = !strcmp(value, "always")  ? IOT_COLOUR_ALWAYS
			  : !strcmp(value, "never") ? IOT_COLOUR_NEVER
						    : IOT_COLOUR_AUTO;
	return TRUE;
}

static gboolean set_completion(struct iot_command *command, const char *value, GError **error)
{
	(void)value; /* one of the choices of the row: bash */
	(void)error;
	command->action = IOT_ACTION_COMPLETION;
	return TRUE;
}

static gboolean set_help(struct iot_command *command, const char *value, GError **error)
{
	(void)error;
	command->action = value && !strcmp(value, "man") ? IOT_ACTION_MAN : IOT_ACTION_HELP;
	return TRUE;
}

#define FLAG(member) .flag_at = offsetof(struct iot_command, member)

/* clang-format off */
const struct iot_option iot_option_table[] = {
	{ .name = "map", .argument = "NODE=WHAT[,...]", .group = IOT_GROUP_INPUT, .set = set_map,
	  .help = "Recording WHAT is cluster node NODE. WHAT is the VSOCK CID or guest name in "
		  "trace-WHAT.dat, a host name, or a file. Without it a recording is the node "
		  "named in its own messages (DLM), or it has the name of its host or file." },
	{ .name = "lockspace", .argument = "NAME[,...]", .group = IOT_GROUP_INPUT,
	  .set = set_lockspace,
	  .help = "Possible names of DLM lockspaces. Recordings contain only a checksum of the "
		  "name, so a name is shown if its checksum matches. Names mentioned in the "
		  "recordings are tried without this option." },
	{ .name = "early-end", .argument = "TIME", .group = IOT_GROUP_INPUT, .standard = "5s",
	  .set = set_early_end,
	  .help = "If the last event or clock sample of a recording is more than TIME before "
		  "the last event of another one, the states of its machine are unknown from "
		  "there on: the machine was quiet, or no longer recorded." },
	{ .name = "sync", .argument = "FILE", .group = IOT_GROUP_INPUT,
	  .complete = IOT_COMPLETE_FILE, .set = set_sync,
	  .help = "Pairs of clocks, read before and after the run, instead of the synchronisation "
		  "in the recordings. A line is REFERENCE CLOCK MACHINE CLOCK [ERROR]; names are "
		  "those of nodes, hosts or files." },
	{ .name = "shift", .argument = "NODE=TIME", .group = IOT_GROUP_INPUT, .set = set_shift,
	  .help = "Add TIME (2=-1.5ms) to all times of this node, after any correction. "
		  "Repeatable." },
	{ .name = "clock-assume", .argument = "NAME=VALUE[,...]", .group = IOT_GROUP_INPUT,
	  .standard = "ptp=100us,rate=10ppm,drift=200ppm", .set = set_clock_assume,
	  .help = "Assumptions about the clocks, which recordings do not contain: the greatest "
		  "error of a PTP sample, the greatest change of the difference of two clocks' "
		  "rates, and the greatest difference. They decide which order is proved." },
	{ .name = "clock-error", .argument = "TIME|auto", .group = IOT_GROUP_INPUT,
	  .standard = "auto", .set = set_clock_error,
	  .help = "The clocks of two machines are assumed to differ by at most TIME after "
		  "synchronisation. A link is drawn only if its ends have no other partner within "
		  "this error. auto: the greatest bound of two recordings, 10ms if one has none." },
	{ .name = "reader", .argument = "NAME", .group = IOT_GROUP_INPUT,
	  .once = TRUE,
	  .complete = IOT_COMPLETE_READER,
	  .set = set_reader,
	  .help = "Read all recordings with this reader instead of the best match." },

	{ .name = "model", .letter = 'm', .argument = "NAME|FILE", .group = IOT_GROUP_MODEL,
	  .complete = IOT_COMPLETE_MODEL, .set = set_model,
	  .help = "Use this model: the name of an installed one, or a file. Repeatable. Without "
		  "it every installed model whose events are in the recordings is used." },
	{ .name = "derive", .argument = "NAME", .group = IOT_GROUP_MODEL,
	  .complete = IOT_COMPLETE_ANALYSIS, .set = set_derive,
	  .help = "Draw states that follow from other states. contention: how many wait for a "
		  "resource, on the resource's own row. Repeatable." },
	{ .name = "all-threads", .group = IOT_GROUP_MODEL, FLAG(options.all_threads),
	  .repeated = TRUE,
	  .help = "Draw the scheduler's states of all threads, in rows of their own, and not only "
		  "those of threads that other models draw." },
	{ .name = "check-model", .argument = "FILE", .group = IOT_GROUP_MODEL,
	  .complete = IOT_COMPLETE_FILE,
	  .set = set_check_model,
	  .once = TRUE,
	  .help = "Check a model file, against the events of the recordings if some are given, "
		  "and print its description; analyse nothing." },

	{ .name = "select", .argument = "GLOB", .group = IOT_GROUP_SELECT, .set = set_select,
	  .help = "Show only rows that match the shell pattern, and all rows below them. A "
		  "pattern with / is compared with paths, names joined with / (*/res0?, "
		  "*/res00/node 3), any other pattern with names. Repeatable." },
	{ .name = "exclude", .argument = "GLOB", .group = IOT_GROUP_SELECT, .set = set_exclude,
	  .help = "Leave out rows that match the pattern and all rows below them, even if "
		  "selected. Repeatable." },
	{ .name = "node", .argument = "NODE[,...]", .group = IOT_GROUP_SELECT, .set = set_node,
	  .help = "Show only these nodes." },
	{ .name = "kind", .argument = "KIND", .group = IOT_GROUP_SELECT, .set = set_kind,
	  .help = "Show only states and events of this name (write), of a name that matches the "
		  "shell pattern (\"write*\"), or of this role: wait, hold, call or result. Rows "
		  "without them are left out. Repeatable." },
	{ .name = "follow", .argument = "[NAME=]VALUE", .group = IOT_GROUP_SELECT,
	  .set = set_follow,
	  .help = "Show only the states and events of one call: those whose attribute \"id\" or "
		  "\"call\", or NAME, has this VALUE (17, lkb_id=0x1), those that links connect "
		  "with them on all machines, and those inside these states. Reads the "
		  "recordings twice; if there are links, three times." },
	{ .name = "top", .argument = "N", .group = IOT_GROUP_SELECT, .set = set_top,
	  .help = "Show only the N resources with the greatest sum of waiting time. Reads the "
		  "recordings twice." },
	{ .name = "from", .argument = "TIME", .group = IOT_GROUP_SELECT, .set = set_from,
	  .once = TRUE,
	  .help = "Begin of the window: seconds since the beginning of the recording (2.5, "
		  "300ms), or @ and seconds of the host's clock. It is time 0 of timelines." },
	{ .name = "to", .argument = "TIME", .group = IOT_GROUP_SELECT, .set = set_to,
	  .once = TRUE,
	  .help = "End of the window. A call that begins in the window and has not returned "
		  "after another length of the window is shown as unfinished." },
	{ .name = "index", .argument = "auto|off|FILE", .group = IOT_GROUP_SELECT,
	  .complete = IOT_COMPLETE_FILE, .standard = "auto", .set = set_index,
	  .once = TRUE,
	  .help = "File of the index of large recordings, which makes windows (--from) fast "
		  "from the second run on. auto: next to the first recording, its name with "
		  ".iotrace-index appended, or in the user's cache folder. The file may be "
		  "deleted at any time. off: neither use nor write an index." },
	{ .name = "slower-than", .argument = "TIME", .group = IOT_GROUP_SELECT,
	  .set = set_slower_than,
	  .help = "Show only resources with a wait longer than this (5ms). Reads the recordings "
		  "twice." },

	{ .name = "output", .letter = 'o', .argument = "FORMAT:PATH", .group = IOT_GROUP_OUTPUT,
	  .complete = IOT_COMPLETE_OUTPUT, .set = set_output,
	  .help = "Write this output; PATH - is standard output. Options of the format follow "
		  "it, separated by commas: FORMAT,OPTION,OPTION=VALUE:PATH. Repeatable." },
	{ .name = "list", .group = IOT_GROUP_OUTPUT, FLAG(list),
	  .help = "Print a table of all resources in the recordings. Write other outputs only "
		  "if -o names them." },
	{ .name = "sort", .argument = "KEY", .group = IOT_GROUP_OUTPUT,
	  .complete = IOT_COMPLETE_SORT, .set = set_sort,
	  .help = "Order of the table of --list." },
	{ .name = "tsv", .group = IOT_GROUP_OUTPUT, .set = set_tsv,
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
	{ .name = "audit", .group = IOT_GROUP_CHECK, FLAG(options.audit),
	  .help = "Check the program itself: every item must obey the contract of the timeline." },

	{ .name = "threads", .argument = "N", .group = IOT_GROUP_LIMIT, .standard = "0",
	  .set = set_threads,
	  .help = "Number of threads that read recordings; 0: one for each processor. The result "
		  "is always the same." },
	{ .name = "memory", .argument = "SIZE", .group = IOT_GROUP_LIMIT, .standard = "256M",
	  .set = set_memory,
	  .help = "Memory for buffers; the excess goes to temporary files (in TMPDIR, else "
		  "/tmp)." },
	{ .name = "max-open", .argument = "N", .group = IOT_GROUP_LIMIT, .standard = "1000000",
	  .set = set_max_open,
	  .repeated = TRUE,
	  .help = "Maximum number of open calls and objects; beyond it the oldest are closed as "
		  "unfinished." },
	{ .name = "max-containers", .argument = "N", .group = IOT_GROUP_LIMIT, .standard = "100000",
	  .set = set_max_containers,
	  .repeated = TRUE,
	  .help = "Maximum number of rows of the timeline; all others share one row." },

	{ .name = "quiet", .letter = 'q', .group = IOT_GROUP_GENERAL, FLAG(quiet),
	  .help = "No progress, no warnings and no closing line on standard error; only errors." },
	{ .name = "verbose", .letter = 'v', .group = IOT_GROUP_GENERAL, FLAG(options.verbose),
	  .help = "Report memory use, details of each recording, and the files that were "
		  "written. Twice: more details." },
	{ .name = "colour", .alias = "color", .argument = "WHEN", .group = IOT_GROUP_GENERAL,
	  .complete = IOT_COMPLETE_CHOICES,
	  .choices = "auto always never", .standard = "auto", .set = set_colour,
	  .help = "Colours on standard output; --color is the same. auto: on a terminal, unless "
		  "NO_COLOR is set or TERM is dumb." },
	{ .name = "completion", .argument = "SHELL", .group = IOT_GROUP_GENERAL,
	  .complete = IOT_COMPLETE_CHOICES,
	  .choices = "bash", .set = set_completion,
	  .help = "Print the completion script for bash and exit." },
	{ .name = "models", .group = IOT_GROUP_GENERAL, .action = IOT_ACTION_MODELS,
	  .help = "Print one line for each installed model and exit: name, title, system of its "
		  "events, file, separated by tabs. --check-model NAME describes one." },
	{ .name = "model-events", .argument = "MODEL", .group = IOT_GROUP_GENERAL,
	  .complete = IOT_COMPLETE_MODEL, .set = set_model_events,
	  .help = "Print the events that a model knows, and exit: a line SYSTEM:EVENT for each, with a "
		  "tab and \"optional\" if the model draws its calls and states without the event." },
	{ .name = "formats", .group = IOT_GROUP_GENERAL, .action = IOT_ACTION_FORMATS,
	  .help = "Print one line for each output format, for scripts, and exit: name, suffix "
		  "of files, suffix appended to PATH for a second file, \"file\" if it needs a "
		  "regular file, \"folder\" if it makes a directory or else \"any\", options without a "
		  "value, forms, description. Columns are separated by tabs; \"-\" is an empty column." },
	{ .name = "version", .letter = 'V', .group = IOT_GROUP_GENERAL, .action = IOT_ACTION_VERSION,
	  .help = "Print the version and the libraries, and exit." },
	{ .name = "help", .letter = 'h', .argument = "man", .optional = TRUE, .group = IOT_GROUP_GENERAL,
	  .complete = IOT_COMPLETE_CHOICES, .choices = "man", .set = set_help,
	  .help = "Print this help (or the generated part of the manual page, in asciidoc) and "
		  "exit." },
	{ .name = NULL },
};
/* clang-format on */

/* The values of "sort", an option of the format list. */
static char **sort_keys(void)
{
	for (const struct iot_sink_option *row = iot_sink_list.options; row && row->name; row++)
		if (!strcmp(row->name, "sort") && iot_sink_option_choices(row))
			return g_strsplit(row->argument, "|", -1);
	return NULL;
}

static char **reader_names(void)
{
	GPtrArray *names = g_ptr_array_new();

	for (guint i = 0; iot_source_table[i]; i++)
		g_ptr_array_add(names, g_strdup(iot_source_table[i]->name));
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}

static char **analysis_names(void)
{
	GPtrArray *names = g_ptr_array_new();

	for (guint i = 0; iot_analysis_table[i]; i++)
		g_ptr_array_add(names, g_strdup(iot_analysis_table[i]->name));
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}

char **iot_option_choices(const struct iot_option *option)
{
	if (option->complete == IOT_COMPLETE_CHOICES)
		return g_strsplit(option->choices, " ", -1);
	if (option->complete == IOT_COMPLETE_SORT)
		return sort_keys();
	if (option->complete == IOT_COMPLETE_ANALYSIS)
		return analysis_names();
	return option->complete == IOT_COMPLETE_READER ? reader_names() : NULL;
}

const char *iot_option_group_title(enum iot_option_group group)
{
	static const char *const titles[IOT_GROUP_COUNT] = {
		[IOT_GROUP_INPUT] = "Recordings", [IOT_GROUP_MODEL] = "Meaning",
		[IOT_GROUP_SELECT] = "Selection", [IOT_GROUP_OUTPUT] = "Outputs",
		[IOT_GROUP_CHECK] = "Checks",	  [IOT_GROUP_LIMIT] = "Limits",
		[IOT_GROUP_GENERAL] = "General",
	};

	return titles[group];
}

/* ---- life ---- */

static void clear_shift(gpointer data)
{
	g_free(((struct iot_shift *)data)->node);
}

void iot_options_init(struct iot_options *options)
{
	memset(options, 0, sizeof(*options));
	options->inputs = g_ptr_array_new_with_free_func(g_free);
	options->lockspaces = g_ptr_array_new_with_free_func(g_free);
	options->mappings = g_ptr_array_new_with_free_func(iot_mapping_free);
	options->shifts = g_array_new(FALSE, FALSE, sizeof(struct iot_shift));
	g_array_set_clear_func(options->shifts, clear_shift);
	options->outputs = g_ptr_array_new_with_free_func((GDestroyNotify)iot_output_free);
	options->models = g_ptr_array_new_with_free_func(g_free);
	options->select = g_ptr_array_new_with_free_func(g_free);
	options->repeated = g_ptr_array_new_with_free_func(g_free);
	options->exclude = g_ptr_array_new_with_free_func(g_free);
	options->nodes = g_ptr_array_new_with_free_func(g_free);
	options->kinds = g_ptr_array_new_with_free_func(g_free);
	options->derive = g_ptr_array_new_with_free_func(g_free);
}

void iot_options_clear(struct iot_options *options)
{
	g_clear_pointer(&options->inputs, g_ptr_array_unref);
	g_clear_pointer(&options->mappings, g_ptr_array_unref);
	g_clear_pointer(&options->shifts, g_array_unref);
	g_clear_pointer(&options->sync_file, g_free);
	g_clear_pointer(&options->lockspaces, g_ptr_array_unref);
	g_clear_pointer(&options->outputs, g_ptr_array_unref);
	g_clear_pointer(&options->models, g_ptr_array_unref);
	g_clear_pointer(&options->select, g_ptr_array_unref);
	g_clear_pointer(&options->repeated, g_ptr_array_unref);
	g_clear_pointer(&options->exclude, g_ptr_array_unref);
	g_clear_pointer(&options->nodes, g_ptr_array_unref);
	g_clear_pointer(&options->kinds, g_ptr_array_unref);
	g_clear_pointer(&options->derive, g_ptr_array_unref);
	g_clear_pointer(&options->follow, g_free);
	g_clear_pointer(&options->from, g_free);
	g_clear_pointer(&options->to, g_free);
	g_clear_pointer(&options->reader, g_free);
	g_clear_pointer(&options->index, g_free);
}

void iot_command_clear(struct iot_command *command)
{
	iot_options_clear(&command->options);
	g_clear_pointer(&command->check_model, g_free);
	g_clear_pointer(&command->events_of, g_free);
	g_clear_pointer(&command->list_options, g_hash_table_unref);
}
