/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes one byte and reads one byte, repeatedly, and prints the nanoseconds of each of the two
 * calls by the kernel's clock. usage: byte-io FILE TIMES
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

int main(int argc, char **argv)
{
	long times = argc == 3 ? atol(argv[2]) : 0;
	char byte = 'x';
	double start;
	int in, out;

	if (times < 1)
		errx(2, "usage: byte-io FILE TIMES");
	out = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0600);
	in = open(argv[1], O_RDONLY);
	if (in < 0 || out < 0)
		err(1, "%s", argv[1]);
	start = now();
	for (long i = 0; i < times; i++) {
		if (write(out, &byte, 1) != 1 || read(in, &byte, 1) != 1)
			err(1, "%s", argv[1]);
	}
	printf("%.0f\n", (now() - start) / (2 * times));
	return 0;
}
