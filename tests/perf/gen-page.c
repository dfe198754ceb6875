// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Ring-buffer pages of one CPU. Finished pages go to a nameless scratch file, ten to a compressed
 * chunk, since in the trace file the CPUs follow one another. A page may be dropped as the kernel
 * drops one that is overwritten: the next page then says how many events are missing.
 */
#include "gen.h"

#include <string.h>
#include <unistd.h>
#include <zstd.h>

enum {
	PAGES_IN_CHUNK = 10,
	LINES_IN_PAGE = 24,
	TYPE_PADDING = 29,
	TYPE_EXTEND = 30,
	TYPE_ABSOLUTE = 31
};
enum { DELTA_BITS = 27, MAX_SMALL = 28 };

static guint header_size(const struct gen_cpu *cpu)
{
	return 8 + cpu->node->gen->opts.word;
}

static guint room(const struct gen_cpu *cpu)
{
	return cpu->node->gen->opts.page_size - header_size(cpu) - cpu->used;
}

static guint8 *page_end(const struct gen_cpu *cpu)
{
	return cpu->page + header_size(cpu) + cpu->used;
}

/* in the output's folder, which must have enough space anyway */
static FILE *open_scratch(const char *out)
{
	g_autofree char *path = g_strconcat(out, ".XXXXXX", NULL);
	int fd = g_mkstemp(path);

	if (fd < 0)
		gen_die("cannot write %s: %m", path);
	unlink(path);
	return fdopen(fd, "w+");
}

void gen_cpu_init(struct gen_cpu *cpu, struct gen_node *node, int number)
{
	const struct gen_opts *o = &node->gen->opts;

	cpu->node = node;
	cpu->number = number;
	cpu->page = g_malloc0(o->page_size);
	cpu->data = open_scratch(o->out);
	if (o->text)
		cpu->lines = g_string_new(NULL);
	if (o->zstd)
		cpu->chunk = g_malloc((gsize)o->page_size * PAGES_IN_CHUNK);
}

static void write_data(struct gen_cpu *cpu, const void *data, gsize len)
{
	if (fwrite(data, 1, len, cpu->data) != len)
		gen_die("cannot write to a temporary file: %m");
	cpu->data_bytes += len;
}

static void write_chunk(struct gen_cpu *cpu)
{
	static ZSTD_CCtx *ctx;
	const struct gen_opts *o = &cpu->node->gen->opts;
	gsize len = (gsize)o->page_size * cpu->chunk_pages, bound = ZSTD_compressBound(len), packed;
	g_autofree guint8 *out = g_malloc(bound + 8);

	if (!ctx) {
		ctx = ZSTD_createCCtx();
		ZSTD_CCtx_setParameter(ctx, ZSTD_c_contentSizeFlag, 0);
		ZSTD_CCtx_setParameter(ctx, ZSTD_c_compressionLevel, 1);
	}
	packed = ZSTD_compress2(ctx, out + 8, bound, cpu->chunk, len);
	if (ZSTD_isError(packed))
		gen_die("zstd: %s", ZSTD_getErrorName(packed));
	gen_store(out, packed, 4, o->big_endian);
	gen_store(out + 4, len, 4, o->big_endian);
	write_data(cpu, out, packed + 8);
	cpu->n_chunks++;
	cpu->chunk_pages = 0;
}

static void write_page(struct gen_cpu *cpu)
{
	const struct gen_opts *o = &cpu->node->gen->opts;

	if (o->text) {
		write_data(cpu, cpu->lines->str, cpu->lines->len);
		return;
	}
	if (!o->zstd) {
		write_data(cpu, cpu->page, o->page_size);
		return;
	}
	memcpy(cpu->chunk + (gsize)o->page_size * cpu->chunk_pages, cpu->page, o->page_size);
	if (++cpu->chunk_pages == PAGES_IN_CHUNK)
		write_chunk(cpu);
}

/* As in the kernel: bit 31 means a loss; bit 30 means that its size follows, if there is space. */
static gboolean store_loss(struct gen_cpu *cpu, guint64 *commit)
{
	const struct gen_opts *o = &cpu->node->gen->opts;

	if (o->text) {
		g_autofree char *line = g_strdup_printf("0 %d - LOST %" G_GUINT64_FORMAT "\n",
							cpu->number, cpu->lost);

		write_data(cpu, line, strlen(line));
		return TRUE;
	}
	*commit |= 1u << 31;
	if (room(cpu) < (guint)o->word)
		return FALSE;
	*commit |= 1u << 30;
	gen_store(page_end(cpu), cpu->lost, o->word, o->big_endian);
	return TRUE;
}

static void mark_loss(struct gen_cpu *cpu, guint64 *commit)
{
	struct gen *gen = cpu->node->gen;
	guint64 from = cpu->written_last ? cpu->written_last : cpu->page_first;
	gboolean stored = store_loss(cpu, commit);

	fprintf(gen->truth, "gap\t%d\t%d\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT "\t",
		cpu->node->number, cpu->number, from, cpu->page_first);
	if (stored)
		fprintf(gen->truth, "%" G_GUINT64_FORMAT "\n", cpu->lost);
	else
		fputs("?\n", gen->truth);
	cpu->node->lost += cpu->lost;
	cpu->lost = 0;
}

