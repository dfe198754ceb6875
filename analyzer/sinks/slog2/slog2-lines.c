/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/slog2/slog2-lines.h"
#include "sinks/slog2/slog2-bytes.h"
#include "base/try-alloc.h"

/* The least room for the attributes and flags after the names; see slog2-info.c. */
enum { ATTRS_RESERVE = IOT_MAX_ATTRS * 8 + 128 };

static const guint64 GAP_KEY = G_GUINT64_CONSTANT(1) << 63;
static const guint64 PAIR_KEY = G_GUINT64_CONSTANT(1) << 62;

void iot_slog2_lines_clear(struct iot_slog2_lines *lines)
{
	for (guint32 i = 0; i < lines->n; i++)
		g_free(lines->list[i].info);
	g_free(lines->list);
	g_free(lines->slots);
	g_free(lines->of_row);
	lines->list = NULL;
	lines->slots = lines->of_row = NULL;
	lines->n = lines->size = lines->n_slots = lines->n_rows = lines->n_pairs = 0;
}

static guint32 find_slot(const struct iot_slog2_lines *lines, guint64 key)
{
	guint32 mask = lines->n_slots - 1;
	guint32 i = (guint32)iot_hash_mix(0, key) & mask;

	while (lines->slots[i] && iot_slog2_line_at(lines, lines->slots[i])->key != key)
		i = (i + 1) & mask;
	return i;
}

static gboolean grow_slots(struct iot_slog2_lines *lines)
{
	guint32 n_slots = lines->n_slots ? lines->n_slots * 2 : 64;
	guint32 *slots;

	if (iot_out_failed(lines->out))
		return FALSE;
	slots = iot_try_malloc((gsize)n_slots * sizeof(*slots), "SLOG2 lines", &lines->out->error);
	if (!slots)
		return FALSE;
	memset(slots, 0, (gsize)n_slots * sizeof(*slots));
	g_free(lines->slots);
	lines->slots = slots;
	lines->n_slots = n_slots;
	for (guint32 n = 1; n <= lines->n; n++)
		slots[find_slot(lines, iot_slog2_line_at(lines, n)->key)] = n;
	return TRUE;
}

static guint32 get_line(struct iot_slog2_lines *lines, guint64 key)
{
	guint32 slot;

	if (lines->n >= lines->n_slots / 2 && !grow_slots(lines))
		return 0;
	slot = find_slot(lines, key);
	if (lines->slots[slot])
		return lines->slots[slot];
	if (!iot_slog2_grow(lines->out, (gpointer *)&lines->list, lines->n, &lines->size,
			    sizeof(*lines->list)))
		return 0;
	lines->list[lines->n] = (struct iot_slog2_line){ .key = key };
	lines->slots[slot] = ++lines->n;
	return lines->n;
}

guint iot_slog2_lines_depth(const struct iot_timeline *tl, iot_type_id type)
{
	guint depth = 0;

	for (; type; type = iot_type_at(tl, type)->on)
		depth++;
	return depth;
}

/* The names of the rows from the outermost to the line's own. */
static iot_str *get_names(const struct iot_timeline *tl, iot_row_id row, guint depth)
{
	iot_str *names = g_new0(iot_str, depth + 1);

	for (guint i = depth; i-- > 0 && row; row = iot_row_at(tl, row)->parent)
		names[i] = iot_row_at(tl, row)->name;
	return names;
}

static void put_text(struct iot_slog2_lines *lines, GByteArray *info, const char *text, gsize len,
		     gsize room)
{
	gsize fits = iot_slog2_cut(text, len, room);
	guint8 prefix[2];

	lines->n_cut += fits < len;
	iot_put_u16(prefix, (guint16)fits);
	g_byte_array_append(info, prefix, sizeof(prefix));
	g_byte_array_append(info, (const guint8 *)text, (guint)fits);
}

static void put_name(struct iot_slog2_lines *lines, GByteArray *info, iot_str id, gsize room)
{
	gsize len;
	const char *name = iot_intern_get(lines->tl->strings, id, &len);

	put_text(lines, info, name, len, room);
}

static void set_info(struct iot_slog2_line *line, GByteArray *info)
{
	line->info_bytes = (guint16)info->len;
	g_byte_array_set_size(info, MAX(info->len, IOT_SLOG2_SHORT));
	line->info = g_byte_array_free(info, FALSE);
}

