/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A model and its compiled sections, as the files of this folder share them. Functions are declared
 * in the header of the file that defines them; objects and their calls are in tracked.h.
 *
 * Roles. An event may end one call and start another, or concern two objects. A role (struct
 * iot_event_role) is one of these meanings, with key expressions and rows of its own. The roles of
 * an event form a list; its first one also holds what concerns the event as a whole: hooks,
 * repairs, points without an object. Ends are applied before starts. A [role] is another name for
 * an event with renamed fields (iot_schema_role); nothing after compilation knows it. A field that
 * a role computes from a text has a slot that no recording fills; derive.c fills it before all
 * else sees the record. Deferred and held records know their role.
 */
#ifndef IOT_MODEL_MODEL_LOCAL_H
#define IOT_MODEL_MODEL_LOCAL_H

#include "language/keytable.h"
#include "language/template.h"
#include "model/model.h"
#include "timeline/lanes.h"

enum {
	IOT_MAX_KEYS = 8,
	IOT_MAX_ENDS = 8,
	IOT_MAX_ROLES = 16,
	IOT_MAX_UNLESS = 8,
	IOT_RECENT_CATS = 64
};

struct iot_object_kind;
struct iot_row_path;
struct iot_row_type;
struct iot_standalone_calls;
struct iot_ties;
struct iot_unrecorded_input;

/* [values] and [points]: a type with its categories. */
struct iot_values {
	const struct iot_section *section;
	iot_type_id type;
	struct iot_row_type *on;
	/* values that are not listed have the colours and roles that they have here; NULL:
	 * automatic */
	const struct iot_values *like;
	/* of values that are listed in neither; "else" */
	enum iot_role role;
	/* the [compatible] that compares its values; NULL: none */
	const struct iot_section *compared;
	/* "through" of their [because]; NULL: none */
	const struct iot_setting *through;
	/* iot_str -> iot_cat_id */
	GHashTable *cat_by_text;
	/* cache of cat_by_text, by text; cat 0: the slot is empty */
	struct {
		iot_str text;
		iot_cat_id cat;
	} recent[IOT_RECENT_CATS];
};

/* Attributes that are set, by kind of expression. */
struct iot_set_list {
	guint n_fields, n_numbers, n_texts;
	/* fields that are copied as they are */
	struct iot_set_field {
		guint8 attr, scope, slot;
	} field[IOT_MAX_ATTRS];
	struct {
		guint attr;
		struct iot_expr *expr;
	} number[IOT_MAX_ATTRS];
	struct {
		guint attr;
		struct iot_template *tmpl;
	} text[IOT_MAX_ATTRS];
};

/* The "set" and "always" lines of a section, compiled for one set of events in scope. */
struct iot_setter {
	struct iot_set_list all;
	/* those of all that are set again when the span ends */
	struct iot_set_list late;
};

/* [point]: an instant drawn for an event, or for a call at its start. */
struct iot_point {
	/* NULL: of a call */
	struct iot_schema_event *event;
	struct iot_values *values;
	struct iot_template *value;
	struct iot_expr *when, *failed;
	struct iot_setter set;
	/* NULL: the event or call has an object, whose row it is */
	struct iot_row_path *path;
};

/* [state]: a span for a call, compiled for one pair. */
struct iot_state {
	struct iot_values *values;
	struct iot_template *value;
	struct iot_setter set;
	/* from start to return; otherwise from start to done, if accepted */
	gboolean until_return;
	/* value of calls that give up the hold; NULL: the same */
	struct iot_template *releasing;
	/* of calls that ask for the mode that is held; NULL: they are not drawn */
	struct iot_template *keeping;
	/* value of calls that need no completion; NULL: they are not drawn */
	struct iot_template *over;
	struct iot_setter over_set;
	/* the other members are for standalone calls only; asks: for a mode of the values */
	gboolean asks;
	struct iot_expr *when, *failed;
	struct iot_row_path *path;
	/* the last one drawn: members that are the same for all are written once */
	struct iot_item item;
	/* number of the evaluation that item's row and lane belong to */
	guint64 placed;
};

/* A rule of [machine], compiled for one pair, or for an event without a call. */
struct iot_rule {
	struct iot_expr *when;
	enum { GO_NONE, GO_UNKNOWN, GO_SAME, GO_VALUE } go;
	struct iot_template *value;
	struct iot_setter set;
	/* the value and the attributes depend on nothing but the event; key_slot: if this field is
	 * missing, with which they look up texts that change (-1: they look up none) */
	gboolean of_event;
	gint16 key_slot;
	/* stray completions: the object had an unknown mode before; other completions: the time at
	 * which the mode ended is unknown */
	gboolean was_unknown;
	/* notices: the mode before, if none is known */
	struct iot_template *was;
	/* notices: the object begins with this event */
	gboolean was_none;
	/* notices: the mode is up to the machine of the event */
	gboolean own;
	/* notices: not if the object is known to be in one of these */
	guint n_unless;
	iot_cat_id unless[IOT_MAX_UNLESS];
};

