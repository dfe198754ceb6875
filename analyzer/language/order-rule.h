/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rules of order, [order] of a model file: an effect is not before its causes. A rule concerns one
 * key at a time, such as one message or one mutex. Its causes are combined with && || and !; a
 * cause may have a number, of which the largest one so far counts, or be counted: an effect needs
 * so many.
 */
#ifndef IOT_LANGUAGE_ORDER_RULE_H
#define IOT_LANGUAGE_ORDER_RULE_H

#include "language/expr.h"

enum { IOT_ORDER_KEYS = 16, IOT_ORDER_CAUSES = 8, IOT_ORDER_OPS = 32 };

/* What an event does in a rule. */
enum iot_order_part {
	IOT_ORDER_EFFECT,
	IOT_ORDER_CAUSE,
	/* withdraws a cause */
	IOT_ORDER_UNTIL,
	/* the rule applies to a key from the first event to the second one */
	IOT_ORDER_BEGINS,
	IOT_ORDER_ENDS,
};

struct iot_order_cause {
	char *name;
	gboolean numbered;
	gboolean of_begin; /* the wanted number or count is that of the event that begins */
	/* the effect wants so many; of numbered ones, all up to this number, not only the largest
	 */
	gboolean counted;
	/* the number before the first event of a key */
	gboolean has_initial;
	gint64 initial;
	gboolean withdrawn; /* there is an "until" */
};

struct iot_order_rule {
	char *name;  /* for people: "dlm message" */
	char *place; /* "FILE:LINE" */
	guint index; /* among all rules */
	guint64 hold_ns;
	guint n_keys, n_causes;
	struct iot_order_cause cause[IOT_ORDER_CAUSES];
	/* The condition in postfix order: numbers of causes, or enum iot_order_op. */
	gint8 op[IOT_ORDER_OPS];
	guint n_ops;
	gboolean counts; /* some cause is counted */
	gboolean once;	 /* a cause serves one effect: its key is forgotten then */
	/* A key can be used again, and nothing tells the uses apart: if a cause is not recorded, a
	 * later one seems to be it. */
	gboolean reuses;
	gboolean final;	    /* no effect of a key comes after its end */
	gboolean begins;    /* it applies to keys whose begin was seen */
	gboolean local;	    /* @node is part of the key: causes are on the effect's machine */
	gboolean by_thread; /* the order inside a machine is that of threads only */
	char *link;	    /* name of the [link] that it follows; NULL: none */
	/* For the search of circles: no number, no condition, all causes needed. */
	gboolean plain;
	char *effect_key, *cause_key;
};

enum iot_order_op { IOT_ORDER_NOT = -1, IOT_ORDER_AND = -2, IOT_ORDER_OR = -3 };

/* One event in one rule. */
struct iot_order_use {
	struct iot_order_rule *rule;
	enum iot_order_part part;
	guint cause; /* CAUSE, UNTIL */
	struct iot_schema_event *event;
	/* "FILE:LINE", if the model names the event in rules of order only: it may be mistyped */
	char *place;
	struct iot_expr *key[IOT_ORDER_KEYS];
	struct iot_expr *when;	 /* NULL: always */
	struct iot_expr *number; /* CAUSE, BEGINS: its number; NULL: none */
	/* EFFECT: the number that a cause must have, or how many of it there must be */
	struct iot_expr *wants[IOT_ORDER_CAUSES];
	/* EFFECT: number of the node on which the causes are recorded; NULL: any node */
	struct iot_expr *node;
	/* a bit for each value of the key that is a text, for the events that were seen last */
	struct {
		const struct iot_event *event;
		guint32 texts;
	} typed[4];
};

struct iot_order_rules {
	GPtrArray *rules;    /* of struct iot_order_rule */
	GPtrArray *by_event; /* of GPtrArray of struct iot_order_use, effects first; or NULL */
};

/* The model of a section. */
struct iot_order_context {
	const struct iot_model_file *file;
	const char *model, *system; /* name of the model, system of its events */
	struct iot_timeline *tl;
	struct iot_schema *schema;
};

struct iot_order_rules *iot_order_rules_new(void);
/** iot_order_rules_free - accepts NULL */
void iot_order_rules_free(struct iot_order_rules *rules);
/** iot_order_rules_add - compile a section [order]; IOT_ERROR_MODEL with file, line and column */
gboolean iot_order_rules_add(struct iot_order_rules *rules, const struct iot_order_context *context,
			     const struct iot_section *section, GError **error);
/** iot_order_needs_parse - compile the condition of a rule that has its causes; NULL: all causes
 * are needed. IOT_ERROR_MODEL with file, line and column */
gboolean iot_order_needs_parse(struct iot_order_rule *rule, const struct iot_setting *setting,
			       GError **error);
/** iot_order_rules_check - rules that can never all hold: an effect that waits for itself */
gboolean iot_order_rules_check(const struct iot_order_rules *rules, GError **error);
/** iot_order_rules_skip_local - rules whose causes are on the effect's machine are not looked at;
 * rules of threads stay */
void iot_order_rules_skip_local(struct iot_order_rules *rules);
/** iot_order_keys - the settings of the section, with a NULL at the end */
extern const char *const iot_order_keys[];

/** iot_order_uses - what an event of the schema does in the rules; NULL: nothing */
static inline const GPtrArray *iot_order_uses(const struct iot_order_rules *rules, guint event)
{
	return event < rules->by_event->len ? rules->by_event->pdata[event] : NULL;
}

/** iot_order_use_key - the key of a record; returns its hash, also of rule and types */
guint64 iot_order_use_key(struct iot_order_use *use, const struct iot_eval *eval, guint64 *out_key,
			  guint32 *out_texts);
/**
 * iot_order_possible - whether the condition can be true
 * @can: a bit for each cause that may have happened
 * @can_not: a bit for each cause that may not have happened
 */
gboolean iot_order_possible(const struct iot_order_rule *rule, guint can, guint can_not);
/** iot_order_level - the least level at which the condition holds; @level: of causes that happened
 * (bits of @mask) */
guint64 iot_order_level(const struct iot_order_rule *rule, guint mask, const guint64 *level);

/** iot_order_holds - whether the condition is true if the causes of @mask have happened */
static inline gboolean iot_order_holds(const struct iot_order_rule *rule, guint mask)
{
	return iot_order_possible(rule, mask, ~mask);
}

#endif
