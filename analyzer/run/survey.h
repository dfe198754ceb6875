/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The survey of the recordings: facts that are needed before nodes and rows get names (facts.h). */
#ifndef IOT_RUN_SURVEY_H
#define IOT_RUN_SURVEY_H

#include "input/source.h"
#include "model/facts.h"
#include "run/request.h"

/**
 * iot_survey - find the facts that the models ask for
 * @infos: of the inputs, as opened
 *
 * Reads the first part of each recording, always the same part: the facts depend on the files
 * alone, not on a window, an index, threads or memory.
 */
struct iot_facts *iot_survey(const struct iot_options *options,
			     const struct iot_input_info *const *infos, GError **error);

#endif
