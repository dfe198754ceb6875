/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * html: one page that a browser opens from the file system, with the data, the program that draws
 * them and nothing else to load.
 *
 *	html-chunk.c	items, column by column
 *	html-block.c	compressed blocks, kept in a temporary file until the page is written
 *	html-head.c	types, categories, rows; html-tables.c: what the report says
 *	page/		the page's own source
 */
#include "sinks/html/html-chunk.h"
#include "sinks/html/html-head.h"
#include "sinks/html/html-page.h"
#include "base/error.h"

struct html_sink {
	struct iot_sink sink;
	const struct iot_timeline *tl;
	struct iot_out *out;
	struct iot_html_blocks *blocks;
	struct iot_html_chunk *chunk;
	struct iot_aggregate *sums;
	guint64 n_items;
};

static void html_free(struct iot_sink *sink)
{
	struct html_sink *html = (struct html_sink *)sink;

	if (!html)
		return;
	iot_html_chunk_free(html->chunk);
	iot_html_blocks_free(html->blocks);
	iot_aggregate_free(html->sums);
	iot_out_free(html->out);
	g_free(html);
}

static gboolean open_parts(struct html_sink *html, const char *path, GError **error)
{
	if (!iot_html_page_size) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_OUTPUT,
			    "this program was built without the page of the output html "
			    "(esbuild was not installed, and no page was given with IOT_PAGE)");
		return FALSE;
	}
	html->out = iot_out_open(path, error);
	if (!html->out)
		return FALSE;
	html->blocks = iot_html_blocks_new(path, error);
	if (!html->blocks)
		return FALSE;
	html->chunk = iot_html_chunk_new(html->tl, html->blocks, error);
	return html->chunk != NULL;
}

static struct iot_sink *html_open(const struct iot_sink_args *args, GError **error)
{
	struct html_sink *html = g_new0(struct html_sink, 1);

	html->sink.ops = &iot_sink_html;
	html->tl = args->tl;
	html->sums = iot_aggregate_new(args->tl);
	if (open_parts(html, args->path, error))
		return &html->sink;
	html_free(&html->sink);
	return NULL;
}

static gboolean html_item(struct iot_sink *sink, const struct iot_item *item, GError **error)
{
	struct html_sink *html = (struct html_sink *)sink;

	html->n_items++;
	iot_aggregate_add(html->sums, item);
	return iot_html_chunk_add(html->chunk, item, error);
}

static gboolean html_finish(struct iot_sink *sink, const struct iot_summary *summary,
			    GError **error)
{
	struct html_sink *html = (struct html_sink *)sink;
	const char *marker = strstr(iot_html_page, IOT_HTML_MARKER);
	struct iot_html_head head = {
		.tl = html->tl,
		.summary = summary,
		.sums = html->sums,
		.gap_nodes = iot_html_chunk_nodes(html->chunk),
		.n_items = html->n_items,
	};
	g_autoptr(GString) json = NULL;

	iot_aggregate_roll_up(html->sums);
	json = iot_html_head(&head);
	if (!iot_html_chunk_end(html->chunk, error) ||
	    !iot_html_blocks_add(html->blocks, "head", json->str, json->len, error))
		return FALSE;
	iot_out_write(html->out, iot_html_page, (gsize)(marker - iot_html_page));
	if (!iot_html_blocks_write(html->blocks, html->out, error))
		return FALSE;
	iot_out_puts(html->out, marker + strlen(IOT_HTML_MARKER));
	return iot_out_finish(html->out, error);
}

static gsize html_memory(const struct iot_sink *sink)
{
	return iot_html_chunk_memory(((const struct html_sink *)sink)->chunk);
}

const struct iot_sink_ops iot_sink_html = {
	.name = "html",
	.summary = "one page for any browser: rows, states, tables; nothing to install",
	.suffix = ".html",
	.prints_at_end = TRUE,
	.feed = IOT_FEED_WHOLE_SPANS,
	.open = html_open,
	.item = html_item,
	.finish = html_finish,
	.memory = html_memory,
	.free = html_free,
};
