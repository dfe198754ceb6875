/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "language/expr-local.h"
#include "base/real.h"
#include "language/operands.h"

#include <errno.h>
#include <string.h>

/* Binary operators, weakest first; longer spellings before their prefixes. */
static const struct {
	const char *text;
	enum op op;
	int level;
} operators[] = {
	{ "?:", OP_ELSE, 0 }, { "||", OP_OR, 1 },   { "&&", OP_AND, 2 },   { "==", OP_EQ, 3 },
	{ "!=", OP_NE, 3 },   { "<=", OP_LE, 3 },   { ">=", OP_GE, 3 },	   { "<", OP_LT, 3 },
	{ ">", OP_GT, 3 },    { "~", OP_MATCH, 3 }, { "|", OP_BIT_OR, 4 }, { "&", OP_BIT_AND, 5 },
	{ "+", OP_ADD, 6 },   { "-", OP_SUB, 6 },   { "*", OP_MUL, 7 },	   { "/", OP_REAL_DIV, 7 },
};

struct parser {
	const struct iot_setting *setting;
	struct iot_scope_events *scope;
	const char *start, *at, *end; /* start: of the whole value */
	struct iot_expr *expr;
	const char *node_at[MAX_NODES]; /* where each node begins */
	guint depth;
	GError **error;
};

static gboolean fail(struct parser *p, const char *text)
{
	return iot_setting_error(p->setting, (gsize)(p->at - p->start), p->error, "%s", text);
}

static gboolean add_node(struct parser *p, struct node node, guint16 *out)
{
	if (p->expr->n == G_N_ELEMENTS(p->expr->node))
		return fail(p, "the expression is too long");
	*out = (guint16)p->expr->n;
	p->expr->node[p->expr->n++] = node;
	return TRUE;
}

static void skip_blanks(struct parser *p)
{
	while (p->at < p->end && (*p->at == ' ' || *p->at == '\t'))
		p->at++;
}

static gsize word_length(const struct parser *p)
{
	gsize n = 0;

	while (p->at + n < p->end && (g_ascii_isalnum(p->at[n]) || strchr("_.@", p->at[n])))
		n++;
	return n;
}

/* A field's name as in C. Other names must fail here: later an optional field would be taken as
 * absent. */
gboolean iot_scope_is_field_name(const char *name)
{
	if (!g_ascii_isalpha(*name) && *name != '_')
		return FALSE;
	while (g_ascii_isalnum(*name) || *name == '_')
		name++;
	return !*name;
}

gboolean iot_scope_resolve(struct iot_scope_events *scope, const char *name,
			   enum iot_scope *out_scope, int *out_slot, char **out_problem)
{
	const char *prefix[] = { "", "end.", "done." };
	enum iot_scope where = IOT_SCOPE_SELF;
	const char *alias =
		scope->aliases ? g_hash_table_lookup((GHashTable *)scope->aliases, name) : NULL;

	if (alias)
		name = alias;
	if (g_str_has_prefix(name, "start."))
		name += strlen("start.");
	if (scope->own && g_str_has_prefix(name, scope->own))
		name += strlen(scope->own);
	if (scope->other)
		prefix[IOT_SCOPE_DONE] = scope->other;
	for (guint i = 1; i < IOT_N_SCOPES; i++)
		if (g_str_has_prefix(name, prefix[i]))
			where = (enum iot_scope)i;
	name += strlen(prefix[where]);
	if (!iot_scope_is_field_name(name)) {
		*out_problem =
			g_strdup_printf("\"%s%s\" is not the name of a field", prefix[where], name);
		return FALSE;
	}
	if (!scope->event[where]) {
		*out_problem =
			g_strdup_printf("\"%s%s\" is not known here: no such event at this point",
					prefix[where], name);
		return FALSE;
	}
	*out_scope = where;
	*out_slot = iot_schema_field(scope->event[where], name, scope->required, scope->needed_by);
	if (*out_slot >= 0)
		return TRUE;
	*out_problem = g_strdup_printf("more than %d fields of %s are used", IOT_MAX_SLOTS,
				       scope->event[where]->name);
	return FALSE;
}

