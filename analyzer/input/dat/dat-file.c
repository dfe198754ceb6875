/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/dat/dat-file.h"
#include "base/error.h"
#include "base/fault.h"
#include "input/dat/dat-pages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC "\x17\x08\x44tracing"
enum { MAGIC_SIZE = 10, HEAD_SIZE = 512, MAX_CPUS = 8192, MAX_OVERLAP = 8, MIN_ALIGNMENT = 4096 };

gboolean iot_dat_file_probe(const guint8 *head, gsize len)
{
	return len >= MAGIC_SIZE && !memcmp(head, MAGIC, MAGIC_SIZE);
}

gboolean iot_dat_file_read(const struct iot_dat_file *file, guint64 offset, void *data, gsize len,
			   gsize *out_got, GError **error)
{
	gsize got = 0;

	while (got < len && offset + got < file->size) {
		gssize n = -1;

		errno = EIO;
		if (!iot_fault_hit(IOT_FAULT_READ))
			n = pread(file->fd, (guint8 *)data + got, len - got, (off_t)(offset + got));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
				    "%s: cannot be read at byte %" G_GUINT64_FORMAT ": %s",
				    file->path, offset + got, g_strerror(errno));
			return FALSE;
		}
		if (!n)
			break;
		got += (gsize)n;
	}
	*out_got = got;
	return TRUE;
}

static void buffer_free(gpointer data)
{
	struct iot_dat_buffer *buffer = data;

	g_free(buffer->name);
	g_free(buffer->clock);
	g_array_unref(buffer->areas);
	g_free(buffer);
}

struct iot_dat_buffer *iot_dat_add_buffer(struct iot_dat_file *file, const char *name)
{
	struct iot_dat_buffer *buffer;

	/* the top buffer may be described several times: the last one holds */
	if (!*name && file->buffers->len) {
		buffer = file->buffers->pdata[0];
		if (!*buffer->name) {
			g_array_set_size(buffer->areas, 0);
			g_clear_pointer(&buffer->clock, g_free);
			return buffer;
		}
	}
	buffer = g_new0(struct iot_dat_buffer, 1);
	buffer->name = g_strdup(name);
	buffer->page_size = file->header_page_size;
	buffer->areas = g_array_new(FALSE, TRUE, sizeof(struct iot_dat_area));
	g_ptr_array_insert(file->buffers, *name ? -1 : 0, buffer);
	return buffer;
}

/*
 * Whether an entry of a CPU table cannot be. Data begin at a multiple of the page size, so what
 * begins elsewhere and is not in the file was not merely cut off; and at 0 the file itself begins.
 * A damaged table may also send very many CPUs to the same bytes: areas of a good one do not
 * overlap; some are allowed to, so that one wrong size does not cost the data of the other CPUs.
 */
static gboolean is_nonsense(const struct iot_dat_file *file, const struct iot_dat_buffer *buffer,
			    const struct iot_dat_area *area, guint64 offset)
{
	return !offset || (area->cut && offset % MIN_ALIGNMENT) || buffer->areas->len >= MAX_CPUS ||
	       area->size > MAX_OVERLAP * file->size - file->area_bytes;
}

gboolean iot_dat_add_area(struct iot_dat_file *file, struct iot_dat_buffer *buffer, guint32 cpu,
			  guint64 offset, guint64 size, GError **error)
{
	struct iot_dat_area area = { .cpu = cpu, .offset = offset, .size = size };
	guint8 count[4];
	gsize got = 0;

	if (!size)
		return TRUE;
	if (buffer->compressed) {
		if (!iot_dat_file_read(file, offset, count, sizeof(count), &got, error))
			return FALSE;
		area.n_chunks = got == 4 ? iot_load_u32(count, file->layout.big_endian) : 0;
		area.offset = offset > G_MAXUINT64 - 4 ? offset : offset + 4;
	}
	if (area.offset > file->size || size > file->size - area.offset) {
		area.offset = MIN(area.offset, file->size);
		area.size = file->size - area.offset;
		area.cut = TRUE;
	}
	if (is_nonsense(file, buffer, &area, offset)) {
		iot_diag_add(&file->diag, IOT_DIAG_option_damaged, 1);
		return TRUE;
	}
	iot_diag_add(&file->diag, IOT_DIAG_file_cut, area.cut);
	file->area_bytes += area.size;
	g_array_append_val(buffer->areas, area);
	return TRUE;
}

static struct iot_dat_file *file_new(const char *path, GError **error)
{
	g_autoptr(iot_dat_file) file = g_new0(struct iot_dat_file, 1);
	struct stat st;

	file->path = g_strdup(path);
	file->buffers = g_ptr_array_new_with_free_func(buffer_free);
	file->formats = g_array_new(FALSE, TRUE, sizeof(struct iot_dat_format));
	file->systems = g_ptr_array_new();
	file->blobs = g_ptr_array_new_with_free_func(g_free);
	file->guest_ids = g_array_new(FALSE, FALSE, sizeof(guint64));
	file->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (file->fd < 0 || fstat(file->fd, &st)) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT, "%s: cannot be opened: %s", path,
			    g_strerror(errno));
		return NULL;
	}
	file->size = (guint64)st.st_size;
	return g_steal_pointer(&file);
}

void iot_dat_file_free(struct iot_dat_file *file)
{
	if (!file)
		return;
	if (file->fd >= 0)
		close(file->fd);
	iot_clock_clear(&file->clock);
	g_ptr_array_unref(file->buffers);
	g_ptr_array_unref(file->systems);
	g_ptr_array_unref(file->blobs);
	g_array_unref(file->formats);
	g_array_unref(file->guest_ids);
	g_free(file->compressor);
	g_free(file->hostname);
	g_free(file->kernel);
	g_free(file->trace_clock);
	g_free(file->commands);
	g_free(file->path);
	g_free(file);
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

/* The start of the file, the same in both versions but for the last three fields. */
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
 * Sub-buffers may be bigger than a page (Linux 6.8), and the places that tell their size may
 * disagree. Then the data decide: the smallest size that makes the first two pages plausible.
 */
static gboolean choose_page_size(struct iot_dat_file *file, struct iot_dat_buffer *buffer,
				 GError **error)
{
	guint32 told = buffer->page_size, best = 0;
	guint32 sizes[] = { told, file->ring_page_size, file->header_page_size };

	if (is_page_size(told) && (!file->ring_page_size || file->ring_page_size == told))
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
	if (buffer->page_size != told)
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

static gint compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

struct iot_dat_file *iot_dat_file_open(const char *path, GError **error)
{
	g_autoptr(iot_dat_file) file = file_new(path, error);
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
	g_ptr_array_sort(file->systems, compare_names);
	g_ptr_array_add(file->systems, NULL);
	return g_steal_pointer(&file);
}
