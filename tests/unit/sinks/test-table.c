/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sink-sample.h"
#include "sinks/table.h"

/* The table as text. */
static char *print(const struct iot_table *table, gboolean colour)
{
	g_autofree char *dir = g_dir_make_tmp("iotrace-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "out", NULL);
	g_autoptr(iot_out) out = iot_out_open(path, NULL);
	char *text = NULL;

	iot_table_write(table, out, colour);
	CU_ASSERT(iot_out_finish(out, NULL));
	g_file_get_contents(path, &text, NULL, NULL);
	g_unlink(path);
	g_rmdir(dir);
	return text;
}

static void row(struct iot_table *table, const char *a, const char *b, const char *c)
{
	const char *cells[] = { a, b, c };

	iot_table_row(table);
	for (guint i = 0; i < G_N_ELEMENTS(cells) && cells[i]; i++)
		iot_table_cell(table, IOT_PLAIN, cells[i]);
}

UNIT_TEST(columns_are_aligned)
{
	g_autoptr(iot_table) table = iot_table_new();
	g_autofree char *text = NULL;

	iot_table_column(table, "NAME", IOT_LEFT);
	iot_table_column(table, "CALLS", IOT_RIGHT);
	iot_table_column(table, "NODES", IOT_LEFT);
	row(table, "resource 1", "7", "a, b");
	row(table, "r", "1 234 567", "");
	row(table, "only", NULL, NULL);
	text = print(table, FALSE);
	EXPECT_TEXT(text, "  NAME            CALLS  NODES\n"
			  "  resource 1          7  a, b\n"
			  "  r           1 234 567\n"
			  "  only\n");
}

UNIT_TEST(width_counts_terminal_columns)
{
	CU_ASSERT_EQUAL(iot_text_width(""), 0);
	CU_ASSERT_EQUAL(iot_text_width("abc"), 3);
	CU_ASSERT_EQUAL(iot_text_width("\303\251t\303\251"), 3);		/* ete with accents */
	CU_ASSERT_EQUAL(iot_text_width("e\314\201"), 1);		/* e, combining acute */
	CU_ASSERT_EQUAL(iot_text_width("\346\227\245\346\234\254"), 4);	/* two ideographs */
}

UNIT_TEST(utf8_cells_stay_aligned)
{
	g_autoptr(iot_table) table = iot_table_new();
	g_autofree char *text = NULL;

	iot_table_column(table, "N", IOT_LEFT);
	iot_table_column(table, "C", IOT_RIGHT);
	row(table, "\346\227\245\346\234\254", "1", NULL);
	row(table, "\303\251e\314\201", "22", NULL);
	text = print(table, FALSE);
	EXPECT_TEXT(text, "  N      C\n"
			  "  \346\227\245\346\234\254   1\n"
			  "  \303\251e\314\201    22\n");
}

UNIT_TEST(cells_cannot_drive_the_terminal)
{
	g_autoptr(iot_table) table = iot_table_new();
	g_autofree char *text = NULL;

	iot_table_column(table, "", IOT_LEFT);
	row(table, "a\033[2Jb\tc\n\377\\x", NULL, NULL);
	row(table, "\342\200\256right to left", NULL, NULL);
	text = print(table, TRUE);
	EXPECT_TEXT(text, "  a\\x1b[2Jb\\x09c\\x0a\\xff\\x\n"
			  "  \\xe2\\x80\\xaeright to left\n");
}

UNIT_TEST(long_cells_are_cut_in_the_middle)
{
	g_autoptr(iot_table) table = iot_table_new();
	g_autofree char *text = NULL;

	iot_table_column(table, "NAME", IOT_LEFT)->max_width = 10;
	iot_table_column(table, "C", IOT_RIGHT);
	row(table, "0123456789", "1", NULL);
	row(table, "0123456789a", "2", NULL);
	/* eight wide characters: three columns left of the dots, four on the right */
	row(table, "\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245"
		   "\346\234\254", "3", NULL);
	text = print(table, FALSE);
	EXPECT_TEXT(text, "  NAME        C\n"
			  "  0123456789  1\n"
			  "  012...789a  2\n"
			  "  \346\227\245...\346\227\245\346\234\254   3\n");
}

UNIT_TEST(empty_optional_columns_and_empty_titles_are_left_out)
{
	g_autoptr(iot_table) table = iot_table_new();
	g_autoptr(iot_table) untitled = iot_table_new();
	g_autofree char *text = NULL;
	g_autofree char *text2 = NULL;

	iot_table_column(table, "A", IOT_LEFT);
	iot_table_column(table, "B", IOT_LEFT)->optional = TRUE;
	iot_table_column(table, "C", IOT_LEFT)->optional = TRUE;
	row(table, "1", "", "3");
	row(table, "2", NULL, NULL);
	text = print(table, FALSE);
	EXPECT_TEXT(text, "  A  C\n  1  3\n  2\n");

	iot_table_column(untitled, "", IOT_LEFT);
	untitled->indent = 0;
	row(untitled, "x", NULL, NULL);
	text2 = print(untitled, FALSE);
	EXPECT_TEXT(text2, "x\n");
}

UNIT_TEST(colours_do_not_move_columns)
{
	g_autoptr(iot_table) table = iot_table_new();
	g_autofree char *text = NULL;
	g_autofree char *plain = NULL;

	iot_table_column(table, "KIND", IOT_LEFT);
	iot_table_column(table, "N", IOT_RIGHT);
	iot_table_row(table);
	iot_table_cell(table, IOT_RED, "loss");
	iot_table_cell(table, IOT_PLAIN, "17");
	iot_table_row(table);
	iot_table_cell(table, IOT_YELLOW, "w");
	iot_table_cell(table, IOT_BOLD, "3");
	text = print(table, TRUE);
	EXPECT_TEXT(text, "  \033[1mKIND\033[0m   \033[1mN\033[0m\n"
			  "  \033[1;31mloss\033[0m  17\n"
			  "  \033[1;33mw\033[0m      \033[1m3\033[0m\n");
	plain = print(table, FALSE);
	EXPECT_TEXT(plain, "  KIND   N\n  loss  17\n  w      3\n");
}

UNIT_TEST(columns_without_room_are_left_out_and_named)
{
	g_autoptr(iot_table) table = iot_table_new();
	g_autofree char *text = NULL;

	iot_table_column(table, "NAME", IOT_LEFT)->shrink = TRUE;
	iot_table_column(table, "A", IOT_RIGHT)->drop = 1;
	iot_table_column(table, "B", IOT_RIGHT)->drop = 2;
	row(table, "resource", "11", "22");
	table->max_width = 18;
	text = print(table, FALSE);
	EXPECT_TEXT(text, "  NAME       A   B\n"
			  "  resource  11  22\n");
	g_clear_pointer(&text, g_free);
	table->max_width = 16;
	text = print(table, FALSE);
	EXPECT_TEXT(text, "  NAME       A\n"
			  "  resource  11\n"
			  "  (no room for\n"
			  "  B; a file or\n"
			  "  pipe gets all\n"
			  "  columns)\n");
}

UNIT_TEST(long_names_give_way_before_columns_do)
{
	g_autoptr(iot_table) table = iot_table_new();
	g_autofree char *text = NULL;

	iot_table_column(table, "NAME", IOT_LEFT)->shrink = TRUE;
	iot_table_column(table, "C", IOT_RIGHT)->drop = 1;
	row(table, "0123456789012345678901234567890123456789", "1", NULL);
	table->max_width = 38;
	text = print(table, FALSE);
	EXPECT_TEXT(text, "  NAME                               C\n"
			  "  012345678901234...567890123456789  1\n");
}

UNIT_TEST(words_go_on_in_further_lines)
{
	g_autoptr(iot_table) table = iot_table_new();
	g_autofree char *text = NULL;

	iot_table_column(table, "", IOT_LEFT);
	iot_table_column(table, "", IOT_LEFT)->wrap = TRUE;
	row(table, "loss", "one two three four five six seven eight nine", NULL);
	row(table, "x", "one", NULL);
	table->max_width = 40;
	text = print(table, FALSE);
	EXPECT_TEXT(text, "  loss  one two three four five six\n"
			  "        seven eight nine\n"
			  "  x     one\n");
}

UNIT_TEST(words_without_room_get_lines_of_their_own)
{
	g_autoptr(iot_table) table = iot_table_new();
	g_autofree char *text = NULL;

	iot_table_column(table, "N", IOT_LEFT);
	iot_table_column(table, "WORDS", IOT_LEFT)->wrap = TRUE;
	row(table, "0123456789", "alpha beta gamma delta epsilon", NULL);
	row(table, "1", NULL, NULL);
	table->max_width = 30;
	text = print(table, FALSE);
	EXPECT_TEXT(text, "  N\n"
			  "  0123456789\n"
			  "      alpha beta gamma delta\n"
			  "      epsilon\n"
			  "  1\n");
}
