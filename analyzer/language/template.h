/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Texts with fields in them: "ast {sb_status:names result}". Formats: {f} decimal or text, {f:hex},
 * {f:x} (digits alone), {f:oct}, {f:device} (major:minor), {f:names T} (a [names T] section; its
 * "else" or the number for what is not listed), {f:flags T} (bits joined by |), {f:typed T} (the
 * form "%8x%16x", a type and a number, shown as name and number; other text as it is). {t[k k]} is
 * the text of a key in a [keytable], {a or b} the first that is not empty. Built-ins: {@node},
 * {@node_name}, {@pid}, {@command},
 * {@call}. Results are interned; what was made of
 * values once is not made again.
 */
#ifndef IOT_LANGUAGE_TEMPLATE_H
#define IOT_LANGUAGE_TEMPLATE_H

#include "language/operands.h"
#include "language/names.h"

struct iot_template;

/*
 * What is asked for most is the text of one number: the name of an operation, a result, "failed"
 * or nothing. It stands in an array: by the number, then that of other negative ones, that of all
 * others, and one that stays 0. The first member of a template, for the inline part below.
 */
struct iot_template_head {
	guint32 *texts;		     /* + 1; 0: not known yet. NULL: it is not of that kind */
	guint64 first;		     /* number of texts[0] */
	guint32 n;		     /* so many are listed */
	guint32 negative, otherwise; /* where the text of other numbers is */
	guint8 scope, slot;
	gboolean number; /* what has no text is an attribute itself, if it is not negative */
};

/**
 * iot_template_compile - compile the whole value of a setting
 * @names: table of struct iot_names by name
 * @raw: text fields are taken as bytes (identities); otherwise they are made printable
 */
struct iot_template *iot_template_compile(const struct iot_setting *setting, GHashTable *names,
					  gboolean raw, struct iot_scope_events *scope,
					  GError **error);
/** iot_template_compile_part - the same for @len characters at @offset of the value */
struct iot_template *iot_template_compile_part(const struct iot_setting *setting, gsize offset,
					       gsize len, GHashTable *names, gboolean raw,
					       struct iot_scope_events *scope, GError **error);
void iot_template_free(struct iot_template *tmpl);
/** iot_template_eval_other, iot_template_attr_other - the same as without "other", for all kinds of
 * templates */
iot_str iot_template_eval_other(struct iot_template *tmpl, const struct iot_eval *eval);
guint64 iot_template_attr_other(struct iot_template *tmpl, const struct iot_eval *eval);

/* The place among the texts; NULL if there are none. */
static inline guint32 *iot_template_place(const struct iot_template_head *head,
					  const struct iot_eval *eval, gint64 *out_number)
{
	const struct iot_rec *rec = eval->rec[head->scope];
	guint type;
	guint64 at;

	if (!head->texts || !rec)
		return NULL;
	type = rec->event->slot_type[head->slot];
	if (type != IOT_SLOT_INT && type != IOT_SLOT_UINT)
		return NULL;
	*out_number = rec->slot[head->slot].i;
	at = (guint64)*out_number - head->first;
	if (at < head->n)
		return head->texts + at;
	return head->texts + (*out_number < 0 ? head->negative : head->otherwise);
}

/** iot_template_eval - the text as a number of tl->strings */
static inline iot_str iot_template_eval(struct iot_template *tmpl, const struct iot_eval *eval)
{
	gint64 number;
	const guint32 *place =
		iot_template_place((const struct iot_template_head *)tmpl, eval, &number);

	return place && *place ? *place - 1 : iot_template_eval_other(tmpl, eval);
}

/** iot_template_attr - the same for a text attribute, which may be a number itself */
static inline guint64 iot_template_attr(struct iot_template *tmpl, const struct iot_eval *eval)
{
	const struct iot_template_head *head = (const struct iot_template_head *)tmpl;
	gint64 number;
	const guint32 *place = iot_template_place(head, eval, &number);

	if (place && *place)
		return *place - 1;
	if (place && head->number && number >= 0 && place == head->texts + head->n + 2)
		return iot_text_number((guint64)number);
	return iot_template_attr_other(tmpl, eval);
}

/** iot_template_operands - add what the text depends on, beside the input that the records are of
 */
void iot_template_operands(const struct iot_template *tmpl, struct iot_operands *operands);
/** iot_template_n_values - how many values the text depends on */
guint iot_template_n_values(const struct iot_template *tmpl);
/** iot_template_key - add them to a key that has room for them: the same values make the same text
 */
void iot_template_key(const struct iot_template *tmpl, const struct iot_eval *eval,
		      struct iot_memo_key *key);

/**
 * iot_key_text_new - what stands for keys of a key table that have no text of their own
 * @tmpl: taken over; its fields are the keys, slot by slot
 */
struct iot_key_text *iot_key_text_new(struct iot_template *tmpl, guint n_keys);
void iot_key_text_free(gpointer text);

#endif
