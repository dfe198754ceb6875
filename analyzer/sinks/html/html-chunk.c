/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/html/html-chunk-local.h"
#include "base/error.h"

/* A block of strings ends after so many bytes. */
enum { STRINGS = 256 << 10 };

static void free_attrs(gpointer data)
{
	struct iot_html_attrs *attrs = data;

	if (!attrs)
		return;
	for (guint i = 0; i < IOT_MAX_ATTRS; i++)
		g_free(attrs->column[i].data);
	g_free(attrs->last);
	g_free(attrs);
}

struct iot_html_chunk *iot_html_chunk_new(const struct iot_timeline *tl,
					  struct iot_html_blocks *blocks, GError **error)
{
	struct iot_html_chunk *chunk = iot_try_malloc(sizeof(*chunk), "the items of a page", error);

	if (!chunk)
		return NULL;
	memset(chunk, 0, sizeof(*chunk));
	chunk->tl = tl;
	chunk->blocks = blocks;
	chunk->types = g_ptr_array_new_with_free_func(free_attrs);
	chunk->order = g_array_new(FALSE, FALSE, sizeof(iot_type_id));
	chunk->nodes = g_array_new(FALSE, FALSE, sizeof(iot_str));
	return chunk;
}

void iot_html_chunk_free(struct iot_html_chunk *chunk)
{
	if (!chunk)
		return;
	for (guint i = 0; i < IOT_HTML_N_COLUMNS; i++)
		g_free(chunk->column[i].data);
	g_free(chunk->packed.data);
	g_ptr_array_unref(chunk->types);
	g_array_unref(chunk->order);
	g_array_unref(chunk->nodes);
	g_free(chunk->number);
	g_free(chunk->strings);
	g_free(chunk);
}

/* Strings get numbers in the order in which attributes bring them, which no thread can change. */
static gboolean number_of(struct iot_html_chunk *chunk, iot_str str, guint32 *out, GError **error)
{
	if (str >= chunk->n_numbers) {
		guint32 n = MAX(str + 1 + str / 2, 1024);
		guint32 *grown = iot_try_realloc(chunk->number, n * sizeof(guint32),
						 "the texts of a page", error);

		if (!grown)
			return FALSE;
		memset(grown + chunk->n_numbers, 0, (n - chunk->n_numbers) * sizeof(guint32));
		chunk->number = grown;
		chunk->n_numbers = n;
	}
	if (!chunk->number[str]) {
		if (chunk->n_strings == chunk->strings_room) {
			gsize room = chunk->strings_room * 2 + 1024;
			guint32 *grown = iot_try_realloc(chunk->strings, room * sizeof(guint32),
							 "the texts of a page", error);

			if (!grown)
				return FALSE;
			chunk->strings = grown;
			chunk->strings_room = room;
		}
		chunk->strings[chunk->n_strings++] = str;
		chunk->number[str] = chunk->n_strings;
	}
	*out = chunk->number[str];
	return TRUE;
}

static gboolean attr_value(struct iot_html_chunk *chunk, enum iot_attr_format format,
			   union iot_attr attr, guint64 *out, GError **error)
{
	guint32 number;

	*out = format == IOT_ATTR_INT ? iot_html_zigzag(attr.i) : attr.u;
	if (format != IOT_ATTR_STR || !attr.str)
		return TRUE;
	if (iot_text_is_number(attr.str)) {
		*out = attr.str << 1 | 1;
		return TRUE;
	}
	if (!number_of(chunk, (iot_str)attr.str, &number, error))
		return FALSE;
	*out = (guint64)number << 1;
	return TRUE;
}

static struct iot_html_attrs *columns_of(struct iot_html_chunk *chunk, iot_type_id type,
					 guint n_attrs, GError **error)
{
	struct iot_html_attrs *attrs;

	if (type >= chunk->types->len)
		g_ptr_array_set_size(chunk->types, (gint)type + 1);
	attrs = chunk->types->pdata[type];
	if (!attrs) {
		guint64(*last)[IOT_MAX_ATTRS] = iot_try_malloc(IOT_HTML_SLOTS * sizeof(*last),
							       "the attributes of a page", error);

		if (!last)
			return NULL;
		attrs = g_new0(struct iot_html_attrs, 1);
		attrs->n_attrs = n_attrs;
		attrs->last = last;
		chunk->types->pdata[type] = attrs;
	}
	if (!attrs->used) {
		attrs->used = TRUE;
		memset(attrs->last, 0, IOT_HTML_SLOTS * sizeof(*attrs->last));
		g_array_append_val(chunk->order, type);
	}
	return attrs;
}

