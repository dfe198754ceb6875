/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many wait for a resource: a state "n waiters" and a counter on the resource's own row, the
 * row above those of the nodes. Nobody waits: nothing is drawn. The roles of rows and categories
 * say all that is needed, so any model that draws waits on rows of nodes has it.
 *
 * While a wait for the resource is part of a circular wait (cycles.h), the state is "deadlock" if
 * each lock waits with the mode that is in the way, and the errors of the clocks are known; else
 * "possible deadlock".
 *
 * A waiter is a lane on which some span of role WAIT is open. Waits of one object nest on its lane:
 * a lock whose conversion is pending while an older request is, too, is one waiter.
 *
 * From the first gap of a machine on there may be more waiters than are seen, until the end: a wait
 * that began in the gap has no begin. So a number is the least, and its state is flagged UNKNOWN.
 */
#include "analysis/stage.h"
#include "base/units.h"
#include "tables/ranked.h"

enum { N_STATES = 5, DEADLOCK = N_STATES, POSSIBLE, N_CATS, SAMPLE_ATTRS = 2 };

/* The flags that a derived state takes over from the waits that make it begin or end. */
enum {
	BEGIN_FLAGS = IOT_CUT_LEFT | IOT_BEFORE,
	END_FLAGS = IOT_UNFINISHED | IOT_CUT_RIGHT | IOT_SUSPECT
};

/* The type and categories drawn on rows of one type. */
struct drawn {
	iot_type_id state, counter; /* 0: nothing */
	iot_cat_id cat[N_CATS], counter_cat;
};

struct resource {
	iot_row_id row;
	guint n, shown;		   /* waiters now, and as drawn since the last complete instant */
	guint deadlocks, possible; /* waits in circular waits */
	guint shown_cat;	   /* number of the state that is drawn */
	guint64 since;
	guint16 begin_flags; /* of the state that is drawn */
	/* in the present instant */
	gboolean changed;
	guint n_begun;
	guint16 begun_flags; /* that all waits have that began */
	guint16 ended_flags; /* that some wait has that ended */
	/* sums for the table */
	guint64 waited_ns, contended_ns; /* with one waiter or more, two or more */
	guint most;
	guint64 most_since;
};

struct contention {
	struct iot_stage stage;
	struct iot_timeline *tl;
	struct iot_locks *locks;
	gsize room;	      /* of struct resource in the table of locks */
	GArray *drawn;	      /* struct drawn, by row type */
	GPtrArray *resources; /* struct resource that somebody waited for */
	GPtrArray *changed;   /* struct resource, in the present instant */
};

static void draw_on(struct iot_timeline *tl, iot_type_id on, struct drawn *drawn)
{
	static const struct {
		const char *name;
		guint32 rgb;
	} states[N_CATS] = { { "1 waiter", 0xffe0b3 },	       { "2 waiters", 0xffb84d },
			     { "3 waiters", 0xff8c1a },	       { "4 waiters", 0xe05c00 },
			     { "many waiters", 0x992600 },     { "deadlock", 0xb3006b },
			     { "possible deadlock", 0xff66c2 } };
	guint n = iot_locks_compared(tl) ? N_CATS : N_STATES;
	static const char *const sample_attrs[SAMPLE_ATTRS] = { "value", "change" };
	struct iot_attr_def number = { iot_intern_str(tl->strings, "waiters"), IOT_ATTR_UINT,
				       FALSE };

	iot_type_reserve_lane(tl, on);
	iot_timeline_type(tl, IOT_TYPE_SPAN, "contention", "contention", on, &drawn->state);
	iot_type_add_attr(tl, drawn->state, &number);
	for (guint i = 0; i < n; i++)
		drawn->cat[i] = iot_timeline_cat(tl, drawn->state, states[i].name, states[i].rgb,
						 IOT_ROLE_NONE);
	iot_timeline_type(tl, IOT_TYPE_COUNTER, "waiters", "number of waiters", on,
			  &drawn->counter);
	for (guint i = 0; i < SAMPLE_ATTRS; i++)
		iot_type_add_attr(tl, drawn->counter,
				  &(struct iot_attr_def){
					  .name = iot_intern_str(tl->strings, sample_attrs[i]),
					  .format = IOT_ATTR_INT });
	drawn->counter_cat = iot_timeline_cat(tl, drawn->counter, "number of waiters",
					      states[N_STATES - 1].rgb, IOT_ROLE_NONE);
}

static struct iot_stage *contention_open(struct iot_timeline *tl)
{
	struct contention *c = g_new0(struct contention, 1);
	guint n_types = tl->types.n;

	c->tl = tl;
	c->drawn = g_array_new(FALSE, TRUE, sizeof(struct drawn));
	g_array_set_size(c->drawn, n_types);
	c->resources = g_ptr_array_new();
	c->changed = g_ptr_array_new();
	for (iot_type_id id = 1; id < n_types; id++) {
		const struct iot_type *type = iot_type_at(tl, id);
		struct drawn *drawn = &g_array_index(c->drawn, struct drawn, type->on);

		if (type->kind == IOT_TYPE_ROW && type->role == IOT_ROLE_NODE &&
		    iot_type_of_things(tl, id) && !drawn->state)
			draw_on(tl, type->on, drawn);
	}
	return &c->stage;
}

