/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads back what html-chunk.c has written, as items. */
#include "sinks/html/html-chunk-local.h"
#include "base/error.h"
#include "base/pack.h"

/* Columns of one type in one chunk, and what their slots held last. */
struct attr_reader {
	guint n_attrs;
	struct iot_unpack column[IOT_MAX_ATTRS];
	guint64 (*last)[IOT_MAX_ATTRS];
};

struct reader {
	const struct iot_html_chunk *chunk;
	struct iot_unpack column[IOT_HTML_N_COLUMNS];
	GPtrArray *attrs; /* struct attr_reader, by type */
	guint64 end;
	guint64 *ends, *values;
};

static void free_attr_reader(gpointer data)
{
	struct attr_reader *attrs = data;

	if (attrs)
		g_free(attrs->last);
	g_free(attrs);
}

static struct iot_unpack unpack_column(struct iot_unpack *block)
{
	gsize len;
	const guint8 *data = iot_unpack_bytes(block, &len);

	return iot_unpack_init(data, len);
}

static guint64 next(struct iot_unpack *column)
{
	return iot_unpack_uint(column, G_MAXUINT64);
}

static gint64 unzigzag(guint64 value)
{
	return (gint64)(value >> 1) ^ -(gint64)(value & 1);
}

static gboolean open_attrs(struct reader *reader, struct iot_unpack *block, GError **error)
{
	while (block->p < block->end && !block->bad) {
		iot_type_id type = (iot_type_id)iot_unpack_uint(block, G_MAXUINT32 - 1);
		struct attr_reader *attrs = g_new0(struct attr_reader, 1);

		attrs->n_attrs = (guint)iot_unpack_uint(block, IOT_MAX_ATTRS);
		attrs->last = iot_try_malloc(IOT_HTML_SLOTS * sizeof(*attrs->last),
					     "the attributes of a page", error);
		if (!attrs->last) {
			g_free(attrs);
			return FALSE;
		}
		memset(attrs->last, 0, IOT_HTML_SLOTS * sizeof(*attrs->last));
		for (guint i = 0; i < attrs->n_attrs; i++)
			attrs->column[i] = unpack_column(block);
		if (type >= reader->attrs->len)
			g_ptr_array_set_size(reader->attrs, (gint)type + 1);
		free_attr_reader(reader->attrs->pdata[type]);
		reader->attrs->pdata[type] = attrs;
	}
	return TRUE;
}

static guint64 next_attr(struct attr_reader *attrs, guint i, const struct iot_item *item)
{
	guint64 *last = attrs->last[iot_html_slot(item->row, item->lane) % IOT_HTML_SLOTS];

	return last[i] ^= next(&attrs->column[i]);
}

static union iot_attr attr_of(const struct iot_html_chunk *chunk, enum iot_attr_format format,
			      guint64 value)
{
	if (format == IOT_ATTR_INT)
		return (union iot_attr){ .i = unzigzag(value) };
	if (format != IOT_ATTR_STR || !value)
		return (union iot_attr){ .u = value };
	if (value & 1)
		return (union iot_attr){ .str = iot_text_number(value >> 1) };
	return (union iot_attr){ .str = chunk->strings[(value >> 1) - 1] };
}

static void read_attrs(struct reader *reader, struct iot_item *item)
{
	const struct iot_type *type = iot_type_at(reader->chunk->tl, item->type);
	struct attr_reader *attrs =
		item->type < reader->attrs->len ? reader->attrs->pdata[item->type] : NULL;

	if (!type->n_attrs || !attrs)
		return;
	item->n_attrs = (guint8)type->n_attrs;
	for (guint i = 0; i < attrs->n_attrs; i++)
		item->attr[i] =
			attr_of(reader->chunk, type->attr[i].format, next_attr(attrs, i, item));
}

static void read_gap(struct reader *reader, struct iot_item *item)
{
	guint node = (guint)next(&reader->column[IOT_HTML_NODE]);

	item->t0 = item->t1 - (next(&reader->column[IOT_HTML_LENGTH]) - 1);
	iot_gap_set(item, g_array_index(reader->chunk->nodes, iot_str, node),
		    next_attr(reader->attrs->pdata[0], 0, item) - 1);
}

static void read_sample(struct reader *reader, struct iot_item *item)
{
	guint64 *last = &reader->values[iot_html_slot(item->row, item->cat) % IOT_HTML_ENDS];
	guint64 coded = next(&reader->column[IOT_HTML_VALUE]);
	gint64 change = unzigzag(coded);

	if (iot_type_is_real(iot_type_at(reader->chunk->tl, item->type))) {
		coded = coded << 32 | next(&reader->column[IOT_HTML_VALUE]);
		iot_sample_set(item, (gint64)coded, 0);
		return;
	}
	*last += (guint64)change;
	iot_sample_set(item, (gint64)*last, change);
}

static void read_span(struct reader *reader, struct iot_item *item)
{
	guint64 *end = &reader->ends[iot_html_slot(item->row, item->lane) % IOT_HTML_ENDS];
	guint64 length = next(&reader->column[IOT_HTML_LENGTH]);

	item->t0 = length ? item->t1 - (length - 1) : *end;
	*end = item->t1;
}

