/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Colours by name, as 0xRRGGBB. */
#ifndef IOT_BASE_COLOUR_H
#define IOT_BASE_COLOUR_H

#include <glib.h>

/** iot_colour_parse - a name ("mode-ex", "orange", "dark-red") or "#rrggbb"; for a light background
 */
gboolean iot_colour_parse(const char *text, guint32 *out_rgb, GError **error);
/** iot_colour_auto - a readable colour for the @n-th value without one; the same on every run */
guint32 iot_colour_auto(guint n);
/** iot_colour_pale - a light tint of a colour, for what should not outweigh the rest */
guint32 iot_colour_pale(guint32 rgb);
/** iot_colour_on_dark - what to draw instead of @rgb on a dark background; mostly @rgb itself */
guint32 iot_colour_on_dark(guint32 rgb);
/** iot_colour_256 - the nearest of the 256 colours of terminals: of the cube or of the greys */
guint iot_colour_256(guint32 rgb);

#endif
