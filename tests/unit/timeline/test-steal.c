/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/steal.h"
#include "unit.h"

/* More states of a virtual CPU than are kept (steal.c: MAX_PARTS). */
enum { N_STATES = 30000, N_SPANS = 2000, RECENT = 4000 };

enum { RAN, STOLEN, IDLE, N_KINDS };

/* A guest with one virtual CPU, and the states of this CPU: state i is from t[i] to t[i + 1]. */
struct guest {
	struct iot_timeline *tl;
	struct iot_steal *steal;
	iot_type_id vcpu, work;
	iot_cat_id kind[N_KINDS], wait;
	iot_row_id node, cpu;
	guint64 t[N_STATES + 1];
	guint8 state[N_STATES];
	guint64 stolen[N_STATES + 1]; /* up to t[i] */
};

static iot_row_id new_row(struct iot_timeline *tl, iot_type_id type, iot_row_id parent,
			  const char *id)
{
	iot_str str = iot_intern_str(tl->strings, id);

	return iot_timeline_row(tl, type, parent, str, str, NULL);
}

static void guest_init(struct guest *g)
{
	static const char *const names[] = { "ran", "stolen", "idle" };
	iot_type_id node, cpu;

	g->tl = iot_timeline_new();
	iot_timeline_type(g->tl, IOT_TYPE_ROW, "node", "node", 0, &node)->role = IOT_ROLE_NODE;
	iot_timeline_type(g->tl, IOT_TYPE_ROW, "cpu", "cpu", node, &cpu);
	iot_timeline_type(g->tl, IOT_TYPE_SPAN, "vcpu", "vcpu", cpu, &g->vcpu);
	iot_timeline_type(g->tl, IOT_TYPE_SPAN, "work", "work", node, &g->work);
	for (guint i = 0; i < N_KINDS; i++)
		g->kind[i] = iot_timeline_cat(g->tl, g->vcpu, names[i], 0, IOT_ROLE_NONE);
	g->wait = iot_timeline_cat(g->tl, g->work, "wait", 0, IOT_ROLE_WAIT);
	iot_type_set_steals(g->tl, g->vcpu, g->kind[STOLEN]);
	g->node = new_row(g->tl, node, 0, "1");
	g->cpu = new_row(g->tl, cpu, g->node, "0");
	g->steal = iot_steal_new(g->tl);
	iot_steal_add_cpu(g->steal, iot_row_at(g->tl, g->node)->id, 0);
	iot_steal_add_run(g->steal, iot_row_at(g->tl, g->node)->id, 0);
	iot_steal_set_window(g->steal, 0, G_MAXUINT64);
}

static void guest_free(struct guest *g)
{
	iot_steal_free(g->steal);
	iot_timeline_free(g->tl);
}

/* No two neighbours are of one kind. */
static void live(struct guest *g, GRand *dice)
{
	g->t[0] = 1000;
	for (guint i = 0; i < N_STATES; i++) {
		struct iot_item item = { .kind = IOT_ITEM_SPAN, .type = g->vcpu, .row = g->cpu };

		g->state[i] = i ? (guint8)((g->state[i - 1] + g_rand_int_range(dice, 1, N_KINDS)) %
					   N_KINDS)
				: RAN;
		g->t[i + 1] = g->t[i] + (guint64)g_rand_int_range(dice, 1, 1000);
		g->stolen[i + 1] =
			g->stolen[i] + (g->state[i] == STOLEN ? g->t[i + 1] - g->t[i] : 0);
		item.cat = g->kind[g->state[i]];
		item.t0 = g->t[i];
		iot_steal_state(g->steal, &item, g->t[i], TRUE);
	}
}

/* ns stolen up to @t */
static guint64 stolen_up_to(const struct guest *g, guint64 t)
{
	guint i = 0;

	while (i + 1 < N_STATES && g->t[i + 1] <= t)
		i++;
	return g->stolen[i] + (g->state[i] == STOLEN ? t - g->t[i] : 0);
}

