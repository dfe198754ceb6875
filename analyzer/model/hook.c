/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an event or a call does beside being drawn: it changes a table or a counter. The lines of
 * one table or counter are tried in order, and the first that fits decides.
 */
#include "model/model-local.h"

#include <string.h>

struct iot_hook {
	gconstpointer group; /* the table or counter */
	struct iot_expr *when;
	struct iot_keytable *table;
	struct iot_expr *key[IOT_MAX_TABLE_KEYS];
	struct iot_template *value; /* NULL: the key is dropped */
	struct iot_counter *counter;
	enum iot_change change;
	struct iot_expr *amount;
	struct iot_row_path *path;
};

static void hook_free(gpointer data)
{
	struct iot_hook *hook = data;

	iot_expr_free(hook->when);
	for (guint i = 0; i < IOT_MAX_TABLE_KEYS; i++)
		iot_expr_free(hook->key[i]);
	iot_template_free(hook->value);
	iot_expr_free(hook->amount);
	g_free(hook);
}

void iot_hooks_clear(struct iot_hooks *hooks)
{
	g_clear_pointer(&hooks->changes, g_ptr_array_unref);
	g_clear_pointer(&hooks->drops, g_ptr_array_unref);
}

/* A line by the positions of its parts: "call A B when EXPR key EXPR value TEMPLATE". */
struct part {
	gsize at, len; /* len 0: not there */
};

struct line {
	const struct iot_setting *setting;
	struct part head, when, key, value, amount;
	enum iot_change change;
};

/* " word " in a part of the value; its offset, or 0 */
static gsize find_word(const struct iot_setting *setting, const char *word, gsize from, gsize to)
{
	g_autofree char *spaced = g_strconcat(" ", word, " ", NULL);
	const char *found =
		from < to ? g_strstr_len(setting->value + from, (gssize)(to - from), spaced) : NULL;

	return found ? (gsize)(found - setting->value) : 0;
}

/* The part behind a word of @word_len letters at @word, up to @end. */
static struct part behind(gsize word, gsize word_len, gsize end)
{
	gsize at = word + word_len + 2;

	return (struct part){ at, end > at ? end - at : 0 };
}

/* Everything before @end: the head and the condition. */
static void split_head(struct line *line, gsize end)
{
	gsize when = find_word(line->setting, "when", 0, end);

	line->head = (struct part){ 0, when ? when : end };
	if (when)
		line->when = behind(when, 4, end);
}

static gboolean split_table_line(struct line *line, gboolean drop, GError **error)
{
	gsize len = strlen(line->setting->value);
	gsize key = find_word(line->setting, "key", 0, len);
	gsize value = key ? find_word(line->setting, "value", key, len) : 0;

	if (!key)
		return iot_setting_error(line->setting, 0, error, "\"key EXPRESSION\" is missing");
	if ((value == 0) != drop)
		return iot_setting_error(line->setting, value ? value + 1 : 0, error,
					 drop ? "a key that is dropped has no value"
					      : "\"value TEMPLATE\" is missing");
	split_head(line, key);
	line->key = behind(key, 3, value ? value : len);
	if (value)
		line->value = behind(value, 5, len);
	return TRUE;
}

static gboolean split_counter_line(struct line *line, GError **error)
{
	static const char *const words[] = {
		[IOT_ADD] = "add", [IOT_SUBTRACT] = "subtract", [IOT_SET] = "set"
	};
	gsize len = strlen(line->setting->value);

	for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
		gsize at = find_word(line->setting, words[i], 0, len);

		if (!at)
			continue;
		line->change = (enum iot_change)i;
		split_head(line, at);
		line->amount = behind(at, strlen(words[i]), len);
		return TRUE;
	}
	return iot_setting_error(line->setting, 0, error,
				 "\"add\", \"subtract\" or \"set\" is missing");
}

/* Where a line applies: at an event, or at the end of calls. */
struct target {
	struct iot_scope_events scope;
	struct iot_hooks *hooks;
};

static gboolean compile_when_and_keys(const struct line *line, struct iot_hook *hook,
				      struct iot_scope_events *scope, GError **error)
{
	gsize at = line->key.at;
	guint n = 0;

	if (line->when.len) {
		hook->when = iot_expr_compile(line->setting, line->when.at, line->when.len, scope,
					      error);
		if (!hook->when)
			return FALSE;
	}
	while (at < line->key.at + line->key.len) {
		gsize len = MIN(strcspn(line->setting->value + at, " \t"),
				line->key.at + line->key.len - at);

		if (len && n < IOT_MAX_TABLE_KEYS) {
			hook->key[n] = iot_expr_compile(line->setting, at, len, scope, error);
			if (!hook->key[n])
				return FALSE;
		}
		n += len > 0;
		at += len + 1;
	}
	if (hook->table && n != iot_keytable_n_keys(hook->table))
		return iot_setting_error(line->setting, line->key.at, error,
					 "wrong number of keys; the table has %u",
					 iot_keytable_n_keys(hook->table));
	return TRUE;
}

