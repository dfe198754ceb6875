/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * at: who held what, and who waited for what, at one instant: the spans of locks and calls that are
 * open then. Resources that somebody waits for come first, the longest wait on top; of each,
 * holders before waiters. Memory: the spans that are open at the instant.
 */
#include "sinks/publish.h"
#include "sinks/result-json.h"
#include "sinks/result-text.h"
#include "base/error.h"
#include "base/units.h"

#include <string.h>

struct at_sink {
	struct iot_sink sink;
	const struct iot_timeline *tl;
	struct iot_out *out;
	guint64 time_ns;	  /* since the begin of the recording, or of the host's clock */
	gboolean of_host, of_end; /* of_end: the instant is the end of the recording */
	gboolean all, json, tsv, on_stdout;
	GArray *open;	/* struct iot_item: spans that are open at the instant */
	GArray *unseen; /* struct iot_at_unseen: machines that are not observed then */
	guint64 n_free; /* holds that are in nobody's way, which are left out */
};

static void at_free(struct iot_sink *sink)
{
	struct at_sink *at = (struct at_sink *)sink;

	if (!at)
		return;
	iot_out_free(at->out);
	g_array_unref(at->open);
	g_array_unref(at->unseen);
	g_free(at);
}

static gboolean parse_time(struct at_sink *at, const char *text, GError **error)
{
	at->of_end = !text;
	at->of_host = text && *text == '@';
	if (!text || iot_parse_instant(text, 0, &at->time_ns, error))
		return TRUE;
	g_prefix_error(error, "at: ");
	return FALSE;
}

static struct iot_sink *at_open(const struct iot_sink_args *args, GError **error)
{
	struct at_sink *at = g_new0(struct at_sink, 1);

	at->sink.ops = &iot_sink_at;
	at->tl = args->tl;
	at->all = iot_sink_flag(args, "all");
	at->json = iot_sink_flag(args, "json");
	at->tsv = iot_sink_flag(args, "tsv");
	at->on_stdout = !strcmp(args->path, "-");
	at->open = g_array_new(FALSE, FALSE, sizeof(struct iot_item));
	at->unseen = g_array_new(FALSE, FALSE, sizeof(struct iot_at_unseen));
	if (parse_time(at, iot_sink_value(args, "time"), error))
		at->out = iot_out_open(args->path, error);
	if (at->out)
		return &at->sink;
	at_free(&at->sink);
	return NULL;
}

/* At the end it is known in finish only; spans that are open until then have no end. */
static guint64 instant(const struct at_sink *at)
{
	if (at->of_end)
		return G_MAXUINT64;
	return at->of_host ? at->time_ns : at->tl->origin_ns + at->time_ns;
}

static gboolean is_open(const struct iot_item *item, guint64 t)
{
	if (t == G_MAXUINT64)
		return item->flags & (IOT_UNFINISHED | IOT_CUT_RIGHT) ? TRUE : FALSE;
	/* a span without an end is open at the end of the recording */
	return item->t0 <= t && (t < item->t1 || (t == item->t1 && item->flags & IOT_UNFINISHED));
}

static gboolean at_item(struct iot_sink *sink, const struct iot_item *item, GError **error)
{
	struct at_sink *at = (struct at_sink *)sink;
	guint64 t = instant(at);
	enum iot_role role;

	(void)error;
	if (item->kind == IOT_ITEM_GAP && item->t0 <= t && (t < item->t1 || at->of_end)) {
		const struct iot_at_unseen unseen = { iot_gap_node(item), item->t1 };

		g_array_append_val(at->unseen, unseen);
	}
	if (item->kind != IOT_ITEM_SPAN || !is_open(item, t))
		return TRUE;
	role = iot_cat_at(at->tl, item->cat)->role;
	if (role == IOT_ROLE_NONE || role == IOT_ROLE_RECOVERY ||
	    iot_type_at(at->tl, item->type)->repeats)
		return TRUE;
	if (role == IOT_ROLE_HOLD && !at->all && iot_cat_at(at->tl, item->cat)->mode &&
	    !iot_cat_excludes_any(at->tl, item->cat))
		at->n_free++;
	else
		g_array_append_val(at->open, *item);
	return TRUE;
}

