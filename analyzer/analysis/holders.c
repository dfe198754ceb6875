/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrows from each waiter to the holders in its way, at the instant from which they are. */
#include "analysis/stage.h"
#include "analysis/waits.h"

enum { COLOUR = 0xd6401f };

struct holders {
	struct iot_stage stage;
	struct iot_timeline *tl;
	struct iot_waits *waits;
	iot_type_id type;
	iot_cat_id cat;
};

static gboolean put_link(gpointer data, const struct iot_claim *wait, const struct iot_claim *hold,
			 GError **error)
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
	return iot_stage_put(&holders->stage, &item, error);
}

static void ignore_wait(gpointer data, const struct iot_wait *wait)
{
	(void)data;
	(void)wait;
}

static struct iot_stage *holders_open(struct iot_timeline *tl)
{
	static const char *const attrs[] = { "to", "held" };
	struct holders *holders = g_new0(struct holders, 1);
	struct iot_waits_config config = { .ended = ignore_wait,
					   .blocked = put_link,
					   .user_data = holders };

	holders->tl = tl;
	holders->waits = iot_waits_new(tl, &config);
	iot_timeline_type(tl, IOT_TYPE_LINK, "holder", "holder in the way", 0, &holders->type);
	for (guint i = 0; i < G_N_ELEMENTS(attrs); i++)
		iot_type_add_attr(
			tl, holders->type,
			&(struct iot_attr_def){ .name = iot_intern_str(tl->strings, attrs[i]),
						.format = IOT_ATTR_STR });
	holders->cat = iot_timeline_cat(tl, holders->type, "waits for", COLOUR, IOT_ROLE_NONE);
	return &holders->stage;
}

static gboolean holders_item(struct iot_stage *stage, const struct iot_item *item, GError **error)
{
	return iot_waits_item(((struct holders *)stage)->waits, item, error);
}

static gboolean holders_finish(struct iot_stage *stage, GError **error)
{
	return iot_waits_finish(((struct holders *)stage)->waits, error);
}

static void holders_free(struct iot_stage *stage)
{
	struct holders *holders = (struct holders *)stage;

	iot_waits_free(holders->waits);
	g_free(holders);
}

const struct iot_stage_ops iot_stage_holders = {
	.name = "holders",
	.summary = "arrows from each waiter to the locks in its way",
	.is_possible = iot_waits_possible,
	.open = holders_open,
	.item = holders_item,
	.finish = holders_finish,
	.free = holders_free,
};
