// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A load of lock calls for DLM, through libdlm. Every thread does rounds: a request for one of the
 * resources res00, res01 ... in some mode, up to three conversions, an unlock, with pauses between.
 * (seed, n, t, r) alone determines round r of thread t on node n, so the script is known beforehand
 * (--print). Results of calls do not change the script, with one exception: a refused request ends
 * its round.
 *
 * The calls are always legal: only a held lock is converted or unlocked, with one call at a time on a
 * lock. A thread holds at most one lock, and never waits for a conversion, so nothing deadlocks.
 * SIGTERM and SIGINT end the rounds. The program then releases locks and lockspace, and prints a line
 * of totals.
 */
#include <sys/types.h> /* missing in libdlm.h, which needs it */

#include <errno.h>
#include <libdlm.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "load.h"

#define MAX_CONVERSIONS 3
#define MAX_THREADS	64

struct round {
	unsigned int resource;
	uint32_t mode;
	bool noqueue;
	unsigned int hold_us; /* after the request, and after each conversion */
	unsigned int n_conversions;
	uint32_t conversion[MAX_CONVERSIONS];
	unsigned int pause_us;
};

/* Calls of one thread, and their results. */
struct totals {
	unsigned long rounds, requests, conversions, unlocks, granted, refused;
};

struct lock {
	struct dlm_lksb sb;
	pthread_mutex_t mutex;
	pthread_cond_t answered;
	bool done;
};

struct worker {
	pthread_t thread;
	unsigned int number;
	struct totals totals;
	struct lock lock;
};

static struct {
	unsigned int seed, node, threads, resources;
} options = { 1, 1, 2, 8 };

static dlm_lshandle_t lockspace;
static atomic_bool stop;
static atomic_ulong basts;

static void die(const char *what, int error)
{
	fprintf(stderr, "dlmload: %s: %s\n", what, strerror(error));
	exit(1);
}

static uint32_t draw_mode(uint64_t *state)
{
	static const uint32_t modes[] = { LKM_NLMODE, LKM_CRMODE, LKM_CWMODE,
					  LKM_PRMODE, LKM_PWMODE, LKM_EXMODE };

	return modes[load_draw(state) % 6];
}

static struct round script(unsigned int thread, unsigned long number)
{
	uint64_t state = ((uint64_t)options.seed << 48) ^ ((uint64_t)options.node << 40) ^
			 ((uint64_t)thread << 32) ^ number;
	struct round round;

	round.resource = load_draw(&state) % options.resources;
	round.mode = draw_mode(&state);
	round.noqueue = load_draw(&state) % 8 == 0;
	round.hold_us = load_draw(&state) % 4000;
	round.n_conversions = load_draw(&state) % (MAX_CONVERSIONS + 1);
	for (unsigned int i = 0; i < MAX_CONVERSIONS; i++)
		round.conversion[i] = draw_mode(&state);
	round.pause_us = load_draw(&state) % 3000;
	return round;
}

static void on_ast(void *data)
{
	struct lock *lock = data;

	pthread_mutex_lock(&lock->mutex);
	lock->done = true;
	pthread_cond_signal(&lock->answered);
	pthread_mutex_unlock(&lock->mutex);
}

static void on_bast(void *data)
{
	(void)data;
	atomic_fetch_add(&basts, 1);
}

/* Waits for the completion of the call just made and returns its status. */
static int answer(struct lock *lock)
{
	pthread_mutex_lock(&lock->mutex);
	while (!lock->done)
		pthread_cond_wait(&lock->answered, &lock->mutex);
	lock->done = false;
	pthread_mutex_unlock(&lock->mutex);
	return lock->sb.sb_status;
}

/* A request, or with LKF_CONVERT a conversion: 0 if granted, EAGAIN or EDEADLK if refused. */
static int get(struct worker *worker, unsigned int resource, uint32_t mode, uint32_t flags)
{
	struct lock *lock = &worker->lock;
	char name[16];
	int length, status;

	length = snprintf(name, sizeof(name), "res%02u", resource);
	if (dlm_ls_lock(lockspace, mode, &lock->sb, flags, name, length, 0, on_ast, lock, on_bast,
			NULL) != 0)
		status = errno;
	else
		status = answer(lock);
	if (status == 0)
		worker->totals.granted++;
	else if (status == EAGAIN || status == EDEADLK)
		worker->totals.refused++;
	else
		die("lock", status);
	return status;
}

