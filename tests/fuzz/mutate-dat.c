/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A mutator that knows the structure of trace-cmd files: it changes an option, a page, an event or
 * a format, and keeps the lengths around it right. Damage at arbitrary bytes is refused long before
 * the reader reaches events, or hits packed data, always with the same error.
 *
 * Packed data are unpacked, changed and packed again. They must not become longer, because offsets
 * of later data are all over the file. If they become shorter, a frame that unpackers skip fills
 * the gap.
 */
#include "fuzz-source.h"

#include <string.h>
#include <zstd.h>

enum {
	MAX_UNPACKED = 4 << 20,
	MAX_BLOCKS = 256,
	PAGE = 4096,
	CHUNK_HEADER = 8, /* packed and unpacked size before a frame */
	SKIP_HEADER = 8,  /* of a frame that is skipped */
	SECTION_HEADER = 16,
	MAX_OPTIONS = 64,
};

static const guint8 magic[] = { 0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g' };
static const guint8 zstd_magic[] = { 0x28, 0xb5, 0x2f, 0xfd };

struct random {
	guint64 state;
};

struct file {
	guint8 *data;
	gsize len;
	gboolean big;
	gsize word;	 /* bytes of a long: 4 or 8 */
	guint64 options; /* offset of the first section of options; 0: none, as in version 6 */
};

/* Bytes that are changed together. */
struct piece {
	guint8 *data;
	gsize len;
};

static guint32 below(struct random *random, gsize n)
{
	random->state = random->state * 6364136223846793005u + 1442695040888963407u;
	return n ? (guint32)((random->state >> 32) % n) : 0;
}

static guint64 load(const struct file *file, const guint8 *p, gsize n)
{
	guint64 value = 0;

	for (gsize i = 0; i < n; i++)
		value |= (guint64)p[i] << 8 * (file->big ? n - 1 - i : i);
	return value;
}

static void store(const struct file *file, guint8 *p, gsize n, guint64 value)
{
	for (gsize i = 0; i < n; i++)
		p[i] = (guint8)(value >> 8 * (file->big ? n - 1 - i : i));
}

/* The beginning of the file; FALSE if it is no trace-cmd file. */
static gboolean open_file(struct file *file, guint8 *data, gsize len)
{
	const guint8 *p = data + sizeof(magic), *end = data + len;
	int version;

	*file = (struct file){ .data = data, .len = len };
	if (len < PAGE / 8 || memcmp(data, magic, sizeof(magic)))
		return FALSE;
	version = *p;
	p += 2;
	file->big = *p++ == 1;
	file->word = *p++ == 4 ? 4 : 8;
	p += 4; /* page size */
	if (version != '7')
		return version == '6';
	for (int text = 0; text < 2 && p; text++) { /* name and version of the compression */
		p = memchr(p, 0, (gsize)(end - p));
		p = p ? p + 1 : NULL;
	}
	if (p && end - p >= 8)
		file->options = load(file, p, 8);
	return TRUE;
}

/* A number near its old value, or at an edge. */
static guint64 odd_number(struct random *random, const struct file *file, guint64 old)
{
	static const guint64 edges[] = { 0,	 1,	     0x7f,	 0xff,	     0x7fff,
					 0xffff, 0x7fffffff, 0xffffffff, G_MAXINT64, G_MAXUINT64 };

	switch (below(random, 6)) {
	case 0:
		return edges[below(random, G_N_ELEMENTS(edges))];
	case 1:
		return old + below(random, 9) - 4;
	case 2:
		return old ^ G_GUINT64_CONSTANT(1) << below(random, 64);
	case 3:
		return old * 2;
	case 4:
		return file->len - below(random, 2 * PAGE);
	default:
		return below(random, file->len);
	}
}

static void change_bytes(struct random *random, struct piece piece)
{
	gsize n = 1 + below(random, 32), at;

	if (!piece.len)
		return;
	n = MIN(n, piece.len);
	at = below(random, piece.len - n + 1);
	(void)LLVMFuzzerMutate(piece.data + at, n, n);
}

/* ---- formats: the numbers in their texts */

static void change_format(struct random *random, struct piece piece)
{
	static const char *const before[] = { "offset:", "size:", "signed:", "ID: ", "field:" };
	const char *word = before[below(random, G_N_ELEMENTS(before))];
	gsize from = below(random, piece.len);
	guint8 *hit = memmem(piece.data + from, piece.len - from, word, strlen(word));
	guint8 *end = piece.data + piece.len;

	if (!hit)
		return;
	hit += strlen(word);
	if (!strcmp(word, "field:")) {
		change_bytes(random, (struct piece){ hit, MIN(24u, (gsize)(end - hit)) });
		return;
	}
	for (; hit < end && g_ascii_isdigit(*hit); hit++)
		if (below(random, 2))
			*hit = (guint8)('0' + below(random, 10));
}

/* ---- pages of the ring buffer */

static guint32 event_head(const struct file *file, const guint8 *p, guint32 *out_delta)
{
	guint32 head = (guint32)load(file, p, 4);

	*out_delta = file->big ? head & 0x7ffffff : head >> 5;
	return file->big ? head >> 27 : head & 31;
}

static void put_event_head(const struct file *file, guint8 *p, guint32 type, guint32 delta)
{
	store(file, p, 4, file->big ? type << 27 | (delta & 0x7ffffff) : delta << 5 | (type & 31));
}

/* Skips to a random event of a page; the rest of the page from there on. */
static struct piece find_event(struct random *random, const struct file *file, struct piece page)
{
	guint32 n = below(random, 40), delta;
	gsize at = 8 + file->word;

	while (n-- && at + 8 < page.len) {
		guint32 type = event_head(file, page.data + at, &delta);
		gsize size = 4;

		if (type && type < 29)
			size += 4 * type;
		else if (type >= 30)
			size += 4;
		else
			size += MAX(load(file, page.data + at + 4, 4) & ~(guint64)3, 4);
		if (size >= page.len - at)
			break;
		at += size;
	}
	return (struct piece){ page.data + at, page.len - at };
}

static void change_event(struct random *random, const struct file *file, struct piece page)
{
	static const guint8 types[] = { 0, 1, 2, 28, 29, 30, 31 };
	struct piece event = find_event(random, file, page);
	guint32 delta, type;

	if (event.len < 12)
		return;
	type = event_head(file, event.data, &delta);
	switch (below(random, 6)) {
	case 0:
		put_event_head(file, event.data, types[below(random, sizeof(types))], delta);
		break;
	case 1:
		put_event_head(file, event.data, type, (guint32)odd_number(random, file, delta));
		break;
	case 2: /* its number */
		store(file, event.data + 4, 2,
		      odd_number(random, file, load(file, event.data + 4, 2)));
		break;
	case 3: /* a length of an event of any size, or an absolute time */
		store(file, event.data + 4, 4,
		      odd_number(random, file, load(file, event.data + 4, 4)));
		break;
	case 4: /* a reference to a text */
		store(file, event.data + 12 - 4, 4,
		      (guint64)below(random, 64) << 16 | below(random, 128));
		break;
	default:
		change_bytes(random, (struct piece){ event.data, MIN(event.len, 80) });
	}
}

/* Time and valid bytes. */
static void change_page_head(struct random *random, const struct file *file, struct piece page)
{
	guint64 ts = load(file, page.data, 8), commit = load(file, page.data + 8, file->word);

	switch (below(random, 5)) {
	case 0:
		ts = odd_number(random, file, ts);
		break;
	case 1:
		ts += ((guint64)below(random, 1 << 30) << below(random, 20)) *
		      (below(random, 2) ? 1u : -1u);
		break;
	case 2:
		commit ^= below(random, 2) ? 0x80000000u : 0xc0000000u;
		break;
	case 3: /* the number of lost events */
		commit = 0xc0000000u | below(random, 512) * 4;
		break;
	default:
		commit = (commit & 0xc0000000u) | below(random, PAGE + 8);
	}
	store(file, page.data, 8, ts);
	store(file, page.data + 8, file->word, commit);
}

static void change_pages(struct random *random, const struct file *file, struct piece pages)
{
	gsize n = pages.len / PAGE;
	struct piece page = { pages.data + (gsize)PAGE * below(random, n), PAGE };
	guint8 *other = pages.data + (gsize)PAGE * below(random, n);

	if (!n)
		return;
	switch (below(random, 8)) {
	case 0:
		change_page_head(random, file, page);
		break;
	case 1:
		memmove(page.data, other, PAGE);
		break;
	case 2:
		memset(page.data, 0, below(random, 2) ? PAGE : below(random, PAGE));
		break;
	default:
		change_event(random, file, page);
	}
}

/* ---- options of version 7 */

static guint find_options(const struct file *file, struct piece piece, struct piece *found)
{
	gsize at = 0;
	guint n = 0;

	while (n < MAX_OPTIONS && piece.len - at >= 6) {
		gsize size = (gsize)load(file, piece.data + at + 2, 4);

		if (size > piece.len - at - 6)
			break;
		found[n++] = (struct piece){ piece.data + at, 6 + size };
		at += 6 + size;
	}
	return n;
}

/* Exchanges two neighbours. */
static void swap_options(const struct piece *a)
{
	g_autofree guint8 *copy = g_memdup2(a[0].data, a[0].len);
	guint8 *to = a[0].data;

	memmove(to, a[1].data, a[1].len);
	memcpy(to + a[1].len, copy, a[0].len);
}

static void change_options(struct random *random, const struct file *file, struct piece piece)
{
	struct piece found[MAX_OPTIONS], option, value;
	guint n = find_options(file, piece, found), which = below(random, n);
	gsize size = below(random, 2) ? 4 : 8;

	if (!n)
		return;
	option = found[which];
	value = (struct piece){ option.data + 6, option.len - 6 };
	switch (below(random, 6)) {
	case 0:
		store(file, option.data, 2, below(random, 26));
		break;
	case 1:
		if (which + 1 < n)
			swap_options(&found[which]);
		break;
	case 2:
		store(file, option.data + 2, 4, odd_number(random, file, value.len));
		break;
	case 3:
		change_bytes(random, value);
		break;
	default:
		if (value.len >= size) {
			guint8 *at = value.data + below(random, value.len - size + 1);

			store(file, at, size, odd_number(random, file, load(file, at, size)));
		}
	}
}

/* ---- the file and its packed blocks */

static gsize option_bytes(const struct file *file)
{
	return file->options && file->options < file->len - SECTION_HEADER
		       ? (gsize)file->options + SECTION_HEADER
		       : 0;
}

/* A random block: the offset of its two sizes; 0 if there is none. */
static gsize find_packed(struct random *random, const struct file *file)
{
	gsize found[MAX_BLOCKS];
	guint n = 0;

	for (guint8 *p = file->data + CHUNK_HEADER, *end = file->data + file->len;
	     n < MAX_BLOCKS && (p = memmem(p, (gsize)(end - p), zstd_magic, sizeof(zstd_magic)));
	     p++) {
		guint64 packed = load(file, p - 8, 4), unpacked = load(file, p - 4, 4);

		if (packed <= (gsize)(end - p) && unpacked && unpacked <= MAX_UNPACKED)
			found[n++] = (gsize)(p - file->data) - CHUNK_HEADER;
	}
	return n ? found[below(random, n)] : 0;
}

static gboolean pack_again(guint8 *to, gsize room, struct piece plain)
{
	g_autofree guint8 *packed = g_malloc(ZSTD_compressBound(plain.len));
	static const int levels[] = { 5, 12 };

	for (guint i = 0; i < G_N_ELEMENTS(levels); i++) {
		gsize n = ZSTD_compress(packed, ZSTD_compressBound(plain.len), plain.data,
					plain.len, levels[i]);
		gsize left = room - n;

		if (ZSTD_isError(n) || n > room || (left && left < SKIP_HEADER))
			continue;
		memcpy(to, packed, n);
		memset(to + n, 0, left);
		if (left) { /* always little-endian */
			guint32 head[2] = { GUINT32_TO_LE(ZSTD_MAGIC_SKIPPABLE_START),
					    GUINT32_TO_LE((guint32)(left - SKIP_HEADER)) };

			memcpy(to + n, head, sizeof(head));
		}
		return TRUE;
	}
	return FALSE;
}

/* The content of the block shows its kind. */
static void change_plain(struct random *random, const struct file *file, struct piece plain,
			 gboolean options)
{
	if (options)
		change_options(random, file, plain);
	else if (memmem(plain.data, MIN(plain.len, 4096), "field:", 6))
		change_format(random, plain);
	else if (plain.len >= PAGE && plain.len % PAGE == 0)
		change_pages(random, file, plain);
	else
		change_bytes(random, plain);
}

static gboolean change_packed(struct random *random, const struct file *file, gsize at)
{
	guint8 *packed = file->data + at + CHUNK_HEADER;
	gsize size = (gsize)load(file, file->data + at, 4);
	gsize unpacked = (gsize)load(file, file->data + at + 4, 4);
	g_autofree guint8 *plain = g_malloc(unpacked);
	gsize n = ZSTD_decompress(plain, unpacked, packed, size);

	if (ZSTD_isError(n) || !n)
		return FALSE;
	for (guint times = 1 + below(random, 4); times; times--)
		change_plain(random, file, (struct piece){ plain, n }, at == option_bytes(file));
	return pack_again(packed, size, (struct piece){ plain, n });
}

/* In a file that is not packed, pages begin at multiples of their size. */
static void change_in_place(struct random *random, const struct file *file)
{
	struct piece all = { file->data, file->len };
	gsize options = option_bytes(file), skip = (gsize)PAGE * (1 + below(random, 4));

	skip = MIN(skip, file->len);
	switch (below(random, 4)) {
	case 0:
		if (options)
			change_options(random, file,
				       (struct piece){ file->data + options, file->len - options });
		break;
	case 1:
		change_format(random, all);
		break;
	default:
		change_pages(random, file, (struct piece){ all.data + skip, all.len - skip });
	}
}

size_t LLVMFuzzerCustomMutator(guint8 *data, size_t len, size_t max_len, unsigned int seed)
{
	struct random random = { seed };
	struct file file;
	gsize at;

	if (!open_file(&file, data, len) || !below(&random, 8))
		return LLVMFuzzerMutate(data, len, max_len);
	at = find_packed(&random, &file);
	if (!at || !below(&random, 4) || !change_packed(&random, &file, at))
		change_in_place(&random, &file);
	return len;
}
