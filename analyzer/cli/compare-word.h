/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The word compare: each run becomes a summary, and the summaries are compared. */
#ifndef IOT_CLI_COMPARE_WORD_H
#define IOT_CLI_COMPARE_WORD_H

#include "cli/options.h"
#include "compare/compare.h"

/** iot_run_is_summary - whether the run is the file of a summary, by its name */
gboolean iot_run_is_summary(const char *run);

/**
 * iot_run_prepare - change the options into those of the analysis of one run
 * @run: a recording or a folder
 *
 * Returns the path to which the analysis will write the summary, in a new temporary folder; the
 * caller ends with iot_run_discard.
 */
char *iot_run_prepare(struct iot_options *options, const char *run, GError **error);
/** iot_run_discard - remove the summary and its folder; frees @path */
void iot_run_discard(char *path);

/** iot_comparison_write - write verdict and tables to standard output */
gboolean iot_comparison_write(const struct iot_comparison *comparison,
			      const struct iot_command *command, GError **error);

#endif
