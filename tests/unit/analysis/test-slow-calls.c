/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls and waits that are made by hand. */
#include "../timeline/timeline-sample.h"
#include "analysis/slow-calls.h"

struct scene {
	struct sample s;
	iot_type_id type;
	iot_cat_id call;
	struct iot_slow_calls *calls;
	guint64 seq;
};

static void scene_init(struct scene *scene)
{
	struct iot_attr_def pid = { .format = IOT_ATTR_UINT };

	sample_init(&scene->s);
	iot_type_set_role(scene->s.tl, scene->s.node, IOT_ROLE_NODE);
	iot_timeline_type(scene->s.tl, IOT_TYPE_SPAN, "use", "use", scene->s.node, &scene->type);
	pid.name = iot_intern_str(scene->s.tl->strings, "pid");
	iot_type_add_attr(scene->s.tl, scene->type, &pid);
	scene->call = iot_timeline_cat(scene->s.tl, scene->type, "write", 0, IOT_ROLE_CALL);
	scene->calls = iot_slow_calls_new(scene->s.tl);
	scene->seq = 0;
}

static const struct iot_result_table *publish(struct scene *scene, struct iot_results *results)
{
	iot_slow_calls_settle(scene->calls);
	iot_slow_calls_publish(scene->calls, results);
	return iot_results_find(results, "slow_calls");
}

static void scene_clear(struct scene *scene)
{
	iot_slow_calls_free(scene->calls);
	iot_timeline_free(scene->s.tl);
}

/* Begin or end, at t1, of a call of the thread @pid on @lane. */
static void call(struct scene *scene, guint8 kind, guint64 pid, guint16 lane, guint64 t0,
		 guint64 t1)
{
	struct iot_item item = {
		.kind = kind,
		.n_attrs = 1,
		.type = scene->type,
		.cat = scene->call,
		.row = scene->s.n,
		.lane = lane,
		.t0 = t0,
		.t1 = t1,
		.seq = scene->seq++,
		.attr = { { .u = pid } },
	};

	iot_slow_calls_item(scene->calls, &item);
}

/* A wait of the thread @pid, with node m in its way for @blocked of the time. */
static void waits(struct scene *scene, guint64 pid, guint64 t0, guint64 t1, guint64 blocked)
{
	const struct sample *s = &scene->s;
	struct iot_claim claim = { .kind = IOT_CLAIM_WAIT,
				   .row = s->n,
				   .node = iot_row_at(s->tl, s->n)->name,
				   .t0 = t0,
				   .t1 = t1,
				   .pid = pid };
	struct iot_blocker blocker = { .claim = { .row = s->m,
						  .node = iot_row_at(s->tl, s->m)->name,
						  .cat = s->hold,
						  .pid = 9 },
				       .whole_ns = blocked };
	/* is never named, although it was in the way for longer */
	struct iot_blocker nameless = { .claim = { .row = s->m, .cat = s->wait },
					.whole_ns = 2 * blocked,
					.several = TRUE,
					.nameless = TRUE };
	struct iot_wait *wait = iot_wait_new(&claim);

	if (blocked) {
		g_array_append_val(wait->blockers, blocker);
		g_array_append_val(wait->blockers, nameless);
	}
	iot_slow_calls_wait(scene->calls, wait);
	iot_wait_free(wait);
}

static const struct iot_result_cell *cell(const struct iot_result_table *table, guint row,
					  const char *column)
{
	return &iot_result_row_at(table, row)->cells[iot_result_find_column(table, column)];
}

UNIT_TEST(waits_that_overlap_count_once)
{
	g_autoptr(iot_results) results = iot_results_new();
	const struct iot_result_table *table;
	struct scene scene;

	scene_init(&scene);
	call(&scene, IOT_ITEM_SPAN_BEGIN, 7, 0, 1000, 1000);
	waits(&scene, 7, 1200, 1300, 0);
	waits(&scene, 7, 1100, 1250, 50);
	waits(&scene, 7, 1400, 1500, 0);
	waits(&scene, 8, 1500, 1900, 0); /* another thread */
	call(&scene, IOT_ITEM_SPAN, 7, 0, 1000, 2000);
	waits(&scene, 7, 2100, 2200, 0); /* in no call */
	table = publish(&scene, results);
	CU_ASSERT_PTR_NOT_NULL_FATAL(table);
	CU_ASSERT_EQUAL_FATAL(table->rows->len, 1);
	CU_ASSERT_EQUAL(cell(table, 0, "took")->number, 1000);
	CU_ASSERT_EQUAL(cell(table, 0, "waited")->number, 300);
	CU_ASSERT_DOUBLE_EQUAL(cell(table, 0, "share")->share, 0.3, 1e-9);
	CU_ASSERT_EQUAL(cell(table, 0, "waits")->number, 3);
	CU_ASSERT_EQUAL(cell(table, 0, "pid")->number, 7);
	CU_ASSERT_EQUAL(cell(table, 0, "resource")->number, scene.s.a);
	CU_ASSERT_EQUAL(cell(table, 0, "resource_waited")->number, 300);
	CU_ASSERT_STRING_EQUAL(cell(table, 0, "held_by")->text, "m process 9 (hold)");
	scene_clear(&scene);
}

