/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/digits.h"

#include <string.h>

/* What is below 1000: three digits, and how many of them are leading zeros. */
#define ONE(a, b, c)                                         \
	{                                                    \
		'0' + a, '0' + b, '0' + c, a ? 0 : b ? 1 : 2 \
	}
#define TEN(a, b)                                                                           \
	ONE(a, b, 0), ONE(a, b, 1), ONE(a, b, 2), ONE(a, b, 3), ONE(a, b, 4), ONE(a, b, 5), \
		ONE(a, b, 6), ONE(a, b, 7), ONE(a, b, 8), ONE(a, b, 9)
#define HUNDRED(a)                                                                              \
	TEN(a, 0), TEN(a, 1), TEN(a, 2), TEN(a, 3), TEN(a, 4), TEN(a, 5), TEN(a, 6), TEN(a, 7), \
		TEN(a, 8), TEN(a, 9)

static const char threes[1000][4] = { HUNDRED(0), HUNDRED(1), HUNDRED(2), HUNDRED(3), HUNDRED(4),
				      HUNDRED(5), HUNDRED(6), HUNDRED(7), HUNDRED(8), HUNDRED(9) };

/* Moves of four bytes are one instruction; what is too much is overwritten by what comes next. */
static inline char *put_first(char *p, guint64 value)
{
	guint64 zeros = (guint64)threes[value][3];

	memcpy(p, (const char *)threes + 4 * value + zeros, 4);
	return p + 3 - zeros;
}

static inline char *put_three(char *p, guint64 value)
{
	memcpy(p, threes[value], 4);
	return p + 3;
}

/*
 * A number as a fixed-point fraction of 1000, 1000^2 or 1000^3: what is left of the point are its
 * first digits, and times 1000 the next three get there. That is one multiplication, where a
 * division would take two and a subtraction. The fraction is too great by less than value / 2^64,
 * which must not make one part of the power.
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

char *iot_digits_nine(char *p, guint64 value)
{
	fixed x = FRACTION(value, MILLION);

	p = put_three(p, (guint64)(x >> 64));
	return put_next(put_next(p, &x), &x);
}

/* Kept apart, so that the others need no stack. */
static G_GNUC_NO_INLINE char *put_long(char *p, guint64 value)
{
	p = iot_digits(p, value / MILLIARD);
	return iot_digits_nine(p, value % MILLIARD);
}

/* Most numbers are small: rows, processes, results. */
char *iot_digits(char *p, guint64 value)
{
	fixed x;

	if (value < THOUSAND)
		return put_first(p, value);
	if (value < MILLION) {
		x = FRACTION(value, THOUSAND);
		return put_next(put_first(p, (guint64)(x >> 64)), &x);
	}
	if (value < MILLIARD) {
		x = FRACTION(value, MILLION);
		return put_next(put_next(put_first(p, (guint64)(x >> 64)), &x), &x);
	}
	if (value < (guint64)1 << 34) {
		x = FRACTION(value, MILLIARD);
		p = put_next(put_first(p, (guint64)(x >> 64)), &x);
		return put_next(put_next(p, &x), &x);
	}
	return put_long(p, value);
}

char *iot_digits_seconds(char *p, guint64 ns)
{
	p = iot_digits(p, ns / MILLIARD);
	*p++ = '.';
	return iot_digits_nine(p, ns % MILLIARD);
}
