// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A load of file calls on a folder that all nodes of a cluster share. A round is
 *   write   the node's own file again: some blocks by pwrite, fsync
 *   append  one line of 32 bytes to the file that all nodes share
 *   read    the file of the next node to its end
 *   rename  every eighth round: the own file to another name and back, with a stat between
 * (seed, node, round) determines the number of blocks and the pauses. SIGTERM and SIGINT end the load
 * after the round. It prints a line of totals, for the calls on files below the folder.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "load.h"

#define BLOCK	   4096
#define MAX_BLOCKS 16
#define LINE	   32

static struct {
	unsigned int seed, node, nodes;
} options = { 1, 1, 3 };

static struct {
	unsigned long rounds, opens, closes, writes, reads, syncs, renames, stats;
	unsigned long long written, read;
} totals;

static char own[4096], moved[4096], shared[4096], next[4096];
static volatile sig_atomic_t stop;

static void on_signal(int number)
{
	(void)number;
	stop = 1;
}

static void die(const char *what, const char *path)
{
	fprintf(stderr, "fileload: %s %s: %s\n", what, path, strerror(errno));
	exit(1);
}

static void close_file(int fd, const char *path)
{
	totals.closes++;
	if (close(fd) != 0)
		die("close", path);
}

static void write_own(unsigned int blocks)
{
	static char block[BLOCK];
	int fd;

	memset(block, 'a' + totals.rounds % 26, sizeof(block));
	totals.opens++;
	fd = open(own, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (fd < 0)
		die("open", own);
	for (unsigned int i = 0; i < blocks; i++) {
		totals.writes++;
		if (pwrite(fd, block, sizeof(block), (off_t)i * BLOCK) != sizeof(block))
			die("write", own);
		totals.written += sizeof(block);
	}
	totals.syncs++;
	if (fsync(fd) != 0)
		die("fsync", own);
	close_file(fd, own);
}

static void append_shared(void)
{
	char line[LINE + 1];
	int fd;

	snprintf(line, sizeof(line), "node %3u round %-16lu\n", options.node, totals.rounds);
	totals.opens++;
	fd = open(shared, O_WRONLY | O_CREAT | O_APPEND, 0644);
	if (fd < 0)
		die("open", shared);
	totals.writes++;
	if (write(fd, line, strlen(line)) != (ssize_t)strlen(line))
		die("write", shared);
	totals.written += strlen(line);
	close_file(fd, shared);
}

/* The owner of the file may not have made it yet, or be renaming it. */
static void read_next(void)
{
	static char block[BLOCK];
	ssize_t got;
	int fd;

	totals.opens++;
	fd = open(next, O_RDONLY);
	if (fd < 0 && errno == ENOENT)
		return;
	if (fd < 0)
		die("open", next);
	do {
		totals.reads++;
		got = read(fd, block, sizeof(block));
		if (got < 0)
			die("read", next);
		totals.read += got;
	} while (got > 0);
	close_file(fd, next);
}

static void rename_own(void)
{
	struct stat status;

	totals.renames += 2;
	totals.stats++;
	if (rename(own, moved) != 0)
		die("rename", own);
	if (stat(moved, &status) != 0)
		die("stat", moved);
	if (rename(moved, own) != 0)
		die("rename", moved);
}

static void play(void)
{
	uint64_t state =
		((uint64_t)options.seed << 48) ^ ((uint64_t)options.node << 40) ^ totals.rounds;

	write_own(1 + load_draw(&state) % MAX_BLOCKS);
	append_shared();
	read_next();
	if (totals.rounds % 8 == 7)
		rename_own();
	totals.rounds++;
	usleep(20000 + load_draw(&state) % 30000);
}

static void name_files(const char *folder)
{
	unsigned int other = options.node % options.nodes + 1;

	snprintf(own, sizeof(own), "%s/own%u", folder, options.node);
	snprintf(moved, sizeof(moved), "%s/moved%u", folder, options.node);
	snprintf(next, sizeof(next), "%s/own%u", folder, other);
	snprintf(shared, sizeof(shared), "%s/shared", folder);
}

static void print_totals(void)
{
	printf("fileload: totals rounds=%lu opens=%lu closes=%lu writes=%lu written=%llu "
	       "reads=%lu read=%llu syncs=%lu renames=%lu stats=%lu\n",
	       totals.rounds, totals.opens, totals.closes, totals.writes, totals.written,
	       totals.reads, totals.read, totals.syncs, totals.renames, totals.stats);
}

int main(int argc, char **argv)
{
	const struct load_option table[] = {
		{ "--seed", &options.seed, 0, 65535 },
		{ "--node", &options.node, 1, 255 },
		{ "--nodes", &options.nodes, 1, 255 },
		{ NULL },
	};

	name_files(load_arguments(argc, argv, table,
				  "usage: fileload [--seed N] [--node N] [--nodes N] FOLDER\n"
				  "Writes, appends and reads until SIGTERM or SIGINT.\n"));
	signal(SIGTERM, on_signal);
	signal(SIGINT, on_signal);
	printf("fileload: running\n");
	fflush(stdout);
	while (!stop)
		play();
	print_totals();
	return 0;
}
