/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of this folder share: the compiled sections of a model, and the objects it tracks.
 *
 * An *object* is a thing with an identity (a DLM lock: lockspace id and lock id on one node). Calls
 * are made on it (pairs), completions answer them, a machine holds its state, and it occupies a
 * lane of its row while it lives. A call may also stand alone, without an object (call.c).
 */
#ifndef IOT_MODEL_MODEL_LOCAL_H
#define IOT_MODEL_MODEL_LOCAL_H

#include "base/hashset.h"
#include "language/keytable.h"
#include "model/model.h"
#include "language/template.h"
#include "timeline/lanes.h"

enum { IOT_MAX_KEYS = 4, IOT_MAX_LEVELS = 8, IOT_RECENT_CATS = 64 };

/* [container]: one level of the tree. */
struct iot_row_type {
	const struct iot_section *section;
	struct iot_row_type *parent;
	iot_type_id type;
	/* from what "id" of all levels is made of to the row: two caches, see row.c */
	struct iot_memo by_fields, by_values;
	guint64 tables_version; /* ... of the tables that are asked */
	guint64 seen_version;	/* ... of all tables of the model when these were looked at */
	guint64 fields_order;	/* ... of the fields */
	guint32 generation;	/* what is found by fields holds as long as this is the same */
};

/* The way from one event to a row: the templates of all levels, compiled for that event. */
struct iot_row_path {
	guint n_levels;
	struct iot_level {
		iot_type_id type;
		struct iot_template *id, *name, *also; /* also: NULL if there is none */
	} level[IOT_MAX_LEVELS];
	struct iot_operands operands; /* of the ids */
	guint n_values;		      /* they stand for */
	struct iot_memo *by_fields;   /* of the container, or NULL */
	/* those who are drawn on the same rows for the same events share it */
	struct iot_row_type *on;
	struct iot_scope_events scope;
};

/* [values] and [points]: a type with its categories. */
struct iot_values {
	const struct iot_section *section;
	iot_type_id type;
	struct iot_row_type *on;
	GHashTable *cat_by_text; /* iot_str -> iot_cat_id */
	struct {
		iot_str text;
		iot_cat_id cat;	   /* 0: none */
	} recent[IOT_RECENT_CATS]; /* by text: what was found there last */
};

/*
 * The "set" and "always" lines of a section, compiled for one set of events in scope. Only the
 * "always" ones hold where the call is not known (a state that began unseen).
 */
struct iot_setter {
	struct iot_set_list {
		guint n_fields, n_numbers, n_texts;
		struct iot_set_field {
			guint8 attr, scope, slot;
		} field[IOT_MAX_ATTRS]; /* numbers that are copied */
		struct {
			guint attr;
			struct iot_expr *expr;
		} number[IOT_MAX_ATTRS];
		struct {
			guint attr;
			struct iot_template *tmpl;
		} text[IOT_MAX_ATTRS];
	} all, late; /* late: those of all that are set again when the span ends */
};

/* [point]: an instant drawn for an event, or for a call at its start. */
struct iot_point {
	struct iot_values *values;
	struct iot_template *value;
	struct iot_expr *when, *failed;
	struct iot_setter set;
	struct iot_row_path *path; /* only if the event or call belongs to no object */
};

/* [state]: a span for a call, compiled for one pair. */
struct iot_state {
	struct iot_values *values;
	struct iot_template *value;
	struct iot_setter set;
	gboolean until_return; /* from start to return; otherwise from start to done, if accepted */
	struct iot_template
		*over; /* value of calls that are over when they return; NULL: no span */
	struct iot_setter over_set;
	struct iot_expr *when, *failed; /* these and the rest: only of calls that stand alone */
	struct iot_row_path *path;
	struct iot_item item; /* the last one: what is the same for all need not be written again */
	guint64 placed; /* number of the evaluation for which its row and lane are those of item */
};

/* A rule of [machine], compiled for one pair (or for completions without a call). */
struct iot_rule {
	struct iot_expr *when;
	enum { GO_NONE, GO_UNKNOWN, GO_SAME, GO_VALUE } go;
	struct iot_template *value;
	struct iot_setter set;
	gboolean was_unknown;	  /* stray completions: it had a state before, which is not known;
				     others: when that state ended is not known */
	struct iot_template *was; /* notices: the state before, where none is known */
	gboolean was_none;	  /* notices: it begins with this event */
};

