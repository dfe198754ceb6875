/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * html: one page that a browser opens from the file system, with the data, the program that draws
 * them and nothing else to load.
 *
 *	html-chunk.c	items, column by column
 *	html-block.c	compressed blocks, kept in a temporary file until the page is written
 *	html-thin.c	a page that would be too large; html-walk.c reads chunks back for it
 *	html-parts.c	accounts of waits and calls
 *	html-head.c	types, categories, rows; html-tables.c: what the report says
 *	page/		the page's own source
 */
#include "sinks/html/html-chunk.h"
#include "sinks/html/html-head.h"
#include "sinks/html/html-page.h"
#include "sinks/html/html-parts.h"
#include "base/error.h"
#include "base/units.h"

/* Larger pages are made only when asked for. */
enum { MAX_PAGE = 64 << 20 };

struct html_sink {
	struct iot_sink sink;
	const struct iot_timeline *tl;
	struct iot_out *out;
	struct iot_html_blocks *blocks;
	struct iot_html_chunk *chunk;
	struct iot_html_parts *parts;
	struct iot_aggregate *sums;
	struct iot_html_thin thin;
	guint64 n_items;
	guint64 head_at; /* where its block begins */
	guint64 max; /* bytes of the page; 0: any */
	struct iot_diag diag;
};

static void html_free(struct iot_sink *sink)
{
	struct html_sink *html = (struct html_sink *)sink;

	if (!html)
		return;
	iot_html_chunk_free(html->chunk);
	iot_html_parts_free(html->parts);
	iot_html_blocks_free(html->blocks);
	iot_html_thin_clear(&html->thin);
	iot_aggregate_free(html->sums);
	iot_out_free(html->out);
	g_free(html);
}

static gboolean open_parts(struct html_sink *html, const char *path, GError **error)
{
	html->out = iot_out_open(path, error);
	if (!html->out)
		return FALSE;
	html->blocks = iot_html_blocks_new(path, error);
	if (!html->blocks)
		return FALSE;
	html->chunk = iot_html_chunk_new(html->tl, html->blocks, error);
	html->parts = html->chunk ? iot_html_parts_new(html->tl, path, error) : NULL;
	return html->parts != NULL;
}

static struct iot_sink *html_open(const struct iot_sink_args *args, GError **error)
{
	struct html_sink *html = g_new0(struct html_sink, 1);
	const char *max = iot_sink_value(args, "max");

	html->sink.ops = &iot_sink_html;
	html->tl = args->tl;
	html->sums = iot_aggregate_new(args->tl);
	html->max = MAX_PAGE;
	if ((!max || iot_parse_size(max, &html->max, error)) && open_parts(html, args->path, error))
		return &html->sink;
	html_free(&html->sink);
	return NULL;
}

static gboolean html_item(struct iot_sink *sink, const struct iot_item *item, GError **error)
{
	struct html_sink *html = (struct html_sink *)sink;

	if (item->kind == IOT_ITEM_PART)
		return iot_html_parts_add(html->parts, item, error);
	if (item->kind == IOT_ITEM_SPAN && iot_cat_waits(iot_cat_at(html->tl, item->cat)))
		iot_html_parts_span(html->parts, item, html->n_items);
	html->n_items++;
	iot_aggregate_add(html->sums, item);
	return iot_html_chunk_add(html->chunk, item, error);
}

/* Items of each row itself: sums after the last item are of the rows below, too. */
static guint64 *own_items(const struct html_sink *html)
{
	guint64 *own = g_new0(guint64, html->tl->rows.n);

	for (iot_row_id row = 0; row < html->tl->rows.n; row++) {
		guint64 n = iot_aggregate_row(html->sums, row)->n_items;

		own[row] += n;
		if (row)
			own[iot_row_at(html->tl, row)->parent] -= n;
	}
	return own;
}

static guint64 frame_bytes(void)
{
	return iot_html_page_size - strlen(IOT_HTML_MARKER);
}

/* Of the page without accounts. */
static guint64 used_bytes(const struct html_sink *html)
{
	return frame_bytes() + iot_html_blocks_bytes(html->blocks);
}

/* The accounts that fit; of items that are only sums, nobody asks. */
static gboolean end_parts(struct html_sink *html, GError **error)
{
	guint64 dropped,
		room = html->max ? html->max - MIN(html->max, used_bytes(html)) : G_MAXUINT64;

	if (!iot_html_parts_end(html->parts, html->thin.step_ns ? 0 : room, &dropped, error))
		return FALSE;
	iot_diag_add(&html->diag, IOT_DIAG_page_accounts_left_out, dropped);
	return TRUE;
}

/* The last block, and whether the whole page is small enough. */
static gboolean add_head(struct html_sink *html, const struct iot_summary *summary,
			 gboolean *out_fits, GError **error)
{
	struct iot_html_head head = {
		.tl = html->tl,
		.summary = summary,
		.sums = html->sums,
		.thin = &html->thin,
		.gap_nodes = iot_html_chunk_nodes(html->chunk),
		.n_items = html->n_items,
	};
	g_autoptr(GString) json = iot_html_head(&head);

	if (!iot_html_chunk_end(html->chunk, error))
		return FALSE;
	html->head_at = iot_html_blocks_end(html->blocks);
	if (!iot_html_blocks_add(html->blocks, IOT_HTML_HEAD, 0, json->str, json->len, error))
		return FALSE;
	*out_fits = !html->max || used_bytes(html) + IOT_HTML_NO_PARTS <= html->max;
	return TRUE;
}