static gboolean compile(struct iot_model *model, const struct line *line, struct target *target,
			struct iot_keytable *table, struct iot_counter *counter, GError **error)
{
	gboolean is_drop = table && !line->value.len;
	GPtrArray **hooks = is_drop ? &target->hooks->drops : &target->hooks->changes;
	struct iot_hook *hook = g_new0(struct iot_hook, 1);

	if (!*hooks)
		*hooks = g_ptr_array_new_with_free_func(hook_free);
	g_ptr_array_add(*hooks, hook);
	hook->group = table ? (gconstpointer)table : counter;
	hook->table = table;
	hook->counter = counter;
	hook->change = line->change;
	target->scope.required = TRUE;
	if (!compile_when_and_keys(line, hook, &target->scope, error))
		return FALSE;
	if (counter) {
		hook->amount = iot_expr_compile(line->setting, line->amount.at, line->amount.len,
						&target->scope, error);
		return hook->amount && iot_bind_row_path(model, iot_counter_on(counter),
							 &target->scope, &hook->path, error);
	}
	if (is_drop)
		return TRUE;
	hook->value = iot_template_compile_part(line->setting, line->value.at, line->value.len,
						model->names, TRUE, &target->scope, error);
	return hook->value != NULL;
}

static gboolean add_to_event(struct iot_model *model, const struct iot_section *section,
			     const struct line *line, const char *name, struct iot_keytable *table,
			     struct iot_counter *counter, GError **error)
{
	struct iot_schema_event *event = iot_bind_event(model, line->setting, name);
	struct target target = {
		.scope = iot_bind_scope(model, section, event, NULL, NULL, TRUE),
		.hooks = &iot_bind_role(model, event)->hooks,
	};

	return compile(model, line, &target, table, counter, error);
}

static gboolean add_to_pair(struct iot_model *model, const struct iot_section *section,
			    const struct line *line, const char *name, struct iot_keytable *table,
			    struct iot_counter *counter, GError **error)
{
	struct iot_pair *pair = iot_bind_pair(model, line->setting, name, error);
	struct target target;

	if (!pair)
		return FALSE;
	if (pair->of)
		return iot_setting_error(line->setting, 0, error,
					 "[pair %s] is of an object; use its events", name);
	target.scope = iot_bind_pair_scope(model, section, pair, TRUE);
	target.hooks = &pair->hooks;
	return compile(model, line, &target, table, counter, error);
}

static gboolean add_line(struct iot_model *model, const struct iot_section *section,
			 const struct line *line, struct iot_keytable *table,
			 struct iot_counter *counter, GError **error)
{
	g_autofree char *head = g_strndup(line->setting->value, line->head.len);
	g_auto(GStrv) words = g_strsplit_set(g_strstrip(head), " \t", -1);
	gboolean call = !g_strcmp0(words[0], "call");

	if ((!call && g_strcmp0(words[0], "event")) || !words[1])
		return iot_setting_error(line->setting, 0, error,
					 "the line begins with \"call PAIR\" or \"event EVENT\"");
	for (guint i = 1; words[i]; i++)
		if (*words[i] &&
		    !(call ? add_to_pair(model, section, line, words[i], table, counter, error)
			   : add_to_event(model, section, line, words[i], table, counter, error)))
			return FALSE;
	return TRUE;
}

gboolean iot_hook_add_table(struct iot_model *model, const struct iot_section *section,
			    const struct iot_setting *setting, struct iot_keytable *table,
			    GError **error)
{
	struct line line = { .setting = setting };

	return split_table_line(&line, g_str_has_prefix(setting->key, "drop"), error) &&
	       add_line(model, section, &line, table, NULL, error);
}

gboolean iot_hook_add_counter(struct iot_model *model, const struct iot_section *section,
			      const struct iot_setting *setting, struct iot_counter *counter,
			      GError **error)
{
	struct line line = { .setting = setting };

	return split_counter_line(&line, error) &&
	       add_line(model, section, &line, NULL, counter, error);
}

/* ---- run time */

static void change_table(const struct iot_hook *hook, const struct iot_eval *eval)
{
	guint64 key[IOT_MAX_TABLE_KEYS] = { 0 };

	for (guint i = 0; i < IOT_MAX_TABLE_KEYS && hook->key[i]; i++)
		key[i] = (guint64)iot_expr_eval(hook->key[i], eval);
	if (hook->value)
		iot_keytable_set(hook->table, eval->input, key,
				 iot_template_eval(hook->value, eval));
	else
		iot_keytable_drop(hook->table, eval->input, key);
}

void iot_hooks_run(struct iot_model *model, const GPtrArray *hooks, const struct iot_eval *eval,
		   guint64 ts)
{
	gconstpointer decided = NULL;

	for (guint i = 0; i < hooks->len; i++) {
		const struct iot_hook *hook = hooks->pdata[i];

		if (hook->group == decided || (hook->when && !iot_expr_eval(hook->when, eval)))
			continue;
		decided = hook->group;
		if (hook->table)
			change_table(hook, eval);
		else
			iot_counter_change(hook->counter,
					   iot_row_path_find(model, hook->path, eval), hook->change,
					   iot_expr_eval(hook->amount, eval), ts);
	}
}
