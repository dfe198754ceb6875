/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a recording of trace-cmd, version 7, of one CPU, from format texts and a few events: a recording of any kernel whose
 * formats are known. It shares no code with the analyser. A test program: it ends with a message on the first error.
 *
 * usage: make-dat FILE < LINES
 *	format SYSTEM PATH			the format text of an event
 *	event TIME PID SYSTEM NAME FIELD=VALUE ...	numbers, or texts of char arrays; times in ns, in order
 */
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, LONG = 8 };

struct format {
	char *system, *name, *text;
	guint id;
};

static GByteArray *out;

static G_NORETURN void die(const char *what, const char *about)
{
	fprintf(stderr, "make-dat: %s: %s\n", what, about);
	exit(1);
}

static void put(guint64 value, guint size)
{
	value = GUINT64_TO_LE(value);
	g_byte_array_append(out, (guint8 *)&value, size);
}

static void patch(gsize at, guint64 value, guint size)
{
	value = GUINT64_TO_LE(value);
	memcpy(out->data + at, &value, size);
}

static void put_bytes(const char *text, gsize len)
{
	g_byte_array_append(out, (const guint8 *)text, (guint)len);
}

static void put_text(const char *text)
{
	put_bytes(text, strlen(text) + 1);
}

static void put_long_text(const char *text)
{
	put(strlen(text), 8);
	put_bytes(text, strlen(text));
}

/* The header of a section; its size is patched at the end. */
static gsize begin_section(guint id)
{
	gsize at = out->len;

	put(id, 2);
	put(0, 6);
	put(0, 8);
	return at;
}

static void end_section(gsize at)
{
	patch(at + 8, out->len - at - 16, 8);
}

static void put_option(guint id, guint64 value)
{
	put(id, 2);
	put(8, 4);
	put(value, 8);
}

static void format_free(gpointer data)
{
	struct format *format = data;

	g_free(format->system);
	g_free(format->name);
	g_free(format->text);
	g_free(format);
}

static struct format *read_format(const char *system, const char *path)
{
	struct format *format = g_new0(struct format, 1);
	const char *id;

	if (!g_file_get_contents(path, &format->text, NULL, NULL))
		die("cannot be read", path);
	id = strstr(format->text, "\nID: ");
	if (!g_str_has_prefix(format->text, "name: ") || !id)
		die("is no format", path);
	format->name = g_strndup(format->text + 6, strcspn(format->text + 6, "\n"));
	format->id = (guint)strtoul(id + 5, NULL, 10);
	format->system = g_strdup(system);
	return format;
}

/* Put a value where the format says that the field is. */
static void set_field(GByteArray *event, const struct format *format, const char *name,
		      const char *value)
{
	g_autofree char *pattern =
		g_strdup_printf("\\b%s(\\[[^;]*)?;\\s*offset:(\\d+);\\s*size:(\\d+);", name);
	g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *at = NULL, *length = NULL;
	guint64 offset, size, number;

	if (!g_regex_match(regex, format->text, 0, &match))
		die("there is no such field", name);
	at = g_match_info_fetch(match, 2);
	length = g_match_info_fetch(match, 3);
	offset = strtoull(at, NULL, 10);
	size = strtoull(length, NULL, 10);
	if (event->len < offset + size) {
		guint old = event->len;

		g_byte_array_set_size(event, (guint)(offset + size));
		memset(event->data + old, 0, event->len - old);
	}
	if (size > 8 || (*value && !strchr("-0123456789", *value))) {
		memcpy(event->data + offset, value, MIN(strlen(value), size));
		return;
	}
	number = GUINT64_TO_LE((guint64)strtoll(value, NULL, 0));
	memcpy(event->data + offset, &number, size);
}

