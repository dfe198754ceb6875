/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fewer blockers of a wait, if many holds were in its way. */
#include "analysis/wait-parts.h"
#include "base/hashset.h"
#include "base/intern.h"

#include <stdlib.h>

static struct iot_blocker *blocker_at(const GArray *blockers, guint i)
{
	return &g_array_index(blockers, struct iot_blocker, i);
}

/* Parts of one hold, several holds of one lock and mode, or nameless ones of one node and mode. */
static gboolean is_same(const struct iot_blocker *a, const struct iot_blocker *b)
{
	return a->several == b->several && a->nameless == b->nameless &&
	       iot_claim_same_lock(&a->claim, &b->claim) && a->claim.cat == b->claim.cat &&
	       (a->several || a->claim.added == b->claim.added);
}

static guint64 hash_of(const struct iot_blocker *blocker)
{
	const struct iot_claim *claim = &blocker->claim;

	return iot_hash_mix((guint64)claim->row << 16 | claim->lane,
			    (blocker->several ? 0 : claim->added) << 16 | claim->cat);
}

static void add(struct iot_blocker *sum, const struct iot_blocker *blocker)
{
	const struct iot_claim *claim = &blocker->claim;

	sum->ns += blocker->ns;
	sum->alone_ns += blocker->alone_ns;
	sum->whole_ns += blocker->whole_ns;
	sum->proved = sum->proved && blocker->proved;
	sum->undecided = sum->undecided || blocker->undecided;
	/* of one hold the later part knows its end */
	sum->claim.t1 = sum->several ? MAX(sum->claim.t1, claim->t1) : claim->t1;
	sum->claim.t0 = MIN(sum->claim.t0, claim->t0);
}

static void merge(GArray *blockers)
{
	struct iot_hashset sums;
	guint n = 0;

	iot_hashset_init(&sums);
	for (guint i = 0; i < blockers->len; i++) {
		const struct iot_blocker *blocker = blocker_at(blockers, i);
		guint64 hash = hash_of(blocker);
		guint at = iot_hashset_first(&sums, hash);
		struct iot_blocker *sum;

		while ((sum = iot_hashset_next(&sums, hash, &at)) && !is_same(sum, blocker))
			;
		if (sum) {
			add(sum, blocker);
			continue;
		}
		sum = blocker_at(blockers, n++);
		*sum = *blocker;
		iot_hashset_add(&sums, hash, sum);
	}
	iot_hashset_clear(&sums);
	g_array_set_size(blockers, n);
}

static int longest_first(const void *pa, const void *pb)
{
	guint64 a = *(const guint64 *)pa, b = *(const guint64 *)pb;

	return a > b ? -1 : a < b;
}

static void take_name(const struct iot_timeline *tl, struct iot_blocker *blocker)
{
	struct iot_claim *claim = &blocker->claim;

	blocker->nameless = TRUE;
	claim->row = iot_row_node(tl, claim->row);
	claim->lane = 0;
	claim->lock = claim->pid = claim->command = 0;
}

/* Of the single holds (@several: the locks with several holds), keep the @max that were in the way
 * for the longest times. The others are added up by lock (by node). Returns: whether there were
 * any. */
static gboolean limit(const struct iot_timeline *tl, GArray *blockers, gboolean several, guint max)
{
	g_autofree guint64 *times = g_new(guint64, blockers->len);
	guint n = 0, room = max;
	guint64 least;

	for (guint i = 0; i < blockers->len; i++) {
		const struct iot_blocker *blocker = blocker_at(blockers, i);

		if (blocker->several == several && !blocker->nameless)
			times[n++] = blocker->whole_ns;
	}
	if (n <= max)
		return FALSE;
	qsort(times, n, sizeof(*times), longest_first);
	least = times[max - 1];
	for (guint i = 0; i < max && times[i] > least; i++)
		room--;
	for (guint i = 0; i < blockers->len; i++) {
		struct iot_blocker *blocker = blocker_at(blockers, i);

		if (blocker->several != several || blocker->nameless || blocker->whole_ns > least)
			continue;
		if (blocker->whole_ns == least && room)
			room--;
		else if (several)
			take_name(tl, blocker);
		else
			blocker->several = TRUE;
	}
	merge(blockers);
	return TRUE;
}

gboolean iot_wait_limit(const struct iot_timeline *tl, struct iot_wait *wait)
{
	GArray *blockers = wait->blockers;

	if (blockers->len <= IOT_MAX_HOLDS && !wait->shrunk)
		return FALSE;
	merge(blockers);
	limit(tl, blockers, FALSE, IOT_MAX_HOLDS);
	if (!limit(tl, blockers, TRUE, IOT_MAX_LOCKS) || wait->lost_names)
		return FALSE;
	return wait->lost_names = TRUE;
}

void iot_wait_shrink(struct iot_wait *wait)
{
	GArray *all = wait->blockers;

	wait->shrunk = TRUE;
	wait->blockers = g_array_sized_new(FALSE, FALSE, sizeof(struct iot_blocker), all->len);
	if (all->len)
		g_array_append_vals(wait->blockers, all->data, all->len);
	g_array_unref(all);
	g_array_unref(wait->parts);
	wait->parts = g_array_new(FALSE, FALSE, sizeof(struct iot_wait_part));
}
