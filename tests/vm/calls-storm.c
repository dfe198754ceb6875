/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many writers of /dev/iotrace at once, with disturbances. The number of records taken goes to
 * standard output, to be compared with the events in the trace.
 *
 *   calls-storm flood WRITERS WRITES BATCH   writes of 1 to BATCH records, by processes and threads
 *
 *   calls-storm flip WRITES                  the records change while they are written
 *
 *   calls-storm close WRITES                 the descriptor is closed and opened meanwhile
 *
 *   calls-storm signal RECORDS               one long write, interrupted again and again
 *
 *   calls-storm kill                         one long write, and the process is killed in it
 *
 *   calls-storm users                        open, write, map and close, until it is killed
 */
#define _GNU_SOURCE
#include "iotrace-abi.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEVICE	"/dev/iotrace"
#define THREADS 2
#define KILLED	200000 /* records of the write in which the writer is killed */

static unsigned long writes, batch;
static int device = -1;
static unsigned long taken; /* by all threads, also of child processes */
static volatile bool stop;

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "calls-storm: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int open_device(void)
{
	int fd = open(DEVICE, O_RDWR);

	if (fd < 0)
		fail(DEVICE);
	return fd;
}

/* The texts contain the id, so that a torn event shows. */
static void make(struct iotrace_record *r, unsigned long id)
{
	*r = (struct iotrace_record){ .magic = IOTRACE_ABI_MAGIC,
				      .version = IOTRACE_ABI_VERSION,
				      .size = sizeof(*r),
				      .kind = IOTRACE_CALL_START + id % 4,
				      .id = id,
				      .object = id };
	snprintf(r->domain, sizeof(r->domain), "d%lu", id);
	snprintf(r->resource, sizeof(r->resource), "%*lu", (int)(id % 300 + 1), id);
	snprintf(r->op, sizeof(r->op), "o%lu", id);
}

static void add(unsigned long n)
{
	__atomic_fetch_add(&taken, n, __ATOMIC_RELAXED);
}

static pthread_t start(void *(*run)(void *), void *arg)
{
	pthread_t thread;

	errno = pthread_create(&thread, NULL, run, arg);
	if (errno)
		fail("thread");
	return thread;
}

/* --- flood --- */

static void *flood(void *arg)
{
	struct iotrace_record *records = malloc(batch * sizeof(*records));
	unsigned long id = (unsigned long)arg;

	for (unsigned long i = 0; i < writes; i++) {
		unsigned long n = i % batch + 1;
		ssize_t size = (ssize_t)(n * sizeof(*records));

		for (unsigned long k = 0; k < n; k++)
			make(&records[k], id++);
		if (write(device, records, (size_t)size) != size)
			fail("write");
		add(n);
	}
	free(records);
	return NULL;
}

