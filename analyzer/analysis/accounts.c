/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/accounts.h"
#include "base/hashset.h"
#include "locks/places.h"
#include "timeline/thread-rows.h"

enum {
	/* Accounts that a span keeps apart; more are merged to one. */
	MAX_CHILDREN = 256,
	MAX_PARTS = 512,
	/* Ended spans that nobody asked for, as far as is known; an answer may still say who did.
	 */
	MAX_UNCLAIMED = 1024
};

struct work;

/* The open spans of a thread. */
struct thread {
	iot_str node;
	guint64 pid;
	GPtrArray *open; /* struct work, by begin */
};

/* The open spans on a lane of a row. */
struct lane {
	iot_row_id row;
	guint16 lane;
	GPtrArray *open; /* struct work, by begin; each is a reference */
};

struct caller {
	struct work *work; /* a reference */
	guint64 sent;
};

/* A span of a call or wait. */
struct work {
	guint refs;
	iot_row_id row;
	guint16 lane, flags;
	iot_type_id type;
	iot_cat_id cat;
	guint64 t0, t1;	       /* t1 is G_MAXUINT64 while it is open */
	guint64 since;	       /* t0, or the begin of what it goes on with */
	guint64 arrived;       /* t0, or the begin of its wait in a queue that is not drawn */
	guint64 sent;	       /* t0, or when it had sent its first request, at the latest */
	guint64 file;	       /* its attribute of this name; 0: none */
	struct thread *thread; /* NULL: none is known, or it has ended */
	iot_str node;	       /* of its thread; 0: there is none */
	guint64 pid;
	GArray *callers;  /* struct caller; NULL: none */
	GArray *children; /* struct iot_child; NULL: none */
	GArray *parts;	  /* with holes, when it has ended */
	guint64 n_concurrent;
	gboolean serves; /* a caller is on another machine */
};

/* A link that was delivered at the present instant. */
struct link {
	iot_row_id row, row_to;
	guint16 lane, lane_to;
	guint64 from, to;
	gboolean used;
};

struct iot_accounts {
	const struct iot_timeline *tl;
	struct iot_places places;
	iot_type_id thread_rows; /* rows whose identity is a pid */
	/* gint8, by type of spans: positions of these attributes; -1: none */
	GArray *pid_at, *queued_at, *unsent_at, *file_at;
	struct iot_hashset lanes, threads; /* struct lane, struct thread */
	GArray *requests, *answers;	   /* struct link */
	/* struct work, references: ended at the present instant; at the one that was settled last;
	 * without a known caller, by row, lane and end */
	GPtrArray *ended, *settled;
	struct iot_hashset unclaimed;
	struct work *ring[MAX_UNCLAIMED]; /* these, in the order of their ends */
	guint ring_at;
	GArray *listeners; /* struct listener */
};

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
	accounts->requests = g_array_new(FALSE, FALSE, sizeof(struct link));
	accounts->answers = g_array_new(FALSE, FALSE, sizeof(struct link));
	accounts->listeners = g_array_new(FALSE, FALSE, sizeof(struct listener));
	accounts->ended = g_ptr_array_new();
	accounts->settled = g_ptr_array_new();
	return accounts;
}

static void release(struct work *work)
{
	if (--work->refs)
		return;
	for (guint i = 0; work->callers && i < work->callers->len; i++)
		release(g_array_index(work->callers, struct caller, i).work);
	g_clear_pointer(&work->callers, g_array_unref);
	g_clear_pointer(&work->children, g_array_unref);
	g_clear_pointer(&work->parts, g_array_unref);
	g_free(work);
}

static void release_all(GPtrArray *works)
{
	g_ptr_array_foreach(works, (GFunc)(void (*)(void))release, NULL);
	g_ptr_array_set_size(works, 0);
}

static void lane_free(gpointer data)
{
	struct lane *lane = data;

	release_all(lane->open);
	g_ptr_array_unref(lane->open);
	g_free(lane);
}

