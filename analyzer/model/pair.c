/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/pair.h"
#include "model/asks.h"
#include "model/bind.h"
#include "model/hook.h"
#include "model/machine.h"
#include "model/point.h"
#include "model/scope.h"
#include "model/section-table.h"
#include "model/thread-follow.h"
#include "model/tracked.h"

#include <string.h>

void iot_pair_free(gpointer data)
{
	struct iot_pair *pair = data;

	for (guint i = 0; i < pair->n_ends; i++) {
		for (guint k = 0; k < IOT_MAX_KEYS; k++)
			iot_expr_free(pair->ends[i].key[k]);
		g_free(pair->ends[i].as_first);
	}
	for (guint i = 0; i < IOT_MAX_KEYS; i++) {
		iot_expr_free(pair->start_key[i]);
		iot_expr_free(pair->call_key[i]);
		iot_expr_free(pair->done_key[i]);
	}
	iot_expr_free(pair->begins);
	iot_expr_free(pair->begins_at_end);
	iot_expr_free(pair->may_begin);
	iot_expr_free(pair->may_begin_at_end);
	iot_expr_free(pair->accepted);
	iot_expr_free(pair->async);
	iot_expr_free(pair->quiet);
	iot_expr_free(pair->answers);
	iot_expr_free(pair->may_weaken);
	g_ptr_array_unref(pair->asks);
	g_ptr_array_unref(pair->points);
	g_ptr_array_unref(pair->rules);
	g_ptr_array_unref(pair->states);
	iot_hooks_clear(&pair->hooks);
	g_clear_pointer(&pair->link_starts, g_ptr_array_unref);
	g_clear_pointer(&pair->link_ends, g_ptr_array_unref);
	g_clear_pointer(&pair->aliases, g_hash_table_unref);
	g_free(pair->unseen);
	g_free(pair->name);
	g_free(pair);
}

/* The key that a completion shares with the call that it answers. */
static gboolean bind_done_keys(const struct iot_builder *b, struct iot_pair *pair)
{
	const struct iot_setting *key = iot_section_get(b->section, "done key");
	struct iot_scope_events at_start =
		iot_bind_scope(b, (struct iot_in_scope){ .self = pair->start });
	struct iot_scope_events at_done =
		iot_bind_scope(b, (struct iot_in_scope){ .self = pair->done });
	guint n = 0;

	if (!key)
		return TRUE;
	if (!pair->done)
		return iot_setting_key_error(key, b->error, "the pair has no done event");
	return iot_bind_exprs(key, &at_start, pair->call_key, &n, b->error) &&
	       iot_bind_exprs(key, &at_done, pair->done_key, &pair->n_done_keys, b->error);
}

/* FALSE if a key is more than a field or @pid. */
static gboolean find_slots(struct iot_expr *const *key, guint n, gint8 *out_slot)
{
	for (guint i = 0; i < n; i++) {
		enum iot_scope scope;
		int slot;

		if (!iot_expr_is_field(key[i], &scope, &slot) && !iot_expr_is_pid(key[i]))
			return FALSE;
		out_slot[i] = iot_expr_is_pid(key[i]) ? -1 : (gint8)slot;
	}
	return TRUE;
}

/* The keys of the start, and of each end. */
static gboolean bind_keys(const struct iot_builder *b, const struct iot_setting *key,
			  struct iot_pair *pair)
{
	struct iot_scope_events scope =
		iot_bind_scope(b, (struct iot_in_scope){ .self = pair->start });

	if (!iot_bind_exprs(key, &scope, pair->start_key, &pair->n_keys, b->error))
		return FALSE;
	pair->plain_keys = find_slots(pair->start_key, pair->n_keys, pair->start_slot);
	for (guint i = 0; i < pair->n_ends; i++) {
		struct iot_pair_end *end = &pair->ends[i];
		guint n = 0;

		scope = iot_bind_scope(b, (struct iot_in_scope){ .self = end->event });
		if (!iot_bind_exprs(key, &scope, end->key, &n, b->error))
			return FALSE;
		pair->plain_keys &= find_slots(end->key, n, end->slot);
	}
	return TRUE;
}

