/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The data of the page: blocks of bytes, deflated one by one and kept in a temporary file until the
 * page can be written. In the page a block is the base64 text of a script element, which no browser
 * runs and whose text can end no element, whatever the names of a trace contain.
 *
 * Errors of writing are remembered in the temporary file's iot_out. One thread.
 */
#ifndef IOT_SINKS_HTML_HTML_BLOCK_H
#define IOT_SINKS_HTML_HTML_BLOCK_H

#include "base/out.h"

struct iot_html_blocks;

/** iot_html_blocks_new - @path: where the page will be; NULL and an error if there is no room */
struct iot_html_blocks *iot_html_blocks_new(const char *path, GError **error);
void iot_html_blocks_free(struct iot_html_blocks *blocks);
typedef struct iot_html_blocks iot_html_blocks;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_html_blocks, iot_html_blocks_free)

/** iot_html_blocks_add - @part names the kind of block for the page; static storage */
gboolean iot_html_blocks_add(struct iot_html_blocks *blocks, const char *part, const void *data,
			     gsize len, GError **error);
/** iot_html_blocks_write - all blocks as elements, in the order in which they were added */
gboolean iot_html_blocks_write(struct iot_html_blocks *blocks, struct iot_out *out, GError **error);
/** iot_html_blocks_bytes - size of all blocks as base64 text */
guint64 iot_html_blocks_bytes(const struct iot_html_blocks *blocks);
guint iot_html_blocks_count(const struct iot_html_blocks *blocks);
const char *iot_html_blocks_part(const struct iot_html_blocks *blocks, guint i);
/** iot_html_blocks_read - the bytes of one block; the caller frees */
guint8 *iot_html_blocks_read(struct iot_html_blocks *blocks, guint i, gsize *out_len,
			     GError **error);

#endif
