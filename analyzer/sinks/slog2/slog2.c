/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SLOG2 for Jumpshot: spans become states, points events, links arrows, gaps states "not observed"
 * on lines of their own. The format has no names for rows, so each drawable has the names in the
 * text of its pop-up box, and PATH.rows.tsv lists the names for the numbers on the y axis.
 */
#include "sinks/sink.h"
#include "sinks/slog2/slog2-info.h"
#include "base/colour.h"
#include "base/error.h"
#include "base/out.h"
#include "base/units.h"

#include <sys/stat.h>

enum {
	LEAF_BYTES = 65536,
	LEAF_BYTES_PER_LINE =
		2048, /* events and several states on each line: previews a fraction of the file */
	LEAF_BYTES_MAX = 32 << 20, /* beyond 16 384 lines memory counts for more */
	PARKED_BYTES = 1 << 18,
	N_CHILDREN = 2,
	RAISE_NS = 1,
};

/* Events are drawn over the states of their row, so they are translucent. */
static const guint32 GAP_ARGB = 0xFF808080, OPAQUE = 0xFF000000, EVENT_ALPHA = 0x50000000;

struct slog2 {
	struct iot_sink base;
	const struct iot_timeline *tl;
	struct iot_out *out;
	char *table_path; /* NULL: none, the output is a device */
	struct iot_out *table;
	struct iot_slog2 *file;
	struct iot_slog2_lines lines;
	struct iot_slog2_recent recent;
	struct iot_slog2_info info;
	gboolean no_events;
	struct iot_diag diag;
};

/* --- items --- */

/* Of a gap or a link. */
static G_GNUC_NO_INLINE guint32 rare_line_of(struct slog2 *slog2, const struct iot_item *item)
{
	struct iot_slog2_pair pair;
	guint32 line;

	if (item->kind == IOT_ITEM_GAP)
		return iot_slog2_lines_gap(&slog2->lines, iot_gap_node(item), item->t0, item->t1);
	pair.from = iot_slog2_lines_find(&slog2->lines, item->row, item->lane);
	pair.to = iot_slog2_lines_find(&slog2->lines, item->row_to, item->lane_to);
	line = iot_slog2_lines_pair(&slog2->lines, pair.from, pair.to);
	if (line)
		iot_slog2_pair(slog2->file, line, &pair);
	return line;
}

/* The line of an item; 0 without memory. */
static guint32 line_of(struct slog2 *slog2, const struct iot_item *item)
{
	if (G_UNLIKELY(item->kind >= IOT_ITEM_GAP))
		return rare_line_of(slog2, item);
	return iot_slog2_lines_row(&slog2->lines, item->row, item->lane);
}

/* The start, moved if an equal state was drawn. */
static guint64 start_of(struct slog2 *slog2, struct iot_slog2_line *line,
			const struct iot_slog2_drawable *state)
{
	guint64 t0 = iot_slog2_recent_start(&slog2->recent, &line->recent,
					    (struct iot_slog2_recent_state){ state->t0, state->t1,
									     state->category,
									     state->line });

	if (G_UNLIKELY(t0 != state->t0))
		iot_diag_add(&slog2->diag, IOT_DIAG_equal_shifted, 1);
	return t0;
}

