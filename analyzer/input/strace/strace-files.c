/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <string.h>

#include "input/strace/strace-files.h"

struct iot_strace_files *iot_strace_files_new(const char *log, struct iot_intern *strings)
{
	struct iot_strace_files *files = g_new0(struct iot_strace_files, 1);

	files->strings = strings;
	files->named = g_hash_table_new(NULL, NULL);
	files->fds = iot_descriptors_new();
	files->log = iot_hash_bytes(log, strlen(log));
	files->path = g_string_new(NULL);
	return files;
}

void iot_strace_files_free(struct iot_strace_files *files)
{
	if (!files)
		return;
	g_hash_table_unref(files->named);
	iot_descriptors_free(files->fds);
	g_string_free(files->path, TRUE);
	g_free(files);
}

guint32 iot_strace_files_number(struct iot_strace_files *files)
{
	return iot_intern_bytes(files->strings, files->path->str, files->path->len);
}

gint64 iot_strace_files_inode(const struct iot_strace_files *files)
{
	guint64 hash = iot_hash_bytes(files->path->str, files->path->len);

	return (gint64)(iot_hash_mix(files->log, hash) >> 1 | 1);
}

/* "/dev/null<char 1:3>" without its number. */
static struct iot_strace_text without_device(struct iot_strace_text path)
{
	static const char *const kinds[] = { "<char ", "<block " };

	for (guint i = 0; i < G_N_ELEMENTS(kinds); i++) {
		const char *at = memmem(path.text, path.len, kinds[i], strlen(kinds[i]));

		if (at && path.text[path.len - 1] == '>')
			path.len = (gsize)(at - path.text);
	}
	return path;
}

gboolean iot_strace_files_find(struct iot_strace_files *files, struct iot_strace_text arg)
{
	struct iot_strace_text path = iot_strace_path(arg);
	guint32 number;
	gint64 fd;

	if (path.text) {
		files->names = TRUE;
		g_string_truncate(files->path, 0);
		iot_strace_unescape(without_device(path), files->path);
		return TRUE;
	}
	if (g_str_has_prefix(arg.text, "AT_FDCWD"))
		fd = AT_FDCWD;
	else if (!iot_strace_int(arg, &fd))
		return FALSE;
	number = files->names ? 0 : iot_descriptors_path(files->fds, files->tgid, fd);
	g_string_assign(files->path, number ? iot_intern_get(files->strings, number, NULL) : "");
	return number != 0;
}
