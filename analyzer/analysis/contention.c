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

#include <string.h>

enum { N_STATES = 5, DEADLOCK = N_STATES, POSSIBLE, N_CATS, SAMPLE_ATTRS = 2, MAX_ROWS = 20 };

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

/* A row that may have waits. */
struct waiters {
	guint number;  /* 0: not looked up, 1: no resource, n + 2: of its resource */
	guint n_lanes; /* in open */
	guint *open;   /* open waits, by lane */
};

struct contention {
	struct iot_stage stage;
	struct iot_timeline *tl;
	GArray *drawn;	   /* struct drawn, by row type */
	GArray *resources; /* struct resource */
	GArray *numbers;   /* guint, by the resource's row: 1 + position in resources */
	GArray *waiters;   /* struct waiters, by row */
	GArray *changed;   /* guint: resources of the present instant */
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
	guint n = iot_waits_possible(tl) ? N_CATS : N_STATES;
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

static void clear_waiters(gpointer data)
{
	g_free(((struct waiters *)data)->open);
}

static struct iot_stage *contention_open(struct iot_timeline *tl)
{
	struct contention *c = g_new0(struct contention, 1);
	guint n_types = tl->types.n;

	c->tl = tl;
	c->drawn = g_array_new(FALSE, TRUE, sizeof(struct drawn));
	g_array_set_size(c->drawn, n_types);
	c->resources = g_array_new(FALSE, TRUE, sizeof(struct resource));
	c->numbers = g_array_new(FALSE, TRUE, sizeof(guint));
	c->waiters = g_array_new(FALSE, TRUE, sizeof(struct waiters));
	g_array_set_clear_func(c->waiters, clear_waiters);
	c->changed = g_array_new(FALSE, FALSE, sizeof(guint));
	for (iot_type_id id = 1; id < n_types; id++) {
		const struct iot_type *type = iot_type_at(tl, id);
		struct drawn *drawn = &g_array_index(c->drawn, struct drawn, type->on);

		if (type->kind == IOT_TYPE_ROW && type->role == IOT_ROLE_NODE && type->on &&
		    !drawn->state)
			draw_on(tl, type->on, drawn);
	}
	return &c->stage;
}

static void contention_free(struct iot_stage *stage)
{
	struct contention *c = (struct contention *)stage;

	g_array_unref(c->drawn);
	g_array_unref(c->resources);
	g_array_unref(c->numbers);
	g_array_unref(c->waiters);
	g_array_unref(c->changed);
	g_free(c);
}

static guint add_resource(struct contention *c, iot_row_id row)
{
	struct resource new = { .row = row };
	guint *number;

	if (c->numbers->len <= row)
		g_array_set_size(c->numbers, row + 1);
	number = &g_array_index(c->numbers, guint, row);
	if (!*number) {
		g_array_append_val(c->resources, new);
		*number = c->resources->len;
	}
	return *number - 1;
}

static struct waiters *waiters_of(struct contention *c, iot_row_id row)
{
	struct waiters *found;

	if (c->waiters->len <= row)
		g_array_set_size(c->waiters, row + 1);
	found = &g_array_index(c->waiters, struct waiters, row);
	if (!found->number) {
		iot_row_id node = iot_row_node(c->tl, row);
		iot_row_id above = node ? iot_row_at(c->tl, node)->parent : 0;

		found->number = above ? add_resource(c, above) + 2 : 1;
	}
	return found;
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
		struct resource *resource = &g_array_index(c->resources, struct resource,
							   g_array_index(c->changed, guint, i));

		if (!settle(c, resource, error))
			return FALSE;
		resource->changed = FALSE;
	}
	g_array_set_size(c->changed, 0);
	return TRUE;
}

/* Count an open wait more or less on its lane; TRUE if the lane begins or ceases to wait. */
static gboolean count_wait(struct waiters *waiters, const struct iot_item *item, gboolean begins)
{
	if (waiters->n_lanes <= item->lane) {
		guint n = MAX(item->lane + 1U, 2 * waiters->n_lanes);

		waiters->open = g_renew(guint, waiters->open, n);
		memset(waiters->open + waiters->n_lanes, 0,
		       (n - waiters->n_lanes) * sizeof(*waiters->open));
		waiters->n_lanes = n;
	}
	return begins ? !waiters->open[item->lane]++
		      : waiters->open[item->lane] && !--waiters->open[item->lane];
}

/* Something happens to a resource at the present instant. */
static struct resource *mark_changed(struct contention *c, const struct waiters *waiters)
{
	guint number = waiters->number - 2;
	struct resource *resource = &g_array_index(c->resources, struct resource, number);

	if (!resource->changed) {
		iot_stage_unsettled(&c->stage);
		resource->changed = TRUE;
		resource->n_begun = 0;
		resource->begun_flags = BEGIN_FLAGS;
		resource->ended_flags = 0;
		g_array_append_val(c->changed, number);
	}
	return resource;
}

