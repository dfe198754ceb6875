/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Result tables: what publishers make of a timeline, and that renderers show any table. */
#include "sink-sample.h"
#include "sinks/html/html-head.h"
#include "sinks/publish.h"
#include "sinks/result-json.h"
#include "sinks/result-text.h"

/* A table that no output knows, with a column of each kind. */
static void publish_dummy(const struct iot_publishing *from, struct iot_results *to)
{
	struct iot_result_table *table = iot_results_add(to, "dummy", "A \"dummy\"");
	guint64 zero = from->tl->origin_ns;

	iot_result_column(table, "label", "label", IOT_COLUMN_TEXT)->flags = IOT_COLUMN_LIST;
	iot_result_column(table, "n", "n", IOT_COLUMN_COUNT);
	iot_result_column(table, "took", "took", IOT_COLUMN_NS);
	iot_result_column(table, "part", "part", IOT_COLUMN_SHARE);
	iot_result_column(table, "at", "at", IOT_COLUMN_INSTANT);
	iot_result_column(table, "place", "place", IOT_COLUMN_ROW);
	iot_result_column(table, "state", "state", IOT_COLUMN_CATEGORY);
	iot_result_column(table, "doubt", "doubt", IOT_COLUMN_SEVERITY);
	iot_result_row(table);
	iot_result_text(table, "a\nb");
	iot_result_number(table, 3);
	iot_result_number(table, 1500);
	iot_result_at_least(table);
	iot_result_share(table, 0.25);
	iot_result_number(table, zero - 5);
	iot_result_number(table, 3);
	iot_result_number(table, 1);
	iot_result_number(table, IOT_WARN);
	iot_result_row(table)->others = 12;
	iot_result_text(table, NULL);
	iot_result_signed(table, -4);
	iot_result_note(table, "made up");
}

static struct iot_results *dummy_results(struct sample *s)
{
	struct iot_publishing from = { .tl = s->tl };
	struct iot_results *results = iot_results_new();

	publish_dummy(&from, results);
	return results;
}

