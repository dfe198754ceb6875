/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "language/address.h"
#include "base/digits.h"
#include "base/units.h"

#include <arpa/inet.h>
#include <string.h>

/* Families and places as in Linux, whatever system reads the recording. */
enum { UNIX = 1, IPV4 = 2, IPV6 = 10 };
enum { AT_PORT = 2, AT_IPV4 = 4, END_IPV4 = 8, AT_IPV6 = 8, END_IPV6 = 24, AT_PATH = 2 };

/* The family is in the order of the recorded machine; the smallness of the number shows which. */
static guint family_of(const guint8 *bytes, gsize len)
{
	if (len < 2)
		return 0;
	return bytes[0] && bytes[1] ? 0 : (guint)bytes[0] | bytes[1];
}

static guint port_of(const guint8 *bytes)
{
	return (guint)bytes[AT_PORT] << 8 | bytes[AT_PORT + 1];
}

guint32 iot_address_text(struct iot_intern *strings, guint32 number)
{
	gsize len;
	const char *text = iot_intern_get(strings, number, &len);
	const guint8 *bytes = (const guint8 *)text;
	char host[INET6_ADDRSTRLEN];
	g_autofree char *out = NULL;

	switch (family_of(bytes, len)) {
	case UNIX:
		/* a path ends at a NUL; an abstract name begins with one */
		out = iot_escape_bytes(text + AT_PATH, strnlen(text + AT_PATH, len - AT_PATH));
		break;
	case IPV4:
		if (len >= END_IPV4 && inet_ntop(AF_INET, bytes + AT_IPV4, host, sizeof(host)))
			out = g_strdup_printf("%s:%u", host, port_of(bytes));
		break;
	case IPV6:
		if (len >= END_IPV6 && inet_ntop(AF_INET6, bytes + AT_IPV6, host, sizeof(host)))
			out = g_strdup_printf("[%s]:%u", host, port_of(bytes));
		break;
	default:
		break;
	}
	return out ? iot_intern_str(strings, out) : 0;
}

guint32 iot_ip_text(struct iot_intern *strings, guint32 number)
{
	static const guint8 mapped[] = { [10] = 0xff, [11] = 0xff };
	gsize len;
	const char *text = iot_intern_get(strings, number, &len);
	guint8 parsed[sizeof(struct in6_addr)];
	char out[INET6_ADDRSTRLEN];
	gboolean is_ipv4 = len == sizeof(struct in_addr);

	/* text recordings have no bytes; interned texts end with a NUL */
	if (!memchr(text, 0, len) &&
	    (inet_pton(AF_INET, text, parsed) == 1 || inet_pton(AF_INET6, text, parsed) == 1))
		return number;
	if (len == sizeof(struct in6_addr) && !memcmp(text, mapped, sizeof(mapped))) {
		text += sizeof(mapped);
		is_ipv4 = TRUE;
	} else if (!is_ipv4 && len != sizeof(struct in6_addr)) {
		return 0;
	}
	return iot_intern_str(strings,
			      inet_ntop(is_ipv4 ? AF_INET : AF_INET6, text, out, sizeof(out)));
}
