/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The locks of resources: what they hold, give up and wait for. */
#include "analysis/anatomy-local.h"
#include "base/intern.h"

/* Releases of a resource that are remembered, the last ones. */
enum { MAX_RELEASES = 64 };

static guint64 key_hash(const struct lock_key *key)
{
	return iot_hash_mix(key->row, key->number);
}

void iot_anatomy_resource_free(gpointer data)
{
	struct resource *resource = data;

	if (!resource)
		return;
	g_ptr_array_unref(resource->locks);
	g_array_unref(resource->modes);
	g_array_unref(resource->releases);
	g_free(resource);
}

struct lock *iot_lock_find(const struct iot_anatomy *a, iot_row_id row, guint64 number)
{
	const struct lock_key key = { row, number };
	guint64 hash = key_hash(&key);
	guint at = iot_hashset_first(&a->locks, hash);
	struct lock *lock;

	while ((lock = iot_hashset_next(&a->locks, hash, &at)) &&
	       !iot_lock_key_equal(&lock->key, &key))
		;
	return lock;
}

/* The resource on a row; it is made if there is none. */
static struct resource *find_resource(struct iot_anatomy *a, iot_row_id row)
{
	struct resource *resource;

	if (a->resources->len <= row)
		g_ptr_array_set_size(a->resources, (gint)row + 1);
	resource = a->resources->pdata[row];
	if (!resource) {
		resource = a->resources->pdata[row] = g_new0(struct resource, 1);
		resource->locks = g_ptr_array_new_with_free_func(g_free);
		resource->modes = g_array_new(FALSE, FALSE, sizeof(struct mode));
		resource->releases = g_array_new(FALSE, FALSE, sizeof(struct release));
	}
	return resource;
}

struct lock *iot_lock_add(struct iot_anatomy *a, iot_row_id row, guint64 number)
{
	struct lock *lock = g_new0(struct lock, 1);

	lock->key = (struct lock_key){ row, number };
	lock->resource = find_resource(a, iot_anatomy_resource(a, row));
	g_ptr_array_add(lock->resource->locks, lock);
	iot_hashset_add(&a->locks, key_hash(&lock->key), lock);
	return lock;
}

static gboolean is_idle(const struct lock *lock)
{
	return !lock->hold.cat && !lock->waits && !lock->unreturned;
}

void iot_lock_settle(struct iot_anatomy *a, struct lock *lock)
{
	if (!lock->idle && is_idle(lock))
		g_ptr_array_add(a->idle, lock);
	lock->idle |= is_idle(lock);
}

/* A lock that holds nothing and waits for nothing at the end of an instant is forgotten. */
void iot_lock_forget(struct iot_anatomy *a, struct lock *lock)
{
	struct resource *resource = lock->resource;

	lock->idle = FALSE;
	if (!is_idle(lock))
		return;
	iot_hashset_remove(&a->locks, key_hash(&lock->key), lock);
	g_ptr_array_remove_fast(resource->locks, lock);
	if (!resource->locks->len)
		g_array_set_size(resource->releases, 0);
}

/* Releases that arrived are needed by open waits only. */
void iot_releases_limit(struct resource *resource)
{
	guint n = 0;

	if (!resource->n_waits) {
		for (guint i = 0; i < resource->releases->len; i++)
			if (!iot_release_at(resource, i)->got)
				*iot_release_at(resource, n++) = *iot_release_at(resource, i);
		g_array_set_size(resource->releases, n);
	}
	if (resource->releases->len > MAX_RELEASES)
		g_array_remove_index(resource->releases, 0);
}

static gboolean in_the_way(const struct iot_anatomy *a, const struct lock *waiter, iot_cat_id held)
{
	if (G_UNLIKELY(MAX(waiter->asks, held) >= a->n_cats))
		return iot_anatomy_excludes(a->tl, waiter->asks, held);
	return a->excludes[waiter->asks * a->n_cats + held];
}

static struct mode *mode_of(struct resource *resource, iot_cat_id cat)
{
	struct mode new = { .cat = cat };

