/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/node-gap.h"

#include <string.h>

static void make_item(const struct iot_node_gap *gap, guint64 end_ns, struct iot_item *item)
{
	memset(item, 0, sizeof(*item));
	item->t0 = gap->t0;
	item->t1 = end_ns;
	iot_gap_set(item, gap->node, gap->lost_unknown ? IOT_LOST_UNKNOWN : gap->lost);
}

void iot_node_gap_begin(struct iot_node_gap *gap, guint64 ts, guint64 lost)
{
	if (!gap->depth++) {
		gap->t0 = ts;
		gap->lost = 0;
		gap->lost_unknown = FALSE;
	}
	if (lost == G_MAXUINT64)
		gap->lost_unknown = TRUE;
	else
		gap->lost += lost;
}

gboolean iot_node_gap_end(struct iot_node_gap *gap, guint64 ts, struct iot_item *out_item)
{
	if (!gap->depth || --gap->depth)
		return FALSE;
	make_item(gap, ts, out_item);
	return TRUE;
}

gboolean iot_node_gap_unfinished(const struct iot_node_gap *gap, guint64 end_ns,
				 struct iot_item *out_item)
{
	if (!gap->depth)
		return FALSE;
	make_item(gap, MAX(end_ns, gap->t0), out_item);
	return TRUE;
}

void iot_node_gap_save(const struct iot_node_gap *gap, GByteArray *out)
{
	iot_pack_uint(out, gap->depth);
	iot_pack_uint(out, gap->t0);
	iot_pack_uint(out, gap->lost);
	iot_pack_uint(out, gap->lost_unknown);
	iot_pack_uint(out, gap->unseen_ns);
}

void iot_node_gap_load(struct iot_node_gap *gap, guint n_runs, struct iot_unpack *in)
{
	gap->depth = (guint)iot_unpack_uint(in, n_runs + 1);
	gap->t0 = iot_unpack_uint(in, G_MAXUINT64);
	gap->lost = iot_unpack_uint(in, G_MAXUINT64);
	gap->lost_unknown = (gboolean)iot_unpack_uint(in, 1);
	gap->unseen_ns = iot_unpack_uint(in, G_MAXUINT64);
}
