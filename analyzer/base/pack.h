/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State as bytes that do not depend on the machine: whole numbers of variable length (seven bits in
 * a byte, the lowest first), and byte strings with their length. Input is never trusted: after the
 * first contradiction the reader is "bad" and returns 0. So callers check now and then, and before
 * they use a number as an index.
 */
#ifndef IOT_BASE_PACK_H
#define IOT_BASE_PACK_H

#include "base/diag.h"

/** iot_pack_uint - append a number */
void iot_pack_uint(GByteArray *out, guint64 value);
/** iot_pack_bytes - append the length and the bytes */
void iot_pack_bytes(GByteArray *out, const void *data, gsize len);
/** iot_pack_diag - append all counters */
void iot_pack_diag(GByteArray *out, const struct iot_diag *diag);

struct iot_unpack {
	const guint8 *p, *end;
	gboolean bad;
};

static inline struct iot_unpack iot_unpack_init(const void *data, gsize len)
{
	return (struct iot_unpack){ .p = data, .end = (const guint8 *)data + len };
}

/** iot_unpack_uint - a number of at most @max */
guint64 iot_unpack_uint(struct iot_unpack *in, guint64 max);
/** iot_unpack_count - how many elements follow, each of at least one byte */
guint32 iot_unpack_count(struct iot_unpack *in);
/** iot_unpack_bytes - where the bytes are; NULL and no length if bad */
const guint8 *iot_unpack_bytes(struct iot_unpack *in, gsize *out_len);
void iot_unpack_diag(struct iot_unpack *in, struct iot_diag *diag);
/** iot_unpack_fail - something was found to be wrong; returns FALSE */
gboolean iot_unpack_fail(struct iot_unpack *in);
/** iot_unpack_end - all was read, and all was good */
gboolean iot_unpack_end(const struct iot_unpack *in);

#endif
