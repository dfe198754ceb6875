/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Evaluating expressions, which are trees of nodes. The fast path is for conditions that compare
 * fields with constants ("end.ret > 0 && ino != 0"). Each comparison is a test for a range, and a
 * chain of tests is a loop: a quarter of the instructions.
 */
#include "language/expr-local.h"
#include "base/real.h"
#include "language/address.h"

/* Process ids have 32 bits, so an interrupt of a processor is not taken for a thread. */
static gint64 eval_flow(const struct iot_rec *rec, gint slot)
{
	guint64 flags = rec->slot[slot].u;

	if (G_LIKELY(!(flags & IOT_IN_INTERRUPT)))
		return rec->pid;
	return (gint64)(((guint64)rec->run + 1) << 32 | iot_context_of(flags));
}

static gint64 eval_cpu(const GArray *run_cpus, guint32 run)
{
	return run < run_cpus->len ? g_array_index(run_cpus, guint32, run) : 0;
}

/* Sources of whole numbers deliver these for a field that a model takes as real. */
static gint64 eval_real_field(const struct node *node, const struct iot_eval *eval)
{
	const struct iot_rec *rec = eval->rec[node->scope];
	union iot_val value;

	if (!rec)
		return 0;
	value = rec->slot[node->slot];
	if (rec->event->slot_type[node->slot] == IOT_SLOT_INT)
		value.u = iot_real_bits((gdouble)value.i);
	else if (rec->event->slot_type[node->slot] == IOT_SLOT_UINT)
		value.u = iot_real_bits((gdouble)value.u);
	return value.i;
}

static gint64 eval_builtin(const struct iot_expr *expr, const struct node *node,
			   const struct iot_eval *eval)
{
	const struct iot_rec *self = eval->rec[IOT_SCOPE_SELF];
	const struct iot_rec *rec;

	switch ((enum op)node->op) {
	case OP_PID:
		return self ? self->pid : 0;
	case OP_TS:
		return self ? (gint64)self->ts : 0;
	case OP_TOOK:
		rec = eval->rec[IOT_SCOPE_END];
		return self && rec ? (gint64)(rec->ts - self->ts) : 0;
	case OP_END:
		return eval->end;
	case OP_CPU:
		return self ? eval_cpu(expr->run_cpus, self->run) : 0;
	case OP_CONTEXT:
		return self ? (gint64)iot_context_of(self->slot[node->slot].u) : 0;
	case OP_FLOW:
		return self ? eval_flow(self, node->slot) : 0;
	case OP_REAL_FIELD:
		return eval_real_field(node, eval);
	case OP_RECORDING:
		return eval->recording;
	default:
		return eval->node;
	}
}

static gint64 eval_text_op(const struct iot_expr *expr, const struct node *node,
			   const struct iot_eval *eval);
static gint64 eval_inner(const struct iot_expr *expr, const struct node *node,
			 const struct iot_eval *eval);

/* Fields and numbers are the usual operands and need no call. */
static inline gint64 eval_node(const struct iot_expr *expr, guint16 index,
			       const struct iot_eval *eval)
{
	const struct node *node = &expr->node[index];
	const struct iot_rec *rec;

	if (node->op == OP_CONST)
		return node->value;
	if (node->op != OP_FIELD)
		return node->op < OP_TABLE ? eval_builtin(expr, node, eval)
		       : node->op < OP_NOT ? eval_text_op(expr, node, eval)
					   : eval_inner(expr, node, eval);
	rec = eval->rec[node->scope];
	return rec ? rec->slot[node->slot].i : 0;
}

/* Missing fields equal 0 and the empty text. */
static gboolean is_same(const struct iot_expr *expr, const struct node *node, gint64 left,
			const struct iot_eval *eval)
{
	gint64 right = eval_node(expr, node->right, eval);
	enum iot_expr_type here, there;

	if (left != right || !left)
		return left == right;
	here = iot_node_type(expr, &expr->node[node->left], eval);
	there = iot_node_type(expr, &expr->node[node->right], eval);
	return here == there || here == IOT_EXPR_UNKNOWN || there == IOT_EXPR_UNKNOWN;
}

static gint64 eval_real(const struct iot_expr *expr, const struct node *node, gint64 whole,
			const struct iot_eval *eval)
{
	gdouble left = iot_real_of((guint64)whole), right = 0;

	if (node->op >= OP_REAL_ADD)
		right = iot_real_of((guint64)eval_node(expr, node->right, eval));
	switch ((enum op)node->op) {
	case OP_REAL:
		return (gint64)iot_real_bits((gdouble)whole);
	case OP_TRUTH:
		return left != 0;
	case OP_REAL_NEG:
		return (gint64)iot_real_bits(-left);
	case OP_REAL_ADD:
		return (gint64)iot_real_bits(left + right);
	case OP_REAL_SUB:
		return (gint64)iot_real_bits(left - right);
	case OP_REAL_MUL:
		return (gint64)iot_real_bits(left * right);
	case OP_REAL_DIV:
		return (gint64)iot_real_bits(left / right);
	case OP_REAL_EQ:
		return left == right;
	case OP_REAL_NE:
		return left != right;
	case OP_REAL_LE:
		return left <= right;
	case OP_REAL_GE:
		return left >= right;
	case OP_REAL_LT:
		return left < right;
	default:
		return left > right;
	}
}

