/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stack of bytes of which only the top is kept in memory; what lies below waits in a nameless
 * temporary file, which is made when the first bytes go there. For what is large, needed late, and
 * would otherwise grow with the length of a recording.
 *
 * Errors are remembered in the iot_out given at the start. One thread.
 */
#ifndef IOT_BASE_PARK_H
#define IOT_BASE_PARK_H

#include "base/out.h"

struct iot_park {
	struct iot_out *out;  /* remembers errors; the temporary file is made beside it */
	struct iot_out *file; /* NULL until it is needed */
	guint8 *top;	      /* [base, base + used) */
	gsize used, size;
	guint64 base;
	guint8 *back; /* what was read back */
	gsize back_size;
	const char *what; /* for messages: what is parked */
};

/**
 * iot_park_init - an empty stack
 * @bytes: how much is kept in memory, if no single push is larger
 * @what: "the SLOG2 tree"; must stay
 */
void iot_park_init(struct iot_park *park, struct iot_out *out, gsize bytes, const char *what);
void iot_park_clear(struct iot_park *park);

/**
 * iot_park_push - room for @len more bytes on top, for the caller to fill
 *
 * Returns NULL after an error. Valid until the next push.
 */
gpointer iot_park_push(struct iot_park *park, gsize len);
/**
 * iot_park_at - bytes that were pushed at once, or in one go of pushes that fit into memory
 *
 * Returns NULL after an error. Valid until the next call.
 */
gconstpointer iot_park_at(struct iot_park *park, guint64 offset, gsize len);
/** iot_park_cut - take away everything from @offset on */
void iot_park_cut(struct iot_park *park, guint64 offset);
/** iot_park_end - the offset of the next push */
static inline guint64 iot_park_end(const struct iot_park *park)
{
	return park->base + park->used;
}

#endif