gboolean iot_scope_context(struct iot_scope_events *scope, enum iot_scope *out_scope, int *out_slot,
			   char **out_problem)
{
	gboolean required = scope->required, ok;

	scope->required = FALSE;
	ok = iot_scope_resolve(scope, IOT_CONTEXT_FIELD, out_scope, out_slot, out_problem);
	scope->required = required;
	return ok;
}

static gboolean parse_binary(struct parser *p, int level, guint16 *out);
static gboolean parse_unary(struct parser *p, guint16 *out);
static gboolean want(struct parser *p, guint16 index, enum iot_expr_type type);
static gboolean truth(struct parser *p, guint16 *out);

enum iot_expr_type iot_expr_key_type(const struct iot_keytable *table)
{
	return iot_keytable_key_text(table) ? IOT_EXPR_NUMBER : IOT_EXPR_UNKNOWN;
}

enum iot_expr_type iot_expr_table_type(const struct iot_keytable *table, guint value)
{
	static const enum iot_expr_type types[] = { [IOT_TABLE_TEXT] = IOT_EXPR_TEXT,
						    [IOT_TABLE_INT] = IOT_EXPR_NUMBER,
						    [IOT_TABLE_UINT] = IOT_EXPR_NUMBER,
						    [IOT_TABLE_REAL] = IOT_EXPR_REAL };

	return types[iot_keytable_type(table, value)];
}

/* The keys in the brackets of "table[key key]". */
static gboolean parse_keys(struct parser *p, const struct iot_keytable *table, guint16 *out)
{
	guint16 last = 0, key;
	guint n = 0;

	for (; skip_blanks(p), p->at < p->end && *p->at != ']'; n++) {
		struct node node = { .op = OP_KEY };

		if (!parse_binary(p, 0, &node.left) ||
		    !want(p, node.left, iot_expr_key_type(table)) || !add_node(p, node, &key))
			return FALSE;
		*(n ? &p->expr->node[last].right : out) = key;
		last = key;
	}
	if (p->at == p->end)
		return fail(p, "']' is missing");
	if (n != iot_keytable_n_keys(table))
		return fail(p, "wrong number of keys for this table");
	p->at++;
	return TRUE;
}

/* ".NAME" after the brackets of a table with typed values. */
static gboolean parse_value_name(struct parser *p, const struct iot_keytable *table, gint16 *out)
{
	gboolean dot = p->at < p->end && *p->at == '.';
	gsize len;

	if (!iot_keytable_is_typed(table))
		return !dot || fail(p, "the table holds one text, without a name");
	if (!dot)
		return fail(p, "the table has typed values: .NAME of one of them is missing");
	p->at++;
	len = word_length(p);
	*out = (gint16)iot_keytable_value(table, p->at, len);
	if (*out < 0)
		return fail(p, "the table has no value of this name");
	p->at += len;
	return TRUE;
}

static gboolean parse_table(struct parser *p, gsize len, guint16 *out)
{
	g_autofree char *name = g_strndup(p->at, len);
	struct node node = { .op = OP_TABLE };
	struct iot_keytable *table = iot_keytable_find(p->scope->tables, name);

	if (!table)
		return fail(p, "there is no [keytable] of this name above");
	iot_keytable_read(table);
	if (++p->depth > 32)
		return fail(p, "the expression is nested too deeply");
	p->at += len + 1;
	node.value = (gint64)(gintptr)table;
	if (!parse_keys(p, table, &node.left) || !parse_value_name(p, table, &node.slot))
		return FALSE;
	p->depth--;
	return add_node(p, node, out);
}

static gboolean of_context(guint8 op)
{
	return op == OP_CONTEXT || op == OP_FLOW;
}

static gboolean starts_with(const struct parser *p, const char *text)
{
	gsize len = strlen(text);

	return (gsize)(p->end - p->at) >= len && !strncmp(p->at, text, len);
}

