/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/tie-apply.h"
#include "model/take.h"

static void apply(struct iot_model *model, struct iot_held *held)
{
	if (held->follows)
		iot_model_take_role(model, held->role, &held->rec);
	else
		iot_model_join(model, held->role, &held->rec);
	held->follows = FALSE;
}

static void count(struct iot_model *model, const struct iot_held *held)
{
	if (held->explained)
		iot_diag_add(model->diag, IOT_DIAG_tie_by_cause, 1);
}

/* TRUE if the first event of the queue is explained now, and has been applied. */
static gboolean try_first(struct iot_model *model, guint i)
{
	struct iot_ties *ties = model->ties;
	struct iot_held *held = iot_ties_queue(ties, i)->first;

	ties->stage = IOT_TIES_TRYING;
	ties->why = IOT_NO_CONTRADICTION;
	apply(model, held);
	ties->stage = IOT_TIES_READING;
	held->explained |= held->why && held->why != ties->why;
	held->why = ties->why;
	if (held->why)
		return FALSE;
	iot_ties_take_first(ties, i);
	count(model, held);
	g_free(held);
	return TRUE;
}

static void try_all(struct iot_model *model, guint32 input)
{
	struct iot_ties *ties = model->ties;
	guint i = 0;

	while (i < ties->queues->len)
		i = iot_ties_queue(ties, i)->input == input && try_first(model, i) ? 0 : i + 1;
}

void iot_ties_settle(struct iot_model *model)
{
	struct iot_ties *ties = model->ties;

	while (ties->queues->len) {
		guint32 input = iot_ties_queue(ties, 0)->input;
		struct iot_held *held = iot_ties_take_first(ties, 0);

		ties->stage = IOT_TIES_SETTLING;
		apply(model, held);
		ties->stage = IOT_TIES_READING;
		count(model, held);
		g_free(held);
		try_all(model, input);
	}
}

gboolean iot_ties_event(struct iot_model *model, struct iot_event_role *role,
			const struct iot_rec *rec)
{
	struct iot_ties *ties = model->ties;

	if (rec->ts > ties->ts || ties->n >= IOT_MAX_HELD) {
		iot_ties_settle(model);
		return FALSE;
	}
	if (iot_ties_find(ties, rec->run)) {
		iot_ties_hold_record(ties, role, rec);
		return TRUE;
	}
	iot_model_take(model, role, rec);
	try_all(model, rec->event->input);
	return TRUE;
}

/* ---- saved state */

void iot_ties_save(struct iot_saver *s)
{
	const struct iot_ties *ties = s->model->ties;

	iot_pack_uint(s->out, ties->n);
	for (guint i = 0; i < ties->queues->len; i++) {
		for (const struct iot_held *held = iot_ties_queue(ties, i)->first; held;
		     held = held->next) {
			iot_pack_uint(s->out, held->why);
			iot_pack_uint(s->out, held->follows);
			iot_pack_uint(s->out, held->explained);
			iot_save_role(s, held->role);
			iot_save_rec(s, &held->rec);
		}
	}
}

gboolean iot_ties_load(struct iot_loader *l)
{
	struct iot_model *model = l->model;
	struct iot_ties *ties = model->ties;

	for (guint n = (guint)iot_unpack_uint(l->in, IOT_MAX_HELD + IOT_MAX_ROLES); n; n--) {
		enum iot_contradiction why =
			(enum iot_contradiction)iot_unpack_uint(l->in, IOT_NOT_KNOWN);
		gboolean follows = (gboolean)iot_unpack_uint(l->in, 1);
		gboolean explained = (gboolean)iot_unpack_uint(l->in, 1);
		guint number = iot_load_role(l);
		const struct iot_event *event = iot_load_event(l);
		struct iot_event_role *role = iot_loaded_role(l, event, number);
		struct iot_held *held;
		union {
			struct iot_rec rec;
			guint8 bytes[sizeof(struct iot_rec) +
				     IOT_MAX_SLOTS * sizeof(union iot_val)];
		} room;

		if (!role)
			return iot_unpack_fail(l->in);
		iot_load_rec(l, event, &room.rec);
		if (l->in->bad || (ties->n && room.rec.ts != ties->ts))
			return iot_unpack_fail(l->in);
		held = iot_ties_hold(ties, role, &room.rec, why);
		held->follows = follows;
		held->explained = explained;
	}
	return !l->in->bad;
}