struct iot_object;
struct iot_object_kind;

/* What an event or a call does to tables and counters: of struct iot_hook; NULL: nothing. */
struct iot_hooks {
	GPtrArray *changes; /* before it is drawn */
	GPtrArray *drops;   /* of keys, behind that */
};

/* [pair]: start and end of a call. */
struct iot_pair {
	char *name;
	struct iot_object_kind *of; /* NULL: its calls stand alone */
	struct iot_schema_event *start, *end;
	guint n_keys;
	struct iot_expr *start_key[IOT_MAX_KEYS], *end_key[IOT_MAX_KEYS];
	gint8 start_slot[IOT_MAX_KEYS], end_slot[IOT_MAX_KEYS]; /* the same, if all of them are
								   fields, or @pid: -1 */
	gboolean plain_keys;
	struct iot_expr *begins, *begins_at_end; /* the call begins a new life of its object */
	struct iot_expr *may_begin, *may_begin_at_end; /* ... if no such object is known */
	struct iot_expr *accepted;		       /* over SELF and END */
	struct iot_expr *async; /* the accepted call will be completed by a done event */
	struct iot_expr *quiet; /* may be made while another call is pending */
	struct iot_schema_event *done;
	guint n_done_keys; /* 0: a completion may answer any call of the object */
	struct iot_expr *call_key[IOT_MAX_KEYS], *done_key[IOT_MAX_KEYS];
	struct iot_expr
		*answers; /* over DONE: completions that are for this pair rather than another */
	gint8 end_to_start[IOT_MAX_SLOTS]; /* slot of the end with the start's field of that name;
					      -1 */
	GPtrArray *points;		   /* of struct iot_point: [point] with call = this */
	struct iot_state *state;	   /* NULL: none */
	GPtrArray *rules;		   /* of struct iot_rule */
	struct iot_event *unseen; /* by input: the start as made up from an end that came alone */
	/* of calls that stand alone: */
	guint64 number; /* among the model's pairs */
	iot_str name_str;
	GHashTable *aliases; /* "let" lines: name -> field */
	GPtrArray *states;   /* of struct iot_state */
	struct iot_hooks hooks;
};

enum iot_part { IOT_PART_NONE, IOT_PART_START, IOT_PART_END, IOT_PART_DONE, IOT_PART_NOTICE };

/* What one event of the schema means to a model. */
struct iot_event_role {
	struct iot_schema_event *event;
	enum iot_part part;
	struct iot_object_kind *of; /* NULL: only points without an object */
	struct iot_pair *pair; /* START, END: its call; DONE: whose state a completion without a
				  call shows */
	guint n_keys;
	struct iot_expr *key[IOT_MAX_KEYS]; /* of the object */
	struct iot_row_path *path;
	struct iot_expr *has_state;    /* whether the machine is of the object at all; NULL: yes */
	struct iot_setter machine_set; /* attributes of "unknown" */
	GPtrArray *points;	       /* of struct iot_point */
	GPtrArray *repairs;	       /* of struct iot_repair; NULL: none */
	struct iot_hooks hooks;
	GPtrArray *stray_rules;	     /* DONE: of struct iot_rule; NOTICE: its rules */
	struct iot_setter stray_set; /* DONE: attributes of the state of a call that was not seen */
};

/* A call that was made on an object and has not been completed. */
struct iot_call {
	struct iot_pair *pair;
	struct iot_object *object;
	guint64 key[IOT_MAX_KEYS];
	guint64 t0;
	guint16 flags;				/* of the state's span */
	gboolean unseen_start;			/* no start event: no point is drawn for the call */
	struct iot_call *next;			/* in the object's list, oldest first */
	struct iot_call *open_prev, *open_next; /* all open calls of the kind, by t0 */
	struct iot_rec start;			/* copy; its slots follow */
};

struct iot_deferred {
	struct iot_deferred *next;
	struct iot_event_role *role;
	struct iot_rec rec; /* copy; its slots follow */
};

