/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/thread-waits.h"
#include "base/hashset.h"
#include "base/intern.h"

enum {
	/* Ended waits that are kept; of more, the oldest are forgotten and counted. */
	MAX_KEPT = 1024,
	/* Beyond this number, threads without waits are removed. */
	MAX_THREADS = 1024
};

struct iot_thread {
	iot_str node;
	guint64 pid;
	GPtrArray *waits; /* struct iot_thread_wait */
};

struct iot_thread_waits {
	struct iot_timeline *tl;
	struct iot_hashset threads; /* struct iot_thread */
	struct iot_hashset by_seq;  /* the open waits: a thread may have a million */
	GQueue open;		    /* struct iot_thread_wait, by begin */
	GQueue kept;		    /* ended ones, by end */
	GQueue spare;		    /* not used */
};

static void thread_free(gpointer data)
{
	struct iot_thread *thread = data;

	g_ptr_array_unref(thread->waits);
	g_free(thread);
}

static void wait_free(gpointer data)
{
	g_free(((struct iot_thread_wait *)data)->blockers);
	g_free(data);
}

/* NULL: it does not wait. */
static struct iot_thread *find_thread(const struct iot_thread_waits *threads, iot_str node,
				      guint64 pid)
{
	guint64 hash = iot_hash_mix(node, pid);
	guint at = iot_hashset_first(&threads->threads, hash);
	struct iot_thread *thread;

	while ((thread = iot_hashset_next(&threads->threads, hash, &at)) &&
	       (thread->node != node || thread->pid != pid))
		;
	return thread;
}

static struct iot_thread *add_thread(struct iot_thread_waits *threads, iot_str node, guint64 pid)
{
	struct iot_thread *thread = g_new(struct iot_thread, 1);

	thread->node = node;
	thread->pid = pid;
	thread->waits = g_ptr_array_new();
	iot_hashset_add(&threads->threads, iot_hash_mix(node, pid), thread);
	return thread;
}

static void forget(struct iot_thread_waits *threads, struct iot_thread_wait *wait)
{
	struct iot_thread *thread = wait->thread;
	struct iot_thread_wait *last = g_ptr_array_index(thread->waits, thread->waits->len - 1);

	thread->waits->pdata[wait->at] = last;
	last->at = wait->at;
	g_ptr_array_set_size(thread->waits, (gint)thread->waits->len - 1);
	if (!thread->waits->len && threads->threads.n > MAX_THREADS) {
		iot_hashset_remove(&threads->threads, iot_hash_mix(thread->node, thread->pid),
				   thread);
		thread_free(thread);
	}
	g_clear_pointer(&wait->blockers, g_free);
	g_queue_push_tail_link(&threads->spare, &wait->link);
}

static guint64 seq_hash(const struct iot_claim *claim)
{
	return iot_hash_mix(0, claim->seq);
}

static void wait_began(gpointer data, const struct iot_claim *claim)
{
	struct iot_thread_waits *threads = data;
	struct iot_thread_wait *wait;

	if (claim->kind != IOT_CLAIM_WAIT)
		return;
	if (threads->spare.length)
		wait = g_queue_pop_tail_link(&threads->spare)->data;
	else
		wait = g_new(struct iot_thread_wait, 1);
	*wait = (struct iot_thread_wait){ .claim = *claim, .link.data = wait };
	wait->thread = find_thread(threads, claim->node, claim->pid);
	if (!wait->thread)
		wait->thread = add_thread(threads, claim->node, claim->pid);
	wait->at = wait->thread->waits->len;
	g_ptr_array_add(wait->thread->waits, wait);
	iot_hashset_add(&threads->by_seq, seq_hash(claim), wait);
	g_queue_push_tail_link(&threads->open, &wait->link);
}

static struct iot_thread_wait *find_wait(const struct iot_thread_waits *threads,
					 const struct iot_claim *claim)
{
	guint64 hash = seq_hash(claim);
	guint at = iot_hashset_first(&threads->by_seq, hash);
	struct iot_thread_wait *wait;

	while ((wait = iot_hashset_next(&threads->by_seq, hash, &at)) &&
	       (wait->claim.seq != claim->seq || wait->claim.node != claim->node ||
		wait->claim.pid != claim->pid))
		;
	return wait;
}

/* Forget the ended waits that no open one began before, and the oldest of too many. Only when all
 * waits that end now have been reported: listeners may still ask. */
static void forget_ended(gpointer data, guint64 now)
{
	struct iot_thread_waits *threads = data;
	const struct iot_thread_wait *oldest =
		threads->open.length ? threads->open.head->data : NULL;

	(void)now;
	while (threads->kept.length) {
		struct iot_thread_wait *wait = threads->kept.head->data;
		gboolean needed = oldest && wait->claim.t1 > oldest->claim.t0;

		if (needed && threads->kept.length <= MAX_KEPT)
			break;
		iot_diag_add(&threads->tl->stage_diag, IOT_DIAG_chain_forgotten, needed);
		g_queue_unlink(&threads->kept, &wait->link);
		forget(threads, wait);
	}
}

static void wait_ended(gpointer data, const struct iot_wait *ended)
{
	struct iot_thread_waits *threads = data;
	struct iot_thread_wait *wait = find_wait(threads, &ended->claim);

	if (!wait)
		return;
	iot_hashset_remove(&threads->by_seq, seq_hash(&wait->claim), wait);
	g_queue_unlink(&threads->open, &wait->link);
	if (ended->blockers->len) {
		wait->claim = ended->claim;
		wait->n_blockers = ended->blockers->len;
		wait->blockers = g_memdup2(ended->blockers->data,
					   wait->n_blockers * sizeof(struct iot_blocker));
		g_queue_push_tail_link(&threads->kept, &wait->link);
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

static void search_thread(const struct iot_thread_waits *threads, guint64 pid,
			  const struct search *search)
{
	const struct iot_thread *thread = find_thread(threads, search->hold->node, pid);

	if (thread)
		g_ptr_array_foreach(thread->waits, add_found, (gpointer)search);
}

GPtrArray *iot_thread_waits_find(struct iot_thread_waits *threads, const struct iot_claim *hold,
				 guint64 t0, guint64 t1)
{
	struct search search = { g_ptr_array_new(), hold, t0, t1 };

	if (hold->pid) {
		search_thread(threads, hold->pid, &search);
		search_thread(threads, 0, &search);
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
	struct iot_locks_listener listener = { .began = wait_began,
					       .settled = forget_ended,
					       .user_data = threads };

	threads->tl = tl;
	iot_hashset_init(&threads->threads);
	iot_hashset_init(&threads->by_seq);
	g_queue_init(&threads->open);
	g_queue_init(&threads->kept);
	g_queue_init(&threads->spare);
	iot_locks_listen(iot_waits_locks(waits), &listener);
	iot_waits_listen(waits, wait_ended, threads);
	return threads;
}

static void free_waits(GQueue *queue)
{
	while (queue->length)
		wait_free(g_queue_pop_head_link(queue)->data);
}

void iot_thread_waits_free(struct iot_thread_waits *threads)
{
	if (!threads)
		return;
	iot_hashset_clear(&threads->by_seq);
	iot_hashset_clear_full(&threads->threads, thread_free);
	free_waits(&threads->open);
	free_waits(&threads->kept);
	free_waits(&threads->spare);
	g_free(threads);
}
