/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A compiled expression: expr-parse.c compiles it, expr-eval.c evaluates it. */
#ifndef IOT_LANGUAGE_EXPR_LOCAL_H
#define IOT_LANGUAGE_EXPR_LOCAL_H

#include "language/expr.h"
#include "language/keytable.h"

enum op {
	OP_CONST,
	OP_FIELD,
	OP_PID,
	OP_TS,
	OP_TOOK,
	OP_NODE,
	OP_RECORDING,
	OP_END,
	OP_CPU,
	OP_CONTEXT,    /* of the field common_flags */
	OP_FLOW,       /* the same */
	OP_REAL_FIELD, /* a field that is declared as a real number */
	OP_TABLE,      /* value: the table; slot: which of its values; left: the first OP_KEY */
	OP_KEY,	       /* left: the key; right: the next OP_KEY, or 0 */
	OP_ADDRESS,    /* of the socket address in a field, as text */
	OP_MATCH,
	OP_NOT, /* from here on: operators on numbers */
	OP_NEG,
	OP_ELSE,
	OP_OR,
	OP_AND,
	OP_BIT_OR,
	OP_BIT_AND,
	OP_ADD,
	OP_SUB,
	OP_MUL,
	OP_EQ,
	OP_NE,
	OP_LE,
	OP_GE,
	OP_LT,
	OP_GT,
	OP_SAME, /* == and != of two values whose types the recording decides */
	OP_DIFFER,
	OP_REAL,  /* the real number of a whole one; from here on: operators on real numbers */
	OP_TRUTH, /* whether it is not 0 */
	OP_REAL_NEG,
	OP_REAL_ADD,
	OP_REAL_SUB,
	OP_REAL_MUL,
	OP_REAL_DIV, /* of whole numbers, too */
	OP_REAL_EQ,
	OP_REAL_NE,
	OP_REAL_LE,
	OP_REAL_GE,
	OP_REAL_LT,
	OP_REAL_GT,
};

enum { IS_TEXT = 1, IS_REAL };

struct node {
	guint8 op, scope; /* scope of a constant: IS_TEXT, IS_REAL, or 0 for a whole number */
	gint16 slot;
	guint16 left, right;
	gint64 value;
};

enum { MAX_TESTS = 4, MAX_NODES = 64 };

struct iot_expr {
	struct iot_expr_head head; /* first: inline functions of expr.h cast to it */

	/* The tests at the start of a chain of "&&" or "||". If a test decides, the value is
	 * @decided; if none does and the tests are the @complete chain, it is !@decided. */
	guint n_tests;
	gint64 decided;
	gboolean complete;
	struct iot_expr_test test[MAX_TESTS];

	struct iot_intern *strings;
	const GArray *run_cpus;
	guint n;
	guint16 root;
	struct node node[MAX_NODES];
};

/** iot_node_may_be_text - whether the node is a field, a text of a table, or one of two such */
gboolean iot_node_may_be_text(const struct iot_expr *expr, const struct node *node);
/** iot_node_type - the type of the node's value; see iot_expr_type */
enum iot_expr_type iot_node_type(const struct iot_expr *expr, const struct node *node,
				 const struct iot_eval *eval);
/** iot_expr_shape - find the shape and the tests for the fast paths; after all nodes were added */
void iot_expr_shape(struct iot_expr *expr);

#endif
