/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/result-table.h"

#include <string.h>

static void clear_column(gpointer data)
{
	struct iot_column *column = data;

	g_free(column->name);
	g_free(column->title);
	g_free(column->help);
}

static void clear_table(gpointer data)
{
	struct iot_result_table *table = data;

	for (guint r = 0; r < table->rows->len; r++) {
		const struct iot_result_row *row = iot_result_row_at(table, r);

		for (guint i = 0; i < row->n_cells; i++)
			if (iot_result_column_at(table, i)->kind == IOT_COLUMN_TEXT)
				g_free(row->cells[i].text);
		g_free(row->cells);
	}
	g_array_unref(table->rows);
	g_array_unref(table->columns);
	g_ptr_array_unref(table->notes);
	g_free(table->name);
	g_free(table->title);
	g_free(table->remark);
	g_free(table->help);
}

static void free_table(gpointer data)
{
	g_atomic_rc_box_release_full(data, clear_table);
}

struct iot_results *iot_results_new(void)
{
	struct iot_results *results = g_new0(struct iot_results, 1);

	results->tables = g_ptr_array_new_with_free_func(free_table);
	return results;
}

void iot_results_free(struct iot_results *results)
{
	if (!results)
		return;
	g_ptr_array_unref(results->tables);
	iot_distributions_free(results->distributions);
	g_free(results);
}

/* SQLite takes upper and lower case for the same, so names are in lower case. */
static char *bare_word(const char *text)
{
	GString *word = g_string_new(g_ascii_isdigit(*text) || !*text ? "_" : NULL);

	for (const char *p = text; *p; p++)
		g_string_append_c(word, g_ascii_isalnum(*p) ? g_ascii_tolower(*p) : '_');
	return g_string_free(word, FALSE);
}

static struct iot_result_table *find_table(const struct iot_results *results, const char *name)
{
	for (guint i = 0; i < results->tables->len; i++) {
		struct iot_result_table *table = g_ptr_array_index(results->tables, i);

		if (!strcmp(table->name, name))
			return table;
	}
	return NULL;
}

const struct iot_result_table *iot_results_find(const struct iot_results *results, const char *name)
{
	struct iot_result_table *table = find_table(results, name);

	if (table)
		iot_result_fill(table);
	return table;
}

void iot_result_fill(struct iot_result_table *table)
{
	if (table->fill)
		table->fill(table, table->fill_data);
	table->fill = NULL;
}

void iot_results_share(struct iot_results *results, const struct iot_results *from)
{
	for (guint i = 0; i < from->tables->len; i++)
		g_ptr_array_add(results->tables,
				g_atomic_rc_box_acquire(g_ptr_array_index(from->tables, i)));
}

int iot_result_find_column(const struct iot_result_table *table, const char *name)
{
	for (guint i = 0; i < table->columns->len; i++)
		if (!strcmp(iot_result_column_at(table, i)->name, name))
			return (int)i;
	return -1;
}

struct iot_result_table *iot_results_add(struct iot_results *results, const char *name,
					 const char *title)
{
	struct iot_result_table *table = g_atomic_rc_box_new0(struct iot_result_table);
	g_autofree char *word = bare_word(name);

	table->name = g_strdup(word);
	for (guint n = 2; find_table(results, table->name); n++) {
		g_free(table->name);
		table->name = g_strdup_printf("%s_%u", word, n);
	}
	table->title = g_strdup(title);
	table->columns = g_array_new(FALSE, TRUE, sizeof(struct iot_column));
	g_array_set_clear_func(table->columns, clear_column);
	table->rows = g_array_new(FALSE, TRUE, sizeof(struct iot_result_row));
	table->notes = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(results->tables, table);
	return table;
}

/* The reserved words are members of a row in JSON beside its cells. */
static gboolean is_taken(const struct iot_result_table *table, const char *name)
{
	static const char *const reserved[] = { "level", "others", "at_least", NULL };

	return g_strv_contains(reserved, name) || iot_result_find_column(table, name) >= 0;
}

