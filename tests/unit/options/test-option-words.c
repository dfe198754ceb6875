/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Command lines that are read by a small table, and what is said about wrong ones. */
#include "options/option-words.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

struct values {
	int loud;
	const char *file, **names;
};

#define AT(member) .at = offsetof(struct values, member)

static const struct iot_option rows[] = {
	{ .name = "file", .letter = 'f', .argument = "FILE", AT(file) },
	{ .name = "name", .letter = 'n', .argument = "NAME", AT(names), .repeatable = 1 },
	{ .name = "loud", .alias = "noisy", .letter = 'l', AT(loud) },
	{ .name = "when", .argument = "WHEN", AT(file), .words = "now, later" },
	IOT_GENERAL_OPTIONS(""),
};

/* Reads until what is not stored; the words of the line end with NULL. */
static enum iot_word take(struct iot_option_words *at, struct values *values,
			  const char *const *line)
{
	enum iot_word what;

	memset(values, 0, sizeof(*values));
	*at = (struct iot_option_words){ rows, values, line };
	while ((what = iot_option_next(at)) == IOT_WORD_OPTION && !at->action)
		;
	return what;
}

#define TAKE(...) take(&at, &values, (const char *const[]){ __VA_ARGS__, NULL })

UNIT_TEST(values_are_stored)
{
	struct iot_option_words at;
	struct values values;

	CU_ASSERT_EQUAL(TAKE("-lf", "a", "--name=b=c", "--noisy", "-nd", "--name", "--", "-l"),
			IOT_WORD_END);
	CU_ASSERT_EQUAL(values.loud, 3);
	CU_ASSERT_STRING_EQUAL(values.file, "a");
	CU_ASSERT_STRING_EQUAL(values.names[0], "b=c");
	CU_ASSERT_STRING_EQUAL(values.names[1], "d");
	CU_ASSERT_STRING_EQUAL(values.names[2], "--");
	CU_ASSERT_PTR_NULL(values.names[3]);
	iot_option_clear(&values, rows);
	CU_ASSERT_PTR_NULL(values.names);
}

UNIT_TEST(other_words)
{
	static const char *const line[] = { "--", "-l", "--", NULL };
	struct iot_option_words at;
	struct values values;

	CU_ASSERT_EQUAL(TAKE("-l", "-", "x"), IOT_WORD_PLAIN);
	CU_ASSERT_STRING_EQUAL(at.value, "-");
	CU_ASSERT_EQUAL(take(&at, &values, line), IOT_WORD_DASHES);
	CU_ASSERT_EQUAL(iot_option_next(&at), IOT_WORD_PLAIN);
	CU_ASSERT_STRING_EQUAL(at.value, "-l");
	CU_ASSERT_EQUAL(iot_option_next(&at), IOT_WORD_PLAIN);
	CU_ASSERT_STRING_EQUAL(at.value, "--");
	CU_ASSERT_EQUAL(iot_option_next(&at), IOT_WORD_END);
}

UNIT_TEST(actions)
{
	struct iot_option_words at;
	struct values values;

	CU_ASSERT_EQUAL(TAKE("-lhx"), IOT_WORD_OPTION);
	CU_ASSERT_EQUAL(at.action, IOT_ACTION_HELP);
	CU_ASSERT_EQUAL(TAKE("--help=man"), IOT_WORD_OPTION);
	CU_ASSERT_EQUAL(at.action, IOT_ACTION_MAN);
	CU_ASSERT_EQUAL(TAKE("--completion", "bash"), IOT_WORD_OPTION);
	CU_ASSERT_EQUAL(at.action, IOT_ACTION_COMPLETION);
}

static void check_wrong(const char *word, const char *next, const char *sentence)
{
	struct iot_option_words at;
	struct values values;

	CU_ASSERT_EQUAL(TAKE(word, next), IOT_WORD_WRONG);
	CU_ASSERT_STRING_EQUAL(at.error, sentence);
	free(at.error);
}

UNIT_TEST(wrong_words)
{
	check_wrong("--file", NULL, "--file: a value is missing, expected --file FILE");
	check_wrong("-lf", NULL, "-f: a value is missing, expected -f FILE");
	check_wrong("--noisy=1", NULL, "--noisy: \"1\" is not expected, the option takes no value");
	check_wrong("--fiel=x", NULL, "there is no option --fiel, did you mean --file?");
	check_wrong("--zebra", NULL, "there is no option --zebra; --help shows all options");
	check_wrong("-lz", NULL, "there is no option -z; --help shows all options");
	check_wrong("--when", "late", "--when: \"late\" is not one of: now, later");
	check_wrong("--when", "nowt", "--when: \"nowt\" is not one of: now, later");
	check_wrong("--when", "no", "--when: \"no\" is not one of: now, later");
	check_wrong("--when=now, later", NULL, "--when: \"now, later\" is not one of: now, later");
	check_wrong("--completion", "zsh", "--completion: \"zsh\" is not bash");
	check_wrong("--help=me", NULL, "--help: \"me\" is not man");
}