static void apply(struct contention *c, const struct iot_item *item)
{
	gboolean begins = item->kind == IOT_ITEM_SPAN_BEGIN;
	struct waiters *waiters = waiters_of(c, item->row);
	struct resource *resource;

	if (waiters->number == 1 || !count_wait(waiters, item, begins))
		return;
	resource = mark_changed(c, waiters);
	if (begins) {
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
		const struct waiters *waiters = waiters_of(c, cycle->member[i].wait.row);
		struct resource *resource = mark_changed(c, waiters);

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
	struct iot_cycles_listener listener = { cycle_closed, cycle_ended, stage };

	iot_cycles_listen(iot_stage_cycles(stage), &listener);
}

static gboolean contention_wants(struct iot_stage *stage, enum iot_item_kind kind, iot_cat_id cat)
{
	const struct iot_timeline *tl = ((struct contention *)stage)->tl;

	return (kind == IOT_ITEM_SPAN || kind == IOT_ITEM_SPAN_BEGIN) &&
	       iot_cat_at(tl, cat)->role == IOT_ROLE_WAIT &&
	       !iot_type_at(tl, iot_cat_at(tl, cat)->type)->repeats;
}

static gboolean contention_item(struct iot_stage *stage, const struct iot_item *item,
				GError **error)
{
	(void)error;
	apply((struct contention *)stage, item);
	return TRUE;
}

/* ---- the table */

static gint compare_resources(gconstpointer pa, gconstpointer pb, gpointer data)
{
	const struct contention *c = data;
	const struct resource *a = pa, *b = pb;
	g_autofree char *path_a = NULL;
	g_autofree char *path_b = NULL;

	if (a->contended_ns != b->contended_ns)
		return a->contended_ns > b->contended_ns ? -1 : 1;
	if (a->waited_ns != b->waited_ns)
		return a->waited_ns > b->waited_ns ? -1 : 1;
	path_a = iot_timeline_path(c->tl, a->row, "/");
	path_b = iot_timeline_path(c->tl, b->row, "/");
	return iot_natural_compare(path_a, path_b);
}

static void add_row(struct iot_result_table *table, const struct resource *resource)
{
	iot_result_row(table);
	iot_result_number(table, resource->row);
	iot_result_number(table, resource->contended_ns);
	iot_result_number(table, resource->waited_ns);
	iot_result_number(table, resource->most);
	iot_result_number(table, resource->most_since);
}

/* Leave the resources that are listed: shown, and with two waiters at some time. */
static void drop_others(struct contention *c)
{
	guint n = 0;

	for (guint i = 0; i < c->resources->len; i++) {
		struct resource *resource = &g_array_index(c->resources, struct resource, i);

		if (resource->contended_ns && !iot_row_at(c->tl, resource->row)->hidden)
			g_array_index(c->resources, struct resource, n++) = *resource;
	}
	g_array_set_size(c->resources, n);
}

static char *remark_of(const struct contention *c, const struct iot_results *results)
{
	GString *text = g_string_new(NULL);

	if (c->resources->len > MAX_ROWS)
		g_string_printf(text, "the first %d of %u", MAX_ROWS, c->resources->len);
	if (iot_timeline_first_unobserved(c->tl) < results->to_ns)
		g_string_append_printf(text,
				       "%sat least: events are missing that may have shown more",
				       text->len ? "; " : "");
	return g_string_free(text, !text->len);
}

/* The resources that several waited for, those with the most time first. Their numbers are not
 * needed any more. */
static void contention_publish(struct iot_stage *stage, struct iot_results *results)
{
	struct contention *c = (struct contention *)stage;
	struct iot_result_table *table;

	drop_others(c);
	if (!c->resources->len)
		return;
	g_array_sort_with_data(c->resources, compare_resources, c);
	table = iot_results_add(results, "contention", "Contention");
	table->help = g_strdup("Resources that two or more waited for at the same time.");
	table->counts_others = TRUE;
	iot_result_column(table, "resource", "resource", IOT_COLUMN_ROW);
	iot_result_column(table, "contended_ns", "2 or more waiters", IOT_COLUMN_NS);
	iot_result_column(table, "waited_ns", "1 or more", IOT_COLUMN_NS);
	iot_result_column(table, "most_waiters", "most", IOT_COLUMN_COUNT);
	iot_result_column(table, "most_at_ns", "at", IOT_COLUMN_INSTANT);
	for (guint i = 0; i < MIN(c->resources->len, MAX_ROWS); i++)
		add_row(table, &g_array_index(c->resources, struct resource, i));
	table->remark = remark_of(c, results);
}

const struct iot_stage_ops iot_stage_contention = {
	.name = "contention",
	.summary = "how many wait for a resource, on the resource's own row",
	.open = contention_open,
	.listen = contention_listen,
	.wants = contention_wants,
	.item = contention_item,
	.settle = contention_settle,
	.publish = contention_publish,
	.free = contention_free,
};
