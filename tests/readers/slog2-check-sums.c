/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Previews: compares the sums of a stub with sums computed from the drawables. */
#include "slog2-check.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct key {
	gint32 topology, line[2];
};

struct weight {
	gint32 cat;
	gint64 n;
	long double time;
	double inclusive, exclusive; /* previews only */
};

/* A sum, or the claim of a stub. */
struct slog2_preview {
	struct key key;
	struct slog2_box box;
	gint64 n;
	long double t[2]; /* group: sum of the vertex times; preview: average */
	GArray *weights;
	gboolean matched;
};

static void free_preview(gpointer data)
{
	struct slog2_preview *preview = data;

	g_array_unref(preview->weights);
	g_free(preview);
}

static guint hash_key(gconstpointer data)
{
	const struct key *key = data;

	return ((guint)key->topology * 31 + (guint)key->line[0]) * 2654435761u +
	       (guint)key->line[1];
}

static gboolean equal_keys(gconstpointer a, gconstpointer b)
{
	return !memcmp(a, b, sizeof(struct key));
}

GHashTable *slog2_groups_new(void)
{
	return g_hash_table_new_full(hash_key, equal_keys, NULL, free_preview);
}

static struct slog2_preview *new_preview(void)
{
	struct slog2_preview *preview = g_new0(struct slog2_preview, 1);

	preview->weights = g_array_new(FALSE, TRUE, sizeof(struct weight));
	preview->box = (struct slog2_box){ INFINITY, -INFINITY };
	return preview;
}

static struct slog2_preview *find_group(GHashTable *groups, const struct key *key)
{
	struct slog2_preview *group = g_hash_table_lookup(groups, key);

	if (group)
		return group;
	group = new_preview();
	group->key = *key;
	g_hash_table_insert(groups, &group->key, group);
	return group;
}

static struct weight *find_weight(const struct slog2_preview *preview, gint32 cat)
{
	for (guint i = 0; i < preview->weights->len; i++)
		if (g_array_index(preview->weights, struct weight, i).cat == cat)
			return &g_array_index(preview->weights, struct weight, i);
	return NULL;
}

static void add_weight(struct slog2_preview *group, gint32 cat, gint64 n, long double time)
{
	struct weight *weight = find_weight(group, cat);

	if (!weight) {
		struct weight fresh = { .cat = cat };

		g_array_append_val(group->weights, fresh);
		weight = find_weight(group, cat);
	}
	weight->n += n;
	weight->time += time;
}

void slog2_groups_add(GHashTable *groups, const struct slog2_drawable *drawable)
{
	struct key key = { drawable->cat->topology, { drawable->line[0], drawable->line[1] } };
	struct slog2_preview *group = find_group(groups, &key);
	double start = MIN(drawable->t[0], drawable->t[1]),
	       end = MAX(drawable->t[0], drawable->t[1]);

	group->n++;
	group->t[0] += drawable->t[0];
	group->t[1] += drawable->t[1];
	group->box.t0 = MIN(group->box.t0, start);
	group->box.t1 = MAX(group->box.t1, end);
	add_weight(group, drawable->cat->index, 1, (long double)end - start);
}

void slog2_groups_merge(GHashTable *into, GHashTable *from)
{
	GHashTableIter iter;
	gpointer value;

	g_hash_table_iter_init(&iter, from);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		const struct slog2_preview *part = value;
		struct slog2_preview *group = find_group(into, &part->key);

		group->n += part->n;
		group->t[0] += part->t[0];
		group->t[1] += part->t[1];
		group->box.t0 = MIN(group->box.t0, part->box.t0);
		group->box.t1 = MAX(group->box.t1, part->box.t1);
		for (guint i = 0; i < part->weights->len; i++) {
			const struct weight *w = &g_array_index(part->weights, struct weight, i);

			add_weight(group, w->cat, w->n, w->time);
		}
	}
}

