/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expressions of model files: integers, "strings", fields, table[keys], built-ins, == != < <= > >=
 * ~ & | && || ?: ! ( ). Compiled once against the events in scope; evaluation allocates nothing and
 * cannot fail (what is absent is 0).
 */
#ifndef IOT_LANGUAGE_EXPR_H
#define IOT_LANGUAGE_EXPR_H

#include "input/record.h"
#include "input/schema.h"
#include "language/model-file.h"
#include "timeline/timeline.h"

struct iot_commands;
struct iot_keytable;

/* Where a field is looked up: "flags", "end.error", "done.sb_status". */
enum iot_scope { IOT_SCOPE_SELF, IOT_SCOPE_END, IOT_SCOPE_DONE, IOT_N_SCOPES };

/* What is in scope while compiling. Fields that are named get a slot of the schema. */
struct iot_scope_events {
	struct iot_schema_event *event[IOT_N_SCOPES]; /* NULL: the scope does not exist here */
	struct iot_timeline *tl;
	const GPtrArray *tables;   /* of struct iot_keytable; NULL: none */
	const GHashTable *aliases; /* name -> field that it stands for; NULL: none */
	iot_str call;		   /* name of the pair, where there is a call alone */
	gboolean required;	   /* an input without one of the fields cannot be used */
	char needed_by[64];	   /* "pair lock", for messages */
};

/* What is in scope while evaluating. */
struct iot_eval {
	const struct iot_rec *rec[IOT_N_SCOPES]; /* NULL: not there, its fields are 0 */
	iot_str node, node_name;		 /* of the input */
	iot_str call;				 /* name of the pair, where there is a call alone */
	struct iot_commands *commands;		 /* of the input; NULL: none are known */
	guint32 input;
	guint64 number; /* what was evaluated for the same number is the same, until a key table
			   changes */
};

struct iot_expr;

/* A field, or some bits of it, compared with a constant: whether the number is in a range. */
struct iot_expr_test {
	guint8 scope;
	gint16 slot;
	gboolean decides_if; /* in range, or not: then what comes behind need not be asked */
	guint64 mask, low, width;
};

/* The most frequent expressions are evaluated without a call: a field alone, @pid, one test. */
struct iot_expr_head {
	enum { IOT_EXPR_OTHER, IOT_EXPR_FIELD, IOT_EXPR_PID, IOT_EXPR_TEST } shape;
	guint8 scope;
	gint16 slot;
	struct iot_expr_test test;
};

/** iot_expr_compile - compile @len characters at @offset of the setting's value */
struct iot_expr *iot_expr_compile(const struct iot_setting *setting, gsize offset, gsize len,
				  struct iot_scope_events *scope, GError **error);
void iot_expr_free(struct iot_expr *expr);
typedef struct iot_expr iot_expr;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_expr, iot_expr_free)

/** iot_expr_eval_other - iot_expr_eval for expressions of every shape */
gint64 iot_expr_eval_other(const struct iot_expr *expr, const struct iot_eval *eval);

static inline gboolean iot_expr_decides(const struct iot_expr_test *test,
					const struct iot_eval *eval)
{
	const struct iot_rec *rec = eval->rec[test->scope];
	guint64 value = rec ? rec->slot[test->slot].u & test->mask : 0;

	return (value - test->low <= test->width) == test->decides_if;
}

/** iot_expr_eval - the value; truth is "not 0"; strings are their numbers */
static inline gint64 iot_expr_eval(const struct iot_expr *expr, const struct iot_eval *eval)
{
	const struct iot_expr_head *head = (const struct iot_expr_head *)expr;
	const struct iot_rec *rec = eval->rec[head->scope];

	if (head->shape == IOT_EXPR_FIELD)
		return rec ? rec->slot[head->slot].i : 0;
	if (head->shape == IOT_EXPR_TEST)
		return !iot_expr_decides(&head->test, eval);
	if (head->shape == IOT_EXPR_PID)
		return rec ? rec->pid : 0;
	return iot_expr_eval_other(expr, eval);
}

/** iot_expr_is_field - whether it is a field alone, and which */
static inline gboolean iot_expr_is_field(const struct iot_expr *expr, enum iot_scope *out_scope,
					 int *out_slot)
{
	const struct iot_expr_head *head = (const struct iot_expr_head *)expr;

	*out_scope = (enum iot_scope)head->scope;
	*out_slot = head->slot;
	return head->shape == IOT_EXPR_FIELD;
}

/** iot_expr_is_pid - whether it is @pid alone */
static inline gboolean iot_expr_is_pid(const struct iot_expr *expr)
{
	return ((const struct iot_expr_head *)expr)->shape == IOT_EXPR_PID;
}

struct iot_operands;
/** iot_expr_operands - add what the value depends on, beside the input that the records are of */
void iot_expr_operands(const struct iot_expr *expr, struct iot_operands *operands);

/** iot_scope_resolve - slot and scope of the field "[start.|end.|done.]name"; FALSE with an error
 * text (caller frees) */
gboolean iot_scope_resolve(struct iot_scope_events *scope, const char *name,
			   enum iot_scope *out_scope, int *out_slot, char **out_problem);

#endif
