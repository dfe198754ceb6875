/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libiotrace-mpi-ranks: where the ranks of an MPI program run, and their clocks, in one small file
 * that iotrace-analyze --names reads (iotrace-names(5)). A library to be loaded into the program
 * (LD_PRELOAD), or to be linked before that of MPI.
 *
 * A tracer of MPI knows neither the host nor the date, and often gives each rank a clock of its
 * own. So each rank calls MPI_Barrier of itself alone some times, after MPI_Init and before
 * MPI_Finalize. The tracer records these calls, this library the clocks around them, and the reader
 * of the trace knows which call was the quickest.
 */
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default")))

/* The name of the file: docs/formats/otf2.md. */
static const char variable[] = "IOTRACE_RANKS";
static const char usual[] = "iotrace-ranks.txt";

/* In a row, as the first one also pays for one-time work. */
enum { BARRIERS = 4 };

/* The quickest barrier of a row: ns of both clocks when it began, how long it took, and its number
 * from 1; 0: there was none. */
struct mark {
	uint64_t mono_ns, real_ns, took_ns;
	uint32_t number;
};

/* What rank 0 is told of each. */
struct rank {
	int32_t pid;
	char host[68];
	struct mark begin, end;
};

static struct rank self;

static uint64_t ns_of(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Both clocks at one instant, and the barrier after it: by the name that a tracer replaces. */
static void take_mark(struct mark *out)
{
	memset(out, 0, sizeof(*out));
	for (uint32_t i = 1; i <= BARRIERS; i++) {
		struct mark mark = { .real_ns = ns_of(CLOCK_REALTIME), .number = i };

		mark.mono_ns = ns_of(CLOCK_MONOTONIC);
		if (MPI_Barrier(MPI_COMM_SELF) != MPI_SUCCESS)
			return;
		mark.took_ns = ns_of(CLOCK_MONOTONIC) - mark.mono_ns;
		if (i == 1 || mark.took_ns < out->took_ns)
			*out = mark;
	}
}

/* ---- the file */

static void put_mark(FILE *out, const char *key, const struct mark *mark)
{
	if (mark->number)
		fprintf(out,
			"%s = real=%" PRIu64 " mono=%" PRIu64 " took=%" PRIu64 " barrier=%" PRIu32
			"/%d\n",
			key, mark->real_ns, mark->mono_ns, mark->took_ns, mark->number, BARRIERS);
}

/* A section for each host, in the order of the ranks. */
static void put_hosts(FILE *out, const struct rank *ranks, int n)
{
	for (int i = 0; i < n; i++) {
		int first = 0;

		while (strcmp(ranks[first].host, ranks[i].host) != 0)
			first++;
		if (first == i)
			fprintf(out, "\n[node %s]\nhost = %s\n", ranks[i].host, ranks[i].host);
	}
}

static int put_file(const char *name, const struct rank *ranks, int n)
{
	FILE *out = fopen(name, "w");

	if (!out)
		return -1;
	fputs("# Where the ranks of a program ran, and their clocks: iotrace-analyze --names, "
	      "docs/formats/otf2.md\n",
	      out);
	put_hosts(out, ranks, n);
	for (int i = 0; i < n; i++) {
		fprintf(out, "\n[rank %d]\nnode = %s\nprocess = %" PRId32 "\n", i, ranks[i].host,
			ranks[i].pid);
		put_mark(out, "begin", &ranks[i].begin);
		put_mark(out, "end", &ranks[i].end);
	}
	return (ferror(out) | fclose(out)) ? -1 : 0;
}

/* Under another name first, so that the file is whole whenever somebody reads it. */
static void write_file(const struct rank *ranks, int n)
{
	const char *name = getenv(variable);
	char fresh[PATH_MAX];

	if (!name || !*name)
		name = usual;
	if (snprintf(fresh, sizeof(fresh), "%s.%ld", name, (long)getpid()) >= (int)sizeof(fresh))
		errno = ENAMETOOLONG;
	else if (!put_file(fresh, ranks, n) && !rename(fresh, name))
		return;
	fprintf(stderr, "iotrace-mpi-ranks: %s cannot be written: %s; set %s to another file\n",
		name, strerror(errno), variable);
}

/* All ranks call this; rank 0 writes. PMPI: no tracer sees these calls. */
static void gather(void)
{
	struct rank *ranks = NULL;
	int rank = 0, n = 0;

	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &n);
	if (!rank)
		ranks = calloc((size_t)n, sizeof(*ranks));
	if (rank || ranks)
		PMPI_Gather(&self, sizeof(self), MPI_BYTE, ranks, sizeof(self), MPI_BYTE, 0,
			    MPI_COMM_WORLD);
	else
		PMPI_Abort(MPI_COMM_WORLD, 1); /* the others wait for it */
	if (ranks)
		write_file(ranks, n);
	free(ranks);
}

/* ---- the calls of the program */

/* A program that a signal ends has no end in the file, but the rest. */
static void begun(void)
{
	self.pid = (int32_t)getpid();
	if (gethostname(self.host, sizeof(self.host) - 1) || !*self.host)
		strcpy(self.host, "localhost");
	take_mark(&self.begin);
	gather();
}

PUBLIC int MPI_Init(int *argc, char ***argv)
{
	int (*next)(int *, char ***) = (int (*)(int *, char ***))dlsym(RTLD_NEXT, "MPI_Init");
	int status = next ? next(argc, argv) : PMPI_Init(argc, argv);

	if (status == MPI_SUCCESS)
		begun();
	return status;
}

PUBLIC int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
	int (*next)(int *, char ***, int, int *) =
		(int (*)(int *, char ***, int, int *))dlsym(RTLD_NEXT, "MPI_Init_thread");
	int status = next ? next(argc, argv, required, provided)
			  : PMPI_Init_thread(argc, argv, required, provided);

	if (status == MPI_SUCCESS)
		begun();
	return status;
}

PUBLIC int MPI_Finalize(void)
{
	int (*next)(void) = (int (*)(void))dlsym(RTLD_NEXT, "MPI_Finalize");

	take_mark(&self.end);
	gather();
	return next ? next() : PMPI_Finalize();
}
