/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "locks/intervals.h"

/* The last IOT_MAX_INTERVALS. */
struct ring {
	GArray *last;		 /* struct iot_claim */
	guint n;		 /* so far */
	guint64 forgotten_until; /* the latest end of those that are not kept, ns */
};

struct iot_intervals {
	const struct iot_timeline *tl;
	struct ring gaps;	/* row is 0 */
	struct ring recoveries; /* row: above the resources; lock: the row on which it is drawn */
};

struct iot_intervals *iot_intervals_new(const struct iot_timeline *tl)
{
	struct iot_intervals *intervals = g_new0(struct iot_intervals, 1);

	intervals->tl = tl;
	intervals->gaps.last = g_array_new(FALSE, FALSE, sizeof(struct iot_claim));
	intervals->recoveries.last = g_array_new(FALSE, FALSE, sizeof(struct iot_claim));
	return intervals;
}

void iot_intervals_free(struct iot_intervals *intervals)
{
	if (!intervals)
		return;
	g_array_unref(intervals->gaps.last);
	g_array_unref(intervals->recoveries.last);
	g_free(intervals);
}

static void add(struct ring *ring, const struct iot_claim *interval)
{
	struct iot_claim *oldest;

	if (ring->n++ < IOT_MAX_INTERVALS) {
		g_array_append_val(ring->last, *interval);
		return;
	}
	oldest = iot_claim_at(ring->last, (ring->n - 1) % IOT_MAX_INTERVALS);
	ring->forgotten_until = MAX(ring->forgotten_until, oldest->t1);
	*oldest = *interval;
}

static void take_gap(struct iot_intervals *intervals, const struct iot_item *item)
{
	const struct iot_claim gap = {
		.kind = IOT_CLAIM_UNKNOWN,
		.node = iot_gap_node(item),
		.t0 = item->t0,
		.t1 = item->t1,
	};

	add(&intervals->gaps, &gap);
}

static void take_recovery(struct iot_intervals *intervals, const struct iot_item *item)
{
	const gboolean begins = item->kind == IOT_ITEM_SPAN_BEGIN;
	const struct iot_claim recovery = {
		.kind = IOT_CLAIM_RECOVERY,
		.open = begins,
		.row = iot_row_at(intervals->tl, item->row)->parent,
		.lock = item->row,
		.t0 = item->t0,
		.t1 = begins ? G_MAXUINT64 : item->t1,
	};
	struct ring *ring = &intervals->recoveries;

	for (guint i = 0; !begins && i < ring->last->len; i++) {
		struct iot_claim *open = iot_claim_at(ring->last, i);

		if (!open->open || open->lock != recovery.lock || open->t0 != recovery.t0)
			continue;
		*open = recovery;
		return;
	}
	add(ring, &recovery);
}

gboolean iot_intervals_wants(enum iot_item_kind kind, enum iot_role role)
{
	if (kind == IOT_ITEM_GAP)
		return TRUE;
	return role == IOT_ROLE_RECOVERY && (kind == IOT_ITEM_SPAN || kind == IOT_ITEM_SPAN_BEGIN);
}

void iot_intervals_item(struct iot_intervals *intervals, const struct iot_item *item)
{
	if (item->kind == IOT_ITEM_GAP)
		take_gap(intervals, item);
	else if (iot_intervals_wants(item->kind, iot_cat_at(intervals->tl, item->cat)->role))
		take_recovery(intervals, item);
}

static gboolean append(const struct ring *ring, iot_row_id above, guint64 t0, guint64 t1,
		       GArray *claims)
{
	for (guint i = 0; i < ring->last->len; i++) {
		const struct iot_claim *interval = iot_claim_at(ring->last, i);

		if (interval->t1 > t0 && interval->t0 < t1 && interval->row == above)
			g_array_append_val(claims, *interval);
	}
	return t0 >= ring->forgotten_until;
}

gboolean iot_intervals_append(const struct iot_intervals *intervals, iot_row_id resource,
			      guint64 t0, guint64 t1, GArray *claims)
{
	iot_row_id above = iot_row_at(intervals->tl, resource)->parent;
	gboolean all = append(&intervals->gaps, 0, t0, t1, claims);

	if (above && !append(&intervals->recoveries, above, t0, t1, claims))
		all = FALSE;
	return all;
}