static void read_weights(struct slog2_cursor *cursor, struct slog2_preview *preview,
			 const char *where)
{
	gint64 n = slog2_count(cursor, 4, "weights");

	if (!n && !cursor->ended)
		slog2_bad(cursor->file, "a preview in the %s has no weights", where);
	for (gint64 i = 0; i < n && !cursor->ended; i++) {
		struct weight weight = { .cat = (gint32)slog2_int(cursor, 4) };

		weight.inclusive = slog2_f32(cursor);
		weight.exclusive = slog2_f32(cursor);
		weight.n = slog2_int(cursor, 8);
		if (!cursor->ended && find_weight(preview, weight.cat))
			slog2_bad(cursor->file,
				  "a preview in the %s has two weights of category %d", where,
				  weight.cat);
		if (!cursor->ended)
			g_array_append_val(preview->weights, weight);
	}
}

static void check_preview_cat(struct slog2 *file, gint32 index, gboolean nestable,
			      const char *where)
{
	if (!slog2_cat(file, index))
		slog2_bad(file, "a preview in the %s has the category %d, which is missing", where,
			  index);
	if (index < -3 || index > -1 || (index == -3) != nestable)
		slog2_bad(file,
			  "a preview in the %s has the category %d, which is not for that list",
			  where, index);
}

static struct slog2_preview *read_preview(struct slog2_cursor *cursor, gboolean nestable,
					  const char *where)
{
	static const gint32 topology[] = { SLOG2_EVENT, SLOG2_ARROW, SLOG2_STATE };
	struct slog2 *file = cursor->file;
	struct slog2_preview *preview = new_preview();
	gint32 index = (gint32)slog2_int(cursor, 4);
	gint64 n;

	if (!cursor->ended)
		check_preview_cat(file, index, nestable, where);
	preview->key.topology = index >= -3 && index <= -1 ? topology[-1 - index] : -1;
	if (slog2_int(cursor, 2)) {
		slog2_bad(file, "a preview in the %s has info", where);
		cursor->ended = TRUE;
	}
	n = slog2_count(cursor, 2, "vertices");
	if (!cursor->ended && n != (index == -1 ? 1 : 2))
		slog2_bad(file, "a preview in the %s has %d vertices", where, (int)n);
	for (gint64 i = 0; i < n && !cursor->ended; i++) {
		preview->t[i & 1] = slog2_f64(cursor);
		preview->key.line[i & 1] = (gint32)slog2_int(cursor, 4);
		if (!i)
			preview->key.line[1] = preview->key.line[0];
		slog2_check_line(file, preview->key.line[i & 1], where);
	}
	preview->box = slog2_get_box(cursor);
	preview->n = slog2_int(cursor, 8);
	read_weights(cursor, preview, where);
	return preview;
}

GPtrArray *slog2_read_previews(struct slog2_cursor *cursor, const char *where)
{
	GPtrArray *previews = g_ptr_array_new_with_free_func(free_preview);

	for (guint list = 0; list < 2; list++) {
		struct slog2_box last = { -INFINITY, INFINITY };
		gint64 n = slog2_count(cursor, 4, "previews");

		for (gint64 i = 0; i < n && !cursor->ended; i++) {
			struct slog2_preview *preview = read_preview(cursor, list == 1, where);

			g_ptr_array_add(previews, preview);
			if (cursor->ended)
				break;
			if (preview->box.t0 < last.t0 ||
			    (preview->box.t0 == last.t0 && preview->box.t1 > last.t1))
				slog2_bad(cursor->file, "the previews in the %s are out of order",
					  where);
			last = preview->box;
		}
	}
	return previews;
}