static gint64 eval_inner(const struct iot_expr *expr, const struct node *node,
			 const struct iot_eval *eval)
{
	gint64 left = eval_node(expr, node->left, eval);

	switch ((enum op)node->op) {
	case OP_NOT:
		return !left;
	case OP_NEG:
		return (gint64)(0 - (guint64)left);
	case OP_ELSE:
		return left ? left : eval_node(expr, node->right, eval);
	case OP_OR:
		return left || eval_node(expr, node->right, eval);
	case OP_AND:
		return left && eval_node(expr, node->right, eval);
	case OP_BIT_OR:
		return left | eval_node(expr, node->right, eval);
	case OP_BIT_AND:
		return left & eval_node(expr, node->right, eval);
	case OP_ADD:
		return (gint64)((guint64)left + (guint64)eval_node(expr, node->right, eval));
	case OP_SUB:
		return (gint64)((guint64)left - (guint64)eval_node(expr, node->right, eval));
	case OP_MUL:
		return (gint64)((guint64)left * (guint64)eval_node(expr, node->right, eval));
	case OP_EQ:
		return left == eval_node(expr, node->right, eval);
	case OP_NE:
		return left != eval_node(expr, node->right, eval);
	case OP_LE:
		return left <= eval_node(expr, node->right, eval);
	case OP_GE:
		return left >= eval_node(expr, node->right, eval);
	case OP_LT:
		return left < eval_node(expr, node->right, eval);
	case OP_SAME:
	case OP_DIFFER:
		return is_same(expr, node, left, eval) == (node->op == OP_SAME);
	case OP_GT:
		return left > eval_node(expr, node->right, eval);
	default:
		return eval_real(expr, node, left, eval);
	}
}

static gint64 eval_table(const struct iot_expr *expr, const struct node *node,
			 const struct iot_eval *eval)
{
	guint64 key[IOT_MAX_TABLE_KEYS] = { 0 };
	const guint64 *values;
	guint i = 0;

	for (guint16 at = node->left; at; at = expr->node[at].right)
		key[i++] = (guint64)eval_node(expr, expr->node[at].left, eval);
	values = iot_keytable_get((struct iot_keytable *)(gintptr)node->value, eval->machine, key);
	return values ? (gint64)values[node->slot] : 0;
}

/* A field that is not bytes in this recording holds no address. */
static gint64 eval_address(const struct iot_expr *expr, const struct node *node,
			   const struct iot_eval *eval)
{
	const struct iot_rec *rec = eval->rec[node->scope];

	if (!rec || rec->event->slot_type[node->slot] != IOT_SLOT_STR)
		return 0;
	return iot_address_text(expr->strings, (guint32)rec->slot[node->slot].u);
}

/* A field that is not text in this recording is an empty text. */
static guint32 eval_text(const struct iot_expr *expr, const struct node *node,
			 const struct iot_eval *eval)
{
	const struct iot_rec *rec = eval->rec[node->scope];
	guint32 text;

	if (node->op == OP_CONST)
		return (guint32)node->value;
	if (node->op == OP_TABLE)
		return (guint32)eval_table(expr, node, eval);
	if (node->op == OP_ADDRESS)
		return (guint32)eval_address(expr, node, eval);
	if (node->op == OP_ELSE) {
		text = eval_text(expr, &expr->node[node->left], eval);
		return text ? text : eval_text(expr, &expr->node[node->right], eval);
	}
	return rec && rec->event->slot_type[node->slot] == IOT_SLOT_STR
		       ? (guint32)rec->slot[node->slot].u
		       : 0;
}

static gboolean eval_match(const struct iot_expr *expr, const struct node *node,
			   const struct iot_eval *eval)
{
	guint32 pattern = (guint32)expr->node[node->right].value;
	guint32 text = eval_text(expr, &expr->node[node->left], eval);

	return g_pattern_match_simple(iot_intern_get(expr->strings, pattern, NULL),
				      iot_intern_get(expr->strings, text, NULL));
}

gboolean iot_expr_may_be_text(const struct iot_expr *expr)
{
	const struct node *root = &expr->node[expr->root];

	return iot_node_may_be_text(expr, root) || (root->op == OP_CONST && root->scope == IS_TEXT);
}

iot_str iot_expr_eval_text(const struct iot_expr *expr, const struct iot_eval *eval)
{
	return eval_text(expr, &expr->node[expr->root], eval);
}