enum iot_mode { IOT_MODE_NONE, IOT_MODE_KNOWN, IOT_MODE_UNKNOWN };

struct iot_object {
	struct iot_object_kind *kind;
	guint64 hash, key[IOT_MAX_KEYS];
	guint64 last_ns;  /* latest time at which something happened to it */
	guint64 ended_ns; /* end of the last span on its lane */
	guint32 input;
	iot_row_id row;
	guint16 lane;
	guint16 n_deferred;
	guint8 mode;	    /* enum iot_mode */
	gboolean stateless; /* the machine is not of this one */
	gboolean in_sight;  /* it was seen to begin, or to end: it is not from before */
	gboolean fresh; /* nothing has been drawn on its lane yet: spans may begin in the past */
	struct iot_call *open, *pending;
	struct iot_call *pending_tail; /* if some are pending */
	gboolean unseen_pending;       /* some of them may be without start */
	struct iot_deferred *deferred, *deferred_tail;
	struct iot_span state_span, mode_span;
	union iot_attr always[IOT_MAX_ATTRS];	    /* of the machine's spans, whatever the state */
	struct iot_object *prev, *next;		    /* all of the kind, by creation */
	struct iot_object *input_prev, *input_next; /* all of one input */
};

/* What a kind keeps per input. */
struct iot_kind_input {
	struct iot_object *first, *last;
	guint gap_depth;
	guint64 since; /* unseen beginnings are drawn from here: begin of recording or end of the
			  last gap */
	guint16 since_flags; /* IOT_BEFORE or IOT_SUSPECT */
};

/* [object] and its [machine]. */
struct iot_object_kind {
	struct iot_model *model;
	const struct iot_section *section;
	char *name;
	struct iot_row_type *on;
	GPtrArray *pairs;	    /* of struct iot_pair */
	struct iot_values *machine; /* NULL: no machine */
	const struct iot_section *machine_section;
	iot_cat_id unknown_cat;
	struct iot_hashset objects; /* all of them, by input and key */
	struct iot_ended *ended;    /* those that are no more; NULL: none */
	guint n_calls, n_deferred;  /* of all objects */
	struct iot_object *first, *last;
	struct iot_call *open_first, *open_last;
	struct iot_kind_input *inputs;
	gsize call_size;
	struct iot_call *free_calls;
	struct iot_object *free_objects;
};

struct iot_model {
	struct iot_model_file *file;
	char *name, *title, *system;
	struct iot_timeline *tl;
	struct iot_schema *schema;
	GHashTable *names; /* name -> struct iot_names */
	GPtrArray *row_types, *row_paths, *values, *kinds, *pairs, *states, *tables, *counters;
	guint64 evaluations;		    /* so far */
	guint64 tables_version;		    /* grows with every change of what any table says */
	struct iot_standalone_calls *calls; /* open calls that stand alone */
	struct iot_ties *ties;		    /* events that wait for others of their instant */
	GPtrArray *roles; /* struct iot_event_role by schema index; NULL: not ours */
	struct iot_emit *emit;
	struct iot_diag *diag;
	struct iot_lanes *lanes;
	const struct iot_model_input *inputs;
	guint n_inputs, max_open, max_rows;
	iot_str others; /* identity of the row that takes what is beyond max_rows */
	iot_select_func select;
	gpointer select_data;
	GPtrArray *resumed;	  /* of struct iot_event: those of records from a saved state */
	struct iot_rec *repaired; /* the last record of which fields were put right */
};

/* section-table.c: what can stand in [brackets]. */
struct iot_section_kind {
	const char *kind;
	const char *const
		*keys; /* allowed settings; "rule *" allows every key with that first word */
	gboolean (*build)(struct iot_model *model, const struct iot_section *section,
			  GError **error);
	const char *later; /* not NULL: reserved; says what is missing */
};
extern const struct iot_section_kind *const iot_section_kinds[];
extern const struct iot_section_kind iot_section_kind_names, iot_section_kind_container,
	iot_section_kind_values, iot_section_kind_points, iot_section_kind_object,
	iot_section_kind_pair, iot_section_kind_state, iot_section_kind_machine,
	iot_section_kind_point, iot_section_kind_link, iot_section_kind_counter,
	iot_section_kind_keytable, iot_section_kind_repair;

