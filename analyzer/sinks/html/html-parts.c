/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/html/html-parts.h"
#include "sinks/html/html-column.h"
#include "base/digits.h"
#include "base/intern.h"
#include "timeline/part.h"

#include <string.h>

/* Lengths by pairs of digits; a block has so many accounts. */
enum { N_LENGTHS = 10 + 1, BLOCK = 2048 };

enum { ITEM, N_PARTS, NAME, NS, ROW, CAT, CERTAIN, N_COLUMNS };

/* The accounts of spans of about one length. */
struct length {
	struct iot_html_column column[N_COLUMNS];
	guint n;       /* accounts of this block */
	guint64 n_all; /* of all blocks */
	guint64 last;  /* number of the last span, and how many parts it has so far */
	guint n_parts; /* 0: there is none */
	guint64 ns;    /* of its last part so far, which the page has from the length of the span */
	guint64 bytes; /* of all blocks */
};

/* A span that ended at the present instant. */
struct span {
	iot_row_id row;
	guint16 lane;
	guint64 ns, number;
};

struct iot_html_parts {
	const struct iot_timeline *tl;
	struct iot_html_blocks *blocks;
	struct length length[N_LENGTHS];
	struct iot_html_column packed;
	guint64 now;
	GHashTable *spans; /* set of struct span */
	struct iot_intern *names;
	guint least; /* place of the shortest lengths that are written */
};

static guint span_hash(gconstpointer data)
{
	const struct span *span = data;

	return (guint)iot_hash_mix((guint64)span->row << 16 | span->lane, span->ns);
}

static gboolean span_equal(gconstpointer pa, gconstpointer pb)
{
	const struct span *a = pa, *b = pb;

	return a->row == b->row && a->lane == b->lane && a->ns == b->ns;
}

struct iot_html_parts *iot_html_parts_new(const struct iot_timeline *tl, const char *path,
					  GError **error)
{
	struct iot_html_parts *parts = g_new0(struct iot_html_parts, 1);

	parts->tl = tl;
	parts->blocks = iot_html_blocks_new(path, error);
	parts->spans = g_hash_table_new_full(span_hash, span_equal, g_free, NULL);
	parts->names = iot_intern_new();
	if (parts->blocks)
		return parts;
	iot_html_parts_free(parts);
	return NULL;
}

void iot_html_parts_free(struct iot_html_parts *parts)
{
	if (!parts)
		return;
	for (guint i = 0; i < N_LENGTHS * N_COLUMNS; i++)
		g_free(parts->length[i / N_COLUMNS].column[i % N_COLUMNS].data);
	g_free(parts->packed.data);
	g_hash_table_unref(parts->spans);
	iot_intern_free(parts->names);
	iot_html_blocks_free(parts->blocks);
	g_free(parts);
}

void iot_html_parts_span(struct iot_html_parts *parts, const struct iot_item *span, guint64 number)
{
	struct span new = { span->row, span->lane, span->t1 - span->t0, number };

	if (parts->now != span->t1)
		g_hash_table_remove_all(parts->spans);
	parts->now = span->t1;
	g_hash_table_add(parts->spans, g_memdup2(&new, sizeof(new)));
}

/* ---- columns */

/* The number of parts of the last account is known when the next one begins. */
static gboolean end_account(struct length *length, GError **error)
{
	guint n = length->n_parts;

	length->n_parts = 0;
	return !n || iot_html_put(&length->column[N_PARTS], n, error);
}

static gboolean flush(struct iot_html_parts *parts, guint number, GError **error)
{
	struct length *length = &parts->length[number];
	guint64 before = iot_html_blocks_bytes(parts->blocks);

	if (!end_account(length, error))
		return FALSE;
	if (!length->n)
		return TRUE;
	parts->packed.used = 0;
	for (guint i = 0; i < N_COLUMNS; i++) {
		struct iot_html_column *column = &length->column[i];

		if (!iot_html_put_bytes(&parts->packed, column->data, column->used, error))
			return FALSE;
		column->used = 0;
	}
	length->n = 0;
	length->last = 0;
	if (!iot_html_blocks_add(parts->blocks, IOT_HTML_PARTS, number, parts->packed.data,
				 parts->packed.used, error))
		return FALSE;
	length->bytes += iot_html_blocks_bytes(parts->blocks) - before;
	return TRUE;
}

static guint64 certainty_of(const struct iot_timeline *tl, const struct iot_item *part)
{
	iot_str certainty = (iot_str)part->attr[IOT_PART_CERTAINTY].str;

	if (!certainty)
		return 0;
	switch (*iot_tl_str(tl, certainty)) {
	case 'u': /* undecided */
		return 3;
	case 'p':
		return iot_tl_str(tl, certainty)[1] == 'r' ? 1 : 2;
	default:
		return 0;
	}
}

