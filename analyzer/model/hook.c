/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/hook.h"
#include "model/bind.h"
#include "model/row.h"
#include "model/scope.h"

#include <string.h>

static void hook_free(gpointer data)
{
	struct iot_hook *hook = data;

	iot_expr_free(hook->when);
	for (guint i = 0; i < IOT_MAX_TABLE_KEYS; i++)
		iot_expr_free(hook->key[i]);
	iot_template_free(hook->value);
	for (guint i = 0; i < hook->n_values; i++)
		iot_expr_free(hook->values[i]);
	iot_expr_free(hook->amount);
	g_free(hook);
}

static void leave_out(GPtrArray **list)
{
	for (guint i = *list ? (*list)->len : 0; i-- > 0;) {
		const struct iot_hook *hook = (*list)->pdata[i];

		if (hook->table && !iot_keytable_is_read(hook->table))
			g_ptr_array_remove_index(*list, i);
	}
	if (*list && !(*list)->len)
		g_clear_pointer(list, g_ptr_array_unref);
}

void iot_hooks_leave_out(struct iot_hooks *hooks)
{
	leave_out(&hooks->changes);
	leave_out(&hooks->drops);
	leave_out(&hooks->pops);
}

void iot_hooks_clear(struct iot_hooks *hooks)
{
	g_clear_pointer(&hooks->changes, g_ptr_array_unref);
	g_clear_pointer(&hooks->drops, g_ptr_array_unref);
	g_clear_pointer(&hooks->pops, g_ptr_array_unref);
}

/* A line by the positions of its parts: "call A B when EXPR key EXPR value TEMPLATE". */
struct part {
	/* len 0: the line has no such part */
	gsize at, len;
};

struct line {
	const struct iot_setting *setting;
	const struct iot_hook_target *target;
	struct part head, when, key, value, amount;
	/* "key EXPRESSION *" of a drop, and the name after "in" */
	gboolean group_only;
	struct part among;
	enum iot_change change;
	enum iot_table_change table_change;
};

/* Offset of " word " between @from and @to of the value, or 0 */
static gsize find_word(const struct iot_setting *setting, const char *word, gsize from, gsize to)
{
	g_autofree char *spaced = g_strconcat(" ", word, " ", NULL);
	const char *found =
		from < to ? g_strstr_len(setting->value + from, (gssize)(to - from), spaced) : NULL;

	return found ? (gsize)(found - setting->value) : 0;
}

/* The part after a word of @word_len letters at @word, up to @end. */
static struct part part_after(gsize word, gsize word_len, gsize end)
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
		line->when = part_after(when, 4, end);
}

/* The change of a table that the first word of the key asks for. */
static enum iot_table_change table_change(const struct iot_setting *setting)
{
	static const char *const words[] = { "set ", "push ", "copy ", "pop ", "drop " };
	guint i = 0;

	while (i < IOT_TABLE_DROP && !g_str_has_prefix(setting->key, words[i]))
		i++;
	return (enum iot_table_change)i;
}

/* "EXPRESSION *" or "EXPRESSION * in TABLE" as the key of a drop */
static void split_group(struct line *line)
{
	const char *text = line->setting->value;
	gsize end = line->key.at + line->key.len;
	gsize in = find_word(line->setting, "* in", line->key.at, end);

	if (in) {
		line->among = part_after(in, 4, end);
		line->key.len = in + 2 - line->key.at;
	}
	if (line->key.len > 2 && !strncmp(text + line->key.at + line->key.len - 2, " *", 2)) {
		line->group_only = TRUE;
		line->key.len -= 2;
	}
}