/* bind.c: pieces that several joiners are built from */
struct iot_event_role *iot_bind_role(struct iot_model *model, struct iot_schema_event *event);
struct iot_schema_event *iot_bind_event(struct iot_model *model, const struct iot_setting *setting,
					const char *name);
struct iot_row_type *iot_bind_row_type(struct iot_model *model, const struct iot_setting *setting,
				       GError **error);
struct iot_values *iot_bind_values(struct iot_model *model, const struct iot_setting *setting,
				   GError **error);
struct iot_pair *iot_bind_pair(struct iot_model *model, const struct iot_setting *setting,
			       const char *name, GError **error);
gboolean iot_bind_setter(struct iot_model *model, const struct iot_section *section,
			 const struct iot_values *values, struct iot_scope_events *scope,
			 gboolean only_always, struct iot_setter *setter, GError **error);
void iot_setter_clear(struct iot_setter *setter);
gboolean iot_bind_exprs(const struct iot_setting *setting, struct iot_scope_events *scope,
			struct iot_expr **out, guint *out_n, GError **error);
struct iot_scope_events iot_bind_scope(struct iot_model *model, const struct iot_section *section,
				       struct iot_schema_event *self, struct iot_schema_event *end,
				       struct iot_schema_event *done, gboolean required);
/** iot_bind_pair_scope - start, end and aliases of a call that stands alone */
struct iot_scope_events iot_bind_pair_scope(struct iot_model *model,
					    const struct iot_section *section,
					    const struct iot_pair *pair, gboolean required);
/** iot_bind_optional_expr - the expression of @key, or NULL if the key is not there; FALSE on
 * errors */
gboolean iot_bind_optional_expr(const struct iot_section *section, const char *key,
				struct iot_scope_events *scope, struct iot_expr **out,
				GError **error);

/* row.c: where something is drawn */
gboolean iot_bind_row_path(struct iot_model *model, struct iot_row_type *on,
			   struct iot_scope_events *scope, struct iot_row_path **out,
			   GError **error);
void iot_row_path_free(gpointer path);
/** iot_row_path_find - the row of an event or call; made if it is new */
iot_row_id iot_row_path_find(struct iot_model *model, struct iot_row_path *path,
			     const struct iot_eval *eval);
void iot_row_type_free(gpointer container);

/* run time */
void iot_eval_init(struct iot_model *model, struct iot_eval *eval, guint32 input,
		   const struct iot_rec *self, const struct iot_rec *end,
		   const struct iot_rec *done);
/** iot_setter_apply - make the attributes of a list */
void iot_setter_apply(const struct iot_set_list *list, const struct iot_eval *eval,
		      struct iot_item *item);
/** iot_values_find_cat - iot_values_cat for every text */
iot_cat_id iot_values_find_cat(struct iot_model *model, struct iot_values *values, iot_str text);
/** iot_values_cat - the category whose name is @text; it is made if there is none */
static inline iot_cat_id iot_values_cat(struct iot_model *model, struct iot_values *values,
					iot_str text)
{
	guint at = text % IOT_RECENT_CATS;

	if (G_LIKELY(values->recent[at].cat && values->recent[at].text == text))
		return values->recent[at].cat;
	return iot_values_find_cat(model, values, text);
}
/** iot_item_start - a zeroed item of a type */
void iot_item_start(const struct iot_model *model, struct iot_item *item,
		    const struct iot_values *values);

void iot_point_draw(struct iot_model *model, const struct iot_point *point,
		    const struct iot_eval *eval, iot_row_id row, guint16 lane, guint64 t,
		    guint16 flags);
void iot_point_free(gpointer point);

/* model.c: an event on its way */
/** iot_model_take - all that an event does */
void iot_model_take(struct iot_model *model, struct iot_event_role *role,
		    const struct iot_rec *rec);
/** iot_model_join - what it does to objects and calls */
void iot_model_join(struct iot_model *model, struct iot_event_role *role,
		    const struct iot_rec *rec);

