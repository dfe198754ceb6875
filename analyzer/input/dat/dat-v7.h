/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening version 7: sections that a chain of options sections lists. */
#ifndef IOT_INPUT_DAT_DAT_V7_H
#define IOT_INPUT_DAT_DAT_V7_H

#include "input/dat/dat-file.h"

/**
 * iot_dat_open_v7 - read metadata and CPU tables
 * @offset: of the first byte after the start of the file
 * @options: offset of the first options section
 *
 * FALSE only for errors of the system; a file in which nothing is usable has no buffers.
 */
gboolean iot_dat_open_v7(struct iot_dat_file *file, guint64 offset, guint64 options,
			 GError **error);

#endif
