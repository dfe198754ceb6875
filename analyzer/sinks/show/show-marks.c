/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/show/show-marks.h"
#include "sinks/show/show-strips.h"
#include "sinks/table.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

enum { HALF = IOT_SHOW_BUCKETS / 2, MOST_PAIRS = 4096, SHOWN_PAIRS = 10, LEVELS = 8 };

static guint bucket_of(guint64 t, guint64 bucket_ns)
{
	return (guint)MIN(t / bucket_ns, IOT_SHOW_BUCKETS - 1);
}

/* ---- points and ends of arrows */

struct mark {
	guint32 n;
	gboolean failed : 1, from : 1, to : 1;
};

struct iot_show_marks {
	guint64 n; /* all points */
	struct mark bucket[IOT_SHOW_BUCKETS];
};

struct iot_show_marks *iot_show_marks_new(void)
{
	return g_new0(struct iot_show_marks, 1);
}

gsize iot_show_marks_bytes(void)
{
	return sizeof(struct iot_show_marks);
}

void iot_show_marks_point(struct iot_show_marks *marks, guint64 bucket_ns, guint64 t,
			  gboolean failed)
{
	struct mark *mark = &marks->bucket[bucket_of(t, bucket_ns)];

	marks->n++;
	mark->n++;
	mark->failed |= failed;
}

void iot_show_marks_end(struct iot_show_marks *marks, guint64 bucket_ns, guint64 t, gboolean to)
{
	struct mark *mark = &marks->bucket[bucket_of(t, bucket_ns)];

	mark->from |= !to;
	mark->to |= to;
}

static void join(struct mark *mark, const struct mark *other)
{
	mark->n += other->n;
	mark->failed |= other->failed;
	mark->from |= other->from;
	mark->to |= other->to;
}

void iot_show_marks_halve(struct iot_show_marks *marks)
{
	for (guint i = 0; i < HALF; i++) {
		struct mark mark = marks->bucket[2 * i];

		join(&mark, &marks->bucket[2 * i + 1]);
		marks->bucket[i] = mark;
	}
	memset(marks->bucket + HALF, 0, HALF * sizeof(*marks->bucket));
}

static char letter_of(const struct mark *mark)
{
	if (mark->failed)
		return '!';
	if (mark->from || mark->to)
		return mark->from && mark->to ? 'x' : mark->from ? '>' : '<';
	return mark->n > 9 ? '*' : mark->n > 1 ? ':' : mark->n ? '.' : ' ';
}

void iot_show_marks_line(const struct iot_show_canvas *canvas, const struct iot_show_marks *marks)
{
	iot_show_label(canvas, "    events ");
	for (guint i = 0; i < canvas->columns; i++) {
		struct mark mark = { 0 };

		for (guint j = 0; j < canvas->n_buckets; j++)
			if (i * canvas->n_buckets + j < IOT_SHOW_BUCKETS)
				join(&mark, &marks->bucket[i * canvas->n_buckets + j]);
		iot_out_putc(canvas->out, letter_of(&mark));
	}
	iot_out_printf(canvas->out, "%*" G_GUINT64_FORMAT "\n", IOT_SHOW_RIGHT, marks->n);
}

/* ---- values of counters */

struct iot_show_curve {
	iot_cat_id cat;
	gdouble before; /* the first value */
	/* the greatest and the last value of each bucket that has one */
	gboolean known[IOT_SHOW_BUCKETS];
	gdouble greatest[IOT_SHOW_BUCKETS], last[IOT_SHOW_BUCKETS];
};

struct iot_show_curve *iot_show_curve_new(iot_cat_id cat, gdouble before)
{
	struct iot_show_curve *curve = g_new0(struct iot_show_curve, 1);

	curve->cat = cat;
	curve->before = before;
	return curve;
}

gsize iot_show_curve_bytes(void)
{
	return sizeof(struct iot_show_curve);
}

iot_cat_id iot_show_curve_cat(const struct iot_show_curve *curve)
{
	return curve->cat;
}

