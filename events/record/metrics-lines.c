/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "metrics-lines.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* A line has fewer bytes than LINE: a name of MAX_TEXT bytes, escaped, and a dozen of numbers. */
enum { CHUNK = 64 << 10, LINE = 4096, MAX_TEXT = 128 };

void rec_lines_init(struct rec_lines *lines, int fd)
{
	*lines = (struct rec_lines){ .fd = fd, .bytes = g_malloc(CHUNK) };
}

void rec_lines_flush(struct rec_lines *lines)
{
	gsize done = 0;

	while (!lines->error && done < lines->used) {
		gssize n = write(lines->fd, lines->bytes + done, lines->used - done);

		if (n > 0)
			done += (gsize)n;
		else if (n == 0 || errno != EINTR)
			lines->error = n ? errno : EIO;
	}
	if (lines->error && done && ftruncate(lines->fd, (off_t)lines->written))
		g_debug("metrics: %s", g_strerror(errno));
	if (!lines->error)
		lines->written += lines->used;
	lines->used = 0;
}

void rec_lines_close(struct rec_lines *lines)
{
	rec_lines_flush(lines);
	if (close(lines->fd) && !lines->error)
		lines->error = errno;
	g_clear_pointer(&lines->bytes, g_free);
}

static void add(struct rec_lines *lines, const char *text, gsize len)
{
	memcpy(lines->bytes + lines->used, text, len);
	lines->used += len;
}

static void add_char(struct rec_lines *lines, char c)
{
	lines->bytes[lines->used++] = c;
}

/* At least @width digits. */
static void add_digits(struct rec_lines *lines, guint64 number, guint width)
{
	char digits[20];
	guint n = 0;

	do
		digits[sizeof(digits) - ++n] = (char)('0' + number % 10);
	while ((number /= 10) || n < width);
	add(lines, digits + sizeof(digits) - n, n);
}

static void add_field(struct rec_lines *lines, const char *field)
{
	add_char(lines, ' ');
	add(lines, field, strlen(field));
	add_char(lines, '=');
}

void rec_lines_directive(struct rec_lines *lines, const char *name, const char *rest)
{
	add(lines, name, strlen(name));
	add_char(lines, ' ');
	for (gsize i = 0; rest[i] && i < LINE / 2; i++)
		add_char(lines, g_ascii_iscntrl(rest[i]) ? '?' : rest[i]);
	rec_line_end(lines);
}

void rec_line_begin(struct rec_lines *lines, guint64 ns, guint cpu, const char *event)
{
	add_digits(lines, ns, 1);
	add_char(lines, ' ');
	add_digits(lines, cpu, 1);
	add(lines, " 0 ", 3);
	add(lines, event, strlen(event));
}

void rec_line_end(struct rec_lines *lines)
{
	add_char(lines, '\n');
	if (lines->used > CHUNK - LINE)
		rec_lines_flush(lines);
}

void rec_line_text(struct rec_lines *lines, const char *field, const char *text)
{
	static const char hex[] = "0123456789abcdef";

	add_field(lines, field);
	add_char(lines, '"');
	for (guint i = 0; text[i] && i < MAX_TEXT; i++) {
		guchar c = (guchar)text[i];

		if (c == '"' || c == '\\') {
			add_char(lines, '\\');
			add_char(lines, (char)c);
		} else if (c < ' ' || c >= 127) {
			add(lines, "\\x", 2);
			add_char(lines, hex[c >> 4]);
			add_char(lines, hex[c & 15]);
		} else {
			add_char(lines, (char)c);
		}
	}
	add_char(lines, '"');
}

void rec_line_number(struct rec_lines *lines, const char *field, guint64 number)
{
	add_field(lines, field);
	add_digits(lines, number, 1);
}

void rec_line_hundredths(struct rec_lines *lines, const char *field, guint64 hundredths)
{
	add_field(lines, field);
	add_digits(lines, hundredths / 100, 1);
	add_char(lines, '.');
	add_digits(lines, hundredths % 100, 2);
}