static gboolean parse_word(struct parser *p, gsize len, guint16 *out)
{
	static const struct {
		const char *name;
		enum op op;
	} builtins[] = {
		{ "@pid", OP_PID },   { "@ts", OP_TS },	  { "@took", OP_TOOK },
		{ "@node", OP_NODE }, { "@end", OP_END }, { "@context", OP_CONTEXT },
		{ "@flow", OP_FLOW }, { "@cpu", OP_CPU }, { "@recording", OP_RECORDING },
	};
	static const char address[] = ":address";
	g_autofree char *word = g_strndup(p->at, len);
	g_autofree char *problem = NULL;
	struct node node = { .op = OP_FIELD };
	enum iot_scope scope;
	int slot;

	for (guint i = 0; *word == '@' && i < G_N_ELEMENTS(builtins); i++) {
		if (strcmp(word, builtins[i].name))
			continue;
		node.op = builtins[i].op;
		if (of_context(node.op) && !iot_scope_context(p->scope, &scope, &slot, &problem))
			return fail(p, problem);
		node.slot = of_context(node.op) ? (gint16)slot : 0;
		p->at += len;
		return add_node(p, node, out);
	}
	if (*word == '@')
		return fail(p, "no such built-in (there are @pid, @context, @flow, @cpu, @ts, "
			       "@took, @node, @recording, @end)");
	if (!iot_scope_resolve(p->scope, word, &scope, &slot, &problem))
		return fail(p, problem);
	p->at += len;
	if (starts_with(p, address)) {
		p->at += strlen(address);
		node.op = OP_ADDRESS;
	}
	if (node.op == OP_FIELD && iot_schema_is_real(p->scope->event[scope], slot))
		node.op = OP_REAL_FIELD;
	node.scope = (guint8)scope;
	node.slot = (gint16)slot;
	return add_node(p, node, out);
}

/* The sign of an exponent is no letter of a word. */
static gsize number_length(const struct parser *p, gsize len)
{
	const char *text = p->at;

	if (len < 2 || text[1] == 'x' || (text[len - 1] != 'e' && text[len - 1] != 'E') ||
	    text + len == p->end || !strchr("+-", text[len]))
		return len;
	len++;
	while (text + len < p->end && g_ascii_isdigit(text[len]))
		len++;
	return len;
}

static gboolean parse_number(struct parser *p, gsize len, guint16 *out)
{
	g_autofree char *word = NULL;
	char *end;
	guint64 value;
	gdouble real;

	len = number_length(p, len);
	word = g_strndup(p->at, len);
	if (iot_real_parse(word, len, &real)) {
		p->at += len;
		return add_node(p,
				(struct node){ .op = OP_CONST,
					       .scope = IS_REAL,
					       .value = (gint64)iot_real_bits(real) },
				out);
	}
	errno = 0;
	value = g_ascii_strtoull(word, &end, 0);
	if (*end)
		return fail(p, "not a number");
	if (errno == ERANGE)
		return fail(p, "the number does not fit into 64 bits");
	p->at += len;
	return add_node(p, (struct node){ .op = OP_CONST, .value = (gint64)value }, out);
}

static gboolean parse_string(struct parser *p, guint16 *out)
{
	const char *close = memchr(p->at + 1, '"', (gsize)(p->end - p->at - 1));
	guint32 id;

	if (!close)
		return fail(p, "the closing \" is missing");
	id = iot_intern_bytes(p->scope->tl->strings, p->at + 1, (gsize)(close - p->at - 1));
	p->at = close + 1;
	return add_node(p, (struct node){ .op = OP_CONST, .scope = IS_TEXT, .value = id }, out);
}

