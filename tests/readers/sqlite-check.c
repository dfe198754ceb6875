// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sqlite-check FILE - whether a database of -o sqlite: is sound, and its items as lines of the text
 * output, by table. Hexadecimal values are texts in it, and so quoted here. See
 * docs/formats/sqlite.md.
 */
#include "items.h"

#include <math.h>
#include <sqlite3.h>

static sqlite3 *db;
static guint64 begin;

static void G_GNUC_NORETURN die(const char *what)
{
	fprintf(stderr, "sqlite-check: %s: %s\n", what, sqlite3_errmsg(db));
	exit(1);
}

static sqlite3_stmt *ask(const char *sql)
{
	sqlite3_stmt *statement;

	if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
		die(sql);
	return statement;
}

/* The first value of the first row, which must be there. */
static char *one(const char *sql)
{
	sqlite3_stmt *statement = ask(sql);
	char *text;

	if (sqlite3_step(statement) != SQLITE_ROW)
		die(sql);
	text = g_strdup((const char *)sqlite3_column_text(statement, 0));
	sqlite3_finalize(statement);
	return text;
}

static const char *text_at(sqlite3_stmt *statement, int column)
{
	return (const char *)sqlite3_column_text(statement, column);
}

/* Columns from @first on are attributes; numbers that are 0 are not in the text output. */
static char *attrs_of(sqlite3_stmt *statement, int first)
{
	GString *text = g_string_new(NULL);

	for (int i = first; i < sqlite3_column_count(statement); i++) {
		const char *name = sqlite3_column_name(statement, i);

		if (g_str_has_prefix(name, "attr_"))
			name += 5;
		if (sqlite3_column_type(statement, i) == SQLITE_INTEGER &&
		    sqlite3_column_int64(statement, i)) {
			g_string_append_printf(text, " %s=%lld", name,
					       sqlite3_column_int64(statement, i));
		} else if (sqlite3_column_type(statement, i) == SQLITE_FLOAT &&
			   (sqlite3_column_double(statement, i) != 0 ||
			    signbit(sqlite3_column_double(statement, i)))) {
			g_string_append_printf(text, " %s=", name);
			items_real(text, sqlite3_column_double(statement, i));
		} else if (sqlite3_column_type(statement, i) == SQLITE_TEXT) {
			g_string_append_printf(text, " %s=", name);
			items_quote(text, text_at(statement, i),
				    (gsize)sqlite3_column_bytes(statement, i));
		}
	}
	return g_string_free(text, FALSE);
}

/* The columns: start, end, path, type, category, lane, marks, and attributes. */
static void print_items(const char *kind, const char *sql)
{
	sqlite3_stmt *statement = ask(sql);
	int status;

	while ((status = sqlite3_step(statement)) == SQLITE_ROW) {
		g_autofree char *attrs = attrs_of(statement, 7);
		struct items_item item = { .kind = kind,
					   .start = sqlite3_column_int64(statement, 0),
					   .end = sqlite3_column_int64(statement, 1),
					   .row = text_at(statement, 2),
					   .type = text_at(statement, 3),
					   .category = text_at(statement, 4),
					   .lane = sqlite3_column_int64(statement, 5),
					   .marks = text_at(statement, 6),
					   .attrs = attrs };

		if (!item.row || !item.type || !item.category)
			die("an item without row or category");
		items_print(&item, begin);
	}
	if (status != SQLITE_DONE)
		die(sql);
	sqlite3_finalize(statement);
}

static void check_unseen(const char *marks, gboolean from, gboolean to)
{
	if (from != (marks && strstr(marks, "from-unseen")) ||
	    to != (marks && strstr(marks, "to-unseen")) || (from && to))
		die("marks and NULL ends of a link differ");
}

/* An end that is later than the other one must be marked, and one that is not there. */
static void print_links(const char *attrs)
{
	g_autofree char *sql = g_strconcat(
		"SELECT min(ifnull(from_ns, to_ns), ifnull(to_ns, from_ns)),"
		" max(ifnull(from_ns, to_ns), ifnull(to_ns, from_ns)), ifnull(a.path, b.path),"
		" category.type, category.name, ifnull(from_lane, to_lane), i.marks,"
		" ifnull(b.path, a.path), ifnull(to_lane, from_lane), from_ns > to_ns,"
		" from_ns IS NULL AND from_row IS NULL AND from_lane IS NULL,"
		" to_ns IS NULL AND to_row IS NULL AND to_lane IS NULL",
		attrs,
		" FROM link i LEFT JOIN row a ON a.id = from_row LEFT JOIN row b ON b.id = to_row"
		" LEFT JOIN category ON category.id = i.category",
		NULL);
	sqlite3_stmt *statement = ask(sql);

	while (sqlite3_step(statement) == SQLITE_ROW) {
		g_autofree char *text = attrs_of(statement, 12);
		struct items_item item = { .kind = "link",
					   .start = sqlite3_column_int64(statement, 0),
					   .end = sqlite3_column_int64(statement, 1),
					   .row = text_at(statement, 2),
					   .type = text_at(statement, 3),
					   .category = text_at(statement, 4),
					   .lane = sqlite3_column_int64(statement, 5),
					   .marks = text_at(statement, 6),
					   .row_to = text_at(statement, 7),
					   .lane_to = sqlite3_column_int64(statement, 8),
					   .attrs = text };
		gboolean marked = item.marks && strstr(item.marks, "backwards");

		if (!item.row || !item.row_to || !item.category)
			die("a link without rows or category");
		if (sqlite3_column_int64(statement, 9) && !marked)
			die("a link runs backwards and has no mark");
		check_unseen(item.marks, sqlite3_column_int(statement, 10),
			     sqlite3_column_int(statement, 11));
		items_print(&item, begin);
	}
	sqlite3_finalize(statement);
}

