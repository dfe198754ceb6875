/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/slog2/slog2-file.h"
#include "sinks/slog2/slog2-bytes.h"
#include "base/error.h"

enum { HEADER_BYTES = 108, WIDTH = 1, ARROW_WIDTH = 3, PREVIEW_WIDTH = 5 };

static const char VERSION[] = "SLOG 2.0.6";

struct iot_slog2 {
	struct iot_out *out;
	struct iot_slog2_tree *tree;
	guint64 max_bytes; /* of the largest block: the reader's buffer */
	guint n_cut;
};

struct place {
	guint64 offset, bytes;
};

/* Duration and number of the drawables of a category in the whole file. */
struct total {
	gint64 inclusive_ns, exclusive_ns;
	guint64 count;
};

struct iot_slog2 *iot_slog2_new(struct iot_out *out, const struct iot_slog2_config *config)
{
	static const guint8 zeros[HEADER_BYTES];
	struct iot_slog2 *file = g_new0(struct iot_slog2, 1);

	file->out = out;
	iot_out_write(out, zeros, sizeof(zeros));
	file->tree = iot_slog2_tree_new(out, config);
	return file;
}

void iot_slog2_free(struct iot_slog2 *file)
{
	if (!file)
		return;
	iot_slog2_tree_free(file->tree);
	g_free(file);
}

gsize iot_slog2_memory(const struct iot_slog2 *file)
{
	return iot_slog2_tree_memory(file->tree);
}

void iot_slog2_pair(struct iot_slog2 *file, guint32 line, const struct iot_slog2_pair *pair)
{
	iot_slog2_tree_pair(file->tree, line, pair);
}

void iot_slog2_add(struct iot_slog2 *file, const struct iot_slog2_drawable *drawable)
{
	iot_slog2_tree_add(file->tree, drawable);
}

static void write_u8(struct iot_slog2 *file, guint8 v)
{
	iot_put_u8(iot_out_reserve(file->out, 1), v);
	iot_out_commit(file->out, 1);
}

static void write_u16(struct iot_slog2 *file, guint16 v)
{
	iot_put_u16(iot_out_reserve(file->out, 2), v);
	iot_out_commit(file->out, 2);
}

static void write_u32(struct iot_slog2 *file, guint32 v)
{
	iot_put_u32(iot_out_reserve(file->out, 4), v);
	iot_out_commit(file->out, 4);
}

static void write_f32(struct iot_slog2 *file, float v)
{
	iot_put_f32(iot_out_reserve(file->out, 4), v);
	iot_out_commit(file->out, 4);
}

static void write_u64(struct iot_slog2 *file, guint64 v)
{
	iot_put_u64(iot_out_reserve(file->out, 8), v);
	iot_out_commit(file->out, 8);
}

static void write_str(struct iot_slog2 *file, const char *text)
{
	gsize len = strlen(text), fits = iot_slog2_cut(text, len, IOT_SLOG2_STR_MAX);

	if (fits < len)
		file->n_cut++;
	write_u16(file, (guint16)fits);
	iot_out_write(file->out, text, fits);
}

static struct place begin_block(const struct iot_slog2 *file)
{
	return (struct place){ .offset = iot_out_tell(file->out) };
}

static void end_block(struct iot_slog2 *file, struct place *block)
{
	block->bytes = iot_out_tell(file->out) - block->offset;
	file->max_bytes = MAX(file->max_bytes, block->bytes);
	if (block->bytes > G_MAXINT32 && !file->out->error)
		g_set_error(&file->out->error, IOT_ERROR, IOT_ERROR_OUTPUT,
			    "cannot write %s: a table of a SLOG2 file cannot be larger than 2 GiB; "
			    "select less",
			    file->out->path);
}

/* Sums by category number; @n_totals numbers from 0. */
static struct total *sum_up(const struct iot_slog2_previews *set, guint n_totals)
{
	struct total *totals = g_new0(struct total, n_totals);

	for (guint32 i = 0; i < set->n_weights; i++) {
		const struct iot_slog2_weight *weight = &set->weights[i];

		if ((guint)weight->category >= n_totals)
			continue;
		totals[weight->category].inclusive_ns += weight->inclusive_ns;
		totals[weight->category].exclusive_ns += weight->exclusive_ns;
		totals[weight->category].count += weight->count;
	}
	return totals;
}

static void write_category(struct iot_slog2 *file, const struct iot_slog2_category *cat,
			   guint8 width, const struct total *total, guint64 duration)
{
	gsize n_types = cat->types ? strlen(cat->types) : 0;

	write_u32(file, (guint32)cat->index);
	write_str(file, cat->name);
	write_u32(file, cat->topology);
	write_u32(file, cat->argb);
	write_u8(file, 1);
	write_u8(file, width);
	write_u16(file, (guint16)cat->n_keys);
	for (guint i = 0; i < cat->n_keys; i++)
		write_str(file, cat->keys[i]);
	write_u16(file, (guint16)n_types);
	iot_out_write(file->out, n_types ? cat->types : "", n_types);
	write_u16(file, 0);
	write_f32(file, iot_slog2_ratio(total->inclusive_ns, duration));
	write_f32(file, iot_slog2_ratio(total->exclusive_ns, duration));
	write_u64(file, total->count);
}

