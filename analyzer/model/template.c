/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/template.h"
#include "model/keytable.h"
#include "base/units.h"

#include <errno.h>
#include <string.h>

enum format {
	FORMAT_PLAIN,
	FORMAT_HEX,
	FORMAT_X,
	FORMAT_OCT,
	FORMAT_DEVICE,
	FORMAT_NAMES,
	FORMAT_FLAGS,
	FORMAT_TYPED
};
enum source { FROM_TEXT, FROM_FIELD, FROM_NODE, FROM_NODE_NAME, FROM_PID, FROM_CALL, FROM_TABLE };

struct piece {
	enum source source;
	enum format format;
	enum iot_scope scope;
	int slot;
	char *text; /* FROM_TEXT */
	const struct iot_names *names;
	struct iot_keytable *table; /* FROM_TABLE */
	struct iot_expr *key[IOT_MAX_TABLE_KEYS];
	struct piece *otherwise; /* taken instead if this one is empty; NULL: nothing */
};

enum { CACHE_SIZE = 256, NO_RECORD = 256, MAX_CACHED = 4 };

/* What a piece stands for at the moment. */
struct resolved {
	const struct piece *piece; /* the one of several that is not empty */
	guint32 type;		   /* slot type + 1, or NO_RECORD */
	union iot_val value;
};

/* A text made of several values. */
struct cached_many {
	guint64 value[MAX_CACHED];
	guint32 type[MAX_CACHED]; /* 0: empty */
	iot_str str;
};

struct cached {
	guint64 value;
	guint32 type; /* slot type + 1, or NO_RECORD; 0: empty */
	iot_str str;
};

struct iot_template {
	struct iot_timeline *tl;
	gboolean raw;
	GArray *pieces;		  /* of struct piece */
	int only_field;		  /* index of the one piece that is a field; -1: none or several */
	gboolean per_node;	  /* no field at all: the same for all events of a node */
	guint n_values;		  /* pieces that are not text */
	struct cached *cache;	  /* if only_field or per_node */
	struct cached_many *many; /* else, if there are at most MAX_CACHED values */
};

struct iot_names {
	GHashTable *texts; /* gint64 -> text */
	char *otherwise, *negative;
};

static char *unquote(const char *text)
{
	gsize len = strlen(text);

	if (len >= 2 && text[0] == '"' && text[len - 1] == '"')
		return g_strndup(text + 1, len - 2);
	return g_strdup(text);
}

/* A number that fits into 64 bits, signed if it is negative. */
static gboolean parse_number(const char *text, gint64 *out)
{
	char *end;

	errno = 0;
	*out = *text == '-' ? g_ascii_strtoll(text, &end, 0)
			    : (gint64)g_ascii_strtoull(text, &end, 0);
	return end != text && !*end && errno != ERANGE;
}

struct iot_names *iot_names_new(const struct iot_section *section, GError **error)
{
	struct iot_names *names = g_new0(struct iot_names, 1);

	names->texts = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	for (guint i = 0; i < section->settings->len; i++) {
		const struct iot_setting *setting = section->settings->pdata[i];
		gboolean is_number;
		gint64 value;

		if (!strcmp(setting->key, "else") || !strcmp(setting->key, "negative")) {
			*(*setting->key == 'e' ? &names->otherwise : &names->negative) =
				unquote(setting->value);
			continue;
		}
		is_number = parse_number(setting->key, &value);
		if (!is_number || g_hash_table_contains(names->texts, &value)) {
			iot_setting_key_error(
				setting, error,
				!is_number ? "\"%s\" is neither a number nor \"else\" or "
					     "\"negative\""
					   : "the number %s stands twice",
				setting->key);
			iot_names_free(names);
			return NULL;
		}
		g_hash_table_insert(names->texts, g_memdup2(&value, sizeof(value)),
				    unquote(setting->value));
	}
	return names;
}

void iot_names_free(struct iot_names *names)
{
	if (!names)
		return;
	g_hash_table_unref(names->texts);
	g_free(names->otherwise);
	g_free(names->negative);
	g_free(names);
}

