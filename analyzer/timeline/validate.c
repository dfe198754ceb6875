/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/validate.h"
#include "base/error.h"

struct open_span {
	guint64 t0;
	iot_cat_id cat;
};

struct lane {
	guint64 last;
	GArray *stack; /* of struct open_span; feed WITH_BEGINS only */
};

struct iot_validate {
	const struct iot_timeline *tl;
	enum iot_feed feed;
	guint64 last;
	GHashTable *lanes; /* row << 16 | lane -> struct lane */
};

static void lane_free(gpointer data)
{
	struct lane *lane = data;

	g_array_unref(lane->stack);
	g_free(lane);
}

struct iot_validate *iot_validate_new(const struct iot_timeline *tl, enum iot_feed feed)
{
	struct iot_validate *validate = g_new0(struct iot_validate, 1);

	validate->tl = tl;
	validate->feed = feed;
	validate->lanes = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, lane_free);
	return validate;
}

void iot_validate_free(struct iot_validate *validate)
{
	if (!validate)
		return;
	g_hash_table_unref(validate->lanes);
	g_free(validate);
}

static gboolean broken(const struct iot_item *item, const char *rule, GError **error)
{
	g_set_error(error, IOT_ERROR, IOT_ERROR_INTERNAL,
		    "internal error: item %" G_GUINT64_FORMAT
		    " (kind %u, category %u, row %u, lane %u, %" G_GUINT64_FORMAT
		    " to %" G_GUINT64_FORMAT "): %s; please report it",
		    item->seq, item->kind, item->cat, item->row, item->lane, item->t0, item->t1,
		    rule);
	return FALSE;
}

static struct lane *lane_of(struct iot_validate *validate, const struct iot_item *item)
{
	gint64 key = (gint64)item->row << 16 | item->lane;
	struct lane *lane = g_hash_table_lookup(validate->lanes, &key);

	if (lane)
		return lane;
	lane = g_new0(struct lane, 1);
	lane->stack = g_array_new(FALSE, FALSE, sizeof(struct open_span));
	g_hash_table_insert(validate->lanes, g_memdup2(&key, sizeof(key)), lane);
	return lane;
}

static const char *check_references(const struct iot_timeline *tl, const struct iot_item *item)
{
	const struct iot_type *type;

	if (item->row == 0 || !iot_segarray_has(&tl->rows, item->row))
		return "no such row";
	if (item->type == 0 || !iot_segarray_has(&tl->types, item->type) || item->cat == 0 ||
	    !iot_segarray_has(&tl->cats, item->cat))
		return "no such type or category";
	type = iot_type_at(tl, item->type);
	if (iot_cat_at(tl, item->cat)->type != item->type)
		return "the category belongs to another type";
	if (type->kind != IOT_TYPE_LINK && iot_row_at(tl, item->row)->type != type->on)
		return "the type is not drawn on rows of this kind";
	if (item->n_attrs != type->n_attrs)
		return "number of attributes differs from the type's";
	if ((type->kind == IOT_TYPE_POINT) != (item->kind == IOT_ITEM_POINT) ||
	    (type->kind == IOT_TYPE_COUNTER) != (item->kind == IOT_ITEM_SAMPLE) ||
	    (type->kind == IOT_TYPE_LINK) != (item->kind == IOT_ITEM_LINK))
		return "kind of item and type differ";
	if (iot_row_at(tl, item->row)->hidden)
		return "drawn on a row that is not selected";
	if (!iot_row_has_lane(tl, item->row, item->lane))
		return "no such lane";
	return NULL;
}

