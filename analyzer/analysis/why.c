/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why the slowest calls took so long: tables. Puts in nothing. */
#include "analysis/call-sums.h"
#include "analysis/stage.h"
#include "analysis/waits.h"

struct why {
	struct iot_stage stage;
	struct iot_slow_calls *calls;
	struct iot_call_sums *sums;
};

static void call_ended(gpointer why, const struct iot_slow_call *call, const GArray *waits)
{
	(void)waits;
	iot_call_sums_add(((struct why *)why)->sums, call);
}

static void wait_ended(gpointer why, const struct iot_wait *wait)
{
	iot_slow_calls_wait(((struct why *)why)->calls, wait);
}

static struct iot_stage *why_open(struct iot_timeline *tl)
{
	struct why *why = g_new0(struct why, 1);

	why->calls = iot_slow_calls_new(tl);
	why->sums = iot_call_sums_new(tl);
	return &why->stage;
}

static void why_listen(struct iot_stage *stage)
{
	iot_waits_listen(iot_stage_waits(stage), wait_ended, stage);
	iot_slow_calls_use_accounts(((struct why *)stage)->calls, iot_stage_accounts(stage));
	iot_slow_calls_use_sleeps(((struct why *)stage)->calls, iot_stage_sleeps(stage));
	iot_slow_calls_listen(((struct why *)stage)->calls, call_ended, stage);
}

static gboolean why_wants(struct iot_stage *stage, enum iot_item_kind kind, iot_cat_id cat)
{
	return (kind == IOT_ITEM_SPAN || kind == IOT_ITEM_SPAN_BEGIN) &&
	       iot_slow_calls_wants(((struct why *)stage)->calls, cat);
}

static gboolean why_item(struct iot_stage *stage, const struct iot_item *item, GError **error)
{
	(void)error;
	iot_slow_calls_item(((struct why *)stage)->calls, item);
	if (iot_slow_calls_ended(((struct why *)stage)->calls))
		iot_stage_unsettled(stage);
	return TRUE;
}

static gboolean why_settle(struct iot_stage *stage, GError **error)
{
	(void)error;
	iot_slow_calls_settle(((struct why *)stage)->calls);
	return TRUE;
}

static void why_publish(struct iot_stage *stage, struct iot_results *results)
{
	iot_slow_calls_publish(((struct why *)stage)->calls, results);
	iot_call_sums_publish(((struct why *)stage)->sums, results);
}

static void why_free(struct iot_stage *stage)
{
	iot_slow_calls_free(((struct why *)stage)->calls);
	iot_call_sums_free(((struct why *)stage)->sums);
	g_free(stage);
}

const struct iot_stage_ops iot_stage_why = {
	.name = "why",
	.summary = "tables of the slowest calls",
	.always = TRUE,
	.is_possible = iot_slow_calls_possible,
	.open = why_open,
	.listen = why_listen,
	.wants = why_wants,
	.item = why_item,
	.settle = why_settle,
	.publish = why_publish,
	.free = why_free,
};