static const struct iot_slog2_category previews[] = {
	{ .index = IOT_SLOG2_PREVIEW_EVENT,
	  .name = "Preview_Event",
	  .topology = IOT_SLOG2_EVENT,
	  .argb = 0x30FFFFFF }, /* translucent, as it is drawn over states */
	{ .index = IOT_SLOG2_PREVIEW_STATE,
	  .name = "Preview_State",
	  .topology = IOT_SLOG2_STATE,
	  .argb = 0xBFFFFFFF },
	{ .index = IOT_SLOG2_PREVIEW_ARROW,
	  .name = "Preview_Arrow",
	  .topology = IOT_SLOG2_ARROW,
	  .argb = 0xFFFFFF00 },
};

/* Whether there are previews, by topology. */
static void find_previews(const struct iot_slog2_previews *set, gboolean found[])
{
	for (guint32 i = 0; i < set->n; i++)
		found[set->list[i].arrow ? IOT_SLOG2_ARROW : set->list[i].topology] = TRUE;
}

static struct place write_categories(struct iot_slog2 *file, const struct iot_slog2_category *cats,
				     guint n_cats)
{
	static const struct total none;
	const struct iot_slog2_previews *set = file->tree->sums;
	const struct iot_slog2_dir_entry *root = &file->tree->dir.last;
	guint n_totals = n_cats ? (guint)cats[n_cats - 1].index + 1 : 0;
	g_autofree struct total *totals = sum_up(set, n_totals);
	struct place block = begin_block(file);
	/* Jumpshot cannot show an empty legend. */
	gboolean all = !set->n, found[G_N_ELEMENTS(previews)] = { FALSE };
	guint n = 0;

	for (guint i = 0; i < n_cats; i++)
		n += all || totals[cats[i].index].count;
	find_previews(set, found);
	for (guint i = 0; i < G_N_ELEMENTS(previews); i++)
		n += found[i] ? 1 : 0;
	write_u32(file, n);
	for (guint i = 0; i < n_cats; i++)
		if (all || totals[cats[i].index].count)
			write_category(file, &cats[i],
				       cats[i].topology == IOT_SLOG2_ARROW ? ARROW_WIDTH : WIDTH,
				       &totals[cats[i].index], root->t1 - root->t0);
	for (guint i = 0; i < G_N_ELEMENTS(previews); i++)
		if (found[i])
			write_category(file, &previews[i], PREVIEW_WIDTH, &none, 0);
	end_block(file, &block);
	return block;
}

static void write_map(struct iot_slog2 *file, const struct iot_slog2_map *map)
{
	gsize n = (gsize)map->n_rows * (1 + map->n_columns);

	write_str(file, map->title);
	write_u32(file, map->n_columns);
	for (guint i = 0; i < map->n_columns; i++)
		write_str(file, map->columns[i]);
	write_u32(file, map->n_rows);
	for (gsize i = 0; i < n; i++)
		write_u32(file, (guint32)map->rows[i]);
	write_u16(file, 0);
}

static struct place write_maps(struct iot_slog2 *file, const struct iot_slog2_map *maps,
			       guint n_maps)
{
	struct place block = begin_block(file);

	write_u32(file, n_maps);
	for (guint i = 0; i < n_maps; i++)
		write_map(file, &maps[i]);
	end_block(file, &block);
	return block;
}

static struct place write_directory(struct iot_slog2 *file)
{
	struct place block = begin_block(file);

	iot_slog2_dir_write(&file->tree->dir, file->out);
	end_block(file, &block);
	return block;
}

struct blocks {
	struct place cats, maps, dir;
};

static void patch_header(struct iot_slog2 *file, const struct blocks *blocks)
{
	const struct iot_slog2_tree *tree = file->tree;
	const struct iot_slog2_dir_entry *root = &tree->dir.last;
	guint8 header[HEADER_BYTES], *p = header;

	p = iot_put_u16(p, sizeof(VERSION) - 1);
	memcpy(p, VERSION, sizeof(VERSION) - 1);
	p = iot_put_u16(p + sizeof(VERSION) - 1, tree->config.n_children);
	p = iot_put_u32(p, tree->leaf_bytes);
	p = iot_put_u16(p, root->depth);
	p = iot_put_u32(p, (guint32)file->max_bytes);
	p = iot_put_place(p, blocks->cats.offset, blocks->cats.bytes);
	p = iot_put_place(p, 0, 0); /* method definitions */
	p = iot_put_place(p, blocks->maps.offset, blocks->maps.bytes);
	p = iot_put_place(p, root->offset, root->bytes);
	p = iot_put_place(p, blocks->dir.offset, blocks->dir.bytes);
	p = iot_put_place(p, 0, 0); /* annotations */
	p = iot_put_place(p, 0, 0); /* postamble */
	g_assert(p == header + HEADER_BYTES);
	iot_out_patch(file->out, 0, header, sizeof(header));
}

guint iot_slog2_finish(struct iot_slog2 *file, guint64 raise_ns,
		       const struct iot_slog2_category *cats, guint n_cats,
		       const struct iot_slog2_map *maps, guint n_maps)
{
	struct blocks blocks;

	iot_slog2_tree_end(file->tree, raise_ns);
	if (iot_out_failed(file->out))
		return 0;
	file->max_bytes = file->tree->max_bytes;
	blocks.cats = write_categories(file, cats, n_cats);
	blocks.maps = write_maps(file, maps, n_maps);
	blocks.dir = write_directory(file);
	if (!iot_out_failed(file->out))
		patch_header(file, &blocks);
	return file->n_cut;
}