static void finish_page(struct gen_cpu *cpu, gboolean is_last)
{
	struct gen *gen = cpu->node->gen;
	const struct gen_opts *o = &gen->opts;
	guint64 commit = cpu->used;

	if (!is_last && o->loss && gen_below(gen, 1000) < (guint)o->loss) {
		cpu->lost += cpu->page_events;
	} else {
		if (cpu->lost)
			mark_loss(cpu, &commit);
		gen_store(cpu->page + 8, commit, o->word, o->big_endian);
		write_page(cpu);
		cpu->written_last = cpu->page_last;
		for (int i = 0; i < GEN_N_EVENTS; i++)
			cpu->node->count[i] += cpu->in_page[i];
	}
	memset(cpu->page, 0, o->page_size);
	if (o->text)
		g_string_truncate(cpu->lines, 0);
	memset(cpu->in_page, 0, sizeof(cpu->in_page));
	cpu->page_events = 0;
	cpu->used = 0;
}

static void put_word(struct gen_cpu *cpu, guint32 word)
{
	gen_store(page_end(cpu), word, 4, cpu->node->gen->opts.big_endian);
	cpu->used += 4;
}

static void put_header(struct gen_cpu *cpu, guint32 type_len, guint32 delta)
{
	if (cpu->node->gen->opts.big_endian)
		put_word(cpu, type_len << DELTA_BITS | delta);
	else
		put_word(cpu, delta << 5 | type_len);
}

/* Now and then a difficulty for readers: a discarded event, an absolute time stamp. */
static void put_quirk(struct gen_cpu *cpu, guint64 raw)
{
	guint32 chance = gen_below(cpu->node->gen, 2000);

	if (chance == 0) {
		put_header(cpu, TYPE_PADDING, 1);
		put_word(cpu, 4 + 12);
		memset(page_end(cpu), 0xff, 12);
		cpu->used += 12;
		cpu->last_raw++;
	} else if (chance == 1) {
		put_header(cpu, TYPE_ABSOLUTE, raw & ((1u << DELTA_BITS) - 1));
		put_word(cpu, raw >> DELTA_BITS);
		cpu->last_raw = raw;
	}
}

static void put_event(struct gen_cpu *cpu, guint64 raw, const struct gen_buf *payload)
{
	guint32 words = (payload->len + 3) / 4;
	guint64 delta = raw - cpu->last_raw;

	if (delta >> DELTA_BITS) {
		put_header(cpu, TYPE_EXTEND, delta & ((1u << DELTA_BITS) - 1));
		put_word(cpu, delta >> DELTA_BITS);
		delta = 0;
	}
	put_header(cpu, words <= MAX_SMALL ? words : 0, delta);
	if (words > MAX_SMALL)
		put_word(cpu, words * 4 + 4);
	memcpy(page_end(cpu), payload->data, payload->len);
	cpu->used += words * 4;
}

static void begin_page(struct gen_cpu *cpu, guint64 raw, guint64 found)
{
	gen_store(cpu->page, raw, 8, cpu->node->gen->opts.big_endian);
	cpu->last_raw = raw;
	cpu->page_first = found;
}

guint64 gen_cpu_event(struct gen_cpu *cpu, guint64 true_ns, enum gen_event event,
		      const struct gen_buf *payload)
{
	struct gen_node *node = cpu->node;
	gboolean text = node->gen->opts.text;
	guint64 raw, found = true_ns;

	if (true_ns < node->begins || true_ns >= node->ends)
		return true_ns;
	if (node->drift) {
		raw = gen_drift_raw(node->drift, true_ns);
	} else {
		raw = MAX(gen_clock_raw(&cpu->clock, true_ns), cpu->last_raw + 2);
		found = gen_clock_true(&cpu->clock, raw);
	}
	node->first = node->first ? node->first : found;
	node->last = found;

	/* event, its length words, a time extend and a quirk */
	if (text ? cpu->page_events == LINES_IN_PAGE : room(cpu) < payload->len + 4 + 8 + 8 + 20)
		finish_page(cpu, FALSE);
	if (!cpu->page_events)
		begin_page(cpu, raw, found);
	else if (node->gen->opts.quirks && !text)
		put_quirk(cpu, raw);
	if (text)
		gen_text_event(cpu, raw, event, payload);
	else
		put_event(cpu, raw, payload);
	cpu->last_raw = raw;
	cpu->page_events++;
	cpu->in_page[event]++;
	cpu->page_last = found;
	return found;
}

void gen_cpu_finish(struct gen_cpu *cpu)
{
	if (cpu->page_events)
		finish_page(cpu, TRUE);
	if (cpu->chunk_pages)
		write_chunk(cpu);
}
