/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The models of a run: found, loaded, and called for each record. Pipeline thread only.
 *
 * Order of calls: load, iot_inputs_bind() to iot_models_schema(), start (or start and resume),
 * events and gaps in order of time, finish.
 *
 * Several models. Every record goes to every model; each has its own objects, calls and rows, and
 * all share the timeline. Nodes have the same names and identities everywhere; windows, gaps and
 * --node concern all models. Models that follow the threads of others are loaded last, and without
 * -m only if some input has their events and others that are drawn; inputs with their events only
 * are not read. If no input has an event that other models draw, a model that follows threads
 * draws all of them. Without -m the models whose system some input has are loaded; the report
 * names systems of recorded events that no model draws. A model that lacks a required field is
 * left out then, for one input or for all (misfits.h), and everything is opened again.
 *
 * The root has one group of rows for each type of top-level rows, in the order of model names.
 * --list and the report have a table for each kind of rows; --top N takes N of each kind. --select
 * compares the paths of rows of every level: a row is shown if it matches, or if a row above it
 * matches; the rows above a shown row are drawn empty.
 */
#ifndef IOT_RUN_MODELS_H
#define IOT_RUN_MODELS_H

#include "run/inputs.h"
#include "run/misfits.h"
#include "run/tools/select.h"

struct iot_models;

/**
 * iot_models_load - load the models of -m, or every installed one whose system an input has
 *
 * Their types and categories are added to @tl. An IOT_ERROR_INPUT names the systems of the inputs
 * if no model knows any of their events.
 * @misfits: models that must not be chosen; or NULL
 */
struct iot_models *iot_models_load(const struct iot_options *options,
				   const struct iot_misfits *misfits, struct iot_timeline *tl,
				   const struct iot_inputs *inputs, GError **error);
/** iot_models_free - accepts NULL */
void iot_models_free(struct iot_models *models);
/** iot_models_schema - events and fields that the models use */
const struct iot_schema *iot_models_schema(const struct iot_models *models);
/** iot_models_nothing_known - set the error that the inputs have no event of any model; returns
 * FALSE */
gboolean iot_models_nothing_known(const struct iot_models *models, const struct iot_inputs *inputs,
				  GError **error);
/** iot_models_files - the files of the loaded models (struct iot_model_file) */
const GPtrArray *iot_models_files(const struct iot_models *models);
/** iot_models_names - the loaded models, "dlm, gfs2" */
const char *iot_models_names(const struct iot_models *models);
/** iot_models_unknown_systems - systems of events that have been read and that no model of the run
 * draws, "block, sched (-m sched)", with the model that would; NULL if there are none, or with -m.
 * Valid until the next call */
const char *iot_models_unknown_systems(struct iot_models *models, const struct iot_inputs *inputs);
/** iot_models_draw - the models that know events which the recording names, "dlm, gfs2"; NULL:
 * none. Before it is read; the caller frees */
char *iot_models_draw(const struct iot_models *models, const struct iot_input *input);
/** iot_models_draw_not - the systems that the recording names and of which no model knows an event,
 * as iot_models_unknown_systems; before it is read, the caller frees */
char *iot_models_draw_not(const struct iot_models *models, const struct iot_input *input);
struct iot_clock_look;

/* Things that the models use besides the request. */
struct iot_models_run {
	const struct iot_inputs *inputs; /* bound */
	struct iot_emit *emit;
	struct iot_select *select;
	struct iot_clock_look *look; /* gets the ends of links; or NULL */
};

/** iot_models_start - prepare for the first record; what @run names must outlive the models */
void iot_models_start(struct iot_models *models, const struct iot_options *options,
		      const struct iot_models_run *run);

/** iot_models_event - apply a record whose strings are numbers of the timeline */
void iot_models_event(struct iot_models *models, const struct iot_rec *rec);
/** iot_models_gap - events of @input are missing from @ts on (@begin) or up to @ts */
void iot_models_gap(struct iot_models *models, guint input, guint64 ts, gboolean begin);
/** iot_models_end_input - the recording of @input ended at @ts: its state is unknown from then on
 */
void iot_models_end_input(struct iot_models *models, guint input, guint64 ts);
/** iot_models_link - the links of all models, one after the other; see iot_model_link */
gboolean iot_models_link(const struct iot_models *models, guint index, struct iot_link_report *out);
/** iot_models_mistyped - count links whose key has different types on its two sides; returns the
 * sentence about the first one, NULL if there is none. The caller frees. */
char *iot_models_mistyped(const struct iot_models *models, struct iot_diag *diag);
/** iot_models_hold_back - as iot_model_hold_back */
void iot_models_hold_back(struct iot_models *models, guint64 oldest_ns);
/** iot_models_hold - the longest time in ns that an end of a link may be undecided, if one of
 * instant @t or before is undecided now; else 0 */
guint64 iot_models_hold(const struct iot_models *models, guint64 t);
/** iot_models_watermark - no record before @position will come: nothing will be emitted before this
 * time; G_MAXUINT64: no limit */
guint64 iot_models_watermark(struct iot_models *models, guint64 position);
/** iot_models_finish - close everything open at @ts; @at_end: the recording was read to its end */
void iot_models_finish(struct iot_models *models, guint64 ts, gboolean at_end);
/** iot_models_memory - peak bytes of calls, objects and tables; after finish */
gsize iot_models_memory(const struct iot_models *models);
/** iot_models_diag - the counters of all models */
const struct iot_diag *iot_models_diag(const struct iot_models *models);

/** iot_models_order - the rules of order of all models; NULL: there are none */
const struct iot_order_rules *iot_models_order(const struct iot_models *models);
/** iot_models_identify - append the contents of all models to the key of an index */
void iot_models_identify(const struct iot_models *models, GString *out);
/** iot_models_save - append state and counters to @out, see model/model.h */
void iot_models_save(const struct iot_models *models, GByteArray *out);
/** iot_models_resume - restore them, after start; FALSE if they contradict the models */
gboolean iot_models_resume(struct iot_models *models, struct iot_unpack *in);

/**
 * iot_models_describe - load one model and describe it (--check-model); the caller frees
 * @inputs: NULL, or inputs that are bound to the model
 */
char *iot_models_describe(const char *name, struct iot_timeline *tl, struct iot_inputs *inputs,
			  GError **error);

#endif
