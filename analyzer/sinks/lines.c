/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/lines.h"
#include "sinks/json.h"
#include "base/error.h"
#include "base/out.h"
#include "base/real.h"
#include "base/try-alloc.h"

#include <math.h>
#include <string.h>

/*
 * A piece of up to SHORT bytes is copied to room that was reserved for a whole line, in blocks
 * whose size the compiler knows; a longer one goes through iot_out_write. LINE_ROOM holds all
 * pieces of a line if each is short: two for each attribute, and a few others.
 */
enum { BLOCK = 32, SHORT = 512, LINE_ROOM = (2 * IOT_MAX_ATTRS + 15) * SHORT };

struct piece {
	char *text; /* NULL: not made yet */
	gsize len;
};

struct line_type {
	gboolean known;
	enum iot_attr_format format[IOT_MAX_ATTRS];
	struct piece label[IOT_MAX_ATTRS]; /* "lkb_id": */
};

/* An array of pieces that grows with the tables of the timeline. */
struct pieces {
	struct piece *at;
	guint n;
};

struct lines_sink {
	struct iot_sink sink;
	const struct iot_timeline *tl;
	const struct iot_line_dialect *dialect;
	struct iot_out *out;
	gboolean begun; /* the head and the line "recording" were written */
	struct pieces rows, cats;
	struct piece kinds[IOT_ITEM_LINK + 1], marks[IOT_FLAG_SETS];
	struct piece end, lane, attributes, attributes_end, line_end;
	GArray *types; /* struct line_type, by type */
	const char *quote;
	GString *scratch;
};

/* Filled up with zeros, as put_piece copies whole blocks. */
static void take(struct piece *piece, GString *text)
{
	piece->len = text->len;
	do
		g_string_append_c(text, '\0');
	while (text->len % BLOCK);
	piece->text = g_string_free(text, FALSE);
}

static void clear_type(gpointer data)
{
	struct line_type *type = data;

	for (guint i = 0; i < IOT_MAX_ATTRS; i++)
		g_free(type->label[i].text);
}

static void clear_pieces(struct pieces *pieces)
{
	for (guint i = 0; i < pieces->n; i++)
		g_free(pieces->at[i].text);
	g_free(pieces->at);
}

void iot_lines_free(struct iot_sink *sink)
{
	struct lines_sink *lines = (struct lines_sink *)sink;

	if (!lines)
		return;
	iot_out_free(lines->out);
	clear_pieces(&lines->rows);
	clear_pieces(&lines->cats);
	for (guint i = 0; i < G_N_ELEMENTS(lines->kinds); i++)
		g_free(lines->kinds[i].text);
	for (guint i = 0; i < IOT_FLAG_SETS; i++)
		g_free(lines->marks[i].text);
	g_free(lines->end.text);
	g_free(lines->lane.text);
	g_free(lines->attributes.text);
	g_free(lines->attributes_end.text);
	g_free(lines->line_end.text);
	g_array_unref(lines->types);
	g_string_free(lines->scratch, TRUE);
	g_free(lines);
}

static void kind_piece(const struct lines_sink *lines, struct piece *piece, const char *kind)
{
	GString *text = g_string_new(lines->dialect->kind);

	g_string_append_printf(text, "%s%s", kind, lines->dialect->start);
	take(piece, text);
}

struct iot_sink *iot_lines_open(const struct iot_sink_ops *ops,
				const struct iot_line_dialect *dialect,
				const struct iot_sink_args *args, GError **error)
{
	struct lines_sink *lines = g_new0(struct lines_sink, 1);

	lines->sink.ops = ops;
	lines->dialect = dialect;
	lines->tl = args->tl;
	lines->quote = dialect->double_quotes ? "\"\"" : "\"";
	lines->types = g_array_new(FALSE, TRUE, sizeof(struct line_type));
	g_array_set_clear_func(lines->types, clear_type);
	lines->scratch = g_string_new(NULL);
	kind_piece(lines, &lines->kinds[IOT_ITEM_SPAN], "span");
	kind_piece(lines, &lines->kinds[IOT_ITEM_POINT], "point");
	kind_piece(lines, &lines->kinds[IOT_ITEM_GAP], "gap");
	kind_piece(lines, &lines->kinds[IOT_ITEM_SAMPLE], "sample");
	kind_piece(lines, &lines->kinds[IOT_ITEM_LINK], "link");
	take(&lines->end, g_string_new(dialect->end));
	take(&lines->lane, g_string_new(dialect->lane));
	take(&lines->attributes, g_string_new(dialect->attributes));
	take(&lines->attributes_end, g_string_new(dialect->attributes_end));
	take(&lines->line_end, g_string_new(dialect->line_end));
	lines->out = iot_out_open(args->path, error);
	if (lines->out)
		return &lines->sink;
	iot_lines_free(&lines->sink);
	return NULL;
}

