/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a command line word by word, by a table of options. */
#ifndef IOT_OPTIONS_OPTION_WORDS_H
#define IOT_OPTIONS_OPTION_WORDS_H

#include "options/option-table.h"

enum iot_word {
	IOT_WORD_END,
	IOT_WORD_OPTION,
	IOT_WORD_PLAIN,
	IOT_WORD_DASHES, /* "--"; options do not follow */
	IOT_WORD_WRONG
};

/* The first three are the caller's; the others are 0 before the first word. */
struct iot_option_words {
	const struct iot_option *rows;
	void *into;		 /* the struct with the members that the table names */
	const char *const *next; /* the words that follow; NULL-terminated */
	/* IOT_WORD_OPTION: its row, and how it was typed ("--map", "-m") */
	const struct iot_option *option;
	char typed[32];
	const char *value;   /* of the option, or NULL; or the plain word */
	int action;	     /* of the option, which ends the reading */
	char *error;	     /* IOT_WORD_WRONG: one sentence, which the caller frees */
	const char *letters; /* what follows the letter that was read, as in "-qv" */
	int only_plain;	     /* after "--" */
};

/**
 * iot_option_next - read the next word, or the next letter of options
 *
 * An option with a member is stored there: a pointer to the word, not a copy.
 */
enum iot_word iot_option_next(struct iot_option_words *at);

/** iot_option_clear - free the lists of repeatable options in @into, and set them to NULL */
void iot_option_clear(void *into, const struct iot_option *rows);

#endif