/* ties.c: events of several CPUs with one time */
/* What speaks against an event. */
enum iot_contradiction {
	IOT_NO_CONTRADICTION,
	IOT_NOT_ENDED,	   /* a start: the same call has not ended */
	IOT_STILL_ALIVE,   /* a start that begins a life: the object lives */
	IOT_NOT_COMPLETED, /* a start: another call has not been completed */
	IOT_NOT_STARTED,   /* an end */
	IOT_NOT_CALLED,	   /* a completion */
	IOT_NOT_KNOWN,	   /* a notice: there is no such object */
};
struct iot_ties *iot_ties_new(void);
void iot_ties_free(struct iot_ties *ties);
/** iot_tie_waits - the event contradicts what is known; TRUE if it is to be left alone, because
 * another of the same instant may explain it: it will come again */
gboolean iot_tie_waits(struct iot_model *model, struct iot_event_role *role,
		       const struct iot_rec *rec, enum iot_contradiction why);
/** iot_tie_take_back - the same for an event of this instant that has been applied, and whose
 * effects the caller undoes then */
gboolean iot_tie_take_back(struct iot_model *model, struct iot_event_role *role,
			   const struct iot_rec *rec, enum iot_contradiction why);
/** iot_ties_any - whether events wait */
gboolean iot_ties_any(const struct iot_ties *ties);
/** iot_ties_event - the next record, while events wait; TRUE if it has been dealt with */
gboolean iot_ties_event(struct iot_model *model, struct iot_event_role *role,
			const struct iot_rec *rec);
/** iot_ties_settle - the instant is over: apply what waits */
void iot_ties_settle(struct iot_model *model);
/** iot_ties_oldest - time of what waits; G_MAXUINT64: nothing does */
guint64 iot_ties_oldest(const struct iot_ties *ties);

/* repair.c: fields that a kernel writes wrongly */
/** iot_repair - the record with its fields put right, valid until the next; or @rec itself, if they
 * are right */
const struct iot_rec *iot_repair(struct iot_model *model, const struct iot_event_role *role,
				 const struct iot_rec *rec);
void iot_repair_free(gpointer repair);

/* object.c: identity, lanes, gaps, and the order in which events are applied */
void iot_object_event(struct iot_model *model, struct iot_event_role *role,
		      const struct iot_rec *rec);
gboolean iot_object_bind(struct iot_model *model, struct iot_object_kind *kind,
			 struct iot_schema_event *event, enum iot_part part,
			 struct iot_event_role **out_role, const struct iot_section *section,
			 GError **error);
/** iot_object_append_deferred - an event that waits; its record has @size bytes and is to be filled
 * in */
struct iot_deferred *iot_object_append_deferred(struct iot_object *object,
						struct iot_event_role *role, gsize size);
/** iot_object_restore - the youngest object of a saved state, without contents; NULL if there is
 * one already */
struct iot_object *iot_object_restore(struct iot_object_kind *kind, guint32 input,
				      const guint64 *key);
void iot_kind_gap(struct iot_object_kind *kind, guint input, guint64 ts, gboolean begin);
void iot_kind_finish(struct iot_object_kind *kind, guint64 ts, gboolean at_end);
void iot_kind_start(struct iot_object_kind *kind);
void iot_kind_free(gpointer kind);
gsize iot_kind_memory(const struct iot_object_kind *kind); /* what waits to be used again, too */
gboolean iot_kind_in_gap(const struct iot_object_kind *kind, guint32 input);

/* ended.c: objects that are no more */
/** iot_ended_note - one with that hash has ended at @ns */
void iot_ended_note(struct iot_object_kind *kind, guint64 hash, guint64 ns);
/** iot_ended_since - whether one has, not before @since; FALSE also if that has been forgotten */
gboolean iot_ended_since(const struct iot_object_kind *kind, guint64 hash, guint64 since);
gsize iot_ended_memory(const struct iot_object_kind *kind);
void iot_ended_save(const struct iot_object_kind *kind, GByteArray *out);
gboolean iot_ended_load(struct iot_object_kind *kind, struct iot_unpack *in);

