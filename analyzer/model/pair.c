/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * [pair]: a start and an end event of one call, joined by the object's key and the pair's own. The
 * merged call has the start's time and fields and the end's result. Calls without an object:
 * call.c.
 */
#include "model/model-local.h"

#include <string.h>

void iot_pair_free(gpointer data)
{
	struct iot_pair *pair = data;

	for (guint i = 0; i < IOT_MAX_KEYS; i++) {
		iot_expr_free(pair->start_key[i]);
		iot_expr_free(pair->end_key[i]);
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
	g_ptr_array_unref(pair->points);
	g_ptr_array_unref(pair->rules);
	g_ptr_array_unref(pair->states);
	iot_hooks_clear(&pair->hooks);
	g_clear_pointer(&pair->aliases, g_hash_table_unref);
	g_free(pair->unseen);
	g_free(pair->name);
	g_free(pair);
}

static struct iot_object_kind *find_kind(struct iot_model *model, const struct iot_setting *of,
					 GError **error)
{
	for (guint i = 0; i < model->kinds->len; i++) {
		struct iot_object_kind *kind = model->kinds->pdata[i];

		if (!strcmp(kind->name, of->value))
			return kind;
	}
	iot_setting_error(of, 0, error, "there is no section [object %s] above", of->value);
	return NULL;
}

/* What a completion has in common with the call that it answers. */
static gboolean bind_done_keys(struct iot_model *model, const struct iot_section *section,
			       struct iot_pair *pair, GError **error)
{
	const struct iot_setting *key = iot_section_get(section, "done key");
	struct iot_scope_events at_start =
		iot_bind_scope(model, section, pair->start, NULL, NULL, TRUE);
	struct iot_scope_events at_done =
		iot_bind_scope(model, section, pair->done, NULL, NULL, TRUE);
	guint n = 0;

	if (!key)
		return TRUE;
	if (!pair->done)
		return iot_setting_key_error(key, error, "the pair has no done event");
	return iot_bind_exprs(key, &at_start, pair->call_key, &n, error) &&
	       iot_bind_exprs(key, &at_done, pair->done_key, &pair->n_done_keys, error);
}

static gboolean build_exprs(struct iot_model *model, const struct iot_section *section,
			    struct iot_pair *pair, GError **error)
{
	const struct iot_setting *key = iot_section_get(section, "key");
	struct iot_scope_events at_start =
		iot_bind_scope(model, section, pair->start, NULL, NULL, TRUE);
	struct iot_scope_events at_end =
		iot_bind_scope(model, section, pair->end, NULL, NULL, TRUE);
	struct iot_scope_events both =
		iot_bind_scope(model, section, pair->start, pair->end, NULL, TRUE);
	struct iot_scope_events done = iot_bind_scope(model, section, NULL, NULL, pair->done, TRUE);
	guint n_end = 0;

	if (key && (!iot_bind_exprs(key, &at_start, pair->start_key, &pair->n_keys, error) ||
		    !iot_bind_exprs(key, &at_end, pair->end_key, &n_end, error)))
		return FALSE;
	return iot_bind_optional_expr(section, "begins", &at_start, &pair->begins, error) &&
	       iot_bind_optional_expr(section, "begins", &at_end, &pair->begins_at_end, error) &&
	       iot_bind_optional_expr(section, "may begin", &at_start, &pair->may_begin, error) &&
	       iot_bind_optional_expr(section, "may begin", &at_end, &pair->may_begin_at_end,
				      error) &&
	       bind_done_keys(model, section, pair, error) &&
	       iot_bind_optional_expr(section, "accepted", &both, &pair->accepted, error) &&
	       iot_bind_optional_expr(section, "async", &at_start, &pair->async, error) &&
	       iot_bind_optional_expr(section, "quiet", &at_start, &pair->quiet, error) &&
	       iot_bind_optional_expr(section, "answers", &done, &pair->answers, error);
}

static struct iot_pair *pair_new(struct iot_model *model, const struct iot_section *section,
				 const struct iot_setting *start, const struct iot_setting *end)
{
	struct iot_pair *pair = g_new0(struct iot_pair, 1);

	pair->name = g_strdup(section->name);
	pair->name_str = iot_intern_str(model->tl->strings, section->name);
	pair->number = model->pairs->len;
	memset(pair->end_to_start, -1, sizeof(pair->end_to_start));
	pair->points = g_ptr_array_new_with_free_func(iot_point_free);
	pair->rules = g_ptr_array_new_with_free_func(iot_rule_free);
	pair->states = g_ptr_array_new(); /* freed by the model */
	g_ptr_array_add(model->pairs, pair);
	pair->start = iot_bind_event(model, start, start->value);
	pair->end = iot_bind_event(model, end, end->value);
	return pair;
}

static gboolean add_alias(struct iot_model *model, const struct iot_section *section,
			  struct iot_pair *pair, const struct iot_setting *setting, GError **error)
{
	const char *name = setting->key + strlen("let ");
	struct iot_scope_events scope =
		iot_bind_scope(model, section, pair->start, pair->end, NULL, FALSE);
	g_autofree char *problem = NULL;
	enum iot_scope where;
	int slot;

	if (!pair->aliases)
		pair->aliases = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	if (!g_str_has_prefix(setting->value, "start.") &&
	    !g_str_has_prefix(setting->value, "end."))
		return iot_setting_error(
			setting, 0, error,
			"a field of the call is expected: start.FIELD or end.FIELD");
	if (!iot_scope_resolve(&scope, setting->value, &where, &slot, &problem))
		return iot_setting_error(setting, 0, error, "%s", problem);
	g_hash_table_insert(pair->aliases, g_strdup(name), g_strdup(setting->value));
	return TRUE;
}

static gboolean bind_alone(struct iot_model *model, const struct iot_section *section,
			   struct iot_pair *pair, struct iot_schema_event *event,
			   enum iot_part part, GError **error)
{
	struct iot_event_role *role = iot_bind_role(model, event);

	if (role->of || role->part != IOT_PART_NONE)
		return iot_section_error(section, error, "event %s has another meaning already",
					 event->name);
	role->part = part;
	role->pair = pair;
	return TRUE;
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

/* A call without an object. */
static gboolean build_alone(struct iot_model *model, const struct iot_section *section,
			    struct iot_pair *pair, GError **error)
{
	static const char *const alone[] = { "start", "end", "key" };

	for (guint i = 0; i < section->settings->len; i++) {
		const struct iot_setting *setting = section->settings->pdata[i];
		gboolean known = g_str_has_prefix(setting->key, "let ");

		if (known && !add_alias(model, section, pair, setting, error))
			return FALSE;
		for (guint k = 0; k < G_N_ELEMENTS(alone); k++)
			known |= !strcmp(setting->key, alone[k]);
		if (!known)
			return iot_setting_key_error(setting, error,
						     "\"%s\" is for calls on an object (of = ...)",
						     setting->key);
	}
	if (!iot_section_require(section, "key", error))
		return FALSE;
	if (!bind_alone(model, section, pair, pair->start, IOT_PART_START, error) ||
	    !bind_alone(model, section, pair, pair->end, IOT_PART_END, error) ||
	    !build_exprs(model, section, pair, error))
		return FALSE;
	pair->plain_keys = find_slots(pair->start_key, pair->n_keys, pair->start_slot) &&
			   find_slots(pair->end_key, pair->n_keys, pair->end_slot);
	return TRUE;
}

static gboolean build_pair(struct iot_model *model, const struct iot_section *section,
			   GError **error)
{
	const struct iot_setting *of = iot_section_get(section, "of");
	const struct iot_setting *start = iot_section_require(section, "start", error);
	const struct iot_setting *end = start ? iot_section_require(section, "end", error) : NULL;
	const struct iot_setting *done = iot_section_get(section, "done");
	struct iot_object_kind *kind = end && of ? find_kind(model, of, error) : NULL;
	struct iot_event_role *role;
	struct iot_pair *pair;

	if (!end || (of && !kind))
		return FALSE;
	if (kind && kind->machine)
		return iot_section_error(section, error, "must stand before [machine %s]",
					 kind->machine_section->name);
	pair = pair_new(model, section, start, end);
	if (!of)
		return build_alone(model, section, pair, error);
	for (guint i = 0; i < section->settings->len; i++)
		if (g_str_has_prefix(((struct iot_setting *)section->settings->pdata[i])->key,
				     "let "))
			return iot_setting_key_error(section->settings->pdata[i], error,
						     "names are for calls without an object");
	pair->of = kind;
	g_ptr_array_add(kind->pairs, pair);
	if (!iot_object_bind(model, kind, pair->start, IOT_PART_START, &role, section, error))
		return FALSE;
	role->pair = pair;
	if (!iot_object_bind(model, kind, pair->end, IOT_PART_END, &role, section, error))
		return FALSE;
	role->pair = pair;
	if (done) {
		pair->done = iot_bind_event(model, done, done->value);
		if (!iot_object_bind(model, kind, pair->done, IOT_PART_DONE, &role, section, error))
			return FALSE;
	}
	return build_exprs(model, section, pair, error);
}

/* After all sections: which field of the end stands in for which field of a start that was not
 * seen. */
void iot_pair_finish(struct iot_pair *pair)
{
	for (guint i = 0; pair->of && i < pair->start->n_fields; i++)
		pair->end_to_start[i] = (gint8)iot_schema_field(
			pair->end, pair->start->field[i].name, FALSE, pair->name);
}

struct iot_call *iot_call_new(struct iot_object *object, struct iot_pair *pair)
{
	struct iot_object_kind *kind = object->kind;
	struct iot_call *call = kind->free_calls;

	if (call)
		kind->free_calls = call->next;
	else
		call = g_malloc(kind->call_size);
	memset(call, 0, sizeof(*call));
	call->pair = pair;
	call->object = object;
	kind->n_calls++;
	return call;
}

void iot_call_add_pending(struct iot_object *object, struct iot_call *call)
{
	*(object->pending ? &object->pending_tail->next : &object->pending) = call;
	object->pending_tail = call;
	object->unseen_pending |= call->unseen_start;
}

struct iot_call *iot_call_take_pending(struct iot_object *object, struct iot_call **link,
				       struct iot_call *previous)
{
	struct iot_call *call = *link;

	*link = call->next;
	if (!call->next)
		object->pending_tail = previous;
	call->next = NULL;
	return call;
}

/* All open calls of the kind by t0. Nearly always the new one is the youngest. */
void iot_call_chain(struct iot_object_kind *kind, struct iot_call *call)
{
	struct iot_call *before = kind->open_last;

	while (before && before->t0 > call->t0)
		before = before->open_prev;
	call->open_prev = before;
	call->open_next = before ? before->open_next : kind->open_first;
	*(before ? &before->open_next : &kind->open_first) = call;
	*(call->open_next ? &call->open_next->open_prev : &kind->open_last) = call;
}

struct iot_call *iot_call_open(struct iot_object *object, struct iot_pair *pair,
			       const struct iot_rec *start)
{
	struct iot_call *call = iot_call_new(object, pair), **tail = &object->open;
	struct iot_eval eval;

	memcpy(&call->start, start, iot_rec_size(start->event));
	call->t0 = start->ts;
	iot_eval_init(object->kind->model, &eval, object->input, start, NULL, NULL);
	iot_pair_key(pair, FALSE, &eval, call->key);
	while (*tail)
		tail = &(*tail)->next;
	*tail = call;
	iot_call_chain(object->kind, call);
	return call;
}

/* The bound class of a start that is made up from its end: types of the end's fields in the start's
 * slots. */
static const struct iot_event *unseen_event(struct iot_object *object, struct iot_pair *pair,
					    const struct iot_event *end)
{
	struct iot_event *event;

	if (!pair->unseen)
		pair->unseen = g_new0(struct iot_event, object->kind->model->n_inputs);
	event = &pair->unseen[object->input];
	event->index = pair->start->index;
	event->input = object->input;
	event->n_slots = pair->start->n_fields;
	for (guint i = 0; i < event->n_slots; i++)
		event->slot_type[i] = pair->end_to_start[i] < 0
					      ? (guint8)IOT_SLOT_ABSENT
					      : end->slot_type[pair->end_to_start[i]];
	return event;
}

struct iot_call *iot_call_unseen(struct iot_object *object, struct iot_pair *pair,
				 const struct iot_rec *end)
{
	struct iot_call *call = iot_call_new(object, pair);

	call->start.event = unseen_event(object, pair, end->event);
	call->start.pid = end->pid;
	call->start.ts = call->t0 = end->ts;
	call->start.run = end->run;
	for (guint i = 0; i < call->start.event->n_slots; i++)
		call->start.slot[i].u =
			pair->end_to_start[i] < 0 ? 0 : end->slot[pair->end_to_start[i]].u;
	call->unseen_start = TRUE;
	return call;
}

struct iot_call *iot_call_find(const struct iot_object *object, const struct iot_pair *pair,
			       const guint64 *key)
{
	struct iot_call *call = object->open;

	while (call && (call->pair != pair || memcmp(call->key, key, sizeof(call->key))))
		call = call->next;
	return call;
}

void iot_call_close(struct iot_object *object, struct iot_call *call)
{
	struct iot_object_kind *kind = object->kind;
	struct iot_call **link = &object->open;

	while (*link != call)
		link = &(*link)->next;
	*link = call->next;
	call->next = NULL;
	*(call->open_prev ? &call->open_prev->open_next : &kind->open_first) = call->open_next;
	*(call->open_next ? &call->open_next->open_prev : &kind->open_last) = call->open_prev;
}

void iot_call_free(struct iot_object_kind *kind, struct iot_call *call)
{
	call->next = kind->free_calls;
	kind->free_calls = call;
	kind->n_calls--;
}

void iot_call_free_list(struct iot_object_kind *kind, struct iot_call **list)
{
	while (*list) {
		struct iot_call *call = *list;

		*list = call->next;
		iot_call_free(kind, call);
	}
}

void iot_call_draw(struct iot_model *model, struct iot_object *object, const struct iot_call *call,
		   const struct iot_rec *end, guint16 flags)
{
	struct iot_eval eval;

	if (call->unseen_start)
		return;
	object->fresh = FALSE;
	iot_eval_init(model, &eval, object->input, &call->start, end, NULL);
	for (guint i = 0; i < call->pair->points->len; i++)
		iot_point_draw(model, call->pair->points->pdata[i], &eval, object->row,
			       object->lane, call->t0, flags);
}

gboolean iot_call_may_be_answered(struct iot_model *model, const struct iot_object *object,
				  const struct iot_call *call, const struct iot_rec *done)
{
	const struct iot_pair *pair = call->pair;
	struct iot_eval at_start, at_done;

	if (pair->done->index != done->event->index)
		return FALSE;
	if (G_LIKELY(!pair->n_done_keys))
		return TRUE;
	iot_eval_init(model, &at_start, object->input, &call->start, NULL, NULL);
	iot_eval_init(model, &at_done, object->input, done, NULL, NULL);
	for (guint i = 0; i < pair->n_done_keys; i++)
		if (iot_expr_eval(pair->call_key[i], &at_start) !=
		    iot_expr_eval(pair->done_key[i], &at_done))
			return FALSE;
	return TRUE;
}

gboolean iot_call_expects_done(struct iot_model *model, const struct iot_object *object,
			       const struct iot_call *call, const struct iot_rec *end)
{
	const struct iot_pair *pair = call->pair;
	struct iot_eval eval;

	iot_eval_init(model, &eval, object->input, &call->start, end, NULL);
	if (!pair->done || (end && pair->accepted && !iot_expr_eval(pair->accepted, &eval)))
		return FALSE;
	return !pair->async || iot_expr_eval(pair->async, &eval);
}

static const char *const keys[] = { "of",	 "start",    "end",   "key",   "begins",
				    "may begin", "accepted", "async", "quiet", "done",
				    "done key",	 "answers",  "let *", NULL };
const struct iot_section_kind iot_section_kind_pair = { "pair", keys, build_pair, NULL };
