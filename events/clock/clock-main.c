/* SPDX-License-Identifier: GPL-2.0-or-later */
/* iotrace-clock: pairs of clocks of several machines, before and after a run. */
#include "clock-pairs.h"
#include "clock-serve.h"
#include "option-table.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OK, BAD_USAGE, NOT_MEASURED, NOT_WRITTEN };
enum { MAX_TARGETS = 256 };

struct command {
	struct clock_pairs to;
	struct clock_measure how;
	struct clock_target targets[MAX_TARGETS];
	unsigned int n;
	int append, serve;
	int print;  /* the key of an option that prints and ends, or 0 */
	char **run; /* NULL: no command */
};

enum { SERVE = 256, COMPLETION, HELP_MAN };

/* clang-format off */
static const struct opt_row rows[] = {
	{ .name = "serve", .key = SERVE,
	  .help = "Answer at each ADDRESS: PORT, HOST:PORT, vsock or vsock:PORT. Without an address at port " CLOCK_PORT " of TCP. "
		  "Port 0 is any free port, which the program prints." },
	{ .name = "output", .letter = 'o', .argument = "FILE", .offer = OPT_FILES,
	  .help = "Write the pairs to FILE, which must not exist. Default: standard output." },
	{ .name = "append", .letter = 'a', .help = "Add the pairs to FILE." },
	{ .name = "clock", .letter = 'c', .argument = "CLOCK", .offer = OPT_WORDS, .words = "mono mono_raw boot tai",
	  .help = "The trace clock of the recordings (trace-cmd record -C): mono (the default), mono_raw, boot or tai. No program "
		  "can read the clock local, the default of trace-cmd." },
	{ .name = "reference", .letter = 'r', .argument = "NAME",
	  .help = "Name of this machine. Default: its host name." },
	{ .name = "rounds", .letter = 'n', .argument = "N",
	  .help = "Round trips for each pair, of which the fastest counts. Default: 200." },
	{ .name = "timeout", .letter = 't', .argument = "MS",
	  .help = "Time for one answer. Default: 2000." },
	{ .name = "completion", .argument = "bash", .key = COMPLETION, .offer = OPT_WORDS, .words = "bash",
	  .help = "Print the completion script for bash and exit." },
	{ .name = "version", .letter = 'V', .help = "Print the version and exit." },
	{ .name = "help", .letter = 'h', .help = "Print this help and exit." },
	{ .name = "help-man", .key = HELP_MAN, .help = "Print this list for the manual page and exit." },
	{ .name = NULL },
};
/* clang-format on */

static void print_help(void)
{
	fputs("iotrace-clock - read the clocks of several machines before and after a run\n\n"
	      "usage: iotrace-clock --serve [ADDRESS...]\n"
	      "       iotrace-clock [OPTION...] [NAME=]ADDRESS... [-- COMMAND [ARGUMENT...]]\n\n"
	      "Reads the clocks of machines and of this one at the same instants, for\n"
	      "iotrace-analyze --sync FILE. Each machine needs a running iotrace-clock "
	      "--serve.\n\n",
	      stdout);
	opt_print_help(stdout, rows);
	fputs("\nADDRESS is HOST:PORT, [IPV6]:PORT or vsock:CID:PORT. With a COMMAND the clocks "
	      "are\n"
	      "read before and after it; without one, call iotrace-clock before the run, and with\n"
	      "--append after it.\n\n"
	      "Exit status: 0; 1: usage; 2: a clock was not read; 3: FILE was not written; or "
	      "that\n"
	      "of COMMAND.\n",
	      stdout);
}

static int complain(int status, const char *text)
{
	fprintf(stderr, "iotrace-clock: %s\n", text);
	return status;
}

static int usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

static int usage_error(const char *format, ...)
{
	va_list args;

	fputs("iotrace-clock: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return BAD_USAGE;
}

/* ---- the command line */

static int parse_count(const char *text, unsigned int most, unsigned int *out)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (*text < '1' || *text > '9' || *end || value > most)
		return -1;
	*out = (unsigned int)value;
	return 0;
}

static int is_name(const char *name)
{
	return *name && strlen(name) < CLOCK_NAME_SIZE && !strpbrk(name, " \t\r\n#");
}

static int set_option(struct command *command, int option, const char *value)
{
	unsigned int timeout;

	switch (option) {
	case 'h':
	case 'V':
	case HELP_MAN:
		command->print = option;
		return OK;
	case COMPLETION:
		command->print = option;
		return strcmp(value, "bash")
			       ? usage_error("--completion: \"%s\" is not bash", value)
			       : OK;
	case SERVE:
		command->serve = 1;
		return OK;
	case 'a':
		command->append = 1;
		return OK;
	case 'o':
		command->to.path = value;
		return *value ? OK : usage_error("--output: the name of FILE is empty");
	case 'c':
		if (clock_number(value) < 0)
			return usage_error("--clock: no program can read the clock \"%s\", only "
					   "%s",
					   value, clock_list());
		command->how.clock = (unsigned int)clock_number(value);
		command->to.clock = value;
		return OK;
	case 'r':
		command->to.reference = value;
		return is_name(value) ? OK : usage_error("--reference: \"%s\" is no name", value);
	case 'n':
		if (parse_count(value, 1000000, &command->how.rounds))
			return usage_error("--rounds: \"%s\" is not 1 to 1000000", value);
		return OK;
	case 't':
		if (parse_count(value, 600000, &timeout))
			return usage_error("--timeout: \"%s\" is not 1 to 600000 ms", value);
		command->how.timeout_ms = (int)timeout;
		return OK;
	default:
		return usage_error("iotrace-clock --help lists the options");
	}
}

