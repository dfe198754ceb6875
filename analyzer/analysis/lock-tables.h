/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of calls and messages: by resource, and by resource and node. */
#ifndef IOT_ANALYSIS_LOCK_TABLES_H
#define IOT_ANALYSIS_LOCK_TABLES_H

#include "analysis/lock-uses.h"
#include "timeline/result-table.h"

/* Reasons why calls may be counted at the wrong place. */
struct iot_lock_doubts {
	gboolean lost;	     /* some node was not observed for a while */
	guint64 n_forgotten; /* locks, because there were too many at a time */
};

/** iot_lock_tables_publish - add the tables, if there was a call */
void iot_lock_tables_publish(const struct iot_lock_uses *uses, const struct iot_lock_doubts *doubts,
			     struct iot_results *results);

#endif
