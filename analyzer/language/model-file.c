/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "language/model-file.h"
#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { MAX_MODEL = 4 << 20 };

static void section_free(gpointer data)
{
	struct iot_section *section = data;

	g_ptr_array_unref(section->settings);
	g_free(section);
}

struct iot_model_file *iot_model_file_ref(struct iot_model_file *file)
{
	file->n_users++;
	return file;
}

void iot_model_file_free(struct iot_model_file *file)
{
	if (!file || --file->n_users)
		return;
	g_free(file->path);
	g_free(file->text);
	g_ptr_array_unref(file->sections);
	g_free(file->setting);
	g_free(file);
}

/* The line that is parsed, without blanks around it, and where errors go. The character after it
 * may be overwritten. */
struct line {
	struct iot_model_file *file;
	guint number, column; /* from 1; of the first character */
	char *text;
	gsize len;
	GError **error;
};

/* An error at the character @offset of the line. */
static gboolean syntax_error(const struct line *line, gsize offset, const char *text)
{
	g_set_error(line->error, IOT_ERROR, IOT_ERROR_MODEL, "%s:%u:%u: %s", line->file->path,
		    line->number, line->column + (guint)offset, text);
	return FALSE;
}

/* Without blanks at the ends, and with one for several; in place. text[len] is overwritten. */
static char *fold_blanks(char *text, gsize len)
{
	char *end = text;
	gboolean gap = FALSE;

	for (gsize i = 0; i < len; i++) {
		gboolean blank = text[i] == ' ' || text[i] == '\t';

		if (gap && !blank && end > text)
			*end++ = ' ';
		if (!blank)
			*end++ = text[i];
		gap = blank;
	}
	*end = '\0';
	return text;
}

static gboolean parse_heading(const struct line *line)
{
	const char *close = memchr(line->text, ']', line->len);
	gsize close_at = close ? (gsize)(close - line->text) : 0;
	struct iot_section *section;
	char *inside, *space;

	if (!close)
		return syntax_error(line, 0, "']' is missing");
	if (close_at + 1 != line->len)
		return syntax_error(line, close_at + 1, "text after ']'");
	inside = fold_blanks(line->text + 1, close_at - 1);
	if (!*inside)
		return syntax_error(line, 1, "a section needs a kind, as in [pair lock]");
	section = g_new0(struct iot_section, 1);
	section->file = line->file;
	section->line = line->number;
	section->column = line->column;
	section->settings = g_ptr_array_new();
	space = strchr(inside, ' ');
	section->kind = inside;
	section->name = space ? space + 1 : inside + strlen(inside);
	if (space)
		*space = '\0';
	g_ptr_array_add(line->file->sections, section);
	return TRUE;
}

static gboolean parse_setting(const struct line *line)
{
	char *equals = memchr(line->text, '=', line->len), *end = line->text + line->len;
	const GPtrArray *sections = line->file->sections;
	struct iot_section *section;
	struct iot_setting *setting;
	char *value;

	if (!sections->len)
		return syntax_error(line, 0, "a setting before the first [section]");
	if (!equals || equals == line->text)
		return syntax_error(line, 0, "neither [section] nor key = value");
	section = sections->pdata[sections->len - 1];
	for (value = equals + 1; value < end && (*value == ' ' || *value == '\t');)
		value++;
	*end = '\0';
	setting = &line->file->setting[line->file->n_settings++];
	setting->file = line->file;
	setting->key = fold_blanks(line->text, (gsize)(equals - line->text));
	setting->hash = g_str_hash(setting->key);
	setting->value = value;
	setting->line = line->number;
	setting->key_column = line->column;
	setting->value_column = line->column + (guint)(value - line->text);
	g_ptr_array_add(section->settings, setting);
	if (!*setting->value)
		return iot_setting_error(setting, 0, line->error, "\"%s\" has no value",
					 setting->key);
	for (guint i = 0; i + 1 < section->settings->len; i++) {
		const struct iot_setting *other = section->settings->pdata[i];

		if (other->hash == setting->hash && !strcmp(other->key, setting->key))
			return syntax_error(line, 0, "this key stands twice in its section");
	}
	return TRUE;
}

static gboolean parse_line(struct line *line)
{
	while (line->len && strchr(" \t\r", line->text[line->len - 1]))
		line->len--;
	for (; line->len && strchr(" \t", *line->text); line->text++, line->len--)
		line->column++;
	if (!line->len || *line->text == ';' || *line->text == '#')
		return TRUE;
	return *line->text == '[' ? parse_heading(line) : parse_setting(line);
}

