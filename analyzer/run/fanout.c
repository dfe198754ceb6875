/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/fanout.h"
#include "run/item-batches.h"
#include "run/pass.h"
#include "run/usage.h"
#include "base/error.h"
#include "base/fault.h"
#include "base/interrupt.h"
#include "timeline/validate.h"

/*
 * 7 MiB, several times the size of a core's own cache: writing to memory that is still in the cache
 * of another core, which has just read it, costs more than writing to memory that is in no cache.
 */
enum { N_BATCHES = 64 };

struct sink_thread {
	const struct iot_output *output;
	struct iot_sink *sink;
	gboolean (*item)(struct iot_sink *sink, const struct iot_item *item, GError **error);
	gboolean no_begins;    /* the sink wants whole spans only */
	gboolean no_parts;     /* of accounts */
	struct iot_ring *ring; /* of the fanout; NULL: the sink is called directly */
	guint number;	       /* as a reader of the ring */
	GThread *thread;       /* NULL: called directly */
	GError *error;	       /* of the thread; read after it has been joined */
};

struct iot_fanout {
	struct sink_thread *sinks;
	guint n_sinks;
	struct iot_item_batches batches; /* without a ring outputs are called directly */
	struct iot_validate *validate;	 /* NULL: no audit */
};

static inline gboolean give(const struct sink_thread *st, const struct iot_item *item,
			    GError **error)
{
	return (item->kind == IOT_ITEM_SPAN_BEGIN && st->no_begins) ||
	       (item->kind == IOT_ITEM_PART && st->no_parts) || st->item(st->sink, item, error);
}

static gboolean give_batch(struct sink_thread *st, const struct iot_item_batch *batch)
{
	const struct iot_item *end = batch->item + batch->n;

	for (const struct iot_item *item = batch->item; item < end; item++)
		if (!give(st, item, &st->error))
			return FALSE;
	return TRUE;
}

static gpointer sink_main(gpointer data)
{
	struct sink_thread *st = data;
	const struct iot_item_batch *batch;
	gboolean ok = TRUE;

	while (ok && (batch = iot_ring_next(st->ring, st->number)))
		ok = iot_interrupt_check(&st->error) && give_batch(st, batch);
	if (!ok)
		iot_ring_stop(st->ring);
	return NULL;
}

static gboolean open_sink(struct sink_thread *st, const struct iot_timeline *tl,
			  const struct iot_options *options, GError **error)
{
	struct iot_sink_args args = {
		.tl = tl,
		.path = st->output->path,
		.options = st->output->options,
		.memory = options->memory / 2 / options->outputs->len,
		.verbose = options->verbose,
	};

	st->item = st->output->ops->item;
	st->no_begins = st->output->ops->feed == IOT_FEED_WHOLE_SPANS;
	st->no_parts = !st->output->ops->wants_parts;
	st->sink = st->output->ops->open(&args, error);
	return st->sink != NULL;
}

static gboolean start_thread(struct sink_thread *st, GError **error)
{
	GError *local = NULL;

	if (!iot_fault_hit(IOT_FAULT_THREAD))
		st->thread = g_thread_try_new(st->output->ops->name, sink_main, st, &local);
	if (st->thread)
		return TRUE;
	g_set_error(error, IOT_ERROR, IOT_ERROR_MEMORY, "cannot start a thread for %s: %s",
		    st->output->ops->name, local ? local->message : "injected fault");
	g_clear_error(&local);
	return FALSE;
}

struct iot_fanout *iot_fanout_new(const struct iot_timeline *tl, const struct iot_options *options,
				  enum iot_feed feed, GError **error)
{
	const GPtrArray *outputs = options->outputs;
	struct iot_fanout *fanout = g_new0(struct iot_fanout, 1);
	gboolean threaded = iot_pass_threads(options) > 1;
	gboolean audit = options->audit;
	gboolean ok = TRUE;

#ifdef IOT_AUDIT
	audit = TRUE;
#endif
	fanout->n_sinks = outputs->len;
	fanout->sinks = g_new0(struct sink_thread, MAX(outputs->len, 1));
	if (threaded)
		iot_item_batches_init(&fanout->batches, N_BATCHES, fanout->n_sinks);
	for (guint i = 0; ok && i < outputs->len; i++) {
		struct sink_thread *st = &fanout->sinks[i];

		st->output = outputs->pdata[i];
		st->ring = fanout->batches.ring;
		st->number = i;
		ok = open_sink(st, tl, options, error);
	}
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
			iot_ring_stop(fanout->batches.ring);
			g_thread_join(st->thread);
		}
		if (st->sink)
			st->sink->ops->free(st->sink);
		g_clear_error(&st->error);
	}
	iot_validate_free(fanout->validate);
	iot_item_batches_clear(&fanout->batches);
	g_free(fanout->sinks);
	g_free(fanout);
}

static gboolean call_sinks(const struct iot_fanout *fanout, const struct iot_item *item,
			   GError **error)
{
	const struct sink_thread *end = fanout->sinks + fanout->n_sinks;

	if (!iot_interrupt_check(error))
		return FALSE;
	for (const struct sink_thread *st = fanout->sinks; st < end; st++)
		if (!give(st, item, error))
			return FALSE;
	return TRUE;
}

/* The slow path of iot_fanout_item: audit, outputs without threads, or a full batch. */
static G_GNUC_NO_INLINE gboolean hand_on(struct iot_fanout *fanout, const struct iot_item *item,
					 GError **error)
{
	if (fanout->validate && !iot_validate_item(fanout->validate, item, error))
		return FALSE;
	if (!fanout->batches.ring)
		return call_sinks(fanout, item, error);
	if (iot_item_batches_add(&fanout->batches, item))
		return TRUE;
	/* a sink has failed */
	iot_fanout_drain(fanout, error);
	return FALSE;
}

gboolean iot_fanout_item(gpointer data, const struct iot_item *item, GError **error)
{
	struct iot_fanout *fanout = data;

	if (fanout->batches.room == fanout->batches.room_end || fanout->validate)
		return hand_on(fanout, item, error);
	*fanout->batches.room++ = *item;
	return TRUE;
}

gboolean iot_fanout_drain(struct iot_fanout *fanout, GError **error)
{
	GError *first = NULL;

	if (fanout->batches.ring)
		iot_item_batches_close(&fanout->batches);
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
		if (!iot_interrupt_check(error) || !sink->ops->finish(sink, summary, error))
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
	if (fanout->batches.ring)
		iot_usage_add(usage, "queue before the outputs",
			      iot_ring_memory(fanout->batches.ring));
	for (guint i = 0; i < fanout->n_sinks; i++) {
		const struct iot_sink *sink = fanout->sinks[i].sink;

		if (sink->ops->memory)
			iot_usage_add(usage, sink->ops->name, sink->ops->memory(sink));
	}
}
