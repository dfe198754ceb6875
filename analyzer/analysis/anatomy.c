/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/anatomy.h"
#include "analysis/places.h"
#include "base/hashset.h"
#include "base/intern.h"

/* Releases of a resource that are remembered, the last ones. */
enum { MAX_RELEASES = 64 };

/* Facts about a type. */
struct type_facts {
	gboolean waits; /* spans of waits and holds that are looked at */
	int pid;	/* position of the attribute; -1: there is none */
	int message;	/* the same */
};

struct lock_key {
	iot_row_id row;
	guint64 number;
};

struct hold {
	iot_cat_id cat; /* 0: nothing is held */
	guint64 since, asked, called;
};

struct lock {
	struct lock_key key;
	struct resource *resource;
	struct hold hold;
	/* the last question, perhaps about a hold that has not been drawn yet; the answer that
	   such a hold will begin with */
	guint64 asked, granted;
	gboolean waits, returned, leaves, idle;
	guint64 pid;
	gint64 n_in_way;	 /* holds in the way of the wait: see count_in_way */
	gboolean counted;	 /* its hold, in the modes of the resource */
	iot_row_id master;	 /* row that got the request; 0: no message arrived */
	guint n_sent, n_arrived; /* messages of this wait */
	guint64 redirected;	 /* when the wait heard who the master is; 0: it did not ask */
	iot_cat_id asks;
	struct iot_handover wait;
	/* ended, but its call has not returned */
	gboolean unreturned;
	struct iot_anatomy_wait ended;
	guint64 completed;
};

struct release {
	struct lock_key key;
	iot_cat_id cat;	   /* mode that is given up */
	guint64 call, got; /* got 0: no message has arrived */
	struct hold hold;
};

/* The holds in one mode on a resource. */
struct mode {
	iot_cat_id cat;
	gint64 held;  /* now, and not being left */
	gint64 begun; /* so far */
};

struct resource {
	GPtrArray *locks; /* struct lock */
	GArray *modes;	  /* struct mode */
	GArray *releases; /* struct release, by call */
	guint n_waits;
};

struct listener {
	iot_anatomy_func func;
	gpointer user_data;
};

struct iot_anatomy {
	const struct iot_timeline *tl;
	GArray *listeners;	  /* struct listener */
	GArray *types;		  /* struct type_facts, by type */
	struct iot_hashset locks; /* of struct lock, which the resources own */
	GPtrArray *idle;	  /* struct lock, since the present instant */
	GHashTable *talks;	  /* set of names of nodes whose messages are recorded */
	GHashTable *requests;	  /* set of names of messages that are requests */
	gboolean *excludes;	  /* by category of the wait and of the hold: it is in the way */
	guint n_cats;		  /* when the models were loaded */
	struct iot_places places;
	GPtrArray *resources;	/* struct resource or NULL, by row */
	gboolean knows_returns; /* some model has points for returns */
	/* messages of ended waits that have not arrived: a node is not recorded */
	guint64 n_astray;
};

static guint64 key_hash(const struct lock_key *key)
{
	return iot_hash_mix(key->row, key->number);
}

static gboolean key_equal(const struct lock_key *a, const struct lock_key *b)
{
	return a->row == b->row && a->number == b->number;
}

static void resource_free(gpointer data)
{
	struct resource *resource = data;

	if (!resource)
		return;
	g_ptr_array_unref(resource->locks);
	g_array_unref(resource->modes);
	g_array_unref(resource->releases);
	g_free(resource);
}

/* ---- facts of the models */

gboolean iot_anatomy_has_callbacks(const struct iot_timeline *tl, iot_type_id on)
{
	for (iot_cat_id cat = 1; cat < tl->cats.n; cat++) {
		const struct iot_type *type = iot_type_at(tl, iot_cat_at(tl, cat)->type);

		if (iot_cat_at(tl, cat)->role == IOT_ROLE_BLOCK && type->kind == IOT_TYPE_POINT &&
		    type->on == on)
			return TRUE;
	}
	return FALSE;
}