/* --- pieces of a line; each function writes at @p and returns the end --- */

static G_GNUC_NO_INLINE char *put_long(struct iot_out *out, char *p, const char *text, gsize len)
{
	out->used = (gsize)((guint8 *)p - out->buffer);
	iot_out_write(out, text, len);
	return (char *)iot_out_reserve(out, LINE_ROOM);
}

static inline char *put(struct iot_out *out, char *p, const char *text, gsize len)
{
	if (G_UNLIKELY(len > SHORT))
		return put_long(out, p, text, len);
	memcpy(p, text, len);
	return p + len;
}

static inline char *put_piece(struct iot_out *out, char *p, const struct piece *piece)
{
	if (G_UNLIKELY(piece->len > SHORT))
		return put_long(out, p, piece->text, piece->len);
	for (gsize i = 0; i < piece->len; i += BLOCK)
		memcpy(p + i, piece->text + i, BLOCK);
	return p + piece->len;
}

static inline char *put_quote(const struct lines_sink *lines, char *p)
{
	*p++ = '"';
	if (lines->dialect->double_quotes)
		*p++ = '"';
	return p;
}

static inline char *put_int(char *p, gint64 value)
{
	if (value >= 0)
		return iot_digits(p, (guint64)value);
	*p++ = '-';
	return iot_digits(p, 0 - (guint64)value);
}

/* A time that is before the beginning is negative. */
static inline char *put_time(const struct lines_sink *lines, char *p, guint64 t)
{
	return put_int(p, (gint64)(t - lines->tl->origin_ns));
}

static char *put_hex(const struct lines_sink *lines, char *p, guint64 value)
{
	guint digits = value ? (67 - (guint)__builtin_clzll(value)) / 4 : 1;

	p = put_quote(lines, p);
	*p++ = '0';
	*p++ = 'x';
	for (guint i = digits; i-- > 0;)
		*p++ = "0123456789abcdef"[value >> 4 * i & 15];
	return put_quote(lines, p);
}

/* Readers take integers of up to 63 bits. */
static char *put_unsigned(const struct lines_sink *lines, char *p, guint64 value)
{
	if (value <= G_MAXINT64)
		return iot_digits(p, value);
	p = iot_digits(put_quote(lines, p), value);
	return put_quote(lines, p);
}

/* Copies @text up to the first byte that must be escaped; returns the number of bytes copied. */
static inline gsize copy_plain(char *p, const char *text, gsize len)
{
	gsize i;

	for (i = 0; i < len; i++) {
		if (text[i] < 0x20 || text[i] == '"' || text[i] == '\\' || text[i] == 0x7f)
			break;
		p[i] = text[i];
	}
	return i;
}

static G_GNUC_NO_INLINE char *put_escaped(struct lines_sink *lines, char *p, const char *text,
					  gsize len)
{
	g_string_truncate(lines->scratch, 0);
	iot_json_append_escaped(lines->scratch, text, len, lines->quote);
	return put(lines->out, p, lines->scratch->str, lines->scratch->len);
}

static char *put_text(struct lines_sink *lines, char *p, guint64 str)
{
	gsize len;
	const char *text;

	p = put_quote(lines, p);
	if (iot_text_is_number(str))
		return put_quote(lines, iot_digits(p, str & ~IOT_TEXT_NUMBER));
	text = iot_intern_get(lines->tl->strings, (iot_str)str, &len);
	if (G_LIKELY(len <= SHORT && copy_plain(p, text, len) == len))
		p += len;
	else
		p = put_escaped(lines, p, text, len);
	return put_quote(lines, p);
}