	for (guint i = 0; i < resource->modes->len; i++)
		if (g_array_index(resource->modes, struct mode, i).cat == cat)
			return &g_array_index(resource->modes, struct mode, i);
	g_array_append_val(resource->modes, new);
	return &g_array_index(resource->modes, struct mode, resource->modes->len - 1);
}

static void count_hold(struct lock *lock)
{
	struct mode *mode = mode_of(lock->resource, lock->hold.cat);

	mode->held++;
	mode->begun++;
	lock->counted = TRUE;
}

static void uncount_hold(struct lock *lock)
{
	if (lock->counted)
		mode_of(lock->resource, lock->hold.cat)->held--;
	lock->counted = FALSE;
}

/* Holds in the way of a wait: those at its begin, and those that began later. So at its begin,
 * @held less @begun is counted, and at its end what has begun. */
static gint64 count_in_way(const struct iot_anatomy *a, const struct lock *lock, gint64 held,
			   gint64 begun)
{
	gint64 n = 0;

	for (guint i = 0; i < lock->resource->modes->len; i++) {
		const struct mode *mode = &g_array_index(lock->resource->modes, struct mode, i);

		if (in_the_way(a, lock, mode->cat))
			n += held * mode->held + begun * mode->begun;
	}
	return n;
}

void iot_lock_begin_wait(struct iot_anatomy *a, struct lock *lock, const struct iot_item *item)
{
	const struct type_facts *facts = &g_array_index(a->types, struct type_facts, item->type);

	lock->waits = TRUE;
	lock->returned = FALSE;
	lock->master = 0;
	lock->n_sent = lock->n_arrived = 0;
	lock->redirected = 0;
	lock->asks = item->asks;
	lock->pid = facts->pid >= 0 ? item->attr[facts->pid].u : 0;
	lock->wait = (struct iot_handover){ .t0 = item->t0 };
	lock->resource->n_waits++;
	lock->n_in_way = count_in_way(a, lock, 1, -1);
	if (lock->counted && in_the_way(a, lock, lock->hold.cat))
		lock->n_in_way--;
}

/* The instant at which the master, on the node of @master, has a release; 0: not yet. */
static guint64 release_known(struct iot_anatomy *a, const struct lock *lock,
			     const struct release *release, iot_row_id master)
{
	if (release->got)
		return release->got;
	if (lock->wait.master == IOT_MASTER_UNRECORDED ||
	    iot_anatomy_node(a, release->key.row) == iot_anatomy_node(a, master))
		return release->call;
	return 0;
}

/* The last release of a lock in the way that the master had before it answered. */
static void find_release(struct iot_anatomy *a, struct lock *lock)
{
	struct iot_handover *wait = &lock->wait;
	iot_row_id master = lock->master ? lock->master : lock->key.row;
	guint64 from = wait->requested ? wait->requested : wait->t0;
	guint64 to = wait->granted ? wait->granted : wait->t1;
	gboolean shown = FALSE; /* its message came to the waiter's node */
	guint n_left = 0;

	for (guint i = 0; i < lock->resource->releases->len; i++) {
		const struct release *release = iot_release_at(lock->resource, i);
		guint64 got = release_known(a, lock, release, master);

		if (!got || got > to || iot_lock_key_equal(&release->key, &lock->key) ||
		    !in_the_way(a, lock, release->cat))
			continue;
		n_left += release->call >= wait->t0;
		if (got < from || got < wait->release_got)
			continue;
		wait->released = release->call;
		wait->release_got = got;
		wait->asked = release->hold.asked;
		wait->called = release->hold.called;
		wait->held_since = release->hold.since;
		wait->holder_at_master =
			iot_anatomy_node(a, release->key.row) == iot_anatomy_node(a, master);
		shown = release->got &&
			iot_anatomy_node(a, release->at) == iot_anatomy_node(a, lock->key.row);
	}
	if (shown && wait->master == IOT_MASTER_INFERRED)
		wait->master = IOT_MASTER_LOCAL;
	wait->blocked = lock->n_in_way + count_in_way(a, lock, 0, 1) > n_left;
}

