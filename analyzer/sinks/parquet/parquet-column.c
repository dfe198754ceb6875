/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pages. The values of a page are looked up in the dictionary of the row group. If numbers in the
 * dictionary would need more room than the values themselves, the column has plain pages for the
 * rest of the row group: deltas of numbers, or texts as they are. This depends on the values alone.
 */
#include "sinks/parquet/parquet.h"
#include "sinks/parquet/parquet-thrift.h"
#include "base/error.h"
#include "base/try-alloc.h"
#include "base/units.h"

enum { MIN_SLOTS = 1 << 10, MAX_ENTRIES = 1 << 16, MAX_DICTIONARY = 1 << 20 };

/* Level 1: others need more time than all the rest of this output. */
enum { ZSTD_LEVEL = 1 };

/* Longer texts have no place in statistics. */
enum { MAX_STATISTIC = 64 };

struct parquet_work *parquet_work_new(GError **error)
{
	ZSTD_CCtx *zstd = ZSTD_createCCtx();
	struct parquet_work *work;

	if (!zstd) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_MEMORY, "no memory for zstd");
		return NULL;
	}
	work = g_new0(struct parquet_work, 1);
	work->zstd = zstd;
	work->numbers = g_new(guint32, PARQUET_PAGE);
	work->levels = g_new(guint32, PARQUET_PAGE);
	work->plain = g_byte_array_new();
	work->packed = g_byte_array_new();
	work->head = g_byte_array_new();
	return work;
}

void parquet_work_free(struct parquet_work *work)
{
	if (!work)
		return;
	ZSTD_freeCCtx(work->zstd);
	g_free(work->numbers);
	g_free(work->levels);
	g_byte_array_unref(work->plain);
	g_byte_array_unref(work->packed);
	g_byte_array_unref(work->head);
	g_free(work);
}

static gboolean is_text(const struct parquet_column *column)
{
	return column->texts != PARQUET_NO_TEXTS;
}

gboolean parquet_column_init(struct parquet_column *column, const struct iot_db_column *is,
			     GError **error)
{
	column->is = *is;
	column->name = g_strdup(is->name);
	column->is.name = column->name;
	if (is->kind == IOT_DB_MIXED || is->kind == IOT_DB_TEXT)
		column->texts = is->kind == IOT_DB_TEXT && is->attr ? PARQUET_ATTRS : PARQUET_OWN;
	column->plain = is->kind == IOT_DB_REAL;
	column->bits = g_malloc0(PARQUET_PAGE / 8);
	column->chunk.spilled = g_array_new(FALSE, FALSE, sizeof(struct parquet_piece));
	column->chunk.head = g_byte_array_new();
	column->chunk.rest = g_byte_array_new();
	column->chunk.least_text = g_string_new(NULL);
	column->chunk.greatest_text = g_string_new(NULL);
	if (column->texts == PARQUET_OWN)
		column->own = iot_intern_new();
	column->values = iot_try_malloc(PARQUET_PAGE * sizeof(*column->values), "columns", error);
	return column->values != NULL;
}

void parquet_column_clear(struct parquet_column *column)
{
	g_free(column->name);
	g_free(column->values);
	g_free(column->bits);
	g_free(column->dictionary.keys);
	g_free(column->dictionary.slots);
	iot_intern_free(column->own);
	if (!column->chunk.rest)
		return;
	g_array_unref(column->chunk.spilled);
	g_byte_array_unref(column->chunk.head);
	g_byte_array_unref(column->chunk.rest);
	g_string_free(column->chunk.least_text, TRUE);
	g_string_free(column->chunk.greatest_text, TRUE);
}

/* --- texts and statistics --- */

/* The text of a value, valid UTF-8; @own: freed by the caller, if it had to be made. */
static const char *text_of(const struct parquet_table *table, const struct parquet_column *column,
			   guint64 key, char digits[IOT_DIGITS_ROOM], gsize *out_len, char **own)
{
	const char *text;

	*own = NULL;
	if (column->texts == PARQUET_MARKS) {
		text = iot_item_flag_names((guint)key);
		*out_len = strlen(text);
		return text;
	}
	if (column->texts == PARQUET_OWN)
		text = iot_intern_get(column->own, (guint32)key, out_len);
	else
		text = iot_tl_text(table->tl, key, digits, out_len);
	if (g_utf8_validate_len(text, *out_len, NULL))
		return text;
	*own = iot_escape_bytes(text, *out_len);
	*out_len = strlen(*own);
	return *own;
}

