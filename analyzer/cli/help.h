/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts made from the tables of options, sinks, readers and diagnostics. The caller frees them. */
#ifndef IOT_CLI_HELP_H
#define IOT_CLI_HELP_H

#include <glib.h>

/** iot_help_text - --help; @bold: headings stand out on a terminal */
char *iot_help_text(gboolean bold);
/** iot_help_man - parts of the manual page in asciidoc, as tagged regions: options, words,
 * formats, diagnostics */
char *iot_help_man(void);
/** iot_help_version - program, how it was built, libraries */
char *iot_help_version(void);
/** iot_help_completion - completion script for bash */
char *iot_help_completion(void);
/** iot_help_formats - a line for each output format: name, suffix, suffix of the second file,
 * "file" or "any", flags separated by commas, summary; tabs between them, "-" for none */
char *iot_help_formats(void);

#endif
