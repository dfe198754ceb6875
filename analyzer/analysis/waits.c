/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/waits.h"

#include <string.h>

enum {
	/* Ended spans of a resource that are kept, at most, for its open waits. */
	MAX_ENDED = 4096,
	/* Gaps that are remembered, the last ones. */
	MAX_GAPS = 256
};

/* A type and the positions of its attributes; -1: there is none. */
struct type_facts {
	gboolean compared; /* spans of the type are claims */
	int pid, command, result, flags;
	iot_str try_flag; /* 0: no call only tries */
};

struct resource {
	GArray *claims; /* struct iot_claim: open ones, and ended ones that a wait may need */
	/* struct iot_wait or NULL: open waits that were explained up to some instant */
	GPtrArray *partial;
	guint n_waits;	  /* in claims, that have not been reported */
	guint n_kept;	  /* claims after the last search for ended ones that no wait needs */
	gboolean changed; /* in the present instant */
};

struct iot_waits {
	struct iot_timeline *tl;
	struct iot_explainer *explainer;
	struct iot_wait *spare; /* for the next wait that is explained; NULL: it is in use */
	GArray *holds, *fresh;	/* guint, in report_pairs: claims that hold, and that do so now */
	GArray *listeners;	/* struct iot_waits_listener */
	gboolean asks_pairs;	/* some listener */
	gboolean asks_changes, asks_causes;
	GArray *types;	      /* struct type_facts, by type */
	GPtrArray *resources; /* struct resource or NULL, by row of the resource */
	GArray *gaps;	      /* struct iot_claim, the last MAX_GAPS */
	guint n_gaps;
	guint64 now;
	GPtrArray *changed; /* struct resource, in the present instant */
	guint64 seq;
};

static void resource_free(gpointer data)
{
	struct resource *resource = data;

	if (!resource)
		return;
	g_array_unref(resource->claims);
	g_clear_pointer(&resource->partial, g_ptr_array_unref);
	g_free(resource);
}

static gboolean is_compared(const struct iot_timeline *tl, iot_type_id type)
{
	for (iot_cat_id cat = 1; cat < tl->cats.n; cat++)
		if (iot_cat_at(tl, cat)->type == type && iot_cat_at(tl, cat)->mode)
			return TRUE;
	return FALSE;
}

gboolean iot_waits_possible(const struct iot_timeline *tl)
{
	for (iot_cat_id cat = 1; cat < tl->cats.n; cat++)
		if (iot_cat_at(tl, cat)->mode)
			return TRUE;
	return FALSE;
}

struct iot_waits *iot_waits_new(struct iot_timeline *tl)
{
	struct iot_waits *waits = g_new0(struct iot_waits, 1);

	waits->tl = tl;
	waits->explainer = iot_explainer_new(tl);
	waits->holds = g_array_new(FALSE, FALSE, sizeof(guint));
	waits->fresh = g_array_new(FALSE, FALSE, sizeof(guint));
	waits->listeners = g_array_new(FALSE, FALSE, sizeof(struct iot_waits_listener));
	waits->types = g_array_new(FALSE, TRUE, sizeof(struct type_facts));
	g_array_set_size(waits->types, tl->types.n);
	for (iot_type_id id = 1; id < tl->types.n; id++) {
		const struct iot_type *type = iot_type_at(tl, id);

		g_array_index(waits->types, struct type_facts, id) = (struct type_facts){
			.compared = is_compared(tl, id) && !type->repeats,
			.pid = iot_type_attr(tl, type, "pid"),
			.command = iot_type_attr(tl, type, "command"),
			.result = iot_type_attr(tl, type, "result"),
			.flags = (int)type->try_attr - 1,
			.try_flag = type->try_flag,
		};
	}
	waits->resources = g_ptr_array_new_with_free_func(resource_free);
	waits->gaps = g_array_new(FALSE, FALSE, sizeof(struct iot_claim));
	waits->changed = g_ptr_array_new();
	return waits;
}

void iot_waits_free(struct iot_waits *waits)
{
	if (!waits)
		return;
	iot_explainer_free(waits->explainer);
	iot_wait_free(waits->spare);
	g_array_unref(waits->holds);
	g_array_unref(waits->fresh);
	g_array_unref(waits->listeners);
	g_array_unref(waits->types);
	g_ptr_array_unref(waits->resources);
	g_array_unref(waits->gaps);
	g_ptr_array_unref(waits->changed);
	g_free(waits);
}