static int compare(const char *text, gsize len, const GString *with)
{
	int order = memcmp(text, with->str, MIN(len, with->len));

	return order ? order : (len > with->len) - (len < with->len);
}

static void set_text(GString *to, const char *text, gsize len)
{
	g_string_truncate(to, 0);
	g_string_append_len(to, text, (gssize)len);
}

static void note_text(struct parquet_chunk *chunk, const char *text, gsize len)
{
	if (len > MAX_STATISTIC) {
		chunk->long_text = TRUE;
		return;
	}
	if (!chunk->any || compare(text, len, chunk->least_text) < 0)
		set_text(chunk->least_text, text, len);
	if (!chunk->any || compare(text, len, chunk->greatest_text) > 0)
		set_text(chunk->greatest_text, text, len);
	chunk->any = TRUE;
}

/* Statistics of the page's numbers; returns how many bits the greatest distance of two has. */
static guint note_numbers(struct parquet_column *column)
{
	struct parquet_chunk *chunk = &column->chunk;
	guint64 sign = column->is.kind == IOT_DB_INT ? G_GUINT64_CONSTANT(1) << 63 : 0;
	guint64 least = G_MAXUINT64, greatest = 0;

	for (guint i = 0; i < column->n; i++) {
		guint64 value = column->values[i] ^ sign;

		least = MIN(least, value);
		greatest = MAX(greatest, value);
	}
	chunk->least = chunk->any ? MIN(chunk->least ^ sign, least) ^ sign : least ^ sign;
	chunk->greatest =
		chunk->any ? MAX(chunk->greatest ^ sign, greatest) ^ sign : greatest ^ sign;
	chunk->any = TRUE;
	return parquet_width(greatest - least);
}

/* --- dictionary --- */

static void rehash(struct parquet_dictionary *dictionary, guint slots)
{
	g_free(dictionary->slots);
	dictionary->slots = g_new0(guint32, slots);
	dictionary->keys = g_renew(guint64, dictionary->keys, slots / 2);
	dictionary->mask = slots - 1;
	for (guint i = 0; i < dictionary->n; i++) {
		guint at = (guint)(iot_hash_mix(0, dictionary->keys[i]) & dictionary->mask);

		while (dictionary->slots[at])
			at = (at + 1) & dictionary->mask;
		dictionary->slots[at] = i + 1;
	}
}

/* The number of a value, which is added if it is new. */
static inline guint32 find(struct parquet_dictionary *dictionary, guint64 key)
{
	guint at = (guint)(iot_hash_mix(0, key) & dictionary->mask);
	guint32 slot;

	while ((slot = dictionary->slots[at])) {
		if (G_LIKELY(dictionary->keys[slot - 1] == key))
			return slot - 1;
		at = (at + 1) & dictionary->mask;
	}
	if (2 * (dictionary->n + 1) > dictionary->mask) {
		rehash(dictionary, 2 * (dictionary->mask + 1));
		return find(dictionary, key);
	}
	dictionary->slots[at] = dictionary->n + 1;
	dictionary->keys[dictionary->n] = key;
	return dictionary->n++;
}

/* Sizes of the texts of new entries, which are noted in the statistics. */
static guint64 note_entries(struct parquet_table *table, struct parquet_column *column, guint from)
{
	guint64 bytes = 0;

	for (guint i = from; i < column->dictionary.n; i++) {
		char digits[IOT_DIGITS_ROOM];
		g_autofree char *own = NULL;
		gsize len;
		const char *text =
			text_of(table, column, column->dictionary.keys[i], digits, &len, &own);

		note_text(&column->chunk, text, len);
		bytes += 4 + len;
	}
	return bytes;
}

/*
 * The numbers of the page's values, to work->numbers. FALSE: a dictionary is no use, and does not
 * have the new values of this page. @bits: of a number in a page without dictionary.
 */