static const struct line_type *type_text(struct lines_sink *lines, iot_type_id id)
{
	const struct iot_type *type = iot_type_at(lines->tl, id);
	struct line_type *known;

	if (id >= lines->types->len)
		g_array_set_size(lines->types, id + 1);
	known = &g_array_index(lines->types, struct line_type, id);
	if (known->known)
		return known;
	known->known = TRUE;
	for (guint i = 0; i < type->n_attrs; i++) {
		const char *name = iot_tl_str(lines->tl, type->attr[i].name);
		GString *label = g_string_new(lines->quote);

		known->format[i] = type->attr[i].format;
		iot_json_append_escaped(label, name, strlen(name), lines->quote);
		g_string_append_printf(label, "%s:", lines->quote);
		take(&known->label[i], label);
	}
	return known;
}

/* JSON has no infinity. */
static char *put_real(char *p, gdouble real)
{
	if (!isfinite(real))
		return stpcpy(p, "null");
	return p + strlen(iot_real_text(p, real));
}

static inline char *put_value(struct lines_sink *lines, char *p, enum iot_attr_format format,
			      union iot_attr value)
{
	switch (format) {
	case IOT_ATTR_INT:
		return put_int(p, value.i);
	case IOT_ATTR_UINT:
	case IOT_ATTR_DURATION:
		return put_unsigned(lines, p, value.u);
	case IOT_ATTR_HEX:
		return put_hex(lines, p, value.u);
	case IOT_ATTR_STR:
		return put_text(lines, p, (guint64)value.str);
	case IOT_ATTR_REAL:
		return put_real(p, iot_real_of(value.u));
	}
	return p;
}

static char *put_attrs(struct lines_sink *lines, char *p, const struct iot_item *item)
{
	const struct line_type *type = type_text(lines, item->type);
	gboolean any = FALSE;

	for (guint i = 0; i < item->n_attrs; i++) {
		const struct piece *label = &type->label[i];

		if (!item->attr[i].u || !label->text)
			continue;
		if (any)
			*p++ = ',';
		else
			p = put_piece(lines->out, p, &lines->attributes);
		any = TRUE;
		p = put_piece(lines->out, p, label);
		p = put_value(lines, p, type->format[i], item->attr[i]);
	}
	if (!any && lines->dialect->sparse)
		return p;
	if (!any)
		p = put_piece(lines->out, p, &lines->attributes);
	return put_piece(lines->out, p, &lines->attributes_end);
}

static char *put_word(const struct lines_sink *lines, char *p, const char *name)
{
	p = put_quote(lines, p);
	p = put(lines->out, p, name, strlen(name));
	p = put_quote(lines, p);
	*p++ = ':';
	return p;
}

/* Both numbers of a sample are written, also if they are 0. */
static char *put_sample(const struct lines_sink *lines, char *p, const struct iot_item *item)
{
	gboolean real = iot_type_is_real(iot_type_at(lines->tl, item->type));

	p = put_word(lines, put_piece(lines->out, p, &lines->attributes), "value");
	p = real ? put_real(p, iot_sample_real(item)) : put_int(p, iot_sample_value(item));
	*p++ = ',';
	p = put_word(lines, p, "change");
	p = real ? put_real(p, iot_sample_real(item) - iot_sample_real_before(item))
		 : put_int(p, iot_sample_change(item));
	return put_piece(lines->out, p, &lines->attributes_end);
}

/* --- lines --- */

static struct piece *grow(struct pieces *pieces, guint i, GError **error)
{
	guint n = MAX(MAX(i + 1, 64), 2 * pieces->n);
	struct piece *grown;

	if (i < pieces->n)
		return &pieces->at[i];
	grown = iot_try_realloc(pieces->at, n * sizeof(*grown), "names of rows", error);
	if (!grown)
		return NULL;
	memset(grown + pieces->n, 0, (n - pieces->n) * sizeof(*grown));
	pieces->at = grown;
	pieces->n = n;
	return &grown[i];
}

