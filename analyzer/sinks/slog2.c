/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SLOG2 for Jumpshot: spans become states, points events, gaps states "lost" on lines of their own.
 * The format has no names for rows, so each drawable names its boxes in the text of its pop-up box,
 * and PATH.rows.tsv lists the names behind the numbers on the y axis.
 */
#include "sinks/sink.h"
#include "sinks/slog2-bytes.h"
#include "sinks/slog2-lines.h"
#include "sinks/slog2-recent.h"
#include "base/error.h"
#include "base/out.h"
#include "base/units.h"

#include <sys/stat.h>

enum {
	LEAF_BYTES = 65536,
	LEAF_BYTES_PER_LINE =
		2048, /* events and several states on each line: previews a fraction of the file */
	PARKED_BYTES = 1 << 20,
	N_CHILDREN = 2,
	RAISE_NS = 1,
	GAP_CATEGORY = 0, /* numbers of the timeline's categories start at 1 */
	N_FLAGS = 1 << 7,
	N_WORDS = 256,
	WORD_MAX = 24,
	FLAGS_RESERVE = 128,
};

static const guint32 GAP_ARGB = 0xFF808080, OPAQUE = 0xFF000000;

/* A category that was used: how the info of its drawables is laid out. */
struct layout {
	gboolean used;
	guint8 topology;
	iot_type_id on; /* type of the boxes; 0 for the root */
	guint n_attrs;
	struct iot_attr_def attr[IOT_MAX_ATTRS];
	guint32 min_bytes[IOT_MAX_ATTRS]; /* of what follows that attribute */
	gboolean waits;
	GPtrArray *keys;
	GString *types;
};

struct text {
	const char *bytes;
	gsize len;
};

/* A short text as it stands in infos: most are names of modes, flags and results, the same again
 * and again. */
struct word {
	iot_str str;
	guint32 size; /* 0: none */
	guint8 bytes[WORD_MAX];
};

struct slog2 {
	struct iot_sink base;
	const struct iot_timeline *tl;
	struct iot_out *out;
	char *table_path; /* NULL: none, the output is a device */
	struct iot_out *table;
	struct iot_slog2 *file;
	struct iot_slog2_lines lines;
	struct iot_slog2_recent recent;
	GArray *layouts; /* by category number */
	struct text flags[N_FLAGS];
	struct word words[N_WORDS];
	struct iot_diag diag;
	guint8 info[IOT_SLOG2_STR_MAX];
	guint32 info_bytes;
};

/* --- the layout of a category's info --- */

static void add_value(struct layout *layout, const char *key, char type)
{
	g_ptr_array_add(layout->keys, g_strdup(key));
	g_string_append_c(layout->types, type);
}

/* "lockspace=", " resource=" ... from the outermost box inwards */
static void add_box_keys(const struct iot_timeline *tl, struct layout *layout)
{
	guint depth = iot_slog2_lines_depth(tl, layout->on);
	g_autofree iot_type_id *types = g_new0(iot_type_id, depth + 1);
	iot_type_id type = layout->on;

	for (guint i = depth; i-- > 0; type = iot_type_at(tl, type)->on)
		types[i] = type;
	for (guint i = 0; i < depth; i++) {
		g_autofree char *key = g_strconcat(
			i ? " " : "", iot_tl_str(tl, iot_type_at(tl, types[i])->name), "=", NULL);

		add_value(layout, key, 's');
	}
}

/* The flags of the item are called marks, for "flags" is a common name of attributes. */
static void add_attr_keys(const struct iot_timeline *tl, struct layout *layout)
{
	static const struct {
		const char *unit, *prefix;
		char type;
	} formats[] = {
		[IOT_ATTR_INT] = { "", "", 'l' },	  [IOT_ATTR_UINT] = { "", "", 'l' },
		[IOT_ATTR_HEX] = { "", "0x", 'X' },	  [IOT_ATTR_STR] = { "", "", 's' },
		[IOT_ATTR_DURATION] = { "[s]", "", 'E' },
	};

	for (guint i = 0; i < layout->n_attrs; i++) {
		const struct iot_attr_def *attr = &layout->attr[i];
		g_autofree char *key = g_strconcat(
			i || !layout->keys->len ? " " : "\n", iot_tl_str(tl, attr->name),
			formats[attr->format].unit, "=", formats[attr->format].prefix, NULL);

		add_value(layout, key, formats[attr->format].type);
	}
	add_value(layout, " marks=", 's');
	for (guint i = layout->n_attrs, bytes = FLAGS_RESERVE; i-- > 0;) {
		layout->min_bytes[i] = bytes;
		bytes += layout->attr[i].format == IOT_ATTR_STR ? 2 : 8;
	}
}

