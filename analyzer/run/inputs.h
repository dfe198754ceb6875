/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All inputs of a run as one thing: opened and named, their strings made global, their gaps joined
 * per node, and what is known of them summed up for the report. Pipeline thread only.
 */
#ifndef IOT_RUN_INPUTS_H
#define IOT_RUN_INPUTS_H

#include "input/source.h"
#include "model/model.h"
#include "run/request.h"

struct iot_inputs;

/** iot_inputs_open - open all inputs one after the other, name their nodes, set tl->origin_ns */
struct iot_inputs *iot_inputs_open(const struct iot_options *options, struct iot_timeline *tl,
				   GError **error);
void iot_inputs_close(struct iot_inputs *inputs);
/** iot_inputs_bind - resolve the schema in every input */
gboolean iot_inputs_bind(struct iot_inputs *inputs, const struct iot_schema *schema,
			 GError **error);
/** iot_inputs_rewind - before a pass up to @to_ns: forget what earlier records have left */
void iot_inputs_rewind(struct iot_inputs *inputs, struct iot_timeline *tl, guint64 to_ns);

/** iot_inputs_want_marks - batches shall tell where their run stands */
void iot_inputs_want_marks(struct iot_inputs *inputs);

/** iot_inputs_facts - what a first look at them has told */
const struct iot_facts *iot_inputs_facts(const struct iot_inputs *inputs);
guint iot_inputs_count(const struct iot_inputs *inputs);
guint iot_inputs_runs(const struct iot_inputs *inputs);
struct iot_source *const *iot_inputs_sources(const struct iot_inputs *inputs);
/** iot_inputs_info - as of the last describe */
const struct iot_input_info *iot_inputs_info(const struct iot_inputs *inputs, guint index);
const struct iot_model_input *iot_inputs_for_models(const struct iot_inputs *inputs);
/** iot_inputs_describe - ask the sources again, after reading */
void iot_inputs_describe(struct iot_inputs *inputs);
/**
 * iot_inputs_set_used - whether a model knows events of this input
 *
 * Only such inputs say when the recording begins and ends: the host's file, of which often nothing
 * is drawn, may be half a minute longer, and what its guests had open must not be stretched over
 * that.
 */
void iot_inputs_set_used(struct iot_inputs *inputs, guint index, gboolean used);
/** iot_inputs_end - time of the last event of the inputs that are used, or of the first one behind
 * the window; after describe */
guint64 iot_inputs_end(const struct iot_inputs *inputs);
/** iot_inputs_next_end - before this instant iot_inputs_ended has nothing to tell */
guint64 iot_inputs_next_end(const struct iot_inputs *inputs);
/**
 * iot_inputs_ended - TRUE and an input whose recording ended before @ts, long before the others
 *
 * Each is told once. @out_ns: the last that is known of its machine.
 */
gboolean iot_inputs_ended(struct iot_inputs *inputs, guint64 ts, guint *out_index, guint64 *out_ns);
/** iot_inputs_damaged - path of the first input of which something was skipped, or NULL; after
 * describe */
const char *iot_inputs_damaged(const struct iot_inputs *inputs);
void iot_inputs_progress(const struct iot_inputs *inputs, guint64 *out_bytes, guint64 *out_total);

/** iot_inputs_globalise - turn the string slots of a record from the run's numbers to those of
 * tl->strings */
void iot_inputs_globalise(struct iot_inputs *inputs, struct iot_rec *rec);
/** iot_inputs_gap - a gap record; TRUE and an item once no gap of the node is open any more */
gboolean iot_inputs_gap(struct iot_inputs *inputs, const struct iot_rec *rec,
			struct iot_item *out_item);
/** iot_inputs_open_gap - TRUE and an item that ends at @end, if a gap of the input never ended */
gboolean iot_inputs_open_gap(struct iot_inputs *inputs, guint index, guint64 end,
			     struct iot_item *out_item);

/** iot_inputs_identify - what tells these inputs, read like this, from all others; FALSE if their
 * reading cannot go on in the middle */
gboolean iot_inputs_identify(const struct iot_inputs *inputs, GString *out);
/** iot_inputs_save - what has been seen of gaps and ends; load: FALSE if it cannot be */
void iot_inputs_save(const struct iot_inputs *inputs, GByteArray *out);
gboolean iot_inputs_load(struct iot_inputs *inputs, struct iot_unpack *in);

/** iot_inputs_summarise - fill inputs and diag of the summary */
void iot_inputs_summarise(const struct iot_inputs *inputs, struct iot_summary *summary);
void iot_inputs_summary_free(struct iot_summary *summary);

#endif
