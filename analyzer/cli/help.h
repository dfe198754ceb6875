/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts made from the tables of options, sinks, readers and diagnostics. */
#ifndef IOT_CLI_HELP_H
#define IOT_CLI_HELP_H

#include <glib.h>
#include <stdio.h>

/**
 * iot_help_print - what an action asks for, on @out, whose errors the caller sees
 * @action: IOT_ACTION_HELP, or IOT_ACTION_VERSION: program, how it was built, libraries; or
 * IOT_ACTION_MAN: parts of the manual page as tagged regions: iotrace-analyze-options, words,
 * formats, diagnostics; or IOT_ACTION_COMPLETION; or IOT_ACTION_FORMATS: a line for each output
 * format: name, suffix, suffix of the second file, "file" or "any", flags separated by commas,
 * summary; tabs between them, "-" for none
 * @bold: headings stand out on a terminal
 */
void iot_help_print(FILE *out, int action, gboolean bold);

#endif
