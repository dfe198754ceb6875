/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of several CPUs of one machine with one time. They come in the order of CPUs, which may
 * put an end before its start, or a completion before its call. An event that contradicts what is
 * known waits while others of its instant come, and what follows on its CPU waits, too. It is
 * applied as soon as one of them has made sense of it, and otherwise as it is, when the instant is
 * over. Only ties are touched: nothing that has another time is ever waited for.
 */
#include "model/model-local.h"

#include <string.h>

enum { MAX_HELD = 4096 };

struct held {
	struct held *next;
	struct iot_event_role *role;
	gboolean follows;   /* it waits only for those before it: nothing of it has been done yet */
	gboolean explained; /* what spoke against it at first does so no more */
	enum iot_contradiction why;
	struct iot_rec rec; /* copy; its slots follow */
};

/* Those of one run, in order. */
struct queue {
	guint32 run, input;
	struct held *first, *last;
};

struct iot_ties {
	GArray *queues; /* of struct queue */
	guint n;	/* records in all of them */
	guint64 ts;	/* of all of them */
	enum { READING, TRYING, SETTLING } stage;
	enum iot_contradiction why; /* ... the event that is tried cannot be applied yet */
};

struct iot_ties *iot_ties_new(void)
{
	struct iot_ties *ties = g_new0(struct iot_ties, 1);

	ties->queues = g_array_new(FALSE, TRUE, sizeof(struct queue));
	return ties;
}

static struct queue *queue_at(const struct iot_ties *ties, guint i)
{
	return &g_array_index(ties->queues, struct queue, i);
}

/* Remove the first of a queue; an empty queue goes. */
static struct held *take_first(struct iot_ties *ties, guint i)
{
	struct queue *queue = queue_at(ties, i);
	struct held *held = queue->first;

	queue->first = held->next;
	ties->n--;
	if (!queue->first)
		g_array_remove_index(ties->queues, i);
	return held;
}

void iot_ties_free(struct iot_ties *ties)
{
	while (ties->queues->len)
		g_free(take_first(ties, 0));
	g_array_unref(ties->queues);
	g_free(ties);
}

gboolean iot_ties_any(const struct iot_ties *ties)
{
	return ties->n > 0;
}

guint64 iot_ties_oldest(const struct iot_ties *ties)
{
	return ties->n ? ties->ts : G_MAXUINT64;
}

static struct queue *find_queue(const struct iot_ties *ties, guint32 run)
{
	for (guint i = ties->queues->len; i-- > 0;)
		if (queue_at(ties, i)->run == run)
			return queue_at(ties, i);
	return NULL;
}

/* Room for a record of @size bytes, the last of its run. */
static struct held *append(struct iot_ties *ties, guint32 run, guint32 input, gsize size)
{
	struct held *held = g_malloc(G_STRUCT_OFFSET(struct held, rec) + size);
	struct queue *queue = find_queue(ties, run);

	held->next = NULL;
	if (!queue) {
		g_array_set_size(ties->queues, ties->queues->len + 1);
		queue = queue_at(ties, ties->queues->len - 1);
		queue->run = run;
		queue->input = input;
	}
	*(queue->first ? &queue->last->next : &queue->first) = held;
	queue->last = held;
	ties->n++;
	return held;
}

static struct held *hold(struct iot_ties *ties, struct iot_event_role *role,
			 const struct iot_rec *rec, enum iot_contradiction why)
{
	gsize size = iot_rec_size(rec->event);
	struct held *held = append(ties, rec->run, rec->event->input, size);

	held->role = role;
	held->follows = why == IOT_NO_CONTRADICTION;
	held->explained = FALSE;
	held->why = why;
	memcpy(&held->rec, rec, size);
	ties->ts = rec->ts;
	return held;
}

gboolean iot_tie_waits(struct iot_model *model, struct iot_event_role *role,
		       const struct iot_rec *rec, enum iot_contradiction why)
{
	struct iot_ties *ties = model->ties;

	if (ties->stage == TRYING)
		ties->why = why;
	else if (ties->stage == SETTLING || model->inputs[rec->event->input].n_runs < 2 ||
		 ties->n >= MAX_HELD)
		return FALSE;
	else
		hold(ties, role, rec, why);
	return TRUE;
}