void slog2_check_ratio(struct slog2 *file, double actual, long double time, struct slog2_box box,
		       gint64 n, const char *where)
{
	double duration = box.t1 - box.t0;
	double expected = duration > 0 ? (double)(time / duration) : 0;
	double tolerance = 2e-6 * expected + 1e-9;

	/* Each duration may have been formed from other roundings of the same times. */
	if (duration > 0)
		tolerance += (double)n * 4 * DBL_EPSILON * fabs(box.t1) / duration;
	if (!(fabs(actual - expected) <= tolerance))
		slog2_bad(file, "%s: the inclusive ratio is %.9g, not %.9g", where, actual,
			  expected);
}

static void check_weights(struct slog2 *file, const struct slog2_preview *preview,
			  const struct slog2_preview *group, const char *where)
{
	for (guint i = 0; i < preview->weights->len; i++) {
		const struct weight *w = &g_array_index(preview->weights, struct weight, i);
		const struct weight *sum = find_weight(group, w->cat);

		if (!sum) {
			slog2_bad(file, "%s has a weight of category %d, which is not below it",
				  where, w->cat);
			continue;
		}
		if (w->n != sum->n)
			slog2_bad(file,
				  "%s: the weight of category %d counts %" G_GINT64_FORMAT
				  ", not %" G_GINT64_FORMAT,
				  where, w->cat, w->n, sum->n);
		slog2_check_ratio(file, w->inclusive, sum->time, group->box, sum->n, where);
		if (!isfinite(w->exclusive) || w->exclusive > w->inclusive * (1 + 1e-6) + 1e-12)
			slog2_bad(file,
				  "%s: the exclusive ratio %g does not fit the inclusive one, %g",
				  where, w->exclusive, w->inclusive);
	}
	if (preview->weights->len != group->weights->len)
		slog2_bad(file, "%s has %u weights for %u categories", where, preview->weights->len,
			  group->weights->len);
}

static void check_preview(struct slog2 *file, const struct slog2_preview *preview,
			  const struct slog2_preview *group, const char *where)
{
	if (preview->n != group->n)
		slog2_bad(file, "%s counts %" G_GINT64_FORMAT " drawables, not %" G_GINT64_FORMAT,
			  where, preview->n, group->n);
	if (preview->box.t0 != group->box.t0 || preview->box.t1 != group->box.t1)
		slog2_bad(file, "%s has the box %.9f .. %.9f, not %.9f .. %.9f", where,
			  preview->box.t0, preview->box.t1, group->box.t0, group->box.t1);
	for (guint i = 0; i < 2; i++) {
		double average = (double)(group->t[i] / group->n);
		double tolerance = 1e-9 + fabs(average) * (double)group->n * DBL_EPSILON;

		if (!(fabs((double)preview->t[i] - average) <= tolerance) &&
		    (i == 0 || preview->key.topology != SLOG2_EVENT))
			slog2_bad(file, "%s: the average time of vertex %u is %.9f, not %.9f",
				  where, i, (double)preview->t[i], average);
	}
	check_weights(file, preview, group, where);
}

void slog2_check_previews(struct slog2 *file, GPtrArray *previews, GHashTable *groups,
			  const char *where)
{
	GHashTableIter iter;
	gpointer value;

	for (guint i = 0; i < previews->len; i++) {
		const struct slog2_preview *preview = g_ptr_array_index(previews, i);
		struct slog2_preview *group = g_hash_table_lookup(groups, &preview->key);
		g_autofree char *what = g_strdup_printf(
			"preview of topology %d, lines %d and %d in the %s", preview->key.topology,
			preview->key.line[0], preview->key.line[1], where);

		if (!group || group->matched) {
			slog2_bad(file, "the %s %s", what,
				  group ? "is there twice" : "has no drawables below it");
			continue;
		}
		group->matched = TRUE;
		check_preview(file, preview, group, what);
	}
	g_hash_table_iter_init(&iter, groups);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		struct slog2_preview *group = value;

		if (!group->matched)
			slog2_bad(file, "the %s has no preview of topology %d, lines %d and %d",
				  where, group->key.topology, group->key.line[0],
				  group->key.line[1]);
	}
}
