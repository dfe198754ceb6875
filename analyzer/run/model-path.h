/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The search path of models: the folders in IOTRACE_MODELS (separated by colons), then
 * ../share/iotrace/models relative to the folder of the program. So an installed tree may be moved,
 * and the build tree works like it.
 */
#ifndef IOT_RUN_MODEL_PATH_H
#define IOT_RUN_MODEL_PATH_H

#include "language/model-file.h"

/**
 * iot_model_find - find the file of a model; the caller frees the path
 * @name: "dlm", or a path: a name with a slash or the suffix .model is returned unchanged
 *
 * NULL and an IOT_ERROR_USAGE that lists the models if no model has that name.
 */
char *iot_model_find(const char *name, GError **error);
/** iot_model_names - names of all models on the search path, sorted; free with g_strfreev */
char **iot_model_names(void);
typedef gboolean (*iot_system_func)(gconstpointer inputs, const char *system);
/** iot_model_files - the parsed files (struct iot_model_file) of the models @names, a list that
 * may be empty: of those models on the search path for whose system @has_system(@inputs) is TRUE */
GPtrArray *iot_model_files(const GPtrArray *names, iot_system_func has_system, gconstpointer inputs,
			   GError **error);
/** iot_model_list - a line for each of them: name, title, system of its events and file, separated
 * by tabs; "-" in a file that is no model. The caller frees */
char *iot_model_list(void);

#endif
