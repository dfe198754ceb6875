/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Texts with fields in them: "ast {sb_status:names result}". Formats: {f} decimal or text, {f:hex},
 * {f:x} (digits alone), {f:oct}, {f:device} (major:minor), {f:names T} (a [names T] section; its
 * "else" or the number for what is not listed), {f:flags T} (bits joined by |), {f:typed T} (the
 * form "%8x%16x", a type and a number, shown as name and number; other text as it is). {t[k k]} is
 * the text of a key in a [keytable], {a or b} the first that is not empty. Built-ins: {@node},
 * {@node_name}, {@pid},
 * {@call}. Results are interned; what was made of
 * values once is not made again.
 */
#ifndef IOT_MODEL_TEMPLATE_H
#define IOT_MODEL_TEMPLATE_H

#include "model/operands.h"
#include "model/names.h"

struct iot_template;

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
/** iot_template_eval - the text as a number of tl->strings */
iot_str iot_template_eval(struct iot_template *tmpl, const struct iot_eval *eval);
/** iot_template_attr - the same for a text attribute, which may be a number itself */
guint64 iot_template_attr(struct iot_template *tmpl, const struct iot_eval *eval);
/** iot_template_operands - add what the text depends on, beside the input that the records are of
 */
void iot_template_operands(const struct iot_template *tmpl, struct iot_operands *operands);
/** iot_template_n_values - how many values the text depends on */
guint iot_template_n_values(const struct iot_template *tmpl);
/** iot_template_key - add them to a key that has room for them: the same values make the same text
 */
void iot_template_key(const struct iot_template *tmpl, const struct iot_eval *eval,
		      struct iot_memo_key *key);

#endif