static const char *check_ends(const struct iot_timeline *tl, const struct iot_item *item)
{
	guint hidden = item->flags & (IOT_FROM_HIDDEN | IOT_TO_HIDDEN);
	guint unseen = item->flags & (IOT_FROM_UNSEEN | IOT_TO_UNSEEN);

	if (item->kind != IOT_ITEM_LINK) {
		if (item->lane_to || hidden || unseen || item->flags & IOT_BACKWARDS)
			return "only a link has a second end";
		if (item->kind == IOT_ITEM_POINT && item->call >= IOT_CALL_KINDS)
			return "no such kind of calls";
		if (item->kind != IOT_ITEM_POINT && item->asks &&
		    (!iot_segarray_has(&tl->cats, item->asks) || !iot_cat_at(tl, item->asks)->mode))
			return "asks for no mode";
		return NULL;
	}
	if (item->row_to == 0 || !iot_segarray_has(&tl->rows, item->row_to))
		return "no such row at the second end";
	if (iot_row_at(tl, item->row_to)->hidden)
		return "the second end is on a row that is not selected";
	if (!iot_row_has_lane(tl, item->row_to, item->lane_to))
		return "no such lane at the second end";
	if (item->flags & IOT_BACKWARDS && item->t0 == item->t1 && !(item->flags & IOT_CUT_LEFT))
		return "a link of no length runs backwards";
	if (hidden == (IOT_FROM_HIDDEN | IOT_TO_HIDDEN))
		return "both ends are hidden";
	if (hidden && (item->row != item->row_to || item->lane != item->lane_to))
		return "a hidden end is not at the other one";
	if (unseen && (hidden || unseen == (IOT_FROM_UNSEEN | IOT_TO_UNSEEN)))
		return "no end of the link is there";
	if (unseen &&
	    (item->row != item->row_to || item->lane != item->lane_to || item->t0 != item->t1))
		return "an unseen end is not at the other one";
	return NULL;
}

static const char *check_stack(struct lane *lane, const struct iot_item *item)
{
	struct open_span span = { item->t0, item->cat };
	const struct open_span *top;

	if (item->kind == IOT_ITEM_SPAN_BEGIN) {
		g_array_append_val(lane->stack, span);
		return NULL;
	}
	if (!lane->stack->len)
		return "a span ends that has not begun";
	top = &g_array_index(lane->stack, struct open_span, lane->stack->len - 1);
	if (top->t0 != span.t0 || top->cat != span.cat)
		return "spans of a lane do not nest";
	g_array_set_size(lane->stack, lane->stack->len - 1);
	return NULL;
}

gboolean iot_validate_item(struct iot_validate *validate, const struct iot_item *item,
			   GError **error)
{
	guint64 instant = item->t1;
	const char *wrong = NULL;
	struct lane *lane;

	if (item->t0 > item->t1)
		return broken(item, "ends before it begins", error);
	if (item->kind == IOT_ITEM_GAP || item->kind == IOT_ITEM_PART)
		return TRUE;
	wrong = check_references(validate->tl, item);
	if (!wrong)
		wrong = check_ends(validate->tl, item);
	if (wrong)
		return broken(item, wrong, error);
	/* Samples have no lane, and links cross lanes. */
	if (item->kind == IOT_ITEM_SAMPLE || item->kind == IOT_ITEM_LINK) {
		if (instant < validate->last)
			return broken(item, "out of order", error);
		validate->last = instant;
		return TRUE;
	}
	lane = lane_of(validate, item);
	if (instant < validate->last &&
	    !(validate->feed == IOT_FEED_WITH_BEGINS && item->kind == IOT_ITEM_SPAN_BEGIN &&
	      (item->flags & (IOT_BEFORE | IOT_SUSPECT))))
		return broken(item, "out of order", error);
	if (instant < lane->last)
		return broken(item, "out of order on its lane", error);
	lane->last = instant;
	if (instant >= validate->last)
		validate->last = instant;
	if (validate->feed == IOT_FEED_WITH_BEGINS && item->kind != IOT_ITEM_POINT &&
	    item->lane < IOT_LAST_LANE)
		wrong = check_stack(lane, item);
	return wrong ? broken(item, wrong, error) : TRUE;
}

gboolean iot_validate_finish(struct iot_validate *validate, GError **error)
{
	GHashTableIter iter;
	gpointer key, value;

	g_hash_table_iter_init(&iter, validate->lanes);
	while (g_hash_table_iter_next(&iter, &key, &value)) {
		const struct lane *lane = value;

		if (!lane->stack->len)
			continue;
		g_set_error(
			error, IOT_ERROR, IOT_ERROR_INTERNAL,
			"internal error: %u spans never end in row %u, lane %u; please report it",
			lane->stack->len, (guint)(*(gint64 *)key >> 16),
			(guint)(*(gint64 *)key & 0xffff));
		return FALSE;
	}
	return TRUE;
}