static gboolean has_role(const struct iot_timeline *tl, enum iot_role role)
{
	for (iot_cat_id cat = 1; cat < tl->cats.n; cat++)
		if (iot_cat_at(tl, cat)->role == role)
			return TRUE;
	return FALSE;
}

gboolean iot_anatomy_possible(const struct iot_timeline *tl)
{
	return has_role(tl, IOT_ROLE_BLOCK) && has_role(tl, IOT_ROLE_WAIT);
}

static gboolean excludes(const struct iot_timeline *tl, iot_cat_id asks, iot_cat_id held)
{
	return !iot_cats_compared(tl, asks, held) || !iot_cats_compatible(tl, asks, held);
}

struct iot_anatomy *iot_anatomy_new(const struct iot_timeline *tl)
{
	struct iot_anatomy *a = g_new0(struct iot_anatomy, 1);

	a->tl = tl;
	a->listeners = g_array_new(FALSE, FALSE, sizeof(struct listener));
	a->types = g_array_new(FALSE, TRUE, sizeof(struct type_facts));
	g_array_set_size(a->types, tl->types.n);
	for (iot_type_id id = 1; id < tl->types.n; id++) {
		const struct iot_type *type = iot_type_at(tl, id);

		g_array_index(a->types, struct type_facts, id) = (struct type_facts){
			.waits = type->kind == IOT_TYPE_SPAN && !type->repeats &&
				 iot_anatomy_has_callbacks(tl, type->on),
			.pid = iot_type_attr(tl, type, "pid"),
			.message = iot_type_attr(tl, type, "message"),
		};
	}
	a->knows_returns = has_role(tl, IOT_ROLE_RETURN);
	a->n_cats = tl->cats.n;
	a->excludes = g_new(gboolean, a->n_cats * a->n_cats);
	for (iot_cat_id asks = 0; asks < a->n_cats; asks++)
		for (iot_cat_id held = 0; held < a->n_cats; held++)
			a->excludes[asks * a->n_cats + held] = excludes(tl, asks, held);
	iot_places_init(&a->places, tl);
	iot_hashset_init(&a->locks);
	a->idle = g_ptr_array_new();
	a->talks = g_hash_table_new(NULL, NULL);
	a->requests = g_hash_table_new(NULL, NULL);
	for (iot_cat_id cat = 1; cat < tl->cats.n; cat++)
		if (iot_cat_at(tl, cat)->role == IOT_ROLE_REQUEST)
			g_hash_table_add(a->requests, GUINT_TO_POINTER(iot_cat_at(tl, cat)->name));
	a->resources = g_ptr_array_new_with_free_func(resource_free);
	return a;
}

void iot_anatomy_free(struct iot_anatomy *a)
{
	if (!a)
		return;
	g_array_unref(a->listeners);
	g_array_unref(a->types);
	g_free(a->excludes);
	iot_places_clear(&a->places);
	iot_hashset_clear(&a->locks);
	g_ptr_array_unref(a->idle);
	g_hash_table_unref(a->talks);
	g_hash_table_unref(a->requests);
	g_ptr_array_unref(a->resources);
	g_free(a);
}

void iot_anatomy_listen(struct iot_anatomy *a, iot_anatomy_func func, gpointer user_data)
{
	struct listener listener = { func, user_data };

	g_array_append_val(a->listeners, listener);
}

/* ---- locks and resources */

static iot_row_id resource_row(struct iot_anatomy *a, iot_row_id row)
{
	return iot_place_of(&a->places, row)->resource;
}

static iot_str node_of(struct iot_anatomy *a, iot_row_id row)
{
	return iot_place_of(&a->places, row)->name;
}

static struct lock *find_lock(const struct iot_anatomy *a, iot_row_id row, guint64 number)
{
	const struct lock_key key = { row, number };
	guint64 hash = key_hash(&key);
	guint at = iot_hashset_first(&a->locks, hash);
	struct lock *lock;

	while ((lock = iot_hashset_next(&a->locks, hash, &at)) && !key_equal(&lock->key, &key))
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

static struct lock *add_lock(struct iot_anatomy *a, iot_row_id row, guint64 number)
{
	struct lock *lock = g_new0(struct lock, 1);

