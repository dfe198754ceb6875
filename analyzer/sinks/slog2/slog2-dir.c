/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/slog2/slog2-dir.h"
#include "sinks/slog2/slog2-bytes.h"

enum { CHUNK = 512 /* entries */, ENTRY_BYTES = 34 };

static const gsize ENTRY_SIZE = sizeof(struct iot_slog2_dir_entry);

void iot_slog2_dir_init(struct iot_slog2_dir *dir, struct iot_out *out)
{
	*dir = (struct iot_slog2_dir){ 0 };
	iot_park_init(&dir->park, out, CHUNK * ENTRY_SIZE, "the SLOG2 directory");
}

void iot_slog2_dir_clear(struct iot_slog2_dir *dir)
{
	iot_park_clear(&dir->park);
}

void iot_slog2_dir_add(struct iot_slog2_dir *dir, const struct iot_slog2_dir_entry *entry)
{
	struct iot_slog2_dir_entry *room = iot_park_push(&dir->park, ENTRY_SIZE);

	if (!room)
		return;
	*room = dir->last = *entry;
	dir->n++;
}

static void write_entry(struct iot_out *out, const struct iot_slog2_dir_entry *node)
{
	guint8 *p = iot_out_reserve(out, ENTRY_BYTES);

	p = iot_put_node_id(p, node->depth, node->xpos);
	p = iot_put_time(iot_put_time(p, node->t0), node->t1);
	iot_put_place(p, node->offset, node->bytes);
	iot_out_commit(out, ENTRY_BYTES);
}

/* Nodes of one depth were closed in the order of their xpos. */
static void write_depth(struct iot_slog2_dir *dir, struct iot_out *out, guint depth)
{
	for (guint32 at = 0; at < dir->n; at += CHUNK) {
		guint32 n = MIN(CHUNK, dir->n - at);
		const struct iot_slog2_dir_entry *list =
			iot_park_at(&dir->park, at * ENTRY_SIZE, n * ENTRY_SIZE);

		for (guint32 i = 0; list && i < n; i++)
			if (list[i].depth == depth)
				write_entry(out, &list[i]);
	}
}

void iot_slog2_dir_write(struct iot_slog2_dir *dir, struct iot_out *out)
{
	iot_put_u32(iot_out_reserve(out, 4), dir->n);
	iot_out_commit(out, 4);
	for (guint depth = dir->last.depth + 1u; depth-- > 0;)
		write_depth(dir, out, depth);
}
