/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recordings for tests, made byte by byte. Two events: "t:num" (number 300: u32 common part, then
 * s32 v) and "t:str" (number 301: __data_loc char[] s, __data_loc unsigned char[] raw, char
 * name[8]).
 */
#ifndef IOT_TESTS_DAT_MAKE_H
#define IOT_TESTS_DAT_MAKE_H

#include "input/source.h"
#include "base/error.h"
#include "unit.h"

#include <sys/mman.h>
#include <unistd.h>

enum { MAKE_PAGE = 4096, MAKE_NUM = 300, MAKE_STR = 301 };

struct make {
	GByteArray *out;
	gboolean big_endian;
	guint long_size;
};

static inline struct make make_new(gboolean big_endian, guint long_size)
{
	return (struct make){ g_byte_array_new(), big_endian, long_size };
}

static inline void make_store(const struct make *m, guint8 *p, guint64 v, guint size)
{
	for (guint i = 0; i < size; i++)
		p[m->big_endian ? size - 1 - i : i] = (guint8)(v >> (8 * i));
}

static inline void make_int(struct make *m, guint64 v, guint size)
{
	guint8 bytes[8];

	make_store(m, bytes, v, size);
	g_byte_array_append(m->out, bytes, size);
}

static inline void make_raw(struct make *m, const void *data, gsize len)
{
	g_byte_array_append(m->out, data, (guint)len);
}

static inline void make_text(struct make *m, const char *text)
{
	make_raw(m, text, strlen(text) + 1);
}

static inline void make_align(struct make *m, guint size)
{
	while (m->out->len % size)
		make_int(m, 0, 1);
}

#define MAKE_COMMON                                                                    \
	"format:\n"                                                                    \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"         \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"         \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const char make_num_format[] =
	"name: num\nID: 300\n" MAKE_COMMON "\tfield:int v;\toffset:8;\tsize:4;\tsigned:1;\n\n"
	/* no parser of print formats understands this */
	"print fmt: \"%d\", __no_such_helper(REC->v, ((\n";

static const char make_str_format[] =
	"name: str\nID: 301\n" MAKE_COMMON
	"\tfield:__data_loc char[] s;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:__data_loc unsigned char[] raw;\toffset:12;\tsize:4;\tsigned:0;\n"
	"\tfield:char name[8];\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:__rel_loc char[] rel;\toffset:24;\tsize:4;\tsigned:0;\n"
	"\tfield:u8 small;\toffset:28;\tsize:1;\tsigned:0;\n"
	"\tfield:s8 minus;\toffset:29;\tsize:1;\tsigned:1;\n"
	"\tfield:u16 pair[1];\toffset:30;\tsize:2;\tsigned:0;\n\n"
	"print fmt: \"%s\", __get_str(s)\n";

static inline char *make_header_page(const struct make *m)
{
	return g_strdup_printf("\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
			       "\tfield: local_t commit;\toffset:8;\tsize:%u;\tsigned:1;\n"
			       "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
			       "\tfield: char data;\toffset:%u;\tsize:%u;\tsigned:0;\n",
			       m->long_size, 8 + m->long_size, MAKE_PAGE - 8 - m->long_size);
}

/* Start of the file up to the offset of the options, which is returned (to be patched). */
static inline guint make_start(struct make *m, int version, const char *compressor)
{
	char text[2] = { (char)('0' + version), 0 };

	make_raw(m, "\x17\x08\x44tracing", 10);
	make_text(m, text);
	make_int(m, m->big_endian, 1);
	make_int(m, m->long_size, 1);
	make_int(m, MAKE_PAGE, 4);
	if (version == 6)
		return 0;
	make_text(m, compressor);
	make_text(m, "");
	make_int(m, 0, 8);
	return m->out->len - 8;
}

static inline void make_section(struct make *m, guint16 id, gboolean compressed, guint64 size)
{
	make_int(m, id, 2);
	make_int(m, compressed, 2);
	make_int(m, 0, 4);
	make_int(m, size, 8);
}

