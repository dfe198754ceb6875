/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/rastro/rastro-file.h"

/* The library's own records. */
enum { INIT = 0x3fff, STOP = 0x3ffe };

/* The first header of a record, and its further ones. */
enum { TYPE_SHIFT = 18, IS_LAST = 1 << 17, HAS_BASE = 1 << 16, CODES_FIRST = 4 };
enum { IS_LAST_FURTHER = 1 << 29, CODES_FURTHER = 7 };
#define FIRST_HEADER 0xffff4410u /* INIT, last header, with base: two u64, one string */

enum code { NONE, STRING, F64, F32, U64, U16, U8, U32, N_CODES };

gboolean iot_rastro_is(const guint8 *head, gsize len)
{
	return len >= sizeof(guint32) && (iot_load_u32(head, FALSE) == FIRST_HEADER ||
					  iot_load_u32(head, TRUE) == FIRST_HEADER);
}

/* Records and strings are padded to 4 bytes; some writers leave out the padding at the end. */
static void skip_padding(struct iot_rastro_file *file)
{
	const char *begin = g_mapped_file_get_contents(file->map);
	gsize odd = (gsize)((const char *)file->at.p - begin) % 4;

	if (odd)
		iot_bytes_take(&file->at, MIN(4 - odd, iot_bytes_left(&file->at)));
}

static struct iot_rastro_text take_text(struct iot_rastro_file *file)
{
	struct iot_rastro_text text = { (const char *)file->at.p, 0 };
	const guint8 *end = memchr(file->at.p, 0, iot_bytes_left(&file->at));

	if (!end) {
		file->at.bad = TRUE;
		return text;
	}
	text.len = (gsize)((const char *)end - text.p);
	iot_bytes_take(&file->at, text.len + 1);
	skip_padding(file);
	return text;
}

static void put_int(struct iot_rastro_event *event, guint64 value)
{
	if (event->n_ints < IOT_RASTRO_INTS)
		event->ints[event->n_ints++] = (gint64)value;
	else
		event->n_left_out++;
}

static void put_real(struct iot_rastro_event *event, double value)
{
	if (event->n_reals < IOT_RASTRO_REALS)
		event->reals[event->n_reals++] = value;
	else
		event->n_left_out++;
}

static void put_text(struct iot_rastro_event *event, struct iot_rastro_text text)
{
	if (event->n_texts < IOT_RASTRO_TEXTS)
		event->texts[event->n_texts++] = text;
	else
		event->n_left_out++;
}

static void take_value(struct iot_rastro_file *file, enum code code, struct iot_rastro_event *event)
{
	struct iot_bytes *at = &file->at;
	guint64 bits64;
	guint32 bits32;
	const guint8 *byte;
	double f64;
	float f32;

	switch (code) {
	case STRING:
		put_text(event, take_text(file));
		break;
	case F64:
		bits64 = iot_bytes_u64(at);
		memcpy(&f64, &bits64, sizeof(f64));
		put_real(event, f64);
		break;
	case F32:
		bits32 = iot_bytes_u32(at);
		memcpy(&f32, &bits32, sizeof(f32));
		put_real(event, (double)f32);
		break;
	case U64:
		put_int(event, iot_bytes_u64(at));
		break;
	case U16:
		put_int(event, iot_bytes_u16(at));
		break;
	case U8:
		byte = iot_bytes_take(at, 1);
		put_int(event, byte ? *byte : 0);
		break;
	case U32:
		put_int(event, iot_bytes_u32(at));
		break;
	default:
		break;
	}
}

/* The codes of all headers of a record, from left to right; FALSE: one is not known. */
static gboolean add_codes(GByteArray *codes, guint32 header, guint n)
{
	for (guint i = n; i > 0; i--) {
		guint8 code = header >> (4 * (i - 1)) & 15;

		if (code >= N_CODES)
			return FALSE;
		if (code != NONE)
			g_byte_array_append(codes, &code, 1);
	}
	return TRUE;
}