static gboolean draw(struct slog2 *slog2, const struct iot_item *item, guint8 topology,
		     GError **error)
{
	iot_cat_id cat = item->kind == IOT_ITEM_GAP ? IOT_SLOG2_GAP_CATEGORY : item->cat;
	const struct iot_slog2_layout *layout = iot_slog2_info_layout(&slog2->info, cat, topology);
	struct iot_slog2_drawable drawable = {
		.topology = topology,
		.category = (gint32)cat,
		.line = line_of(slog2, item),
		.t0 = iot_tl_rel(slog2->tl, item->t0),
		.t1 = iot_tl_rel(slog2->tl, item->t1),
	};
	struct iot_slog2_line *line;

	if (G_UNLIKELY(!drawable.line))
		return TRUE;
	line = iot_slog2_line_at(&slog2->lines, drawable.line);
	/* Otherwise the info would not fit the keys of its category. */
	if (G_UNLIKELY(layout->topology != topology || line->on != layout->on)) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_INTERNAL,
			    "an item of category %u was emitted on a row of another type", cat);
		return FALSE;
	}
	if (layout->waits && iot_item_waited(item, iot_cat_at(slog2->tl, cat)))
		line->wait_ns += item->t1 - item->t0;
	line->n_items++;
	if (topology != IOT_SLOG2_EVENT) {
		drawable.backwards = item->flags & IOT_BACKWARDS ? 1 : 0;
		drawable.t0 = start_of(slog2, line, &drawable);
	}
	drawable.info = slog2->info.bytes;
	drawable.info_bytes = iot_slog2_info_make(&slog2->info, layout, line, item);
	iot_slog2_add(slog2->file, &drawable);
	return TRUE;
}

static gboolean slog2_item(struct iot_sink *sink, const struct iot_item *item, GError **error)
{
	struct slog2 *slog2 = (struct slog2 *)sink;

	if (G_UNLIKELY(iot_out_failed(slog2->out)))
		return iot_out_check(slog2->out, error);
	switch (item->kind) {
	case IOT_ITEM_SPAN:
	case IOT_ITEM_GAP:
		return draw(slog2, item, IOT_SLOG2_STATE, error);
	case IOT_ITEM_LINK:
		if (iot_link_is_stub(item)) {
			iot_diag_add(&slog2->diag, IOT_DIAG_stubs_left_out, 1);
			return TRUE;
		}
		return draw(slog2, item, IOT_SLOG2_ARROW, error);
	case IOT_ITEM_POINT:
		return slog2->no_events || draw(slog2, item, IOT_SLOG2_EVENT, error);
	case IOT_ITEM_SAMPLE:
		iot_diag_add(&slog2->diag, IOT_DIAG_samples_left_out, 1);
		return TRUE;
	default:
		g_set_error(error, IOT_ERROR, IOT_ERROR_INTERNAL,
			    "the slog2 output got an item of kind %u", item->kind);
		return FALSE;
	}
}

/* --- begin and end --- */

/* The legend of an empty picture, as it must not be empty. */
static const struct iot_slog2_category nothing = {
	.index = IOT_SLOG2_GAP_CATEGORY,
	.name = "nothing recorded",
	.topology = IOT_SLOG2_STATE,
	.argb = 0xFF808080,
};

/* Jumpshot's canvas is black. */
static guint32 colour_of(const struct iot_category *category, guint8 topology)
{
	return iot_colour_on_dark(category->rgb) |
	       (topology == IOT_SLOG2_EVENT ? EVENT_ALPHA : OPAQUE);
}

/* Whether the legend has that name twice, from two models or two types of rows. */
static gboolean is_ambiguous(const struct iot_timeline *tl, iot_cat_id id)
{
	const struct iot_category *category = iot_cat_at(tl, id);
	enum iot_type_kind kind = iot_type_at(tl, category->type)->kind;

	for (iot_cat_id other = 1; other < tl->cats.n; other++)
		if (other != id && iot_cat_at(tl, other)->name == category->name &&
		    iot_type_at(tl, iot_cat_at(tl, other)->type)->kind == kind)
			return TRUE;
	return FALSE;
}

/* "EX (lock mode)" if glocks have a category EX too; owned by @names. */
static const char *legend_name(const struct iot_timeline *tl, iot_cat_id id, GPtrArray *names)
{
	const struct iot_category *category = iot_cat_at(tl, id);
	const char *name = iot_tl_str(tl, category->name);

	if (is_ambiguous(tl, id)) {
		const char *title = iot_tl_str(tl, iot_type_at(tl, category->type)->title);

		g_ptr_array_add(names, g_strdup_printf("%s (%s)", name, title));
		return names->pdata[names->len - 1];
	}
	return name;
}

