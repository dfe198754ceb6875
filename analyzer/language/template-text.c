/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Evaluating templates. The values of a template are looked up first, because they are the key of
 * its caches; a text is put together and interned only when no cache has it. Each cache is the fast
 * path of one function, with its slow path right below. memo.h explains when entries become stale.
 */
#include "language/template-local.h"
#include "language/address.h"
#include "language/commands.h"

/* ---- texts of keys that a key table does not hold */

enum { MAX_KEY_TEXTS = 4096 }; /* entries of the cache */

struct iot_key_text {
	guint n_keys;
	struct iot_event event; /* its fields are the keys */
	struct iot_template *tmpl;
	struct iot_memo texts; /* key -> text + 1 */
};

struct iot_key_text *iot_key_text_new(struct iot_template *tmpl, guint n_keys)
{
	struct iot_key_text *text = g_new0(struct iot_key_text, 1);

	text->n_keys = text->event.n_slots = n_keys;
	for (guint i = 0; i < n_keys; i++)
		text->event.slot_type[i] = IOT_SLOT_UINT;
	text->tmpl = tmpl;
	iot_memo_init(&text->texts, n_keys, MAX_KEY_TEXTS);
	return text;
}

void iot_key_text_free(gpointer data)
{
	struct iot_key_text *text = data;

	iot_template_free(text->tmpl);
	iot_memo_clear(&text->texts);
	g_free(text);
}

static iot_str make_key_text(const struct iot_key_text *text, const guint64 *key)
{
	static const guint64 zeros[IOT_MAX_TABLE_KEYS];
	union {
		struct iot_rec rec;
		guint64 storage[sizeof(struct iot_rec) / sizeof(guint64) + IOT_MAX_TABLE_KEYS];
	} made_up = { .rec.event = &text->event };
	struct iot_eval eval = { .rec = { &made_up.rec } };

	if (!memcmp(key, zeros, text->n_keys * sizeof(*key))) /* zeros are no key */
		return 0;
	for (guint i = 0; i < text->n_keys; i++)
		made_up.rec.slot[i].u = key[i];
	return iot_template_eval(text->tmpl, &eval);
}

static iot_str key_text(struct iot_key_text *text, const guint64 *key)
{
	struct iot_memo_key memo_key;
	guint64 *answer;

	if (iot_slow_only())
		return make_key_text(text, key);
	/* fast path: a memo by key */
	iot_memo_key_start(&memo_key);
	for (guint i = 0; i < text->n_keys; i++)
		iot_memo_key_add(&memo_key, 1, key[i]);
	answer = iot_memo_find(&text->texts, &memo_key);
	/* slow path */
	if (G_UNLIKELY(!*answer))
		*answer = make_key_text(text, key) + 1u;
	return (iot_str)(*answer - 1);
}

/* ---- values */

/* FALSE if the value is empty. */
static gboolean look_up_key(const struct piece *piece, const struct iot_eval *eval,
			    struct resolved *out)
{
	static const guint8 kinds[] = { [IOT_TABLE_TEXT] = KIND_STR,
					[IOT_TABLE_INT] = KIND_INT,
					[IOT_TABLE_UINT] = KIND_UINT,
					[IOT_TABLE_REAL] = KIND_REAL };
	guint64 key[IOT_MAX_TABLE_KEYS] = { 0 };
	struct iot_key_text *without = iot_keytable_key_text(piece->table);
	const guint64 *values;

	for (guint i = 0; i < IOT_MAX_TABLE_KEYS && piece->key[i]; i++)
		key[i] = (guint64)iot_expr_eval(piece->key[i], eval);
	/* a key that is missing is not the key 0 */
	values = !key[0] && iot_expr_is_absent(piece->key[0], eval)
			 ? NULL
			 : iot_keytable_get(piece->table, eval->machine, key);
	out->kind = (enum kind)kinds[iot_keytable_type(piece->table, piece->value)];
	if (values)
		out->value.u = values[piece->value];
	else if (out->kind != KIND_STR)
		out->kind = KIND_NONE;
	else
		out->value.u = without && !piece->otherwise ? key_text(without, key) : 0;
	return out->kind == KIND_STR ? out->value.u != 0 : values != NULL;
}

