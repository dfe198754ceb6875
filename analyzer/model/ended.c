/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/ended.h"

enum { N_ENDED = 4096 };

struct iot_ended {
	guint64 hash, ns;
};

static struct iot_ended *slot(const struct iot_object_kind *kind, guint64 hash)
{
	return &kind->ended[hash % N_ENDED];
}

void iot_ended_note(struct iot_object_kind *kind, guint64 hash, guint64 ns)
{
	if (!kind->ended)
		kind->ended = g_new0(struct iot_ended, N_ENDED);
	*slot(kind, hash) = (struct iot_ended){ hash, MAX(ns, 1) };
}

gboolean iot_ended_since(const struct iot_object_kind *kind, guint64 hash, guint64 since)
{
	return kind->ended && slot(kind, hash)->ns && slot(kind, hash)->hash == hash &&
	       slot(kind, hash)->ns >= since;
}

gsize iot_ended_memory(const struct iot_object_kind *kind)
{
	return kind->ended ? N_ENDED * sizeof(*kind->ended) : 0;
}

void iot_ended_save(const struct iot_object_kind *kind, GByteArray *out)
{
	for (guint i = 0; kind->ended && i < N_ENDED; i++) {
		if (!kind->ended[i].ns)
			continue;
		iot_pack_uint(out, kind->ended[i].ns);
		iot_pack_uint(out, kind->ended[i].hash);
	}
	iot_pack_uint(out, 0);
}

gboolean iot_ended_load(struct iot_object_kind *kind, struct iot_unpack *in)
{
	guint64 ns;

	while ((ns = iot_unpack_uint(in, G_MAXUINT64)))
		iot_ended_note(kind, iot_unpack_uint(in, G_MAXUINT64), ns);
	return !in->bad;
}