/* @names owns the names that are made here; it must live as long as the categories. */
static GArray *make_categories(const struct slog2 *slog2, GPtrArray *names)
{
	GArray *cats = g_array_new(FALSE, FALSE, sizeof(struct iot_slog2_category));
	const GArray *layouts = slog2->info.layouts;

	for (guint i = 0; i < layouts->len; i++) {
		const struct iot_slog2_layout *layout =
			&g_array_index(layouts, struct iot_slog2_layout, i);
		const struct iot_category *category = iot_cat_at(slog2->tl, i);
		gboolean gap = i == IOT_SLOG2_GAP_CATEGORY;
		struct iot_slog2_category cat = {
			.index = (gint32)i,
			.name = gap ? IOT_GAP_NAME : legend_name(slog2->tl, i, names),
			.topology = layout->topology,
			.argb = gap ? GAP_ARGB : colour_of(category, layout->topology),
		};

		if (!layout->used)
			continue;
		cat.n_keys = layout->keys->len;
		cat.keys = (const char *const *)layout->keys->pdata;
		cat.types = layout->types->str;
		g_array_append_val(cats, cat);
	}
	if (!cats->len)
		g_array_append_val(cats, nothing);
	return cats;
}

/* The pictures, which the table names; NULL without memory. */
static GPtrArray *finish_file(struct slog2 *slog2)
{
	g_autoptr(GPtrArray) axes = NULL;
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GArray) cats = make_categories(slog2, names);
	g_autoptr(GArray) maps = NULL;
	guint n_cut;

	/* Jumpshot needs a row even in an empty picture. */
	if (!slog2->lines.n && !iot_slog2_lines_row(&slog2->lines, 0, 0))
		return NULL;
	axes = iot_slog2_lines_axes(&slog2->lines);
	maps = iot_slog2_lines_maps(&slog2->lines, axes);
	n_cut = iot_slog2_finish(slog2->file, RAISE_NS, (struct iot_slog2_category *)cats->data,
				 cats->len, (struct iot_slog2_map *)maps->data, maps->len);
	iot_diag_add(&slog2->diag, IOT_DIAG_name_cut,
		     n_cut + slog2->lines.n_cut + slog2->info.n_cut);
	return g_steal_pointer(&axes);
}

static gboolean slog2_finish(struct iot_sink *sink, const struct iot_summary *summary,
			     GError **error)
{
	struct slog2 *slog2 = (struct slog2 *)sink;
	g_autoptr(GPtrArray) axes = finish_file(slog2);

	(void)summary;
	iot_out_flush(slog2->out);
	if (!iot_out_check(slog2->out, error))
		return FALSE;
	if (slog2->table) {
		iot_slog2_lines_table(axes, slog2->table);
		if (!iot_out_finish(slog2->table, error))
			return FALSE;
	}
	return iot_out_finish(slog2->out, error);
}

static const struct iot_diag *slog2_diag(const struct iot_sink *sink)
{
	return &((const struct slog2 *)sink)->diag;
}

static void slog2_free(struct iot_sink *sink)
{
	struct slog2 *slog2 = (struct slog2 *)sink;

	if (!slog2)
		return;
	iot_slog2_free(slog2->file);
	iot_slog2_lines_clear(&slog2->lines);
	iot_slog2_recent_clear(&slog2->recent);
	iot_slog2_info_clear(&slog2->info);
	iot_out_free(slog2->table);
	iot_out_free(slog2->out);
	g_free(slog2->table_path);
	g_free(slog2);
}

