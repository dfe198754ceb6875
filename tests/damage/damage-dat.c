/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a copy of a trace-cmd file with one random damage to its events, as it happens to real
 * recordings. Formats, options and clock samples stay as they are.
 *
 * usage: damage-dat KIND SEED IN OUT
 *
 * blank, flip: bytes of packed data are set to 0, or bits of them change
 * page: the rest of a page is zeros or ones
 * lost: pages are lost, and the kernel says so
 * begin, end: the recording begins later, or ends earlier
 *
 * Only packed files of version 7. Little-endian machines.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum {
	PAGE = 4096,
	PAGE_HEAD = 16, /* time and valid bytes */
	CHUNK_HEAD = 8, /* packed and unpacked size */
	SKIP_HEAD = 8,	/* of a frame that unpackers skip */
	MAX_CHUNKS = 4096,
	MAX_UNPACKED = 16 << 20,
	LOST = 1u << 31, /* in the valid bytes of a page: events before it are lost */
};

struct chunk {
	uint8_t *packed; /* after its two sizes */
	uint32_t n_packed, n_plain;
};

struct file {
	uint8_t *data;
	size_t len;
	struct chunk chunk[MAX_CHUNKS];
	unsigned n;
};

static uint64_t state;

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "damage-dat: %s\n", what);
	exit(2);
}

static uint32_t below(size_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return n ? (uint32_t)((state >> 32) % n) : 0;
}

static uint32_t load32(const uint8_t *p)
{
	uint32_t value;

	memcpy(&value, p, sizeof(value));
	return value;
}

static uint64_t load64(const uint8_t *p)
{
	uint64_t value;

	memcpy(&value, p, sizeof(value));
	return value;
}

static void store32(uint8_t *p, uint32_t value)
{
	memcpy(p, &value, sizeof(value));
}

/* ---- chunks */

static uint8_t *unpack(const struct chunk *chunk)
{
	uint8_t *plain = malloc(chunk->n_plain);

	if (!plain || ZSTD_decompress(plain, chunk->n_plain, chunk->packed, chunk->n_packed) !=
			      chunk->n_plain)
		fail("a chunk cannot be unpacked");
	return plain;
}

/* The packed data keep their length: a frame that is skipped fills the rest. */
static void pack(const struct chunk *chunk, uint8_t *plain)
{
	size_t bound = ZSTD_compressBound(chunk->n_plain), n = 0, left = 1;
	uint8_t *packed = malloc(bound);

	for (int level = 3; packed && level < 20; level++) {
		n = ZSTD_compress(packed, bound, plain, chunk->n_plain, level);
		left = chunk->n_packed - n;
		if (!ZSTD_isError(n) && n <= chunk->n_packed && (!left || left >= SKIP_HEAD))
			break;
		n = 0;
	}
	if (!n)
		fail("changed data do not fit");
	memcpy(chunk->packed, packed, n);
	memset(chunk->packed + n, 0, left);
	if (left) {
		store32(chunk->packed + n, ZSTD_MAGIC_SKIPPABLE_START);
		store32(chunk->packed + n + 4, (uint32_t)(left - SKIP_HEAD));
	}
	free(packed);
	free(plain);
}

/* Chunks of events: whole pages, and no text of formats. */
static void find_chunks(struct file *file)
{
	static const uint8_t magic[] = { 0x28, 0xb5, 0x2f, 0xfd };
	uint8_t *end = file->data + file->len, *p = file->data + CHUNK_HEAD;

	while (file->n < MAX_CHUNKS && (p = memmem(p, (size_t)(end - p), magic, sizeof(magic)))) {
		struct chunk chunk = { p, load32(p - 8), load32(p - 4) };
		uint8_t *plain;

		p++;
		if (chunk.n_packed > (size_t)(end - chunk.packed) || !chunk.n_plain ||
		    chunk.n_plain > MAX_UNPACKED || chunk.n_plain % PAGE)
			continue;
		plain = malloc(chunk.n_plain);
		if (plain &&
		    ZSTD_decompress(plain, chunk.n_plain, chunk.packed, chunk.n_packed) ==
			    chunk.n_plain &&
		    !memmem(plain, PAGE, "field:", 6) && load64(plain) &&
		    (load32(plain + 8) & 0xfffff) <= PAGE - PAGE_HEAD)
			file->chunk[file->n++] = chunk;
		free(plain);
	}
	if (!file->n)
		fail("the file has no packed events");
}

