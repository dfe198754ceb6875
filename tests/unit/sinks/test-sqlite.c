/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The output sqlite, asked with the library itself. */
#include "sink-sample.h"

#ifdef IOT_SQLITE
#include "timeline/result-table.h"

#include <sqlite3.h>

/* A database of the sample's items that is removed with its folder. */
struct result {
	char *dir, *path;
	sqlite3 *db;
};

static struct result run(struct sample *s, const struct iot_summary *summary)
{
	struct result result = { .dir = g_dir_make_tmp("iotrace-XXXXXX", NULL) };

	result.path = g_build_filename(result.dir, "out", NULL);
	sample_feed(s, &iot_sink_sqlite, result.path, NULL, summary);
	CU_ASSERT_FATAL(sqlite3_open(result.path, &result.db) == SQLITE_OK);
	return result;
}

static void clear(struct result *result)
{
	sqlite3_close(result->db);
	g_unlink(result->path);
	g_rmdir(result->dir);
	g_free(result->path);
	g_free(result->dir);
}

/* All values of the answer, texts in quotes, as rows. */
static void expect(struct result *result, const char *sql, const char *want)
{
	g_autoptr(GString) got = g_string_new(NULL);
	sqlite3_stmt *statement;

	if (sqlite3_prepare_v2(result->db, sql, -1, &statement, NULL) != SQLITE_OK) {
		EXPECT_TEXT(sqlite3_errmsg(result->db), want);
		return;
	}
	while (sqlite3_step(statement) == SQLITE_ROW) {
		for (int i = 0; i < sqlite3_column_count(statement); i++) {
			const char *text = (const char *)sqlite3_column_text(statement, i);
			gboolean quoted = sqlite3_column_type(statement, i) == SQLITE_TEXT;

			g_string_append_printf(got, "%s%s%s%s", i ? " " : "", quoted ? "'" : "",
					       text ? text : "NULL", quoted ? "'" : "");
		}
		g_string_append_c(got, '\n');
	}
	sqlite3_finalize(statement);
	EXPECT_TEXT(got->str, want);
}

UNIT_TEST(sqlite_of_nothing_has_all_tables)
{
	struct sample s;
	struct result result;

	sample_init(&s);
	result = run(&s, NULL);
	expect(&result, "PRAGMA integrity_check", "'ok'\n");
	expect(&result, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name",
	       "'category'\n'gap'\n'input'\n'link'\n'meta'\n'node'\n'point'\n'row'\n'sample'\n'"
	       "span'\n");
	expect(&result, "SELECT value FROM meta WHERE key = 'begin_ns'", "'1000000000'\n");
	expect(&result, "SELECT count(*) FROM span", "0\n");
	clear(&result);
	sample_clear(&s);
}

UNIT_TEST(sqlite_has_every_part_of_an_item)
{
	struct sample s;
	struct iot_item *item;
	struct result result;

	sample_init(&s);
	item = sample_span(&s, s.a1, s.pending, 5, 30);
	item->lane = 3;
	item->flags = IOT_BEFORE | IOT_UNFINISHED;
	item->attr[0].u = 0xdeadbeefcafe;
	item->attr[1].i = -7;
	item->attr[2].str = sample_str(&s, "EX");
	item->attr[3].str = iot_text_number(12);
	sample_span(&s, s.a2, s.ex, 5, 5);
	item = sample_point(&s, s.b1, s.call_failed, 31);
	item->attr[0].u = G_MAXUINT64;
	item->attr[3].u = G_MAXINT64;
	item->attr[4].u = (guint64)G_MAXINT64 + 1;
	result = run(&s, NULL);
	expect(&result,
	       "SELECT span.id, start_ns, end_ns, path, lane, category.name, marks, lkb_id, pid, "
	       "\"to\","
	       " result FROM span JOIN row ON row.id = row JOIN category ON category.id = category"
	       " ORDER BY span.id",
	       "1 5 30 '0x7/A/node 1' 3 'PENDING' 'unfinished,before' '0xdeadbeefcafe' -7 'EX' "
	       "'12'\n"
	       "2 5 5 '0x7/A/node 2' 0 'EX' NULL NULL 0 NULL NULL\n");
	expect(&result, "SELECT start_ns, lkb_id, pid, took, bytes FROM point",
	       "31 '0xffffffffffffffff' 0 9223372036854775807 '9223372036854775808'\n");
	expect(&result, "SELECT row.name, node.name FROM row JOIN node ON node.id = node",
	       "'node 2' 'node 2'\n'node 1' 'node 1'\n'node 1' 'node 1'\n");
	clear(&result);
	sample_clear(&s);
}

