/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The client of iotrace-clock: one pair of clocks from many round trips. */
#ifndef IOTRACE_CLOCK_MEASURE_H
#define IOTRACE_CLOCK_MEASURE_H

#include "clock-wire.h"

struct clock_target {
	const char *address;
	const char *name; /* NULL: the name in the machine's answer */
};

struct clock_measure {
	unsigned int clock;
	unsigned int rounds;
	int timeout_ms; /* for one answer */
};

struct clock_reading {
	char name[CLOCK_NAME_SIZE];
	uint64_t reference_ns, machine_ns;
	uint64_t error_ns; /* the machine's clock was read at most that far from reference_ns */
};

/**
 * clock_measure - the pair of the fastest round trip
 *
 * The machine's clock was read between sending and receiving. The pair takes the middle, with half
 * of the round trip as error. 0, or -1 with a text that names the machine.
 */
int clock_measure(const struct clock_target *target, const struct clock_measure *how,
		  struct clock_reading *out, struct clock_error *error);

#endif
