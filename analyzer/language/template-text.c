/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of a template. First it is found out what its values are; mostly that says which text it
 * is, and only what is new is put together and interned.
 */
#include "language/template-local.h"
#include "base/digits.h"
#include "base/units.h"
#include "language/commands.h"

/* A right-aligned hexadecimal number that fills its field up to the end. */
static gboolean parse_hex_field(const char *text, gsize len, guint64 *out)
{
	gsize blanks = 0;

	while (blanks < len && text[blanks] == ' ')
		blanks++;
	*out = 0;
	for (gsize i = blanks; i < len; i++) {
		if (!g_ascii_isxdigit(text[i]) || g_ascii_isupper(text[i]))
			return FALSE;
		*out = *out << 4 | (guint64)g_ascii_xdigit_value(text[i]);
	}
	return blanks < len;
}

/* GFS2's form of a DLM resource name (fs/gfs2/lock_dlm.c: gdlm_lock): type in 8, number in 16
 * columns. */
static gboolean parse_typed(const char *text, gsize len, gint64 *out_type, guint64 *out_number)
{
	return len == 24 && parse_hex_field(text, 8, (guint64 *)out_type) &&
	       parse_hex_field(text + 8, 16, out_number);
}

static void append_typed(GString *out, struct iot_names *names, const char *text, gsize len)
{
	g_autofree char *plain = NULL;
	const char *name;
	gint64 type;
	guint64 number;

	if (!parse_typed(text, len, &type, &number)) {
		plain = iot_escape_bytes(text, len);
		g_string_append(out, plain);
		return;
	}
	name = iot_names_get(names, type);
	if (name)
		g_string_append_printf(out, "%s %" G_GINT64_MODIFIER "x", name, number);
	else
		g_string_append_printf(out, "type %" G_GINT64_MODIFIER "x %" G_GINT64_MODIFIER "x",
				       type, number);
}

static void append_flags(GString *out, struct iot_names *names, guint64 value)
{
	gsize start = out->len;

	for (guint bit = 0; bit < 64; bit++) {
		guint64 mask = G_GUINT64_CONSTANT(1) << bit;
		const char *name;

		if (!(value & mask))
			continue;
		if (out->len > start)
			g_string_append_c(out, '|');
		name = iot_names_get(names, (gint64)mask);
		if (name)
			g_string_append(out, name);
		else
			g_string_append_printf(out, "0x%" G_GINT64_MODIFIER "x", mask);
	}
}

static void append_decimal(GString *out, guint64 value)
{
	char digits[IOT_DIGITS_ROOM];

	g_string_append_len(out, digits, iot_digits(digits, value) - digits);
}

static void append_number(GString *out, const struct piece *piece, enum kind kind,
			  union iot_val value)
{
	switch (piece->format) {
	case FORMAT_HEX:
		g_string_append_printf(out, "0x%" G_GINT64_MODIFIER "x", value.u);
		return;
	case FORMAT_X:
		g_string_append_printf(out, "%" G_GINT64_MODIFIER "x", value.u);
		return;
	case FORMAT_OCT:
		g_string_append_printf(out, "0%" G_GINT64_MODIFIER "o", value.u);
		return;
	case FORMAT_DEVICE: /* as the kernel packs it (include/linux/kdev_t.h) */
		append_decimal(out, (guint32)(value.u >> 20));
		g_string_append_c(out, ':');
		append_decimal(out, value.u & 0xfffff);
		return;
	case FORMAT_FLAGS:
		append_flags(out, piece->names, value.u);
		return;
	default:
		break;
	}
	if (kind == KIND_INT && value.i < 0) {
		g_string_append_c(out, '-');
		value.u = 0 - value.u;
	}
	append_decimal(out, value.u);
}

/* Whether iot_escape_bytes would leave it as it is; said of nearly every path. */
static gboolean is_plain(const char *text, gsize len)
{
	for (gsize i = 0; i < len; i++)
		if (text[i] < ' ' || text[i] > '~' || text[i] == '\\')
			return FALSE;
	return TRUE;
}

static void append_text(GString *out, const struct iot_template *tmpl, const struct piece *piece,
			iot_str str)
{
	gsize len;
	const char *text = iot_intern_get(tmpl->tl->strings, str, &len);
	g_autofree char *plain = NULL;

	if (piece->format == FORMAT_TYPED) {
		append_typed(out, piece->names, text, len);
	} else if (tmpl->raw || is_plain(text, len)) {
		g_string_append_len(out, text, (gssize)len);
	} else {
		plain = iot_escape_bytes(text, len);
		g_string_append(out, plain);
	}
}

/* ---- keys without a text */

enum { MAX_KEY_TEXTS = 4096 }; /* that are remembered */

struct iot_key_text {
	guint n_keys;
	struct iot_event event; /* with the keys as fields */
	struct iot_template *tmpl;
	struct iot_memo texts; /* + 1, by key */
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

