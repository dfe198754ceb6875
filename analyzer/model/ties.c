/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/ties.h"

#include <string.h>

struct iot_ties *iot_ties_new(void)
{
	struct iot_ties *ties = g_new0(struct iot_ties, 1);

	ties->queues = g_array_new(FALSE, TRUE, sizeof(struct iot_tie_queue));
	return ties;
}

struct iot_held *iot_ties_take_first(struct iot_ties *ties, guint i)
{
	struct iot_tie_queue *queue = iot_ties_queue(ties, i);
	struct iot_held *held = queue->first;

	queue->first = held->next;
	ties->n--;
	if (!queue->first)
		g_array_remove_index(ties->queues, i);
	return held;
}

void iot_ties_free(struct iot_ties *ties)
{
	while (ties->queues->len)
		g_free(iot_ties_take_first(ties, 0));
	g_array_unref(ties->queues);
	g_free(ties);
}

guint64 iot_ties_oldest(const struct iot_ties *ties)
{
	return ties->n ? ties->ts : G_MAXUINT64;
}

struct iot_tie_queue *iot_ties_find(const struct iot_ties *ties, guint32 run)
{
	for (guint i = ties->queues->len; i-- > 0;)
		if (iot_ties_queue(ties, i)->run == run)
			return iot_ties_queue(ties, i);
	return NULL;
}

struct iot_held *iot_ties_hold(struct iot_ties *ties, struct iot_event_role *role,
			       const struct iot_rec *rec, enum iot_contradiction why)
{
	gsize size = iot_rec_size(rec->event);
	struct iot_held *held = g_malloc(G_STRUCT_OFFSET(struct iot_held, rec) + size);
	struct iot_tie_queue *queue = iot_ties_find(ties, rec->run);

	held->next = NULL;
	held->role = role;
	held->follows = why == IOT_NO_CONTRADICTION;
	held->explained = FALSE;
	held->why = why;
	memcpy(&held->rec, rec, size);
	if (!queue) {
		g_array_set_size(ties->queues, ties->queues->len + 1);
		queue = iot_ties_queue(ties, ties->queues->len - 1);
		queue->run = rec->run;
		queue->input = rec->event->input;
	}
	*(queue->first ? &queue->last->next : &queue->first) = held;
	queue->last = held;
	ties->n++;
	ties->ts = rec->ts;
	return held;
}

void iot_ties_hold_role(struct iot_ties *ties, struct iot_event_role *role,
			const struct iot_rec *rec)
{
	iot_ties_hold(ties, role, rec, IOT_NO_CONTRADICTION)->follows = FALSE;
}

void iot_ties_hold_record(struct iot_ties *ties, struct iot_event_role *first,
			  const struct iot_rec *rec)
{
	const GPtrArray *roles = first->in_order;

	iot_ties_hold(ties, roles ? roles->pdata[0] : first, rec, IOT_NO_CONTRADICTION);
	for (guint i = 1; roles && i < roles->len; i++)
		iot_ties_hold_role(ties, roles->pdata[i], rec);
}

gboolean iot_tie_waits(struct iot_model *model, struct iot_event_role *role,
		       const struct iot_rec *rec, enum iot_contradiction why)
{
	struct iot_ties *ties = model->ties;

	if (ties->stage == IOT_TIES_TRYING)
		ties->why = why;
	else if (ties->stage == IOT_TIES_SETTLING || model->inputs[rec->event->input].n_runs < 2 ||
		 ties->n >= IOT_MAX_HELD)
		return FALSE;
	else
		iot_ties_hold(ties, role, rec, why);
	return TRUE;
}

gboolean iot_tie_take_back(struct iot_model *model, struct iot_event_role *role,
			   const struct iot_rec *rec, enum iot_contradiction why)
{
	/* events of its run that are held came later */
	return model->ties->stage == IOT_TIES_READING && !iot_ties_find(model->ties, rec->run) &&
	       iot_tie_waits(model, role, rec, why);
}
