/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A protocol, loaded from a model file and run over the merged records: records in, points and
 * spans out.
 *
 * Order of calls: load (for all models), bind inputs, event and gap in time order with advance of
 * the timeline between them, finish. Pipeline thread only.
 */
#ifndef IOT_MODEL_MODEL_H
#define IOT_MODEL_MODEL_H

#include "base/diag.h"
#include "input/record.h"
#include "input/schema.h"
#include "model/facts.h"
#include "timeline/emit.h"

struct iot_model;

/* What became of the ends of a [link]. */
enum iot_link_count {
	/* pairs that were drawn, and drawn pairs that contradict the clocks */
	IOT_LINKED,
	IOT_LINK_BACKWARDS,
	/* ends with several possible partners */
	IOT_LINK_AMBIGUOUS_FROM,
	IOT_LINK_AMBIGUOUS_TO,
	/* from-ends without a partner: it should have been recorded; events are missing; the
	 * recording ended before */
	IOT_LINK_NOT_RECEIVED,
	IOT_LINK_RECEIVED_IN_GAP,
	IOT_LINK_RECEIVED_AFTER,
	/* to-ends without a partner: likewise */
	IOT_LINK_NOT_SENT,
	IOT_LINK_SENT_IN_GAP,
	IOT_LINK_SENT_BEFORE,
	/* from-ends with the key of another one that is open */
	IOT_LINK_RETRANSMITTED,
	IOT_LINK_REUSED,
	IOT_LINK_EVICTED,
	IOT_LINK_N_COUNTS
};

struct iot_link_report {
	const char *name;
	guint64 count[IOT_LINK_N_COUNTS];
};

/* Facts about an input that a model needs. */
/* A thread of a host that is a virtual CPU of a guest. */
struct iot_model_vcpu {
	gint32 pid;
	guint32 cpu;
	iot_str node, node_name; /* of the guest */
};

struct iot_model_input {
	/* identity and name of the node */
	iot_str node, node_name;
	/* the first input of this node: threads and key tables belong to the machine, whichever
	 * recording tells of them; objects, calls and losses belong to the recording */
	guint32 machine;
	/* the input that reads the file: itself, unless the file tells of several machines */
	guint32 recording;
	/* commands of its processes; NULL: none known */
	struct iot_commands *commands;
	/* a host's virtual CPUs of guests */
	const struct iot_model_vcpu *vcpus;
	guint n_vcpus;
	/* objects that existed before the recording are drawn from here */
	guint64 first_ns;
	/* before and after, nothing is recorded; 0, G_MAXUINT64: nothing was, or it is not known */
	guint64 from_ns, to_ns;
	/* a model knows events of it */
	gboolean used;
	/* with one run, events are in the order of recording even if their times tie */
	guint n_runs;
};

/** Whether a new row is selected; on other rows everything is tracked, but nothing drawn. */
typedef gboolean (*iot_select_func)(gpointer user_data, const struct iot_timeline *tl,
				    iot_row_id row);

/* An end of a link whose key names one message (unique = yes). */
struct iot_link_sighting {
	gconstpointer link;
	const char *name;    /* of the section */
	const guint64 *keys; /* texts are numbers of the timeline */
	guint n_keys;
	guint32 texts; /* a bit for each key that is a text */
	gboolean is_from;
	gboolean many; /* several to-ends may follow from one from-end */
	guint input;
	guint64 ns;
};
typedef void (*iot_link_watch)(gpointer user_data, const struct iot_link_sighting *end);

/* Everything that a model uses while it runs; the caller keeps it until the model is freed. */
struct iot_model_run {
	struct iot_emit *emit;
	/* by position on the command line */
	const struct iot_model_input *inputs;
	guint n_inputs;
	/* limits of open objects and calls, and of rows in the timeline */
	guint max_open, max_rows;
	/* the clocks of two machines differ by at most this */
	guint64 clock_error_ns;
	/* gets the ends of links, which are not joined then; NULL: they are joined */
	iot_link_watch watch;
	gpointer watch_data;
	/* NULL: all rows are selected */
	iot_select_func select;
	gpointer select_data;
	struct iot_diag *diag;
};

/** iot_model_shared_new - no key tables yet; the caller frees it after all models */
GPtrArray *iot_model_shared_new(void);
/* The run that a model is loaded for. */
struct iot_model_company {
	/* the key tables that its models share (iot_model_shared_new); NULL: none */
	GPtrArray *shared;
	/* sections of links are skipped */
	gboolean no_links;
	/* gets the rules of order; NULL: they are skipped */
	struct iot_order_rules *order;
};
/**
 * iot_model_compile - add the types of a model to @tl and its events to @schema
 * @file: gets one more user
 *
 * Several models may be loaded into one timeline; rows with the same path are the same. Errors
 * (IOT_ERROR_MODEL) name file, line and column.
 * @company: the model adds its shared key tables, and iot_model_load_rest must follow when all
 *	models are loaded. NULL: the model is alone, and is loaded completely
 */
struct iot_model *iot_model_compile(struct iot_model_file *file, struct iot_timeline *tl,
				    struct iot_schema *schema,
				    const struct iot_model_company *company, GError **error);