static void put_event(char **words, const GPtrArray *formats, guint64 *last)
{
	g_autoptr(GByteArray) event = g_byte_array_new();
	guint64 ts = strtoull(words[1], NULL, 10);
	const struct format *format = NULL;
	g_autofree char *id = NULL;

	for (guint i = 0; i < formats->len; i++) {
		const struct format *one = formats->pdata[i];

		if (!strcmp(one->system, words[3]) && !strcmp(one->name, words[4]))
			format = one;
	}
	if (!format)
		die("there is no such format", words[4]);
	id = g_strdup_printf("%u", format->id);
	set_field(event, format, "common_type", id);
	set_field(event, format, "common_pid", words[2]);
	for (guint i = 5; words[i]; i++) {
		char *value = strchr(words[i], '=');

		if (!value)
			die("FIELD=VALUE expected", words[i]);
		*value++ = '\0';
		set_field(event, format, words[i], value);
	}
	g_byte_array_set_size(event, event->len + (4 - event->len % 4) % 4);
	if (event->len > 112 || ts - *last >= 1 << 27)
		die("too long, or too late after the one before", words[4]);
	put((ts - *last) << 5 | event->len / 4, 4);
	put_bytes((const char *)event->data, event->len);
	*last = ts;
}

static gboolean is_ftrace(const struct format *format)
{
	return !strcmp(format->system, "ftrace");
}

int main(int argc, char **argv)
{
	static const char page_format[] =
		"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";
	g_autoptr(GPtrArray) formats = g_ptr_array_new_with_free_func(format_free);
	g_autoptr(GPtrArray) events = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
	gsize options_at, section[19], buffer, data, options;
	guint n_ftrace = 0;
	guint64 last;
	char line[1024];

	if (argc != 2)
		die("usage", "make-dat FILE < LINES");
	while (fgets(line, sizeof(line), stdin)) {
		char **words = g_strsplit(g_strstrip(line), " ", -1);
		guint n = g_strv_length(words);

		if (n == 3 && !strcmp(words[0], "format"))
			g_ptr_array_add(formats, read_format(words[1], words[2]));
		else if (n >= 5 && !strcmp(words[0], "event"))
			g_ptr_array_add(events, words);
		else if (n)
			die("this line is not understood", line);
		if (n < 5)
			g_strfreev(words);
	}
	out = g_byte_array_new();
	put_bytes("\x17\x08\x44tracing", 10);
	put_text("7");
	put(0, 1);
	put(LONG, 1);
	put(PAGE, 4);
	put_text("none");
	put_text("");
	options_at = out->len;
	put(0, 8);
	section[16] = begin_section(16);
	put_text("header_page");
	put_long_text(page_format);
	put_text("header_event");
	put_long_text("# compressed entry header\n");
	end_section(section[16]);
	/* events of tracers stand apart, without their system */
	for (guint i = 0; i < formats->len; i++)
		n_ftrace += is_ftrace(formats->pdata[i]);
	section[17] = begin_section(17);
	put(n_ftrace, 4);
	for (guint i = 0; i < formats->len; i++)
		if (is_ftrace(formats->pdata[i]))
			put_long_text(((const struct format *)formats->pdata[i])->text);
	end_section(section[17]);
	section[18] = begin_section(18);
	put(formats->len - n_ftrace, 4);
	for (guint i = 0; i < formats->len; i++) {
		const struct format *format = formats->pdata[i];

		if (is_ftrace(format))
			continue;
		put_text(format->system);
		put(1, 4);
		put_long_text(format->text);
	}
	end_section(section[18]);
	buffer = begin_section(3);
	while (out->len % PAGE)
		put(0, 1);
	data = out->len;
	if (events->len) {
		last = strtoull(((char **)events->pdata[0])[1], NULL, 10);
		put(last, 8);
		put(0, LONG);
		for (guint i = 0; i < events->len; i++)
			put_event(events->pdata[i], formats, &last);
		if (out->len - data > PAGE)
			die("too many events", "a page is full");
		patch(data + 8, out->len - data - 16, LONG);
		while (out->len % PAGE)
			put(0, 1);
	}
	end_section(buffer);
	options = begin_section(0);
	patch(options_at, options, 8);
	for (guint id = 16; id <= 18; id++)
		put_option(id, section[id]);
	put(8, 2); /* number of CPUs */
	put(4, 4);
	put(1, 4);
	put(3, 2); /* the buffer */
	put(8 + 1 + 6 + 4 + 4 + 20, 4);
	put(buffer, 8);
	put_text("");
	put_text("local");
	put(PAGE, 4);
	put(1, 4);
	put(0, 4);
	put(data, 8);
	put(events->len ? PAGE : 0, 8);
	put_option(0, 0);
	end_section(options);
	if (!g_file_set_contents(argv[1], (const char *)out->data, out->len, NULL))
		die("cannot be written", argv[1]);
	g_byte_array_unref(out);
	return 0;
}
