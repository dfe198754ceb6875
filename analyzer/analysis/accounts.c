/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/accounts-local.h"
#include "timeline/thread-rows.h"

struct listener {
	iot_accounted_func func;
	gpointer user_data;
};

/* ---- facts of the models */

static gboolean leads_to_work(const struct iot_timeline *tl, iot_cat_id cat)
{
	const struct iot_category *category = iot_cat_at(tl, cat);
	const struct iot_type *type = iot_type_at(tl, category->type);

	return type->kind == IOT_TYPE_LINK && !type->lock_from &&
	       (category->role == IOT_ROLE_REQUEST || category->role == IOT_ROLE_ANSWER);
}

gboolean iot_accounts_possible(const struct iot_timeline *tl)
{
	for (iot_cat_id cat = 1; cat < tl->cats.n; cat++)
		if (leads_to_work(tl, cat))
			return TRUE;
	return FALSE;
}

gboolean iot_accounts_wants(const struct iot_accounts *accounts, enum iot_item_kind kind,
			    iot_cat_id cat)
{
	if (kind == IOT_ITEM_LINK)
		return leads_to_work(accounts->tl, cat);
	return (kind == IOT_ITEM_SPAN || kind == IOT_ITEM_SPAN_BEGIN) &&
	       iot_cat_waits(iot_cat_at(accounts->tl, cat));
}

/* ---- life */

/* By type: the position of an attribute of spans; -1: it has none. */
static GArray *find_attrs(const struct iot_timeline *tl, const char *name)
{
	GArray *found = g_array_new(FALSE, FALSE, sizeof(gint8));

	for (iot_type_id id = 0; id < tl->types.n; id++) {
		const struct iot_type *type = id ? iot_type_at(tl, id) : NULL;
		gint8 at =
			(gint8)(type && type->kind == IOT_TYPE_SPAN ? iot_type_attr(tl, type, name)
								    : -1);

		g_array_append_val(found, at);
	}
	return found;
}

struct iot_accounts *iot_accounts_new(const struct iot_timeline *tl)
{
	struct iot_accounts *accounts = g_new0(struct iot_accounts, 1);

	accounts->tl = tl;
	iot_places_init(&accounts->places, tl);
	accounts->thread_rows = iot_thread_rows_type(tl->threads);
	accounts->pid_at = find_attrs(tl, "pid");
	accounts->queued_at = find_attrs(tl, "queued_before");
	accounts->unsent_at = find_attrs(tl, "unsent");
	accounts->file_at = find_attrs(tl, "file");
	iot_hashset_init(&accounts->lanes);
	iot_hashset_init(&accounts->threads);
	iot_hashset_init(&accounts->unclaimed);
	accounts->requests = g_array_new(FALSE, FALSE, sizeof(struct iot_work_link));
	accounts->answers = g_array_new(FALSE, FALSE, sizeof(struct iot_work_link));
	accounts->listeners = g_array_new(FALSE, FALSE, sizeof(struct listener));
	accounts->ended = g_ptr_array_new();
	accounts->settled = g_ptr_array_new();
	return accounts;
}

void iot_accounts_free(struct iot_accounts *accounts)
{
	if (!accounts)
		return;
	iot_places_clear(&accounts->places);
	g_array_unref(accounts->pid_at);
	g_array_unref(accounts->queued_at);
	g_array_unref(accounts->unsent_at);
	g_array_unref(accounts->file_at);
	iot_works_release(accounts->ended);
	iot_works_release(accounts->settled);
	g_ptr_array_unref(accounts->ended);
	g_ptr_array_unref(accounts->settled);
	for (guint i = 0; i < IOT_MAX_UNCLAIMED; i++)
		if (accounts->ring[i])
			iot_work_release(accounts->ring[i]);
	iot_hashset_clear(&accounts->unclaimed);
	iot_hashset_clear_full(&accounts->lanes, iot_work_lane_free);
	iot_hashset_clear_full(&accounts->threads, iot_work_thread_free);
	g_array_unref(accounts->requests);
	g_array_unref(accounts->answers);
	g_array_unref(accounts->listeners);
	g_free(accounts);
}

void iot_accounts_listen(struct iot_accounts *accounts, iot_accounted_func func, gpointer user_data)
{
	const struct listener new = { func, user_data };

	g_array_append_val(accounts->listeners, new);
}

void iot_accounts_hear_requests(struct iot_accounts *accounts, iot_requested_func func,
				gpointer user_data)
{
	accounts->requested = func;
	accounts->requested_data = user_data;
}

/* ---- items */

void iot_accounts_item(struct iot_accounts *accounts, const struct iot_item *item)
{
	struct iot_work_link link = { item->row,     item->row_to,	  item->lane,
				      item->lane_to, iot_link_from(item), iot_link_to(item),
				      FALSE };

	if (item->kind == IOT_ITEM_SPAN_BEGIN) {
		iot_work_begin(accounts, item);
	} else if (item->kind == IOT_ITEM_SPAN) {
		iot_work_end(accounts, item);
	} else if (!iot_link_is_stub(item)) {
		if (iot_cat_at(accounts->tl, item->cat)->role == IOT_ROLE_REQUEST)
			g_array_append_val(accounts->requests, link);
		else
			g_array_append_val(accounts->answers, link);
	}
}

