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
	gsize size; /* of its bytes */
	gsize len;  /* deflated */
	guint64 at; /* in the temporary file */
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
	struct block block = {
		.part = part,
		.size = len,
		.at = iot_out_tell(blocks->scratch),
	};

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

guint64 iot_html_blocks_bytes(const struct iot_html_blocks *blocks)
{
	return iot_out_tell(blocks->scratch) / 3 * 4 +
	       blocks->blocks->len *
		       sizeof("<script type=\"text/plain\" data-part=\"strings\"></script>\n....");
}

guint iot_html_blocks_count(const struct iot_html_blocks *blocks)
{
	return blocks->blocks->len;
}

const char *iot_html_blocks_part(const struct iot_html_blocks *blocks, guint i)
{
	return g_array_index(blocks->blocks, struct block, i).part;
}

guint8 *iot_html_blocks_read(struct iot_html_blocks *blocks, guint i, gsize *out_len,
			     GError **error)
{
	const struct block *block = &g_array_index(blocks->blocks, struct block, i);
	g_autofree guint8 *data = iot_try_malloc(block->size + 1, "a block of the page", error);
	struct libdeflate_decompressor *inflate;
	gboolean ok;

	if (!data || !make_room(blocks, block->len, error) ||
	    !iot_out_read_at(blocks->scratch, block->at, blocks->packed, block->len, error))
		return NULL;
	inflate = libdeflate_alloc_decompressor();
	ok = inflate && libdeflate_deflate_decompress(inflate, blocks->packed, block->len, data,
						      block->size, NULL) == LIBDEFLATE_SUCCESS;
	if (inflate)
		libdeflate_free_decompressor(inflate);
	if (!ok) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_OUTPUT,
			    "the temporary file of the page has changed");
		return NULL;
	}
	*out_len = block->size;
	return g_steal_pointer(&data);
}

gboolean iot_html_blocks_write(struct iot_html_blocks *blocks, struct iot_out *out, GError **error)
{
	if (!make_room(blocks, PIECE, error))
		return FALSE;
	for (guint i = 0; i < blocks->blocks->len; i++) {
		const struct block *block = &g_array_index(blocks->blocks, struct block, i);

		iot_out_printf(out, "<script type=\"text/plain\" data-part=\"%s\">", block->part);
		for (gsize done = 0; done < block->len; done += PIECE) {
			gsize len = MIN(PIECE, block->len - done);

			if (!iot_out_read_at(blocks->scratch, block->at + done, blocks->packed, len,
					     error))
				return FALSE;
			write_base64(out, blocks->packed, len);
		}
		iot_out_puts(out, "</script>\n");
		if (iot_out_failed(out))
			break;
	}
	return iot_out_check(out, error);
}