static void init_layout(struct layout *layout, guint8 topology)
{
	layout->used = TRUE;
	layout->topology = topology;
	layout->keys = g_ptr_array_new_with_free_func(g_free);
	layout->types = g_string_new(NULL);
}

static struct layout *get_layout(struct slog2 *slog2, iot_cat_id cat, guint8 topology)
{
	const struct iot_category *category;
	const struct iot_type *type;
	struct layout *layout;

	if (cat >= slog2->layouts->len)
		g_array_set_size(slog2->layouts, cat + 1);
	layout = &g_array_index(slog2->layouts, struct layout, cat);
	if (G_LIKELY(layout->used))
		return layout;
	init_layout(layout, topology);
	category = iot_cat_at(slog2->tl, cat);
	type = iot_type_at(slog2->tl, category->type);
	layout->on = type->on;
	layout->waits = iot_cat_waits(category);
	layout->n_attrs = type->n_attrs;
	memcpy(layout->attr, type->attr, sizeof(layout->attr));
	add_box_keys(slog2->tl, layout);
	add_attr_keys(slog2->tl, layout);
	return layout;
}

static struct layout *get_gap_layout(struct slog2 *slog2)
{
	struct layout *layout;

	if (!slog2->layouts->len)
		g_array_set_size(slog2->layouts, GAP_CATEGORY + 1);
	layout = &g_array_index(slog2->layouts, struct layout, GAP_CATEGORY);
	if (layout->used)
		return layout;
	init_layout(layout, IOT_SLOG2_STATE);
	add_value(layout, "node=", 's');
	add_value(layout, " events lost=", 's');
	add_value(layout, " marks=", 's');
	return layout;
}

static void clear_layout(gpointer data)
{
	struct layout *layout = data;

	if (!layout->used)
		return;
	g_ptr_array_unref(layout->keys);
	g_string_free(layout->types, TRUE);
}

/* --- the info of a drawable --- */

/* Append a string, leaving room for @reserve bytes. */
static void put_text(struct slog2 *slog2, const char *bytes, gsize len, guint32 reserve)
{
	gsize room = IOT_SLOG2_STR_MAX - slog2->info_bytes - 2 - reserve;
	gsize fits = iot_slog2_cut(bytes, len, room);
	guint8 *p = iot_put_u16(slog2->info + slog2->info_bytes, (guint16)fits);

	if (G_UNLIKELY(fits < len))
		iot_diag_add(&slog2->diag, IOT_DIAG_name_cut, 1);
	memcpy(p, bytes, fits);
	slog2->info_bytes += 2 + (guint32)fits;
}

static void put_str(struct slog2 *slog2, iot_str str, guint32 reserve)
{
	struct word *word = &slog2->words[str % N_WORDS];
	guint8 *p = slog2->info + slog2->info_bytes;
	const char *bytes;
	gsize len;

	if (G_LIKELY(word->size && word->str == str &&
		     slog2->info_bytes + WORD_MAX + reserve <= IOT_SLOG2_STR_MAX)) {
		/* all of the array: a size that is known takes two instructions */
		memcpy(p, word->bytes, WORD_MAX);
		slog2->info_bytes += word->size;
		return;
	}
	bytes = iot_intern_get(slog2->tl->strings, str, &len);
	put_text(slog2, bytes, len, reserve);
	if (len + 2 > WORD_MAX || slog2->info + slog2->info_bytes - p != (gssize)len + 2)
		return;
	word->str = str;
	word->size = (guint32)len + 2;
	memcpy(word->bytes, p, len + 2);
}

static void put_number(struct slog2 *slog2, guint64 text, guint32 reserve)
{
	char digits[IOT_TEXT_DIGITS + 1];
	gsize len;
	const char *bytes = iot_tl_text(slog2->tl, text, digits, &len);

	put_text(slog2, bytes, len, reserve);
}

static void put_flags(struct slog2 *slog2, guint flags)
{
	struct text *text = &slog2->flags[flags % N_FLAGS];

	if (!text->bytes) {
		text->bytes = iot_item_flag_names(flags % N_FLAGS);
		text->len = strlen(text->bytes);
	}
	put_text(slog2, text->bytes, text->len, 0);
}

