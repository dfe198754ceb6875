/* SPDX-License-Identifier: GPL-2.0-or-later */
/* [access]: spans that are accesses to a file, and [advice]: rules about what was counted. */
#include "model/bind.h"
#include "model/section-table.h"
#include "model/values.h"
#include "timeline/access.h"
#include "timeline/advice.h"

#include <string.h>

/* ---- [access] */

static gboolean parse_kind(const struct iot_builder *b, const struct iot_setting *setting,
			   enum iot_access_kind *out)
{
	for (*out = IOT_ACCESS_NONE; *out < IOT_N_ACCESSES; (*out)++)
		if (!strcmp(setting->value,
			    *out == IOT_ACCESS_NONE ? "none" : iot_access_kind_name(*out)))
			return TRUE;
	return iot_setting_error(setting, 0, b->error,
				 "no such access (there are: read, write, sync, open, close, "
				 "metadata, truncate, map, lock, none)");
}

/* 1 + position of the attribute that @key names; 0: the section does not have the key. */
static gboolean find_attr(const struct iot_builder *b, const struct iot_values *values,
			  const char *key, gboolean text, guint *out)
{
	const struct iot_setting *setting = iot_section_get(b->section, key);
	const struct iot_timeline *tl = b->model->tl;
	const struct iot_type *type = iot_type_at(tl, values->type);
	int attr;

	*out = 0;
	if (!setting)
		return TRUE;
	attr = iot_type_attr(tl, type, setting->value);
	if (attr < 0 || (type->attr[attr].format == IOT_ATTR_STR) != text)
		return iot_setting_error(setting, 0, b->error, "[values %s] has no %s \"%s\"",
					 values->section->name, text ? "text" : "number",
					 setting->value);
	*out = (guint)attr + 1;
	return TRUE;
}

static gboolean no_attribute(const struct iot_builder *b, const struct iot_setting *setting,
			     const char *what)
{
	return iot_setting_key_error(setting, b->error,
				     "the section does not say which attribute is the %s", what);
}

static gboolean add_kind(const struct iot_builder *b, const struct iot_values *values,
			 struct iot_access *access, const struct iot_setting *setting)
{
	struct iot_intern *strings = b->model->tl->strings;
	enum iot_access_kind kind;
	iot_cat_id cat;

	if (g_str_has_prefix(setting->key, "operation ")) {
		if (!parse_kind(b, setting, &kind))
			return FALSE;
		if (!access->operation)
			return no_attribute(b, setting, "operation");
		iot_access_add_operation(
			access, iot_intern_str(strings, setting->key + strlen("operation ")), kind);
	} else if (g_str_has_prefix(setting->key, "value ")) {
		if (!parse_kind(b, setting, &kind))
			return FALSE;
		cat = iot_values_listed_cat(
			values, iot_intern_str(strings, setting->key + strlen("value ")));
		if (!cat)
			return iot_setting_key_error(
				setting, b->error, "[values %s] has no value \"%s\"",
				values->section->name, setting->key + strlen("value "));
		iot_access_add_cat(access, cat, kind);
	}
	return TRUE;
}

/* The position of the value in @words; -1: it is none of them. */
static int parse_word(const struct iot_builder *b, const struct iot_setting *setting,
		      const char *const *words, const char *list)
{
	for (int i = 0; words[i]; i++)
		if (!strcmp(setting->value, words[i]))
			return i;
	iot_setting_error(setting, 0, b->error, "\"%s\" expected", list);
	return -1;
}

/* "lock OPERATION = range" and "mode TEXT = shared". */
static gboolean add_lock(const struct iot_builder *b, struct iot_access *access,
			 const struct iot_setting *setting)
{
	static const char *const locks[] = { "range", "whole", NULL };
	static const char *const modes[] = { "free", "shared", "exclusive", NULL };
	struct iot_intern *strings = b->model->tl->strings;
	const char *text;
	int at;

	if (g_str_has_prefix(setting->key, "lock ")) {
		if (!access->operation)
			return no_attribute(b, setting, "operation");
		text = setting->key + strlen("lock ");
		at = parse_word(b, setting, locks, "range\" or \"whole");
		if (at >= 0)
			iot_access_add_lock(access, iot_intern_str(strings, text),
					    (enum iot_file_lock)((int)IOT_FILE_LOCK_RANGE + at));
		return at >= 0;
	}
	if (!g_str_has_prefix(setting->key, "mode "))
		return TRUE;
	if (!access->mode)
		return no_attribute(b, setting, "mode");
	text = setting->key + strlen("mode ");
	at = parse_word(b, setting, modes, "free\", \"shared\" or \"exclusive");
	if (at >= 0)
		iot_access_add_mode(access, iot_intern_str(strings, text),
				    (enum iot_file_lock_mode)((int)IOT_FILE_LOCK_FREE + at));
	return at >= 0;
}

