/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Breaks of the rules of the models ([check]), as tables. Puts in nothing. */
#include "analysis/check-locks.h"
#include "analysis/check-tables.h"
#include "analysis/races.h"
#include "analysis/stage.h"

struct check {
	struct iot_stage stage;
	struct iot_timeline *tl;
	struct iot_check_locks *locks; /* NULL: no check is about locks */
	struct iot_races *races;       /* NULL: no check is about accesses to files */
};

static gboolean check_possible(const struct iot_timeline *tl)
{
	return iot_findings_checks(tl->findings)->len > 0;
}

static struct iot_stage *check_open(struct iot_timeline *tl)
{
	struct check *check = g_new0(struct check, 1);

	check->tl = tl;
	check->locks = iot_check_locks_new(tl);
	check->races = iot_races_new(tl);
	iot_findings_ask(tl->findings);
	return &check->stage;
}

static gboolean check_wants(struct iot_stage *stage, enum iot_item_kind kind, iot_cat_id cat)
{
	const struct check *check = (struct check *)stage;

	return kind == IOT_ITEM_GAP ||
	       (check->locks && iot_check_locks_wants(check->locks, kind, cat)) ||
	       (check->races && iot_races_wants(check->races, kind, cat));
}

static gboolean check_item(struct iot_stage *stage, const struct iot_item *item, GError **error)
{
	struct check *check = (struct check *)stage;

	(void)error;
	if (item->kind == IOT_ITEM_GAP)
		iot_findings_gap(check->tl->findings, iot_gap_node(item), item->t0, item->t1);
	else if (check->locks && iot_check_locks_wants(check->locks, item->kind, item->cat))
		iot_check_locks_item(check->locks, item);
	if (check->races && iot_races_wants(check->races, item->kind, item->cat))
		iot_races_item(check->races, item);
	return TRUE;
}

static void check_listen(struct iot_stage *stage)
{
	const struct check *check = (struct check *)stage;

	if (check->locks)
		iot_check_locks_listen(check->locks, iot_stage_lock_table(stage));
	if (check->races && iot_races_want_locks(check->races))
		iot_races_listen(check->races, iot_stage_lock_table(stage));
}

static void check_finish(struct iot_stage *stage)
{
	struct check *check = (struct check *)stage;

	if (check->locks)
		iot_check_locks_finish(check->locks, iot_stage_now(stage));
	if (check->races)
		iot_races_finish(check->races);
}

static void check_publish(struct iot_stage *stage, struct iot_results *results)
{
	const struct check *check = (struct check *)stage;

	struct iot_result_table *rules = iot_check_publish(check->tl, results);

	if (check->races)
		iot_races_publish(check->races, rules, results);
}

static void check_free(struct iot_stage *stage)
{
	struct check *check = (struct check *)stage;

	iot_check_locks_free(check->locks);
	iot_races_free(check->races);
	g_free(check);
}

const struct iot_stage_ops iot_stage_check = {
	.name = "check",
	.summary = "tables of the places where the rules of the models ([check]) are broken",
	.is_possible = check_possible,
	.open = check_open,
	.listen = check_listen,
	.wants = check_wants,
	.item = check_item,
	.finish = check_finish,
	.publish = check_publish,
	.free = check_free,
};
