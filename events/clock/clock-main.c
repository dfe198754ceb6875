/* SPDX-License-Identifier: GPL-2.0-or-later */
/* iotrace-clock: pairs of clocks of several machines, before and after a run. */
#include "clock-pairs.h"
#include "clock-serve.h"

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
	char **run; /* NULL: no command */
};

static const char help[] =
	"usage: iotrace-clock --serve [ADDRESS...]\n"
	"       iotrace-clock [OPTION...] [NAME=]ADDRESS... [-- COMMAND [ARGUMENT...]]\n"
	"\n"
	"Reads the clocks of machines and of this one at the same instants, for iotrace-analyze\n"
	"--sync FILE. Each machine needs a running iotrace-clock --serve.\n"
	"\n"
	"  --serve             answer at each ADDRESS: PORT, HOST:PORT, vsock or vsock:PORT\n"
	"                      (default: " CLOCK_PORT ")\n"
	"  -o, --output FILE   write the pairs to FILE, which must not exist (default: -)\n"
	"  -a, --append        add the pairs to FILE\n"
	"  -c, --clock CLOCK   the trace clock of the recordings: mono, mono_raw, boot or tai\n"
	"                      (default: mono)\n"
	"  -r, --reference NAME\n"
	"                      name of this machine (default: its host name)\n"
	"  -n, --rounds N      round trips, of which the fastest counts (default: 200)\n"
	"  -t, --timeout MS    for one answer (default: 2000)\n"
	"      --help, --version\n"
	"\n"
	"ADDRESS is HOST:PORT, [IPV6]:PORT or vsock:CID:PORT. With a COMMAND the clocks are read "
	"before\n"
	"and after it; without one, call iotrace-clock before the run, and with --append after "
	"it.\n"
	"Status: 0, 1 (usage), 2 (a clock was not read), 3 (FILE was not written), or that of "
	"COMMAND.\n";

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
	case 'S':
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

/* Arguments up to "--"; the command follows. */
static int parse(struct command *command, int argc, char **argv)
{
	static const struct option options[] = { { "serve", no_argument, NULL, 'S' },
						 { "output", required_argument, NULL, 'o' },
						 { "append", no_argument, NULL, 'a' },
						 { "clock", required_argument, NULL, 'c' },
						 { "rounds", required_argument, NULL, 'n' },
						 { "timeout", required_argument, NULL, 't' },
						 { "reference", required_argument, NULL, 'r' },
						 { NULL, 0, NULL, 0 } };
	int n = argc, option, status = OK;

	for (int i = 1; i < argc && n == argc; i++)
		if (!strcmp(argv[i], "--"))
			n = i;
	if (n < argc)
		command->run = argv + n + 1;
	while (status == OK && (option = getopt_long(n, argv, "o:ac:n:t:r:", options, NULL)) != -1)
		status = set_option(command, option, optarg);
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

int main(int argc, char **argv)
{
	char host[CLOCK_NAME_SIZE] = "";
	struct command command = {
		.to = { .path = "-", .reference = host, .clock = "mono" },
		.how = { .rounds = 200, .timeout_ms = 2000 },
	};
	int status;

	if (argc == 2 && !strcmp(argv[1], "--help"))
		return fputs(help, stdout) < 0 || fflush(stdout) ? NOT_WRITTEN : OK;
	if (argc == 2 && !strcmp(argv[1], "--version"))
		return printf("iotrace-clock %s\n", IOT_VERSION) < 0 || fflush(stdout) ? NOT_WRITTEN
										       : OK;
	(void)gethostname(host, sizeof(host) - 1);
	status = parse(&command, argc, argv);
	if (status != OK)
		return status;
	if (command.serve)
		return serve(&command);
	if (!is_name(command.to.reference))
		return usage_error("this machine has no usable name; give it one: --reference");
	return measure(&command);
}
