/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first word of the command line may name an output: "list trace.dat" is that output to its
 * usual place, "html,max=0 trace.dat" the same with options of the format. The words are the names
 * of the sink table, "view", and "compare" and "inputs", which have no output. A file of such a
 * name is "./list".
 */
#ifndef IOT_CLI_WORDS_H
#define IOT_CLI_WORDS_H

#include "cli/options.h"

/** iot_word_is_output - whether the word names an output, or is compare or inputs */
gboolean iot_word_is_output(const char *word);
/**
 * iot_word_apply - add the output that @word names to @command
 * @out_argument: name of the pattern that must follow ("ROW"), or NULL
 */
gboolean iot_word_apply(struct iot_command *command, const char *word, const char **out_argument,
			GError **error);
/** iot_words - all words; NULL-terminated, free with g_strfreev */
char **iot_words(void);
/** iot_word_help - the effect of a word, for the help; the caller frees */
char *iot_word_help(const char *word);

#endif
