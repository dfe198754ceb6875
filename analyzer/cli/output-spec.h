/* SPDX-License-Identifier: GPL-2.0-or-later */
/* FORMAT,OPTION,OPTION=VALUE:PATH of -o, checked against the tables of the sinks. */
#ifndef IOT_CLI_OUTPUT_SPEC_H
#define IOT_CLI_OUTPUT_SPEC_H

#include "run/request.h"

/** iot_output_parse - a new output, or NULL and an IOT_ERROR_USAGE with the possible values */
struct iot_output *iot_output_parse(const char *text, GError **error);

/** iot_sink_options_new - an empty table of name -> text */
GHashTable *iot_sink_options_new(void);
/** iot_sink_options_add - check @text ("no-events" or "sort=worst") and add it to @table */
gboolean iot_sink_options_add(const struct iot_sink_ops *ops, GHashTable *table, const char *text,
			      GError **error);
/** iot_sink_option_choices - "a|b|c", the values of an option; NULL: any text */
const char *iot_sink_option_choices(const struct iot_sink_option *option);

#endif
