// SPDX-License-Identifier: GPL-2.0-or-later
/* The trace-cmd file around the pages, versions 6 and 7; written when the simulation is over. */
#include "gen.h"

#include <string.h>
#include <zstd.h>

enum section {
	SECTION_OPTIONS = 0,
	SECTION_BUFFER = 3,
	SECTION_HEADER_INFO = 16,
	SECTION_FTRACE_EVENTS,
	SECTION_EVENT_FORMATS,
	SECTION_KALLSYMS,
	SECTION_PRINTK,
	SECTION_CMDLINES,
};

enum option {
	OPTION_DONE = 0,
	OPTION_BUFFER = 3,
	OPTION_TRACECLOCK = 4,
	OPTION_UNAME = 5,
	OPTION_CPUCOUNT = 8,
	OPTION_VERSION = 9,
	OPTION_TRACEID = 11,
	OPTION_TIME_SHIFT = 12,
	OPTION_GUEST = 13,
	OPTION_TSC2NSEC = 14,
};

/* A file, or a part of one in memory. */
struct sink {
	const struct gen_opts *o;
	FILE *file;
	char *path;
	GByteArray *bytes; /* if file is NULL */
};

static void put(struct sink *s, const void *data, gsize len)
{
	if (s->bytes)
		g_byte_array_append(s->bytes, data, len);
	else if (fwrite(data, 1, len, s->file) != len)
		gen_die("cannot write %s: %m", s->path);
}

static void put_int(struct sink *s, guint64 value, int size)
{
	guint8 b[8];

	gen_store(b, value, size, s->o->big_endian);
	put(s, b, size);
}

static void put_str(struct sink *s, const char *text)
{
	put(s, text, strlen(text) + 1);
}

/* a size and a text of that size, without NUL */
static void put_sized(struct sink *s, const char *text, int size)
{
	put_int(s, strlen(text), size);
	put(s, text, strlen(text));
}

static guint64 position(struct sink *s)
{
	return ftello(s->file);
}

static void pad_to_page(struct sink *s)
{
	while (position(s) % s->o->page_size)
		put(s, "", 1);
}

static void patch(struct sink *s, guint64 at, guint64 value, int size)
{
	if (fseeko(s->file, at, SEEK_SET) < 0)
		gen_die("cannot seek in %s: %m", s->path);
	put_int(s, value, size);
	fseeko(s->file, 0, SEEK_END);
}

static struct sink memory_sink(const struct gen_opts *o)
{
	return (struct sink){ .o = o, .bytes = g_byte_array_new() };
}

/* metadata */

static void put_header_info(struct sink *s, const struct gen_node *node)
{
	const struct gen_opts *o = &node->gen->opts;
	g_autofree char *page =
		g_strdup_printf("\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
				"\tfield: local_t commit;\toffset:8;\tsize:%d;\tsigned:1;\n"
				"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
				"\tfield: char data;\toffset:%d;\tsize:%d;\tsigned:1;\n",
				o->word, 8 + o->word, o->page_size - 8 - o->word);

	put_str(s, "header_page");
	put_sized(s, page, 8);
	put_str(s, "header_event");
	put_sized(
		s,
		"# compressed entry header\n"
		"\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n\tarray       :   32 bits\n"
		"\n\tpadding     : type == 29\n\ttime_extend : type == 30\n"
		"\ttime_stamp : type == 31\n\tdata max type_len  == 28\n",
		8);
}

static void put_ftrace_events(struct sink *s, const struct gen_node *node)
{
	(void)node;
	put_int(s, 0, 4);
}

static void put_system(struct sink *s, const struct gen_node *node, int from, int to)
{
	put_str(s, gen_event_system(from));
	put_int(s, to - from + 1, 4);
	for (int i = from; i <= to; i++) {
		g_autofree char *text = gen_event_format(node, i);

		put_sized(s, text, 8);
	}
}