	if (!memcmp(key, zeros, text->n_keys * sizeof(*key))) /* nothing, and not a key */
		return 0;
	for (guint i = 0; i < text->n_keys; i++)
		made_up.rec.slot[i].u = key[i];
	return iot_template_eval(text->tmpl, &eval);
}

static iot_str find_key_text(struct iot_key_text *text, const guint64 *key)
{
	struct iot_memo_key memo_key;
	guint64 *answer;

	iot_memo_key_start(&memo_key);
	for (guint i = 0; i < text->n_keys; i++)
		iot_memo_key_add(&memo_key, 1, key[i]);
	answer = iot_memo_find(&text->texts, &memo_key);
	if (G_UNLIKELY(!*answer))
		*answer = make_key_text(text, key) + 1u;
	return (iot_str)(*answer - 1);
}

static iot_str table_text(const struct piece *piece, const struct iot_eval *eval)
{
	guint64 key[IOT_MAX_TABLE_KEYS] = { 0 };
	struct iot_key_text *key_text;
	iot_str text;

	for (guint i = 0; i < IOT_MAX_TABLE_KEYS && piece->key[i]; i++)
		key[i] = (guint64)iot_expr_eval(piece->key[i], eval);
	if (iot_keytable_get(piece->table, eval->input, key, &text) || piece->otherwise)
		return text;
	key_text = iot_keytable_key_text(piece->table);
	return key_text ? find_key_text(key_text, key) : 0;
}

/* The name of a number, if the piece wants one and there is one. FALSE if it was not proved, and
 * there is something else to show. */
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

/* FALSE if there is nothing to show. */
__attribute__((always_inline)) static inline gboolean resolve_field(const struct iot_template *tmpl,
								    const struct piece *piece,
								    const struct iot_eval *eval,
								    struct resolved *out)
{
	static const guint8 kinds[] = { [IOT_SLOT_ABSENT] = KIND_NONE,
					[IOT_SLOT_INT] = KIND_INT,
					[IOT_SLOT_UINT] = KIND_UINT,
					[IOT_SLOT_STR] = KIND_STR };
	const struct iot_rec *rec = eval->rec[piece->scope];

	out->piece = piece;
	out->kind = rec ? (enum kind)kinds[rec->event->slot_type[piece->slot]] : KIND_NONE;
	out->value.u = 0;
	if (out->kind == KIND_NONE)
		return FALSE;
	out->value = rec->slot[piece->slot];
	if (out->kind == KIND_INT || out->kind == KIND_UINT)
		return take_name(tmpl, out);
	return out->value.u != 0;
}

/* The same for what is no field. */
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
	case FROM_COMMAND:
		out->value.u = self && eval->commands
				       ? iot_commands_find(eval->commands, self->pid, self->ts,
							   tmpl->tl->strings)
				       : 0;
		return out->value.u != 0;
	default:
		out->kind = KIND_STR;
		out->value.u = table_text(piece, eval);
		return out->value.u != 0;
	}
}

/* Always inline: it is the inner loop of joining. */
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

static void append_value(const struct iot_template *tmpl, const struct resolved *resolved)
{
	switch (resolved->kind) {
	case KIND_FINAL:
		g_string_append(tmpl->out, iot_tl_str(tmpl->tl, (iot_str)resolved->value.u));
		break;
	case KIND_STR:
		append_text(tmpl->out, tmpl, resolved->piece, (iot_str)resolved->value.u);
		break;
	case KIND_INT:
	case KIND_UINT:
		append_number(tmpl->out, resolved->piece, resolved->kind, resolved->value);
		break;
	default:
		break;
	}
}

static G_GNUC_NO_INLINE iot_str format_all(const struct iot_template *tmpl,
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
		append_value(tmpl, &resolved);
	}
	return iot_intern_bytes(tmpl->tl->strings, tmpl->out->str, tmpl->out->len);
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

static iot_str eval_key(struct iot_template *tmpl, const struct iot_eval *eval,
			const struct iot_memo_key *key)
{
	guint64 *answer = iot_memo_find(&tmpl->memo, key);

	if (G_UNLIKELY(!*answer))
		*answer = format_all(tmpl, eval) + 1u;
	return (iot_str)(*answer - 1);
}

/* A value that needs no other text than it is. */
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

static iot_str eval_resolved(struct iot_template *tmpl, const struct iot_eval *eval,
			     const struct resolved *resolved)
{
	struct iot_memo_key key;

	iot_memo_key_start(&key);
	add_to_key(resolved, &key);
	return eval_key(tmpl, eval, &key);
}

/* A text that is printable is shown as it is. */
static iot_str printable(struct iot_template *tmpl, const struct iot_eval *eval,
			 const struct resolved *resolved)
{
	gsize len;
	const char *text = iot_intern_get(tmpl->tl->strings, (iot_str)resolved->value.u, &len);

	return is_plain(text, len) ? (iot_str)resolved->value.u
				   : eval_resolved(tmpl, eval, resolved);
}