/* Replace a number by its name, if the format asks for names and the number has one. FALSE if the
 * value is empty: [names] was not proved, and the next alternative is to be shown. */
static inline gboolean take_name(const struct iot_template *tmpl, struct resolved *out)
{
	const struct piece *piece = out->piece;
	iot_str name;

	if (piece->format != FORMAT_NAMES || (out->kind != KIND_INT && out->kind != KIND_UINT))
		return TRUE;
	if (!iot_names_str(piece->names, out->value.i, tmpl->tl->strings, &name))
		return !piece->proved || !piece->otherwise;
	out->kind = KIND_FINAL;
	out->value.u = name;
	return TRUE;
}

/* FALSE if the value is empty. */
__attribute__((always_inline)) static inline gboolean resolve_field(const struct iot_template *tmpl,
								    const struct piece *piece,
								    const struct iot_eval *eval,
								    struct resolved *out)
{
	static const guint8 kinds[] = { [IOT_SLOT_ABSENT] = KIND_NONE,
					[IOT_SLOT_INT] = KIND_INT,
					[IOT_SLOT_UINT] = KIND_UINT,
					[IOT_SLOT_STR] = KIND_STR,
					[IOT_SLOT_REAL] = KIND_REAL };
	const struct iot_rec *rec = eval->rec[piece->scope];

	out->piece = piece;
	out->kind = rec ? (enum kind)kinds[rec->event->slot_type[piece->slot]] : KIND_NONE;
	out->value.u = 0;
	if (out->kind == KIND_NONE)
		return FALSE;
	out->value = rec->slot[piece->slot];
	if (out->kind == KIND_INT || out->kind == KIND_UINT)
		return take_name(tmpl, out);
	if (G_UNLIKELY(out->kind == KIND_REAL))
		return TRUE;
	if (G_UNLIKELY(piece->format == FORMAT_ADDRESS || piece->format == FORMAT_IP)) {
		guint32 (*text)(struct iot_intern *, guint32) =
			piece->format == FORMAT_IP ? iot_ip_text : iot_address_text;

		out->kind = KIND_FINAL;
		out->value.u = text(tmpl->tl->strings, (guint32)out->value.u);
	}
	return out->value.u != 0;
}

/* The same for values that are no fields. */
static G_GNUC_NO_INLINE gboolean resolve_other(const struct iot_template *tmpl,
					       const struct piece *piece,
					       const struct iot_eval *eval, struct resolved *out)
{
	const struct iot_rec *self = eval->rec[IOT_SCOPE_SELF];

	out->piece = piece;
	out->kind = KIND_FINAL;
	switch (piece->source) {
	case FROM_NODE:
		out->value.u = eval->node;
		return TRUE;
	case FROM_NODE_NAME:
		out->value.u = eval->node_name;
		return TRUE;
	case FROM_CALL:
		out->value.u = eval->call;
		return TRUE;
	case FROM_PID:
		out->kind = KIND_INT;
		out->value.i = self ? self->pid : 0;
		return take_name(tmpl, out);
	case FROM_END:
		out->kind = KIND_INT;
		out->value.i = (gint64)eval->end;
		return take_name(tmpl, out);
	case FROM_CONTEXT:
		out->value.u = iot_intern_str(
			tmpl->tl->strings,
			iot_context_name(iot_context_of(self ? self->slot[piece->slot].u : 0)));
		return TRUE;
	case FROM_COMMAND:
		out->value.u = self && eval->commands
				       ? iot_commands_find(eval->commands, self->pid, self->ts,
							   tmpl->tl->strings)
				       : 0;
		return out->value.u != 0;
	default:
		out->value.u = 0;
		return look_up_key(piece, eval, out) && take_name(tmpl, out);
	}
}

/* The first alternative that is not empty. Always inline: the inner loop of joining. */
__attribute__((always_inline)) static inline void resolve(const struct iot_template *tmpl,
							  const struct piece *piece,
							  const struct iot_eval *eval,
							  struct resolved *out)
{
	out->alternative = 0;
	while (!(piece->source == FROM_FIELD ? resolve_field(tmpl, piece, eval, out)
					     : resolve_other(tmpl, piece, eval, out)) &&
	       piece->otherwise) {
		piece = piece->otherwise;
		out->alternative++;
	}
}