/* What an event or a call does to tables and counters: of struct iot_hook; NULL: nothing. */
struct iot_hooks {
	/* run before the event or call is drawn */
	GPtrArray *changes;
	/* keys that tables drop: of an event run before it is joined, of a call after it is drawn
	 */
	GPtrArray *drops;
	/* run after the event is joined, or the call is drawn */
	GPtrArray *pops;
};

/* An event that ends calls of a pair. */
struct iot_pair_end {
	struct iot_schema_event *event;
	struct iot_event_role *role;
	struct iot_expr *key[IOT_MAX_KEYS];
	/* of the keys, if they are plain_keys of the pair */
	gint8 slot[IOT_MAX_KEYS];
	/* for each slot of the pair's first end, the slot of the field with that name; -1: none */
	gint8 from[IOT_MAX_SLOTS];
	/* by input: the first end's event, for records that take its place; NULL: not used yet */
	struct iot_event *as_first;
};

/* [pair]: start and end of a call. */
struct iot_pair {
	char *name;
	const struct iot_section *section;
	/* NULL: its calls are standalone calls */
	struct iot_object_kind *of;
	/* the event of ends[0]: it names the fields of all ends */
	struct iot_schema_event *start, *end;
	guint n_ends;
	struct iot_pair_end ends[IOT_MAX_ENDS];
	guint n_keys;
	struct iot_expr *start_key[IOT_MAX_KEYS];
	/* slots of the keys if plain_keys: every key is a field or @pid (-1) */
	gint8 start_slot[IOT_MAX_KEYS];
	gboolean plain_keys;
	/* the call begins a new life of its object */
	struct iot_expr *begins, *begins_at_end;
	/* the same, but only if no such object is known */
	struct iot_expr *may_begin, *may_begin_at_end;
	/* over SELF and END */
	struct iot_expr *accepted;
	/* the accepted call will be completed by a done event */
	struct iot_expr *async;
	/* the call may be made while another one is pending */
	struct iot_expr *quiet;
	/* of struct iot_asks: the first that fits says which mode is asked for */
	GPtrArray *asks;
	/* the mode that is held may be lost before the completion */
	struct iot_expr *may_weaken;
	struct iot_schema_event *done;
	/* 0: a completion may answer any call of the object */
	guint n_done_keys;
	struct iot_expr *call_key[IOT_MAX_KEYS], *done_key[IOT_MAX_KEYS];
	/* over DONE: the completion is for this pair rather than another */
	struct iot_expr *answers;
	/* slot of the end with the field of the same name as the start's slot; -1: none */
	gint8 end_to_start[IOT_MAX_SLOTS];
	/* of struct iot_point: [point] with call = this */
	GPtrArray *points;
	/* NULL: none */
	struct iot_state *state;
	/* of struct iot_rule */
	GPtrArray *rules;
	/* by input: the event of a start that is made up from an end */
	struct iot_event *unseen;
	/* index among the model's pairs; this and the rest are for standalone calls */
	guint64 number;
	iot_str name_str;
	/* an end without a start is not counted */
	gboolean lone_ends;
	/* a start while the call is open belongs to the same call */
	gboolean start_again;
	/* "let" lines: name -> field */
	GHashTable *aliases;
	/* of struct iot_state */
	GPtrArray *states;
	struct iot_hooks hooks;
	/* of struct iot_link_side: links that end at the call's start, at its end; NULL: none */
	GPtrArray *link_starts, *link_ends;
};

enum iot_part { IOT_PART_NONE, IOT_PART_START, IOT_PART_END, IOT_PART_DONE, IOT_PART_NOTICE };

/*
 * What an event means to a model. An event that starts one call and ends another has several of
 * these. The first one also holds what concerns the event whatever its roles: hooks, repairs,
 * points without an object.
 */
