/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fanout.h"
#include "usage.h"
#include "base/fault.h"
#include "base/queue.h"
#include "timeline/validate.h"

#include <string.h>

enum { BATCH_ITEMS = 2048, QUEUE_DEPTH = 4 };

struct item_batch {
	gint refs;
	guint n;
	struct iot_item item[BATCH_ITEMS];
};

struct sink_thread {
	const struct iot_output *output;
	struct iot_sink *sink;
	struct iot_queue *queue; /* NULL: called directly */
	GThread *thread;
	GError *error; /* the thread's; read after it has been joined */
};

struct iot_fanout {
	struct sink_thread *sinks;
	guint n_sinks;
	gboolean threaded;
	struct iot_validate *validate; /* NULL: no audit */
	struct item_batch *filling;
};

static void batch_unref(gpointer data)
{
	struct item_batch *batch = data;

	if (g_atomic_int_dec_and_test(&batch->refs))
		g_free(batch);
}

/* The feed END is the feed TIME without begins. */
static gboolean give(struct sink_thread *st, const struct iot_item *item, GError **error)
{
	return (item->kind == IOT_ITEM_SPAN_BEGIN && st->output->ops->feed == IOT_FEED_END) ||
	       st->sink->ops->item(st->sink, item, error);
}

static gpointer sink_main(gpointer data)
{
	struct sink_thread *st = data;
	struct item_batch *batch;

	while ((batch = iot_queue_pop(st->queue))) {
		gboolean ok = TRUE;

		for (guint i = 0; ok && i < batch->n; i++)
			ok = give(st, &batch->item[i], &st->error);
		batch_unref(batch);
		if (ok)
			continue;
		iot_queue_stop(st->queue);
		break;
	}
	return NULL;
}

static gboolean open_sink(struct iot_fanout *fanout, guint index, const struct iot_timeline *tl,
			  const struct iot_output *output, guint64 memory, GError **error)
{
	struct sink_thread *st = &fanout->sinks[index];
	struct iot_sink_args args = {
		.tl = tl,
		.path = output->path,
		.options = output->options,
		.memory = memory,
	};

	st->output = output;
	st->sink = output->ops->open(&args, error);
	return st->sink != NULL;
}

static gboolean start_thread(struct sink_thread *st, GError **error)
{
	GError *local = NULL;

	st->queue = iot_queue_new(QUEUE_DEPTH, batch_unref);
	if (!iot_fault_hit(IOT_FAULT_THREAD))
		st->thread = g_thread_try_new(st->output->ops->name, sink_main, st, &local);
	if (st->thread)
		return TRUE;
	g_set_error(error, IOT_ERROR, IOT_ERROR_MEMORY, "cannot start a thread for %s: %s",
		    st->output->ops->name, local ? local->message : "injected fault");
	g_clear_error(&local);
	return FALSE;
}

struct iot_fanout *iot_fanout_new(const struct iot_timeline *tl, const GPtrArray *outputs,
				  enum iot_feed feed, guint64 memory, gboolean threaded,
				  gboolean audit, GError **error)
{
	struct iot_fanout *fanout = g_new0(struct iot_fanout, 1);
	gboolean ok = TRUE;

	fanout->n_sinks = outputs->len;
	fanout->sinks = g_new0(struct sink_thread, MAX(outputs->len, 1));
	fanout->threaded = threaded;
	for (guint i = 0; ok && i < outputs->len; i++)
		ok = open_sink(fanout, i, tl, outputs->pdata[i], memory / outputs->len, error);
	for (guint i = 0; ok && threaded && i < outputs->len; i++)
		ok = start_thread(&fanout->sinks[i], error);
	if (!ok) {
		iot_fanout_free(fanout);
		return NULL;
	}
	if (audit)
		fanout->validate = iot_validate_new(tl, feed);
	return fanout;
}

