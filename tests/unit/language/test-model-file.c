/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/error.h"
#include "model-sample.h"

#include <glib/gstdio.h>
#include <unistd.h>

static struct iot_model_file *parse(const char *text, GError **error)
{
	return iot_model_file_parse("t.model", text, strlen(text), error);
}

UNIT_TEST(sections_and_settings_with_their_places)
{
	static const char text[] = "# comment\n"
				   "; another\n"
				   "\n"
				   "[model]\r\n"
				   "name = a b  \n"
				   "\ttitle=x=y # not a comment\r\n"
				   "  [  pair   of\tshoes ]  \n"
				   "rule \t 1  =  go";
	g_autoptr(iot_model_file) file = parse(text, NULL);
	const struct iot_section *section;
	const struct iot_setting *setting;

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	CU_ASSERT_STRING_EQUAL(file->path, "t.model");
	CU_ASSERT_EQUAL_FATAL(file->sections->len, 2);
	section = file->sections->pdata[0];
	CU_ASSERT_STRING_EQUAL(section->kind, "model");
	CU_ASSERT_STRING_EQUAL(section->name, "");
	CU_ASSERT_EQUAL(section->line, 4);
	CU_ASSERT_EQUAL(section->column, 1);
	CU_ASSERT_EQUAL(section->settings->len, 2);
	setting = iot_section_get(section, "name");
	CU_ASSERT_STRING_EQUAL(setting->value, "a b");
	CU_ASSERT_EQUAL(setting->line, 5);
	setting = iot_section_get(section, "title");
	CU_ASSERT_STRING_EQUAL(setting->value, "x=y # not a comment");
	CU_ASSERT_EQUAL(setting->key_column, 2);
	CU_ASSERT_EQUAL(setting->value_column, 8);
	section = file->sections->pdata[1];
	CU_ASSERT_STRING_EQUAL(section->kind, "pair");
	CU_ASSERT_STRING_EQUAL(section->name, "of shoes");
	CU_ASSERT_EQUAL(section->line, 7);
	CU_ASSERT_EQUAL(section->column, 3);
	setting = iot_section_get(section, "rule 1");
	CU_ASSERT_PTR_NOT_NULL_FATAL(setting);
	CU_ASSERT_STRING_EQUAL(setting->value, "go");
	CU_ASSERT_EQUAL(setting->value_column, 14);
	CU_ASSERT_PTR_NULL(iot_section_get(section, "rule"));
}

UNIT_TEST(no_text_no_sections)
{
	static const char *const empty[] = { "", "\n\n", "# only this", "  \t \n;" };

	for (guint i = 0; i < G_N_ELEMENTS(empty); i++) {
		g_autoptr(iot_model_file) file = parse(empty[i], NULL);

		CU_ASSERT_PTR_NOT_NULL_FATAL(file);
		CU_ASSERT_EQUAL(file->sections->len, 0);
	}
	iot_model_file_free(NULL);
}

UNIT_TEST(wrong_syntax_has_a_place)
{
	static const char *const wrong[][2] = {
		{ "x = 1", "t.model:1:1: a setting before the first [section]" },
		{ "\n  [pair", "t.model:2:3: ']' is missing" },
		{ "[pair a] b", "t.model:1:9: text after ']'" },
		{ "[]", "t.model:1:2: a section needs a kind, as in [pair lock]" },
		{ "[ \t ]", "t.model:1:2: a section needs a kind, as in [pair lock]" },
		{ "[a]\n\tfoo", "t.model:2:2: neither [section] nor key = value" },
		{ "[a]\n = 3", "t.model:2:2: neither [section] nor key = value" },
		{ "[a]\nkey =  ", "t.model:2:6: \"key\" has no value" },
		{ "[a]\nk = 1\nl = 2\n  k = 3", "t.model:4:3: this key stands twice in its section" },
		{ "[a]\nrule 1 = 1\nrule  1 = 2",
		  "t.model:3:1: this key stands twice in its section" },
		{ "[a]\n\nk = \xff", "t.model:3:1: not valid UTF-8 text" },
	};

	for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_autoptr(GError) error = NULL;

		CU_ASSERT_PTR_NULL(parse(wrong[i][0], &error));
		CU_ASSERT(g_error_matches(error, IOT_ERROR, IOT_ERROR_MODEL));
		check_message(error, wrong[i][1]);
	}
}

UNIT_TEST(zero_bytes_are_not_text)
{
	static const char text[] = "[a]\nk = 1\0 = 2\n";
	g_autoptr(GError) error = NULL;

	CU_ASSERT_PTR_NULL(iot_model_file_parse("t.model", text, sizeof(text) - 1, &error));
	check_message(error, "t.model:2:1: not valid UTF-8 text");
}

UNIT_TEST(errors_of_meaning_have_a_place)
{
	g_autoptr(iot_model_file) file = parse("[model]\n[pair lock]\n  key =  value\n", NULL);
	g_autoptr(GError) a = NULL, b = NULL, c = NULL, d = NULL, e = NULL;
	const struct iot_section *section;
	const struct iot_setting *setting;

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	section = file->sections->pdata[1];
	setting = iot_section_require(section, "key", &a);
	CU_ASSERT_PTR_NOT_NULL_FATAL(setting);
	CU_ASSERT_FALSE(iot_setting_error(setting, 2, &a, "letter %c", 'l'));
	check_message(a, "t.model:3:12: letter l");
	CU_ASSERT_FALSE(iot_setting_key_error(setting, &b, "no %s", "key"));
	check_message(b, "t.model:3:3: no key");
	CU_ASSERT_FALSE(iot_section_error(section, &c, "%d times", 2));
	check_message(c, "t.model:2:1: [pair lock]: 2 times");
	CU_ASSERT_PTR_NULL(iot_section_require(section, "start", &d));
	check_message(d, "t.model:2:1: [pair lock]: \"start = ...\" is missing");
	CU_ASSERT_PTR_NULL(iot_section_require(file->sections->pdata[0], "name", &e));
	check_message(e, "t.model:1:1: [model]: \"name = ...\" is missing");
}

UNIT_TEST(a_file_is_read_or_reported)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(iot_model_file) file = NULL;
	g_autofree char *path = NULL;
	int fd = g_file_open_tmp("XXXXXX.model", &path, NULL);

	CU_ASSERT_FATAL(fd >= 0);
	CU_ASSERT_EQUAL(write(fd, "[model]\n", 8), 8);
	close(fd);
	file = iot_model_file_load(path, &error);
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	CU_ASSERT_STRING_EQUAL(file->path, path);
	CU_ASSERT_EQUAL(file->sections->len, 1);
	g_unlink(path);
	CU_ASSERT_PTR_NULL(iot_model_file_load(path, &error));
	CU_ASSERT(g_error_matches(error, IOT_ERROR, IOT_ERROR_MODEL));
	CU_ASSERT_PTR_NOT_NULL(strstr(error->message, path));
}