void iot_lock_finish_wait(const struct iot_anatomy *a, struct lock *lock, guint64 returned)
{
	if (!lock->unreturned)
		return;
	lock->unreturned = FALSE;
	if (returned > lock->completed)
		lock->ended.part_ns[IOT_HANDOVER_RETURN] = returned - lock->completed;
	for (guint i = 0; i < a->listeners->len; i++) {
		const struct listener *listener = &g_array_index(a->listeners, struct listener, i);

		listener->func(listener->user_data, &lock->ended);
	}
}

/* The last message of a wait that did not arrive went to a node that is not recorded. */
static enum iot_master find_master(struct iot_anatomy *a, const struct lock *lock)
{
	iot_str node = iot_anatomy_node(a, lock->key.row);

	if (lock->n_sent > lock->n_arrived) {
		a->n_astray += lock->n_sent - lock->n_arrived;
		return IOT_MASTER_UNRECORDED;
	}
	if (lock->master)
		return iot_anatomy_node(a, lock->master) == node ? IOT_MASTER_LOCAL
								 : IOT_MASTER_REMOTE;
	return g_hash_table_contains(a->talks, GUINT_TO_POINTER(node)) ? IOT_MASTER_INFERRED
								       : IOT_MASTER_UNRECORDED;
}

void iot_lock_end_wait(struct iot_anatomy *a, struct lock *lock, const struct iot_item *item)
{
	lock->waits = FALSE;
	lock->resource->n_waits--;
	if (!(item->flags & IOT_PARTIAL) && !iot_row_at(a->tl, item->row)->hidden) {
		lock->wait.t1 = lock->completed = item->t1;
		lock->wait.master = find_master(a, lock);
		lock->wait.hidden = a->n_astray > 0;
		find_release(a, lock);
		lock->ended = (struct iot_anatomy_wait){ .row = item->row,
							 .state = item->cat,
							 .mode = item->asks,
							 .master = lock->wait.master,
							 .master_row = lock->master,
							 .instants = lock->wait };
		if (lock->redirected)
			lock->ended.lookup_ns = lock->redirected - lock->wait.t0;
		iot_handover_cut(&lock->wait, lock->ended.part_ns);
		lock->unreturned = TRUE;
		if (lock->returned || !a->knows_returns)
			iot_lock_finish_wait(a, lock, 0);
	}
	iot_releases_limit(lock->resource);
}

const struct iot_handover *iot_anatomy_instants(const struct iot_anatomy *a, iot_row_id row,
						guint64 number, guint64 t0)
{
	const struct lock *lock = iot_lock_find(a, row, number);
	const struct iot_handover *instants = lock ? &lock->ended.instants : NULL;

	return instants && instants->t1 && instants->t0 == t0 ? instants : NULL;
}
void iot_lock_begin_hold(const struct iot_anatomy *a, struct lock *lock,
			 const struct iot_item *item)
{
	uncount_hold(lock);
	lock->hold = (struct hold){ .cat = item->cat, .since = item->t0 };
	lock->leaves = FALSE;
	count_hold(lock);
	if (lock->waits && in_the_way(a, lock, item->cat))
		lock->n_in_way--;
	if (lock->granted && lock->asked > lock->granted)
		lock->hold.asked = lock->asked;
	lock->granted = 0;
}

void iot_lock_end_hold(struct lock *lock)
{
	uncount_hold(lock);
	lock->hold = (struct hold){ 0 };
}

void iot_lock_begin_release(struct lock *lock, const struct iot_item *item)
{
	struct release release = {
		.key = lock->key, .cat = lock->hold.cat, .call = item->t0, .hold = lock->hold
	};

	if (!lock->hold.cat)
		return;
	lock->leaves = TRUE;
	uncount_hold(lock);
	g_array_append_val(lock->resource->releases, release);
	iot_releases_limit(lock->resource);
}
