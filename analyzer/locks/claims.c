/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "locks/claims.h"

void iot_claims_init(struct iot_claims *claims)
{
	claims->waits = g_array_new(FALSE, FALSE, sizeof(struct iot_claim));
	claims->others = g_array_new(FALSE, FALSE, sizeof(struct iot_claim));
}

void iot_claims_clear(struct iot_claims *claims)
{
	g_array_unref(claims->waits);
	g_array_unref(claims->others);
	g_free(claims->changed);
}

static GArray *list_of(const struct iot_claims *claims, guint8 kind)
{
	return kind == IOT_CLAIM_WAIT ? claims->waits : claims->others;
}

static void mark_changed(struct iot_claims *claims, struct iot_claim *claim)
{
	GArray *list = list_of(claims, claim->kind);
	guint at = 2 * (guint)(claim - iot_claim_at(list, 0)) + (list == claims->waits);

	if (claim->changed)
		return;
	claim->changed = TRUE;
	if (claims->n_changed == claims->room) {
		claims->room = MAX(2 * claims->room, 4);
		claims->changed = g_renew(guint, claims->changed, claims->room);
	}
	claims->changed[claims->n_changed++] = at;
}

static void add(struct iot_claims *claims, const struct iot_claim *claim)
{
	GArray *list = list_of(claims, claim->kind);
	struct iot_claim *added;

	g_array_append_vals(list, claim, 1);
	added = iot_claim_at(list, list->len - 1);
	added->added = claims->n_added++;
	added->changed = FALSE;
	mark_changed(claims, added);
}

static void close_claim(struct iot_claims *claims, struct iot_claim *claim, guint64 t1)
{
	claim->open = FALSE;
	claim->t1 = MAX(t1, claim->t0);
	mark_changed(claims, claim);
}

/* The open claim of a span that ends; it is mostly one of the last. */
static struct iot_claim *find_open(const struct iot_claims *claims, const struct iot_claim *like)
{
	const GArray *list = list_of(claims, like->kind);

	for (guint i = list->len; i; i--) {
		struct iot_claim *claim = iot_claim_at(list, i - 1);

		if (claim->drawn == like->drawn && claim->open && claim->kind == like->kind &&
		    iot_claim_same_lock(claim, like) && claim->cat == like->cat)
			return claim;
	}
	return NULL;
}

/* The open hold, or the hold that is being left, of a lock; NULL: there is none. */
static struct iot_claim *find_hold(const struct iot_claims *claims, const struct iot_claim *like,
				   enum iot_claim_kind kind)
{
	for (guint i = claims->others->len; i; i--) {
		struct iot_claim *claim = iot_claim_at(claims->others, i - 1);

		if (claim->open && claim->kind == kind && iot_claim_same_lock(claim, like))
			return claim;
	}
	return NULL;
}

static gboolean holds_something(const struct iot_claims *claims, const struct iot_claim *wait)
{
	for (guint i = 0; i < claims->others->len; i++) {
		const struct iot_claim *claim = iot_claim_at(claims->others, i);

		if (claim->open && iot_claim_same_lock(claim, wait))
			return TRUE;
	}
	return FALSE;
}

void iot_claims_begin(struct iot_claims *claims, struct iot_claim *claim)
{
	const GArray *waits = claims->waits;

	if (claim->kind == IOT_CLAIM_WAIT) {
		claim->converts = (guint8)holds_something(claims, claim);
		claims->unordered =
			claims->unordered || claim->converts ||
			(waits->len && iot_claim_at(waits, waits->len - 1)->t0 > claim->t0);
	}
	add(claims, claim);
}

void iot_claims_end(struct iot_claims *claims, const struct iot_claim *like, guint64 t1)
{
	struct iot_claim *claim = find_open(claims, like);

	/* a hold that ends while it is being left */
	if (!claim && like->kind == IOT_CLAIM_HOLD)
		claim = find_hold(claims, like, IOT_CLAIM_LEAVING);
	if (!claim)
		return;
	close_claim(claims, claim, t1);
	claim->flags |= like->flags;
	claim->result = like->result;
}

void iot_claims_begin_leaving(struct iot_claims *claims, const struct iot_claim *call,
			      iot_cat_id keeps)
{
	struct iot_claim *hold = find_hold(claims, call, IOT_CLAIM_HOLD);
	struct iot_claim left;

	if (!hold)
		return;
	left = *hold;
	close_claim(claims, hold, call->t0);
	left.kind = IOT_CLAIM_LEAVING;
	left.t0 = MAX(left.t0, call->t0);
	left.began = call->began;
	add(claims, &left);
	if (!keeps)
		return;
	left.kind = IOT_CLAIM_HOLD;
	left.cat = keeps;
	left.drawn = G_MAXUINT64;
	add(claims, &left);
}

