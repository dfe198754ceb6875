/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expressions of model files: integers, real numbers, "strings", fields, table[keys], built-ins,
 * == != < <= > >= ~ & | + - && || ?: ! ( ). They are compiled once against the events in scope.
 * Evaluation allocates nothing and cannot fail: absent fields are 0. Types are checked before: a
 * text is never taken for a number, and a text equals no number. A whole number beside a real one
 * becomes real; a real number becomes no whole one.
 */
#ifndef IOT_LANGUAGE_EXPR_H
#define IOT_LANGUAGE_EXPR_H

#include "base/fault.h"
#include "input/record.h"
#include "input/schema.h"
#include "language/model-file.h"
#include "timeline/timeline.h"

struct iot_commands;
struct iot_keytable;

/* The record of a field: "flags", "end.error", "done.sb_status". */
enum iot_scope { IOT_SCOPE_SELF, IOT_SCOPE_END, IOT_SCOPE_DONE, IOT_N_SCOPES };

/* The events in scope while compiling. Each field that is named gets a slot of the schema. */
struct iot_scope_events {
	struct iot_schema_event *event[IOT_N_SCOPES]; /* NULL: the scope does not exist here */
	struct iot_timeline *tl;
	const GPtrArray *tables;   /* of struct iot_keytable; NULL: none */
	const GHashTable *aliases; /* name -> field; NULL: none */
	iot_str call;		   /* name of the pair, for standalone calls */
	const char *own, *other;   /* links: "from." and "to.", the prefixes of SELF and DONE */
	gboolean required;	   /* an input without one of the fields is refused */
	char needed_by[64];	   /* "pair lock", for messages */
};

/* The records in scope while evaluating. */
struct iot_eval {
	const struct iot_rec *rec[IOT_N_SCOPES]; /* NULL: absent, its fields are 0 */
	guint32 machine;	       /* the first input of the node: whose tables are read */
	guint32 recording;	       /* the input that reads the file */
	iot_str node, node_name;       /* of the input */
	struct iot_commands *commands; /* of the input; NULL: none are known */
	iot_str call;		       /* name of the pair, for standalone calls */
	guint end;		       /* number of the end event in that pair; 0: no end */
	guint64 number;		       /* identifies the evaluation, counted from 1 */
};

/** iot_eval_record - the record of the event: an end of a link may be either of two */
static inline const struct iot_rec *iot_eval_record(const struct iot_eval *eval)
{
	return eval->rec[IOT_SCOPE_SELF] ? eval->rec[IOT_SCOPE_SELF] : eval->rec[IOT_SCOPE_DONE];
}

struct iot_expr;

/*
 * A field, or some of its bits, compared with a constant: (field & mask) is in the range from low
 * to low + width, or not. In a chain of "&&" or "||" a test that is in range, or is not, as
 * @decides_if says, decides the value of the chain.
 */
struct iot_expr_test {
	guint8 scope;
	gint16 slot;
	gboolean decides_if;
	guint64 mask, low, width;
};

/* Shapes that have a fast path: a field alone, @pid alone, one test, some bits of a field, a lookup
 * in a table that is usually empty, or its "!". First member of struct iot_expr, because the inline
 * functions below read it. */
struct iot_expr_head {
	enum {
		IOT_EXPR_OTHER,
		IOT_EXPR_FIELD,
		IOT_EXPR_PID,
		IOT_EXPR_TEST,
		IOT_EXPR_BITS,
		IOT_EXPR_LOOKUP,
		IOT_EXPR_NO_LOOKUP
	} shape;
	guint8 scope;
	gint16 slot;
	struct iot_expr_test test;
	const guint *n_entries; /* of the table */
};

/* REAL: the value is a double (base/real.h). */
enum iot_expr_type { IOT_EXPR_NUMBER, IOT_EXPR_TEXT, IOT_EXPR_REAL, IOT_EXPR_UNKNOWN };
/**
 * iot_expr_compile_as - compile @len characters at @offset of the setting's value
 * @type: what the value is taken for. Recordings whose fields are of another type do not fit the
 *	model (iot_schema_want); operators want their types in the same way. REAL: a whole number
 *	is converted. UNKNOWN: any
 */
struct iot_expr *iot_expr_compile_as(const struct iot_setting *setting, gsize offset, gsize len,
				     struct iot_scope_events *scope, enum iot_expr_type type,
				     GError **error);
/** iot_expr_compile - the same for a value that may be a number or a text, such as a condition */
struct iot_expr *iot_expr_compile(const struct iot_setting *setting, gsize offset, gsize len,
				  struct iot_scope_events *scope, GError **error);
/** iot_expr_word - length of the expression at @text that ends at a blank outside brackets, @len
 * characters at most: one of several in a line */
gsize iot_expr_word(const char *text, gsize len);
void iot_expr_free(struct iot_expr *expr);
typedef struct iot_expr iot_expr;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_expr, iot_expr_free)

/* Slow path of iot_expr_eval, for expressions of any shape; do not call. */
gint64 iot_expr_eval_slow(const struct iot_expr *expr, const struct iot_eval *eval);

