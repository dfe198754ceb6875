/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inputs of a run: opened, named, bound to a schema, and their strings made global. First the
 * files in the order of the command line, then the machines of those that are of several. Pipeline
 * thread only.
 *
 * Order of calls: open, bind (after the models are loaded), start, read (input/reader.h), describe,
 * close.
 */
#ifndef IOT_RUN_INPUTS_H
#define IOT_RUN_INPUTS_H

#include "input/source.h"
#include "model/model.h"
#include "run/node-gap.h"
#include "run/request.h"

struct iot_inputs;

struct iot_input {
	struct iot_source *source;
	struct iot_kept *kept;	    /* chunks that the opening and the first look have unpacked */
	struct iot_input_info info; /* as of the last iot_inputs_describe */
	guint recording; /* the input that reads the file: itself, unless that is of several
			  * machines */
	char *node, *name;	    /* identity "1" and display name "node 1" of the node */
	gboolean host_name_shared;  /* others have its host name, so its file names the node */
	char *boot_id;		    /* of its machine; NULL: not known */
	/*
	 * A model knows events of this input. Only such inputs decide when the recording begins and
	 * ends: the host's file, of which often nothing is drawn, may be half a minute longer, and
	 * the open calls of its guests must not be stretched to its end.
	 */
	gboolean used;
	/* It decides when the timeline begins and ends: it is used, and not only as the host of
	 * other inputs. */
	gboolean sets_range;
	/* it may have events from which states of objects follow */
	gboolean of_objects;
	GArray *vcpus; /* of struct iot_model_vcpu; NULL before bind */
	struct iot_node_gap gap;
	/* end of the recording, if it is long before the others; G_MAXUINT64: it is not */
	guint64 early_end_ns;
	gboolean ended; /* iot_inputs_edge has returned it */
	/* another recording of the machine goes on then, and this one has no objects */
	gboolean goes_on;
	/* the same for its begin, if it is long after the others */
	guint64 late_begin_ns;
	gboolean begun;
};

/* A recording begins, or ends, well inside the time of the others. */
struct iot_input_edge {
	guint input;
	guint64 ns; /* first or last event or clock sample of its machine */
	gboolean begins;
	gboolean goes_on; /* its machine is observed by another recording */
};

/**
 * iot_inputs_open - open all inputs in the order of the command line, and name their nodes
 * @clocks: by file, corrections other than the recorded ones, to which those of the options are
 *	added; or NULL
 * @tl: gets the names; must outlive the inputs
 */
struct iot_inputs *iot_inputs_open(const struct iot_options *options,
				   const struct iot_clock_change *clocks, struct iot_timeline *tl,
				   GError **error);
/** iot_inputs_models - the files (struct iot_model_file) of the models that may be loaded: those of
 * -m, or all */
const GPtrArray *iot_inputs_models(const struct iot_inputs *inputs);
/** iot_inputs_close - accepts NULL */
void iot_inputs_close(struct iot_inputs *inputs);

/** iot_inputs_count - number of inputs */
guint iot_inputs_count(const struct iot_inputs *inputs);
/** iot_inputs_at - an input by its position on the command line; valid until close */
const struct iot_input *iot_inputs_at(const struct iot_inputs *inputs, guint index);
/** iot_inputs_sync_unused - number of lines of --sync FILE whose machine is no input */
guint iot_inputs_sync_unused(const struct iot_inputs *inputs);
/** iot_inputs_marks_back - number of marks of clocks (clock-marks.h) that were set back */
guint iot_inputs_marks_back(const struct iot_inputs *inputs);
/** iot_inputs_runs - number of runs of all inputs together */
guint iot_inputs_runs(const struct iot_inputs *inputs);
/** iot_inputs_facts - results of the survey of the recordings */
const struct iot_facts *iot_inputs_facts(const struct iot_inputs *inputs);
/** iot_inputs_have - whether some input may have events of @system */
gboolean iot_inputs_have(const struct iot_inputs *inputs, const char *system);

/**
 * iot_inputs_bind - resolve @schema in every input, and find the inputs that are used
 * @schemas: by input: what is resolved instead, some events of @schema; NULL: all of them
 */
gboolean iot_inputs_bind(struct iot_inputs *inputs, const struct iot_schema *schema,
			 const struct iot_schema *const *schemas, GError **error);
/** iot_inputs_begin - time of the first event of the inputs that set the range, 0 without events;
 * after bind */
guint64 iot_inputs_begin(const struct iot_inputs *inputs);
/**
 * iot_inputs_range - begin and end of the timeline; after bind
 * @out_end: G_MAXUINT64 if some source does not know it before reading
 *
 * FALSE if no used input may have events beyond them.
 */
gboolean iot_inputs_range(const struct iot_inputs *inputs, guint64 *out_begin, guint64 *out_end);
/** iot_inputs_for_models - by input, valid until close; after bind */
const struct iot_model_input *iot_inputs_for_models(const struct iot_inputs *inputs);

/** iot_inputs_start - prepare reading up to @to_ns; after bind */
void iot_inputs_start(struct iot_inputs *inputs, guint64 to_ns);
/** iot_inputs_want_marks - make batches carry the position of their run; before reading */
void iot_inputs_want_marks(struct iot_inputs *inputs);
/** iot_inputs_globalise - replace the run's string numbers in @rec by those of the timeline */
void iot_inputs_globalise(struct iot_inputs *inputs, struct iot_rec *rec);
/** iot_inputs_check_once - an error if two recordings of one machine have the record's event */
gboolean iot_inputs_check_once(struct iot_inputs *inputs, const struct iot_rec *rec,
			       GError **error);
/** iot_inputs_gap - the gaps of the node of an input */
struct iot_node_gap *iot_inputs_gap(struct iot_inputs *inputs, guint index);
/** iot_inputs_next_edge - up to this time iot_inputs_edge returns FALSE */
guint64 iot_inputs_next_edge(const struct iot_inputs *inputs);
/** iot_inputs_edge - the next begin or end of a recording before @ts, each once, by time; FALSE if
 * there is none */
gboolean iot_inputs_edge(struct iot_inputs *inputs, guint64 ts, struct iot_input_edge *out);
/** iot_inputs_progress - bytes of event data read so far, and their total */
void iot_inputs_progress(const struct iot_inputs *inputs, guint64 *out_bytes, guint64 *out_total);

/** iot_inputs_describe - update the info of every input after reading */
void iot_inputs_describe(struct iot_inputs *inputs);
/** iot_inputs_end - time of the last event of the inputs that set the range, or of the first one
 * after the window; after describe */
guint64 iot_inputs_end(const struct iot_inputs *inputs);
/** iot_inputs_damaged - path of the first damaged input, or NULL; after describe */
const char *iot_inputs_damaged(const struct iot_inputs *inputs);

/** iot_inputs_lose_sight - a gap of the input begins, and states of its node may be unseen from @ns
 * on; TRUE: it is the first gap of the node, so the timeline has to know */
gboolean iot_inputs_lose_sight(struct iot_inputs *inputs, guint index, guint64 ns);
/** iot_inputs_save - append gaps and edges seen so far to @out */
void iot_inputs_save(const struct iot_inputs *inputs, GByteArray *out);
/** iot_inputs_load - restore them; FALSE if they contradict the inputs */
gboolean iot_inputs_load(struct iot_inputs *inputs, struct iot_unpack *in);

#endif
