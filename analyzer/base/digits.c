/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/digits.h"

#include <string.h>

/* Numbers below 1000: as three digits with leading zeros, and without, with the number of digits.
 */
#define THREE(a, b, c)                    \
	{                                 \
		'0' + a, '0' + b, '0' + c \
	}
#define LEADING(a, b, c) (a ? a : b ? b : c)
#define LENGTH(a, b)	 (a ? 3 : b ? 2 : 1)
#define FIRST(a, b, c)                                                           \
	{                                                                        \
		'0' + LEADING(a, b, c), '0' + (a ? b : c), '0' + c, LENGTH(a, b) \
	}
#define TEN(ONE, a, b)                                                                      \
	ONE(a, b, 0), ONE(a, b, 1), ONE(a, b, 2), ONE(a, b, 3), ONE(a, b, 4), ONE(a, b, 5), \
		ONE(a, b, 6), ONE(a, b, 7), ONE(a, b, 8), ONE(a, b, 9)
#define HUNDRED(ONE, a)                                                                 \
	TEN(ONE, a, 0), TEN(ONE, a, 1), TEN(ONE, a, 2), TEN(ONE, a, 3), TEN(ONE, a, 4), \
		TEN(ONE, a, 5), TEN(ONE, a, 6), TEN(ONE, a, 7), TEN(ONE, a, 8), TEN(ONE, a, 9)
#define THOUSAND_OF(ONE)                                                                     \
	HUNDRED(ONE, 0), HUNDRED(ONE, 1), HUNDRED(ONE, 2), HUNDRED(ONE, 3), HUNDRED(ONE, 4), \
		HUNDRED(ONE, 5), HUNDRED(ONE, 6), HUNDRED(ONE, 7), HUNDRED(ONE, 8),          \
		HUNDRED(ONE, 9)

const char iot_digits_firsts[IOT_DIGITS_FEW][4] = { THOUSAND_OF(FIRST) };
static const char threes[IOT_DIGITS_FEW][4] = { THOUSAND_OF(THREE) };

static inline char *put_three(char *p, guint64 value)
{
	memcpy(p, threes[value], 4);
	return p + 3;
}

/*
 * A number as a fixed-point fraction of 1000, 1000^2 or 1000^3. Its first digits are the integer
 * part, and multiplying by 1000 moves the next three there: one multiplication, where a division
 * takes two and a subtraction. The fraction is too great by less than value / 2^64, which must stay
 * below one part of the power.
 */
typedef unsigned __int128 fixed;

enum { THOUSAND = 1000, MILLION = 1000000, MILLIARD = 1000000000 };

#define FRACTION(value, power) ((fixed)(value) * (G_MAXUINT64 / (power) + 1))

/* The next three digits of a fraction. */
static inline char *put_next(char *p, fixed *x)
{
	*x = (fixed)(guint64)*x * THOUSAND;
	return put_three(p, (guint64)(*x >> 64));
}

/* A division of 32 bits by a constant needs a product of 64 bits, in any register, so an inlining
 * caller need not save one. */
char *iot_digits_nine(char *p, guint32 value)
{
	guint32 below = value % MILLION;

	p = put_three(p, value / MILLION);
	return put_three(put_three(p, below / THOUSAND), below % THOUSAND);
}

/* Not inlined, so that shorter numbers need no stack. */
static G_GNUC_NO_INLINE char *put_long(char *p, guint64 value)
{
	p = iot_digits(p, value / MILLIARD);
	return iot_digits_nine(p, (guint32)(value % MILLIARD));
}

char *iot_digits_many(char *p, guint64 value)
{
	fixed x;

	if (value < MILLION) {
		x = FRACTION(value, THOUSAND);
		return put_next(iot_digits_few(p, (guint64)(x >> 64)), &x);
	}
	if (value < MILLIARD) {
		x = FRACTION(value, MILLION);
		return put_next(put_next(iot_digits_few(p, (guint64)(x >> 64)), &x), &x);
	}
	if (value < (guint64)1 << 34) {
		x = FRACTION(value, MILLIARD);
		p = put_next(iot_digits_few(p, (guint64)(x >> 64)), &x);
		return put_next(put_next(p, &x), &x);
	}
	return put_long(p, value);
}

char *iot_digits_seconds(char *p, guint64 ns)
{
	p = iot_digits(p, ns / MILLIARD);
	*p++ = '.';
	return iot_digits_nine(p, (guint32)(ns % MILLIARD));
}
