/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pages of one CPU in the order of the file, unpacked if they are compressed. Memory is one
 * window of the file and one chunk. Each reader has its own file position, so different threads may
 * read different CPUs, and other threads may prefetch for a reader (dat-ahead.h).
 */
#ifndef IOT_INPUT_DAT_DAT_PAGES_H
#define IOT_INPUT_DAT_DAT_PAGES_H

#include "input/dat/dat-file.h"

struct iot_dat_pages;

/**
 * iot_dat_pages_new - read @area of @buffer; both must outlive the reader
 * @diag: counts damage
 * @consumed: bytes of the file that were consumed are added here, atomically; may be NULL
 */
struct iot_dat_pages *iot_dat_pages_new(const struct iot_dat_file *file,
					const struct iot_dat_buffer *buffer,
					const struct iot_dat_area *area, struct iot_diag *diag,
					guint64 *consumed);
/** iot_dat_pages_free - accepts NULL; no thread may prefetch for the reader any more */
void iot_dat_pages_free(struct iot_dat_pages *pages);
typedef struct iot_dat_pages iot_dat_pages;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_dat_pages, iot_dat_pages_free)

enum iot_dat_next { IOT_DAT_PAGE, IOT_DAT_END, IOT_DAT_ERROR };

/* Valid until the next call. */
struct iot_dat_page {
	const guint8 *data;
	gsize len;	  /* less than a page if the data were cut */
	guint64 next_ts;  /* raw time in the header of the next page; 0 if not known */
	guint64 after_ts; /* the same of the page after the next one */
	gboolean skipped; /* unreadable data were skipped before this page or the end */
	guint64 from, to; /* offsets of the page, or of its whole chunk, in the file */
};

/** iot_dat_pages_next - read the next page; at the end only page->skipped is set */
enum iot_dat_next iot_dat_pages_next(struct iot_dat_pages *pages, struct iot_dat_page *page,
				     GError **error);

/**
 * iot_dat_pages_ahead - prefetch for the thread that reads
 * @n_groups: see iot_dat_ahead_work
 *
 * FALSE if there is nothing to do now. Any thread, while the reader exists.
 */
gboolean iot_dat_pages_ahead(struct iot_dat_pages *pages, gint *n_groups);

/* A position of reading. */
struct iot_dat_mark {
	guint64 pos;	  /* offset in the file of the next page, or of the current chunk */
	guint64 chunk_at; /* offset of the next page in that chunk */
	guint32 n_chunks;
	gboolean in_chunk, skipped, ended, damaged;
};

/**
 * iot_dat_pages_tell - get the position of reading
 * @back: length of the last page to return it again, or 0
 *
 * FALSE if the file has changed since it was opened.
 */
gboolean iot_dat_pages_tell(const struct iot_dat_pages *pages, gsize back,
			    struct iot_dat_mark *out_mark);
/** iot_dat_pages_seek - resume at a mark, once, before reading; FALSE if there is no such place */
gboolean iot_dat_pages_seek(struct iot_dat_pages *pages, const struct iot_dat_mark *mark,
			    GError **error);

/** iot_dat_pages_fit - whether the first two pages of @buffer are plausible with its page size */
gboolean iot_dat_pages_fit(const struct iot_dat_file *file, const struct iot_dat_buffer *buffer,
			   gboolean *out_fits, GError **error);

#endif