/* Each name as a string of the format. If all names together are too long, names longer than an
 * equal share are cut. */
static void make_info(struct iot_slog2_lines *lines, struct iot_slog2_line *line)
{
	guint depth = iot_slog2_lines_depth(lines->tl, line->on);
	g_autofree iot_str *names = get_names(lines->tl, line->row, depth);
	GByteArray *info = g_byte_array_new();
	gsize share = (IOT_SLOG2_STR_MAX - ATTRS_RESERVE) / (depth + 1);

	for (guint i = 0; i < depth; i++) {
		gsize later = ATTRS_RESERVE + 2;

		for (guint k = i + 1; k < depth; k++) {
			gsize len;

			iot_intern_get(lines->tl->strings, names[k], &len);
			later += 2 + MIN(len, share - 2);
		}
		put_name(lines, info, names[i], IOT_SLOG2_STR_MAX - later - info->len);
	}
	set_info(line, info);
}

/* Fast path for rows with one lane, which most have. */
static void keep_line(struct iot_slog2_lines *lines, iot_row_id row, guint32 n)
{
	if (row < lines->n_rows ||
	    iot_slog2_enlarge_zeroed(lines->out, (gpointer *)&lines->of_row, &lines->n_rows,
				     row + 1, sizeof(*lines->of_row)))
		lines->of_row[row] = n;
}

guint32 iot_slog2_lines_find(struct iot_slog2_lines *lines, iot_row_id row, guint16 lane)
{
	guint32 n = get_line(lines, (guint64)row << 16 | lane);
	struct iot_slog2_line *line;

	if (!n)
		return 0;
	line = iot_slog2_line_at(lines, n);
	if (G_UNLIKELY(!line->info)) {
		line->row = row;
		line->on = iot_row_at(lines->tl, row)->type;
		line->lane = lane;
		make_info(lines, line);
		if (!lane)
			keep_line(lines, row, n);
	}
	return n;
}

guint32 iot_slog2_lines_gap(struct iot_slog2_lines *lines, iot_str node, guint64 t0, guint64 t1)
{
	/* Gaps of several processors may overlap; overlapping states need different lines. */
	for (guint16 lane = 0;; lane++) {
		guint32 n = get_line(lines, GAP_KEY | (guint64)node << 16 | lane);
		struct iot_slog2_line *line;

		if (!n)
			return 0;
		line = iot_slog2_line_at(lines, n);
		line->is_gap = TRUE;
		line->gap_node = node;
		line->lane = lane;
		if (line->gap_end <= t0 || lane == G_MAXUINT16) {
			line->gap_end = t1;
			return n;
		}
	}
}

/* The path of a line, its lane after it. */
static void put_path(struct iot_slog2_lines *lines, GByteArray *info, guint32 n)
{
	const struct iot_slog2_line *line = iot_slog2_line_at(lines, n);
	g_autofree char *path = iot_timeline_path(lines->tl, line->row, "/");
	g_autofree char *lane =
		line->lane ? g_strdup_printf("%s lane %u", path, line->lane) : g_strdup(path);

	put_text(lines, info, lane, strlen(lane), (IOT_SLOG2_STR_MAX - ATTRS_RESERVE) / 2 - 2);
}

guint32 iot_slog2_lines_pair(struct iot_slog2_lines *lines, guint32 from, guint32 to)
{
	guint32 n = from && to ? get_line(lines, PAIR_KEY | (guint64)from << 31 | to) : 0;
	GByteArray *info;

	if (!n || iot_slog2_line_at(lines, n)->info)
		return n;
	info = g_byte_array_new();
	put_path(lines, info, from);
	put_path(lines, info, to);
	iot_slog2_line_at(lines, n)->from = from;
	iot_slog2_line_at(lines, n)->to = to;
	set_info(iot_slog2_line_at(lines, n), info);
	lines->n_pairs++;
	return n;
}

gsize iot_slog2_lines_memory(const struct iot_slog2_lines *lines)
{
	return lines->size * sizeof(*lines->list) + lines->n_slots * sizeof(*lines->slots) +
	       lines->n_rows * sizeof(*lines->of_row);
}
