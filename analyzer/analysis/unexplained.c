/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/unexplained.h"

static enum iot_cause under_way(enum iot_handover_part part)
{
	switch (part) {
	case IOT_HANDOVER_REQUEST:
	case IOT_HANDOVER_RELEASE:
	case IOT_HANDOVER_GRANT:
		return IOT_CAUSE_MESSAGES;
	case IOT_HANDOVER_BLOCK:
	case IOT_HANDOVER_COMPLETION:
		return IOT_CAUSE_CALLBACKS;
	default:
		return IOT_CAUSE_UNEXPLAINED;
	}
}

static void split_part(struct iot_wait *wait, const struct iot_wait_part *part, guint64 now,
		       const struct iot_handover_cuts *cuts)
{
	now = MAX(now, part->t0);
	for (guint i = 0; i < cuts->n && now < part->t1; i++) {
		guint64 until = MIN(cuts->cut[i].until, part->t1);

		if (until <= now)
			continue;
		wait->cause_ns[IOT_CAUSE_UNEXPLAINED] -= until - now;
		wait->cause_ns[under_way(cuts->cut[i].part)] += until - now;
		now = until;
	}
}

void iot_unexplained_split(struct iot_wait *wait, const struct iot_handover *instants)
{
	struct iot_handover_cuts cuts;

	if (!wait->cause_ns[IOT_CAUSE_UNEXPLAINED])
		return;
	iot_handover_find_cuts(instants, &cuts);
	for (guint i = 0; i < wait->parts->len; i++) {
		const struct iot_wait_part *part =
			&g_array_index(wait->parts, struct iot_wait_part, i);

		if (part->cause == IOT_CAUSE_UNEXPLAINED)
			split_part(wait, part, instants->t0, &cuts);
	}
}