void iot_claims_end_leaving(struct iot_claims *claims, const struct iot_claim *call, guint64 t1,
			    guint64 now)
{
	struct iot_claim *left = find_hold(claims, call, IOT_CLAIM_LEAVING);
	struct iot_claim *kept = find_hold(claims, call, IOT_CLAIM_HOLD);
	struct iot_claim again;

	if (kept && kept->drawn == G_MAXUINT64) {
		close_claim(claims, kept, t1);
		kept->flags |= call->flags;
	}
	if (!left)
		return;
	close_claim(claims, left, t1);
	again = *left;
	again.kind = IOT_CLAIM_HOLD;
	again.open = TRUE;
	again.t0 = again.began = now;
	again.t1 = G_MAXUINT64;
	add(claims, &again);
}

static void drop_from(GArray *list, guint64 least)
{
	guint n = 0;

	for (guint i = 0; i < list->len; i++) {
		const struct iot_claim *claim = iot_claim_at(list, i);

		if (!claim->open && claim->t1 <= least)
			continue;
		if (n < i)
			*iot_claim_at(list, n) = *claim;
		n++;
	}
	if (n < list->len)
		g_array_set_size(list, n);
}

void iot_claims_drop_ended(struct iot_claims *claims, guint64 least)
{
	drop_from(claims->waits, least);
	drop_from(claims->others, least);
	claims->n_queued = 0;
	claims->queued = (struct iot_queue_end){ 0 };
	claims->unordered = claims->unordered && claims->waits->len;
}

/* ---- the queue */

static void add_queued(struct iot_queue_end *queued, const struct iot_claim *wait)
{
	gboolean is_last = queued->row == wait->row && queued->lane == wait->lane;

	if (wait->t0 == wait->t1 || !iot_claim_queues(wait))
		return;
	if (wait->t1 < queued->t1) {
		if (!is_last)
			queued->other_t1 = MAX(queued->other_t1, wait->t1);
		return;
	}
	if (!is_last)
		queued->other_t1 = queued->t1;
	queued->t1 = wait->t1;
	queued->row = wait->row;
	queued->lane = wait->lane;
}

gboolean iot_claims_queue(struct iot_claims *claims, const struct iot_claim *wait, guint64 *t1)
{
	const GArray *waits = claims->waits;
	struct iot_queue_end queued;

	if (claims->unordered)
		return FALSE;
	while (claims->n_queued < waits->len) {
		const struct iot_claim *first = iot_claim_at(waits, claims->n_queued);

		if (first->open || first->added >= wait->added)
			break;
		add_queued(&claims->queued, first);
		claims->n_queued++;
	}
	if (claims->n_queued && iot_claim_at(waits, claims->n_queued - 1)->added >= wait->added)
		return FALSE;
	queued = claims->queued;
	for (guint i = claims->n_queued; i < waits->len && queued.other_t1 < G_MAXUINT64; i++) {
		if (iot_claim_at(waits, i)->added >= wait->added)
			break;
		add_queued(&queued, iot_claim_at(waits, i));
	}
	*t1 = wait->row == queued.row && wait->lane == queued.lane ? queued.other_t1 : queued.t1;
	return TRUE;
}

static guint64 number_of(const struct iot_claims *claims, guint at)
{
	return iot_claim_at(at & 1 ? claims->waits : claims->others, at / 2)->added;
}

static gint by_number(gconstpointer a, gconstpointer b, gpointer claims)
{
	guint64 x = number_of(claims, *(const guint *)a), y = number_of(claims, *(const guint *)b);

	return x < y ? -1 : x > y;
}

void iot_claims_sort_changed(struct iot_claims *claims)
{
	guint i = 1;

	/* mostly they are in order */
	while (i < claims->n_changed &&
	       number_of(claims, claims->changed[i - 1]) < number_of(claims, claims->changed[i]))
		i++;
	if (i < claims->n_changed)
		g_qsort_with_data(claims->changed, (gint)claims->n_changed, sizeof(guint),
				  by_number, claims);
}

void iot_claims_settle(struct iot_claims *claims)
{
	for (guint i = 0; i < claims->n_changed; i++)
		iot_claims_changed(claims, i)->changed = FALSE;
	claims->n_changed = 0;
}