/* pair.c: calls from start to return */
void iot_pair_finish(struct iot_pair *pair);
/** iot_call_new - without contents, in no list */
struct iot_call *iot_call_new(struct iot_object *object, struct iot_pair *pair);
/** iot_call_add_pending - behind the other pending ones of its object */
void iot_call_add_pending(struct iot_object *object, struct iot_call *call);
/** iot_call_take_pending - that at @link, which is behind @previous (NULL: the oldest) */
struct iot_call *iot_call_take_pending(struct iot_object *object, struct iot_call **link,
				       struct iot_call *previous);
/** iot_call_chain - put it among all open calls of the kind, by t0 */
void iot_call_chain(struct iot_object_kind *kind, struct iot_call *call);
struct iot_call *iot_call_open(struct iot_object *object, struct iot_pair *pair,
			       const struct iot_rec *start);
/** iot_call_unseen - a call that is known only from its end; it is not put among the open ones */
struct iot_call *iot_call_unseen(struct iot_object *object, struct iot_pair *pair,
				 const struct iot_rec *end);
struct iot_call *iot_call_find(const struct iot_object *object, const struct iot_pair *pair,
			       const guint64 *key);
void iot_call_close(struct iot_object *object,
		    struct iot_call *call); /* no longer open; not freed */
void iot_call_free(struct iot_object_kind *kind, struct iot_call *call);
void iot_call_free_list(struct iot_object_kind *kind, struct iot_call **list);
static inline void iot_pair_key(const struct iot_pair *pair, gboolean at_end,
				const struct iot_eval *eval, guint64 *out_key)
{
	struct iot_expr *const *exprs = at_end ? pair->end_key : pair->start_key;

	memset(out_key, 0, IOT_MAX_KEYS * sizeof(*out_key));
	for (gsize i = 0; i < pair->n_keys; i++)
		out_key[i] = (guint64)iot_expr_eval(exprs[i], eval);
}
void iot_call_draw(struct iot_model *model, struct iot_object *object, const struct iot_call *call,
		   const struct iot_rec *end, guint16 flags);
/** iot_call_expects_done - the call was accepted and a completion will follow; @end NULL: taken as
 * accepted */
gboolean iot_call_expects_done(struct iot_model *model, const struct iot_object *object,
			       const struct iot_call *call, const struct iot_rec *end);
/** iot_call_may_be_answered - the completion is one of the call's pair, and of its key */
gboolean iot_call_may_be_answered(struct iot_model *model, const struct iot_object *object,
				  const struct iot_call *call, const struct iot_rec *done);
void iot_pair_free(gpointer pair);

/* state.c: the span of pending calls */
void iot_state_begin(struct iot_model *model, struct iot_object *object,
		     const struct iot_call *call, guint64 t0, guint16 flags);
void iot_state_begin_stray(struct iot_model *model, struct iot_object *object,
			   const struct iot_event_role *role, const struct iot_rec *done,
			   guint64 t0, guint16 flags);
void iot_state_end(struct iot_model *model, struct iot_object *object, const struct iot_call *call,
		   const struct iot_rec *done, guint64 t1, guint16 flags);
/** iot_state_over - the span of a call that is over when it returns, if the model wants one */
void iot_state_over(struct iot_model *model, struct iot_object *object, const struct iot_call *call,
		    const struct iot_rec *end, guint16 flags);
void iot_state_free(gpointer state);

/* machine.c: what the object is in */
/** iot_machine_done - apply the rules of the call's pair to its completion; TRUE if the object is
 * in no state now */
gboolean iot_machine_done(struct iot_object *object, const struct iot_call *call,
			  const struct iot_rec *done);
const struct iot_rule *iot_machine_stray_rule(struct iot_model *model,
					      const struct iot_event_role *role, guint32 input,
					      const struct iot_rec *done);
/** iot_machine_stray - apply the rule of a completion without its call; TRUE if the object is in no
 * state now */
gboolean iot_machine_stray(struct iot_object *object, const struct iot_rule *rule, guint64 t);
/** iot_machine_notice_rule - the rule for an event that belongs to no call; NULL: it changes
 * nothing */
