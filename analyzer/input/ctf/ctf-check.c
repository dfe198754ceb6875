/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/ctf/ctf-check.h"
#include "base/error.h"
#include "input/ctf-folder.h"

#include <string.h>

/*
 * The head of a metadata packet: u32 magic, uuid[16], u32 checksum, u32 bits of the content with
 * the head, u32 bits of the packet, then five bytes: compression, encryption, checksum, version.
 */
enum { CONTENT_AT = 24, PACKET_AT = 28, HEAD_BYTES = 37 };

static guint32 number(const guint8 *at, gboolean big)
{
	guint32 value;

	memcpy(&value, at, sizeof(value));
	return big ? GUINT32_FROM_BE(value) : GUINT32_FROM_LE(value);
}

/* The bytes of the packet at the begin of @at; 0: it is not whole. */
static gsize packet_bytes(const guint8 *at, gsize len)
{
	gsize content, packet;
	gboolean big;

	if (len < HEAD_BYTES || !iot_ctf_is_packet(at, len, &big))
		return 0;
	content = number(at + CONTENT_AT, big) / 8;
	packet = number(at + PACKET_AT, big) / 8;
	return content >= HEAD_BYTES && content <= packet && packet <= len ? packet : 0;
}

gboolean iot_ctf_check(const char *path, const char *trace, GError **error)
{
	g_autofree char *file = g_build_filename(trace, "metadata", NULL), *data = NULL;
	const guint8 *at;
	gsize len, bytes;

	if (!g_file_get_contents(file, &data, &len, NULL)) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT, "%s: %s cannot be read", path, file);
		return FALSE;
	}
	at = (const guint8 *)data;
	if (len && *at == '/') /* text without packets */
		return TRUE;
	for (; len; at += bytes, len -= bytes) {
		bytes = packet_bytes(at, len);
		if (bytes)
			continue;
		g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
			    "%s: this CTF trace is damaged: %s is cut or has a packet that is none",
			    path, file);
		return FALSE;
	}
	return TRUE;
}