/* What a renderer writes. */
static char *rendered(struct sample *s, const struct iot_results *results, gboolean json)
{
	g_autofree char *dir = g_dir_make_tmp("iotrace-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "out", NULL);
	g_autoptr(iot_out) out = iot_out_open(path, NULL);
	struct iot_result_style style = { .tl = s->tl, .out = out };
	char *text = NULL;

	if (json)
		iot_results_write_json(results, s->tl, out);
	else
		iot_result_print(g_ptr_array_index(results->tables, 0), &style);
	CU_ASSERT(iot_out_finish(out, NULL));
	g_file_get_contents(path, &text, NULL, NULL);
	g_unlink(path);
	g_rmdir(dir);
	return text;
}

UNIT_TEST(text_shows_any_table)
{
	struct sample s;
	g_autofree char *text = NULL;

	sample_init(&s);
	{
		g_autoptr(iot_results) results = dummy_results(&s);

		text = rendered(&s, results, FALSE);
	}
	EXPECT_TEXT(
		text,
		"LABEL   N      TOOK  PART            AT  AT (HOST)  PLACE         STATE  DOUBT\n"
		"a, b    3  >1.50 us   25%  -0.000000005   1.000000  0x7/A/node 2  PR     warning\n"
		"       -4                                           12 others\n");
	sample_clear(&s);
}

UNIT_TEST(json_shows_any_table)
{
	struct sample s;
	g_autofree char *text = NULL;

	sample_init(&s);
	{
		g_autoptr(iot_results) results = dummy_results(&s);

		text = rendered(&s, results, TRUE);
	}
	EXPECT_TEXT(text,
		    "{\"program\":\"iotrace-analyze " IOT_VERSION
		    "\",\"begin_ns\":\"1000000000\",\"tables\":{\n"
		    "\"dummy\":{\"title\":\"A \\\"dummy\\\"\",\"columns\":["
		    "{\"name\":\"label\",\"title\":\"label\",\"kind\":\"text\"},"
		    "{\"name\":\"n\",\"title\":\"n\",\"kind\":\"count\"},"
		    "{\"name\":\"took\",\"title\":\"took\",\"kind\":\"ns\"},"
		    "{\"name\":\"part\",\"title\":\"part\",\"kind\":\"share\"},"
		    "{\"name\":\"at\",\"title\":\"at\",\"kind\":\"instant\"},"
		    "{\"name\":\"place\",\"title\":\"place\",\"kind\":\"row\"},"
		    "{\"name\":\"state\",\"title\":\"state\",\"kind\":\"category\"},"
		    "{\"name\":\"doubt\",\"title\":\"doubt\",\"kind\":\"severity\"}"
		    "],\"notes\":[\"made up\"],\"rows\":[\n"
		    "{\"label\":[\"a\",\"b\"],\"n\":3,\"took\":1500,\"part\":0.250000,\"at\":-5,"
		    "\"place\":\"0x7/A/node 2\",\"state\":\"PR\",\"doubt\":\"warning\","
		    "\"at_least\":[\"took\"]},\n"
		    "{\"label\":[],\"n\":-4,\"took\":null,\"part\":null,\"at\":null,\"place\":null,"
		    "\"state\":null,\"doubt\":null,\"others\":12}]}}}\n");
	sample_clear(&s);
}

UNIT_TEST(page_gets_any_table)
{
	g_autoptr(GString) json = g_string_new(NULL);
	struct sample s;

	sample_init(&s);
	s.tl->zero_ns = s.tl->origin_ns;
	{
		g_autoptr(iot_results) results = dummy_results(&s);

		iot_html_tables(json, results, s.tl);
	}
	CU_ASSERT_PTR_NOT_NULL(
		strstr(json->str, "{\"name\":\"dummy\",\"title\":\"A \\\"dummy\\\"\","));
	CU_ASSERT_PTR_NOT_NULL(strstr(json->str,
				      "\"rows\":[[\"a, b\",3,1500,0.250000,-5,3,1,\"warning\"],"
				      "[null,-4,null,null,null,null,null,null]]"));
	CU_ASSERT_PTR_NOT_NULL(strstr(json->str, "\"at_least\":[0,2]"));
	CU_ASSERT_PTR_NOT_NULL(
		strstr(json->str, "\"marks\":{\"1\":{\"others\":12,\"level\":0,\"strong\":0}}"));
	CU_ASSERT_PTR_NOT_NULL(strstr(json->str, "\"notes\":[\"made up\"]"));
	sample_clear(&s);
}

/* The outputs themselves, which get the table from the summary. */
UNIT_TEST(outputs_show_tables_that_they_do_not_know)
{
	struct sample s;

	sample_init(&s);
	{
		g_autoptr(iot_results) results = dummy_results(&s);
		g_autoptr(GHashTable) json = g_hash_table_new(g_str_hash, g_str_equal);
		struct iot_summary summary = { .results = results };
		g_autofree char *text = sample_tables(&s, &summary);
		g_autofree char *object = NULL;

		g_hash_table_insert(json, (gpointer)(gsize) "json", (gpointer)(gsize) "");
		object = sample_run(&s, &iot_sink_report, json, &summary);
		CU_ASSERT(g_str_has_prefix(text, "A \"dummy\"\n  LABEL   N "));
		CU_ASSERT(g_str_has_suffix(text, "\n  made up\n"));
		CU_ASSERT_PTR_NOT_NULL(strstr(object, "\n{\"label\":[\"a\",\"b\"],\"n\":3,"));
	}
	sample_clear(&s);
}

static struct iot_results *published(struct sample *s, struct iot_aggregate *sums, gboolean all)
{
	struct iot_summary summary = { .begin_ns = s->tl->origin_ns, .from_ns = s->tl->origin_ns };
	struct iot_publishing from = { s->tl, sums, &summary, all };

	summary.end_ns = summary.to_ns = s->tl->origin_ns + 1000;
	for (guint i = 0; i < s->items->len; i++)
		iot_aggregate_add(sums, &g_array_index(s->items, struct iot_item, i));
	iot_aggregate_roll_up(sums);
	return iot_publish(&from);
}

static guint64 sum_of(const struct iot_result_table *table, const char *name)
{
	guint column = (guint)iot_result_find_column(table, name);
	guint64 sum = 0;

	for (guint r = 0; r < table->rows->len; r++)
		if (!iot_result_row_at(table, r)->level)
			sum += iot_result_row_at(table, r)->cells[column].number;
	return sum;
}

static void add_resources(struct sample *s, guint n)
{
	for (guint i = 0; i < n; i++) {
		g_autofree char *name = g_strdup_printf("R%u", i);
		iot_row_id space = iot_row_at(s->tl, iot_row_at(s->tl, s->a1)->parent)->parent;
		iot_row_id node =
			sample_row(s, s->node, sample_row(s, s->resource, space, name), "node 1");

		sample_span(s, node, s->pending, 0, 100 + i);
		sample_span(s, node, s->ex, 200, 210);
		sample_point(s, node, s->call, 0);
	}
}

UNIT_TEST(others_have_the_sum_of_the_rest)
{
	struct sample s;

	sample_init(&s);
	add_resources(&s, 25);
	for (guint all = 0; all < 2; all++) {
		g_autoptr(iot_aggregate) sums = iot_aggregate_new(s.tl);
		g_autoptr(iot_results) results = published(&s, sums, all);
		const struct iot_result_table *table = iot_results_find(results, "states_resource");
		const struct iot_result_row *last = iot_result_row_at(table, table->rows->len - 1);

		CU_ASSERT_EQUAL(last->others, all ? 0 : 15);
		CU_ASSERT_EQUAL(table->rows->len, all ? 50 : 21);
		CU_ASSERT_EQUAL(sum_of(table, "waited"), 25 * 100 + 24 * 25 / 2);
		CU_ASSERT_EQUAL(sum_of(table, "calls"), 25);
		CU_ASSERT_EQUAL(sum_of(table, "ex"), 250);
	}
	sample_clear(&s);
}