static G_GNUC_NO_INLINE const struct piece *new_row(struct lines_sink *lines, iot_row_id row,
						    GError **error)
{
	struct piece *piece = grow(&lines->rows, row, error);
	g_autofree char *path = NULL;
	GString *text;

	if (!piece || piece->text)
		return piece;
	path = iot_timeline_path(lines->tl, row, "/");
	text = g_string_new(NULL);
	lines->dialect->row(text, path);
	take(piece, text);
	return piece;
}

static G_GNUC_NO_INLINE const struct piece *new_cat(struct lines_sink *lines, iot_cat_id cat,
						    GError **error)
{
	struct piece *piece = grow(&lines->cats, cat, error);
	const struct iot_category *category;
	const struct iot_type *type;
	GString *text;

	if (!piece || piece->text)
		return piece;
	category = iot_cat_at(lines->tl, cat);
	type = iot_type_at(lines->tl, category->type);
	text = g_string_new(NULL);
	/* A counter has one category, whose name only repeats that of the type. */
	lines->dialect->category(
		text, iot_tl_str(lines->tl, type->name),
		type->kind == IOT_TYPE_COUNTER ? "" : iot_tl_str(lines->tl, category->name));
	take(piece, text);
	return piece;
}

static const struct piece *marks_text(struct lines_sink *lines, guint flags)
{
	struct piece *piece = &lines->marks[flags % IOT_FLAG_SETS];
	GString *text;

	if (piece->text)
		return piece;
	text = g_string_new(NULL);
	lines->dialect->marks(text, iot_item_flag_names(flags));
	take(piece, text);
	return piece;
}

/* A line that is written once or seldom. @attrs: JSON without braces, quotes as in the dialect */
static void write_rare(struct lines_sink *lines, const char *kind, const struct iot_item *item,
		       const char *row, const char *category, const char *attrs)
{
	const struct iot_line_dialect *dialect = lines->dialect;
	g_autoptr(GString) text = g_string_new(dialect->kind);

	g_string_append_printf(text, "%s%s%" G_GINT64_FORMAT, kind, dialect->start,
			       item ? (gint64)(item->t0 - lines->tl->origin_ns) : 0);
	if (item || !dialect->sparse)
		g_string_append_printf(text, "%s%" G_GINT64_FORMAT, dialect->end,
				       item ? (gint64)(item->t1 - lines->tl->origin_ns) : 0);
	dialect->row(text, row);
	if (!dialect->sparse)
		g_string_append_printf(text, "%s0", dialect->lane);
	dialect->category(text, "", category);
	g_string_append(text, marks_text(lines, item ? item->flags : 0)->text);
	iot_out_write(lines->out, text->str, text->len);
	iot_out_puts(lines->out, dialect->attributes);
	iot_out_puts(lines->out, attrs);
	iot_out_puts(lines->out, dialect->attributes_end);
	iot_out_puts(lines->out, dialect->line_end);
}

/* The only place where the host's clock appears: as text, as readers lose digits above 2^53. */
static void begin(struct lines_sink *lines)
{
	const char *q = lines->quote;
	g_autofree char *attrs =
		g_strdup_printf("%sbegin_ns%s:%s%" G_GUINT64_FORMAT "%s,%sprogram%s:%s"
				"iotrace-analyze " IOT_VERSION "%s",
				q, q, q, lines->tl->origin_ns, q, q, q, q, q);

	lines->begun = TRUE;
	if (lines->dialect->head)
		iot_out_puts(lines->out, lines->dialect->head);
	write_rare(lines, "recording", NULL, "", "", attrs);
}

static void write_gap(struct lines_sink *lines, const struct iot_item *item)
{
	g_autofree char *lost = iot_gap_lost(item) == IOT_LOST_UNKNOWN
					? g_strdup("null")
					: g_strdup_printf("%" G_GUINT64_FORMAT, iot_gap_lost(item));
	g_autofree char *attrs = g_strdup_printf("%slost%s:%s", lines->quote, lines->quote, lost);

	write_rare(lines, "gap", item, iot_tl_str(lines->tl, iot_gap_node(item)), IOT_GAP_NAME,
		   attrs);
}