static gboolean add_attrs(struct iot_html_chunk *chunk, const struct iot_item *item, GError **error)
{
	const struct iot_type *type = iot_type_at(chunk->tl, item->type);
	struct iot_html_attrs *attrs = columns_of(chunk, item->type, type->n_attrs, error);
	guint64 *last;

	if (!attrs)
		return FALSE;
	last = attrs->last[iot_html_slot(item->row, item->lane) % IOT_HTML_SLOTS];
	for (guint i = 0; i < attrs->n_attrs; i++) {
		guint64 value;

		if (!attr_value(chunk, type->attr[i].format, item->attr[i], &value, error) ||
		    !iot_html_put(&attrs->column[i], value ^ last[i], error))
			return FALSE;
		last[i] = value;
	}
	return TRUE;
}

static gboolean add_gap(struct iot_html_chunk *chunk, const struct iot_item *item, GError **error)
{
	struct iot_html_attrs *attrs = columns_of(chunk, 0, 1, error);
	iot_str name = iot_gap_node(item);
	guint64 lost = iot_gap_lost(item) + 1, *last;
	guint node = 0;

	while (node < chunk->nodes->len && g_array_index(chunk->nodes, iot_str, node) != name)
		node++;
	if (node == chunk->nodes->len)
		g_array_append_val(chunk->nodes, name);
	if (!attrs)
		return FALSE;
	last = attrs->last[iot_html_slot(item->row, item->lane) % IOT_HTML_SLOTS];
	lost ^= last[0];
	last[0] ^= lost;
	return iot_html_put(&chunk->column[IOT_HTML_NODE], node, error) &&
	       iot_html_put(&chunk->column[IOT_HTML_LENGTH], 1 + item->t1 - item->t0, error) &&
	       iot_html_put(&attrs->column[0], lost, error);
}

static gboolean add_span(struct iot_html_chunk *chunk, const struct iot_item *item, guint64 t0,
			 guint64 t1, GError **error)
{
	guint64 *end = &chunk->ends[iot_html_slot(item->row, item->lane) % IOT_HTML_ENDS];
	guint64 length = *end == t0 + 1 ? 0 : 1 + t1 - t0;

	*end = t1 + 1;
	return iot_html_put(&chunk->column[IOT_HTML_LENGTH], length, error);
}

static gboolean add_link(struct iot_html_chunk *chunk, const struct iot_item *item, guint64 t0,
			 guint64 t1, GError **error)
{
	return iot_html_put(&chunk->column[IOT_HTML_LENGTH], 1 + t1 - t0, error) &&
	       iot_html_put(&chunk->column[IOT_HTML_ROW_TO], item->row_to, error) &&
	       iot_html_put(&chunk->column[IOT_HTML_LANE_TO], item->lane_to, error);
}

static gboolean add_sample(struct iot_html_chunk *chunk, const struct iot_item *item,
			   GError **error)
{
	guint64 *last = &chunk->values[iot_html_slot(item->row, item->cat) % IOT_HTML_ENDS];
	guint64 value = (guint64)iot_sample_value(item), change = value - *last;

	/* the page keeps 53 bits of a number */
	if (iot_type_is_real(iot_type_at(chunk->tl, item->type)))
		return iot_html_put(&chunk->column[IOT_HTML_VALUE], value >> 32, error) &&
		       iot_html_put(&chunk->column[IOT_HTML_VALUE], value & G_MAXUINT32, error);
	*last = value;
	return iot_html_put(&chunk->column[IOT_HTML_VALUE], iot_html_zigzag((gint64)change), error);
}

/* The columns of the chunk so far as one block. */
static gboolean flush_items(struct iot_html_chunk *chunk, GError **error)
{
	chunk->packed.used = 0;
	if (!iot_html_put(&chunk->packed, chunk->n, error))
		return FALSE;
	for (guint i = 0; i < IOT_HTML_N_COLUMNS; i++) {
		struct iot_html_column *column = &chunk->column[i];

		if (!iot_html_put_bytes(&chunk->packed, column->data, column->used, error))
			return FALSE;
		column->used = 0;
	}
	return iot_html_blocks_add(chunk->blocks, IOT_HTML_ITEMS, 0, chunk->packed.data,
				   chunk->packed.used, error);
}

static gboolean flush_attrs(struct iot_html_chunk *chunk, GError **error)
{
	chunk->packed.used = 0;
	if (!iot_html_column_grow(&chunk->packed, 1, error))
		return FALSE;
	for (guint i = 0; i < chunk->order->len; i++) {
		iot_type_id type = g_array_index(chunk->order, iot_type_id, i);
		struct iot_html_attrs *attrs = chunk->types->pdata[type];

		if (!iot_html_put(&chunk->packed, type, error) ||
		    !iot_html_put(&chunk->packed, attrs->n_attrs, error))
			return FALSE;
		for (guint k = 0; k < attrs->n_attrs; k++) {
			if (!iot_html_put_bytes(&chunk->packed, attrs->column[k].data,
						attrs->column[k].used, error))
				return FALSE;
			attrs->column[k].used = 0;
		}
		attrs->used = FALSE;
	}
	g_array_set_size(chunk->order, 0);
	return iot_html_blocks_add(chunk->blocks, IOT_HTML_ATTRS, 0, chunk->packed.data,
				   chunk->packed.used, error);
}

