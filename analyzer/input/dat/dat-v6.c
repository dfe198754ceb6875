/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Version 6 has no sections: each part follows the one before, so a length must be right to find
 * the next part. The CPU tables are before the data, so they survive a cut.
 */
#include "input/dat/dat-v6.h"
#include "input/dat/dat-formats.h"
#include "input/dat/dat-options.h"
#include "base/try-alloc.h"
#include "base/error.h"

enum {
	FIRST_READ = 1 << 20,
	MAX_METADATA = 256 << 20, /* with kallsyms */
	TYPE_SIZE = 10,		  /* "options  ", "flyrecord" and "latency  " with their NUL */
};

/* The parts of the metadata, each from its begin on. */
struct parts {
	struct iot_dat_file *file;
	struct iot_bytes header, ftrace, formats, commands, options, table;
	guint32 n_cpus;
	gboolean has_options, latency;
};

static gboolean type_is(const guint8 *type, const char *name)
{
	return type && !memcmp(type, name, TYPE_SIZE);
}

static void skip_sized(struct iot_bytes *b, gboolean wide)
{
	iot_bytes_take(b, wide ? iot_bytes_u64(b) : iot_bytes_u32(b));
}

static void skip_options(struct iot_bytes *b)
{
	while (!b->bad && iot_bytes_u16(b))
		skip_sized(b, FALSE);
}

/* Find the parts; b->bad if the bytes end before the CPU table. */
static void find_parts(struct parts *parts, struct iot_bytes *b)
{
	const guint8 *type;

	parts->header = *b;
	for (int i = 0; i < 2; i++) {
		iot_bytes_str(b);
		skip_sized(b, TRUE);
	}
	parts->ftrace = *b;
	iot_dat_ftrace_formats(NULL, b);
	parts->formats = *b;
	iot_dat_formats(NULL, b);
	skip_sized(b, FALSE); /* kallsyms */
	skip_sized(b, FALSE); /* printk */
	parts->commands = *b;
	skip_sized(b, TRUE);
	parts->n_cpus = iot_bytes_u32(b);
	type = iot_bytes_take(b, TYPE_SIZE);
	if (type_is(type, "options  ")) {
		parts->has_options = TRUE;
		parts->options = *b;
		skip_options(b);
		type = iot_bytes_take(b, TYPE_SIZE);
	}
	parts->latency = type_is(type, "latency  ");
	parts->table = *b;
	if (!parts->latency && !type_is(type, "flyrecord"))
		b->bad = TRUE;
	/* the metadata are complete only with the table */
	iot_bytes_take(b, (guint64)parts->n_cpus * 16);
}

static gboolean read_table(const struct parts *parts, const char *name, struct iot_bytes *b,
			   GError **error)
{
	struct iot_dat_file *file = parts->file;
	guint32 n = parts->n_cpus;
	struct iot_dat_buffer *buffer;
	const guint8 *clock;
	guint64 len;

	if (n > iot_bytes_left(b) / 16) {
		iot_diag_add(&file->diag, IOT_DIAG_option_damaged, 1);
		n = (guint32)(iot_bytes_left(b) / 16);
	}
	buffer = iot_dat_add_buffer(file, name);
	for (guint32 cpu = 0; cpu < n; cpu++) {
		guint64 offset = iot_bytes_u64(b), size = iot_bytes_u64(b);

		if (!iot_dat_add_area(file, buffer, cpu, offset, size, error))
			return FALSE;
	}
	/* the text of the clock follows only if there is an option for it */
	len = iot_bytes_u64(b);
	clock = len < 4096 ? iot_bytes_take(b, len) : NULL;
	if (clock)
		buffer->clock = iot_dat_trace_clock((const char *)clock, len);
	return TRUE;
}

/* The option names an instance, whose CPU table is elsewhere in the file. */
static gboolean read_instance(const struct parts *parts, struct iot_bytes *option, GError **error)
{
	struct iot_dat_file *file = parts->file;
	g_autofree guint8 *table = NULL;
	struct iot_bytes b;
	const char *name;
	guint64 offset;
	gsize len, got;

	offset = iot_bytes_u64(option);
	name = iot_bytes_str(option);
	len = TYPE_SIZE + (gsize)MIN(parts->n_cpus, 1u << 20) * 16 + 4096;
	table = iot_try_malloc(len, "a CPU table", error);
	if (!table || !iot_dat_file_read(file, offset, table, len, &got, error))
		return FALSE;
	if (option->bad || !*name || got < TYPE_SIZE || !type_is(table, "flyrecord")) {
		iot_diag_add(&file->diag, IOT_DIAG_option_damaged, 1);
		return TRUE;
	}
	iot_bytes_init(&b, table + TYPE_SIZE, got - TYPE_SIZE, file->layout.big_endian);
	return read_table(parts, name, &b, error);
}

static gboolean read_options(const struct parts *parts, gboolean instances, GError **error)
{
	struct iot_bytes b = parts->options, option;

	while (!b.bad) {
		guint16 id = iot_bytes_u16(&b);
		guint32 size = id ? iot_bytes_u32(&b) : 0;
		const guint8 *data = iot_bytes_take(&b, size);

		if (!id || !data)
			break;
		if ((id == IOT_DAT_BUFFER) != instances)
			continue;
		iot_bytes_init(&option, data, size, b.big_endian);
		if (!(instances ? read_instance(parts, &option, error)
				: iot_dat_option(parts->file, id, data, size, error)))
			return FALSE;
	}
	return TRUE;
}

static gboolean read_parts(struct parts *parts, GError **error)
{
	struct iot_dat_file *file = parts->file;
	guint32 n_cpus = parts->n_cpus;

	iot_dat_header_info(file, &parts->header);
	iot_dat_formats(file, &parts->formats);
	iot_dat_ftrace_formats(file, &parts->ftrace);
	iot_dat_commands(file, &parts->commands);
	if (parts->has_options && !read_options(parts, FALSE, error))
		return FALSE;
	file->latency_text = parts->latency;
	if (parts->latency)
		return TRUE;
	/* the option repeats the number that the table was found with */
	if (file->n_cpus && file->n_cpus != n_cpus)
		iot_diag_add(&file->diag, IOT_DIAG_option_damaged, 1);
	file->n_cpus = n_cpus;
	if (!read_table(parts, "", &parts->table, error))
		return FALSE;
	if (parts->has_options && !read_options(parts, TRUE, error))
		return FALSE;
	file->complete = TRUE;
	return TRUE;
}

gboolean iot_dat_open_v6(struct iot_dat_file *file, guint64 offset, GError **error)
{
	guint64 rest = file->size - offset;

	/* the length of the metadata is only known at their end */
	for (guint64 size = FIRST_READ;; size *= 4) {
		g_autofree guint8 *data =
			iot_try_malloc(MIN(size, rest) + 1, "the metadata of a recording", error);
		struct parts parts = { .file = file };
		struct iot_bytes b;
		gsize got;

		if (!data || !iot_dat_file_read(file, offset, data, MIN(size, rest), &got, error))
			return FALSE;
		iot_bytes_init(&b, data, got, file->layout.big_endian);
		find_parts(&parts, &b);
		if (!b.bad) {
			g_ptr_array_add(file->blobs, g_steal_pointer(&data));
			return read_parts(&parts, error);
		}
		if (size >= rest || size >= MAX_METADATA)
			break;
	}
	/* the caller reports that there is no buffer */
	iot_diag_add(&file->diag, IOT_DIAG_option_damaged, 1);
	return TRUE;
}
