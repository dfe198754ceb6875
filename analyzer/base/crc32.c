/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/crc32.h"

/* Bit by bit: it is asked for short texts only. */
guint32 iot_crc32(guint32 crc, const void *data, gsize len)
{
	const guint8 *p = data;

	crc = ~crc;
	for (gsize i = 0; i < len; i++) {
		crc ^= p[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	}
	return ~crc;
}
