/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text: one line per item, for tests, for grep, and for programs that have no reader of their own:
 *
 *	T0 span "PATH" TYPE "CATEGORY" DURATION [lane=N] [flags=F,F] [attr=value ...]
 *	T point "PATH" TYPE "CATEGORY" [lane=N] [flags=F,F] [attr=value ...]
 *	T sample "PATH" TYPE VALUE [flags=F,F]
 *	T0 link "FROM" TYPE "CATEGORY" DURATION "TO" [lane_to=N] [lane=N] [flags=F,F]
 *		[attr=value ...] (in the same line)
 *	T0 gap "NODE" - "not observed" DURATION [flags=F,F] lost=N|?
 *	# diag NAME COUNT
 *
 * The text of a row, a category, a type or a set of flags is made once and cached.
 */
#include "sinks/sink.h"
#include "base/error.h"
#include "base/out.h"
#include "base/real.h"
#include "base/units.h"

struct text_type {
	gboolean known;
	enum iot_attr_format format[IOT_MAX_ATTRS];
	char *label[IOT_MAX_ATTRS]; /* " lkb_id=" */
};

struct text_sink {
	struct iot_sink sink;
	const struct iot_timeline *tl;
	struct iot_out *out;
	GPtrArray *rows;		  /* "\"7/A/node 1\"", by row; NULL if not yet needed */
	GPtrArray *cats;		  /* " lock \"EX\"", by category */
	GArray *types;			  /* struct text_type, by type */
	const char *flags[IOT_FLAG_SETS]; /* by iot_item_flags */
};

static void clear_type(gpointer data)
{
	for (guint i = 0; i < IOT_MAX_ATTRS; i++)
		g_free(((struct text_type *)data)->label[i]);
}

static void text_free(struct iot_sink *sink)
{
	struct text_sink *text = (struct text_sink *)sink;

	if (!text)
		return;
	iot_out_free(text->out);
	g_ptr_array_unref(text->rows);
	g_ptr_array_unref(text->cats);
	g_array_unref(text->types);
	g_free(text);
}

static struct iot_sink *text_open(const struct iot_sink_args *args, GError **error)
{
	struct text_sink *text = g_new0(struct text_sink, 1);

	text->sink.ops = &iot_sink_text;
	text->tl = args->tl;
	text->rows = g_ptr_array_new_with_free_func(g_free);
	text->cats = g_ptr_array_new_with_free_func(g_free);
	text->types = g_array_new(FALSE, TRUE, sizeof(struct text_type));
	g_array_set_clear_func(text->types, clear_type);
	text->out = iot_out_open(args->path, error);
	if (text->out)
		return &text->sink;
	text_free(&text->sink);
	return NULL;
}

/* One line is one item, so control characters of a value are escaped. Names have none. */
static gboolean is_plain(const char *data, gsize len)
{
	for (gsize i = 0; i < len; i++)
		if ((guint8)data[i] < 0x20 || data[i] == '"' || data[i] == '\\' || data[i] == 0x7f)
			return FALSE;
	return TRUE;
}

static void write_quoted(struct text_sink *text, guint64 str)
{
	char digits[IOT_DIGITS_ROOM];
	gsize len;
	const char *data = iot_tl_text(text->tl, str, digits, &len);
	g_autofree char *quoted = NULL;

	if (!is_plain(data, len)) {
		quoted = iot_quote_bytes(data, len);
		iot_out_puts(text->out, quoted);
		return;
	}
	iot_out_putc(text->out, '"');
	iot_out_write(text->out, data, len);
	iot_out_putc(text->out, '"');
}

static const char *row_text(struct text_sink *text, iot_row_id row)
{
	if (row >= text->rows->len)
		g_ptr_array_set_size(text->rows, (gint)row + 1);
	if (!text->rows->pdata[row]) {
		g_autofree char *path = iot_timeline_path(text->tl, row, "/");

		text->rows->pdata[row] = iot_quote_bytes(path, strlen(path));
	}
	return text->rows->pdata[row];
}

static const char *cat_text(struct text_sink *text, iot_cat_id cat)
{
	if (cat >= text->cats->len)
		g_ptr_array_set_size(text->cats, (gint)cat + 1);
	if (!text->cats->pdata[cat]) {
		const struct iot_category *category = iot_cat_at(text->tl, cat);
		const char *type =
			iot_tl_str(text->tl, iot_type_at(text->tl, category->type)->name);
		const char *name = iot_tl_str(text->tl, category->name);
		g_autofree char *quoted = iot_quote_bytes(name, strlen(name));

		text->cats->pdata[cat] = g_strdup_printf(" %s %s", type, quoted);
	}
	return text->cats->pdata[cat];
}

static const struct text_type *type_text(struct text_sink *text, iot_type_id id)
{
	const struct iot_type *type = iot_type_at(text->tl, id);
	struct text_type *known;

	if (id >= text->types->len)
		g_array_set_size(text->types, id + 1);
	known = &g_array_index(text->types, struct text_type, id);
	if (known->known)
		return known;
	known->known = TRUE;
	for (guint i = 0; i < type->n_attrs; i++) {
		known->format[i] = type->attr[i].format;
		known->label[i] = g_strdup_printf(" %s=", iot_tl_str(text->tl, type->attr[i].name));
	}
	return known;
}

static void write_hex(struct iot_out *out, guint64 value)
{
	char digits[18];
	gsize n = sizeof(digits);

	do
		digits[--n] = "0123456789abcdef"[value & 15];
	while (value >>= 4);
	digits[--n] = 'x';
	digits[--n] = '0';
	iot_out_write(out, digits + n, sizeof(digits) - n);
}

