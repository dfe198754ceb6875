/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unpacked chunks of one recording, kept until they are read again: the opening and the first look
 * unpack the first chunks of each CPU, and so does the pass. A source that keeps chunks copies
 * them; another one takes them away. Any thread.
 */
#ifndef IOT_INPUT_KEPT_H
#define IOT_INPUT_KEPT_H

#include <glib.h>

struct iot_kept;

/** iot_kept_new - room for @room bytes */
struct iot_kept *iot_kept_new(gsize room);
/** iot_kept_free - accepts NULL */
void iot_kept_free(struct iot_kept *kept);
/** iot_kept_put - keep the @n bytes unpacked from @pos of the file, if there is room and memory */
void iot_kept_put(struct iot_kept *kept, guint64 pos, const guint8 *data, gsize n);
/** iot_kept_get - copy the @n bytes of @pos to @to; FALSE if they are not there; @take: and give
 * their room back */
gboolean iot_kept_get(struct iot_kept *kept, guint64 pos, guint8 *to, gsize n, gboolean take);

#endif
