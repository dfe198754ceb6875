/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/stage-thread.h"
#include "run/item-batches.h"
#include "base/error.h"
#include "base/fault.h"
#include "base/interrupt.h"

enum { N_BATCHES = 16 };

struct iot_stage_thread {
	struct iot_timeline *tl;
	iot_item_func func;
	gpointer user_data;
	struct iot_item_batches batches;
	GThread *thread; /* NULL: it has ended */
	GError *error;	 /* of the thread; read after it has been joined */
};

static gboolean pass_batch(struct iot_stage_thread *thread, const struct iot_item_batch *batch)
{
	const struct iot_item *end = batch->item + batch->n;

	if (batch->unseen_node)
		iot_timeline_set_unobserved(thread->tl, batch->unseen_node, batch->unseen_ns);
	for (const struct iot_item *item = batch->item; item < end; item++)
		if (!thread->func(thread->user_data, item, &thread->error))
			return FALSE;
	return TRUE;
}

static gpointer stage_main(gpointer data)
{
	struct iot_stage_thread *thread = data;
	const struct iot_item_batch *batch;
	gboolean ok = TRUE;

	while (ok && (batch = iot_ring_next(thread->batches.ring, 0)))
		ok = iot_interrupt_check(&thread->error) && pass_batch(thread, batch);
	if (!ok)
		iot_ring_stop(thread->batches.ring);
	return NULL;
}

struct iot_stage_thread *iot_stage_thread_start(struct iot_timeline *tl, iot_item_func func,
						gpointer user_data, GError **error)
{
	struct iot_stage_thread *thread = g_new0(struct iot_stage_thread, 1);
	GError *local = NULL;

	thread->tl = tl;
	thread->func = func;
	thread->user_data = user_data;
	iot_item_batches_init(&thread->batches, N_BATCHES, 1);
	if (!iot_fault_hit(IOT_FAULT_THREAD))
		thread->thread = g_thread_try_new("stages", stage_main, thread, &local);
	if (thread->thread)
		return thread;
	g_set_error(error, IOT_ERROR, IOT_ERROR_MEMORY,
		    "cannot start a thread for the analyses: %s",
		    local ? local->message : "injected fault");
	g_clear_error(&local);
	iot_stage_thread_free(thread);
	return NULL;
}

static void join(struct iot_stage_thread *thread)
{
	if (thread->thread)
		g_thread_join(thread->thread);
	thread->thread = NULL;
}

/* The thread has stopped by itself. */
static gboolean fail(struct iot_stage_thread *thread, GError **error)
{
	join(thread);
	g_propagate_error(error, g_steal_pointer(&thread->error));
	return FALSE;
}

gboolean iot_stage_thread_item(gpointer data, const struct iot_item *item, GError **error)
{
	struct iot_stage_thread *thread = data;

	return iot_item_batches_add(&thread->batches, item) || fail(thread, error);
}

void iot_stage_thread_unobserved(struct iot_stage_thread *thread, iot_str node, guint64 ns)
{
	/* if the thread has stopped, the next item says so */
	if (!iot_item_batches_next(&thread->batches))
		return;
	thread->batches.filling->unseen_node = node;
	thread->batches.filling->unseen_ns = ns;
}

gboolean iot_stage_thread_finish(struct iot_stage_thread *thread, GError **error)
{
	iot_item_batches_close(&thread->batches);
	join(thread);
	return !thread->error || fail(thread, error);
}

void iot_stage_thread_free(struct iot_stage_thread *thread)
{
	if (!thread)
		return;
	iot_ring_stop(thread->batches.ring);
	join(thread);
	g_clear_error(&thread->error);
	iot_item_batches_clear(&thread->batches);
	g_free(thread);
}

gsize iot_stage_thread_memory(const struct iot_stage_thread *thread)
{
	return iot_ring_memory(thread->batches.ring);
}
