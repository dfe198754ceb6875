/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/thread-waits.h"
#include "base/intern.h"

enum {
	/* Ended waits that are kept; of more, the oldest are forgotten and counted. */
	MAX_KEPT = 1024,
	/* Beyond this number, threads without waits are removed. */
	MAX_LISTS = 1024
};

/* Waits of one thread. */
struct list {
	iot_str node;
	guint64 pid;
	GPtrArray *waits; /* struct iot_thread_wait */
};

struct iot_thread_waits {
	struct iot_timeline *tl;
	GHashTable *lists; /* set of struct list */
	GQueue open;	   /* struct iot_thread_wait, by begin */
	GQueue kept;	   /* ended ones, by end */
};

static guint list_hash(gconstpointer data)
{
	const struct list *list = data;

	return (guint)iot_hash_mix(list->node, list->pid);
}

static gboolean list_equal(gconstpointer pa, gconstpointer pb)
{
	const struct list *a = pa, *b = pb;

	return a->node == b->node && a->pid == b->pid;
}

static void list_free(gpointer data)
{
	g_ptr_array_unref(((struct list *)data)->waits);
	g_free(data);
}

static void wait_free(gpointer data)
{
	g_free(((struct iot_thread_wait *)data)->blockers);
	g_free(data);
}

static void add_to_list(struct iot_thread_waits *threads, struct iot_thread_wait *wait)
{
	struct list key = { wait->claim.node, wait->claim.pid, NULL };
	struct list *list = g_hash_table_lookup(threads->lists, &key);

	if (!list) {
		list = g_new(struct list, 1);
		*list = key;
		list->waits = g_ptr_array_new();
		g_hash_table_add(threads->lists, list);
	}
	g_ptr_array_add(list->waits, wait);
}

static void forget(struct iot_thread_waits *threads, struct iot_thread_wait *wait)
{
	const struct list key = { wait->claim.node, wait->claim.pid, NULL };
	struct list *list = g_hash_table_lookup(threads->lists, &key);

	g_ptr_array_remove_fast(list->waits, wait);
	if (!list->waits->len && g_hash_table_size(threads->lists) > MAX_LISTS)
		g_hash_table_remove(threads->lists, list);
	wait_free(wait);
}

static void wait_began(gpointer data, const struct iot_claim *claim)
{
	struct iot_thread_waits *threads = data;
	struct iot_thread_wait *wait;

	if (claim->kind != IOT_CLAIM_WAIT)
		return;
	wait = g_new0(struct iot_thread_wait, 1);
	wait->claim = *claim;
	add_to_list(threads, wait);
	g_queue_push_tail(&threads->open, wait);
}

/* The open wait of a claim; it is mostly one of the oldest. */
static GList *find_open(const struct iot_thread_waits *threads, const struct iot_claim *claim)
{
	for (GList *link = threads->open.head; link; link = link->next)
		if (((struct iot_thread_wait *)link->data)->claim.seq == claim->seq)
			return link;
	return NULL;
}

/* Forget the ended waits that no open one began before, and the oldest of too many. Only when all
 * waits that end now have been reported: listeners may still ask. */
static void forget_ended(gpointer data, guint64 now)
{
	struct iot_thread_waits *threads = data;
	const struct iot_thread_wait *oldest = g_queue_peek_head(&threads->open);

	(void)now;
	while (threads->kept.length) {
		const struct iot_thread_wait *wait = g_queue_peek_head(&threads->kept);
		gboolean needed = oldest && wait->claim.t1 > oldest->claim.t0;

		if (needed && threads->kept.length <= MAX_KEPT)
			break;
		iot_diag_add(&threads->tl->diag, IOT_DIAG_chain_forgotten, needed);
		forget(threads, g_queue_pop_head(&threads->kept));
	}
}

static void wait_ended(gpointer data, const struct iot_wait *ended)
{
	struct iot_thread_waits *threads = data;
	GList *link = find_open(threads, &ended->claim);
	struct iot_thread_wait *wait;

	if (!link)
		return;
	wait = link->data;
	g_queue_delete_link(&threads->open, link);
	if (ended->blockers->len) {
		wait->claim = ended->claim;
		wait->n_blockers = ended->blockers->len;
		wait->blockers = g_memdup2(ended->blockers->data,
					   wait->n_blockers * sizeof(struct iot_blocker));
		g_queue_push_tail(&threads->kept, wait);
	} else {
		forget(threads, wait);
	}
}

/* ---- look-up */

static gint by_begin(gconstpointer pa, gconstpointer pb)
{
	const struct iot_claim *a = &(*(struct iot_thread_wait *const *)pa)->claim;
	const struct iot_claim *b = &(*(struct iot_thread_wait *const *)pb)->claim;

	return a->t0 != b->t0 ? (a->t0 < b->t0 ? -1 : 1) : (a->seq > b->seq) - (a->seq < b->seq);
}

struct search {
	GPtrArray *found;
	const struct iot_claim *hold;
	guint64 t0, t1;
};

static void add_found(gpointer data, gpointer user_data)
{
	struct iot_thread_wait *wait = data;
	const struct search *search = user_data;

	if (iot_thread_may_be(&wait->claim, search->hold) && wait->claim.t0 < search->t1 &&
	    wait->claim.t1 > search->t0)
		g_ptr_array_add(search->found, wait);
}

static void search_list(const struct iot_thread_waits *threads, guint64 pid,
			const struct search *search)
{
	const struct list key = { search->hold->node, pid, NULL };
	const struct list *list = g_hash_table_lookup(threads->lists, &key);

	if (list)
		g_ptr_array_foreach(list->waits, add_found, (gpointer)search);
}

GPtrArray *iot_thread_waits_find(struct iot_thread_waits *threads, const struct iot_claim *hold,
				 guint64 t0, guint64 t1)
{
	struct search search = { g_ptr_array_new(), hold, t0, t1 };

	if (hold->pid) {
		search_list(threads, hold->pid, &search);
		search_list(threads, 0, &search);
	} else {
		g_queue_foreach(&threads->open, add_found, &search);
		g_queue_foreach(&threads->kept, add_found, &search);
	}
	if (search.found->len > 1)
		g_ptr_array_sort(search.found, by_begin);
	return search.found;
}

/* ---- life */

struct iot_thread_waits *iot_thread_waits_new(struct iot_timeline *tl, struct iot_waits *waits)
{
	struct iot_thread_waits *threads = g_new0(struct iot_thread_waits, 1);
	struct iot_waits_listener listener = { .began = wait_began,
					       .ended = wait_ended,
					       .settled = forget_ended,
					       .user_data = threads };

	threads->tl = tl;
	threads->lists = g_hash_table_new_full(list_hash, list_equal, NULL, list_free);
	g_queue_init(&threads->open);
	g_queue_init(&threads->kept);
	iot_waits_listen(waits, &listener);
	return threads;
}

void iot_thread_waits_free(struct iot_thread_waits *threads)
{
	if (!threads)
		return;
	g_hash_table_unref(threads->lists);
	g_queue_clear_full(&threads->open, wait_free);
	g_queue_clear_full(&threads->kept, wait_free);
	g_free(threads);
}
