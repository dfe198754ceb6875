/* SPDX-License-Identifier: GPL-2.0-or-later */
/* NODE=WHAT of --map. */
#ifndef IOT_CLI_MAP_SPEC_H
#define IOT_CLI_MAP_SPEC_H

#include "run/request.h"

/**
 * iot_mapping_add - parse "1=5" and append the struct iot_mapping
 * @mappings: an array of struct iot_mapping *
 *
 * Blanks around NODE and WHAT are removed. It is an IOT_ERROR_USAGE if the array has either
 * already.
 */
gboolean iot_mapping_add(GPtrArray *mappings, const char *pair, GError **error);
#endif