static gboolean build_exprs(const struct iot_builder *b, struct iot_pair *pair)
{
	const struct iot_setting *key = iot_section_get(b->section, "key");
	struct iot_scope_events at_start =
		iot_bind_scope(b, (struct iot_in_scope){ .self = pair->start });
	struct iot_scope_events at_end =
		iot_bind_scope(b, (struct iot_in_scope){ .self = pair->end });
	struct iot_scope_events both =
		iot_bind_scope(b, (struct iot_in_scope){ .self = pair->start, .end = pair->end });
	struct iot_scope_events done =
		iot_bind_scope(b, (struct iot_in_scope){ .done = pair->done });

	if (key && !bind_keys(b, key, pair))
		return FALSE;
	return iot_bind_optional_expr(b, "begins", &at_start, &pair->begins) &&
	       iot_bind_optional_expr(b, "begins", &at_end, &pair->begins_at_end) &&
	       iot_bind_optional_expr(b, "may begin", &at_start, &pair->may_begin) &&
	       iot_bind_optional_expr(b, "may begin", &at_end, &pair->may_begin_at_end) &&
	       bind_done_keys(b, pair) &&
	       iot_bind_optional_expr(b, "accepted", &both, &pair->accepted) &&
	       iot_bind_optional_expr(b, "async", &at_start, &pair->async) &&
	       iot_bind_optional_expr(b, "quiet", &at_start, &pair->quiet) &&
	       iot_bind_optional_expr(b, "answers", &done, &pair->answers);
}

/* "end = EVENT ..." */
static gboolean add_ends(const struct iot_builder *b, const struct iot_setting *setting,
			 struct iot_pair *pair)
{
	g_auto(GStrv) names = g_strsplit_set(setting->value, " \t", -1);
	gsize at = 0;

	for (guint i = 0; names[i]; at += strlen(names[i++]) + 1) {
		struct iot_pair_end *end = &pair->ends[pair->n_ends];

		if (!*names[i])
			continue;
		if (pair->n_ends == IOT_MAX_ENDS)
			return iot_setting_error(setting, at, b->error, "more than %d end events",
						 IOT_MAX_ENDS);
		end->event = iot_bind_event(b->model, names[i]);
		for (guint k = 0; k < pair->n_ends; k++)
			if (pair->ends[k].event == end->event)
				return iot_setting_error(setting, at, b->error, "%s stands twice",
							 names[i]);
		memset(end->from, -1, sizeof(end->from));
		pair->n_ends++;
	}
	pair->end = pair->ends[0].event;
	return TRUE;
}

static struct iot_pair *pair_new(const struct iot_builder *b, const struct iot_setting *start,
				 const struct iot_setting *end)
{
	struct iot_pair *pair = g_new0(struct iot_pair, 1);

	pair->name = g_strdup(b->section->name);
	pair->section = b->section;
	pair->name_str = iot_intern_str(b->model->tl->strings, b->section->name);
	pair->number = b->model->pairs->len;
	memset(pair->end_to_start, -1, sizeof(pair->end_to_start));
	pair->points = g_ptr_array_new_with_free_func(iot_point_free);
	pair->rules = g_ptr_array_new_with_free_func(iot_rule_free);
	pair->asks = g_ptr_array_new_with_free_func(iot_asks_free);
	pair->states = g_ptr_array_new(); /* freed by the model */
	g_ptr_array_add(b->model->pairs, pair);
	pair->start = iot_bind_event(b->model, start->value);
	return add_ends(b, end, pair) ? pair : NULL;
}

static gboolean add_alias(const struct iot_builder *b, struct iot_pair *pair,
			  const struct iot_setting *setting)
{
	const char *name = setting->key + strlen("let ");
	struct iot_scope_events scope = iot_bind_scope(
		b,
		(struct iot_in_scope){ .self = pair->start, .end = pair->end, .optional = TRUE });
	g_autofree char *problem = NULL;
	enum iot_scope where;
	int slot;

	if (!pair->aliases)
		pair->aliases = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	if (!g_str_has_prefix(setting->value, "start.") &&
	    !g_str_has_prefix(setting->value, "end."))
		return iot_setting_error(
			setting, 0, b->error,
			"a field of the call is expected: start.FIELD or end.FIELD");
	if (!iot_scope_resolve(&scope, setting->value, &where, &slot, &problem))
		return iot_setting_error(setting, 0, b->error, "%s", problem);
	g_hash_table_insert(pair->aliases, g_strdup(name), g_strdup(setting->value));
	return TRUE;
}