/** iot_model_load - the same for the model in the file @path */
struct iot_model *iot_model_load(const char *path, struct iot_timeline *tl,
				 struct iot_schema *schema, const struct iot_model_company *company,
				 GError **error);
/** iot_model_load_rest - the sections below [later], whose types come after those of all models */
gboolean iot_model_load_rest(struct iot_model *model, GError **error);
/** iot_model_connect - all models of the run (struct iot_model) are loaded: find those on which
 * this one relies; @out_missing: name of one that is not loaded, to be freed */
gboolean iot_model_connect(struct iot_model *model, const GPtrArray *models, char **out_missing,
			   GError **error);
/** iot_model_changes_shared - whether it changes a key table that other models may read: it must
 * get each event before them */
gboolean iot_model_changes_shared(const struct iot_model *model);
/** iot_model_free - NULL is allowed */
void iot_model_free(struct iot_model *model);
/** iot_model_learn - take over the results of a first look; before start */
void iot_model_learn(struct iot_model *model, const struct iot_facts *facts);

/** iot_model_follows - whether the model adds to the rows of other models' threads */
gboolean iot_model_follows(const struct iot_model *model);
/** iot_model_finds_threads - whether the model needs to know the rows of other models' threads */
gboolean iot_model_finds_threads(const struct iot_model *model);
/** iot_model_note_threads - all models are loaded, and one of them finds threads: note the threads
 * that this model draws; before the inputs are bound */
gboolean iot_model_note_threads(struct iot_model *model, GError **error);

/** iot_model_start - before the first event */
void iot_model_start(struct iot_model *model, const struct iot_model_run *run);
/** iot_model_needs_vcpus - whether its events are those of the host of the nodes: they draw what
 * happens to the nodes, and do not say when the recording begins and ends */
gboolean iot_model_needs_vcpus(const struct iot_model *model);
/** iot_model_knows - whether the event with that index in the schema has a role in the model */
gboolean iot_model_knows(const struct iot_model *model, guint index);
/** iot_model_of_vcpus - whether the event, which the model knows, means something only in a
 * recording that names virtual CPUs; after iot_model_start */
gboolean iot_model_of_vcpus(const struct iot_model *model, guint index);
/** iot_model_takes_names - whether a [role] looks for a name in a text of the event with that
 * index; machines record such texts that have nothing to do with the model, too */
gboolean iot_model_takes_names(const struct iot_model *model, guint index);
/** iot_model_event - the next record; its string slots are numbers of tl->strings */
void iot_model_event(struct iot_model *model, const struct iot_rec *rec);
/** iot_model_gap - events of @input are missing from here on (@begin) or up to here */
void iot_model_gap(struct iot_model *model, guint input, guint64 ts, gboolean begin);
/** iot_model_hold_back - before an event of a later time is given: the oldest record that is held
 * back (--causality hold), and will come after this event; G_MAXUINT64: none is */
void iot_model_hold_back(struct iot_model *model, guint64 oldest_ns);
/** iot_model_forget_keys - after iot_model_gap of all models: clear the entries of @input in key
 * tables that lost events make doubtful */
void iot_model_forget_keys(struct iot_model *model, guint input);
/** iot_model_watermark - no record before @position will come: nothing will be emitted before this
 * time (but see iot_emit_advance); G_MAXUINT64: no limit */
guint64 iot_model_watermark(struct iot_model *model, guint64 position);
/** iot_model_hold - the longest time in ns that an end of a link may be undecided, if one of
 * instant
 * @t or before is undecided now; else 0 */
guint64 iot_model_hold(const struct iot_model *model, guint64 t);
/**
 * iot_model_finish - close everything that is open, at @ts
 * @at_end: the recording ends here; otherwise the window does, and open calls are not counted
 */
void iot_model_finish(struct iot_model *model, guint64 ts, gboolean at_end);

/** iot_model_link - what became of the ends of one [link], after iot_model_finish; FALSE: there are
 * no more */
gboolean iot_model_link(const struct iot_model *model, guint index, struct iot_link_report *out);
/** iot_model_link_mistyped - a sentence, if the key of an existing [link] has a value that is a
 * number on one side and a text on the other one, in the events so far; else NULL. The caller
 * frees. */
char *iot_model_link_mistyped(const struct iot_model *model, guint index);
/** iot_model_memory - the most bytes that calls, objects and tables took; after iot_model_finish */
gsize iot_model_memory(const struct iot_model *model);
/** iot_model_identify - append the model's settings to @out, without comments and blanks */
void iot_model_identify(const struct iot_model *model, GString *out);
/** iot_model_save - append the state after all events so far to @out, without the timeline */
void iot_model_save(const struct iot_model *model, GByteArray *out);
/**
 * iot_model_resume - continue from a saved state; after start, when the timeline has been loaded
 *
 * FALSE if the state is damaged or does not fit; the model cannot be used then.
 */
gboolean iot_model_resume(struct iot_model *model, struct iot_unpack *in);

/** iot_model_describe - row types, values, pairs and rules for --check-model; the caller frees */
char *iot_model_describe(const struct iot_model *model);

#endif
