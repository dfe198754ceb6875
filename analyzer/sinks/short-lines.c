/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/short-lines.h"

#include <string.h>

static const char dots[] = " ...";

static void free_line(gpointer data)
{
	struct iot_short_line *line = data;

	g_free(line->text);
	g_free(line);
}

struct iot_short_lines *iot_short_lines_new(guint width)
{
	struct iot_short_lines *lines = g_new0(struct iot_short_lines, 1);

	lines->lines = g_ptr_array_new_with_free_func(free_line);
	lines->width = width;
	return lines;
}

void iot_short_lines_free(struct iot_short_lines *lines)
{
	if (!lines)
		return;
	g_ptr_array_unref(lines->lines);
	g_free(lines);
}

/* The bytes of @text that fit in @width columns, at least one character. */
static gsize fitting(const char *text, guint width)
{
	const char *end = text;
	guint used = 0;

	while (*end) {
		const char *next = g_utf8_next_char(end);
		g_autofree char *character = g_strndup(end, (gsize)(next - end));

		used += iot_text_width(character);
		if (used > width && end > text)
			break;
		end = next;
	}
	return (gsize)(end - text);
}

/* A number and its unit stay together: "54 %", "3.54 s". */
static gboolean is_unit(const char *word)
{
	gsize length = strcspn(word, ",;:)");

	return g_str_has_prefix(word, "%") || (length == 1 && *word == 's') ||
	       (length == 2 && strchr("mun", *word) && word[1] == 's');
}

/* (element-type char *) The words, with their units. */
static char **split_words(const char *text)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	g_autoptr(GPtrArray) joined = g_ptr_array_new();

	for (guint i = 0; words[i]; i++) {
		guint last = joined->len - 1;

		if (i && is_unit(words[i]) && g_ascii_isdigit(*words[i - 1])) {
			char *both = g_strconcat(joined->pdata[last], " ", words[i], NULL);

			g_free(joined->pdata[last]);
			joined->pdata[last] = both;
			continue;
		}
		g_ptr_array_add(joined, g_strdup(words[i]));
	}
	g_ptr_array_add(joined, NULL);
	return (char **)g_ptr_array_free(g_steal_pointer(&joined), FALSE);
}

/* (element-type char *) A word that is longer than a line is cut into pieces. */
static GPtrArray *wrap(const char *text, guint indent, guint width)
{
	GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
	g_auto(GStrv) words = split_words(text);
	g_autoptr(GString) line = g_string_new(NULL);
	guint margin = indent;

	g_string_append_printf(line, "%*s", (int)margin, "");
	for (guint i = 0; words[i]; i++) {
		const char *word = words[i];

		if (i && iot_text_width(line->str) + 1 + iot_text_width(word) > width &&
		    line->len > margin) {
			g_ptr_array_add(lines, g_strdup(line->str));
			margin = indent + 2;
			g_string_printf(line, "%*s", (int)margin, "");
		} else if (i) {
			g_string_append_c(line, ' ');
		}
		while (iot_text_width(line->str) + iot_text_width(word) > width) {
			guint used = iot_text_width(line->str);
			gsize n = fitting(word, width > used ? width - used : 1);

			g_string_append_len(line, word, (gssize)n);
			g_ptr_array_add(lines, g_strdup(line->str));
			margin = indent + 2;
			g_string_printf(line, "%*s", (int)margin, "");
			word += n;
		}
		g_string_append(line, word);
	}
	g_ptr_array_add(lines, g_strdup(line->str));
	return lines;
}

static char *with_dots(const char *line, guint width)
{
	gsize keep = fitting(line, width > strlen(dots) ? width - (guint)strlen(dots) : 1);
	gsize word = keep;

	/* half a word is worse than none, unless it is the only one */
	while (word && line[keep] && line[keep] != ' ' && line[word - 1] != ' ')
		word--;
	if (word > strspn(line, " "))
		keep = word;
	while (keep && line[keep - 1] == ' ')
		keep--;
	return g_strdup_printf("%.*s%s", (int)keep, line, dots);
}