void iot_show_curve_add(struct iot_show_curve *curve, guint64 bucket_ns, guint64 t, gdouble value)
{
	guint i = bucket_of(t, bucket_ns);

	curve->greatest[i] = curve->known[i] ? MAX(curve->greatest[i], value) : value;
	curve->last[i] = value;
	curve->known[i] = TRUE;
}

void iot_show_curve_halve(struct iot_show_curve *curve)
{
	for (guint i = 0; i < HALF; i++) {
		guint a = 2 * i, b = a + 1;
		gdouble greatest = curve->known[a] ? curve->greatest[a] : curve->greatest[b];

		if (curve->known[b])
			greatest = MAX(greatest, curve->greatest[b]);
		curve->greatest[i] = greatest;
		curve->last[i] = curve->known[b] ? curve->last[b] : curve->last[a];
		curve->known[i] = curve->known[a] || curve->known[b];
	}
	memset(curve->known + HALF, 0, HALF * sizeof(*curve->known));
}

/* The greatest value of each column; a column without a new one has the value before it. */
static gdouble *columns_of(const struct iot_show_canvas *canvas, const struct iot_show_curve *curve)
{
	gdouble *columns = g_new(gdouble, canvas->columns), value = curve->before;

	for (guint i = 0; i < canvas->columns; i++) {
		columns[i] = value;
		for (guint j = i * canvas->n_buckets;
		     j < (i + 1) * canvas->n_buckets && j < IOT_SHOW_BUCKETS; j++) {
			if (!curve->known[j])
				continue;
			columns[i] = MAX(columns[i], curve->greatest[j]);
			value = curve->last[j];
		}
	}
	return columns;
}

/* At most 8 letters: "813408", "2.41M", "0.59". */
static char *short_number(gdouble value)
{
	static const char units[] = " kMGTPE";
	guint unit = 0;

	if (value > -100000 && value < 10000000)
		return g_strdup_printf(value == trunc(value) ? "%.0f" : "%.4g", value);
	for (; (value >= 999.5 || value <= -999.5) && units[unit + 1]; unit++)
		value /= 1000;
	return g_strdup_printf("%.3g%c", value, units[unit]);
}