/* Puts a chunk with coarser items of the first one into its place. */
static gboolean make_coarser(struct html_sink *html, struct iot_html_chunk *first, GError **error)
{
	g_autoptr(iot_html_blocks) blocks = iot_html_blocks_new(html->out->path, error);
	g_autoptr(iot_html_chunk) chunk =
		blocks ? iot_html_chunk_new(html->tl, blocks, error) : NULL;

	if (!chunk || !iot_html_thin_run(&html->thin, first, chunk, error))
		return FALSE;
	if (html->chunk != first) {
		iot_html_chunk_free(html->chunk);
		iot_html_blocks_free(html->blocks);
	}
	html->chunk = g_steal_pointer(&chunk);
	html->blocks = g_steal_pointer(&blocks);
	html->n_items = html->thin.n_items;
	return TRUE;
}

/*
 * Ever longer steps and ever fewer rows that keep all items, until the page is small enough, or
 * each row keeps one sum of a kind. Steps of twice the length leave at least half of the sums, so a
 * try that cannot be enough by the result of the last one is left out.
 */
static gboolean make_smaller(struct html_sink *html, const struct iot_summary *summary,
			     GError **error)
{
	static const struct {
		guint steps, percent;
	} tries[] = { { 4096, 80 }, { 2048, 60 }, { 1024, 40 }, { 256, 20 },
		      { 64, 0 },    { 8, 0 },	  { 1, 0 } };
	const guint last = G_N_ELEMENTS(tries) - 1;
	g_autoptr(iot_html_blocks) blocks = html->blocks;
	g_autoptr(iot_html_chunk) first = html->chunk;
	g_autofree guint64 *own = own_items(html);
	guint64 room = html->max - MIN(html->max, frame_bytes()), of_sums = 0;
	guint64 each = iot_html_blocks_bytes(blocks) / MAX(html->n_items, 1) + 1;
	guint64 length = MAX(summary->end_ns, html->tl->zero_ns + 1) - html->tl->zero_ns;
	gboolean fits = FALSE;

	html->thin.begin_ns = html->tl->zero_ns;
	for (guint i = 0; i <= last && !fits; i++) {
		guint64 kept = iot_html_thin_plan(&html->thin, html->sums, own,
						  room / each * tries[i].percent / 100) *
			       each;

		if (i < last && kept + of_sums * tries[i].steps > room)
			continue;
		html->thin.step_ns = length / tries[i].steps + 1;
		if (!make_coarser(html, first, error) || !add_head(html, summary, &fits, error)) {
			if (html->chunk == first) { /* freed here */
				html->chunk = NULL;
				html->blocks = NULL;
			}
			return FALSE;
		}
		of_sums = iot_html_blocks_bytes(html->blocks);
		of_sums = (of_sums - MIN(of_sums, kept)) / tries[i].steps;
	}
	iot_diag_add(&html->diag, IOT_DIAG_page_thinned, html->thin.n_thinned);
	if (!fits)
		iot_diag_add(&html->diag, IOT_DIAG_page_too_large, 1);
	return TRUE;
}

static gboolean html_finish(struct iot_sink *sink, const struct iot_summary *summary,
			    GError **error)
{
	struct html_sink *html = (struct html_sink *)sink;
	const char *page = (const char *)iot_html_page, *marker = strstr(page, IOT_HTML_MARKER);
	gboolean fits;

	iot_aggregate_roll_up(html->sums);
	if (!add_head(html, summary, &fits, error) ||
	    (!fits && !make_smaller(html, summary, error)) || !end_parts(html, error))
		return FALSE;
	iot_out_write(html->out, page, (gsize)(marker - page));
	/* the head first: with it the page can read the other blocks while they arrive */
	if (!iot_html_blocks_write(html->blocks, html->head_at, iot_html_blocks_end(html->blocks),
				   0, html->out, error) ||
	    !iot_html_blocks_write(html->blocks, 0, html->head_at, 0, html->out, error) ||
	    !iot_html_parts_write(html->parts, html->out, error))
		return FALSE;
	iot_out_puts(html->out, marker + strlen(IOT_HTML_MARKER));
	return iot_out_finish(html->out, error);
}

static const struct iot_diag *html_diag(const struct iot_sink *sink)
{
	return &((const struct html_sink *)sink)->diag;
}

static gsize html_memory(const struct iot_sink *sink)
{
	const struct html_sink *html = (const struct html_sink *)sink;

	return iot_html_chunk_memory(html->chunk) + iot_html_blocks_memory(html->blocks) +
	       iot_html_parts_memory(html->parts);
}

static const struct iot_sink_option html_options[] = {
	{ "max", "SIZE",
	  "the largest page; beyond it the rows that wait least keep only sums, and the page says "
	  "which (0: no limit; default: 64M)" },
	{ NULL },
};

const struct iot_sink_ops iot_sink_html = {
	.name = "html",
	.summary = "one page for any browser: rows, states, tables; nothing to install",
	.suffix = ".html",
#ifdef IOT_PAGE_BUILT
	.default_path = "iotrace.html",
#else
	.missing = "this program was built without its page; install esbuild and build it again, "
		   "or build it with a page that was made elsewhere (cmake -DIOT_PAGE=FILE)",
#endif
	.prints_at_end = TRUE,
	.has_tables = TRUE,
	.wants_parts = TRUE,
	.feed = IOT_FEED_WHOLE_SPANS,
	.options = html_options,
	.open = html_open,
	.item = html_item,
	.finish = html_finish,
	.diag = html_diag,
	.memory = html_memory,
	.free = html_free,
};
