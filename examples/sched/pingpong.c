// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pingpong N [intruder]: ping on CPU 0 and pong on CPU 1 send a byte to and fro over two pipes, N times; each works for
 * half a millisecond before it answers. The intruder works for a millisecond, sleeps for a millisecond, and so on, on
 * pong's CPU. A background process of lower priority uses each CPU whenever it is free, so that nothing else on the
 * machine can disturb. Real-time priorities: needs root.
 */
#define _GNU_SOURCE
#include <err.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOW = 10, HIGH = 20 };

static double now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void work(double seconds)
{
	double end = now(CLOCK_THREAD_CPUTIME_ID) + seconds;

	while (now(CLOCK_THREAD_CPUTIME_ID) < end)
		;
}

static void be(int cpu, int priority)
{
	struct sched_param param = { .sched_priority = priority };
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) || sched_setscheduler(0, SCHED_FIFO, &param))
		err(1, "CPU %d, priority %d", cpu, priority);
}

/* A child takes the name that its parent has, so that no event shows it under another one. */
static pid_t child(const char *name, int cpu, int priority)
{
	pid_t pid;

	prctl(PR_SET_NAME, name);
	pid = fork();
	if (pid < 0)
		err(1, "fork");
	if (!pid)
		be(cpu, priority);
	return pid;
}

static void play(int in, int out, int n, int first)
{
	char ball = 0;

	for (int i = 0; i < n; i++) {
		if (first && write(out, &ball, 1) != 1)
			err(1, "write");
		if (read(in, &ball, 1) != 1)
			err(1, "read");
		work(500e-6);
		if (!first && write(out, &ball, 1) != 1)
			err(1, "write");
	}
	_exit(0);
}

int main(int argc, char **argv)
{
	pid_t background[2], intruder = 0, ping, pong;
	int there[2], back[2];
	double start;

	if (argc < 2 || argc > 3 || (argc == 3 && strcmp(argv[2], "intruder")))
		errx(1, "usage: pingpong N [intruder]");
	be(0, HIGH + 1);
	for (int i = 0; i < 2; i++) {
		background[i] = child("background", i, LOW);
		while (!background[i])
			;
	}
	if (argc == 3) {
		intruder = child("intruder", 1, HIGH);
		while (!intruder) {
			work(1e-3);
			usleep(1000);
		}
	}
	if (pipe(there) || pipe(back))
		err(1, "pipe");
	start = now(CLOCK_MONOTONIC);
	pong = child("pong", 1, HIGH);
	if (!pong)
		play(there[0], back[1], atoi(argv[1]), 0);
	ping = child("ping", 0, HIGH);
	if (!ping)
		play(back[0], there[1], atoi(argv[1]), 1);
	prctl(PR_SET_NAME, "pingpong");
	waitpid(ping, NULL, 0);
	waitpid(pong, NULL, 0);
	printf("%.3f s\n", now(CLOCK_MONOTONIC) - start);
	for (int i = 0; i < 2; i++)
		kill(background[i], SIGKILL);
	if (intruder)
		kill(intruder, SIGKILL);
	while (wait(NULL) > 0)
		;
	return 0;
}