static void thread_free(gpointer data)
{
	g_ptr_array_unref(((struct thread *)data)->open);
	g_free(data);
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
	release_all(accounts->ended);
	release_all(accounts->settled);
	g_ptr_array_unref(accounts->ended);
	g_ptr_array_unref(accounts->settled);
	for (guint i = 0; i < MAX_UNCLAIMED; i++)
		if (accounts->ring[i])
			release(accounts->ring[i]);
	iot_hashset_clear(&accounts->unclaimed);
	iot_hashset_clear_full(&accounts->lanes, lane_free);
	iot_hashset_clear_full(&accounts->threads, thread_free);
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

/* ---- where spans are */

static guint64 lane_hash(iot_row_id row, guint16 lane)
{
	return iot_hash_mix(row, lane);
}

static struct lane *find_lane(const struct iot_accounts *accounts, iot_row_id row, guint16 number)
{
	guint64 hash = lane_hash(row, number);
	guint at = iot_hashset_first(&accounts->lanes, hash);
	struct lane *lane;

	while ((lane = iot_hashset_next(&accounts->lanes, hash, &at)) &&
	       (lane->row != row || lane->lane != number))
		;
	return lane;
}

static struct thread *find_thread(const struct iot_accounts *accounts, iot_str node, guint64 pid)
{
	guint64 hash = iot_hash_mix(node, pid);
	guint at = iot_hashset_first(&accounts->threads, hash);
	struct thread *thread;

	while ((thread = iot_hashset_next(&accounts->threads, hash, &at)) &&
	       (thread->node != node || thread->pid != pid))
		;
	return thread;
}

/* The attribute of an item, @at by type; FALSE: its type has none. */
static gboolean find_attr(const GArray *at, const struct iot_item *item, guint64 *out)
{
	gint8 position = item->type < at->len ? g_array_index(at, gint8, item->type) : -1;

	*out = position >= 0 && position < item->n_attrs ? item->attr[position].u : 0;
	return position >= 0;
}

static guint64 pid_of(const struct iot_accounts *accounts, const struct iot_item *item)
{
	const struct iot_row *row = iot_row_at(accounts->tl, item->row);
	guint64 pid;

	if (find_attr(accounts->pid_at, item, &pid))
		return pid;
	if (!accounts->thread_rows || row->type != accounts->thread_rows)
		return 0;
	return g_ascii_string_to_unsigned(iot_tl_str(accounts->tl, row->id), 10, 1, G_MAXINT32,
					  &pid, NULL)
		       ? pid
		       : 0;
}

static iot_str node_of(struct iot_accounts *accounts, iot_row_id row)
{
	return iot_place_of(&accounts->places, row)->name;
}

static void enter_thread(struct iot_accounts *accounts, struct work *work)
{
	struct thread *thread = find_thread(accounts, work->node, work->pid);

	if (!thread) {
		thread = g_new0(struct thread, 1);
		thread->node = work->node;
		thread->pid = work->pid;
		thread->open = g_ptr_array_new();
		iot_hashset_add(&accounts->threads, iot_hash_mix(thread->node, thread->pid),
				thread);
	}
	g_ptr_array_add(thread->open, work);
	work->thread = thread;
}

static void leave_thread(struct iot_accounts *accounts, struct work *work)
{
	struct thread *thread = work->thread;

	work->thread = NULL;
	if (!thread)
		return;
	g_ptr_array_remove(thread->open, work);
	if (thread->open->len)
		return;
	iot_hashset_remove(&accounts->threads, iot_hash_mix(thread->node, thread->pid), thread);
	thread_free(thread);
}

static void begin_work(struct iot_accounts *accounts, const struct iot_item *item)
{
	struct lane *lane = find_lane(accounts, item->row, item->lane);
	struct work *work = g_new0(struct work, 1);
	guint64 queued, unsent;

	work->refs = 1;
	work->row = item->row;
	work->lane = item->lane;
	work->type = item->type;
	work->cat = item->cat;
	find_attr(accounts->queued_at, item, &queued);
	find_attr(accounts->unsent_at, item, &unsent);
	work->t0 = item->t0;
	work->sent = item->t0 + unsent;
	work->arrived = work->since = item->t0 - MIN(queued, item->t0);
	work->t1 = G_MAXUINT64;
	if (!lane) {
		lane = g_new0(struct lane, 1);
		lane->row = item->row;
		lane->lane = item->lane;
		lane->open = g_ptr_array_new();
		iot_hashset_add(&accounts->lanes, lane_hash(lane->row, lane->lane), lane);
	}
	g_ptr_array_add(lane->open, work);
	work->pid = pid_of(accounts, item);
	work->node = work->pid ? node_of(accounts, item->row) : 0;
	if (work->node)
		enter_thread(accounts, work);
}

static void end_work(struct iot_accounts *accounts, const struct iot_item *item)
{
	const struct lane *lane = find_lane(accounts, item->row, item->lane);

	for (guint i = lane ? lane->open->len : 0; i; i--) {
		struct work *work = lane->open->pdata[i - 1];

		if (work->type != item->type || work->t0 != item->t0 || work->t1 != G_MAXUINT64)
			continue;
		work->t1 = item->t1;
		work->cat = item->cat;
		work->flags = item->flags;
		find_attr(accounts->file_at, item, &work->file);
		work->refs++;
		g_ptr_array_add(accounts->ended, work);
		return;
	}
}

/* The innermost span on the lane that covers @t; ended spans are here up to the end of their
 * instant. */
static struct work *find_work(const struct iot_accounts *accounts, iot_row_id row, guint16 number,
			      guint64 t)
{
	const struct lane *lane = find_lane(accounts, row, number);

	for (guint i = lane ? lane->open->len : 0; i; i--) {
		struct work *work = lane->open->pdata[i - 1];

		if (work->t0 <= t && work->t1 >= t)
			return work;
	}
	return NULL;
}

void iot_accounts_item(struct iot_accounts *accounts, const struct iot_item *item)
{
	struct link link = { item->row,		  item->row_to,	     item->lane, item->lane_to,
			     iot_link_from(item), iot_link_to(item), FALSE };

	if (item->kind == IOT_ITEM_SPAN_BEGIN) {
		begin_work(accounts, item);
	} else if (item->kind == IOT_ITEM_SPAN) {
		end_work(accounts, item);
	} else if (!iot_link_is_stub(item)) {
		if (iot_cat_at(accounts->tl, item->cat)->role == IOT_ROLE_REQUEST)
			g_array_append_val(accounts->requests, link);
		else
			g_array_append_val(accounts->answers, link);
	}
}

/* ---- callers and their work */

static void add_child(struct work *to, const struct iot_child *child)
{
	if (!to->children) {
		to->children = g_array_new(FALSE, FALSE, sizeof(struct iot_child));
		g_array_set_clear_func(to->children, iot_child_clear);
	}
	if (to->children->len == MAX_CHILDREN) {
		struct iot_child all = { .t0 = to->since, .w0 = to->since };

		all.parts = iot_account_fold(to->children, 0, G_MAXUINT64, &to->n_concurrent);
		iot_account_shrink(all.parts, MAX_PARTS);
		all.t1 = all.w1 = child->t1;
		g_array_set_size(to->children, 0);
		g_array_append_val(to->children, all);
	}
	g_array_append_val(to->children, *child);
	g_array_ref(child->parts);
}

/* Add it to the span, and to the spans of the thread around it. */
static void add_to_thread(struct work *to, const struct iot_child *child)
{
	if (!to->parts)
		add_child(to, child);
	for (guint i = 0; to->thread && i < to->thread->open->len; i++) {
		struct work *other = to->thread->open->pdata[i];

		if (other != to && !other->parts && other->t0 <= MAX(child->t0, to->t0))
			add_child(other, child);
	}
}

/* A child of the span for what @work did, without the way back. */
static struct iot_child make_child(const struct work *work, guint64 sent, gboolean linked)
{
	const struct iot_account_part own = { .cat = work->cat, .row = work->row };

	return (struct iot_child){
		.t0 = MIN(sent, work->since),
		.t1 = work->t1,
		.w0 = work->since,
		.w1 = work->t1,
		.parts = iot_account_fill(work->parts, work->since, work->t1, &own),
		.cat = work->cat,
		.row = work->row,
		.lane = work->lane,
		.linked = linked,
	};
}

static void ask(struct iot_accounts *accounts, const struct link *link)
{
	struct work *caller = find_work(accounts, link->row, link->lane, link->from);
	struct work *work = find_work(accounts, link->row_to, link->lane_to, link->to);
	struct caller new = { caller, link->from };

	if (!caller || !work || caller == work || work->t0 != link->to)
		return;
	/* what had come before it was sent is not its data */
	if (work->arrived < link->from && work->since == work->arrived)
		work->arrived = work->since = MIN(link->from, work->t0);
	/* it has left its sender when it arrives, and at the latest when the sender says so */
	if (caller->t0 == link->from)
		new.sent = MAX(link->from, MIN(caller->sent, work->since));
	if (node_of(accounts, work->row) != node_of(accounts, caller->row))
		work->serves = TRUE;
	else
		new.sent = G_MAXUINT64; /* nothing travels */
	if (!work->callers)
		work->callers = g_array_new(FALSE, FALSE, sizeof(struct caller));
	g_array_append_val(work->callers, new);
	caller->refs++;
}

static gboolean extend(struct work *work, const struct link *link)
{
	for (guint i = work->children && !work->parts ? work->children->len : 0; i; i--) {
		struct iot_child *child = &g_array_index(work->children, struct iot_child, i - 1);

		if (child->row != link->row || child->lane != link->lane || child->w1 != link->from)
			continue;
		child->t1 = MAX(child->t1, link->to);
		return TRUE;
	}
	return FALSE;
}

static guint64 end_hash(iot_row_id row, guint16 lane, guint64 t1)
{
	return iot_hash_mix(lane_hash(row, lane), t1);
}

static void answer(struct iot_accounts *accounts, struct link *link, struct work *to)
{
	guint64 hash = end_hash(link->row, link->lane, link->from);
	guint at = iot_hashset_first(&accounts->unclaimed, hash);
	gboolean known = extend(to, link);
	struct iot_child child;
	struct work *work;

	link->used = TRUE;
	for (guint i = 0; to->thread && i < to->thread->open->len; i++)
		if (to->thread->open->pdata[i] != to)
			known |= extend(to->thread->open->pdata[i], link);
	if (known)
		return;
	while ((work = iot_hashset_next(&accounts->unclaimed, hash, &at)) &&
	       (work->row != link->row || work->lane != link->lane || work->t1 != link->from ||
		work == to))
		;
	if (!work)
		return;
	child = make_child(work, G_MAXUINT64, TRUE);
	if (to->t0 == link->to) {
		to->since = MIN(to->since, work->since);
		if (!to->parts)
			add_child(to, &child);
	} else {
		child.t1 = MAX(child.t1, link->to);
		add_to_thread(to, &child);
	}
	g_array_unref(child.parts);
}

static void keep_unclaimed(struct iot_accounts *accounts, struct work *work)
{
	struct work **place = &accounts->ring[accounts->ring_at++ % MAX_UNCLAIMED];

	if (*place) {
		iot_hashset_remove(&accounts->unclaimed,
				   end_hash((*place)->row, (*place)->lane, (*place)->t1), *place);
		release(*place);
	}
	*place = work;
	work->refs++;
	iot_hashset_add(&accounts->unclaimed, end_hash(work->row, work->lane, work->t1), work);
}

/* The wait in a queue that is not drawn. */
static void add_queue(struct work *work)
{
	const struct iot_account_part part = { .t0 = work->arrived,
					       .t1 = work->t0,
					       .cat = work->cat,
					       .row = work->row,
					       .phase = IOT_PHASE_QUEUE };
	struct iot_child child = { .t0 = part.t0, .t1 = part.t1, .w0 = part.t0, .w1 = part.t1 };

	if (part.t0 >= part.t1)
		return;
	child.parts = g_array_new(FALSE, FALSE, sizeof(part));
	g_array_append_val(child.parts, part);
	add_child(work, &child);
	g_array_unref(child.parts);
}

/* The span has ended: its account goes to all that it was done for. */
static void finish(struct iot_accounts *accounts, struct work *work)
{
	struct thread *thread = work->thread;
	struct iot_child child;

	add_queue(work);
	if (work->children) {
		work->parts = iot_account_fold(work->children, work->since, work->t1,
					       &work->n_concurrent);
		iot_account_shrink(work->parts, MAX_PARTS);
		g_clear_pointer(&work->children, g_array_unref);
	} else {
		work->parts = g_array_new(FALSE, FALSE, sizeof(struct iot_account_part));
	}
	for (guint i = 0; work->callers && i < work->callers->len; i++) {
		const struct caller *caller = &g_array_index(work->callers, struct caller, i);

		child = make_child(work, caller->sent, TRUE);
		if (!caller->work->parts)
			add_to_thread(caller->work, &child);
		g_array_unref(child.parts);
	}
	for (guint i = 0; thread && i < thread->open->len; i++) {
		struct work *other = thread->open->pdata[i];

		/* the same call on another row has the same begin and end */
		if (other == work || other->parts || other->t0 > work->t0 ||
		    (other->t0 == work->t0 && other->t1 == work->t1))
			continue;
		child = make_child(work, G_MAXUINT64, FALSE);
		add_child(other, &child);
		g_array_unref(child.parts);
	}
	if (!work->callers)
		keep_unclaimed(accounts, work);
	leave_thread(accounts, work);
}

/* The span is no longer on its lane. */
static void leave_lane(struct iot_accounts *accounts, struct work *work)
{
	struct lane *lane = find_lane(accounts, work->row, work->lane);

	if (!lane || !g_ptr_array_remove(lane->open, work))
		return;
	release(work);
	if (lane->open->len)
		return;
	iot_hashset_remove(&accounts->lanes, lane_hash(lane->row, lane->lane), lane);
	lane_free(lane);
}

static void tell(const struct iot_accounts *accounts, const struct work *work)
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
	const struct work *a = *(struct work *const *)pa, *b = *(struct work *const *)pb;

	return (a->t0 < b->t0) - (a->t0 > b->t0);
}

