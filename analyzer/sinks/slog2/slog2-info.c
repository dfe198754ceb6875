/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/slog2/slog2-info.h"
#include "sinks/sink.h"
#include "base/digits.h"

enum { FLAGS_RESERVE = 128 };

/* --- layouts --- */

static void clear_layout(gpointer data)
{
	struct iot_slog2_layout *layout = data;

	if (!layout->used)
		return;
	g_ptr_array_unref(layout->keys);
	g_string_free(layout->types, TRUE);
}

void iot_slog2_info_init(struct iot_slog2_info *info, const struct iot_timeline *tl)
{
	*info = (struct iot_slog2_info){ .tl = tl };
	info->layouts = g_array_new(FALSE, TRUE, sizeof(struct iot_slog2_layout));
	g_array_set_clear_func(info->layouts, clear_layout);
	/* slot 0 holds the empty string, number 0; all other slots are free as 0 is not theirs */
	info->words[0].size = 2;
}

void iot_slog2_info_clear(struct iot_slog2_info *info)
{
	g_clear_pointer(&info->layouts, g_array_unref);
}

static void add_value(struct iot_slog2_layout *layout, const char *key, char type)
{
	g_ptr_array_add(layout->keys, g_strdup(key));
	g_string_append_c(layout->types, type);
}

/* "lockspace=", " resource=" ... from the outermost row inwards */
static void add_row_keys(const struct iot_timeline *tl, struct iot_slog2_layout *layout)
{
	guint depth = iot_slog2_lines_depth(tl, layout->on);
	g_autofree iot_type_id *types = g_new0(iot_type_id, depth + 1);
	iot_type_id type = layout->on;

	for (guint i = depth; i-- > 0; type = iot_type_at(tl, type)->on)
		types[i] = type;
	for (guint i = 0; i < depth; i++) {
		g_autofree char *key = g_strconcat(
			i ? " " : "", iot_tl_str(tl, iot_type_at(tl, types[i])->name), "=", NULL);

		add_value(layout, key, 's');
	}
}

/* The flags of the item are called marks, as many types have an attribute "flags". */
static void add_fields(const struct iot_timeline *tl, struct iot_slog2_layout *layout,
		       const struct iot_type *type)
{
	static const struct {
		const char *unit, *prefix;
		char type;
	} formats[] = {
		[IOT_ATTR_INT] = { "", "", 'l' },	  [IOT_ATTR_UINT] = { "", "", 'l' },
		[IOT_ATTR_HEX] = { "", "0x", 'X' },	  [IOT_ATTR_STR] = { "", "", 's' },
		[IOT_ATTR_DURATION] = { "[s]", "", 'E' }, [IOT_ATTR_REAL] = { "", "", 'E' },
	};

	layout->n_fields = type->n_attrs;
	for (guint i = 0; i < type->n_attrs; i++) {
		const struct iot_attr_def *attr = &type->attr[i];
		g_autofree char *key = g_strconcat(
			i || !layout->keys->len ? " " : "\n", iot_tl_str(tl, attr->name),
			formats[attr->format].unit, "=", formats[attr->format].prefix, NULL);

		add_value(layout, key, formats[attr->format].type);
		layout->field[i].format = attr->format;
	}
	add_value(layout, " marks=", 's');
	for (guint i = layout->n_fields, bytes = FLAGS_RESERVE; i-- > 0;) {
		layout->field[i].reserve = bytes;
		bytes += layout->field[i].format == IOT_ATTR_STR ? 2 : 8;
	}
}

static void add_gap_keys(struct iot_slog2_layout *layout)
{
	add_value(layout, "node=", 's');
	add_value(layout, " events lost=", 's');
	add_value(layout, " marks=", 's');
}

const struct iot_slog2_layout *iot_slog2_info_layout_new(struct iot_slog2_info *info,
							 iot_cat_id cat, guint8 topology)
{
	const struct iot_category *category;
	const struct iot_type *type;
	struct iot_slog2_layout *layout;

	if (cat >= info->layouts->len)
		g_array_set_size(info->layouts, cat + 1);
	layout = &g_array_index(info->layouts, struct iot_slog2_layout, cat);
	layout->used = TRUE;
	layout->topology = topology;
	layout->keys = g_ptr_array_new_with_free_func(g_free);
	layout->types = g_string_new(NULL);
	if (cat == IOT_SLOG2_GAP_CATEGORY) {
		add_gap_keys(layout);
		return layout;
	}
	category = iot_cat_at(info->tl, cat);
	type = iot_type_at(info->tl, category->type);
	layout->on = type->on;
	layout->waits = iot_cat_waits(category);
	if (topology == IOT_SLOG2_ARROW) {
		add_value(layout, "from=", 's');
		add_value(layout, " to=", 's');
	} else {
		add_row_keys(info->tl, layout);
	}
	add_fields(info->tl, layout, type);
	return layout;
}

/* --- infos: each function writes a value at @p and returns its end --- */

static inline gsize room(const struct iot_slog2_info *info, const guint8 *p)
{
	return (gsize)(info->bytes + sizeof(info->bytes) - p);
}

