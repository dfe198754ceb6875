/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The values that come with an event of a CLOG2 file, as text. Any thread. */
#ifndef IOT_INPUT_CLOG2_CARGO_H
#define IOT_INPUT_CLOG2_CARGO_H

#include <glib.h>

enum { IOT_CLOG2_CARGO_SIZE = 32 };

/**
 * iot_clog2_cargo - append the values of @data as @format says: "step=%d name=%s"
 * @data: IOT_CLOG2_CARGO_SIZE bytes, of which those behind the last value are garbage
 *
 * Values are in MPE's order of bytes, whatever the order in the file is. A value that is not whole
 * ends the text.
 */
void iot_clog2_cargo(const char *format, const guint8 *data, GString *out);

#endif