	lock->key = (struct lock_key){ row, number };
	lock->resource = find_resource(a, resource_row(a, row));
	g_ptr_array_add(lock->resource->locks, lock);
	iot_hashset_add(&a->locks, key_hash(&lock->key), lock);
	return lock;
}

static gboolean is_idle(const struct lock *lock)
{
	return !lock->hold.cat && !lock->waits && !lock->unreturned;
}

static void settle_lock(struct iot_anatomy *a, struct lock *lock)
{
	if (!lock->idle && is_idle(lock))
		g_ptr_array_add(a->idle, lock);
	lock->idle |= is_idle(lock);
}

/* A lock that holds nothing and waits for nothing at the end of an instant is forgotten. */
static void forget_lock(struct iot_anatomy *a, struct lock *lock)
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

static struct release *release_at(const struct resource *resource, guint i)
{
	return &g_array_index(resource->releases, struct release, i);
}

/* Releases that arrived are needed by open waits only. */
static void limit_releases(struct resource *resource)
{
	guint n = 0;

	if (!resource->n_waits) {
		for (guint i = 0; i < resource->releases->len; i++)
			if (!release_at(resource, i)->got)
				*release_at(resource, n++) = *release_at(resource, i);
		g_array_set_size(resource->releases, n);
	}
	if (resource->releases->len > MAX_RELEASES)
		g_array_remove_index(resource->releases, 0);
}

/* ---- waits */

static gboolean in_the_way(const struct iot_anatomy *a, const struct lock *waiter, iot_cat_id held)
{
	if (G_UNLIKELY(MAX(waiter->asks, held) >= a->n_cats))
		return excludes(a->tl, waiter->asks, held);
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

static void begin_wait(struct iot_anatomy *a, struct lock *lock, const struct iot_item *item)
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
	    node_of(a, release->key.row) == node_of(a, master))
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
	guint n_left = 0;

	for (guint i = 0; i < lock->resource->releases->len; i++) {
		const struct release *release = release_at(lock->resource, i);
		guint64 got = release_known(a, lock, release, master);

		if (!got || got > to || key_equal(&release->key, &lock->key) ||
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
		wait->holder_at_master = node_of(a, release->key.row) == node_of(a, master);
	}
	wait->blocked = lock->n_in_way + count_in_way(a, lock, 0, 1) > n_left;
}

static void finish_wait(const struct iot_anatomy *a, struct lock *lock, guint64 returned)
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
	iot_str node = node_of(a, lock->key.row);

	if (lock->n_sent > lock->n_arrived) {
		a->n_astray += lock->n_sent - lock->n_arrived;
		return IOT_MASTER_UNRECORDED;
	}
	if (lock->master && node_of(a, lock->master) != node)
		return IOT_MASTER_REMOTE;
	return g_hash_table_contains(a->talks, GUINT_TO_POINTER(node)) ? IOT_MASTER_LOCAL
								       : IOT_MASTER_UNRECORDED;
}

static void end_wait(struct iot_anatomy *a, struct lock *lock, const struct iot_item *item)
{
	const guint partial = IOT_UNFINISHED | IOT_BEFORE | IOT_SUSPECT | IOT_CUT_LEFT |
			      IOT_CUT_RIGHT | IOT_UNKNOWN;

	lock->waits = FALSE;
	lock->resource->n_waits--;
	if (!(item->flags & partial) && !iot_row_at(a->tl, item->row)->hidden) {
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
			finish_wait(a, lock, 0);
	}
	limit_releases(lock->resource);
}

const struct iot_handover *iot_anatomy_instants(const struct iot_anatomy *a, iot_row_id row,
						guint64 number, guint64 t0)
{
	const struct lock *lock = find_lock(a, row, number);
	const struct iot_handover *instants = lock ? &lock->ended.instants : NULL;

	return instants && instants->t1 && instants->t0 == t0 ? instants : NULL;
}

/* ---- spans */

