/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first look at the recordings: facts that are needed before anything is named (facts.h). */
#ifndef IOT_RUN_SURVEY_H
#define IOT_RUN_SURVEY_H

#include "input/source.h"
#include "model/facts.h"
#include "run/request.h"

/**
 * iot_survey - find out what the models want to know of whole recordings
 * @infos: of the inputs, as opened
 *
 * Of each recording only the first part is read, by this thread and always the same: what is found
 * depends on the files alone, not on a window, an index, threads or memory.
 */
struct iot_facts *iot_survey(const struct iot_options *options,
			     const struct iot_input_info *const *infos, GError **error);

#endif