static inline void make_header_info(struct make *m)
{
	g_autofree char *page = make_header_page(m);

	make_text(m, "header_page");
	make_int(m, strlen(page), 8);
	make_raw(m, page, strlen(page));
	make_text(m, "header_event");
	make_int(m, 1, 8);
	make_raw(m, "x", 1);
}

static inline void make_formats(struct make *m)
{
	make_int(m, 1, 4);
	make_text(m, "t");
	make_int(m, 2, 4);
	make_int(m, strlen(make_num_format), 8);
	make_raw(m, make_num_format, strlen(make_num_format));
	make_int(m, strlen(make_str_format), 8);
	make_raw(m, make_str_format, strlen(make_str_format));
}

/* Put what @fill writes into a section; returns where the section is. */
static inline guint make_filled(struct make *m, guint16 id, void (*fill)(struct make *))
{
	guint at = m->out->len;

	make_section(m, id, FALSE, 0);
	fill(m);
	make_store(m, m->out->data + at + 8, m->out->len - at - 16, 8);
	return at;
}

static inline void make_nothing(struct make *m)
{
	make_int(m, 0, 4);
}

/* The sections of metadata; their offsets by id, from 16 on. */
static inline void make_metadata(struct make *m, guint offsets[22])
{
	offsets[16] = make_filled(m, 16, make_header_info);
	offsets[17] = make_filled(m, 17, make_nothing);
	offsets[18] = make_filled(m, 18, make_formats);
}

/* One page being written at the end of the file. */
struct make_page {
	guint at;    /* in the file */
	guint start; /* of its data */
};

static inline struct make_page make_page_start(struct make *m, guint64 ts)
{
	struct make_page page = { .at = m->out->len };

	make_int(m, ts, 8);
	make_int(m, 0, m->long_size);
	page.start = m->out->len;
	return page;
}

static inline void make_event(struct make *m, guint32 delta, const void *payload, guint size)
{
	guint type = size / 4;

	make_int(m, m->big_endian ? type << 27 | delta : delta << 5 | type, 4);
	make_raw(m, payload, size);
}

static inline void make_num(struct make *m, guint32 delta, gint32 pid, gint32 v)
{
	guint8 payload[12] = { 0 };

	make_store(m, payload, MAKE_NUM, 2);
	make_store(m, payload + 4, (guint32)pid, 4);
	make_store(m, payload + 8, (guint32)v, 4);
	make_event(m, delta, payload, sizeof(payload));
}

/* @flags: bits 31 and 30 of the commit word; with both, @lost follows the data. */
static inline void make_page_end(struct make *m, struct make_page page, guint32 flags, guint64 lost)
{
	make_store(m, m->out->data + page.at + 8, (m->out->len - page.start) | flags, m->long_size);
	if (flags == 0xc0000000)
		make_int(m, lost, m->long_size);
	while ((m->out->len - page.at) % MAKE_PAGE)
		make_int(m, 0, 1);
}

/* A page of @n events of one value each, 10 ns apart, the first at @ts. */
static inline void make_simple_page(struct make *m, guint64 ts, guint n, gint32 v)
{
	struct make_page page = make_page_start(m, ts);

	for (guint i = 0; i < n; i++)
		make_num(m, i ? 10 : 0, 42, v + (gint32)i);
	make_page_end(m, page, 0, 0);
}

static inline void make_option(struct make *m, guint16 id, const void *data, guint32 len)
{
	make_int(m, id, 2);
	make_int(m, len, 4);
	make_raw(m, data, len);
}

static inline void make_option_int(struct make *m, guint16 id, guint64 v, guint size)
{
	make_int(m, id, 2);
	make_int(m, size, 4);
	make_int(m, v, size);
}

struct make_area {
	guint32 cpu;
	guint64 offset, size;
};

static inline void make_buffer_option(struct make *m, guint64 section, const char *name,
				      guint32 page_size, const struct make_area *areas, guint n)
{
	make_int(m, 3, 2);
	make_int(m, 8 + strlen(name) + 1 + 6 + 4 + 4 + 20 * n, 4);
	make_int(m, section, 8);
	make_text(m, name);
	make_text(m, "local");
	make_int(m, page_size, 4);
	make_int(m, n, 4);
	for (guint i = 0; i < n; i++) {
		make_int(m, areas[i].cpu, 4);
		make_int(m, areas[i].offset, 8);
		make_int(m, areas[i].size, 8);
	}
}

