/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Percentiles and a small histogram of the waits, calls and holds of each unit, one table for each
 * type of units. All histograms of a table have the same logarithmic axis.
 */
#include "sinks/publish.h"
#include "base/units.h"
#include "tables/ranked.h"

#include <math.h>

enum { N_TOP = 10, MAX_NAME = 64, MAX_COLUMNS = 16, MAX_PER_DECADE = 4, N_LEVELS = 8 };

/* The axis of histograms: @n columns from 10^@low ns on. */
struct axis {
	int low, high;
	guint per_decade, n;
};

struct section {
	const struct iot_publishing *from;
	GHashTable *units; /* unit -> struct iot_histogram[IOT_TIME_KINDS] */
	struct iot_result_table *table;
	struct axis axis;
};

static void clear_kinds(gpointer data)
{
	struct iot_histogram *kinds = data;

	for (guint i = 0; i < IOT_TIME_KINDS; i++)
		iot_histogram_clear(&kinds[i]);
	g_free(kinds);
}

/* The distributions of rows, added up by unit. */
static GHashTable *add_up(const struct iot_publishing *from)
{
	GHashTable *units = g_hash_table_new_full(NULL, NULL, NULL, clear_kinds);
	GHashTableIter iter;
	gpointer row, value;

	g_hash_table_iter_init(&iter, from->times->rows);
	while (g_hash_table_iter_next(&iter, &row, &value)) {
		iot_row_id unit = iot_aggregate_row(from->sums, GPOINTER_TO_UINT(row))->unit;
		struct iot_histogram *kinds = g_hash_table_lookup(units, GUINT_TO_POINTER(unit));

		if (!unit)
			continue;
		if (!kinds) {
			kinds = g_new0(struct iot_histogram, IOT_TIME_KINDS);
			g_hash_table_insert(units, GUINT_TO_POINTER(unit), kinds);
		}
		for (guint i = 0; i < IOT_TIME_KINDS; i++)
			iot_histogram_merge(&kinds[i], (struct iot_histogram *)value + i);
	}
	return units;
}

static const struct iot_histogram *kinds_of(const struct section *section, iot_row_id unit)
{
	return g_hash_table_lookup(section->units, GUINT_TO_POINTER(unit));
}

static GArray *units_of_type(const struct section *section, iot_type_id type)
{
	const struct iot_aggregate *sums = section->from->sums;
	GArray *units = g_array_new(FALSE, FALSE, sizeof(iot_row_id));

	for (guint i = 0; i < sums->units->len; i++) {
		iot_row_id unit = g_array_index(sums->units, iot_row_id, i);

		if (iot_row_at(sums->tl, unit)->type == type && kinds_of(section, unit))
			g_array_append_val(units, unit);
	}
	iot_aggregate_sort(sums, units, IOT_BY_PENDING, FALSE);
	if (!section->from->all)
		g_array_set_size(units, MIN(units->len, N_TOP));
	return units;
}

/* ---- histograms */

static int decade_of(double ns)
{
	return ns < 1 ? 0 : (int)floor(log10(ns));
}

static void find_axis(struct section *section, const GArray *units)
{
	struct axis *axis = &section->axis;

	*axis = (struct axis){ .low = G_MAXINT, .high = 0 };
	for (guint i = 0; i < units->len; i++) {
		const struct iot_histogram *kinds =
			kinds_of(section, g_array_index(units, iot_row_id, i));

		for (guint k = 0; k < IOT_TIME_KINDS; k++) {
			if (!kinds[k].n)
				continue;
			axis->low = MIN(axis->low, decade_of((double)kinds[k].min_ns));
			axis->high = MAX(axis->high, decade_of((double)kinds[k].max_ns) + 1);
		}
	}
	axis->per_decade = CLAMP(MAX_COLUMNS / (guint)(axis->high - axis->low), 1, MAX_PER_DECADE);
	axis->n = (guint)(axis->high - axis->low) * axis->per_decade;
}

