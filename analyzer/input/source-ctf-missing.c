/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stands for input/ctf/ in a program that is built without libbabeltrace2: it says so. */
#include "base/error.h"
#include "input/ctf-folder.h"
#include "input/source.h"

static struct iot_source *missing_open(const struct iot_input_spec *spec, GError **error)
{
	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
		    "%s is a CTF trace, and this program was built without libbabeltrace2; install "
		    "libbabeltrace2-dev and build it again",
		    spec->path);
	return NULL;
}

const struct iot_source_ops iot_source_ctf = {
	.name = "ctf",
	.probe = iot_ctf_probe,
	.is_folder = iot_ctf_is_folder,
	.first_part = iot_ctf_first_part,
	.open = missing_open,
};