static inline void make_metadata_options(struct make *m, const guint offsets[22])
{
	for (guint16 id = 16; id <= 18; id++)
		make_option_int(m, id, offsets[id], 8);
}

/* Begin and end of an options section; the end is the DONE option. */
static inline guint make_options_start(struct make *m)
{
	guint at = m->out->len;

	make_section(m, 0, FALSE, 0);
	return at;
}

static inline void make_options_end(struct make *m, guint at, guint64 next)
{
	make_option_int(m, 0, next, 8);
	make_store(m, m->out->data + at + 8, m->out->len - at - 16, 8);
}

/* Open bytes as a file that is only in memory. */
static inline struct iot_source *make_open_bytes(const guint8 *data, gsize len, GError **error)
{
	int fd = memfd_create("iotrace-unit", 0);
	g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);
	struct iot_input_spec spec = { .path = path };
	struct iot_source *src;

	CU_ASSERT_FATAL(fd >= 0 && write(fd, data, len) == (gssize)len);
	src = iot_source_open("dat", &spec, error);
	close(fd);
	return src;
}

static inline struct iot_source *make_open(struct make *m, GError **error)
{
	struct iot_source *src = make_open_bytes(m->out->data, m->out->len, error);

	g_byte_array_unref(m->out);
	return src;
}

/* The records of all runs as text, one line each; closes @src. @out_diag may be NULL. */
static inline char *make_dump(struct iot_source *src, const struct iot_schema *schema,
			      struct iot_diag *out_diag)
{
	struct iot_batch *batch = iot_batch_new(4096, NULL);
	GString *text = g_string_new(NULL);
	struct iot_input_info info;

	CU_ASSERT_TRUE_FATAL(src->ops->bind(src, schema, NULL));
	for (guint run = 0; run < src->ops->n_runs(src); run++) {
		while (src->ops->read(src, run, batch, NULL) == IOT_NEXT_OK) {
			for (struct iot_rec *rec = iot_batch_first(batch);
			     !iot_batch_at_end(batch, rec); rec = iot_rec_next(rec)) {
				guint32 index = rec->event->index;

				if (index >= IOT_EVENT_GAP_BEGIN)
					g_string_append_printf(
						text,
						"%u %s %" G_GUINT64_FORMAT " lost=%" G_GINT64_FORMAT
						" other=%" G_GINT64_FORMAT "\n",
						rec->run,
						index == IOT_EVENT_GAP_BEGIN ? "gap" : "end",
						rec->ts, rec->slot[0].i, rec->slot[1].i);
				else
					g_string_append_printf(text, "%u %" G_GUINT64_FORMAT " %d",
							       rec->run, rec->ts, rec->pid);
				for (guint i = 0;
				     index < IOT_EVENT_GAP_BEGIN && i < rec->event->n_slots; i++) {
					gsize len;

					if (rec->event->slot_type[i] == IOT_SLOT_STR) {
						const char *s = iot_intern_get(
							src->ops->strings(src, run),
							(guint32)rec->slot[i].u, &len);
						g_autofree char *shown = g_strescape(s, NULL);

						g_string_append_printf(text,
								       " %" G_GSIZE_FORMAT ":%s",
								       len, shown);
					} else {
						g_string_append_printf(text, " %" G_GINT64_FORMAT,
								       rec->slot[i].i);
					}
				}
				if (index < IOT_EVENT_GAP_BEGIN)
					g_string_append_c(text, '\n');
			}
		}
	}
	src->ops->describe(src, &info);
	if (out_diag)
		*out_diag = *info.diag;
	src->ops->close(src);
	iot_batch_free(batch);
	return g_string_free(text, FALSE);
}

/* A schema with t:num and its field v. */
static inline struct iot_schema *make_schema(void)
{
	struct iot_schema *schema = iot_schema_new();

	iot_schema_field(iot_schema_event(schema, "t", "num"), "v", TRUE, "test");
	return schema;
}

#endif
