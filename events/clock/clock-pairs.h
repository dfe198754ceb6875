/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file of pairs that iotrace-analyze --sync reads. */
#ifndef IOTRACE_CLOCK_PAIRS_H
#define IOTRACE_CLOCK_PAIRS_H

#include "clock-measure.h"

struct clock_pairs {
	const char *path;      /* "-": standard output */
	const char *reference; /* name of this machine */
	const char *clock;     /* name of the clock, for the comment */
};

/**
 * clock_pairs_write - write @n pairs, after the lines of the old file if @append
 *
 * The file is written next to its place and renamed, so it has all pairs, or stays as it was.
 */
int clock_pairs_write(const struct clock_pairs *to, const struct clock_reading *readings,
		      unsigned int n, int append, struct clock_error *error);

#endif
