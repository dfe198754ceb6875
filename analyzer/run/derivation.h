/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a pass does with items before the outputs get them: the stages, the selection after them
 * (run/tools/chosen.h), and the thread in which both run (run/stage-thread.h). Pipeline thread only.
 */
#ifndef IOT_RUN_DERIVATION_H
#define IOT_RUN_DERIVATION_H

#include "analysis/stage.h"
#include "run/tools/chosen.h"
#include "run/stage-thread.h"
#include "run/usage.h"

struct iot_derivation {
	/* Opened in each pass, so that types and lanes are the same; NULL: there are none. */
	struct iot_stages *stages;
	struct iot_chosen *chosen;
	struct iot_timeline *tl;
	gboolean used;			 /* items pass through them: only for drawing */
	gboolean apart;			 /* in a thread of their own */
	struct iot_stage_thread *thread; /* NULL: they have none, or it has ended */
};

/**
 * iot_derivation_open - open the stages that @options and their outputs ask for; after the models
 * are loaded, before the first row
 * @draws: outputs are written in this pass
 * @follow: as in iot_chosen_new
 * @n_threads: of the run
 */
void iot_derivation_open(struct iot_derivation *derivation, const struct iot_options *options,
			 struct iot_timeline *tl, gboolean draws, struct iot_follow *follow,
			 guint n_threads);
/** iot_derivation_clear - stop the thread, and free all */
void iot_derivation_clear(struct iot_derivation *derivation);
/** iot_derivation_needs_begins - whether some stage gets the items */
gboolean iot_derivation_needs_begins(const struct iot_derivation *derivation);
/** iot_derivation_receiver - the function that gets the items of the resequencer; NULL: there are
 * neither stages nor a selection */
iot_item_func iot_derivation_receiver(const struct iot_derivation *derivation);
/** iot_derivation_connect - set what gets the items after the selection; if items are received */
void iot_derivation_connect(struct iot_derivation *derivation, iot_item_func func,
			    gpointer user_data);
/** iot_derivation_start - start the thread, before the first item; returns the user_data of the
 * receiver, or NULL and an error of code MEMORY */
gpointer iot_derivation_start(struct iot_derivation *derivation, GError **error);
/** iot_derivation_unobserved - iot_timeline_set_unobserved, after the items so far */
void iot_derivation_unobserved(struct iot_derivation *derivation, iot_str node, guint64 ns);
/** iot_derivation_finish - after the last item: wait for the thread, finish stages and selection */
gboolean iot_derivation_finish(struct iot_derivation *derivation, struct iot_usage *usage,
			       GError **error);
/** iot_derivation_stop - end the thread, wherever it is */
void iot_derivation_stop(struct iot_derivation *derivation);

#endif
