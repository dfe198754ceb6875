/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/html/html-block.h"
#include "base/error.h"
#include "base/try-alloc.h"

#include <libdeflate.h>

/* A level above saves 2 % of the page and takes twice as long. */
enum { DEFLATE_LEVEL = 5 };
/* A multiple of three, so that base64 of a piece needs no padding; its text fits iot_out_reserve.
 */
enum { PIECE = 45 << 10 };

struct block {
	const char *part;
	gsize len; /* deflated */
};

struct iot_html_blocks {
	struct libdeflate_compressor *deflate;
	struct iot_out *scratch;
	GArray *blocks; /* struct block */
	guint8 *packed; /* room for one deflated block */
	gsize room;
};

struct iot_html_blocks *iot_html_blocks_new(const char *path, GError **error)
{
	g_autoptr(iot_html_blocks) blocks = g_new0(struct iot_html_blocks, 1);

	blocks->blocks = g_array_new(FALSE, FALSE, sizeof(struct block));
	blocks->deflate = libdeflate_alloc_compressor(DEFLATE_LEVEL);
	if (!blocks->deflate) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_MEMORY, "no memory to compress the page");
		return NULL;
	}
	blocks->scratch = iot_out_open_scratch(path, 0, error);
	return blocks->scratch ? g_steal_pointer(&blocks) : NULL;
}

void iot_html_blocks_free(struct iot_html_blocks *blocks)
{
	if (!blocks)
		return;
	if (blocks->deflate)
		libdeflate_free_compressor(blocks->deflate);
	iot_out_free(blocks->scratch);
	if (blocks->blocks)
		g_array_unref(blocks->blocks);
	g_free(blocks->packed);
	g_free(blocks);
}

static gboolean make_room(struct iot_html_blocks *blocks, gsize room, GError **error)
{
	guint8 *grown;

	if (room <= blocks->room)
		return TRUE;
	grown = iot_try_realloc(blocks->packed, room, "a block of the page", error);
	if (!grown)
		return FALSE;
	blocks->packed = grown;
	blocks->room = room;
	return TRUE;
}

gboolean iot_html_blocks_add(struct iot_html_blocks *blocks, const char *part, const void *data,
			     gsize len, GError **error)
{
	gsize bound = MAX(libdeflate_deflate_compress_bound(blocks->deflate, len), PIECE);
	struct block block = { .part = part };

	if (!make_room(blocks, bound, error))
		return FALSE;
	block.len = libdeflate_deflate_compress(blocks->deflate, data, len, blocks->packed, bound);
	iot_out_write(blocks->scratch, blocks->packed, block.len);
	g_array_append_val(blocks->blocks, block);
	return iot_out_check(blocks->scratch, error);
}

static void write_base64(struct iot_out *out, const guint8 *data, gsize len)
{
	int state = 0, save = 0;
	gchar *text = (gchar *)iot_out_reserve(out, len / 3 * 4 + 8);
	gsize n = g_base64_encode_step(data, len, FALSE, text, &state, &save);

	n += g_base64_encode_close(FALSE, text + n, &state, &save);
	iot_out_commit(out, n);
}

gboolean iot_html_blocks_write(struct iot_html_blocks *blocks, struct iot_out *out, GError **error)
{
	guint64 at = 0;

	if (!make_room(blocks, PIECE, error))
		return FALSE;
	for (guint i = 0; i < blocks->blocks->len; i++) {
		const struct block *block = &g_array_index(blocks->blocks, struct block, i);

		iot_out_printf(out, "<script type=\"text/plain\" data-part=\"%s\">", block->part);
		for (gsize done = 0; done < block->len; done += PIECE) {
			gsize len = MIN(PIECE, block->len - done);

			if (!iot_out_read_at(blocks->scratch, at + done, blocks->packed, len,
					     error))
				return FALSE;
			write_base64(out, blocks->packed, len);
		}
		at += block->len;
		iot_out_puts(out, "</script>\n");
		if (iot_out_failed(out))
			break;
	}
	return iot_out_check(out, error);
}
