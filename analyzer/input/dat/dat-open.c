/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/dat/dat-open.h"
#include "input/dat/dat-pages.h"
#include "input/dat/dat-v6.h"
#include "input/dat/dat-v7.h"
#include "base/error.h"
#include "base/units.h"

#include <string.h>

#define MAGIC "\x17\x08\x44tracing"
enum { MAGIC_SIZE = 10, HEAD_SIZE = 512 };

gboolean iot_dat_file_probe(const guint8 *head, gsize len)
{
	return len >= MAGIC_SIZE && !memcmp(head, MAGIC, MAGIC_SIZE);
}

static gboolean is_page_size(guint32 size)
{
	return size >= 512 && size <= 16 << 20 && !(size & (size - 1));
}

static gboolean check_start(struct iot_dat_file *file, struct iot_bytes *b, GError **error)
{
	const char *what = NULL;

	if (b->bad)
		what = "is cut off in its first bytes; copy it again";
	else if (file->version != 6 && file->version != 7)
		what = "has a version of the format that is not known (6 and 7 are); convert it "
		       "with "
		       "\"trace-cmd convert --file-version 7\"";
	else if (strcmp(file->compressor, "none") && strcmp(file->compressor, "zstd"))
		what = "is compressed by a method that is not known (zstd is); convert it with "
		       "\"trace-cmd convert --compression none\"";
	if (!what)
		return TRUE;
	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT, "%s %s", file->path, what);
	return FALSE;
}

/* Read the start of the file; only its last three fields depend on the version. */
static gboolean read_start(struct iot_dat_file *file, guint64 *next, guint64 *options,
			   GError **error)
{
	guint8 head[HEAD_SIZE];
	struct iot_bytes b;
	const char *text;
	const guint8 *p;
	gsize got;

	if (!iot_dat_file_read(file, 0, head, sizeof(head), &got, error))
		return FALSE;
	if (!iot_dat_file_probe(head, got)) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT, "%s is not a trace-cmd recording",
			    file->path);
		return FALSE;
	}
	iot_bytes_init(&b, head + MAGIC_SIZE, got - MAGIC_SIZE, FALSE);
	text = iot_bytes_str(&b);
	file->version = strlen(text) == 1 ? g_ascii_digit_value(*text) : -1;
	p = iot_bytes_take(&b, 2);
	file->layout.big_endian = b.big_endian = p && p[0] == 1;
	file->long_size = p && p[1] == 4 ? 4 : 8;
	file->layout.commit_size = file->long_size;
	file->header_page_size = iot_bytes_u32(&b);
	file->compressor = g_strdup(file->version == 7 ? iot_bytes_str(&b) : "none");
	if (file->version == 7) {
		iot_bytes_str(&b);
		*options = iot_bytes_u64(&b);
	}
	*next = (guint64)(b.p - head);
	return check_start(file, &b, error);
}

/*
 * Sub-buffers may be larger than a page (Linux 6.8), and the three records of their size may
 * disagree. Then the data decide: the smallest size that makes the first two pages plausible.
 */
static gboolean choose_page_size(struct iot_dat_file *file, struct iot_dat_buffer *buffer,
				 GError **error)
{
	guint32 stated = buffer->page_size, best = 0;
	guint32 sizes[] = { stated, file->ring_page_size, file->header_page_size };

	if (is_page_size(stated) && (!file->ring_page_size || file->ring_page_size == stated))
		return TRUE;
	for (guint i = 0; i < G_N_ELEMENTS(sizes) && buffer->areas->len; i++) {
		gboolean fits;

		if (!is_page_size(sizes[i]) || (best && sizes[i] >= best))
			continue;
		buffer->page_size = sizes[i];
		if (!iot_dat_pages_fit(file, buffer, &fits, error))
			return FALSE;
		if (fits)
			best = sizes[i];
	}
	for (guint i = 0; i < G_N_ELEMENTS(sizes) && !best; i++)
		best = is_page_size(sizes[i]) ? sizes[i] : 0;
	buffer->page_size = best ? best : 4096;
	if (buffer->page_size != stated)
		iot_diag_add(&file->diag, IOT_DIAG_option_damaged, 1);
	return TRUE;
}

static gboolean check_use(const struct iot_dat_file *file, GError **error)
{
	gboolean any = FALSE;

	for (guint i = 0; i < file->buffers->len; i++) {
		const struct iot_dat_buffer *buffer = file->buffers->pdata[i];

		any |= buffer->areas->len > 0;
	}
	if (!file->buffers->len && file->latency_text)
		g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
			    "%s holds the text of a latency tracer and no events; record with "
			    "\"trace-cmd record -e ...\"",
			    file->path);
	else if (!file->buffers->len)
		g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
			    "%s holds no event data: the recording was not finished, or the file "
			    "is cut "
			    "off; try \"trace-cmd restore\", copy it again, or record again",
			    file->path);
	else if (any && !file->formats->len)
		g_set_error(
			error, IOT_ERROR, IOT_ERROR_INPUT,
			"%s has lost its event formats, so no event can be read; copy it again or "
			"record again",
			file->path);
	else
		return TRUE;
	return FALSE;
}

struct iot_dat_file *iot_dat_file_open(const char *path, GError **error)
{
	g_autoptr(iot_dat_file) file = iot_dat_file_new(path, error);
	guint64 next = 0, options = 0;

	if (!file || !read_start(file, &next, &options, error))
		return NULL;
	if (!(file->version == 6 ? iot_dat_open_v6(file, next, error)
				 : iot_dat_open_v7(file, next, options, error)))
		return NULL;
	for (guint i = 0; i < file->buffers->len; i++)
		if (!choose_page_size(file, file->buffers->pdata[i], error))
			return NULL;
	if (!check_use(file, error))
		return NULL;
	g_ptr_array_sort(file->systems, iot_texts_compare);
	g_ptr_array_add(file->systems, NULL);
	return g_steal_pointer(&file);
}