static void read_link(struct reader *reader, struct iot_item *item)
{
	item->kind = IOT_ITEM_LINK;
	item->t0 = item->t1 - (next(&reader->column[IOT_HTML_LENGTH]) - 1);
	item->row_to = (iot_row_id)next(&reader->column[IOT_HTML_ROW_TO]);
	item->lane_to = (guint16)next(&reader->column[IOT_HTML_LANE_TO]);
}

/* What the kind of the item adds to row, category and end. */
static void read_kind(struct reader *reader, struct iot_item *item)
{
	switch (iot_type_at(reader->chunk->tl, item->type)->kind) {
	case IOT_TYPE_COUNTER:
		read_sample(reader, item);
		break;
	case IOT_TYPE_SPAN:
		item->kind = IOT_ITEM_SPAN;
		read_span(reader, item);
		break;
	case IOT_TYPE_LINK:
		read_link(reader, item);
		break;
	default:
		item->kind = IOT_ITEM_POINT;
	}
}

static struct iot_item read_item(struct reader *reader)
{
	const struct iot_timeline *tl = reader->chunk->tl;
	struct iot_item item = {
		.row = (iot_row_id)next(&reader->column[IOT_HTML_ROW]),
		.cat = (iot_cat_id)next(&reader->column[IOT_HTML_CAT]),
		.lane = (guint16)next(&reader->column[IOT_HTML_LANE]),
		.flags = (guint16)next(&reader->column[IOT_HTML_FLAGS]),
	};

	reader->end += next(&reader->column[IOT_HTML_END]);
	item.t0 = item.t1 = tl->zero_ns + reader->end;
	if (!item.cat) {
		read_gap(reader, &item);
		return item;
	}
	item.type = iot_cat_at(tl, item.cat)->type;
	read_kind(reader, &item);
	if (item.flags & IOT_HTML_MERGED)
		item.seq = next(&reader->column[IOT_HTML_VALUE]);
	else if (item.kind != IOT_ITEM_SAMPLE)
		read_attrs(reader, &item);
	return item;
}

static gboolean walk_chunk(struct reader *reader, struct iot_unpack items, struct iot_unpack attrs,
			   iot_html_walker walker, gpointer data, GError **error)
{
	guint32 n = (guint32)iot_unpack_uint(&items, IOT_HTML_CHUNK);

	for (guint i = 0; i < IOT_HTML_N_COLUMNS; i++)
		reader->column[i] = unpack_column(&items);
	for (guint i = 0; i < reader->attrs->len; i++) {
		free_attr_reader(reader->attrs->pdata[i]);
		reader->attrs->pdata[i] = NULL;
	}
	reader->end = 0;
	memset(reader->ends, 0, IOT_HTML_ENDS * sizeof(guint64));
	memset(reader->values, 0, IOT_HTML_ENDS * sizeof(guint64));
	if (!open_attrs(reader, &attrs, error))
		return FALSE;
	for (guint32 i = 0; i < n; i++) {
		struct iot_item item = read_item(reader);

		if (!walker(&item, data, error))
			return FALSE;
	}
	return TRUE;
}

/* The attributes of a chunk are the block after its items. */
static gboolean walk_blocks(struct reader *reader, iot_html_walker walker, gpointer data,
			    GError **error)
{
	struct iot_html_blocks *blocks = reader->chunk->blocks;

	for (guint64 at = 0; at < iot_html_blocks_end(blocks);) {
		g_autofree guint8 *items = NULL, *attrs = NULL;
		struct iot_html_block of_items, of_attrs;

		if (!iot_html_blocks_next(blocks, &at, &of_items, error))
			return FALSE;
		if (of_items.part != IOT_HTML_ITEMS)
			continue;
		items = iot_html_blocks_read(blocks, &of_items, error);
		if (!items || !iot_html_blocks_next(blocks, &at, &of_attrs, error))
			return FALSE;
		attrs = iot_html_blocks_read(blocks, &of_attrs, error);
		if (!attrs ||
		    !walk_chunk(reader, iot_unpack_init(items, of_items.size),
				iot_unpack_init(attrs, of_attrs.size), walker, data, error))
			return FALSE;
	}
	return TRUE;
}

gboolean iot_html_chunk_walk(struct iot_html_chunk *chunk, iot_html_walker walker, gpointer data,
			     GError **error)
{
	struct reader reader = { .chunk = chunk };
	gboolean ok;

	reader.attrs = g_ptr_array_new_with_free_func(free_attr_reader);
	reader.ends = iot_try_malloc(IOT_HTML_ENDS * sizeof(guint64), "the items of a page", error);
	reader.values = reader.ends ? iot_try_malloc(IOT_HTML_ENDS * sizeof(guint64),
						     "the items of a page", error)
				    : NULL;
	ok = reader.values && walk_blocks(&reader, walker, data, error);
	g_ptr_array_unref(reader.attrs);
	g_free(reader.ends);
	g_free(reader.values);
	return ok;
}
