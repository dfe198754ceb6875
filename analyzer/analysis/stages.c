/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/stage.h"
#include "base/interrupt.h"

#include <string.h>

/* Bits of a set of receivers: those of the stages, by number, then these. */
enum {
	TO_STAGES = (1 << IOT_MAX_STAGES) - 1,
	TO_LOCKS = 1 << IOT_MAX_STAGES,
	TO_ANATOMY = TO_LOCKS << 1,
	TO_ACCOUNTS = TO_ANATOMY << 1,
	TO_SLEEPS = TO_ACCOUNTS << 1,
	KNOWN = TO_SLEEPS << 1,
	KIND_BITS = 3,
};
G_STATIC_ASSERT(IOT_ITEM_LINK < 1 << KIND_BITS);

struct iot_stages {
	GPtrArray *stages; /* of struct iot_stage, in the order of the table */
	struct iot_timeline *tl;
	/* shared by the stages; NULL: none needs it */
	struct iot_locks *locks;
	struct iot_waits *waits;
	struct iot_cycles *cycles;
	struct iot_anatomy *anatomy;
	struct iot_accounts *accounts;
	struct iot_sleeps *sleeps;
	/* by category and kind: a set; 0: not asked yet */
	guint32 *receivers;
	guint n_receivers;
	guint32 unsettled; /* set of stages */
	guint64 now;
	iot_item_func func;
	gpointer user_data;
};

static void stage_free(gpointer data)
{
	struct iot_stage *stage = data;

	stage->ops->free(stage);
}

static struct iot_stage *stage_at(const struct iot_stages *stages, guint i)
{
	return stages->stages->pdata[i];
}

struct iot_stages *iot_stages_new(const GPtrArray *names, struct iot_timeline *tl)
{
	struct iot_stages *stages = g_new0(struct iot_stages, 1);

	stages->tl = tl;
	stages->stages = g_ptr_array_new_with_free_func(stage_free);
	for (guint i = 0; iot_analysis_table[i]; i++) {
		const struct iot_stage_ops *ops = iot_analysis_table[i];
		struct iot_stage *stage;

		if (!g_ptr_array_find_with_equal_func((GPtrArray *)names, ops->name, g_str_equal,
						      NULL))
			continue;
		if (ops->is_possible && !ops->is_possible(tl))
			continue;
		g_assert(stages->stages->len < IOT_MAX_STAGES);
		stage = ops->open(tl);
		stage->ops = ops;
		stage->chain = stages;
		stage->number = stages->stages->len;
		g_ptr_array_add(stages->stages, stage);
		if (ops->listen)
			ops->listen(stage);
	}
	if (stages->waits && stages->anatomy)
		iot_waits_use_parts(stages->waits, stages->anatomy);
	return stages;
}

void iot_stages_free(struct iot_stages *stages)
{
	if (!stages)
		return;
	g_ptr_array_unref(stages->stages);
	iot_accounts_free(stages->accounts);
	iot_sleeps_free(stages->sleeps);
	iot_anatomy_free(stages->anatomy);
	iot_cycles_free(stages->cycles);
	iot_waits_free(stages->waits);
	iot_locks_free(stages->locks);
	g_free(stages->receivers);
	g_free(stages);
}

guint iot_stages_count(const struct iot_stages *stages)
{
	return stages->stages->len;
}

void iot_stages_connect(struct iot_stages *stages, iot_item_func func, gpointer user_data)
{
	stages->func = func;
	stages->user_data = user_data;
}

/* ---- for stages */

struct iot_locks *iot_stage_lock_table(const struct iot_stage *stage)
{
	struct iot_stages *stages = stage->chain;

	if (!stages->locks)
		stages->locks = iot_locks_new(stages->tl);
	return stages->locks;
}

struct iot_waits *iot_stage_waits(const struct iot_stage *stage)
{
	struct iot_stages *stages = stage->chain;

	if (!stages->waits)
		stages->waits = iot_waits_new(stages->tl, iot_stage_lock_table(stage));
	return stages->waits;
}

struct iot_cycles *iot_stage_cycles(const struct iot_stage *stage)
{
	struct iot_stages *stages = stage->chain;

	if (!stages->cycles)
		stages->cycles = iot_cycles_new(stages->tl, iot_stage_lock_table(stage));
	return stages->cycles;
}

struct iot_anatomy *iot_stage_parts(const struct iot_stage *stage)
{
	struct iot_stages *stages = stage->chain;

	if (!stages->anatomy)
		stages->anatomy = iot_anatomy_new(stages->tl);
	return stages->anatomy;
}

struct iot_accounts *iot_stage_accounts(const struct iot_stage *stage)
{
	struct iot_stages *stages = stage->chain;

	if (!stages->accounts && iot_accounts_possible(stages->tl))
		stages->accounts = iot_accounts_new(stages->tl);
	return stages->accounts;
}

struct iot_sleeps *iot_stage_sleeps(const struct iot_stage *stage)
{
	struct iot_stages *stages = stage->chain;

	if (stages->sleeps || !iot_sleeps_possible(stages->tl))
		return stages->sleeps;
	stages->sleeps = iot_sleeps_new(stages->tl);
	if (iot_stage_accounts(stage))
		iot_sleeps_use_accounts(stages->sleeps, stages->accounts);
	return stages->sleeps;
}

guint64 iot_stage_now(const struct iot_stage *stage)
{
	return stage->chain->now;
}