/* A string, leaving room for @reserve bytes after it. */
static guint8 *put_text(struct iot_slog2_info *info, guint8 *p, const char *bytes, gsize len,
			guint32 reserve)
{
	gsize fits = iot_slog2_cut(bytes, len, room(info, p) - 2 - reserve);

	info->n_cut += fits < len;
	p = iot_put_u16(p, (guint16)fits);
	memcpy(p, bytes, fits);
	return p + fits;
}

/* A short text that is no number goes into the cache of words. */
static guint8 *put_str(struct iot_slog2_info *info, guint8 *p, guint64 text, guint32 reserve)
{
	struct iot_slog2_word *word = &info->words[text % IOT_SLOG2_WORDS];
	char digits[IOT_DIGITS_ROOM];
	guint8 *start = p;
	const char *bytes;
	gsize len;

	bytes = iot_tl_text(info->tl, text, digits, &len);
	p = put_text(info, p, bytes, len, reserve);
	if (len + 2 > IOT_SLOG2_WORD_MAX || p != start + 2 + len || iot_text_is_number(text))
		return p;
	word->str = (iot_str)text;
	word->size = (guint32)len + 2;
	memcpy(word->bytes, start, len + 2);
	return p;
}

/* Needs room for 19 digits and the bytes that iot_digits writes after them. */
static guint8 *put_number(guint8 *p, guint64 number)
{
	char *digits = (char *)p + 2, *end = iot_digits(digits, number);

	iot_put_u16(p, (guint16)(end - digits));
	return (guint8 *)end;
}

static guint8 *put_text_attr(struct iot_slog2_info *info, guint8 *p, guint64 text, guint32 reserve)
{
	const struct iot_slog2_word *word = &info->words[text % IOT_SLOG2_WORDS];
	gboolean roomy = room(info, p) >= IOT_SLOG2_WORD_MAX + reserve;

	/* fast path: the words used last, and numbers that have room */
	if (iot_text_is_number(text) && roomy && !iot_slow_only())
		return put_number(p, text & ~IOT_TEXT_NUMBER);
	/* slow path */
	if (G_UNLIKELY(word->str != text || !roomy || iot_slow_only()))
		return put_str(info, p, text, reserve);
	/* the whole array: copying a constant size takes a few instructions */
	memcpy(p, word->bytes, IOT_SLOG2_WORD_MAX);
	return p + word->size;
}

static guint8 *put_flags(struct iot_slog2_info *info, guint8 *p, guint flags)
{
	const char **names = &info->flags[flags % IOT_SLOG2_FLAGS];

	if (G_LIKELY(!flags))
		return iot_put_u16(p, 0);
	if (!*names)
		*names = iot_item_flag_names(flags % IOT_SLOG2_FLAGS);
	return put_text(info, p, *names, strlen(*names), 0);
}

static guint8 *put_names(guint8 *p, const struct iot_slog2_line *line)
{
	memcpy(p, line->info, IOT_SLOG2_SHORT); /* as above */
	if (G_UNLIKELY(line->info_bytes > IOT_SLOG2_SHORT))
		memcpy(p, line->info, line->info_bytes);
	return p + line->info_bytes;
}

/* Attributes that the item lacks are 0. */
static const union iot_attr *pad(const struct iot_item *item, union iot_attr *padded)
{
	memset(padded, 0, IOT_MAX_ATTRS * sizeof(*padded));
	return memcpy(padded, item->attr, item->n_attrs * sizeof(*padded));
}

static guint8 *put_fields(struct iot_slog2_info *info, const struct iot_slog2_layout *layout,
			  const struct iot_item *item, guint8 *p)
{
	const struct iot_slog2_field *field = layout->field, *last = field + layout->n_fields;
	const union iot_attr *attr = item->attr;
	union iot_attr padded[IOT_MAX_ATTRS];

	if (G_UNLIKELY(item->n_attrs < layout->n_fields))
		attr = pad(item, padded);
	for (; field < last; field++, attr++) {
		if (field->format == IOT_ATTR_STR)
			p = put_text_attr(info, p, attr->str, field->reserve);
		else if (field->format == IOT_ATTR_DURATION)
			p = iot_put_time(p, attr->u);
		else
			p = iot_put_u64(p, attr->u);
	}
	return p;
}

static guint8 *put_gap(struct iot_slog2_info *info, guint8 *p, const struct iot_item *item)
{
	guint64 lost = iot_gap_lost(item);
	char number[24] = "?";
	const char *node;
	gsize len;

	if (lost != IOT_LOST_UNKNOWN)
		g_snprintf(number, sizeof(number), "%" G_GUINT64_FORMAT, lost);
	node = iot_intern_get(info->tl->strings, iot_gap_node(item), &len);
	p = put_text(info, p, node, len, sizeof(number) + FLAGS_RESERVE);
	return put_text(info, p, number, strlen(number), FLAGS_RESERVE);
}

guint16 iot_slog2_info_make(struct iot_slog2_info *info, const struct iot_slog2_layout *layout,
			    const struct iot_slog2_line *line, const struct iot_item *item)
{
	guint8 *p = info->bytes;

	if (G_UNLIKELY(item->kind == IOT_ITEM_GAP))
		p = put_gap(info, p, item);
	else
		p = put_fields(info, layout, item, put_names(p, line));
	return (guint16)(put_flags(info, p, item->flags) - info->bytes);
}