/* Replace the operand *@out by its negative. "-11" is a number, not an operator on 11. */
static gboolean negate(struct parser *p, const char *at, guint16 *out)
{
	guint16 operand = *out;
	struct node *node = &p->expr->node[operand];

	if (node->op != OP_CONST && iot_node_type(p->expr, node, NULL) == IOT_EXPR_REAL)
		return add_node(p, (struct node){ .op = OP_REAL_NEG, .left = operand }, out);
	if (node->op != OP_CONST)
		return want(p, operand, IOT_EXPR_NUMBER) &&
		       add_node(p, (struct node){ .op = OP_NEG, .left = operand }, out);
	if (node->scope == IS_TEXT) {
		p->at = at;
		return fail(p, "'-' wants a number after it");
	}
	if (node->scope == IS_REAL) {
		node->value = (gint64)iot_real_bits(-iot_real_of((guint64)node->value));
		return TRUE;
	}
	node->value = (gint64)(0 - (guint64)node->value);
	return TRUE;
}

/* "?FIELD": 0 in recordings whose format of the event has no such field. */
static gboolean parse_optional(struct parser *p, guint16 *out)
{
	gboolean required = p->scope->required, ok;
	gsize len;

	p->at++;
	len = word_length(p);
	if (!len || g_ascii_isdigit(*p->at) || *p->at == '@')
		return fail(p, "'?' wants a field after it");
	p->scope->required = FALSE;
	ok = parse_word(p, len, out);
	p->scope->required = required;
	return ok;
}

static gboolean parse_operand(struct parser *p, guint16 *out)
{
	struct node node = { 0 };
	const char *at;
	gsize len;

	skip_blanks(p);
	at = p->at;
	if (p->at == p->end)
		return fail(p, "a value is missing at the end of the expression");
	if (++p->depth > 32)
		return fail(p, "the expression is nested too deeply");
	if (*p->at == '!' || *p->at == '-') {
		node.op = *p->at++ == '!' ? OP_NOT : OP_NEG;
		if (!parse_unary(p, out))
			return FALSE;
		p->depth--;
		if (node.op == OP_NEG)
			return negate(p, at, out);
		if (!truth(p, out))
			return FALSE;
		node.left = *out;
		return add_node(p, node, out);
	}
	if (*p->at == '(') {
		p->at++;
		if (!parse_binary(p, 0, out))
			return FALSE;
		skip_blanks(p);
		if (p->at == p->end || *p->at != ')')
			return fail(p, "')' is missing");
		p->at++;
		p->depth--;
		return TRUE;
	}
	p->depth--;
	if (*p->at == '"')
		return parse_string(p, out);
	if (*p->at == '?')
		return parse_optional(p, out);
	len = word_length(p);
	if (!len)
		return fail(p, "a field, a number or \"text\" is expected here");
	if (g_ascii_isdigit(*p->at))
		return parse_number(p, len, out);
	return p->at + len < p->end && p->at[len] == '[' ? parse_table(p, len, out)
							 : parse_word(p, len, out);
}

static gboolean parse_unary(struct parser *p, guint16 *out)
{
	const char *at;

	skip_blanks(p);
	at = p->at;
	if (!parse_operand(p, out))
		return FALSE;
	p->node_at[*out] = at;
	return TRUE;
}

/* The next operator, if it is of @level or stronger; -1: none. */
static int find_operator(struct parser *p, int level)
{
	skip_blanks(p);
	for (guint i = 0; p->at < p->end && i < G_N_ELEMENTS(operators); i++) {
		if (*p->at != *operators[i].text || !starts_with(p, operators[i].text))
			continue;
		if (operators[i].level < level)
			return -1;
		p->at += strlen(operators[i].text);
		return (int)i;
	}
	return -1;
}

gboolean iot_node_may_be_text(const struct iot_expr *expr, const struct node *node)
{
	if (node->op == OP_ELSE)
		return iot_node_may_be_text(expr, &expr->node[node->left]) &&
		       iot_node_may_be_text(expr, &expr->node[node->right]);
	if (node->op == OP_TABLE)
		return iot_keytable_type((struct iot_keytable *)(gintptr)node->value,
					 (guint)node->slot) == IOT_TABLE_TEXT;
	return node->op == OP_FIELD || node->op == OP_ADDRESS;
}

