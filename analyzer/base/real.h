/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Real numbers (IEEE 754 doubles) as values of 64 bits, and as text. */
#ifndef IOT_BASE_REAL_H
#define IOT_BASE_REAL_H

#include <glib.h>
#include <string.h>

/** IOT_REAL_ROOM - enough for any real number as text, and the end of the text */
enum { IOT_REAL_ROOM = G_ASCII_DTOSTR_BUF_SIZE };

/** iot_real_bits - the number as a value: of a slot, a table, an attribute */
static inline guint64 iot_real_bits(gdouble real)
{
	guint64 bits;

	memcpy(&bits, &real, sizeof(bits));
	return bits;
}

/** iot_real_of - the number of such a value */
static inline gdouble iot_real_of(guint64 bits)
{
	gdouble real;

	memcpy(&real, &bits, sizeof(real));
	return real;
}

/** iot_real_text - the shortest decimal text from which the same number is read; returns @text,
 * which has IOT_REAL_ROOM bytes. A whole number has no point: "18", but "-0.0"; others are as
 * printf's %g */
const char *iot_real_text(char *text, gdouble real);

/**
 * iot_real_parse - whether @len characters are a decimal number: digits, a point or an exponent or
 * both, perhaps a sign. "inf" and "nan" are none
 * @out: the nearest double, infinite if there is none
 */
gboolean iot_real_parse(const char *text, gsize len, gdouble *out);

#endif