/* The end of the line of a link. The text of the row begins with the separator of its column. */
static char *put_to_end(const struct lines_sink *lines, char *p, const struct iot_item *item)
{
	const struct iot_line_dialect *dialect = lines->dialect;
	const struct piece *row = &lines->rows.at[item->row_to];
	gsize skip = strlen(dialect->row_label);

	p = put(lines->out, p, dialect->row_to, strlen(dialect->row_to));
	p = put(lines->out, p, row->text + skip, row->len - skip);
	if (item->lane_to || !dialect->sparse) {
		p = put(lines->out, p, dialect->lane_to, strlen(dialect->lane_to));
		p = iot_digits(p, item->lane_to);
	}
	return put(lines->out, p, dialect->link_end, strlen(dialect->link_end));
}

static gboolean write_on_row(struct lines_sink *lines, const struct iot_item *item, GError **error)
{
	struct iot_out *out = lines->out;
	gboolean link = item->kind == IOT_ITEM_LINK;
	const struct piece *row, *cat;
	char *p;

	if (G_UNLIKELY(link) && !new_row(lines, item->row_to, error))
		return FALSE;
	row = item->row < lines->rows.n ? &lines->rows.at[item->row] : NULL;
	cat = item->cat < lines->cats.n ? &lines->cats.at[item->cat] : NULL;

	if (G_UNLIKELY(!row || !row->text))
		row = new_row(lines, item->row, error);
	if (G_UNLIKELY(row && (!cat || !cat->text)))
		cat = new_cat(lines, item->cat, error);
	if (!row || !cat)
		return FALSE;
	p = (char *)iot_out_reserve(out, LINE_ROOM);
	p = put_piece(out, p, &lines->kinds[item->kind]);
	p = put_time(lines, p, item->t0);
	if (item->kind == IOT_ITEM_SPAN || link || !lines->dialect->sparse)
		p = put_time(lines, put_piece(out, p, &lines->end), item->t1);
	p = put_piece(out, p, row);
	if (item->lane || !lines->dialect->sparse)
		p = iot_digits(put_piece(out, p, &lines->lane), item->lane);
	p = put_piece(out, p, cat);
	p = put_piece(out, p, marks_text(lines, item->flags));
	p = item->kind == IOT_ITEM_SAMPLE ? put_sample(lines, p, item) : put_attrs(lines, p, item);
	if (G_UNLIKELY(link))
		p = put_to_end(lines, p, item);
	else
		p = put_piece(out, p, &lines->line_end);
	out->used = (gsize)((guint8 *)p - out->buffer);
	return TRUE;
}

gboolean iot_lines_item(struct iot_sink *sink, const struct iot_item *item, GError **error)
{
	struct lines_sink *lines = (struct lines_sink *)sink;

	if (!lines->begun)
		begin(lines);
	switch (item->kind) {
	case IOT_ITEM_GAP:
		write_gap(lines, item);
		break;
	case IOT_ITEM_SPAN:
	case IOT_ITEM_POINT:
	case IOT_ITEM_SAMPLE:
	case IOT_ITEM_LINK:
		if (!write_on_row(lines, item, error))
			return FALSE;
		break;
	default:
		g_set_error(error, IOT_ERROR, IOT_ERROR_INTERNAL,
			    "an item of kind %u in the feed of whole spans", item->kind);
		return FALSE;
	}
	return iot_out_check(lines->out, error);
}

gboolean iot_lines_finish(struct iot_sink *sink, const struct iot_summary *summary, GError **error)
{
	struct lines_sink *lines = (struct lines_sink *)sink;

	if (!lines->begun)
		begin(lines);
	for (guint i = 0; i < IOT_DIAG_COUNT; i++) {
		g_autofree char *attrs =
			g_strdup_printf("%scount%s:%" G_GUINT64_FORMAT, lines->quote, lines->quote,
					summary->diag.count[i]);

		if (summary->diag.count[i])
			write_rare(lines, "diag", NULL, "", iot_diag_info(i)->name, attrs);
	}
	return iot_out_finish(lines->out, error);
}