static int add_target(struct command *command, char *word)
{
	struct clock_target *target = &command->targets[command->n];
	char *equals = strchr(word, '=');

	if (command->n == MAX_TARGETS)
		return usage_error("more than 256 machines");
	*target = (struct clock_target){ .address = equals ? equals + 1 : word };
	if (equals) {
		*equals = '\0';
		target->name = word;
		if (!is_name(word))
			return usage_error("\"%s\" is no name of a machine", word);
	}
	command->n++;
	return OK;
}

/* The table as getopt_long wants it; @letters has room for two characters of each row. */
static void list_options(struct option *options, char *letters)
{
	for (const struct opt_row *row = rows; row->name; row++) {
		*options++ =
			(struct option){ row->name, row->argument ? required_argument : no_argument,
					 NULL, row->letter ? row->letter : row->key };
		if (row->letter)
			*letters++ = row->letter;
		if (row->letter && row->argument)
			*letters++ = ':';
	}
	*options = (struct option){ NULL, 0, NULL, 0 };
	*letters = '\0';
}

/* Arguments up to "--"; the command follows. */
static int parse(struct command *command, int argc, char **argv)
{
	struct option options[sizeof(rows) / sizeof(*rows)];
	char letters[2 * sizeof(rows) / sizeof(*rows)];
	int n = argc, option, status = OK;

	list_options(options, letters);
	for (int i = 1; i < argc && n == argc; i++)
		if (!strcmp(argv[i], "--"))
			n = i;
	if (n < argc)
		command->run = argv + n + 1;
	while (status == OK && (option = getopt_long(n, argv, letters, options, NULL)) != -1)
		status = set_option(command, option, optarg);
	if (status == OK && command->print)
		return OK;
	for (int i = optind; status == OK && i < n; i++)
		status = add_target(command, argv[i]);
	if (status == OK && command->run && !*command->run)
		return usage_error("there is no COMMAND after --");
	if (status == OK && !command->n && !command->serve)
		return usage_error("name machines: iotrace-clock web=10.0.0.2 (--help)");
	if (status == OK && command->serve && command->run)
		return usage_error("--serve runs no COMMAND");
	return status;
}

/* ---- measuring */

/* Read all clocks and write the pairs. */
static int take(const struct command *command, int append)
{
	static struct clock_reading readings[MAX_TARGETS];
	struct clock_error error;

	for (unsigned int i = 0; i < command->n; i++)
		if (clock_measure(&command->targets[i], &command->how, &readings[i], &error))
			return complain(NOT_MEASURED, error.text);
	if (clock_pairs_write(&command->to, readings, command->n, append, &error))
		return complain(NOT_WRITTEN, error.text);
	return OK;
}

static int run(char **argv)
{
	pid_t child = fork();
	int status;

	if (!child) {
		execvp(*argv, argv);
		fprintf(stderr, "iotrace-clock: cannot run %s: %s\n", *argv, strerror(errno));
		_exit(127);
	}
	while (child > 0 && waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			child = -1;
	if (child < 0)
		return complain(127, strerror(errno));
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int measure(const struct command *command)
{
	int to_file = strcmp(command->to.path, "-") != 0, status, result;

	if (to_file && !command->append && !access(command->to.path, F_OK))
		return usage_error("%s exists; --append adds to it", command->to.path);
	status = take(command, command->append);
	if (status != OK || !command->run)
		return status;
	result = run(command->run);
	status = take(command, 1);
	if (status != OK && to_file)
		fprintf(stderr,
			"iotrace-clock: %s has the pairs from before the command; the same command "
			"line with --append, without COMMAND, adds those from after it\n",
			command->to.path);
	return result ? result : status;
}

static int serve(const struct command *command)
{
	const char *addresses[MAX_TARGETS] = { CLOCK_PORT };
	struct clock_error error;

	for (unsigned int i = 0; i < command->n; i++)
		addresses[i] = command->targets[i].address;
	clock_serve(addresses, command->n ? command->n : 1, &error);
	return complain(NOT_MEASURED, error.text);
}

static int print(int what)
{
	if (what == 'h')
		print_help();
	else if (what == 'V')
		puts("iotrace-clock " IOT_VERSION);
	else if (what == HELP_MAN)
		opt_print_man(stdout, "iotrace-clock", rows);
	else
		opt_print_completion(stdout, "iotrace-clock", rows, 1);
	return fflush(stdout) || ferror(stdout) ? NOT_WRITTEN : OK;
}

int main(int argc, char **argv)
{
	char host[CLOCK_NAME_SIZE] = "";
	struct command command = {
		.to = { .path = "-", .reference = host, .clock = "mono" },
		.how = { .rounds = 200, .timeout_ms = 2000 },
	};
	int status;

	(void)gethostname(host, sizeof(host) - 1);
	status = parse(&command, argc, argv);
	if (status != OK)
		return status;
	if (command.print)
		return print(command.print);
	if (command.serve)
		return serve(&command);
	if (!is_name(command.to.reference))
		return usage_error("this machine has no usable name; give it one: --reference");
	return measure(&command);
}