const struct iot_rule *iot_machine_notice_rule(struct iot_model *model,
					       const struct iot_event_role *role,
					       const struct iot_rec *rec);
/** iot_machine_notice - apply it; TRUE if the object is in no state now */
gboolean iot_machine_notice(struct iot_object *object, const struct iot_rule *rule,
			    const struct iot_rec *rec);
/** iot_machine_was - the state in which the object must have been since @t0 */
void iot_machine_was(struct iot_object *object, const struct iot_rule *rule,
		     const struct iot_rec *rec, guint64 t0, guint16 flags);
void iot_machine_unknown(struct iot_object *object, guint64 t0, guint16 flags);
void iot_machine_end(struct iot_object *object, guint64 t1, guint16 flags);
void iot_rule_free(gpointer rule);

/* call.c: calls that stand alone, from start to end */
struct iot_standalone_calls *iot_standalone_calls_new(void);
void iot_standalone_calls_free(struct iot_standalone_calls *calls);
gsize iot_standalone_calls_memory(const struct iot_standalone_calls *calls);
/** iot_standalone_calls_event - a start or an end */
void iot_standalone_calls_event(struct iot_model *model, struct iot_event_role *role,
				const struct iot_rec *rec);
/** iot_standalone_calls_close - close those of one input; @input G_MAXUINT: of all */
void iot_standalone_calls_close(struct iot_model *model, guint input, guint64 ts, guint16 flags,
				enum iot_diag_id counted_as);
/** iot_standalone_calls_oldest - start of the oldest open one, G_MAXUINT64 if there is none */
guint64 iot_standalone_calls_oldest(const struct iot_standalone_calls *calls);

/* counter.c, hook.c: what is remembered and counted */
struct iot_counter;
enum iot_change { IOT_ADD, IOT_SUBTRACT, IOT_SET };

struct iot_row_type *iot_counter_on(const struct iot_counter *counter);
void iot_counter_change(struct iot_counter *counter, iot_row_id row, enum iot_change change,
			gint64 amount, guint64 ts);
void iot_counter_free(gpointer counter);
/** iot_hook_add_table, iot_hook_add_counter - compile a line of a section */
gboolean iot_hook_add_table(struct iot_model *model, const struct iot_section *section,
			    const struct iot_setting *setting, struct iot_keytable *table,
			    GError **error);
gboolean iot_hook_add_counter(struct iot_model *model, const struct iot_section *section,
			      const struct iot_setting *setting, struct iot_counter *counter,
			      GError **error);
/** iot_hooks_run - apply to every table and counter the first line that fits */
void iot_hooks_run(struct iot_model *model, const GPtrArray *hooks, const struct iot_eval *eval,
		   guint64 ts);
void iot_hooks_clear(struct iot_hooks *hooks);

/*
 * model-save.c: state as bytes and back. Bound events become numbers in order of first use; with
 * the first use the event follows.
 */
struct iot_saver {
	const struct iot_model *model;
	GByteArray *out;
	GHashTable *events; /* of struct iot_event -> number + 1 */
	GHashTable *calls;  /* open calls of the kind -> number */
};

struct iot_loader {
	struct iot_model *model;
	struct iot_unpack *in;
	GPtrArray *calls; /* open calls of the kind */
};

void iot_save_rec(struct iot_saver *s, const struct iot_rec *rec);
/** iot_load_event - the event of the record that follows; belongs to the model */
const struct iot_event *iot_load_event(struct iot_loader *l);
/** iot_load_rec - the rest of it; @rec has room for the fields of its event */
void iot_load_rec(struct iot_loader *l, const struct iot_event *event, struct iot_rec *rec);
void iot_save_key(struct iot_saver *s, const guint64 *key);
void iot_load_key(struct iot_loader *l, guint64 *key);
void iot_ties_save(struct iot_saver *s);
gboolean iot_ties_load(struct iot_loader *l);
void iot_standalone_calls_save(struct iot_saver *s);
gboolean iot_standalone_calls_load(struct iot_loader *l);
void iot_counter_save(const struct iot_counter *counter, GByteArray *out);
gboolean iot_counter_load(struct iot_counter *counter, struct iot_unpack *in);

#endif
