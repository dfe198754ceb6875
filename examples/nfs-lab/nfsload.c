// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A load of file calls on a folder of an NFS mount, with known numbers of calls and bytes. A round
 * is direct    each thread writes its blocks of one of two files past the page cache (O_DIRECT),
 * and reads the blocks of another thread stable    each thread writes small blocks of one file past
 * the page cache. Each block is a single request, which the server writes to its disk before it
 * answers: several at once buffered  one thread writes a file in small pieces, syncs it, drops its
 * pages, reads it again names     this thread makes, renames and removes a folder and a file The
 * threads wait for each other between the steps. Each byte is written once in a step, and every
 * piece of a file is whole pages. So the client sends each written byte once, and asks for each
 * byte that is read once. Prints lines of totals.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "load.h"

#define BLOCK	    65536 /* of a direct call */
#define BLOCKS	    4	  /* of a thread in each round */
#define SMALL	    16384 /* of a stable write: not more than wsize */
#define PIECE	    8192  /* of a buffered call */
#define PIECES	    32
#define MAX_THREADS 64

static unsigned int seed = 1, threads = 4, rounds = 3, n_held = 0;
static const char *folder;
static pthread_barrier_t barrier;

/* Each thread has its own; added at the end. */
struct totals {
	unsigned long direct_writes, direct_reads, stable_writes, writes, reads, syncs, opens;
	unsigned long long direct_written, direct_read, stable_written, written, read;
};

static void die(const char *what, const char *path)
{
	fprintf(stderr, "nfsload: %s %s: %s\n", what, path, strerror(errno));
	exit(1);
}

static void in_folder(char path[4096], const char *name, unsigned int number)
{
	snprintf(path, 4096, "%s/%s%u", folder, name, number);
}

static int open_file(struct totals *totals, const char *path, int flags)
{
	int fd = open(path, flags, 0644);

	if (fd < 0)
		die("open", path);
	totals->opens++;
	return fd;
}

/* The blocks of the threads of a file alternate, so that calls of several threads meet in the file.
 */
static off_t place_of(unsigned int thread, unsigned int block)
{
	return (off_t)block * threads + thread;
}

static void direct(struct totals *totals, unsigned int thread, bool writing, char *block)
{
	char path[4096];
	int fd;

	in_folder(path, "direct", thread % 2);
	fd = open_file(totals, path, (writing ? O_WRONLY | O_CREAT : O_RDONLY) | O_DIRECT);
	for (unsigned int i = 0; i < BLOCKS; i++) {
		off_t place = place_of(thread, i) * BLOCK;

		if (writing) {
			memset(block, 'a' + (thread + i) % 26, BLOCK);
			if (pwrite(fd, block, BLOCK, place) != BLOCK)
				die("write", path);
			totals->direct_writes++;
			totals->direct_written += BLOCK;
		} else {
			if (pread(fd, block, BLOCK, place) != BLOCK)
				die("read", path);
			totals->direct_reads++;
			totals->direct_read += BLOCK;
		}
	}
	close(fd);
}

static void stable(struct totals *totals, unsigned int thread, char *block)
{
	char path[4096];
	int fd;

	in_folder(path, "stable", 0);
	fd = open_file(totals, path, O_WRONLY | O_CREAT | O_DIRECT);
	for (unsigned int i = 0; i < BLOCKS; i++) {
		memset(block, 'a' + (thread + i) % 26, SMALL);
		if (pwrite(fd, block, SMALL, place_of(thread, i) * SMALL) != SMALL)
			die("write", path);
		totals->stable_writes++;
		totals->stable_written += SMALL;
	}
	close(fd);
}

static void buffered(struct totals *totals, unsigned int round, char *block)
{
	char path[4096];
	ssize_t got;
	int fd;

	in_folder(path, "buffered", round);
	fd = open_file(totals, path, O_RDWR | O_CREAT);
	for (unsigned int i = 0; i < PIECES; i++) {
		if (write(fd, block, PIECE) != PIECE)
			die("write", path);
		totals->writes++;
		totals->written += PIECE;
	}
	if (fsync(fd) != 0)
		die("fsync", path);
	totals->syncs++;
	errno = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	if (errno || lseek(fd, 0, SEEK_SET) != 0)
		die("drop pages of", path);
	while ((got = read(fd, block, PIECE)) > 0) {
		totals->reads++;
		totals->read += got;
	}
	if (got < 0)
		die("read", path);
	totals->reads++; /* the one at the end of the file */
	close(fd);
}

