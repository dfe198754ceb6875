/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/show/show-strips.h"

#include <string.h>

static void clear_strip(gpointer data)
{
	g_free(((struct iot_show_strip *)data)->ns);
}

GArray *iot_show_strips_new(void)
{
	GArray *strips = g_array_new(FALSE, FALSE, sizeof(struct iot_show_strip));

	g_array_set_clear_func(strips, clear_strip);
	return strips;
}

static guint64 *find_strip(GArray *strips, iot_cat_id cat, gboolean *out_new)
{
	struct iot_show_strip strip = { .cat = cat };

	*out_new = FALSE;
	for (guint i = 0; i < strips->len; i++)
		if (g_array_index(strips, struct iot_show_strip, i).cat == cat)
			return g_array_index(strips, struct iot_show_strip, i).ns;
	*out_new = TRUE;
	strip.ns = g_new0(guint64, IOT_SHOW_BUCKETS);
	g_array_append_val(strips, strip);
	return strip.ns;
}

gboolean iot_show_strips_add(GArray *strips, guint64 bucket_ns, iot_cat_id cat, guint64 t0,
			     guint64 t1)
{
	gboolean is_new;
	guint64 *ns = find_strip(strips, cat, &is_new);
	guint64 first = MIN(t0 / bucket_ns, IOT_SHOW_BUCKETS - 1);
	guint64 last = t1 > t0 ? (t1 - 1) / bucket_ns : first;

	if (first == last) {
		ns[first] += MAX(t1 - t0, 1);
		return is_new;
	}
	ns[first] += (first + 1) * bucket_ns - t0;
	for (guint64 i = first + 1; i < last; i++)
		ns[i] += bucket_ns;
	ns[last] += t1 - last * bucket_ns;
	return is_new;
}

void iot_show_strips_halve(GArray *strips)
{
	const guint half = IOT_SHOW_BUCKETS / 2;

	for (guint i = 0; i < strips->len; i++) {
		guint64 *ns = g_array_index(strips, struct iot_show_strip, i).ns;

		for (guint j = 0; j < half; j++)
			ns[j] = ns[2 * j] + ns[2 * j + 1];
		memset(ns + half, 0, half * sizeof(*ns));
	}
}

struct iot_show_cell iot_show_strips_cell(const GArray *strips, const struct iot_timeline *tl,
					  guint first, guint n, guint64 bucket_ns)
{
	struct iot_show_cell cell = { 0 };
	guint64 sum = 0;

	for (guint i = 0; i < strips->len; i++) {
		const struct iot_show_strip *strip =
			&g_array_index(strips, struct iot_show_strip, i);
		guint64 ns = 0;

		for (guint j = first; j < first + n && j < IOT_SHOW_BUCKETS; j++)
			ns += strip->ns[j];
		sum += ns;
		if (iot_cat_at(tl, strip->cat)->role == IOT_ROLE_WAIT) {
			if (ns > cell.wait_ns) {
				cell.wait = strip->cat;
				cell.wait_ns = ns;
			}
		} else if (ns > cell.other_ns) {
			cell.other = strip->cat;
			cell.other_ns = ns;
		}
	}
	cell.cat = cell.wait_ns >= cell.other_ns ? cell.wait : cell.other;
	cell.cat_ns = MAX(cell.wait_ns, cell.other_ns);
	cell.covered_ns = MIN(sum, n * bucket_ns);
	return cell;
}