struct iot_model_file *iot_model_file_parse(const char *path, const char *text, gsize len,
					    GError **error)
{
	g_autoptr(iot_model_file) file = iot_model_file_ref(g_new0(struct iot_model_file, 1));
	struct line line = { .file = file, .number = 1, .column = 1, .error = error };
	const char *bad;
	guint n_lines = 1;

	file->path = g_strdup(path);
	file->sections = g_ptr_array_new_with_free_func(section_free);
	if (!g_utf8_validate(text, (gssize)len, &bad)) {
		for (const char *p = text; p < bad; p++)
			line.number += *p == '\n';
		syntax_error(&line, 0, "not valid UTF-8 text");
		return NULL;
	}
	file->text = g_strndup(text, len);
	for (const char *at = file->text; (at = strchr(at, '\n')) != NULL; at++)
		n_lines++;
	file->setting = g_new0(struct iot_setting, n_lines);
	for (char *at = file->text, *end = at + len; at < end; line.number++) {
		gsize n = (gsize)(strchrnul(at, '\n') - at);

		line.column = 1;
		line.text = at;
		line.len = n;
		if (!parse_line(&line))
			return NULL;
		at += n + 1;
	}
	return g_steal_pointer(&file);
}

/* FALSE with errno. A pipe is read, too, but nothing is read without end. */
static gboolean read_text(const char *path, GString *text)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char piece[1 << 14];
	ssize_t n = -1;
	int saved;

	if (fd < 0)
		return FALSE;
	do {
		n = read(fd, piece, sizeof(piece));
		if (n > 0)
			g_string_append_len(text, piece, n);
		if (text->len > MAX_MODEL) {
			errno = EFBIG;
			n = -1;
			break;
		}
	} while (n > 0 || (n < 0 && errno == EINTR));
	saved = errno;
	close(fd);
	errno = saved;
	return n == 0;
}

/* The begin of the heading after @at; NULL: there is none. */
static const char *next_heading(const char *at)
{
	const char *before = strstr(at, "\n[");

	return before ? before + 1 : NULL;
}

static struct iot_model_file *load(const char *path, gboolean whole, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);
	const char *first, *second = NULL;

	if (read_text(path, text)) {
		first = *text->str == '[' || whole ? text->str : next_heading(text->str);
		if (!first)
			first = text->str;
		else if (!whole)
			second = next_heading(first);
		return iot_model_file_parse(
			path, first, (gsize)((second ? second : text->str + text->len) - first),
			error);
	}
	g_set_error(error, IOT_ERROR, IOT_ERROR_MODEL, "cannot read the model %s: %s", path,
		    errno == EFBIG ? "it is larger than 4 MiB" : g_strerror(errno));
	return NULL;
}

struct iot_model_file *iot_model_file_load(const char *path, GError **error)
{
	return load(path, TRUE, error);
}

struct iot_model_file *iot_model_file_head(const char *path, GError **error)
{
	return load(path, FALSE, error);
}

const struct iot_setting *iot_section_get(const struct iot_section *section, const char *key)
{
	for (guint i = 0; i < section->settings->len; i++) {
		const struct iot_setting *setting = section->settings->pdata[i];

		if (!strcmp(setting->key, key))
			return setting;
	}
	return NULL;
}

const struct iot_setting *iot_section_require(const struct iot_section *section, const char *key,
					      GError **error)
{
	const struct iot_setting *setting = iot_section_get(section, key);

	if (!setting)
		iot_section_error(section, error, "\"%s = ...\" is missing", key);
	return setting;
}

char *iot_setting_place(const struct iot_setting *setting, gsize offset)
{
	return g_strdup_printf("%s:%u:%u", setting->file->path, setting->line,
			       setting->value_column + (guint)offset);
}

gboolean iot_setting_error(const struct iot_setting *setting, gsize offset, GError **error,
			   const char *format, ...)
{
	g_autofree char *text = NULL, *place = iot_setting_place(setting, offset);
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error(error, IOT_ERROR, IOT_ERROR_MODEL, "%s: %s", place, text);
	return FALSE;
}

gboolean iot_setting_key_error(const struct iot_setting *setting, GError **error,
			       const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error(error, IOT_ERROR, IOT_ERROR_MODEL, "%s:%u:%u: %s", setting->file->path,
		    setting->line, setting->key_column, text);
	return FALSE;
}

gboolean iot_section_error(const struct iot_section *section, GError **error, const char *format,
			   ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error(error, IOT_ERROR, IOT_ERROR_MODEL, "%s:%u:%u: [%s%s%s]: %s",
		    section->file->path, section->line, section->column, section->kind,
		    *section->name ? " " : "", section->name, text);
	return FALSE;
}