void iot_show_curve_line(const struct iot_show_canvas *canvas, const struct iot_show_curve *curve)
{
	static const char *const blocks[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	g_autofree gdouble *columns = columns_of(canvas, curve);
	const struct iot_category *cat = iot_cat_at(canvas->tl, curve->cat);
	g_autofree char *label = g_strdup_printf("    %s ", iot_tl_str(canvas->tl, cat->name));
	g_autofree char *right = NULL;
	double least = 0, greatest = 0;

	for (guint i = 0; i < canvas->columns; i++) {
		least = MIN(least, columns[i]);
		greatest = MAX(greatest, columns[i]);
	}
	iot_show_label(canvas, label);
	for (guint i = 0; i < canvas->columns; i++) {
		double share = greatest > least ? (columns[i] - least) / (greatest - least) : 0;

		if (canvas->utf8)
			iot_out_puts(canvas->out, blocks[(guint)(share * LEVELS + 0.5)]);
		else
			iot_out_putc(canvas->out, (char)('0' + (guint)(share * 9 + 0.5)));
	}
	right = short_number(greatest);
	iot_out_printf(canvas->out, "%*s\n", IOT_SHOW_RIGHT, right);
}

/* ---- arrows */

struct pair {
	iot_row_id from, to;
	iot_cat_id cat;
	guint64 n, sum_ns, longest_ns;
};

static guint hash_pair(gconstpointer data)
{
	const struct pair *pair = data;

	return (pair->from * 31 + pair->to) * 31 + pair->cat;
}

static gboolean equal_pairs(gconstpointer pa, gconstpointer pb)
{
	const struct pair *a = pa, *b = pb;

	return a->from == b->from && a->to == b->to && a->cat == b->cat;
}

void iot_show_arrows_init(struct iot_show_arrows *arrows)
{
	arrows->pairs = g_hash_table_new_full(hash_pair, equal_pairs, g_free, NULL);
}

void iot_show_arrows_clear(struct iot_show_arrows *arrows)
{
	g_clear_pointer(&arrows->pairs, g_hash_table_unref);
}

void iot_show_arrows_add(struct iot_show_arrows *arrows, const struct iot_item *link)
{
	struct pair key = { .from = link->row, .to = link->row_to, .cat = link->cat };
	struct pair *pair = g_hash_table_lookup(arrows->pairs, &key);

	if (!pair && g_hash_table_size(arrows->pairs) >= MOST_PAIRS) {
		arrows->n_more++;
		return;
	}
	if (!pair) {
		pair = g_memdup2(&key, sizeof(key));
		g_hash_table_add(arrows->pairs, pair);
	}
	pair->n++;
	pair->sum_ns += link->t1 - link->t0;
	pair->longest_ns = MAX(pair->longest_ns, link->t1 - link->t0);
}

static int most_first(gconstpointer pa, gconstpointer pb)
{
	const struct pair *a = *(const struct pair *const *)pa,
			  *b = *(const struct pair *const *)pb;

	if (a->n != b->n)
		return a->n > b->n ? -1 : 1;
	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	if (a->to != b->to)
		return a->to < b->to ? -1 : 1;
	return a->cat < b->cat ? -1 : a->cat > b->cat;
}

static GPtrArray *sorted_pairs(const struct iot_show_arrows *arrows)
{
	GPtrArray *pairs = g_ptr_array_new();
	GHashTableIter iter;
	gpointer pair;

	g_hash_table_iter_init(&iter, arrows->pairs);
	while (g_hash_table_iter_next(&iter, &pair, NULL))
		g_ptr_array_add(pairs, pair);
	g_ptr_array_sort(pairs, most_first);
	return pairs;
}

/* "0x7/A: node 1 -> node 2" if both rows have the same parent. */
static char *pair_text(const struct iot_timeline *tl, const struct pair *pair)
{
	const struct iot_row *from = iot_row_at(tl, pair->from), *to = iot_row_at(tl, pair->to);
	g_autofree char *above = NULL, *from_path = NULL, *to_path = NULL;

	if (from->parent && from->parent == to->parent) {
		above = iot_timeline_path(tl, from->parent, "/");
		return g_strdup_printf("%s: %s -> %s", above, iot_tl_str(tl, from->name),
				       iot_tl_str(tl, to->name));
	}
	from_path = iot_timeline_path(tl, pair->from, "/");
	to_path = iot_timeline_path(tl, pair->to, "/");
	return g_strdup_printf("%s -> %s", from_path, to_path);
}

void iot_show_arrows_table(const struct iot_show_canvas *canvas,
			   const struct iot_show_arrows *arrows)
{
	g_autoptr(GPtrArray) pairs = sorted_pairs(arrows);
	guint64 more = arrows->n_more;

	if (!pairs->len)
		return;
	iot_out_printf(canvas->out, "\n     %8s  %9s  %9s  %s\n", "ARROWS", "MEAN", "LONGEST",
		       "KIND, ROWS");
	for (guint i = 0; i < pairs->len; i++) {
		const struct pair *pair = pairs->pdata[i];
		g_autofree char *rows = pair_text(canvas->tl, pair);
		g_autofree char *mean = iot_format_duration(pair->sum_ns / pair->n);
		g_autofree char *longest = iot_format_duration(pair->longest_ns);

		if (i >= SHOWN_PAIRS) {
			more += pair->n;
			continue;
		}
		iot_out_printf(canvas->out, "     %8" G_GUINT64_FORMAT "  %9s  %9s  %s, %s\n",
			       pair->n, mean, longest,
			       iot_tl_str(canvas->tl, iot_cat_at(canvas->tl, pair->cat)->name),
			       rows);
	}
	if (more)
		iot_out_printf(canvas->out, "     %8" G_GUINT64_FORMAT "  others\n", more);
}
