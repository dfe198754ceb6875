/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "options/option-words.h"
#include "base/nearest.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static int is_name(const char *name, const char *typed, size_t len)
{
	return name && strlen(name) == len && !memcmp(name, typed, len);
}

static const struct iot_option *find_long(const struct iot_option *row, const char *name,
					  size_t len)
{
	while (row->name && !is_name(row->name, name, len) && !is_name(row->alias, name, len))
		row++;
	return row->name ? row : NULL;
}

static const struct iot_option *find_letter(const struct iot_option *row, char letter)
{
	while (row->name && row->letter != letter)
		row++;
	return row->name ? row : NULL;
}

static enum iot_word wrong(struct iot_option_words *at, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static enum iot_word wrong(struct iot_option_words *at, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (vasprintf(&at->error, format, args) < 0)
		abort();
	va_end(args);
	return IOT_WORD_WRONG;
}

static enum iot_word unknown(struct iot_option_words *at, const char *name, size_t len)
{
	char *typed = strndup(name, len);
	const char **names = NULL, *nearest;
	size_t n = 0;

	for (const struct iot_option *row = at->rows; row->name; row++)
		n++;
	names = calloc(n + 1, sizeof(*names));
	if (!names || !typed)
		abort();
	for (size_t i = 0; i < n; i++)
		names[i] = at->rows[i].name;
	nearest = iot_nearest_name(typed, names);
	if (nearest)
		wrong(at, "there is no option --%s, did you mean --%s?", typed, nearest);
	else
		wrong(at, "there is no option --%s; --help shows all options", typed);
	free(names);
	free(typed);
	return IOT_WORD_WRONG;
}

/* @words: with ", " between them */
static int is_among(const char *words, const char *value)
{
	size_t len = strlen(value);

	for (; *words; words += strspn(words, ", ")) {
		size_t n = strcspn(words, ",");

		if (n == len && !memcmp(words, value, len))
			return 1;
		words += n;
	}
	return 0;
}

static void store(void *into, const struct iot_option *row, const char *value)
{
	void *member = (char *)into + row->at;

	if (!row->argument) {
		++*(int *)member;
	} else if (row->repeatable) {
		const char ***list = member;
		size_t n = 0;

		while (*list && (*list)[n])
			n++;
		*list = realloc(*list, (n + 2) * sizeof(**list));
		if (!*list)
			abort();
		(*list)[n] = value;
		(*list)[n + 1] = NULL;
	} else {
		*(const char **)member = value;
	}
}

/* @value: the text joined to the option (--name=value, -ovalue), or NULL */
static enum iot_word take(struct iot_option_words *at, const struct iot_option *row,
			  const char *value)
{
	if (!row->argument && value)
		return wrong(at, "%s: \"%s\" is not expected, the option takes no value", at->typed,
			     value);
	if (row->argument && !row->optional && !value) {
		if (!*at->next)
			return wrong(at, "%s: a value is missing, expected %s %s", at->typed,
				     at->typed, row->argument);
		value = *at->next++;
	}
	if (value && row->words && !is_among(row->words, value))
		return wrong(at, "%s: \"%s\" is not %s%s", at->typed, value,
			     strchr(row->words, ',') ? "one of: " : "", row->words);
	at->option = row;
	at->value = value;
	at->action = row->action == IOT_ACTION_HELP && value ? IOT_ACTION_MAN : row->action;
	if (!row->action && !row->set)
		store(at->into, row, value);
	return IOT_WORD_OPTION;
}

static enum iot_word take_long(struct iot_option_words *at, const char *name)
{
	size_t len = strcspn(name, "=");
	const struct iot_option *row = find_long(at->rows, name, len);

	if (!row)
		return unknown(at, name, len);
	snprintf(at->typed, sizeof(at->typed), "--%.*s", (int)len, name);
	return take(at, row, name[len] ? name + len + 1 : NULL);
}

/* -qv, -otext:- and -o text:- */
static enum iot_word take_letter(struct iot_option_words *at)
{
	const struct iot_option *row = find_letter(at->rows, *at->letters);
	const char *value = NULL;

	snprintf(at->typed, sizeof(at->typed), "-%c", *at->letters++);
	if (!row)
		return wrong(at, "there is no option %s; --help shows all options", at->typed);
	if (row->argument && !row->optional && *at->letters) {
		value = at->letters;
		at->letters = NULL;
	}
	return take(at, row, value);
}

enum iot_word iot_option_next(struct iot_option_words *at)
{
	const char *word = *at->next;

	if (at->letters && *at->letters)
		return take_letter(at);
	if (!word)
		return IOT_WORD_END;
	at->next++;
	at->value = word;
	if (at->only_plain || word[0] != '-' || !word[1])
		return IOT_WORD_PLAIN;
	if (word[1] == '-' && !word[2]) {
		at->only_plain = 1;
		return IOT_WORD_DASHES;
	}
	if (word[1] == '-')
		return take_long(at, word + 2);
	at->letters = word + 1;
	return take_letter(at);
}

void iot_option_clear(void *into, const struct iot_option *rows)
{
	for (const struct iot_option *row = rows; row->name; row++) {
		const char ***list = (void *)((char *)into + row->at);

		if (!row->repeatable)
			continue;
		free(*list);
		*list = NULL;
	}
}