UNIT_TEST(calls_inside_a_call_are_not_looked_at)
{
	g_autoptr(iot_results) results = iot_results_new();
	const struct iot_result_table *table;
	struct scene scene;

	scene_init(&scene);
	call(&scene, IOT_ITEM_SPAN_BEGIN, 7, 0, 1000, 1000);
	call(&scene, IOT_ITEM_SPAN_BEGIN, 7, 1, 1100, 1100);
	waits(&scene, 7, 1200, 1300, 0);
	call(&scene, IOT_ITEM_SPAN, 7, 1, 1100, 1400);
	waits(&scene, 7, 1500, 1600, 0);
	call(&scene, IOT_ITEM_SPAN, 7, 0, 1000, 2000);
	/* a call that does not wait */
	call(&scene, IOT_ITEM_SPAN_BEGIN, 7, 0, 3000, 3000);
	call(&scene, IOT_ITEM_SPAN, 7, 0, 3000, 9000);
	table = publish(&scene, results);
	CU_ASSERT_PTR_NOT_NULL_FATAL(table);
	CU_ASSERT_EQUAL_FATAL(table->rows->len, 1);
	CU_ASSERT_EQUAL(cell(table, 0, "waited")->number, 200);
	CU_ASSERT_EQUAL(cell(table, 0, "held_by")->flags, IOT_CELL_EMPTY);
	scene_clear(&scene);
}

UNIT_TEST(the_slowest_calls_come_first)
{
	g_autoptr(iot_results) results = iot_results_new();
	const struct iot_result_table *table;
	struct scene scene;

	scene_init(&scene);
	for (guint64 i = 1; i <= 25; i++) {
		guint64 t0 = i * 10000, took = i * 7 % 25 + 100;

		call(&scene, IOT_ITEM_SPAN_BEGIN, i, 0, t0, t0);
		waits(&scene, i, t0 + 1, t0 + 50, 0);
		call(&scene, IOT_ITEM_SPAN, i, 0, t0, t0 + took);
	}
	table = publish(&scene, results);
	CU_ASSERT_PTR_NOT_NULL_FATAL(table);
	CU_ASSERT_EQUAL_FATAL(table->rows->len, 10);
	for (guint i = 0; i < 10; i++)
		CU_ASSERT_EQUAL(cell(table, i, "took")->number, 124 - i);
	CU_ASSERT_STRING_EQUAL(table->remark, "10 of 25");
	scene_clear(&scene);
}

UNIT_TEST(a_wait_that_ends_with_its_call_counts)
{
	g_autoptr(iot_results) results = iot_results_new();
	const struct iot_result_table *table;
	struct scene scene;

	scene_init(&scene);
	call(&scene, IOT_ITEM_SPAN_BEGIN, 7, 0, 1000, 1000);
	/* both are open at the end of the recording; waits are reported later */
	call(&scene, IOT_ITEM_SPAN, 7, 0, 1000, 2000);
	waits(&scene, 7, 1100, 2000, 50);
	table = publish(&scene, results);
	CU_ASSERT_PTR_NOT_NULL_FATAL(table);
	CU_ASSERT_EQUAL_FATAL(table->rows->len, 1);
	CU_ASSERT_EQUAL(cell(table, 0, "waited")->number, 900);
	CU_ASSERT_EQUAL(cell(table, 0, "waits")->number, 1);
	scene_clear(&scene);
}

UNIT_TEST(calls_of_one_thread_in_a_row)
{
	g_autoptr(iot_results) results = iot_results_new();
	const struct iot_result_table *table;
	struct scene scene;

	scene_init(&scene);
	call(&scene, IOT_ITEM_SPAN_BEGIN, 7, 0, 1000, 1000);
	waits(&scene, 7, 1100, 1500, 0);
	call(&scene, IOT_ITEM_SPAN, 7, 0, 1000, 2000);
	call(&scene, IOT_ITEM_SPAN_BEGIN, 7, 0, 2000, 2000);
	waits(&scene, 7, 2100, 2200, 0);
	call(&scene, IOT_ITEM_SPAN, 7, 0, 2000, 2900);
	table = publish(&scene, results);
	CU_ASSERT_PTR_NOT_NULL_FATAL(table);
	CU_ASSERT_EQUAL_FATAL(table->rows->len, 2);
	CU_ASSERT_EQUAL(cell(table, 0, "waited")->number, 400);
	CU_ASSERT_EQUAL(cell(table, 1, "waited")->number, 100);
	scene_clear(&scene);
}

UNIT_TEST(many_waits_are_a_lower_bound)
{
	g_autoptr(iot_results) results = iot_results_new();
	const struct iot_result_table *table;
	struct scene scene;

	scene_init(&scene);
	call(&scene, IOT_ITEM_SPAN_BEGIN, 7, 0, 0, 0);
	for (guint64 i = 0; i < 5000; i++)
		waits(&scene, 7, i * 100, i * 100 + (i == 4000 ? 90 : 10), 0);
	call(&scene, IOT_ITEM_SPAN, 7, 0, 0, 500000);
	table = publish(&scene, results);
	CU_ASSERT_PTR_NOT_NULL_FATAL(table);
	CU_ASSERT_TRUE(cell(table, 0, "waited")->flags & IOT_CELL_AT_LEAST);
	CU_ASSERT_TRUE(cell(table, 0, "waited")->number > 20000);
	CU_ASSERT_TRUE(cell(table, 0, "waited")->number <= 50080);
	scene_clear(&scene);
}