static struct iot_item marked(const struct guest *g, guint64 t0, guint64 t1)
{
	struct iot_item item = { .kind = IOT_ITEM_SPAN,
				 .n_attrs = (guint8)iot_type_at(g->tl, g->work)->n_attrs,
				 .type = g->work,
				 .cat = g->wait,
				 .row = g->node,
				 .t0 = t0,
				 .t1 = t1 };

	iot_steal_mark(g->steal, &item, 0);
	return item;
}

UNIT_TEST(a_span_of_the_recent_past_has_exact_sums)
{
	static struct guest g;
	g_autoptr(GRand) dice = g_rand_new_with_seed(1);

	guest_init(&g);
	live(&g, dice);
	for (guint n = 0; n < N_SPANS; n++) {
		guint64 begin = g.t[N_STATES - RECENT], end = g.t[N_STATES];
		guint64 t0 = begin + g_rand_int(dice) % (end - begin);
		guint64 t1 = t0 + g_rand_int(dice) % (end - t0);
		struct iot_item item = marked(&g, t0, t1);

		CU_ASSERT_EQUAL(item.attr[0].u, stolen_up_to(&g, t1) - stolen_up_to(&g, t0));
		CU_ASSERT_EQUAL(item.attr[1].u, 0);
	}
	guest_free(&g);
}

/* The state at its begin is in a sum of several states. From the next sum on all is known. */
UNIT_TEST(a_span_from_the_remote_past_is_known_from_the_next_sum_on)
{
	static struct guest g;
	g_autoptr(GRand) dice = g_rand_new_with_seed(2);
	guint n_exact = 0, n_partly = 0;

	guest_init(&g);
	live(&g, dice);
	for (guint n = 0; n < N_SPANS; n++) {
		guint64 end = g.t[N_STATES];
		guint64 t0 = g.t[0] + g_rand_int(dice) % (g.t[N_STATES - RECENT] - g.t[0]);
		struct iot_item item = marked(&g, t0, end);
		guint64 known = t0 + item.attr[1].u;

		CU_ASSERT_FATAL(known <= end);
		CU_ASSERT_EQUAL(item.attr[0].u, stolen_up_to(&g, end) - stolen_up_to(&g, known));
		if (item.attr[1].u)
			n_partly++;
		else
			n_exact++;
	}
	/* some begin where a state is kept by itself */
	CU_ASSERT(n_partly > N_SPANS / 2 && n_exact > 0);
	guest_free(&g);
}

UNIT_TEST(a_span_inside_a_sum_has_bounds)
{
	static struct guest g;
	g_autoptr(GRand) dice = g_rand_new_with_seed(3);

	guest_init(&g);
	live(&g, dice);
	for (guint n = 0; n < N_SPANS; n++) {
		guint64 t0 = g.t[0] + g_rand_int(dice) % (g.t[N_STATES / 2] - g.t[0]);
		guint64 t1 = t0 + (guint64)g_rand_int_range(dice, 0, 20000);
		struct iot_item item = marked(&g, t0, t1);
		guint64 stolen = stolen_up_to(&g, t1) - stolen_up_to(&g, t0);

		CU_ASSERT(item.attr[0].u <= stolen);
		CU_ASSERT(stolen <= item.attr[0].u + item.attr[1].u);
		CU_ASSERT(item.attr[0].u + item.attr[1].u <= t1 - t0);
	}
	guest_free(&g);
}

UNIT_TEST(before_the_first_state_nothing_is_known)
{
	static struct guest g;
	g_autoptr(GRand) dice = g_rand_new_with_seed(4);
	struct iot_item item;

	guest_init(&g);
	live(&g, dice);
	item = marked(&g, 100, 700);
	CU_ASSERT_EQUAL(item.attr[0].u, 0);
	CU_ASSERT_EQUAL(item.attr[1].u, 600);
	item = marked(&g, 100, g.t[N_STATES]);
	CU_ASSERT_EQUAL(item.attr[0].u, g.stolen[N_STATES]);
	CU_ASSERT_EQUAL(item.attr[1].u, 900);
	guest_free(&g);
}