UNIT_TEST(sqlite_has_any_result_table)
{
	g_autoptr(iot_results) results = iot_results_new();
	struct iot_result_table *table = iot_results_add(results, "Span", "Clashes");
	struct iot_summary summary = { .results = results };
	struct sample s;
	struct result result;

	sample_init(&s);
	sample_span(&s, s.a1, s.pending, 5, 30)->flags = IOT_UNFINISHED;
	iot_result_column(table, "select", "", IOT_COLUMN_TEXT)->flags = IOT_COLUMN_LIST;
	iot_result_column(table, "begin", "", IOT_COLUMN_INSTANT);
	iot_result_column(table, "n", "", IOT_COLUMN_COUNT);
	iot_result_column(table, "part", "", IOT_COLUMN_SHARE);
	iot_result_column(table, "doubt", "", IOT_COLUMN_SEVERITY);
	iot_result_row(table);
	iot_result_text(table, "a\nb\xff");
	iot_result_number(table, s.tl->origin_ns - 7);
	iot_result_signed(table, -1);
	iot_result_share(table, 0.5);
	iot_result_number(table, IOT_LOSS);
	iot_result_row(table)->others = 3;
	iot_result_none(table, IOT_CELL_EMPTY);
	iot_result_none(table, IOT_CELL_UNKNOWN);
	iot_result_number(table, G_MAXUINT64);
	result = run(&s, &summary);
	expect(&result, "SELECT * FROM result_span",
	       "'a, b\\xff' -7 -1 0.5 'loss' 0 NULL NULL\n"
	       "NULL NULL '18446744073709551615' NULL NULL 0 3 NULL\n");
	expect(&result,
	       "SELECT \"begin\", waited, row.path, category.name, at_least FROM longest_waits"
	       " JOIN row ON row.id = place JOIN category ON category.id = state",
	       "5 25 '0x7/A/node 1' 'PENDING' 'waited'\n");
	clear(&result);
	sample_clear(&s);
}

UNIT_TEST(sqlite_has_both_ends_of_links)
{
	struct sample s;
	struct result result;

	sample_init(&s);
	sample_add_links(&s);
	result = run(&s, NULL);
	expect(&result,
	       "SELECT a.path, from_lane, from_ns, b.path, to_lane, to_ns, kind, marks, seqno"
	       " FROM link JOIN row a ON a.id = from_row JOIN row b ON b.id = to_row"
	       " JOIN category ON category.id = category ORDER BY link.id",
	       "'0x7/A/node 1' 0 5 '0x7/A/node 2' 0 30 'link' NULL 7\n"
	       "'0x7/A/node 2' 2 40 '0x7/B/node 1' 1 10 'link' 'backwards' 0\n"
	       "'0x7/A/node 1' 0 50 '0x7/A/node 1' 0 50 'link' 'to-hidden' 0\n");
	clear(&result);
	sample_clear(&s);
}

/* Names of columns that are taken, also in other letters, get attr_ before them. */
UNIT_TEST(sqlite_names_columns_by_attributes)
{
	struct sample s;
	struct iot_type *type;
	struct iot_item *item;
	struct result result;

	sample_init(&s);
	type = iot_segarray_at(&s.tl->types, s.lock);
	sample_attr(&s, type, "Row", IOT_ATTR_INT);
	sample_attr(&s, type, "PID", IOT_ATTR_INT);
	sample_attr(&s, type, "a\"b c", IOT_ATTR_INT);
	item = sample_span(&s, s.a1, s.ex, 1, 2);
	item->attr[4].i = 4;
	item->attr[5].i = 5;
	item->attr[6].i = 6;
	result = run(&s, NULL);
	expect(&result, "SELECT attr_Row, attr_PID, pid, \"a\"\"b c\" FROM span", "4 5 0 6\n");
	clear(&result);
	sample_clear(&s);
}

