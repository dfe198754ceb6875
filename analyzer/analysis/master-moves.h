/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a better lock master would save: the waits of the recording with each resource's master on
 * another node.
 *
 * A wait has a part that depends on the place of the master: the way of the request, and from the
 * grant to the callback of the waiter; without the search for the master. This part is replaced by
 * its mean over all waits of the same node for masters on the other node, and the messages of calls
 * by those of such calls. Queues, and the times of holders, stay as they are. One thread at a time.
 */
#ifndef IOT_ANALYSIS_MASTER_MOVES_H
#define IOT_ANALYSIS_MASTER_MOVES_H

#include "analysis/anatomy.h"
#include "analysis/lock-uses.h"
#include "timeline/result-table.h"

struct iot_master_moves;

/** iot_master_moves_new - @uses stays the caller's and lives longer */
struct iot_master_moves *iot_master_moves_new(struct iot_lock_uses *uses);
/** iot_master_moves_free - accepts NULL */
void iot_master_moves_free(struct iot_master_moves *moves);
/** iot_master_moves_add - a wait of @use; NULL: of no resource */
void iot_master_moves_add(struct iot_master_moves *moves, struct iot_lock_use *use,
			  const struct iot_anatomy_wait *wait);
/** iot_master_moves_publish - add the tables, if there was a wait for a remote master */
void iot_master_moves_publish(struct iot_master_moves *moves, struct iot_results *results);

#endif
