/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The last event of one CPU, found by reading only the end of its data. */
#ifndef IOT_INPUT_DAT_DAT_LAST_H
#define IOT_INPUT_DAT_DAT_LAST_H

#include "input/dat/dat-file.h"

/**
 * iot_dat_last - the raw time of the last event of @area
 * @out_raw: 0 if it is not known: the end of the data is damaged, or has no event
 *
 * FALSE only for errors of the system.
 */
gboolean iot_dat_last(const struct iot_dat_file *file, const struct iot_dat_buffer *buffer,
		      const struct iot_dat_area *area, guint64 *out_raw, GError **error);

#endif