gboolean iot_tie_take_back(struct iot_model *model, struct iot_event_role *role,
			   const struct iot_rec *rec, enum iot_contradiction why)
{
	/* what waits of its run came later */
	return model->ties->stage == READING && !find_queue(model->ties, rec->run) &&
	       iot_tie_waits(model, role, rec, why);
}

static void apply(struct iot_model *model, struct held *held)
{
	if (held->follows)
		iot_model_take(model, held->role, &held->rec);
	else
		iot_model_join(model, held->role, &held->rec);
	held->follows = FALSE;
}

static void count(struct iot_model *model, const struct held *held)
{
	if (held->explained)
		iot_diag_add(model->diag, IOT_DIAG_tie_by_cause, 1);
}

/* TRUE if the first of the queue makes sense now, and has been applied. */
static gboolean try_first(struct iot_model *model, guint i)
{
	struct iot_ties *ties = model->ties;
	struct held *held = queue_at(ties, i)->first;

	ties->stage = TRYING;
	ties->why = IOT_NO_CONTRADICTION;
	apply(model, held);
	ties->stage = READING;
	held->explained |= held->why && held->why != ties->why;
	held->why = ties->why;
	if (held->why)
		return FALSE;
	take_first(ties, i);
	count(model, held);
	g_free(held);
	return TRUE;
}

static void try_all(struct iot_model *model, guint32 input)
{
	struct iot_ties *ties = model->ties;
	guint i = 0;

	while (i < ties->queues->len)
		i = queue_at(ties, i)->input == input && try_first(model, i) ? 0 : i + 1;
}

void iot_ties_settle(struct iot_model *model)
{
	struct iot_ties *ties = model->ties;

	while (ties->queues->len) {
		guint32 input = queue_at(ties, 0)->input;
		struct held *held = take_first(ties, 0);

		ties->stage = SETTLING;
		apply(model, held);
		ties->stage = READING;
		count(model, held);
		g_free(held);
		try_all(model, input);
	}
}

gboolean iot_ties_event(struct iot_model *model, struct iot_event_role *role,
			const struct iot_rec *rec)
{
	struct iot_ties *ties = model->ties;

	if (rec->ts > ties->ts || ties->n >= MAX_HELD) {
		iot_ties_settle(model);
		return FALSE;
	}
	if (find_queue(ties, rec->run)) {
		hold(ties, role, rec, IOT_NO_CONTRADICTION);
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
		for (const struct held *held = queue_at(ties, i)->first; held; held = held->next) {
			iot_pack_uint(s->out, held->why);
			iot_pack_uint(s->out, held->follows);
			iot_pack_uint(s->out, held->explained);
			iot_save_rec(s, &held->rec);
		}
	}
}

gboolean iot_ties_load(struct iot_loader *l)
{
	struct iot_model *model = l->model;
	struct iot_ties *ties = model->ties;

	for (guint n = (guint)iot_unpack_uint(l->in, MAX_HELD); n; n--) {
		enum iot_contradiction why =
			(enum iot_contradiction)iot_unpack_uint(l->in, IOT_NOT_KNOWN);
		gboolean follows = (gboolean)iot_unpack_uint(l->in, 1);
		gboolean explained = (gboolean)iot_unpack_uint(l->in, 1);
		const struct iot_event *event = iot_load_event(l);
		struct iot_event_role *role = NULL;
		struct held *held;
		union {
			struct iot_rec rec;
			guint8 bytes[sizeof(struct iot_rec) +
				     IOT_MAX_SLOTS * sizeof(union iot_val)];
		} room;

		if (!l->in->bad && iot_model_knows(model, event->index))
			role = model->roles->pdata[event->index];
		if (!role)
			return iot_unpack_fail(l->in);
		iot_load_rec(l, event, &room.rec);
		if (l->in->bad || (ties->n && room.rec.ts != ties->ts))
			return iot_unpack_fail(l->in);
		held = hold(ties, role, &room.rec, why);
		held->follows = follows;
		held->explained = explained;
	}
	return !l->in->bad;
}
