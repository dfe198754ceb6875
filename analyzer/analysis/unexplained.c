/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/unexplained.h"

const char *iot_under_way_name(enum iot_under_way what)
{
	static const char *const names[IOT_N_UNDER_WAY] = { "messages", "callbacks",
							    "unexplained" };

	return names[what];
}

static enum iot_under_way under_way(enum iot_handover_part part)
{
	switch (part) {
	case IOT_HANDOVER_REQUEST:
	case IOT_HANDOVER_RELEASE:
	case IOT_HANDOVER_GRANT:
		return IOT_UNDER_WAY_MESSAGES;
	case IOT_HANDOVER_BLOCK:
	case IOT_HANDOVER_COMPLETION:
		return IOT_UNDER_WAY_CALLBACKS;
	default:
		return IOT_UNDER_WAY_NOTHING;
	}
}

static void add(guint64 *out_ns, const struct iot_handover *instants,
		const struct iot_handover_cuts *cuts, const struct iot_wait_part *part)
{
	guint64 now = MAX(instants->t0, part->t0);

	for (guint i = 0; i < cuts->n && now < part->t1; i++) {
		guint64 until = MIN(cuts->cut[i].until, part->t1);

		if (until <= now)
			continue;
		out_ns[under_way(cuts->cut[i].part)] += until - now;
		now = until;
	}
}

void iot_unexplained_split(const struct iot_wait *wait, const struct iot_handover *instants,
			   guint64 out_ns[IOT_N_UNDER_WAY])
{
	struct iot_handover_cuts cuts;

	for (guint i = 0; i < IOT_N_UNDER_WAY; i++)
		out_ns[i] = 0;
	if (instants && wait->cause_ns[IOT_CAUSE_UNEXPLAINED]) {
		iot_handover_find_cuts(instants, &cuts);
		for (guint i = 0; i < wait->parts->len; i++) {
			const struct iot_wait_part *part =
				&g_array_index(wait->parts, struct iot_wait_part, i);

			if (part->cause == IOT_CAUSE_UNEXPLAINED)
				add(out_ns, instants, &cuts, part);
		}
	}
	out_ns[IOT_UNDER_WAY_NOTHING] = wait->cause_ns[IOT_CAUSE_UNEXPLAINED] -
					out_ns[IOT_UNDER_WAY_MESSAGES] -
					out_ns[IOT_UNDER_WAY_CALLBACKS];
}