static void begin_hold(const struct iot_anatomy *a, struct lock *lock, const struct iot_item *item)
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

static void begin_release(struct lock *lock, const struct iot_item *item)
{
	struct release release = {
		.key = lock->key, .cat = lock->hold.cat, .call = item->t0, .hold = lock->hold
	};

	if (!lock->hold.cat)
		return;
	lock->leaves = TRUE;
	uncount_hold(lock);
	g_array_append_val(lock->resource->releases, release);
	limit_releases(lock->resource);
}

static void take_span(struct iot_anatomy *a, const struct iot_item *item)
{
	const struct iot_category *cat = iot_cat_at(a->tl, item->cat);
	gboolean begins = item->kind == IOT_ITEM_SPAN_BEGIN, leaves = iot_item_leaves(a->tl, item);
	struct lock *lock;

	if ((!leaves && cat->role != IOT_ROLE_WAIT && cat->role != IOT_ROLE_HOLD) ||
	    !item->n_attrs || !resource_row(a, item->row))
		return;
	lock = find_lock(a, item->row, item->attr[0].u);
	if (!lock && !begins)
		return;
	if (!lock)
		lock = add_lock(a, item->row, item->attr[0].u);
	if (begins && leaves)
		begin_release(lock, item);
	if (cat->role == IOT_ROLE_WAIT && begins) {
		finish_wait(a, lock, 0);
		if (!lock->waits)
			begin_wait(a, lock, item);
	} else if (cat->role == IOT_ROLE_WAIT) {
		if (lock->waits)
			end_wait(a, lock, item);
	} else if (cat->role == IOT_ROLE_HOLD && begins) {
		begin_hold(a, lock, item);
	} else if (cat->role == IOT_ROLE_HOLD && lock->hold.cat == item->cat) {
		uncount_hold(lock);
		lock->hold = (struct hold){ 0 };
	}
	settle_lock(a, lock);
}

/* ---- messages and callbacks */

static guint64 number_at(const struct iot_item *item, guint attr)
{
	return attr && attr <= item->n_attrs ? item->attr[attr - 1].u : 0;
}

/* A request is on its way to the master, for the wait of its lock or its release, or both. */
static void take_request(struct iot_anatomy *a, const struct iot_item *item, guint64 number)
{
	struct lock *lock = find_lock(a, item->row, number);
	guint64 sent = iot_link_from(item), got = iot_link_to(item);

	if (!lock)
		return;
	if (lock->waits && sent >= lock->wait.t0) {
		lock->master = item->row_to;
		lock->n_arrived++;
		lock->wait.requested = got;
		lock->wait.granted = lock->wait.grant_got = 0;
	} else if (!lock->waits && lock->n_sent > lock->n_arrived && sent >= lock->wait.t0 &&
		   sent <= lock->wait.t1) {
		/* later than the end of its wait, by the errors of clocks */
		lock->n_arrived++;
		a->n_astray--;
	}
	for (guint i = lock->resource->releases->len; i; i--) {
		struct release *release = release_at(lock->resource, i - 1);

		if (!release->got && release->call <= sent &&
		    key_equal(&release->key, &lock->key)) {
			release->got = got;
			break;
		}
	}
	limit_releases(lock->resource);
}

/* Whether the message has the name of a request; the master sends others. */
static gboolean sends_request(const struct iot_anatomy *a, const struct iot_item *item)
{
	int at = g_array_index(a->types, struct type_facts, item->type).message;

	if (at < 0 || at >= (int)item->n_attrs)
		return FALSE;
	return g_hash_table_contains(a->requests, GUINT_TO_POINTER(item->attr[at].u));
}

