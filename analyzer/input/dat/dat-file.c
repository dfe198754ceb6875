/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/dat/dat-file.h"
#include "input/source.h"
#include "base/error.h"
#include "base/fault.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_CPUS = 8192, MAX_OVERLAP = 8, MIN_ALIGNMENT = 4096 };

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
	/*
	 * An impossible entry. Data begin at a multiple of the page size, so an area that begins
	 * elsewhere and is not in the file was not merely cut off; and at 0 the file itself begins.
	 * A damaged table may also refer very many CPUs to the same bytes: areas of a good table do
	 * not overlap; some may, so that one wrong size does not cost the data of the other CPUs.
	 */
	if (!offset || (area.cut && offset % MIN_ALIGNMENT) || buffer->areas->len >= MAX_CPUS ||
	    area.size > MAX_OVERLAP * file->size - file->area_bytes) {
		iot_diag_add(&file->diag, IOT_DIAG_option_damaged, 1);
		return TRUE;
	}
	iot_diag_add(&file->diag, IOT_DIAG_file_cut, area.cut);
	file->area_bytes += area.size;
	g_array_append_val(buffer->areas, area);
	return TRUE;
}

struct iot_dat_file *iot_dat_file_new(const char *path, GError **error)
{
	g_autoptr(iot_dat_file) file = g_new0(struct iot_dat_file, 1);
	struct stat st;

	file->path = g_strdup(path);
	file->buffers = g_ptr_array_new_with_free_func(buffer_free);
	file->formats = g_array_new(FALSE, TRUE, sizeof(struct iot_dat_format));
	file->systems = g_ptr_array_new();
	file->blobs = g_ptr_array_new_with_free_func(g_free);
	file->guest_ids = g_array_new(FALSE, FALSE, sizeof(guint64));
	file->vcpus = iot_vcpus_new();
	file->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (file->fd < 0 || fstat(file->fd, &st)) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT, "%s: cannot be opened: %s", path,
			    g_strerror(errno));
		return NULL;
	}
	file->size = (guint64)st.st_size;
	return g_steal_pointer(&file);
}

gboolean iot_dat_file_has_event(const struct iot_dat_file *file, const char *system,
				const char *name)
{
	for (guint i = 0; i < file->formats->len; i++) {
		const struct iot_dat_format *format =
			&g_array_index(file->formats, struct iot_dat_format, i);

		if (!strcmp(format->system, system) && !strcmp(format->name, name))
			return TRUE;
	}
	return FALSE;
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
	g_array_unref(file->vcpus);
	g_free(file->compressor);
	g_free(file->hostname);
	g_free(file->kernel);
	g_free(file->trace_clock);
	g_free(file->commands);
	g_free(file->path);
	g_free(file);
}
