/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/anatomy-local.h"

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

gboolean iot_anatomy_excludes(const struct iot_timeline *tl, iot_cat_id asks, iot_cat_id held)
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
			a->excludes[asks * a->n_cats + held] = iot_anatomy_excludes(tl, asks, held);
	iot_places_init(&a->places, tl);
	iot_hashset_init(&a->locks);
	a->idle = g_ptr_array_new();
	a->talks = g_hash_table_new(NULL, NULL);
	a->requests = g_hash_table_new(NULL, NULL);
	for (iot_cat_id cat = 1; cat < tl->cats.n; cat++)
		if (iot_cat_at(tl, cat)->role == IOT_ROLE_REQUEST)
			g_hash_table_add(a->requests, GUINT_TO_POINTER(iot_cat_at(tl, cat)->name));
	a->resources = g_ptr_array_new_with_free_func(iot_anatomy_resource_free);
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

/* ---- spans */

static void take_span(struct iot_anatomy *a, const struct iot_item *item)
{
	const struct iot_category *cat = iot_cat_at(a->tl, item->cat);
	gboolean begins = item->kind == IOT_ITEM_SPAN_BEGIN, leaves = iot_item_leaves(a->tl, item);
	struct lock *lock;

	if ((!leaves && cat->role != IOT_ROLE_WAIT && cat->role != IOT_ROLE_HOLD) ||
	    !item->n_attrs || !iot_anatomy_resource(a, item->row))
		return;
	lock = iot_lock_find(a, item->row, item->attr[0].u);
	if (!lock && !begins)
		return;
	if (!lock)
		lock = iot_lock_add(a, item->row, item->attr[0].u);
	if (begins && leaves)
		iot_lock_begin_release(lock, item);
	if (cat->role == IOT_ROLE_WAIT && begins) {
		iot_lock_finish_wait(a, lock, 0);
		if (!lock->waits)
			iot_lock_begin_wait(a, lock, item);
	} else if (cat->role == IOT_ROLE_WAIT) {
		if (lock->waits)
			iot_lock_end_wait(a, lock, item);
	} else if (cat->role == IOT_ROLE_HOLD && begins) {
		iot_lock_begin_hold(a, lock, item);
	} else if (cat->role == IOT_ROLE_HOLD && lock->hold.cat == item->cat) {
		iot_lock_end_hold(lock);
	}
	iot_lock_settle(a, lock);
}

/* ---- messages and callbacks */

/* A request is on its way to the master, for the wait of its lock or its release, or both. */
static void take_request(struct iot_anatomy *a, const struct iot_item *item, guint64 number)
{
	struct lock *lock = iot_lock_find(a, item->row, number);
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
		struct release *release = iot_release_at(lock->resource, i - 1);

		if (!release->got && release->call <= sent &&
		    iot_lock_key_equal(&release->key, &lock->key)) {
			release->got = got;
			release->at = item->row_to;
			break;
		}
	}
	iot_releases_limit(lock->resource);
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
	guint64 from = iot_item_number(item, type->lock_from),
		to = iot_item_number(item, type->lock_to);
	struct lock *lock;

	if (item->flags & (IOT_FROM_UNSEEN | IOT_TO_UNSEEN) ||
	    !iot_anatomy_resource(a, item->row) || !iot_anatomy_resource(a, item->row_to))
		return;
	if (role == IOT_ROLE_SENDS) {
		lock = iot_lock_find(a, item->row_to, to);
		if (lock && lock->waits && iot_link_to(item) >= lock->wait.t0 &&
		    sends_request(a, item))
			lock->n_sent++;
		return;
	}
	/* no message */
	if (iot_anatomy_node(a, item->row) == iot_anatomy_node(a, item->row_to))
		return;
	g_hash_table_add(a->talks, GUINT_TO_POINTER(iot_anatomy_node(a, item->row)));
	g_hash_table_add(a->talks, GUINT_TO_POINTER(iot_anatomy_node(a, item->row_to)));
	if (role == IOT_ROLE_REQUEST) {
		take_request(a, item, from);
		return;
	}
	lock = iot_lock_find(a, item->row_to, to ? to : from);
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

	lock = item->n_attrs ? iot_lock_find(a, item->row, item->attr[0].u) : NULL;
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
	iot_lock_finish_wait(a, lock, item->t0);
	iot_lock_settle(a, lock);
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
		iot_lock_forget(a, a->idle->pdata[i]);
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
			iot_lock_finish_wait(a, resource->locks->pdata[i], 0);
	}
}