static gboolean take_base(struct iot_rastro_file *file)
{
	file->base_s = iot_bytes_u64(&file->at);
	file->resolution = iot_bytes_u64(&file->at);
	return file->at.bad || (file->resolution && file->base_s < G_MAXINT64 / 1000000000);
}

/* Ticks count from the base. FALSE: not before the year 2262. */
static gboolean time_of(const struct iot_rastro_file *file, guint64 ticks, guint64 *out_ns)
{
	unsigned __int128 ns =
		file->resolution ? (unsigned __int128)ticks * 1000000000 / file->resolution : 0;

	ns += (unsigned __int128)file->base_s * 1000000000;
	*out_ns = (guint64)ns;
	return ns <= G_MAXINT64;
}

/* FALSE: it makes no sense. Whether it is whole, at.bad says. */
static gboolean take_record(struct iot_rastro_file *file, struct iot_rastro_event *event)
{
	g_autoptr(GByteArray) codes = g_byte_array_new();
	guint32 header = iot_bytes_u32(&file->at);
	gboolean last = header & IS_LAST;
	guint64 ticks;

	*event = (struct iot_rastro_event){ .type = header >> TYPE_SHIFT };
	if (!add_codes(codes, header, CODES_FIRST))
		return FALSE;
	if (header & HAS_BASE && !take_base(file))
		return FALSE;
	ticks = iot_bytes_u64(&file->at);
	while (!last && !file->at.bad) {
		header = iot_bytes_u32(&file->at);
		last = header & IS_LAST_FURTHER;
		if (!add_codes(codes, header, CODES_FURTHER))
			return FALSE;
	}
	for (guint i = 0; i < codes->len && !file->at.bad; i++)
		take_value(file, (enum code)codes->data[i], event);
	skip_padding(file);
	return time_of(file, ticks, &event->ns);
}

gboolean iot_rastro_next(struct iot_rastro_file *file, struct iot_rastro_event *event)
{
	gboolean sound;

	if (file->ends || file->cut || file->strange || !iot_bytes_left(&file->at))
		return FALSE;
	sound = take_record(file, event);
	file->cut = file->at.bad;
	file->strange = !file->cut && (!sound || event->type == INIT);
	file->ends = !file->cut && !file->strange && event->type == STOP;
	return !file->cut && !file->strange && !file->ends;
}

/* Before the first event is the record INIT. */
static gboolean take_init(struct iot_rastro_file *file)
{
	struct iot_rastro_event init;

	if (!take_record(file, &init) || file->at.bad || init.n_ints < 2 || init.n_texts < 1)
		return FALSE;
	file->id1 = (guint64)init.ints[0];
	file->id2 = (guint64)init.ints[1];
	if (!file->host)
		file->host = g_strndup(init.texts[0].p, init.texts[0].len);
	file->begins = TRUE;
	return TRUE;
}

void iot_rastro_rewind(struct iot_rastro_file *file)
{
	gboolean big_endian = file->at.big_endian;

	iot_bytes_init(&file->at, (const guint8 *)g_mapped_file_get_contents(file->map),
		       g_mapped_file_get_length(file->map), big_endian);
	file->ends = file->cut = file->strange = FALSE;
	file->cut = !take_init(file);
}

struct iot_rastro_file *iot_rastro_open(const char *path)
{
	GMappedFile *map = g_mapped_file_new(path, FALSE, NULL);
	const guint8 *data = map ? (const guint8 *)g_mapped_file_get_contents(map) : NULL;
	gsize len = map ? g_mapped_file_get_length(map) : 0;
	struct iot_rastro_file *file;

	if (!data || !iot_rastro_is(data, len)) {
		g_clear_pointer(&map, g_mapped_file_unref);
		return NULL;
	}
	file = g_new0(struct iot_rastro_file, 1);
	file->map = map;
	file->at.big_endian = iot_load_u32(data, TRUE) == FIRST_HEADER;
	iot_rastro_rewind(file);
	return file;
}

void iot_rastro_free(struct iot_rastro_file *file)
{
	if (!file)
		return;
	g_mapped_file_unref(file->map);
	g_free(file->host);
	g_free(file);
}