/* A template that is one value and nothing else. */
static guint64 eval_alone(struct iot_template *tmpl, const struct iot_eval *eval, gboolean attr)
{
	struct resolved resolved;

	resolve(tmpl, tmpl->first, eval, &resolved);
	if (is_text(tmpl, &resolved))
		return resolved.value.u;
	if (attr && is_decimal(&resolved))
		return iot_text_number(resolved.value.u);
	if (resolved.kind == KIND_STR && resolved.piece->format == FORMAT_PLAIN)
		return printable(tmpl, eval, &resolved);
	return eval_resolved(tmpl, eval, &resolved);
}

/* Text around a value, or several values. */
static iot_str eval_several(struct iot_template *tmpl, const struct iot_eval *eval)
{
	struct iot_memo_key key;

	if (tmpl->n_values > IOT_MEMO_VALUES)
		return format_all(tmpl, eval);
	iot_memo_key_start(&key);
	iot_template_key(tmpl, eval, &key);
	return eval_key(tmpl, eval, &key);
}

static guint64 eval_values(struct iot_template *tmpl, const struct iot_eval *eval, gboolean attr)
{
	return tmpl->alone ? eval_alone(tmpl, eval, attr) : eval_several(tmpl, eval);
}

/* Only names are listed: of another number the text depends on its type. */
static void cache_text(struct iot_template *tmpl, const struct iot_eval *eval, iot_str text)
{
	gint64 number;
	guint32 *place;

	if (!tmpl->head.texts || tmpl->field->format != FORMAT_NAMES)
		return;
	place = iot_template_place(&tmpl->head, eval, &number);
	if (place && iot_names_get(tmpl->field->names, number))
		*place = text + 1;
}

/* The only value is a field. */
static inline guint64 eval_field(struct iot_template *tmpl, const struct iot_eval *eval,
				 gboolean attr)
{
	const struct iot_rec *rec = eval->rec[tmpl->field->scope];
	struct recent *recent;
	guint64 value, text;
	guint16 type;

	if (!rec)
		return eval_values(tmpl, eval, attr);
	value = rec->slot[tmpl->field->slot].u;
	type = 1 + rec->event->slot_type[tmpl->field->slot];
	recent = &tmpl->recent[(value ^ type) % N_RECENT];
	if (G_LIKELY(recent->value == value && recent->type == type))
		return recent->str;
	text = eval_values(tmpl, eval, attr);
	if (!iot_text_is_number(text)) {
		*recent = (struct recent){ value, type, (iot_str)text };
		cache_text(tmpl, eval, (iot_str)text);
	}
	return text;
}

/* The only value is what a table says of some fields; mostly they are those of a file that is in
 * use, and nothing has changed. */
static iot_str eval_told(struct iot_template *tmpl, const struct iot_eval *eval)
{
	const struct iot_rec *rec = eval->rec[tmpl->table_scope];
	guint64 version = iot_keytable_version(tmpl->cached_table), hash, a, b;
	struct table_cache *table_cache;

	if (!rec)
		return (iot_str)eval_alone(tmpl, eval, FALSE);
	if (G_UNLIKELY(!tmpl->table_cache))
		tmpl->table_cache = g_new0(struct table_cache, N_TABLE_CACHE);
	a = rec->slot[tmpl->table_slot[0]].u;
	b = rec->slot[tmpl->table_slot[1]].u;
	hash = iot_memo_hash(iot_memo_hash(eval->input, a), b);
	table_cache = &tmpl->table_cache[(hash >> 32) % N_TABLE_CACHE];
	if (G_LIKELY(table_cache->event == rec->event && table_cache->version == version &&
		     table_cache->value[0] == a && table_cache->value[1] == b))
		return table_cache->str;
	*table_cache = (struct table_cache){
		rec->event, version, { a, b }, (iot_str)eval_alone(tmpl, eval, FALSE)
	};
	return table_cache->str;
}

guint64 iot_template_attr_other(struct iot_template *tmpl, const struct iot_eval *eval)
{
	if (tmpl->recent)
		return eval_field(tmpl, eval, TRUE);
	return tmpl->alone && !tmpl->cached_table ? eval_alone(tmpl, eval, TRUE)
						  : iot_template_eval_other(tmpl, eval);
}

iot_str iot_template_eval_other(struct iot_template *tmpl, const struct iot_eval *eval)
{
	if (tmpl->recent)
		return (iot_str)eval_field(tmpl, eval, FALSE);
	if (tmpl->cached_table)
		return eval_told(tmpl, eval);
	if (tmpl->n_values)
		return (iot_str)eval_values(tmpl, eval, FALSE);
	if (!tmpl->fixed)
		tmpl->fixed = format_all(tmpl, eval) + 1;
	return tmpl->fixed - 1;
}