gboolean iot_html_parts_add(struct iot_html_parts *parts, const struct iot_item *part,
			    GError **error)
{
	const struct span key = { part->row, part->lane, part->attr[IOT_PART_TOOK].u, 0 };
	const struct span *span =
		part->t1 == parts->now ? g_hash_table_lookup(parts->spans, &key) : NULL;
	g_autoptr(GString) name = g_string_new(NULL);
	char digits[IOT_DIGITS_ROOM];
	struct length *length;
	guint n;

	/* a kind that is left out */
	if (!span)
		return TRUE;
	n = (guint)g_snprintf(digits, sizeof(digits), "%" G_GUINT64_FORMAT, span->ns) / 2;
	length = &parts->length[n];
	if (!length->n_parts || length->last != span->number) {
		if (!end_account(length, error) ||
		    (length->n == BLOCK && !flush(parts, n, error)) ||
		    !iot_html_put(&length->column[ITEM], span->number - length->last, error))
			return FALSE;
		length->last = span->number;
		length->n++;
		length->n_all++;
	}
	if (length->n_parts && !iot_html_put(&length->column[NS], length->ns, error))
		return FALSE;
	length->n_parts++;
	length->ns = part->attr[IOT_PART_NS].u;
	iot_part_name(parts->tl, part, name);
	return iot_html_put(&length->column[NAME], iot_intern_str(parts->names, name->str),
			    error) &&
	       iot_html_put(&length->column[ROW], part->row_to, error) &&
	       iot_html_put(&length->column[CAT], part->cat, error) &&
	       iot_html_put(&length->column[CERTAIN], certainty_of(parts->tl, part), error);
}

/* ---- the page */

static gboolean add_names(struct iot_html_parts *parts, GError **error)
{
	guint n = iot_intern_count(parts->names);

	parts->packed.used = 0;
	for (guint i = 1; i < n; i++) {
		gsize len;
		const char *text = iot_intern_get(parts->names, i, &len);

		if (!iot_html_put_bytes(&parts->packed, text, len, error))
			return FALSE;
	}
	return iot_html_blocks_add(parts->blocks, IOT_HTML_NAMES, N_LENGTHS - 1, parts->packed.data,
				   parts->packed.used, error);
}

/* Says how long the shortest span is that has an account. */
static gboolean add_least(struct iot_html_parts *parts, GError **error)
{
	guint64 least = parts->least ? 10 : 0;

	/* lengths with 2 n and 2 n + 1 digits have the place n */
	for (guint i = 1; i < MIN(parts->least, N_LENGTHS - 1); i++)
		least *= 100;
	parts->packed.used = 0;
	if (parts->least < N_LENGTHS && !iot_html_put(&parts->packed, least, error))
		return FALSE;
	return iot_html_blocks_add(parts->blocks, IOT_HTML_NAMES, N_LENGTHS, parts->packed.data,
				   parts->packed.used, error);
}

gboolean iot_html_parts_end(struct iot_html_parts *parts, guint64 room, guint64 *out_dropped,
			    GError **error)
{
	guint64 used = 0, lengths;

	for (guint i = 0; i < N_LENGTHS; i++)
		if (!flush(parts, i, error))
			return FALSE;
	lengths = iot_html_blocks_bytes(parts->blocks);
	if (!add_names(parts, error))
		return FALSE;
	used = iot_html_blocks_bytes(parts->blocks) - lengths + IOT_HTML_NO_PARTS;
	parts->least = N_LENGTHS;
	/* the names are of the same rank as the longest spans */
	while (parts->least && used + parts->length[parts->least - 1].bytes <= room)
		used += parts->length[--parts->least].bytes;
	*out_dropped = 0;
	for (guint i = 0; i < parts->least; i++)
		*out_dropped += parts->length[i].n_all;
	return add_least(parts, error);
}

gboolean iot_html_parts_write(struct iot_html_parts *parts, struct iot_out *out, GError **error)
{
	return iot_html_blocks_write(parts->blocks, 0, iot_html_blocks_end(parts->blocks),
				     parts->least, out, error);
}

gsize iot_html_parts_memory(const struct iot_html_parts *parts)
{
	gsize bytes = sizeof(*parts) + parts->packed.room + iot_html_blocks_memory(parts->blocks);

	for (guint i = 0; i < N_LENGTHS * N_COLUMNS; i++)
		bytes += parts->length[i / N_COLUMNS].column[i % N_COLUMNS].room;
	return bytes;
}
