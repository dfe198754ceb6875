/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/dat/dat-salvage.h"
#include "input/dat/dat-pages.h"

enum { CHUNK_COUNT_SIZE = 4 };

struct salvage {
	struct iot_dat_file *file;
	struct iot_dat_buffer *buffer;
	struct iot_dat_area area; /* grows with each page */
	guint64 last_ts;
};

static void end_area(struct salvage *s)
{
	if (s->area.size)
		g_array_append_val(s->buffer->areas, s->area);
	s->area = (struct iot_dat_area){ .cpu = s->buffer->areas->len };
	s->last_ts = 0;
}

static void add_page(struct salvage *s, const struct iot_dat_page *page)
{
	guint64 end = s->area.offset + s->area.size, first, last;

	if (!iot_ring_page_plausible(&s->file->layout, page->data, page->len, &first, &last))
		return;
	/* the chunks of each CPU begin with their number */
	if (s->area.size && page->from >= end &&
	    (first < s->last_ts || (s->buffer->compressed && page->from == end + CHUNK_COUNT_SIZE)))
		end_area(s);
	if (!s->area.size)
		s->area.offset = page->from;
	s->area.size = page->to - s->area.offset;
	s->last_ts = last;
}

gboolean iot_dat_salvage(struct iot_dat_file *file, guint64 offset, gboolean compressed,
			 GError **error)
{
	guint32 page_size = file->ring_page_size ? file->ring_page_size : file->header_page_size;
	struct iot_dat_buffer all = { .page_size = page_size, .compressed = compressed };
	struct iot_dat_area area = { 0 };
	g_autoptr(iot_dat_pages) pages = NULL;
	struct salvage s = { .file = file };
	struct iot_diag unused = { 0 };
	struct iot_dat_page page;
	enum iot_dat_next next;

	if (page_size < 512 || (page_size & (page_size - 1)))
		all.page_size = page_size = 4096;
	if (!compressed && file->header_page_size)
		offset = (offset + file->header_page_size - 1) / file->header_page_size *
			 file->header_page_size;
	if (offset >= file->size)
		return TRUE;
	area.offset = offset;
	area.size = file->size - offset;
	s.buffer = iot_dat_add_buffer(file, "");
	s.buffer->compressed = compressed;
	s.buffer->page_size = page_size;
	s.buffer->clock = g_strdup(file->trace_clock);
	pages = iot_dat_pages_new(file, &all, &area, &unused, NULL);
	while ((next = iot_dat_pages_next(pages, &page, error)) == IOT_DAT_PAGE)
		add_page(&s, &page);
	if (next == IOT_DAT_ERROR)
		return FALSE;
	/* the search ended in the middle of the data of this CPU */
	s.area.cut = TRUE;
	end_area(&s);
	if (s.buffer->areas->len)
		iot_diag_add(&file->diag, IOT_DIAG_file_salvaged, 1);
	else
		g_ptr_array_set_size(file->buffers, 0);
	return TRUE;
}