static inline gboolean iot_expr_decides(const struct iot_expr_test *test,
					const struct iot_eval *eval)
{
	const struct iot_rec *rec = eval->rec[test->scope];
	guint64 value = rec ? rec->slot[test->slot].u & test->mask : 0;

	return (value - test->low <= test->width) == test->decides_if;
}

/** iot_expr_eval - the value; true is any number but 0, a string is its number in tl->strings */
static inline gint64 iot_expr_eval(const struct iot_expr *expr, const struct iot_eval *eval)
{
	const struct iot_expr_head *head = (const struct iot_expr_head *)expr;
	const struct iot_rec *rec = eval->rec[head->scope];

	if (iot_slow_only())
		return iot_expr_eval_slow(expr, eval);
	/* fast path */
	if (head->shape == IOT_EXPR_FIELD)
		return rec ? rec->slot[head->slot].i : 0;
	if (head->shape == IOT_EXPR_TEST)
		return !iot_expr_decides(&head->test, eval);
	if (head->shape == IOT_EXPR_PID)
		return rec ? rec->pid : 0;
	if (head->shape == IOT_EXPR_BITS) {
		rec = eval->rec[head->test.scope];
		return rec ? (gint64)(rec->slot[head->test.slot].u & head->test.mask) : 0;
	}
	if (head->shape >= IOT_EXPR_LOOKUP && !*head->n_entries)
		return head->shape == IOT_EXPR_NO_LOOKUP;
	return iot_expr_eval_slow(expr, eval);
}

/** iot_expr_may_be_text - whether it is a text in some recording: a field, a text of a table, or a
 * "text" */
gboolean iot_expr_may_be_text(const struct iot_expr *expr);
/** iot_expr_eval_text - the value as a number of tl->strings; a field that is no text in this
 * recording is empty */
iot_str iot_expr_eval_text(const struct iot_expr *expr, const struct iot_eval *eval);

/** iot_expr_is_field - whether the expression is a field alone, and which */
static inline gboolean iot_expr_is_field(const struct iot_expr *expr, enum iot_scope *out_scope,
					 int *out_slot)
{
	const struct iot_expr_head *head = (const struct iot_expr_head *)expr;

	*out_scope = (enum iot_scope)head->scope;
	*out_slot = head->slot;
	return head->shape == IOT_EXPR_FIELD;
}

/** iot_expr_is_pid - whether the expression is @pid alone */
static inline gboolean iot_expr_is_pid(const struct iot_expr *expr)
{
	return ((const struct iot_expr_head *)expr)->shape == IOT_EXPR_PID;
}

/** iot_expr_type - the type of the value for these records; @eval NULL: UNKNOWN if a field decides
 */
enum iot_expr_type iot_expr_type(const struct iot_expr *expr, const struct iot_eval *eval);
/** iot_expr_key_type - what keys of @table are taken for: numbers, if it shows those it does not
 * hold */
enum iot_expr_type iot_expr_key_type(const struct iot_keytable *table);
/** iot_expr_table_type - the type of a value of the table */
enum iot_expr_type iot_expr_table_type(const struct iot_keytable *table, guint value);
/** iot_expr_is_node - whether the expression is @node alone */
gboolean iot_expr_is_node(const struct iot_expr *expr);
/** iot_expr_is_recording - whether the expression is @recording alone */
gboolean iot_expr_is_recording(const struct iot_expr *expr);

/** iot_expr_needs - a table without whose entries the expression is 0; NULL: none is known */
const struct iot_keytable *iot_expr_needs(const struct iot_expr *expr);

/** iot_expr_leave_out - it will not be evaluated: its tables have one reader less; NULL is allowed
 */
void iot_expr_leave_out(const struct iot_expr *expr);

/** iot_expr_is_of_record - the value depends on nothing but the record, so it stays the same */
gboolean iot_expr_is_of_record(const struct iot_expr *expr);
/** iot_expr_is_absent - it is one field, which the record lacks */
static inline gboolean iot_expr_is_absent(const struct iot_expr *expr, const struct iot_eval *eval)
{
	const struct iot_expr_head *head = (const struct iot_expr_head *)expr;
	const struct iot_rec *rec = eval->rec[head->scope];

	return head->shape == IOT_EXPR_FIELD &&
	       (!rec || rec->event->slot_type[head->slot] == IOT_SLOT_ABSENT);
}

struct iot_operands;
/** iot_expr_operands - add the fields and tables that the value depends on; it also depends on the
 * input of the records */
void iot_expr_operands(const struct iot_expr *expr, struct iot_operands *operands);

/** iot_scope_is_field_name - whether @name is a name as in C */
gboolean iot_scope_is_field_name(const char *name);
/** iot_scope_resolve - slot and scope of the field "[start.|end.|done.]name"; FALSE with an error
 * text (caller frees) */
gboolean iot_scope_resolve(struct iot_scope_events *scope, const char *name,
			   enum iot_scope *out_scope, int *out_slot, char **out_problem);
/** iot_scope_context - the same for the field from which @context comes; recordings may lack it */
gboolean iot_scope_context(struct iot_scope_events *scope, enum iot_scope *out_scope, int *out_slot,
			   char **out_problem);

#endif
