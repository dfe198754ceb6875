/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Models that the program chose by itself, and that do not fit a recording: its kernel writes an event
 * without a field that the model requires. Such a model is left out for that input, and altogether if
 * it fits no other one. Pipeline thread only.
 */
#ifndef IOT_RUN_MISFITS_H
#define IOT_RUN_MISFITS_H

#include "run/inputs.h"

struct iot_misfits;

/**
 * iot_misfits_find - try each model alone on each input
 * @files: of the models (struct iot_model_file)
 *
 * NULL and an error if an input cannot be opened.
 */
struct iot_misfits *iot_misfits_find(const GPtrArray *files, const struct iot_inputs *inputs,
				     GError **error);
/** iot_misfits_free - accepts NULL */
void iot_misfits_free(struct iot_misfits *misfits);
/** iot_misfits_count - number of models that do not fit; 0 if NULL */
guint iot_misfits_count(const struct iot_misfits *misfits);
/** iot_misfits_why - why the first one does not fit the first input; NULL if there is none */
const char *iot_misfits_why(const struct iot_misfits *misfits);
/** iot_misfits_everywhere - whether the model @path is left out altogether; FALSE if NULL */
gboolean iot_misfits_everywhere(const struct iot_misfits *misfits, const char *path);
/**
 * iot_misfits_schemas - by input: @schema without the events that only a model knows which is left
 * out for it; valid until the next call. NULL: nothing is left out
 */
const struct iot_schema *const *iot_misfits_schemas(struct iot_misfits *misfits,
						    const struct iot_schema *schema);
/**
 * iot_misfits_describe - after reading: count the models of which the inputs have events
 *
 * Returns a sentence about them, NULL if there are none. The caller frees.
 */
char *iot_misfits_describe(const struct iot_misfits *misfits, const struct iot_inputs *inputs,
			   struct iot_diag *diag);

#endif