/* What is open until the end, and not observed then; the rest was over earlier, by a loss. */
static void keep_last(struct at_sink *at, guint64 end)
{
	for (guint i = at->unseen->len; i; i--)
		if (g_array_index(at->unseen, struct iot_at_unseen, i - 1).until < end)
			g_array_remove_index(at->unseen, i - 1);
	for (guint i = at->open->len; i; i--)
		if (g_array_index(at->open, struct iot_item, i - 1).t1 < end)
			g_array_remove_index(at->open, i - 1);
}

static gint by_node(gconstpointer pa, gconstpointer pb, gpointer tl)
{
	const struct iot_at_unseen *a = pa, *b = pb;

	return iot_natural_compare(iot_tl_str(tl, a->node), iot_tl_str(tl, b->node));
}

static gboolean is_shown(const struct iot_summary *summary, guint64 t, GError **error)
{
	guint64 from = iot_shown_from(summary), to = iot_shown_to(summary);
	gboolean recorded = t >= summary->begin_ns && t <= summary->end_ns;
	g_autofree char *first = iot_format_seconds(from - MIN(summary->begin_ns, from));
	g_autofree char *last =
		iot_format_seconds((recorded ? to : summary->end_ns) - summary->begin_ns);

	if (recorded && t >= from && t <= to)
		return TRUE;
	g_set_error(
		error, IOT_ERROR, IOT_ERROR_USAGE,
		recorded ? "at: the instant is not in the window, from %s to %s s"
			 : "at: the instant is not in the recording, which lasts from %s to %s s",
		recorded ? first : "0", last);
	return FALSE;
}

static gboolean at_finish(struct iot_sink *sink, const struct iot_summary *summary, GError **error)
{
	struct at_sink *at = (struct at_sink *)sink;
	const struct iot_result_style style = {
		.tl = at->tl,
		.out = at->out,
		.colour = summary->colour && at->on_stdout,
		.width = at->on_stdout ? summary->width : 0,
		.indent = 2,
	};
	static const struct iot_tsv_column tsv[] = {
		{ "place", "resource" },  { "node", "node" },
		{ "process", "process" }, { "state", "state" },
		{ "asks", "wants" },	  { "since", "since_ns" },
		{ "lasted", "for_ns" },	  { "does", "does" },
		{ "sure", "sure" },	  { NULL },
	};
	g_autoptr(iot_results) results = NULL;
	const struct iot_result_table *table;
	guint64 t = at->of_end ? iot_shown_to(summary) : instant(at);

	if (!at->of_end && !is_shown(summary, t, error))
		return FALSE;
	if (at->of_end)
		keep_last(at, t);
	g_array_sort_with_data(at->unseen, by_node, (gpointer)at->tl);
	results = iot_publish_at(&(struct iot_at){ at->tl, t, at->open, at->unseen, at->n_free });
	table = iot_results_find(results, "at");
	if (at->json) {
		iot_results_write_json(results, at->tl, at->out);
	} else if (!table) {
		iot_out_puts(at->out, "Nothing is held and nobody waits at that instant.\n");
	} else if (at->tsv) {
		for (guint i = 0; tsv[i].name; i++)
			iot_out_printf(at->out, "%s%s", i ? "\t" : "", tsv[i].title);
		iot_out_putc(at->out, '\n');
		iot_result_print_tsv(table, &style, tsv);
	} else {
		iot_result_print_heading(table, &style);
		iot_result_print(table, &style);
		iot_result_print_notes(table, &style);
	}
	return iot_out_finish(at->out, error);
}

static const struct iot_sink_option at_options[] = {
	{ "time", "TIME",
	  "the instant: seconds since the beginning of the recording (2.5, 300ms), or "
	  "@ and seconds of the host's clock; default: the end of the recording" },
	{ "all", NULL, "also holds in modes that are in nobody's way" },
	{ "json", NULL, "the same table as JSON, times in ns, for programs", TRUE },
	{ "tsv", NULL,
	  "in columns separated by tabs, of which the first line is the names; times in ns", TRUE },
	{ NULL },
};

const struct iot_sink_ops iot_sink_at = {
	.name = "at",
	.summary = "who held what and who waited for what at one instant",
	.suffix = ".at.txt",
	.word_path = "-",
	.word_argument = "TIME",
	.word_option = "time",
	.word_pages = TRUE,
	.prints_at_end = TRUE,
	.feed = IOT_FEED_WHOLE_SPANS,
	.options = at_options,
	.open = at_open,
	.item = at_item,
	.finish = at_finish,
	.free = at_free,
};
