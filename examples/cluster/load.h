/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the lab's load programs: random numbers and command line. */
#ifndef LOAD_H
#define LOAD_H

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The next number of a sequence (splitmix64): well mixed from any state, and the same everywhere.
 */
static inline uint64_t load_draw(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

/* An option "--name NUMBER". */
struct load_option {
	const char *name;
	unsigned int *value;
	unsigned int min, max;
};

static inline void load_number(const struct load_option *option, const char *text)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno || end == text || *end || *text == '-' || value < option->min ||
	    value > option->max) {
		fprintf(stderr, "%s: \"%s\" is not a number from %u to %u\n", option->name, text,
			option->min, option->max);
		exit(1);
	}
	*option->value = value;
}

/*
 * Sets the values of the options in the table, which ends with a nameless one, and returns the single
 * other argument. Prints usage and exits if the command line is wrong.
 */
static inline const char *load_arguments(int argc, char **argv, const struct load_option *table,
					 const char *usage)
{
	const char *argument = NULL;

	for (int i = 1; i < argc; i++) {
		const struct load_option *option = table;

		while (option->name && strcmp(option->name, argv[i]) != 0)
			option++;
		if (option->name && i + 1 < argc) {
			load_number(option, argv[++i]);
		} else if (argv[i][0] != '-' && !argument) {
			argument = argv[i];
		} else {
			fputs(usage, stderr);
			exit(1);
		}
	}
	if (!argument) {
		fputs(usage, stderr);
		exit(1);
	}
	return argument;
}

#endif /* LOAD_H */
