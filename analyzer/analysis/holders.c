/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrows from each waiter to the holders in its way, at the instant from which they are. */
#include "analysis/stage.h"

enum { COLOUR = 0xd6401f };

struct holders {
	struct iot_stage stage;
	struct iot_timeline *tl;
	iot_type_id type;
	iot_cat_id cat;
	GArray *links; /* struct iot_item, of the present instant */
};

static void add_link(gpointer data, const struct iot_claim *wait, const struct iot_claim *hold)
{
	struct holders *holders = data;
	guint64 now = iot_stage_now(&holders->stage);
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
	iot_stage_unsettled(&holders->stage);
}

/* Links come after the items that other stages put in at their instant. */
static gboolean holders_settle(struct iot_stage *stage, GError **error)
{
	struct holders *holders = (struct holders *)stage;

	for (guint i = 0; i < holders->links->len; i++)
		if (!iot_stage_put(stage, &g_array_index(holders->links, struct iot_item, i),
				   error))
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

static void holders_listen(struct iot_stage *stage)
{
	struct iot_locks_listener listener = { .blocked = add_link, .user_data = stage };

	iot_locks_listen(iot_stage_lock_table(stage), &listener);
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
	.is_possible = iot_locks_compared,
	.open = holders_open,
	.listen = holders_listen,
	.settle = holders_settle,
	.free = holders_free,
};
