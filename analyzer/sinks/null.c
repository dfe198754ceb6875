/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * null: counts the items and writes their number. It is the baseline of measurements, and the file
 * to copy for a new output format. In the copy, rename null_ to the name of the format, add the ops
 * at the end of the file to sink.h (extern) and to sink-table.c, and begin with item. Other sinks
 * are examples of the rest:
 *
 *	text.c	all kinds of items and attributes, and caches for texts that items repeat
 *	list.c	options of a sink, and output that is written only at the end
 */
#include "sinks/sink.h"
#include "base/error.h"
#include "base/out.h"

/* The first member must be the struct iot_sink: the core holds a pointer to it. */
struct null_sink {
	struct iot_sink sink;
	const struct iot_timeline *tl; /* names of types, categories and rows; not ours */
	struct iot_out *out;
	guint64 n_spans, n_points, n_gaps, n_samples, n_links;
};

/* Also called when open failed half way, so every member may still be NULL. */
static void null_free(struct iot_sink *sink)
{
	struct null_sink *null = (struct null_sink *)sink;

	if (!null)
		return;
	iot_out_free(null->out); /* removes a file that was not finished */
	g_free(null);
}

static struct iot_sink *null_open(const struct iot_sink_args *args, GError **error)
{
	struct null_sink *null = g_new0(struct null_sink, 1);

	null->sink.ops = &iot_sink_null;
	null->tl = args->tl;
	null->out = iot_out_open(args->path, error);
	if (null->out)
		return &null->sink;
	null_free(&null->sink);
	return NULL;
}

/*
 * One item, in the order of the feed named in the ops. A real format writes here; it looks up names
 * with iot_cat_at(null->tl, item->cat) and so on. Write errors are remembered by the writer and
 * reported by finish; checking now and then only ends a hopeless run earlier.
 */
static gboolean null_item(struct iot_sink *sink, const struct iot_item *item, GError **error)
{
	struct null_sink *null = (struct null_sink *)sink;

	switch (item->kind) {
	case IOT_ITEM_SPAN:
		null->n_spans++;
		break;
	case IOT_ITEM_POINT:
		null->n_points++;
		break;
	case IOT_ITEM_GAP: /* events of a node are missing: every format must show that */
		null->n_gaps++;
		break;
	case IOT_ITEM_SAMPLE: /* a counter's new value */
		null->n_samples++;
		break;
	case IOT_ITEM_LINK: /* an arrow; see iot_link_from, iot_link_to */
		null->n_links++;
		break;
	default: /* SPAN_BEGIN is in the feed with begins only */
		g_set_error(error, IOT_ERROR, IOT_ERROR_INTERNAL,
			    "an item of kind %u in the feed of whole spans", item->kind);
		return FALSE;
	}
	return iot_out_check(null->out, error);
}

/* After the last item, once. The file appears under its name when iot_out_finish succeeds. */
static gboolean null_finish(struct iot_sink *sink, const struct iot_summary *summary,
			    GError **error)
{
	struct null_sink *null = (struct null_sink *)sink;

	(void)summary;
	iot_out_uint(null->out, null->n_spans + null->n_points + null->n_gaps + null->n_samples +
					null->n_links);
	iot_out_puts(null->out, " items\n");
	return iot_out_finish(null->out, error);
}

const struct iot_sink_ops iot_sink_null = {
	.name = "null",
	.summary = "count the items, write nothing else (measurements, template)",
	.suffix = ".txt",
	.word_path = "-",
	.feed = IOT_FEED_WHOLE_SPANS,
	.open = null_open,
	.item = null_item,
	.finish = null_finish,
	.free = null_free,
};