/* "~" needs a text on its left and a pattern on its right. */
static gboolean check_match(struct parser *p, const struct node *match)
{
	const struct node *right = &p->expr->node[match->right];

	if (match->op != OP_MATCH || (iot_node_may_be_text(p->expr, &p->expr->node[match->left]) &&
				      right->op == OP_CONST && right->scope == IS_TEXT))
		return TRUE;
	return fail(p, "\"~\" stands between a field or a table and a \"pattern\"");
}

/* ---- types */

enum iot_expr_type iot_node_type(const struct iot_expr *expr, const struct node *node,
				 const struct iot_eval *eval)
{
	enum iot_expr_type left;
	guint8 slot_type;

	switch ((enum op)node->op) {
	case OP_NODE:
	case OP_ADDRESS:
		return IOT_EXPR_TEXT;
	case OP_TABLE:
		return iot_expr_table_type((struct iot_keytable *)(gintptr)node->value,
					   (guint)node->slot);
	case OP_CONST:
		return node->scope == IS_TEXT	? IOT_EXPR_TEXT
		       : node->scope == IS_REAL ? IOT_EXPR_REAL
						: IOT_EXPR_NUMBER;
	case OP_REAL_FIELD:
	case OP_REAL:
	case OP_REAL_NEG:
	case OP_REAL_ADD:
	case OP_REAL_SUB:
	case OP_REAL_MUL:
	case OP_REAL_DIV:
		return IOT_EXPR_REAL;
	case OP_FIELD:
		slot_type = eval && eval->rec[node->scope]
				    ? eval->rec[node->scope]->event->slot_type[node->slot]
				    : IOT_SLOT_ABSENT;
		return slot_type == IOT_SLOT_ABSENT ? IOT_EXPR_UNKNOWN
		       : slot_type == IOT_SLOT_STR  ? IOT_EXPR_TEXT
						    : IOT_EXPR_NUMBER;
	case OP_ELSE:
		left = iot_node_type(expr, &expr->node[node->left], eval);
		return left == IOT_EXPR_UNKNOWN
			       ? iot_node_type(expr, &expr->node[node->right], eval)
			       : left;
	default:
		return IOT_EXPR_NUMBER;
	}
}

/* The value of a node is taken for a text or a whole number. */
static gboolean want(struct parser *p, guint16 index, enum iot_expr_type type)
{
	const struct node *node = &p->expr->node[index];
	enum iot_expr_type is = iot_node_type(p->expr, node, NULL);
	gboolean text = type == IOT_EXPR_TEXT;
	g_autofree char *place = NULL;

	if (type == IOT_EXPR_UNKNOWN)
		return TRUE;
	if (node->op == OP_ELSE)
		return want(p, node->left, type) && want(p, node->right, type);
	if (is != type && is != IOT_EXPR_UNKNOWN) {
		p->at = p->node_at[index];
		return fail(p, text ? "this is a number, but a text is wanted here"
			       : is == IOT_EXPR_REAL
				       ? "this is a real number, but a whole number is wanted here"
				       : "this is a text, but a number is wanted here");
	}
	if (node->op != OP_FIELD ||
	    iot_schema_is_wanted(p->scope->event[node->scope], node->slot, text))
		return TRUE;
	place = iot_setting_place(p->setting, (gsize)(p->node_at[index] - p->start));
	iot_schema_want(p->scope->event[node->scope], node->slot, text, place);
	return TRUE;
}

/* Both operands have one type. If only the recording knows it, it is compared there. */
static gboolean want_alike(struct parser *p, struct node *node)
{
	enum iot_expr_type left = iot_node_type(p->expr, &p->expr->node[node->left], NULL);
	enum iot_expr_type right = iot_node_type(p->expr, &p->expr->node[node->right], NULL);

	if (left == IOT_EXPR_UNKNOWN && right == IOT_EXPR_UNKNOWN)
		node->op = node->op == OP_EQ ? OP_SAME : OP_DIFFER;
	return want(p, node->left, right) && want(p, node->right, left);
}