static void print_samples(void)
{
	sqlite3_stmt *statement = ask("SELECT start_ns, row.path, category.type, value FROM sample"
				      " LEFT JOIN row ON row.id = sample.row"
				      " LEFT JOIN category ON category.id = sample.category");

	while (sqlite3_step(statement) == SQLITE_ROW) {
		g_autoptr(GString) value = g_string_new(" ");
		struct items_item item = { .kind = "sample",
					   .start = sqlite3_column_int64(statement, 0),
					   .row = text_at(statement, 1),
					   .type = text_at(statement, 2) };

		if (sqlite3_column_type(statement, 3) == SQLITE_FLOAT)
			items_real(value, sqlite3_column_double(statement, 3));
		else
			g_string_append(value, text_at(statement, 3));
		item.attrs = value->str;
		items_print(&item, begin);
	}
	sqlite3_finalize(statement);
}

static void print_gaps(void)
{
	sqlite3_stmt *statement = ask("SELECT start_ns, end_ns, name, marks, ifnull(lost, '?')"
				      " FROM gap LEFT JOIN node ON node.id = gap.node");

	while (sqlite3_step(statement) == SQLITE_ROW) {
		g_autofree char *lost = g_strdup_printf(" lost=%s", text_at(statement, 4));
		struct items_item item = { .kind = "gap",
					   .start = sqlite3_column_int64(statement, 0),
					   .end = sqlite3_column_int64(statement, 1),
					   .row = text_at(statement, 2),
					   .category = "not observed",
					   .marks = text_at(statement, 3),
					   .attrs = lost };

		items_print(&item, begin);
	}
	sqlite3_finalize(statement);
}

/* Columns of a table after the columns of every item. */
static char *attr_columns(const char *table, int first)
{
	g_autofree char *sql = g_strdup_printf("SELECT * FROM %s", table);
	sqlite3_stmt *statement = ask(sql);
	GString *list = g_string_new(NULL);

	for (int i = first; i < sqlite3_column_count(statement); i++)
		g_string_append_printf(list, ", i.\"%s\"", sqlite3_column_name(statement, i));
	sqlite3_finalize(statement);
	return g_string_free(list, FALSE);
}

/* Every view has an item once, and together they have all spans, or all points. Views that begin
 * with the same columns share the items of these. */
static void check_views(const char *suffix, const char *table)
{
	g_autofree char *sql = g_strdup_printf("SELECT name FROM sqlite_master WHERE type = 'view'"
					       " AND name LIKE '%%\\_%s' ESCAPE '\\'",
					       suffix);
	g_autofree char *count = g_strdup_printf("SELECT count(*) FROM %s", table);
	g_autofree char *want = one(count), *found = NULL;
	g_autoptr(GString) all = g_string_new("SELECT count(*) FROM (SELECT NULL AS id WHERE 0");
	sqlite3_stmt *statement = ask(sql);

	while (sqlite3_step(statement) == SQLITE_ROW) {
		g_autofree char *twice = g_strdup_printf(
			"SELECT count(*) - count(DISTINCT id) FROM \"%s\"", text_at(statement, 0));
		g_autofree char *repeated = one(twice);

		if (strcmp(repeated, "0")) {
			fprintf(stderr, "sqlite-check: %s has %s items more than once\n",
				text_at(statement, 0), repeated);
			exit(1);
		}
		g_string_append_printf(all, " UNION SELECT id FROM \"%s\"", text_at(statement, 0));
	}
	sqlite3_finalize(statement);
	g_string_append_c(all, ')');
	found = one(all->str);
	if (strcmp(found, want)) {
		fprintf(stderr, "sqlite-check: %s %s, but %s in the views\n", want, table, found);
		exit(1);
	}
}

int main(int argc, char **argv)
{
	const char *from = " FROM %s i LEFT JOIN row ON row.id = i.row"
			   " LEFT JOIN category ON category.id = i.category";
	g_autofree char *sound = NULL, *origin = NULL, *spans = NULL, *points = NULL, *links = NULL;
	g_autofree char *sql = NULL;

	if (argc != 2 || sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
		die("usage: sqlite-check FILE");
	sound = one("PRAGMA integrity_check");
	if (strcmp(sound, "ok"))
		die(sound);
	origin = one("SELECT value FROM meta WHERE key = 'begin_ns' AND typeof(value) = 'text'");
	begin = g_ascii_strtoull(origin, NULL, 10);
	spans = attr_columns("span", 7);
	points = attr_columns("point", 6);
	links = attr_columns("link", 9);
	sql = g_strconcat(
		"SELECT i.start_ns, i.end_ns, row.path, category.type, category.name, i.lane,"
		" i.marks",
		spans, from, NULL);
	print_items("span", g_strdup_printf(sql, "span"));
	g_free(sql);
	sql = g_strconcat(
		"SELECT i.start_ns, 0, row.path, category.type, category.name, i.lane, i.marks",
		points, from, NULL);
	print_items("point", g_strdup_printf(sql, "point"));
	print_links(links);
	print_samples();
	print_gaps();
	check_views("spans", "span");
	check_views("points", "point");
	return 0;
}
