/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stands for input/pcp/ in a program that is built without libpcp: it says so. */
#include "base/error.h"
#include "input/pcp-files.h"
#include "input/source.h"

static struct iot_source *missing_open(const struct iot_input_spec *spec, GError **error)
{
	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
		    "%s is of a PCP archive, and this program was built without libpcp; install "
		    "libpcp3-dev and build it again",
		    spec->path);
	return NULL;
}

const struct iot_source_ops iot_source_pcp = {
	.name = "pcp",
	.probe = iot_pcp_probe,
	.first_part = iot_pcp_first_part,
	.open = missing_open,
};