static gboolean is_real(const struct parser *p, guint16 index)
{
	return iot_node_type(p->expr, &p->expr->node[index], NULL) == IOT_EXPR_REAL;
}

/* Replace the node *@index by its real number. */
static gboolean make_real(struct parser *p, guint16 *index)
{
	struct node *node = &p->expr->node[*index];
	const char *at = p->node_at[*index];

	if (is_real(p, *index))
		return TRUE;
	if (!want(p, *index, IOT_EXPR_NUMBER))
		return FALSE;
	if (node->op == OP_CONST) {
		node->scope = IS_REAL;
		node->value = (gint64)iot_real_bits((gdouble)node->value);
		return TRUE;
	}
	if (!add_node(p, (struct node){ .op = OP_REAL, .left = *index }, index))
		return FALSE;
	p->node_at[*index] = at;
	return TRUE;
}

/* Replace a real number in the place of a condition by whether it is not 0: -0.0 is 0. */
static gboolean truth(struct parser *p, guint16 *out)
{
	return !is_real(p, *out) || add_node(p, (struct node){ .op = OP_TRUTH, .left = *out }, out);
}

/* An operator on real numbers: one operand is one, or it divides. */
static gboolean check_real(struct parser *p, struct node *node)
{
	static const guint8 ops[] = {
		[OP_ELSE] = OP_ELSE,	[OP_ADD] = OP_REAL_ADD,	     [OP_SUB] = OP_REAL_SUB,
		[OP_MUL] = OP_REAL_MUL, [OP_REAL_DIV] = OP_REAL_DIV, [OP_EQ] = OP_REAL_EQ,
		[OP_NE] = OP_REAL_NE,	[OP_LE] = OP_REAL_LE,	     [OP_GE] = OP_REAL_GE,
		[OP_LT] = OP_REAL_LT,	[OP_GT] = OP_REAL_GT,
	};

	if (node->op == OP_AND || node->op == OP_OR)
		return truth(p, &node->left) && truth(p, &node->right);
	if (!ops[node->op])
		return want(p, node->left, IOT_EXPR_NUMBER) &&
		       want(p, node->right, IOT_EXPR_NUMBER);
	node->op = ops[node->op];
	return make_real(p, &node->left) && make_real(p, &node->right);
}

static gboolean check_types(struct parser *p, struct node *node)
{
	if (node->op == OP_REAL_DIV || is_real(p, node->left) || is_real(p, node->right))
		return check_real(p, node);
	switch ((enum op)node->op) {
	case OP_EQ:
	case OP_NE:
		return want_alike(p, node);
	case OP_ELSE:
	case OP_OR:
	case OP_AND:
	case OP_MATCH:
		return TRUE;
	default:
		return want(p, node->left, IOT_EXPR_NUMBER) &&
		       want(p, node->right, IOT_EXPR_NUMBER);
	}
}

/* An operand, and those that operators of @level or stronger join to it. */
static gboolean parse_binary(struct parser *p, int level, guint16 *out)
{
	int found;

	if (!parse_unary(p, out))
		return FALSE;
	while ((found = find_operator(p, level)) >= 0) {
		struct node node = { .op = (guint8)operators[found].op, .left = *out };

		if (!parse_binary(p, operators[found].level + 1, &node.right) ||
		    !check_match(p, &node) || !check_types(p, &node) || !add_node(p, node, out))
			return FALSE;
		p->node_at[*out] = p->node_at[node.left];
	}
	return TRUE;
}

gsize iot_expr_word(const char *text, gsize len)
{
	guint depth = 0;
	gsize n = 0;

	for (; n < len && (depth || (text[n] != ' ' && text[n] != '\t')); n++) {
		if (text[n] == '[' || text[n] == '(')
			depth++;
		else if (depth && (text[n] == ']' || text[n] == ')'))
			depth--;
	}
	return n;
}

