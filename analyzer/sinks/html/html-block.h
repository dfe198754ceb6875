/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The data of the page: blocks of bytes, deflated one by one and kept in a temporary file until the
 * page can be written. In the page a block is the base64 text of a script element, which no browser
 * runs and whose text can end no element, whatever the names of a trace contain. Each block in the
 * file has its description before it, so memory does not grow with their number.
 *
 * Errors of writing are remembered in the temporary file's iot_out. One thread.
 */
#ifndef IOT_SINKS_HTML_HTML_BLOCK_H
#define IOT_SINKS_HTML_HTML_BLOCK_H

#include "base/out.h"

/* What a block holds. */
enum iot_html_part {
	IOT_HTML_ITEMS,
	IOT_HTML_ATTRS,
	IOT_HTML_STRINGS,
	IOT_HTML_HEAD,
	IOT_HTML_PARTS,
	IOT_HTML_NAMES
};

struct iot_html_block {
	enum iot_html_part part;
	guint rank;   /* see iot_html_blocks_write */
	guint64 size; /* bytes */
	guint64 len;  /* deflated */
	guint64 at;   /* of the deflated bytes in the temporary file */
};

struct iot_html_blocks;

/** iot_html_blocks_new - @path: where the page will be; NULL and an error if there is no room */
struct iot_html_blocks *iot_html_blocks_new(const char *path, GError **error);
void iot_html_blocks_free(struct iot_html_blocks *blocks);
typedef struct iot_html_blocks iot_html_blocks;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_html_blocks, iot_html_blocks_free)

gboolean iot_html_blocks_add(struct iot_html_blocks *blocks, enum iot_html_part part, guint rank,
			     const void *data, gsize len, GError **error);
/** iot_html_blocks_write - the blocks of the rank @least or more as elements, in the order in which
 * they were added; @begin, @end: those from here to there, as of iot_html_blocks_end */
gboolean iot_html_blocks_write(struct iot_html_blocks *blocks, guint64 begin, guint64 end,
			       guint least, struct iot_out *out, GError **error);
/** iot_html_blocks_bytes - bytes that iot_html_blocks_write will write of all ranks */
guint64 iot_html_blocks_bytes(const struct iot_html_blocks *blocks);
/** iot_html_blocks_end - where the last block ends */
guint64 iot_html_blocks_end(const struct iot_html_blocks *blocks);
/**
 * iot_html_blocks_next - the block at *@at, which moves to the next one
 * @at: 0 is the first block; must be before iot_html_blocks_end
 */
gboolean iot_html_blocks_next(struct iot_html_blocks *blocks, guint64 *at,
			      struct iot_html_block *out_block, GError **error);
/** iot_html_blocks_read - the bytes of one block; the caller frees */
guint8 *iot_html_blocks_read(struct iot_html_blocks *blocks, const struct iot_html_block *block,
			     GError **error);
/** iot_html_blocks_memory - bytes of storage, however many blocks there are */
gsize iot_html_blocks_memory(const struct iot_html_blocks *blocks);

#endif
