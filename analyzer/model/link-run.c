/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ends as they come: events, and calls that start and end. */
#include "model/link-local.h"
#include "model/lives.h"
#include "model/row.h"
#include "model/standalone-call.h"

#include <string.h>
#include <strings.h>

/* A bit for each value of the key that is a text: a number never equals a text. */
static guint32 find_texts(struct iot_link_side *side, const struct iot_eval *eval)
{
	const struct iot_event *event = eval->rec[IOT_SCOPE_SELF]->event;
	struct iot_link_texts *typed = &side->typed[event->input];

	if (typed->event == event)
		return typed->texts;
	*typed = (struct iot_link_texts){ .event = event };
	for (guint i = 0; i < side->link->n_keys; i++)
		if (iot_expr_type(side->key[i], eval) == IOT_EXPR_TEXT)
			typed->texts |= 1u << i;
	return typed->texts;
}

/* An open from-end with this key, and with the same message. */
static gboolean is_retransmission(struct iot_link *link, const struct iot_link_group *group,
				  const guint64 *same)
{
	for (const struct iot_link_end *end = group->side[IOT_LINK_FROM].last; end && link->n_same;
	     end = end->prev)
		if (!memcmp(end->same, same, sizeof(end->same)))
			return TRUE;
	return FALSE;
}

/* Somebody else joins the ends. */
static void show_end(const struct iot_link_side *side, const guint64 *key, guint32 texts,
		     const struct iot_rec *rec, guint64 t)
{
	const struct iot_link *link = side->link;
	const struct iot_link_sighting end = {
		.link = link,
		.name = link->section->name,
		.keys = key,
		.n_keys = link->n_keys,
		.texts = texts,
		.is_from = side->which == IOT_LINK_FROM,
		.many = link->many,
		.input = rec->event->input,
		.ns = t,
	};

	/* the clocks are found by one message at a time */
	if (link->unique && !link->local && !link->gathers)
		link->model->watch(link->model->watch_data, &end);
}

static void read_key(const struct iot_link_side *side, const struct iot_eval *eval, guint64 *key)
{
	for (guint i = 0; i < side->link->n_keys; i++)
		key[i] = (guint64)iot_expr_eval(side->key[i], eval);
}

/* A link has changed. The model looks at all links when the first is due, perhaps too early. */
static void update_due(const struct iot_link *link)
{
	link->model->links_due = MIN(link->model->links_due, iot_link_due(link));
}

/* Decide all ends that are due before @t. */
static void settle_before(struct iot_link *link, guint64 t)
{
	if (G_UNLIKELY(t > link->model->links_due))
		iot_link_settle(link, MIN(t, link->model->held_ns));
}

static inline gboolean is_no_end(const struct iot_link_side *side, const struct iot_eval *eval)
{
	return (side->needs && iot_keytable_is_empty(side->needs)) ||
	       (side->when && !iot_expr_eval(side->when, eval));
}

/* An end at @t for the records of @eval. NULL: there is none. */
static struct iot_link_end *add_end(struct iot_link_side *side, const struct iot_eval *eval,
				    guint64 t)
{
	struct iot_link *link = side->link;
	guint64 key[IOT_MAX_LINK_KEYS], same[IOT_MAX_LINK_SAME] = { 0 };
	const struct iot_rec *rec = eval->rec[IOT_SCOPE_SELF];
	struct iot_link_group *group;
	struct iot_link_end *end;

	settle_before(link, t);
	if (is_no_end(side, eval))
		return NULL;
	read_key(side, eval, key);
	if (link->model->watch) {
		show_end(side, key, find_texts(side, eval), rec, t);
		return NULL;
	}
	if (link->n_ends >= link->model->max_open)
		iot_link_evict_oldest(link);
	group = iot_link_find_group(link, key, find_texts(side, eval));
	if (side->which == IOT_LINK_FROM && group->side[IOT_LINK_FROM].n) {
		for (guint i = 0; i < link->n_same; i++)
			same[i] = (guint64)iot_expr_eval(link->same[i], eval);
		if (is_retransmission(link, group, same)) {
			iot_link_count_at(link, IOT_LINK_RETRANSMITTED, t);
			return NULL;
		}
		if (!link->gathers)
			iot_link_count_at(link, IOT_LINK_REUSED, t);
	} else if (side->which == IOT_LINK_FROM) {
		for (guint i = 0; i < link->n_same; i++)
			same[i] = (guint64)iot_expr_eval(link->same[i], eval);
	}
	end = iot_link_new_end(side, group, rec);
	end->t = t;
	end->number = link->model->n_events;
	memcpy(end->same, same, sizeof(same));
	if (side->which == IOT_LINK_TO || group->n_late)
		iot_link_undecided(link, end);
	if (side->which == IOT_LINK_FROM && link->within != G_MAXUINT64) {
		end->until = iot_link_time(t, link->within);
		iot_link_expire(link, end);
	}
	update_due(link);
	return end;
}

