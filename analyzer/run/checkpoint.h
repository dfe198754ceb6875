/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of a pass at one instant, as bytes, and a pass that resumes from it. Items in the
 * resequencer are not included: they end before the instant, and a checkpoint serves windows that
 * begin later. The selection is not included either: every row is selected again. Pipeline thread
 * only.
 *
 * It holds tables, objects, calls, lanes, gaps, counters, and the position of each run (the mark
 * of its batch and the number of records taken). Sums that rank rows cover the window only and
 * begin at 0. Open spans wait for the left edge in the order of seq, as they would without a
 * checkpoint. Nothing of an analysis is held: its state follows from the spans that are open; but
 * its categories and its lane (lane 0 of the rows on which it draws) are part of the tables, so
 * the analyses are part of the key of the index. If you add state to a model, save it: see
 * model/model-save.c. The golden driver finds an omission: it runs every case, and some windows of
 * each, with an index that has a checkpoint before every record.
 */
#ifndef IOT_RUN_CHECKPOINT_H
#define IOT_RUN_CHECKPOINT_H

#include "run/index.h"
#include "run/inputs.h"
#include "run/models.h"
#include "run/look/guest-entries.h"
#include "order/causal.h"
#include "order/merge.h"

struct iot_pass_state {
	struct iot_timeline *tl;
	struct iot_inputs *inputs;
	struct iot_models *models;
	struct iot_emit *emit;
	struct iot_causal *causal; /* NULL: there are no rules of order */
	struct iot_guest_entries *entries; /* NULL: no host tells when its guests ran */
	guint64 records;
};

/**
 * iot_checkpoint_save - the state now, and the positions of the runs in @merge
 * @ts: no record so far was later, and none will be earlier
 *
 * NULL if some input does not know its position.
 */
GByteArray *iot_checkpoint_save(const struct iot_pass_state *pass, const struct iot_merge *merge,
				guint64 ts);
/**
 * iot_checkpoint_load - resume at @point, after everything has been started and before reading
 * @out_skip: by run: number of records to leave out; the caller frees
 *
 * FALSE if the checkpoint contradicts itself or the system cannot read; only then @error is set.
 * The pass must not be used after a failure.
 */
gboolean iot_checkpoint_load(struct iot_pass_state *pass, const struct iot_index_point *point,
			     struct iot_select *select, guint **out_skip, GError **error);

#endif
