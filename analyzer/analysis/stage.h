/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stages: states that follow from other states, such as "2 waiters" on the row of a resource. A
 * stage sees all items between the resequencer and the outputs, with begins, in the order
 * (instant, seq), also those of rows that are not selected; it may put in items of its own.
 *
 * An instant is complete when an item of a later instant comes, or at the end. Only then does a
 * stage know what holds at that instant: at a hand-over, and at the left edge of a window, begins
 * and ends come one by one. An item that it puts in while it is handed another goes before that
 * other one, so its instant may be any from the previous item's to the other one's.
 *
 * The states of a stage follow from the spans that are open at an instant. So checkpoints
 * save nothing for it: a window begins with the spans that are open at its left edge. The stage
 * marks CUT_LEFT itself. Late begins (flags BEFORE and SUSPECT, of an instant that has passed)
 * change nothing that was put in before; they are counted. Derived states never have the roles WAIT
 * and CALL, which rank rows.
 *
 * To add an analysis: copy contention.c, and add a row to analysis-table.c and a declaration below.
 * Pipeline thread only.
 */
#ifndef IOT_ANALYSIS_STAGE_H
#define IOT_ANALYSIS_STAGE_H

#include "analysis/cycles.h"
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

struct iot_stage_ops {
	const char *name;    /* --derive NAME */
	const char *summary; /* for the help: "contention: who waits ..." */

	/* Whether the models of @tl have the facts that the stage needs; NULL: always. */
	gboolean (*is_possible)(const struct iot_timeline *tl);
	/* After the models are loaded and before the first row: adds types and categories to @tl.
	 */
	struct iot_stage *(*open)(struct iot_timeline *tl);
	/* After open: the stage registers with the waits that all stages of the run share; NULL: it
	 * needs no waits. */
	void (*listen)(struct iot_stage *stage, struct iot_waits *waits);
	/* After open: the stage may look for earlier stages (iot_stages_find); NULL: it needs none.
	 */
	void (*join)(struct iot_stage *stage);
	/* NULL: it needs no items. */
	gboolean (*item)(struct iot_stage *stage, const struct iot_item *item, GError **error);
	/* After the last item; the stage may still put in items; NULL: nothing is left to do. */
	gboolean (*finish)(struct iot_stage *stage, GError **error);
	/* After finish of all stages: adds tables; NULL: there are none. */
	void (*publish)(struct iot_stage *stage, struct iot_results *results);
	void (*free)(struct iot_stage *stage);
};

/** iot_analysis_table - all analyses, NULL-terminated */
extern const struct iot_stage_ops *const iot_analysis_table[];

extern const struct iot_stage_ops iot_stage_anatomy, iot_stage_blame, iot_stage_bounds,
	iot_stage_check, iot_stage_contention, iot_stage_distributions, iot_stage_holders,
	iot_stage_locks, iot_stage_why;

/** iot_stage_cycles - the circular waits, which all stages of the run share; in listen */
struct iot_cycles *iot_stage_cycles(const struct iot_stage *stage);
/** iot_stage_put - put in an item, which is copied; its seq is set by the outputs' side */
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
/** iot_stages_find - the stage of @ops, if it is open; else NULL */
struct iot_stage *iot_stages_find(const struct iot_stages *stages, const struct iot_stage_ops *ops);
/** iot_stages_connect - what gets all items after the last stage; before the first item */
void iot_stages_connect(struct iot_stages *stages, iot_item_func func, gpointer user_data);
/** iot_stages_item - pass the next item through all stages (an iot_item_func) */
gboolean iot_stages_item(gpointer stages, const struct iot_item *item, GError **error);
/** iot_stages_finish - after the last item */
gboolean iot_stages_finish(struct iot_stages *stages, GError **error);
/** iot_stages_publish - add the tables of all stages; after finish */
void iot_stages_publish(struct iot_stages *stages, struct iot_results *results);

#endif