static void put_event_formats(struct sink *s, const struct gen_node *node)
{
	if (!node->number) {
		put_int(s, 1, 4);
		put_system(s, node, GEN_SCHED_SWITCH, GEN_SCHED_SWITCH);
		return;
	}
	put_int(s, 3, 4);
	put_system(s, node, GEN_DLM_LOCK_START,
		   s->o->load == GEN_LOAD_CLUSTER ? GEN_DLM_RECV_MESSAGE : GEN_DLM_BAST);
	put_system(s, node, GEN_IO_READ_START,
		   s->o->load == GEN_LOAD_RPC ? GEN_CALL_DONE : GEN_IO_SYNC_END);
	put_system(s, node, GEN_SCHED_SWITCH, GEN_SCHED_SWITCH);
}

static void put_kallsyms(struct sink *s, const struct gen_node *node)
{
	(void)node;
	put_sized(s, "ffffffff81000000 T _text\nffffffff81000110 T secondary_startup_64\n", 4);
}

static void put_printk(struct sink *s, const struct gen_node *node)
{
	(void)node;
	put_sized(s, "", 4);
}

static void put_cmdlines(struct sink *s, const struct gen_node *node)
{
	(void)node;
	put_sized(s, "1 systemd\n100 dlm_callback\n", 8);
}

static const struct {
	enum section id;
	void (*put)(struct sink *s, const struct gen_node *node);
} metadata[] = {
	{ SECTION_HEADER_INFO, put_header_info },
	{ SECTION_FTRACE_EVENTS, put_ftrace_events },
	{ SECTION_EVENT_FORMATS, put_event_formats },
	{ SECTION_KALLSYMS, put_kallsyms },
	{ SECTION_PRINTK, put_printk },
	{ SECTION_CMDLINES, put_cmdlines },
};

/* options */

static void put_option(struct sink *s, enum option id, const void *data, gsize len)
{
	put_int(s, id, 2);
	put_int(s, len, 4);
	put(s, data, len);
}

static void put_option_bytes(struct sink *s, enum option id, struct sink *data)
{
	put_option(s, id, data->bytes->data, data->bytes->len);
	g_byte_array_free(data->bytes, TRUE);
}

static void put_option_int(struct sink *s, enum option id, guint64 value, int size)
{
	struct sink m = memory_sink(s->o);

	put_int(&m, value, size);
	put_option_bytes(s, id, &m);
}

static const char *clock_text(const struct gen_opts *o)
{
	if (o->tsc2nsec)
		return "local global counter uptime perf mono mono_raw boot tai [x86-tsc]\n";
	return "[local] global counter uptime perf mono mono_raw boot tai x86-tsc\n";
}

static void put_time_shift(struct sink *s, const struct gen_node *node)
{
	const struct gen_opts *o = s->o;
	struct sink m = memory_sink(o);

	put_int(&m, node->gen->nodes[node->gen->opts.guests].trace_id, 8);
	put_int(&m, o->ptp ? 1 : 0, 4);
	put_int(&m, o->cpus, 4);
	for (int c = 0; c < o->cpus; c++) {
		const struct gen_clock *clock = &node->cpu[c].clock;

		put_int(&m, clock->n, 4);
		for (int i = 0; i < clock->n; i++)
			put_int(&m, clock->time[i], 8);
		for (int i = 0; i < clock->n; i++)
			put_int(&m, clock->offset[i] + gen_clock_error(clock, c), 8);
		for (int i = 0; i < clock->n; i++)
			put_int(&m, 1, 8);
	}
	for (int c = 0; c < o->cpus; c++)
		for (int i = 0; i < node->cpu[c].clock.n; i++)
			put_int(&m, 0, 8);
	put_option_bytes(s, OPTION_TIME_SHIFT, &m);
}

