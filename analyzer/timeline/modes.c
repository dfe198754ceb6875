/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Modes that exclude each other, as the model's [compatible] says. */
#include "timeline/timeline.h"

void iot_cat_compare(struct iot_timeline *tl, iot_cat_id cat, guint mode, guint64 compatible)
{
	struct iot_category *category = iot_segarray_at(&tl->cats, cat);

	g_assert(mode && mode <= IOT_MAX_MODES);
	category->mode = (guint8)mode;
	category->compatible = compatible;
}

gboolean iot_cats_compared(const struct iot_timeline *tl, iot_cat_id a, iot_cat_id b)
{
	const struct iot_category *cat_a = iot_cat_at(tl, a), *cat_b = iot_cat_at(tl, b);

	return cat_a->type == cat_b->type && cat_a->mode && cat_b->mode;
}

gboolean iot_cats_compatible(const struct iot_timeline *tl, iot_cat_id a, iot_cat_id b)
{
	return !iot_cats_compared(tl, a, b) ||
	       iot_cat_at(tl, a)->compatible >> iot_cat_at(tl, b)->mode & 1;
}

gboolean iot_cat_excludes_any(const struct iot_timeline *tl, iot_cat_id cat)
{
	for (iot_cat_id other = 1; other < tl->cats.n; other++)
		if (!iot_cats_compatible(tl, cat, other))
			return TRUE;
	return FALSE;
}

gboolean iot_cat_covers(const struct iot_timeline *tl, iot_cat_id a, iot_cat_id b)
{
	return iot_cats_compared(tl, a, b) &&
	       !(iot_cat_at(tl, a)->compatible & ~iot_cat_at(tl, b)->compatible);
}
