/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers as text, for outputs that write millions of numbers. Each function writes at @p, up to
 * three bytes more than it needs, and returns the end; no NUL is written. Any thread.
 */
#ifndef IOT_BASE_DIGITS_H
#define IOT_BASE_DIGITS_H

#include <glib.h>
#include <string.h>

enum {
	IOT_DIGITS_ROOM = 24,  /* room for any number */
	IOT_DIGITS_FEW = 1000, /* numbers below have at most three digits */
};

/* The digits of these numbers, and how many. */
extern const char iot_digits_firsts[IOT_DIGITS_FEW][4];

/** iot_digits_few - a number below IOT_DIGITS_FEW */
static inline char *iot_digits_few(char *p, guint64 value)
{
	guint32 four;

	/* Four bytes are moved with one instruction; the caller overwrites the excess. */
	memcpy(&four, iot_digits_firsts[value], sizeof(four));
	memcpy(p, &four, sizeof(four));
	return p + (GUINT32_FROM_LE(four) >> 24);
}

/** iot_digits_many - any other number */
char *iot_digits_many(char *p, guint64 value);

/** iot_digits - a decimal number; most are small: rows, processes, results */
static inline char *iot_digits(char *p, guint64 value)
{
	return value < IOT_DIGITS_FEW ? iot_digits_few(p, value) : iot_digits_many(p, value);
}

/** iot_digits_nine - a number below 10^9 as nine digits, with leading zeros */
char *iot_digits_nine(char *p, guint32 value);
/** iot_digits_seconds - ns as seconds with nine decimals */
char *iot_digits_seconds(char *p, guint64 ns);

#endif