/* The event after which from-ends have no partner. */
static void end_wait(struct iot_link_side *side, const struct iot_eval *eval, guint64 t)
{
	struct iot_link *link = side->link;
	guint64 key[IOT_MAX_LINK_KEYS];
	struct iot_link_group *group;

	settle_before(link, t);
	if (!link->n_ends || is_no_end(side, eval))
		return;
	read_key(side, eval, key);
	group = iot_link_known_group(link, key, find_texts(side, eval));
	if (!group)
		return;
	iot_link_no_later(link, group, iot_eval_record(eval)->event->input, t);
	update_due(link);
}

/* ---- events */

/* Messages have no object: the common case costs nothing. */
static G_GNUC_NO_INLINE struct iot_link_spot
spot_of_role(struct iot_model *model, const struct iot_event_role *role, const struct iot_rec *rec)
{
	struct iot_step step = { .kind = role->of,
				 .role = (struct iot_event_role *)role,
				 .rec = rec,
				 .input = iot_kind_input(role->of, rec->event->input) };

	iot_eval_init(model, &step.eval, rec->event->input, rec, NULL, NULL);
	for (guint i = 0; i < role->n_keys; i++)
		step.key[i] = (guint64)iot_expr_eval(role->key[i], &step.eval);
	iot_step_hash(&step);
	iot_life_tell_apart(&step);
	iot_life_find_known(&step);
	if (!step.object)
		return (struct iot_link_spot){ 0 };
	return (struct iot_link_spot){ step.object->row, step.object->lane };
}

/* Whether the event may be an end. A call that it ends may fill tables before it is one. */
static gboolean may_be_end(const struct iot_event_role *first)
{
	for (guint i = 0; i < first->links->len; i++) {
		const struct iot_link_side *side = first->links->pdata[i];

		if (side->which != IOT_LINK_UNTIL &&
		    !(side->needs && iot_keytable_is_empty(side->needs)))
			return TRUE;
	}
	for (const struct iot_event_role *role = first; role; role = role->next)
		if (role->pair && !role->of)
			return TRUE;
	return FALSE;
}

struct iot_link_spot iot_links_spot(struct iot_model *model, const struct iot_event_role *first,
				    const struct iot_rec *rec)
{
	struct iot_link_spot spot = { 0 };

	if (!may_be_end(first))
		return spot;
	for (const struct iot_event_role *role = first; role && !spot.row; role = role->next)
		if (role->of)
			spot = spot_of_role(model, role, rec);
	return spot;
}

void iot_links_event(struct iot_model *model, const struct iot_event_role *first,
		     const struct iot_rec *rec, struct iot_link_spot spot)
{
	struct iot_eval eval;

	iot_eval_init(model, &eval, rec->event->input, rec, NULL, NULL);
	if (!spot.row)
		spot = iot_links_spot(model, first, rec);
	for (guint i = 0; i < first->links->len; i++) {
		struct iot_link_side *side = first->links->pdata[i];
		struct iot_link_end *end = NULL;

		if (side->which == IOT_LINK_UNTIL)
			end_wait(side, &eval, rec->ts);
		else
			end = add_end(side, &eval, rec->ts);
		if (!end || !spot.row)
			continue;
		end->of_object = TRUE;
		end->row = spot.row;
		end->lane = spot.lane;
	}
}