static void flood_process(unsigned long number)
{
	pthread_t threads[THREADS];

	device = open_device();
	for (unsigned long i = 0; i < THREADS; i++)
		threads[i] = start(flood, (void *)((number * THREADS + i + 1) << 32));
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void run_flood(unsigned long processes)
{
	int status;

	for (unsigned long i = 0; i < processes; i++) {
		pid_t child = fork();

		if (child < 0)
			fail("fork");
		if (!child) {
			flood_process(i);
			exit(0);
		}
	}
	while (wait(&status) > 0)
		if (status)
			exit(1);
	taken = processes * THREADS * (writes / batch * (batch * (batch + 1) / 2));
	taken += processes * THREADS * (writes % batch * (writes % batch + 1) / 2);
}

/* --- records that change --- */

static struct iotrace_record changing;

static void *flip(void *arg)
{
	(void)arg;
	for (unsigned long i = 0; !stop; i++) {
		memset(changing.resource, i & 1 ? 'x' : 0, sizeof(changing.resource));
		changing.kind = (__u16)(i % 7);
		changing.version = i & 8 ? 2 : 1;
		changing.size = i & 16 ? 2 : sizeof(changing);
		changing.reserved[i % 3] ^= 1;
	}
	return NULL;
}

static void *write_changing(void *arg)
{
	(void)arg;
	for (unsigned long i = 0; i < writes; i++) {
		ssize_t n = write(device, &changing, sizeof(changing));

		if (n == sizeof(changing))
			add(1);
		else if (n >= 0 ||
			 (errno != EINVAL && errno != EMSGSIZE && errno != EPROTONOSUPPORT))
			fail("write");
	}
	return NULL;
}

static void run_flip(void)
{
	pthread_t threads[THREADS], flipper;

	device = open_device();
	make(&changing, 1);
	flipper = start(flip, NULL);
	for (int i = 0; i < THREADS; i++)
		threads[i] = start(write_changing, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	stop = true;
	pthread_join(flipper, NULL);
}

/* --- a descriptor that is closed and opened --- */

static void *write_or_not(void *arg)
{
	struct iotrace_record r;

	for (unsigned long i = 0; i < writes; i++) {
		make(&r, (unsigned long)arg + i);
		if (write(device, &r, sizeof(r)) == sizeof(r))
			add(1);
		else if (errno != EBADF)
			fail("write");
	}
	return NULL;
}

static void *close_and_open(void *arg)
{
	int fd = open_device();

	(void)arg;
	while (!stop) {
		close(device);
		if (dup2(fd, device) < 0)
			fail("dup2");
	}
	return NULL;
}

static void run_close(void)
{
	pthread_t threads[THREADS], closer;

	device = open_device();
	closer = start(close_and_open, NULL);
	for (unsigned long i = 0; i < THREADS; i++)
		threads[i] = start(write_or_not, (void *)((i + 1) << 32));
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	stop = true;
	pthread_join(closer, NULL);
}

/* --- one long write --- */

static void nothing(int signal)
{
	(void)signal;
}

static struct iotrace_record *make_many(unsigned long n)
{
	struct iotrace_record *records = malloc(n * sizeof(*records));

	if (!records)
		fail("memory");
	for (unsigned long i = 0; i < n; i++)
		make(&records[i], i + 1);
	return records;
}

static void run_signal(unsigned long n)
{
	struct iotrace_record *records = make_many(n);
	struct sigaction action = { .sa_handler = nothing };
	struct itimerval often = { { 0, 1000 }, { 0, 1000 } };
	unsigned long parts = 0;

	device = open_device();
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (; taken < n; parts++) {
		ssize_t size = write(device, records + taken, (n - taken) * sizeof(*records));

		if (size <= 0 || size % (ssize_t)sizeof(*records))
			fail("write");
		taken += (unsigned long)size / sizeof(*records);
	}
	fprintf(stderr, "calls-storm: %lu records in %lu parts\n", n, parts);
	if (parts < 2)
		fail("the signal did not interrupt the write");
}

static void run_kill(void)
{
	struct iotrace_record *records = make_many(KILLED);
	int status, pipes[2];
	char byte;
	pid_t child;

	device = open_device();
	if (pipe(pipes))
		fail("pipe");
	child = fork();
	if (child < 0)
		fail("fork");
	if (!child) {
		if (write(pipes[1], "x", 1) != 1)
			_exit(1);
		while (write(device, records, KILLED * sizeof(*records)) > 0)
			;
		_exit(1);
	}
	if (read(pipes[0], &byte, 1) != 1 || usleep(20000) || kill(child, SIGKILL) ||
	    waitpid(child, &status, 0) != child)
		fail("kill");
	if (!WIFSIGNALED(status))
		fail("the writer ended by itself");
}

static void run_users(void)
{
	struct iotrace_record r;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	make(&r, 1);
	for (;;) {
		void *page;
		int fd;

		usleep(500); /* leaves room for rmmod */
		fd = open(DEVICE, O_RDWR);
		if (fd < 0)
			continue;
		page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
		if (write(fd, &r, sizeof(r)) != sizeof(r) || page == MAP_FAILED)
			fail("an open device");
		close(fd);
		if (*(volatile __u32 *)page != IOTRACE_ABI_MAGIC)
			fail("a mapped page");
		munmap(page, 4096);
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	writes = argc > 2 ? strtoul(argv[argc > 3 ? 3 : 2], NULL, 0) : 0;
	batch = argc > 4 ? strtoul(argv[4], NULL, 0) : 1;
	if (!strcmp(what, "flood") && argc == 5 && batch)
		run_flood(strtoul(argv[2], NULL, 0));
	else if (!strcmp(what, "flip") && argc == 3)
		run_flip();
	else if (!strcmp(what, "close") && argc == 3)
		run_close();
	else if (!strcmp(what, "signal") && argc == 3)
		run_signal(writes);
	else if (!strcmp(what, "kill"))
		run_kill();
	else if (!strcmp(what, "users"))
		run_users();
	else
		return 2;
	printf("%lu\n", taken);
	return 0;
}