static gboolean split_table_line(struct line *line, GError **error)
{
	gboolean set = line->table_change <= IOT_TABLE_COPY;
	gsize len = strlen(line->setting->value);
	gsize key = find_word(line->setting, "key", 0, len);
	gsize value = key ? find_word(line->setting, "value", key, len) : 0;

	if (!key)
		return iot_setting_error(line->setting, 0, error, "\"key EXPRESSION\" is missing");
	if (!value && set)
		return iot_setting_error(line->setting, 0, error, "\"value %s\" is missing",
					 iot_keytable_is_typed(line->target->table) ||
							 line->table_change == IOT_TABLE_COPY
						 ? "EXPRESSION"
						 : "TEMPLATE");
	if (value && line->table_change == IOT_TABLE_DROP)
		return iot_setting_error(line->setting, value + 1, error,
					 "a key that is dropped has no value");
	if (value && !set && !iot_keytable_is_typed(line->target->table))
		return iot_setting_error(line->setting, value + 1, error,
					 "a pop finds typed values only (holds = ...)");
	split_head(line, key);
	line->key = part_after(key, 3, value ? value : len);
	if (value)
		line->value = part_after(value, 5, len);
	if (line->table_change == IOT_TABLE_DROP)
		split_group(line);
	line->group_only |= line->table_change == IOT_TABLE_COPY;
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
		line->amount = part_after(at, strlen(words[i]), len);
		return TRUE;
	}
	return iot_setting_error(line->setting, 0, error,
				 "\"add\", \"subtract\" or \"set\" is missing");
}

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
		gsize len =
			iot_expr_word(line->setting->value + at, line->key.at + line->key.len - at);

		if (len && n < IOT_MAX_TABLE_KEYS) {
			hook->key[n] = iot_expr_compile_as(line->setting, at, len, scope,
							   iot_expr_key_type(hook->table), error);
			if (!hook->key[n])
				return FALSE;
		}
		n += len > 0;
		at += len + 1;
	}
	if (line->group_only && n == 1)
		return TRUE;
	if (line->group_only)
		return iot_setting_error(line->setting, line->key.at, error,
					 "a group is named by the first key alone");
	if (hook->table && n != iot_keytable_n_keys(hook->table))
		return iot_setting_error(line->setting, line->key.at, error,
					 "wrong number of keys; the table has %u",
					 iot_keytable_n_keys(hook->table));
	return TRUE;
}

/* The first key of the entries that are copied. */
static gboolean compile_source(const struct line *line, struct iot_hook *hook,
			       struct iot_scope_events *scope, GError **error)
{
	hook->values[0] =
		iot_expr_compile(line->setting, line->value.at, line->value.len, scope, error);
	hook->n_values = hook->values[0] != NULL;
	return hook->n_values > 0;
}

/* A drop of a group: "in TABLE". */
static gboolean find_among(const struct iot_builder *b, const struct line *line,
			   struct iot_hook *hook)
{
	g_autofree char *name = g_strndup(line->setting->value + line->among.at, line->among.len);
	struct iot_keytable *among =
		*name ? iot_keytable_find(b->model->tables, g_strstrip(name)) : NULL;

	hook->group_only = line->group_only;
	hook->among = among;
	if (!*name)
		return TRUE;
	if (!among)
		return iot_setting_error(line->setting, line->among.at, b->error,
					 "there is no section [keytable %s]", name);
	iot_keytable_read(among);
	return iot_keytable_n_keys(among) == iot_keytable_n_keys(hook->table) ||
	       iot_setting_error(line->setting, line->among.at, b->error,
				 "[keytable %s] has another number of keys", name);
}

/* Typed values: one expression for each, and of a pop for the first ones. */
static gboolean compile_values(const struct line *line, struct iot_hook *hook,
			       struct iot_scope_events *scope, GError **error)
{
	gsize at = line->value.at, end = at + line->value.len;
	guint n = iot_keytable_n_values(hook->table);

	while (at < end) {
		gsize len = iot_expr_word(line->setting->value + at, end - at);
		guint i = hook->n_values;

		if (len && i == n)
			return iot_setting_error(line->setting, at, error,
						 "more values than the table holds (%u)", n);
		if (len) {
			gboolean text = iot_keytable_type(hook->table, i) == IOT_TABLE_TEXT;

			hook->values[i] = iot_expr_compile_as(
				line->setting, at, len, scope,
				text ? IOT_EXPR_UNKNOWN : iot_expr_table_type(hook->table, i),
				error);
			if (!hook->values[i])
				return FALSE;
			hook->n_values++;
			if (text && !iot_expr_may_be_text(hook->values[i]))
				return iot_setting_error(line->setting, at, error,
							 "a text is expected here: a field, a text "
							 "of a table, or \"text\"");
		}
		at += len + 1;
	}
	if (hook->n_values < n && hook->table_change < IOT_TABLE_POP)
		return iot_setting_error(line->setting, line->value.at, error,
					 "too few values; the table holds %u", n);
	return TRUE;
}