static gboolean bind_alone(const struct iot_builder *b, struct iot_pair *pair,
			   struct iot_schema_event *event, enum iot_part part, guint end)
{
	struct iot_event_role *role = iot_bind_part(b, event, NULL, part);

	if (!role)
		return FALSE;
	role->pair = pair;
	role->end = end;
	return TRUE;
}

/* A call without an object. */
static gboolean build_alone(const struct iot_builder *b, struct iot_pair *pair)
{
	const struct iot_setting *lone = iot_section_get(b->section, "lone end");
	const struct iot_setting *again = iot_section_get(b->section, "again");
	static const char *const alone[] = { "start", "end", "key", "lone end", "again" };

	for (guint i = 0; i < b->section->settings->len; i++) {
		const struct iot_setting *setting = b->section->settings->pdata[i];
		gboolean names = g_str_has_prefix(setting->key, "let ");
		gboolean known = names || !strcmp(setting->key, "asks") ||
				 g_str_has_prefix(setting->key, "asks ");

		if (names && !add_alias(b, pair, setting))
			return FALSE;
		for (guint k = 0; k < G_N_ELEMENTS(alone); k++)
			known |= !strcmp(setting->key, alone[k]);
		if (!known)
			return iot_setting_key_error(setting, b->error,
						     "\"%s\" is for calls on an object (of = ...)",
						     setting->key);
	}
	if (!iot_section_require(b->section, "key", b->error))
		return FALSE;
	if (lone && strcmp(lone->value, "ignore"))
		return iot_setting_error(lone, 0, b->error, "only \"ignore\" is known here");
	if (again && strcmp(again->value, "ignore"))
		return iot_setting_error(again, 0, b->error, "only \"ignore\" is known here");
	pair->lone_ends = lone != NULL;
	pair->start_again = again != NULL;
	if (!bind_alone(b, pair, pair->start, IOT_PART_START, 0))
		return FALSE;
	for (guint i = 0; i < pair->n_ends; i++)
		if (!bind_alone(b, pair, pair->ends[i].event, IOT_PART_END, i))
			return FALSE;
	return build_exprs(b, pair) && iot_asks_build(b, pair);
}

