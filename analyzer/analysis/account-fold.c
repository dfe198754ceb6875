/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/account-fold.h"
#include "analysis/wakers.h"

void iot_child_clear(gpointer child)
{
	g_array_unref(((struct iot_child *)child)->parts);
}

static struct iot_account_part *part_at(const GArray *parts, guint i)
{
	return &g_array_index(parts, struct iot_account_part, i);
}

/* A child in another one ends with it, or before: it comes first, and the other one, which has its
 * parts as well, takes its place. */
static gint by_end(gconstpointer pa, gconstpointer pb)
{
	const struct iot_child *a = pa, *b = pb;

	if (a->t1 != b->t1)
		return a->t1 < b->t1 ? -1 : 1;
	if (a->t0 != b->t0)
		return a->t0 > b->t0 ? -1 : 1;
	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	return (a->lane > b->lane) - (a->lane < b->lane);
}

void iot_account_append(GArray *parts, const struct iot_account_part *part, guint64 t0, guint64 t1)
{
	struct iot_account_part new = *part;
	struct iot_account_part *last = parts->len ? part_at(parts, parts->len - 1) : NULL;

	new.t0 = MAX(part->t0, t0);
	new.t1 = MIN(part->t1, t1);
	if (new.t0 >= new.t1)
		return;
	if (last && last->t1 == new.t0 && last->asked == new.asked && last->cat == new.cat &&
	    last->row == new.row && last->phase == new.phase && last->wakers == new.wakers)
		last->t1 = new.t1;
	else
		g_array_append_val(parts, new);
}

/* Take the time from @t on away from the parts. */
static gboolean cut(GArray *parts, guint64 t)
{
	gboolean any = FALSE;

	while (parts->len && part_at(parts, parts->len - 1)->t1 > t) {
		struct iot_account_part *last = part_at(parts, parts->len - 1);

		any = TRUE;
		if (last->t0 < t)
			last->t1 = t;
		else
			g_array_set_size(parts, parts->len - 1);
	}
	return any;
}

GArray *iot_account_fold(GArray *children, guint64 t0, guint64 t1, guint64 *n_concurrent)
{
	GArray *out = g_array_new(FALSE, FALSE, sizeof(struct iot_account_part));
	guint64 linked_to = 0; /* the latest end of a linked child */

	g_array_sort(children, by_end);
	for (guint i = 0; i < children->len; i++) {
		const struct iot_child *child = &g_array_index(children, struct iot_child, i);
		struct iot_account_part way = { .t0 = child->t0,
						.t1 = child->w0,
						.asked = child->linked ? child->cat : 0,
						.cat = child->cat,
						.row = child->row,
						.phase = IOT_PHASE_TRAVEL };

		if (cut(out, MAX(child->t0, t0)) && child->linked && linked_to > child->t0)
			++*n_concurrent;
		iot_account_append(out, &way, t0, t1);
		for (guint k = 0; k < child->parts->len; k++) {
			struct iot_account_part part = *part_at(child->parts, k);

			if (child->linked)
				part.asked = child->cat;
			iot_account_append(out, &part, MAX(t0, child->t0), t1);
		}
		way.t0 = child->w1;
		way.t1 = child->t1;
		way.phase = IOT_PHASE_RETURN;
		iot_account_append(out, &way, t0, t1);
		if (child->linked)
			linked_to = MAX(linked_to, child->t1);
	}
	return out;
}

/* The part is the first that another machine has. It has no way there if it arrived at once. */
static gboolean was_sent(const struct iot_account_part *part, const struct iot_account_part *own)
{
	return part->phase == IOT_PHASE_TRAVEL ||
	       (part->phase == IOT_PHASE_QUEUE && (part->cat != own->cat || part->row != own->row));
}

GArray *iot_account_fill(const GArray *parts, guint64 t0, guint64 t1,
			 const struct iot_account_part *own)
{
	GArray *out =
		g_array_sized_new(FALSE, FALSE, sizeof(struct iot_account_part), parts->len + 1);
	struct iot_account_part hole = *own;
	guint sent = 0; /* parts up to the first one that travels */

	while (sent < parts->len && !was_sent(part_at(parts, sent), own))
		sent++;
	for (guint i = 0; i <= parts->len; i++) {
		const struct iot_account_part *part = i < parts->len ? part_at(parts, i) : NULL;

		hole.phase = sent == parts->len ? IOT_PHASE_WORK
			     : i <= sent	? IOT_PHASE_BEFORE
			     : part		? IOT_PHASE_WORK
						: IOT_PHASE_AFTER;
		hole.t0 = i ? part_at(parts, i - 1)->t1 : t0;
		hole.t1 = part ? part->t0 : t1;
		iot_account_append(out, &hole, t0, t1);
		if (part)
			iot_account_append(out, part, t0, t1);
	}
	return out;
}

void iot_account_shrink(GArray *parts, guint max)
{
	for (guint64 grain = 1024; parts->len > max; grain *= 2) {
		guint n = 0;

		for (guint i = 0; i < parts->len; i++) {
			const struct iot_account_part part = *part_at(parts, i);
			struct iot_account_part *last = n ? part_at(parts, n - 1) : NULL;

			if (!last || last->t1 != part.t0 || part.t1 - part.t0 > grain ||
			    last->t1 - last->t0 > grain) {
				*part_at(parts, n++) = part;
				continue;
			}
			last->t1 = part.t1;
			last->asked = last->asked == part.asked ? part.asked : 0;
			last->phase = IOT_PHASE_MANY;
			if (last->wakers != part.wakers) {
				last->wakers = IOT_WAKERS_MANY;
				last->asked = last->cat = last->row = 0;
			}
		}
		/* parts with holes between them have no neighbours: the earliest are given up */
		if (n == parts->len && grain > G_MAXUINT64 / 4) {
			g_array_remove_range(parts, 0, n - max);
			return;
		}
		g_array_set_size(parts, n);
	}
}
