/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "language/model-file.h"
#include "base/error.h"

#include <string.h>

static void setting_free(gpointer data)
{
	struct iot_setting *setting = data;

	g_free(setting->key);
	g_free(setting->value);
	g_free(setting);
}

static void section_free(gpointer data)
{
	struct iot_section *section = data;

	g_free(section->kind);
	g_free(section->name);
	g_ptr_array_unref(section->settings);
	g_free(section);
}

void iot_model_file_free(struct iot_model_file *file)
{
	if (!file)
		return;
	g_free(file->path);
	g_ptr_array_unref(file->sections);
	g_free(file);
}

static gboolean syntax_error(const struct iot_model_file *file, guint line, gsize column,
			     GError **error, const char *text)
{
	g_set_error(error, IOT_ERROR, IOT_ERROR_MODEL, "%s:%u:%u: %s", file->path, line,
		    (guint)column, text);
	return FALSE;
}

static char *fold_blanks(const char *text, gsize len)
{
	g_autofree char *copy = g_strndup(text, len);
	g_auto(GStrv) words = g_strsplit_set(g_strstrip(copy), " \t", -1);
	GString *folded = g_string_new(NULL);

	for (guint i = 0; words[i]; i++) {
		if (!*words[i])
			continue;
		if (folded->len)
			g_string_append_c(folded, ' ');
		g_string_append(folded, words[i]);
	}
	return g_string_free(folded, FALSE);
}

static gboolean parse_heading(struct iot_model_file *file, const char *start, const char *text,
			      gsize len, guint line, GError **error)
{
	const char *close = memchr(text, ']', len);
	g_autofree char *inside = NULL;
	struct iot_section *section;
	char *space;

	if (!close)
		return syntax_error(file, line, (gsize)(text - start) + 1, error, "']' is missing");
	if ((gsize)(close - text) + 1 != len)
		return syntax_error(file, line, (gsize)(close - start) + 2, error,
				    "text after ']'");
	inside = fold_blanks(text + 1, (gsize)(close - text) - 1);
	if (!*inside)
		return syntax_error(file, line, (gsize)(text - start) + 2, error,
				    "a section needs a kind, as in [pair lock]");
	section = g_new0(struct iot_section, 1);
	section->file = file;
	section->line = line;
	section->column = (guint)(text - start) + 1;
	section->settings = g_ptr_array_new_with_free_func(setting_free);
	space = strchr(inside, ' ');
	section->kind = space ? g_strndup(inside, (gsize)(space - inside)) : g_strdup(inside);
	section->name = g_strdup(space ? space + 1 : "");
	g_ptr_array_add(file->sections, section);
	return TRUE;
}

static gboolean parse_setting(struct iot_model_file *file, const char *start, const char *text,
			      gsize len, guint line, GError **error)
{
	const char *equals = memchr(text, '=', len);
	struct iot_section *section;
	struct iot_setting *setting;
	const char *value;

	if (!file->sections->len)
		return syntax_error(file, line, (gsize)(text - start) + 1, error,
				    "a setting before the first [section]");
	if (!equals || equals == text)
		return syntax_error(file, line, (gsize)(text - start) + 1, error,
				    "neither [section] nor key = value");
	section = file->sections->pdata[file->sections->len - 1];
	for (value = equals + 1; value < text + len && (*value == ' ' || *value == '\t');)
		value++;
	setting = g_new0(struct iot_setting, 1);
	setting->file = file;
	setting->key = fold_blanks(text, (gsize)(equals - text));
	setting->value = g_strndup(value, (gsize)(text + len - value));
	setting->line = line;
	setting->key_column = (guint)(text - start) + 1;
	setting->value_column = (guint)(value - start) + 1;
	g_ptr_array_add(section->settings, setting);
	if (!*setting->value)
		return iot_setting_error(setting, 0, error, "\"%s\" has no value", setting->key);
	for (guint i = 0; i + 1 < section->settings->len; i++) {
		const struct iot_setting *other = section->settings->pdata[i];

		if (!strcmp(other->key, setting->key))
			return syntax_error(file, line, setting->key_column, error,
					    "this key stands twice in its section");
	}
	return TRUE;
}

static gboolean parse_line(struct iot_model_file *file, const char *start, gsize len, guint line,
			   GError **error)
{
	const char *text = start;

	while (len && (start[len - 1] == ' ' || start[len - 1] == '\t' || start[len - 1] == '\r'))
		len--;
	while (text < start + len && (*text == ' ' || *text == '\t'))
		text++;
	len -= (gsize)(text - start);
	if (!len || *text == ';' || *text == '#')
		return TRUE;
	if (*text == '[')
		return parse_heading(file, start, text, len, line, error);
	return parse_setting(file, start, text, len, line, error);
}

struct iot_model_file *iot_model_file_parse(const char *path, const char *text, gsize len,
					    GError **error)
{
	g_autoptr(iot_model_file) file = g_new0(struct iot_model_file, 1);
	const char *bad;
	guint line = 1;

	file->path = g_strdup(path);
	file->sections = g_ptr_array_new_with_free_func(section_free);
	if (!g_utf8_validate(text, (gssize)len, &bad)) {
		for (const char *p = text; p < bad; p++)
			line += *p == '\n';
		syntax_error(file, line, 1, error, "not valid UTF-8 text");
		return NULL;
	}
	for (const char *end = text + len; text < end; line++) {
		const char *newline = memchr(text, '\n', (gsize)(end - text));
		gsize n = (gsize)((newline ? newline : end) - text);

		if (!parse_line(file, text, n, line, error))
			return NULL;
		text += n + 1;
	}
	return g_steal_pointer(&file);
}

struct iot_model_file *iot_model_file_load(const char *path, GError **error)
{
	g_autofree char *text = NULL;
	g_autoptr(GError) local = NULL;
	gsize len;

	if (g_file_get_contents(path, &text, &len, &local))
		return iot_model_file_parse(path, text, len, error);
	g_set_error(error, IOT_ERROR, IOT_ERROR_MODEL, "cannot read the model: %s", local->message);
	return NULL;
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

gboolean iot_setting_error(const struct iot_setting *setting, gsize offset, GError **error,
			   const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error(error, IOT_ERROR, IOT_ERROR_MODEL, "%s:%u:%u: %s", setting->file->path,
		    setting->line, setting->value_column + (guint)offset, text);
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
	return syntax_error(setting->file, setting->line, setting->key_column, error, text);
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
