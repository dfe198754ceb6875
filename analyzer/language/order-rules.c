/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The set of all compiled rules of order. */
#include "language/order-rule.h"
#include "base/error.h"

#include <string.h>

static void rule_free(gpointer data)
{
	struct iot_order_rule *rule = data;

	for (guint i = 0; i < rule->n_causes; i++)
		g_free(rule->cause[i].name);
	g_free(rule->name);
	g_free(rule->place);
	g_free(rule->link);
	g_free(rule->effect_key);
	g_free(rule->cause_key);
	g_free(rule);
}

static void list_free(gpointer list)
{
	if (list)
		g_ptr_array_unref(list);
}

struct iot_order_rules *iot_order_rules_new(void)
{
	struct iot_order_rules *rules = g_new0(struct iot_order_rules, 1);

	rules->rules = g_ptr_array_new_with_free_func(rule_free);
	rules->by_event = g_ptr_array_new_with_free_func(list_free);
	return rules;
}

void iot_order_rules_free(struct iot_order_rules *rules)
{
	if (!rules)
		return;
	g_ptr_array_unref(rules->by_event);
	g_ptr_array_unref(rules->rules);
	g_free(rules);
}

void iot_order_rules_skip_local(struct iot_order_rules *rules)
{
	for (guint event = 0; event < rules->by_event->len; event++) {
		GPtrArray *uses = rules->by_event->pdata[event];

		for (guint i = uses ? uses->len : 0; i-- > 0;) {
			const struct iot_order_use *use = uses->pdata[i];

			if (use->rule->local && !use->rule->by_thread)
				g_ptr_array_remove_index(uses, i);
		}
		if (uses && !uses->len)
			g_clear_pointer(&rules->by_event->pdata[event], g_ptr_array_unref);
	}
}

/* ---- circles */

/* Whether @rule has @event as effect or cause. */
static gboolean has_part(const struct iot_order_rules *rules, const struct iot_order_rule *rule,
			 guint event, enum iot_order_part part)
{
	const GPtrArray *uses = iot_order_uses(rules, event);

	for (guint i = 0; uses && i < uses->len; i++) {
		const struct iot_order_use *use = uses->pdata[i];

		if (use->rule == rule && use->part == part)
			return TRUE;
	}
	return FALSE;
}

/* The causes of @a are effects of @b with the same key: @a waits for @b. */
static gboolean waits_for(const struct iot_order_rules *rules, const struct iot_order_rule *a,
			  const struct iot_order_rule *b)
{
	if (!a->plain || !b->plain || strcmp(a->cause_key, b->effect_key))
		return FALSE;
	for (guint event = 0; event < rules->by_event->len; event++)
		if (has_part(rules, a, event, IOT_ORDER_CAUSE) &&
		    has_part(rules, b, event, IOT_ORDER_EFFECT))
			return TRUE;
	return FALSE;
}

static gboolean leads_to(const struct iot_order_rules *rules, const struct iot_order_rule *from,
			 const struct iot_order_rule *to, guint8 *seen)
{
	for (guint i = 0; i < rules->rules->len; i++) {
		const struct iot_order_rule *next = rules->rules->pdata[i];

		if (seen[i] || !waits_for(rules, from, next))
			continue;
		seen[i] = 1;
		if (next == to || leads_to(rules, next, to, seen))
			return TRUE;
	}
	return FALSE;
}

gboolean iot_order_rules_check(const struct iot_order_rules *rules, GError **error)
{
	for (guint i = 0; i < rules->rules->len; i++) {
		const struct iot_order_rule *rule = rules->rules->pdata[i];
		g_autofree guint8 *seen = g_new0(guint8, rules->rules->len);

		if (!leads_to(rules, rule, rule, seen))
			continue;
		g_set_error(error, IOT_ERROR, IOT_ERROR_MODEL,
			    "%s:1: [order]: the effect of \"%s\" would wait for itself, because "
			    "its causes wait for it by the rules",
			    rule->place, rule->name);
		return FALSE;
	}
	return TRUE;
}