static gboolean flush(struct iot_html_chunk *chunk, GError **error)
{
	if (!chunk->n)
		return TRUE;
	if (!flush_items(chunk, error) || !flush_attrs(chunk, error))
		return FALSE;
	chunk->n = 0;
	chunk->last_end = 0;
	memset(chunk->ends, 0, sizeof(chunk->ends));
	memset(chunk->values, 0, sizeof(chunk->values));
	return TRUE;
}

gboolean iot_html_chunk_add(struct iot_html_chunk *chunk, const struct iot_item *item,
			    GError **error)
{
	guint64 t0 = iot_tl_rel(chunk->tl, item->t0), t1 = iot_tl_rel(chunk->tl, item->t1);
	struct iot_html_column *column = chunk->column;

	if (t1 < chunk->last_end) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_INTERNAL,
			    "an item ends before the one before it");
		return FALSE;
	}
	if (!iot_html_put(&column[IOT_HTML_ROW], item->row, error) ||
	    !iot_html_put(&column[IOT_HTML_CAT], item->kind == IOT_ITEM_GAP ? 0 : item->cat,
			  error) ||
	    !iot_html_put(&column[IOT_HTML_LANE], item->lane, error) ||
	    !iot_html_put(&column[IOT_HTML_FLAGS], item->flags, error) ||
	    !iot_html_put(&column[IOT_HTML_END], t1 - chunk->last_end, error))
		return FALSE;
	chunk->last_end = t1;
	switch (item->kind) {
	case IOT_ITEM_GAP:
		if (!add_gap(chunk, item, error))
			return FALSE;
		break;
	case IOT_ITEM_SAMPLE:
		if (!add_sample(chunk, item, error))
			return FALSE;
		break;
	case IOT_ITEM_SPAN:
		if (!add_span(chunk, item, t0, t1, error))
			return FALSE;
		break;
	case IOT_ITEM_LINK:
		if (!add_link(chunk, item, t0, t1, error))
			return FALSE;
		break;
	default:
		break;
	}
	if (item->flags & IOT_HTML_MERGED &&
	    !iot_html_put(&column[IOT_HTML_VALUE], item->seq, error))
		return FALSE;
	if (item->kind != IOT_ITEM_GAP && item->kind != IOT_ITEM_SAMPLE && item->n_attrs &&
	    !add_attrs(chunk, item, error))
		return FALSE;
	return ++chunk->n < IOT_HTML_CHUNK || flush(chunk, error);
}

gboolean iot_html_chunk_end(struct iot_html_chunk *chunk, GError **error)
{
	if (!flush(chunk, error))
		return FALSE;
	chunk->packed.used = 0;
	for (guint32 i = 0; i < chunk->n_strings; i++) {
		gsize len;
		const char *text = iot_intern_get(chunk->tl->strings, chunk->strings[i], &len);

		if (!iot_html_put_bytes(&chunk->packed, text, len, error))
			return FALSE;
		if (chunk->packed.used < STRINGS && i + 1 < chunk->n_strings)
			continue;
		if (!iot_html_blocks_add(chunk->blocks, IOT_HTML_STRINGS, 0, chunk->packed.data,
					 chunk->packed.used, error))
			return FALSE;
		chunk->packed.used = 0;
	}
	return TRUE;
}

const GArray *iot_html_chunk_nodes(const struct iot_html_chunk *chunk)
{
	return chunk->nodes;
}

gsize iot_html_chunk_memory(const struct iot_html_chunk *chunk)
{
	gsize bytes = sizeof(*chunk) + chunk->packed.room + chunk->n_numbers * sizeof(guint32) +
		      chunk->strings_room * sizeof(guint32);

	for (guint i = 0; i < IOT_HTML_N_COLUMNS; i++)
		bytes += chunk->column[i].room;
	for (guint i = 0; i < chunk->types->len; i++) {
		const struct iot_html_attrs *attrs = chunk->types->pdata[i];

		for (guint k = 0; attrs && k < attrs->n_attrs; k++)
			bytes += attrs->column[k].room;
		bytes += attrs ? IOT_HTML_SLOTS * sizeof(*attrs->last) : 0;
	}
	return bytes;
}

const struct iot_timeline *iot_html_chunk_timeline(const struct iot_html_chunk *chunk)
{
	return chunk->tl;
}