static void names(struct totals *totals, unsigned int round)
{
	char made[4096], file[4096], moved[4096];
	struct stat status;

	in_folder(made, "folder", round);
	in_folder(file, "file", round);
	in_folder(moved, "moved", round);
	if (mkdir(made, 0755) != 0)
		die("mkdir", made);
	close(open_file(totals, file, O_WRONLY | O_CREAT));
	if (rename(file, moved) != 0)
		die("rename", file);
	if (stat(moved, &status) != 0)
		die("stat", moved);
	if (stat(file, &status) == 0 || errno != ENOENT)
		die("a removed name is still there:", file);
	if (unlink(moved) != 0)
		die("unlink", moved);
	if (rmdir(made) != 0)
		die("rmdir", made);
}

struct thread {
	pthread_t id;
	unsigned int number;
	struct totals totals;
};

static void *play(void *argument)
{
	struct thread *thread = argument;
	void *block;

	if (posix_memalign(&block, 4096, BLOCK) != 0)
		die("memory", "");
	for (unsigned int round = 0; round < rounds; round++) {
		uint64_t state = ((uint64_t)seed << 32) ^ ((uint64_t)thread->number << 16) ^ round;

		pthread_barrier_wait(&barrier);
		usleep(load_draw(&state) % 5000);
		direct(&thread->totals, thread->number, true, block);
		pthread_barrier_wait(&barrier);
		direct(&thread->totals, (thread->number + 2) % threads, false, block);
		pthread_barrier_wait(&barrier);
		stable(&thread->totals, thread->number, block);
		pthread_barrier_wait(&barrier);
		if (thread->number == 0) {
			buffered(&thread->totals, round, block);
			names(&thread->totals, round);
		}
	}
	free(block);
	return NULL;
}

static void print_totals(const struct thread *all)
{
	struct totals sum = { 0 };

	for (unsigned int i = 0; i < threads; i++) {
		const struct totals *one = &all[i].totals;

		sum.direct_writes += one->direct_writes;
		sum.direct_reads += one->direct_reads;
		sum.stable_writes += one->stable_writes;
		sum.stable_written += one->stable_written;
		sum.writes += one->writes;
		sum.reads += one->reads;
		sum.syncs += one->syncs;
		sum.opens += one->opens;
		sum.direct_written += one->direct_written;
		sum.direct_read += one->direct_read;
		sum.written += one->written;
		sum.read += one->read;
	}
	printf("nfsload: totals direct block=%u writes=%lu written=%llu reads=%lu read=%llu\n",
	       BLOCK, sum.direct_writes, sum.direct_written, sum.direct_reads, sum.direct_read);
	printf("nfsload: totals stable block=%u writes=%lu written=%llu\n", SMALL,
	       sum.stable_writes, sum.stable_written);
	printf("nfsload: totals buffered writes=%lu written=%llu reads=%lu read=%llu syncs=%lu\n",
	       sum.writes, sum.written, sum.reads, sum.read, sum.syncs);
	printf("nfsload: totals names opens=%lu folders=%u renames=%u\n", sum.opens, rounds,
	       rounds);
}

/* Empty files that the lab keeps open later. */
static void make_held(void)
{
	struct totals held = { 0 };
	char path[4096];

	for (unsigned int i = 1; i <= n_held; i++) {
		snprintf(path, sizeof(path), "%s/held%u", folder, i);
		close(open_file(&held, path, O_WRONLY | O_CREAT));
	}
}

int main(int argc, char **argv)
{
	static const struct load_option table[] = {
		{ "--seed", &seed, 0, 65535 },
		{ "--threads", &threads, 2, MAX_THREADS },
		{ "--rounds", &rounds, 1, 100000 },
		{ "--held", &n_held, 0, 1000 },
		{ 0 },
	};
	static struct thread all[MAX_THREADS];

	folder = load_arguments(argc, argv, table,
				"usage: nfsload [--seed N] [--threads N] [--rounds N] [--held N] FOLDER\n");
	pthread_barrier_init(&barrier, NULL, threads);
	for (unsigned int i = 0; i < threads; i++) {
		all[i].number = i;
		if (pthread_create(&all[i].id, NULL, play, &all[i]) != 0)
			die("thread of", folder);
	}
	for (unsigned int i = 0; i < threads; i++)
		pthread_join(all[i].id, NULL);
	make_held();
	print_totals(all);
	return 0;
}
