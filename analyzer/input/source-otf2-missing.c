/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stands for input/otf2/ in a program that is built without libotf2: it says so. */
#include <string.h>

#include "base/error.h"
#include "input/source.h"

static int missing_probe(const char *path, const guint8 *head, gsize len)
{
	return len >= 6 && !memcmp(head + 2, "OTF2", 4) && g_str_has_suffix(path, ".otf2") ? 100
											   : 0;
}

/* As in input/otf2/source-otf2.c: a folder is known by the file in it. */
static char *missing_first_part(const char *path)
{
	return g_str_has_suffix(path, ".otf2") && g_file_test(path, G_FILE_TEST_IS_REGULAR)
		       ? g_strdup(path)
		       : NULL;
}

static struct iot_source *missing_open(const struct iot_input_spec *spec, GError **error)
{
	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
		    "%s is an OTF2 archive, and this program was built without libotf2; install "
		    "libopen-trace-format2-dev and build it again",
		    spec->path);
	return NULL;
}

const struct iot_source_ops iot_source_otf2 = {
	.name = "otf2",
	.probe = missing_probe,
	.first_part = missing_first_part,
	.open = missing_open,
};
