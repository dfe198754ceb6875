/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stages: states that follow from other states, such as "2 waiters" on the row of a resource. A
 * stage sees all items between the resequencer and the outputs, with begins, in the order
 * (instant, seq), also those of rows that are not selected; it may put in items of its own.
 *
 * An instant is complete when an item of a later instant comes, or at the end. Only then does a
 * stage know what holds at that instant: at a hand-over, and at the left edge of a window, begins
 * and ends come one by one. So a stage puts in items when it is asked to settle the instant; they
 * go before the later item.
 *
 * Locks are followed once, in one table (locks/locks.h), for all stages that ask for it in listen,
 * or for waits, circular waits and parts of waits. It gets each item before the stages do.
 *
 * The states of a stage follow from the spans that are open at an instant. So checkpoints
 * save nothing for it: a window begins with the spans that are open at its left edge. The stage
 * marks CUT_LEFT itself. Late begins (flags BEFORE and SUSPECT, of an instant that has passed)
 * change nothing that was put in before; they are counted. Derived states never have the roles WAIT
 * and CALL, which rank rows.
 *
 * To add an analysis: see the recipe in CONTRIBUTING.md. It takes a file and two lines.
 * One thread at a time: that of the stages (run/stage-thread.h), or the pipeline thread. It reads
 * of the timeline what a sink may read, as the pipeline thread is ahead.
 *
 * An item that a stage puts in goes before the present one, so derived items need no second
 * resequencer, and a stage sees what earlier stages put in. A stage says once for each kind and
 * category of items whether it wants them, so an item costs the stages that do not want it
 * nothing. A state that a stage puts in is CUT_LEFT if all its causes are.
 *
 * A stage needs the items of rows that are not selected: with --node 1 a waiter on node 2 still
 * counts. So with a stage, and with --kind and --follow, nothing is left out when items are
 * emitted (selects_late), and run/tools/chosen.h selects after the stages.
 *
 * A number from a node with a gap is the least: tables/ranked.h says so in the title of each table,
 * unless the table says it in another way (enum iot_ranked_loss). An analysis that only publishes
 * tables is a stage that puts in nothing. Rules that the models state about spans are judged by the
 * stage check, which adds findings (timeline/findings.h).
 */
#ifndef IOT_ANALYSIS_STAGE_H
#define IOT_ANALYSIS_STAGE_H

#include "analysis/accounts.h"
#include "analysis/anatomy.h"
#include "analysis/cycles.h"
#include "analysis/sleeps.h"
#include "analysis/waits.h"
#include "locks/locks.h"
#include "timeline/resequence.h"
#include "timeline/result-table.h"

struct iot_stage_ops;
struct iot_stages;

/* First member of every stage's own struct. */
struct iot_stage {
	const struct iot_stage_ops *ops;
	struct iot_stages *chain;
	guint number; /* in the chain */
};

/* At most this many stages can be open. */
enum { IOT_MAX_STAGES = 24 };

struct iot_stage_ops {
	const char *name;    /* --derive NAME */
	/* for the help: "how many wait for a resource"; NULL: not for users, outputs ask for it */
	const char *summary;
	/* Every output with tables has those of the stage, also without --derive. */
	gboolean always;

	/* Whether the models of @tl have the facts that the stage needs; NULL: always. */
	gboolean (*is_possible)(const struct iot_timeline *tl);
	/* After the models are loaded and before the first row: adds types and categories to @tl.
	 */
	struct iot_stage *(*open)(struct iot_timeline *tl);
	/* After open: the stage registers with the objects that all stages share; NULL: it needs
	 * none. */
	void (*listen)(struct iot_stage *stage);
	/* Whether the stage gets the items of a kind and category; asked once for each. Gaps have
	 * category 0. NULL: it needs no items. */
	gboolean (*wants)(struct iot_stage *stage, enum iot_item_kind kind, iot_cat_id cat);
	gboolean (*item)(struct iot_stage *stage, const struct iot_item *item, GError **error);
	/* The instant for which the stage has called iot_stage_unsettled is complete; NULL: it
	 * never calls. */
	gboolean (*settle)(struct iot_stage *stage, GError **error);
	/* After the last item, when all instants are settled; NULL: nothing is left to do. */
	void (*finish)(struct iot_stage *stage);
	/* After finish of all stages: adds tables; NULL: there are none. */
	void (*publish)(struct iot_stage *stage, struct iot_results *results);
	void (*free)(struct iot_stage *stage);
};

/** iot_analysis_table - all analyses, NULL-terminated */
extern const struct iot_stage_ops *const iot_analysis_table[];

/** iot_parts_make_words - add the texts of parts of waits and calls to the strings, before the
 * first item. In every run, so that an index fits the runs of all outputs, whether they want parts
 * or not */
void iot_parts_make_words(struct iot_timeline *tl);

extern const struct iot_stage_ops iot_stage_account_points, iot_stage_anatomy, iot_stage_blame,
	iot_stage_bounds, iot_stage_check, iot_stage_contention, iot_stage_distributions,
	iot_stage_files, iot_stage_holders, iot_stage_locks, iot_stage_operations,
	iot_stage_parts_of_spans, iot_stage_processor, iot_stage_why;

/** iot_stage_lock_table - the table of locks; in listen */
struct iot_locks *iot_stage_lock_table(const struct iot_stage *stage);
/** iot_stage_waits - the waits; in listen */
struct iot_waits *iot_stage_waits(const struct iot_stage *stage);
/** iot_stage_cycles - the circular waits; in listen */
struct iot_cycles *iot_stage_cycles(const struct iot_stage *stage);
/** iot_stage_parts - the parts of waits; in listen, if iot_anatomy_possible */
struct iot_anatomy *iot_stage_parts(const struct iot_stage *stage);
/** iot_stage_accounts - what was done for calls elsewhere; in listen; NULL: no model says it */
struct iot_accounts *iot_stage_accounts(const struct iot_stage *stage);
/** iot_stage_sleeps - what woke threads; in listen; NULL: no model says it */
struct iot_sleeps *iot_stage_sleeps(const struct iot_stage *stage);
/** iot_stage_now - the present instant, ns: that of the last item */
guint64 iot_stage_now(const struct iot_stage *stage);
/** iot_stage_unsettled - settle is to be called when the present instant is complete */
void iot_stage_unsettled(const struct iot_stage *stage);
/** iot_stage_put - put in an item; its seq is 0, as nothing sorts items after the stages */
gboolean iot_stage_put(const struct iot_stage *stage, const struct iot_item *item, GError **error);

/**
 * iot_stages_new - open the stages @names (of char *, each in the table) that are possible, in the
 * order of the table
 *
 * The chain gets the items of a feed WITH_BEGINS.
 */
struct iot_stages *iot_stages_new(const GPtrArray *names, struct iot_timeline *tl);
/** iot_stages_free - accepts NULL */
void iot_stages_free(struct iot_stages *stages);
/** iot_stages_count - number of stages that are open */
guint iot_stages_count(const struct iot_stages *stages);
/** iot_stages_connect - what gets all items after the last stage; before the first item */
void iot_stages_connect(struct iot_stages *stages, iot_item_func func, gpointer user_data);
/** iot_stages_item - pass the next item through all stages (an iot_item_func) */
gboolean iot_stages_item(gpointer stages, const struct iot_item *item, GError **error);
/** iot_stages_finish - after the last item */
gboolean iot_stages_finish(struct iot_stages *stages, GError **error);
/** iot_stages_publish - add the tables of all stages; after finish */
void iot_stages_publish(struct iot_stages *stages, struct iot_results *results);

#endif