static gboolean build_pair(const struct iot_builder *b)
{
	const struct iot_setting *of = iot_section_get(b->section, "of");
	const struct iot_setting *start = iot_section_require(b->section, "start", b->error);
	const struct iot_setting *end =
		start ? iot_section_require(b->section, "end", b->error) : NULL;
	const struct iot_setting *done = iot_section_get(b->section, "done");
	struct iot_object_kind *kind = end && of ? iot_bind_kind(b, of) : NULL;
	static const char *const only_alone[] = { "lone end", "again" };
	struct iot_event_role *at_start, *at_end;
	struct iot_pair *pair;

	if (!end || (of && !kind))
		return FALSE;
	if (kind && kind->common)
		return iot_setting_error(of, 0, b->error,
					 "[object %s] is one for all recordings, and calls belong "
					 "to one recording",
					 kind->name);
	if (kind && kind->ranged)
		return iot_setting_error(
			of, 0, b->error,
			"[object %s] has a range, and then calls have no object: they "
			"ask for a mode of their own values",
			kind->name);
	if (kind && kind->machine)
		return iot_section_error(b->section, b->error, "must stand before [machine %s]",
					 kind->machine_section->name);
	pair = pair_new(b, start, end);
	if (!pair)
		return FALSE;
	if (!of)
		return build_alone(b, pair);
	for (guint i = 0; i < b->section->settings->len; i++)
		if (g_str_has_prefix(((struct iot_setting *)b->section->settings->pdata[i])->key,
				     "let "))
			return iot_setting_key_error(b->section->settings->pdata[i], b->error,
						     "names are for calls without an object");
	if (!iot_bind_own_rows(b, of, kind->on))
		return FALSE;
	for (guint i = 0; i < G_N_ELEMENTS(only_alone); i++)
		if (iot_section_get(b->section, only_alone[i]))
			return iot_setting_key_error(
				iot_section_get(b->section, only_alone[i]), b->error,
				"\"%s\" is for calls without an object", only_alone[i]);
	pair->of = kind;
	g_ptr_array_add(kind->pairs, pair);
	at_start = iot_bind_object_event(b, kind, pair->start, IOT_PART_START);
	if (!at_start)
		return FALSE;
	at_start->pair = pair;
	for (guint i = 0; i < pair->n_ends; i++) {
		at_end = iot_bind_object_event(b, kind, pair->ends[i].event, IOT_PART_END);
		if (!at_end)
			return FALSE;
		at_end->pair = pair;
		at_end->end = i;
		pair->ends[i].role = at_end;
	}
	if (done) {
		gboolean is_end = !strcmp(done->value, "end");
		struct iot_event_role *at_done;

		if (is_end && pair->n_ends > 1)
			return iot_setting_error(done, 0, b->error,
						 "the pair has several end events");
		pair->done = is_end ? pair->end : iot_bind_event(b->model, done->value);
		at_done = iot_bind_object_event(b, kind, pair->done, IOT_PART_DONE);
		if (!at_done)
			return FALSE;
		at_done->is_end |= is_end;
	}
	return build_exprs(b, pair) && iot_asks_build(b, pair);
}

/* For each slot of @to, the slot of @from whose field has that name. */
static void map_fields(const struct iot_pair *pair, struct iot_schema_event *to,
		       struct iot_schema_event *from, gint8 *out_slot)
{
	/* fields that are added to the same event meanwhile are of no interest */
	guint n = iot_schema_recorded(to)->n_fields;

	for (guint i = 0; i < n; i++)
		out_slot[i] = (gint8)iot_schema_field(from, iot_schema_field_name(to, i), FALSE,
						      pair->name);
}

/* The other ends, and a start that was not seen, get the fields of the same names. */
void iot_pair_finish(struct iot_pair *pair)
{
	for (guint i = 1; i < pair->n_ends; i++)
		map_fields(pair, pair->end, pair->ends[i].event, pair->ends[i].from);
	if (pair->of)
		map_fields(pair, pair->start, pair->end, pair->end_to_start);
}

const struct iot_rec *iot_pair_end_record(struct iot_model *model,
					  const struct iot_event_role *role,
					  const struct iot_rec *rec, struct iot_rec_room *room)
{
	struct iot_pair *pair = role->pair;
	struct iot_pair_end *end = &pair->ends[role->end];
	struct iot_event *event;

	if (G_LIKELY(!role->end))
		return rec;
	if (!end->as_first)
		end->as_first = g_new0(struct iot_event, model->n_inputs);
	event = &end->as_first[rec->event->input];
	event->index = pair->end->index;
	event->input = rec->event->input;
	event->n_slots = iot_schema_recorded(pair->end)->n_fields;
	room->rec =
		(struct iot_rec){ .ts = rec->ts, .event = event, .run = rec->run, .pid = rec->pid };
	for (guint i = 0; i < event->n_slots; i++) {
		gboolean known = end->from[i] >= 0;

		event->slot_type[i] =
			known ? rec->event->slot_type[end->from[i]] : (guint8)IOT_SLOT_ABSENT;
		room->rec.slot[i].u = known ? rec->slot[end->from[i]].u : 0;
	}
	return &room->rec;
}

static const char *const keys[] = { "of",	 "start",    "end",   "key",	"begins",
				    "may begin", "accepted", "async", "quiet",	"done",
				    "done key",	 "answers",  "asks",  "asks *", "may weaken",
				    "let *",	 "lone end", "again", NULL };
const struct iot_section_kind iot_section_kind_pair = { "pair", keys, build_pair, NULL };
