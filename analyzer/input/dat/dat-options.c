/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One function for each option, and a row in the table after them. */
#include "input/dat/dat-options.h"
#include "input/dat/dat-section.h"
#include "input/source.h"

#include <errno.h>
#include <stdlib.h>

/* Each returns FALSE if the option is malformed; then @file is unchanged. */
typedef gboolean (*option_fn)(struct iot_dat_file *file, struct iot_bytes *b);

static char *text_of(const struct iot_bytes *b)
{
	return g_strndup((const char *)b->p, iot_bytes_left(b));
}

/* DATE and OFFSET are texts of numbers; both are added to every time stamp. */
static gboolean add_offset(struct iot_dat_file *file, struct iot_bytes *b, gint64 unit_ns)
{
	g_autofree char *text = text_of(b);
	gint64 value, sum;
	char *end;

	errno = 0;
	value = g_ascii_strtoll(text, &end, 0);
	if (end == text || *g_strchug(end) || errno ||
	    __builtin_mul_overflow(value, unit_ns, &value) ||
	    __builtin_add_overflow(file->clock.offset_ns, value, &sum))
		return FALSE;
	file->clock.offset_ns = sum;
	return TRUE;
}

static gboolean take_date(struct iot_dat_file *file, struct iot_bytes *b)
{
	return add_offset(file, b, 1000);
}

static gboolean take_offset(struct iot_dat_file *file, struct iot_bytes *b)
{
	return add_offset(file, b, 1);
}

static gboolean take_uname(struct iot_dat_file *file, struct iot_bytes *b)
{
	g_autofree char *text = text_of(b);
	g_auto(GStrv) words = g_strsplit_set(g_strstrip(text), " \t\n", 4);

	if (!words[0] || !words[1] || !words[2])
		return FALSE;
	g_free(file->hostname);
	g_free(file->kernel);
	file->hostname = g_utf8_make_valid(words[1], -1);
	file->kernel = g_utf8_make_valid(words[2], -1);
	return TRUE;
}

void iot_dat_commands(struct iot_dat_file *file, struct iot_bytes *b)
{
	guint64 len = iot_bytes_u64(b);
	const guint8 *text = iot_bytes_take(b, len);

	if (text && !file->commands)
		file->commands = g_strndup((const char *)text, len);
}

char *iot_dat_trace_clock(const char *text, gsize len)
{
	const char *open = memchr(text, '[', len);
	const char *close = open ? memchr(open, ']', len - (gsize)(open - text)) : NULL;
	g_autofree char *name = close ? g_strndup(open + 1, (gsize)(close - open) - 1) : NULL;

	return name ? g_utf8_make_valid(name, -1) : NULL;
}

static gboolean take_trace_clock(struct iot_dat_file *file, struct iot_bytes *b)
{
	char *name = iot_dat_trace_clock((const char *)b->p, iot_bytes_left(b));

	/* version 6 keeps the text elsewhere; the option only says that there is one */
	if (!name)
		return file->version == 6;
	g_free(file->trace_clock);
	file->trace_clock = name;
	return TRUE;
}

static gboolean take_cpu_count(struct iot_dat_file *file, struct iot_bytes *b)
{
	guint32 n = iot_bytes_u32(b);

	if (b->bad)
		return FALSE;
	file->n_cpus = n;
	return TRUE;
}

static gboolean take_trace_id(struct iot_dat_file *file, struct iot_bytes *b)
{
	guint64 id = iot_bytes_u64(b);

	if (b->bad)
		return FALSE;
	file->trace_id = id;
	return TRUE;
}

static gboolean take_time_shift(struct iot_dat_file *file, struct iot_bytes *b)
{
	return iot_clock_parse_shift(&file->clock, b->p, iot_bytes_left(b), b->big_endian);
}

static gboolean take_guest(struct iot_dat_file *file, struct iot_bytes *b)
{
	const char *name = iot_bytes_str(b);
	guint64 id = iot_bytes_u64(b);
	guint before = file->vcpus->len;
	guint32 n;

	if (b->bad)
		return FALSE;
	n = iot_bytes_left(b) ? iot_bytes_u32(b) : 0;
	for (guint32 i = 0; i < n && !b->bad; i++) {
		struct iot_vcpu vcpu = { .trace_id = id };

		vcpu.cpu = iot_bytes_u32(b);
		vcpu.pid = (gint32)iot_bytes_u32(b);
		if (b->bad)
			break;
		vcpu.guest = g_strdup(name);
		g_array_append_val(file->vcpus, vcpu);
	}
	if (b->bad)
		g_array_set_size(file->vcpus, before);
	else
		g_array_append_val(file->guest_ids, id);
	return !b->bad;
}

