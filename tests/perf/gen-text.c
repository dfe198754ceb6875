// SPDX-License-Identifier: GPL-2.0-or-later
/* Text recordings (iotrace-text(5)): the fields of each event by its format text. */
#include "gen.h"

#include <string.h>

enum { MAX_FIELDS = 32 };

struct field {
	char name[32];
	int offset, size;
	gboolean is_signed, is_dynamic, is_text;
};

struct format {
	struct field field[MAX_FIELDS];
	int n;
};

static const struct format *format_of(const struct gen_node *node, enum gen_event event)
{
	static struct format formats[GEN_N_EVENTS];
	struct format *format = &formats[event];
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (format->n)
		return format;
	text = gen_event_format(node, event);
	lines = g_strsplit(text, "\n", 0);
	for (int i = 0; lines[i]; i++) {
		struct field *f = &format->field[format->n];
		const char *end = strchr(lines[i], ';'), *name = end;

		if (!g_str_has_prefix(lines[i], "\tfield:") || strstr(lines[i], " common_"))
			continue;
		while (name[-1] != ' ')
			name--;
		g_snprintf(f->name, sizeof(f->name), "%.*s", (int)strcspn(name, ";["), name);
		if (sscanf(end, ";\toffset:%d;\tsize:%d;\tsigned:%d;", &f->offset, &f->size,
			   &f->is_signed) != 3)
			gen_die("a field without place: %s", lines[i]);
		f->is_dynamic = strstr(lines[i], "__data_loc") != NULL;
		f->is_text = strstr(lines[i], "__data_loc char[]") != NULL;
		format->n++;
	}
	return format;
}

static guint64 load(const guint8 *at, int size, gboolean is_signed)
{
	guint64 value = 0;

	for (int i = 0; i < size; i++)
		value |= (guint64)at[i] << (8 * i);
	if (is_signed && size < 8 && value >> (8 * size - 1))
		value |= G_MAXUINT64 << (8 * size);
	return value;
}

static void put_quoted(GString *line, const guint8 *bytes, gsize len)
{
	g_string_append_c(line, '"');
	for (gsize i = 0; i < len; i++)
		if (bytes[i] < ' ' || bytes[i] > '~' || bytes[i] == '"' || bytes[i] == '\\')
			g_string_append_printf(line, "\\x%02x", bytes[i]);
		else
			g_string_append_c(line, (char)bytes[i]);
	g_string_append_c(line, '"');
}

static void put_field(GString *line, const struct field *f, const guint8 *data)
{
	guint64 value = load(data + f->offset, MIN(f->size, 8), f->is_signed);

	g_string_append_printf(line, " %s=", f->name);
	if (f->is_dynamic)
		put_quoted(line, data + (value & 0xffff), ((value >> 16) & 0xffff) - f->is_text);
	else if (f->size > 8)
		put_quoted(line, data + f->offset, strlen((const char *)data + f->offset));
	else if (f->is_signed)
		g_string_append_printf(line, "%" G_GINT64_FORMAT, (gint64)value);
	else
		g_string_append_printf(line, "%" G_GUINT64_FORMAT, value);
}

void gen_text_event(struct gen_cpu *cpu, guint64 t, enum gen_event event,
		    const struct gen_buf *payload)
{
	const struct format *format = format_of(cpu->node, event);

	g_string_append_printf(cpu->lines, "%" G_GUINT64_FORMAT " %d %d %s:%s", t, cpu->number,
			       (gint32)load(payload->data + 4, 4, TRUE), gen_event_system(event),
			       gen_event_name(event));
	for (int i = 0; i < format->n; i++)
		put_field(cpu->lines, &format->field[i], payload->data);
	g_string_append_c(cpu->lines, '\n');
}

void gen_text_write(struct gen_node *node)
{
	const struct gen_opts *o = &node->gen->opts;
	g_autofree char *path = gen_file_path(node);
	FILE *out = fopen(path, "w");
	static char block[1 << 16];
	gsize n;

	if (!out)
		gen_die("cannot write %s: %m", path);
	fprintf(out, "iotrace-text 1\nhostname %s%d\n", node->number ? "node" : "host",
		node->number);
	fprintf(out, "sync %s\n", node->drift && o->error_ns < 0 ? "no" : "yes");
	if (o->error_ns >= 0)
		fprintf(out, "error %d\n", o->error_ns);
	for (int c = 0; c < node->gen->opts.cpus; c++) {
		rewind(node->cpu[c].data);
		while ((n = fread(block, 1, sizeof(block), node->cpu[c].data)) > 0)
			fwrite(block, 1, n, out);
		fclose(node->cpu[c].data);
	}
	if (ferror(out) || fclose(out))
		gen_die("cannot write %s: %m", path);
}