static void put_attr(struct slog2 *slog2, enum iot_attr_format format, union iot_attr value,
		     guint32 reserve)
{
	guint8 *p = slog2->info + slog2->info_bytes;

	switch (format) {
	case IOT_ATTR_STR:
		if (iot_text_is_number(value.str))
			put_number(slog2, value.str, reserve);
		else
			put_str(slog2, (iot_str)value.str, reserve);
		return;
	case IOT_ATTR_DURATION:
		iot_put_time(p, value.u);
		break;
	case IOT_ATTR_INT:
	case IOT_ATTR_UINT:
	case IOT_ATTR_HEX:
		iot_put_u64(p, value.u);
		break;
	}
	slog2->info_bytes += 8;
}

static void make_info(struct slog2 *slog2, const struct iot_item *item, const struct layout *layout,
		      const struct iot_slog2_line *line)
{
	/* a size that is known takes a few instructions */
	memcpy(slog2->info, line->info, IOT_SLOG2_SHORT);
	if (G_UNLIKELY(line->info_bytes > IOT_SLOG2_SHORT))
		memcpy(slog2->info, line->info, line->info_bytes);
	slog2->info_bytes = line->info_bytes;
	for (guint i = 0; i < layout->n_attrs; i++) {
		union iot_attr value = i < item->n_attrs ? item->attr[i] : (union iot_attr){ 0 };

		put_attr(slog2, layout->attr[i].format, value, layout->min_bytes[i]);
	}
	put_flags(slog2, item->flags);
}

static void make_gap_info(struct slog2 *slog2, const struct iot_item *item)
{
	guint64 lost = item->attr[1].u;
	char number[24] = "?";
	const char *node;
	gsize len;

	if (lost != G_MAXUINT64)
		g_snprintf(number, sizeof(number), "%" G_GUINT64_FORMAT, lost);
	node = iot_intern_get(slog2->tl->strings, (iot_str)item->attr[0].str, &len);
	slog2->info_bytes = 0;
	put_text(slog2, node, len, sizeof(number) + FLAGS_RESERVE);
	put_text(slog2, number, strlen(number), FLAGS_RESERVE);
	put_flags(slog2, item->flags);
}

/* --- items --- */

static void draw(struct slog2 *slog2, const struct iot_item *item, guint8 topology, guint32 line)
{
	struct iot_slog2_drawable drawable = {
		.topology = topology,
		.category = (gint32)item->cat,
		.line = line,
		.t0 = iot_tl_rel(slog2->tl, item->t0),
		.t1 = iot_tl_rel(slog2->tl, item->t1),
		.info = slog2->info,
		.info_bytes = (guint16)slog2->info_bytes,
	};

	if (topology == IOT_SLOG2_STATE) {
		guint64 t0 = iot_slog2_recent_start(&slog2->recent, drawable.category, line,
						    drawable.t0, drawable.t1);

		if (G_UNLIKELY(t0 != drawable.t0))
			iot_diag_add(&slog2->diag, IOT_DIAG_equal_shifted, 1);
		drawable.t0 = t0;
	}
	iot_slog2_line_at(&slog2->lines, line)->n_items++;
	iot_slog2_add(slog2->file, &drawable);
}

static gboolean draw_on_box(struct slog2 *slog2, const struct iot_item *item, guint8 topology,
			    GError **error)
{
	struct layout *layout = get_layout(slog2, item->cat, topology);
	struct iot_slog2_line *line;
	guint32 n;

	n = iot_slog2_lines_box(&slog2->lines, item->box, item->lane);
	if (!n)
		return TRUE;
	line = iot_slog2_line_at(&slog2->lines, n);
	/* Otherwise the bytes of the info would not be what its category says. */
	if (layout->topology != topology || line->on != layout->on) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_INTERNAL,
			    "an item of category %u was emitted on a box of another type",
			    item->cat);
		return FALSE;
	}
	if (layout->waits)
		line->wait_ns += item->t1 - item->t0;
	make_info(slog2, item, layout, line);
	draw(slog2, item, topology, n);
	return TRUE;
}

static void draw_gap(struct slog2 *slog2, const struct iot_item *item)
{
	struct iot_item gap = *item;
	guint32 n =
		iot_slog2_lines_gap(&slog2->lines, (iot_str)item->attr[0].str, item->t0, item->t1);

	if (!n)
		return;
	gap.cat = GAP_CATEGORY;
	get_gap_layout(slog2);
	make_gap_info(slog2, item);
	draw(slog2, &gap, IOT_SLOG2_STATE, n);
}

