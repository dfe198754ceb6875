/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Socket addresses as the kernel records them: the bytes of a struct sockaddr. */
#ifndef IOT_LANGUAGE_ADDRESS_H
#define IOT_LANGUAGE_ADDRESS_H

#include "base/intern.h"

/**
 * iot_address_text - "192.168.1.2:2049", "[fe80::1]:2049", or the path of a Unix socket
 * @bytes: number of the recorded bytes in @strings
 *
 * Returns the number of the text in @strings; equal addresses have equal texts, however many bytes
 * follow them. 0, the empty text, if the bytes hold no such address. Pipeline thread only.
 */
guint32 iot_address_text(struct iot_intern *strings, guint32 bytes);

/**
 * iot_ip_text - "192.168.1.2" of 4 bytes, "fe80::1" of 16, "192.168.1.2" of 16 that are an IPv4
 * address mapped to IPv6 (RFC 4291, 2.5.5.2); a text that is an address stays as it is
 *
 * As iot_address_text.
 */
guint32 iot_ip_text(struct iot_intern *strings, guint32 bytes);

#endif