/* One character a column; its height, or darkness, is the share of the greatest count. */
static char *draw(const struct section *section, const struct iot_histogram *of)
{
	static const char *const blocks[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	static const char *const ascii[] = { " ", ".", ":", "-", "=", "+", "*", "#", "@" };
	const struct axis *axis = &section->axis;
	const char *const *level = section->from->summary->utf8 ? blocks : ascii;
	g_autofree guint64 *counts = g_new0(guint64, axis->n);
	GString *text = g_string_new(NULL);
	guint64 most = 1;

	for (guint i = 0; i < of->cells->len; i++) {
		const struct iot_histogram_cell *cell =
			&g_array_index(of->cells, struct iot_histogram_cell, i);
		double ns = CLAMP(iot_histogram_middle(cell->number), (double)of->min_ns,
				  (double)of->max_ns);
		double at = (log10(fmax(ns, 1)) - axis->low) * axis->per_decade;
		guint column = MIN((guint)fmax(at, 0), axis->n - 1);

		counts[column] += cell->n;
		most = MAX(most, counts[column]);
	}
	for (guint i = 0; i < axis->n; i++)
		g_string_append(text, level[(counts[i] * N_LEVELS + most - 1) / most]);
	return g_strchomp(g_string_free(text, FALSE));
}

/* ---- the table */

static const struct iot_ranked_column columns[] = {
	{ "of", "of", IOT_COLUMN_TEXT },
	{ "n", "n", IOT_COLUMN_COUNT },
	{ "p50", "p50", IOT_COLUMN_NS },
	{ "p90", "p90", IOT_COLUMN_NS, .drop = 1 },
	{ "p99", "p99", IOT_COLUMN_NS },
	{ "max", "max", IOT_COLUMN_NS },
	{ "histogram", "histogram", IOT_COLUMN_TEXT },
};

static struct iot_result_table *add_table(const struct iot_publishing *from, struct iot_results *to,
					  iot_type_id type)
{
	const struct iot_timeline *tl = from->tl;
	g_autofree char *chain = iot_type_chain(tl, type);
	g_autofree char *name =
		g_strconcat("durations_", iot_tl_str(tl, iot_type_at(tl, type)->name), NULL);
	g_autofree char *title =
		g_strdup_printf("Durations, by %s", iot_tl_str(tl, iot_type_at(tl, type)->title));
	const struct iot_ranked_column place[] = {
		{ "place", chain, IOT_COLUMN_ROW, IOT_COLUMN_SHRINK, .max_width = MAX_NAME },
	};
	/* only states whose true length is known */
	const struct iot_ranked ranked = { IOT_RANKED(name, title, place),
					   .loss = IOT_LOSS_NOTHING };
	struct iot_result_table *table = iot_ranked_table(to, tl, &ranked, 0);

	iot_ranked_columns(table, columns, G_N_ELEMENTS(columns));
	return table;
}

static void add_unit(struct section *section, iot_row_id unit)
{
	static const char *const names[IOT_TIME_KINDS] = { "waits", "calls", "holds" };
	const struct iot_histogram *kinds = kinds_of(section, unit);
	struct iot_result_table *table = section->table;

	for (guint i = 0; i < IOT_TIME_KINDS; i++) {
		g_autofree char *histogram = NULL;

		if (!kinds[i].n)
			continue;
		histogram = draw(section, &kinds[i]);
		iot_ranked_row(table, iot_cell_number(unit), iot_cell_text(names[i]),
			       iot_cell_number(kinds[i].n));
		iot_ranked_percentiles(table, &kinds[i]);
		iot_ranked_cell(table, iot_cell_number(kinds[i].max_ns));
		iot_ranked_cell(table, iot_cell_text(histogram));
	}
}

static char *format_power(int power)
{
	guint64 ns = 1;

	for (int i = 0; i < power; i++)
		ns *= 10;
	return iot_format_duration(ns);
}

static void explain(const struct section *section)
{
	const struct axis *axis = &section->axis;
	g_autofree char *low = format_power(axis->low), *high = format_power(axis->high);

	iot_result_note(section->table,
			"histogram: from %s to %s, %u column%s for a factor of 10; without states "
			"whose true length is not known",
			low, high, axis->per_decade, axis->per_decade > 1 ? "s" : "");
	if (section->from->times->n_left_out)
		iot_result_note(section->table,
				"%" G_GUINT64_FORMAT " states of further rows are left out",
				section->from->times->n_left_out);
}

void iot_publish_times(const struct iot_publishing *from, struct iot_results *to)
{
	g_autoptr(GHashTable) units = from->times ? add_up(from) : NULL;
	struct section section = { .from = from, .units = units };

	for (iot_type_id type = 1; units && type < from->tl->types.n; type++) {
		g_autoptr(GArray) list = units_of_type(&section, type);

		if (!list->len)
			continue;
		section.table = add_table(from, to, type);
		find_axis(&section, list);
		for (guint i = 0; i < list->len; i++)
			add_unit(&section, g_array_index(list, iot_row_id, i));
		explain(&section);
	}
}
