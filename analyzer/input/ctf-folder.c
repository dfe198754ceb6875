/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/ctf-folder.h"
#include "base/units.h"

#include <stdio.h>
#include <string.h>

enum { MAX_DEPTH = 8 };

static const char text_magic[] = "/* CTF";

gboolean iot_ctf_is_packet(const guint8 *at, gsize len, gboolean *out_big)
{
	static const guint8 little[] = { 0x57, 0x1d, 0xd1, 0x75 },
			    big[] = { 0x75, 0xd1, 0x1d, 0x57 };

	*out_big = len >= sizeof(big) && !memcmp(at, big, sizeof(big));
	return *out_big || (len >= sizeof(little) && !memcmp(at, little, sizeof(little)));
}

static gboolean is_metadata(const char *path)
{
	char head[sizeof(text_magic) - 1] = "";
	gboolean big;
	FILE *file;
	gsize n;

	if (!g_file_test(path, G_FILE_TEST_IS_REGULAR))
		return FALSE;
	file = fopen(path, "re");
	if (!file)
		return FALSE;
	n = fread(head, 1, sizeof(head), file);
	fclose(file);
	return n == sizeof(head) && (!memcmp(head, text_magic, sizeof(head)) ||
				     iot_ctf_is_packet((const guint8 *)head, n, &big));
}

static void find_traces(GPtrArray *traces, const char *folder, guint depth)
{
	g_autofree char *metadata = g_build_filename(folder, "metadata", NULL);
	const char *name;
	GDir *dir;

	if (is_metadata(metadata)) {
		g_ptr_array_add(traces, g_strdup(folder));
		return;
	}
	dir = depth < MAX_DEPTH ? g_dir_open(folder, 0, NULL) : NULL;
	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *below = g_build_filename(folder, name, NULL);

		if (g_file_test(below, G_FILE_TEST_IS_DIR) &&
		    !g_file_test(below, G_FILE_TEST_IS_SYMLINK))
			find_traces(traces, below, depth + 1);
	}
	if (dir)
		g_dir_close(dir);
}

static int by_name(gconstpointer a, gconstpointer b)
{
	return iot_natural_compare(*(const char *const *)a, *(const char *const *)b);
}

GPtrArray *iot_ctf_traces(const char *folder)
{
	GPtrArray *traces = g_ptr_array_new_with_free_func(g_free);

	find_traces(traces, folder, 0);
	g_ptr_array_sort(traces, by_name);
	return traces;
}

gboolean iot_ctf_is_folder(const char *path)
{
	g_autoptr(GPtrArray) traces = iot_ctf_traces(path);

	return traces->len > 0;
}

char *iot_ctf_first_part(const char *path)
{
	g_autofree char *name = g_path_get_basename(path);

	return !strcmp(name, "metadata") && is_metadata(path) ? g_path_get_dirname(path) : NULL;
}

int iot_ctf_probe(const char *path, const guint8 *head, gsize len)
{
	(void)path, (void)head, (void)len;
	return 0;
}
