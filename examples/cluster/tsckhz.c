// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints the frequency of this machine's time stamp counter in kHz. An emulated guest counts the
 * same ticks, but its own measurement at boot uses an emulated timer, which is far off or fails on a
 * busy machine. So the guest gets the frequency as an argument.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

#define SAMPLE_NS 200000000

/* The clock and the counter at one instant: the fastest of several readings. */
static void read_both(int64_t *ns, uint64_t *ticks)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < 100; i++) {
		struct timespec now;
		uint64_t before = __rdtsc(), after;

		clock_gettime(CLOCK_MONOTONIC_RAW, &now);
		after = __rdtsc();
		if (after - before < least) {
			least = after - before;
			*ns = now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
			*ticks = before + least / 2;
		}
	}
}

int main(void)
{
	const struct timespec pause = { .tv_nsec = SAMPLE_NS };
	int64_t begin_ns, end_ns;
	uint64_t begin, end;

	read_both(&begin_ns, &begin);
	nanosleep(&pause, NULL);
	read_both(&end_ns, &end);
	printf("%.0f\n", (double)(end - begin) * 1e6 / (double)(end_ns - begin_ns));
	return 0;
}
