/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "input/pcp-files.h"

static const char meta_suffix[] = ".meta", index_suffix[] = ".index";

/* Length of a label, then its magic number, whose last byte is the version. Big endian. */
enum { LABEL_HEAD = 8, VERSION_2 = 2, VERSION_3 = 3 };

static gboolean is_label(const guint8 *head, gsize len)
{
	static const guint8 magic[] = { 0x50, 0x05, 0x26 };

	return len >= LABEL_HEAD && !head[0] && !head[1] &&
	       !memcmp(head + 4, magic, sizeof(magic)) &&
	       (head[7] == VERSION_2 || head[7] == VERSION_3);
}

int iot_pcp_probe(const char *path, const guint8 *head, gsize len)
{
	(void)path;
	return is_label(head, len) ? 100 : 0;
}

static gboolean begins_with_label(const char *path)
{
	guint8 head[LABEL_HEAD];
	FILE *file = g_file_test(path, G_FILE_TEST_IS_REGULAR) ? fopen(path, "re") : NULL;
	gsize n;

	if (!file)
		return FALSE;
	n = fread(head, 1, sizeof(head), file);
	fclose(file);
	return is_label(head, n);
}

/* The suffix after NAME in the name of a volume: ".12", perhaps with that of a compression.
 * NULL: it is none. */
static const char *volume_suffix(const char *path)
{
	static const char *const packed[] = { "", ".xz", ".zst", ".gz", ".bz2", ".lzma" };
	const char *file = strrchr(path, '/');
	const char *dot = strchr(file ? file : path, '.');

	for (; dot; dot = strchr(dot + 1, '.')) {
		gsize digits = strspn(dot + 1, "0123456789");

		for (guint i = 0; digits && i < G_N_ELEMENTS(packed); i++)
			if (!strcmp(dot + 1 + digits, packed[i]))
				return dot;
	}
	return NULL;
}

char *iot_pcp_name(const char *path)
{
	const char *volume = volume_suffix(path);

	if (g_str_has_suffix(path, meta_suffix))
		return g_strndup(path, strlen(path) - strlen(meta_suffix));
	if (g_str_has_suffix(path, index_suffix))
		return g_strndup(path, strlen(path) - strlen(index_suffix));
	return volume ? g_strndup(path, (gsize)(volume - path)) : g_strdup(path);
}

char *iot_pcp_first_part(const char *path)
{
	gboolean is_file = g_file_test(path, G_FILE_TEST_EXISTS);
	/* names are often dates, "20261128.00.10", and only look like volumes */
	g_autofree char *name = is_file ? iot_pcp_name(path) : g_strdup(path);
	g_autofree char *meta = g_strconcat(name, meta_suffix, NULL);

	if (is_file && !strcmp(name, path))
		return NULL;
	return begins_with_label(meta) ? g_steal_pointer(&meta) : NULL;
}

guint64 iot_pcp_bytes(const char *name, guint *out_volumes)
{
	g_autofree char *folder = g_path_get_dirname(name), *base = g_path_get_basename(name);
	GDir *dir = g_dir_open(folder, 0, NULL);
	const char *file;
	guint64 bytes = 0;

	*out_volumes = 0;
	while (dir && (file = g_dir_read_name(dir))) {
		const char *suffix = volume_suffix(file);
		g_autofree char *path = g_build_filename(folder, file, NULL);
		struct stat st;

		if (!suffix || (gsize)(suffix - file) != strlen(base) ||
		    strncmp(file, base, strlen(base)) || stat(path, &st))
			continue;
		bytes += (guint64)st.st_size;
		++*out_volumes;
	}
	g_clear_pointer(&dir, g_dir_close);
	return bytes;
}
