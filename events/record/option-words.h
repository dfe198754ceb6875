/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a command line by a table of options into the members of a struct. */
#ifndef REC_OPTION_WORDS_H
#define REC_OPTION_WORDS_H

#include "option-table.h"

#include <glib.h>

/**
 * rec_option_take - read one option
 * @into: the struct with the members that the table names
 * @word: it begins with a dash
 * @words: the words after @word, NULL-terminated; advanced if one is its value
 *
 * Values are copied. Errors are IOT_ERROR_USAGE, one sentence, also after which @into is to be
 * cleared.
 */
gboolean rec_option_take(gpointer into, const struct opt_row *rows, const char *word,
			 const char *const **words, GError **error);

/** rec_option_clear - free the values in @into, and set them to NULL */
void rec_option_clear(gpointer into, const struct opt_row *rows);

#endif