void iot_fanout_free(struct iot_fanout *fanout)
{
	if (!fanout)
		return;
	for (guint i = 0; i < fanout->n_sinks; i++) {
		struct sink_thread *st = &fanout->sinks[i];

		if (st->thread) {
			iot_queue_stop(st->queue);
			g_thread_join(st->thread);
		}
		iot_queue_free(st->queue);
		if (st->sink)
			st->sink->ops->free(st->sink);
		g_clear_error(&st->error);
	}
	iot_validate_free(fanout->validate);
	g_free(fanout->filling);
	g_free(fanout->sinks);
	g_free(fanout);
}

/* FALSE when a sink has failed; its error comes out of iot_fanout_drain. */
static gboolean send_batch(struct iot_fanout *fanout)
{
	struct item_batch *batch = g_steal_pointer(&fanout->filling);
	gboolean ok = TRUE;

	if (!batch)
		return TRUE;
	batch->refs = (gint)fanout->n_sinks;
	for (guint i = 0; i < fanout->n_sinks; i++) {
		if (iot_queue_push(fanout->sinks[i].queue, batch))
			continue;
		batch_unref(batch);
		ok = FALSE;
	}
	return ok;
}

gboolean iot_fanout_item(gpointer data, const struct iot_item *item, GError **error)
{
	struct iot_fanout *fanout = data;
	struct item_batch *batch = fanout->filling;

	if (fanout->validate && !iot_validate_item(fanout->validate, item, error))
		return FALSE;
	if (!fanout->threaded) {
		gboolean ok = TRUE;

		for (guint i = 0; ok && i < fanout->n_sinks; i++)
			ok = give(&fanout->sinks[i], item, error);
		return ok;
	}
	if (!batch) {
		batch = fanout->filling = g_malloc(sizeof(*batch));
		batch->n = 0;
	}
	batch->item[batch->n++] = *item;
	if (batch->n < BATCH_ITEMS || send_batch(fanout))
		return TRUE;
	iot_fanout_drain(fanout, error);
	return FALSE;
}

gboolean iot_fanout_drain(struct iot_fanout *fanout, GError **error)
{
	GError *first = NULL;

	if (fanout->threaded)
		send_batch(fanout);
	for (guint i = 0; fanout->threaded && i < fanout->n_sinks; i++)
		iot_queue_close(fanout->sinks[i].queue);
	for (guint i = 0; i < fanout->n_sinks; i++) {
		struct sink_thread *st = &fanout->sinks[i];

		if (!st->thread)
			continue;
		g_thread_join(st->thread);
		st->thread = NULL;
		if (st->error && !first)
			first = g_steal_pointer(&st->error);
	}
	if (!first)
		return TRUE;
	g_propagate_error(error, first);
	return FALSE;
}

static gboolean finish_sinks(struct iot_fanout *fanout, struct iot_summary *summary,
			     gboolean counting, GError **error)
{
	for (guint i = 0; i < fanout->n_sinks; i++) {
		struct iot_sink *sink = fanout->sinks[i].sink;

		if ((sink->ops->diag != NULL) != counting)
			continue;
		if (!sink->ops->finish(sink, summary, error))
			return FALSE;
		if (counting)
			iot_diag_merge(&summary->diag, sink->ops->diag(sink));
	}
	return TRUE;
}

gboolean iot_fanout_finish(struct iot_fanout *fanout, struct iot_summary *summary, GError **error)
{
	if (fanout->validate && !iot_validate_finish(fanout->validate, error))
		return FALSE;
	return finish_sinks(fanout, summary, TRUE, error) &&
	       finish_sinks(fanout, summary, FALSE, error);
}

void iot_fanout_usage(const struct iot_fanout *fanout, struct iot_usage *usage)
{
	/* one batch that is filled, those in the queues, one that is worked on */
	if (fanout->threaded)
		iot_usage_add(usage, "queues in front of the outputs",
			      (QUEUE_DEPTH + 2) * sizeof(struct item_batch));
	for (guint i = 0; i < fanout->n_sinks; i++) {
		const struct iot_sink *sink = fanout->sinks[i].sink;

		if (sink->ops->memory)
			iot_usage_add(usage, sink->ops->name, sink->ops->memory(sink));
	}
}