static void read_file(struct file *file, const char *path)
{
	FILE *in = fopen(path, "rb");
	long len;

	if (!in || fseek(in, 0, SEEK_END) || (len = ftell(in)) <= 0 || fseek(in, 0, SEEK_SET))
		fail(strerror(errno));
	file->len = (size_t)len;
	file->data = malloc(file->len);
	if (!file->data || fread(file->data, 1, file->len, in) != file->len)
		fail("the file cannot be read");
	fclose(in);
	find_chunks(file);
}

/* ---- events of a page */

/* The event at @at: where its data begin, its end and time; its type below 29 if it has data. */
struct event {
	uint32_t at, end, type;
	uint64_t ts;
};

/* FALSE: the page ends. @event: the event before; for the first one at and ts of the page. */
static int next_event(const uint8_t *page, struct event *event)
{
	uint32_t end = PAGE_HEAD + (load32(page + 8) & 0xfffff), head, delta;

	event->at = event->end;
	if (event->at + 4 > end)
		return 0;
	head = load32(page + event->at);
	event->type = head & 31;
	delta = head >> 5;
	event->end = event->at + 4;
	if (event->type == 30)
		event->ts += ((uint64_t)load32(page + event->at + 4) << 27) + delta;
	else if (event->type == 31)
		event->ts = (event->ts >> 59 << 59) +
			    (((uint64_t)load32(page + event->at + 4) << 27) + delta);
	else
		event->ts += delta;
	if (event->type >= 30)
		event->end += 4;
	else if (event->type == 29)
		event->end = end;
	else if (event->type)
		event->end += 4 * event->type;
	else
		event->end += load32(page + event->at + 4) & ~3u;
	return event->end > event->at && event->end <= end;
}

static struct event first_event(const uint8_t *page)
{
	return (struct event){ .end = PAGE_HEAD, .ts = load64(page) };
}

static int has_data(const struct event *event)
{
	return event->type < 29;
}

static void begin_page(uint8_t *page, uint64_t from)
{
	uint32_t flags_end = PAGE_HEAD + (load32(page + 8) & 0xfffff);
	struct event event = first_event(page);

	if (load64(page) >= from)
		return;
	while (next_event(page, &event)) {
		uint32_t head;

		if (event.ts < from || !has_data(&event))
			continue;
		head = load32(page + event.at) & 31;
		memcpy(page, &event.ts, 8);
		memmove(page + PAGE_HEAD, page + event.at, flags_end - event.at);
		store32(page + PAGE_HEAD, head);
		store32(page + 8, flags_end - event.at);
		memset(page + PAGE_HEAD + flags_end - event.at, 0,
		       PAGE - PAGE_HEAD - (flags_end - event.at));
		return;
	}
	store32(page + 8, 0);
	memset(page + PAGE_HEAD, 0, PAGE - PAGE_HEAD);
}

static void end_page(uint8_t *page, uint64_t to)
{
	struct event event = first_event(page);
	uint32_t end = PAGE_HEAD;

	while (next_event(page, &event) && event.ts <= to)
		end = event.end;
	if (end < PAGE_HEAD + (load32(page + 8) & 0xfffff)) {
		store32(page + 8, end - PAGE_HEAD);
		memset(page + end, 0, PAGE - end);
	}
}

