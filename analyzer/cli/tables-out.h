/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Result tables of words that have no output, on standard output. */
#ifndef IOT_CLI_TABLES_OUT_H
#define IOT_CLI_TABLES_OUT_H

#include "cli/options.h"

struct iot_results;

/** iot_tables_write - print the tables, or with command->as_json one object of JSON; they have no
 * rows of a timeline and no instants */
gboolean iot_tables_write(const struct iot_results *results, const struct iot_command *command,
			  GError **error);

#endif