const char *iot_names_get(const struct iot_names *names, gint64 value)
{
	const char *text = g_hash_table_lookup(names->texts, &value);

	if (!text && value < 0 && names->negative)
		return names->negative;
	return text ? text : names->otherwise;
}

static gboolean parse_format(const struct iot_setting *setting, gsize offset, const char *format,
			     GHashTable *names, struct piece *piece, GError **error)
{
	static const char *const words[] = { "",       "hex",	 "x",	   "oct",
					     "device", "names ", "flags ", "typed " };
	const char *table;

	for (guint i = FORMAT_HEX; i < FORMAT_NAMES; i++) {
		if (strcmp(format, words[i]))
			continue;
		piece->format = (enum format)i;
		return TRUE;
	}
	for (guint i = FORMAT_NAMES; i < G_N_ELEMENTS(words); i++) {
		if (!g_str_has_prefix(format, words[i]))
			continue;
		piece->format = (enum format)i;
		table = format + strlen(words[i]);
		piece->names = g_hash_table_lookup(names, table);
		if (!piece->names)
			return iot_setting_error(setting, offset, error,
						 "there is no section [names %s]", table);
		return TRUE;
	}
	return iot_setting_error(setting, offset, error,
				 "no such format (there are hex, x, oct, device, names T, flags T, "
				 "typed T)");
}

static void piece_clear(gpointer data)
{
	struct piece *piece = data;

	g_free(piece->text);
	for (guint i = 0; i < IOT_MAX_TABLE_KEYS; i++)
		iot_expr_free(piece->key[i]);
	if (piece->otherwise)
		piece_clear(piece->otherwise);
	g_free(piece->otherwise);
}

/* "field", "field:format" or a built-in */
static gboolean parse_value(const struct iot_setting *setting, gsize offset, gsize len,
			    GHashTable *names, struct iot_scope_events *scope, struct piece *piece,
			    GError **error)
{
	static const struct {
		const char *name;
		enum source source;
	} builtins[] = { { "@node", FROM_NODE },
			 { "@node_name", FROM_NODE_NAME },
			 { "@pid", FROM_PID },
			 { "@call", FROM_CALL } };
	g_autofree char *inside = g_strndup(setting->value + offset, len);
	g_autofree char *problem = NULL;
	char *colon = strchr(inside, ':');

	piece->source = FROM_FIELD;
	if (colon) {
		*colon = 0;
		if (!parse_format(setting, offset + (gsize)(colon + 1 - inside), colon + 1, names,
				  piece, error))
			return FALSE;
	}
	for (guint i = 0; i < G_N_ELEMENTS(builtins); i++)
		if (!strcmp(inside, builtins[i].name))
			piece->source = builtins[i].source;
	if (piece->source == FROM_FIELD && *inside == '@')
		return iot_setting_error(
			setting, offset, error,
			"no such built-in (there are @node, @node_name, @pid, @call)");
	if (piece->source == FROM_FIELD &&
	    !iot_scope_resolve(scope, inside, &piece->scope, &piece->slot, &problem))
		return iot_setting_error(setting, offset, error, "%s", problem);
	return TRUE;
}

/* "table[key key]": @bracket is the offset of the first bracket, the last one ends the field */
static gboolean parse_table(const struct iot_setting *setting, gsize offset, gsize bracket,
			    gsize end, struct iot_scope_events *scope, struct piece *piece,
			    GError **error)
{
	g_autofree char *name = g_strndup(setting->value + offset, bracket - offset);
	guint n = 0;

	piece->source = FROM_TABLE;
	piece->table = iot_keytable_find(scope->tables, name);
	if (!piece->table)
		return iot_setting_error(setting, offset, error,
					 "there is no section [keytable %s] above", name);
	if (setting->value[end - 1] != ']')
		return iot_setting_error(setting, end, error, "']' is missing");
	for (gsize at = bracket + 1; at < end - 1;) {
		gsize len = MIN(strcspn(setting->value + at, " \t"), end - 1 - at);

		if (len && n < IOT_MAX_TABLE_KEYS) {
			piece->key[n] = iot_expr_compile(setting, at, len, scope, error);
			if (!piece->key[n])
				return FALSE;
		}
		n += len > 0;
		at += len + 1;
	}
	if (n != iot_keytable_n_keys(piece->table))
		return iot_setting_error(setting, bracket, error,
					 "wrong number of keys; the table has %u",
					 iot_keytable_n_keys(piece->table));
	return TRUE;
}