static void contention_free(struct iot_stage *stage)
{
	struct contention *c = (struct contention *)stage;

	g_array_unref(c->drawn);
	g_ptr_array_unref(c->resources);
	g_ptr_array_unref(c->changed);
	g_free(c);
}

static gboolean put_state(const struct contention *c, const struct resource *resource,
			  enum iot_item_kind kind, guint flags, GError **error)
{
	const struct iot_row *row = iot_row_at(c->tl, resource->row);
	const struct drawn *drawn = &g_array_index(c->drawn, struct drawn, row->type);
	struct iot_item item = {
		.kind = (guint8)kind,
		.n_attrs = 1,
		.flags = (guint16)flags,
		.type = drawn->state,
		.cat = drawn->cat[resource->shown_cat],
		.row = resource->row,
		.t0 = resource->since,
		.t1 = kind == IOT_ITEM_SPAN_BEGIN ? resource->since : iot_stage_now(&c->stage),
		.attr[0].u = resource->shown,
	};

	/* at the begin of a state, a gap at this instant counts */
	if (resource->shown_cat < N_STATES &&
	    item.t1 + (kind == IOT_ITEM_SPAN_BEGIN) > iot_timeline_first_unobserved(c->tl))
		item.flags |= IOT_UNKNOWN;
	return iot_stage_put(&c->stage, &item, error);
}

static gboolean put_sample(const struct contention *c, const struct resource *resource,
			   gint64 change, GError **error)
{
	const struct iot_row *row = iot_row_at(c->tl, resource->row);
	const struct drawn *drawn = &g_array_index(c->drawn, struct drawn, row->type);
	struct iot_item item = {
		.type = drawn->counter,
		.cat = drawn->counter_cat,
		.flags = iot_stage_now(&c->stage) >= iot_timeline_first_unobserved(c->tl)
				 ? IOT_UNKNOWN
				 : 0,
		.row = resource->row,
		.t0 = iot_stage_now(&c->stage),
		.t1 = iot_stage_now(&c->stage),
	};

	iot_sample_set(&item, resource->n, change);
	return iot_stage_put(&c->stage, &item, error);
}

/* The state that was drawn ends now, and another one begins. */
static void count_state(const struct contention *c, struct resource *resource)
{
	guint64 ns = iot_stage_now(&c->stage) - resource->since;

	if (resource->shown)
		resource->waited_ns += ns;
	if (resource->shown > 1)
		resource->contended_ns += ns;
	if (resource->n > resource->most) {
		resource->most = resource->n;
		resource->most_since = iot_stage_now(&c->stage);
	}
}

static guint cat_of(const struct resource *resource)
{
	if (resource->deadlocks || resource->possible)
		return resource->deadlocks ? DEADLOCK : POSSIBLE;
	return MIN(resource->n, N_STATES) - 1;
}

/* All waits that begin or end in this instant are known. */
static gboolean settle(struct contention *c, struct resource *resource, GError **error)
{
	gint64 change = (gint64)resource->n - resource->shown;
	guint cat = resource->n ? cat_of(resource) : 0, shown = resource->shown;

	if (!change && cat == resource->shown_cat)
		return TRUE;
	if (resource->shown && !put_state(c, resource, IOT_ITEM_SPAN,
					  resource->begin_flags | resource->ended_flags, error))
		return FALSE;
	count_state(c, resource);
	resource->since = iot_stage_now(&c->stage);
	resource->shown = resource->n;
	resource->shown_cat = cat;
	/* only at the left edge do all waits begin at once with the same flag */
	resource->begin_flags =
		resource->n && resource->n_begun == resource->n ? resource->begun_flags : 0;
	if (resource->begin_flags & IOT_CUT_LEFT)
		change = 0;
	return (!resource->n ||
		put_state(c, resource, IOT_ITEM_SPAN_BEGIN, resource->begin_flags, error)) &&
	       (resource->n == shown || put_sample(c, resource, change, error));
}

static gboolean contention_settle(struct iot_stage *stage, GError **error)
{
	struct contention *c = (struct contention *)stage;

	for (guint i = 0; i < c->changed->len; i++) {
		struct resource *resource = c->changed->pdata[i];

		if (!settle(c, resource, error))
			return FALSE;
		resource->changed = FALSE;
	}
	g_ptr_array_set_size(c->changed, 0);
	return TRUE;
}

/* Something happens to a resource at the present instant. */
static struct resource *mark_changed(struct contention *c, struct iot_resource *followed)
{
	struct resource *resource = iot_locks_part(followed, c->room);

