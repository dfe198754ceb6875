/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All that a pass knows at one instant, as bytes, and a pass that goes on from there. Items that
 * wait in the resequencer are not part of it: they end before the instant, and a checkpoint serves
 * windows that begin behind it. The selection is not part of it either: whether a row is selected
 * is asked again. Pipeline thread only.
 */
#ifndef IOT_RUN_CHECKPOINT_H
#define IOT_RUN_CHECKPOINT_H

#include "run/index.h"
#include "run/inputs.h"
#include "run/models.h"
#include "order/merge.h"

struct iot_pass_state {
	struct iot_timeline *tl;
	struct iot_inputs *inputs;
	struct iot_models *models;
	struct iot_emit *emit;
	guint64 records;
};

/** iot_checkpoint_key - everything that checkpoints depend on; NULL if reading of some input cannot
 * go on in the middle */
char *iot_checkpoint_key(const struct iot_options *options, const struct iot_inputs *inputs,
			 const struct iot_models *models, const struct iot_timeline *tl);
/**
 * iot_checkpoint_save - the state now; the runs stand where @merge stands
 * @ts: no record so far was later, and none will be earlier
 *
 * NULL if some input cannot tell where it stands.
 */
GByteArray *iot_checkpoint_save(const struct iot_pass_state *pass, const struct iot_merge *merge,
				guint64 ts);
/**
 * iot_checkpoint_load - go on at @point: after everything has been started and before reading
 * @out_skip: by run: records that are to be left out; the caller frees
 *
 * FALSE, with @error set only if the system could not read: then the pass is of no use any more.
 */
gboolean iot_checkpoint_load(struct iot_pass_state *pass, const struct iot_index_point *point,
			     iot_select_func select, gpointer select_data, guint **out_skip,
			     GError **error);

#endif
