/* SPDX-License-Identifier: GPL-2.0-or-later */
/* iotrace-clock: pairs of clocks of several machines, before and after a run. */
#include "clock-mark.h"
#include "clock-pairs.h"
#include "clock-serve.h"
#include "options/option-words.h"

#include <errno.h>
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
	int append, serve, mark;
	int action; /* enum iot_action */
	char **run; /* NULL: no command */
	/* as typed; NULL: not */
	const char *reference, *rounds, *timeout;
};

#define AT(member) .at = offsetof(struct command, member)

/* clang-format off */
static const struct iot_option rows[] = {
	{ .name = "serve", AT(serve),
	  .help = "Answer at each ADDRESS: PORT, HOST:PORT, vsock or vsock:PORT. Without an address at port " CLOCK_PORT " of TCP. "
		  "Port 0 is any free port, which the program prints." },
	{ .name = "mark", AT(mark),
	  .help = "Write the clocks of this machine into its trace, or into that of each instance that is named. By such marks, from before "
		  "and after, iotrace-analyze places a log of strace beside the recording. iotrace-record does it by itself, but not for guests." },
	{ .name = "output", .letter = 'o', .argument = "FILE", AT(to.path), .offer = IOT_OFFER_FILES,
	  .help = "Write the pairs to FILE, which must not exist. Default: standard output." },
	{ .name = "append", .letter = 'a', AT(append), .help = "Add the pairs to FILE." },
	{ .name = "clock", .letter = 'c', .argument = "CLOCK", AT(to.clock), .offer = IOT_OFFER_TOLD,
	  .words = "mono, mono_raw, boot, tai",
	  .help = "The trace clock of the recordings (trace-cmd record -C): mono (the default), mono_raw, boot or tai. No program "
		  "can read the clock local, the default of trace-cmd." },
	{ .name = "reference", .letter = 'r', .argument = "NAME", AT(reference),
	  .help = "Name of this machine. Default: its host name." },
	{ .name = "rounds", .letter = 'n', .argument = "N", AT(rounds),
	  .help = "Round trips for each pair, of which the fastest counts. Default: 200." },
	{ .name = "timeout", .letter = 't', .argument = "MS", AT(timeout),
	  .help = "Time for one answer. Default: 2000." },
	IOT_GENERAL_OPTIONS("Print the version and exit."),
};
/* clang-format on */

static const struct iot_program program = {
	.name = "iotrace-clock",
	.rows = rows,
	.runs = 1,
	.usage = "iotrace-clock - read the clocks of several machines before and after a run\n\n"
		 "usage: iotrace-clock --serve [ADDRESS...]\n"
		 "       iotrace-clock --mark [INSTANCE...]\n"
		 "       iotrace-clock [OPTION...] [NAME=]ADDRESS... [-- COMMAND [ARGUMENT...]]\n\n"
		 "Reads the clocks of machines and of this one at the same instants, for\n"
		 "iotrace-analyze --sync FILE. Each machine needs a running iotrace-clock "
		 "--serve.\n\n",
	.end = "\nADDRESS is HOST:PORT, [IPV6]:PORT or vsock:CID:PORT. With a COMMAND the clocks "
	       "are\n"
	       "read before and after it; without one, call iotrace-clock before the run, and "
	       "with\n"
	       "--append after it.\n\n"
	       "Exit status: 0; 1: usage; 2: a clock was not read; 3: FILE was not written; or "
	       "that\n"
	       "of COMMAND.\n",
};

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

static int take_values(struct command *command)
{
	unsigned int timeout;

	if (!*command->to.path)
		return usage_error("--output: the name of FILE is empty");
	command->how.clock = (unsigned int)clock_number(command->to.clock);
	if (command->reference && !is_name(command->reference))
		return usage_error("--reference: \"%s\" is no name", command->reference);
	if (command->reference)
		command->to.reference = command->reference;
	if (command->rounds && parse_count(command->rounds, 1000000, &command->how.rounds))
		return usage_error("--rounds: \"%s\" is not 1 to 1000000", command->rounds);
	if (!command->timeout)
		return OK;
	if (parse_count(command->timeout, 600000, &timeout))
		return usage_error("--timeout: \"%s\" is not 1 to 600000 ms", command->timeout);
	command->how.timeout_ms = (int)timeout;
	return OK;
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

static int take_word(struct command *command, struct iot_option_words *words, enum iot_word what)
{
	int status = OK;

	if (what == IOT_WORD_PLAIN)
		return add_target(command, (char *)words->value);
	if (what == IOT_WORD_WRONG)
		status = usage_error("%s", words->error);
	free(words->error);
	return status;
}

/* Arguments up to "--"; the command follows. */
static int parse(struct command *command, char **argv)
{
	struct iot_option_words words = { rows, command, (const char *const *)argv + 1 };
	enum iot_word what;
	int status = OK;

	while (status == OK && !words.action && !command->run &&
	       (what = iot_option_next(&words)) != IOT_WORD_END) {
		status = take_word(command, &words, what);
		if (what == IOT_WORD_DASHES)
			command->run = (char **)words.next;
	}
	command->action = words.action;
	if (status == OK && command->action)
		return OK;
	if (status == OK)
		status = take_values(command);
	if (status == OK && command->run && !*command->run)
		return usage_error("there is no COMMAND after --");
	if (status == OK && command->mark && (command->serve || command->run))
		return usage_error("--mark goes with neither --serve nor COMMAND");
	if (status == OK && !command->n && !command->serve && !command->mark)
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

/* Write marks into one trace. */
static int mark_in(const char *instance)
{
	const char *tracing = access("/sys/kernel/tracing/trace_marker", F_OK)
				      ? "/sys/kernel/debug/tracing"
				      : "/sys/kernel/tracing";
	char path[512];

	snprintf(path, sizeof(path), "%s%s%s/trace_marker", tracing, *instance ? "/instances/" : "",
		 instance);
	if (clock_mark(path) == 0)
		return OK;
	fprintf(stderr, "iotrace-clock: cannot write %s: %s\n", path, strerror(errno));
	return NOT_WRITTEN;
}

static int mark(const struct command *command)
{
	int status = command->n ? OK : mark_in("");

	for (unsigned int i = 0; i < command->n && status == OK; i++)
		status = mark_in(command->targets[i].address);
	return status;
}

int main(int argc, char **argv)
{
	char host[CLOCK_NAME_SIZE] = "";
	struct command command = {
		.to = { .path = "-", .reference = host, .clock = "mono" },
		.how = { .rounds = 200, .timeout_ms = 2000 },
	};
	int status;

	(void)argc;
	(void)gethostname(host, sizeof(host) - 1);
	status = parse(&command, argv);
	if (status != OK)
		return status;
	if (command.action) {
		iot_option_print(stdout, &program, command.action);
		return fflush(stdout) || ferror(stdout) ? NOT_WRITTEN : OK;
	}
	if (command.serve)
		return serve(&command);
	if (command.mark)
		return mark(&command);
	if (!is_name(command.to.reference))
		return usage_error("this machine has no usable name; give it one: --reference");
	return measure(&command);
}