static void tell(const struct iot_accounts *accounts, const struct iot_work *work)
{
	const struct iot_accounted span = { .row = work->row,
					    .lane = work->lane,
					    .flags = work->flags,
					    .type = work->type,
					    .cat = work->cat,
					    .t0 = work->t0,
					    .t1 = work->t1,
					    .since = work->since,
					    .queued = work->t0 - work->arrived,
					    .file = work->file,
					    .node = work->node,
					    .pid = work->pid,
					    .parts = work->parts };

	for (guint i = 0; i < accounts->listeners->len; i++) {
		const struct listener *listener =
			&g_array_index(accounts->listeners, struct listener, i);

		listener->func(listener->user_data, &span);
	}
}

/* Inner spans first: the later one to begin, and of equals the one that ended first. */
static gint by_begin(gconstpointer pa, gconstpointer pb)
{
	const struct iot_work *a = *(struct iot_work *const *)pa,
			      *b = *(struct iot_work *const *)pb;

	return (a->t0 < b->t0) - (a->t0 > b->t0);
}

static gint by_to(gconstpointer pa, gconstpointer pb)
{
	const struct iot_work_link *a = pa, *b = pb;

	if (a->row_to != b->row_to)
		return a->row_to < b->row_to ? -1 : 1;
	if (a->lane_to != b->lane_to)
		return a->lane_to < b->lane_to ? -1 : 1;
	return (a->to > b->to) - (a->to < b->to);
}

/* The first of the sorted answers that may be one to the span. */
static guint first_answer(const GArray *answers, const struct iot_work *work)
{
	const struct iot_work_link key = { .row_to = work->row, .lane_to = work->lane };
	guint from = 0, to = answers->len;

	while (from < to) {
		guint middle = from + (to - from) / 2;

		if (by_to(&g_array_index(answers, struct iot_work_link, middle), &key) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

void iot_accounts_settle(struct iot_accounts *accounts)
{
	GPtrArray *settled = accounts->settled;

	if (settled->len)
		iot_works_release(settled);
	for (guint i = 0; i < accounts->requests->len; i++)
		iot_work_ask(accounts, &g_array_index(accounts->requests, struct iot_work_link, i));
	g_array_set_size(accounts->requests, 0);
	if (accounts->ended->len > 1)
		g_ptr_array_sort(accounts->ended, by_begin);
	if (accounts->answers->len > 1)
		g_array_sort(accounts->answers, by_to);
	for (guint i = 0; i < accounts->ended->len; i++) {
		struct iot_work *work = accounts->ended->pdata[i];

		for (guint k = first_answer(accounts->answers, work); k < accounts->answers->len;
		     k++) {
			struct iot_work_link *link =
				&g_array_index(accounts->answers, struct iot_work_link, k);

			if (link->row_to != work->row || link->lane_to != work->lane)
				break;
			/* what a span did is for the next one on its lane, not for itself */
			if (!link->used && link->to > work->t0 &&
			    (link->row != work->row || link->lane != work->lane ||
			     link->from != work->t1))
				iot_work_answer(accounts, link, work);
		}
		iot_work_finish(accounts, work);
	}
	for (guint i = 0; i < accounts->ended->len; i++)
		iot_work_leave_lane(accounts, accounts->ended->pdata[i]);
	for (guint k = 0; k < accounts->answers->len; k++) {
		struct iot_work_link *link =
			&g_array_index(accounts->answers, struct iot_work_link, k);
		struct iot_work *to =
			link->used ? NULL
				   : iot_work_find(accounts, link->row_to, link->lane_to, link->to);

		if (to)
			iot_work_answer(accounts, link, to);
	}
	g_array_set_size(accounts->answers, 0);
	accounts->settled = accounts->ended;
	accounts->ended = settled;
	for (guint i = 0; i < accounts->settled->len; i++)
		tell(accounts, accounts->settled->pdata[i]);
}

/* ---- questions */

gboolean iot_accounts_find(const struct iot_accounts *accounts, iot_str node, guint64 pid,
			   const struct iot_item *call, struct iot_account *out)
{
	guint64 most = 0;

	for (guint i = 0; i < accounts->settled->len; i++) {
		const struct iot_work *work = accounts->settled->pdata[i];
		guint64 ns = 0;

		if (work->node != node || work->pid != pid || work->t0 != call->t0 ||
		    work->t1 != call->t1)
			continue;
		for (guint k = 0; k < work->parts->len; k++) {
			const struct iot_account_part *part =
				&g_array_index(work->parts, struct iot_account_part, k);

			ns += part->t1 - part->t0;
		}
		if (ns <= most)
			continue;
		most = ns;
		*out = (struct iot_account){ work->parts, work->n_concurrent };
	}
	return most > 0;
}

gboolean iot_accounts_serves(const struct iot_accounts *accounts, const struct iot_item *call)
{
	for (guint i = 0; i < accounts->settled->len; i++) {
		const struct iot_work *work = accounts->settled->pdata[i];

		if (work->row == call->row && work->lane == call->lane &&
		    work->type == call->type && work->t0 == call->t0)
			return work->serves;
	}
	return FALSE;
}