void iot_waits_listen(struct iot_waits *waits, const struct iot_waits_listener *listener)
{
	g_array_append_val(waits->listeners, *listener);
	waits->asks_pairs = waits->asks_pairs || listener->blocked;
	waits->asks_changes = waits->asks_changes || listener->began || listener->released;
	waits->asks_causes = waits->asks_causes || listener->explained || listener->ended;
}

guint64 iot_waits_now(const struct iot_waits *waits)
{
	return waits->now;
}

/* ---- a resource */

static struct resource *resource_of(struct iot_waits *waits, iot_row_id row)
{
	iot_row_id node = iot_row_node(waits->tl, row);
	iot_row_id above = node ? iot_row_at(waits->tl, node)->parent : 0;
	struct resource **slot;

	if (!above)
		return NULL;
	if (waits->resources->len <= above)
		g_ptr_array_set_size(waits->resources, (gint)above + 1);
	slot = (struct resource **)&waits->resources->pdata[above];
	if (!*slot) {
		*slot = g_new0(struct resource, 1);
		(*slot)->claims = g_array_new(FALSE, FALSE, sizeof(struct iot_claim));
	}
	return *slot;
}

/* The resource of a claim. */
static struct resource *resource_at(const struct iot_waits *waits, iot_row_id row)
{
	return waits->resources->pdata[iot_row_at(waits->tl, iot_row_node(waits->tl, row))->parent];
}

static struct iot_claim *claim_at(const struct resource *resource, guint i)
{
	return &g_array_index(resource->claims, struct iot_claim, i);
}

/* Remove the ended claims that ended at @least or before; waits that were not reported stay. */
static void drop_ended(struct resource *resource, guint64 least)
{
	guint n = 0;

	for (guint i = 0; i < resource->claims->len; i++) {
		const struct iot_claim *claim = claim_at(resource, i);

		if (claim->open || claim->t1 > least)
			*claim_at(resource, n++) = *claim;
	}
	g_array_set_size(resource->claims, n);
	resource->n_kept = n;
}

/* The open wait that was explained in part, or a new one. */
static struct iot_wait *take_wait(struct iot_waits *waits, struct resource *resource,
				  const struct iot_claim *claim)
{
	struct iot_wait *wait;

	if (claim->partial) {
		wait = g_steal_pointer(&resource->partial->pdata[claim->partial - 1]);
		wait->claim = *claim;
		return wait;
	}
	wait = g_steal_pointer(&waits->spare);
	if (!wait)
		return iot_wait_new(claim);
	iot_wait_reset(wait, claim);
	return wait;
}

static void give_back(struct iot_waits *waits, struct iot_wait *wait)
{
	if (waits->spare)
		iot_wait_free(wait);
	else
		waits->spare = wait;
}

/* Call a function of all listeners that have it. */
#define CALL(waits, function, ...)                                                         \
	for (guint l_ = 0; l_ < (waits)->listeners->len; l_++) {                           \
		const struct iot_waits_listener *listener_ =                               \
			&g_array_index((waits)->listeners, struct iot_waits_listener, l_); \
		if (listener_->function)                                                   \
			listener_->function(listener_->user_data, __VA_ARGS__);            \
	}

/* Explain a wait up to @until. Gaps count for all resources. */
static struct iot_wait *explain(struct iot_waits *waits, struct resource *resource,
				const struct iot_claim *claim, guint64 until)
{
	struct iot_wait *wait = take_wait(waits, resource, claim);
	guint n = resource->claims->len;

	for (guint i = 0; i < waits->gaps->len; i++) {
		const struct iot_claim *gap = &g_array_index(waits->gaps, struct iot_claim, i);

		if (gap->t1 > wait->until && gap->t0 < until)
			g_array_append_val(resource->claims, *gap);
	}
	iot_explain(waits->explainer, wait, resource->claims, until);
	g_array_set_size(resource->claims, n);
	CALL(waits, explained, wait);
	return wait;
}

static void free_wait(gpointer wait)
{
	iot_wait_free(wait);
}