/* What stands between braces: one value, or several with " or " between them. */
static gboolean parse_field(const struct iot_setting *setting, gsize offset, gsize len,
			    GHashTable *names, struct iot_scope_events *scope, struct piece *piece,
			    GError **error)
{
	const char *text = setting->value + offset;
	const char *more = g_strstr_len(text, (gssize)len, " or ");
	gsize here = more ? (gsize)(more - text) : len;
	const char *bracket = memchr(text, '[', here);
	gsize next = here + strlen(" or ");

	if (bracket ? !parse_table(setting, offset, (gsize)(bracket - setting->value),
				   offset + here, scope, piece, error)
		    : !parse_value(setting, offset, here, names, scope, piece, error))
		return FALSE;
	if (!more)
		return TRUE;
	piece->otherwise = g_new0(struct piece, 1);
	return parse_field(setting, offset + next, len - next, names, scope, piece->otherwise,
			   error);
}

static void add_text(struct iot_template *tmpl, const char *text, gsize len)
{
	struct piece piece = { .source = FROM_TEXT, .text = g_strndup(text, len) };

	g_array_append_val(tmpl->pieces, piece);
}

static gboolean parse_pieces(struct iot_template *tmpl, const struct iot_setting *setting,
			     gsize offset, gsize end, GHashTable *names,
			     struct iot_scope_events *scope, GError **error)
{
	while (offset < end) {
		static const struct piece none;
		const char *text = setting->value + offset;
		gsize len = strcspn(text, "{");
		const char *close;

		len = MIN(len, end - offset);
		if (len) {
			add_text(tmpl, text, len);
			offset += len;
			continue;
		}
		close = memchr(text, '}', end - offset);
		if (!close)
			return iot_setting_error(setting, offset, error, "'}' is missing");
		g_array_append_val(tmpl->pieces, none);
		if (!parse_field(setting, offset + 1, (gsize)(close - text) - 1, names, scope,
				 &g_array_index(tmpl->pieces, struct piece, tmpl->pieces->len - 1),
				 error))
			return FALSE;
		offset += (gsize)(close - text) + 1;
	}
	return TRUE;
}

static void find_only_field(struct iot_template *tmpl)
{
	gboolean per_node = TRUE;

	tmpl->only_field = -1;
	for (guint i = 0; i < tmpl->pieces->len; i++) {
		enum source source = g_array_index(tmpl->pieces, struct piece, i).source;

		per_node &= source == FROM_TEXT || source == FROM_NODE || source == FROM_NODE_NAME;
	}
	tmpl->per_node = per_node;
	if (per_node)
		tmpl->cache = g_new0(struct cached, CACHE_SIZE);
	for (guint i = 0; i < tmpl->pieces->len; i++) {
		const struct piece *piece = &g_array_index(tmpl->pieces, struct piece, i);

		if (piece->source == FROM_TEXT)
			continue;
		tmpl->n_values++;
		if (piece->source == FROM_FIELD && !piece->otherwise)
			tmpl->only_field = (int)i;
	}
	if (tmpl->n_values != 1)
		tmpl->only_field = -1;
	if (tmpl->only_field >= 0)
		tmpl->cache = g_new0(struct cached, CACHE_SIZE);
	else if (!per_node && tmpl->n_values <= MAX_CACHED)
		tmpl->many = g_new0(struct cached_many, CACHE_SIZE);
}

struct iot_template *iot_template_compile_part(const struct iot_setting *setting, gsize offset,
					       gsize len, GHashTable *names, gboolean raw,
					       struct iot_scope_events *scope, GError **error)
{
	struct iot_template *tmpl = g_new0(struct iot_template, 1);

