// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mpi-turns FILE - a program of MPI that says itself when it called: each rank takes part in some
 * barriers, and writes FILE.RANK, a text recording by the real time, with a state "said" around
 * each call of MPI_Barrier. Ranks come to MPI_Init and to the first barrier at different times.
 */
#include <inttypes.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { TURNS = 5 };

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

int main(int argc, char **argv)
{
	uint64_t enter[TURNS], leave[TURNS];
	char name[4096], host[64] = "";
	int rank;
	FILE *out;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (argc != 2)
		MPI_Abort(MPI_COMM_WORLD, 1);
	for (int i = 0; i < TURNS; i++) {
		usleep(3000 * (unsigned int)((rank + i) % 4));
		enter[i] = now();
		MPI_Barrier(MPI_COMM_WORLD);
		leave[i] = now();
	}
	/* a barrier of the rank alone, as the marks of clocks are */
	MPI_Barrier(MPI_COMM_SELF);
	gethostname(host, sizeof(host) - 1);
	snprintf(name, sizeof(name), "%s.%d", argv[1], rank);
	out = fopen(name, "w");
	if (!out)
		MPI_Abort(MPI_COMM_WORLD, 1);
	fprintf(out, "iotrace-text 1\nhostname %s\nclock real\ncomplete yes\n", host);
	for (int i = 0; i < TURNS; i++)
		for (int end = 0; end < 2; end++)
			fprintf(out,
				"%" PRIu64
				" 0 %d mpi:%s id=%d name=\"said\" user=1 rank=%d thread=0 "
				"row=\"said %d\" values=\"\"\n",
				end ? leave[i] : enter[i], (int)getpid(),
				end ? "state_end" : "state_start", i + 1, rank, rank);
	if (fclose(out))
		MPI_Abort(MPI_COMM_WORLD, 1);
	return MPI_Finalize() != MPI_SUCCESS;
}
