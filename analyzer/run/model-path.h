/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where models are found by name: the folders in IOTRACE_MODELS (separated by colons), then
 * ../share/iotrace/models beside the folder of the program. So an installed tree may be moved, and
 * the build tree has the same shape.
 */
#ifndef IOT_RUN_MODEL_PATH_H
#define IOT_RUN_MODEL_PATH_H

#include <glib.h>

/**
 * iot_model_find - the file of a model; the caller frees
 * @name: "dlm", or a file: anything with a slash or the suffix .model is taken as it is
 *
 * NULL and an IOT_ERROR_USAGE that lists the models if there is none of that name.
 */
char *iot_model_find(const char *name, GError **error);
/** iot_model_names - names of all models that can be found, sorted, NULL-terminated; free with
 * g_strfreev */
char **iot_model_names(void);

#endif
