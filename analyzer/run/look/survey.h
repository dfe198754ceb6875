/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The survey of the recordings: facts that are needed before nodes and rows get names (facts.h). */
#ifndef IOT_RUN_LOOK_SURVEY_H
#define IOT_RUN_LOOK_SURVEY_H

#include "input/source.h"
#include "model/facts.h"
#include "run/request.h"

/**
 * iot_survey - find the facts that the models ask for
 * @files: of the models (struct iot_model_file)
 * @infos: of the inputs, as opened
 * @kept: by input: keeps unpacked chunks
 *
 * Reads the first part of each recording, always the same part: the facts depend on the files
 * alone, not on a window, an index, threads or memory.
 */
struct iot_facts *iot_survey(const struct iot_options *options, const GPtrArray *files,
			     const struct iot_input_info *const *infos,
			     struct iot_kept *const *kept, GError **error);

#endif