/* ---- standalone calls */

struct iot_link_end *iot_links_call_starts(struct iot_model *model, struct iot_pair *pair,
					   const struct iot_rec *start, gpointer call)
{
	struct iot_link_end *ends = NULL;
	struct iot_eval eval;

	iot_eval_init(model, &eval, start->event->input, start, NULL, NULL);
	eval.call = pair->name_str;
	for (guint i = 0; i < pair->link_starts->len; i++) {
		struct iot_link_end *end = add_end(pair->link_starts->pdata[i], &eval, start->ts);

		if (!end)
			continue;
		end->call = call;
		end->call_next = ends;
		ends = end;
	}
	return ends;
}

static void place(struct iot_link_end *end, const struct iot_link_call *call)
{
	struct iot_link *link = end->side->link;

	end->row = iot_row_path_find(link->model, end->side->path, call->eval);
	end->lane = iot_standalone_call_lane(call->pair, call->eval, end->row);
	end->placed = TRUE;
	end->end_number = (guint8)call->eval->end;
	if (call->eval->rec[IOT_SCOPE_END] && !end->end) {
		const struct iot_rec *rec = call->eval->rec[IOT_SCOPE_END];

		end->end = g_memdup2(rec, iot_rec_size(rec->event));
	}
}

static void start_is_drawn(struct iot_link_end *end, const struct iot_link_call *call)
{
	struct iot_link *link = end->side->link;

	place(end, call);
	if (end->side->which == IOT_LINK_FROM && link->contained && end->group) {
		end->until = call->t1;
		iot_link_expire(link, end);
		update_due(link);
	}
	iot_link_place(link, end);
}

void iot_links_call_drawn(const struct iot_link_call *call)
{
	const struct iot_rec *end_rec = call->eval->rec[IOT_SCOPE_END];
	struct iot_link_end *next;

	for (struct iot_link_end *end = call->ends; end; end = next) {
		next = end->call_next;
		start_is_drawn(end, call);
	}
	for (guint i = 0; end_rec && call->pair->link_ends && i < call->pair->link_ends->len; i++) {
		struct iot_link_end *end =
			add_end(call->pair->link_ends->pdata[i], call->eval, end_rec->ts);

		if (end)
			place(end, call);
	}
}

/* ---- the whole model */

static void start_side(struct iot_link_side *side)
{
	side->typed = g_new0(struct iot_link_texts, MAX(side->link->model->n_inputs, 1));
}

void iot_links_start(struct iot_model *model)
{
	if (!model->links->len)
		return;
	iot_links_leave_out(model);
	for (guint i = 0; i < model->links->len; i++) {
		struct iot_link *link = model->links->pdata[i];
		/* a role of an event has the fields of the event */
		guint n_fields = MAX(iot_schema_recorded(link->side[IOT_LINK_FROM].event)->n_fields,
				     iot_schema_recorded(link->side[IOT_LINK_TO].event)->n_fields);

		link->end_size = sizeof(struct iot_link_end) + n_fields * sizeof(union iot_val);
		for (guint k = 0; k < G_N_ELEMENTS(link->side); k++)
			start_side(&link->side[k]);
		for (guint k = 0; k < link->untils->len; k++)
			start_side(link->untils->pdata[k]);
		link->group_size = sizeof(struct iot_link_group) + link->n_keys * sizeof(guint64);
	}
	iot_unrecorded_start(model);
	model->links_due = G_MAXUINT64;
}

void iot_links_free(struct iot_model *model)
{
	iot_unrecorded_free(model);
	g_ptr_array_unref(model->links);
}

void iot_links_gap(struct iot_model *model, guint input, guint64 ts, gboolean begin)
{
	if (!model->links->len)
		return;
	iot_links_settle(model, ts);
	iot_unrecorded_gap(model, input, ts, begin);
}

