/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers as text, for outputs that write millions of them. Each function writes at @p, up to three
 * bytes more than it needs, and returns the end; no 0 is put there. Any thread.
 */
#ifndef IOT_BASE_DIGITS_H
#define IOT_BASE_DIGITS_H

#include <glib.h>

/* Room for what any of them writes. */
enum { IOT_DIGITS_ROOM = 24 };

/** iot_digits - a decimal number */
char *iot_digits(char *p, guint64 value);
/** iot_digits_nine - nine digits of a number that has no more, with zeros in front */
char *iot_digits_nine(char *p, guint64 value);
/** iot_digits_seconds - ns as seconds with nine decimals */
char *iot_digits_seconds(char *p, guint64 ns);

#endif
