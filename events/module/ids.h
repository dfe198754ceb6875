/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers of calls, unique on this node. */
#ifndef IOTRACE_IDS_H
#define IOTRACE_IDS_H

#include <linux/types.h>

/**
 * iotrace_new_ids - ids for calls
 * @count: number of ids
 *
 * Context: any except NMI. Return: the first id, unique on this node since boot, not 0; iotrace_nth_id() gives
 * the others.
 */
u64 iotrace_new_ids(unsigned int count);
/** iotrace_nth_id - the id @n after @first, of the ids that iotrace_new_ids() returned */
u64 iotrace_nth_id(u64 first, unsigned int n);

int iotrace_ids_init(void);

#endif /* IOTRACE_IDS_H */