static void put_guest(struct sink *s, const struct gen_node *guest)
{
	struct sink m = memory_sink(s->o);
	g_autofree char *name = g_strdup_printf("%d", guest->cid);

	put_str(&m, name);
	put_int(&m, guest->trace_id, 8);
	put_int(&m, s->o->cpus, 4);
	for (int c = 0; c < s->o->cpus; c++) {
		put_int(&m, c, 4);
		put_int(&m, 2000 + 10 * guest->number + c, 4);
	}
	put_option_bytes(s, OPTION_GUEST, &m);
}

static void put_options(struct sink *s, const struct gen_node *node)
{
	const struct gen_opts *o = s->o;
	g_autofree char *uname =
		node->number ? g_strdup_printf("Linux node%d 6.1.0-gen x86_64", node->number)
			     : g_strdup("Linux host 6.1.0-gen x86_64");

	put_option(s, OPTION_TRACECLOCK, clock_text(o), strlen(clock_text(o)) + 1);
	put_option(s, OPTION_UNAME, uname, strlen(uname) + 1);
	put_option(s, OPTION_VERSION, "3.1.6 generated", sizeof("3.1.6 generated"));
	put_option_int(s, OPTION_TRACEID, node->trace_id, 8);
	put_option_int(s, OPTION_CPUCOUNT, o->cpus, 4);
	if (o->tsc2nsec) {
		struct sink m = memory_sink(o);

		put_int(&m, node->cpu[0].clock.mult, 4);
		put_int(&m, node->cpu[0].clock.shift, 4);
		put_int(&m, 0, 8);
		put_option_bytes(s, OPTION_TSC2NSEC, &m);
	}
	if (node->number)
		put_time_shift(s, node);
	else
		for (int i = 0; i < o->guests; i++)
			put_guest(s, &node->gen->nodes[i]);
}

/* data */

static void put_cpu_data(struct sink *s, struct gen_cpu *cpu)
{
	static char block[1 << 20];
	gsize n;

	if (s->o->zstd && cpu->n_chunks)
		put_int(s, cpu->n_chunks, 4);
	rewind(cpu->data);
	while ((n = fread(block, 1, sizeof(block), cpu->data)) > 0)
		put(s, block, n);
	if (ferror(cpu->data))
		gen_die("cannot read a temporary file: %m");
	fclose(cpu->data);
}