/* There are too many ended claims: the open waits need them no longer. */
static void explain_open(struct iot_waits *waits, struct resource *resource)
{
	g_autoptr(GPtrArray) partial = g_ptr_array_new_with_free_func(free_wait);

	for (guint i = 0; i < resource->claims->len; i++) {
		struct iot_claim claim = *claim_at(resource, i);
		struct iot_wait *wait;

		if (claim.kind != IOT_CLAIM_WAIT || !claim.open)
			continue;
		wait = explain(waits, resource, &claim, waits->now);
		iot_wait_merge(wait);
		g_ptr_array_add(partial, wait);
		claim_at(resource, i)->partial = partial->len;
	}
	g_clear_pointer(&resource->partial, g_ptr_array_unref);
	resource->partial = g_steal_pointer(&partial);
	drop_ended(resource, G_MAXUINT64 - 1);
}

static void limit_claims(struct iot_waits *waits, struct resource *resource)
{
	guint64 oldest = G_MAXUINT64 - 1;
	guint n_ended = 0;

	if (!resource->n_waits) {
		drop_ended(resource, oldest);
		return;
	}
	if (resource->claims->len < 2 * resource->n_kept + 32)
		return;
	for (guint i = 0; i < resource->claims->len; i++)
		if (claim_at(resource, i)->kind == IOT_CLAIM_WAIT && claim_at(resource, i)->open)
			oldest = MIN(oldest, claim_at(resource, i)->t0);
	drop_ended(resource, oldest);
	for (guint i = 0; i < resource->claims->len; i++)
		n_ended += !claim_at(resource, i)->open;
	if (n_ended > MAX_ENDED)
		explain_open(waits, resource);
}

/* ---- instants */

static gboolean is_in_way(const struct iot_waits *waits, const struct iot_claim *wait,
			  const struct iot_claim *hold)
{
	return hold->kind == IOT_CLAIM_HOLD && hold->open && !iot_claim_same_lock(wait, hold) &&
	       wait->cat && !iot_cats_compatible(waits->tl, wait->cat, hold->cat);
}

/* Report the pairs of which a member began in this instant. */
static void report_pairs(struct iot_waits *waits, const struct resource *resource)
{
	g_array_set_size(waits->holds, 0);
	g_array_set_size(waits->fresh, 0);
	for (guint i = 0; i < resource->claims->len; i++) {
		const struct iot_claim *hold = claim_at(resource, i);

		if (hold->kind != IOT_CLAIM_HOLD || !hold->open)
			continue;
		g_array_append_val(waits->holds, i);
		if (hold->began == waits->now)
			g_array_append_val(waits->fresh, i);
	}
	for (guint i = 0; waits->holds->len && i < resource->claims->len; i++) {
		const struct iot_claim *wait = claim_at(resource, i);
		const GArray *holds = wait->began == waits->now ? waits->holds : waits->fresh;

		if (wait->kind != IOT_CLAIM_WAIT || !wait->open)
			continue;
		for (guint k = 0; k < holds->len; k++) {
			const struct iot_claim *hold =
				claim_at(resource, g_array_index(holds, guint, k));

			if (is_in_way(waits, wait, hold))
				CALL(waits, blocked, wait, hold);
		}
	}
}

/* Report the waits that ended. */
static void report_ended(struct iot_waits *waits, struct resource *resource)
{
	for (guint i = 0; resource->n_waits && i < resource->claims->len; i++) {
		const struct iot_claim *claim = claim_at(resource, i);
		struct iot_claim ended;
		struct iot_wait *wait;

		if (claim->kind != IOT_CLAIM_WAIT || claim->open || claim->reported)
			continue;
		ended = *claim;
		claim_at(resource, i)->reported = TRUE;
		resource->n_waits--;
		CALL(waits, answered, &ended);
		if (!waits->asks_causes)
			continue;
		wait = explain(waits, resource, &ended, ended.t1);
		CALL(waits, ended, wait);
		give_back(waits, wait);
	}
}

/* Report the claims that began in this instant, and the holds that ended. */
static void report_changes(const struct iot_waits *waits, const struct resource *resource)
{
	for (guint i = 0; i < resource->claims->len; i++) {
		struct iot_claim *claim = claim_at(resource, i);

		if (claim->open && claim->began == waits->now &&
		    (claim->kind == IOT_CLAIM_WAIT || claim->kind == IOT_CLAIM_HOLD))
			CALL(waits, began, claim);
		if (claim->open || claim->kind != IOT_CLAIM_HOLD || claim->reported)
			continue;
		claim->reported = TRUE;
		CALL(waits, released, claim);
	}
}