struct iot_expr *iot_expr_compile_as(const struct iot_setting *setting, gsize offset, gsize len,
				     struct iot_scope_events *scope, enum iot_expr_type type,
				     GError **error)
{
	g_autoptr(iot_expr) expr = g_new0(struct iot_expr, 1);
	struct parser p = {
		.setting = setting,
		.scope = scope,
		.start = setting->value,
		.at = setting->value + offset,
		.end = setting->value + offset + len,
		.expr = expr,
		.error = error,
	};

	if (!parse_binary(&p, 0, &expr->root))
		return NULL;
	skip_blanks(&p);
	if (p.at < p.end) {
		fail(&p, "not understood from here on");
		return NULL;
	}
	if (type == IOT_EXPR_REAL ? !make_real(&p, &expr->root) : !want(&p, expr->root, type))
		return NULL;
	expr->strings = scope->tl->strings;
	expr->run_cpus = scope->tl->run_cpus;
	iot_expr_shape(expr);
	return g_steal_pointer(&expr);
}

struct iot_expr *iot_expr_compile(const struct iot_setting *setting, gsize offset, gsize len,
				  struct iot_scope_events *scope, GError **error)
{
	return iot_expr_compile_as(setting, offset, len, scope, IOT_EXPR_UNKNOWN, error);
}

enum iot_expr_type iot_expr_type(const struct iot_expr *expr, const struct iot_eval *eval)
{
	return iot_node_type(expr, &expr->node[expr->root], eval);
}

gboolean iot_expr_is_node(const struct iot_expr *expr)
{
	return expr->node[expr->root].op == OP_NODE;
}

gboolean iot_expr_is_recording(const struct iot_expr *expr)
{
	return expr->node[expr->root].op == OP_RECORDING;
}

static const struct iot_keytable *needs(const struct iot_expr *expr, const struct node *node)
{
	const struct iot_keytable *table = NULL;

	if (node->op == OP_TABLE)
		return (const struct iot_keytable *)(gintptr)node->value;
	if (node->op == OP_AND)
		table = needs(expr, &expr->node[node->left]);
	return node->op == OP_AND && !table ? needs(expr, &expr->node[node->right]) : table;
}

const struct iot_keytable *iot_expr_needs(const struct iot_expr *expr)
{
	return needs(expr, &expr->node[expr->root]);
}

void iot_expr_leave_out(const struct iot_expr *expr)
{
	for (guint i = 0; expr && i < expr->n; i++)
		if (expr->node[i].op == OP_TABLE)
			iot_keytable_unread((struct iot_keytable *)(gintptr)expr->node[i].value);
}

void iot_expr_free(struct iot_expr *expr)
{
	g_free(expr);
}

gboolean iot_expr_is_of_record(const struct iot_expr *expr)
{
	for (guint i = 0; i < expr->n; i++) {
		enum op op = (enum op)expr->node[i].op;

		if (op == OP_TABLE || op == OP_TOOK || op == OP_END)
			return FALSE;
	}
	return TRUE;
}

void iot_expr_operands(const struct iot_expr *expr, struct iot_operands *operands)
{
	for (guint i = 0; i < expr->n; i++) {
		const struct node *node = &expr->node[i];

		operands->others |= node->op == OP_FLOW || node->op == OP_CPU;
		if (node->op == OP_FIELD || node->op == OP_REAL_FIELD || node->op == OP_ADDRESS ||
		    node->op == OP_CONTEXT)
			iot_operands_add(operands, (enum iot_scope)node->scope, node->slot);
		else if (node->op == OP_PID)
			operands->pid = TRUE;
		else if (node->op == OP_TABLE)
			iot_operands_add_table(operands,
					       (struct iot_keytable *)(gintptr)node->value);
		else if (node->op == OP_TS || node->op == OP_TOOK || node->op == OP_END)
			operands->others = TRUE;
	}
}