void iot_stage_unsettled(const struct iot_stage *stage)
{
	stage->chain->unsettled |= 1U << stage->number;
}

/* ---- items */

static G_GNUC_NO_INLINE guint32 ask_receivers(struct iot_stages *stages, enum iot_item_kind kind,
					      iot_cat_id cat)
{
	guint at = cat << KIND_BITS | kind;
	guint32 set = KNOWN;

	for (guint i = 0; i < stages->stages->len; i++) {
		struct iot_stage *stage = stage_at(stages, i);

		if (stage->ops->wants && stage->ops->wants(stage, kind, cat))
			set |= 1U << i;
	}
	if (stages->locks && iot_locks_wants(stages->locks, kind, cat))
		set |= TO_LOCKS;
	if (stages->anatomy && iot_anatomy_wants(stages->anatomy, kind, cat))
		set |= TO_ANATOMY;
	if (stages->accounts && iot_accounts_wants(stages->accounts, kind, cat))
		set |= TO_ACCOUNTS;
	if (stages->sleeps && iot_sleeps_wants(stages->sleeps, kind, cat))
		set |= TO_SLEEPS;
	if (stages->n_receivers <= at) {
		guint n = MAX(2 * stages->n_receivers, (cat + 1) << KIND_BITS);

		stages->receivers = g_renew(guint32, stages->receivers, n);
		memset(stages->receivers + stages->n_receivers, 0,
		       (n - stages->n_receivers) * sizeof(guint32));
		stages->n_receivers = n;
	}
	return stages->receivers[at] = set;
}

static inline guint32 receivers_of(struct iot_stages *stages, const struct iot_item *item)
{
	guint at = item->cat << KIND_BITS | item->kind;

	if (G_LIKELY(at < stages->n_receivers && stages->receivers[at]))
		return stages->receivers[at];
	return ask_receivers(stages, item->kind, item->cat);
}

/* Pass an item to the stages of a set, each of which may put in items before it. */
static inline gboolean pass_on(const struct iot_stages *stages, guint32 set,
			       const struct iot_item *item, GError **error)
{
	if (!iot_interrupt_check(error))
		return FALSE;
	for (set &= TO_STAGES; set; set &= set - 1) {
		struct iot_stage *stage = stage_at(stages, (guint)__builtin_ctz(set));

		if (!stage->ops->item(stage, item, error))
			return FALSE;
	}
	return stages->func(stages->user_data, item, error);
}

gboolean iot_stage_put(const struct iot_stage *stage, const struct iot_item *item, GError **error)
{
	const guint32 later = (guint32)TO_STAGES << (stage->number + 1);

	return pass_on(stage->chain, receivers_of(stage->chain, item) & later, item, error);
}

static gboolean settle(struct iot_stages *stages, GError **error)
{
	for (guint i = 0; stages->unsettled >> i; i++) {
		struct iot_stage *stage = stage_at(stages, i);

		if (!(stages->unsettled & 1U << i))
			continue;
		stages->unsettled &= ~(1U << i);
		if (!stage->ops->settle(stage, error))
			return FALSE;
	}
	return TRUE;
}

gboolean iot_stages_item(gpointer data, const struct iot_item *item, GError **error)
{
	struct iot_stages *stages = data;
	guint32 set = receivers_of(stages, item);

	if (G_UNLIKELY(item->row >= stages->tl->rows_seen))
		stages->tl->rows_seen = item->row + 1;
	if (item->t1 > stages->now) {
		if (stages->locks)
			iot_locks_advance(stages->locks, item->t1);
		if (stages->anatomy)
			iot_anatomy_settle(stages->anatomy);
		if (stages->accounts)
			iot_accounts_settle(stages->accounts);
		if (stages->sleeps)
			iot_sleeps_settle(stages->sleeps);
		if (stages->unsettled && !settle(stages, error))
			return FALSE;
		stages->now = item->t1;
	}
	if (set & TO_LOCKS)
		iot_locks_item(stages->locks, item);
	if (set & TO_ANATOMY)
		iot_anatomy_item(stages->anatomy, item);
	if (set & TO_ACCOUNTS)
		iot_accounts_item(stages->accounts, item);
	/* it wants more from now on: all are asked again */
	if (set & TO_SLEEPS && G_UNLIKELY(iot_sleeps_item(stages->sleeps, item)))
		memset(stages->receivers, 0, stages->n_receivers * sizeof(guint32));
	return pass_on(stages, set, item, error);
}

gboolean iot_stages_finish(struct iot_stages *stages, GError **error)
{
	if (stages->locks)
		iot_locks_finish(stages->locks);
	if (stages->anatomy)
		iot_anatomy_finish(stages->anatomy);
	if (stages->accounts)
		iot_accounts_settle(stages->accounts);
	if (stages->sleeps)
		iot_sleeps_settle(stages->sleeps);
	if (!settle(stages, error))
		return FALSE;
	for (guint i = 0; i < stages->stages->len; i++) {
		struct iot_stage *stage = stage_at(stages, i);

		if (stage->ops->finish && !iot_interrupted())
			stage->ops->finish(stage);
	}
	return TRUE;
}

void iot_stages_publish(struct iot_stages *stages, struct iot_results *results)
{
	for (guint i = 0; i < stages->stages->len; i++) {
		struct iot_stage *stage = stage_at(stages, i);

		if (stage->ops->publish)
			stage->ops->publish(stage, results);
	}
}
