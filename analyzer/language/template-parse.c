/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compiling templates: their pieces, and which caches of template-text.c they can use. */
#include "language/template-local.h"

#include <string.h>

/* State of compiling one template. */
struct parser {
	struct iot_template *tmpl;
	const struct iot_setting *setting;
	GHashTable *names;
	struct iot_scope_events *scope;
	guint n_alternatives; /* of the present field */
	GError **error;
};

/* The format after the colon, at @offset of the value. */
static gboolean parse_format(const struct parser *p, gsize offset, const char *format,
			     struct piece *piece)
{
	static const char *const words[] = { "",	"hex", "x",	 "oct",	   "device",
					     "address", "ip",  "names ", "flags ", "typed " };
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
		piece->names = g_hash_table_lookup(p->names, table);
		if (!piece->names)
			return iot_setting_error(p->setting, offset, p->error,
						 "there is no section [names %s]", table);
		piece->proved = iot_names_range(piece->names).open;
		return TRUE;
	}
	return iot_setting_error(
		p->setting, offset, p->error,
		"no such format (there are hex, x, oct, device, address, ip, names T, flags T, "
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

/* "field", "field:format" or a built-in; "?field" is empty in recordings without that field */
static gboolean parse_value(const struct parser *p, gsize offset, gsize len, struct piece *piece)
{
	static const struct {
		const char *name;
		enum source source;
	} builtins[] = { { "@node", FROM_NODE },      { "@node_name", FROM_NODE_NAME },
			 { "@pid", FROM_PID },	      { "@command", FROM_COMMAND },
			 { "@call", FROM_CALL },      { "@end", FROM_END },
			 { "@context", FROM_CONTEXT } };
	g_autofree char *inside = g_strndup(p->setting->value + offset, len);
	g_autofree char *problem = NULL;
	char *colon = strchr(inside, ':');
	gboolean required = p->scope->required, optional = *inside == '?', ok;

	piece->source = FROM_FIELD;
	if (colon) {
		*colon = 0;
		if (!parse_format(p, offset + (gsize)(colon + 1 - inside), colon + 1, piece))
			return FALSE;
	}
	for (guint i = 0; *inside == '@' && i < G_N_ELEMENTS(builtins); i++)
		if (!strcmp(inside, builtins[i].name))
			piece->source = builtins[i].source;
	if (piece->source == FROM_FIELD && *inside == '@')
		return iot_setting_error(
			p->setting, offset, p->error,
			"no such built-in (there are @node, @node_name, @pid, @command, @call, "
			"@end, @context)");
	if (colon && (piece->source == FROM_NODE || piece->source == FROM_NODE_NAME ||
		      piece->source == FROM_COMMAND || piece->source == FROM_CALL ||
		      piece->source == FROM_CONTEXT))
		return iot_setting_error(p->setting, offset, p->error,
					 "%s is a text; formats and [names] are for numbers",
					 inside);
	if (piece->source == FROM_CONTEXT)
		return iot_scope_context(p->scope, &piece->scope, &piece->slot, &problem) ||
		       iot_setting_error(p->setting, offset, p->error, "%s", problem);
	if (piece->source != FROM_FIELD)
		return TRUE;
	p->scope->required = required && !optional;
	ok = iot_scope_resolve(p->scope, inside + optional, &piece->scope, &piece->slot, &problem);
	p->scope->required = required;
	if (!ok)
		return iot_setting_error(p->setting, offset, p->error, "%s", problem);
	return piece->format == FORMAT_PLAIN ||
	       !iot_schema_is_real(p->scope->event[piece->scope], piece->slot) ||
	       iot_setting_error(p->setting, offset, p->error,
				 "a real number has no format; formats are for whole numbers");
}

/* After the brackets of a table: nothing, or ".NAME" and perhaps ":FORMAT". */
static gboolean parse_value_name(const struct parser *p, gsize offset, gsize end,
				 struct piece *piece)
{
	const char *value = p->setting->value;
	g_autofree char *format = NULL;
	gsize len;
	int index;

	if (!iot_keytable_is_typed(piece->table))
		return offset == end || iot_setting_error(p->setting, offset, p->error,
							  "'}' is missing: the table holds one "
							  "text, without a name or format");
	if (offset == end || value[offset] != '.')
		return iot_setting_error(
			p->setting, offset, p->error,
			"the table has typed values: .NAME of one of them is missing");
	offset++;
	len = MIN(strcspn(value + offset, ":"), end - offset);
	index = iot_keytable_value(piece->table, value + offset, len);
	if (index < 0)
		return iot_setting_error(p->setting, offset, p->error,
					 "the table has no value of this name");
	piece->value = (guint)index;
	offset += len;
	if (offset == end)
		return TRUE;
	format = g_strndup(value + offset + 1, end - offset - 1);
	if (!parse_format(p, offset + 1, format, piece))
		return FALSE;
	if (iot_keytable_type(piece->table, piece->value) == IOT_TABLE_REAL)
		return iot_setting_error(
			p->setting, offset + 1, p->error,
			"a real number has no format; formats are for whole numbers");
	return piece->format == FORMAT_TYPED ||
	       iot_keytable_type(piece->table, piece->value) != IOT_TABLE_TEXT ||
	       iot_setting_error(p->setting, offset + 1, p->error,
				 "the value is a text; this format is for numbers");
}

/* "table[key key]" or "table[key key].name:format" */
static gboolean parse_table(const struct parser *p, gsize offset, gsize len, struct piece *piece)
{
	const char *value = p->setting->value;
	gsize bracket = offset + strcspn(value + offset, "["), close = offset + len;
	g_autofree char *name = g_strndup(value + offset, bracket - offset);
	guint n = 0;

	piece->source = FROM_TABLE;
	piece->table = iot_keytable_find(p->scope->tables, name);
	if (!piece->table)
		return iot_setting_error(p->setting, offset, p->error,
					 "there is no section [keytable %s] above", name);
	iot_keytable_read(piece->table);
	while (close > bracket && value[close] != ']')
		close--;
	if (close == bracket)
		return iot_setting_error(p->setting, offset + len, p->error, "']' is missing");
	for (gsize at = bracket + 1; at < close;) {
		gsize key_len = iot_expr_word(value + at, close - at);

		if (key_len && n < IOT_MAX_TABLE_KEYS) {
			piece->key[n] =
				iot_expr_compile_as(p->setting, at, key_len, p->scope,
						    iot_expr_key_type(piece->table), p->error);
			if (!piece->key[n])
				return FALSE;
		}
		n += key_len > 0;
		at += key_len + 1;
	}
	if (n != iot_keytable_n_keys(piece->table))
		return iot_setting_error(p->setting, bracket, p->error,
					 "wrong number of keys; the table has %u",
					 iot_keytable_n_keys(piece->table));
	return parse_value_name(p, close + 1, offset + len, piece);
}

/* The text between braces: one value, or alternatives with " or " between them. */
static gboolean parse_field(struct parser *p, gsize offset, gsize len, struct piece *piece)
{
	const char *text = p->setting->value + offset;
	const char *more = g_strstr_len(text, (gssize)len, " or ");
	gsize here = more ? (gsize)(more - text) : len;
	gsize next = here + strlen(" or ");

	if (memchr(text, '[', here) ? !parse_table(p, offset, here, piece)
				    : !parse_value(p, offset, here, piece))
		return FALSE;
	if (!more)
		return TRUE;
	if (p->n_alternatives == MAX_ALTERNATIVES)
		return iot_setting_error(p->setting, offset, p->error, "more than %d alternatives",
					 MAX_ALTERNATIVES);
	p->n_alternatives++;
	piece->otherwise = g_new0(struct piece, 1);
	return parse_field(p, offset + next, len - next, piece->otherwise);
}

/* The name of a call that is known is literal text. In identities it stays a value, because rows
 * of several calls share a cache. */
static void fix_call(const struct parser *p, struct piece *piece)
{
	if (p->tmpl->raw || piece->source != FROM_CALL)
		return;
	piece_clear(piece);
	*piece = (struct piece){ .source = FROM_TEXT,
				 .text = g_strdup(iot_tl_str(p->tmpl->tl, p->scope->call)) };
}

static gboolean parse_pieces(struct parser *p, gsize offset, gsize end)
{
	while (offset < end) {
		struct piece piece = { 0 };
		const char *text = p->setting->value + offset;
		gsize len = MIN(strcspn(text, "{"), end - offset);
		const char *close;

		if (len) {
			piece = (struct piece){ .source = FROM_TEXT, .text = g_strndup(text, len) };
			g_array_append_val(p->tmpl->pieces, piece);
			offset += len;
			continue;
		}
		close = memchr(text, '}', end - offset);
		if (!close)
			return iot_setting_error(p->setting, offset, p->error, "'}' is missing");
		p->n_alternatives = 1;
		if (!parse_field(p, offset + 1, (gsize)(close - text) - 1, &piece)) {
			piece_clear(&piece);
			return FALSE;
		}
		fix_call(p, &piece);
		g_array_append_val(p->tmpl->pieces, piece);
		offset += (gsize)(close - text) + 1;
	}
	return TRUE;
}

/* ---- caches */

/* Texts by number: see struct iot_template_head. */
static void prepare_listed(struct iot_template *tmpl)
{
	struct iot_template_head *head = &tmpl->head;
	struct iot_names_range range = { .first = 0, .last = -1 };

	if (tmpl->field->format == FORMAT_NAMES)
		range = iot_names_range(tmpl->field->names);
	else if (!tmpl->decimal || tmpl->field->format != FORMAT_PLAIN)
		return;
	if (range.open)
		return;
	if (range.first > range.last)
		range.first = 0;
	else if ((guint64)range.last - (guint64)range.first >= MAX_LISTED)
		return;
	else
		head->n = (guint32)(range.last - range.first) + 1;
	head->first = (guint64)range.first;
	head->otherwise = head->n + (range.otherwise ? 1 : 2);
	head->negative = range.negative ? head->n : head->otherwise;
	head->texts = g_new0(guint32, head->n + 3);
	head->scope = (guint8)tmpl->field->scope;
	head->slot = (guint8)tmpl->field->slot;
	head->number = tmpl->decimal;
}

static void add_operands(const struct piece *piece, struct iot_operands *operands)
{
	switch (piece->source) {
	case FROM_FIELD:
	case FROM_CONTEXT:
		iot_operands_add(operands, piece->scope, piece->slot);
		break;
	case FROM_PID:
		operands->pid = TRUE;
		break;
	case FROM_TABLE:
		iot_operands_add_table(operands, piece->table);
		for (guint i = 0; i < IOT_MAX_TABLE_KEYS && piece->key[i]; i++)
			iot_expr_operands(piece->key[i], operands);
		break;
	case FROM_CALL:
	case FROM_END:
	case FROM_COMMAND:
		operands->others = TRUE;
		break;
	default:
		break;
	}
}

void iot_template_operands(const struct iot_template *tmpl, struct iot_operands *operands)
{
	for (guint i = 0; i < tmpl->pieces->len; i++)
		for (const struct piece *piece = tmpl->first + i; piece; piece = piece->otherwise)
			add_operands(piece, operands);
}

/* The lookup of a text has a cache if its keys are one or two fields of one record. */
static void prepare_table_cache(struct iot_template *tmpl)
{
	struct iot_operands operands = { 0 };

	if (iot_keytable_is_typed(tmpl->first->table))
		return;

	iot_template_operands(tmpl, &operands);
	if (operands.others || operands.pid || operands.n_tables != 1 || !operands.n ||
	    operands.n > 2 || operands.at[0].scope != operands.at[operands.n - 1].scope)
		return;
	tmpl->table = tmpl->first->table;
	tmpl->table_scope = operands.at[0].scope;
	for (guint i = 0; i < G_N_ELEMENTS(tmpl->table_slot); i++)
		tmpl->table_slot[i] = operands.at[MIN(i, operands.n - 1)].slot;
}

static void prepare_caches(struct iot_template *tmpl)
{
	tmpl->first = &g_array_index(tmpl->pieces, struct piece, 0);
	for (guint i = 0; i < tmpl->pieces->len; i++) {
		const struct piece *piece = tmpl->first + i;

		if (piece->source == FROM_TEXT)
			continue;
		tmpl->field = !tmpl->n_values && piece->source == FROM_FIELD && !piece->otherwise
				      ? piece
				      : NULL;
		tmpl->n_values++;
	}
	tmpl->alone = tmpl->n_values == 1 && tmpl->pieces->len == 1;
	tmpl->decimal = tmpl->alone && iot_piece_is_decimal(tmpl->first);
	if (tmpl->field) {
		tmpl->recent = g_new0(struct recent, N_RECENT);
		prepare_listed(tmpl);
	}
	if (tmpl->alone && tmpl->first->source == FROM_TABLE && !tmpl->first->otherwise)
		prepare_table_cache(tmpl);
	if (tmpl->n_values && tmpl->n_values <= IOT_MEMO_VALUES)
		iot_memo_init(&tmpl->memo, tmpl->n_values, MAX_TEXTS);
}

struct iot_template *iot_template_compile_part(const struct iot_setting *setting, gsize offset,
					       gsize len, GHashTable *names, gboolean raw,
					       struct iot_scope_events *scope, GError **error)
{
	struct iot_template *tmpl = g_new0(struct iot_template, 1);
	struct parser p = {
		.tmpl = tmpl, .setting = setting, .names = names, .scope = scope, .error = error
	};

	tmpl->tl = scope->tl;
	tmpl->raw = raw;
	tmpl->out = g_string_new(NULL);
	tmpl->pieces = g_array_new(FALSE, TRUE, sizeof(struct piece));
	g_array_set_clear_func(tmpl->pieces, piece_clear);
	if (!parse_pieces(&p, offset, offset + len)) {
		iot_template_free(tmpl);
		return NULL;
	}
	prepare_caches(tmpl);
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
	iot_memo_clear(&tmpl->memo);
	g_free(tmpl->head.texts);
	g_free(tmpl->table_cache);
	g_free(tmpl->recent);
	g_string_free(tmpl->out, TRUE);
	g_free(tmpl);
}
