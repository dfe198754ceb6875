/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrows from each waiter to the holders in its way, at the instant from which they are. */
#include "analysis/stage.h"

enum { COLOUR = 0xd6401f };

struct holders {
	struct iot_stage stage;
	struct iot_timeline *tl;
	struct iot_waits *waits;
	iot_type_id type;
	iot_cat_id cat;
	GArray *links; /* struct iot_item, of the last complete instant, not put in yet */
};

static void add_link(gpointer data, const struct iot_claim *wait, const struct iot_claim *hold)
{
	struct holders *holders = data;
	guint64 now = iot_waits_now(holders->waits);
	struct iot_item item = {
		.n_attrs = 2,
		.type = holders->type,
		.cat = holders->cat,
		.row = wait->row,
		.lane = wait->lane,
		.attr = { { .str = iot_cat_at(holders->tl, wait->cat)->name },
			  { .str = iot_cat_at(holders->tl, hold->cat)->name } },
	};

	iot_link_set(&item, now, hold->row, hold->lane, now);
	g_array_append_val(holders->links, item);
}

static gboolean put_links(struct holders *holders, GError **error)
{
	for (guint i = 0; i < holders->links->len; i++)
		if (!iot_stage_put(&holders->stage,
				   &g_array_index(holders->links, struct iot_item, i), error))
			return FALSE;
	g_array_set_size(holders->links, 0);
	return TRUE;
}

static struct iot_stage *holders_open(struct iot_timeline *tl)
{
	static const char *const attrs[] = { "to", "held" };
	struct holders *holders = g_new0(struct holders, 1);

	holders->tl = tl;
	holders->links = g_array_new(FALSE, FALSE, sizeof(struct iot_item));
	iot_timeline_type(tl, IOT_TYPE_LINK, "holder", "holder in the way", 0, &holders->type);
	for (guint i = 0; i < G_N_ELEMENTS(attrs); i++)
		iot_type_add_attr(
			tl, holders->type,
			&(struct iot_attr_def){ .name = iot_intern_str(tl->strings, attrs[i]),
						.format = IOT_ATTR_STR });
	holders->cat = iot_timeline_cat(tl, holders->type, "waits for", COLOUR, IOT_ROLE_NONE);
	return &holders->stage;
}

static void holders_listen(struct iot_stage *stage, struct iot_waits *waits)
{
	struct iot_waits_listener listener = { .blocked = add_link, .user_data = stage };

	((struct holders *)stage)->waits = waits;
	iot_waits_listen(waits, &listener);
}

/* Links come after the items that other stages put in at their instant. */
static gboolean holders_item(struct iot_stage *stage, const struct iot_item *item, GError **error)
{
	struct holders *holders = (struct holders *)stage;

	return !holders->links->len ||
	       item->t1 <= g_array_index(holders->links, struct iot_item, 0).t1 ||
	       put_links(holders, error);
}

static gboolean holders_finish(struct iot_stage *stage, GError **error)
{
	return put_links((struct holders *)stage, error);
}

static void holders_free(struct iot_stage *stage)
{
	struct holders *holders = (struct holders *)stage;

	g_array_unref(holders->links);
	g_free(holders);
}

const struct iot_stage_ops iot_stage_holders = {
	.name = "holders",
	.summary = "arrows from each waiter to the locks in its way",
	.is_possible = iot_waits_possible,
	.open = holders_open,
	.listen = holders_listen,
	.item = holders_item,
	.finish = holders_finish,
	.free = holders_free,
};