/* Compile a line for the events in @scope. */
static gboolean compile(const struct iot_builder *b, const struct line *line,
			struct iot_scope_events scope, struct iot_hooks *hooks)
{
	gboolean is_drop = line->table_change >= IOT_TABLE_POP;
	GPtrArray **list = line->table_change == IOT_TABLE_POP ? &hooks->pops
			   : is_drop			       ? &hooks->drops
							       : &hooks->changes;
	struct iot_hook *hook = g_new0(struct iot_hook, 1);

	if (!*list)
		*list = g_ptr_array_new_with_free_func(hook_free);
	g_ptr_array_add(*list, hook);
	hook->table = line->target->table;
	hook->counter = line->target->counter;
	hook->group = hook->table ? (gconstpointer)hook->table : hook->counter;
	hook->change = line->change;
	hook->table_change = line->table_change;
	if (!compile_when_and_keys(line, hook, &scope, b->error))
		return FALSE;
	hook->needs = hook->when ? iot_expr_needs(hook->when) : NULL;
	if (!hook->needs && is_drop)
		hook->needs = hook->table;
	if (hook->counter) {
		hook->amount = iot_expr_compile_as(
			line->setting, line->amount.at, line->amount.len, &scope,
			line->target->real ? IOT_EXPR_REAL : IOT_EXPR_NUMBER, b->error);
		if (hook->amount)
			hook->path = iot_bind_row_path(b, line->target->on, &scope);
		return hook->path != NULL;
	}
	if (line->group_only)
		iot_keytable_group(hook->table);
	if (!find_among(b, line, hook))
		return FALSE;
	if (line->table_change == IOT_TABLE_COPY)
		return compile_source(line, hook, &scope, b->error);
	if (iot_keytable_is_typed(hook->table))
		return compile_values(line, hook, &scope, b->error);
	if (is_drop)
		return TRUE;
	hook->value = iot_template_compile_part(line->setting, line->value.at, line->value.len,
						b->model->names, TRUE, &scope, b->error);
	return hook->value != NULL;
}

static gboolean add_to_event(const struct iot_builder *b, const struct line *line, const char *name)
{
	struct iot_schema_event *event = iot_bind_event(b->model, name);

	return compile(b, line, iot_bind_scope(b, (struct iot_in_scope){ .self = event }),
		       &iot_bind_role(b->model, event)->hooks);
}

static gboolean add_to_pair(const struct iot_builder *b, const struct line *line, const char *name)
{
	struct iot_pair *pair = iot_bind_pair(b, line->setting, name);

	if (!pair)
		return FALSE;
	if (pair->of)
		return iot_setting_error(line->setting, 0, b->error,
					 "[pair %s] is of an object; use its events", name);
	return compile(b, line, iot_bind_pair_scope(b, pair, TRUE), &pair->hooks);
}

gboolean iot_hook_add(const struct iot_builder *b, const struct iot_setting *setting,
		      const struct iot_hook_target *target)
{
	struct line line = { .setting = setting,
			     .target = target,
			     .table_change =
				     target->table ? table_change(setting) : IOT_TABLE_SET };
	g_autofree char *head = NULL;
	g_auto(GStrv) words = NULL;
	gboolean call;

	if (!(target->table ? split_table_line(&line, b->error)
			    : split_counter_line(&line, b->error)))
		return FALSE;
	head = g_strndup(setting->value, line.head.len);
	words = g_strsplit_set(g_strstrip(head), " \t", -1);
	call = !g_strcmp0(words[0], "call");
	if ((!call && g_strcmp0(words[0], "event")) || !words[1])
		return iot_setting_error(setting, 0, b->error,
					 "the line begins with \"call PAIR\" or \"event EVENT\"");
	for (guint i = 1; words[i]; i++)
		if (*words[i] &&
		    !(call ? add_to_pair(b, &line, words[i]) : add_to_event(b, &line, words[i])))
			return FALSE;
	return TRUE;
}