static void write_real(iot_out *out, gdouble real)
{
	char digits[IOT_REAL_ROOM];

	iot_out_puts(out, iot_real_text(digits, real));
}

static void write_attrs(struct text_sink *text, const struct iot_item *item)
{
	const struct text_type *type = item->n_attrs ? type_text(text, item->type) : NULL;

	for (guint i = 0; i < item->n_attrs; i++) {
		if (!item->attr[i].u || !type->label[i])
			continue;
		iot_out_puts(text->out, type->label[i]);
		switch (type->format[i]) {
		case IOT_ATTR_INT:
			iot_out_int(text->out, item->attr[i].i);
			break;
		case IOT_ATTR_UINT:
		case IOT_ATTR_DURATION:
			iot_out_uint(text->out, item->attr[i].u);
			break;
		case IOT_ATTR_HEX:
			write_hex(text->out, item->attr[i].u);
			break;
		case IOT_ATTR_STR:
			write_quoted(text, item->attr[i].str);
			break;
		case IOT_ATTR_REAL:
			write_real(text->out, iot_real_of(item->attr[i].u));
			break;
		}
	}
}

static void write_flags(struct text_sink *text, guint flags)
{
	if (!flags)
		return;
	flags %= G_N_ELEMENTS(text->flags);
	if (!text->flags[flags])
		text->flags[flags] = iot_item_flag_names(flags);
	iot_out_puts(text->out, " flags=");
	iot_out_puts(text->out, text->flags[flags]);
}

static void write_gap(struct text_sink *text, const struct iot_item *item)
{
	iot_out_puts(text->out, " gap ");
	write_quoted(text, iot_gap_node(item));
	iot_out_puts(text->out, " - \"" IOT_GAP_NAME "\" ");
	iot_out_uint(text->out, item->t1 - item->t0);
	write_flags(text, item->flags);
	iot_out_puts(text->out, " lost=");
	if (iot_gap_lost(item) == IOT_LOST_UNKNOWN)
		iot_out_putc(text->out, '?');
	else
		iot_out_uint(text->out, iot_gap_lost(item));
}

static G_GNUC_NO_INLINE void write_to_row(struct text_sink *text, const struct iot_item *item)
{
	iot_out_putc(text->out, ' ');
	iot_out_puts(text->out, row_text(text, item->row_to));
	if (item->lane_to) {
		iot_out_puts(text->out, " lane_to=");
		iot_out_uint(text->out, item->lane_to);
	}
}

/* The time of a link is its earlier instant: that of the to-end if it has the flag "backwards". */
static void write_on_row(struct text_sink *text, const struct iot_item *item)
{
	iot_out_puts(text->out, item->kind == IOT_ITEM_SPAN    ? " span "
				: item->kind == IOT_ITEM_POINT ? " point "
							       : " link ");
	iot_out_puts(text->out, row_text(text, item->row));
	iot_out_puts(text->out, cat_text(text, item->cat));
	if (item->kind != IOT_ITEM_POINT) {
		iot_out_putc(text->out, ' ');
		iot_out_uint(text->out, item->t1 - item->t0);
		if (G_UNLIKELY(item->kind == IOT_ITEM_LINK))
			write_to_row(text, item);
	}
	if (item->lane) {
		iot_out_puts(text->out, " lane=");
		iot_out_uint(text->out, item->lane);
	}
	write_flags(text, item->flags);
	write_attrs(text, item);
}

static void write_sample(struct text_sink *text, const struct iot_item *item)
{
	const struct iot_type *type = iot_type_at(text->tl, item->type);

	iot_out_puts(text->out, " sample ");
	iot_out_puts(text->out, row_text(text, item->row));
	iot_out_putc(text->out, ' ');
	iot_out_puts(text->out, iot_tl_str(text->tl, type->name));
	iot_out_putc(text->out, ' ');
	if (iot_type_is_real(type))
		write_real(text->out, iot_sample_real(item));
	else
		iot_out_int(text->out, iot_sample_value(item));
	write_flags(text, item->flags);
}

static gboolean text_item(struct iot_sink *sink, const struct iot_item *item, GError **error)
{
	struct text_sink *text = (struct text_sink *)sink;

	iot_out_uint(text->out, item->t0);
	if (item->kind == IOT_ITEM_GAP) {
		write_gap(text, item);
	} else if (item->kind == IOT_ITEM_SPAN || item->kind == IOT_ITEM_POINT ||
		   item->kind == IOT_ITEM_LINK) {
		write_on_row(text, item);
	} else if (item->kind == IOT_ITEM_SAMPLE) {
		write_sample(text, item);
	} else {
		g_set_error(error, IOT_ERROR, IOT_ERROR_INTERNAL,
			    "an item of kind %u in the feed of whole spans", item->kind);
		return FALSE;
	}
	iot_out_putc(text->out, '\n');
	return iot_out_check(text->out, error);
}

static gboolean text_finish(struct iot_sink *sink, const struct iot_summary *summary,
			    GError **error)
{
	struct text_sink *text = (struct text_sink *)sink;

	for (guint i = 0; i < IOT_DIAG_COUNT; i++)
		if (summary->diag.count[i])
			iot_out_printf(text->out, "# diag %s %" G_GUINT64_FORMAT "\n",
				       iot_diag_info(i)->name, summary->diag.count[i]);
	return iot_out_finish(text->out, error);
}

const struct iot_sink_ops iot_sink_text = {
	.name = "text",
	.summary = "one line per state, event and gap, times in ns",
	.suffix = ".txt",
	.word_path = "-",
	.shows_diagnostics = TRUE,
	.feed = IOT_FEED_WHOLE_SPANS,
	.open = text_open,
	.item = text_item,
	.finish = text_finish,
	.free = text_free,
};