static gboolean number_values(struct parquet_table *table, struct parquet_column *column,
			      guint bits)
{
	struct parquet_dictionary *dictionary = &column->dictionary;
	guint before = dictionary->n, most = before + column->n - column->n / 4;
	guint64 key = 0, bytes;
	guint32 number = 0;

	if (!dictionary->slots)
		rehash(dictionary, MIN_SLOTS);
	if (column->n < 64)
		most = before + column->n;
	for (guint i = 0; i < column->n; i++) {
		if (!i || column->values[i] != key) {
			key = column->values[i];
			number = find(dictionary, key);
			if (dictionary->n > most || dictionary->n > MAX_ENTRIES)
				break;
		}
		table->work->numbers[i] = number;
	}
	if (dictionary->n > most || dictionary->n > MAX_ENTRIES) {
		dictionary->n = before;
		return FALSE;
	}
	bytes = is_text(column) ? note_entries(table, column, before)
				: 8 * (dictionary->n - before);
	if ((is_text(column) && dictionary->bytes + bytes > MAX_DICTIONARY) ||
	    (!is_text(column) && 8 * bytes + (guint64)column->n * parquet_width(dictionary->n) >
					 (guint64)column->n * bits + 64)) {
		dictionary->n = before;
		return FALSE;
	}
	dictionary->bytes += bytes;
	return TRUE;
}

/* --- pages --- */

static void put_plain(struct parquet_table *table, struct parquet_column *column, GByteArray *out,
		      const guint64 *values, guint n, gboolean note)
{
	for (guint i = 0; i < n; i++) {
		char digits[IOT_DIGITS_ROOM];
		g_autofree char *own = NULL;
		const char *text;
		gsize len;

		if (!is_text(column)) {
			parquet_put_number(out, values[i]);
			continue;
		}
		text = text_of(table, column, values[i], digits, &len, &own);
		if (note)
			note_text(&column->chunk, text, len);
		parquet_put_bytes(out, text, len);
	}
}

/* Which rows have a value: with their length before them. Absent rows of earlier pages come first.
 */
static void put_levels(struct parquet_work *work, struct parquet_column *column, guint rows)
{
	GByteArray *out = work->plain;
	guint at = out->len;
	guint32 len = 0;

	if (column->is.always)
		return;
	g_byte_array_append(out, (const guint8 *)&len, sizeof(len));
	if (column->n_absent_rows)
		parquet_put_run(out, 0, column->n_absent_rows, 1);
	if (column->n == rows || !column->n) {
		if (rows)
			parquet_put_run(out, column->n > 0, rows, 1);
	} else {
		for (guint i = 0; i < rows; i++)
			work->levels[i] = column->bits[i >> 3] >> (i & 7) & 1;
		parquet_put_runs(out, work->levels, rows, 1);
	}
	len = GUINT32_TO_LE(out->len - at - (guint)sizeof(len));
	memcpy(out->data + at, &len, sizeof(len));
}

/* The values, after the levels. Returns the encoding. */
static guint put_values(struct parquet_table *table, struct parquet_column *column)
{
	struct parquet_work *work = table->work;
	guint8 width;

	if (!column->plain) {
		width = (guint8)MAX(parquet_width(column->dictionary.n - 1), 1);
		g_byte_array_append(work->plain, &width, 1);
		parquet_put_runs(work->plain, work->numbers, column->n, width);
		return PARQUET_DICTIONARY;
	}
	if (is_text(column) || column->is.kind == IOT_DB_REAL) {
		put_plain(table, column, work->plain, column->values, column->n, TRUE);
		return PARQUET_PLAIN;
	}
	parquet_put_deltas(work->plain, column->values, column->n);
	return PARQUET_DELTA;
}