	tmpl->tl = scope->tl;
	tmpl->raw = raw;
	tmpl->pieces = g_array_new(FALSE, TRUE, sizeof(struct piece));
	g_array_set_clear_func(tmpl->pieces, piece_clear);
	if (!parse_pieces(tmpl, setting, offset, offset + len, names, scope, error)) {
		iot_template_free(tmpl);
		return NULL;
	}
	find_only_field(tmpl);
	return tmpl;
}

struct iot_template *iot_template_compile(const struct iot_setting *setting, GHashTable *names,
					  gboolean raw, struct iot_scope_events *scope,
					  GError **error)
{
	return iot_template_compile_part(setting, 0, strlen(setting->value), names, raw, scope,
					 error);
}

void iot_template_free(struct iot_template *tmpl)
{
	if (!tmpl)
		return;
	g_array_unref(tmpl->pieces);
	g_free(tmpl->cache);
	g_free(tmpl->many);
	g_free(tmpl);
}

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

static void append_typed(GString *out, const struct iot_names *names, const char *text, gsize len)
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

static void append_flags(GString *out, const struct iot_names *names, guint64 value)
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

static void append_number(GString *out, const struct piece *piece, guint type, union iot_val value)
{
	const char *name;

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
		g_string_append_printf(out, "%u:%u", (guint)(value.u >> 20),
				       (guint)(value.u & 0xfffff));
		return;
	case FORMAT_FLAGS:
		append_flags(out, piece->names, value.u);
		return;
	case FORMAT_NAMES:
		name = iot_names_get(piece->names, value.i);
		if (name) {
			g_string_append(out, name);
			return;
		}
		break;
	default:
		break;
	}
	if (type == IOT_SLOT_UINT)
		g_string_append_printf(out, "%" G_GUINT64_FORMAT, value.u);
	else
		g_string_append_printf(out, "%" G_GINT64_FORMAT, value.i);
}

static void append_text(GString *out, const struct iot_template *tmpl, const struct piece *piece,
			iot_str str)
{
	gsize len;
	const char *text = iot_intern_get(tmpl->tl->strings, str, &len);
	g_autofree char *plain = NULL;

	if (piece->format == FORMAT_TYPED) {
		append_typed(out, piece->names, text, len);
	} else if (tmpl->raw) {
		g_string_append_len(out, text, (gssize)len);
	} else {
		plain = iot_escape_bytes(text, len);
		g_string_append(out, plain);
	}
}

static iot_str table_text(const struct piece *piece, const struct iot_eval *eval)
{
	guint64 key[IOT_MAX_TABLE_KEYS] = { 0 };

	for (guint i = 0; i < IOT_MAX_TABLE_KEYS && piece->key[i]; i++)
		key[i] = (guint64)iot_expr_eval(piece->key[i], eval);
	return piece->otherwise ? iot_keytable_get(piece->table, eval->input, key)
				: iot_keytable_text(piece->table, eval->input, key);
}

/* FALSE if there is nothing to show. */
static gboolean resolve_one(const struct piece *piece, const struct iot_eval *eval,
			    struct resolved *out)
{
	const struct iot_rec *rec = eval->rec[IOT_SCOPE_SELF];

	out->piece = piece;
	out->type = IOT_SLOT_STR + 1;
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
	case FROM_TABLE:
		out->value.u = table_text(piece, eval);
		return out->value.u != 0;
	case FROM_PID:
		out->type = IOT_SLOT_INT + 1;
		out->value.i = rec ? rec->pid : 0;
		return TRUE;
	default:
		break;
	}
	rec = eval->rec[piece->scope];
	out->type = rec ? rec->event->slot_type[piece->slot] + 1u : NO_RECORD;
	out->value.u = rec ? rec->slot[piece->slot].u : 0;
	return rec && out->type != IOT_SLOT_ABSENT + 1 &&
	       (out->type != IOT_SLOT_STR + 1 || out->value.u);
}