	if (!resource->row) {
		resource->row = followed->row;
		g_ptr_array_add(c->resources, resource);
	}
	if (!resource->changed) {
		iot_stage_unsettled(&c->stage);
		resource->changed = TRUE;
		resource->n_begun = 0;
		resource->begun_flags = BEGIN_FLAGS;
		resource->ended_flags = 0;
		g_ptr_array_add(c->changed, resource);
	}
	return resource;
}

static void queue_changes(gpointer data, struct iot_lock *lock, const struct iot_item *item)
{
	struct contention *c = data;
	struct resource *resource = mark_changed(c, lock->resource);

	if (item->kind == IOT_ITEM_SPAN_BEGIN) {
		gboolean late = item->t0 < iot_stage_now(&c->stage);

		resource->n++;
		resource->n_begun++;
		resource->begun_flags &= late ? 0 : item->flags;
		iot_diag_add(&c->tl->stage_diag, IOT_DIAG_derived_late, late);
	} else {
		resource->n--;
		resource->n_begun -= item->t0 == item->t1;
		resource->ended_flags |= item->flags & END_FLAGS;
	}
}

/* A circular wait closes or ends; on the resources of its waits. */
static void count_cycle(struct contention *c, const struct iot_cycle *cycle, int change)
{
	gboolean certain = iot_cycle_is_certain(c->tl, cycle);

	for (guint i = 0; i < cycle->n; i++) {
		struct resource *resource = mark_changed(
			c, iot_locks_resource(c->locks, cycle->member[i].wait.resource));

		*(certain ? &resource->deadlocks : &resource->possible) += (guint)change;
	}
}

static void cycle_closed(gpointer contention, const struct iot_cycle *cycle)
{
	count_cycle(contention, cycle, 1);
}

static void cycle_ended(gpointer contention, const struct iot_cycle *cycle)
{
	count_cycle(contention, cycle, -1);
}

static void contention_listen(struct iot_stage *stage)
{
	struct contention *c = (struct contention *)stage;
	const struct iot_cycles_listener of_cycles = { cycle_closed, cycle_ended, stage };
	const struct iot_locks_listener of_locks = { .queue = queue_changes, .user_data = stage };

	c->locks = iot_stage_lock_table(stage);
	c->room = iot_locks_room_resource(c->locks, sizeof(struct resource));
	iot_locks_listen(c->locks, &of_locks);
	iot_cycles_listen(iot_stage_cycles(stage), &of_cycles);
}

/* ---- the table */

static int most_contended(gconstpointer pa, gconstpointer pb, gconstpointer contention)
{
	const struct contention *c = contention;
	const struct resource *a = pa, *b = pb;
	g_autofree char *path_a = NULL;
	g_autofree char *path_b = NULL;

	if (a->contended_ns != b->contended_ns)
		return iot_compare_number(b->contended_ns, a->contended_ns);
	if (a->waited_ns != b->waited_ns)
		return iot_compare_number(b->waited_ns, a->waited_ns);
	path_a = iot_timeline_path(c->tl, a->row, "/");
	path_b = iot_timeline_path(c->tl, b->row, "/");
	return iot_natural_compare(path_a, path_b);
}

static void add_row(struct iot_result_table *table, gconstpointer element, gconstpointer contention)
{
	const struct resource *resource = element;

	(void)contention;
	iot_ranked_row(table, iot_cell_number(resource->row),
		       iot_cell_number(resource->contended_ns),
		       iot_cell_number(resource->waited_ns), iot_cell_number(resource->most),
		       iot_cell_number(resource->most_since));
}

static const struct iot_ranked_column columns[] = {
	{ "resource", "resource", IOT_COLUMN_ROW },
	{ "contended_ns", "2 or more waiters", IOT_COLUMN_NS },
	{ "waited_ns", "1 or more", IOT_COLUMN_NS },
	{ "most_waiters", "most", IOT_COLUMN_COUNT },
	{ "most_at_ns", "at", IOT_COLUMN_INSTANT },
};

static const struct iot_ranked ranked = {
	IOT_RANKED("contention", "Contention", columns),
	.help = "Resources that two or more waited for at the same time.",
	.limit = 20,
	.compare = most_contended,
	.add = add_row,
};

/* The resources that several waited for at some time, and that are shown. */
static void contention_publish(struct iot_stage *stage, struct iot_results *results)
{
	struct contention *c = (struct contention *)stage;
	g_autoptr(GPtrArray) list = g_ptr_array_new();

	for (guint i = 0; i < c->resources->len; i++) {
		struct resource *resource = c->resources->pdata[i];

		if (resource->contended_ns && !iot_row_at(c->tl, resource->row)->hidden)
			g_ptr_array_add(list, resource);
	}
	iot_ranked_publish(results, c->tl, &ranked, list, c);
}

const struct iot_stage_ops iot_stage_contention = {
	.name = "contention",
	.summary = "how many wait for a resource, on the resource's own row",
	.open = contention_open,
	.listen = contention_listen,
	.settle = contention_settle,
	.publish = contention_publish,
	.free = contention_free,
};
