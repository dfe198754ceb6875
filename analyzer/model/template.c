/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/template.h"
#include "base/units.h"

#include <errno.h>
#include <string.h>

enum format { FORMAT_PLAIN, FORMAT_HEX, FORMAT_NAMES, FORMAT_FLAGS, FORMAT_TYPED };
enum source { FROM_TEXT, FROM_FIELD, FROM_NODE, FROM_NODE_NAME, FROM_PID };

struct piece {
	enum source source;
	enum format format;
	enum iot_scope scope;
	int slot;
	char *text; /* FROM_TEXT */
	const struct iot_names *names;
};

enum { CACHE_SIZE = 256, NO_RECORD = 256 };

struct cached {
	guint64 value;
	guint32 type; /* slot type + 1, or NO_RECORD; 0: empty */
	iot_str str;
};

struct iot_template {
	struct iot_timeline *tl;
	gboolean raw;
	GArray *pieces;	      /* of struct piece */
	int only_field;	      /* index of the one piece that is a field; -1: none or several */
	gboolean per_node;    /* no field at all: the same for all events of a node */
	struct cached *cache; /* if only_field or per_node */
};

struct iot_names {
	GHashTable *texts; /* gint64 -> text */
	char *otherwise;
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

		if (!strcmp(setting->key, "else")) {
			names->otherwise = unquote(setting->value);
			continue;
		}
		is_number = parse_number(setting->key, &value);
		if (!is_number || g_hash_table_contains(names->texts, &value)) {
			iot_setting_key_error(setting, error,
					      !is_number ? "\"%s\" is neither a number nor \"else\""
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
	g_free(names);
}

const char *iot_names_get(const struct iot_names *names, gint64 value)
{
	const char *text = g_hash_table_lookup(names->texts, &value);

	return text ? text : names->otherwise;
}

static gboolean parse_format(const struct iot_setting *setting, gsize offset, const char *format,
			     GHashTable *names, struct piece *piece, GError **error)
{
	static const char *const words[] = { "", "hex", "names ", "flags ", "typed " };
	const char *table;

	if (!strcmp(format, "hex")) {
		piece->format = FORMAT_HEX;
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
				 "no such format (there are hex, names T, flags T, typed T)");
}

static gboolean parse_field(struct iot_template *tmpl, const struct iot_setting *setting,
			    gsize offset, gsize len, GHashTable *names,
			    struct iot_scope_events *scope, GError **error)
{
	static const struct {
		const char *name;
		enum source source;
	} builtins[] = { { "@node", FROM_NODE },
			 { "@node_name", FROM_NODE_NAME },
			 { "@pid", FROM_PID } };
	g_autofree char *inside = g_strndup(setting->value + offset, len);
	g_autofree char *problem = NULL;
	struct piece piece = { .source = FROM_FIELD };
	char *colon = strchr(inside, ':');

	if (colon) {
		*colon = 0;
		if (!parse_format(setting, offset + (gsize)(colon + 1 - inside), colon + 1, names,
				  &piece, error))
			return FALSE;
	}
	for (guint i = 0; i < G_N_ELEMENTS(builtins); i++)
		if (!strcmp(inside, builtins[i].name))
			piece.source = builtins[i].source;
	if (piece.source == FROM_FIELD && *inside == '@')
		return iot_setting_error(setting, offset, error,
					 "no such built-in (there are @node, @node_name, @pid)");
	if (piece.source == FROM_FIELD &&
	    !iot_scope_resolve(scope, inside, &piece.scope, &piece.slot, &problem))
		return iot_setting_error(setting, offset, error, "%s", problem);
	g_array_append_val(tmpl->pieces, piece);
	return TRUE;
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
		if (!parse_field(tmpl, setting, offset + 1, (gsize)(close - text) - 1, names, scope,
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
		if (piece->source != FROM_FIELD || tmpl->only_field >= 0) {
			tmpl->only_field = -1;
			return;
		}
		tmpl->only_field = (int)i;
	}
	if (tmpl->only_field >= 0)
		tmpl->cache = g_new0(struct cached, CACHE_SIZE);
}

struct iot_template *iot_template_compile_part(const struct iot_setting *setting, gsize offset,
					       gsize len, GHashTable *names, gboolean raw,
					       struct iot_scope_events *scope, GError **error)
{
	struct iot_template *tmpl = g_new0(struct iot_template, 1);

	tmpl->tl = scope->tl;
	tmpl->raw = raw;
	tmpl->pieces = g_array_new(FALSE, TRUE, sizeof(struct piece));
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
	for (guint i = 0; i < tmpl->pieces->len; i++)
		g_free(g_array_index(tmpl->pieces, struct piece, i).text);
	g_array_unref(tmpl->pieces);
	g_free(tmpl->cache);
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

static void append_field(GString *out, const struct iot_template *tmpl, const struct piece *piece,
			 const struct iot_eval *eval)
{
	const struct iot_rec *rec = eval->rec[piece->scope];
	const char *text;
	gsize len;

	if (!rec || rec->event->slot_type[piece->slot] == IOT_SLOT_ABSENT)
		return;
	if (rec->event->slot_type[piece->slot] != IOT_SLOT_STR) {
		append_number(out, piece, rec->event->slot_type[piece->slot],
			      rec->slot[piece->slot]);
		return;
	}
	text = iot_intern_get(tmpl->tl->strings, (guint32)rec->slot[piece->slot].u, &len);
	if (piece->format == FORMAT_TYPED) {
		append_typed(out, piece->names, text, len);
	} else if (tmpl->raw) {
		g_string_append_len(out, text, (gssize)len);
	} else {
		g_autofree char *plain = iot_escape_bytes(text, len);

		g_string_append(out, plain);
	}
}

static iot_str format_all(const struct iot_template *tmpl, const struct iot_eval *eval)
{
	g_autoptr(GString) out = g_string_new(NULL);
	const struct iot_rec *self = eval->rec[IOT_SCOPE_SELF];

	for (guint i = 0; i < tmpl->pieces->len; i++) {
		const struct piece *piece = &g_array_index(tmpl->pieces, struct piece, i);

		switch (piece->source) {
		case FROM_TEXT:
			g_string_append(out, piece->text);
			break;
		case FROM_FIELD:
			append_field(out, tmpl, piece, eval);
			break;
		case FROM_NODE:
			g_string_append(out, iot_tl_str(tmpl->tl, eval->node));
			break;
		case FROM_NODE_NAME:
			g_string_append(out, iot_tl_str(tmpl->tl, eval->node_name));
			break;
		case FROM_PID:
			g_string_append_printf(out, "%d", self ? self->pid : 0);
			break;
		}
	}
	return iot_intern_bytes(tmpl->tl->strings, out->str, out->len);
}

static iot_str eval_cached(struct iot_template *tmpl, const struct iot_eval *eval, guint64 value,
			   guint type)
{
	struct cached *cached = &tmpl->cache[iot_hash_mix(0, value) & (CACHE_SIZE - 1)];

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
		return format_all(tmpl, eval);
	piece = &g_array_index(tmpl->pieces, struct piece, tmpl->only_field);
	rec = eval->rec[piece->scope];
	if (!rec)
		return eval_cached(tmpl, eval, 0,
				   NO_RECORD); /* a late attribute, when the span begins */
	return eval_cached(tmpl, eval, rec->slot[piece->slot].u,
			   rec->event->slot_type[piece->slot] + 1u);
}