static gboolean slog2_item(struct iot_sink *sink, const struct iot_item *item, GError **error)
{
	struct slog2 *slog2 = (struct slog2 *)sink;

	if (G_UNLIKELY(iot_out_failed(slog2->out)))
		return iot_out_check(slog2->out, error);
	switch (item->kind) {
	case IOT_ITEM_SPAN:
		return draw_on_box(slog2, item, IOT_SLOG2_STATE, error);
	case IOT_ITEM_POINT:
		return draw_on_box(slog2, item, IOT_SLOG2_EVENT, error);
	case IOT_ITEM_GAP:
		draw_gap(slog2, item);
		return TRUE;
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

/* The legend of a picture without anything; it must not be empty. */
static const struct iot_slog2_category nothing = {
	.index = GAP_CATEGORY,
	.name = "nothing recorded",
	.topology = IOT_SLOG2_STATE,
	.argb = 0xFF808080,
};

static GArray *make_categories(const struct slog2 *slog2)
{
	GArray *cats = g_array_new(FALSE, FALSE, sizeof(struct iot_slog2_category));

	for (guint i = 0; i < slog2->layouts->len; i++) {
		const struct layout *layout = &g_array_index(slog2->layouts, struct layout, i);
		const struct iot_category *category = iot_cat_at(slog2->tl, i);
		struct iot_slog2_category cat = {
			.index = (gint32)i,
			.name = i == GAP_CATEGORY ? "lost" : iot_tl_str(slog2->tl, category->name),
			.topology = layout->topology,
			.argb = i == GAP_CATEGORY ? GAP_ARGB : OPAQUE | category->rgb,
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

static void finish_file(struct slog2 *slog2)
{
	g_autoptr(GArray) cats = make_categories(slog2);
	g_autoptr(GArray) maps = NULL;
	guint n_cut;

	/* Jumpshot needs a row even when there is nothing to draw. */
	if (!slog2->lines.n && !iot_slog2_lines_box(&slog2->lines, 0, 0))
		return;
	maps = iot_slog2_lines_maps(&slog2->lines);
	n_cut = iot_slog2_finish(slog2->file, RAISE_NS, (struct iot_slog2_category *)cats->data,
				 cats->len, (struct iot_slog2_map *)maps->data, maps->len);
	iot_diag_add(&slog2->diag, IOT_DIAG_name_cut, n_cut + slog2->lines.n_cut);
}

static gboolean slog2_finish(struct iot_sink *sink, const struct iot_summary *summary,
			     GError **error)
{
	struct slog2 *slog2 = (struct slog2 *)sink;

	(void)summary;
	finish_file(slog2);
	iot_out_flush(slog2->out);
	if (!iot_out_check(slog2->out, error))
		return FALSE;
	if (slog2->table) {
		iot_slog2_lines_table(&slog2->lines, slog2->table);
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
	if (slog2->layouts)
		g_array_unref(slog2->layouts);
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

/* Ask before opening: opening a named pipe would wait for a reader. */
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
		g_set_error(error, IOT_ERROR, IOT_ERROR_OUTPUT,
			    "SLOG2 needs a file that can be rewritten at its start; "
			    "give a file name");
		return FALSE;
	}
	/* Nothing stands beside a device. */
	if (!slog2->out->temp_path)
		return TRUE;
	slog2->table_path = g_strconcat(path, ".rows.tsv", NULL);
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
	if (!open_files(slog2, args->path, error)) {
		slog2_free(&slog2->base);
		return NULL;
	}
	slog2->layouts = g_array_new(FALSE, TRUE, sizeof(struct layout));
	g_array_set_clear_func(slog2->layouts, clear_layout);
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
	{ "leaf-size", "BYTES",
	  "close a leaf of the tree at that size (default: 64K, more with many rows)" },
	{ NULL },
};

const struct iot_sink_ops iot_sink_slog2 = {
	.name = "slog2",
	.summary = "SLOG2 for Jumpshot, and PATH.rows.tsv with the names of its rows",
	.suffix = ".slog2",
	.feed = IOT_FEED_END,
	.options = options,
	.open = slog2_open,
	.item = slog2_item,
	.finish = slog2_finish,
	.diag = slog2_diag,
	.memory = slog2_memory,
	.free = slog2_free,
};