static void resolve(const struct piece *piece, const struct iot_eval *eval, struct resolved *out)
{
	while (!resolve_one(piece, eval, out) && piece->otherwise)
		piece = piece->otherwise;
}

static void append_value(GString *out, const struct iot_template *tmpl,
			 const struct resolved *resolved)
{
	const struct piece *piece = resolved->piece;

	if (resolved->type == NO_RECORD || resolved->type == IOT_SLOT_ABSENT + 1)
		return;
	if (piece->source == FROM_NODE || piece->source == FROM_NODE_NAME ||
	    piece->source == FROM_CALL)
		g_string_append(out, iot_tl_str(tmpl->tl, (iot_str)resolved->value.u));
	else if (resolved->type == IOT_SLOT_STR + 1)
		append_text(out, tmpl, piece, (iot_str)resolved->value.u);
	else
		append_number(out, piece, resolved->type - 1, resolved->value);
}

static iot_str format_all(const struct iot_template *tmpl, const struct iot_eval *eval)
{
	g_autoptr(GString) out = g_string_new(NULL);

	for (guint i = 0; i < tmpl->pieces->len; i++) {
		const struct piece *piece = &g_array_index(tmpl->pieces, struct piece, i);
		struct resolved resolved;

		if (piece->source == FROM_TEXT) {
			g_string_append(out, piece->text);
			continue;
		}
		resolve(piece, eval, &resolved);
		append_value(out, tmpl, &resolved);
	}
	return iot_intern_bytes(tmpl->tl->strings, out->str, out->len);
}

/* The text depends on the values, their types, and which of several alternatives they are. */
static G_GNUC_NO_INLINE iot_str eval_many(struct iot_template *tmpl, const struct iot_eval *eval)
{
	struct cached_many now = { 0 }, *cached;
	guint64 hash = 0;
	guint n = 0;

	for (guint i = 0; i < tmpl->pieces->len; i++) {
		const struct piece *piece = &g_array_index(tmpl->pieces, struct piece, i);
		struct resolved resolved;

		if (piece->source == FROM_TEXT)
			continue;
		resolve(piece, eval, &resolved);
		now.value[n] = resolved.value.u;
		now.type[n] = resolved.type;
		for (; piece != resolved.piece; piece = piece->otherwise)
			now.type[n] += NO_RECORD + 1;
		hash = iot_hash_mix(iot_hash_mix(hash, now.value[n]), now.type[n]);
		n++;
	}
	cached = &tmpl->many[hash & (CACHE_SIZE - 1)];
	if (memcmp(cached->value, now.value, sizeof(now.value)) ||
	    memcmp(cached->type, now.type, sizeof(now.type))) {
		now.str = format_all(tmpl, eval);
		*cached = now;
	}
	return cached->str;
}

static iot_str eval_cached(struct iot_template *tmpl, const struct iot_eval *eval, guint64 value,
			   guint type)
{
	/* The type, too: a late attribute alternates between no record and, mostly, the value 0. */
	struct cached *cached = &tmpl->cache[iot_hash_mix(type, value) & (CACHE_SIZE - 1)];

	if (cached->value != value || cached->type != type) {
		cached->str = format_all(tmpl, eval);
		cached->value = value;
		cached->type = type;
	}
	return cached->str;
}

iot_str iot_template_eval(struct iot_template *tmpl, const struct iot_eval *eval)
{
	const struct piece *piece;
	const struct iot_rec *rec;

	if (tmpl->per_node)
		return eval_cached(tmpl, eval, eval->node, 1);
	if (tmpl->only_field < 0)
		return tmpl->many ? eval_many(tmpl, eval) : format_all(tmpl, eval);
	piece = &g_array_index(tmpl->pieces, struct piece, tmpl->only_field);
	rec = eval->rec[piece->scope];
	if (!rec)
		return eval_cached(tmpl, eval, 0,
				   NO_RECORD); /* a late attribute, when the span begins */
	return eval_cached(tmpl, eval, rec->slot[piece->slot].u,
			   rec->event->slot_type[piece->slot] + 1u);
}
