/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A window of the file that moves over the data of one CPU, and the compressed chunks in it. One
 * thread at a time; different windows in different threads.
 */
#ifndef IOT_INPUT_DAT_DAT_WINDOW_H
#define IOT_INPUT_DAT_DAT_WINDOW_H

#include "input/dat/dat-file.h"

struct iot_dat_window {
	const struct iot_dat_file *file;
	guint64 pos,
		end; /* offsets in the file of data[at], and of the end of the area or its cut */
	guint8 *data;
	gsize at, have, size; /* bytes consumed, filled, allocated */
	gsize usual;	      /* bytes to read at once if no more are needed */
};

/* The header of a chunk. */
struct iot_dat_chunk {
	guint32 packed, unpacked; /* bytes */
};

enum {
	IOT_DAT_CHUNK_HEADER = 8,
	IOT_DAT_CHUNK_START = IOT_DAT_CHUNK_HEADER + 4, /* and the magic number of zstd */
	IOT_DAT_CHUNK_MAX = 16 << 20, /* unpacked; trace-cmd packs ten pages at once */
};

/** iot_dat_window_init - a window at the start of @area; @file must outlive it */
void iot_dat_window_init(struct iot_dat_window *window, const struct iot_dat_file *file,
			 const struct iot_dat_area *area, gsize page_size);
/** iot_dat_window_clear - free the buffer */
void iot_dat_window_clear(struct iot_dat_window *window);
/** iot_dat_window_fetch - the slow path of iot_dat_window_fill: read from the file */
gboolean iot_dat_window_fetch(struct iot_dat_window *window, gsize need, gboolean *out_cut,
			      GError **error);
/** iot_dat_window_go - skip @n bytes, which need not be in the window */
void iot_dat_window_go(struct iot_dat_window *window, guint64 n);

/** iot_dat_window_left - bytes in the window that are not consumed */
static inline gsize iot_dat_window_left(const struct iot_dat_window *window)
{
	return window->have - window->at;
}

/**
 * iot_dat_window_fill - have at least @need bytes in the window, or the whole rest of the area
 * @out_cut: set if the file is shorter than when it was opened
 */
static inline gboolean iot_dat_window_fill(struct iot_dat_window *window, gsize need,
					   gboolean *out_cut, GError **error)
{
	return G_LIKELY(iot_dat_window_left(window) >= need) ||
	       iot_dat_window_fetch(window, need, out_cut, error);
}

/** iot_dat_window_chunk - the header of the chunk that begins here; FALSE if it cannot be one */
gboolean iot_dat_window_chunk(const struct iot_dat_window *window, struct iot_dat_chunk *out);
/**
 * iot_dat_window_search - bytes to the next possible start of a chunk, or to the place from which
 * to search again with more bytes in the window
 */
gsize iot_dat_window_search(const struct iot_dat_window *window);
/**
 * iot_dat_unpack - unpack the chunk that begins at @pos of the file
 * @out_good: the chunk is undamaged and as long as its header says
 *
 * FALSE without memory. Any thread.
 */
gboolean iot_dat_unpack(const struct iot_dat_file *file, guint64 pos, const guint8 *packed,
			const struct iot_dat_chunk *chunk, guint8 *to, gboolean *out_good,
			GError **error);

#endif