static void complete_instant(struct iot_waits *waits)
{
	for (guint i = 0; i < waits->changed->len; i++) {
		struct resource *resource = waits->changed->pdata[i];

		resource->changed = FALSE;
		report_ended(waits, resource);
		if (waits->asks_pairs && resource->n_waits)
			report_pairs(waits, resource);
		if (waits->asks_changes)
			report_changes(waits, resource);
		limit_claims(waits, resource);
	}
	CALL(waits, settled, waits->now);
	g_ptr_array_set_size(waits->changed, 0);
}

static void mark_changed(struct iot_waits *waits, struct resource *resource)
{
	if (!resource->changed)
		g_ptr_array_add(waits->changed, resource);
	resource->changed = TRUE;
}

/* ---- questions of listeners */

void iot_waits_in_way(const struct iot_waits *waits, const struct iot_claim *wait, GArray *holds)
{
	const struct resource *resource = resource_at(waits, wait->row);

	g_array_set_size(holds, 0);
	for (guint i = 0; i < resource->claims->len; i++)
		if (is_in_way(waits, wait, claim_at(resource, i)))
			g_array_append_val(holds, *claim_at(resource, i));
}

void iot_waits_ahead(const struct iot_waits *waits, const struct iot_claim *wait, GArray *ahead)
{
	const struct resource *resource = resource_at(waits, wait->row);

	for (guint i = 0; wait->converts && i < resource->claims->len; i++) {
		const struct iot_claim *other = claim_at(resource, i);

		if (other->kind == IOT_CLAIM_WAIT && other->open && other->converts &&
		    other->seq < wait->seq && other->cat && !iot_claim_same_lock(wait, other) &&
		    !iot_cats_compatible(waits->tl, wait->cat, other->cat))
			g_array_append_val(ahead, *other);
	}
}

gboolean iot_waits_granted(const struct iot_waits *waits, const struct iot_claim *wait)
{
	const struct resource *resource = resource_at(waits, wait->row);

	for (guint i = 0; i < resource->claims->len; i++) {
		const struct iot_claim *hold = claim_at(resource, i);

		if (hold->kind == IOT_CLAIM_HOLD && hold->drawn == wait->t1 &&
		    iot_claim_same_lock(hold, wait))
			return TRUE;
	}
	return FALSE;
}

struct iot_wait *iot_waits_so_far(struct iot_waits *waits, const struct iot_claim *wait)
{
	const struct resource *resource = resource_at(waits, wait->row);
	struct iot_wait *copy = iot_wait_new(wait);

	for (guint i = 0; i < resource->claims->len; i++) {
		const struct iot_claim *claim = claim_at(resource, i);
		const struct iot_wait *known;

		if (claim->seq != wait->seq || claim->kind != IOT_CLAIM_WAIT)
			continue;
		if (claim->partial && resource->partial->pdata[claim->partial - 1]) {
			known = resource->partial->pdata[claim->partial - 1];
			copy->until = known->until;
			g_array_append_vals(copy->blockers, known->blockers->data,
					    known->blockers->len);
		}
		copy->claim = *claim;
		iot_explain(waits->explainer, copy, resource->claims, MIN(claim->t1, waits->now));
	}
	return copy;
}

/* ---- items */

/* The kind of claim that a span makes; FALSE: none. */
static gboolean kind_of(const struct iot_timeline *tl, const struct iot_item *item, guint8 *out)
{
	const struct iot_category *cat = iot_cat_at(tl, item->cat);

	if (cat->role == IOT_ROLE_WAIT)
		*out = IOT_CLAIM_WAIT;
	else if (cat->role == IOT_ROLE_LEAVING)
		*out = IOT_CLAIM_LEAVING;
	else if (cat->role == IOT_ROLE_HOLD && item->flags & IOT_UNKNOWN)
		*out = IOT_CLAIM_UNKNOWN;
	else if (cat->role == IOT_ROLE_HOLD && cat->mode)
		*out = IOT_CLAIM_HOLD;
	else
		return FALSE;
	return TRUE;
}

