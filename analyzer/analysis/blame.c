/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of the causes of all waits. Puts in nothing. */
#include "analysis/blame-sums.h"
#include "analysis/chains.h"
#include "analysis/hangs.h"
#include "analysis/stage.h"

struct blame {
	struct iot_stage stage;
	struct iot_timeline *tl;
	struct iot_blame *sums;
	struct iot_thread_waits *threads;
	struct iot_chains *chains;
	struct iot_hangs *hangs;
	struct iot_waits *waits; /* shared, as the next one */
	struct iot_cycles *cycles;
};

static void wait_ended(gpointer data, const struct iot_wait *wait)
{
	struct blame *blame = data;
	const struct iot_claim *claim = &wait->claim;
	struct iot_wait *kept;

	if (claim->t1 == claim->t0 || !iot_wait_has_length(wait))
		return;
	iot_hangs_add(blame->hangs, wait);
	kept = iot_blame_add(blame->sums, wait, iot_chains_add(blame->chains, wait));
	if (kept)
		iot_waits_queued(blame->waits, wait, kept);
}

static struct iot_stage *blame_open(struct iot_timeline *tl)
{
	struct blame *blame = g_new0(struct blame, 1);

	blame->tl = tl;
	blame->sums = iot_blame_new(tl);
	blame->hangs = iot_hangs_new(tl);
	return &blame->stage;
}

static void blame_listen(struct iot_stage *stage)
{
	struct blame *blame = (struct blame *)stage;
	struct iot_waits *waits = iot_stage_waits(stage);

	blame->waits = waits;
	blame->threads = iot_thread_waits_new(blame->tl, waits);
	blame->chains = iot_chains_new(blame->tl, waits, blame->threads);
	blame->cycles = iot_stage_cycles(stage);
	/* they split the unexplained time of waits */
	if (iot_anatomy_possible(blame->tl))
		iot_stage_parts(stage);
	iot_waits_listen(waits, wait_ended, stage);
}

static void blame_publish(struct iot_stage *stage, struct iot_results *results)
{
	iot_blame_publish(((struct blame *)stage)->sums, results);
	iot_chains_publish(((struct blame *)stage)->chains, results);
	iot_hangs_find(((struct blame *)stage)->hangs, ((struct blame *)stage)->cycles);
	iot_cycles_publish(((struct blame *)stage)->cycles, results);
}

static void blame_free(struct iot_stage *stage)
{
	struct blame *blame = (struct blame *)stage;

	iot_blame_free(blame->sums);
	iot_hangs_free(blame->hangs);
	iot_chains_free(blame->chains);
	iot_thread_waits_free(blame->threads);
	g_free(blame);
}

const struct iot_stage_ops iot_stage_blame = {
	.name = "blame",
	.summary = "tables of the causes of waits",
	.always = TRUE,
	.is_possible = iot_locks_compared,
	.open = blame_open,
	.listen = blame_listen,
	.publish = blame_publish,
	.free = blame_free,
};