static gboolean take_tsc2nsec(struct iot_dat_file *file, struct iot_bytes *b)
{
	guint32 mult = iot_bytes_u32(b), shift = iot_bytes_u32(b);

	if (b->bad || shift > 63)
		return FALSE;
	file->clock.tsc_mult = mult;
	file->clock.tsc_shift = shift;
	return TRUE;
}

static gboolean take_buffer_text(struct iot_dat_file *file, struct iot_bytes *b)
{
	(void)b;
	file->latency_text = TRUE;
	return TRUE;
}

static const option_fn options[] = {
	[IOT_DAT_DATE] = take_date,
	[IOT_DAT_TRACECLOCK] = take_trace_clock,
	[IOT_DAT_UNAME] = take_uname,
	[IOT_DAT_OFFSET] = take_offset,
	[IOT_DAT_CPUCOUNT] = take_cpu_count,
	[IOT_DAT_TRACEID] = take_trace_id,
	[IOT_DAT_TIME_SHIFT] = take_time_shift,
	[IOT_DAT_GUEST] = take_guest,
	[IOT_DAT_TSC2NSEC] = take_tsc2nsec,
	[IOT_DAT_BUFFER_TEXT] = take_buffer_text,
};

static gboolean take_section(struct iot_dat_file *file, guint16 id, struct iot_bytes *b)
{
	guint64 offset = iot_bytes_u64(b);

	if (b->bad || offset >= file->size)
		return FALSE;
	file->section[id] = offset;
	return TRUE;
}

static gboolean take_buffer(struct iot_dat_file *file, struct iot_bytes *b, GError **error)
{
	guint64 offset = iot_bytes_u64(b);
	const char *name = iot_bytes_str(b);
	const char *clock = iot_bytes_str(b);
	guint32 page_size = iot_bytes_u32(b), n = iot_bytes_u32(b);
	struct iot_dat_section section = { 0 };
	struct iot_dat_buffer *buffer;

	if (b->bad) {
		iot_diag_add(&file->diag, IOT_DIAG_option_damaged, 1);
		return TRUE;
	}
	if (n > iot_bytes_left(b) / 20) {
		iot_diag_add(&file->diag, IOT_DIAG_option_damaged, 1);
		n = (guint32)(iot_bytes_left(b) / 20);
	}
	/* the section of the buffer, not the option, says whether its data are compressed */
	if (!iot_dat_section_header(file, offset, &section, error))
		return FALSE;
	if (section.id != IOT_DAT_BUFFER) {
		iot_diag_add(&file->diag, IOT_DIAG_option_damaged, 1);
		section.compressed = strcmp(file->compressor, "none") != 0;
	}
	buffer = iot_dat_add_buffer(file, name);
	buffer->clock = g_utf8_make_valid(clock, -1);
	buffer->page_size = page_size;
	buffer->compressed = section.compressed;
	for (guint32 i = 0; i < n; i++) {
		guint32 cpu = iot_bytes_u32(b);
		guint64 at = iot_bytes_u64(b), size = iot_bytes_u64(b);

		if (!iot_dat_add_area(file, buffer, cpu, at, size, error))
			return FALSE;
	}
	return TRUE;
}

gboolean iot_dat_option(struct iot_dat_file *file, guint16 id, const guint8 *data, gsize len,
			GError **error)
{
	gboolean ok = TRUE;
	struct iot_bytes b;

	iot_bytes_init(&b, data, len, file->layout.big_endian);
	if (id == IOT_DAT_BUFFER)
		return take_buffer(file, &b, error);
	if (id >= IOT_DAT_HEADER_INFO && id <= IOT_DAT_CMDLINES)
		ok = take_section(file, id, &b);
	else if (id < G_N_ELEMENTS(options) && options[id])
		ok = options[id](file, &b);
	if (!ok)
		iot_diag_add(&file->diag, IOT_DIAG_option_damaged, 1);
	return TRUE;
}