static void put_start(struct sink *s)
{
	static const guint8 magic[] = { 0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g' };

	put(s, magic, sizeof(magic));
	put_str(s, s->o->version == 7 ? "7" : "6");
	put_int(s, s->o->big_endian, 1);
	put_int(s, s->o->word, 1);
	put_int(s, s->o->page_size, 4);
}

static void write_v6(struct sink *s, struct gen_node *node)
{
	guint64 table;

	put_start(s);
	for (guint i = 0; i < G_N_ELEMENTS(metadata); i++)
		metadata[i].put(s, node);
	put_int(s, s->o->cpus, 4);
	put(s, "options  ", 10);
	put_options(s, node);
	put_int(s, OPTION_DONE, 2);
	put(s, "flyrecord", 10);
	table = position(s);
	for (int c = 0; c < s->o->cpus; c++) {
		put_int(s, 0, 8);
		put_int(s, node->cpu[c].data_bytes, 8);
	}
	put_sized(s, clock_text(s->o), 8);
	for (int c = 0; c < s->o->cpus; c++) {
		pad_to_page(s);
		patch(s, table + 16 * c, position(s), 8);
		put_cpu_data(s, &node->cpu[c]);
	}
}

static void put_section_header(struct sink *s, enum section id, gboolean packed, guint64 size)
{
	put_int(s, id, 2);
	put_int(s, packed, 2);
	put_int(s, 0, 4);
	put_int(s, size, 8);
}

/* returns where it stands */
static guint64 put_metadata_section(struct sink *s, const struct gen_node *node, guint which)
{
	guint64 at = position(s);
	struct sink m = memory_sink(s->o);

	metadata[which].put(&m, node);
	if (s->o->zstd) {
		gsize bound = ZSTD_compressBound(m.bytes->len);
		g_autofree guint8 *out = g_malloc(bound);
		gsize packed = ZSTD_compress(out, bound, m.bytes->data, m.bytes->len, 1);

		put_section_header(s, metadata[which].id, TRUE, packed + 8);
		put_int(s, packed, 4);
		put_int(s, m.bytes->len, 4);
		put(s, out, packed);
	} else {
		put_section_header(s, metadata[which].id, FALSE, m.bytes->len);
		put(s, m.bytes->data, m.bytes->len);
	}
	g_byte_array_free(m.bytes, TRUE);
	return at;
}

static void put_options_section(struct sink *s, struct sink *options)
{
	put_section_header(s, SECTION_OPTIONS, FALSE, options->bytes->len);
	put(s, options->bytes->data, options->bytes->len);
	g_byte_array_free(options->bytes, TRUE);
}

static void put_buffer_options(struct sink *s, const struct gen_node *node, guint64 buffer_at,
			       const guint64 *cpu_at)
{
	const struct gen_opts *o = s->o;
	struct sink m = memory_sink(o), options = memory_sink(o);

	put_int(&m, buffer_at, 8);
	put_str(&m, "");
	put_str(&m, o->tsc2nsec ? "tsc2nsec" : "local");
	put_int(&m, o->page_size, 4);
	put_int(&m, o->cpus, 4);
	for (int c = 0; c < o->cpus; c++) {
		put_int(&m, c, 4);
		put_int(&m, cpu_at[c], 8);
		put_int(&m, node->cpu[c].data_bytes, 8);
	}
	put_option_bytes(&options, OPTION_BUFFER, &m);
	put_option_int(&options, OPTION_DONE, 0, 8);
	put_options_section(s, &options);
}

static void write_v7(struct sink *s, struct gen_node *node)
{
	struct sink options = memory_sink(s->o);
	g_autofree guint64 *cpu_at = g_new0(guint64, s->o->cpus);
	guint64 first_at, done_at, buffer_at;

	put_start(s);
	put_str(s, s->o->zstd ? "zstd" : "none");
	put_str(s, s->o->zstd ? "1.5.4" : "");
	first_at = position(s);
	put_int(s, 0, 8);
	for (guint i = 0; i < G_N_ELEMENTS(metadata); i++)
		put_option_int(&options, (enum option)metadata[i].id,
			       put_metadata_section(s, node, i), 8);
	patch(s, first_at, position(s), 8);
	put_options(&options, node);
	put_option_int(&options, OPTION_DONE, 0, 8);
	put_options_section(s, &options);
	done_at = position(s) - 8;

	buffer_at = position(s);
	put_section_header(s, SECTION_BUFFER, s->o->zstd, 0);
	for (int c = 0; c < s->o->cpus; c++) {
		pad_to_page(s);
		cpu_at[c] = position(s);
		put_cpu_data(s, &node->cpu[c]);
	}
	patch(s, buffer_at + 8, position(s) - buffer_at - 16, 8);
	patch(s, done_at, position(s), 8);
	put_buffer_options(s, node, buffer_at, cpu_at);
}

char *gen_file_path(const struct gen_node *node)
{
	const char *out = node->gen->opts.out, *suffix = node->gen->opts.text ? ".txt" : ".dat";
	gsize len = strlen(out) - (g_str_has_suffix(out, suffix) ? 4 : 0);

	if (!node->number)
		return g_strdup_printf("%.*s%s", (int)len, out, suffix);
	return g_strdup_printf("%.*s-%d%s", (int)len, out, node->cid, suffix);
}

void gen_file_write(struct gen_node *node)
{
	struct sink s = { .o = &node->gen->opts, .path = gen_file_path(node) };

	s.file = fopen(s.path, "w+");
	if (!s.file)
		gen_die("cannot write %s: %m", s.path);
	if (s.o->version == 7)
		write_v7(&s, node);
	else
		write_v6(&s, node);
	if (fclose(s.file))
		gen_die("cannot write %s: %m", s.path);
	g_free(s.path);
}