struct iot_event_role {
	/* the event, or its name in a [role] */
	struct iot_schema_event *event;
	/* the event's next role, in order of the file, and the place in that order */
	struct iot_event_role *next;
	guint number;
	/* the first role: all roles in the order in which they are applied; NULL: there is one */
	GPtrArray *in_order;
	/* the section that gave the event this role */
	const struct iot_section *section;
	enum iot_part part;
	/* NULL: the event has no object */
	struct iot_object_kind *of;
	/* START, END: its call; DONE: the pair whose state shows a completion without a call */
	struct iot_pair *pair;
	/* END: index among the pair's ends */
	guint end;
	/* DONE: it is the end of the call itself, and without a call that of a refused one */
	gboolean is_end;
	guint n_keys;
	/* of the object */
	struct iot_expr *key[IOT_MAX_KEYS];
	/* tells apart the lives of one key; NULL: nothing does (lives.h) */
	struct iot_expr *apart;
	struct iot_row_path *path;
	/* whether the object has a machine; NULL: yes */
	struct iot_expr *has_state;
	/* attributes of "unknown" */
	struct iot_setter machine_set;
	/* of struct iot_point: drawn on the object, and (first role only) those without an object
	 */
	GPtrArray *points, *loose_points;
	/* of struct iot_repair; NULL: none */
	GPtrArray *repairs;
	/* events in interrupts have no thread: 1 + slot of common_flags; 0: not asked for */
	guint8 context_slot;
	/* the fields that a [role] computes (derive.c); NULL: none; and, by input, the event of
	 * records that have them; NULL: not used yet */
	GPtrArray *derived;
	struct iot_event *derived_event;
	struct iot_hooks hooks;
	/* of struct iot_link_side; NULL: none */
	GPtrArray *links;
	/* NULL: the role applies always */
	const struct iot_expr *when;
	/* the first role: to the row of the event's thread; NULL: nobody asks for it */
	struct iot_row_path *thread_path;
	/* of struct iot_rule: DONE: for completions without a call; NOTICE: all its rules */
	GPtrArray *stray_rules;
	/* DONE: attributes of the state of a call that was not seen */
	struct iot_setter stray_set;
};

struct iot_model {
	struct iot_model_file *file;
	char *name, *title, *system;
	/* sections so far, while the model is loaded */
	guint n_compiled;
	/* it draws events of the host's recording on the nodes of the guests */
	gboolean needs_vcpus;
	struct iot_timeline *tl;
	struct iot_schema *schema;
	/* name -> struct iot_names */
	GHashTable *names;
	/* name -> struct iot_numbers */
	GHashTable *numbers;
	GPtrArray *row_types, *row_paths, *values, *kinds, *pairs, *states, *counters, *links;
	/* of struct iot_keytable: those that it can read, and those that it changes */
	GPtrArray *tables, *own_tables;
	/* of struct iot_keytable: those that models share; NULL: none are shared */
	GPtrArray *shared;
	/* sections of links are skipped */
	gboolean no_links;
	/* of the run; NULL: rules of order are skipped */
	struct iot_order_rules *order;
	/* some of its own tables are shared */
	gboolean changes_shared;
	/* of struct iot_vcpu_table: those that are filled with the virtual CPUs of the inputs */
	GArray *vcpu_tables;
	/* number of the last evaluation */
	guint64 evaluations;
	/* grows with every change of any key table */
	guint64 tables_version;
	/* records so far */
	guint64 n_events;
	/* [link] has something to decide when this time has passed */
	guint64 links_due;
	/* records of this time and later may still come, although later ones have come */
	guint64 held_ns;
	gboolean unordered; /* some have been held back: ends of links are not in order of time */
	/* gaps by input; NULL: no [link] */
	struct iot_unrecorded_input *unrecorded;
	/* the clocks of two machines differ by at most this */
	guint64 clock_error_ns;
	/* NULL: ends of links are joined */
	iot_link_watch watch;
	gpointer watch_data;
	struct iot_standalone_calls *calls;
	/* events that wait for others of their instant */
	struct iot_ties *ties;
	/* struct iot_event_role by schema index, the first of each event; NULL: not ours */
	GPtrArray *roles;
	/* of struct iot_schema_event: the [role] sections; and their conditions */
	GPtrArray *role_names;
	GHashTable *role_when;
	struct iot_emit *emit;
	struct iot_diag *diag;
	struct iot_lanes *lanes;
	const struct iot_model_input *inputs;
	guint n_inputs, max_open, max_rows;
	/* identity of the rows that share everything beyond max_rows */
	iot_str others;
	iot_select_func select;
	gpointer select_data;
	/* of struct iot_event: those of records from a saved state */
	GPtrArray *resumed;
	/* the last record whose fields were repaired */
	struct iot_rec *repaired;
	/* the last record with computed fields */
	struct iot_rec *derived;
};

/* A [keytable] that is filled from the virtual CPUs of the inputs. */
enum iot_vcpu_text { IOT_VCPU_NODE, IOT_VCPU_NAME, IOT_VCPU_CPU };
struct iot_vcpu_table {
	struct iot_keytable *table;
	/* it has lines that change it */
	gboolean changes;
	enum iot_vcpu_text text;
};

/** iot_model_fill_vcpus - fill such tables, before the first event */
void iot_model_fill_vcpus(struct iot_model *model);

/* A section that is being compiled. Functions that fail set the error. */
struct iot_builder {
	struct iot_model *model;
	const struct iot_section *section;
	GError **error;
};

#endif