void iot_links_settle(struct iot_model *model, guint64 now)
{
	for (guint i = 0; i < model->links->len; i++)
		iot_link_settle(model->links->pdata[i], MIN(now, model->held_ns));
	model->links_due = G_MAXUINT64;
	for (guint i = 0; i < model->links->len; i++)
		update_due(model->links->pdata[i]);
}

void iot_links_finish(struct iot_model *model, gboolean at_end)
{
	for (guint i = 0; i < model->links->len; i++) {
		struct iot_link *link = model->links->pdata[i];

		iot_link_settle(link, G_MAXUINT64);
		for (struct iot_link_end *end = link->oldest; at_end && end; end = end->newer)
			if (end->group && !end->settled)
				iot_link_unmatched(link, end);
	}
}

guint64 iot_links_oldest(const struct iot_model *model)
{
	guint64 low = G_MAXUINT64;

	for (guint i = 0; i < model->links->len; i++) {
		const struct iot_link *link = model->links->pdata[i];

		if (link->undecided)
			low = MIN(low, link->undecided->t);
		/* any end may turn out to be a stub */
		if (!link->stubs)
			continue;
		for (const struct iot_link_end *end = link->oldest; end; end = end->newer) {
			low = MIN(low, end->t);
			if (!model->unordered)
				break;
		}
	}
	return low;
}

guint64 iot_links_hold(const struct iot_model *model)
{
	guint64 hold = 0;

	for (guint i = 0; i < model->links->len; i++) {
		const struct iot_link *link = model->links->pdata[i];
		guint64 within = link->within == G_MAXUINT64 ? 0 : link->within;

		hold = MAX(hold, within + 4 * model->clock_error_ns);
	}
	return hold;
}

gsize iot_links_memory(const struct iot_model *model)
{
	gsize bytes = 0;

	for (guint i = 0; i < model->links->len; i++) {
		const struct iot_link *link = model->links->pdata[i];

		bytes += iot_hashset_memory(&link->groups) + link->n_groups * link->group_size +
			 link->n_allocated * link->end_size;
	}
	return bytes;
}

/* Ends of these machines never fit: the first value whose types differ; -1: there is none. */
static int find_mistyped(const struct iot_link *link, guint from, guint to)
{
	const struct iot_link_texts *a = &link->side[IOT_LINK_FROM].typed[from];
	const struct iot_link_texts *b = &link->side[IOT_LINK_TO].typed[to];
	const struct iot_model_input *inputs = link->model->inputs;

	if (!a->event || !b->event ||
	    (link->local && inputs[from].recording != inputs[to].recording))
		return -1;
	return ffs((int)(a->texts ^ b->texts)) - 1;
}

static char *say_mistyped(const struct iot_link *link, guint from, guint to, int value)
{
	const struct iot_model *model = link->model;
	const struct iot_link_side *a = &link->side[IOT_LINK_FROM], *b = &link->side[IOT_LINK_TO];
	gboolean is_text = (a->typed[from].texts >> value) & 1;

	return g_strdup_printf(
		"%s:%u: the link \"%s\" never joins \"%s\" of %s and \"%s\" of %s: value %d of "
		"the key is a %s in the first event, and a %s in the second one",
		link->section->file->path, a->key_setting->line, link->section->name,
		a->event->name, iot_tl_str(model->tl, model->inputs[from].node_name),
		b->event->name, iot_tl_str(model->tl, model->inputs[to].node_name), value + 1,
		is_text ? "text" : "number", is_text ? "number" : "text");
}

char *iot_model_link_mistyped(const struct iot_model *model, guint index)
{
	const struct iot_link *link = model->links->pdata[index];

	for (guint from = 0; from < model->n_inputs; from++)
		for (guint to = 0; to < model->n_inputs; to++) {
			int value = find_mistyped(link, from, to);

			if (value >= 0)
				return say_mistyped(link, from, to, value);
		}
	return NULL;
}

gboolean iot_model_link(const struct iot_model *model, guint index, struct iot_link_report *out)
{
	const struct iot_link *link = index < model->links->len ? model->links->pdata[index] : NULL;

	if (!link)
		return FALSE;
	out->name = link->title;
	memcpy(out->count, link->count, sizeof(out->count));
	return TRUE;
}
