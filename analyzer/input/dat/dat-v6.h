/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening version 6: no sections, every part follows the one before. */
#ifndef IOT_INPUT_DAT_DAT_V6_H
#define IOT_INPUT_DAT_DAT_V6_H

#include "input/dat/dat-file.h"

/**
 * iot_dat_open_v6 - read metadata and CPU tables
 * @offset: of the first byte after the start of the file
 *
 * FALSE only for errors of the system; a file in which nothing is usable has no buffers.
 */
gboolean iot_dat_open_v6(struct iot_dat_file *file, guint64 offset, GError **error);

#endif
