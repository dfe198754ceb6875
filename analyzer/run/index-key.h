/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The key of an index (run/index.h): program, options, inputs, names of nodes, models. */
#ifndef IOT_RUN_INDEX_KEY_H
#define IOT_RUN_INDEX_KEY_H

#include "run/models.h"

/**
 * iot_index_key - everything that a checkpoint depends on, as text; the caller frees
 * @clocks: by input, corrections other than the recorded ones; or NULL
 * @tl: after the models were loaded, before the first record
 *
 * NULL if an input cannot be identified, or its reader cannot resume in the middle.
 */
char *iot_index_key(const struct iot_options *options, const struct iot_clock_change *clocks,
		    const struct iot_inputs *inputs, const struct iot_models *models,
		    const struct iot_timeline *tl);

#endif
