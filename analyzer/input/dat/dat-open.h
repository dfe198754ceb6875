/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening a trace-cmd file: its start, its metadata (dat-v6.c, dat-v7.c), its page sizes. */
#ifndef IOT_INPUT_DAT_DAT_OPEN_H
#define IOT_INPUT_DAT_DAT_OPEN_H

#include "input/dat/dat-file.h"

/** iot_dat_file_probe - whether a file that starts with these @len bytes is a trace-cmd file */
gboolean iot_dat_file_probe(const guint8 *head, gsize len);
/**
 * iot_dat_file_open - open a file and read all its metadata
 *
 * Returns NULL and IOT_ERROR_INPUT, with a sentence that names the file, if nothing in it is
 * usable. Free with iot_dat_file_free().
 */
struct iot_dat_file *iot_dat_file_open(const char *path, GError **error);

#endif