/* A random instant between the first and the last page. */
static uint64_t instant(const struct file *file)
{
	uint64_t low = UINT64_MAX, high = 0;

	for (unsigned i = 0; i < file->n; i++) {
		uint8_t *plain = unpack(&file->chunk[i]);

		for (uint32_t at = 0; at < file->chunk[i].n_plain; at += PAGE) {
			uint64_t ts = load64(plain + at);

			if (!(load32(plain + at + 8) & 0xfffff))
				continue;
			low = ts < low ? ts : low;
			high = ts > high ? ts : high;
		}
		free(plain);
	}
	return low + (uint64_t)((double)(high - low) * below(1000) / 1000);
}

static void cut(struct file *file, int end)
{
	uint64_t ts = instant(file);

	for (unsigned i = 0; i < file->n; i++) {
		uint8_t *plain = unpack(&file->chunk[i]);

		for (uint32_t at = 0; at < file->chunk[i].n_plain; at += PAGE) {
			if (end)
				end_page(plain + at, ts);
			else
				begin_page(plain + at, ts);
		}
		pack(&file->chunk[i], plain);
	}
}

/* ---- damages */

static void lose(struct file *file)
{
	const struct chunk *chunk = &file->chunk[below(file->n)];
	uint8_t *plain = unpack(chunk);
	uint32_t n = chunk->n_plain / PAGE, from = below(n), to = from + 1 + below(n - from);

	for (uint32_t i = from; i < to && i + 1 < n; i++) {
		store32(plain + (size_t)i * PAGE + 8, 0);
		memset(plain + (size_t)i * PAGE + PAGE_HEAD, 0, PAGE - PAGE_HEAD);
		if (i + 1 == to || i + 2 == n) {
			uint8_t *next = plain + (size_t)(i + 1) * PAGE;

			store32(next + 8, load32(next + 8) | LOST);
		}
	}
	pack(chunk, plain);
}

static void spoil_page(struct file *file)
{
	const struct chunk *chunk = &file->chunk[below(file->n)];
	uint8_t *plain = unpack(chunk);
	uint8_t *page = plain + (size_t)PAGE * below(chunk->n_plain / PAGE);
	uint32_t from = PAGE_HEAD + below(PAGE - PAGE_HEAD);

	memset(page + from, below(2) ? 0xff : 0, PAGE - from);
	pack(chunk, plain);
}

static void spoil_packed(struct file *file, int flip)
{
	for (uint32_t times = 1 + below(4); times; times--) {
		const struct chunk *chunk = &file->chunk[below(file->n)];
		uint32_t n = 1 + below(flip ? 32 : 2048), at = below(chunk->n_packed);

		if (n > chunk->n_packed - at)
			n = chunk->n_packed - at;
		for (uint32_t i = 0; i < n; i++) {
			if (!flip)
				chunk->packed[at + i] = 0;
			else
				chunk->packed[below(chunk->n_packed)] ^= (uint8_t)(1u << below(8));
		}
	}
}

int main(int argc, char **argv)
{
	static struct file file;
	const char *kind = argc == 5 ? argv[1] : "";
	FILE *out;

	if (argc != 5)
		fail("usage: damage-dat KIND SEED IN OUT");
	state = strtoull(argv[2], NULL, 10) * 2654435761u + 1;
	below(2);
	read_file(&file, argv[3]);
	if (!strcmp(kind, "blank") || !strcmp(kind, "flip"))
		spoil_packed(&file, *kind == 'f');
	else if (!strcmp(kind, "page"))
		spoil_page(&file);
	else if (!strcmp(kind, "lost"))
		lose(&file);
	else if (!strcmp(kind, "begin") || !strcmp(kind, "end"))
		cut(&file, *kind == 'e');
	else
		fail("the damages are blank, flip, page, lost, begin and end");
	out = fopen(argv[4], "wb");
	if (!out || fwrite(file.data, 1, file.len, out) != file.len || fclose(out))
		fail(strerror(errno));
	return 0;
}
