/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/pack.h"

void iot_pack_uint(GByteArray *out, guint64 value)
{
	guint8 bytes[10];
	guint n = 0;

	for (; value >= 0x80; value >>= 7)
		bytes[n++] = (guint8)(value | 0x80);
	bytes[n++] = (guint8)value;
	g_byte_array_append(out, bytes, n);
}

void iot_pack_bytes(GByteArray *out, const void *data, gsize len)
{
	iot_pack_uint(out, len);
	g_byte_array_append(out, data, (guint)len);
}

void iot_pack_diag(GByteArray *out, const struct iot_diag *diag)
{
	for (guint i = 0; i < IOT_DIAG_COUNT; i++)
		iot_pack_uint(out, diag->count[i]);
}

gboolean iot_unpack_fail(struct iot_unpack *in)
{
	in->bad = TRUE;
	return FALSE;
}

guint64 iot_unpack_uint(struct iot_unpack *in, guint64 max)
{
	guint64 value = 0;

	for (guint shift = 0; !in->bad; shift += 7) {
		guint8 byte;

		if (in->p == in->end || shift > 63)
			break;
		byte = *in->p++;
		if (shift == 63 && byte > 1)
			break;
		value |= (guint64)(byte & 0x7f) << shift;
		if (byte & 0x80)
			continue;
		if (value <= max)
			return value;
		break;
	}
	in->bad = TRUE;
	return 0;
}

guint32 iot_unpack_count(struct iot_unpack *in)
{
	return (guint32)iot_unpack_uint(in, MIN((gsize)(in->end - in->p), G_MAXUINT32));
}

const guint8 *iot_unpack_bytes(struct iot_unpack *in, gsize *out_len)
{
	const guint8 *data;

	*out_len = iot_unpack_count(in);
	/* the length itself took some of the bytes that the count was judged by */
	if (*out_len > (gsize)(in->end - in->p))
		in->bad = TRUE;
	if (in->bad) {
		*out_len = 0;
		return NULL;
	}
	data = in->p;
	in->p += *out_len;
	return data;
}

void iot_unpack_diag(struct iot_unpack *in, struct iot_diag *diag)
{
	for (guint i = 0; i < IOT_DIAG_COUNT; i++)
		diag->count[i] = iot_unpack_uint(in, G_MAXUINT64);
}

gboolean iot_unpack_end(const struct iot_unpack *in)
{
	return !in->bad && in->p == in->end;
}
