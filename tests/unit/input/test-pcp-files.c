/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of PCP archives, in every build. What is in them: tests/readers. */
#include "unit.h"

#include <glib/gstdio.h>

#include "input/pcp-files.h"
#include "input/source.h"

static const guint8 label[] = { 0, 0, 0, 0x84, 0x50, 0x05, 0x26, 2 };

static char *make(const char *folder, const char *name, gsize len)
{
	char *path = g_build_filename(folder, name, NULL);

	CU_ASSERT_TRUE_FATAL(g_file_set_contents(path, (const char *)label, (gssize)len, NULL));
	return path;
}

static void belongs(const char *path, const char *meta)
{
	g_autofree char *first = iot_source_first_part(path);

	CU_ASSERT_STRING_EQUAL(first ? first : "none", meta ? meta : "none");
}

UNIT_TEST(every_file_belongs_to_its_archive)
{
	g_autofree char *folder = g_dir_make_tmp("pcp-XXXXXX", NULL);
	g_autofree char *meta = make(folder, "20261128.00.10.meta", sizeof(label)),
			*first = make(folder, "20261128.00.10.0", sizeof(label)),
			*packed = make(folder, "20261128.00.10.12.xz", 3),
			*index = make(folder, "20261128.00.10.index", sizeof(label)),
			*other = make(folder, "20261128.0", sizeof(label)),
			*note = make(folder, "20261128.00.10.txt", 1);
	g_autofree char *name = g_build_filename(folder, "20261128.00.10", NULL);
	guint volumes;

	belongs(meta, meta);
	belongs(first, meta);
	belongs(packed, meta);
	belongs(index, meta);
	/* the tools of PCP take the name, which is no file */
	belongs(name, meta);
	belongs(note, NULL);
	/* another archive, whose descriptions are missing */
	belongs(other, NULL);
	CU_ASSERT_EQUAL(iot_pcp_bytes(name, &volumes), sizeof(label) + 3);
	CU_ASSERT_EQUAL(volumes, 2);
	g_remove(meta), g_remove(first), g_remove(packed), g_remove(index), g_remove(other);
	belongs(name, NULL);
	g_remove(note), g_rmdir(folder);
}

UNIT_TEST(a_label_is_known_by_its_version)
{
	guint8 head[sizeof(label)];

	memcpy(head, label, sizeof(head));
	CU_ASSERT_EQUAL(iot_pcp_probe("a.0", head, sizeof(head)), 100);
	CU_ASSERT_EQUAL(iot_pcp_probe("a.0", head, sizeof(head) - 1), 0);
	head[7] = 3;
	CU_ASSERT_EQUAL(iot_pcp_probe("a.0", head, sizeof(head)), 100);
	head[7] = 4;
	CU_ASSERT_EQUAL(iot_pcp_probe("a.0", head, sizeof(head)), 0);
}