static guint64 attr_at(const struct iot_item *item, int attr)
{
	return attr >= 0 && attr < item->n_attrs ? item->attr[attr].u : 0;
}

/* The open claim of an item that ends; it is mostly one of the last. */
static struct iot_claim *find_open(const struct resource *resource, const struct iot_claim *item)
{
	for (guint i = resource->claims->len; i; i--) {
		struct iot_claim *claim = claim_at(resource, i - 1);

		if (claim->open && claim->kind == item->kind && claim->drawn == item->drawn &&
		    iot_claim_same_lock(claim, item) && claim->cat == item->cat)
			return claim;
	}
	return NULL;
}

static gboolean holds_something(const struct resource *resource, const struct iot_claim *wait)
{
	for (guint i = 0; i < resource->claims->len; i++) {
		const struct iot_claim *claim = claim_at(resource, i);

		if (claim->open && claim->kind != IOT_CLAIM_WAIT &&
		    iot_claim_same_lock(claim, wait))
			return TRUE;
	}
	return FALSE;
}

/* Whether a call only tries: its flags ("NOQUEUE|CONVERT") have the flag that says so. */
static gboolean has_flag(const struct iot_timeline *tl, guint64 flags, iot_str flag)
{
	char digits[IOT_DIGITS_ROOM];
	const char *text = flags ? iot_tl_text(tl, flags, digits, NULL) : "";
	const char *name = iot_tl_str(tl, flag);
	gsize len = strlen(name);

	for (const char *at = text; (at = strstr(at, name)); at += len)
		if ((at == text || at[-1] == '|') && (!at[len] || at[len] == '|'))
			return TRUE;
	return FALSE;
}

static struct iot_claim claim_of(struct iot_waits *waits, const struct iot_item *item, guint8 kind)
{
	const struct type_facts *facts =
		&g_array_index(waits->types, struct type_facts, item->type);
	iot_row_id node = iot_row_node(waits->tl, item->row);

	return (struct iot_claim){
		.kind = kind,
		.open = TRUE,
		.lane = item->lane,
		.flags = item->flags,
		.row = item->row,
		.tries = facts->try_flag && kind == IOT_CLAIM_WAIT &&
			 has_flag(waits->tl, attr_at(item, facts->flags), facts->try_flag),
		.node = iot_row_at(waits->tl, node)->name,
		.cat = kind == IOT_CLAIM_WAIT || kind == IOT_CLAIM_LEAVING ? item->asks : item->cat,
		.t0 = item->t0,
		.drawn = item->t0,
		.t1 = G_MAXUINT64,
		.began = waits->now,
		.lock = attr_at(item, 0),
		.pid = attr_at(item, facts->pid),
		.command = attr_at(item, facts->command),
		.result = attr_at(item, facts->result),
		.seq = waits->seq++,
	};
}

/* The open hold, or the hold that is being left, of a lock; NULL: there is none. */
static struct iot_claim *find_hold(const struct resource *resource, const struct iot_claim *like,
				   enum iot_claim_kind kind)
{
	for (guint i = resource->claims->len; i; i--) {
		struct iot_claim *claim = claim_at(resource, i - 1);

		if (claim->open && claim->kind == kind && iot_claim_same_lock(claim, like))
			return claim;
	}
	return NULL;
}

static void close_claim(struct iot_claim *claim, guint64 t1)
{
	claim->open = FALSE;
	claim->t1 = MAX(t1, claim->t0);
}

/* From @call on the hold of its lock is being left; certain is only the mode @keeps. */
static void begin_leaving(struct iot_waits *waits, struct resource *resource,
			  const struct iot_claim *call, iot_cat_id keeps)
{
	struct iot_claim *hold = find_hold(resource, call, IOT_CLAIM_HOLD);
	struct iot_claim left;

	if (!hold)
		return;
	left = *hold;
	close_claim(hold, call->t0);
	left.kind = IOT_CLAIM_LEAVING;
	left.t0 = MAX(left.t0, call->t0);
	left.began = waits->now;
	g_array_append_val(resource->claims, left);
	if (!keeps || !iot_cat_at(waits->tl, keeps)->mode)
		return;
	left.kind = IOT_CLAIM_HOLD;
	left.cat = keeps;
	left.drawn = G_MAXUINT64;
	g_array_append_val(resource->claims, left);
}

