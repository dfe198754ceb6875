/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Texts with fields in them: "ast {sb_status:names result}".
 *
 *	{f}		decimal number, or text
 *	{f:hex} {f:x}	hexadecimal, with 0x or without
 *	{f:oct}		octal
 *	{f:device}	major:minor
 *	{f:address}	a socket address: host:port
 *	{f:names T}	the name in [names T]; for other numbers its "else", or the number
 *	{f:flags T}	the names of the bits that are set, joined by |
 *	{f:typed T}	a text "%8x%16x", a type and a number, as name and number
 *			(other texts unchanged)
 *	{t[k k]}	the text of a key in [keytable t]
 *	{a or b}	the first value that is not empty
 *	{@node} {@node_name} {@pid} {@command} {@call} {@end} {@context}
 *
 * A text is a number of tl->strings. How evaluation is cached: memo.h. Pipeline thread only.
 */
#ifndef IOT_LANGUAGE_TEMPLATE_H
#define IOT_LANGUAGE_TEMPLATE_H

#include "base/fault.h"
#include "language/operands.h"
#include "language/names.h"

struct iot_template;

/*
 * Texts by number: the fast path for templates that are one number and nothing else, such as the
 * name of an operation, a result, or "failed". First member of struct iot_template, because the
 * inline functions below read it.
 *
 * texts[] holds text + 1, or 0 until the text was made for the first time: n texts for the numbers
 * from @first on, then one for other negative numbers, one for all other numbers, and a last one
 * that stays 0, for numbers without a common text.
 */
struct iot_template_head {
	guint32 *texts; /* NULL: another kind of template */
	guint64 first;
	guint32 n;
	guint32 negative, otherwise; /* indexes of the common texts, or of the last one */
	guint8 scope, slot;	     /* the field */
	gboolean number;	     /* as an attribute, a number >= 0 without a text is itself */
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

/* Slow paths of the two functions below, for templates of any kind; do not call. */
iot_str iot_template_eval_slow(struct iot_template *tmpl, const struct iot_eval *eval);
guint64 iot_template_attr_slow(struct iot_template *tmpl, const struct iot_eval *eval);

/* The element of head->texts for the number in the field; NULL if there is none. */
static inline guint32 *iot_template_listed(const struct iot_template_head *head,
					   const struct iot_eval *eval, gint64 *out_number)
{
	const struct iot_rec *rec = eval->rec[head->scope];
	guint type;
	guint64 at;

	if (!head->texts || !rec || iot_slow_only())
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
	/* fast path: texts by number */
	const guint32 *text =
		iot_template_listed((const struct iot_template_head *)tmpl, eval, &number);

	return text && *text ? *text - 1 : iot_template_eval_slow(tmpl, eval);
}

/** iot_template_attr - the same for a text attribute, which may be a number itself */
static inline guint64 iot_template_attr(struct iot_template *tmpl, const struct iot_eval *eval)
{
	const struct iot_template_head *head = (const struct iot_template_head *)tmpl;
	gint64 number;
	/* fast path: texts by number */
	const guint32 *text = iot_template_listed(head, eval, &number);

	if (text && *text)
		return *text - 1;
	if (text && head->number && number >= 0 && text == head->texts + head->n + 2)
		return iot_text_number((guint64)number);
	return iot_template_attr_slow(tmpl, eval);
}

/** iot_template_operands - add the fields and tables that the text depends on; it also depends on
 * the input of the records */
void iot_template_operands(const struct iot_template *tmpl, struct iot_operands *operands);
/** iot_template_n_values - number of values in the text */
guint iot_template_n_values(const struct iot_template *tmpl);
/** iot_template_key - append the values to @key, which has room; equal values make equal texts */
void iot_template_key(const struct iot_template *tmpl, const struct iot_eval *eval,
		      struct iot_memo_key *key);

/**
 * iot_key_text_new - the text of keys that a key table does not hold ("fd 3")
 * @tmpl: taken over; its fields are the keys, slot by slot
 */
struct iot_key_text *iot_key_text_new(struct iot_template *tmpl, guint n_keys);
void iot_key_text_free(gpointer text);

#endif