void iot_short_add(struct iot_short_lines *lines, enum iot_style style, const char *text,
		   guint indent, guint most)
{
	g_autofree char *safe = iot_text_printable(text);
	g_autoptr(GPtrArray) wrapped = wrap(safe, indent, lines->width);
	guint n = most ? MIN(wrapped->len, most) : wrapped->len;

	for (guint i = 0; i < n; i++) {
		struct iot_short_line *line = g_new0(struct iot_short_line, 1);

		line->style = style;
		line->text = i + 1 == n && n < wrapped->len
				     ? with_dots(wrapped->pdata[i], lines->width)
				     : g_strdup(wrapped->pdata[i]);
		g_ptr_array_add(lines->lines, line);
	}
}

void iot_short_write(const struct iot_short_lines *lines, struct iot_out *out, gboolean colour)
{
	for (guint i = 0; i < lines->lines->len; i++) {
		const struct iot_short_line *line = lines->lines->pdata[i];

		iot_out_styled(out, line->style, colour, line->text);
		iot_out_putc(out, '\n');
	}
}

/* ---- sentences */

/* The parenthesis that closes the one at @open; NULL: none does, as in some names of files. */
static const char *find_close(const char *open)
{
	guint depth = 0;

	for (const char *at = open; *at; at++) {
		depth += *at == '(';
		if (*at == ')' && !--depth)
			return at;
	}
	return NULL;
}

/* The elements between two parentheses, which nested ones keep together. */
static GPtrArray *split_list(const char *begin, const char *end)
{
	GPtrArray *list = g_ptr_array_new_with_free_func(g_free);
	const char *from = begin;

	for (const char *at = begin; at < end; at++) {
		const char *close = *at == '(' ? find_close(at) : NULL;

		if (close && close < end)
			at = close;
		if (!g_str_has_prefix(at, "; "))
			continue;
		g_ptr_array_add(list, g_strndup(from, (gsize)(at - from)));
		from = at + 2;
	}
	g_ptr_array_add(list, g_strndup(from, (gsize)(end - from)));
	return list;
}

static void add_list(GString *out, const GPtrArray *list, guint elements, gboolean asked)
{
	guint first = g_str_has_prefix(list->pdata[0], "asked for ");
	guint from = asked ? 0 : first, to = MIN(list->len, first + elements);

	/* a list of nothing else keeps its only element */
	if (from >= to)
		from = 0;
	for (guint i = from; i < to; i++)
		g_string_append_printf(out, "%s%s", i > from ? "; " : "(",
				       (const char *)list->pdata[i]);
	if (to < list->len)
		g_string_append_printf(out, "; %u more", list->len - to);
	g_string_append_c(out, ')');
}

static char *with_elements(const char *text, guint elements, gboolean asked)
{
	GString *out = g_string_new(NULL);

	for (const char *at = text; *at; at++) {
		const char *close = *at == '(' ? find_close(at) : NULL;
		g_autoptr(GPtrArray) list = close ? split_list(at + 1, close) : NULL;

		if (!close) {
			g_string_append_c(out, *at);
			continue;
		}
		add_list(out, list, elements, asked);
		at = close;
	}
	return g_string_free(out, FALSE);
}

char *iot_short_sentence(const struct iot_short_lines *lines, const char *text, guint indent,
			 guint elements, guint most)
{
	g_autofree char *safe = iot_text_printable(text);
	char *sentence = with_elements(safe, elements, TRUE);

	for (guint n = elements; n; n--) {
		g_autoptr(GPtrArray) wrapped = wrap(sentence, indent, lines->width);

		if (wrapped->len <= most)
			break;
		g_free(sentence);
		sentence = with_elements(safe, n, FALSE);
	}
	return sentence;
}