static inline void add_to_key(const struct resolved *resolved, struct iot_memo_key *key)
{
	iot_memo_key_add(key, resolved->alternative << KIND_BITS | resolved->kind,
			 resolved->value.u);
}

guint iot_template_n_values(const struct iot_template *tmpl)
{
	return tmpl->n_values;
}

void iot_template_key(const struct iot_template *tmpl, const struct iot_eval *eval,
		      struct iot_memo_key *key)
{
	for (guint i = 0; i < tmpl->pieces->len; i++) {
		const struct piece *piece = tmpl->first + i;
		struct resolved resolved;

		if (piece->source == FROM_TEXT)
			continue;
		resolve(tmpl, piece, eval, &resolved);
		add_to_key(&resolved, key);
	}
}

/* ---- texts */

static G_GNUC_NO_INLINE iot_str make_text(const struct iot_template *tmpl,
					  const struct iot_eval *eval)
{
	g_string_truncate(tmpl->out, 0);
	for (guint i = 0; i < tmpl->pieces->len; i++) {
		const struct piece *piece = &g_array_index(tmpl->pieces, struct piece, i);
		struct resolved resolved;

		if (piece->source == FROM_TEXT) {
			g_string_append(tmpl->out, piece->text);
			continue;
		}
		resolve(tmpl, piece, eval, &resolved);
		iot_template_append(tmpl, &resolved);
	}
	return iot_intern_bytes(tmpl->tl->strings, tmpl->out->str, tmpl->out->len);
}

/* The text for the values in @key. */
static iot_str text_by_values(struct iot_template *tmpl, const struct iot_eval *eval,
			      const struct iot_memo_key *key)
{
	guint64 *answer;

	if (iot_slow_only())
		return make_text(tmpl, eval);
	/* fast path: the memo */
	answer = iot_memo_find(&tmpl->memo, key);
	/* slow path */
	if (G_UNLIKELY(!*answer))
		*answer = make_text(tmpl, eval) + 1u;
	return (iot_str)(*answer - 1);
}

/* A value that is its own text. */
static inline gboolean is_text(const struct iot_template *tmpl, const struct resolved *resolved)
{
	return resolved->kind == KIND_FINAL || resolved->kind == KIND_NONE ||
	       (resolved->kind == KIND_STR && tmpl->raw && resolved->piece->format != FORMAT_TYPED);
}

/* A value that is shown in decimal digits, without a sign. */
static inline gboolean is_decimal(const struct resolved *resolved)
{
	return (resolved->kind == KIND_INT || resolved->kind == KIND_UINT) &&
	       iot_piece_is_decimal(resolved->piece) && resolved->value.i >= 0;
}

static gboolean is_printable(const struct iot_template *tmpl, const struct resolved *resolved)
{
	gsize len;
	const char *text;

	if (resolved->kind != KIND_STR || resolved->piece->format != FORMAT_PLAIN)
		return FALSE;
	text = iot_intern_get(tmpl->tl->strings, (iot_str)resolved->value.u, &len);
	return iot_template_is_plain(text, len);
}

/* The text of a template that is one value and no literal text. */
static guint64 single_text(struct iot_template *tmpl, const struct iot_eval *eval, gboolean attr)
{
	struct resolved resolved;
	struct iot_memo_key key;

	resolve(tmpl, tmpl->first, eval, &resolved);
	if (attr && is_decimal(&resolved))
		return iot_text_number(resolved.value.u);
	/* fast path: the value is the text */
	if (!iot_slow_only() && (is_text(tmpl, &resolved) || is_printable(tmpl, &resolved)))
		return resolved.value.u;
	/* slow path */
	iot_memo_key_start(&key);
	add_to_key(&resolved, &key);
	return text_by_values(tmpl, eval, &key);
}