static void unlock(struct worker *worker)
{
	struct lock *lock = &worker->lock;
	int status;

	worker->totals.unlocks++;
	if (dlm_ls_unlock(lockspace, lock->sb.sb_lkid, 0, &lock->sb, lock) != 0)
		die("unlock", errno);
	status = answer(lock);
	if (status != EUNLOCK)
		die("completion of unlock", status);
}

static void play(struct worker *worker, const struct round *round)
{
	worker->totals.rounds++;
	worker->totals.requests++;
	if (get(worker, round->resource, round->mode, round->noqueue ? LKF_NOQUEUE : 0) == 0) {
		usleep(round->hold_us);
		for (unsigned int i = 0; i < round->n_conversions; i++) {
			worker->totals.conversions++;
			get(worker, round->resource, round->conversion[i],
			    LKF_CONVERT | LKF_NOQUEUE);
			usleep(round->hold_us);
		}
		unlock(worker);
	}
	usleep(round->pause_us);
}

static void *work(void *data)
{
	struct worker *worker = data;

	for (unsigned long number = 0; !stop; number++) {
		struct round round = script(worker->number, number);

		play(worker, &round);
	}
	return NULL;
}

static void print_script(unsigned long rounds)
{
	static const char *const names[] = { "NL", "CR", "CW", "PR", "PW", "EX" };

	for (unsigned int thread = 0; thread < options.threads; thread++) {
		for (unsigned long number = 0; number < rounds; number++) {
			struct round round = script(thread, number);

			printf("thread %u round %lu: res%02u %s%s", thread, number, round.resource,
			       names[round.mode], round.noqueue ? " noqueue" : "");
			for (unsigned int i = 0; i < round.n_conversions; i++)
				printf(" -> %s", names[round.conversion[i]]);
			printf(" -> unlock\n");
		}
	}
}

static void open_lockspace(const char *name)
{
	/* fails if the node has joined already, for instance after a killed load */
	lockspace = dlm_create_lockspace(name, 0600);
	if (!lockspace)
		lockspace = dlm_open_lockspace(name);
	if (!lockspace)
		die("lockspace", errno);
	if (dlm_ls_pthread_init(lockspace) != 0)
		die("thread of the lockspace", errno);
}

/* Runs the workers until a signal arrives; signals are blocked before the first thread is made. */
static void run_workers(struct worker *workers)
{
	sigset_t signals;
	int received;

	sigemptyset(&signals);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGINT);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	for (unsigned int i = 0; i < options.threads; i++) {
		workers[i].number = i;
		pthread_mutex_init(&workers[i].lock.mutex, NULL);
		pthread_cond_init(&workers[i].lock.answered, NULL);
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
			die("thread", EAGAIN);
	}
	printf("dlmload: running\n");
	fflush(stdout);
	sigwait(&signals, &received);
	stop = true;
	for (unsigned int i = 0; i < options.threads; i++)
		pthread_join(workers[i].thread, NULL);
}

static void print_totals(const struct worker *workers)
{
	struct totals sum = { 0 };

	for (unsigned int i = 0; i < options.threads; i++) {
		const struct totals *totals = &workers[i].totals;

		sum.rounds += totals->rounds;
		sum.requests += totals->requests;
		sum.conversions += totals->conversions;
		sum.unlocks += totals->unlocks;
		sum.granted += totals->granted;
		sum.refused += totals->refused;
	}
	printf("dlmload: totals rounds=%lu requests=%lu conversions=%lu unlocks=%lu "
	       "granted=%lu refused=%lu basts=%lu\n",
	       sum.rounds, sum.requests, sum.conversions, sum.unlocks, sum.granted, sum.refused,
	       atomic_load(&basts));
}

static const char usage[] = "usage: dlmload [--seed N] [--node N] [--threads N] [--resources N] "
			    "[--print ROUNDS] LOCKSPACE\n"
			    "Locks until SIGTERM or SIGINT; --print shows the script.\n";

int main(int argc, char **argv)
{
	static struct worker workers[MAX_THREADS];
	unsigned int print = 0;
	const struct load_option table[] = {
		{ "--seed", &options.seed, 0, 65535 },
		{ "--node", &options.node, 0, 255 },
		{ "--threads", &options.threads, 1, MAX_THREADS },
		{ "--resources", &options.resources, 1, 100 },
		{ "--print", &print, 1, UINT32_MAX },
		{ NULL },
	};
	const char *name = load_arguments(argc, argv, table, usage);

	if (print) {
		print_script(print);
		return 0;
	}
	open_lockspace(name);
	run_workers(workers);
	if (dlm_release_lockspace(name, lockspace, 0) != 0 && errno != EBUSY)
		die("release of the lockspace", errno);
	print_totals(workers);
	return 0;
}