static gboolean read_config(const struct iot_sink_args *args, struct iot_slog2_config *config,
			    GError **error)
{
	const char *text = iot_sink_value(args, "leaf-size");
	guint64 bytes;

	*config = (struct iot_slog2_config){
		.n_children = N_CHILDREN,
		.leaf_bytes = LEAF_BYTES,
		.leaf_bytes_per_line = LEAF_BYTES_PER_LINE,
		.leaf_bytes_max = LEAF_BYTES_MAX,
		.parked_bytes = MIN(PARKED_BYTES, args->memory / 4),
	};
	if (!text)
		return TRUE;
	if (!iot_parse_size(text, &bytes, error)) {
		g_prefix_error(error, "option leaf-size: ");
		return FALSE;
	}
	if (!bytes || bytes > G_MAXINT32) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_USAGE,
			    "option leaf-size: %s is not between 1 and 2G", text);
		return FALSE;
	}
	config->leaf_bytes = (guint32)bytes;
	config->leaf_bytes_per_line = 0;
	return TRUE;
}

/* Checked before opening, because opening a named pipe waits for a reader. */
static gboolean is_pipe(const char *path)
{
	struct stat st;

	return !strcmp(path, "-") ||
	       (stat(path, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)));
}

static gboolean open_files(struct slog2 *slog2, const char *path, GError **error)
{
	if (!is_pipe(path)) {
		slog2->out = iot_out_open(path, error);
		if (!slog2->out)
			return FALSE;
	}
	if (!slog2->out || !iot_out_is_seekable(slog2->out)) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_USAGE,
			    "slog2:%s: SLOG2 needs a file that can be rewritten at its start; "
			    "give a file name",
			    path);
		return FALSE;
	}
	/* A device gets no second file. */
	if (!slog2->out->temp_path)
		return TRUE;
	slog2->table_path = g_strconcat(path, iot_sink_slog2.second_suffix, NULL);
	slog2->table = iot_out_open(slog2->table_path, error);
	return slog2->table != NULL;
}

static struct iot_sink *slog2_open(const struct iot_sink_args *args, GError **error)
{
	struct iot_slog2_config config;
	struct slog2 *slog2;

	if (!read_config(args, &config, error))
		return NULL;
	slog2 = g_new0(struct slog2, 1);
	slog2->base.ops = &iot_sink_slog2;
	slog2->tl = args->tl;
	slog2->no_events = iot_sink_flag(args, "no-events");
	if (!open_files(slog2, args->path, error)) {
		slog2_free(&slog2->base);
		return NULL;
	}
	iot_slog2_info_init(&slog2->info, args->tl);
	slog2->lines.tl = args->tl;
	slog2->lines.out = slog2->out;
	slog2->recent.out = slog2->out;
	slog2->file = iot_slog2_new(slog2->out, &config);
	return &slog2->base;
}

static gsize slog2_memory(const struct iot_sink *sink)
{
	const struct slog2 *slog2 = (const struct slog2 *)sink;

	return sizeof(*slog2) + IOT_OUT_BUFFER + iot_slog2_memory(slog2->file) +
	       iot_slog2_lines_memory(&slog2->lines) +
	       slog2->recent.n_slots * sizeof(*slog2->recent.slots);
}

static const struct iot_sink_option options[] = {
	{ "no-events", NULL, "leave out point events; only states are drawn" },
	{ "leaf-size", "BYTES",
	  "close a leaf of the tree at that size (default: 64K, more with many rows)" },
	{ NULL },
};

const struct iot_sink_ops iot_sink_slog2 = {
	.name = "slog2",
	.summary = "SLOG2 for Jumpshot, and PATH.rows.tsv with the names of its rows",
	.suffix = ".slog2",
	.second_suffix = ".rows.tsv",
	.needs_file = TRUE,
	.default_path = "iotrace.slog2",
	.feed = IOT_FEED_WHOLE_SPANS,
	.options = options,
	.open = slog2_open,
	.item = slog2_item,
	.finish = slog2_finish,
	.diag = slog2_diag,
	.memory = slog2_memory,
	.free = slog2_free,
};