static gint by_to(gconstpointer pa, gconstpointer pb)
{
	const struct link *a = pa, *b = pb;

	if (a->row_to != b->row_to)
		return a->row_to < b->row_to ? -1 : 1;
	if (a->lane_to != b->lane_to)
		return a->lane_to < b->lane_to ? -1 : 1;
	return (a->to > b->to) - (a->to < b->to);
}

/* The first of the sorted answers that may be one to the span. */
static guint first_answer(const GArray *answers, const struct work *work)
{
	const struct link key = { .row_to = work->row, .lane_to = work->lane };
	guint from = 0, to = answers->len;

	while (from < to) {
		guint middle = from + (to - from) / 2;

		if (by_to(&g_array_index(answers, struct link, middle), &key) < 0)
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
		release_all(settled);
	for (guint i = 0; i < accounts->requests->len; i++)
		ask(accounts, &g_array_index(accounts->requests, struct link, i));
	g_array_set_size(accounts->requests, 0);
	if (accounts->ended->len > 1)
		g_ptr_array_sort(accounts->ended, by_begin);
	if (accounts->answers->len > 1)
		g_array_sort(accounts->answers, by_to);
	for (guint i = 0; i < accounts->ended->len; i++) {
		struct work *work = accounts->ended->pdata[i];

		for (guint k = first_answer(accounts->answers, work); k < accounts->answers->len;
		     k++) {
			struct link *link = &g_array_index(accounts->answers, struct link, k);

			if (link->row_to != work->row || link->lane_to != work->lane)
				break;
			/* what a span did is for the next one on its lane, not for itself */
			if (!link->used && link->to > work->t0 &&
			    (link->row != work->row || link->lane != work->lane ||
			     link->from != work->t1))
				answer(accounts, link, work);
		}
		finish(accounts, work);
	}
	for (guint i = 0; i < accounts->ended->len; i++)
		leave_lane(accounts, accounts->ended->pdata[i]);
	for (guint k = 0; k < accounts->answers->len; k++) {
		struct link *link = &g_array_index(accounts->answers, struct link, k);
		struct work *to =
			link->used ? NULL
				   : find_work(accounts, link->row_to, link->lane_to, link->to);

		if (to)
			answer(accounts, link, to);
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
		const struct work *work = accounts->settled->pdata[i];
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
		const struct work *work = accounts->settled->pdata[i];

		if (work->row == call->row && work->lane == call->lane &&
		    work->type == call->type && work->t0 == call->t0)
			return work->serves;
	}
	return FALSE;
}