/* The call has been answered: the rest of the hold is certain again. */
static void end_leaving(struct iot_waits *waits, struct resource *resource,
			const struct iot_claim *call, guint64 t1)
{
	struct iot_claim *left = find_hold(resource, call, IOT_CLAIM_LEAVING);
	struct iot_claim *kept = find_hold(resource, call, IOT_CLAIM_HOLD);
	struct iot_claim again;

	if (kept && kept->drawn == G_MAXUINT64)
		close_claim(kept, t1);
	if (!left)
		return;
	close_claim(left, t1);
	again = *left;
	again.kind = IOT_CLAIM_HOLD;
	again.open = TRUE;
	again.t0 = again.began = waits->now;
	again.t1 = G_MAXUINT64;
	g_array_append_val(resource->claims, again);
}

static void begin(struct resource *resource, struct iot_claim *claim)
{
	if (claim->kind == IOT_CLAIM_WAIT) {
		claim->converts = holds_something(resource, claim);
		resource->n_waits++;
	}
	g_array_append_val(resource->claims, *claim);
}

static void end(struct resource *resource, const struct iot_claim *like, guint64 t1)
{
	struct iot_claim *claim = find_open(resource, like);

	/* a hold that ends while it is being left */
	if (!claim && like->kind == IOT_CLAIM_HOLD)
		claim = find_hold(resource, like, IOT_CLAIM_LEAVING);
	if (!claim)
		return;
	close_claim(claim, t1);
	claim->flags |= like->flags;
	claim->result = like->result;
}

/* A span begins or ends. */
static void apply(struct iot_waits *waits, struct resource *resource, const struct iot_item *item,
		  guint8 kind)
{
	struct iot_claim claim = claim_of(waits, item, kind);
	gboolean begins = item->kind == IOT_ITEM_SPAN_BEGIN;

	if (iot_item_leaves(waits->tl, item)) {
		if (begins)
			begin_leaving(waits, resource, &claim,
				      kind == IOT_CLAIM_LEAVING ? item->asks : 0);
		else
			end_leaving(waits, resource, &claim, item->t1);
	}
	if (kind == IOT_CLAIM_LEAVING)
		return;
	if (begins)
		begin(resource, &claim);
	else
		end(resource, &claim, item->t1);
}

static void take_gap(struct iot_waits *waits, const struct iot_item *item)
{
	struct iot_claim gap = {
		.kind = IOT_CLAIM_UNKNOWN,
		.node = iot_gap_node(item),
		.t0 = item->t0,
		.t1 = item->t1,
	};

	if (waits->gaps->len < MAX_GAPS)
		g_array_append_val(waits->gaps, gap);
	else
		g_array_index(waits->gaps, struct iot_claim, waits->n_gaps % MAX_GAPS) = gap;
	waits->n_gaps++;
}

gboolean iot_waits_wants(const struct iot_waits *waits, enum iot_item_kind kind, iot_cat_id cat)
{
	enum iot_role role = iot_cat_at(waits->tl, cat)->role;
	iot_type_id type = iot_cat_at(waits->tl, cat)->type;

	if (kind != IOT_ITEM_SPAN && kind != IOT_ITEM_SPAN_BEGIN)
		return kind == IOT_ITEM_GAP;
	return type < waits->types->len &&
	       g_array_index(waits->types, struct type_facts, type).compared &&
	       (role == IOT_ROLE_WAIT || role == IOT_ROLE_LEAVING || role == IOT_ROLE_HOLD);
}

void iot_waits_advance(struct iot_waits *waits, guint64 now)
{
	if (now <= waits->now)
		return;
	if (waits->changed->len)
		complete_instant(waits);
	waits->now = now;
}

void iot_waits_item(struct iot_waits *waits, const struct iot_item *item)
{
	struct resource *resource;
	guint8 kind;

	iot_waits_advance(waits, item->t1);
	if (item->kind == IOT_ITEM_GAP)
		take_gap(waits, item);
	else if (iot_waits_wants(waits, item->kind, item->cat) && kind_of(waits->tl, item, &kind) &&
		 (resource = resource_of(waits, item->row))) {
		apply(waits, resource, item, kind);
		mark_changed(waits, resource);
	}
}

void iot_waits_finish(struct iot_waits *waits)
{
	complete_instant(waits);
}
