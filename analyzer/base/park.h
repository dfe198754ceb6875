/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stack of bytes with its top in memory and the rest in a nameless temporary file, created on
 * demand. It is for large data that are needed late and would grow with the length of a recording.
 *
 * Errors are kept in the iot_out given at the start. One thread.
 */
#ifndef IOT_BASE_PARK_H
#define IOT_BASE_PARK_H

#include "base/out.h"

struct iot_park {
	struct iot_out *out;  /* keeps errors; the temporary file is in its directory */
	struct iot_out *file; /* NULL until it is needed */
	guint8 *top;	      /* [base, base + used) */
	gsize used, size;
	guint64 base;
	guint8 *back; /* buffer for reading from the file */
	gsize back_size;
	const char *what; /* for messages: "the SLOG2 tree" */
};

/**
 * iot_park_init - an empty stack
 * @bytes: memory for the top; a larger push gets more
 * @what: for messages, "the SLOG2 tree"; not copied
 */
void iot_park_init(struct iot_park *park, struct iot_out *out, gsize bytes, const char *what);
void iot_park_clear(struct iot_park *park);

/**
 * iot_park_push - add @len bytes on top, for the caller to fill
 *
 * Returns NULL after an error. Valid until the next push.
 */
gpointer iot_park_push(struct iot_park *park, gsize len);
/**
 * iot_park_at - @len bytes at @offset: those of one push, or of adjacent pushes that fit into
 * memory
 *
 * Returns NULL after an error. Valid until the next call.
 */
gconstpointer iot_park_at(struct iot_park *park, guint64 offset, gsize len);
/** iot_park_cut - remove all bytes from @offset on */
void iot_park_cut(struct iot_park *park, guint64 offset);
/** iot_park_end - the offset of the next push */
static inline guint64 iot_park_end(const struct iot_park *park)
{
	return park->base + park->used;
}

#endif