static gboolean build_access(const struct iot_builder *b)
{
	const struct iot_setting *name = iot_section_require(b->section, "values", b->error);
	struct iot_values *values = name ? iot_bind_values(b, name, "values") : NULL;
	struct iot_access *access;

	if (!values)
		return FALSE;
	access = iot_timeline_add_access(b->model->tl, values->type);
	if (!access)
		return iot_setting_error(name, 0, b->error,
					 "[values %s] has a section [access] above",
					 values->section->name);
	if (!find_attr(b, values, "process", FALSE, &access->process) ||
	    !find_attr(b, values, "thread", FALSE, &access->thread) ||
	    !find_attr(b, values, "operation", TRUE, &access->operation) ||
	    !find_attr(b, values, "position", FALSE, &access->position) ||
	    !find_attr(b, values, "length", FALSE, &access->length) ||
	    !find_attr(b, values, "result", TRUE, &access->result) ||
	    !find_attr(b, values, "mode", TRUE, &access->mode))
		return FALSE;
	for (guint i = 0; i < b->section->settings->len; i++)
		if (!add_kind(b, values, access, b->section->settings->pdata[i]) ||
		    !add_lock(b, access, b->section->settings->pdata[i]))
			return FALSE;
	return TRUE;
}

/* ---- [advice] */

/* A metric, and the offset of its name in the setting's value for messages. */
static gboolean parse_metric(const struct iot_builder *b, const struct iot_setting *setting,
			     gsize at, const char *word, enum iot_metric *out)
{
	*out = iot_metric_find(word);
	return *out != IOT_N_METRICS ||
	       iot_setting_error(setting, at, b->error, "nothing called \"%s\" is counted", word);
}

/* "METRIC >= NUMBER" or "METRIC >= NUMBER % of METRIC" */
static gboolean parse_condition(const struct iot_builder *b, const struct iot_setting *setting,
				struct iot_advice_condition *out)
{
	g_auto(GStrv) words = g_strsplit(setting->value, " ", -1);
	guint n = g_strv_length(words);
	gsize at[6] = { 0 };
	char *end;

	if (n != 3 && (n != 6 || strcmp(words[3], "%") != 0 || strcmp(words[4], "of") != 0))
		return iot_setting_error(setting, 0, b->error,
					 "wants \"NUMBER >= LIMIT\" or \"NUMBER >= LIMIT %% of "
					 "NUMBER\", with <= for the opposite");
	for (guint i = 1; i < n; i++)
		at[i] = at[i - 1] + strlen(words[i - 1]) + 1;
	if (!parse_metric(b, setting, 0, words[0], &out->metric))
		return FALSE;
	if (strcmp(words[1], ">=") != 0 && strcmp(words[1], "<=") != 0)
		return iot_setting_error(setting, at[1], b->error, "\">=\" or \"<=\" expected");
	out->at_most = *words[1] == '<';
	out->number = g_ascii_strtoull(words[2], &end, 10);
	if (!g_ascii_isdigit(*words[2]) || *end)
		return iot_setting_error(setting, at[2], b->error, "a whole number expected");
	out->of = IOT_N_METRICS;
	return n == 3 || parse_metric(b, setting, at[5], words[5], &out->of);
}

static gboolean build_advice(const struct iot_builder *b)
{
	const struct iot_setting *of = iot_section_require(b->section, "of", b->error);
	const struct iot_setting *action =
		of ? iot_section_require(b->section, "do", b->error) : NULL;
	g_autoptr(GArray) conditions =
		g_array_new(FALSE, FALSE, sizeof(struct iot_advice_condition));
	struct iot_advice_rule rule;

	if (!action)
		return FALSE;
	if (strcmp(of->value, "file") != 0 && strcmp(of->value, "run") != 0)
		return iot_setting_error(of, 0, b->error, "\"file\" or \"run\" expected");
	for (guint i = 0; i < b->section->settings->len; i++) {
		const struct iot_setting *setting = b->section->settings->pdata[i];
		struct iot_advice_condition condition;

		if (!g_str_has_prefix(setting->key, "when "))
			continue;
		if (!parse_condition(b, setting, &condition))
			return FALSE;
		g_array_append_val(conditions, condition);
	}
	if (!conditions->len)
		return iot_section_error(b->section, b->error,
					 "a rule needs a condition \"when 1\"");
	rule = (struct iot_advice_rule){ .name = g_strdup(b->section->name),
					 .of_run = !strcmp(of->value, "run"),
					 .conditions = g_steal_pointer(&conditions),
					 .action = g_strdup(action->value) };
	iot_timeline_add_rule(b->model->tl, &rule);
	return TRUE;
}

static const char *const access_keys[] = { "values",	  "process", "thread", "operation",
					   "position",	  "length",  "result", "value *",
					   "operation *", "mode",    "mode *", "lock *",
					   NULL };
static const char *const advice_keys[] = { "of", "do", "when *", NULL };

const struct iot_section_kind iot_section_kind_access = { "access", access_keys, build_access,
							  NULL };
const struct iot_section_kind iot_section_kind_advice = { "advice", advice_keys, build_advice,
							  NULL };
