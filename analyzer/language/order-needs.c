/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The condition of a rule of order: "needs = A && (B || !C)". */
#include "language/order-rule.h"

#include <string.h>

struct needs {
	struct iot_order_rule *rule;
	const struct iot_setting *setting;
	const char *at;
	guint depth;
	GError **error;
};

static gboolean needs_fail(const struct needs *n, const char *text)
{
	return iot_setting_error(n->setting, (gsize)(n->at - n->setting->value), n->error, "%s",
				 text);
}

static gboolean emit_op(const struct needs *n, int op)
{
	struct iot_order_rule *rule = n->rule;

	if (rule->n_ops == IOT_ORDER_OPS)
		return needs_fail(n, "the condition is too long");
	rule->op[rule->n_ops++] = (gint8)op;
	rule->plain &= op >= 0 || op == IOT_ORDER_AND;
	return TRUE;
}

static gboolean parse_or(struct needs *n);

static gboolean is_word(char c)
{
	return g_ascii_isalnum(c) || c == '_' || c == '-';
}

static gboolean parse_one(struct needs *n)
{
	const struct iot_order_rule *rule = n->rule;
	const char *start;

	n->at += strspn(n->at, " \t");
	if (++n->depth > IOT_ORDER_OPS)
		return needs_fail(n, "the condition is too deep");
	if (*n->at == '!') {
		n->at++;
		return parse_one(n) && emit_op(n, IOT_ORDER_NOT);
	}
	if (*n->at == '(') {
		n->at++;
		if (!parse_or(n))
			return FALSE;
		if (*n->at != ')')
			return needs_fail(n, "')' is missing");
		n->at++;
		n->at += strspn(n->at, " \t");
		return TRUE;
	}
	for (start = n->at; is_word(*n->at);)
		n->at++;
	for (guint i = 0; i < rule->n_causes; i++)
		if (strlen(rule->cause[i].name) == (gsize)(n->at - start) &&
		    !strncmp(rule->cause[i].name, start, (gsize)(n->at - start))) {
			n->at += strspn(n->at, " \t");
			return emit_op(n, (int)i);
		}
	n->at = start;
	return needs_fail(n, "the name of a cause is expected (\"cause NAME = EVENT\")");
}

static gboolean parse_and(struct needs *n)
{
	if (!parse_one(n))
		return FALSE;
	while (n->at[0] == '&' && n->at[1] == '&') {
		n->at += 2;
		if (!parse_one(n) || !emit_op(n, IOT_ORDER_AND))
			return FALSE;
	}
	return TRUE;
}

static gboolean parse_or(struct needs *n)
{
	if (!parse_and(n))
		return FALSE;
	while (n->at[0] == '|' && n->at[1] == '|') {
		n->at += 2;
		if (!parse_and(n) || !emit_op(n, IOT_ORDER_OR))
			return FALSE;
	}
	return TRUE;
}

gboolean iot_order_needs_parse(struct iot_order_rule *rule, const struct iot_setting *setting,
			       GError **error)
{
	struct needs n = { .rule = rule, .setting = setting, .error = error };

	if (!setting) {
		for (guint i = 0; i < rule->n_causes; i++) {
			rule->op[rule->n_ops++] = (gint8)i;
			if (i)
				rule->op[rule->n_ops++] = IOT_ORDER_AND;
		}
		return TRUE;
	}
	n.at = setting->value;
	if (!parse_or(&n))
		return FALSE;
	return !*n.at || needs_fail(&n, "&&, || or the end is expected");
}