static void take_link(struct iot_anatomy *a, const struct iot_item *item)
{
	const struct iot_type *type = iot_type_at(a->tl, item->type);
	enum iot_role role = iot_cat_at(a->tl, item->cat)->role;
	guint64 from = number_at(item, type->lock_from), to = number_at(item, type->lock_to);
	struct lock *lock;

	if (item->flags & (IOT_FROM_UNSEEN | IOT_TO_UNSEEN) || !resource_row(a, item->row) ||
	    !resource_row(a, item->row_to))
		return;
	if (role == IOT_ROLE_SENDS) {
		lock = find_lock(a, item->row_to, to);
		if (lock && lock->waits && iot_link_to(item) >= lock->wait.t0 &&
		    sends_request(a, item))
			lock->n_sent++;
		return;
	}
	/* no message */
	if (node_of(a, item->row) == node_of(a, item->row_to))
		return;
	g_hash_table_add(a->talks, GUINT_TO_POINTER(node_of(a, item->row)));
	g_hash_table_add(a->talks, GUINT_TO_POINTER(node_of(a, item->row_to)));
	if (role == IOT_ROLE_REQUEST) {
		take_request(a, item, from);
		return;
	}
	lock = find_lock(a, item->row_to, to ? to : from);
	if (!lock)
		return;
	if (role == IOT_ROLE_GRANT)
		lock->granted = iot_link_from(item);
	if (role == IOT_ROLE_GRANT && lock->waits && iot_link_from(item) >= lock->wait.t0) {
		lock->wait.granted = iot_link_from(item);
		lock->wait.grant_got = iot_link_to(item);
	} else if (role == IOT_ROLE_REDIRECT && lock->waits) {
		lock->master = item->row_to;
		lock->wait.requested = iot_link_to(item);
		lock->redirected = MAX(iot_link_to(item), lock->wait.t0);
	} else if (role == IOT_ROLE_BLOCK) {
		lock->asked = iot_link_from(item);
		if (!lock->hold.asked)
			lock->hold.asked = lock->asked;
	}
}

static void take_point(struct iot_anatomy *a, const struct iot_item *item)
{
	const struct type_facts *facts = &g_array_index(a->types, struct type_facts, item->type);
	enum iot_role role = iot_cat_at(a->tl, item->cat)->role;
	struct lock *lock;

	lock = item->n_attrs ? find_lock(a, item->row, item->attr[0].u) : NULL;
	if (!lock)
		return;
	if (role == IOT_ROLE_BLOCK) {
		if (!lock->hold.called)
			lock->hold.called = item->t0;
		return;
	}
	if (facts->pid >= 0 && item->attr[facts->pid].u != lock->pid)
		return;
	lock->returned = TRUE;
	finish_wait(a, lock, item->t0);
	settle_lock(a, lock);
}

gboolean iot_anatomy_wants(const struct iot_anatomy *a, enum iot_item_kind kind, iot_cat_id cat)
{
	enum iot_role role = iot_cat_at(a->tl, cat)->role;
	iot_type_id type = iot_cat_at(a->tl, cat)->type;

	switch (kind) {
	case IOT_ITEM_LINK:
		return iot_type_at(a->tl, type)->lock_from != 0;
	case IOT_ITEM_POINT:
		return role == IOT_ROLE_BLOCK || role == IOT_ROLE_RETURN;
	case IOT_ITEM_SPAN:
	case IOT_ITEM_SPAN_BEGIN:
		return type < a->types->len &&
		       g_array_index(a->types, struct type_facts, type).waits;
	default:
		return FALSE;
	}
}

void iot_anatomy_settle(struct iot_anatomy *a)
{
	for (guint i = 0; i < a->idle->len; i++)
		forget_lock(a, a->idle->pdata[i]);
	if (a->idle->len)
		g_ptr_array_set_size(a->idle, 0);
}

void iot_anatomy_item(struct iot_anatomy *a, const struct iot_item *item)
{
	if (item->kind == IOT_ITEM_LINK)
		take_link(a, item);
	else if (item->kind == IOT_ITEM_POINT)
		take_point(a, item);
	else
		take_span(a, item);
}

void iot_anatomy_finish(struct iot_anatomy *a)
{
	for (guint row = 0; row < a->resources->len; row++) {
		const struct resource *resource = a->resources->pdata[row];

		for (guint i = 0; resource && i < resource->locks->len; i++)
			finish_wait(a, resource->locks->pdata[i], 0);
	}
}
