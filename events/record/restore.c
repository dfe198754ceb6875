/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "restore.h"
#include "record-folder.h"
#include "input/bytes.h"
#include "input/dat/dat-open.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* formats of all events and symbols of the kernel, not compressed */
static const guint64 metadata_bytes = 32 << 20;

static char *restored_path(const char *folder, const struct rec_machine *machine)
{
	g_autofree char *name = g_strconcat("restored-", machine->file, NULL);

	return g_build_filename(folder, name, NULL);
}

char **rec_restore_command(const char *folder, const struct rec_machine *machine)
{
	g_autoptr(GPtrArray) raw = rec_folder_leftovers(folder, machine);
	GPtrArray *argv;
	char *begun;

	if (!rec_folder_raw(folder, machine))
		return NULL;
	argv = g_ptr_array_new();
	g_ptr_array_add(argv, g_strdup("trace-cmd"));
	g_ptr_array_add(argv, g_strdup("restore"));
	begun = g_build_filename(folder, machine->file, NULL);
	/* the formats of another machine are in the file that was begun; of this one they are here
	 */
	if (machine->transport != REC_HERE && g_file_test(begun, G_FILE_TEST_EXISTS)) {
		g_ptr_array_add(argv, g_strdup("-i"));
		g_ptr_array_add(argv, begun);
	} else {
		g_free(begun);
	}
	g_ptr_array_add(argv, g_strdup("-o"));
	g_ptr_array_add(argv, restored_path(folder, machine));
	for (guint i = 0; i < raw->len; i++)
		g_ptr_array_add(argv, g_strdup(raw->pdata[i]));
	g_ptr_array_add(argv, NULL);
	return (char **)g_ptr_array_free(argv, FALSE);
}

gboolean rec_restore(const char *folder, const struct rec_machine *machine)
{
	g_auto(GStrv) argv = rec_restore_command(folder, machine);
	g_autoptr(GPtrArray) raw = rec_folder_leftovers(folder, machine);
	g_autofree char *from = restored_path(folder, machine);
	g_autofree char *to = g_build_filename(folder, machine->file, NULL);
	int status;

	/* empty files, of processors whose buffers were not full */
	for (guint i = 0; !argv && i < raw->len; i++)
		g_unlink(raw->pdata[i]);
	if (!argv || rec_folder_free(folder) < rec_folder_raw(folder, machine) + metadata_bytes)
		return FALSE;
	if (!g_spawn_sync(NULL, argv, NULL,
			  G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL |
				  G_SPAWN_STDERR_TO_DEV_NULL,
			  NULL, NULL, NULL, NULL, &status, NULL) ||
	    status != 0 || g_rename(from, to) != 0) {
		g_unlink(from);
		return FALSE;
	}
	for (guint i = 0; i < raw->len; i++)
		g_unlink(raw->pdata[i]);
	return TRUE;
}

static char *kept_path(const char *folder, const char *raw)
{
	g_autofree char *name = g_path_get_basename(raw), *kept = g_strconcat("kept-", name, NULL);

	return g_build_filename(folder, kept, NULL);
}

void rec_join_begin(const char *folder, const struct rec_machine *machine)
{
	g_autoptr(GPtrArray) raw = rec_folder_leftovers(folder, machine);

	for (guint i = 0; i < raw->len; i++) {
		g_autofree char *kept = kept_path(folder, raw->pdata[i]);

		/* a file system without links has only what trace-cmd leaves */
		if (link(raw->pdata[i], kept))
			g_debug("%s: no link", kept);
	}
}

/* Bytes of the chunks that are in the file whole, before compression. */
static guint64 unpacked_bytes(const struct iot_dat_file *file, const struct iot_dat_area *area)
{
	const gboolean big = file->layout.big_endian;
	guint64 at = area->offset, end = MIN(area->offset + area->size, file->size), bytes = 0;
	guint8 head[8]; /* size in the file, and size of its pages */
	gsize got;

	while (at < end && iot_dat_file_read(file, at, head, sizeof(head), &got, NULL) &&
	       got == sizeof(head)) {
		at += sizeof(head) + iot_load_u32(head, big);
		if (at > end)
			break;
		bytes += iot_load_u32(head + 4, big);
	}
	return bytes;
}

/* Bytes of all pages in a recording; a page for each area more, because a raw file may end with a
 * part of a page. */
static guint64 joined_bytes(const char *path)
{
	g_autoptr(iot_dat_file) file = iot_dat_file_open(path, NULL);
	guint64 bytes = 0;

	for (guint i = 0; file && i < file->buffers->len; i++) {
		const struct iot_dat_buffer *buffer = file->buffers->pdata[i];

		for (guint k = 0; k < buffer->areas->len; k++) {
			const struct iot_dat_area *area =
				&g_array_index(buffer->areas, struct iot_dat_area, k);

			bytes += buffer->compressed ? unpacked_bytes(file, area)
				 : area->cut	    ? 0
						    : area->size;
			bytes += buffer->page_size;
		}
	}
	return bytes;
}

void rec_join_end(const char *folder, const struct rec_machine *machine)
{
	g_autofree char *path = g_build_filename(folder, machine->file, NULL);
	g_autofree char *prefix = g_strconcat("kept-", machine->file, NULL);
	g_autoptr(GPtrArray) kept = rec_folder_find(folder, prefix);
	gboolean whole = joined_bytes(path) >= rec_folder_bytes(kept);

	/* the formats of another machine are in no other file */
	if (!whole && machine->transport == REC_HERE)
		g_unlink(path);
	for (guint i = 0; i < kept->len; i++) {
		g_autofree char *name = g_path_get_basename(kept->pdata[i]);
		g_autofree char *raw = g_build_filename(folder, name + strlen("kept-"), NULL);

		/* a rename of a file to its own other name does nothing */
		if (whole || g_file_test(raw, G_FILE_TEST_EXISTS) || g_rename(kept->pdata[i], raw))
			g_unlink(kept->pdata[i]);
	}
}
