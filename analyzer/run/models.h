/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All models of a run as one thing: found, loaded, bound to the inputs. Pipeline thread only. */
#ifndef IOT_RUN_MODELS_H
#define IOT_RUN_MODELS_H

#include "run/inputs.h"

struct iot_models;

/**
 * iot_models_load - load the models of the options, or every installed one whose system an input
 * has
 *
 * Inputs are bound to the schema.
 */
struct iot_models *iot_models_load(const struct iot_options *options, struct iot_timeline *tl,
				   struct iot_inputs *inputs, GError **error);
void iot_models_free(struct iot_models *models);
/** iot_models_check_events - an error that names the systems of the inputs if no model knows any of
 * their events */
gboolean iot_models_check_events(const struct iot_models *models, const struct iot_inputs *inputs,
				 GError **error);
/** iot_models_nothing_known - that error; returns FALSE */
gboolean iot_models_nothing_known(const struct iot_models *models, const struct iot_inputs *inputs,
				  GError **error);
gboolean iot_models_start(struct iot_models *models, struct iot_emit *emit,
			  const struct iot_inputs *inputs, guint max_open, guint max_rows,
			  iot_select_func select, gpointer user_data);
void iot_models_event(struct iot_models *models, const struct iot_rec *rec);
void iot_models_gap(struct iot_models *models, guint input, guint64 ts, gboolean begin);
/** iot_models_end_input - nothing is known any more of the machine of @input from @ts on */
void iot_models_end_input(struct iot_models *models, guint input, guint64 ts);
guint64 iot_models_watermark(const struct iot_models *models);
void iot_models_finish(struct iot_models *models, guint64 ts, gboolean at_end);
/** iot_models_memory - the most bytes that calls, objects and tables took; after finish */
gsize iot_models_memory(const struct iot_models *models);
/** iot_models_unknown_systems - systems of the inputs that none of the models knows, where these
 * were chosen by the inputs: "sched, block"; NULL if there are none */
const char *iot_models_unknown_systems(const struct iot_models *models);
/** iot_models_identify - what all of them say */
void iot_models_identify(const struct iot_models *models, GString *out);
/** iot_models_save, iot_models_resume - see model/model.h; counters are part of it */
void iot_models_save(const struct iot_models *models, GByteArray *out);
gboolean iot_models_resume(struct iot_models *models, struct iot_unpack *in);
const struct iot_diag *iot_models_diag(const struct iot_models *models);
/** iot_models_describe - --check-model: parse, bind to @inputs if not NULL, describe; the caller
 * frees */
char *iot_models_describe(const char *name, struct iot_timeline *tl, struct iot_inputs *inputs,
			  GError **error);

#endif
