/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of iotrace.ko: each has an init and perhaps an exit, which module.c calls in order. */
#ifndef IOTRACE_MODULE_H
#define IOTRACE_MODULE_H

#include <linux/types.h>

/**
 * iotrace_new_ids - ids for calls
 * @count: number of ids
 *
 * Context: any except NMI. Return: the first id, unique on this node since boot, not 0; iotrace_nth_id() gives
 * the others.
 */
u64 iotrace_new_ids(unsigned int count);
u64 iotrace_nth_id(u64 first, unsigned int n);

int iotrace_ids_init(void);

#endif /* IOTRACE_MODULE_H */