struct iot_column *iot_result_column(struct iot_result_table *table, const char *name,
				     const char *title, enum iot_column_kind kind)
{
	g_autofree char *word = bare_word(name);
	struct iot_column column = { .title = g_strdup(title), .kind = kind };

	g_assert(!table->rows->len);
	column.name = g_strdup(word);
	for (guint n = 2; is_taken(table, column.name); n++) {
		g_free(column.name);
		column.name = g_strdup_printf("%s_%u", word, n);
	}
	g_array_append_val(table->columns, column);
	return &g_array_index(table->columns, struct iot_column, table->columns->len - 1);
}

struct iot_result_row *iot_result_row(struct iot_result_table *table)
{
	struct iot_result_row row = { .cells =
					      g_new0(struct iot_result_cell, table->columns->len) };

	for (guint i = 0; i < table->columns->len; i++)
		row.cells[i].flags = IOT_CELL_EMPTY;
	g_array_append_val(table->rows, row);
	return &g_array_index(table->rows, struct iot_result_row, table->rows->len - 1);
}

static struct iot_result_row *last_row(struct iot_result_table *table)
{
	return &g_array_index(table->rows, struct iot_result_row, table->rows->len - 1);
}

static struct iot_result_cell *next_cell(struct iot_result_table *table)
{
	struct iot_result_row *row = last_row(table);
	struct iot_result_cell *cell = &row->cells[row->n_cells];

	g_assert(row->n_cells < table->columns->len);
	row->n_cells++;
	cell->flags = 0;
	return cell;
}

static enum iot_column_kind next_kind(struct iot_result_table *table)
{
	return iot_result_column_at(table, last_row(table)->n_cells)->kind;
}

void iot_result_text(struct iot_result_table *table, const char *text)
{
	struct iot_result_cell *cell;

	g_assert(next_kind(table) == IOT_COLUMN_TEXT);
	cell = next_cell(table);
	cell->text = g_strdup(text);
	cell->flags = text && *text ? 0 : IOT_CELL_EMPTY;
}

void iot_result_number(struct iot_result_table *table, guint64 number)
{
	g_assert(next_kind(table) != IOT_COLUMN_TEXT && next_kind(table) != IOT_COLUMN_SHARE &&
		 next_kind(table) != IOT_COLUMN_REAL);
	next_cell(table)->number = number;
}

void iot_result_signed(struct iot_result_table *table, gint64 number)
{
	struct iot_result_cell *cell;

	g_assert(next_kind(table) == IOT_COLUMN_COUNT);
	cell = next_cell(table);
	cell->number = (guint64)number;
	cell->flags = number < 0 ? IOT_CELL_NEGATIVE : 0;
}

void iot_result_share(struct iot_result_table *table, double share)
{
	g_assert(next_kind(table) == IOT_COLUMN_SHARE || next_kind(table) == IOT_COLUMN_REAL);
	next_cell(table)->share = share;
}

void iot_result_none(struct iot_result_table *table, enum iot_cell_flags flag)
{
	next_cell(table)->flags = flag;
}

void iot_result_at_least(struct iot_result_table *table)
{
	struct iot_result_row *row = last_row(table);

	row->cells[row->n_cells - 1].flags |= IOT_CELL_AT_LEAST;
}

void iot_result_note(struct iot_result_table *table, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_ptr_array_add(table->notes, g_strdup_vprintf(format, args));
	va_end(args);
}

gboolean iot_result_is_blank(const struct iot_result_table *table, guint column)
{
	if (!(iot_result_column_at(table, column)->flags & IOT_COLUMN_OPTIONAL))
		return FALSE;
	for (guint r = 0; r < table->rows->len; r++)
		if (!(iot_result_row_at(table, r)->cells[column].flags & IOT_CELL_EMPTY))
			return FALSE;
	return TRUE;
}
