/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options of iotrace-record, iotrace-agent and iotrace-clock. Each program has one table, from
 * which its parser, --help, manual page and completion follow. Here is what needs the C library
 * only, as iotrace-clock has no other.
 */
#ifndef OPTION_TABLE_H
#define OPTION_TABLE_H

#include <stddef.h>
#include <stdio.h>

/* What a shell offers as value of an option. */
enum opt_offer { OPT_NOTHING, OPT_WORDS, OPT_MODELS, OPT_FOLDERS, OPT_FILES };

/* A table ends with a NULL name. */
struct opt_row {
	const char *name;     /* without the two dashes; "help-man" is in no list */
	char letter;	      /* short form or 0 */
	const char *argument; /* as in the help; NULL: a flag */
	const char *help;     /* whole sentences, one paragraph */
	enum opt_offer offer;
	const char *words; /* OPT_WORDS: with blanks between them */
	/* for option-words.h: offset of an int for a flag, of a char *, or, if repeatable, of a
	 * char ** */
	size_t at;
	int repeatable;
	int key; /* for getopt_long, if there is no letter */
};

/** opt_print_help - the list of the options for --help, on @out, whose errors the caller sees */
void opt_print_help(FILE *out, const struct opt_row *rows);

/** opt_print_man - the list for the manual page, asciidoc with the tag PROGRAM-options, on @out */
void opt_print_man(FILE *out, const char *program, const struct opt_row *rows);

/**
 * opt_print_completion - completion of @program for bash, on @out
 * @runs: what follows "--" is a command
 */
void opt_print_completion(FILE *out, const char *program, const struct opt_row *rows, int runs);

#endif
