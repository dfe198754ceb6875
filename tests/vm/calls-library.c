/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libiotrace-calls with the module: its results follow the module's state, from absence to return. */
#include "iotrace-calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define EVENTS "/sys/kernel/tracing/events/iotrace/"

static int failures;

#define CHECK(condition)                                                                       \
	do {                                                                                   \
		if (!(condition)) {                                                            \
			failures++;                                                            \
			fprintf(stderr, "calls-library: line %d: %s\n", __LINE__, #condition); \
		}                                                                              \
	} while (0)

static void run(const char *command)
{
	if (system(command)) {
		fprintf(stderr, "calls-library: %s\n", command);
		exit(1);
	}
}

static bool says(int error, const char *expected)
{
	char text[256];

	if (!strcmp(iotrace_explain(error, text, sizeof(text)), expected))
		return true;
	fprintf(stderr, "calls-library: %s\n", text);
	return false;
}

/* One event of each kind; checks the number written. */
static bool emits(const char *resource, uint64_t expected)
{
	struct iotrace_call call = {
		.id = iotrace_id(), .mode = -1, .domain = "library", .resource = resource
	};
	struct iotrace_counts before, now;

	iotrace_get_counts(&before);
	if (iotrace_call_start(&call) || iotrace_call_end(&call) || iotrace_call_done(&call) ||
	    iotrace_call_notify(&call))
		return false;
	iotrace_get_counts(&now);
	return now.written - before.written == expected && now.dropped == 0;
}

static void without_module(void)
{
	CHECK(iotrace_recording(IOTRACE_CALL_START)); /* not yet known */
	CHECK(emits("no module", 0));
	CHECK(!iotrace_recording(IOTRACE_CALL_START));
	CHECK(iotrace_id() >> 62 == 1);
	CHECK(says(iotrace_open(), "there is no /dev/iotrace: load the module (modprobe iotrace)"));
}

static void while_events_come_and_go(void)
{
	CHECK(iotrace_open() == 0);
	CHECK(emits("nobody", 0));
	run("echo 1 > " EVENTS "call_start/enable");
	CHECK(iotrace_recording(IOTRACE_CALL_START) && !iotrace_recording(IOTRACE_CALL_END));
	CHECK(emits("one", 1));
	run("echo 1 > " EVENTS "call_notify/enable");
	CHECK(emits("two", 2));
	run("echo 0 > " EVENTS "call_start/enable");
	CHECK(emits("the other", 1));
}

/* The page and the descriptor are inherited, ids are not. */
static void in_a_child(void)
{
	uint64_t id = iotrace_id();
	int status;
	pid_t child = fork();

	if (!child) {
		CHECK(emits("child", 1));
		CHECK(iotrace_id() != id + 1);
		run("echo 0 > " EVENTS "call_notify/enable");
		CHECK(emits("child", 0));
		_exit(failures);
	}
	waitpid(child, &status, 0);
	CHECK(status == 0);
	CHECK(iotrace_id() == id + 1); /* one block of ids from the module */
}

static void when_the_module_goes(void)
{
	CHECK(system("rmmod iotrace 2> /dev/null") != 0);
	iotrace_close();
	run("rmmod iotrace");
	CHECK(emits("module gone", 0));
	run("insmod /root/iotrace.ko && echo 1 > " EVENTS "call_done/enable");
	CHECK(emits("not opened again", 0));
	CHECK(iotrace_open() == 0);
	CHECK(emits("back", 1));
	iotrace_close();
}

static void without_permission(void)
{
	CHECK(setuid(65534) == 0);
	CHECK(says(iotrace_open(), "/dev/iotrace: no permission: be root or in the group iotrace"));
	CHECK(emits("no permission", 0));
}

int main(void)
{
	without_module();
	run("insmod /root/iotrace.ko");
	while_events_come_and_go();
	in_a_child();
	when_the_module_goes();
	without_permission();
	return failures > 0;
}