/* work->plain as a page, appended to @to: its head and its bytes, compressed. */
static gboolean put_page(struct parquet_table *table, struct parquet_column *column, guint n,
			 guint encoding, gboolean is_dictionary, GByteArray *to, GError **error)
{
	struct parquet_work *work = table->work;
	struct parquet_chunk *chunk = &column->chunk;
	gsize bound = ZSTD_compressBound(work->plain->len), len;
	struct parquet_thrift head = parquet_thrift_begin(work->head), inner;
	guint before = to->len;

	g_byte_array_set_size(work->packed, (guint)bound);
	len = ZSTD_compressCCtx(work->zstd, work->packed->data, bound, work->plain->data,
				work->plain->len, ZSTD_LEVEL);
	if (ZSTD_isError(len)) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_MEMORY, "zstd: %s", ZSTD_getErrorName(len));
		return FALSE;
	}
	/* deltas are often as short as they can be */
	if (!chunk->n_pages && !is_dictionary)
		chunk->codec = encoding == PARQUET_DELTA && len + len / 8 > work->plain->len
				       ? PARQUET_UNCOMPRESSED
				       : PARQUET_ZSTD;
	if (chunk->codec == PARQUET_UNCOMPRESSED)
		len = work->plain->len;
	g_byte_array_set_size(work->head, 0);
	parquet_thrift_int(&head, 1, THRIFT_I32, is_dictionary ? 2 : 0);
	parquet_thrift_int(&head, 2, THRIFT_I32, work->plain->len);
	parquet_thrift_int(&head, 3, THRIFT_I32, (gint64)len);
	inner = parquet_thrift_struct(&head, is_dictionary ? 7 : 5);
	parquet_thrift_int(&inner, 1, THRIFT_I32, n);
	parquet_thrift_int(&inner, 2, THRIFT_I32, encoding);
	if (!is_dictionary) {
		parquet_thrift_int(&inner, 3, THRIFT_I32, PARQUET_RLE);
		parquet_thrift_int(&inner, 4, THRIFT_I32, PARQUET_RLE);
	}
	parquet_thrift_end(&inner);
	parquet_thrift_end(&head);
	g_byte_array_append(to, work->head->data, work->head->len);
	g_byte_array_append(
		to, chunk->codec == PARQUET_UNCOMPRESSED ? work->plain->data : work->packed->data,
		(guint)len);
	chunk->bytes += to->len - before;
	chunk->plain_bytes += work->head->len + work->plain->len;
	chunk->n_pages += !is_dictionary;
	return TRUE;
}

/* The dictionary is complete. */
static gboolean put_dictionary(struct parquet_table *table, struct parquet_column *column,
			       GError **error)
{
	struct parquet_dictionary *dictionary = &column->dictionary;
	guint n = dictionary->n;

	if (!n)
		return TRUE;
	g_byte_array_set_size(table->work->plain, 0);
	put_plain(table, column, table->work->plain, dictionary->keys, n, FALSE);
	dictionary->n = 0;
	return put_page(table, column, n, PARQUET_PLAIN, TRUE, column->chunk.head, error);
}

static void forget_texts(struct parquet_column *column)
{
	if (!column->own)
		return;
	iot_intern_free(column->own);
	column->own = iot_intern_new();
}

gboolean parquet_column_page(struct parquet_table *table, struct parquet_column *column, guint rows,
			     GError **error)
{
	guint n = column->n_absent_rows + rows, encoding;
	guint bits = 0;

	column->chunk.n_absent += rows - column->n;
	if (!column->n) { /* one page has all absent rows that follow each other */
		column->n_absent_rows += rows;
		return TRUE;
	}
	if (!is_text(column) && column->is.kind != IOT_DB_REAL)
		bits = note_numbers(column);
	if (!column->plain && !number_values(table, column, bits)) {
		column->plain = TRUE;
		if (!put_dictionary(table, column, error))
			return FALSE;
	}
	g_byte_array_set_size(table->work->plain, 0);
	put_levels(table->work, column, rows);
	encoding = put_values(table, column);
	column->n = 0;
	column->n_absent_rows = 0;
	if (!column->is.always)
		memset(column->bits, 0, PARQUET_PAGE / 8);
	if (column->plain)
		forget_texts(column);
	return put_page(table, column, n, encoding, FALSE, column->chunk.rest, error);
}

gboolean parquet_column_finish(struct parquet_table *table, struct parquet_column *column,
			       GError **error)
{
	guint rows = column->n_absent_rows;

	if (rows) {
		g_byte_array_set_size(table->work->plain, 0);
		put_levels(table->work, column, 0);
		column->n_absent_rows = 0;
		if (!put_page(table, column, rows, PARQUET_PLAIN, FALSE, column->chunk.rest, error))
			return FALSE;
	}
	return put_dictionary(table, column, error);
}

void parquet_column_restart(struct parquet_column *column)
{
	struct parquet_chunk *chunk = &column->chunk;
	struct parquet_dictionary *dictionary = &column->dictionary;

	if (dictionary->slots)
		memset(dictionary->slots, 0, (dictionary->mask + 1) * sizeof(*dictionary->slots));
	dictionary->n = 0;
	dictionary->bytes = 0;
	column->plain = column->is.kind == IOT_DB_REAL;
	forget_texts(column);
	g_byte_array_set_size(chunk->head, 0);
	g_array_set_size(chunk->spilled, 0);
	g_byte_array_set_size(chunk->rest, 0);
	chunk->bytes = chunk->plain_bytes = chunk->n_absent = 0;
	chunk->n_pages = 0;
	chunk->any = chunk->long_text = FALSE;
}