#define ODD "q\"b\\n\nd\177 \327\251\327\234 \360\237\224\222 ');--"

UNIT_TEST(sqlite_keeps_names_and_values)
{
	struct sample s;
	struct result result;
	g_autofree char *want = g_strdup_printf("'%s' '%s'\n", ODD, ODD);

	sample_init(&s);
	sample_point(&s, sample_row(&s, s.lockspace, 0, ODD), s.bast, 1)->attr[2].str =
		sample_str(&s, ODD);
	sample_point(&s, s.a1, s.bast, 2)->attr[2].str =
		iot_intern_bytes(s.tl->strings, "x\0\303", 3);
	result = run(&s, NULL);
	expect(&result,
	       "SELECT name, result FROM point JOIN row ON row.id = row WHERE start_ns = 1", want);
	expect(&result, "SELECT result FROM point WHERE start_ns = 2", "'x\\x00\\xc3'\n");
	clear(&result);
	sample_clear(&s);
}

UNIT_TEST(sqlite_has_gaps_samples_inputs_and_views)
{
	static const struct iot_summary_input input = { .path = "a.dat",
							.node = "node 1",
							.has_times = TRUE,
							.first_ns = 1000000001,
							.last_ns = 1000000009 };
	struct iot_summary summary = {
		.begin_ns = 1000000000, .end_ns = 1000000050, .n_inputs = 1, .inputs = &input
	};
	struct sample s;
	iot_type_id counter;
	iot_cat_id cat;
	struct iot_view view = { .n_columns = 3 };
	g_autoptr(GPtrArray) repeated = g_ptr_array_new();
	struct result result;

	sample_init(&s);
	iot_timeline_type(s.tl, IOT_TYPE_COUNTER, "bytes_read", "bytes read", s.node, &counter);
	cat = iot_timeline_cat(s.tl, counter, "bytes", 0, IOT_ROLE_NONE);
	view.title = sample_str(&s, "D.L M");
	view.column[0] = s.lockspace;
	view.column[1] = s.resource;
	view.column[2] = s.node;
	CU_ASSERT(iot_timeline_add_view(s.tl, &view));
	sample_gap(&s, "node 3", 10, 30, 17);
	sample_gap(&s, "node 1", 31, 31, IOT_LOST_UNKNOWN);
	iot_sample_set(sample_add(&s, IOT_ITEM_SAMPLE, s.a1, cat, 32, 32), -1, -4096);
	sample_span(&s, s.a1, s.ex, 40, 50)->attr[1].i = 42;
	summary.models = "dlm, gfs2";
	g_ptr_array_add(repeated, (gpointer) "--select");
	g_ptr_array_add(repeated, (gpointer) "*/res 0");
	summary.repeated = repeated;
	summary.diag.count[IOT_DIAG_events_lost] = 17;
	result = run(&s, &summary);
	expect(&result, "SELECT start_ns, end_ns, name, lost FROM gap JOIN node ON node.id = node",
	       "10 30 'node 3' 17\n31 31 'node 1' NULL\n");
	expect(&result, "SELECT start_ns, value, change FROM sample", "32 -1 -4096\n");
	expect(&result, "SELECT path, node, hostname, first_ns, last_ns FROM input",
	       "'a.dat' 1 NULL 1 9\n");
	expect(&result, "SELECT value FROM meta WHERE key = 'diag events_lost'", "17\n");
	expect(&result, "SELECT value FROM meta WHERE key = 'end_ns'", "50\n");
	expect(&result, "SELECT value FROM meta WHERE key = 'models'", "'dlm, gfs2'\n");
	expect(&result, "SELECT value FROM meta WHERE key = 'command'",
	       "'iotrace-analyze --select '*/res 0' a.dat'\n");
	expect(&result,
	       "SELECT lockspace, resource, node, duration_ns, category, pid, row_path FROM "
	       "d_l_m_spans",
	       "'0x7' 'A' 'node 1' 10 'EX' 42 '0x7/A/node 1'\n");
	clear(&result);
	sample_clear(&s);
}
#endif
