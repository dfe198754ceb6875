/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reason why a selection or a window shows nothing, or less than was asked for. */
#ifndef IOT_RUN_TOOLS_SHOWN_H
#define IOT_RUN_TOOLS_SHOWN_H

#include "run/pass.h"

/**
 * iot_shown_check - after all has been read
 * @summary: its times are valid; counters are added to its diag
 *
 * Returns NULL if everything is shown; else a sentence that says why nothing is shown and gives
 * examples, or names the patterns that fit no row. The caller frees.
 */
char *iot_shown_check(const struct iot_pass *pass, struct iot_summary *summary);

#endif