/* A function of its own, so that the operators on numbers need fewer registers. */
static gint64 eval_text_op(const struct iot_expr *expr, const struct node *node,
			   const struct iot_eval *eval)
{
	if (node->op == OP_ADDRESS)
		return eval_address(expr, node, eval);
	return node->op == OP_TABLE ? eval_table(expr, node, eval) : eval_match(expr, node, eval);
}

gint64 iot_expr_eval_slow(const struct iot_expr *expr, const struct iot_eval *eval)
{
	if (iot_slow_only())
		return eval_node(expr, expr->root, eval);
	/* fast path: tests */
	for (guint i = 0; i < expr->n_tests; i++)
		if (iot_expr_decides(&expr->test[i], eval))
			return expr->decided;
	/* slow path */
	return expr->complete ? !expr->decided : eval_node(expr, expr->root, eval);
}

/* ---- shapes and tests */

/* "field" or "field & 12" */
static gboolean find_operand(const struct iot_expr *expr, const struct node *node,
			     struct iot_expr_test *out)
{
	const struct node *bits = &expr->node[node->right];

	out->mask = G_MAXUINT64;
	if (node->op == OP_BIT_AND && bits->op == OP_CONST) {
		out->mask = (guint64)bits->value;
		node = &expr->node[node->left];
	}
	out->scope = node->scope;
	out->slot = node->slot;
	return node->op == OP_FIELD;
}

static void set_range(struct iot_expr_test *test, gint64 low, gint64 high)
{
	test->low = (guint64)low;
	test->width = (guint64)high - (guint64)low;
}

/* A test for the node. @out_true_if: the node is true if the field is in range; otherwise, if it is
 * not. */
static gboolean find_test(const struct iot_expr *expr, const struct node *node,
			  struct iot_expr_test *out, gboolean *out_true_if)
{
	const struct node *left = &expr->node[node->left], *right = &expr->node[node->right];

	if (node->op == OP_NOT) {
		if (!find_test(expr, left, out, out_true_if))
			return FALSE;
		*out_true_if = !*out_true_if;
		return TRUE;
	}
	*out_true_if = node->op == OP_EQ || node->op == OP_LE || node->op == OP_GE;
	if (node->op < OP_EQ) {
		set_range(out, 0, 0);
		return find_operand(expr, node, out);
	}
	if (right->op != OP_CONST || node->op > OP_GT)
		return FALSE;
	if (node->op == OP_EQ || node->op == OP_NE)
		set_range(out, right->value, right->value);
	else if (node->op == OP_LE || node->op == OP_GT)
		set_range(out, G_MININT64, right->value);
	else
		set_range(out, right->value, G_MAXINT64);
	return find_operand(expr, left, out);
}

/* Add tests for the operands of the chain below @node, up to the first operand that is no test.
 * TRUE if all are. */
static gboolean find_tests(struct iot_expr *expr, const struct node *node, enum op chain)
{
	struct iot_expr_test *test = &expr->test[expr->n_tests];
	gboolean true_if;

	if (node->op == chain)
		return find_tests(expr, &expr->node[node->left], chain) &&
		       find_tests(expr, &expr->node[node->right], chain);
	if (expr->n_tests == MAX_TESTS || !find_test(expr, node, test, &true_if))
		return FALSE;
	test->decides_if = chain == OP_AND ? !true_if : true_if;
	expr->n_tests++;
	return TRUE;
}

void iot_expr_shape(struct iot_expr *expr)
{
	const struct node *root = &expr->node[expr->root];

	expr->head.scope = root->op == OP_FIELD ? root->scope : (guint8)IOT_SCOPE_SELF;
	expr->head.slot = root->slot;
	expr->head.shape = root->op == OP_FIELD ? IOT_EXPR_FIELD
			   : root->op == OP_PID ? IOT_EXPR_PID
						: IOT_EXPR_OTHER;
	if (root->op == OP_TABLE || (root->op == OP_NOT && expr->node[root->left].op == OP_TABLE)) {
		const struct node *table = root->op == OP_TABLE ? root : &expr->node[root->left];

		expr->head.shape = root->op == OP_TABLE ? IOT_EXPR_LOOKUP : IOT_EXPR_NO_LOOKUP;
		expr->head.n_entries =
			iot_keytable_n_entries((const struct iot_keytable *)(gintptr)table->value);
		return;
	}
	/* the value of "flags & 4" is 4 */
	if (root->op == OP_BIT_AND && find_operand(expr, root, &expr->head.test))
		expr->head.shape = IOT_EXPR_BITS;
	if (root->op != OP_NOT && root->op != OP_AND && root->op != OP_OR && root->op < OP_EQ)
		return;
	expr->decided = root->op == OP_OR;
	expr->complete = find_tests(expr, root, root->op == OP_OR ? OP_OR : OP_AND);
	if (expr->complete && expr->n_tests == 1) {
		expr->head.shape = IOT_EXPR_TEST;
		expr->head.test = expr->test[0];
	}
}
