// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * load-outputs BASE LOAD ITEMS - the items of a synthetic load (tests/perf/sink-load.h) through all
 * outputs that agree.sh compares: BASE.txt, BASE.paje ... The items pass the check of the contract.
 */
#include "../perf/sink-load.h"
#include "sinks/sink.h"
#include "timeline/validate.h"

#include <stdlib.h>

static const char *const names[] = {
	"text", "jsonl", "csv", "sqlite", "perfetto", "slog2", "paje"
};

enum { N_SINKS = G_N_ELEMENTS(names), ROWS = 60, MEMORY = 16 << 20 };

struct outputs {
	struct load *load;
	struct iot_validate *validate;
	struct iot_sink *sink[N_SINKS];
	guint64 n;
	GError *error;
};

static gboolean open_all(struct outputs *out, const char *base, GHashTable *options)
{
	for (guint i = 0; i < N_SINKS; i++) {
		const struct iot_sink_ops *ops = iot_sink_find(names[i]);
		g_autofree char *path = ops ? g_strconcat(base, ops->suffix, NULL) : NULL;
		struct iot_sink_args args = { .tl = load_timeline(out->load),
					      .path = path,
					      .options = options,
					      .memory = MEMORY };

		if (!ops) /* built without sqlite */
			continue;
		out->sink[i] = ops->open(&args, &out->error);
		if (!out->sink[i])
			return FALSE;
	}
	return TRUE;
}

static gboolean feed(struct outputs *out, const struct iot_item *items, guint n)
{
	for (guint k = 0; k < n; k++) {
		if (!iot_validate_item(out->validate, &items[k], &out->error))
			return FALSE;
		for (guint i = 0; i < N_SINKS; i++) {
			struct iot_sink *sink = out->sink[i];

			if (!sink || (items[k].kind == IOT_ITEM_SPAN_BEGIN &&
				      sink->ops->feed == IOT_FEED_WHOLE_SPANS))
				continue;
			if (!sink->ops->item(sink, &items[k], &out->error))
				return FALSE;
		}
	}
	out->n += n;
	return TRUE;
}

static gboolean run(struct outputs *out, guint64 n_items)
{
	struct iot_summary summary = { .begin_ns = load_timeline(out->load)->origin_ns };
	const struct iot_item *items;
	guint n;

	while (out->n < n_items)
		if (n = load_batch(out->load, &items), !feed(out, items, n))
			return FALSE;
	while ((n = load_last(out->load, &items, &summary.end_ns)))
		if (!feed(out, items, n))
			return FALSE;
	summary.from_ns = summary.begin_ns;
	summary.to_ns = summary.end_ns;
	for (guint i = 0; i < N_SINKS; i++)
		if (out->sink[i] && !out->sink[i]->ops->finish(out->sink[i], &summary, &out->error))
			return FALSE;
	return iot_validate_finish(out->validate, &out->error);
}

int main(int argc, char **argv)
{
	g_autoptr(GHashTable) options = g_hash_table_new(g_str_hash, g_str_equal);
	struct outputs out = { 0 };
	gboolean ok;

	out.load = argc == 4 ? load_new(argv[2], ROWS, IOT_FEED_WITH_BEGINS) : NULL;
	if (!out.load) {
		g_printerr("usage: load-outputs BASE LOAD ITEMS\n");
		return 1;
	}
	g_hash_table_add(options, (gpointer) "events");
	g_hash_table_add(options, (gpointer) "paths");
	g_hash_table_add(options, (gpointer) "counters");
	g_hash_table_add(options, (gpointer) "links");
	/* a tree of many nodes, whose previews slog2-check computes again */
	g_hash_table_insert(options, (gpointer) "leaf-size", (gpointer) "64K");
	out.validate = iot_validate_new(load_timeline(out.load), IOT_FEED_WITH_BEGINS);
	ok = open_all(&out, argv[1], options) && run(&out, strtoull(argv[3], NULL, 10));
	if (!ok)
		g_printerr("load-outputs: %s\n", out.error->message);
	for (guint i = 0; i < N_SINKS; i++)
		if (out.sink[i])
			out.sink[i]->ops->free(out.sink[i]);
	iot_validate_free(out.validate);
	load_free(out.load);
	g_clear_error(&out.error);
	return ok ? 0 : 3;
}
