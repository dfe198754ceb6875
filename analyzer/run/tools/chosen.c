/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/tools/chosen.h"
#include "base/nearest.h"
#include "timeline/selected.h"

#include <string.h>

enum verdict { UNKNOWN, CHOSEN, LEFT_OUT };

struct iot_chosen {
	const struct iot_options *options;
	struct iot_timeline *tl;
	struct iot_follow *follow; /* NULL: all */
	iot_item_func func;
	gpointer user_data;
	GByteArray *by_cat;  /* enum verdict, by category */
	GByteArray *used;    /* by row: something is drawn on it */
	gboolean hides_rows; /* those on which nothing is drawn */
	guint64 n_links;
};

gboolean iot_chosen_needed(const struct iot_options *options)
{
	return options->kinds->len || options->follow;
}

struct iot_chosen *iot_chosen_new(const struct iot_options *options, struct iot_timeline *tl,
				  struct iot_follow *follow)
{
	struct iot_chosen *chosen = g_new0(struct iot_chosen, 1);

	chosen->options = options;
	chosen->tl = tl;
	chosen->follow = follow;
	chosen->hides_rows = options->kinds->len || follow;
	chosen->by_cat = g_byte_array_new();
	chosen->used = g_byte_array_new();
	return chosen;
}

void iot_chosen_free(struct iot_chosen *chosen)
{
	if (!chosen)
		return;
	g_byte_array_unref(chosen->by_cat);
	g_byte_array_unref(chosen->used);
	g_free(chosen);
}

void iot_chosen_connect(struct iot_chosen *chosen, iot_item_func func, gpointer user_data)
{
	chosen->func = func;
	chosen->user_data = user_data;
}

/* ---- kinds */

/* Whether @kind is the name of the category, a pattern for it, or its role. */
static gboolean kind_matches(const struct iot_timeline *tl, iot_cat_id id, const char *kind)
{
	const struct iot_category *cat = iot_cat_at(tl, id);

	return g_pattern_match_simple(kind, iot_tl_str(tl, cat->name)) ||
	       (cat->role && !strcmp(kind, iot_role_name(cat->role)));
}

char *iot_kind_unknown(const struct iot_timeline *tl, const char *kind)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const char *nearest;

	for (iot_cat_id id = 1; id < tl->cats.n; id++) {
		if (kind_matches(tl, id, kind))
			return NULL;
		g_ptr_array_add(names, (gpointer)iot_tl_str(tl, iot_cat_at(tl, id)->name));
	}
	for (enum iot_role role = IOT_ROLE_NONE + 1; role < IOT_ROLE_NODE; role++) {
		if (!strcmp(kind, iot_role_name(role)))
			return NULL;
		g_ptr_array_add(names, (gpointer)iot_role_name(role));
	}
	g_ptr_array_add(names, NULL);
	nearest = iot_nearest_name(kind, (const char *const *)names->pdata);
	return g_strdup_printf("--kind %s: neither name nor role of anything that is drawn%s%s%s",
			       kind, nearest ? "; did you mean \"" : "", nearest ? nearest : "",
			       nearest ? "\"?" : "");
}

static enum verdict judge(const struct iot_chosen *chosen, iot_cat_id cat)
{
	const GPtrArray *kinds = chosen->options->kinds;

	for (guint i = 0; i < kinds->len; i++)
		if (kind_matches(chosen->tl, cat, kinds->pdata[i]))
			return CHOSEN;
	return LEFT_OUT;
}

/* Element @i of an array that grows on demand; new elements are 0. */
static guint8 *element(GByteArray *array, guint i)
{
	guint n = array->len;

	if (n <= i) {
		g_byte_array_set_size(array, i + 1);
		memset(array->data + n, 0, i + 1 - n);
	}
	return array->data + i;
}

static gboolean has_kind(struct iot_chosen *chosen, iot_cat_id cat)
{
	guint8 *verdict = element(chosen->by_cat, cat);

	if (*verdict == UNKNOWN)
		*verdict = (guint8)judge(chosen, cat);
	return *verdict == CHOSEN;
}

/* ---- items */

static gboolean pass_link(struct iot_chosen *chosen, const struct iot_item *item, GError **error)
{
	struct iot_item link = *item;

	/* an end may move */
	if (!iot_link_select(chosen->tl, &link))
		return TRUE;
	chosen->n_links++;
	if (chosen->hides_rows)
		*element(chosen->used, link.row) = *element(chosen->used, link.row_to) = TRUE;
	return chosen->func(chosen->user_data, &link, error);
}

static gboolean pass_other(struct iot_chosen *chosen, const struct iot_item *item, GError **error)
{
	struct iot_row *row = iot_row_at(chosen->tl, item->row);

	if (row->hidden)
		return TRUE;
	if (item->kind != IOT_ITEM_SPAN_BEGIN)
		iot_row_sums_add(chosen->tl, row, item);
	if (chosen->hides_rows)
		*element(chosen->used, item->row) = TRUE;
	return chosen->func(chosen->user_data, item, error);
}

/* Of a span that is left out, nobody shows the parts. */
static gboolean pass_part(const struct iot_chosen *chosen, const struct iot_item *item,
			  GError **error)
{
	struct iot_item part = *item;

	if (iot_row_at(chosen->tl, item->row)->hidden)
		return TRUE;
	if (part.row_to && iot_row_at(chosen->tl, part.row_to)->hidden)
		part.row_to = part.cat = 0;
	return chosen->func(chosen->user_data, &part, error);
}

gboolean iot_chosen_item(gpointer data, const struct iot_item *item, GError **error)
{
	struct iot_chosen *chosen = data;

	if (item->kind == IOT_ITEM_GAP)
		return chosen->func(chosen->user_data, item, error);
	if (item->kind == IOT_ITEM_PART)
		return pass_part(chosen, item, error);
	/* first, as all links are counted there */
	if (chosen->follow && !iot_follow_shows(chosen->follow, item))
		return TRUE;
	if (chosen->options->kinds->len && !has_kind(chosen, item->cat))
		return TRUE;
	return item->kind == IOT_ITEM_LINK ? pass_link(chosen, item, error)
					   : pass_other(chosen, item, error);
}

void iot_chosen_finish(struct iot_chosen *chosen)
{
	struct iot_timeline *tl = chosen->tl;

	iot_row_sums_finish(tl);
	/* links rank no rows, but they are something that is shown */
	iot_row_at(tl, 0)->n_items += chosen->n_links;
	for (iot_row_id row = 1; chosen->hides_rows && row < tl->rows.n; row++)
		if (!*element(chosen->used, row))
			iot_row_hide(tl, row);
}
