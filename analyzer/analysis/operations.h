/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Operations of clients and servers in seven parts: the client, its queue, the network, the
 * server's queue, locks, the server, its disks. Models say whose work a type of spans is ("part" of
 * [values]); an operation is a span of role CALL of a type that is the client's work, such as a
 * WRITE of NFS, with the waits that it goes on with.
 *
 * Each instant of an operation is in one part, by its account (accounts.h). Waits of a client or
 * server, and what waits for its begin, are their queue; what is on its way to or from a server is
 * the network's. If nothing is known to have been done for an operation, its own time is not
 * explained. A part of which nothing was ever seen is not known, which is not 0: perhaps its events
 * are not recorded. Operations whose begin or end was not seen are left out. One thread at a time.
 */
#ifndef IOT_ANALYSIS_OPERATIONS_H
#define IOT_ANALYSIS_OPERATIONS_H

#include "analysis/accounts.h"
#include "timeline/result-table.h"

enum { IOT_OPERATION_PARTS = 8 };

struct iot_operations;

/** iot_operation_part_name - for people: "client's queue" */
const char *iot_operation_part_name(guint part);
/** iot_operation_divide - the parts of a span, if it is an operation that is shown as a whole; else
 * FALSE */
gboolean iot_operation_divide(const struct iot_timeline *tl, const struct iot_accounted *span,
			      guint64 out_ns[IOT_OPERATION_PARTS]);
/** iot_operations_possible - whether the models say what operations are, and what is done for them
 */
gboolean iot_operations_possible(const struct iot_timeline *tl);
struct iot_operations *iot_operations_new(const struct iot_timeline *tl);
/** iot_operations_free - accepts NULL */
void iot_operations_free(struct iot_operations *operations);
/** iot_operations_add - a span has ended (an iot_accounted_func) */
void iot_operations_add(gpointer operations, const struct iot_accounted *span);
/** iot_operations_publish - add the tables, if there was an operation */
void iot_operations_publish(const struct iot_operations *operations, struct iot_results *results);

#endif