static guint64 any_text(struct iot_template *tmpl, const struct iot_eval *eval, gboolean attr)
{
	struct iot_memo_key key;

	if (tmpl->alone)
		return single_text(tmpl, eval, attr);
	if (tmpl->n_values > IOT_MEMO_VALUES)
		return make_text(tmpl, eval);
	iot_memo_key_start(&key);
	iot_template_key(tmpl, eval, &key);
	return text_by_values(tmpl, eval, &key);
}

/* Add to the texts by number, but only names: other texts depend on the type of the field, too. */
static void list_text(struct iot_template *tmpl, const struct iot_eval *eval, iot_str text)
{
	gint64 number;
	guint32 *listed;

	if (!tmpl->head.texts || tmpl->field->format != FORMAT_NAMES)
		return;
	listed = iot_template_listed(&tmpl->head, eval, &number);
	if (listed && iot_names_get(tmpl->field->names, number))
		*listed = text + 1;
}

/* The text of a template whose only value is a field. */
static inline guint64 field_text(struct iot_template *tmpl, const struct iot_eval *eval,
				 gboolean attr)
{
	const struct iot_rec *rec = eval->rec[tmpl->field->scope];
	struct recent *recent;
	guint64 value, text;
	guint16 type;

	if (!rec || iot_slow_only())
		return any_text(tmpl, eval, attr);
	/* fast path: the field has one of a few values, which need no hashing */
	value = rec->slot[tmpl->field->slot].u;
	type = 1 + rec->event->slot_type[tmpl->field->slot];
	recent = &tmpl->recent[(value ^ type) % N_RECENT];
	if (G_LIKELY(recent->value == value && recent->type == type))
		return recent->str;
	/* slow path */
	text = any_text(tmpl, eval, attr);
	if (!iot_text_is_number(text)) {
		*recent = (struct recent){ value, type, (iot_str)text };
		list_text(tmpl, eval, (iot_str)text);
	}
	return text;
}

/* The text of a template whose only value is a key table lookup. */
static iot_str table_text(struct iot_template *tmpl, const struct iot_eval *eval)
{
	const struct iot_rec *rec = eval->rec[tmpl->table_scope];
	guint64 version = iot_keytable_version(tmpl->table), hash, a, b;
	struct table_cache *cache;

	if (!rec || iot_slow_only())
		return (iot_str)single_text(tmpl, eval, FALSE);
	/* fast path: the same fields again, and the table has not changed */
	if (G_UNLIKELY(!tmpl->table_cache))
		tmpl->table_cache = g_new0(struct table_cache, N_TABLE_CACHE);
	a = rec->slot[tmpl->table_slot[0]].u;
	b = rec->slot[tmpl->table_slot[1]].u;
	hash = iot_memo_hash(iot_memo_hash(eval->machine, a), b);
	cache = &tmpl->table_cache[(hash >> 32) % N_TABLE_CACHE];
	if (G_LIKELY(cache->event == rec->event && cache->version == version &&
		     cache->value[0] == a && cache->value[1] == b))
		return cache->str;
	/* slow path */
	*cache = (struct table_cache){
		rec->event, version, { a, b }, (iot_str)single_text(tmpl, eval, FALSE)
	};
	return cache->str;
}

static iot_str fixed_text(struct iot_template *tmpl, const struct iot_eval *eval)
{
	if (!tmpl->fixed || iot_slow_only())
		tmpl->fixed = make_text(tmpl, eval) + 1;
	return tmpl->fixed - 1;
}

guint64 iot_template_attr_slow(struct iot_template *tmpl, const struct iot_eval *eval)
{
	if (tmpl->recent)
		return field_text(tmpl, eval, TRUE);
	return tmpl->alone && !tmpl->table ? single_text(tmpl, eval, TRUE)
					   : iot_template_eval_slow(tmpl, eval);
}

iot_str iot_template_eval_slow(struct iot_template *tmpl, const struct iot_eval *eval)
{
	if (tmpl->recent)
		return (iot_str)field_text(tmpl, eval, FALSE);
	if (tmpl->table)
		return table_text(tmpl, eval);
	return tmpl->n_values ? (iot_str)any_text(tmpl, eval, FALSE) : fixed_text(tmpl, eval);
}
