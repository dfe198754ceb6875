/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Folders of CTF traces, in every build. The names of their events and fields: tests/readers. */
#include "unit.h"

#include <glib/gstdio.h>

#include "input/ctf-folder.h"
#include "input/source.h"

static void make(const char *folder, const char *name, const void *data, gssize len)
{
	g_autofree char *dir = g_build_filename(folder, name, NULL);
	g_autofree char *path = g_build_filename(dir, "metadata", NULL);

	CU_ASSERT_EQUAL_FATAL(g_mkdir_with_parents(dir, 0777), 0);
	CU_ASSERT_TRUE_FATAL(g_file_set_contents(path, data, len, NULL));
}

static void remove_folder(const char *folder)
{
	g_autofree char *command = g_strdup_printf("rm -r '%s'", folder);

	CU_ASSERT_TRUE(g_spawn_command_line_sync(command, NULL, NULL, NULL, NULL));
}

UNIT_TEST(traces_are_found_at_any_depth)
{
	g_autofree char *folder = g_dir_make_tmp("ctf-XXXXXX", NULL);
	g_autoptr(GPtrArray) traces = NULL;
	g_autofree char *metadata = g_build_filename(folder, "kernel", "metadata", NULL);
	g_autofree char *first = NULL, *other = NULL;

	make(folder, "ust/uid/1000", "\x75\x1d\xd1\x57", 4);
	make(folder, "notes", "no trace", -1);
	CU_ASSERT_FALSE(iot_source_is_folder(folder));
	make(folder, "ust/uid/1000", "\x57\x1d\xd1\x75 little", -1);
	make(folder, "ust/uid/1001", "\x75\xd1\x1d\x57 big", -1);
	make(folder, "kernel", "/* CTF 1.8 */", -1);
	CU_ASSERT_TRUE(iot_source_is_folder(folder));
	CU_ASSERT_FALSE(iot_source_is_folder(metadata));
	traces = iot_ctf_traces(folder);
	CU_ASSERT_EQUAL_FATAL(traces->len, 3);
	CU_ASSERT_TRUE(g_str_has_suffix(traces->pdata[0], "/kernel"));
	CU_ASSERT_TRUE(g_str_has_suffix(traces->pdata[1], "/ust/uid/1000"));
	CU_ASSERT_TRUE(g_str_has_suffix(traces->pdata[2], "/ust/uid/1001"));
	first = iot_source_first_part(metadata);
	CU_ASSERT_TRUE(first && g_str_has_suffix(first, "/kernel"));
	other = iot_source_first_part(first);
	CU_ASSERT_PTR_NULL(other);
	remove_folder(folder);
}
