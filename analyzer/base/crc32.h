/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The CRC-32 of Ethernet, zlib and dlm_controld: reflected, polynomial 0xedb88320. */
#ifndef IOT_BASE_CRC32_H
#define IOT_BASE_CRC32_H

#include <glib.h>

/** iot_crc32 - the checksum of some bytes, continuing from @crc (0 at the beginning) */
guint32 iot_crc32(guint32 crc, const void *data, gsize len);

#endif
